//! Tests of `monitor`.
