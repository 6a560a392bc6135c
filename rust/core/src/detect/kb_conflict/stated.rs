//! Whether a number beside an attribute that counts is its value at all: "the population is lower
//! than in 1970" and "employs a third of the town" give no number of people.

use crate::claims::{Folded, SentenceView, is_share, says_share, unit_named};
use crate::kb::{Fact, Value, loose};
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::{frames, values};
use crate::types::{LexKind, Quantity, QuantityKind, Span};

use crate::detect::object::Object;

/// Words between two counts that stand side by side.
const APART: usize = 5;

/// Whether what is said is a year, a date or a share, and the fact a count.
pub(super) fn not_its_value(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    object: &Object<'_>,
    fact: &Fact,
) -> bool {
    let said = &object.quantities;
    let shared = || said.iter().any(|quantity| is_share(view, folded, quantity));
    match &fact.value {
        Value::Number { value, unit } => {
            let percent = unit
                .as_deref()
                .is_some_and(|of| matches!(of, "%" | "percent" | "per cent"));
            let measured = unit.as_deref().and_then(unit_named).is_some();
            if percent || measured {
                return false;
            }
            // A rate or a ratio can be another fraction.
            let whole = value.fract() == 0.0 && value.abs() >= 2.0;
            whole
                && (dated(view, folded, object, fact, *value)
                    || shared()
                    || comes_to(view, object, *value))
        }
        Value::Text(text) => loose(text).is_some() && !says_share(text) && shared(),
        _ => false,
    }
}

/// "12 suites and 74 rooms" of 86: counts that stand side by side and come to the value together.
fn comes_to(view: &SentenceView<'_>, object: &Object<'_>, value: f64) -> bool {
    let counts: Vec<&Quantity> = view
        .quantities
        .iter()
        .filter(|q| q.kind == QuantityKind::Cardinal && q.unit.is_none())
        .collect();
    let Some(at) = counts.iter().position(|q| object.span().overlaps(q.span)) else {
        return false;
    };
    let side_by_side = |pair: &[&Quantity]| {
        let between = view.lexemes_in(Span::new(pair[0].span.end, pair[1].span.start));
        let joined = |i: usize| matches!(view.word(i), "and" | "," | "plus" | "+" | "&" | "as");
        between.len() <= APART && between.clone().any(joined)
    };
    (0..=at).any(|from| {
        (at + 1..=counts.len()).any(|to| {
            let all = &counts[from..to];
            let sum: f64 = all.iter().map(|q| q.value).sum();
            all.len() > 1 && (sum - value).abs() < f64::EPSILON && all.windows(2).all(side_by_side)
        })
    })
}

/// Whether a year is all that is said, and it does not stand as the count.
fn dated(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    object: &Object<'_>,
    fact: &Fact,
    value: f64,
) -> bool {
    let mut numbers = object.quantities.iter();
    let years = numbers.all(|q| {
        let date = object.dates.iter().any(|date| date.span.overlaps(q.span));
        q.kind == QuantityKind::Year || date || labels(view, folded, q)
    });
    if !years || object.quantities.is_empty() && object.dates.is_empty() {
        return false;
    }
    // What may be a year itself is a count only by its name.
    let year = (1000.0..2200.0).contains(&value);
    if year
        && !fact
            .predicate
            .split('_')
            .any(|word| values().has("counted", word))
    {
        return false;
    }
    let spans = object.quantities.iter().map(|q| q.span);
    let spans = spans.chain(object.dates.iter().map(|date| date.span));
    spans
        .map(|span| view.lexemes_in(span).start)
        .all(|at| !stands_as_value(view, folded, at))
}

/// "The 2020 census", "its 1998 charter": a plain number of a year's size behind an article.
fn labels(view: &SentenceView<'_>, folded: &Folded<'_>, said: &Quantity) -> bool {
    let text = view.at(said.span);
    let at = view.lexemes_in(said.span).start;
    let led = at.checked_sub(1).is_some_and(|i| {
        let cue = folded.cue(i);
        cue.is(Cue::DETERMINER.or(Cue::POSSESSIVE)) && !matches!(folded.get(i), "a" | "some")
    });
    led && said.kind == QuantityKind::Cardinal
        && text.len() == 4
        && text.bytes().all(|b| b.is_ascii_digit())
        && (1000.0..2200.0).contains(&said.value)
}

/// Whether the number at a lexeme is what the verb, a colon or "a population of" leads to.
fn stands_as_value(view: &SentenceView<'_>, folded: &Folded<'_>, at: usize) -> bool {
    let light = |i: &usize| {
        let word = folded.get(*i);
        let cue = folded.cue(*i);
        frames().has("loose", word)
            || cue.is(Cue::ADVERB) && !cue.is(Cue::PREPOSITION) && word != "since"
    };
    let Some(before) = (0..at).rev().find(|i| !light(i)) else {
        // "2015 people live in": a number that opens the sentence counts what follows.
        return at == 0 && view.kind(at + 1) == Some(LexKind::Word);
    };
    let word = folded.get(before);
    let cue = folded.cue(before);
    if cue.is(Cue::COPULA.or(Cue::AUXILIARY)) || matches!(view.word(before), ":" | "=" | "|") {
        return true;
    }
    let verb = |i: usize| {
        folded.known(i).verb.is_some() && !folded.cue(i).is(Cue::PREPOSITION.or(Cue::CONJUNCTION))
    };
    match word {
        // "a capacity of 2015", not "the census of 2015"
        "of" => before.checked_sub(1).is_some_and(|i| {
            let noun = folded.get(i);
            values().has("whole", noun) || view.attributes.predicates().named(noun).is_some()
        }),
        // "stands at 1950", "grew to 2015"
        "at" | "to" => before.checked_sub(1).is_some_and(verb),
        _ => verb(before),
    }
}
