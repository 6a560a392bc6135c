//! What is so on some days or for a part of the year only: "closes at four on Christmas Eve", "lives
//! in Bergen during the summer". A fact that does not speak of that time says nothing of it.

use crate::claims::{Folded, SentenceView};
use crate::kb::{Fact, Value};
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::{stance, time};
use crate::lexicon::words::{WordClass, class};
use crate::normal::fold_name;
use crate::types::{LexFlags, LexKind, Span};

/// Words behind a preposition among which the time's name stands ("on most public holidays").
const REACH: usize = 4;

/// Whether the words beside the value at `object` name such a time, and the fact does not. Days of
/// the week count where the fact is a schedule (`weekly`).
pub(super) fn on_occasion(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    fact: &Fact,
    object: Span,
    weekly: bool,
) -> bool {
    let value = view.lexemes_in(object);
    let number = view.quantities.iter().map(|q| q.span);
    let timed = number
        .chain(view.dates.iter().map(|date| date.span))
        .any(|span| span.start == object.start);
    let outside = |i: usize| !value.contains(&i) || timed && i > value.start;
    (1..view.lexemes.len())
        .filter(|i| outside(*i) && named(view, folded, *i, weekly))
        .any(|i| led(view, folded, i) && !carried(fact, folded.get(i)))
}

/// Whether the value at `object` is itself such a day ("closed on Christmas Day"), and the fact is
/// not: another day of the same.
pub(super) fn is_occasion(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    fact: &Fact,
    object: Span,
) -> bool {
    let value = view.lexemes_in(object);
    // "the first Monday of each month", where the fact has every week.
    let nth = |i: usize| {
        let day = class(folded.get(i)).has(WordClass::WEEKDAY);
        let of = matches!(folded.get(i + 1), "of" | "in") && i > 0;
        day && of && time().has("nth", folded.get(i - 1)) && !carried(fact, folded.get(i - 1))
    };
    value
        .clone()
        .any(|i| nth(i) || named(view, folded, i, false) && !carried(fact, folded.get(i)))
}

/// Whether a named time ends at that word: "Eve", "holidays", "summer", "Sundays".
fn named(view: &SentenceView<'_>, folded: &Folded<'_>, i: usize, weekly: bool) -> bool {
    let word = folded.get(i);
    let next = view
        .lexemes
        .get(i + 1)
        .filter(|lexeme| lexeme.kind == LexKind::Word && lexeme.flags.has(LexFlags::CAPITALIZED));
    // "in Winter Street", "in the fall of 1990"
    let goes_on = next.is_some() || folded.get(i + 1) == "of";
    let day = word.strip_suffix('s').unwrap_or(word);
    let capital = |i: usize| view.lexemes[i].flags.has(LexFlags::CAPITALIZED);
    let before = if i > 0 { folded.get(i - 1) } else { "" };
    let holiday = (day == "day" || class(day).has(WordClass::WEEKDAY) || day == "night")
        && (stance().has("occasion", before)
            || before.starts_with("year") && i > 1 && folded.get(i - 2) == "new"
            || time().has("holiday_lead", before));
    // "Labour Day", "St Andrew's Day"
    let day_of = day == "day" && i > 1 && capital(i) && capital(i - 1);
    let holiday = holiday || day_of || capital(i) && time().has("holiday", word);
    let weekday = weekly && class(day).has(WordClass::WEEKDAY);
    // "In December", of no year.
    let month = weekly
        && capital(i)
        && class(word).has(WordClass::MONTH)
        && view.kind(i + 1) != Some(LexKind::Number)
        && (i == 0 || view.kind(i - 1) != Some(LexKind::Number));
    !goes_on && (stance().has("occasion", word) || holiday || weekday || month)
}

/// Whether a preposition of time stands before it: "on", "during the whole".
fn led(view: &SentenceView<'_>, folded: &Folded<'_>, at: usize) -> bool {
    let light = Cue::PREPOSITION.or(Cue::CONJUNCTION).or(Cue::COPULA);
    // "From May to September", "until October"
    let bounds = |i: usize| {
        matches!(
            folded.get(i),
            "from" | "between" | "until" | "till" | "through" | "since"
        )
    };
    if class(folded.get(at)).has(WordClass::MONTH) && at > 0 && bounds(at - 1) {
        return true;
    }
    for i in (at.saturating_sub(REACH)..at).rev() {
        if matches!(
            folded.get(i),
            "on" | "in" | "at" | "during" | "over" | "for" | "throughout" | "each" | "every"
        ) {
            return true;
        }
        if view.kind(i) != Some(LexKind::Word) || folded.cue(i).is(light) {
            return false;
        }
    }
    false
}

/// Whether the fact speaks of the same time, in its value, its name or its qualifiers.
fn carried(fact: &Fact, word: &str) -> bool {
    let stem = word.strip_suffix('s').unwrap_or(word);
    let says = |text: &str| {
        let folded = fold_name(text);
        folded
            .split([' ', '_'])
            .any(|own| own.strip_suffix('s').unwrap_or(own) == stem)
    };
    let value = match &fact.value {
        Value::Text(text) | Value::Enum(text) => says(text),
        _ => false,
    };
    value
        // "closed_day" is of no day in particular.
        || stem != "day" && says(&fact.predicate)
        || (fact.qualifiers.iter()).any(|q| says(&q.name) || says(&q.value.to_string()))
}
