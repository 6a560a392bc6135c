//! Tests of `policy`.
