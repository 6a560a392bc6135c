//! Tests of `lexicon`.

mod words;
