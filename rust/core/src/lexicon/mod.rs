//! The language's tables, compiled in: units, words, cues, phrases, persons.

pub mod abbreviations;
pub mod contrast;
pub mod cues;
pub mod grounding;
pub mod persons;
pub mod phrases;
pub mod units;
pub mod words;
