//! Tests of `segment`.
