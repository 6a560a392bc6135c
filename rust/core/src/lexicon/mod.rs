//! The language's tables, compiled in: units, words, cues.

pub mod abbreviations;
pub mod cues;
pub mod units;
pub mod words;
