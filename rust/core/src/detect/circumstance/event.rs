//! Values that are told of something that happened, or of a time or case that a clause of its own names:
//! "hired 30 employees" and "had 12 employees when it was founded" say nothing of how many there are.

use std::ops::Range;

use crate::claims::{Content, Tense};
use crate::lexicon::cues::{Cue, verb};
use crate::lexicon::tables::{circumstance, otherwise};
use crate::types::LexKind;

use super::Reader;

/// What the clause of a value tells: a state, or something that happened.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    /// Of no clause with a time, or of what may be either.
    #[default]
    Open,
    /// How it is now, by this verb.
    State(&'static str),
    /// What somebody did, by this verb.
    Event(&'static str),
}

impl Told {
    /// Whether one tells what happened and the other, by another verb, how it is.
    pub(super) fn differs(self, other: Self) -> bool {
        match (self, other) {
            (Self::Event(one), Self::State(other)) | (Self::State(other), Self::Event(one)) => {
                one != other
            }
            _ => false,
        }
    }
}

/// A clause that says when or in which case a value holds.
#[derive(Debug)]
pub(super) struct Case {
    /// The word that opens it.
    opener: String,
    /// What it says: words as written, and their stems where they have one.
    words: Vec<(String, Option<u64>)>,
}

impl Case {
    /// Whether the other sentence tells of no such case: it has neither the word that opens it nor all
    /// that the clause says, by its text and its stems.
    pub(super) fn narrows(&self, text: &str, about: impl Fn(u64) -> bool) -> bool {
        let named = |word: &str| {
            let mut words = text.split(|c: char| !c.is_alphanumeric());
            words.any(|own| own.eq_ignore_ascii_case(word))
        };
        let told = |(word, stem): &(String, Option<u64>)| named(word) || stem.is_some_and(&about);
        !named(&self.opener) && !self.words.iter().all(told)
    }
}

impl Reader<'_> {
    /// See [`Told`].
    pub(super) fn told(&self) -> Told {
        let Some(clause) = self.clause() else {
            return Told::Open;
        };
        let full = clause.verb.and_then(|at| verb(self.folded.get(at)));
        let start = self.view.lexemes_in(self.value).start;
        // "was built with 12 arches" tells how it is.
        let made = clause.copula && start > 0 && self.folded.get(start - 1) == "with";
        match (clause.tense, full) {
            (Tense::Present, Some(verb)) => Told::State(verb),
            (Tense::Present, None) if clause.copula => Told::State("be"),
            (Tense::Present, None) => Told::State("have"),
            (Tense::Past, Some(verb)) if !made && !self.tells_state(verb) => Told::Event(verb),
            _ => Told::Open,
        }
    }

    /// Whether the past of the verb says how something was, or what it came to: "operated 290 stores",
    /// "made a profit of", "won 4 Oscars", not "made 30 employees redundant".
    fn tells_state(&self, verb: &str) -> bool {
        let table = circumstance();
        let value = self.view.lexemes_in(self.whole);
        let unit =
            (self.view.quantities.iter()).any(|q| q.span.overlaps(self.value) && q.unit.is_some());
        let near = |class: &str| {
            let noun = value.start.saturating_sub(3)..value.end + 3;
            noun.filter(|i| self.range.contains(i))
                .any(|i| table.has(class, self.folded.get(i)))
        };
        let people = (value.end..value.end + 3)
            .take_while(|i| self.word(*i))
            .any(|i| otherwise().has("people", self.folded.get(i)));
        table.classes(verb).any(|class| match class {
            "tells_thing" => !people && !unit,
            "tells_measure" => unit,
            _ => class
                .strip_prefix("tells_")
                .is_some_and(|kind| near(&format!("of_{kind}"))),
        })
    }

    /// The clause by which the sentence says when or in which case the value holds: behind the value,
    /// or in front of the sentence.
    pub(super) fn case(&self) -> Option<Case> {
        let end = self.view.lexemes_in(self.whole).end;
        let behind = (end..self.view.lexemes.len())
            .take_while(|i| !self.ends(*i))
            .find_map(|i| Some((self.case_opens(i)?, self.view.lexemes.len())));
        let front =
            || (end > 0).then(|| Some((self.case_opens(0)?, self.subject().start.min(end))));
        let ((at, words), end) = behind.or_else(|| front().flatten())?;
        let clause = words..end.max(words);
        let stop = clause
            .clone()
            .skip(1)
            .find(|i| self.view.word(*i) == "," || self.ends(*i) && self.folded.get(*i) != "or");
        Some(Case {
            opener: self.folded.get(at).to_owned(),
            words: self.case_says(words..stop.unwrap_or(end)),
        })
    }

    /// What such a clause says besides what everybody does and what only stands for something else.
    fn case_says(&self, range: Range<usize>) -> Vec<(String, Option<u64>)> {
        let everybody = self.folded.get(range.start) == "you";
        let mut found = Vec::new();
        for i in range {
            let word = self.folded.get(i);
            let number = self.view.lexemes.get(i).map(|l| l.kind) == Some(LexKind::Number);
            let bound = circumstance().has("bound", word) || self.folded.cue(i).is(Cue::NEGATION);
            let step =
                everybody && verb(word).is_some_and(|base| circumstance().has("usual_step", base));
            let content = || {
                let lexeme = self.view.lexemes.get(i)?;
                let plain = word.strip_suffix("ly").unwrap_or(self.view.word(i));
                Content::default().word(lexeme, plain)
            };
            if number || bound {
                found.push((word.to_owned(), None));
            } else if let Some(content) = content().filter(|_| !step && self.word(i)) {
                found.push((word.to_owned(), Some(content.stem)));
            }
        }
        found
    }

    /// Whether something else begins there.
    fn ends(&self, i: usize) -> bool {
        let word = self.folded.get(i);
        let joins = self.folded.cue(i).is(Cue::CONJUNCTION) && !circumstance().has("case", word);
        let aside = circumstance().has("aside", word) && self.case_opens_with(i).is_none();
        joins || aside || matches!(word, ";" | ":" | "(" | "–" | "—")
    }

    fn case_opens_with(&self, that: usize) -> Option<usize> {
        that.checked_sub(1)
            .filter(|at| circumstance().has("case_with_that", self.folded.get(*at)))
    }

    /// The word that opens such a clause and where what it says begins: "when it opened", "if bought
    /// online", "as long as you book", not "before 5 pm" and "until Sunday".
    pub(super) fn case_opens(&self, i: usize) -> Option<(usize, usize)> {
        let (table, word) = (circumstance(), |i: usize| self.folded.get(i));
        let counted = || {
            let next = self.view.lexemes.get(i + 1);
            next.is_none_or(|next| {
                next.kind == LexKind::Number
                    || (self.view.dates.iter()).any(|date| date.span.overlaps(next.span))
            })
        };
        if table.has("case", word(i)) {
            return (!counted()).then_some((i, i + 1));
        }
        let that = word(i + 1) == "that";
        if table.has("case_with_that", word(i)) && (that || word(i + 1) == "you") {
            return Some((i, i + 1 + usize::from(that)));
        }
        match word(i) {
            "as" if table.has("case_as", word(i + 1)) && word(i + 2) == "as" => {
                Some((i + 1, i + 3))
            }
            "in" if word(i + 1) == "case" => Some((i + 1, i + 2)),
            _ => None,
        }
    }
}
