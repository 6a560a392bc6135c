//! Tests of `lexicon`.
