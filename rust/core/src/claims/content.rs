//! Content words: what a sentence is about, folded and stemmed.

use crate::lexicon::cues::{Cue, cue};
use crate::normal::{fold, stem};
use crate::types::{LexFlags, LexKind, Lexeme, Span};

/// One content word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContentWord {
    /// Hash of its folded stem.
    pub stem: u64,
    /// Hash of the first letters of its stem, by which related words meet; 0 where too short.
    pub root: u64,
    /// Where it stands.
    pub span: Span,
    /// Written with a capital and not first in its sentence, or holding capitals inside.
    pub name: bool,
    /// A number.
    pub number: bool,
}

/// Letters two words must share to count as related.
const ROOT: usize = 6;

/// FNV-1a, so that an index means the same on every machine.
#[must_use]
pub fn word_hash(word: &str) -> u64 {
    hash_on(0xcbf2_9ce4_8422_2325, word)
}

/// The hash of a text that goes on with `more`.
pub(super) fn hash_on(hash: u64, more: &str) -> u64 {
    more.bytes().fold(hash, |h, b| {
        (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Turns lexemes into content words with one buffer kept between calls.
#[derive(Debug, Default)]
pub struct Content {
    buffer: String,
}

impl Content {
    /// The content word of a lexeme; `None` for punctuation and function words.
    pub fn word(&mut self, lexeme: &Lexeme, text: &str) -> Option<ContentWord> {
        if !matches!(lexeme.kind, LexKind::Word | LexKind::Number) {
            return None;
        }
        self.buffer.clear();
        fold(text, &mut self.buffer);
        let number = lexeme.kind == LexKind::Number;
        if self.buffer.is_empty() || (!number && cue(&self.buffer).is(Cue::FUNCTION)) {
            return None;
        }
        if number {
            self.buffer.retain(|c| c != ',');
        }
        let stemmed = stem(&self.buffer);
        let root = stemmed
            .char_indices()
            .nth(ROOT)
            .map_or(0, |(at, _)| word_hash(&stemmed[..at]));
        let capital = lexeme.flags.has(LexFlags::CAPITALIZED);
        let first = lexeme.flags.has(LexFlags::SENTENCE_START);
        let name = (capital && !first) || lexeme.flags.has(LexFlags::MIXED_CASE);
        Some(ContentWord {
            stem: word_hash(&stemmed),
            root,
            span: lexeme.span,
            name,
            number,
        })
    }
}
