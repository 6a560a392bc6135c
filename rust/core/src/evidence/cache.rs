//! Indexes kept by content, so that streams over the same passages share them.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use crate::claims::word_hash;
use crate::types::EvidenceKind;

use super::passage::{Passage, PassageIndex};

#[derive(Debug, Default)]
struct Held {
    indexes: FxHashMap<u64, Vec<Arc<PassageIndex>>>,
    order: VecDeque<(u64, usize)>,
    bytes: usize,
}

/// A bounded store of passage indexes. What it answers never depends on what it holds: a passage
/// that is missing is indexed again.
#[derive(Debug)]
pub struct EvidenceCache {
    held: Mutex<Held>,
    max_bytes: usize,
}

impl Default for EvidenceCache {
    /// Holds 64 MiB of text.
    fn default() -> Self {
        Self::new(64 << 20)
    }
}

impl EvidenceCache {
    /// A cache of at most that many bytes of text; the oldest leave first.
    #[must_use]
    pub fn new(max_bytes: usize) -> Self {
        Self {
            held: Mutex::new(Held::default()),
            max_bytes,
        }
    }

    /// The passage, indexed now or before.
    #[must_use]
    pub fn passage(&self, id: &str, kind: EvidenceKind, text: &str) -> Arc<Passage> {
        let key = word_hash(text);
        if let Some(index) = self.find(key, text) {
            return Passage::of(id, kind, index);
        }
        // Indexed outside the lock: a long passage holds up no other stream.
        let index = Arc::new(PassageIndex::new(text));
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let present = held
            .indexes
            .get(&key)
            .is_some_and(|all| all.iter().any(|i| i.given() == text));
        if !present && text.len() <= self.max_bytes {
            held.bytes += text.len();
            held.order.push_back((key, text.len()));
            held.indexes.entry(key).or_default().push(index.clone());
            while held.bytes > self.max_bytes {
                let Some((oldest, len)) = held.order.pop_front() else {
                    break;
                };
                held.bytes -= len;
                let empty = held.indexes.get_mut(&oldest).is_some_and(|all| {
                    if let Some(at) = all.iter().position(|i| i.given().len() == len) {
                        all.remove(at);
                    }
                    all.is_empty()
                });
                if empty {
                    held.indexes.remove(&oldest);
                }
            }
        }
        drop(held);
        Passage::of(id, kind, index)
    }

    fn find(&self, key: u64, text: &str) -> Option<Arc<PassageIndex>> {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.indexes
            .get(&key)?
            .iter()
            .find(|index| index.given() == text)
            .cloned()
    }

    /// Number of indexes held.
    #[must_use]
    pub fn len(&self) -> usize {
        self.held
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .order
            .len()
    }

    /// Whether it holds none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
