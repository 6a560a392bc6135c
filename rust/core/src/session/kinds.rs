//! What the session's knowledge base calls its entities.

use crate::claims::Kinds;
use crate::kb::Snapshot;
use crate::lexicon::predicates::Predicates;

/// Facts of one attribute that are looked at.
const FACTS: usize = 64;

/// The kinds of a base, or of none.
#[derive(Clone, Copy)]
pub(super) struct BaseKinds<'a>(pub(super) Option<&'a Snapshot>);

impl Kinds for BaseKinds<'_> {
    fn kind(&self, id: u32) -> &str {
        self.0.and_then(|kb| kb.kind(id)).unwrap_or("")
    }

    fn has(&self, id: u32, attribute: &str, names: &Predicates) -> bool {
        let own = |own: &str| names.same(own, attribute);
        let facts = self.0.and_then(|kb| kb.few_facts(id, FACTS, &own));
        facts.is_some_and(|facts| !facts.is_empty())
    }
}
