//! Lists that a long stream does not make grow (invariant 5).

/// A list whose oldest entries leave once it is full.
#[derive(Debug, Clone)]
pub(super) struct Kept<T> {
    entries: Vec<T>,
    gone: u64,
    most: usize,
}

impl<T> Kept<T> {
    /// An empty list of at most `most` entries (at least one).
    pub(super) fn new(most: usize) -> Self {
        Self {
            entries: Vec::new(),
            gone: 0,
            most: most.max(1),
        }
    }

    pub(super) fn push(&mut self, entry: T) {
        if self.entries.len() >= self.most {
            // More than needed goes at once, so that what stays is seldom moved.
            let gone = (self.most / 8).max(1);
            self.entries.drain(..gone);
            self.gone += gone as u64;
        }
        self.entries.push(entry);
    }

    pub(super) fn retain(&mut self, keep: impl FnMut(&T) -> bool) {
        self.entries.retain(keep);
    }

    pub(super) fn as_slice(&self) -> &[T] {
        &self.entries
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entries with their numbers since the beginning, from 0.
    pub(super) fn numbered(&self) -> impl Iterator<Item = (u64, &T)> {
        (self.gone..).zip(&self.entries)
    }

    /// Entries so far, those that left too.
    pub(super) fn total(&self) -> u64 {
        self.gone + self.entries.len() as u64
    }

    pub(super) fn has_lost(&self) -> bool {
        self.gone > 0
    }
}
