//! Tests of `lexicon`.

mod additions;
mod words;
