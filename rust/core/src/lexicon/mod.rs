//! The language's tables, compiled in: units, words, cues.

pub mod units;
