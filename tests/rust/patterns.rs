//! Tests of `patterns`.
