//! Reads words as a stretch of time.

use crate::claims::ABOUT_YEARS;
use crate::lexicon::tables::time;
use crate::lexicon::units::{Role, number_word};
use crate::segment;
use crate::types::QuantityKind;

use super::super::value::Date;
use super::{FAR, Form, LONGEST, MONTH, Period, YEAR};

/// A year from 1000 to 2199, in four digits.
pub(super) fn year(word: &str) -> Option<i32> {
    let digits = word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit());
    let value = word.parse::<i32>().ok().filter(|_| digits)?;
    (1000..2200).contains(&value).then_some(value)
}

/// The stretch of time that all of the words are, a plain date among them.
pub(super) fn read(all: &[&str], depth: usize) -> Option<Period> {
    let table = time();
    let (first, rest) = all.split_first()?;
    if depth > LONGEST {
        return None;
    }
    let next = |rest| read(rest, depth + 1);
    if table.has("article", first) || matches!(*first, "in" | "during" | "on") {
        return next(rest);
    }
    let rest = rest.strip_prefix(&["-"]).unwrap_or(rest);
    if table.has("approximate", first) {
        let mut period = next(rest)?;
        let length = period.core.1 - period.core.0;
        let room = length.max(4 * ABOUT_YEARS as i32 * YEAR);
        period.wide = (period.wide.0 - room, period.wide.1 + room);
        period.about = true;
        return Some(period);
    }
    let end = |class: &str| table.has(class, first);
    if end("till_then") || end("up_to") {
        let at = next(rest)?;
        let last = if end("up_to") {
            at.core.1
        } else {
            at.core.0 - 1
        };
        let wide = (-FAR, at.core.1.max(at.wide.1));
        return Some(Period {
            wide,
            ..Period::of((-FAR, last), Form::Open)
        });
    }
    if end("from_then") || end("from_on") {
        let at = next(rest)?;
        let from = if end("from_on") {
            at.core.0
        } else {
            at.core.1 + 1
        };
        let wide = (at.core.0.min(at.wide.0), FAR);
        return Some(Period {
            wide,
            ..Period::of((from, FAR), Form::Open)
        });
    }
    if let Some(range) = range(all, depth) {
        return Some(range);
    }
    part(all, depth)
        .or_else(|| named(all))
        .or_else(|| Date::parse(&capitalised(all)).map(Period::date))
}

/// "between A and B", "from A to B", "A-B".
fn range(all: &[&str], depth: usize) -> Option<Period> {
    let (all, joints): (&[&str], &[&str]) = match all.first() {
        Some(&"between") => (&all[1..], &["and"]),
        Some(&"from") => (&all[1..], &["to", "until", "till", "-"]),
        _ => (all, &["to", "-", "or"]),
    };
    let joint = |at: &usize| joints.contains(&all[*at]);
    (1..all.len().saturating_sub(1))
        .filter(joint)
        .find_map(|at| {
            let (left, right) = (&all[..at], &all[at + 1..]);
            let parts = ["part_early", "part_mid", "part_late"];
            if at == 1 && parts.iter().any(|class| time().has(class, left[0])) {
                // "mid-2025"
                return None;
            }
            if right.len() == 1 && time().has("still", right[0]) {
                // "2019-present"
                let from = read(left, depth + 1)?.core.0;
                return Some(Period::of((from, FAR), Form::Open));
            }
            let until = read(right, depth + 1)?;
            let from = read(left, depth + 1).or_else(|| {
                // "Q2-Q3 2025", "March to May 2024", "17th-18th century".
                let own = right
                    .iter()
                    .rfind(|word| year(word).is_some() || **word == "century")?;
                let mut led = left.to_vec();
                led.push(own);
                read(&led, depth + 1)
            })?;
            let ordered = from.core.0 < until.core.0 && from.core.1 < until.core.1;
            ordered.then(|| Period {
                core: (from.core.0, until.core.1),
                wide: (from.wide.0, until.wide.1),
                ..Period::of((0, 0), Form::Range)
            })
        })
}

/// Months are written with a capital.
fn capitalised(words: &[&str]) -> String {
    words
        .iter()
        .map(|word| {
            let mut letters = word.chars();
            let first = letters.next().map(|c| c.to_uppercase().to_string());
            first.unwrap_or_default() + letters.as_str()
        })
        .collect::<Vec<_>>()
        .join(" ")
}

/// "early 1990s", "mid-July 2025", "first half of 2025", "Q3 2025", "2025 Q3", "spring of 2024".
fn part(all: &[&str], depth: usize) -> Option<Period> {
    let table = time();
    let behind = |from: usize| {
        let skipped = |word: &&&str| matches!(**word, "-" | "of" | "the");
        let skip = all[from..].iter().take_while(skipped).count();
        let rest = &all[from + skip..];
        read(rest, depth + 1)
    };
    let first = all[0];
    for (class, core, wide) in [
        ("part_early", (0, 40), (0, 60)),
        ("part_mid", (30, 70), (20, 80)),
        ("part_late", (60, 100), (40, 100)),
    ] {
        if table.has(class, first) {
            return behind(1).map(|whole| whole.part(core, wide));
        }
    }
    if table.has("season", first) {
        let year = behind(1)?.whole_year()?;
        return Some(season(first, year));
    }
    // The year may stand in front.
    let (lead, turned) = match year(first) {
        Some(year) if all.len() > 1 => (Some(year), &all[1..]),
        _ => (None, all),
    };
    let turned = turned.strip_prefix(&["-"]).unwrap_or(turned);
    for length in 1..=2.min(turned.len()) {
        let phrase = turned[..length].join(" ");
        let marks = table.marks(&phrase);
        let of = |class: &str, parts: i32| {
            (1..=parts)
                .find(|n| marks.has(&format!("{class}_{n}")))
                .map(|n| (n, parts))
        };
        let Some((n, parts)) = of("quarter", 4).or_else(|| of("half", 2)) else {
            continue;
        };
        let whole = match lead {
            Some(_) if turned.len() > length => return None,
            Some(year) => Period::years(year, year, Form::Date),
            None => behind(length)?,
        };
        let form = if length == 1 {
            Form::Short
        } else {
            Form::Named
        };
        return Some(match whole.whole_year() {
            Some(year) => {
                let months = 12 / parts;
                Period::months(year, (n - 1) * months + 1, n * months, form)
            }
            None => {
                let share = (100 * (n - 1) / parts, 100 * n / parts);
                whole.part(share, share)
            }
        });
    }
    None
}

/// The northern months; which are meant depends on where, so that no month of the year is another.
fn season(name: &str, year: i32) -> Period {
    let (number, from, until) = match name {
        "spring" => (0, 3, 5),
        "summer" => (1, 6, 8),
        "autumn" | "fall" => (2, 9, 11),
        _ => (3, 12, 14),
    };
    let mut period = Period::months(year, from, until, Form::Season);
    period.wide = (year * YEAR, year * YEAR + YEAR - 1);
    if number == 3 {
        // Of the year in which it begins, or of that in which it ends.
        period.core.0 = year * YEAR - MONTH;
        period.wide = (period.core.0, period.core.1 + MONTH);
    }
    period.season = Some(number);
    period
}

/// "1890s", "18th century", a year.
fn named(all: &[&str]) -> Option<Period> {
    match all {
        [one] => {
            if let Some(year) = year(one) {
                return Some(Period::years(year, year, Form::Date));
            }
            let digits = one.strip_suffix('s')?.trim_end_matches(['\'', '’']);
            let from = year(digits).filter(|from| from % 10 == 0)?;
            let mut period = Period::years(from, from + 9, Form::Named);
            if from % 100 == 0 {
                // "the 1900s" may be the century.
                period.wide.1 = (from + 99) * YEAR + YEAR - 1;
            }
            Some(period)
        }
        [ordinal, "-", "century" | "c" | "c."] | [ordinal, "century" | "c" | "c."] => {
            let number = number_word(ordinal);
            let value = if number.role == Role::Ordinal {
                number.value
            } else {
                let all = segment::quantities(ordinal);
                let [one] = all.as_slice() else { return None };
                (one.kind == QuantityKind::Ordinal && one.span.end == ordinal.len())
                    .then_some(one.value)?
            };
            #[allow(clippy::cast_possible_truncation)]
            let century = value as i32;
            (1..=22).contains(&century).then(|| {
                // The years at both ends are told of either century.
                let from = century * 100 - 100;
                Period {
                    wide: Period::years(from, from + 100, Form::Named).core,
                    ..Period::years(from + 1, from + 99, Form::Named)
                }
            })
        }
        _ => None,
    }
}
