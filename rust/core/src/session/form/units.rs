//! Units and magnitudes that members of a form give for the numbers beside them: "unit": "EUR
//! million", "weight_unit": "g", "multiplier": 1000.

use crate::claims::{scale_of, unit_named};
use crate::lexicon::tables::{forms, otherwise};
use crate::types::UnitId;

/// Endings of keys that tell what the number under the rest of the key is in.
const OF_ONE: [&str; 8] = [
    "_unit",
    "_units",
    "_uom",
    "_scale",
    "_multiplier",
    "_suffix",
    "_magnitude",
    "_currency",
];
/// From here on a number is a magnitude, and no scale that something is rated on.
const LEAST: f64 = 1000.0;

/// What bare numbers are in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    /// What they are to be multiplied by.
    pub(super) factor: f64,
    /// Their unit, if it is told.
    pub(super) unit: Option<UnitId>,
}

impl Scale {
    /// Both, where they can hold together.
    fn and(self, other: Self) -> Option<Self> {
        let unit = match (self.unit, other.unit) {
            (Some(a), Some(b)) if a != b => return None,
            (a, b) => a.or(b),
        };
        let both = self.factor != 1.0 && other.factor != 1.0;
        (!both).then_some(Self {
            factor: self.factor * other.factor,
            unit,
        })
    }
}

/// What is told of the numbers beside a member; `Told(None)` where it is told and not read.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) enum In {
    /// Nothing.
    #[default]
    Open,
    /// In this.
    Told(Option<Scale>),
}

impl In {
    /// With what another member tells.
    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Open, one) | (one, Self::Open) => one,
            (Self::Told(a), Self::Told(b)) => Self::Told(
                a.zip(b)
                    .and_then(|(a, b)| if a == b { Some(a) } else { a.and(b) }),
            ),
        }
    }

    /// This, or else the other.
    pub(super) fn or(self, other: Self) -> Self {
        if self == Self::Open { other } else { self }
    }
}

/// Whether a key is one for the unit or magnitude of a number.
pub(super) fn is_unit(key: &str) -> bool {
    forms().has("unit", key) || OF_ONE.iter().any(|end| key.ends_with(end))
}

/// What a member tells of the numbers beside it, or, with the key, of one of them.
pub(super) fn told<'a>(key: &'a str, text: &str, bare: bool) -> Option<(Option<&'a str>, In)> {
    let of = OF_ONE.iter().find_map(|end| key.strip_suffix(end));
    let of = of.filter(|of| !of.is_empty() && !forms().has("currency", key));
    let text = text.trim();
    if of.is_none() && !forms().has("unit", key) {
        // "note": "in EUR million"
        let scale = scale_of(text).filter(|(factor, _)| !bare && *factor != 1.0);
        return scale.map(|(factor, unit)| (None, In::Told(Some(Scale { factor, unit }))));
    }
    Some((of, In::Told(read(text, bare))))
}

fn read(text: &str, bare: bool) -> Option<Scale> {
    let factor: Option<f64> = text.replace([',', '_'], "").parse().ok();
    if let Some(factor) = factor {
        return (factor == 1.0 || factor >= LEAST && factor.is_finite())
            .then_some(Scale { factor, unit: None });
    }
    if bare {
        return None;
    }
    if let Some((factor, unit)) = scale_of(text) {
        return Some(Scale { factor, unit });
    }
    let lower = text.to_lowercase();
    if otherwise().has("people", &lower) || otherwise().has("counted", &lower) {
        return Some(Scale {
            factor: 1.0,
            unit: None,
        });
    }
    // A single capital may be a magnitude as well.
    let doubtful = text.chars().count() == 1 && text.starts_with(char::is_uppercase);
    let unit = Some(unit_named(text).filter(|_| !doubtful)?);
    Some(Scale { factor: 1.0, unit })
}
