//! Texts in a form of their own: a day with its time ("2025-05-14T14:00:00Z"), so many of so many
//! ("85/100"), the sides of a thing ("1920x1080"), a place in an order ("2nd", "top 10"). What is said in
//! another form of the same is compared by what both come to, and what cannot be is left alone.

use crate::claims::unit_named;
use crate::lexicon::units::{comparable, convert};
use crate::segment;
use crate::types::{Quantity, QuantityKind, UnitId};

use super::clock::clock_agrees;
use super::compare::{Agreement, Said, dates};
use super::texts::texts;
use super::value::Date;

/// How far apart two sides may be that are one, as a share.
const NEAR: f64 = 0.01;
/// How far apart two shares may be that are one, in percent.
const SHARE: f64 = 0.5;
/// The least total that something is counted of.
const TOTAL: f64 = 5.0;
/// Most sides of a thing.
const SIDES: usize = 3;
/// Days that are told from the day of speaking.
const SPOKEN: [&str; 6] = ["next ", "this ", "last ", "today", "tomorrow", "yesterday"];

/// How what is said stands to a text in such a form; `None` for any other text.
pub(super) fn form_agrees(said: &Said<'_>, text: &str) -> Option<Agreement> {
    if !text.contains(|c: char| c.is_ascii_digit()) {
        let lower = text.to_lowercase();
        let spoken = SPOKEN.iter().any(|word| lower.starts_with(word));
        let same = spoken.then(|| texts(said.text, text))?;
        return Some(if same == Agreement::Same {
            same
        } else {
            Agreement::Incomparable
        });
    }
    moment_agrees(said, text)
        .or_else(|| total_agrees(said, text))
        .or_else(|| sides_agree(said, text))
        .or_else(|| place_agrees(said, text))
}

/// Whether a measure is said of what the text tells in no measure of that kind ("9 fathoms", "54 feet").
pub(super) fn of_other_measure(said: &Said<'_>, text: &str) -> bool {
    let measured = |q: &&Quantity| q.kind == QuantityKind::Measure && q.unit.is_some();
    let mut told = said.quantities.iter().filter(measured).peekable();
    if told.peek().is_none() || !text.contains(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let own = segment::quantities(text);
    told.all(|q| {
        let like = |own: &Quantity| own.unit.zip(q.unit).is_some_and(|(a, b)| comparable(a, b));
        !own.iter().any(like)
    })
}

/// A day with a time of day as machines write it, and the hour and minute; `None` at midnight, which
/// mostly stands for no time at all.
pub(crate) fn moment(text: &str) -> Option<(Date, Option<&str>)> {
    let text = text.trim();
    let (day, rest) = (text.get(..10)?, text.get(10..)?);
    let rest = rest.strip_prefix(['T', 't', ' '])?;
    let date = Date::parse(day).filter(|date| date.day.is_some())?;
    let clock = rest.get(..5)?;
    let (hour, minute) = clock.split_once(':')?;
    let digits = |part: &str| part.len() == 2 && part.bytes().all(|b| b.is_ascii_digit());
    let zone = |c: char| c.is_ascii_digit() || matches!(c, ':' | '.' | '+' | '-' | 'Z' | 'z' | ' ');
    let tail = rest[5..].trim_end_matches("UTC");
    let fits =
        digits(hour) && digits(minute) && day.as_bytes()[4] == b'-' && tail.chars().all(zone);
    fits.then_some((date, (clock != "00:00").then_some(clock)))
}

fn moment_agrees(said: &Said<'_>, text: &str) -> Option<Agreement> {
    let (date, clock) = moment(text)?;
    let day = dates(said, date);
    let tail = text.trim().get(19..).unwrap_or("");
    let zoned = tail.contains(['Z', 'z', '+', '-']);
    let hour = clock.and_then(|clock| clock_agrees(said.text, said.quantities, said.dates, clock));
    Some(match (day, hour) {
        (Agreement::Different, _) => Agreement::Different,
        // The hour may be that of another zone.
        (_, Some(Agreement::Different)) if zoned => Agreement::Incomparable,
        (_, Some(Agreement::Different)) => Agreement::Different,
        (_, Some(Agreement::Same)) => Agreement::Same,
        (day, _) => day,
    })
}

/// "85/100", "4.5 out of 5": the number and the total, and where they end.
fn of_total(text: &str) -> Option<(f64, f64, usize)> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let number = |from: usize| {
        let rest = &text[from..];
        let len = rest
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(rest.len());
        let digits = rest[..len].trim_end_matches('.');
        let value = digits.parse::<f64>().ok()?;
        Some((value, from + digits.len()))
    };
    let (part, end) = number(start)?;
    let rest = text[end..].trim_start();
    let words = [" points", " marks", " stars"];
    let rest = words
        .iter()
        .find_map(|word| rest.strip_prefix(word.trim_start()))
        .unwrap_or(rest)
        .trim_start();
    let links = [
        "/",
        "out of a possible ",
        "out of ",
        "of a possible ",
        "of ",
    ];
    let rest = links
        .iter()
        .find_map(|link| rest.strip_prefix(link))?
        .trim_start();
    let (total, end) = number(text.len() - rest.len())?;
    (total >= TOTAL && part <= total).then_some((part, total, end))
}

/// Whether a text is so many of so many, which is no fraction.
pub(crate) fn is_of_total(text: &str) -> bool {
    of_total(text).is_some_and(|(part, _, end)| end == text.len() && part > 1.0)
}

/// The percent that so many of so many are.
pub(crate) fn share_of_total(text: &str) -> Option<f64> {
    of_total(text).map(|(part, total, _)| 100.0 * part / total)
}

fn total_agrees(said: &Said<'_>, text: &str) -> Option<Agreement> {
    let text = text.trim();
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let (part, total, end) = of_total(text)?;
    if text[end..].contains(|c: char| c.is_ascii_digit() || c == '/') {
        return None;
    }
    let share = part / total;
    let compare = |same: bool| {
        Some(if same {
            Agreement::Same
        } else {
            Agreement::Different
        })
    };
    if let Some((own, all, _)) = of_total(said.text) {
        return compare((own / all - share).abs() < 1e-9);
    }
    let told = said
        .quantities
        .iter()
        .find(|q| !matches!(q.kind, QuantityKind::Year | QuantityKind::Label))?;
    let points = told
        .unit
        .is_some_and(|id| crate::lexicon::units::unit(id).dimension == "point");
    match told.kind {
        QuantityKind::Percent if !points => compare((told.value - share * 100.0).abs() <= SHARE),
        QuantityKind::Cardinal | QuantityKind::Percent if told.value <= total => {
            compare((told.value - part).abs() < 1e-9)
        }
        _ => Some(Agreement::Incomparable),
    }
}

/// "10 x 15 cm": the sides and their unit.
fn sides(text: &str) -> Option<(Vec<f64>, Option<UnitId>)> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let (mut rest, mut found, mut unit) = (&text[start..], Vec::new(), None);
    loop {
        let len = rest
            .find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ','))
            .unwrap_or(rest.len());
        let digits = rest[..len].trim_end_matches(['.', ',']);
        let Ok(value) = digits.replace(',', "").parse::<f64>() else {
            break;
        };
        found.push(value);
        rest = rest[digits.len()..].trim_start();
        let crossed = |text: &str| {
            let behind = ["×", "x", "X", "by ", "* "]
                .iter()
                .find_map(|sign| text.strip_prefix(sign));
            behind.map(|rest| rest.len()).filter(|len| {
                text[text.len() - len..]
                    .trim_start()
                    .starts_with(|c: char| c.is_ascii_digit())
            })
        };
        if crossed(rest).is_none() {
            let end = rest
                .find(|c: char| !c.is_alphabetic())
                .unwrap_or(rest.len());
            if end > 0 {
                unit = unit_named(&rest[..end]).or(unit);
                let behind = rest[end..].trim_start();
                if crossed(behind).is_some() {
                    rest = behind;
                }
            }
        }
        match crossed(rest) {
            Some(len) if found.len() < SIDES => rest = rest[rest.len() - len..].trim_start(),
            _ => break,
        }
    }
    (found.len() > 1).then_some((found, unit))
}

/// Whether two sentences tell the same sides of a thing, in whatever order.
pub(crate) fn same_sides(said: &str, told: &str) -> bool {
    let of = |text: &str| {
        let mut digit = false;
        let starts = text.char_indices().filter(|(_, c)| {
            let first = c.is_ascii_digit() && !digit;
            digit = c.is_ascii_digit();
            first
        });
        let mut found = starts
            .collect::<Vec<_>>()
            .into_iter()
            .filter_map(|(at, _)| sides(&text[at..]));
        found.next()
    };
    let (Some((mut own, of_own)), Some((mut other, of_other))) = (of(said), of(told)) else {
        return false;
    };
    own.sort_by(f64::total_cmp);
    other.sort_by(f64::total_cmp);
    own == other && of_own == of_other
}

fn sides_agree(said: &Said<'_>, text: &str) -> Option<Agreement> {
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let (mut own, of) = sides(text)?;
    let Some((mut told, unit)) = sides(said.text) else {
        return Some(Agreement::Incomparable);
    };
    if own.len() != told.len() {
        return Some(Agreement::Incomparable);
    }
    if let Some((of, unit)) = of.zip(unit) {
        own = own
            .iter()
            .map(|side| convert(*side, of, unit))
            .collect::<Option<_>>()?;
    }
    own.sort_by(f64::total_cmp);
    told.sort_by(f64::total_cmp);
    let near = |(a, b): (&f64, &f64)| (a - b).abs() <= NEAR * a.abs().max(b.abs());
    let same = own.iter().zip(&told).all(near);
    Some(match same {
        true => Agreement::Same,
        false if of.is_some() != unit.is_some() => Agreement::Incomparable,
        false => Agreement::Different,
    })
}

/// "2nd" of "rank 2", "top 10" of "7th".
fn place_agrees(said: &Said<'_>, text: &str) -> Option<Agreement> {
    let rest = text.trim().to_lowercase();
    let (within, rest) = match rest.strip_prefix("top ") {
        Some(rest) => (true, rest.to_owned()),
        None => (false, rest),
    };
    let ends = ["st", "nd", "rd", "th"];
    if !within && !ends.iter().any(|end| rest.ends_with(end)) {
        return None;
    }
    let own = segment::quantities(&rest);
    let [own] = own.as_slice() else { return None };
    let whole = own.span.len() == rest.len();
    if !whole || !within && own.kind != QuantityKind::Ordinal {
        return None;
    }
    let place = |q: &&Quantity| {
        q.unit.is_none()
            && matches!(
                q.kind,
                QuantityKind::Ordinal | QuantityKind::Cardinal | QuantityKind::Label
            )
    };
    let told = said.quantities.iter().find(place)?;
    let same = if within {
        told.value <= own.value
    } else {
        (told.value - own.value).abs() < 1e-9
    };
    Some(if same {
        Agreement::Same
    } else {
        Agreement::Different
    })
}
