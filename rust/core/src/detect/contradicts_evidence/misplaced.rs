//! A value that the sources have for another thing: "students pay 7 euros", where children do and students pay 9.

use crate::claims::{SentenceView, numbers_agree};
use crate::detect::how_often::Otherwise;
use crate::evidence::EvidenceSet;
use crate::lexicon::cues::{Cue, cue, verb};
use crate::lexicon::tables::facing;
use crate::segment;
use crate::types::{DateExpr, Quantity, QuantityKind, Span};

use super::plain::{Word, base, leaves_open, number, same_words, within, words};
use super::sources::sources;

/// Words of a part of a sentence with a value, at most: a longer one says more than one thing.
const LONGEST: usize = 14;

/// A value, with what is said of it.
#[derive(Debug)]
struct Slot {
    value: Value,
    at: Span,
    /// Bases of the content words of its part of the sentence.
    words: Vec<String>,
    /// Those of them that stand before its verb.
    subject: Vec<String>,
    /// Of what it is cannot be told from the part alone, or it is told as a limit.
    unclear: bool,
}

#[derive(Debug, Clone, Copy)]
enum Value {
    Amount(Quantity),
    /// Minutes from midnight.
    Clock(u16),
    Year(i32),
}

impl Value {
    fn of_date(date: &DateExpr) -> Option<Self> {
        let year = || date.year.filter(|_| date.month.is_none());
        let clock = date.minutes.map(Self::Clock);
        clock.or_else(|| year().map(Self::Year))
    }

    fn of_quantity(quantity: &Quantity) -> Option<Self> {
        match quantity.kind {
            QuantityKind::Year => Some(Self::Year(quantity.value as i32)),
            QuantityKind::Money | QuantityKind::Measure | QuantityKind::Percent => {
                Some(Self::Amount(*quantity))
            }
            _ => None,
        }
    }

    /// Whether they are the same; `None` where they are not of one kind.
    fn agrees(&self, other: &Self) -> Option<bool> {
        match (self, other) {
            (Self::Amount(a), Self::Amount(b)) if a.kind == b.kind => {
                numbers_agree(a, b.value, b.unit)
            }
            (Self::Clock(a), Self::Clock(b)) => Some(a == b),
            (Self::Year(a), Self::Year(b)) => Some(a == b),
            _ => None,
        }
    }

    /// Whether they may be the same: a sign may stand outside a sentence's own words.
    fn is_like(&self, other: &Self) -> bool {
        let unsigned = |value: &Self| match value {
            Self::Amount(amount) => Self::Amount(Quantity {
                value: amount.value.abs(),
                ..*amount
            }),
            other => *other,
        };
        self.agrees(other) == Some(true) || unsigned(self).agrees(&unsigned(other)) == Some(true)
    }
}

/// The slots of a sentence.
#[derive(Debug)]
struct Slots(Vec<Slot>);

/// The value that a source has for what the sentence gives another one, which the sources have for other
/// things alone.
pub(super) fn misplaced<'a>(
    view: &SentenceView<'_>,
    evidence: &'a EvidenceSet,
) -> Option<Otherwise<'a>> {
    if !may_be_held(view, evidence) {
        return None;
    }
    let said = Slots::read(view.text)?;
    said.0.iter().find_map(|own| own.misplaced(view, evidence))
}

/// Whether the sources may have one of the sentence's values, of whatever thing: told by what was read of both
/// before, without their words.
fn may_be_held(view: &SentenceView<'_>, evidence: &EvidenceSet) -> bool {
    // Words that lead the statement may hold a value too, which was left out with them.
    let first = view.lexemes.first().map_or(0, |lexeme| lexeme.span.start);
    if first > view.sentence.span.start {
        return !view.quantities.is_empty() || !view.dates.is_empty();
    }
    let times = view.dates.iter().filter_map(Value::of_date);
    let amounts = view.quantities.iter().filter_map(Value::of_quantity);
    times.chain(amounts).any(|own| {
        evidence.passages().iter().any(|passage| {
            let data = passage.data();
            let times = data.dates.iter();
            let times = times.filter_map(|dated| Value::of_date(&dated.date));
            let amounts = data.quantities.iter();
            let amounts = amounts.filter_map(|counted| Value::of_quantity(&counted.quantity));
            times.chain(amounts).any(|told| own.is_like(&told))
        })
    })
}

impl Slot {
    fn misplaced<'a>(
        &self,
        view: &SentenceView<'_>,
        evidence: &'a EvidenceSet,
    ) -> Option<Otherwise<'a>> {
        if self.unclear || self.subject.is_empty() {
            return None;
        }
        let mut found: Option<Otherwise<'a>> = None;
        let mut of_others = false;
        for (source, told) in sources(evidence, Slots::read) {
            for told in &told.0 {
                match self.value.agrees(&told.value) {
                    Some(true) if self.may_be(told) => return None,
                    Some(true) => of_others = true,
                    Some(false) if !told.unclear && same_words(&self.words, &told.words) => {
                        if found.is_some() {
                            return None;
                        }
                        found = source.instead(view, self.at, told.at);
                    }
                    _ => {}
                }
            }
        }
        found.filter(|_| of_others)
    }

    /// Whether a source's value may be of what this one says: it names no other thing.
    fn may_be(&self, told: &Self) -> bool {
        let other = told.words.iter().any(|word| !self.words.contains(word));
        told.unclear || within(&self.subject, &told.words) || !other
    }
}

impl Slots {
    fn read(text: &str) -> Option<Self> {
        let mut slots = Vec::new();
        if !text.contains(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let all = words(text);
        let open = leaves_open(text, &all) || all.iter().any(Word::denies);
        let values = values(text);
        let of = |word: &Word| {
            values
                .iter()
                .position(|(span, _)| span.start < word.end && word.start < span.end)
        };
        let mut parts: Vec<Vec<&Word>> = vec![Vec::new()];
        for (i, word) in all.iter().enumerate() {
            let joins = matches!(&*word.folded, "and" | "while" | "whereas" | "but");
            // "On Sundays, it opens at 9": what stands in front belongs to the next part.
            let has_value = parts
                .last()
                .is_some_and(|part| part.iter().any(|word| of(word).is_some()));
            if (word.parted || joins) && i > 0 && has_value {
                parts.push(Vec::new());
            }
            if let Some(part) = parts.last_mut() {
                part.push(word);
            }
        }
        let mut bare = None;
        for part in &parts {
            let mut own: Vec<usize> = part.iter().filter_map(|word| of(word)).collect();
            own.dedup();
            let verbal = |i: usize, inflected: bool| {
                let base = verb(&part[i].folded);
                let led = part[..i].iter().any(|word| word.content);
                led && base.is_some_and(|base| !inflected || base != part[i].folded)
            };
            let places = 0..part.len();
            let verb = places
                .clone()
                .find(|i| part[*i].helps() || verbal(*i, true))
                .or_else(|| places.clone().find(|i| verbal(*i, false)));
            for at in &own {
                let (span, value) = values[*at];
                let counts = |word: &&&Word| {
                    (word.content || number(word)) && !word.helps() && of(word).is_none()
                };
                let stems = |words: &[&Word]| -> Vec<String> {
                    words.iter().filter(counts).map(|word| base(word)).collect()
                };
                let before = part.iter().rev().find(|word| word.end <= span.start);
                let limit = before.is_some_and(|word| facing().has("limit", &word.folded))
                    || text[span.end..].starts_with(['-', '–', '+', '/']);
                let pronoun = Cue::PRONOUN_THING
                    .or(Cue::PRONOUN_PERSON)
                    .or(Cue::PRONOUN_GROUP);
                let first = part
                    .iter()
                    .find(|word| word.content || cue(&word.folded).is(pronoun));
                let unclear = open
                    || limit
                    || own.len() > 1
                    || part.iter().any(|word| facing().has("more", &word.folded))
                    || part.len() > LONGEST
                    || verb.is_none()
                    || first.is_none_or(|word| !word.content);
                slots.push(Slot {
                    value,
                    at: span,
                    words: stems(part),
                    subject: stems(&part[..verb.unwrap_or(0)]),
                    unclear,
                });
            }
            // Words behind the last value narrow it.
            if own.is_empty() {
                bare = slots.len().checked_sub(1);
            }
        }
        if let Some(slot) = bare.and_then(|at| slots.get_mut(at)) {
            slot.unclear = true;
        }
        (!slots.is_empty()).then_some(Self(slots))
    }
}

/// Amounts and times of day of a text, in order.
fn values(text: &str) -> Vec<(Span, Value)> {
    let (dates, quantities) = segment::dates_and_quantities(text);
    let times = dates.iter();
    let times = times.filter_map(|date| Some((date.span, Value::of_date(date)?)));
    let mut all: Vec<(Span, Value)> = times.collect();
    for quantity in quantities {
        let apart = !dates.iter().any(|date| date.span.overlaps(quantity.span));
        if let Some(value) = Value::of_quantity(&quantity).filter(|_| apart) {
            all.push((quantity.span, value));
        }
    }
    all.sort_by_key(|(span, _)| span.start);
    all
}
