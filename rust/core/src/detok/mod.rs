//! Token ids to bytes, bytes to finished text.
//!
//! [`Vocab`] is the id → bytes table of one tokenizer, [`DetokState`] what a stream must remember
//! between two tokens (most families: nothing but "has it begun"), [`Utf8State`] the split
//! character that waits for its other bytes.

mod chain;
mod json;
mod steps;
mod table;
mod utf8;
mod vocab;
mod wire;

pub use utf8::Utf8State;
pub use vocab::{DetokState, Vocab};

/// Highest token id a table may hold; a larger one would make the table itself the problem.
pub const MAX_TOKEN_ID: crate::types::TokenId = (1 << 22) - 1;
