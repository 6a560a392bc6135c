//! Days, years and hours that are reckoned.

use jiff::ToSpan;
use jiff::civil::Date;

use crate::evidence::Passage;
use crate::lexicon::units::unit;
use crate::types::{DateExpr, Quantity, QuantityKind};

use super::{APART, Amount, NEAR};
use crate::detect::grounds::Grounds;
use crate::evidence::Dated;
use crate::segment::{quantities, told_hours};

/// A year for a day whose own is not said: no leap day, which would be none in most years.
const SOME_YEAR: i16 = 2023;
/// Most of a unit that a day is moved by.
const MOST: f64 = 5_000.0;

/// The years of a passage's dates.
pub(super) fn years(passage: &Passage) -> impl Iterator<Item = Amount<'_>> {
    let text = passage.text();
    passage.data().dates.iter().filter_map(move |own| {
        let span = own.date.span;
        Some(Amount {
            value: f64::from(own.date.year?),
            unit: None,
            kind: QuantityKind::Year,
            noun: 0,
            sentence: own.sentence,
            text: text.get(span.start..span.end).unwrap_or(""),
            behind: "",
            before: "",
            around: "",
        })
    })
}

/// "From 10 to 18": eight hours.
pub(super) fn hours_between(said: &Quantity, passage: &Passage) -> Option<String> {
    let own = unit(said.unit?);
    if own.base != "second" || own.factor < 60.0 {
        return None;
    }
    #[allow(clippy::cast_possible_truncation)]
    let minutes = (said.value * own.factor / 60.0).round() as i32;
    if !(1..1440).contains(&minutes) {
        return None;
    }
    let data = passage.data();
    data.sentences().iter().find_map(|sentence| {
        let text = passage.text().get(sentence.start..sentence.end)?;
        let told = told_hours(text);
        if let Some(own) = plain_hours(text, minutes) {
            return Some(own);
        }
        let pair = told.windows(2).find(|pair| {
            let apart = i32::from(pair[1].minutes) - i32::from(pair[0].minutes);
            let open = !pair[0].half || !pair[1].half;
            [apart, apart + 1440]
                .iter()
                .chain(open.then_some(&(apart + 720)))
                .any(|own| *own == minutes)
        })?;
        let at = |i: usize| text.get(pair[i].span.start..pair[i].span.end).unwrap_or("");
        Some(format!("{} − {}", at(1), at(0)))
    })
}

/// "Open 10–18": so many minutes from one bare hour to the next.
fn plain_hours(text: &str, minutes: i32) -> Option<String> {
    let opens = ["open", "hours"].iter().any(|word| text.contains(word));
    let told = if opens { quantities(text) } else { Vec::new() };
    let pair = told.windows(2).find(|pair| {
        let hour = |q: &Quantity| {
            q.unit.is_none() && q.value.fract() == 0.0 && (0.0..=24.0).contains(&q.value)
        };
        let between = text.get(pair[0].span.end..pair[1].span.start).unwrap_or("");
        let apart = (pair[1].value - pair[0].value) * 60.0;
        hour(&pair[0])
            && hour(&pair[1])
            && matches!(between.trim(), "-" | "–" | "—" | "to" | "until" | "till")
            && apart == f64::from(minutes)
    })?;
    text.get(pair[0].span.start..pair[1].span.end)
        .map(str::to_owned)
}

/// How a day follows from one of the sources and a number of days, weeks, months or years.
pub(crate) fn reckoned_date(said: &DateExpr, grounds: &Grounds<'_>) -> Option<String> {
    let day = |date: &DateExpr| {
        let year = date.year.and_then(|year| i16::try_from(year).ok());
        let month = i8::try_from(date.month?).ok()?;
        Date::new(
            year.unwrap_or(SOME_YEAR),
            month,
            i8::try_from(date.day?).ok()?,
        )
        .ok()
    };
    let month = i8::try_from(said.month?).ok()?;
    let own = i8::try_from(said.day?).ok()?;
    let passages: Vec<&Passage> = grounds
        .sets()
        .flat_map(|set| set.passages().iter().map(|passage| &**passage))
        .collect();
    let dates: Vec<(&Passage, &Dated)> = (passages.iter())
        .flat_map(|p| p.data().dates.iter().map(move |own| (*p, own)))
        .take(NEAR)
        .collect();
    let spans = passages.iter().flat_map(|p| {
        let all = p.data().quantities.iter();
        all.map(move |own| (*p, own.sentence, own.quantity))
    });
    for (length, sentence, by) in spans.filter(|(_, _, q)| q.unit.is_some()).take(NEAR) {
        let text = length.text();
        for (passage, from) in &dates {
            if std::ptr::eq(length, *passage) && !together(passage, sentence, from.sentence) {
                continue;
            }
            let Some(start) = day(&from.date) else {
                continue;
            };
            let Some((ahead, back)) = moved(start, &by) else {
                continue;
            };
            let is = |date: &Date| {
                let year = said
                    .year
                    .is_none_or(|year| from.date.year.is_none() || i32::from(date.year()) == year);
                year && date.month() == month && date.day() == own
            };
            if [ahead, back].iter().flatten().any(is) {
                let (day, by) = (from.date.span, by.span);
                let day = passage.text().get(day.start..day.end).unwrap_or("");
                let by = text.get(by.start..by.end).unwrap_or("");
                return Some(format!("{day} ± {by}"));
            }
        }
    }
    None
}

/// Whether a length and a day of one passage belong together: in one sentence, or in two that
/// follow each other and share a word.
fn together(passage: &Passage, length: u32, day: u32) -> bool {
    let data = passage.data();
    let in_both = |stem: u64| {
        let held = data.sentences_with(stem);
        held.binary_search(&length).is_ok() && held.binary_search(&day).is_ok()
    };
    length == day || length.abs_diff(day) <= APART && data.stems().any(in_both)
}

/// The day so much later, and earlier.
fn moved(start: Date, by: &Quantity) -> Option<(Option<Date>, Option<Date>)> {
    let of = unit(by.unit?);
    if by.value.fract() != 0.0 || !(1.0..=MOST).contains(&by.value) {
        return None;
    }
    #[allow(clippy::cast_possible_truncation)]
    let span = match (of.base, of.factor) {
        ("second", factor) if factor >= 86_400.0 => ((by.value * factor / 86_400.0) as i64).days(),
        ("month", factor) => ((by.value * factor) as i64).months(),
        _ => return None,
    };
    Some((start.checked_add(span).ok(), start.checked_sub(span).ok()))
}
