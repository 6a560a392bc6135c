//! Events of one thing in an order in which they cannot happen, dated or not (S0-054).

use super::{Dated, Judge, P_COURSE, P_UNDATED, Timeline};
use crate::claims::{Clause, Tense, TimeRelation, base_form};
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::{Stage, bases, time};
use crate::types::{Finding, Message, Span};

impl Judge<'_> {
    pub(super) fn stage(&self, base: &str) -> Option<Stage> {
        self.times.folded.lexicon().stage(base)
    }

    /// "completed before it started".
    pub(super) fn undated(&self) -> Option<Finding> {
        if self.hedged() {
            return None;
        }
        let clauses = self.times.clauses;
        for (i, clause) in clauses.iter().enumerate() {
            if clause.negative || clause.modal || clause.tense == Tense::Future {
                continue;
            }
            let Some(verb) = clause.verb else { continue };
            let Some(own) = self.stage(&base_form(self.times.folded, verb)) else {
                continue;
            };
            let Some((at, other)) = self.other_event(i) else {
                continue;
            };
            let before = time().has("before", self.word(at));
            let Some(theirs) = self
                .stage(&other)
                .filter(|theirs| theirs.course == own.course)
            else {
                continue;
            };
            // "She received the letter before she sent the answer" is of two things.
            let next = clauses.get(i + 1).filter(|next| next.opener == Some(at));
            let objects = (own.bare && !clause.copula && clause.group.end != at)
                || next.is_some_and(|next| theirs.bare && !next.copula && !self.bare(next));
            // "arrived before it departed", with nothing of where.
            let goes_on = |i: usize| {
                let lexeme = self.times.view.lexemes.get(i);
                lexeme.is_some_and(|l| l.kind == crate::types::LexKind::Word)
            };
            let placed = own.undated
                && (clause.group.end != at || next.is_none_or(|next| goes_on(next.group.end)));
            if objects || placed {
                continue;
            }
            let wrong = if before {
                own.place > theirs.place
            } else {
                own.place < theirs.place
            };
            let figurative = (clause.group.start..self.times.view.lexemes.len())
                .any(|i| time().has("figurative", self.word(i)));
            if !wrong || figurative {
                continue;
            }
            let view = self.times.view;
            let start = view.lexemes[clause.range.start].span.start;
            let end = clauses.get(i + 1).map_or(clause.range.end, |next| {
                next.group.end.max(clause.range.end)
            });
            let last = view.lexemes[end.saturating_sub(1)].span.end;
            let place = Span::new(start, last);
            let content = self.text(place).trim_end_matches(['.', '!']).to_owned();
            let says = Message::new("Temporal ordering is inconsistent");
            let finding = self.finding("undated_order", place, P_UNDATED, content, says);
            return Some(Self::with(
                finding,
                format!("'{}' {} '{}'", self.word(verb), self.word(at), other),
            ));
        }
        None
    }

    /// The word "before" or "after" behind a clause, and the base form of the event that follows
    /// it, where that is the same subject's.
    fn other_event(&self, i: usize) -> Option<(usize, String)> {
        let clauses = self.times.clauses;
        let clause = &clauses[i];
        let relation =
            |at: usize| time().has("before", self.word(at)) || time().has("after", self.word(at));
        if let Some(next) = clauses.get(i + 1)
            && let Some(at) = next.opener.filter(|at| relation(*at))
        {
            let same = self.times.subjects[i].is_some()
                && self.times.subjects[i] == self.times.subjects[i + 1];
            let verb = next.verb?;
            let goes_on = self.word(verb + 1) == "to";
            let plain = same && !next.inherited && !next.negative && !goes_on;
            return plain.then(|| (at, base_form(self.times.folded, verb)));
        }
        // "before starting", "before being founded".
        let at = clause.rest.clone().find(|at| relation(*at))?;
        let being = usize::from(self.word(at + 1) == "being");
        let form = self.word(at + 1 + being);
        if being == 0 && !form.ends_with("ing") {
            return None;
        }
        let goes_on = matches!(
            self.word(at + 2 + being),
            "to" | "a" | "the" | "his" | "her" | "its"
        );
        let base = self
            .times
            .folded
            .known(at + 1 + being)
            .verb
            .map(str::to_owned)
            .or_else(|| bases(form).find(|base| self.stage(base).is_some()))?;
        (!goes_on && at <= clause.group.end + 1).then_some((at, base))
    }

    /// Events of one subject in an order that cannot be, within the sentence and beside earlier
    /// ones.
    pub(super) fn course(&self, timeline: &mut Timeline, found: &mut Vec<Finding>) {
        for (i, clause) in self.times.clauses.iter().enumerate() {
            let (Some(verb), Some(subject)) = (clause.verb, self.times.subjects[i]) else {
                continue;
            };
            let past = clause.tense == Tense::Past && !clause.negative && !self.conditional(i);
            if !past || self.hedged() {
                continue;
            }
            let base = base_form(self.times.folded, verb);
            let Some(own) = self.stage(&base).filter(|own| !own.undated) else {
                continue;
            };
            if own.bare && !clause.copula && !self.bare(clause) {
                continue;
            }
            let mut dated = self
                .times
                .temporals
                .iter()
                .filter(|t| t.clause == Some(i) && t.adjunct && t.year.is_some());
            let (Some(temporal), None) = (dated.next(), dated.next()) else {
                continue;
            };
            let open = matches!(
                temporal.relation,
                Some(TimeRelation::Since | TimeRelation::Until)
            );
            let (Some(first), Some(last), false) = (temporal.first, temporal.last, open) else {
                continue;
            };
            let event = Dated {
                subject,
                course: own.course,
                place: own.place,
                first,
                last,
                verb: self.word(verb).into(),
            };
            let clash = timeline.events.iter().rev().find(|other| {
                other.subject == subject
                    && other.course == event.course
                    && ((other.place < event.place && event.last < other.first)
                        || (other.place > event.place && other.last < event.first))
            });
            let told = clash.is_some();
            if let Some(other) = clash {
                let says = Message::new("Temporal ordering is inconsistent");
                let content = self.text(temporal.span).to_owned();
                let finding = self.finding("course", temporal.span, P_COURSE, content, says);
                found.push(Self::with(
                    finding,
                    format!(
                        "'{}' on {} does not fit '{}' on {}",
                        event.verb, event.first, other.verb, other.first
                    ),
                ));
            }
            if !told {
                found.extend(self.known_course(clause, &base, own, &event, temporal.span));
            }
            timeline.note(event);
        }
    }

    /// Whether nothing but a time or place follows the verb.
    fn bare(&self, clause: &Clause) -> bool {
        let view = self.times.view;
        let Some(next) = clause.rest.clone().next() else {
            return true;
        };
        let span = view.lexemes[next].span;
        view.lexemes[next].kind == crate::types::LexKind::Punct
            || self
                .times
                .folded
                .cue(next)
                .is(Cue::PREPOSITION.or(Cue::CONJUNCTION).or(Cue::ADVERB))
            || self.times.temporals.iter().any(|t| t.span.overlaps(span))
    }
}
