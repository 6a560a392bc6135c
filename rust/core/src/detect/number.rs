//! A number or date that nothing says, at the word that completes it.

use jiff::civil::Date;
use serde_json::json;

use crate::claims::SentenceView;
use crate::evidence::ends_in_minus;
use crate::lexicon::units;
use crate::segment::{Clock, clocks};
use crate::types::{DateExpr, Finding, Message, Quantity, QuantityKind, Span};

use super::case::{example_of, may_be_example};
use super::draft::draft;
use super::grounds::Grounds;
use super::own_count::{Own, own_count};
use super::ratio::{known_ratio, may_be_ratio};
use super::reckoned::{may_be_rated, rated, reckoned, reckoned_date};
use super::restated::{Around, first_of_days, restated};
use super::time_of_day::{told_as_clock, unsupported_time};

/// Evidence was supplied and does not hold it. Set by hand so that it stays below what a source
/// contradicts; where labelled sets were looked at, cases were few. Not a calibrated rate.
const P_EVIDENCE: f64 = 0.65;
/// A base without evidence seldom holds every number worth saying. Set by hand as well.
const P_BASE: f64 = 0.40;
/// Plain counts up to this are said in passing ("two options").
const SMALL: f64 = 3.0;
/// Ranks up to this are dates, floors, list places.
const SMALL_RANK: f64 = 31.0;

/// Whether the number is no statement: a label, a small count or rank, "100 %".
fn trivial(quantity: &Quantity) -> bool {
    match quantity.kind {
        QuantityKind::Label => true,
        QuantityKind::Ordinal => quantity.value <= SMALL_RANK,
        QuantityKind::Cardinal => quantity.unit.is_none() && quantity.value.abs() <= SMALL,
        QuantityKind::Percent => quantity.value == 100.0,
        _ => false,
    }
}

/// A number at the word that completes it, with what stands around it.
#[derive(Debug, Clone, Copy)]
pub struct Numbered<'a> {
    /// The number.
    pub quantity: &'a Quantity,
    /// Its text.
    pub text: &'a str,
    /// What stands before it, a few words.
    pub before: &'a str,
    /// What follows it, up to where it was decided.
    pub after: &'a str,
    /// The day that counts as today.
    pub today: Option<Date>,
}

/// `stream.unsupported_number`: a number that evidence, question, dialogue and the facts of the
/// entities mentioned so far all lack. Nothing is said where neither evidence nor facts were given.
///
/// "39 years ago" is a year, counted from today, and supported if they have that year; without
/// knowing today's date it cannot be told. A plain number that stands in a code span alone is
/// code.
#[must_use]
pub fn unsupported_number(
    said: &Numbered<'_>,
    grounds: &Grounds<'_>,
    mentioned: &[u32],
) -> Option<Finding> {
    let (quantity, text) = (said.quantity, said.text);
    let own = own_count(quantity, (said.before, said.after), grounds);
    let code = said.before.ends_with('`') && quantity.kind == QuantityKind::Cardinal;
    if trivial(quantity)
        || code
        || own == Own::Yes
        || denied_before(said.before)
        || !applies(grounds, mentioned)
        || grounds.knows_quantity(quantity, text, mentioned)
        || counted_back(said, grounds, mentioned)
        || written_otherwise(said, grounds)
        || told_as_clock(said, grounds)
    {
        return None;
    }
    let mut finding = missing(
        quantity.span,
        text,
        quantity.decided_at,
        grounds,
        "unsupported_number",
    );
    finding.detected = json!({"value": quantity.value, "text": text});
    let around = Around {
        quantity,
        before: said.before,
        next: said.after,
        behind: None,
    };
    let how = reckoned(quantity, None, grounds).or_else(|| restated(&around, grounds));
    if let Some(how) = how {
        finding.extra.insert(FOLLOWS.into(), how.into());
    } else if own == Own::Open
        || quantity.unit.is_none() && quantity.value <= 31.0 && may_be_day(said.after)
        || may_be_rated(quantity, said.after, grounds)
        || may_be_example(quantity, said.before, said.after, grounds)
        || may_be_ratio(quantity, said.before, said.after, grounds)
        || grounds.may_know_quantity(quantity, text)
    {
        // What it is said of comes later.
        finding.extra.insert(FOLLOWS.into(), json!(""));
    }
    Some(finding)
}

/// Key in `extra` under which a number or date names those of the sources that it follows from, or
/// the limit that it is an example beside.
pub const FOLLOWS: &str = "follows_from";
/// How bad it is where no source says what can be reckoned from what one says.
const RECKONED: f64 = 0.2;

/// Whether a number or date that no source has follows from theirs, now that the sentence has
/// closed: then it is only noted.
pub fn note_reckoned(
    finding: &mut Finding,
    view: &SentenceView<'_>,
    grounds: &Grounds<'_>,
) -> bool {
    let Some(span) = finding
        .span
        .filter(|_| finding.extra.remove(FOLLOWS).is_some())
    else {
        return false;
    };
    let behind = view.at(Span::new(span.end, view.sentence.span.end.max(span.end)));
    let number = view.quantities.iter().find(|q| q.span == span);
    let in_other_words = |quantity| {
        let before = view.at(Span::new(view.sentence.span.start, span.start));
        let around = Around {
            quantity,
            before,
            next: behind,
            behind: Some(behind),
        };
        let day = || first_of_days(quantity, behind, view.dates);
        let dated = || day().is_some_and(|date| grounds.sets().any(|set| set.has_date(&date)));
        restated(&around, grounds).or_else(|| dated().then(|| view.at(span).to_owned()))
    };
    let counts = |quantity| own_count(quantity, ("", behind), grounds) == Own::Yes;
    if number.is_some_and(counts) {
        finding
            .extra
            .insert(FOLLOWS.into(), json!("the answer itself"));
        finding
            .extra
            .insert("base_severity".into(), RECKONED.into());
        return true;
    }
    let how = number
        .and_then(|quantity| reckoned(quantity, Some(behind), grounds))
        .or_else(|| rated(number?, view, grounds))
        .or_else(|| in_other_words(number?))
        .or_else(|| {
            let date = view.dates.iter().find(|date| date.span == span)?;
            reckoned_date(date, grounds)
        })
        .or_else(|| known_ratio(number?, view, grounds));
    let example = || example_of(number?, view, grounds.evidence?);
    let (how, template) = if let Some(how) = how {
        (
            how,
            "No source given here says '{number}'; it follows from {how}",
        )
    } else if let Some(how) = example() {
        (
            how,
            "No source given here says '{number}'; it is an example beside the limit of {how}",
        )
    } else {
        return false;
    };
    finding.message = Message::new(template)
        .sensitive("number", view.at(span))
        .sensitive("how", &*how);
    finding.extra.insert(FOLLOWS.into(), how.into());
    finding
        .extra
        .insert("base_severity".into(), RECKONED.into());
    true
}

/// Whether a number that such a text stands behind may be the first day of several.
fn may_be_day(after: &str) -> bool {
    let joint = after.trim_start();
    ["to", "-", "–", "and", "until", "through", "till"]
        .iter()
        .any(|word| joint.starts_with(word))
}

/// Words after which a bare number up to twelve can be an hour.
const HOURS: [&str; 11] = [
    "at", "from", "until", "till", "by", "to", "and", "before", "after", "around", "about",
];

/// Whether the evidence has the time or the amount in another form: "half past seven", "at nine" or
/// "minus five degrees" for "19:30", "9 am" or "-5 °C".
fn written_otherwise(said: &Numbered<'_>, grounds: &Grounds<'_>) -> bool {
    let quantity = said.quantity;
    if grounds.has_otherwise(quantity, ends_in_minus(said.before)) {
        return true;
    }
    if listed(quantity, said.text, |part, text| {
        grounds.knows_quantity(part, text, &[])
    }) {
        return true;
    }
    // "80 pence" for "80p".
    if said.text.ends_with("pence")
        && let Some(figure) = said.text.split_whitespace().next()
    {
        let short = format!("{figure}p");
        let told = |text: &str| {
            text.split(|c: char| !c.is_alphanumeric())
                .any(|word| word == short)
        };
        let mut passages = grounds.sets().flat_map(|set| set.passages());
        if passages.any(|passage| told(passage.text())) {
            return true;
        }
    }
    let bare = quantity.kind == QuantityKind::Cardinal
        && quantity.unit.is_none()
        && (1.0..25.0).contains(&quantity.value);
    let minutes = bare.then(|| minutes_of(quantity, said.text)).flatten();
    let Some(minutes) = minutes else {
        return false;
    };
    let window = format!("{}{}", said.before, said.text);
    let place = Span::new(said.before.len(), window.len());
    let mut told = clocks(&window);
    told.retain(|clock| clock.span.overlaps(place));
    let last = said.before.trim_end().rsplit(' ').next().unwrap_or("");
    if told.is_empty() && HOURS.iter().any(|word| last.eq_ignore_ascii_case(word)) {
        told.push(Clock {
            minutes: minutes % (24 * 60),
            span: place,
            half: minutes >= 13 * 60,
        });
    }
    !told.is_empty() && told.iter().all(|clock| grounds.has_clock(clock))
}

/// The minutes since midnight that a number is as a time: of an hour, or "9.30".
fn minutes_of(quantity: &Quantity, text: &str) -> Option<u16> {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let hour = quantity.value as u16;
    let Some((_, minute)) = text.split_once('.') else {
        return (quantity.value.fract() == 0.0).then_some(hour * 60);
    };
    let minute: Option<u16> = (minute.len() == 2).then(|| minute.parse().ok()).flatten();
    minute
        .filter(|minute| *minute < 60)
        .map(|minute| hour * 60 + minute)
}

/// Whether "10,20" is a list of two numbers that somebody knows, rising as sizes are listed.
pub(super) fn listed(
    quantity: &Quantity,
    text: &str,
    knows: impl Fn(&Quantity, &str) -> bool,
) -> bool {
    let figures = text.split([' ', '\u{a0}']).next().unwrap_or(text);
    let Some((one, other)) = figures.split_once(',') else {
        return false;
    };
    let known = |figure: &str| {
        let value = figure.parse::<u8>().ok().filter(|_| figure.len() < 3)?;
        let part = Quantity {
            value: f64::from(value),
            decimals: 0,
            ..*quantity
        };
        knows(&part, figure).then_some(value)
    };
    known(one)
        .zip(known(other))
        .is_some_and(|(one, other)| one < other)
}

/// "1889, not 1898", "opened in 1889, not in 1898": what is denied outright needs no source. A limit
/// ("do not exceed 60 mg", "not until 1908") does.
fn denied_before(before: &str) -> bool {
    let mut words = before.split_whitespace().rev();
    let last = words.next().unwrap_or("");
    let not = match last {
        "in" | "on" | "at" | "by" | "from" => words.next().unwrap_or(""),
        other => other,
    };
    not.eq_ignore_ascii_case("not")
}

/// Whether "39 years ago" or "39 years old" counts back to a year that is known, or, of the
/// former, from a day that is not.
fn counted_back(said: &Numbered<'_>, grounds: &Grounds<'_>, mentioned: &[u32]) -> bool {
    // The unit of "39-year-old" is part of another word.
    let worded = said.after.strip_prefix("-year-");
    let plain = said.quantity.unit.is_none() && worded.is_some();
    let years = if plain {
        Some(said.quantity.value)
    } else {
        years(said.quantity)
    };
    let Some(years) = years else {
        return false;
    };
    let after = worded.unwrap_or(said.after);
    let after = after.trim_start_matches([' ', '-']);
    let word = after.split(|c: char| !c.is_alphanumeric()).next();
    if !matches!(word, Some("ago" | "old")) {
        return false;
    }
    let Some(today) = said.today else {
        return word == Some("ago");
    };
    let slack = if said.quantity.approximate {
        years * ABOUT
    } else if years % 10.0 == 0.0 {
        years * ROUND
    } else {
        0.0
    };
    let year = f64::from(today.year()) - years;
    // This year's anniversary may be still to come.
    #[allow(clippy::cast_possible_truncation)]
    let (first, last) = ((year - 1.0 - slack).floor() as i32, (year + slack) as i32);
    (first..=last).any(|year| {
        let dated = Quantity {
            value: f64::from(year),
            kind: QuantityKind::Year,
            unit: None,
            decimals: 0,
            approximate: false,
            ..*said.quantity
        };
        grounds.knows_quantity(&dated, &year.to_string(), mentioned)
    })
}

/// How far "about 40 years ago" may be off, as a share, and 40 years that are no exact number.
const ABOUT: f64 = 0.1;
/// See [`ABOUT`].
const ROUND: f64 = 0.05;

/// Whole years that a number of years, decades or centuries comes to.
fn years(quantity: &Quantity) -> Option<f64> {
    let unit = units::unit(quantity.unit?);
    let years = quantity.value * unit.factor / 12.0;
    (unit.base == "month" && unit.factor >= 12.0 && (1.0..5000.0).contains(&years)).then_some(years)
}

/// The same for a date with a day or a month and year, and for a time of day, with the words
/// before it; a year alone is a number.
#[must_use]
pub fn unsupported_date(
    date: &DateExpr,
    (before, text): (&str, &str),
    grounds: &Grounds<'_>,
    mentioned: &[u32],
) -> Option<Finding> {
    let told = date.day.is_some() || (date.year.is_some() && date.month.is_some());
    if !told {
        // "ran it in 3:56" is how long it took.
        let taken = text.len() < 5 && before.trim_end().ends_with(" in");
        let denied = denied_before(before) || taken;
        return unsupported_time(date, text, grounds, mentioned).filter(|_| !denied);
    }
    if !applies(grounds, mentioned) || grounds.knows_date(date, text, mentioned) {
        return None;
    }
    let mut finding = missing(
        date.span,
        text,
        date.decided_at,
        grounds,
        "unsupported_date",
    );
    finding.detected =
        json!({"year": date.year, "month": date.month, "day": date.day, "text": text});
    if let Some(how) = reckoned_date(date, grounds) {
        finding.extra.insert(FOLLOWS.into(), how.into());
    }
    Some(finding)
}

/// With a base alone, only once one of its entities is what the text is about.
fn applies(grounds: &Grounds<'_>, mentioned: &[u32]) -> bool {
    grounds.has_evidence() || (grounds.kb.is_some() && !mentioned.is_empty())
}

pub(super) fn missing(
    span: Span,
    text: &str,
    decided_at: usize,
    grounds: &Grounds<'_>,
    rule: &str,
) -> Finding {
    let mut finding = draft(
        "stream.unsupported_number",
        rule,
        Some(span),
        text,
        decided_at,
    );
    finding.p_hallucinated = if grounds.has_evidence() {
        P_EVIDENCE
    } else {
        P_BASE
    };
    grounds.absence(None).note(&mut finding);
    finding.message =
        Message::new("No source given here says '{number}'").sensitive("number", text);
    finding
}
