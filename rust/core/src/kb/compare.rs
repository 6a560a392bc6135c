//! Compares what a text says with a typed value.

use crate::claims::{ABOUT_YEARS, numbers_agree, rounded_to, unit_named};
use crate::lexicon::tables::roles;
use crate::lexicon::units::{Role, number_word};
use crate::normal::fold_name;
use crate::segment;
use crate::types::{DateExpr, Quantity, QuantityKind, Span};

use super::clock::clock_agrees;
use super::forms::{form_agrees, other_measure};
use super::loose::{is_free, is_that_price, loose, loose_agrees};
use super::measured::measured_agrees;
use super::overlay::Snapshot;
use super::period::{century_agrees, period_agrees};
use super::site::site_agrees;
use super::texts::{texts, words};
use super::value::{Date, Value};
use super::versions::version_agrees;

/// How what is said stands to a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreement {
    /// Says the value, as precisely as it is written.
    Same,
    /// Says another value of the same type.
    Different,
    /// Cannot be compared: another type, another unit, only partly the same words.
    Incomparable,
}

/// The words that are compared with a value, and what the scanners found in them.
#[derive(Debug, Clone, Copy, Default)]
pub struct Said<'a> {
    /// The words.
    pub text: &'a str,
    /// Numbers in them.
    pub quantities: &'a [Quantity],
    /// Dates in them.
    pub dates: &'a [DateExpr],
    /// Known entities named in them.
    pub entities: &'a [u32],
}

/// The number to dial that a text writes, digits alone, and where it stands.
pub(crate) fn dialled(text: &str) -> Option<(Span, String)> {
    const LEAST: usize = 7;
    let mark = |c: char| c.is_ascii_digit() || matches!(c, ' ' | '(' | ')' | '+' | '-' | '.' | '/');
    let mut start = 0;
    text.split(|c| !mark(c)).find_map(|piece| {
        let at = start;
        start += piece.len()
            + text[start + piece.len()..]
                .chars()
                .next()
                .map_or(0, char::len_utf8);
        let lead = piece.len() - piece.trim_start().len();
        let piece = piece.trim().trim_end_matches(['.', '(', '/', '-']);
        let digits: String = piece.chars().filter(char::is_ascii_digit).collect();
        (digits.len() >= LEAST).then(|| (Span::new(at + lead, at + lead + piece.len()), digits))
    })
}

/// A text that is a telephone number as a whole compares by its digits; a country's code may be
/// left out.
fn number_to_dial(said: &str, value: &str) -> Option<Agreement> {
    let (place, own) = dialled(value)?;
    let dated = Date::parse(value).is_some() || loose(value).is_some();
    if place.len() + 1 < value.trim().len() || dated {
        return None;
    }
    let Some((_, said)) = dialled(said) else {
        return Some(Agreement::Incomparable);
    };
    let same =
        said.ends_with(own.trim_start_matches('0')) || own.ends_with(said.trim_start_matches('0'));
    Some(if same {
        Agreement::Same
    } else {
        Agreement::Different
    })
}

/// The first word of the text that reads as an e-mail address.
fn email(text: &str) -> Option<&str> {
    text.split(|c: char| c.is_whitespace() || "<>()[],;:\"“”".contains(c))
        .map(|word| word.trim_end_matches(['.', '!', '?']))
        .find(|word| {
            word.split_once('@')
                .is_some_and(|(user, host)| !user.is_empty() && host.contains('.'))
        })
}

/// A text that is one date as a whole ("Thursday", "Thursday, 15 May"); only dates compare with it.
fn day_agrees(said: &Said<'_>, value: &DateExpr) -> Agreement {
    let mut out = Agreement::Incomparable;
    for date in said.dates {
        let parts = [
            same(date.weekday, value.weekday),
            same(date.year, value.year),
            same(date.month, value.month),
            same(date.day, value.day),
            same(date.minutes, value.minutes),
        ];
        if parts.contains(&Some(false)) {
            out = Agreement::Different;
        } else if parts.contains(&Some(true)) {
            return Agreement::Same;
        }
    }
    out
}

/// Whether two parts are equal, where both are written.
fn same<T: PartialEq>(a: Option<T>, b: Option<T>) -> Option<bool> {
    a.zip(b).map(|(a, b)| a == b)
}

/// The date that a text is as a whole, with a weekday.
pub(crate) fn weekday_text(text: &str) -> Option<DateExpr> {
    let text = text.trim();
    match segment::dates(text).as_slice() {
        [date] if date.weekday.is_some() && date.span.start == 0 && date.span.end == text.len() => {
            Some(*date)
        }
        _ => None,
    }
}

/// How years may be written that no scanner reads as a year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LooseYear {
    /// "the 1980s": from that year, ten of them.
    Decade(i32),
    /// "the '80s", "the 80s": years of a century from that one, and how many.
    OfCentury(i32, i32),
    /// "nineteen eighty-seven".
    Spelled,
}

/// The first decade, short year or year in words of a text.
pub(crate) fn loose_year(text: &str) -> Option<LooseYear> {
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || c == ',' || c == '-' || c == '–')
        .collect();
    words.iter().enumerate().find_map(|(i, word)| {
        let word = word.trim_end_matches(['.', ';', ')', '"', '”']);
        let bare = word.trim_start_matches(['\'', '’', '‘']);
        let many = bare.strip_suffix('s').unwrap_or(bare);
        let digits = many.trim_end_matches(['\'', '’']);
        let year = || digits.parse::<i32>().ok();
        let number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        let (short, plural) = (bare.len() < word.len(), many.len() < bare.len());
        if number && plural && digits.ends_with('0') {
            return match digits.len() {
                4 => year().map(LooseYear::Decade),
                2 => year().map(|year| LooseYear::OfCentury(year, 10)),
                _ => None,
            };
        }
        if number && short && digits.len() == 2 {
            return year().map(|year| LooseYear::OfCentury(year, 1));
        }
        // "nineteen ninety", "nineteen oh five", not "twenty past nine", "twelve hundred people".
        let century = number_word(&bare.to_ascii_lowercase());
        let next = words.get(i + 1).is_some_and(|next| {
            let next = next.trim_end_matches(|c: char| !c.is_alphabetic());
            let next = next.to_ascii_lowercase();
            // "nineteen eighties"
            let decade = next.strip_suffix("ies").map(|stem| format!("{stem}y"));
            let known = number_word(decade.as_ref().unwrap_or(&next));
            let late = century.value >= 17.0;
            match known.role {
                Role::Ones => known.value >= 10.0,
                Role::Ten => true,
                _ => next == "oh" || late && matches!(next.as_str(), "hundred" | "hundreds"),
            }
        });
        let century = matches!(century.role, Role::Ones | Role::Ten)
            && (10.0..=20.0).contains(&century.value);
        (century && next).then_some(LooseYear::Spelled)
    })
}

pub(super) fn dates(said: &Said<'_>, value: Date) -> Agreement {
    match loose_year(said.text) {
        Some(LooseYear::Decade(from)) if (from..from + 10).contains(&value.year) => {
            return Agreement::Same;
        }
        Some(LooseYear::Decade(_)) => return Agreement::Different,
        Some(LooseYear::OfCentury(from, years)) => {
            let of_century = value.year.rem_euclid(100);
            return if (from..from + years).contains(&of_century) {
                Agreement::Same
            } else {
                Agreement::Incomparable
            };
        }
        Some(LooseYear::Spelled) => return Agreement::Incomparable,
        None => {}
    }
    let mut compared = false;
    for date in said.dates {
        let Some(year) = date.year else {
            // "on 2 May": the year is not said, so only the day can differ.
            if let (Some(month), Some(value_month)) = (date.month, value.month) {
                compared = true;
                if month == value_month && both(date.day, value.day) {
                    return Agreement::Same;
                }
            } else if let Some(same) = same(date.weekday, value.weekday()) {
                compared = true;
                if same {
                    return Agreement::Same;
                }
            }
            continue;
        };
        compared = true;
        if year == value.year && both(date.month, value.month) && both(date.day, value.day) {
            return Agreement::Same;
        }
    }
    for quantity in said.quantities.iter().filter(|q| is_year(q)) {
        compared = true;
        let slack = if quantity.approximate {
            ABOUT_YEARS
        } else {
            0.0
        };
        if (quantity.value - f64::from(value.year)).abs() <= slack {
            return Agreement::Same;
        }
    }
    if compared {
        Agreement::Different
    } else {
        Agreement::Incomparable
    }
}

/// Equal, or one of them not said.
fn both(a: Option<u8>, b: Option<u8>) -> bool {
    a.zip(b).is_none_or(|(a, b)| a == b)
}

fn is_year(quantity: &Quantity) -> bool {
    quantity.kind == QuantityKind::Year
        || (quantity.kind == QuantityKind::Cardinal
            && quantity.unit.is_none()
            && quantity.value.fract() == 0.0
            && (1000.0..2200.0).contains(&quantity.value))
}

fn is_percent(unit: &str) -> bool {
    matches!(unit, "%" | "percent" | "per cent")
}

fn numbers(said: &Said<'_>, value: f64, of: Option<&str>) -> Agreement {
    let percent = of.is_some_and(is_percent);
    let of_id = of.filter(|_| !percent).and_then(unit_named);
    let plain_year = of.is_none() && value.fract() == 0.0 && (1000.0..2200.0).contains(&value);
    let mut compared = false;
    let mut rounded = false;
    let loose = plain_year && loose_year(said.text).is_some();
    for quantity in said.quantities.iter().filter(|_| !loose) {
        if matches!(quantity.kind, QuantityKind::Label | QuantityKind::Ordinal) {
            continue;
        }
        if (quantity.kind == QuantityKind::Percent) != percent {
            continue;
        }
        let same = match (of, of_id) {
            _ if percent => numbers_agree(quantity, value, None),
            // A unit that the lexicon does not know is compared as the noun that follows.
            (Some(of), None) => {
                if !texts(said.text, of).eq(&Agreement::Same) {
                    continue;
                }
                numbers_agree(
                    &Quantity {
                        unit: None,
                        ..*quantity
                    },
                    value,
                    None,
                )
            }
            _ => numbers_agree(quantity, value, of_id),
        };
        match same {
            Some(true) => return Agreement::Same,
            // The exact number of a round figure.
            Some(false) if rounded_to(quantity, value, of_id) => rounded = true,
            Some(false) => compared = true,
            None => {}
        }
    }
    if rounded {
        return Agreement::Incomparable;
    }
    if plain_year {
        #[allow(clippy::cast_possible_truncation)]
        let year = Date {
            year: value as i32,
            month: None,
            day: None,
        };
        match dates(said, year) {
            Agreement::Incomparable => {
                if let Some(told) = century_agrees(said.text, year) {
                    return told;
                }
            }
            other => return other,
        }
    }
    if compared {
        Agreement::Different
    } else {
        Agreement::Incomparable
    }
}

impl Snapshot {
    /// How the words stand to a value: numbers with unit conversion and the rounding they are
    /// written with, dates as far as they are written, texts folded and stemmed, entities by any
    /// of their names.
    #[must_use]
    pub fn agrees(&self, value: &Value, said: &Said<'_>) -> Agreement {
        if let Some(yes) = value.as_yes_no() {
            let words = words(said.text);
            let any = |class: &str| words.iter().any(|word| roles().has(class, word));
            return match (any("yes"), any("no")) {
                (said, no) if said != no && said == yes => Agreement::Same,
                (said, no) if said != no => Agreement::Different,
                _ => Agreement::Incomparable,
            };
        }
        match value {
            Value::Text(text) => self.text_agrees(text, said),
            Value::Enum(text) => match texts(said.text, text) {
                Agreement::Incomparable if !words(said.text).is_empty() => Agreement::Different,
                other => other,
            },
            Value::Number { value, unit } => numbers(said, *value, unit.as_deref()),
            Value::Date(date) => match dates(said, *date) {
                Agreement::Incomparable => {
                    century_agrees(said.text, *date).unwrap_or(Agreement::Incomparable)
                }
                told => told,
            },
            Value::Email(address) => match email(said.text) {
                None => Agreement::Incomparable,
                Some(found) if found.eq_ignore_ascii_case(address) => Agreement::Same,
                Some(_) => Agreement::Different,
            },
            Value::Entity(reference) => self.entity_agrees(reference, said),
            Value::Bool(_) => Agreement::Incomparable,
        }
    }

    fn text_agrees(&self, text: &str, said: &Said<'_>) -> Agreement {
        // A text value may name an entity; then its other names count as well.
        let ids = self.find(text);
        if !ids.is_empty() && said.entities.iter().any(|id| ids.contains(id)) {
            return Agreement::Same;
        }
        let alike = form_agrees(said, text).or_else(|| version_agrees(said, text));
        if let Some(agreement) = alike {
            return agreement;
        }
        match weekday_text(text) {
            Some(day) => day_agrees(said, &day),
            None => site_agrees(said.text, text)
                .or_else(|| period_agrees(said, text))
                .or_else(|| clock_agrees(said.text, said.quantities, said.dates, text))
                .or_else(|| number_to_dial(said.text, text))
                .or_else(|| loose_agrees(said, text))
                .or_else(|| {
                    let same = is_free(text) && is_free(said.text) || is_that_price(said, text);
                    same.then_some(Agreement::Same)
                })
                .or_else(|| measured_agrees(said, text))
                .or_else(|| other_measure(said, text))
                .unwrap_or_else(|| texts(said.text, text)),
        }
    }

    fn entity_agrees(&self, reference: &str, said: &Said<'_>) -> Agreement {
        let ids = self.resolve(reference);
        if said.entities.iter().any(|id| ids.contains(id)) {
            return Agreement::Same;
        }
        let folded = fold_name(said.text);
        let named = ids
            .iter()
            .flat_map(|id| self.names_of(*id))
            .chain(std::iter::once(reference))
            .any(|name| {
                [&folded, said.text]
                    .iter()
                    .any(|said| texts(said, name) == Agreement::Same)
            });
        if named {
            Agreement::Same
        } else if !said.entities.is_empty() {
            Agreement::Different
        } else {
            texts(&folded, reference)
        }
    }
}
