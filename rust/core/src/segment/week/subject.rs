//! Of what a schedule is told: the words of a noun phrase, to be compared.

use crate::normal::{fold, stem};
use crate::types::Span;

use super::words::Words;
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::tables::stance;

/// Most words of a subject.
const MOST: usize = 12;

/// Of what something is said.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Subject {
    /// Stems of the noun and the words before it, in order; the noun is the last.
    pub words: Vec<String>,
    /// Stems of what stands behind the noun ("in Bergen").
    pub behind: Vec<String>,
    /// "it", "they", "we": folded.
    pub pronoun: Option<String>,
    /// Whether it is one of a kind, another one or many.
    pub other: bool,
    /// Where.
    pub span: Span,
}

impl Subject {
    /// The noun.
    #[must_use]
    pub fn head(&self) -> Option<&str> {
        self.words.last().map(String::as_str)
    }

    /// Whether what is said of `self` may be held against what a source tells of `source`: the same
    /// noun, and no word before it that the source's lacks. What stands behind must be in
    /// `around`, the text it is told in.
    #[must_use]
    pub fn is_of(&self, source: &Self, around: &dyn Fn(&str) -> bool) -> bool {
        if self.other || self.words.is_empty() || self.head() != source.head() {
            return false;
        }
        let told = |word: &String| source.words.contains(word) || source.behind.contains(word);
        self.words.iter().all(told) && self.behind.iter().all(|word| told(word) || around(word))
    }

    /// The same, by the words of a name.
    #[must_use]
    pub fn of_name(name: &str) -> Self {
        let words = Words::read(name, false);
        let mut subject = read(&words, 0, words.len()).unwrap_or_default();
        subject.other = false;
        subject
    }
}

/// The noun phrase of those words; `None` where there is none.
pub(super) fn read(words: &Words, from: usize, to: usize) -> Option<Subject> {
    let mut subject = Subject {
        span: words.span(from, to),
        ..Subject::default()
    };
    if to <= from || to - from > MOST {
        return None;
    }
    let text = |i: usize| words.text(i);
    if to - from == 1 && words.is(from, "pronoun") {
        subject.pronoun = Some(text(from).to_owned());
        return Some(subject);
    }
    let mut behind = false;
    for i in from..to {
        let word = &words.all[i];
        if word.mark {
            // "(Bergen)", "St. Olav"
            behind |= matches!(&*word.text, "," | "(");
            continue;
        }
        if i == from && words.is(i, "other") {
            subject.other = true;
        }
        // "The museum that is open": one of several, told apart by it.
        subject.other |= stance().has("relative", &word.text);
        let classes = cue(&word.text);
        // "It is not true that the museum": a clause of its own, and nobody's schedule.
        let clause = Cue::COPULA
            .or(Cue::AUXILIARY)
            .or(Cue::NEGATION)
            .or(Cue::HEDGE);
        if classes.is(clause) {
            return Some(Subject {
                other: true,
                span: subject.span,
                ..Subject::default()
            });
        }
        if word.text == "'s" || classes.is(Cue::DETERMINER) || words.is(i, "other") {
            continue;
        }
        if classes.is(Cue::PREPOSITION) {
            behind |= !(subject.words.is_empty());
            continue;
        }
        let mut folded = String::new();
        fold(&word.text, &mut folded);
        let stemmed = stem(&folded).into_owned();
        if behind {
            subject.behind.push(stemmed);
        } else {
            subject.words.push(stemmed);
        }
    }
    (!subject.words.is_empty()).then_some(subject)
}
