//! Tests of `detok`.
