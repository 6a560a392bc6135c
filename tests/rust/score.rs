//! Tests of `score`.
