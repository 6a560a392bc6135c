//! Tests of `logits`.
