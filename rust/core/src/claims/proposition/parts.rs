//! Parts of a statement: its subject's quantifier, where its object ends, kind and value.

use std::num::NonZeroU64;
use std::ops::Range;

use super::{Frequency, PropositionReader, Quantifier, Subject, Value};
use crate::claims::clauses::{Clause, Tense};
use crate::claims::content::word_hash;
use crate::claims::forms::base_form;
use crate::lexicon::cues::Cue;
use crate::lexicon::logic::Kinds;
use crate::normal::stem;
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
            let both = [before, " ", &one].concat();
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
        } else if self.text(i) == "both"
            && !single
            && !range.clone().any(|j| matches!(self.text(j), "and" | "of"))
        {
            quantifier = Some(Quantifier::All);
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
        } else if let Some(count) = self.counted(&range) {
            quantifier = Some(Quantifier::Number(count));
        }
        let mut start = range.start;
        let mut people = false;
        if quantifier.is_some() {
            people = ["all_people", "no_people", "some_people"]
                .iter()
                .any(|class| self.has(class, i));
            start = if people { i } else { i + 1 };
            people |= range.len() == i + 2 - range.start && self.text(i + 1) == "people";
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

    /// "three doors", "three of the doors": how many.
    fn counted(&self, range: &Range<usize>) -> Option<u32> {
        let first = self.view.lexemes.get(range.start)?.span;
        let mut own = self.view.quantities.iter();
        let quantity = own.find(|q| q.span == first && q.kind == QuantityKind::Cardinal)?;
        let whole = quantity.value.fract() == 0.0 && (1.0..1e6).contains(&quantity.value);
        (whole && range.len() > 1 && !quantity.approximate && quantity.unit.is_none())
            .then_some(quantity.value as u32)
    }

    /// How often the clause says it is so.
    pub(super) fn frequency(&self, clause: &Clause) -> Option<Frequency> {
        let from = clause.subject.end.min(clause.group.start);
        let from = if clause.inherited {
            clause.range.start
        } else {
            from
        };
        let mut own = (from..clause.group.end).filter_map(|i| {
            if self.has("always", i) {
                Some(Frequency::Always)
            } else if self.has("sometimes", i) {
                Some(Frequency::Sometimes)
            } else {
                (self.text(i) == "never").then_some(Frequency::Never)
            }
        });
        own.next()
    }

    /// The noun of things that are known, or of one of them.
    pub(super) fn kind(&self, clause: &Clause, subject: &Subject) -> Option<NonZeroU64> {
        let range = &clause.subject;
        let last = range.end.checked_sub(1)?;
        let word = self.text(last);
        let head = || NonZeroU64::new(word_hash(&stem(word)));
        match subject.quantifier {
            Some(Quantifier::All | Quantifier::No) => {
                // "none of the doors", "all the doors"
                let one = subject.noun.len() == 1 && last >= range.start + 2;
                (one && self.text(last - 1) == "the" && word.ends_with('s'))
                    .then(head)
                    .flatten()
            }
            None => {
                let one = self.text(range.start) == "the" && range.len() > 2;
                let plain = range.clone().all(|i| {
                    self.word(i) && !self.folded.cue(i).is(Cue::PREPOSITION.or(Cue::CONJUNCTION))
                });
                (one && plain && !word.ends_with('s')).then(head).flatten()
            }
            _ => None,
        }
    }

    /// What happens to a thing once, with its year: "was founded in 1990".
    pub(super) fn event(&self, number: usize, clause: &Clause) -> Option<(u32, i16)> {
        let base = base_form(self.folded, clause.verb?);
        let passive = clause.copula && clause.tense == Tense::Past;
        let timed = (clause.range.clone()).any(|i| self.has("timed", i));
        if !self.words.has("once", &base) || !passive || clause.negative || timed {
            return None;
        }
        let mut own = self
            .temporals
            .iter()
            .filter(|t| t.clause == Some(number) && t.adjunct && !t.relative);
        let (date, None) = (own.next()?, own.next()) else {
            return None;
        };
        let year = date.year.filter(|_| date.relation.is_none())?;
        Some((word_hash(&base) as u32, i16::try_from(year).ok()?))
    }

    /// "is older than Ben": the comparative and the other, to the clause's end.
    pub(super) fn comparison(&self, clause: &Clause) -> Option<Box<(String, String)>> {
        if !clause.copula || clause.verb.is_some() || clause.negative {
            return None;
        }
        let words: Vec<usize> = (clause.group.end..clause.range.end)
            .filter(|i| self.word(*i))
            .collect();
        let than = words.iter().position(|i| self.text(*i) == "than")?;
        let how = match words.get(..than)? {
            [one] if self.text(*one).len() > 3 && self.text(*one).ends_with("er") => {
                self.text(*one).to_owned()
            }
            [more, one] if matches!(self.text(*more), "more" | "less") => {
                format!("{} {}", self.text(*more), self.text(*one))
            }
            _ => return None,
        };
        let other = self.named(words.get(than + 1..)?);
        // "than Ben was", "than Ben thought"
        let ends = clause.range.end >= self.view.lexemes.len()
            || !self.word(clause.range.end) && !self.word(clause.range.end.saturating_sub(1));
        (!other.is_empty() && ends).then(|| Box::new((how, other)))
    }

    /// The words without an article in front.
    fn named(&self, words: &[usize]) -> String {
        let skip = usize::from(words.first().is_some_and(|i| self.text(*i) == "the"));
        let words: Vec<&str> = words.iter().skip(skip).map(|i| self.text(*i)).collect();
        words.join(" ")
    }
}

impl PropositionReader<'_> {
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
            let one = [stem, put].concat();
            if kinds.has(&one) {
                return one;
            }
        }
    }
    word.to_owned()
}
