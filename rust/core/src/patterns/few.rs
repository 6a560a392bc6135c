//! A queue that mostly holds one thing, which then takes no memory of its own.

use std::collections::VecDeque;
use std::ops::{Index, IndexMut};

/// As a [`VecDeque`]; memory that two or more things took stays until [`Few::clear`].
#[derive(Debug, Clone)]
pub(super) enum Few<T> {
    One(Option<T>),
    #[expect(clippy::box_collection, reason = "seldom there, and a third as large")]
    Many(Box<VecDeque<T>>),
}

impl<T> Default for Few<T> {
    fn default() -> Self {
        Self::One(None)
    }
}

impl<T> Few<T> {
    #[inline]
    pub(super) fn len(&self) -> usize {
        match self {
            Self::One(one) => usize::from(one.is_some()),
            Self::Many(many) => many.len(),
        }
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[inline]
    pub(super) fn get(&self, at: usize) -> Option<&T> {
        match self {
            Self::One(one) => one.as_ref().filter(|_| at == 0),
            Self::Many(many) => many.get(at),
        }
    }

    #[inline]
    pub(super) fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        match self {
            Self::One(one) => one.as_mut().filter(|_| at == 0),
            Self::Many(many) => many.get_mut(at),
        }
    }

    #[inline]
    pub(super) fn front(&self) -> Option<&T> {
        self.get(0)
    }

    #[inline]
    pub(super) fn front_mut(&mut self) -> Option<&mut T> {
        self.get_mut(0)
    }

    #[inline]
    pub(super) fn back(&self) -> Option<&T> {
        self.get(self.len().wrapping_sub(1))
    }

    #[inline]
    pub(super) fn back_mut(&mut self) -> Option<&mut T> {
        self.get_mut(self.len().wrapping_sub(1))
    }

    /// What it holds, if that is one thing.
    #[inline]
    pub(super) fn only(&self) -> Option<&T> {
        self.front().filter(|_| self.len() == 1)
    }

    #[inline]
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        let (one, many) = match self {
            Self::One(one) => (one.as_ref(), None),
            Self::Many(many) => (None, Some(many.iter())),
        };
        one.into_iter().chain(many.into_iter().flatten())
    }

    #[inline]
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        let (one, many) = match self {
            Self::One(one) => (one.as_mut(), None),
            Self::Many(many) => (None, Some(many.iter_mut())),
        };
        one.into_iter().chain(many.into_iter().flatten())
    }

    #[inline]
    pub(super) fn push_back(&mut self, item: T) {
        match self {
            Self::One(one) if one.is_none() => *one = Some(item),
            _ => self.many().push_back(item),
        }
    }

    pub(super) fn push_front(&mut self, item: T) {
        match self {
            Self::One(one) if one.is_none() => *one = Some(item),
            _ => self.many().push_front(item),
        }
    }

    pub(super) fn pop_front(&mut self) -> Option<T> {
        match self {
            Self::One(one) => one.take(),
            Self::Many(many) => many.pop_front(),
        }
    }

    pub(super) fn retain_mut(&mut self, mut keeps: impl FnMut(&mut T) -> bool) {
        match self {
            Self::One(one) => {
                if one.as_mut().is_some_and(|item| !keeps(item)) {
                    *one = None;
                }
            }
            Self::Many(many) => many.retain_mut(keeps),
        }
    }

    #[inline]
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        match self {
            Self::One(_) => 0,
            Self::Many(many) => size_of::<VecDeque<T>>() + many.capacity() * size_of::<T>(),
        }
    }

    fn many(&mut self) -> &mut VecDeque<T> {
        if let Self::One(one) = self {
            let mut many = VecDeque::with_capacity(4);
            many.extend(one.take());
            *self = Self::Many(Box::new(many));
        }
        match self {
            Self::Many(many) => many,
            Self::One(_) => unreachable!("it was made of many"),
        }
    }
}

impl<T> Index<usize> for Few<T> {
    type Output = T;

    #[inline]
    fn index(&self, at: usize) -> &T {
        self.get(at).expect("an index within the queue")
    }
}

impl<T> IndexMut<usize> for Few<T> {
    #[inline]
    fn index_mut(&mut self, at: usize) -> &mut T {
        self.get_mut(at).expect("an index within the queue")
    }
}
