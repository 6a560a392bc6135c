//! The right value, worded like the wrong one that it replaces.

use crate::claims::{SentenceView, unit_named};
use crate::kb::{Date, Value, dialled, is_free, is_insertable, measured, weekday_text};
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::readings::converted_like;
use crate::lexicon::tables::stance;
use crate::lexicon::units::{comparable, unit};
use crate::lexicon::words::{WordClass, class};
use crate::normal::fold_name;
use crate::segment::clocks;
use crate::types::{DateExpr, Quantity, QuantityKind, Span};

use super::amount::{Thousands, amount, in_both, in_two_units, in_unit};
use super::coins::in_coins;
use super::formed::formed;
use super::grammar::{vowel, with_noun};
use super::price::priced;
use super::remarked::{is_remarked, remarked};
use super::style::{is_ratio, of_time, thousands};
use crate::detect::currency::in_currency;
use crate::detect::hours::timed;
use day::like_day;

mod day;

pub(in crate::detect) use day::{WEEKDAYS, dated};

/// Share by which a converted value may be off, and digits behind the point to say it with.
const LOSSY: f64 = 0.005;
/// See [`LOSSY`].
const PLACES: i32 = 3;

/// The span to replace inside the claim's object, and what to put there.
pub(in crate::detect) fn wording(
    view: &SentenceView<'_>,
    object: Span,
    quantities: &[Quantity],
    dates: &[DateExpr],
    value: &Value,
    expected: &str,
    attribute: &str,
) -> (Span, Option<String>) {
    let style = thousands(view, quantities.first(), attribute);
    if let Value::Text(text) = value
        && let Some(told) = formed(view, object, quantities, dates, text, style)
    {
        return told;
    }
    // "about 300", "unknown", a text of two lines: nothing to put in a value's place.
    let wordy = matches!(value, Value::Text(_) | Value::Entity(_) | Value::Enum(_));
    if wordy && !is_insertable(expected) || free_for_amount(view, object, quantities, expected) {
        return (object, None);
    }
    if wordy && let Some((place, text)) = priced(view, quantities, expected, style) {
        return (place, Some(text));
    }
    if wordy && let Some((place, text)) = remeasured(view, quantities, expected, style) {
        return (place, Some(text));
    }
    let renamed = quantities.first().and_then(|said| {
        let text = in_currency(view.at(said.span), said, value)?;
        Some((said.span, text))
    });
    if let Some((place, text)) = renamed {
        return (place, Some(text));
    }
    match value {
        // "on 22 July 2023", of what was in 1931.
        Value::Number { value, unit: None }
            if listed_year(expected) && dates.iter().any(|date| date.month.is_some()) =>
        {
            // A year of four digits is whole.
            #[allow(clippy::cast_possible_truncation)]
            let year = Date {
                year: *value as i32,
                month: None,
                day: None,
            };
            dated(view, object, quantities, dates, year)
        }
        Value::Number { value, unit } => {
            let unit = unit.as_deref();
            number(view, object, quantities, (*value, unit), expected, style)
        }
        Value::Date(date) => dated(view, object, quantities, dates, *date),
        Value::Email(address) => {
            let text = view.at(object);
            let word = text
                .split_whitespace()
                .find(|word| word.contains('@'))
                .unwrap_or(text);
            let word = word.trim_matches(|c: char| "<>()[],;:\"'.!?".contains(c));
            let at = text.find(word).unwrap_or(0);
            let start = object.start + at;
            (Span::new(start, start + word.len()), Some(address.clone()))
        }
        yes if yes.as_yes_no().is_some() => (object, None),
        Value::Bool(_) => (object, None),
        // "Tuesday at ten": the hour is not in question.
        Value::Text(day) if !dates.is_empty() && weekday_text(day).is_some() => {
            let said = dates.iter().find(|date| date.weekday.is_some());
            let said = said.unwrap_or(&dates[0]);
            (said.span, Some(like_day(view.at(said.span), day)))
        }
        // "1:50" of a scale is no time of day.
        Value::Text(of) if is_ratio(of) && !of_time(attribute) => (object, Some(of.clone())),
        Value::Text(time) if !clocks(time).is_empty() => timed(view, object, time),
        Value::Text(number) if dialled(number).is_some() => {
            let place = dialled(view.at(object)).map(|(at, _)| at);
            let span = place.map_or(object, |at| {
                Span::new(object.start + at.start, object.start + at.end)
            });
            (span, Some(number.clone()))
        }
        Value::Text(text) if is_remarked(text) => {
            (object, remarked(view, object, quantities, text))
        }
        Value::Text(_) | Value::Entity(_) | Value::Enum(_) => match called(view, object) {
            Some(name) => {
                let proper = expected.starts_with(char::is_uppercase);
                (name, proper.then(|| expected.to_owned()))
            }
            None => (object, noun(view, object, expected)),
        },
    }
}

/// The measure of "2 yrs limited" in the place of "five years": in the sentence's form, where that is in
/// the same unit.
fn remeasured(
    view: &SentenceView<'_>,
    quantities: &[Quantity],
    expected: &str,
    style: Thousands,
) -> Option<(Span, String)> {
    let own = measured(expected)?;
    let [said] = quantities else { return None };
    if in_two_units(expected) && in_two_units(view.at(said.span)) {
        return Some((said.span, expected.to_owned()));
    }
    let unit = said.unit.filter(|unit| Some(*unit) == own.unit)?;
    Some((
        said.span,
        amount(view.at(said.span), own.value, Some(unit), style),
    ))
}

/// "costs free": what nothing is paid for is not said as an amount is.
fn free_for_amount(
    view: &SentenceView<'_>,
    object: Span,
    quantities: &[Quantity],
    expected: &str,
) -> bool {
    let said = view.at(object);
    let paid = quantities.iter().any(|q| q.kind == QuantityKind::Money);
    // "€5 a day": "included".
    let unpaid = paid && !expected.contains(|c: char| c.is_ascii_digit());
    unpaid || is_free(expected) && (!quantities.is_empty() || !said.to_lowercase().contains("free"))
}

/// The name in "a company called Globex".
fn called(view: &SentenceView<'_>, object: Span) -> Option<Span> {
    let range = view.lexemes_in(object);
    let at = range
        .clone()
        .find(|i| matches!(view.word(*i), "called" | "named") && *i > range.start)?;
    let name = view.lexemes[at + 1..range.end].first()?;
    Some(Span::new(name.span.start, object.end))
}

/// Whether a name is no word of the dictionary.
fn unlisted(name: &str) -> bool {
    let first = name.split(' ').next().unwrap_or("");
    // "an MP", "a UX designer"
    let letters = (2..4).contains(&first.len()) && first.chars().all(char::is_uppercase);
    name.starts_with(char::is_uppercase)
        && !letters
        && !name
            .split(' ')
            .all(|word| class(&fold_name(word)).has(WordClass::COMMON))
}

/// A noun phrase in place of another: "the Sales department" becomes "the Engineering department".
fn noun(view: &SentenceView<'_>, object: Span, expected: &str) -> Option<String> {
    let words: Vec<&str> = view.at(object).split_whitespace().collect();
    let (Some(first), Some(last)) = (words.first(), words.last()) else {
        return Some(expected.to_owned());
    };
    // "our Marketing team": whose it is stays.
    let whose = cue(&first.to_lowercase()).is(Cue::POSSESSIVE);
    let article = first.eq_ignore_ascii_case("the") || whose;
    let noun = last.to_lowercase();
    let generic = [
        "department",
        "team",
        "division",
        "unit",
        "group",
        "office",
        "street",
        "district",
    ];
    let said = expected.to_lowercase().ends_with(&noun);
    // "12 Harbour Street, Bergen" is a whole address.
    let whole = expected.contains(", ") || expected.starts_with(|c: char| c.is_ascii_digit());
    let framed = words.len() > 2 && generic.contains(&noun.as_str()) && !said && !whole;
    // "a chef": an article of its own, where the value has none and is one thing.
    if words.len() > 1
        && matches!(*first, "a" | "an" | "A" | "An")
        && !framed
        && !expected.ends_with('s')
        && expected
            .split(' ')
            .all(|word| !matches!(word, "a" | "an" | "the" | "and"))
    {
        // "a bank" is not "an Acme".
        if unlisted(expected) && !last.starts_with(char::is_uppercase) {
            return None;
        }
        // "an MSc", "an MIT licence": the first letter is spoken by its name.
        let letters = expected.starts_with(['F', 'H', 'L', 'M', 'N', 'R', 'S', 'X'])
            && expected.chars().nth(1).is_some_and(char::is_uppercase);
        let known = vowel(expected).filter(|vowel| *vowel || !letters);
        let vowel = known.unwrap_or(letters);
        let article = if vowel { "an" } else { "a" };
        let article = if first.starts_with('A') {
            article.to_uppercase().replacen('N', "n", 1)
        } else {
            article.to_owned()
        };
        return Some(format!("{article} {expected}"));
    }
    // "the euro": "the crown".
    let plain = |text: &str| text.starts_with(char::is_lowercase);
    let alike = words.len() == 2 && plain(last) && plain(expected) && !expected.starts_with("the ");
    // "the Delft Trust" in the place of "the Leiden Trust".
    let bare = expected.strip_prefix("the ").filter(|_| article);
    let (given, expected) = (bare.is_some(), bare.unwrap_or(expected));
    Some(match (article, framed) {
        (true, true) => format!("{first} {expected} {last}"),
        (false, true) => format!("{expected} {last}"),
        (true, false) if said && words.len() > 1 || alike => format!("{first} {expected}"),
        (true, false) if given => format!("{first} {expected}"),
        (false, false) if !said && belongs_to_unit(view, object, expected) => {
            format!("the {expected}")
        }
        _ => expected.to_owned(),
    })
}

/// "works in Marketing", where the value is "Sales Department", which takes an article there.
fn belongs_to_unit(view: &SentenceView<'_>, object: Span, expected: &str) -> bool {
    let kind = expected.rsplit(' ').next().unwrap_or(expected);
    let before = view.lexemes_in(object).start.checked_sub(1);
    let behind = |i: usize| cue(&view.word(i).to_lowercase()).is(Cue::PREPOSITION);
    kind.len() < expected.len()
        && stance().has("staff_part", &fold_name(kind))
        && !fold_name(expected).starts_with("the ")
        && before.is_some_and(behind)
}

/// How many times what was said a value is at least that is not told in the unit that was said.
const FAR: f64 = 1e6;

fn number(
    view: &SentenceView<'_>,
    object: Span,
    quantities: &[Quantity],
    (value, of): (f64, Option<&str>),
    expected: &str,
    style: Thousands,
) -> (Span, Option<String>) {
    // "the first half of 1961": the year is said, not a half.
    let year = |q: &&Quantity| q.kind == QuantityKind::Year;
    let plain = of.is_none();
    let year = quantities.iter().find(year).filter(|_| plain);
    let Some(said) = year.or_else(|| quantities.first()) else {
        return (object, None);
    };
    // In the unit that was said, with the digits it was said with.
    let value = match (said.unit, of.and_then(unit_named)) {
        (Some(a), Some(b)) if a != b => {
            let written = view.at(said.span);
            let Some(converted) = converted_like(value, b, a, said.value) else {
                // "2 tons": how many tonnes those are depends on the ton.
                let own = of.filter(|_| comparable(a, b) && spaced(written));
                return (said.span, own.map(|own| in_unit(value, own)));
            };
            // "84,000,000 dollars" rather than "8,400,000,000 cents".
            if said.value > 0.0 && converted.abs() >= FAR * said.value {
                return (said.span, Some(in_unit(value, unit(b).words.1)));
            }
            // "14 hours" rather than "840 minutes", for "12 hours and 40 minutes" as well.
            let own = of.filter(|_| in_two_units(written));
            if let Some(own) = own {
                return (said.span, Some(in_unit(value, own)));
            }
            // "96 minutes" rather than "1.6 hours".
            let odd = said.decimals == 0 && (converted - converted.round()).abs() > 1e-9;
            let small = unit(a).factor < unit(b).factor;
            if (odd || small)
                && value.fract() == 0.0
                && unit(a).dimension == "time"
                && spaced(written)
                && let Some(own) = of
            {
                return (said.span, Some(in_unit(value, own)));
            }
            // As few digits as it takes to say no other amount.
            let rounded = (i32::from(said.decimals.max(1))..=PLACES).find_map(|digits| {
                let places = 10_f64.powi(digits);
                let rounded = (converted * places).round() / places;
                ((rounded - converted).abs() <= LOSSY * converted.abs()).then_some(rounded)
            });
            match rounded {
                Some(rounded) => rounded,
                None if spaced(view.at(said.span)) => {
                    return (said.span, Some(expected.to_owned()));
                }
                None => return (said.span, None),
            }
        }
        _ => value,
    };
    // "in two thousand and one": a year is written without a comma.
    let written = view.at(said.span);
    if in_two_units(written)
        && said.unit.is_some_and(|id| unit(id).name == "inch")
        && said.value >= 0.0
        && let Some(text) = in_both(written, said.value, value)
    {
        return (said.span, Some(text));
    }
    if said.kind == QuantityKind::Money
        && let Some(text) = in_coins(written, value)
    {
        return (said.span, Some(text));
    }
    let before = view.lexemes_in(said.span).start.checked_sub(1);
    let led = before.is_some_and(|i| cue(&view.word(i).to_lowercase()).is(Cue::PREPOSITION));
    let dated = plain && led && value.fract() == 0.0 && (1000.0..2200.0).contains(&value);
    let text = if dated && !written.contains(|c: char| c.is_ascii_digit()) {
        value.to_string()
    } else {
        amount(written, value, said.unit, style)
    };
    with_noun(view, said, value, text)
}

/// Whether number and unit are words of their own: "two hours", not "two-hour".
fn spaced(text: &str) -> bool {
    text.split_once(' ').is_some() && !text.contains('-')
}

/// Whether it is a year by itself.
pub(in crate::detect) fn listed_year(text: &str) -> bool {
    text.len() == 4 && text.bytes().all(|b| b.is_ascii_digit())
}
