//! Times that cannot be: `dialogue.temporal_error`, when the sentence closes (S0-050..054).

use std::collections::VecDeque;
use std::sync::Arc;

use jiff::civil::Date;

use crate::claims::{
    Clause, Discourse, Folded, SentenceView, Temporal, Tense, TimeRelation, unasserted,
};
use crate::kb::Snapshot;
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::time;
use crate::types::{Claim, Finding, Message, Modality, Span};

use super::draft::{because, draft, note_contradiction};
use super::replacement::wording::WEEKDAYS;

/// A past event with a date to come (S0-050).
const P_FUTURE: f64 = 0.85;
/// A year too far ahead (S0-051).
const P_FAR: f64 = 0.90;
/// Dates in an order that "before" or "after" denies (S0-052).
const P_ORDER: f64 = 0.80;
/// The seed has no number for the rest of S0-054. "Completed before it started" is sure by its
/// words; dates of two events are as sure as the reading of who they are about.
const P_UNDATED: f64 = 0.85;
/// See [`P_UNDATED`].
const P_COURSE: f64 = 0.80;
/// A weekday or a relative time that its own date denies is arithmetic.
const P_CALENDAR: f64 = 0.90;
/// Dated events kept of a stream.
const KEPT: usize = 32;

/// A dated event of a subject, as said.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Dated {
    subject: u64,
    course: u8,
    place: u8,
    first: Date,
    last: Date,
    verb: Box<str>,
}

/// Dated events of a stream, the latest last; cheap to copy.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Timeline {
    events: VecDeque<Arc<Dated>>,
}

impl Timeline {
    /// Bytes on the heap.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        let own = |event: &Arc<Dated>| size_of::<Dated>() + event.verb.len();
        self.events.capacity() * size_of::<usize>() + self.events.iter().map(own).sum::<usize>()
    }

    fn note(&mut self, event: Dated) {
        if self.events.iter().any(|other| **other == event) {
            return;
        }
        if self.events.len() == KEPT {
            self.events.pop_front();
        }
        self.events.push_back(Arc::new(event));
    }
}

/// A sentence read for times.
#[derive(Debug, Clone, Copy)]
pub struct TimeView<'a> {
    /// The sentence.
    pub view: &'a SentenceView<'a>,
    /// Its folded words.
    pub folded: &'a Folded<'a>,
    /// Its clauses.
    pub clauses: &'a [Clause],
    /// A key for each clause's subject, where it is known who that is.
    pub subjects: &'a [Option<u64>],
    /// Its expressions of time.
    pub temporals: &'a [Temporal],
    /// The day that counts as today.
    pub reference: Option<Date>,
    /// What is known of the subjects' events.
    pub kb: Option<&'a Snapshot>,
    /// Years from today that are still plausible (S0-051, X-10: 10).
    pub max_future_years: u32,
}

/// Whether a clause tells of what stands before its "who" or "which", and that is not the subject
/// that it takes over ("Marie never knew her grandmother, who died in 1935").
fn of_another(view: &SentenceView<'_>, folded: &Folded, clause: &Clause) -> bool {
    let from = clause
        .opener
        .unwrap_or(clause.range.start)
        .min(clause.range.start);
    let relative = |i: &usize| matches!(folded.get(*i), "who" | "which");
    let Some(at) = (from..clause.group.start).rev().find(relative) else {
        return false;
    };
    let word = |i: &usize| view.lexemes[*i].kind == crate::types::LexKind::Word;
    let before = (0..at).rev().find(word);
    before.is_some_and(|before| clause.subject.end <= before)
}

/// Keys of the clauses' subjects, in order; notes in `discourse` who was spoken of.
pub fn subject_keys(
    view: &SentenceView<'_>,
    folded: &Folded,
    clauses: &[Clause],
    discourse: &mut Discourse,
) -> Vec<Option<u64>> {
    clauses
        .iter()
        .map(|clause| {
            if of_another(view, folded, clause) {
                return None;
            }
            discourse.subject(view, folded, &clause.subject)
        })
        .collect()
}

/// `dialogue.temporal_error`: what the sentence says of times that cannot be, by itself or
/// beside earlier sentences. At most one finding an expression of time, the surest.
///
/// Beside the seed's three rules (S0-050..052): "after"; a relation's own target instead of every
/// later date; "completed before it started"; ranges that end before they begin; "last year in
/// 2026"; weekdays their dates do not have; years that do not add up; events of one subject in an impossible order; events in
/// another order than the knowledge base dates them. A date
/// to come is no error where the clause speaks of a plan, a forecast or a term.
#[must_use]
pub fn temporal_errors(
    times: &TimeView<'_>,
    claim: &Claim,
    timeline: &mut Timeline,
) -> Vec<Finding> {
    if matches!(
        claim.modality,
        Modality::Question | Modality::Instruction | Modality::Quoted
    ) {
        return Vec::new();
    }
    let judge = Judge { times, claim };
    let mut found = Vec::new();
    let mut told = 0;
    for (i, temporal) in times.temporals.iter().enumerate() {
        if temporal.span.start < told {
            // "last year in 2026" was told of both.
            continue;
        }
        let calendar = judge.calendar(temporal).or_else(|| judge.beside(i));
        let finding = calendar
            .or_else(|| judge.far(temporal))
            .or_else(|| judge.future(temporal))
            .or_else(|| judge.closed_by(temporal))
            .or_else(|| judge.past(temporal))
            .or_else(|| judge.order(temporal))
            .or_else(|| judge.against_lead(temporal))
            .or_else(|| judge.range(i));
        if let Some(finding) = finding {
            told = finding.spans.first().map_or(told, |span| span.end);
            found.push(finding);
        }
    }
    found.extend(judge.periods());
    if found.is_empty() {
        found.extend(judge.arithmetic());
    }
    found.extend(judge.undated());
    judge.course(timeline, &mut found);
    judge.known(&mut found);
    found
}

/// Days from the first to the last, and where they are written.
struct Period {
    span: Span,
    first: Date,
    last: Date,
}

impl Period {
    const fn of(span: Span, first: Date, last: Date) -> Self {
        Self { span, first, last }
    }
}

struct Judge<'a> {
    times: &'a TimeView<'a>,
    claim: &'a Claim,
}

impl Judge<'_> {
    fn text(&self, span: Span) -> &str {
        self.times.view.at(span)
    }

    fn word(&self, i: usize) -> &str {
        self.times.folded.get(i)
    }

    /// A finding over the sentence, as the seed has it, about the expression at `place`.
    fn finding(&self, rule: &str, place: Span, p: f64, content: String, says: Message) -> Finding {
        let view = self.times.view;
        let span = view.sentence.span;
        let mut finding = draft(
            "dialogue.temporal_error",
            rule,
            Some(span),
            view.text,
            view.sentence.decided_at,
        );
        finding.spans = vec![place];
        note_contradiction(&mut finding, self.claim, p);
        finding.content = content;
        finding.suggestion = Some(says.render(false));
        finding.message = says;
        finding
    }

    fn with(mut finding: Finding, text: String) -> Finding {
        finding.evidence.push(because(text));
        finding
    }

    fn hedged(&self) -> bool {
        self.claim.modality == Modality::Hedged
    }

    /// Whether the clause is a condition or a wish.
    fn conditional(&self, clause: usize) -> bool {
        // "Had it happened in 2030, we would know."
        let first = self.times.view.lexemes.len().min(1);
        if first == 1 && matches!(self.word(0), "had" | "were" | "should") {
            return true;
        }
        let opener = self.times.clauses[clause].opener;
        opener.is_some_and(|i| matches!(self.word(i), "if" | "unless"))
            || self.times.clauses[clause].modal
    }

    /// "will be renovated and expanded in 2028".
    fn shares_future(&self, clause: usize) -> bool {
        let Some(prior) = clause.checked_sub(1).map(|at| &self.times.clauses[at]) else {
            return false;
        };
        let joint = self.times.clauses[clause].group.start.checked_sub(1);
        (prior.tense == Tense::Future || prior.modal)
            && joint.is_some_and(|i| matches!(self.word(i), "and" | "or" | "then"))
    }

    fn unasserted(&self, temporal: &Temporal) -> bool {
        unasserted(self.times.view, self.times.folded, temporal.span)
    }

    /// S0-050.
    fn future(&self, temporal: &Temporal) -> Option<Finding> {
        let reference = self.times.reference?;
        let date = temporal.resolved.filter(|date| *date > reference)?;
        let first = temporal.first?;
        let plain = temporal.tense == Tense::Past && temporal.adjunct && !temporal.prospect;
        if !plain || first <= reference || self.hedged() || self.unasserted(temporal) {
            return None;
        }
        let aside = |clause| self.conditional(clause) || self.shares_future(clause);
        let other =
            |clause| self.arranged(clause, temporal) || self.of_another_event(clause, temporal);
        if temporal.clause.is_some_and(aside)
            || temporal.clause.is_some_and(other)
            || self.imagined(temporal)
        {
            return None;
        }
        let says = Message::new("{date} is in the future but referenced in past tense")
            .sensitive("date", date.to_string());
        let surface = self.text(temporal.span).to_owned();
        let finding = self.finding("future_as_past", temporal.span, P_FUTURE, surface, says);
        Some(Self::with(finding, format!("Current date: {reference}")))
    }

    /// S0-051.
    fn far(&self, temporal: &Temporal) -> Option<Finding> {
        let reference = self.times.reference?;
        let year = temporal.year?;
        let told = matches!(temporal.tense, Tense::Past | Tense::Present | Tense::Future);
        let plain = told && temporal.adjunct && !temporal.prospect && !self.hedged();
        let most = i64::from(reference.year()) + i64::from(self.times.max_future_years);
        if !plain || i64::from(year) <= most || self.unasserted(temporal) {
            return None;
        }
        let aside = |clause| self.conditional(clause);
        if temporal.clause.is_some_and(aside) || self.imagined(temporal) {
            return None;
        }
        let says = Message::new("Year {year} seems too far in the future")
            .sensitive("year", year.to_string());
        let surface = self.text(temporal.span).to_owned();
        Some(self.finding("far_year", temporal.span, P_FAR, surface, says))
    }

    /// S0-052, and the same for "after".
    fn order(&self, temporal: &Temporal) -> Option<Finding> {
        let target = temporal
            .target
            .filter(|target| target.span != temporal.span)?;
        let (first, last) = (temporal.first?, temporal.last?);
        let (from, until) = (target.first?, target.last?);
        let before = temporal.relation == Some(TimeRelation::Before);
        let (lead, behind) = (
            Period::of(temporal.span, first, last),
            Period::of(target.span, from, until),
        );
        self.out_of_order(&lead, &behind, before, temporal.span)
    }

    /// The finding of two periods that stand in another order than "before" or "after" says;
    /// `place` is what it is about.
    fn out_of_order(
        &self,
        lead: &Period,
        target: &Period,
        before: bool,
        place: Span,
    ) -> Option<Finding> {
        let wrong = if before {
            lead.first > target.last
        } else {
            lead.last < target.first
        };
        if !wrong {
            return None;
        }
        let (word, opposite) = if before {
            ("before", "after")
        } else {
            ("after", "before")
        };
        let content = format!("{} {word} {}", self.text(lead.span), self.text(target.span));
        let says = Message::new("Temporal ordering is inconsistent");
        let finding = self.finding("order", place, P_ORDER, content, says);
        let actual = format!("{} is actually {opposite} {}", lead.first, target.first);
        Some(Self::with(finding, actual))
    }

    /// "from 2010 to 2005", "(1990–1985)".
    fn range(&self, i: usize) -> Option<Finding> {
        let (one, two) = (self.times.temporals[i], self.times.temporals.get(i + 1)?);
        let (first, last) = (one.first?, two.last?);
        // "1155 to 1149 BC" counts backwards.
        let ancient = one.year.is_none_or(|year| year < 1) || two.year.is_none_or(|year| year < 1);
        if first <= last || one.relative || two.relative || ancient {
            return None;
        }
        let view = self.times.view;
        let between = view.lexemes_in(Span::new(one.span.end, two.span.start));
        if between.len() != 1 {
            return None;
        }
        let start = view.lexemes_in(one.span).start;
        let opener = start.checked_sub(1).map_or("", |i| view.word(i));
        let joint = view.word(between.start);
        let ranged = match joint {
            "–" | "-" | "—" => matches!(opener, "(" | "from" | "From" | "in" | "of"),
            "to" | "until" | "till" | "through" => matches!(opener, "from" | "From"),
            _ => false,
        };
        // A value may fall "from 2010 to 1985".
        let counts = (0..view.lexemes.len()).any(|i| time().has("countdown", self.word(i)));
        if !ranged || counts {
            return None;
        }
        let content = self
            .text(Span::new(one.span.start, two.span.end))
            .to_owned();
        let says = Message::new("This period ends before it begins");
        let finding = self.finding(
            "range",
            Span::new(one.span.start, two.span.end),
            P_ORDER,
            content,
            says,
        );
        Some(Self::with(finding, format!("{last} is before {first}")))
    }

    /// A weekday its date does not have.
    fn calendar(&self, temporal: &Temporal) -> Option<Finding> {
        let weekday = temporal.weekday?;
        let date = temporal.first.filter(|day| Some(*day) == temporal.last)?;
        let actual = date.weekday().to_monday_one_offset() as u8;
        if actual == weekday {
            return None;
        }
        let name = WEEKDAYS[usize::from(actual - 1)];
        let says = Message::new("{date} was a {weekday}")
            .sensitive("date", date.to_string())
            .sensitive("weekday", name);
        let surface = self.text(temporal.span).to_owned();
        let mut finding = self.finding("weekday", temporal.span, P_CALENDAR, surface, says);
        finding.expected = name.into();
        Some(finding)
    }

    /// "last year in 2026": two expressions of one time that share no day.
    fn beside(&self, i: usize) -> Option<Finding> {
        let (one, two) = (self.times.temporals[i], self.times.temporals.get(i + 1)?);
        if one.relative == two.relative {
            return None;
        }
        let view = self.times.view;
        let between = view.lexemes_in(Span::new(one.span.end, two.span.start));
        let close = between.len() <= 2
            && between.clone().all(|i| {
                matches!(
                    view.word(i),
                    "," | "(" | "in" | "on" | "In" | "of" | "—" | "–"
                )
            });
        // "Last year, 2019 was a record": the second date begins something else.
        let ends = view.lexemes_in(two.span).end;
        let closes = ends >= view.lexemes.len()
            || !matches!(view.lexemes[ends].kind, crate::types::LexKind::Word)
            || self
                .times
                .folded
                .cue(ends)
                .is(Cue::PREPOSITION.or(Cue::CONJUNCTION))
            || between
                .clone()
                .any(|i| matches!(view.word(i), "in" | "on" | "("));
        let (a, b) = (one.first?, one.last?);
        let (c, d) = (two.first?, two.last?);
        if !close || !closes || (a <= d && c <= b) {
            return None;
        }
        let (counted, written) = if one.relative {
            (&one, two)
        } else {
            (two, &one)
        };
        let meant = if counted.first == counted.last || counted.first? != counted.resolved? {
            counted.resolved?.to_string()
        } else if counted.last?.year() == counted.first?.year()
            && counted.first?.month() == 1
            && counted.last?.month() == 12
        {
            counted.first?.year().to_string()
        } else {
            format!("{} to {}", counted.first?, counted.last?)
        };
        let says = Message::new("{relative} is {meant}, not {written}")
            .sensitive("relative", self.text(counted.span))
            .sensitive("meant", meant)
            .sensitive("written", self.text(written.span));
        let place = Span::new(one.span.start, two.span.end);
        let content = self.text(place).to_owned();
        let finding = self.finding("relative_date", place, P_CALENDAR, content, says);
        let reference = self.times.reference?;
        Some(Self::with(finding, format!("Current date: {reference}")))
    }
}

mod arithmetic;
mod aside;
mod course;
mod frame;
mod known;
