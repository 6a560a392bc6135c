//! Tests of `normal`.
