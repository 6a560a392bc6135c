//! The language's tables, compiled in: units, words, cues, phrases, persons, categories, impossibilities.
//!
//! [`Lexicon`] joins those that callers extend with what they add.

pub mod abbreviations;
pub mod additions;
pub mod antonyms;
pub mod coherence;
pub mod columns;
pub mod contrast;
pub mod cues;
pub mod denials;
pub mod grounding;
pub(crate) mod listed;
pub mod logic;
pub mod movement;
pub mod names;
pub mod persons;
pub mod phrases;
pub mod predicates;
pub mod readings;
pub mod rows;
pub mod spelled;
pub mod tables;
pub mod units;
pub mod words;

pub use additions::{Additions, Lexicon};
