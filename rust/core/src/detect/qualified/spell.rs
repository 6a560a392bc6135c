//! What is so for a while only: "is based in Oslo until March", "lives in Rome for the season", "runs the
//! office while Ada is away". A fact of somebody's place or post says nothing of it.

use crate::claims::{Clause, SentenceView};
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::{narrowing, stance, time};
use crate::lexicon::words::{WordClass, class};
use crate::types::{LexFlags, LexKind};

use super::Qualifiers;

/// Attributes of which somebody or something may have another value for a while.
const PASSING: [&str; 8] = [
    "location",
    "residence",
    "employer",
    "department",
    "title",
    "manager",
    "head",
    "chair",
];
/// Words behind a preposition among which the time's name stands ("for the next few months").
const REACH: usize = 5;

impl Qualifiers<'_> {
    /// Whether the clause of the value at `at` says how long it is so.
    pub(super) fn for_a_while(&self, clauses: &[Clause], at: Option<usize>) -> bool {
        if !PASSING.iter().any(|name| self.named_so(name)) {
            return false;
        }
        let (range, perfect) = match at.map(|at| &clauses[at]) {
            Some(clause) => {
                let has = matches!(self.text(clause.group.start), "has" | "have" | "had");
                (clause.range.clone(), has)
            }
            None => (0..self.folded.len(), false),
        };
        let mut words = range.clone().filter(|i| !self.aside(*i));
        words.any(|i| self.spell(i, perfect))
            || self.text(range.end) == "while" && self.view.word(range.end - 1) != ","
    }

    fn named_so(&self, name: &str) -> bool {
        let names = self.view.attributes.predicates();
        names.same(name, &self.fact.predicate)
    }

    /// Whether words of a while begin at the lexeme.
    fn spell(&self, i: usize, perfect: bool) -> bool {
        let word = self.text(i);
        if narrowing().has("spell", word) {
            return true;
        }
        let behind = || {
            let light = Cue::PREPOSITION.or(Cue::CONJUNCTION).or(Cue::COPULA);
            let open = move |j: &usize| {
                self.view
                    .kind(*j)
                    .is_some_and(|kind| kind != LexKind::Punct)
                    && !(self.folded.cue(*j).is(light) && self.text(*j) != "of")
            };
            (i + 1..self.folded.len().min(i + 1 + REACH)).take_while(open)
        };
        let timed = |j: usize| is_time(self.view, self.text(j), j);
        match word {
            "until" | "till" | "til" => {
                self.view.kind(i + 1) == Some(LexKind::Word)
                    || self.view.kind(i + 1) == Some(LexKind::Number)
            }
            "while" => self.view.word(i.wrapping_sub(1)) != ",",
            "during" => self.view.kind(i + 1) == Some(LexKind::Word),
            "through" | "throughout" | "between" => behind().any(timed),
            "over" => self.text(i + 1) == "the" && behind().any(timed),
            "from" => {
                behind().any(timed)
                    && behind().last().is_some_and(|j| {
                        matches!(self.text(j + 1), "to" | "until" | "till" | "through")
                    })
            }
            "for" | "on" | "as"
                if behind().any(|j| narrowing().has("spell_stay", self.text(j))) =>
            {
                true
            }
            "for" => {
                let lasts =
                    behind().any(|j| narrowing().has("spell_for", self.text(j)) || timed(j));
                lasts && !perfect
            }
            "most" | "half" | "part" | "parts" | "some" => {
                behind().any(timed) && matches!(self.text(i + 1), "of" | "the")
            }
            "this" | "next" => timed(i + 1),
            _ => false,
        }
    }
}

/// A month, a day, a part of the year, or a length of time.
fn is_time(view: &SentenceView<'_>, word: &str, at: usize) -> bool {
    let unit = || time().of("unit_", word).is_some();
    let lexeme = view.lexemes.get(at);
    let capital = lexeme.is_some_and(|lexeme| lexeme.flags.has(LexFlags::CAPITALIZED));
    let named = capital && class(word).any(WordClass::MONTH.with(WordClass::WEEKDAY));
    let span = lexeme.map(|lexeme| lexeme.span);
    let date = || span.is_some_and(|span| view.dates.iter().any(|date| date.span.overlaps(span)));
    named || time().has("season", word) || unit() || stance().has("occasion", word) || date()
}
