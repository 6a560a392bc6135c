//! Tests of `tier`.
