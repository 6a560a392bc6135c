//! The words of a sentence, folded, and what the shipped tables know of them.

use std::ops::Range;

use crate::lexicon::Lexicon;
use crate::lexicon::cues::{Cue, Known, listed};
use crate::lexicon::tables::frames;
use crate::lexicon::units::{Role, number_word};
use crate::normal::fold;
use crate::types::{LexFlags, LexKind, Resolution, Span};

use super::stance::is_month;
use super::view::SentenceView;

/// Folded words of a sentence in one buffer, and what the shipped tables know of them.
#[derive(Debug)]
pub(super) struct Words {
    buffer: String,
    /// Where each begins, and where the last ends.
    starts: Vec<usize>,
    /// Those that are listed, which most questions are about, need not be cut out of the buffer.
    listed: Vec<Option<&'static str>>,
    known: Vec<Known<'static>>,
    /// The folded words of names that keep their capitals, by lexeme.
    named: Vec<(usize, Box<str>)>,
}

impl Words {
    pub(super) fn read(view: &SentenceView<'_>) -> Self {
        let mut words = Self {
            buffer: String::with_capacity(view.text.len()),
            starts: Vec::with_capacity(view.lexemes.len() + 1),
            listed: Vec::with_capacity(view.lexemes.len()),
            known: Vec::with_capacity(view.lexemes.len()),
            named: Vec::new(),
        };
        words.starts.push(0);
        let names = names_of_bases(view);
        for (at, lexeme) in view.lexemes.iter().enumerate() {
            let start = words.buffer.len();
            fold(view.word(at), &mut words.buffer);
            if begins_name(view, at) {
                words.buffer.truncate(start);
                words.buffer.push_str(view.word(at));
            } else if names.iter().any(|name| name.contains(&lexeme.span.start))
                && lexeme.flags.has(LexFlags::CAPITALIZED)
            {
                words.named.push((at, words.buffer[start..].into()));
                let end = words.buffer.len().min(start + 1);
                if let Some(first) = words.buffer.get_mut(start..end) {
                    first.make_ascii_uppercase();
                }
            }
            words.starts.push(words.buffer.len());
            let word = &words.buffer[start..];
            let (listed, mut own) = listed(word);
            words.listed.push(listed);
            if is_month(view, word, at) {
                own.cue = own.cue.without(Cue::AUXILIARY.or(Cue::HEDGE));
            }
            words.known.push(own);
            // "not quite 40": nearly as many, which denies nothing.
            if at >= 2 {
                let word = |i: usize| &words.buffer[words.starts[i]..words.starts[i + 1]];
                let number =
                    || lexeme.kind == LexKind::Number || number_word(word(at)).role == Role::Ones;
                if word(at - 2) == "not" && number() && frames().has("not_quite", word(at - 1)) {
                    let not = &mut words.known[at - 2].cue;
                    *not = not.without(Cue::NEGATION);
                }
            }
        }
        words
    }

    /// A word that is not listed.
    fn cut(&self, lexeme: usize) -> &str {
        &self.buffer[self.starts[lexeme]..self.starts[lexeme + 1]]
    }
}

/// Where the names of several words stand that are those of entities: "Rising Falcon", "Wish Corp".
/// Their words keep their capitals among the folded words, and so are no words of the language.
fn names_of_bases(view: &SentenceView<'_>) -> Vec<Range<usize>> {
    let several = |span: Span| {
        view.at(span)
            .contains(|c: char| c.is_whitespace() || c == '-')
    };
    view.mentions
        .iter()
        .filter(|mention| matches!(mention.resolution, Resolution::Known(_)))
        .map(|mention| mention.span)
        .filter(|span| several(*span))
        .map(|span| span.start..span.end)
        .collect()
}

/// Whether a function word begins a name within its sentence, as in "chaired by Per Lund": it keeps
/// its capital among the folded words, and so is no function word.
fn begins_name(view: &SentenceView<'_>, at: usize) -> bool {
    let small = |i: usize| view.word(i).starts_with(char::is_lowercase);
    let comma = |i: usize| matches!(view.word(i), "," | "and");
    let capital = |i: usize| {
        let mut letters = view.word(i).chars();
        letters.next().is_some_and(char::is_uppercase)
            && letters.next().is_some_and(char::is_lowercase)
    };
    at > 0
        && capital(at)
        && frames().has("also_name", &view.word(at).to_lowercase())
        && (small(at - 1) || comma(at - 1))
        && capital(at + 1)
}

/// Folded words of a sentence.
#[derive(Debug, Clone, Copy)]
pub struct Folded<'a> {
    words: &'a Words,
    lexicon: &'a Lexicon,
}

impl<'a> Folded<'a> {
    pub(super) fn new(words: &'a Words, lexicon: &'a Lexicon) -> Self {
        Self { words, lexicon }
    }

    /// The lexicon that the words are looked up in.
    #[must_use]
    pub fn lexicon(&self) -> &'a Lexicon {
        self.lexicon
    }

    /// The word of a lexeme; empty past the end.
    #[must_use]
    #[inline]
    pub fn get(&self, lexeme: usize) -> &'a str {
        match self.words.listed.get(lexeme) {
            Some(Some(word)) => word,
            Some(None) => self.words.cut(lexeme),
            None => "",
        }
    }

    /// The same of a word that may be a name's, for tables of what names are made of.
    #[must_use]
    pub fn in_name(&self, lexeme: usize) -> &'a str {
        let named = self.words.named.iter().find(|(at, _)| *at == lexeme);
        named.map_or_else(|| self.get(lexeme), |(_, word)| word)
    }

    /// What the lexicon knows of a lexeme's word; nothing past the end.
    #[must_use]
    #[inline]
    pub fn known(&self, lexeme: usize) -> Known<'a> {
        let Some(shipped) = self.words.known.get(lexeme).copied() else {
            return Known::default();
        };
        self.lexicon.with_added_verb(shipped, || self.get(lexeme))
    }

    /// Classes of a lexeme's word.
    #[must_use]
    #[inline]
    pub fn cue(&self, lexeme: usize) -> Cue {
        let known = self.words.known.get(lexeme);
        known.map_or(Cue::default(), |known| known.cue)
    }

    /// Number of words.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.known.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.known.is_empty()
    }
}
