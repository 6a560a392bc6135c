//! The language's tables, compiled in: units, words, cues, phrases, persons, categories, impossibilities.

pub mod abbreviations;
pub mod coherence;
pub mod contrast;
pub mod cues;
pub mod grounding;
pub mod logic;
pub mod names;
pub mod persons;
pub mod phrases;
pub mod rows;
pub mod tables;
pub mod units;
pub mod words;
