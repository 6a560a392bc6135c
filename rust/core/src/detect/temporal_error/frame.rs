//! Times that the frame of their clause denies: its tense, the date it opens with, the periods of
//! what it compares.

use super::{Judge, P_CALENDAR, P_FUTURE, Period};
use crate::claims::{Temporal, Tense, TimeRelation, base_form};
use crate::lexicon::logic::logic;
use crate::lexicon::persons::persons;
use crate::lexicon::tables::time;
use crate::types::{Finding, Message, Span};

/// Years for which an announcement may have been left standing, at most.
const RECENT: i16 = 15;

/// A period in brackets behind a name.
struct Bracketed {
    /// Lexemes of the brackets and what is in them.
    at: std::ops::Range<usize>,
    period: Period,
}

impl Judge<'_> {
    fn before_word(&self, temporal: &Temporal) -> (usize, &str) {
        let at = self.times.view.lexemes_in(temporal.span).start;
        (at, at.checked_sub(1).map_or("", |i| self.word(i)))
    }

    /// "By 2031 it had closed": what has yet to come was over.
    pub(super) fn closed_by(&self, temporal: &Temporal) -> Option<Finding> {
        let reference = self.times.reference?;
        let first = temporal.first.filter(|first| *first > reference)?;
        let index = temporal.clause?;
        let clause = &self.times.clauses[index];
        let (at, word) = self.before_word(temporal);
        let lead = at == clause.range.start + 1 || at <= clause.group.start;
        let had = self.word(clause.group.start) == "had" && clause.verb.is_some();
        let planned = clause
            .group
            .clone()
            .any(|i| time().has("prospect", self.word(i)));
        let goes_on = self.word(clause.group.end) == "to";
        if word != "by"
            || !lead
            || !had
            || planned
            || goes_on
            || clause.tense != Tense::Past
            || self.hedged()
            || self.conditional(index)
        {
            return None;
        }
        let says = Message::new("{date} is in the future but referenced in past tense")
            .sensitive("date", first.to_string());
        let surface = self.text(temporal.span).to_owned();
        let finding = self.finding("future_as_past", temporal.span, P_FUTURE, surface, says);
        Some(Self::with(finding, format!("Current date: {reference}")))
    }

    /// "We will meet yesterday": what is to come at a time that is over.
    pub(super) fn past(&self, temporal: &Temporal) -> Option<Finding> {
        let reference = self.times.reference?;
        let last = temporal.last.filter(|last| *last < reference)?;
        let index = temporal.clause?;
        let clause = &self.times.clauses[index];
        let verb = base_form(self.times.folded, clause.verb?);
        let at = self.times.view.lexemes_in(temporal.span);
        let beside = at.start == clause.group.end;
        let perfect = clause
            .group
            .clone()
            .any(|i| time().has("perfect", self.word(i)));
        let will = time().has("will", self.word(clause.group.start));
        let ends = self.times.view.lexemes.get(at.end);
        let ends = ends.is_none_or(|lexeme| lexeme.kind != crate::types::LexKind::Word);
        let plain = temporal.relative && beside && will && ends && !perfect;
        let dated = !temporal.relative && self.announced(temporal, index, reference.year());
        let plain = (plain || dated && will && ends && !perfect) && !clause.negative;
        if !plain || !time().has("moment", &verb) || self.hedged() || self.conditional(index) {
            return None;
        }
        let says = Message::new("{date} is in the past but referenced in future tense")
            .sensitive("date", last.to_string());
        let surface = self.text(temporal.span).to_owned();
        let finding = self.finding("past_as_future", temporal.span, P_CALENDAR, surface, says);
        Some(Self::with(finding, format!("Current date: {reference}")))
    }

    /// "The museum will open in 2019.": a sentence that says of a thing as known to its readers, and
    /// of no more, what is to come in a year that was over not long ago. Of people and of long ago,
    /// stories are told in the future tense.
    fn announced(&self, temporal: &Temporal, index: usize, today: i16) -> bool {
        let clause = &self.times.clauses[index];
        let at = self.times.view.lexemes_in(temporal.span);
        let placed = matches!(self.word(clause.group.end), "in" | "on")
            && (at.start == clause.group.end || at.start == clause.group.end + 1);
        let named = matches!(
            self.word(clause.subject.start),
            "the" | "this" | "our" | "your"
        );
        let recent = temporal
            .last
            .is_some_and(|last| last.year() >= today - RECENT);
        // "The council said it will open", "The novel will end in 2019"
        let told = (0..self.times.view.lexemes.len()).any(|i| {
            let base = self.times.folded.known(i).verb;
            persons().is_tale(self.word(i)) || base.is_some_and(|verb| logic().has("quoting", verb))
        });
        placed
            && named
            && !told
            && recent
            && clause.subject.start == 0
            && self.times.clauses.len() == 1
            && self.times.temporals.len() == 1
    }

    /// "In 2010 the shop closed before 2005": the date that the clause opens with against the one
    /// behind its verb.
    pub(super) fn against_lead(&self, temporal: &Temporal) -> Option<Finding> {
        let own = temporal
            .target
            .is_some_and(|target| target.span == temporal.span);
        let before = match temporal.relation {
            Some(TimeRelation::Before) => true,
            Some(TimeRelation::After) => false,
            _ => return None,
        };
        let index = temporal.clause?;
        let clause = &self.times.clauses[index];
        let at = self.times.view.lexemes_in(temporal.span).start;
        let verb = clause.verb?;
        let beside = at == clause.group.end + 1 && self.times.view.word(verb - 1) != ",";
        let past = matches!(clause.tense, Tense::Past | Tense::Present);
        if !own || !beside || !past || clause.negative || self.conditional(index) {
            return None;
        }
        let lead = self.times.temporals.iter().find(|lead| {
            lead.clause == Some(index)
                && lead.adjunct
                && !lead.relative
                && lead.relation.is_none()
                && lead.span.end <= self.times.view.lexemes[clause.group.start].span.start
        })?;
        let (first, last) = (lead.first?, lead.last?);
        let (from, until) = (temporal.first?, temporal.last?);
        self.out_of_order(
            &Period::of(lead.span, first, last),
            &Period::of(temporal.span, from, until),
            before,
            temporal.span,
        )
    }

    /// Periods in brackets: "(1914-1918)".
    fn bracketed(&self) -> Vec<Bracketed> {
        let view = self.times.view;
        let all = self.times.temporals;
        let mut found = Vec::new();
        for pair in all.windows(2) {
            let (one, two) = (&pair[0], &pair[1]);
            let (Some(first), Some(last)) = (one.first, two.last) else {
                continue;
            };
            let (from, to) = (view.lexemes_in(one.span), view.lexemes_in(two.span));
            let open = from.start.checked_sub(1).map_or("", |i| view.word(i));
            let joint =
                to.start == from.end + 1 && matches!(view.word(from.end), "–" | "-" | "—" | "to");
            if open == "(" && joint && view.word(to.end) == ")" && first <= last {
                found.push(Bracketed {
                    at: from.start - 1..to.end + 1,
                    period: Period::of(Span::new(one.span.start, two.span.end), first, last),
                });
            }
        }
        found
    }

    /// "World War I (1914–1918) happened after World War II (1939–1945)".
    pub(super) fn periods(&self) -> Option<Finding> {
        let found = self.bracketed();
        let ([one, two], false) = (&found[..], self.hedged()) else {
            return None;
        };
        let at = (one.at.end..two.at.start)
            .find(|i| time().has("before", self.word(*i)) || time().has("after", self.word(*i)))?;
        let verb = |i: usize| {
            time().has("occurring", self.word(i))
                || (self.word(i) == "took" && self.word(i + 1) == "place")
        };
        let mut between = one.at.end..at;
        let light = |i: usize| time().has("light", self.word(i)) || verb(i);
        if !between.clone().any(verb) || !between.all(light) {
            return None;
        }
        if self.times.clauses.iter().any(|clause| clause.negative) {
            return None;
        }
        let (one, two) = (&one.period, &two.period);
        let place = Span::new(one.span.start, two.span.end);
        self.out_of_order(one, two, time().has("before", self.word(at)), place)
    }
}
