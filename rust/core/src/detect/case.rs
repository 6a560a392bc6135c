//! Amounts of an example, where a source sets a limit: "for an order of 20 euros, delivery costs 3
//! euros" beside "delivery is free for orders over 30 euros". Such an amount is the writer's own, and
//! at odds with no limit.

use crate::claims::SentenceView;
use crate::evidence::{EvidenceSet, Limit, PassageIndex, limit, plain_words};
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::tables::frames;
use crate::lexicon::units::convert;
use crate::normal::stem;
use crate::types::{Quantity, QuantityKind, Span};

use super::grounds::Grounds;
use super::replacement::grammar::one_of;

/// Words before an amount among which the thing is sought that it is of.
const REACH: usize = 8;
/// Words behind an amount that may be the thing ("a 12 kg parcel").
const BEHIND: usize = 2;

/// What an amount is an example of.
#[derive(Debug, Default)]
struct Things {
    heads: Vec<String>,
    /// An age by itself: of anybody.
    anybody: bool,
}

impl Things {
    fn has(&self, head: &str) -> bool {
        let whom = |word: &str| frames().has("case_whom", word);
        let root = |word: &str| stem(&one_of(word)).into_owned();
        self.anybody && whom(head)
            || self
                .heads
                .iter()
                .any(|own| own == head || root(own) == root(head) || whom(own) && whom(head))
    }
}

/// What an amount is of that is said as an example, by the words around it; `None` where it is no
/// example, or may be a limit itself.
fn things(before: &str, after: &str) -> Option<Things> {
    if limit(before, 1.0, after, None).is_some() {
        return None;
    }
    let all = plain_words(before);
    let from = all
        .iter()
        .rposition(|word| word == ",")
        .map_or(0, |at| at + 1);
    let words = &all[from.max(all.len().saturating_sub(REACH))..];
    let is = |class: &str, at: usize| words.get(at).is_some_and(|word| frames().has(class, word));
    let when = (0..words.len()).any(|at| is("case_when", at));
    let last = words.len().checked_sub(1)?;
    if is("case_one", last) {
        // "a 12 kg parcel", "an 8-year-old child".
        let compound = after.starts_with('-');
        let after = after.replace('-', " ");
        let behind = plain_words(&after);
        let aged = compound && behind.iter().take(BEHIND).any(|word| word == "old");
        return Some(Things {
            heads: behind
                .into_iter()
                .take(BEHIND + 2 * usize::from(aged))
                .collect(),
            anybody: aged,
        });
    }
    let links = (0..words.len())
        .rev()
        .take_while(|at| is("case_link", *at))
        .count();
    let told = &words[words.len() - links..];
    // "the fee is 5 euros" is no example; "an order that is 20 euros", "if your order is 20 euros".
    let copula =
        |word: &String| cue(word).is(Cue::COPULA) || matches!(word.as_str(), "has" | "have");
    let relative = |word: &String| matches!(word.as_str(), "who" | "that" | "which" | "whose");
    if told.iter().any(copula) && !when && !told.iter().any(relative) {
        return None;
    }
    let mut at = words.len() - links;
    let mut heads = Vec::new();
    while at > 0 {
        at -= 1;
        let word = &words[at];
        if cue(word).is(Cue::FUNCTION) || is("case_one", at) {
            break;
        }
        let sum = frames().has("case_sum", word);
        heads.push(word.clone());
        // "orders to the value of", "order goods for".
        while sum && at > 0 && (is("case_link", at - 1) || cue(&words[at - 1]).is(Cue::DETERMINER))
        {
            at -= 1;
        }
        if !sum {
            break;
        }
    }
    let head = heads.first()?;
    let whom = heads.iter().any(|word| frames().has("case_whom", word));
    let one = (at.saturating_sub(2)..at + 1).any(|at| is("case_one", at)) || head_is_any(head);
    let many = links > 0 && heads.iter().any(|word| one_of(word) != *word);
    let own = if links > 0 {
        one || many || when || whom && !told.iter().any(copula)
    } else {
        when
    };
    own.then_some(Things {
        heads,
        anybody: false,
    })
}

/// "Someone", "anyone".
fn head_is_any(word: &str) -> bool {
    word.ends_with("one") || word.ends_with("body")
}

/// Whether the amount is an example of what the limit is of, set at `place` of a passage.
pub(super) fn is_example_beside(
    view: &SentenceView<'_>,
    said: Span,
    evidence: &EvidenceSet,
    (passage, place): (usize, Span),
) -> bool {
    let own = evidence.limit_in(passage, place);
    let head = own
        .filter(|limit| limit.tells_apart)
        .and_then(|limit| limit.head);
    head.is_some_and(|head| around(view, said).is_some_and(|things| things.has(&head)))
}

/// What stands as a limit in the sentence itself.
pub(super) fn said_limit(view: &SentenceView<'_>, said: &Quantity) -> Option<Limit> {
    let sentence = view.sentence.span;
    limit(
        view.at(Span::new(sentence.start, said.span.start)),
        said.value,
        view.at(Span::new(said.span.end, sentence.end.max(said.span.end))),
        None,
    )
}

/// Whether two limits are set for one thing and differ: "orders over 50", "orders over 30".
pub(super) fn other_limit(one: &Limit, other: &Limit) -> bool {
    let same = |a: f64, b: f64| a == b || (a - b).abs() <= 1e-9 * a.abs();
    let sides = one.low.is_finite() == other.low.is_finite()
        && one.high.is_finite() == other.high.is_finite();
    let heads = one.head.as_ref().zip(other.head.as_ref());
    let things = |head: &str| Things {
        heads: vec![head.to_owned()],
        anybody: false,
    };
    one.tells_apart
        && other.tells_apart
        && sides
        && !(same(one.low, other.low) && same(one.high, other.high))
        && heads.is_some_and(|(one, other)| things(one).has(other))
}

fn around(view: &SentenceView<'_>, said: Span) -> Option<Things> {
    let sentence = view.sentence.span;
    things(
        view.at(Span::new(sentence.start.min(said.start), said.start)),
        view.at(Span::new(said.end, sentence.end.max(said.end))),
    )
}

/// The value in the unit of a limit's number.
fn value_in(said: &Quantity, own: &Quantity) -> Option<f64> {
    match (said.unit, own.unit) {
        (None, None) => (said.kind == own.kind).then_some(said.value),
        (Some(a), Some(b)) => convert(said.value, a, b),
        // "an 8-year-old" beside "under 12 years".
        _ => (said.kind != QuantityKind::Money && own.kind != QuantityKind::Money)
            .then_some(said.value),
    }
}

/// Whether a number may be an example beside a limit, by what is known of its sentence so far.
pub(super) fn may_be_example(
    said: &Quantity,
    before: &str,
    after: &str,
    grounds: &Grounds<'_>,
) -> bool {
    let Some(own) = things(before, after) else {
        return false;
    };
    // What stands behind it is not known yet.
    let open = own.anybody
        || plain_words(before)
            .last()
            .is_some_and(|w| frames().has("case_one", w));
    grounds.evidence.is_some_and(|set| {
        set.passages().iter().any(|passage| {
            let data = passage.data();
            (data.quantities.iter().enumerate())
                .filter(|(_, limited)| value_in(said, &limited.quantity).is_some())
                .filter_map(|(at, _)| data.limit_at(at).filter(|limit| limit.tells_apart)?.head)
                .any(|head| open || own.has(&head))
        })
    })
}

/// The limit that an example goes with, where what the sentence says of it fits the side of the limit
/// that it is on: the other amounts are those of the limit's clause or of another, and it is denied
/// or not as there.
pub(super) fn example_of(
    said: &Quantity,
    view: &SentenceView<'_>,
    evidence: &EvidenceSet,
) -> Option<String> {
    let things = around(view, said.span)?;
    let own = view.at(view.sentence.span);
    evidence.passages().iter().find_map(|passage| {
        let data = passage.data();
        (0..data.quantities.len()).find_map(|at| {
            let number = &data.quantities[at];
            let value = value_in(said, &number.quantity)?;
            let limit = data.limit_at(at)?;
            if !limit.tells_apart || !things.has(limit.head.as_deref()?) {
                return None;
            }
            let clause = clause_of(data, at)?;
            let inside = limit.holds(value);
            let told = data.text().get(clause.start..clause.end)?;
            let alike = denies(own) == denies(told);
            let mut others = (view.quantities.iter())
                .filter(|q| {
                    q.span != said.span
                        && !matches!(q.kind, QuantityKind::Label | QuantityKind::Ordinal)
                })
                .peekable();
            let fits = if others.peek().is_none() {
                alike == inside
            } else {
                others.all(|other| {
                    let there = data
                        .quantities
                        .iter()
                        .any(|q| clause.contains(q.quantity.span) && same(other, &q.quantity));
                    there == inside && (inside || evidence.has_quantity(other))
                })
            };
            let text = data
                .text()
                .get(number.quantity.span.start..number.quantity.span.end)?;
            fits.then(|| text.to_owned())
        })
    })
}

fn same(one: &Quantity, other: &Quantity) -> bool {
    one.unit == other.unit && (one.value - other.value).abs() <= 1e-9 * one.value.abs()
}

/// The clause of a number: the sentence from one of the words that set its parts against each other,
/// or a semicolon, to the next.
fn clause_of(data: &PassageIndex, number: usize) -> Option<Span> {
    let own = data.quantities.get(number)?;
    let sentence = *data.sentences().get(own.sentence as usize)?;
    let text = data.text().get(sentence.start..sentence.end)?;
    let place = own.quantity.span.start - sentence.start;
    let (mut from, mut to) = (0, text.len());
    let mut start = 0;
    for (end, c) in text.char_indices().chain([(text.len(), ' ')]) {
        if c.is_alphanumeric() {
            continue;
        }
        let word = text.get(start..end).unwrap_or("").to_lowercase();
        if c == ';' || frames().has("against", &word) || word == "otherwise" {
            let cut = if c == ';' { end } else { start };
            if cut <= place {
                from = from.max(cut);
            } else {
                to = to.min(cut);
            }
        }
        start = end + c.len_utf8();
    }
    Some(Span::new(sentence.start + from, sentence.start + to))
}

/// Whether a text denies something, or says that it is for nothing.
fn denies(text: &str) -> bool {
    plain_words(text).iter().any(|word| {
        cue(word).is(Cue::NEGATION)
            || word.ends_with("n't")
            || matches!(word.as_str(), "no" | "without" | "free")
    })
}
