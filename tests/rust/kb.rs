//! Tests of `kb`.
