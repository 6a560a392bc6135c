//! Tests of `lexicon`.

mod tables;
mod words;
