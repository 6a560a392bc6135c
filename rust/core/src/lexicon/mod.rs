//! The language's tables, compiled in: units, words, cues.

pub mod abbreviations;
pub mod units;
