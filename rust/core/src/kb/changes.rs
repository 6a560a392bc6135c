//! What was changed since a base was built.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use crate::entities::Names;
use crate::lexicon::Lexicon;
use crate::normal::fold_name;

use super::held::HeldNames;
use super::model::Record;
use super::tables::Tables;
use super::write::{World, entity_names};

/// What was changed since the base was built.
#[derive(Debug, Clone, Default)]
pub(super) struct Overlay {
    /// Present records; `None` marks a removed entity of the base.
    pub(super) records: BTreeMap<u32, Option<Arc<Record>>>,
    pub(super) names: BTreeMap<String, BTreeSet<u32>>,
    pub(super) keys: BTreeMap<String, u32>,
    pub(super) predicates: BTreeMap<String, u32>,
    pub(super) next: u32,
    pub(super) added: usize,
    pub(super) removed: usize,
    pub(super) world: Option<World>,
    pub(super) lexicon: Option<Arc<Lexicon>>,
    pub(super) tables: Option<Tables>,
    /// All names as the scanner reads them, made when first asked for.
    pub(super) scan: OnceLock<Names>,
    /// Names in values, made when first asked for.
    pub(super) held: OnceLock<HeldNames>,
}

impl Overlay {
    pub(super) fn link(&mut self, id: u32, record: Arc<Record>) {
        for name in entity_names(&record) {
            self.names.entry(fold_name(name)).or_default().insert(id);
        }
        self.keys.insert(record.entity.key.clone(), id);
        for fact in &record.facts {
            *self.predicates.entry(fact.predicate.clone()).or_default() += 1;
        }
        self.records.insert(id, Some(record));
    }

    pub(super) fn unlink(&mut self, id: u32) {
        let Some(Some(record)) = self.records.remove(&id) else {
            return;
        };
        for name in entity_names(&record) {
            let folded = fold_name(name);
            if let Some(ids) = self.names.get_mut(&folded) {
                ids.remove(&id);
                if ids.is_empty() {
                    self.names.remove(&folded);
                }
            }
        }
        self.keys.remove(&record.entity.key);
        for fact in &record.facts {
            if let Some(count) = self.predicates.get_mut(&fact.predicate) {
                *count -= 1;
                if *count == 0 {
                    self.predicates.remove(&fact.predicate);
                }
            }
        }
    }
}
