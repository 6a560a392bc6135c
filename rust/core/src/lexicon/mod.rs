//! The language's tables, compiled in: units, words, cues, phrases.

pub mod phrases;
pub mod words;
