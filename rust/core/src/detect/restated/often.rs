//! How often and how long: "four times a year" and "quarterly", "ten years" and "a decade", "three
//! weeks" and "15 working days".

use crate::lexicon::tables::otherwise;
use crate::lexicon::units::{UnitDef, by_name, convert, unit};
use crate::types::{Quantity, QuantityKind, UnitId};

use super::{Around, Own, has_phrase, words};

/// Days that count as a month, and as a year, where people count in days.
const DAYS: [(&str, f64); 3] = [("month", 30.0), ("year", 365.0), ("week", 7.0)];
/// Working days of a week.
const WORKED: f64 = 5.0;
/// Words behind a number among which "a year" stands.
const REACH: usize = 5;
/// Units of time of which one may have an article for its number.
const UNITS: [&str; 9] = [
    "minute",
    "hour",
    "day",
    "week",
    "fortnight",
    "month",
    "year",
    "decade",
    "century",
];

/// A length of time.
#[derive(Clone, Copy)]
struct Length(f64, &'static UnitDef);

impl Length {
    fn of(value: f64, id: UnitId) -> Option<Self> {
        let unit = unit(id);
        (unit.dimension == "time" && value > 0.0).then_some(Self(value, unit))
    }

    fn named(value: f64, name: &str) -> Option<Self> {
        Self::of(value, by_name(name)?)
    }

    fn is(self, other: Self) -> bool {
        let (a, b) = (self.0 * self.1.factor, other.0 * other.1.factor);
        self.1.base == other.1.base && (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
    }
}

/// The time from one to the next: of "every two weeks", "four times a year", "three doses a day".
fn period(quantity: &Quantity, before: &str, behind: &str) -> Option<Length> {
    let last = words(before).next_back().map(|(word, _)| word);
    if let Some(id) = quantity.unit {
        let every = matches!(last.as_deref(), Some("every" | "each"));
        return Length::of(quantity.value, id).filter(|_| every);
    }
    if quantity.kind != QuantityKind::Cardinal || quantity.value < 2.0 {
        return None;
    }
    let mut linked = false;
    for (word, piece) in words(behind).take(REACH) {
        let name = match word.as_str() {
            "daily" => Some("day"),
            "weekly" => Some("week"),
            "monthly" => Some("month"),
            "yearly" | "annually" => Some("year"),
            own if linked => UNITS.iter().find(|unit| **unit == own).copied(),
            _ => None,
        };
        if let Some(name) = name {
            return Length::named(1.0 / quantity.value, name);
        }
        if piece.contains(|c: char| c.is_ascii_digit()) || piece.ends_with(['.', ';', ',']) {
            return None;
        }
        linked = matches!(word.as_str(), "a" | "an" | "per" | "each" | "every");
    }
    None
}

/// The periods that a number may tell: as it stands, or with any unit still to come.
fn periods(said: &Around<'_>) -> Vec<Length> {
    let quantity = said.quantity;
    let told = period(quantity, said.before, said.behind.unwrap_or(""));
    if said.behind.is_some() || told.is_some() || quantity.unit.is_some() {
        return told.into_iter().collect();
    }
    let counts = quantity.kind == QuantityKind::Cardinal && quantity.value >= 2.0;
    let any = ["hour", "day", "week", "month", "year"];
    any.iter()
        .filter(|_| counts)
        .filter_map(|name| Length::named(1.0 / quantity.value, name))
        .collect()
}

/// The word of a source for how often something is.
pub(super) fn period_in(said: &Around<'_>, text: &str) -> Option<String> {
    let told = periods(said);
    if told.is_empty() {
        return None;
    }
    let lower = text.to_lowercase();
    otherwise().under("period_").find_map(|(name, phrases)| {
        let (unit, count) = name.split_once('_')?;
        let own = Length::named(count.parse().ok()?, unit)?;
        told.iter().find(|length| length.is(own))?;
        let phrase = phrases.iter().find(|phrase| has_phrase(&lower, phrase));
        phrase.map(|phrase| (*phrase).to_owned())
    })
}

/// Whether both tell how often something is, in two ways: "every eight hours", "three times a day".
pub(super) fn recurs_as(said: &Around<'_>, own: &Own<'_>) -> bool {
    let Some(there) = period(&own.counted.quantity, own.before, own.behind) else {
        return false;
    };
    periods(said).iter().any(|here| here.is(there))
}

/// Whether a source's length of time is the same where months have 30 days and weeks five working
/// days.
pub(super) fn lasts_as(said: &Around<'_>, own: &Own<'_>) -> bool {
    let (a, b) = (said.quantity, &own.counted.quantity);
    let name = |quantity: &Quantity| quantity.unit.map(|id| unit(id).name);
    let working = |behind: &str| {
        let mut words = words(behind).map(|(word, _)| word);
        let first = words.next();
        matches!(first.as_deref(), Some("working" | "business" | "work"))
            && words.next().is_some_and(|word| word.starts_with("day"))
    };
    let in_days = |days: f64, long: &Quantity, week: f64| {
        DAYS.iter().any(|(unit, length)| {
            let length = if *unit == "week" { week } else { *length };
            name(long) == Some(*unit) && (long.value * length - days).abs() < 1e-9
        })
    };
    let bare = |q: &Quantity| q.unit.is_none() && q.kind == QuantityKind::Cardinal;
    if bare(b) && working(own.behind) {
        return in_days(b.value, a, WORKED);
    }
    if bare(a) && said.behind.is_none_or(working) && name(b) == Some("week") {
        return in_days(a.value, b, WORKED);
    }
    name(b) == Some("day") && in_days(b.value, a, 7.0)
        || name(a) == Some("day") && in_days(a.value, b, 7.0)
}

/// One unit of time that the amount comes to, told with an article: "a decade" of "ten years".
pub(super) fn one_unit_in(said: &Around<'_>, text: &str) -> Option<String> {
    let id = said.quantity.unit?;
    if unit(id).dimension != "time" {
        return None;
    }
    let one = |name: &&&str| {
        let other = by_name(name).filter(|other| *other != id);
        other
            .and_then(|other| convert(said.quantity.value, id, other))
            .is_some_and(|value| (value - 1.0).abs() < 1e-9)
    };
    let name = UNITS.iter().find(one)?;
    let lower = text.to_lowercase();
    let long = [format!("{name}-long"), format!("{name}long")];
    if let Some(phrase) = long.into_iter().find(|phrase| has_phrase(&lower, phrase)) {
        return Some(phrase);
    }
    // "three times a day" tells no length.
    let lasting = |at: usize| {
        let before = words(&lower[..at]).next_back();
        before.is_some_and(|(word, _)| otherwise().has("lasting", &word))
    };
    ["a", "an", "one", "a full", "a whole"]
        .iter()
        .find_map(|lead| {
            let phrase = format!("{lead} {name}");
            let mut places = lower.match_indices(&phrase);
            let found = places.any(|(at, _)| {
                let behind = lower[at + phrase.len()..].chars().next();
                lower[..at].ends_with(' ')
                    && !behind.is_some_and(char::is_alphanumeric)
                    && lasting(at)
            });
            found.then_some(phrase)
        })
}
