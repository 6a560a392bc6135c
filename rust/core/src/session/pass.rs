//! Text of a stream that is no longer judged.

use super::Session;
use crate::types::TokenId;

/// What a stream brings after its session has latched.
#[derive(Debug, Clone, Copy)]
pub enum Pass<'a> {
    /// A token; one the vocabulary lacks gives no text.
    Token(TokenId),
    /// Raw bytes.
    Bytes(&'a [u8]),
    /// The end, which gives what a split character left.
    End,
}

impl Session {
    /// The text of `input`, following what the session last saw; nothing of it is kept or judged.
    /// For streams that go on after a fault.
    pub fn decode(&mut self, input: Pass<'_>) -> String {
        let (mut bytes, mut text) = (Vec::new(), String::new());
        let state = &mut self.state;
        match (input, self.monitor.vocab()) {
            (Pass::Token(id), Some(vocab)) => {
                // What is no token has no text.
                let _ = vocab.push(&mut state.detok, id, &mut bytes);
            }
            (Pass::Token(_), None) => {}
            (Pass::Bytes(more), vocab) => {
                if let Some(vocab) = vocab {
                    vocab.interrupt(&mut state.detok, &mut bytes);
                }
                bytes.extend_from_slice(more);
            }
            (Pass::End, vocab) => {
                if let Some(vocab) = vocab {
                    vocab.finish(&mut state.detok, &mut bytes);
                }
            }
        }
        state.utf8.push(&bytes, &mut text);
        if matches!(input, Pass::End) {
            state.utf8.finish(&mut text);
        }
        text
    }
}
