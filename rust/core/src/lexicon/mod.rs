//! The language's tables, compiled in: units, words, cues, phrases, persons, categories, impossibilities.

pub mod abbreviations;
pub mod cues;
pub mod exclusive;
pub mod grounding;
pub mod impossible;
pub mod persons;
pub mod phrases;
pub mod rows;
pub mod units;
pub mod words;
