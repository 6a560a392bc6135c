//! Entities and facts as callers write and read them.

use serde::{Deserialize, Serialize};

pub use crate::lexicon::predicates::predicate_key;

use super::value::{Date, Value};

/// A thing the base knows.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Entity {
    /// Number inside one base; serialising a base may renumber.
    pub id: u32,
    /// The caller's own identifier; the name where none was given. Unique in a base.
    pub key: String,
    /// Name to show.
    pub name: String,
    /// Other names it goes by.
    pub aliases: Vec<String>,
    /// What it is ("person", "museum"); empty where unknown.
    pub kind: String,
}

/// A further argument of an n-ary fact ("role: lead" on "works on Atlas").
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Qualifier {
    /// Its name, normalised like a predicate.
    pub name: String,
    /// Its value.
    pub value: Value,
}

/// Most facts of an entity that a sentence is compared with.
pub(super) const MOST_COMPARED: usize = 1024;

/// One thing said of an entity. An entity may have several facts of one predicate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// Attribute name, normalised by [`predicate_key`].
    pub predicate: String,
    /// What is said.
    pub value: Value,
    /// Further arguments.
    pub qualifiers: Vec<Qualifier>,
    /// Where it comes from.
    pub source: Option<String>,
    /// How sure the source is, 0..=1.
    pub confidence: f64,
    /// First day on which it holds.
    pub valid_from: Option<Date>,
    /// Last day on which it holds.
    pub valid_to: Option<Date>,
}

impl Fact {
    /// A fact without source, qualifiers or time bounds, fully trusted.
    #[must_use]
    pub fn new(predicate: &str, value: Value) -> Self {
        Self {
            predicate: predicate_key(predicate),
            value,
            qualifiers: Vec::new(),
            source: None,
            confidence: 1.0,
            valid_from: None,
            valid_to: None,
        }
    }
}

/// An entity with everything said of it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Record {
    /// The entity; `id` is set by the base.
    pub entity: Entity,
    /// Its facts.
    pub facts: Vec<Fact>,
}

impl Record {
    /// A record of that name, keyed by it.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self {
            entity: Entity {
                key: name.to_owned(),
                name: name.to_owned(),
                ..Entity::default()
            },
            facts: Vec::new(),
        }
    }

    /// Adds another name.
    #[must_use]
    pub fn alias(mut self, alias: &str) -> Self {
        self.entity.aliases.push(alias.to_owned());
        self
    }

    /// Sets the kind.
    #[must_use]
    pub fn kind(mut self, kind: &str) -> Self {
        kind.clone_into(&mut self.entity.kind);
        self
    }

    /// Adds a fact.
    #[must_use]
    pub fn fact(mut self, predicate: &str, value: Value) -> Self {
        self.facts.push(Fact::new(predicate, value));
        self
    }
}
