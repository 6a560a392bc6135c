//! Numbers in digits and words, with their magnitudes, fractions and units.

use super::parse::{Maybe, More, Reader};
use super::scan::{Class, Item};
use crate::lexicon::units::{self, Role, UnitDef};
use crate::types::{QuantityKind, UnitId};
use std::sync::LazyLock;

/// A number before its unit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Core {
    pub value: f64,
    /// Product of the magnitude words after the digits.
    pub scale: f64,
    pub end: usize,
    pub decimals: u8,
}

impl Core {
    pub fn total(&self) -> f64 {
        scaled(self.value, self.scale, self.decimals)
    }
}

/// `value * scale`, rounded once: 2.3 million is 2300000.
pub(super) fn scaled(value: f64, scale: f64, decimals: u8) -> f64 {
    let shift = 10f64.powi(i32::from(decimals));
    let whole = (value * shift).round();
    if scale > 1.0 && decimals < 15 && whole.abs() < 9e15 {
        return whole * scale / shift;
    }
    value * scale
}

/// What follows a number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tail {
    pub kind: QuantityKind,
    pub unit: Option<UnitId>,
    pub end: usize,
}

fn is_money(unit: &UnitDef) -> bool {
    unit.dimension == "currency"
}

impl Reader<'_> {
    /// The longest unit name at `i`.
    pub(super) fn unit(&self, i: usize) -> Maybe<(UnitId, usize)> {
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
    pub fn prefix(&self, i: usize) -> Maybe<(UnitId, usize)> {
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
        if self.joined(i, Class::Dash)?.is_some()
            && let Some(next) = self.get(i + 1)?
        {
            let counts = next.atom != 0 || next.class == Class::Word(Role::Magnitude);
            if next.adjacent && counts && matches!(next.class, Class::Word(_)) {
                return Ok(i + 1);
            }
        }
        Ok(i)
    }

    pub fn core(&self, i: usize, money: bool) -> Maybe<Core> {
        let Some(item) = self.get(i)? else {
            return Ok(None);
        };
        if let Some(core) = self.power(i, item)? {
            return Ok(Some(core));
        }
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
                } else if let Some((by, past)) = self.part_of(end)? {
                    (scale, end) = (by, past);
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
                    Class::Word(Role::Half | Role::Quarter) => self.share(next.value, i + 2),
                    Class::Word(Role::Ordinal)
                        if next.value > 2.0 && self.is(i + 2, Role::Of)? =>
                    {
                        self.share(1.0 / next.value, i + 2)
                    }
                    _ => Ok(None),
                }
            }
            Class::Word(Role::Ones | Role::Ten) => self.words(i, i),
            _ => Ok(None),
        }
    }

    /// "a quarter", which ends before `end`, of something: of a magnitude it is an amount.
    fn share(&self, value: f64, end: usize) -> Maybe<Core> {
        let told = self.is(end, Role::Of)? || self.part_of(end)?.is_some();
        if told {
            self.portion(value, end)
        } else {
            Ok(None)
        }
    }

    /// The same, whatever it is of.
    fn portion(&self, value: f64, end: usize) -> Maybe<Core> {
        let (scale, end) = self.part_of(end)?.unwrap_or((1.0, end));
        let whole = value * scale;
        let exact = scale > 1.0 && (whole - whole.round()).abs() < 1e-9 * whole;
        Ok(Some(if exact {
            Core {
                value: whole.round(),
                scale: 1.0,
                end,
                decimals: 0,
            }
        } else {
            Core {
                value,
                scale,
                end,
                decimals: 2,
            }
        }))
    }

    /// The magnitude of which a part is told that ends before `i`, and where it ends: "(a quarter) of
    /// a million", "(a quarter) million".
    fn part_of(&self, i: usize) -> Maybe<(f64, usize)> {
        let of = self.is(i, Role::Of)?;
        let from = if of { i + 1 } else { self.hyphen(i)? };
        let one = |item: &&Item| {
            let one = item.class == Class::Word(Role::Ones) && item.value == 1.0;
            one || item.class == Class::Word(Role::Article)
        };
        let from = from + usize::from(of && self.get(from)?.filter(one).is_some());
        Ok(self.get(from)?.and_then(|item| {
            let counts = matches!(item.class, Class::Word(Role::Hundred | Role::Magnitude));
            (counts && !item.plural).then_some((item.value, from + 1))
        }))
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
                && let Some(part) = self.fraction(i + 1)?
            {
                core.value += part;
                core.decimals = 2;
                core.end = i + 4;
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
        // "85/100", "4/5": so many points of so many, but for "1/5" and "4/5 of the members".
        let total = matches!(under.digits, 1..=3) && under.value % 5.0 == 0.0;
        if total && over.value > 1.0 && !self.is(i + 3, Role::Of)? && self.unit(i + 3)?.is_none() {
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
                    return self.portion(part / item.value, i + 1);
                }
                Class::Word(Role::Quarter) if i > from && part == 1.0 => {
                    return self.portion(0.25, i + 1);
                }
                Class::Word(Role::Ordinal) if part == 1.0 && total == 0.0 && item.value > 2.0 => {
                    return self.portion(1.0 / item.value, i + 1);
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
        if self.is(i, Role::And)?
            && self.is(i + 1, Role::Article)?
            && let Some(part) = self.get(i + 2)?
            && matches!(part.class, Class::Word(Role::Half | Role::Quarter))
        {
            core.value += part.value;
            core.decimals = if part.value == 0.5 { 1 } else { 2 };
            core.end = i + 3;
            if let Some(by) = self.magnitude(core.end, false)? {
                core.scale = by;
                core.end += 1;
            }
        }
        Ok(Some(core))
    }

    /// Percent sign or unit at `i`.
    pub fn tail(&self, i: usize, prefix: Option<UnitId>, large: bool) -> Maybe<Tail> {
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
}
