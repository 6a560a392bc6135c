//! What is said of the order of events against their dates in the knowledge base (S0-052, S0-054).

use std::ops::Range;

use jiff::civil::Date;

use super::{Dated, Judge, P_COURSE, P_ORDER};
use crate::claims::{Clause, Tense, TimeRelation};
use crate::detect::subject::subject_entities;
use crate::kb::{Fact, Snapshot, Value};
use crate::lexicon::tables::{Stage, time};
use crate::types::{Evidence, EvidenceKind, Finding, LexKind, Message, Resolution, Span};

/// An event with its date in the knowledge base.
struct Event {
    id: u32,
    first: Date,
    last: Date,
    fact: Fact,
}

/// The first and the last day that a date may be.
fn days(date: crate::kb::Date) -> Option<(Date, Date)> {
    let year = i16::try_from(date.year).ok()?;
    let from = |month: u8, day: u8| {
        Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
    };
    match (date.month, date.day) {
        (Some(month), Some(day)) => Some((from(month, day)?, from(month, day)?)),
        (Some(month), None) => Some((from(month, 1)?, from(month, 1)?.last_of_month())),
        _ => Some((from(1, 1)?, from(12, 31)?)),
    }
}

/// A date; a bare whole number of a dated attribute is a year.
#[allow(clippy::cast_possible_truncation)]
fn date_of(value: &Value) -> Option<crate::kb::Date> {
    match value {
        Value::Date(date) => Some(*date),
        Value::Number { value, unit: None } if value.fract() == 0.0 => {
            let year = (1.0..=9999.0).contains(value).then_some(*value as i32)?;
            crate::kb::Date::checked(year, None, None)
        }
        _ => None,
    }
}

impl Event {
    fn of(id: u32, fact: Fact) -> Option<Self> {
        let date = date_of(&fact.value)?;
        let (first, last) = days(date).filter(|_| fact.valid_to.is_none())?;
        Some(Self {
            id,
            first,
            last,
            fact,
        })
    }
}

impl Judge<'_> {
    /// Events that are said to be before or after a date or another event, and whose dates in the
    /// knowledge base say otherwise.
    pub(super) fn known(&self, found: &mut Vec<Finding>) {
        let Some(kb) = self.times.kb.filter(|kb| !kb.is_empty()) else {
            return;
        };
        if self.hedged() || !(0..self.times.folded.len()).any(|i| self.relation(i).is_some()) {
            return;
        }
        for (i, clause) in self.times.clauses.iter().enumerate() {
            if clause.negative || clause.tense == Tense::Future || self.conditional(i) {
                continue;
            }
            let Some(event) = self.event(kb, clause) else {
                continue;
            };
            let told = self
                .beside_date(kb, i, &event)
                .or_else(|| self.beside_clause(kb, i, &event))
                .or_else(|| self.beside_name(kb, clause, &event));
            found.extend(told);
        }
    }

    /// Whether the word is "before" (true) or "after".
    fn relation(&self, i: usize) -> Option<bool> {
        let word = self.word(i);
        (time().has("before", word))
            .then_some(true)
            .or_else(|| time().has("after", word).then_some(false))
    }

    fn entity(&self, kb: &Snapshot, range: &Range<usize>) -> Option<u32> {
        let view = self.times.view;
        let first = view.lexemes.get(range.start)?.span;
        let last = view.lexemes.get(range.end.checked_sub(1)?)?.span;
        match subject_entities(view, Span::new(first.start, last.end), kb)[..] {
            [id] => Some(id),
            _ => None,
        }
    }

    /// The one date that the base has for what the verb says of the entity.
    fn dated(&self, kb: &Snapshot, id: u32, verb: &str) -> Option<Event> {
        let names = self.times.view.attributes.predicates();
        let says = |fact: &Fact| {
            let known = names.named(&fact.predicate);
            known.is_some_and(|predicate| {
                predicate.dated && predicate.verbs().any(|own| own == verb)
            })
        };
        let facts = kb
            .comparable(id)
            .unwrap_or_default()
            .into_iter()
            .filter(says);
        let mut events = facts.filter_map(|fact| Event::of(id, fact));
        events.next().filter(|_| events.next().is_none())
    }

    fn event(&self, kb: &Snapshot, clause: &Clause) -> Option<Event> {
        let verb = crate::claims::base_form(self.times.folded, clause.verb?);
        self.dated(kb, self.entity(kb, &clause.subject)?, &verb)
    }

    /// "Kestrel was founded before 1980."
    fn beside_date(&self, kb: &Snapshot, i: usize, event: &Event) -> Option<Finding> {
        let mut own = self.times.temporals.iter().filter(|t| t.clause == Some(i));
        own.find_map(|temporal| {
            let target = temporal.target.filter(|t| t.span == temporal.span)?;
            let wrong = match temporal.relation? {
                TimeRelation::Before => event.first >= target.first?,
                TimeRelation::After => event.last <= target.last?,
                _ => false,
            };
            let place = target.span;
            wrong.then(|| self.misplaced(kb, place, &[event]))
        })
    }

    /// "Kestrel was founded before Merlin was acquired."
    fn beside_clause(&self, kb: &Snapshot, i: usize, event: &Event) -> Option<Finding> {
        let clauses = self.times.clauses;
        let opened = |at: usize| clauses.get(at).and_then(|c| self.relation(c.opener?));
        let (before, other) = if let Some(before) = opened(i + 1) {
            (before, &clauses[i + 1])
        } else if let Some(before) = i.checked_sub(1).filter(|at| *at == 0).and_then(opened) {
            (before, &clauses[0])
        } else {
            return None;
        };
        if other.negative
            || clauses[i]
                .opener
                .is_some_and(|at| self.relation(at).is_some())
        {
            return None;
        }
        let beside = self.event(kb, other)?;
        let view = self.times.view;
        let range = clauses[i].range.start.min(other.range.start)
            ..clauses[i].range.end.max(other.range.end);
        let first = view.lexemes.get(range.start)?.span;
        let last = view.lexemes.get(range.end.checked_sub(1)?)?.span;
        self.ordered(kb, before, Span::new(first.start, last.end), event, &beside)
    }

    /// "Kestrel was founded before Merlin."
    fn beside_name(&self, kb: &Snapshot, clause: &Clause, event: &Event) -> Option<Finding> {
        let view = self.times.view;
        let at = clause.rest.clone().find(|i| self.relation(*i).is_some())?;
        let start = view.lexemes.get(at + 1)?.span.start;
        let mention = view.mentions.iter().find(|mention| {
            mention.span.start == start
                || (self.word(at + 1) == "the"
                    && view
                        .lexemes
                        .get(at + 2)
                        .is_some_and(|l| l.span.start == mention.span.start))
        })?;
        let Resolution::Known(ids) = &mention.resolution else {
            return None;
        };
        let next = view.lexemes_in(mention.span).end;
        let ends = view
            .lexemes
            .get(next)
            .is_none_or(|lexeme| lexeme.kind != LexKind::Word);
        let [id] = ids[..] else { return None };
        let verb = crate::claims::base_form(self.times.folded, clause.verb?);
        let beside = self.dated(kb, id, &verb).filter(|_| ends)?;
        let place = Span::new(view.lexemes[at].span.start, mention.span.end);
        self.ordered(kb, self.relation(at)?, place, event, &beside)
    }

    fn ordered(
        &self,
        kb: &Snapshot,
        before: bool,
        place: Span,
        event: &Event,
        beside: &Event,
    ) -> Option<Finding> {
        let wrong = if before {
            event.first > beside.last
        } else {
            event.last < beside.first
        };
        wrong.then(|| self.misplaced(kb, place, &[event, beside]))
    }

    fn misplaced(&self, kb: &Snapshot, place: Span, events: &[&Event]) -> Finding {
        let content = self.text(place).trim_end_matches(['.', '!']).to_owned();
        let says = Message::new("Temporal ordering is inconsistent");
        let mut finding = self.finding("known_order", place, P_ORDER, content, says);
        for event in events {
            finding.p_hallucinated = finding.p_hallucinated.min(event.fact.confidence);
            finding.evidence.push(evidence(kb, event));
        }
        finding
    }

    /// A dated event beside those that the base dates in its subject's course: "died in 1820", of
    /// somebody born in 1850. Where the base dates the event itself, its attribute is wrong.
    pub(super) fn known_course(
        &self,
        clause: &Clause,
        verb: &str,
        stage: Stage,
        event: &Dated,
        place: Span,
    ) -> Option<Finding> {
        let kb = self.times.kb.filter(|kb| !kb.is_empty())?;
        let id = self.entity(kb, &clause.subject)?;
        let names = self.times.view.attributes.predicates();
        let mut clash = None;
        for fact in kb.comparable(id).unwrap_or_default() {
            let Some(known) = names.named(&fact.predicate) else {
                continue;
            };
            if !known.dated {
                continue;
            }
            if known.verbs().any(|own| own == verb) && date_of(&fact.value).is_some() {
                return None;
            }
            let Some(other) = known.verbs().find_map(|own| self.stage(own)) else {
                continue;
            };
            let Some(dated) = Event::of(id, fact).filter(|_| other.course == stage.course) else {
                continue;
            };
            let wrong = (other.place < stage.place && event.last < dated.first)
                || (other.place > stage.place && dated.last < event.first);
            if wrong {
                clash = Some(dated);
            }
        }
        let clash = clash?;
        let says = Message::new("Temporal ordering is inconsistent");
        let content = self.text(place).to_owned();
        let mut finding = self.finding("known_course", place, P_COURSE, content, says);
        finding.p_hallucinated = finding.p_hallucinated.min(clash.fact.confidence);
        finding.evidence.push(evidence(kb, &clash));
        Some(finding)
    }
}

fn evidence(kb: &Snapshot, event: &Event) -> Evidence {
    let name = kb.name(event.id).unwrap_or("");
    let predicate = &event.fact.predicate;
    Evidence {
        kind: EvidenceKind::KbFact,
        source: event.fact.source.clone(),
        locator: kb
            .entity(event.id)
            .map(|entity| format!("{}/{predicate}", entity.key)),
        text: format!("{name}: {predicate} = {}", event.fact.value),
        quality: event.fact.confidence,
        data: serde_json::json!({"entity": event.id, "predicate": predicate, "contradicts": true}),
    }
}
