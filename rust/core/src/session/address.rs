//! Whom a text speaks to and who signs it ("Dear Mr. and Mrs. Hart,", "Best regards, Anna"): that is
//! said of nothing, so that no source need have it.

use crate::detect::{closing_words, greets, is_joint, may_be_addressed};
use crate::types::{LexFlags, LexKind, Lexeme};

/// Most words of an address.
const WORDS: u8 = 8;

/// Where the open sentence is in an address.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Address {
    /// No word of it has come.
    #[default]
    Begin,
    /// Behind "Dear" or the like and so many words; whether anybody may be named by small letters.
    Named(u8, bool),
    /// So many words of those closings, by their places in the table.
    Closing(u8, u32),
    /// Behind a closing and its mark.
    Signed(u8),
    /// There is none, or it has ended.
    Over,
}

impl Address {
    /// The state behind a lexeme, and whether that belongs to the address.
    pub(super) fn next(self, lexeme: &Lexeme, text: &str) -> (Self, bool) {
        let word = lexeme.kind == LexKind::Word;
        let mark = lexeme.kind == LexKind::Newline || matches!(text, "," | ":" | "!" | "—" | "–");
        let capital = lexeme.flags.has(LexFlags::CAPITALIZED);
        match self {
            Self::Begin if !word => (Self::Begin, false),
            Self::Begin => match greets(text) {
                Some(any) => (Self::Named(0, any), true),
                None => Self::closes(0, u32::MAX, text),
            },
            Self::Named(..) if mark => (Self::Over, true),
            Self::Named(n, any) if n < WORDS && (any || capital || may_be_addressed(text)) => {
                (Self::Named(n + 1, any), true)
            }
            Self::Named(n, any) if !word => (Self::Named(n, any), true),
            Self::Closing(n, which) if mark => {
                let ends = closing_words(n, which, None) != 0;
                (if ends { Self::Signed(0) } else { Self::Over }, false)
            }
            Self::Closing(n, which) if word => Self::closes(n, which, text),
            Self::Signed(n) if n < WORDS && (capital || !word || is_joint(text)) => {
                (Self::Signed(n + u8::from(word)), true)
            }
            _ => (Self::Over, false),
        }
    }

    fn closes(n: u8, which: u32, word: &str) -> (Self, bool) {
        match closing_words(n, which, Some(word)) {
            0 => (Self::Over, false),
            left => (Self::Closing(n + 1, left), false),
        }
    }
}
