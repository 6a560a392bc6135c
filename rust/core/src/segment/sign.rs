//! Signs that stand before an amount as a mark or word of their own: "-$5M", "–5 °C", "minus 5 degrees".

use super::dates;
use super::parse::More;
use super::parse::{NOTHING, Read, Reader};
use super::scan::{Class, Found, Item};
use crate::lexicon::units::{self, Role};
use crate::types::{Quantity, QuantityKind, Span};

/// Most bytes of white space between an amount and a sign that then is a dash or takes away from it.
const GAP: usize = 3;

/// Whether a mark is written as the sign of a number.
pub(super) fn may_negate(mark: &str) -> bool {
    matches!(mark, "-" | "–" | "−" | "\u{2010}" | "\u{2011}")
}

/// What keeps a sign from being one: an amount before it ("10 –12 km", "8 minus 5") and "or" ("plus or
/// minus 5 %").
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Barred {
    to: usize,
}

impl Barred {
    /// Follows what was read up to that place.
    pub fn amount(&mut self, span: Span) {
        self.to = span.end;
    }

    /// Follows an item that no amount was read from.
    pub fn passed(&mut self, item: &Item) {
        let digits = matches!(item.class, Class::Number | Class::Percent | Class::Currency);
        if digits || matches!(item.class, Class::Word(Role::Or) | Class::Slash) {
            self.to = item.span.end;
        }
    }

    /// Whether it keeps the item from being a sign.
    pub fn holds(self, item: &Item) -> bool {
        self.to > 0 && item.span.start.saturating_sub(self.to) <= GAP
    }
}

impl Reader<'_> {
    /// The amount behind the sign at the window's start, below nothing.
    pub fn signed(&self) -> Result<Read, More> {
        let sign = &self.items[0];
        let word = sign.class == Class::Word(Role::Minus);
        let Some(next) = self.get(1)? else {
            return Ok(NOTHING);
        };
        let money = !word && next.class == Class::Currency && next.adjacent;
        let figure = match next.class {
            Class::Number => next.value >= 0.0 && !next.plus,
            Class::Word(Role::Ones | Role::Ten) => word,
            _ => false,
        };
        let figure = figure && !self.barred && (word || sign.minus && next.adjacent);
        if !money && (!figure || dates::date(self, 1)?.is_some()) {
            return Ok(NOTHING);
        }
        let mut read = self.quantity(1, false)?.unwrap_or(NOTHING);
        let Some(Found::Quantity(quantity)) = &mut read.found[0] else {
            return Ok(NOTHING);
        };
        if !money && !negates(quantity, word) {
            return Ok(NOTHING);
        }
        quantity.value = -quantity.value;
        quantity.span.start = sign.span.start;
        Ok(read)
    }
}

/// Whether a sign before an amount makes it one below nothing. The word does so for what is told as below
/// nothing: from anything else it may take away ("revenue minus 5 million").
fn negates(quantity: &Quantity, word: bool) -> bool {
    let degrees = |quantity: &Quantity| {
        let unit = quantity.unit.map(units::unit);
        unit.is_some_and(|unit| unit.dimension == "temperature" || unit.name == "degree")
    };
    match quantity.kind {
        QuantityKind::Percent => true,
        QuantityKind::Measure => !word || degrees(quantity),
        QuantityKind::Cardinal | QuantityKind::Money => !word,
        _ => false,
    }
}
