//! The language's tables, compiled in: units, words, cues, phrases.

pub mod abbreviations;
<<<<<<< HEAD
pub mod phrases;
=======
pub mod cues;
>>>>>>> kb
pub mod units;
pub mod words;
