//! Parts of a statement: its subject's quantifier, where its object ends, kind and value.

use std::ops::Range;

use super::{PropositionReader, Quantifier, Subject, Value};
use crate::claims::clauses::Clause;
use crate::claims::content::word_hash;
use crate::lexicon::cues::Cue;
use crate::lexicon::logic::Kinds;
use crate::types::{LexFlags, LexKind, QuantityKind};

impl PropositionReader<'_> {
    /// "is a mammal", "is a type of fish": what.
    pub(super) fn category(&self, clause: &Clause, object: &Range<usize>) -> Option<String> {
        let generic = matches!(self.text(object.start), "a" | "an");
        let plural = clause.copula && object.len() == 1;
        if !clause.copula || clause.verb.is_some() || !(generic || plural) {
            return None;
        }
        let words: Vec<&str> = object
            .clone()
            .skip(usize::from(generic))
            .map(|i| self.text(i))
            .collect();
        let of = words.iter().position(|w| *w == "of");
        let head = match of {
            Some(at)
                if at > 0
                    && matches!(words[at - 1], "type" | "kind" | "species" | "sort" | "form") =>
            {
                &words[at + 1..]
            }
            Some(at) => &words[..at],
            None => &words[..],
        };
        let last = *head.last()?;
        let kinds = self.folded.lexicon().kinds();
        let one = single(last, kinds);
        if let Some(before) = head.len().checked_sub(2).map(|i| head[i]) {
            let both = format!("{before} {one}");
            if kinds.has(&both) {
                return Some(both);
            }
        }
        if kinds.has(&one) || generic {
            return Some(one);
        }
        None
    }

    pub(super) fn value(
        &self,
        clause: &Clause,
        object: &Range<usize>,
        predicate: &str,
    ) -> Option<Value> {
        let span = self.span(object)?;
        if clause.negative {
            return None;
        }
        if predicate == "be_on" || predicate == "be" {
            let start = self.view.lexemes[object.start].span;
            let scheduled = predicate == "be_on" || self.text(object.start).starts_with("schedul");
            let mut days = self.view.dates.iter().filter(|d| d.weekday.is_some());
            let (day, more) = (days.next(), days.next());
            if let (Some(day), None) = (day, more)
                && scheduled
                && clause.range.start <= self.view.lexemes_in(day.span).start
                && self.view.lexemes_in(day.span).end <= clause.range.end
                && !self.view.at(day.span).ends_with('s')
                && (day.span.start == start.start || predicate == "be")
            {
                return day.weekday.map(Value::Weekday);
            }
        }
        if predicate != "be" && predicate != "have" {
            return None;
        }
        let mut inside = self
            .view
            .quantities
            .iter()
            .filter(|q| span.contains(q.span) && q.kind != QuantityKind::Label);
        if let (Some(quantity), None) = (inside.next(), inside.next()) {
            let counts = matches!(
                quantity.kind,
                QuantityKind::Cardinal
                    | QuantityKind::Percent
                    | QuantityKind::Money
                    | QuantityKind::Measure
            );
            let bound = object.clone().any(|i| self.has("bound", i));
            let at = self.view.lexemes_in(quantity.span);
            let around = self.key(object.start..at.start) ^ self.key(at.end..object.end);
            let first = at.start == object.start;
            return (counts && !bound && first && !quantity.approximate).then_some(Value::Number {
                value: quantity.value,
                unit: quantity.unit,
                of: around,
            });
        }
        let role = predicate == "be"
            && matches!(
                self.text(clause.subject.start),
                "the" | "its" | "their" | "his" | "her"
            )
            && self.has("role", clause.subject.start + 1);
        let last = self.view.lexemes[object.end - 1];
        let named = self.view.lexemes[object.start]
            .flags
            .has(LexFlags::CAPITALIZED)
            && last.flags.has(LexFlags::CAPITALIZED);
        (role && named && clause.verb.is_none()).then(|| Value::Name(self.key(object.clone())))
    }

    pub(super) fn subject(&self, clause: &Clause) -> Subject {
        let range = clause.subject.clone();
        let mut i = range.start;
        let not = i.checked_sub(1).is_some_and(|j| self.text(j) == "not");
        let mut quantifier = None;
        let single = range.len() == 1;
        if self.has("all", i) || single && self.has("all_people", i) {
            quantifier = Some(if not {
                Quantifier::NotAll
            } else {
                Quantifier::All
            });
        } else if self.has("no", i) || single && self.has("no_people", i) {
            quantifier = Some(Quantifier::No);
        } else if self.has("some", i) || single && self.has("some_people", i) {
            quantifier = Some(Quantifier::Some);
        } else if self.has("most", i) && range.len() > 1 {
            quantifier = Some(Quantifier::Most);
        } else if self.text(i) == "a" && self.text(i + 1) == "few" {
            quantifier = Some(Quantifier::Some);
            i += 1;
        } else if self.has("exactly", i) {
            let span = self.view.lexemes.get(i + 1).map(|l| l.span);
            let count = self
                .view
                .quantities
                .iter()
                .find(|q| Some(q.span) == span && q.kind == QuantityKind::Cardinal);
            quantifier = count.map(|q| Quantifier::Exactly(q.value as u32));
            i += 1;
        }
        let mut start = range.start;
        let mut people = false;
        if quantifier.is_some() {
            people = ["all_people", "no_people", "some_people"]
                .iter()
                .any(|class| self.has(class, i));
            start = if people { i } else { i + 1 };
            while start < range.end
                && (self.has("article", start)
                    || (self.text(start) == "one" && self.text(start + 1) == "of"))
            {
                start += 1;
            }
        }
        let first = self.text(range.start);
        let indefinite = matches!(
            first,
            "a" | "an" | "another" | "any" | "one" | "both" | "other"
        ) || self.view.lexemes[range.start].kind == LexKind::Number;
        Subject {
            quantifier,
            noun: start..range.end,
            people: people.then(|| word_hash("\u{1f}people")),
            not: not && quantifier == Some(Quantifier::NotAll),
            definite: quantifier.is_none() && !indefinite,
        }
    }

    /// Where the object ends and circumstances begin.
    pub(super) fn stop(&self, start: usize, end: usize) -> usize {
        (start..end)
            .find(|i| {
                let span = self.view.lexemes[*i].span;
                let dated = self.temporals.iter().any(|t| t.span.start == span.start);
                let inside = self
                    .view
                    .quantities
                    .iter()
                    .any(|q| q.span.start < span.start && span.end <= q.span.end);
                let mark = !self.word(*i)
                    && !inside
                    && !matches!(self.view.word(*i), "%" | "-" | "$" | "€" | "£");
                let prep = self.folded.cue(*i).is(Cue::PREPOSITION)
                    && self.text(*i) != "of"
                    && !self.folded.cue(*i).is(Cue::ADVERB)
                    && *i > start;
                mark || prep
                    || (dated && *i > start)
                    || self.folded.cue(*i).is(Cue::BREAK)
                    || (self.has("timed", *i) && *i > start)
                    || matches!(self.text(*i), "and" | "or" | "but")
            })
            .unwrap_or(end)
    }
}

/// The singular of a noun, as far as its ending tells.
fn single(word: &str, kinds: &Kinds) -> String {
    if kinds.has(word) {
        return word.to_owned();
    }
    for (end, put) in [("ies", "y"), ("es", ""), ("s", "")] {
        if let Some(stem) = word.strip_suffix(end) {
            let one = format!("{stem}{put}");
            if kinds.has(&one) {
                return one;
            }
        }
    }
    word.to_owned()
}
