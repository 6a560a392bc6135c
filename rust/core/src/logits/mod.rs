//! One-pass statistics over rows of logits.
