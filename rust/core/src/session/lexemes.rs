//! The lexemes of the open sentence in as little room as they take.

use crate::types::{LexFlags, LexKind, Lexeme, Span};

/// A lexeme, its places counted from those before.
#[derive(Debug, Clone, Copy)]
struct Near {
    /// From the first lexeme's start.
    start: u32,
    len: u32,
    /// From its own start.
    decided: u32,
    flags: LexFlags,
    kind: LexKind,
}

/// Lexemes that room is made for at once.
const ROOM: usize = 16;

/// Lexemes in their order.
#[derive(Debug, Clone, Default)]
pub(super) struct Lexemes {
    /// Start of the first.
    from: usize,
    near: Vec<Near>,
    /// Those from the first on that lies too far from the beginning.
    #[expect(clippy::box_collection, reason = "seldom there, and a third as large")]
    far: Option<Box<Vec<Lexeme>>>,
}

impl Near {
    fn of(lexeme: &Lexeme, from: usize) -> Option<Self> {
        let start = lexeme.span.start;
        let small = |to: usize, from: usize| u32::try_from(to.checked_sub(from)?).ok();
        Some(Self {
            start: small(start, from)?,
            len: small(lexeme.span.end, start)?,
            decided: small(lexeme.decided_at, start)?,
            flags: lexeme.flags,
            kind: lexeme.kind,
        })
    }

    fn at(self, from: usize) -> Lexeme {
        let start = from + self.start as usize;
        Lexeme {
            kind: self.kind,
            flags: self.flags,
            span: Span::new(start, start + self.len as usize),
            decided_at: start + self.decided as usize,
        }
    }
}

impl Lexemes {
    pub(super) fn push(&mut self, lexeme: Lexeme) {
        if self.near.is_empty() {
            self.from = lexeme.span.start;
        }
        let near = Near::of(&lexeme, self.from).filter(|_| self.far.is_none());
        let Some(near) = near else {
            return self.far.get_or_insert_default().push(lexeme);
        };
        if self.near.len() == self.near.capacity() {
            self.near.reserve_exact(ROOM);
        }
        self.near.push(near);
    }

    pub(super) fn clear(&mut self) {
        self.near.clear();
        self.near.shrink_to(ROOM);
        self.far = None;
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = Lexeme> {
        let near = self.near.iter().map(|near| near.at(self.from));
        near.chain(self.far.iter().flat_map(|far| far.iter().copied()))
    }

    /// Where the first begins.
    pub(super) fn start(&self) -> Option<usize> {
        self.iter().next().map(|lexeme| lexeme.span.start)
    }

    pub(super) fn heap_bytes(&self) -> usize {
        let far = self.far.as_ref();
        self.near.capacity() * size_of::<Near>()
            + far.map_or(0, |far| {
                size_of::<Vec<Lexeme>>() + far.capacity() * size_of::<Lexeme>()
            })
    }
}
