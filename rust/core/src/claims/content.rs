//! Content words: what a sentence is about, folded and stemmed.

use std::borrow::Cow;

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
        content_word(lexeme, &self.buffer, cue(&self.buffer))
    }
}

/// The content word of a lexeme by its folded word and that word's classes.
pub(crate) fn content_word(lexeme: &Lexeme, folded: &str, classes: Cue) -> Option<ContentWord> {
    let number = lexeme.kind == LexKind::Number;
    let spoken = matches!(lexeme.kind, LexKind::Word | LexKind::Number);
    if !spoken || folded.is_empty() || (!number && classes.is(Cue::FUNCTION)) {
        return None;
    }
    let plain = if number && folded.contains(',') {
        Cow::Owned(folded.replace(',', ""))
    } else {
        Cow::Borrowed(folded)
    };
    let stemmed = stem(&plain);
    let root = stemmed
        .char_indices()
        .nth(ROOT)
        .map_or(0, |(at, _)| word_hash(&stemmed[..at]));
    Some(named_word(lexeme, word_hash(&stemmed), root))
}

/// The content word of a lexeme of which stem and root are known.
pub(crate) fn named_word(lexeme: &Lexeme, stem: u64, root: u64) -> ContentWord {
    let capital = lexeme.flags.has(LexFlags::CAPITALIZED);
    let first = lexeme.flags.has(LexFlags::SENTENCE_START);
    ContentWord {
        stem,
        root,
        span: lexeme.span,
        name: (capital && !first) || lexeme.flags.has(LexFlags::MIXED_CASE),
        number: lexeme.kind == LexKind::Number,
    }
}
