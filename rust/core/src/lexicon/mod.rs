//! The language's tables, compiled in: units, words, cues, phrases.

pub mod abbreviations;
pub mod cues;
pub mod phrases;
pub mod units;
pub mod words;
