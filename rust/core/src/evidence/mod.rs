//! Passages, indexed once and shared between streams.
