//! A closed sentence with everything the scanners found in it.

use rustc_hash::FxHashSet;

use crate::lexicon::cues::{Cue, Known, known};
use crate::normal::fold;
use crate::types::{DateExpr, Lexeme, LinguisticSignal, Mention, Quantity, Sentence, Span};

/// Attribute names that count as predicates beside the shipped lexicon: those of the knowledge
/// base, lower case with `_` between words.
#[derive(Debug, Clone, Default)]
pub struct Attributes {
    names: FxHashSet<String>,
    longest: usize,
}

impl Attributes {
    /// The set of those names.
    pub fn new(names: impl IntoIterator<Item = String>) -> Self {
        let names: FxHashSet<String> = names.into_iter().collect();
        let longest = names
            .iter()
            .map(|n| n.split('_').count())
            .max()
            .unwrap_or(0);
        Self { names, longest }
    }

    /// Whether the name is one of them.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Words of the longest name.
    #[must_use]
    pub fn longest(&self) -> usize {
        self.longest
    }
}

/// A closed sentence with everything the scanners found in it. All spans count from the start
/// of the stream.
#[derive(Debug, Clone, Copy)]
pub struct SentenceView<'a> {
    /// Text of the sentence.
    pub text: &'a str,
    /// The sentence.
    pub sentence: &'a Sentence,
    /// Its lexemes.
    pub lexemes: &'a [Lexeme],
    /// Its numbers.
    pub quantities: &'a [Quantity],
    /// Its dates.
    pub dates: &'a [DateExpr],
    /// Its names.
    pub mentions: &'a [Mention],
    /// Its wording signals.
    pub signals: &'a [LinguisticSignal],
    /// Entities mentioned before it, the latest first.
    pub antecedents: &'a [u32],
    /// Attribute names of the knowledge base.
    pub attributes: &'a Attributes,
}

impl<'a> SentenceView<'a> {
    /// Text at a span, as far as it lies in the sentence.
    #[must_use]
    pub fn at(&self, span: Span) -> &'a str {
        let base = self.sentence.span.start;
        let start = span.start.saturating_sub(base);
        let end = span.end.saturating_sub(base).min(self.text.len());
        self.text.get(start..end).unwrap_or("")
    }

    /// Text of a lexeme.
    #[must_use]
    pub fn word(&self, lexeme: usize) -> &'a str {
        self.lexemes
            .get(lexeme)
            .map_or("", |lexeme| self.at(lexeme.span))
    }

    /// Folded forms of all lexemes.
    #[must_use]
    pub fn folded(&self) -> Folded {
        let mut folded = Folded {
            buffer: String::with_capacity(self.text.len()),
            ends: Vec::with_capacity(self.lexemes.len()),
            known: Vec::with_capacity(self.lexemes.len()),
        };
        for lexeme in self.lexemes {
            let start = folded.buffer.len();
            fold(self.at(lexeme.span), &mut folded.buffer);
            folded.ends.push(folded.buffer.len());
            folded.known.push(known(&folded.buffer[start..]));
        }
        folded
    }

    /// The lexemes that lie in a span.
    #[must_use]
    pub fn lexemes_in(&self, span: Span) -> std::ops::Range<usize> {
        let start = self
            .lexemes
            .partition_point(|lexeme| lexeme.span.start < span.start);
        let end = self
            .lexemes
            .partition_point(|lexeme| lexeme.span.end <= span.end);
        start..end.max(start)
    }
}

/// Folded words of a sentence in one buffer.
#[derive(Debug, Default)]
pub struct Folded {
    buffer: String,
    ends: Vec<usize>,
    known: Vec<Known>,
}

impl Folded {
    /// The word of a lexeme; empty past the end.
    #[must_use]
    pub fn get(&self, lexeme: usize) -> &str {
        let Some(end) = self.ends.get(lexeme) else {
            return "";
        };
        let start = if lexeme == 0 {
            0
        } else {
            self.ends[lexeme - 1]
        };
        &self.buffer[start..*end]
    }

    /// What the lexicon knows of a lexeme's word; nothing past the end.
    #[must_use]
    pub fn known(&self, lexeme: usize) -> Known {
        self.known.get(lexeme).copied().unwrap_or_default()
    }

    /// Classes of a lexeme's word.
    #[must_use]
    pub fn cue(&self, lexeme: usize) -> Cue {
        self.known(lexeme).cue
    }

    /// Number of words.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}
