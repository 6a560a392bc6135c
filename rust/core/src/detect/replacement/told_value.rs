//! The evidence's value in the form in which it takes the place of another: what it leaves open, and
//! the date or decade as the other is written.

use crate::claims::SentenceView;
use crate::evidence::{Conflict, EvidenceSet};
use crate::kb::{Date, Loose};
use crate::lexicon::tables::stance;
use crate::lexicon::units::{Role, number_word};
use crate::segment;
use crate::types::{DateExpr, Quantity, QuantityKind, Span};

use super::amount::{amount, in_two_units};
use super::formed::rescored;
use super::sign::{as_told, minus};
use super::style::thousands;
use super::wording::{WEEKDAYS, dated};

/// Minutes that "around 6 p.m." leaves open.
const ABOUT_MINUTES: u16 = 20;

/// "Around 6 p.m.", where the evidence has 17:58.
pub(in crate::detect) fn about_then(view: &SentenceView<'_>, said: &DateExpr, told: &str) -> bool {
    let at = view.lexemes_in(said.span).start;
    let last = at.checked_sub(1).map_or("", |i| view.word(i));
    let about = last == "~" || number_word(last).role == Role::Approx;
    let told = segment::dates(told);
    about
        && told.iter().any(|own| {
            let both = own.minutes.zip(said.minutes);
            both.is_some_and(|(own, said)| own.abs_diff(said) <= ABOUT_MINUTES)
        })
}

/// The evidence's number with "or more" behind it, where it has that.
pub(in crate::detect) fn with_onward(mut conflict: Conflict, evidence: &EvidenceSet) -> Conflict {
    let Some(passage) = evidence.passages().get(conflict.passage) else {
        return conflict;
    };
    let end = conflict.sentence.end.max(conflict.span.end);
    let behind = passage.text().get(conflict.span.end..end).unwrap_or("");
    let phrases = ["or_more", "or_less"].into_iter();
    let mut phrases = phrases.flat_map(|class| stance().listed(class));
    let found = phrases.find(|phrase| {
        let rest = behind.trim_start().strip_prefix(**phrase);
        rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    });
    if let Some(phrase) = found {
        let gap = behind.len() - behind.trim_start().len();
        conflict.span.end += gap + phrase.len();
        let text = passage.text().get(conflict.span.start..conflict.span.end);
        conflict.text = text.unwrap_or_default().to_owned();
    }
    conflict
}

/// "Estimated 30,000" of "an estimated 30,000", which goes behind no other word for it: the number alone
/// where one stands before what is said, and "about" elsewhere.
pub(in crate::detect) fn as_estimated(
    view: &SentenceView<'_>,
    said: &Quantity,
    mut conflict: Conflict,
    open: Option<Loose>,
) -> (Conflict, Option<Loose>) {
    const LEAD: &str = "estimated ";
    let Some(figure) = conflict.text.strip_prefix(LEAD).filter(|_| open.is_some()) else {
        return (conflict, open);
    };
    let at = view.lexemes_in(said.span).start;
    let last = at.checked_sub(1).map_or("", |i| view.word(i));
    let about = said.approximate
        || number_word(last).role == Role::Approx
        || last.eq_ignore_ascii_case(LEAD.trim_end());
    conflict.text = if about {
        figure.to_owned()
    } else {
        format!("about {figure}")
    };
    conflict.span.start += LEAD.len();
    (conflict, open)
}

/// The evidence's date as the other is written, with the preposition that goes with it.
pub(in crate::detect) fn as_date(
    view: &SentenceView<'_>,
    said: &DateExpr,
    own: &DateExpr,
    text: &str,
) -> (Span, Option<String>) {
    let parts = |date: &DateExpr| {
        let told = (date.weekday.is_some(), date.minutes.is_some());
        (
            told,
            date.year.is_some(),
            date.month.is_some(),
            date.day.is_some(),
        )
    };
    if let Some(text) = with_weekday(view.at(said.span), said, own) {
        return (said.span, Some(text));
    }
    match own.year {
        Some(year) if own.minutes.is_none() && said.minutes.is_none() && said.year.is_some() => {
            let value = Date {
                year,
                month: own.month,
                day: own.day,
            };
            dated(view, said.span, &[], std::slice::from_ref(said), value)
        }
        _ => {
            let text = like(view.at(said.span), text);
            (said.span, (parts(said) == parts(own)).then_some(text))
        }
    }
}

/// The same date with the weekday that it has: "Friday, 13 March" for "Monday, 13 March".
fn with_weekday(text: &str, said: &DateExpr, own: &DateExpr) -> Option<String> {
    let same = said.day.is_some()
        && (said.day, said.month) == (own.day, own.month)
        && said.year.is_none_or(|year| own.year == Some(year));
    if !same || said.weekday.is_none() || own.weekday.is_some() {
        return None;
    }
    let date = Date {
        year: own.year?,
        month: own.month,
        day: own.day,
    };
    let right = *WEEKDAYS.get(usize::from(date.weekday()?) - 1)?;
    let word = text.find(|c: char| !c.is_alphabetic())?;
    // "Mon" and "Mon." stay short.
    let right = if word > 4 { right } else { &right[..3] };
    Some(format!("{right}{}", &text[word..]))
}

/// The decade of a year, in the place of another decade.
pub(in crate::detect) fn as_decade(value: &str) -> Option<String> {
    let year: u32 = value.parse().ok()?;
    (1000..10_000)
        .contains(&year)
        .then(|| format!("{}s", year / 10 * 10))
}

/// The evidence's amount in the form of the one that it replaces ("12%" for "8 percent", "21 euros" for
/// "€18", "three days" for "one day"); `None` where it is told in another unit, in two, or as a part.
pub(in crate::detect) fn in_form(
    view: &SentenceView<'_>,
    said: &Quantity,
    text: &str,
) -> Option<String> {
    if let Some(text) = rescored(view, said, text) {
        return Some(text);
    }
    let all = segment::quantities(text);
    let [own] = all.as_slice() else { return None };
    let written = view.at(said.span);
    let measured = matches!(
        own.kind,
        QuantityKind::Money | QuantityKind::Percent | QuantityKind::Measure
    );
    let whole = own.span.start == 0 && own.span.end == text.len();
    let same = own.kind == said.kind && own.unit == said.unit;
    let exact = !own.approximate && !said.approximate;
    let part = own.value.fract() != 0.0 && !text.contains(|c: char| c.is_ascii_digit());
    // "twelve dollars fifty" has no form for another amount.
    let spoken = !written.contains(|c: char| c.is_ascii_digit())
        && (own.value.fract() != 0.0 || said.value.fract() != 0.0);
    // "1/2 cup" becomes "3/4 cup" as that stands.
    let digit = |c: char| c.is_ascii_digit();
    let parted = |(a, b): (&str, &str)| a.ends_with(digit) && b.starts_with(digit);
    let part = part || written.split_once('/').is_some_and(parted);
    let twice = spoken || in_two_units(text) || in_two_units(written);
    // "10.20 m" has its form already, and its last digit says how exact it is.
    let unit = |text: &str| {
        text.replace(
            |c: char| c.is_ascii_digit() || matches!(c, '.' | ',') || minus(c),
            "",
        )
    };
    let digits = |text: &str| {
        text.rsplit_once(['.', ',']).map(|(_, rest)| {
            rest.chars()
                .take_while(char::is_ascii_digit)
                .collect::<String>()
        })
    };
    let kept = digits(text).is_some_and(|places| places.ends_with('0') && places.len() < 3)
        && unit(text) == unit(written);
    (measured && whole && same && exact && !part && !twice && !kept).then(|| {
        let style = thousands(view, Some(said), "");
        as_told(amount(written, own.value, own.unit, style), written, text)
    })
}

/// The evidence's value with the plural or capital of the text it replaces ("Mondays").
pub(in crate::detect) fn like(said: &str, value: &str) -> String {
    let (plural, single) = ("days", "day");
    // "half a day" keeps its own number.
    if matches!(value.rsplit([' ', '-']).next(), Some("day" | "days")) {
        return value.to_owned();
    }
    if said.ends_with(plural) && value.ends_with(single) {
        return format!("{value}s");
    }
    if said.ends_with(single) && value.ends_with(plural) {
        return value[..value.len() - 1].to_owned();
    }
    value.to_owned()
}
