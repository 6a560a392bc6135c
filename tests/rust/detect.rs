//! Tests of `detect`.
