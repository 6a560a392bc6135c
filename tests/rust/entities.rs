//! Tests of `entities`.
