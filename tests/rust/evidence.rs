//! Tests of `evidence`.
