//! Properties that nothing can have (S0-059): negative counts, parts greater than their whole,
//! days the calendar does not have.

use std::ops::Range;

use crate::claims::{SentenceView, Temporal};
use crate::kb::predicate_key;
use crate::lexicon::logic::Impossible;
use crate::lexicon::units::{by_name, convert};
use crate::types::{Claim, Finding, Message, Modality, Polarity, Quantity, QuantityKind, Span};

use super::logical_inconsistency::base;
use super::temporal_error::TimeView;

/// By the calendar or by counting: as sure as the reading of what is counted.
const P_DATE: f64 = 0.95;
/// See [`P_DATE`].
const P_COUNT: f64 = 0.90;
/// A share may be meant of something else than what stands beside it.
const P_PART: f64 = 0.85;

/// Findings about properties that nothing can have; the explanation is the suggestion, and there
/// is no evidence, as in the seed.
pub(super) fn impossible_properties(times: &TimeView<'_>, claim: &Claim) -> Vec<Finding> {
    let told = |i: usize| times.view.logic(i).has("existence");
    if matches!(claim.modality, Modality::Question | Modality::Quoted)
        || (0..times.folded.len()).any(told)
    {
        return Vec::new();
    }
    let judge = Judge {
        times,
        claim,
        words: times.folded.lexicon().impossibilities(),
    };
    let mut found: Vec<Finding> = Vec::new();
    for temporal in times.temporals.iter().filter(|t| t.impossible) {
        if judge.denies(temporal) {
            continue;
        }
        let text = times.view.at(temporal.span);
        let says = Message::new("The calendar has no {date}").sensitive("date", text);
        found.push(judge.finding("impossible_date", temporal.span, P_DATE, says));
    }
    let quantities = times.view.quantities;
    for (i, quantity) in quantities.iter().enumerate() {
        found.extend(
            judge
                .negative(quantity)
                .or_else(|| judge.share(quantity))
                .or_else(|| judge.part(quantity, quantities.get(i + 1)))
                .or_else(|| judge.part_behind(i)),
        );
    }
    found
}

/// Numbers outside the limits that the lexicon sets for their attribute.
#[must_use]
pub fn beyond_limits(view: &SentenceView<'_>, claims: &[Claim]) -> Vec<Finding> {
    let lexicon = view.attributes.lexicon();
    let said = claims.iter().filter(|claim| {
        matches!(claim.modality, Modality::Asserted | Modality::Hedged)
            && claim.polarity == Polarity::Positive
    });
    said.filter_map(|claim| {
        let mut name = claim.predicate.as_deref()?.to_owned();
        if name == "is" {
            // "The battery level is 140 %."
            let subject = view.at(claim.subject_span?).to_lowercase();
            name = predicate_key(subject.strip_prefix("the ").unwrap_or(&subject));
        }
        let limit = lexicon.limit(&name)?;
        let object = claim.object_span?;
        let mut inside = view.quantities.iter().filter(|q| object.overlaps(q.span));
        let (quantity, None) = (inside.next()?, inside.next()) else {
            return None;
        };
        let value = in_unit(quantity, limit.unit.as_deref())?;
        let (word, end) = match (limit.min, limit.max) {
            (Some(min), _) if value < min => ("less", min),
            (_, Some(max)) if value > max => ("more", max),
            _ => return None,
        };
        let mut finding = base(view, claim, "limit", quantity.span, P_COUNT);
        let unit = limit.unit.as_deref().unwrap_or("");
        let says = Message::new("{attribute} cannot be {word} than {end}")
            .plain("attribute", name.replace('_', " "))
            .plain("word", word)
            .plain("end", format!("{end} {unit}").trim_end());
        finding.suggestion = Some(says.render(false));
        finding.message = says;
        Some(finding)
    })
    .collect()
}

/// The number in a limit's unit; `None` where the two cannot be compared.
fn in_unit(quantity: &Quantity, unit: Option<&str>) -> Option<f64> {
    let wanted = unit.and_then(by_name);
    match (quantity.unit, wanted) {
        (Some(own), Some(wanted)) => convert(quantity.value, own, wanted),
        (None, None) => Some(quantity.value),
        // A share has its unit in its kind.
        _ if quantity.kind == QuantityKind::Percent => {
            matches!(unit, Some("percent") | None).then_some(quantity.value)
        }
        _ => None,
    }
}

/// Words between "the probability" and its figure at most.
const LIKELY: usize = 8;

struct Judge<'a> {
    times: &'a TimeView<'a>,
    claim: &'a Claim,
    words: &'a Impossible,
}

impl Judge<'_> {
    fn word(&self, i: usize) -> &str {
        self.times.folded.get(i)
    }

    fn back(&self, i: usize, by: usize) -> &str {
        i.checked_sub(by).map_or("", |i| self.times.folded.get(i))
    }

    fn finding(&self, rule: &str, span: Span, p: f64, says: Message) -> Finding {
        let mut finding = base(self.times.view, self.claim, rule, span, p);
        finding.suggestion = Some(says.render(false));
        finding.message = says;
        finding
    }

    /// Whether the sentence says that there is no such day, or that it is refused.
    fn denies(&self, temporal: &Temporal) -> bool {
        let refused = |word: &str| {
            matches!(
                word,
                "refused" | "refuses" | "rejected" | "rejects" | "declined" | "disallowed"
            )
        };
        let clause = temporal.clause.and_then(|at| self.times.clauses.get(at));
        let at = self.times.view.lexemes_in(temporal.span).start;
        let no = (1..=3).any(|by| matches!(self.back(at, by), "no" | "not" | "never" | "without"));
        no || clause.is_some_and(|clause| clause.negative)
            || (0..self.times.folded.len()).any(|i| refused(self.word(i)))
    }

    /// A word of change within a few words before.
    fn changes(&self, at: usize) -> bool {
        (1..=4).any(|by| self.words.change.contains(self.back(at, by)))
    }

    /// "has -3 employees".
    fn negative(&self, quantity: &Quantity) -> Option<Finding> {
        let at = self.times.view.lexemes_in(quantity.span);
        let minus = matches!(self.back(at.start, 1), "minus" | "negative");
        let below = quantity.value < 0.0 || (minus && quantity.value > 0.0);
        let counted = self.words.countable.contains(self.word(at.end))
            || (self.word(at.end) == "old" && quantity.kind == QuantityKind::Measure);
        let fits = matches!(
            quantity.kind,
            QuantityKind::Cardinal | QuantityKind::Measure
        );
        // "-2 goals difference", "a balance of -3 points"
        let net = |word: &str| {
            matches!(
                word,
                "difference" | "balance" | "margin" | "deficit" | "gap" | "differential" | "net"
            )
        };
        let relative =
            (1..=3).any(|by| net(self.back(at.start, by)) || net(self.word(at.end + by)));
        // "3 -5 people": from one to the other.
        let view = self.times.view;
        let before = Span::new(view.sentence.span.start, quantity.span.start);
        let ranged = view
            .at(before)
            .trim_end()
            .ends_with(|c: char| c.is_ascii_digit());
        if relative || ranged {
            return None;
        }
        if !below || !counted || !fits || self.changes(at.start) {
            return None;
        }
        let start = if minus { at.start - 1 } else { at.start };
        let span = Span::new(
            self.times.view.lexemes[start].span.start,
            self.times.view.lexemes[at.end].span.end,
        );
        let says = if self.word(at.end) == "old" {
            Message::new("An age cannot be negative")
        } else {
            Message::new("A count of {what} cannot be negative")
                .sensitive("what", self.word(at.end))
        };
        Some(self.finding("negative_count", span, P_COUNT, says))
    }

    /// "120 % of the participants", "a probability of 130 %".
    fn share(&self, quantity: &Quantity) -> Option<Finding> {
        if quantity.kind != QuantityKind::Percent || quantity.value <= 100.0 {
            return None;
        }
        let at = self.times.view.lexemes_in(quantity.span);
        if self.changes(at.start) {
            return None;
        }
        let likely = self.back(at.start, 1) == "of"
            && self.words.likelihood.contains(self.back(at.start, 2));
        if likely || self.likely(&at) {
            let says = Message::new("Nothing is more likely than 100 %");
            return Some(self.finding("likelihood", quantity.span, P_COUNT, says));
        }
        let of = (self.word(at.end) == "of").then_some(at.end + 1)?;
        let noun = (of..of + 3)
            .take_while(|i| *i < self.times.view.lexemes.len())
            .find(|i| self.words.whole.contains(self.word(*i)))?;
        let only = (of..noun).all(|i| {
            matches!(
                self.word(i),
                "the" | "all" | "our" | "its" | "their" | "these" | "surveyed"
            )
        });
        // "120% of the members they expected": a share of a number, not of those there are.
        let verb = self.times.clauses.iter().any(|c| c.group.start == noun + 1);
        if !only || !verb {
            return None;
        }
        let span = Span::new(quantity.span.start, self.times.view.lexemes[noun].span.end);
        let says = Message::new("{share} of a whole is more than all of it")
            .sensitive("share", self.times.view.at(quantity.span));
        Some(self.finding("share_above_whole", span, P_PART, says))
    }

    /// "a 130 % chance of rain", "the probability of rain is 120 %".
    fn likely(&self, at: &Range<usize>) -> bool {
        let named = |i: usize| self.words.likelihood.contains(self.word(i));
        let copula = matches!(self.back(at.start, 1), "is" | "was" | "are" | "were" | "be");
        if !copula {
            return named(at.end);
        }
        let view = self.times.view;
        let before = at.start.saturating_sub(LIKELY)..at.start - 1;
        let own = before
            .rev()
            .take_while(|i| !view.is_mark(*i))
            .find(|i| named(*i));
        // "Believing in a chance of rain is 120 % wrong": no noun may follow.
        let ends = at.end >= view.lexemes.len() || view.is_mark(at.end);
        ends && own.is_some_and(|i| i == 0 || self.back(i, 1) == "the")
    }

    /// "10 people, 12 of whom …", "5 rooms, of which 8 …", "of the 20 guests, 25 stayed".
    fn part_behind(&self, index: usize) -> Option<Finding> {
        let quantities = self.times.view.quantities;
        let (whole, part) = (&quantities[index], quantities.get(index + 1)?);
        // "30 points in 5 games, 12 of which": of the points.
        if quantities[..index].iter().any(|q| q.value >= part.value) {
            return None;
        }
        let plain = |q: &Quantity| q.kind == QuantityKind::Cardinal && !q.approximate;
        if !plain(whole) || !plain(part) || whole.value < 0.0 || part.value <= whole.value {
            return None;
        }
        let view = self.times.view;
        let (at, of) = (view.lexemes_in(whole.span), view.lexemes_in(part.span));
        // "10 groups of 4 people": more than four are there.
        let each = matches!(
            self.back(at.start, 1),
            "of" | "per" | "each" | "by" | "with" | "every"
        );
        let the = matches!(self.back(at.start, 1), "the" | "its" | "their" | "our");
        let open = at.start.checked_sub(1 + usize::from(the));
        let among = open.is_some_and(|i| i == 0 && self.word(i) == "of");
        let noun = (at.end..of.start)
            .take(2)
            .find(|i| self.words.countable.contains(self.word(*i)))?;
        let between: Vec<&str> = (noun + 1..of.start)
            .filter(|i| view.word(*i) != ",")
            .map(|i| self.word(i))
            .collect();
        let whom = |word: &str| matches!(word, "whom" | "which");
        let verb = self.times.clauses.iter().any(|c| c.group.start == of.end);
        let behind = self.word(of.end) == "of" && whom(self.word(of.end + 1));
        let wrong = match between[..] {
            [] if among => verb,
            [] => behind && !each,
            ["of", word] => whom(word) && verb && !each,
            _ => false,
        };
        let comma = view.word(noun + 1) == ",";
        if !wrong || !comma || self.changes(at.start) {
            return None;
        }
        let span = Span::new(whole.span.start, part.span.end);
        let says = Message::new("{part} is more than the whole of {whole}")
            .sensitive("part", view.at(part.span))
            .sensitive("whole", view.at(whole.span));
        Some(self.finding("part_above_whole", span, P_PART, says))
    }

    /// "7 of the 5 ships", "12 out of 10 users".
    fn part(&self, quantity: &Quantity, whole: Option<&Quantity>) -> Option<Finding> {
        let whole = whole?;
        let plain = |q: &Quantity| q.kind == QuantityKind::Cardinal && q.value >= 0.0;
        if !plain(quantity) || !plain(whole) || quantity.value <= whole.value {
            return None;
        }
        let view = self.times.view;
        let end = view.lexemes_in(quantity.span).end;
        let at = view.lexemes_in(whole.span);
        let between: Vec<&str> = (end..at.start).map(|i| self.word(i)).collect();
        let part = matches!(
            between[..],
            ["of", "the" | "its" | "their" | "all" | "our"] | ["out", "of"] | ["out", "of", "the"]
        );
        let noun = self.word(at.end);
        if !part || !self.words.countable.contains(noun) || self.changes(end) {
            return None;
        }
        let span = Span::new(quantity.span.start, view.lexemes[at.end].span.end);
        let says = Message::new("{part} is more than the whole of {whole}")
            .sensitive("part", view.at(quantity.span))
            .sensitive("whole", view.at(whole.span));
        Some(self.finding("part_above_whole", span, P_PART, says))
    }
}
