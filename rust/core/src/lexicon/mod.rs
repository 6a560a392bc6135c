//! The language's tables, compiled in: units, words, cues.

pub mod cues;
pub mod units;
pub mod words;
