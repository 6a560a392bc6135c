//! The k greatest elements of a row.

use crate::types::TokenId;

/// Keeps the k greatest of what it is shown; of equals, those shown first.
#[derive(Debug, Clone)]
pub(super) struct Top {
    k: usize,
    items: Vec<(f32, TokenId)>,
}

impl Top {
    pub fn new(k: usize) -> Self {
        Self {
            k,
            items: Vec::with_capacity(k),
        }
    }

    /// What an element must exceed to get in.
    pub fn threshold(&self) -> f32 {
        if self.items.len() < self.k {
            f32::NEG_INFINITY
        } else {
            self.items.last().map_or(f32::INFINITY, |item| item.0)
        }
    }

    /// Takes in an element above the threshold; gives the new threshold.
    pub fn insert(&mut self, value: f32, id: TokenId) -> f32 {
        if self.items.len() < self.k {
            self.items.push((value, id));
        }
        let mut at = self.items.len() - 1;
        while at > 0 && self.items[at - 1].0 < value {
            self.items[at] = self.items[at - 1];
            at -= 1;
        }
        self.items[at] = (value, id);
        self.threshold()
    }

    /// The elements kept, greatest first.
    pub fn items(&self) -> &[(f32, TokenId)] {
        &self.items
    }
}
