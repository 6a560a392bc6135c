//! A light chunker: who does or is what, in the sentence shapes that answers are made of.
//!
//! Closed classes and the verbs of the lexicon mark verb groups; what stands before one is its
//! subject, what follows its objects, parted by prepositions. Ranges are lexeme numbers.

use std::ops::Range;

use crate::lexicon::cues::{Cue, predicates};
use crate::types::{LexFlags, LexKind, Span};

use super::view::{Folded, SentenceView};

/// One thing said: ranges of lexemes and the attribute spoken of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Relation {
    pub(super) subject: Range<usize>,
    pub(super) predicate: String,
    pub(super) object: Range<usize>,
    pub(super) negative: bool,
}

/// Most relations of one sentence.
const CAP: usize = 8;

/// Attributes whose values are dates, by which "born in 1987" and "born in Utrecht" part.
const DATED: [&str; 10] = [
    "founded",
    "opened",
    "built",
    "born",
    "died",
    "published",
    "launched",
    "joined",
    "ended",
    "acquired",
];

/// The attribute whose values are days, weekdays among them.
const SCHEDULED: &str = "scheduled_for";

/// Nouns between subject and value that only carry the value ("the number of employees").
const CARRIERS: [&str; 6] = ["number", "total", "amount", "count", "size", "value"];

pub(super) struct Parser<'a> {
    view: &'a SentenceView<'a>,
    folded: &'a Folded,
    /// Lexemes of reference marks and brackets, which no phrase goes through.
    opaque: Vec<Span>,
    found: Vec<Relation>,
}

/// A verb group: auxiliaries, adverbs and at most one lexical verb.
struct Group {
    end: usize,
    base: Option<&'static str>,
    copula: bool,
    has: bool,
    negative: bool,
}

impl<'a> Parser<'a> {
    pub(super) fn new(view: &'a SentenceView<'a>, folded: &'a Folded, opaque: Vec<Span>) -> Self {
        Self {
            view,
            folded,
            opaque,
            found: Vec::new(),
        }
    }

    pub(super) fn relations(mut self) -> Vec<Relation> {
        let len = self.view.lexemes.len();
        let (mut start, leading) = self.opening();
        let mut subject = start..start;
        while start < len && self.found.len() < CAP {
            let Some(at) = (start..len).find(|i| self.finite(*i, start, !subject.is_empty()))
            else {
                break;
            };
            // Adverbs and negations before the verb belong to it.
            let free = start..at;
            let verb_at = at;
            let at = free
                .rev()
                .take_while(|i| {
                    self.is(*i, Cue::ADVERB.or(Cue::NEGATION))
                        || (self.text(*i) == "no" && self.text(*i + 1) == "longer")
                        || (self.text(*i) == "longer"
                            && i.checked_sub(1).is_some_and(|p| self.text(p) == "no"))
                })
                .last()
                .filter(|i| *i > start || !subject.is_empty())
                .unwrap_or(at);
            let own = self.trim(self.clause_subject(start, at));
            if !own.is_empty() {
                subject = self.appositions(own);
            }
            let group = self.group(at, verb_at);
            let end = self.clause_end(group.end);
            if subject.is_empty() {
                start = end.max(at + 1);
                continue;
            }
            let before = self.found.len();
            self.predicate(&subject, &group, end);
            if before == self.found.len()
                && let (Some(leading), Some(base)) = (&leading, group.base)
            {
                // "In 1990, X was founded": the date stands in front.
                let prep = self.folded.get(leading.start).to_owned();
                self.prepositional(
                    &subject,
                    base,
                    &prep,
                    leading.start + 1..leading.end,
                    group.negative,
                );
            }
            start = end.max(group.end);
        }
        self.found.truncate(CAP);
        self.found
    }

    fn verb(&self, i: usize) -> Option<&'static str> {
        self.folded.known(i).verb
    }

    fn is(&self, i: usize, class: Cue) -> bool {
        self.folded.cue(i).is(class)
    }

    fn text(&self, i: usize) -> &str {
        self.folded.get(i)
    }

    fn word(&self, i: usize) -> bool {
        self.view
            .lexemes
            .get(i)
            .is_some_and(|l| matches!(l.kind, LexKind::Word | LexKind::Number))
    }

    fn opaque_at(&self, i: usize) -> bool {
        let span = self.view.lexemes[i].span;
        self.opaque.iter().any(|mark| mark.overlaps(span))
    }

    fn comma(&self, i: usize) -> bool {
        i < self.view.lexemes.len() && self.view.word(i) == "," && !self.inside_value(i)
    }

    /// Inside a date, a number or a name, where punctuation parts nothing.
    fn inside_value(&self, i: usize) -> bool {
        let span = self.view.lexemes[i].span;
        let inside = |outer: Span| outer.start < span.start && span.end < outer.end;
        self.view.dates.iter().any(|date| inside(date.span))
            || self
                .view
                .quantities
                .iter()
                .any(|quantity| inside(quantity.span))
            || self
                .view
                .mentions
                .iter()
                .any(|mention| inside(mention.span))
    }

    /// Takes the first part of "X, the CEO of Y," as subject and reads the others.
    fn appositions(&mut self, range: Range<usize>) -> Range<usize> {
        let commas: Vec<usize> = range.clone().filter(|i| self.comma(*i)).collect();
        let Some(first) = commas.first() else {
            return range;
        };
        let subject = self.trim(range.start..*first);
        for (n, comma) in commas.iter().enumerate() {
            let part = self.trim(comma + 1..commas.get(n + 1).copied().unwrap_or(range.end));
            if part.is_empty() {
                continue;
            }
            if let Some(base) = self.verb(part.start).filter(|_| !self.capital(part.start)) {
                let group = Group {
                    end: part.start + 1,
                    base: Some(base),
                    copula: true,
                    has: false,
                    negative: false,
                };
                self.predicate(&subject, &group, part.end);
            } else if self.is(part.start, Cue::DETERMINER) || self.of(&part).is_some() {
                self.copula(&subject, part, false);
            }
        }
        subject
    }

    /// Without leading and trailing marks and adverbs.
    fn trim(&self, mut range: Range<usize>) -> Range<usize> {
        let skip = |i: usize| !self.word(i) || self.opaque_at(i);
        while range.start < range.end && skip(range.start) {
            range.start += 1;
        }
        while range.start < range.end && skip(range.end - 1) {
            range.end -= 1;
        }
        range
    }

    fn predicate(&mut self, subject: &Range<usize>, group: &Group, end: usize) {
        let rest = group.end..end.max(group.end);
        let Some(base) = group.base else {
            let object = self.trim(rest);
            if object.is_empty() {
                return;
            }
            if group.copula {
                self.copula(subject, object, group.negative);
            } else if group.has {
                self.has(subject, object, group.negative);
            }
            return;
        };
        let mut pieces = self.pieces(rest);
        pieces.retain(|(_, object)| !object.is_empty());
        let before = self.found.len();
        let direct = pieces
            .iter()
            .find(|(prep, _)| prep.is_none())
            .map(|(_, object)| object.clone());
        let inverse = predicates()
            .of_phrase(&format!("^{base}"))
            .next()
            .filter(|_| !group.copula);
        let mut holder = subject.clone();
        if let (Some(inverse), Some(object)) = (inverse, &direct) {
            // "P founded X in 1987": both things are said of X.
            holder = object.clone();
            self.push(
                holder.clone(),
                inverse.name.to_owned(),
                subject.clone(),
                group.negative,
            );
        }
        for (prep, object) in pieces
            .iter()
            .filter_map(|(prep, object)| Some((prep.as_ref()?, object)))
        {
            self.prepositional(&holder, base, prep, object.clone(), group.negative);
        }
        let Some(object) = direct.filter(|_| inverse.is_none()) else {
            return;
        };
        let named = predicates().of_phrase(base).next();
        if let Some(named) = named.filter(|_| !group.copula) {
            self.push(
                subject.clone(),
                named.name.to_owned(),
                object,
                group.negative,
            );
        } else if self.found.len() == before && !group.copula {
            self.push(subject.clone(), base.to_owned(), object, group.negative);
        } else if group.copula && self.found.len() == before {
            self.copula(subject, object, group.negative);
        }
    }

    /// Parts of what follows a verb, each with the preposition that opens it.
    fn pieces(&self, rest: Range<usize>) -> Vec<(Option<String>, Range<usize>)> {
        let mut pieces = Vec::new();
        let mut prep = None;
        let mut from = rest.start;
        for i in rest.clone() {
            let opens = self.is(i, Cue::PREPOSITION)
                && self.text(i) != "of"
                && !self.inside_value(i)
                && !self.is(i, Cue::ADVERB)
                && !self.view.lexemes[i].flags.has(LexFlags::CAPITALIZED);
            if opens {
                pieces.push((prep.take(), self.trim(from..i)));
                prep = Some(self.text(i).to_owned());
                from = i + 1;
            }
        }
        pieces.push((prep, self.trim(from..rest.end)));
        pieces
    }

    /// `verb prep object`, if the lexicon knows which attribute that speaks of.
    fn prepositional(
        &mut self,
        subject: &Range<usize>,
        base: &str,
        prep: &str,
        object: Range<usize>,
        negative: bool,
    ) {
        let phrase = format!("{base} {prep}");
        let dated = self.dated(&object);
        let timed = self.timed(&object);
        let (object, unit) = match self.unit(&object) {
            Some((_, inner)) => (inner, true),
            None => (object, false),
        };
        let known = |name: &str| {
            self.view.attributes.has(name)
                || predicates()
                    .named(name)
                    .is_some_and(|p| p.synonyms.iter().any(|s| self.view.attributes.has(s)))
        };
        let candidates: Vec<&'static str> = predicates()
            .of_phrase(&phrase)
            .map(|predicate| predicate.name)
            .filter(|name| {
                if *name == SCHEDULED {
                    timed
                } else {
                    (!dated || DATED.contains(name)) && (!unit || *name == "department")
                }
            })
            .collect();
        let plain = candidates
            .iter()
            .find(|name| dated || !DATED.contains(*name));
        let chosen = candidates
            .iter()
            .find(|name| known(name) && (dated || !DATED.contains(*name)))
            .or(plain)
            .or(candidates.first());
        let own = format!("{base}_{prep}");
        let name = if self.view.attributes.has(&own) {
            own
        } else {
            chosen.map_or(String::new(), |n| (*n).to_owned())
        };
        if !name.is_empty() {
            self.push(subject.clone(), name, object, negative);
        } else if !dated
            && !matches!(
                prep,
                "as" | "since" | "during" | "after" | "before" | "until"
            )
        {
            self.push(subject.clone(), format!("{base}_{prep}"), object, negative);
        }
    }

    fn dated(&self, object: &Range<usize>) -> bool {
        let Some(span) = self.span(object) else {
            return false;
        };
        let dates = self.view.dates.iter();
        dates
            .filter(|date| date.year.is_some() || date.month.is_some())
            .any(|date| span.overlaps(date.span))
            || self.view.quantities.iter().any(|quantity| {
                quantity.kind == crate::types::QuantityKind::Year && span.overlaps(quantity.span)
            })
    }

    /// Whether it names a day by weekday or month.
    fn timed(&self, object: &Range<usize>) -> bool {
        self.span(object).is_some_and(|span| {
            let dates = self.view.dates.iter();
            dates
                .filter(|date| date.weekday.or(date.month).is_some())
                .any(|date| span.overlaps(date.span))
        })
    }

    pub(super) fn span(&self, range: &Range<usize>) -> Option<Span> {
        let first = self.view.lexemes.get(range.start)?;
        let last = self.view.lexemes.get(range.end.checked_sub(1)?)?;
        Some(Span::new(first.span.start, last.span.end))
    }

    fn push(
        &mut self,
        subject: Range<usize>,
        predicate: String,
        object: Range<usize>,
        negative: bool,
    ) {
        let relation = Relation {
            subject,
            predicate,
            object,
            negative,
        };
        if self.found.len() < CAP && !self.found.contains(&relation) {
            self.found.push(relation);
        }
    }
}

mod clause;
mod shapes;
