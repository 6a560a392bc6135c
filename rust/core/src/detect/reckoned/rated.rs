//! What so many cost at a source's rate: "3 days, $225" where it has "$75 per day".

use crate::claims::SentenceView;
use crate::evidence::Passage;
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::time;
use crate::normal::{fold_name, stem};
use crate::types::{Quantity, QuantityKind, UnitId};

use super::{Amount, COUNTS, is, rate_phrase};
use crate::detect::grounds::Grounds;

/// Words behind a count among which its noun stands.
const NOUN: usize = 3;

/// A rate of a source: so much for one of what the noun names.
struct Rated<'a> {
    amount: Amount<'a>,
    noun: String,
}

fn rates(passage: &Passage) -> Vec<Rated<'_>> {
    let priced = |kind: QuantityKind| matches!(kind, QuantityKind::Money | QuantityKind::Measure);
    let amounts = (passage.data().quantities.iter())
        .filter(|own| priced(own.quantity.kind))
        .map(|own| Amount::of(own, passage));
    amounts
        .filter_map(|amount| {
            let noun = per(amount.behind).or_else(|| {
                // "The daily allowance is $75."
                let words = fold_name(amount.before);
                words.split(' ').find_map(period)
            })?;
            Some(Rated { amount, noun })
        })
        .collect()
}

/// The noun of "per night", "a night", "/night".
fn per(behind: &str) -> Option<String> {
    if let Some((_, _, word)) = rate_phrase(behind) {
        return Some(period(&word).unwrap_or(word));
    }
    let rest = behind.trim_start();
    let mut words = rest.split(|c: char| !c.is_alphabetic());
    let (first, noun) = (words.next()?, words.next()?.to_lowercase());
    let each = matches!(first, "a" | "an" | "each" | "every");
    (each && time().has("charged_by", &noun)).then_some(noun)
}

/// The noun of "daily".
fn period(word: &str) -> Option<String> {
    time().of("each_", word).map(str::to_owned)
}

/// Whether an amount may be a source's rate so many times, or a number count what one is for; which
/// the sentence tells only when it has closed.
pub(in super::super) fn may_be_rated(said: &Quantity, after: &str, grounds: &Grounds<'_>) -> bool {
    let counted = || counted_noun(said, after);
    let sets = grounds.evidence.into_iter().flat_map(|set| set.passages());
    sets.flat_map(|passage| rates(passage)).any(|rate| {
        if rate.amount.kind == said.kind {
            let times = (said.value / rate.amount.value).round();
            COUNTS.contains(&times) && is(said, rate.amount.value * times, rate.amount.unit)
        } else {
            said.value >= 2.0 && counted().is_some_and(|noun| same(&noun, &rate.noun))
        }
    })
}

fn same(a: &str, b: &str) -> bool {
    stem(a) == stem(b)
}

/// What a number counts: the name of its unit, else the word behind it.
fn counted_noun(said: &Quantity, after: &str) -> Option<String> {
    match (said.kind, said.unit) {
        (QuantityKind::Measure, Some(id)) => Some(crate::lexicon::units::unit(id).name.to_owned()),
        (QuantityKind::Cardinal, None) => {
            let after = after.trim_start_matches([' ', '-']);
            let word = after.split(|c: char| !c.is_alphabetic()).next()?;
            (word.len() > 2).then(|| word.to_lowercase())
        }
        _ => None,
    }
}

/// How an amount follows from a count of the sentence and a source's rate, or a count belongs to such
/// an amount.
pub(in super::super) fn rated(
    said: &Quantity,
    view: &SentenceView<'_>,
    grounds: &Grounds<'_>,
) -> Option<String> {
    let passages = grounds.evidence?.passages();
    let amounts = |kind: QuantityKind, unit: Option<UnitId>| {
        view.quantities
            .iter()
            .filter(move |q| q.kind == kind && (q.unit.is_some() == unit.is_some()))
    };
    for rate in passages.iter().flat_map(|passage| rates(passage)) {
        let own = rate.amount;
        let counts: Vec<&Quantity> = (view.quantities.iter())
            .filter(|q| counts(q, view, &rate.noun))
            .collect();
        for count in counts {
            let product = own.value * count.value;
            let fits = |q: &Quantity| q.span != count.span && is(q, product, own.unit);
            let how = || format!("{} × {}", view.at(count.span), own.text);
            if said.span == count.span && amounts(own.kind, own.unit).any(fits)
                || said.kind == own.kind && fits(said)
            {
                return Some(how());
            }
        }
    }
    None
}

/// Whether it counts what the rate is for: "three days", "4 quiet nights", "a two-night stay".
fn counts(count: &Quantity, view: &SentenceView<'_>, noun: &str) -> bool {
    let whole = count.value.fract() == 0.0 && COUNTS.contains(&count.value) && !count.approximate;
    if !whole {
        return false;
    }
    if let Some(id) = count.unit {
        return same(crate::lexicon::units::unit(id).name, noun);
    }
    let hyphened = view.at(count.span).rsplit('-').next().unwrap_or("");
    let from = view.lexemes_in(count.span).end;
    let folded = view.folded();
    let behind = (from..from + NOUN)
        .take_while(|i| view.is_term(*i) && !folded.cue(*i).is(Cue::PREPOSITION))
        .any(|i| same(folded.get(i), noun));
    count.kind == QuantityKind::Cardinal && (behind || same(&fold_name(hyphened), noun))
}
