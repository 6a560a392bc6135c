//! The immutable index.

use std::fmt;
use std::sync::Arc;

use super::MAX_CANDIDATES;
use super::build::without_article;
use super::fuzzy::{max_distance, search};
use super::layout::{Bytes, Layout, Section, View, hash_word, parse, verify};
use crate::error::Result;
use crate::normal::fold_name;
use crate::types::Resolution;

/// No word of the index, or no node of its trie.
pub(super) const NONE: u32 = u32::MAX;

/// Names and the entities they belong to, in one buffer. Cloning is cheap; the buffer may be a
/// memory map. Reading a damaged buffer that was not verified gives wrong answers at worst, never
/// a panic.
#[derive(Clone)]
pub struct EntityIndex {
    data: Bytes,
    layout: Arc<Layout>,
}

impl fmt::Debug for EntityIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EntityIndex")
            .field("names", &self.len())
            .finish_non_exhaustive()
    }
}

impl EntityIndex {
    /// An index read in place from a saved buffer, after comparing its contents with the
    /// checksums (CRC-32, one a section) in its header: one pass over the buffer.
    ///
    /// # Errors
    /// `Category::Format` where the buffer is none, is cut off, is damaged anywhere, or has another
    /// version.
    pub fn from_bytes(data: Bytes) -> Result<Self> {
        let layout = parse(data.as_ref().as_ref())?;
        verify(data.as_ref().as_ref(), &layout)?;
        Ok(Self::from_parts(data, layout))
    }

    /// As [`Self::from_bytes`], but the contents are trusted and not read: takes microseconds for
    /// a map of any size. Damaged contents give wrong answers, never a panic.
    ///
    /// # Errors
    /// `Category::Format` where the buffer is none, is cut off, has a damaged header, or has
    /// another version.
    pub fn from_bytes_unverified(data: Bytes) -> Result<Self> {
        let layout = parse(data.as_ref().as_ref())?;
        Ok(Self::from_parts(data, layout))
    }

    pub(super) fn from_parts(data: Bytes, layout: Layout) -> Self {
        Self {
            data,
            layout: Arc::new(layout),
        }
    }

    /// The buffer, to be saved.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.as_bytes().to_vec()
    }

    /// The buffer, borrowed.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.data.as_ref().as_ref()
    }

    /// Number of different normalised names.
    #[must_use]
    pub fn len(&self) -> usize {
        self.layout.len(Section::NameFlags)
    }

    /// Whether the index holds no name.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of the buffer.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.as_bytes().len()
    }

    pub(super) fn view(&self) -> View<'_> {
        View::new(self.as_bytes(), &self.layout)
    }

    /// Id of a folded word, or [`NONE`].
    pub(super) fn word(&self, word: &str) -> u32 {
        let view = self.view();
        let slots = self.layout.count(Section::WordSlots) / 2;
        if !slots.is_power_of_two() {
            return NONE;
        }
        let hash = hash_word(word);
        let print = (hash >> 32) as u32;
        let mut at = hash as usize & (slots - 1);
        for _ in 0..slots {
            let (id, own) = view.pair(Section::WordSlots, at);
            if id == 0 {
                return NONE;
            }
            if own == print {
                let place = view.range(Section::WordOffset, id as usize - 1);
                if view.slice(Section::WordBytes, place.start, place.end) == word.as_bytes() {
                    return id - 1;
                }
            }
            at = (at + 1) & (slots - 1);
        }
        NONE
    }

    /// The node reached by a name's first word, or [`NONE`].
    pub(super) fn root(&self, word: u32) -> u32 {
        if word == NONE {
            return NONE;
        }
        self.view()
            .get(Section::RootChild, word as usize)
            .checked_sub(1)
            .unwrap_or(NONE)
    }

    /// The node reached from `node` by `word`, or [`NONE`].
    pub(super) fn child(&self, node: u32, word: u32) -> u32 {
        if node == NONE || word == NONE {
            return NONE;
        }
        let view = self.view();
        let range = view.range(Section::NodeChildren, node as usize);
        let (mut lo, mut hi) = (range.start, range.end);
        while lo < hi {
            let mid = lo + (hi - lo) / 2;
            match view.get(Section::NodeWord, mid).cmp(&word) {
                std::cmp::Ordering::Equal => return u32::try_from(mid).unwrap_or(NONE),
                std::cmp::Ordering::Less => lo = mid + 1,
                std::cmp::Ordering::Greater => hi = mid,
            }
        }
        NONE
    }

    /// Whether some name goes on after `node`.
    pub(super) fn goes_on(&self, node: u32) -> bool {
        node != NONE
            && !self
                .view()
                .range(Section::NodeChildren, node as usize)
                .is_empty()
    }

    /// The name that ends at `node`.
    pub(super) fn name_at(&self, node: u32) -> Option<u32> {
        if node == NONE {
            return None;
        }
        self.view()
            .get(Section::NodeName, node as usize)
            .checked_sub(1)
    }

    /// Whether the name was given without a capital letter.
    pub(super) fn is_lower(&self, name: u32) -> bool {
        let at = name as usize;
        self.view()
            .slice(Section::NameFlags, at, at.saturating_add(1))
            .first()
            .is_some_and(|f| f & 1 != 0)
    }

    /// Entities of a name, in id order.
    pub(super) fn entities(&self, name: u32) -> impl Iterator<Item = u32> + '_ {
        let view = self.view();
        let range = view.range(Section::NameEntities, name as usize);
        let end = range.end.min(view.layout().count(Section::Entities));
        (range.start..end).map(move |i| view.get(Section::Entities, i))
    }

    /// The normalised name.
    pub(super) fn name_bytes(&self, name: u32) -> &[u8] {
        let view = self.view();
        let range = view.range(Section::NameOffset, name as usize);
        view.slice(Section::NameBytes, range.start, range.end)
    }

    /// Entities of names that hold the folded word, at most [`MAX_CANDIDATES`], in id order.
    pub(super) fn with_word(&self, word: &str) -> impl Iterator<Item = u32> + '_ {
        let view = self.view();
        let id = self.word(word);
        let range = if id == NONE {
            0..0
        } else {
            view.range(Section::WordPostings, id as usize)
        };
        range
            .take(MAX_CANDIDATES)
            .map(move |i| view.get(Section::Postings, i))
    }

    /// The name with exactly this normalised form.
    pub(super) fn find(&self, folded: &str) -> Option<u32> {
        let mut words = folded.split(' ');
        let mut node = self.root(self.word(words.next()?));
        for word in words {
            node = self.child(node, self.word(word));
        }
        self.name_at(node)
    }

    /// Names within `limit` edits (at most 2) of a normalised name, as (entity, distance),
    /// nearest first, each entity once.
    #[must_use]
    pub fn fuzzy(&self, folded: &str, limit: u8) -> Vec<(u32, u8)> {
        let mut hits = Vec::new();
        for (name, distance) in search(
            self,
            folded,
            limit.min(max_distance(folded.chars().count())),
        ) {
            hits.extend(self.entities(name).map(|entity| (entity, distance)));
        }
        nearest_first(hits)
    }

    /// What a name resolves to: its entities, else candidates within the distance that its
    /// length allows, else nothing. Never `Resolution::Common`.
    #[must_use]
    pub fn lookup(&self, name: &str) -> Resolution {
        let folded = fold_name(name);
        let folded = without_article(&folded);
        if let Some(name) = self.find(folded) {
            return Resolution::Known(self.entities(name).collect());
        }
        let mut near = self.fuzzy(folded, 2);
        near.truncate(MAX_CANDIDATES);
        if near.is_empty() {
            Resolution::Unknown
        } else {
            Resolution::NearMiss(near)
        }
    }
}

/// Nearest first, then by id; each entity once, at its least distance.
pub(super) fn nearest_first(mut hits: Vec<(u32, u8)>) -> Vec<(u32, u8)> {
    hits.sort_unstable();
    hits.dedup_by_key(|hit| hit.0);
    hits.sort_by_key(|&(entity, distance)| (distance, entity));
    hits
}
