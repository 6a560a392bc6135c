//! Numbers and dates that no source has, but that follow from its own in one step: a difference, a
//! sum, a product, a part, a day that many days later.
//!
//! What follows has the unit of its parts, which stand together in one sentence or in two that
//! follow each other, so that of the many numbers that a passage has only few can be reckoned.

use std::sync::Arc;

use crate::claims::numbers_agree;
use crate::dialogue::Dialogue;
use crate::evidence::{Counted, EvidenceSet, Passage};
use crate::lexicon::units::{by_name, comparable, convert, unit};
use crate::normal::stem;
use crate::types::{Quantity, QuantityKind, UnitId};

use super::grounds::Grounds;
use rate::rate;

mod days;
mod rate;
mod rated;

pub(super) use days::reckoned_date;
pub(super) use rate::{Rate, rate_phrase};
pub(super) use rated::{may_be_rated, rated};

/// Numbers of one passage that are put together with one.
const NEAR: usize = 12;
/// Sentences that two of them may be apart.
const APART: u32 = 1;
/// Bytes behind a number that may say what it is per.
const BEHIND: usize = 40;
/// Counts by which an amount is multiplied.
const COUNTS: std::ops::RangeInclusive<f64> = 2.0..=10_000.0;
/// How far off an amount that is marked as approximate may be.
const ABOUT: f64 = 0.05;

/// A number of a source.
#[derive(Clone, Copy)]
struct Amount<'a> {
    value: f64,
    unit: Option<UnitId>,
    kind: QuantityKind,
    noun: u64,
    sentence: u32,
    text: &'a str,
    behind: &'a str,
    /// Its sentence up to it, and as a whole.
    before: &'a str,
    around: &'a str,
}

impl<'a> Amount<'a> {
    fn of(own: &Counted, passage: &'a Passage) -> Self {
        let text = passage.text();
        let sentence = passage.data().sentences().get(own.sentence as usize);
        let sentence = sentence.copied().unwrap_or_default();
        let span = own.quantity.span;
        let mut end = (span.end + BEHIND).min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        Self {
            value: own.quantity.value,
            unit: own.quantity.unit,
            kind: own.quantity.kind,
            noun: own.context.noun,
            sentence: own.sentence,
            text: text.get(span.start..span.end).unwrap_or(""),
            behind: text.get(span.end..end).unwrap_or(""),
            before: text.get(sentence.start..span.start).unwrap_or(""),
            around: text.get(sentence.start..sentence.end).unwrap_or(""),
        }
    }

    /// Whether it is what one of the things comes to that the other counts: "5 crates of 10 kg", "10
    /// kg a crate", "each crate weighs 10 kg".
    fn is_rate_of(&self, count: &Self) -> bool {
        let joined = count
            .behind
            .find(self.text)
            .and_then(|end| count.behind.get(..end));
        let of = |words: &str| {
            let mut words = words.split_whitespace().rev();
            words
                .next()
                .is_some_and(|word| matches!(word, "of" | "x" | "×" | "at" | "for" | "with" | "by"))
        };
        let each = |word: &str| {
            ["each", "every", "per", "apiece"]
                .iter()
                .any(|own| word.eq_ignore_ascii_case(own))
        };
        let words = |text: &'a str| {
            text.split(|c: char| !c.is_alphabetic())
                .filter(|w| !w.is_empty())
        };
        let clause = self
            .behind
            .find([',', ';', '.'])
            .map_or(self.behind, |end| &self.behind[..end]);
        if self.sentence == count.sentence && joined.is_some_and(of)
            // A count is of no days: "ten a day" times it is nothing.
            || rate(self.behind) == Rate::Other
            || words(self.before).chain(words(clause)).any(each)
        {
            return true;
        }
        // "A ticket costs 10 euros. 5 tickets …": what is counted is named once more.
        let Some(noun) = words(count.behind).next().filter(|noun| noun.len() > 2) else {
            return false;
        };
        let noun = stem(&noun.to_lowercase()).into_owned();
        let again = words(self.around)
            .filter(|word| stem(&word.to_lowercase()) == noun)
            .count();
        again > usize::from(self.sentence == count.sentence && self.around == count.around)
    }

    fn counts(&self) -> bool {
        let whole = self.value.fract() == 0.0 && COUNTS.contains(&self.value);
        self.kind == QuantityKind::Cardinal && self.unit.is_none() && whole
    }
}

/// How a number follows from numbers of the sources in one step; `None` where it does not. `behind`
/// is what stands behind it, as far as that is known: without it, any rate may follow.
pub(super) fn reckoned(
    said: &Quantity,
    behind: Option<&str>,
    grounds: &Grounds<'_>,
) -> Option<String> {
    let plain = said.kind == QuantityKind::Cardinal;
    if matches!(said.kind, QuantityKind::Label | QuantityKind::Ordinal) || plain && said.value < 2.0
    {
        return None;
    }
    let asked = counts(grounds);
    for set in grounds.sets() {
        for passage in set.passages() {
            let mut amounts: Vec<Amount<'_>> = (passage.data().quantities.iter())
                .filter(|own| own.quantity.kind != QuantityKind::Ordinal)
                .map(|own| Amount::of(own, passage))
                .collect();
            share_units(&mut amounts);
            amounts.extend(days::years(passage));
            amounts.sort_by_key(|own| own.sentence);
            let own = converted(said, &amounts)
                .or_else(|| in_pairs(said, behind, &amounts))
                .or_else(|| priced(said, behind, &amounts, &asked))
                .or_else(|| in_all(said, &amounts))
                .or_else(|| days::hours_between(said, passage))
                .or_else(|| halved(said, &amounts, passage));
            if own.is_some() {
                return own;
            }
        }
    }
    None
}

/// Counts of question and dialogue ("for a team of 12").
fn counts<'a>(grounds: &Grounds<'a>) -> Vec<Amount<'a>> {
    let sets: [Option<&'a EvidenceSet>; 2] = [
        grounds.question,
        grounds.dialogue.map(Dialogue::as_evidence),
    ];
    let passages = sets.into_iter().flatten().flat_map(EvidenceSet::passages);
    let all = passages.flat_map(|passage: &'a Arc<Passage>| {
        let own = passage.data().quantities.iter();
        own.map(|own| Amount::of(own, passage))
    });
    all.filter(Amount::counts).take(NEAR).collect()
}

/// "60 to 30 minutes" tells of 60 minutes, and "95 F" of degrees.
fn share_units(amounts: &mut [Amount<'_>]) {
    let joins = |own: &Amount<'_>, next: &Amount<'_>| {
        let between = own
            .behind
            .find(next.text)
            .and_then(|end| own.behind.get(..end));
        between.is_some_and(|words| matches!(words.trim(), "to" | "-" | "–" | "—" | "and" | "or"))
    };
    for at in 0..amounts.len() {
        let own = amounts[at];
        if own.unit.is_some() || own.kind != QuantityKind::Cardinal {
            continue;
        }
        if let Some(next) = amounts.get(at + 1).filter(|next| joins(&own, next)) {
            (amounts[at].unit, amounts[at].kind) = (next.unit, next.kind);
            continue;
        }
        let mut letters = own.behind.trim_start().chars();
        let name = match letters.next() {
            Some('F') => "degree Fahrenheit",
            Some('C') => "degree Celsius",
            _ => continue,
        };
        if !letters.next().is_some_and(char::is_alphanumeric) {
            (amounts[at].unit, amounts[at].kind) = (by_name(name), QuantityKind::Measure);
        }
    }
}

/// The same amount in another unit.
fn converted(said: &Quantity, amounts: &[Amount<'_>]) -> Option<String> {
    let same = |own: &&Amount<'_>| {
        said.unit.is_some()
            && own.unit.is_some()
            && numbers_agree(said, own.value, own.unit) == Some(true)
    };
    amounts.iter().find(same).map(|own| own.text.to_owned())
}

/// Whether `value` of `of` is what is said.
fn is(said: &Quantity, value: f64, of: Option<UnitId>) -> bool {
    let own = match (said.unit, of) {
        (None, None) => Some(value),
        (Some(a), Some(b)) => convert(value, b, a),
        _ => None,
    };
    let slack = if said.approximate {
        said.value.abs() * ABOUT
    } else {
        said.value.abs() * 1e-9
    };
    own.is_some_and(|own| own > 0.0 && (own - said.value).abs() <= slack)
}

/// Whether it is, as precisely as it is written.
fn rounds(said: &Quantity, value: f64) -> bool {
    let granule = 10_f64.powi(-i32::from(said.decimals));
    let slack = if said.approximate {
        said.value.abs() * ABOUT
    } else {
        granule / 2.0 + 1e-9
    };
    (value - said.value).abs() <= slack
}

/// Years that a duration comes to.
fn in_years(value: f64, of: Option<UnitId>) -> Option<f64> {
    let of = unit(of?);
    (of.base == "month" && of.factor >= 12.0).then(|| value * of.factor / 12.0)
}

fn in_pairs(said: &Quantity, behind: Option<&str>, amounts: &[Amount<'_>]) -> Option<String> {
    let duration = in_years(said.value, said.unit);
    let close = |i: usize| {
        let from = amounts[i].sentence;
        let rest = amounts[i + 1..].iter().take(NEAR);
        rest.take_while(move |other| other.sentence - from <= APART)
    };
    for (i, a) in amounts.iter().enumerate() {
        for b in close(i) {
            let (low, high) = if a.value <= b.value { (a, b) } else { (b, a) };
            let years = (a.kind == QuantityKind::Year, b.kind == QuantityKind::Year);
            let found = match years {
                (true, true) => duration.and_then(|own| {
                    let apart = high.value - low.value;
                    let slack = if said.approximate { 1.0 } else { 1e-9 };
                    (apart > 0.0 && (apart - own).abs() <= slack).then_some((high, '−', low))
                }),
                (true, false) | (false, true) => {
                    let (year, other) = if years.0 { (a, b) } else { (b, a) };
                    let by = in_years(other.value, other.unit);
                    by.filter(|_| said.kind == QuantityKind::Year)
                        .and_then(|by| match said.value - year.value {
                            apart if apart == by => Some((year, '+', other)),
                            apart if -apart == by => Some((year, '−', other)),
                            _ => None,
                        })
                }
                (false, false) => steps(said, behind, a, b, high, low),
            };
            if let Some((left, sign, right)) = found {
                return Some(format!("{} {sign} {}", left.text, right.text));
            }
        }
    }
    None
}

type Step<'a, 'b> = (&'b Amount<'a>, char, &'b Amount<'a>);

/// Two amounts that are no years.
fn steps<'a, 'b>(
    said: &Quantity,
    behind: Option<&str>,
    a: &'b Amount<'a>,
    b: &'b Amount<'a>,
    high: &'b Amount<'a>,
    low: &'b Amount<'a>,
) -> Option<Step<'a, 'b>> {
    let together = a.sentence == b.sentence;
    let alike = said.kind == a.kind
        && a.kind == b.kind
        && match (a.unit, b.unit) {
            (None, None) => a.noun == b.noun && a.noun != 0 || together,
            // Of the lengths and times of a text, most have nothing to do with each other.
            (Some(x), Some(y)) => {
                comparable(x, y) && (said.kind != QuantityKind::Measure || together)
            }
            _ => false,
        };
    if alike {
        let other = match (a.unit, b.unit) {
            (Some(x), Some(y)) => convert(b.value, y, x)?,
            _ => b.value,
        };
        if is(said, (a.value - other).abs(), a.unit) {
            return Some((high, '−', low));
        }
        if is(said, a.value + other, a.unit) {
            return Some((a, '+', b));
        }
    }
    // "24 rows of 30 seats", "600 pupils in 24 classes": the rate is said.
    if together && a.counts() && b.counts() && said.kind == QuantityKind::Cardinal {
        if is(said, a.value * b.value, None) && (b.is_rate_of(a) || a.is_rate_of(b)) {
            return Some((a, '×', b));
        }
        let shared = behind.is_none_or(|text| rate(text) != Rate::None);
        if shared && rounds(said, high.value / low.value) {
            return Some((high, '÷', low));
        }
    }
    let part = |whole: &Amount<'_>, share: &Amount<'_>| {
        share.kind == QuantityKind::Percent
            && whole.kind == said.kind
            && is(said, whole.value * share.value / 100.0, whole.unit)
    };
    if part(a, b) {
        return Some((a, '×', b));
    }
    if part(b, a) {
        return Some((b, '×', a));
    }
    let share = said.kind == QuantityKind::Percent && a.counts() && b.counts() && together;
    (share && rounds(said, low.value / high.value * 100.0)).then_some((low, '÷', high))
}

/// An amount at another rate ("$588 a year" of "$49 a month"), or for so many.
fn priced(
    said: &Quantity,
    behind: Option<&str>,
    amounts: &[Amount<'_>],
    asked: &[Amount<'_>],
) -> Option<String> {
    if !matches!(said.kind, QuantityKind::Money | QuantityKind::Measure) {
        return None;
    }
    let alike = |(_, own): &(usize, &Amount<'_>)| own.kind == said.kind;
    for (at, own) in amounts.iter().enumerate().filter(alike) {
        let from = rate(own.behind);
        let to = behind.map(rate);
        for &(times, rate) in from.others() {
            let told = to.is_none_or(|to| to == rate || to == Rate::None && rate == Rate::Year);
            if told && is(said, own.value * times, own.unit) {
                return Some(format!("{} × {times}", own.text));
            }
        }
        let comes = |count: &&Amount<'_>| is(said, own.value * count.value, own.unit);
        let near = |count: &&Amount<'_>| {
            let close = count.sentence.abs_diff(own.sentence) <= APART;
            close && count.counts() && comes(count) && own.is_rate_of(count)
        };
        // The amounts stand in the order of the text.
        let around = &amounts[at.saturating_sub(NEAR)..amounts.len().min(at + NEAR)];
        let mut asked = asked.iter().filter(comes);
        if let Some(count) = asked.next().or_else(|| around.iter().find(near)) {
            return Some(format!("{} × {}", count.text, own.text));
        }
    }
    None
}

/// The sum of all of a kind in one sentence.
fn in_all(said: &Quantity, amounts: &[Amount<'_>]) -> Option<String> {
    let sentences = amounts.chunk_by(|a, b| a.sentence == b.sentence);
    for own in sentences {
        let like: Vec<&Amount<'_>> = (own.iter())
            .filter(|a| a.kind == said.kind && a.unit == said.unit)
            .collect();
        let sum: f64 = like.iter().map(|a| a.value).sum();
        if like.len() > 2 && said.kind != QuantityKind::Year && is(said, sum, said.unit) {
            let all: Vec<&str> = like.iter().map(|a| a.text).collect();
            return Some(all.join(" + "));
        }
    }
    None
}

/// Words for a part of what follows, or for a multiple of it.
const SHARES: [(&str, f64); 8] = [
    ("half", 0.5),
    ("halves", 0.5),
    ("halved", 0.5),
    ("third", 1.0 / 3.0),
    ("quarter", 0.25),
    ("fifth", 0.2),
    ("tenth", 0.1),
    ("twice", 2.0),
];

/// "Half of the 40".
fn halved(said: &Quantity, amounts: &[Amount<'_>], passage: &Passage) -> Option<String> {
    let data = passage.data();
    amounts.iter().find_map(|own| {
        let sentence = data.sentences().get(own.sentence as usize)?;
        let text = passage.text().get(sentence.start..sentence.end)?;
        let (word, times) = SHARES.iter().find(|(word, times)| {
            own.kind == said.kind
                && is(said, own.value * times, own.unit)
                && text
                    .split(|c: char| !c.is_alphabetic())
                    .any(|other| other.eq_ignore_ascii_case(word))
        })?;
        (*times > 0.0).then(|| format!("{word} of {}", own.text))
    })
}
