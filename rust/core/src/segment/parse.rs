//! Numbers with magnitudes and units, read from the window's start.

use super::dates;
use super::scan::{Before, Class, Found, Item, bare};
use crate::lexicon::units::{self, Role, UnitDef};
use crate::types::{DateExpr, QuantityKind, Span, UnitId};
use std::sync::LazyLock;

/// What follows the window decides.
#[derive(Debug, Clone, Copy)]
pub(super) struct More;

pub(super) type Maybe<T> = Result<Option<T>, More>;

/// What was read from the window's start.
#[derive(Debug, Clone, Copy)]
pub(super) struct Read {
    /// Items used up; 0 if the first starts nothing.
    pub used: usize,
    pub found: [Option<Found>; 3],
    /// What now stands before the rest.
    pub after: Before,
}

pub(super) const NOTHING: Read = Read {
    used: 0,
    found: [None; 3],
    after: Before::Other,
};

/// Reads items, and knows when it would have to see past them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'a> {
    pub items: &'a [Item],
    pub last: bool,
    pub before: Before,
    pub now: usize,
}

impl<'a> Reader<'a> {
    pub fn get(&self, i: usize) -> Maybe<&'a Item> {
        match self.items.get(i) {
            Some(item) => Ok(Some(item)),
            None if self.last => Ok(None),
            None => Err(More),
        }
    }

    pub fn class(&self, i: usize) -> Maybe<Class> {
        Ok(self.get(i)?.map(|item| item.class))
    }

    pub fn is(&self, i: usize, role: Role) -> Result<bool, More> {
        Ok(self.class(i)? == Some(Class::Word(role)))
    }

    /// The item, if it is of that class and nothing stands before it.
    pub fn joined(&self, i: usize, class: Class) -> Maybe<&'a Item> {
        Ok(self
            .get(i)?
            .filter(|item| item.class == class && item.adjacent))
    }

    pub fn span(&self, from: usize, to: usize) -> Span {
        Span::new(self.items[from].span.start, self.items[to - 1].span.end)
    }
}

/// Whether a number or date can start with `item`.
pub(super) fn may_start(item: &Item) -> bool {
    match item.class {
        Class::Number
        | Class::OrdinalNumber
        | Class::Decade
        | Class::Label
        | Class::DottedDate
        | Class::Currency
        | Class::Approx => true,
        Class::Dash => !item.adjacent,
        Class::Word(role) => match role {
            Role::Ones
            | Role::Ten
            | Role::Ordinal
            | Role::Half
            | Role::Article
            | Role::Approx
            | Role::More
            | Role::At
            | Role::Up => true,
            Role::Month
            | Role::MonthDoubtful
            | Role::MonthShort
            | Role::Weekday
            | Role::WeekdayShort => item.capital,
            _ => item.atom != 0 && item.caps,
        },
        _ => false,
    }
}

/// Reads what starts at the window's first item.
pub(super) fn parse(items: &[Item], last: bool, before: Before, now: usize) -> Result<Read, More> {
    let reader = Reader {
        items,
        last,
        before,
        now,
    };
    if items[0].class == Class::Dash {
        return if reader.joined(1, Class::Currency)?.is_some() {
            reader.negative()
        } else {
            Ok(NOTHING)
        };
    }
    let start = match items[0].class {
        Class::Approx | Class::Word(Role::Approx) => 1,
        Class::Word(Role::More) if reader.is(1, Role::Than)? => 2,
        Class::Word(Role::At) if reader.is(1, Role::Least)? => 2,
        Class::Word(Role::Up) if reader.is(1, Role::To)? => 2,
        Class::Word(Role::More | Role::At | Role::Up) => return Ok(NOTHING),
        _ => 0,
    };
    if start > 0 && !reader.get(start)?.is_some_and(may_start) {
        return Ok(NOTHING);
    }
    if let Some(read) = dates::date(&reader, start)? {
        return Ok(read);
    }
    Ok(reader.quantity(start, start > 0)?.unwrap_or(NOTHING))
}

/// A number before its unit.
#[derive(Debug, Clone, Copy)]
struct Core {
    value: f64,
    /// Product of the magnitude words after the digits.
    scale: f64,
    end: usize,
    decimals: u8,
}

impl Core {
    fn total(&self) -> f64 {
        scaled(self.value, self.scale, self.decimals)
    }
}

/// `value * scale`, rounded once: 2.3 million is 2300000.
fn scaled(value: f64, scale: f64, decimals: u8) -> f64 {
    let shift = 10f64.powi(i32::from(decimals));
    let whole = (value * shift).round();
    if scale > 1.0 && decimals < 15 && whole.abs() < 9e15 {
        return whole * scale / shift;
    }
    value * scale
}

/// What follows a number.
#[derive(Debug, Clone, Copy)]
struct Tail {
    kind: QuantityKind,
    unit: Option<UnitId>,
    end: usize,
}

fn is_money(unit: &UnitDef) -> bool {
    unit.dimension == "currency"
}

impl Reader<'_> {
    /// "-$5M": the sign stands before the currency.
    fn negative(&self) -> Result<Read, More> {
        let mut read = self.quantity(1, false)?.unwrap_or(NOTHING);
        if let Some(Found::Quantity(quantity)) = &mut read.found[0] {
            quantity.value = -quantity.value;
            quantity.span.start = self.items[0].span.start;
        }
        Ok(read)
    }

    /// The longest unit name at `i`.
    fn unit(&self, i: usize) -> Maybe<(UnitId, usize)> {
        let (mut node, mut at, mut best) = (0, i, None);
        while let Some(item) = self.get(at)? {
            if item.atom == 0 || (at > i && item.class == Class::Slash && !item.adjacent) {
                break;
            }
            let Some(next) = units::unit_step(node, item.atom) else {
                break;
            };
            node = next;
            at += 1;
            let (unit, longer) = units::unit_node(node);
            best = unit.map(|unit| (unit, at)).or(best);
            if !longer {
                break;
            }
        }
        Ok(best)
    }

    /// A currency before its amount: "$", "US$", "EUR".
    fn prefix(&self, i: usize) -> Maybe<(UnitId, usize)> {
        let Some(item) = self.get(i)? else {
            return Ok(None);
        };
        if item.class != Class::Currency && !(item.caps && item.atom != 0) {
            return Ok(None);
        }
        let Some((unit, end)) = self.unit(i)? else {
            return Ok(None);
        };
        let amount = self.class(end)? == Some(Class::Number);
        Ok((amount && is_money(units::unit(unit))).then_some((unit, end)))
    }

    /// Skips a hyphen between a number and its unit or magnitude ("5-km").
    fn hyphen(&self, i: usize) -> Result<usize, More> {
        if self.joined(i, Class::Dash)?.is_some() {
            if let Some(next) = self.get(i + 1)? {
                let counts = next.atom != 0 || next.class == Class::Word(Role::Magnitude);
                if next.adjacent && counts && matches!(next.class, Class::Word(_)) {
                    return Ok(i + 1);
                }
            }
        }
        Ok(i)
    }

    fn core(&self, i: usize, money: bool) -> Maybe<Core> {
        let Some(item) = self.get(i)? else {
            return Ok(None);
        };
        match item.class {
            Class::Number => self.digits(i, item, money).map(Some),
            Class::Word(Role::Half) => {
                let mut end = i + 1;
                let mut scale = 1.0;
                let article = self.is(end, Role::Article)?;
                let next = end + usize::from(article);
                if let Some(by) = self.magnitude(next, false)? {
                    (scale, end) = (by, next + 1);
                } else if article && self.unit(next)?.is_some() {
                    end = next;
                } else if !self.is(end, Role::Of)? {
                    return Ok(None);
                }
                Ok(Some(Core {
                    value: 0.5,
                    scale,
                    end,
                    decimals: 1,
                }))
            }
            Class::Word(Role::Article) => {
                let Some(next) = self.get(i + 1)? else {
                    return Ok(None);
                };
                match next.class {
                    Class::Word(Role::Hundred | Role::Magnitude) => self.words(i, i + 1),
                    Class::Word(Role::Half | Role::Quarter) if self.is(i + 2, Role::Of)? => {
                        Ok(Some(Core {
                            value: next.value,
                            scale: 1.0,
                            end: i + 2,
                            decimals: 2,
                        }))
                    }
                    Class::Word(Role::Ordinal)
                        if next.value > 2.0 && self.is(i + 2, Role::Of)? =>
                    {
                        let value = 1.0 / next.value;
                        Ok(Some(Core {
                            value,
                            scale: 1.0,
                            end: i + 2,
                            decimals: 2,
                        }))
                    }
                    _ => Ok(None),
                }
            }
            Class::Word(Role::Ones | Role::Ten) => self.words(i, i),
            _ => Ok(None),
        }
    }

    fn magnitude(&self, i: usize, money: bool) -> Maybe<f64> {
        Ok(self.get(i)?.and_then(|item| match item.class {
            Class::Word(Role::Hundred | Role::Magnitude) => Some(item.value),
            Class::Word(Role::Suffix)
                if money
                    || (item.adjacent && item.value != 1e6)
                    || (item.adjacent && item.atom == 0) =>
            {
                Some(item.value)
            }
            _ => None,
        }))
    }

    fn digits(&self, i: usize, item: &Item, money: bool) -> Result<Core, More> {
        let mut core = Core {
            value: item.value,
            scale: 1.0,
            end: i + 1,
            decimals: item.decimals,
        };
        if !item.dressed && item.digits <= 3 && self.group(i + 1)?.is_some() {
            while let Some(group) = self.group(core.end)? {
                core.value = core.value * 1000.0 + group;
                core.end += 1;
            }
        } else if !item.dressed {
            if let Some(part) = self.fraction(i)? {
                core.value = part;
                core.decimals = 2;
                core.end = i + 3;
            } else if self
                .get(i + 1)?
                .is_some_and(|n| n.class == Class::Number && !n.adjacent)
            {
                if let Some(part) = self.fraction(i + 1)? {
                    core.value += part;
                    core.decimals = 2;
                    core.end = i + 4;
                }
            }
        }
        if self.is(core.end, Role::And)?
            && self.is(core.end + 1, Role::Article)?
            && self
                .get(core.end + 2)?
                .is_some_and(|part| matches!(part.class, Class::Word(Role::Half | Role::Quarter)))
        {
            core.value += self.items[core.end + 2].value;
            core.decimals = core.decimals.max(2);
            core.end += 3;
        }
        loop {
            let next = self.hyphen(core.end)?;
            let Some(by) = self.magnitude(next, money)? else {
                break;
            };
            core.scale *= by;
            core.end = next + 1;
        }
        Ok(core)
    }

    /// Three digits after a space, as in "10 000".
    fn group(&self, i: usize) -> Maybe<f64> {
        Ok(self.get(i)?.and_then(|item| {
            let fits = item.class == Class::Number && !item.adjacent && !item.dressed;
            (fits && item.digits == 3).then_some(item.value)
        }))
    }

    /// "1/2" as digits around a slash.
    fn fraction(&self, i: usize) -> Maybe<f64> {
        let Some(over) = self.get(i)?.filter(|item| !item.dressed) else {
            return Ok(None);
        };
        if self.joined(i + 1, Class::Slash)?.is_none() {
            return Ok(None);
        }
        let Some(under) = self
            .joined(i + 2, Class::Number)?
            .filter(|item| !item.dressed)
        else {
            return Ok(None);
        };
        let proper = over.value > 0.0 && over.value < under.value && under.value <= 100.0;
        if !proper || self.joined(i + 3, Class::Slash)?.is_some() {
            return Ok(None);
        }
        Ok(Some(over.value / under.value))
    }

    /// Number words from `i`; the article at `from` stands for one.
    fn words(&self, from: usize, mut i: usize) -> Maybe<Core> {
        let (mut total, mut part, mut open) = (0.0, 0.0, 100.0);
        let mut big = f64::INFINITY;
        while let Some(item) = self.get(i)? {
            match item.class {
                Class::Word(Role::Ones) if item.value < open && open >= 10.0 => {
                    part += item.value;
                    open = 0.0;
                }
                Class::Word(Role::Ten) if open > 10.0 => {
                    part += item.value;
                    open = 10.0;
                }
                Class::Word(Role::Hundred) if part < 100.0 => {
                    part = part.max(1.0) * item.value;
                    open = 100.0;
                }
                Class::Word(Role::Magnitude) if item.value < big => {
                    total += part.max(1.0) * item.value;
                    big = item.value;
                    (part, open) = (0.0, 100.0);
                }
                Class::Word(Role::And) if open > 10.0 && i > from => {
                    let more = self.class(i + 1)?;
                    if !matches!(more, Some(Class::Word(Role::Ones | Role::Ten))) {
                        break;
                    }
                }
                Class::Word(Role::Parts) if i > from && total == 0.0 && part < 100.0 => {
                    let value = part / item.value;
                    return Ok(Some(Core {
                        value,
                        scale: 1.0,
                        end: i + 1,
                        decimals: 2,
                    }));
                }
                Class::Word(Role::Quarter) if i > from && part == 1.0 => {
                    return Ok(Some(Core {
                        value: 0.25,
                        scale: 1.0,
                        end: i + 1,
                        decimals: 2,
                    }));
                }
                Class::Word(Role::Ordinal) if part == 1.0 && total == 0.0 && item.value > 2.0 => {
                    let value = 1.0 / item.value;
                    return Ok(Some(Core {
                        value,
                        scale: 1.0,
                        end: i + 1,
                        decimals: 2,
                    }));
                }
                _ => break,
            }
            i += 1;
        }
        let mut core = Core {
            value: total + part,
            scale: 1.0,
            end: i,
            decimals: 0,
        };
        if self.is(i, Role::And)? && self.is(i + 1, Role::Article)? && self.is(i + 2, Role::Half)? {
            core.value += 0.5;
            core.decimals = 1;
            core.end = i + 3;
            if let Some(by) = self.magnitude(core.end, false)? {
                core.scale = by;
                core.end += 1;
            }
        }
        Ok(Some(core))
    }

    /// Percent sign or unit at `i`.
    fn tail(&self, i: usize, prefix: Option<UnitId>, large: bool) -> Maybe<Tail> {
        static CENT: LazyLock<u16> = LazyLock::new(|| units::number_word("cent").atom);
        let at = self.hyphen(i)?;
        let Some(item) = self.get(at)? else {
            return Ok(None);
        };
        let percent = |end| Tail {
            kind: QuantityKind::Percent,
            unit: None,
            end,
        };
        match item.class {
            Class::Percent | Class::Word(Role::Percent) => return Ok(Some(percent(at + 1))),
            Class::Word(Role::Per) => {
                let cent = self.get(at + 1)?.is_some_and(|next| next.atom == *CENT);
                return Ok(cent.then_some(percent(at + 2)));
            }
            Class::Currency => {
                let amount = self.joined(at + 1, Class::Number)?;
                if prefix.is_some() || (!item.adjacent && amount.is_some()) {
                    return Ok(None);
                }
            }
            _ => {}
        }
        let Some((unit, end)) = self.unit(at)? else {
            return Ok(None);
        };
        let def = units::unit(unit);
        if prefix.is_some() && !is_money(def) {
            return Ok(None);
        }
        Ok(Some(match def.dimension {
            "currency" => Tail {
                kind: QuantityKind::Money,
                unit: Some(unit),
                end,
            },
            "point" => Tail {
                kind: QuantityKind::Percent,
                unit: Some(unit),
                end,
            },
            _ if def.name == "pound" && large => Tail {
                kind: QuantityKind::Money,
                unit: units::by_name("GBP"),
                end,
            },
            _ => Tail {
                kind: QuantityKind::Measure,
                unit: Some(unit),
                end,
            },
        }))
    }

    fn quantity(&self, i: usize, approximate: bool) -> Maybe<Read> {
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
            Class::Label => return Ok(Some(single(QuantityKind::Label, item.value))),
            Class::Decade => return Ok(Some(single(QuantityKind::Year, item.value))),
            Class::OrdinalNumber | Class::Word(Role::Ordinal) => {
                return Ok(Some(single(QuantityKind::Ordinal, item.value)));
            }
            Class::Word(Role::Ten) => {
                let next = self.get(i + 1)?;
                if let Some(next) = next.filter(|n| n.class == Class::Word(Role::Ordinal)) {
                    if next.value < 10.0 && next.adjacent {
                        let mut read = single(QuantityKind::Ordinal, item.value + next.value);
                        if let Some(Found::Quantity(quantity)) = &mut read.found[0] {
                            quantity.span = self.span(i, i + 2);
                        }
                        read.used = i + 2;
                        return Ok(Some(read));
                    }
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
            return self.plain(i, item, approximate).map(Some);
        }
        let found = [Some(self.found(&first, core.total(), None)), None, None];
        Ok(Some(Read {
            used: core.end,
            found,
            after: Before::Other,
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
        } else if matches!(self.before, Before::Label | Before::Bracket)
            && (!item.dressed || self.before == Before::Label)
        {
            quantity.kind = QuantityKind::Label;
            after = self.before;
        } else if self.is_year(i, item)? {
            quantity.kind = QuantityKind::Year;
            after = Before::Year;
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
            date.map(|date: DateExpr| Found::Date(date)),
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
        if matches!(self.before, Before::Year | Before::Paren) {
            return Ok(true);
        }
        let recent = (1800.0..=2050.0).contains(&item.value);
        let word = next.is_some_and(|n| n.class == Class::Word(Role::Other) && !n.capital);
        Ok(recent && !(word && item.value % 100.0 == 0.0))
    }
}

/// A number with what stands before it.
#[derive(Debug, Clone, Copy)]
struct Amount {
    start: usize,
    core: Core,
    prefix: Option<UnitId>,
    approximate: bool,
}
