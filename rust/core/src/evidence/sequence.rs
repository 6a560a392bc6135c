//! A passage's words in order, with those between the content words.

use std::borrow::Cow;

use crate::claims::word_hash;
use crate::lexicon::cues::{Cue, Known, known};
use crate::lexicon::units::{Role, number_word, split_number};
use crate::lexicon::words::{WordClass, class};
use crate::normal::{stem, subwords};
use crate::types::{LexFlags, LexKind, Lexeme, Span};

use super::postings::Postings;

/// What a word is in the reading for changed details.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// A name, by its capital.
    Name,
    /// A number, in digits or as a word.
    Number,
    /// A verb, as far as its form and the word before it tell.
    Verb,
    /// Any other content word.
    Word,
    /// A pronoun of the third person.
    Pronoun,
    /// A word that denies.
    Negation,
    /// Any other function word.
    Function,
}

impl Class {
    /// Classes that are judged, in the order of the weights.
    pub const JUDGED: [(Self, &'static str); 6] = [
        (Self::Name, "name"),
        (Self::Number, "number"),
        (Self::Verb, "verb"),
        (Self::Word, "word"),
        (Self::Pronoun, "pronoun"),
        (Self::Negation, "negation"),
    ];

    /// Whether it is a name, a number or another content word.
    #[must_use]
    pub fn content(self) -> bool {
        matches!(self, Self::Name | Self::Number | Self::Verb | Self::Word)
    }
}

/// One word as it is read; the parts of a hyphenated word are words.
#[derive(Debug, Clone, Copy)]
pub(super) struct Said {
    /// Hash of its stem; of its digits, where it is a number.
    pub(super) stem: u64,
    /// Hash of its first letters; 0 where too short.
    pub(super) root: u64,
    pub(super) class: Class,
    pub(super) span: Span,
    /// First in its sentence.
    pub(super) opens: bool,
    /// The same, or first after a colon, a bracket or an opening quotation mark: its capital tells
    /// nothing.
    pub(super) begins: bool,
    /// Opens an instruction, where it begins.
    pub(super) imperative: bool,
    pub(super) capital: bool,
    pub(super) form: Form,
}

/// What a word's form tells of its being a verb.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Nothing.
    None,
    /// A past or a participle ("founded", "sang").
    Past,
    /// A form that a noun may have too ("works", "plan"), or in -ing.
    Either,
    /// After this function word stands no finite verb ("the", "of").
    BeforeNoun,
}

/// Letters two words must share to count as related.
const ROOT: usize = 6;

/// Sub-words of one word that are read.
const PARTS: usize = 16;

/// Where a sub-word starts in its word, and its folded form.
type Part = (usize, usize, usize);

/// The sub-words of a word, folded.
pub(super) struct Parts<'a> {
    folded: Cow<'a, str>,
    first: Option<Part>,
    more: Vec<Part>,
    plain: bool,
}

impl<'a> Parts<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        // Most words.
        if !text.is_empty() && text.bytes().all(|b| b.is_ascii_lowercase()) {
            return Self {
                folded: Cow::Borrowed(text),
                first: Some((0, 0, text.len())),
                more: Vec::new(),
                plain: true,
            };
        }
        let mut folded = String::with_capacity(text.len());
        let (mut first, mut more) = (None, Vec::new());
        subwords(text, &mut folded, &mut |sub| {
            let part = (sub.start, sub.from, sub.to);
            if first.is_none() {
                first = Some(part);
            } else if more.len() + 1 < PARTS {
                more.push(part);
            }
        });
        let plain = first.is_some()
            && more.is_empty()
            && folded.len() == text.len()
            && text.bytes().all(|b| b.is_ascii_alphanumeric());
        Self {
            folded: Cow::Owned(folded),
            first,
            more,
            plain,
        }
    }

    /// The folded word, where it is its only sub-word.
    pub(super) fn plain(&self) -> Option<&str> {
        self.plain.then_some(&self.folded)
    }

    /// All folded sub-words together.
    pub(super) fn joined(&self) -> &str {
        &self.folded
    }

    /// The folded sub-words.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        let parts = self.first.iter().chain(&self.more);
        parts.map(|(_, from, to)| &self.folded[*from..*to])
    }
}

/// Splits a closed lexeme into its words; marks and line breaks have none. Returns the classes of the
/// last of them, where it was looked up.
pub(super) fn words_of(
    lexeme: &Lexeme,
    text: &str,
    parts: &Parts<'_>,
    sink: &mut dyn FnMut(Said),
) -> Option<Cue> {
    if !matches!(lexeme.kind, LexKind::Word | LexKind::Number) {
        return None;
    }
    let folded = &parts.folded;
    let denies = text.ends_with("n't") || text.ends_with("n’t");
    let digits = lexeme.kind == LexKind::Number && parts.first.is_some();
    if digits {
        // "1,250.5" is one number, however its parts are split, and "450°F" is 450.
        let (number, suffix) = split_number(text);
        let number = if number.is_empty() { suffix } else { number };
        let number: String = number.chars().filter(|c| !matches!(c, ',' | '+')).collect();
        sink(Said {
            stem: word_hash(&number),
            root: 0,
            class: Class::Number,
            span: lexeme.span,
            opens: lexeme.flags.has(LexFlags::SENTENCE_START),
            begins: false,
            imperative: false,
            capital: false,
            form: Form::None,
        });
        return None;
    }
    let mut classes = None;
    for (at, (start, from, to)) in parts.first.iter().chain(&parts.more).enumerate() {
        let word = &folded[*from..*to];
        let capital = text[*start..]
            .chars()
            .next()
            .is_some_and(char::is_uppercase);
        let opens = at == 0 && lexeme.flags.has(LexFlags::SENTENCE_START);
        let begins = opens || at == 0 && lexeme.flags.has(LexFlags::AFTER_OPENER);
        let end = parts.more.get(at).map_or(text.len(), |next| next.0);
        // "iPhone", but not all of "turned-TV-host".
        let mixed = lexeme.flags.has(LexFlags::MIXED_CASE)
            && text[*start..end].chars().any(char::is_uppercase);
        let span = Span::new(
            lexeme.span.start + start,
            lexeme.span.start + end.max(*start),
        );
        let span = trimmed(span, &text[*start..end]);
        let known = known(word);
        classes = Some(known.cue);
        let mut said = Said {
            stem: 0,
            root: 0,
            class: class_of(word, known.cue, denies, (capital || mixed) && !begins),
            span,
            opens,
            begins,
            imperative: begins && known.cue.is(Cue::IMPERATIVE),
            capital,
            form: form_of(word, known),
        };
        if word.bytes().all(|b| b.is_ascii_digit()) {
            said.class = Class::Number;
            said.stem = word_hash(word);
            sink(said);
            continue;
        }
        if said.class == Class::Word {
            let number = number_word(word);
            if matches!(number.role, Role::Ones | Role::Ten) && !capital {
                said.class = Class::Number;
                said.stem = word_hash(&number.value.to_string());
                sink(said);
                continue;
            }
            // A first word that no dictionary has is a name too.
            if begins && capital && !class(word).has(WordClass::COMMON) {
                said.class = Class::Name;
            }
        }
        if said.class.content() {
            let stemmed = stem(word);
            said.stem = word_hash(&stemmed);
            said.root = stemmed
                .char_indices()
                .nth(ROOT)
                .map_or(0, |(at, _)| word_hash(&stemmed[..at]));
        } else {
            said.stem = word_hash(word);
        }
        sink(said);
    }
    classes
}

/// Without the hyphen or slash that parts it from the next.
fn trimmed(span: Span, text: &str) -> Span {
    let kept = text.trim_end_matches(|c: char| !c.is_alphanumeric());
    Span::new(span.start, span.start + kept.len())
}

fn class_of(word: &str, classes: Cue, denies: bool, name: bool) -> Class {
    let first_or_second = matches!(word, "my" | "your" | "our");
    let pronoun = Cue::PRONOUN_PERSON
        .or(Cue::PRONOUN_THING)
        .or(Cue::PRONOUN_GROUP)
        .or(Cue::POSSESSIVE);
    if denies || classes.is(Cue::NEGATION) || matches!(word, "no" | "none" | "without") {
        Class::Negation
    } else if classes.is(pronoun) && word != "that" && !first_or_second {
        Class::Pronoun
    } else if classes.is(Cue::FUNCTION) {
        Class::Function
    } else if name {
        Class::Name
    } else {
        Class::Word
    }
}

fn form_of(word: &str, known: Known<'_>) -> Form {
    let noun_follows = Cue::DETERMINER.or(Cue::PREPOSITION).or(Cue::POSSESSIVE);
    if known.cue.is(noun_follows) && word != "to" {
        return Form::BeforeNoun;
    }
    let ending = |end: &str| word.len() > end.len() + 2 && word.ends_with(end);
    match known.verb {
        _ if ending("ed") => Form::Past,
        Some(base) if base == word || ending("s") || ending("ing") => Form::Either,
        Some(_) => Form::Past,
        None if ending("ing") => Form::Either,
        None => Form::None,
    }
}

/// A passage's words in order.
#[derive(Debug, Default)]
pub(super) struct Sequence {
    /// Stem, number of the sentence, what it is.
    words: Vec<(u64, u32, Class)>,
    places: Postings,
}

impl Sequence {
    pub(super) fn new(words: Vec<(u64, u32, Class)>) -> Self {
        let places = (0_u32..)
            .zip(&words)
            .map(|(at, (stem, _, _))| (*stem, at))
            .collect();
        Self {
            places: Postings::build(places),
            words,
        }
    }

    /// Where words of that stem stand, ascending.
    pub(super) fn places(&self, stem: u64) -> &[u32] {
        self.places.get(stem)
    }

    pub(super) fn stem(&self, place: u32) -> Option<u64> {
        self.words.get(place as usize).map(|(stem, _, _)| *stem)
    }

    pub(super) fn sentence(&self, place: u32) -> u32 {
        self.words.get(place as usize).map_or(0, |(_, at, _)| *at)
    }

    /// Stems of the content words between two places.
    pub(super) fn between(&self, from: u32, to: u32) -> impl Iterator<Item = u64> + '_ {
        self.words
            .get(from as usize + 1..to as usize)
            .unwrap_or_default()
            .iter()
            .filter(|(_, _, class)| class.content())
            .map(|(stem, _, _)| *stem)
    }

    /// What the word at a place is.
    pub(super) fn class(&self, place: u32) -> Option<Class> {
        self.words.get(place as usize).map(|(_, _, class)| *class)
    }

    /// Whether one of the `reach` words before it in its sentence denies it.
    pub(super) fn is_denied(&self, place: u32, reach: usize) -> bool {
        let at = place as usize;
        let sentence = self.sentence(place);
        let before = self.words.get(at.saturating_sub(reach)..at);
        before
            .unwrap_or_default()
            .iter()
            .any(|(_, own, class)| *own == sentence && *class == Class::Negation)
    }
}
