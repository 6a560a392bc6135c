//! A base index with a small overlay of additions and removals.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::MAX_CANDIDATES;
use super::build::{EntityIndexBuilder, without_article};
use super::index::{EntityIndex, nearest_first};
use crate::normal::fold_name;
use crate::types::Resolution;

/// Number of layers: the base and the overlay.
pub(super) const LAYERS: usize = 2;

/// An immutable view of all names: a base index, names added since, entities removed since.
/// Cloning is cheap, and a clone never changes: `with_…` make new values.
#[derive(Debug, Clone, Default)]
pub struct Names {
    base: Option<EntityIndex>,
    overlay: Option<EntityIndex>,
    added: Arc<Vec<(String, u32)>>,
    removed: Arc<FxHashSet<u32>>,
}

impl Names {
    /// The names of `base`, or none.
    #[must_use]
    pub fn new(base: Option<EntityIndex>) -> Self {
        Self {
            base,
            ..Self::default()
        }
    }

    /// These names and `names` of (name, entity). The overlay is built again: time proportional
    /// to its size.
    #[must_use]
    pub fn with_added<S: AsRef<str>>(&self, names: &[(S, u32)]) -> Self {
        let mut added = self.added.as_ref().clone();
        added.extend(
            names
                .iter()
                .map(|(name, entity)| (name.as_ref().to_owned(), *entity)),
        );
        self.rebuilt(added, self.removed.clone())
    }

    /// These names without those of `entities`. An entity may be added again afterwards.
    #[must_use]
    pub fn with_removed(&self, entities: &[u32]) -> Self {
        let mut removed = self.removed.as_ref().clone();
        removed.extend(entities);
        let mut added = self.added.as_ref().clone();
        added.retain(|(_, entity)| !entities.contains(entity));
        self.rebuilt(added, Arc::new(removed))
    }

    fn rebuilt(&self, added: Vec<(String, u32)>, removed: Arc<FxHashSet<u32>>) -> Self {
        let mut builder = EntityIndexBuilder::new();
        for (name, entity) in &added {
            builder.add(name, *entity);
        }
        let overlay = (!added.is_empty()).then(|| builder.build());
        Self {
            base: self.base.clone(),
            overlay,
            added: Arc::new(added),
            removed,
        }
    }

    /// Whether there is no name at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.base.as_ref().is_none_or(EntityIndex::is_empty) && self.added.is_empty()
    }

    pub(super) fn layer(&self, layer: usize) -> Option<&EntityIndex> {
        if layer == 0 {
            self.base.as_ref()
        } else {
            self.overlay.as_ref()
        }
    }

    fn alive(&self, layer: usize, entity: u32) -> bool {
        layer != 0 || !self.removed.contains(&entity)
    }

    /// Adds the entities of a layer's name that are not removed.
    pub(super) fn collect(&self, layer: usize, name: u32, out: &mut Vec<u32>) {
        if let Some(index) = self.layer(layer) {
            out.extend(index.entities(name).filter(|&e| self.alive(layer, e)));
        }
    }

    /// Entities whose name has exactly this normalised form, in id order.
    #[must_use]
    pub fn find(&self, folded: &str) -> Vec<u32> {
        let mut out = Vec::new();
        for layer in 0..LAYERS {
            if let Some(name) = self.layer(layer).and_then(|index| index.find(folded)) {
                self.collect(layer, name, &mut out);
            }
        }
        sorted(out)
    }

    /// Entities with the folded word in one of their names, in id order, at most
    /// [`MAX_CANDIDATES`].
    #[must_use]
    pub fn with_word(&self, word: &str) -> Vec<u32> {
        let mut out = Vec::new();
        for layer in 0..LAYERS {
            if let Some(index) = self.layer(layer) {
                out.extend(index.with_word(word).filter(|&e| self.alive(layer, e)));
            }
        }
        let mut out = sorted(out);
        out.truncate(MAX_CANDIDATES);
        out
    }

    /// Entities with a name within the distance that the normalised name's length allows, as
    /// (entity, distance), nearest first, at most [`MAX_CANDIDATES`].
    #[must_use]
    pub fn fuzzy(&self, folded: &str) -> Vec<(u32, u8)> {
        let mut out = Vec::new();
        for layer in 0..LAYERS {
            if let Some(index) = self.layer(layer) {
                out.extend(
                    index
                        .fuzzy(folded, 2)
                        .into_iter()
                        .filter(|h| self.alive(layer, h.0)),
                );
            }
        }
        let mut out = nearest_first(out);
        out.truncate(MAX_CANDIDATES);
        out
    }

    /// What a name resolves to: exact or normalised, then fuzzy. Never `Resolution::Common`.
    #[must_use]
    pub fn lookup(&self, name: &str) -> Resolution {
        let folded = fold_name(name);
        let folded = without_article(&folded);
        let known = self.find(folded);
        if !known.is_empty() {
            return Resolution::Known(known);
        }
        let near = self.fuzzy(folded);
        if near.is_empty() {
            Resolution::Unknown
        } else {
            Resolution::NearMiss(near)
        }
    }
}

fn sorted(mut ids: Vec<u32>) -> Vec<u32> {
    ids.sort_unstable();
    ids.dedup();
    ids
}
