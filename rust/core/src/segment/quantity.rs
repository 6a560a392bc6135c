//! Quantities: what a number counts, ranges, years and labels.

use super::dates;
use super::number::{Core, Tail, scaled};
use super::parse::{Maybe, More, Read, Reader};
use super::scan::{Before, Class, Found, Item, bare};
use crate::lexicon::units::{self, Role};
use crate::types::{QuantityKind, UnitId};

/// Dimensions in which one amount is told in two units.
const COMPOUND: [&str; 3] = ["time", "length", "mass"];
/// Value of the word "in" in the table of words.
const INCH: f64 = 2.0;

impl Reader<'_> {
    pub fn quantity(&self, i: usize, approximate: bool) -> Maybe<Read> {
        let Some(item) = self.get(i)? else {
            return Ok(None);
        };
        let single = |kind, value| {
            let mut quantity = bare(item.span, value, kind, self.now);
            quantity.approximate = approximate || item.class == Class::Decade;
            let found = [Some(Found::Quantity(quantity)), None, None];
            Read {
                used: i + 1,
                found,
                after: Before::Other,
            }
        };
        match item.class {
            Class::Label if self.power(i, item)?.is_none() => {
                return Ok(Some(single(QuantityKind::Label, item.value)));
            }
            Class::Decade => return Ok(Some(single(QuantityKind::Year, item.value))),
            Class::OrdinalNumber | Class::Word(Role::Ordinal) => {
                return Ok(Some(single(QuantityKind::Ordinal, item.value)));
            }
            Class::Word(Role::Ten) => {
                let next = self.get(i + 1)?;
                if let Some(next) = next.filter(|n| n.class == Class::Word(Role::Ordinal))
                    && next.value < 10.0
                    && next.adjacent
                {
                    let mut read = single(QuantityKind::Ordinal, item.value + next.value);
                    if let Some(Found::Quantity(quantity)) = &mut read.found[0] {
                        quantity.span = self.span(i, i + 2);
                    }
                    read.used = i + 2;
                    return Ok(Some(read));
                }
            }
            Class::Number => {
                if let Some(end) = self.chain(i)? {
                    let mut read = single(QuantityKind::Label, item.value);
                    if let Some(Found::Quantity(quantity)) = &mut read.found[0] {
                        quantity.span = self.span(i, end);
                    }
                    read.used = end;
                    return Ok(Some(read));
                }
            }
            _ => {}
        }
        if item.class == Class::Word(Role::Article)
            && let Some(read) = self.one_and(i, approximate)?
        {
            return Ok(Some(read));
        }
        if let Some(read) = self.spoken_year(i, approximate)? {
            return Ok(Some(read));
        }
        let prefix = self.prefix(i)?;
        let from = prefix.map_or(i, |(_, end)| end);
        let prefix = prefix.map(|(unit, _)| unit);
        let Some(core) = self.core(from, prefix.is_some())? else {
            return Ok(None);
        };
        let first = Amount {
            start: i,
            core,
            prefix,
            approximate,
        };
        if let Some(tail) = self.tail(core.end, prefix, core.total() >= 1e5)? {
            if let Some(read) = self.compound(&first, tail)? {
                return Ok(Some(read));
            }
            if let Some(read) = self.change(&first, tail)? {
                return Ok(Some(read));
            }
            let after = Before::Other;
            let found = [
                Some(self.found(&first, core.total(), Some(tail))),
                None,
                None,
            ];
            return Ok(Some(Read {
                used: tail.end,
                found,
                after,
            }));
        }
        if let Some(read) = self.range(&first)? {
            return Ok(Some(read));
        }
        if prefix.is_none() && core.end == i + 1 && item.class == Class::Number {
            // "3,5" may be two numbers as well.
            if item.comma {
                return Ok(None);
            }
            return self.plain(i, item, approximate).map(Some);
        }
        let found = [Some(self.found(&first, core.total(), None)), None, None];
        Ok(Some(Read {
            used: core.end,
            found,
            after: Before::Other,
        }))
    }

    /// "an hour and 25 minutes".
    fn one_and(&self, i: usize, approximate: bool) -> Maybe<Read> {
        let Some((unit, end)) = self.unit(i + 1)? else {
            return Ok(None);
        };
        if !self.is(end, Role::And)? {
            return Ok(None);
        }
        let core = Core {
            value: 1.0,
            scale: 1.0,
            end: i + 1,
            decimals: 0,
        };
        let first = Amount {
            start: i,
            core,
            prefix: None,
            approximate,
        };
        let tail = Tail {
            kind: QuantityKind::Measure,
            unit: Some(unit),
            end,
        };
        self.compound(&first, tail)
    }

    /// "1 hour and 25 minutes", "1 m 85 cm": one amount in two units of one dimension, told in
    /// the smaller. The second number stays below one of the larger unit.
    fn compound(&self, first: &Amount, tail: Tail) -> Maybe<Read> {
        let whole = first.core.total().fract() == 0.0 && first.prefix.is_none();
        let Some(large) = tail.unit.map(units::unit).filter(|unit| {
            whole && tail.kind == QuantityKind::Measure && COMPOUND.contains(&unit.dimension)
        }) else {
            return Ok(None);
        };
        let at = tail.end + usize::from(self.is(tail.end, Role::And)?);
        let counts = self.class(at)?.is_some_and(|class| {
            matches!(class, Class::Number | Class::Word(Role::Ones | Role::Ten))
        });
        let Some(core) = (if counts { self.core(at, false)? } else { None }) else {
            return Ok(None);
        };
        let second = match self.tail(core.end, None, false)? {
            Some(second) => second,
            None if large.name == "foot" => match self.inches(core)? {
                Some(inches) => inches,
                None => return Ok(None),
            },
            None => return Ok(None),
        };
        let Some(mut id) = second.unit else {
            return Ok(None);
        };
        // "1h 45m": no metres.
        let metre = |id: UnitId| units::unit(id).name == "metre";
        let short = second.end == core.end + 1 && self.items[core.end].span.len() == 1;
        if large.name == "hour"
            && metre(id)
            && short
            && let Some(minute) = units::by_name("minute")
        {
            id = minute;
        }
        let small = units::unit(id);
        let fits = small.dimension == large.dimension
            && small.base == large.base
            && small.factor < large.factor
            && core.total() * small.factor < large.factor;
        if !fits {
            return Ok(None);
        }
        let value = first.core.total() * large.factor / small.factor + core.total();
        let value = (value * 1e6).round() / 1e6;
        let mut quantity = bare(
            self.span(first.start, second.end),
            value,
            QuantityKind::Measure,
            self.now,
        );
        quantity.unit = Some(id);
        quantity.decimals = core.decimals;
        quantity.approximate = first.approximate;
        Ok(Some(Read {
            used: second.end,
            found: [Some(Found::Quantity(quantity)), None, None],
            after: Before::Other,
        }))
    }

    /// "5 ft 9", "5 ft 9 in tall": inches told by the short word for them, or by none.
    fn inches(&self, core: Core) -> Maybe<Tail> {
        let item = self.get(core.end)?;
        let word = item.is_some_and(|item| {
            item.class == Class::Word(Role::Context) && item.value == INCH && !item.adjacent
        });
        let mut end = core.end;
        if word {
            let next = self.class(end + 1)?;
            let dated = next.is_some_and(|class| {
                matches!(
                    class,
                    Class::Number
                        | Class::Word(Role::Article | Role::The | Role::Month | Role::Ones)
                )
            });
            end += usize::from(!dated);
        }
        let unit = units::by_name("inch");
        let kind = QuantityKind::Measure;
        Ok(unit.map(|unit| Tail {
            kind,
            unit: Some(unit),
            end,
        }))
    }

    fn found(&self, amount: &Amount, value: f64, tail: Option<Tail>) -> Found {
        let end = tail.map_or(amount.core.end, |tail| tail.end.max(amount.core.end));
        let kind = match (tail, amount.prefix) {
            (Some(tail), _) => tail.kind,
            (None, Some(_)) => QuantityKind::Money,
            (None, None) => QuantityKind::Cardinal,
        };
        let mut quantity = bare(self.span(amount.start, end), value, kind, self.now);
        quantity.unit = tail.and_then(|tail| tail.unit).or(amount.prefix);
        quantity.decimals = amount.core.decimals;
        quantity.approximate = amount.approximate;
        Found::Quantity(quantity)
    }

    /// "10–12 km", "$5–10 million", "5 to 10 %": the second's unit and magnitude hold for both.
    fn range(&self, first: &Amount) -> Maybe<Read> {
        let at = first.core.end;
        let Some(item) = self.get(at)? else {
            return Ok(None);
        };
        if !matches!(item.class, Class::Dash | Class::Word(Role::To)) {
            return Ok(None);
        }
        let own = self.prefix(at + 1)?;
        let from = own.map_or(at + 1, |(_, end)| end);
        let prefix = own.map(|(unit, _)| unit).or(first.prefix);
        let Some(core) = self.core(from, prefix.is_some())? else {
            return Ok(None);
        };
        let tail = self.tail(core.end, prefix, core.total() >= 1e5)?;
        let years = first.prefix.is_none() && self.items[first.start].digits == 4;
        if (tail.is_none() && core.scale <= 1.0 && first.prefix.is_none())
            || (own.is_none() && first.core.total() > core.total())
            || (years && tail.is_none())
        {
            return Ok(None);
        }
        let second = Amount {
            start: at + 1,
            core,
            prefix,
            approximate: first.approximate,
        };
        let scale = if first.core.scale > 1.0 {
            first.core.scale
        } else {
            core.scale
        };
        let value = if scale > 1.0 && (first.core.scale > 1.0 || first.core.value < core.value) {
            scaled(first.core.value, scale, first.core.decimals)
        } else {
            first.core.total()
        };
        let mut one = self.found(first, value, tail);
        if let Found::Quantity(quantity) = &mut one {
            quantity.span = self.span(first.start, first.core.end);
        }
        let two = self.found(&second, core.total(), tail);
        let used = tail.map_or(core.end, |tail| tail.end.max(core.end));
        Ok(Some(Read {
            used,
            found: [Some(one), Some(two), None],
            after: Before::Other,
        }))
    }

    /// Phone numbers and the like: the end of the chain.
    fn chain(&self, i: usize) -> Maybe<usize> {
        let first = &self.items[i];
        let mut end = i + 1;
        let mut links = 0;
        let mut dashed = false;
        loop {
            let dash = self
                .joined(end, Class::Dash)?
                .or(self.joined(end, Class::Slash)?);
            let next = if dash.is_some() {
                self.joined(end + 1, Class::Number)?
                    .map(|item| (item, end + 2))
            } else if first.plus {
                self.get(end)?
                    .filter(|n| n.class == Class::Number)
                    .map(|item| (item, end + 1))
            } else {
                None
            };
            let Some((item, past)) = next.filter(|(item, _)| !item.dressed || first.plus) else {
                break;
            };
            dashed |= dash.is_some_and(|d| d.class == Class::Dash)
                && item.digits == 4
                && first.digits == 3;
            end = past;
            links += 1;
        }
        let label = !first.dressed && (links >= 2 || (links == 1 && dashed));
        Ok((label || (first.plus && links >= 2)).then_some(end))
    }

    /// Digits with nothing after them: a count, a year or a label.
    fn plain(&self, i: usize, item: &Item, approximate: bool) -> Result<Read, More> {
        let mut quantity = bare(item.span, item.value, QuantityKind::Cardinal, self.now);
        quantity.decimals = item.decimals;
        quantity.approximate = approximate;
        let mut after = Before::Other;
        let mut used = i + 1;
        let mut date = None;
        let mut second = None;
        if let Some(era) = self
            .get(i + 1)?
            .filter(|n| n.class == Class::Word(Role::Era))
        {
            if !item.dressed || item.decimals == 0 {
                quantity.value *= era.value;
                used = i + 2;
                quantity.span = self.span(i, used);
                quantity.kind = QuantityKind::Year;
            }
        } else if self.before == Before::Hash && item.adjacent
            || self.before == Before::Label
            || self.marked(i, item)?
        {
            quantity.kind = QuantityKind::Label;
            after = match self.before {
                Before::Label | Before::Hash => self.before,
                _ => Before::Marked,
            };
        } else if self.is_year(i, item)? {
            quantity.kind = QuantityKind::Year;
            after = Before::Years;
            if self.joined(i + 1, Class::Dash)?.is_some() {
                let until = self.joined(i + 2, Class::Number)?;
                if let Some(until) = until.filter(|u| u.digits == 2 && !u.dressed) {
                    let value = (item.value / 100.0).floor() * 100.0 + until.value;
                    if value > item.value {
                        second = Some(bare(until.span, value, QuantityKind::Year, self.now));
                        used = i + 3;
                    }
                }
            }
        }
        if quantity.kind == QuantityKind::Year {
            let mut expr = dates::blank(quantity.span, self.now);
            expr.year = Some(quantity.value as i32);
            date = Some(expr);
        }
        let found = [
            Some(Found::Quantity(quantity)),
            date.map(Found::Date),
            second.map(Found::Quantity),
        ];
        Ok(Read { used, found, after })
    }

    fn is_year(&self, i: usize, item: &Item) -> Result<bool, More> {
        if item.digits != 4 || item.dressed || !(1000.0..=2200.0).contains(&item.value) {
            return Ok(false);
        }
        let next = self.get(i + 1)?;
        if next.is_some_and(|next| next.plural) {
            return Ok(false);
        }
        if self.before.dated() || self.before == Before::Paren {
            return Ok(true);
        }
        let recent = (1800.0..=2050.0).contains(&item.value);
        let word = next.is_some_and(|n| {
            matches!(n.class, Class::Word(Role::Other | Role::Or | Role::The)) && !n.capital
        });
        Ok(recent && !(word && item.value % 100.0 == 0.0))
    }
}

/// A number with what stands before it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Amount {
    pub start: usize,
    pub core: Core,
    pub prefix: Option<UnitId>,
    pub approximate: bool,
}
