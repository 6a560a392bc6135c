//! Tests of `dialogue`.
