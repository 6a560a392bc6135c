//! What was read of a passage's sentences, kept beside their text.

use std::any::{Any, TypeId};
use std::sync::{Arc, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use super::passage::PassageIndex;
use crate::claims::may_deny;
use crate::types::Span;

type Kept = Arc<dyn Any + Send + Sync>;

/// Readings by their type and the number of the sentence: at most one of a type a sentence.
#[derive(Debug, Default)]
pub(super) struct Memo(RwLock<FxHashMap<(TypeId, u32), Kept>>);

impl Memo {
    /// The reading of that type, made now or before. Made outside the lock: two streams may make
    /// it at once, and it is the same.
    pub(super) fn read<T: Any + Send + Sync>(
        &self,
        sentence: u32,
        make: impl FnOnce() -> T,
    ) -> Arc<T> {
        let key = (TypeId::of::<T>(), sentence);
        let held = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let known = held.get(&key).cloned();
        drop(held);
        if let Some(Ok(known)) = known.map(Arc::downcast::<T>) {
            return known;
        }
        let made = Arc::new(make());
        let mut held = self.0.write().unwrap_or_else(PoisonError::into_inner);
        held.insert(key, Arc::clone(&made) as Kept);
        made
    }
}

/// Whether a word of a sentence may deny something.
struct MayDeny(bool);

/// What is read of a passage's sentences, with their numbers: of those of which something is.
pub(crate) struct Readings<T>(pub(crate) Vec<(u32, T)>);

impl PassageIndex {
    /// What a detector reads of a sentence, made at most once a type: it may depend on the
    /// sentence's words alone.
    pub fn reading<T: Any + Send + Sync>(&self, sentence: u32, make: impl FnOnce() -> T) -> Arc<T> {
        self.read.read(sentence, make)
    }

    /// What a detector reads of all sentences, made at most once a type: it may depend on the words of each
    /// alone.
    pub(crate) fn readings<T: Any + Send + Sync>(
        &self,
        read: impl Fn(&str) -> Option<T>,
    ) -> Arc<Readings<T>> {
        let one = |(at, span): (u32, &Span)| {
            let text = self.text().get(span.start..span.end).unwrap_or("");
            Some((at, read(text)?))
        };
        let all = || (0_u32..).zip(self.sentences()).filter_map(one).collect();
        self.reading(0, || Readings(all()))
    }

    /// Whether a word of the sentence may deny something ("lacks", "not", "unsafe").
    #[must_use]
    pub fn may_deny(&self, sentence: u32) -> bool {
        let said = || {
            self.sentence(sentence)
                .is_some_and(|(_, text)| may_deny(text))
        };
        self.reading(sentence, || MayDeny(said())).0
    }
}
