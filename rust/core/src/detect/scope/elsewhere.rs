//! What a value is told of beside the thing as a whole: a neighbour's place, a part of what is earned,
//! an event, somebody's rating, one day.

use crate::kb::Value;
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::time;
use crate::types::LexFlags;

use super::{DATE_REACH, Scope};

/// Words behind "on" among which the site stands.
const SITE: usize = 5;
/// Scales that a bare rating is taken to be on, where it is more than half of it.
const SCALES: [f64; 2] = [5.0, 10.0];

impl Scope<'_> {
    /// Whether the value is told of less than the thing, or of something beside it.
    pub(super) fn elsewhere(&self) -> bool {
        let number = matches!(self.fact.value, Value::Number { .. });
        let dated = matches!(self.fact.value, Value::Date(_));
        self.paid_out()
            || !number && self.beside_it()
            || number && (self.earned_in_part() || self.at_an_event() || self.rated_by())
            || self.varies && !dated && (self.on_one_day() || self.last_time())
    }

    /// "pays its chair £300,000": the verb tells of others what the noun tells of its subject.
    fn paid_out(&self) -> bool {
        let at = self.view.lexemes_in(self.object).start;
        let pays = |i: usize| self.folded.known(i).verb == Some("pay");
        self.claim.predicate.as_deref() == Some("pay")
            && self.clauses.iter().any(|clause| {
                clause.range.contains(&at) && !clause.copula && clause.verb.is_some_and(pays)
            })
    }

    /// "is near Leeds": no place that it is in.
    fn beside_it(&self) -> bool {
        let at = self.view.lexemes_in(self.object).start;
        self.named("placed") && at > 0 && self.text(at - 1) == "near"
    }

    /// "earns £3 million from carpets", "earns £12 million abroad".
    fn earned_in_part(&self) -> bool {
        self.named("earned")
            && self.behind().any(|i| {
                self.text(i) == "from" && self.word(i + 1) && !self.dated(i + 1)
                    || self.has("earned_where", i)
            })
    }

    /// "drew 500 people to its summer party", of a base that has how many come in a year.
    fn at_an_event(&self) -> bool {
        let Some(from) = self.behind().min().filter(|_| self.named("visited")) else {
            return false;
        };
        (from..self.len().min(from + 3)).any(|i| {
            matches!(self.text(i), "to" | "for" | "at" | "during")
                && self
                    .folded
                    .cue(i + 1)
                    .is(Cue::DETERMINER.or(Cue::POSSESSIVE))
                && time().of("unit_", self.text(i + 2)).is_none()
                && (!self.whole(i + 1) || self.of_its(i + 1))
        })
    }

    /// "90 out of 100", of a base that has 4.3: a scale of its own.
    fn on_another_scale(&self) -> bool {
        let Value::Number { value, .. } = self.fact.value else {
            return false;
        };
        let mut said = (self.view.quantities.iter())
            .filter(|q| q.span.overlaps(self.object) || q.span.start >= self.object.end);
        let Some(score) = said.next() else {
            return false;
        };
        let end = self.view.lexemes_in(score.span).end;
        let of =
            self.text(end) == "out" && self.text(end + 1) == "of" || self.view.word(end) == "/";
        let scale = said.next().filter(|_| of).map(|q| q.value);
        scale.is_some_and(|scale| {
            value > scale
                || !SCALES
                    .iter()
                    .any(|own| *own == scale && value * 2.0 > scale)
        })
    }

    /// "is rated 4.8 on Google", "4.7 for service".
    fn rated_by(&self) -> bool {
        let capital = |i: usize| {
            let lexeme = self.view.lexemes.get(i);
            lexeme.is_some_and(|lexeme| lexeme.flags.has(LexFlags::CAPITALIZED))
        };
        let site = |i: usize| {
            (i..self.len().min(i + SITE))
                .take_while(|j| {
                    self.word(*j) && (*j == i || !self.folded.cue(*j).is(Cue::PREPOSITION))
                })
                .any(|j| self.has("rating_site", j))
        };
        self.named("rated")
            && (self.on_another_scale()
                || self.behind().any(|i| {
                    let own = self.folded.cue(i + 1).is(Cue::POSSESSIVE);
                    let some = self.word(i + 1)
                        && !own
                        && !self.folded.cue(i + 1).is(Cue::DETERMINER)
                        && !self.has("raters", i + 1);
                    let of_part = own && self.word(i + 2) && !self.has("raters", i + 2);
                    let there = |i: usize| {
                        matches!(self.text(i), "on" | "at" | "in")
                            && (capital(i + 1) || site(i + 1))
                    };
                    // "by its guests on TripAdvisor"
                    let named = self.text(i) == "by" && (i + 1..i + SITE).any(there);
                    there(i)
                        || named
                        || self.text(i) == "by" && (capital(i + 1) || some)
                        || self.text(i) == "for"
                            && (of_part
                                || self.word(i + 1)
                                    && !matches!(self.text(i + 1), "the" | "all" | "its" | "a"))
                }))
    }

    /// "cost €45 last Christmas", "last summer", where the verb tells no tense.
    fn last_time(&self) -> bool {
        self.behind().any(|i| {
            let then =
                |i: usize| self.has("occasion", i) || time().of("unit_", self.text(i)).is_some();
            self.text(i) == "last" && then(i + 1)
        })
    }

    /// "is on sale for €45": what is asked for once.
    pub(super) fn reduced(&self) -> bool {
        let at = self.view.lexemes_in(self.object).start;
        (at.saturating_sub(DATE_REACH)..at)
            .any(|i| self.has("reduction", i) && matches!(self.text(i - 1), "on" | "in" | "the"))
    }

    /// "On 14 April the course is in room B14".
    fn on_one_day(&self) -> bool {
        let first = (0..self.len()).find(|i| self.word(*i)).unwrap_or(0);
        if self.text(first) != "on" {
            return false;
        }
        let Some(next) = self.view.lexemes.get(first + 1) else {
            return false;
        };
        self.view.dates.iter().any(|date| {
            date.day.is_some() && date.span.overlaps(next.span) && !date.span.overlaps(self.object)
        })
    }
}
