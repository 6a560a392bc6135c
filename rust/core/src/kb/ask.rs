//! What detectors ask of a snapshot: facts where they are few, and names that only values hold.

use std::sync::Arc;

use super::held::HeldNames;
use super::model::{Fact, MOST_COMPARED, Record};
use super::noted::read_notes;
use super::overlay::Snapshot;
use super::value::Value;

impl Snapshot {
    /// All facts of an entity, for a sentence to be compared with; `None` where there are more than
    /// 1,024, through which nobody goes at every sentence.
    #[must_use]
    pub fn comparable(&self, id: u32) -> Option<Vec<Fact>> {
        self.few_facts(id, MOST_COMPARED, &|_| true)
    }

    /// Facts of the predicates that are wanted; none where there are more than `most` of them. A
    /// number with a note ("1,240 (2023)") is that number.
    pub(crate) fn few_facts(
        &self,
        id: u32,
        most: usize,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Option<Vec<Fact>> {
        match self.changed(id) {
            Ok(record) => {
                let found = || record.facts.iter().filter(|fact| wanted(&fact.predicate));
                (found().count() <= most).then(|| read_notes(found().cloned().collect()))
            }
            Err(true) => (self.base.count_facts(id, wanted) <= most)
                .then(|| read_notes(self.base.facts(id, wanted))),
            Err(false) => Some(Vec::new()),
        }
    }

    /// Whether some fact's value is the name, or a name of one ("worked with Gabriel Lippmann").
    /// The first call indexes the values: one pass over the base, then one over what was changed.
    #[must_use]
    pub fn holds_name(&self, name: &str) -> bool {
        let changed = &self.overlay.records;
        let mut base = self.base.holding(name);
        base.any(|id| !changed.contains_key(&id)) || self.held().holders(name).next().is_some()
    }

    /// The entities that have such a fact, ascending.
    #[must_use]
    pub fn holders(&self, name: &str) -> Vec<u32> {
        let changed = &self.overlay.records;
        let base = self.base.holding(name);
        let mut found: Vec<u32> = base.filter(|id| !changed.contains_key(id)).collect();
        found.extend(self.held().holders(name));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Names that the values of what was changed hold.
    fn held(&self) -> &HeldNames {
        let changed = &self.overlay.records;
        self.overlay.held.get_or_init(|| {
            let records: Vec<(u32, Arc<Record>)> = changed
                .iter()
                .filter_map(|(id, record)| Some((*id, record.clone()?)))
                .collect();
            HeldNames::of(records.iter().flat_map(|(id, record)| {
                let facts = record.facts.iter();
                let values = facts.flat_map(|fact| {
                    std::iter::once(&fact.value).chain(fact.qualifiers.iter().map(|q| &q.value))
                });
                values.filter_map(move |value| match value {
                    Value::Text(text) | Value::Entity(text) | Value::Enum(text) => {
                        Some((*id, text.as_str()))
                    }
                    _ => None,
                })
            }))
        })
    }
}
