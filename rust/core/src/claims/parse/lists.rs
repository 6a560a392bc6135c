//! Coordination: "drawings, prints and photographs", "both X and Y", "neither X nor Y".

use std::ops::Range;

use crate::lexicon::cues::Cue;
use crate::types::LexKind;

use super::Parser;

/// Endings of adjectives.
const ADJECTIVES: [&str; 9] = [
    "al", "ive", "ous", "ful", "less", "ic", "able", "ible", "ish",
];

/// Words before a verb's objects among which its denial stands.
const DENIED: usize = 3;

impl Parser<'_> {
    /// Where a list goes on whose next part stands after the comma: its last conjunction.
    pub(super) fn list_end(&self, comma: usize) -> Option<usize> {
        let len = self.view.lexemes.len();
        let mut i = comma + 1;
        let mut words = 0;
        while i < len {
            if self.joins(i) {
                let more = i + 1 < len && self.word(i + 1) && !self.verb_follows(i + 1);
                return (more && !self.is(i + 1, Cue::BREAK.or(Cue::PREPOSITION))).then_some(i);
            }
            if self.comma(i) {
                if words == 0 {
                    return None;
                }
                words = 0;
                i += 1;
                continue;
            }
            let opens =
                words == 0 && self.is(i, Cue::BREAK.or(Cue::PREPOSITION).or(Cue::CONJUNCTION));
            if opens
                || self.view.lexemes[i].kind == LexKind::Newline
                || (!self.word(i) && !self.inside_value(i))
                || (self.word(i) && (self.acts(i, comma + 1) || words == 0 && self.past(i)))
            {
                return None;
            }
            words += 1;
            i += 1;
        }
        None
    }

    /// Whether a finite verb stands here, rather than a noun of the same form at the end of its
    /// part ("prints", "photographs").
    pub(super) fn acts(&self, i: usize, from: usize) -> bool {
        let noun = i == from && !self.past(i) && !self.is(i, Cue::COPULA.or(Cue::AUXILIARY));
        // "and costs €140": the sign is no word.
        let paid = self.view.lexemes.get(i + 1).is_some_and(|next| {
            next.kind == LexKind::Punct
                && matches!(self.view.at(next.span), "€" | "$" | "£" | "¥" | "₹")
        });
        let follows = paid || self.word(i + 1) && !self.joins(i + 1);
        self.finite(i, from, true) && (!noun || follows)
    }

    fn joins(&self, i: usize) -> bool {
        matches!(self.text(i), "and" | "nor" | "or") && !self.inside_value(i)
    }

    /// The parts of a coordinated phrase; the phrase itself where it is one thing, and where only
    /// one of its parts is said to hold ("or"), unless it is denied.
    pub(super) fn conjuncts(&self, range: &Range<usize>, negative: bool) -> Vec<Range<usize>> {
        let whole = || vec![self.lead(range.clone())];
        let Some(last) = range.clone().rev().find(|i| self.joins(*i)) else {
            return whole();
        };
        let nor = range.clone().any(|i| self.text(i) == "nor");
        if self.text(last) == "or" && !negative && !nor
            || (range.start..last).any(|i| self.text(i) == "between")
            || range.start > 0 && self.text(range.start - 1) == "between"
        {
            return whole();
        }
        let mut parts = Vec::new();
        let mut from = range.start;
        for i in range.clone() {
            let comma = self.comma(i) && i < last;
            if comma || self.joins(i) {
                let part = self.lead(self.trim(from..i));
                if !part.is_empty() {
                    parts.push(part);
                }
                from = i + 1;
            }
        }
        let part = self.lead(self.trim(from..range.end));
        if !part.is_empty() {
            parts.push(part);
        }
        // "offices in Rome, Milan and Turin": what is listed are the places.
        let inner = parts.first().is_some_and(|first| {
            !self.capital(first.start)
                && self.capital(first.end - 1)
                && first.clone().any(|i| self.is(i, Cue::PREPOSITION))
        });
        if inner && parts[1..].iter().all(|part| self.capital(part.start)) {
            return whole();
        }
        if parts.len() < 2 || (parts.len() == 2 && self.one_thing(&parts[0], &parts[1])) {
            return whole();
        }
        parts
    }

    /// "in 1987 rather than 1992", "in 1987 and not in 1992": what is said and what is denied.
    pub(super) fn sides(&self, range: &Range<usize>, negative: bool) -> Vec<(Range<usize>, bool)> {
        let link = |i: usize| self.is(i, Cue::PREPOSITION) && i + 1 < range.end;
        let turn = (range.start + 1..range.end.saturating_sub(1)).find_map(|i| {
            let pair = (self.text(i), self.text(i + 1));
            match pair {
                ("rather", "than") | ("instead", "of") if i + 2 < range.end => {
                    Some((i, i + 2 + usize::from(link(i + 2))))
                }
                ("and" | "but", "not") if !negative && link(i + 2) => Some((i, i + 3)),
                // "not in 1990 but in 1992"
                ("but", "also" | "even" | "only" | "not" | "rather") => None,
                ("but", _) if negative && i > range.start => {
                    Some((i, i + 1 + usize::from(link(i + 1))))
                }
                _ => None,
            }
        });
        match turn {
            Some((at, from)) => vec![
                (self.trim(range.start..at), negative),
                (self.trim(from..range.end), !negative),
            ],
            None => vec![(range.clone(), negative)],
        }
    }

    /// "in 1990 rather than in 1992", "not in 1990 but in 1992": whether the preposition at `i` is that of
    /// what stands before, for what is set against it.
    pub(super) fn set_against(&self, i: usize, prep: Option<&str>, rest: &Range<usize>) -> bool {
        let (Some(last), Some(same)) = (i.checked_sub(1), prep) else {
            return false;
        };
        if same != self.text(i) || last <= rest.start {
            return false;
        }
        match self.text(last) {
            "than" => self.text(last - 1) == "rather",
            "of" => self.text(last - 1) == "instead",
            "but" => {
                let verb = rest.start.saturating_sub(1);
                (verb.saturating_sub(DENIED)..verb).any(|j| self.denies(j))
            }
            _ => false,
        }
    }

    /// Without "both", "either", "neither" and "no" in front.
    pub(super) fn lead(&self, mut range: Range<usize>) -> Range<usize> {
        while range.len() > 1
            && !(self.text(range.start) == "no" && self.text(range.start + 1) == "one")
            && matches!(
                self.text(range.start),
                "both" | "either" | "neither" | "nor" | "no"
            )
        {
            range.start += 1;
        }
        range
    }

    /// Whether "A and B" is one name or one description.
    fn one_thing(&self, a: &Range<usize>, b: &Range<usize>) -> bool {
        let determined =
            |r: &Range<usize>| self.is(r.start, Cue::DETERMINER) || self.numeric(r.start);
        if determined(b) {
            return false;
        }
        let last = a.end - 1;
        let capitals = self.capital(last) && self.capital(b.start);
        if capitals && (determined(a) || !self.capital(a.start)) {
            return true;
        }
        if self.view.mentions.iter().any(|m| {
            let (first, second) = (
                self.view.lexemes[last].span,
                self.view.lexemes[b.start].span,
            );
            m.span.contains(first) && m.span.contains(second)
        }) {
            return true;
        }
        if a.clone().any(|i| self.text(i) == "of") && !self.capital(b.start) {
            return true;
        }
        b.len() > 1 && self.adjective(last)
    }

    fn numeric(&self, i: usize) -> bool {
        let Some(lexeme) = self.view.lexemes.get(i) else {
            return false;
        };
        lexeme.kind == LexKind::Number
            || self
                .view
                .quantities
                .iter()
                .any(|q| q.span.overlaps(lexeme.span))
    }

    fn adjective(&self, i: usize) -> bool {
        let word = self.text(i);
        self.is(i, Cue::ADJECTIVE)
            || ADJECTIVES
                .iter()
                .any(|end| word.len() > end.len() + 2 && word.ends_with(end))
    }
}
