//! What the knowledge base calls its entities.

use crate::lexicon::names::{NameCue, name_cue};
use crate::lexicon::predicates::Predicates;
use crate::normal::fold_name;
use crate::types::NameType;

/// What a knowledge base says that its entities are.
pub trait Kinds {
    /// The kind of an entity in the base's own words ("town"); empty where it has none.
    fn kind(&self, id: u32) -> &str;

    /// Whether it has an attribute of that name, or of one that `names` has as the same.
    fn has(&self, _id: u32, _attribute: &str, _names: &Predicates) -> bool {
        false
    }

    /// What that comes to.
    fn of(&self, id: u32) -> NameType {
        kind_named(self.kind(id))
    }
}

/// Of no base.
pub struct NoKinds;

impl Kinds for NoKinds {
    fn kind(&self, _id: u32) -> &str {
        ""
    }
}

/// What the knowledge base's kind of an entity ("company", "person") comes to.
#[must_use]
pub fn kind_named(kind: &str) -> NameType {
    let folded = fold_name(kind);
    folded
        .split(' ')
        .rev()
        .map(|word| {
            let cue = name_cue(word);
            if cue.is(NameCue::IS_PERSON) {
                NameType::Person
            } else if cue.is(NameCue::IS_ORG) || word == "department" || word == "team" {
                NameType::Organization
            } else if cue.is(NameCue::IS_PLACE) {
                NameType::Place
            } else if cue.is(NameCue::IS_WORK) {
                NameType::Work
            } else if cue.is(NameCue::IS_PRODUCT) {
                NameType::Product
            } else if cue.is(NameCue::EVENT) {
                NameType::Event
            } else if cue.is(NameCue::LAW) {
                NameType::Law
            } else {
                NameType::Unknown
            }
        })
        .find(|kind| *kind != NameType::Unknown)
        .unwrap_or_default()
}
