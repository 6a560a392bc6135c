//! Years that do not add up: a length of time beside its dates, "three years after 1990, in 1995",
//! an age beside birth and death, a century beside its year (S0-054).

use std::ops::Range;

use super::{Judge, P_CALENDAR, P_ORDER};
use crate::lexicon::tables::stance;
use crate::lexicon::units::unit;
use crate::types::{Finding, LexKind, Message, Quantity, QuantityKind, Span};

/// Years by which a count may differ, since months are not told: "from 1990 to 2000, eleven years".
const SLACK: i64 = 1;
/// Words between a century and its year.
const BESIDE: usize = 7;

/// A year by itself.
#[derive(Clone, Copy)]
struct Year {
    at: usize,
    span: Span,
    year: i64,
}

impl Judge<'_> {
    /// At most one finding of a sentence.
    pub(super) fn arithmetic(&self) -> Option<Finding> {
        let years = self.years();
        let blocked = self.hedged()
            || (0..self.times.clauses.len()).any(|clause| self.conditional(clause))
            || self.times.clauses.iter().any(|clause| clause.negative);
        if blocked || years.is_empty() {
            return None;
        }
        self.lengths(&years)
            .or_else(|| self.apart(&years))
            .or_else(|| self.ages(&years))
            .or_else(|| self.centuries(&years))
    }

    fn years(&self) -> Vec<Year> {
        let view = self.times.view;
        let plain = self
            .times
            .temporals
            .iter()
            .filter(|temporal| !temporal.relative);
        plain
            .filter_map(|temporal| {
                let lexemes = view.lexemes_in(temporal.span);
                let year = temporal.year.filter(|year| *year > 0)?;
                (lexemes.len() == 1 && view.lexemes[lexemes.start].kind == LexKind::Number)
                    .then_some(Year {
                        at: lexemes.start,
                        span: temporal.span,
                        year: i64::from(year),
                    })
            })
            .collect()
    }

    /// Whole counts of years, decades or centuries, in years.
    fn counts(&self) -> Vec<(Range<usize>, Span, i64)> {
        let view = self.times.view;
        let whole = |quantity: &Quantity| {
            let of = match unit(quantity.unit?).name {
                "year" => 1.0,
                "decade" => 10.0,
                _ => return None,
            };
            let years = quantity.value * of;
            let exact = quantity.kind == QuantityKind::Measure
                && !quantity.approximate
                && years.fract() == 0.0
                && (1.0..=1000.0).contains(&years);
            let at = view.lexemes_in(quantity.span);
            // "over ten years", "almost ten years".
            let before = at.start.checked_sub(1).map_or("", |i| self.word(i));
            let open = ["above", "at_least", "below", "at_most", "missed"]
                .iter()
                .any(|class| stance().has(class, before))
                || matches!(
                    before,
                    "than" | "about" | "around" | "least" | "most" | "to" | "first"
                );
            #[allow(clippy::cast_possible_truncation)]
            (exact && !open && !at.is_empty()).then_some((at, quantity.span, years as i64))
        };
        view.quantities.iter().filter_map(whole).collect()
    }

    fn told(&self, rule: &str, place: Span, p: f64, says: Message, why: String) -> Option<Finding> {
        let view = self.times.view;
        if crate::claims::unasserted(view, self.times.folded, place) {
            return None;
        }
        let content = self.text(place).to_owned();
        Some(Self::with(self.finding(rule, place, p, content, says), why))
    }

    /// Whether nothing but marks and such words stand in the range.
    fn only(&self, mut range: Range<usize>, words: &[&str]) -> bool {
        range.all(|i| words.contains(&self.word(i)))
    }

    /// "from 1990 to 2000, five years", "for three years (2001–2009)".
    fn lengths(&self, years: &[Year]) -> Option<Finding> {
        let len = self.times.view.lexemes.len();
        for pair in years.windows(2) {
            let (one, two) = (pair[0], pair[1]);
            if two.at != one.at + 2 || two.year <= one.year {
                continue;
            }
            let opener = one.at.checked_sub(1).map_or("", |i| self.word(i));
            let joint = self.word(one.at + 1);
            let dash = matches!(joint, "–" | "-" | "—") && matches!(opener, "(" | "from" | ",");
            let ranged = dash
                || matches!(joint, "to" | "until" | "till") && opener == "from"
                || joint == "and" && opener == "between";
            if !ranged {
                continue;
            }
            let start = one.at - usize::from(matches!(opener, "from" | "between" | "(" | ","));
            for (at, span, count) in self.counts() {
                let before = at.start.checked_sub(1).map_or("", |i| self.word(i));
                let lasts = matches!(before, "for" | "lasted" | "lasting");
                let ahead = lasts
                    && at.end <= start
                    && start - at.end <= 1
                    && self.only(at.end..start, &[",", "("]);
                let after = two.at + 1;
                let behind = at.start > two.at
                    && self.only(after..at.start, &[",", "for", "or", ")", "–", "—", "("])
                    && at.start > after
                    && (at.end >= len
                        || matches!(
                            self.word(at.end),
                            "." | "," | ")" | ";" | "and" | "in" | "!"
                        ));
                // "five years in all", but "five years in Rome".
                let whole =
                    self.word(at.end) != "in" || matches!(self.word(at.end + 1), "all" | "total");
                let lasted = two.year - one.year;
                if !(ahead || behind && whole) || (lasted - count).abs() <= SLACK {
                    continue;
                }
                let place = Span::new(span.start.min(one.span.start), span.end.max(two.span.end));
                let says = Message::new("{count} does not fit the dates beside it")
                    .sensitive("count", self.text(span));
                let why = format!("From {} to {} are {lasted} years", one.year, two.year);
                return self.told("duration", place, P_ORDER, says, why);
            }
        }
        None
    }

    /// "three years after 1990, in 1995"; "opened in 1990 and closed five years later, in 1999".
    fn apart(&self, years: &[Year]) -> Option<Finding> {
        for (at, span, count) in self.counts() {
            let word = self.word(at.end);
            let sign = match word {
                "after" | "later" => 1,
                "before" | "earlier" => -1,
                _ => continue,
            };
            // The year that is counted from, and the one that is said to come out.
            let later = matches!(word, "later" | "earlier");
            let from = if later {
                let mut before = years.iter().filter(|year| year.at < at.start);
                let first = before.next();
                first.filter(|_| before.next().is_none())
            } else {
                years.iter().find(|year| year.at == at.end + 1)
            };
            let Some(from) = from else { continue };
            let behind = at.end + if later { 1 } else { 2 };
            let reached = |year: &&Year| {
                let next = year.at > behind
                    && year.at - behind <= 3
                    && self.word(year.at - 1) == "in"
                    && self.only(behind..year.at - 1, &[",", "("]);
                // "In 1995, three years after 1990".
                let ahead = !later
                    && year.at + 1 < at.start
                    && self.only(year.at + 1..at.start, &[",", "("])
                    && year.at.checked_sub(1).is_some_and(|i| self.word(i) == "in");
                next || ahead
            };
            let Some(to) = years.iter().find(reached).filter(|to| to.at != from.at) else {
                continue;
            };
            let wanted = from.year + sign * count;
            if (to.year - wanted).abs() <= SLACK {
                continue;
            }
            let (start, end) = (
                from.span.start.min(to.span.start),
                from.span.end.max(to.span.end),
            );
            let place = Span::new(start.min(span.start), end);
            let (count, word) = (self.text(span), self.word(at.end));
            let says = Message::new("{count} {word} {from} is not {to}")
                .sensitive("count", count)
                .plain("word", if later { "from" } else { word })
                .sensitive("from", from.year.to_string())
                .sensitive("to", to.year.to_string());
            let why = format!("{count} {word} from {} is about {wanted}", from.year);
            return self.told("offset", place, P_CALENDAR, says, why);
        }
        None
    }

    /// "Born in 1950, he died in 1980 at the age of 40".
    fn ages(&self, years: &[Year]) -> Option<Finding> {
        let [one, two] = years else { return None };
        let behind = |year: &Year, words: &[&str]| {
            (year.at.saturating_sub(5)..year.at)
                .rev()
                .take_while(|i| !matches!(self.word(*i), "," | ";" | "("))
                .any(|i| words.contains(&self.word(i)))
        };
        if !behind(one, &["born"]) || !behind(two, &["died"]) || two.year < one.year {
            return None;
        }
        let view = self.times.view;
        let age = view.quantities.iter().find_map(|quantity| {
            let at = view.lexemes_in(quantity.span).start;
            let word = |by: usize| at.checked_sub(by).map_or("", |i| self.word(i));
            let aged = word(1) == "aged" || word(1) == "of" && word(2) == "age";
            let close = at > two.at && at - two.at <= 6;
            let plain = !quantity.approximate && quantity.value.fract() == 0.0;
            #[allow(clippy::cast_possible_truncation)]
            (aged && close && plain).then_some((quantity.span, quantity.value as i64))
        });
        let (span, age) = age?;
        let lived = two.year - one.year;
        if age == lived || age == lived - 1 {
            return None;
        }
        let says = Message::new("{age} does not fit the years beside it")
            .sensitive("age", age.to_string());
        let why = format!("From {} to {} are {lived} years", one.year, two.year);
        let place = Span::new(one.span.start, span.end.max(two.span.end));
        self.told("age", place, P_CALENDAR, says, why)
    }

    /// "in 1850, in the 20th century".
    fn centuries(&self, years: &[Year]) -> Option<Finding> {
        let view = self.times.view;
        let light = [
            ",",
            "(",
            "in",
            "the",
            "at",
            "start",
            "beginning",
            "end",
            "early",
            "late",
            "of",
            "mid",
            "during",
            "-",
            "middle",
            "half",
            "first",
            "second",
            "that",
            "is",
        ];
        for i in 0..view.lexemes.len() {
            if self.word(i) != "century" || i == 0 {
                continue;
            }
            let ordinal = view.lexemes[i - 1].span;
            let number = view
                .quantities
                .iter()
                .find(|q| q.kind == QuantityKind::Ordinal && q.span.overlaps(ordinal));
            let Some(number) = number.filter(|q| (5.0..=21.0).contains(&q.value)) else {
                continue;
            };
            // "the 5th century BC".
            if self.word(i + 1).starts_with('b') && self.word(i + 1).len() <= 4 {
                continue;
            }
            #[allow(clippy::cast_possible_truncation)]
            let century = number.value as i64;
            let beside = years.iter().find(|year| {
                let between = if year.at > i {
                    i + 1..year.at
                } else {
                    year.at + 1..i - 1
                };
                let marked = between.clone().any(|j| matches!(self.word(j), "," | "("));
                let dated = year
                    .at
                    .checked_sub(1)
                    .is_some_and(|j| matches!(self.word(j), "in" | "(" | ","));
                let said = between
                    .clone()
                    .any(|j| matches!(self.word(j), "in" | "at" | "during"))
                    || year.at > i;
                between.len() <= BESIDE && marked && dated && said && self.only(between, &light)
            });
            let Some(year) = beside else { continue };
            // The years at both ends are told of either century.
            if ((century - 1) * 100..=century * 100).contains(&year.year) {
                continue;
            }
            let name = self.text(Span::new(ordinal.start, view.lexemes[i].span.end));
            let says = Message::new("{year} is not in the {century}")
                .sensitive("year", year.year.to_string())
                .sensitive("century", name);
            let place = Span::new(
                year.span.start.min(ordinal.start),
                year.span.end.max(view.lexemes[i].span.end),
            );
            let why = format!(
                "That century is from {} to {}",
                (century - 1) * 100 + 1,
                century * 100
            );
            return self.told("century", place, P_CALENDAR, says, why);
        }
        None
    }
}
