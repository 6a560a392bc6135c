//! The language's tables, compiled in: units, words, cues, phrases, persons.

pub mod abbreviations;
pub mod cues;
pub mod grounding;
pub mod names;
pub mod persons;
pub mod phrases;
pub mod units;
pub mod words;
