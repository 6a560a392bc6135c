//! Money told in two units, or with the smaller one left out.

use super::number::Tail;
use super::parse::{Maybe, Read, Reader};
use super::quantity::Amount;
use super::scan::{Before, Class, Found, bare};
use crate::lexicon::units::{self, Role};
use crate::types::QuantityKind;

impl Reader<'_> {
    /// "two pounds fifty", "twelve dollars and five cents": one amount of money.
    pub(super) fn change(&self, first: &Amount, tail: Tail) -> Maybe<Read> {
        let whole = first.core.total().fract() == 0.0 && first.prefix.is_none();
        let Some(large) = tail.unit.map(units::unit).filter(|unit| {
            let money = tail.kind == QuantityKind::Money && unit.factor >= 1.0;
            whole && (money || unit.name == "pound")
        }) else {
            return Ok(None);
        };
        let joined = self.is(tail.end, Role::And)?;
        let at = tail.end + usize::from(joined);
        let Some(class) = self.class(at)? else {
            return Ok(None);
        };
        let spoken = matches!(class, Class::Word(Role::Ones | Role::Ten));
        if !spoken && class != Class::Number {
            return Ok(None);
        }
        let Some(core) = self.core(at, false)? else {
            return Ok(None);
        };
        let small = self.tail(core.end, None, false)?;
        let cents = small.and_then(|small| small.unit).map(units::unit);
        let fits = match cents {
            Some(unit) => unit.name == "cent" || unit.name == "penny",
            // "two pounds fifty people" counts people.
            None => {
                let counts = self.get(core.end)?.is_some_and(|next| next.plural);
                small.is_none() && spoken && !joined && !counts && core.total() >= 10.0
            }
        };
        if !fits || core.total().fract() != 0.0 || core.total() >= 100.0 {
            return Ok(None);
        }
        let end = small.map_or(core.end, |small| small.end);
        let value = (first.core.total() * 100.0 + core.total()) / 100.0;
        let mut quantity = bare(
            self.span(first.start, end),
            value,
            QuantityKind::Money,
            self.now,
        );
        quantity.unit = if large.name == "pound" {
            units::by_name("GBP")
        } else {
            tail.unit
        };
        quantity.decimals = 2;
        quantity.approximate = first.approximate;
        Ok(Some(Read {
            used: end,
            found: [Some(Found::Quantity(quantity)), None, None],
            after: Before::Other,
        }))
    }
}
