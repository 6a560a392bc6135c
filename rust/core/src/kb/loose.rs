//! Values that say nothing, and values that are not exact: "unknown", "c. 1850", "about 300",
//! "200 to 300", "over 40 km".

use crate::claims::{ABOUT_YEARS, Bounds, numbers_agree, unit_named};
use crate::types::{Quantity, QuantityKind};

use super::compare::{Agreement, Said, dialled};
use super::model::Fact;
use super::value::Value;

/// What stands in a field that nobody filled in, folded, without points and blanks around it.
const PLACEHOLDERS: [&str; 36] = [
    "",
    "unknown",
    "not known",
    "n/a",
    "na",
    "n a",
    "none",
    "null",
    "nil",
    "nan",
    "nothing known",
    "no data",
    "no information",
    "no value",
    "tbd",
    "tba",
    "tbc",
    "to be determined",
    "to be decided",
    "to be announced",
    "to be confirmed",
    "to be defined",
    "not available",
    "not applicable",
    "not specified",
    "not given",
    "not provided",
    "not recorded",
    "not stated",
    "not set",
    "unspecified",
    "undefined",
    "undisclosed",
    "unavailable",
    "missing",
    "empty",
];

/// Whether a text only holds the place of a value: "unknown", "N/A", "tbd", "-", "?", nothing.
#[must_use]
pub fn is_placeholder(text: &str) -> bool {
    let edge = |c: char| c.is_whitespace() || "()[]<>{}.…_*".contains(c);
    let bare = text.trim_matches(edge).to_lowercase();
    let mark = |c: char| !c.is_alphanumeric() && !c.is_whitespace();
    let signs = bare.chars().count() <= 3 && bare.chars().all(|c| mark(c) && !"+%€$£#".contains(c));
    signs || PLACEHOLDERS.contains(&bare.replace('.', "").as_str())
}

impl Fact {
    /// Whether it says something: its value holds no mere place.
    #[must_use]
    pub fn is_told(&self) -> bool {
        match &self.value {
            Value::Text(text) | Value::Enum(text) | Value::Entity(text) | Value::Email(text) => {
                !is_placeholder(text)
            }
            _ => true,
        }
    }
}

/// Words that make a value approximate, before it.
const ABOUT: [&str; 17] = [
    "approximately ",
    "approx. ",
    "approx ",
    "around ",
    "about ",
    "circa ",
    "ca. ",
    "ca ",
    "c. ",
    "c.",
    "roughly ",
    "nearly ",
    "almost ",
    "some ",
    "est. ",
    "estimated ",
    "probably ",
];
/// The same behind it.
const OR_SO: [&str; 8] = [
    " or so",
    " approximately",
    " approx.",
    " (approx.)",
    " (estimated)",
    " (est.)",
    " (ca.)",
    "?",
];

/// From how far off, in times of what an approximate value allows, another is surely another: a
/// number, and a year, which may be known by its generation alone.
const FAR: f64 = 2.5;
/// See [`FAR`].
const FAR_YEARS: f64 = 4.0;
/// How far an approximate number may be off, as a share.
const NEAR: f64 = 0.1;

/// A value that is not exact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Loose {
    /// From where to where it may be.
    pub(crate) bounds: Bounds,
    /// How far beyond that it surely is not; 0 for a range that is written as such.
    slack: f64,
    /// Whether it is a year.
    year: bool,
    /// Whether it is a share in percent.
    percent: bool,
}

/// Whether a text is written as approximate.
pub(crate) fn written_loosely(text: &str) -> bool {
    stripped(text.trim()).is_some()
}

/// What stands behind the words that the text begins with, however their letters are written.
fn behind<'a>(text: &'a str, lead: &str) -> Option<&'a str> {
    let head = text.get(..lead.len())?;
    head.eq_ignore_ascii_case(lead).then(|| &text[lead.len()..])
}

/// A text without what makes it approximate.
fn stripped(text: &str) -> Option<&str> {
    let sign = |c: char| matches!(c, '~' | '≈' | '∼' | '±');
    if let Some(rest) = text.strip_prefix(sign) {
        return Some(rest.trim());
    }
    let before = ABOUT
        .iter()
        .find_map(|word| behind(text, word))
        .map(str::trim);
    before.or_else(|| OR_SO.iter().find_map(|word| text.strip_suffix(word)))
}

/// The number a whole text is, its unit, and whether it is a year.
fn exact(text: &str) -> Option<(f64, Option<crate::types::UnitId>, bool)> {
    match Value::infer(text) {
        Value::Number { value, unit } if in_percent(unit.as_deref()) => Some((value, None, false)),
        Value::Number { value, unit } => {
            let id = unit.as_deref().and_then(unit_named);
            let percent = unit.as_deref() == Some("%");
            if unit.is_some() && id.is_none() && !percent {
                return None;
            }
            let year = unit.is_none() && value.fract() == 0.0 && (1000.0..2200.0).contains(&value);
            Some((value, id, year && text.len() == 4))
        }
        Value::Date(date) => Some((f64::from(date.year), None, true)),
        _ => None,
    }
}

fn in_percent(unit: Option<&str>) -> bool {
    unit == Some("%")
}

/// What a text that is no exact value as a whole leaves open; none for any other text.
pub(crate) fn loose(text: &str) -> Option<Loose> {
    let text = text.trim();
    let all = || crate::segment::quantities(text);
    let percent =
        text.ends_with(['%', 't']) && all().iter().any(|q| q.kind == QuantityKind::Percent);
    if let Some((value, unit, year)) = stripped(text).and_then(exact) {
        let slack = if year {
            ABOUT_YEARS
        } else {
            value.abs() * NEAR
        };
        let bounds = Bounds::between(value - slack, value + slack, unit);
        return Some(Loose {
            bounds,
            slack: slack * (if year { FAR_YEARS } else { FAR } - 1.0),
            year,
            percent,
        });
    }
    let limit = |words: &[&str], above: bool, open: bool| {
        let rest = words.iter().find_map(|word| behind(text, word))?;
        let (value, unit, year) = exact(unrated(rest))?;
        let mut bounds = if above {
            Bounds::between(value, f64::INFINITY, unit)
        } else {
            Bounds::between(f64::NEG_INFINITY, value, unit)
        };
        bounds.open = open;
        Some(Loose {
            bounds,
            slack: 0.0,
            year,
            percent,
        })
    };
    limit(&["over ", "more than ", "above ", ">"], true, true)
        .or_else(|| {
            limit(
                &["at least ", "no less than ", "no fewer than ", "from ", "≥"],
                true,
                false,
            )
        })
        .or_else(|| {
            limit(
                &["under ", "less than ", "fewer than ", "below ", "<"],
                false,
                true,
            )
        })
        .or_else(|| {
            limit(
                &["up to ", "at most ", "no more than ", "max. ", "≤"],
                false,
                false,
            )
        })
        .or_else(|| {
            let (value, unit, year) = exact(text.strip_suffix('+')?.trim())?;
            Some(Loose {
                bounds: Bounds::between(value, f64::INFINITY, unit),
                slack: 0.0,
                year,
                percent,
            })
        })
        .or_else(|| {
            Some(Loose {
                percent,
                ..range(text)?
            })
        })
}

/// An amount without what it is for: "£80 a night".
fn unrated(text: &str) -> &str {
    let rates = [" a ", " an ", " per ", " each", " every "];
    let end = rates.iter().filter_map(|rate| text.find(rate)).min();
    text[..end.unwrap_or(text.len())].trim()
}

/// The amount of money of a price that says what it is for ("49 euros a month").
pub(crate) fn rated_amount(text: &str) -> Option<Quantity> {
    let all = crate::segment::quantities(text);
    let [own] = all.as_slice() else { return None };
    let behind = text.get(own.span.end..).unwrap_or("");
    let rated = behind.starts_with([' ', '/']) && own.span.start == 0;
    (rated && own.kind == QuantityKind::Money).then_some(*own)
}

/// Whether what is said has the amount of a price that says what it is for; for what it is said
/// stands outside the amount, and is not compared.
pub(super) fn is_that_price(said: &Said<'_>, text: &str) -> bool {
    let Some(own) = rated_amount(text) else {
        return false;
    };
    let money = |q: &&Quantity| q.kind == QuantityKind::Money;
    let mut told = said.quantities.iter().filter(money);
    let agrees = |q: &Quantity| {
        let exact = q.unit == own.unit && (q.value - own.value).abs() <= 1e-9 * own.value.abs();
        exact || q.approximate && numbers_agree(q, own.value, own.unit) == Some(true)
    };
    told.next().is_some_and(agrees) && told.next().is_none()
}

/// "200 to 300", "200–300 km", "between 1850 and 1855", "1850 or 1851".
fn range(text: &str) -> Option<Loose> {
    let (rest, joints): (&str, &[&str]) = match behind(text, "between ") {
        Some(rest) => (rest, &[" and "]),
        None => (text, &[" to ", "–", "-", " or "]),
    };
    let (low, high) = joints.iter().find_map(|joint| rest.split_once(joint))?;
    let ((low, one, a), (high, two, b)) = (exact(low.trim())?, exact(unrated(high))?);
    // "$40–60": the sign stands once, and is that of both.
    let money = one.is_some_and(|id| crate::lexicon::units::unit(id).dimension == "currency");
    let two = two.or(one.filter(|_| money));
    let units = one.is_none() || one == two;
    // Two years are no number to dial.
    if dialled(text).is_some() && !(a && b) {
        return None;
    }
    (units && low < high && a == b).then(|| Loose {
        bounds: Bounds::between(low, high, two),
        slack: 0.0,
        year: a,
        percent: false,
    })
}

/// How what is said stands to a text that leaves its value open; `None` where it is no such text.
/// Between what an approximate value allows and what it surely is not, nothing is told.
pub(super) fn loose_agrees(said: &Said<'_>, text: &str) -> Option<Agreement> {
    let own = loose(text)?;
    let years = said
        .dates
        .iter()
        .filter_map(|date| date.year)
        .map(f64::from);
    let counts = |quantity: &&Quantity| match quantity.kind {
        QuantityKind::Label | QuantityKind::Ordinal => false,
        QuantityKind::Year => own.year,
        kind if (kind == QuantityKind::Percent) != own.percent => false,
        _ => !own.year || quantity.unit.is_none(),
    };
    let told = said.quantities.iter().filter(counts).map(Bounds::exactly);
    let told = told.chain(
        years
            .filter(|_| own.year)
            .map(|year| Bounds::between(year, year, None)),
    );
    // "the 1850s": nothing is told of one year.
    if own.year && super::compare::loose_year(said.text).is_some() {
        return Some(Agreement::Incomparable);
    }
    let mut out = Agreement::Incomparable;
    for one in told {
        match own.bounds.meets(&one) {
            Some(true) if out == Agreement::Incomparable => out = Agreement::Same,
            Some(false) if own.bounds.wider(own.slack).meets(&one) == Some(true) => {
                return Some(Agreement::Incomparable);
            }
            // From one year to another: both have to be right.
            Some(false) => out = Agreement::Different,
            _ => {}
        }
    }
    Some(out)
}

/// Whether a value can be put into a sentence as it is: exact, one line of plain words.
pub(crate) fn is_insertable(text: &str) -> bool {
    !written_loosely(text) && loose(text).is_none() && !is_placeholder(text) && is_plain_line(text)
}

/// Most bytes of what takes the place of a value.
const LONGEST: usize = 300;

/// Whether a text is one line of plain words: no line break or other control character, no markup.
#[must_use]
pub fn is_plain_line(text: &str) -> bool {
    let tag = text.match_indices('<').any(|(at, _)| {
        text[at + 1..].starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!'))
    });
    let hidden = |c: char| {
        c.is_control()
            || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let linked = text.contains("](") || text.contains("```");
    text.len() <= LONGEST && !tag && !linked && !text.chars().any(hidden)
}

/// Whether a text says that nothing is to be paid.
pub(crate) fn is_free(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    let bare = text.trim_end_matches(['.', '!']);
    let bare = bare.strip_prefix("you ").unwrap_or(bare);
    matches!(
        bare,
        "free"
            | "nothing"
            | "no charge"
            | "free of charge"
            | "gratis"
            | "at no charge"
            | "for free"
            | "without charge"
            | "complimentary"
            | "no fee"
            | "free entry"
            | "free admission"
    )
}
