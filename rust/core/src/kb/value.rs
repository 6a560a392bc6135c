//! Typed values.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::error::{Category, Error, Result};
use crate::lexicon::tables::roles;
use crate::lexicon::units::unit;
use crate::segment;
use crate::types::QuantityKind;

use super::compare::loose_year;
use super::forms::fraction;
use super::moment::moment;

/// A day, month or year, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Date {
    /// Year.
    pub year: i32,
    /// Month 1..=12.
    pub month: Option<u8>,
    /// Day 1..=31; only with a month.
    pub day: Option<u8>,
}

impl Date {
    /// The date written `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, if it exists.
    #[must_use]
    pub fn parse_iso(text: &str) -> Option<Self> {
        let mut parts = text.trim().splitn(3, '-');
        let year = parts
            .next()
            .filter(|y| y.len() == 4 && y.bytes().all(|b| b.is_ascii_digit()))?;
        let mut two = || match parts.next() {
            None => Some(None),
            Some(p) if p.len() == 2 && p.bytes().all(|b| b.is_ascii_digit()) => {
                Some(p.parse::<u8>().ok())
            }
            Some(_) => None,
        };
        let (month, day) = (two()?, two()?);
        Self::checked(year.parse().ok()?, month, day)
    }

    /// The date that the whole of a text writes: `2 May 1987`, `May 1987`, `1987-05-02`, `1987`, and
    /// the midnight by which exports write a day (`1987-05-02T00:00:00Z`).
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Some(date) = Self::parse_iso(text) {
            return Some(date);
        }
        if let Some(moment) = moment(text) {
            return moment.is_day().then_some(moment.date);
        }
        let all = segment::dates(text);
        let [date] = all.as_slice() else { return None };
        let whole = date.span.start == 0 && date.span.end == text.len() && date.minutes.is_none();
        if whole {
            Self::checked(date.year?, date.month, date.day)
        } else {
            None
        }
    }

    /// The date, if it exists in the Gregorian calendar.
    #[must_use]
    pub fn checked(year: i32, month: Option<u8>, day: Option<u8>) -> Option<Self> {
        let full = i16::try_from(year).ok()?;
        let probe = (
            i8::try_from(month.unwrap_or(1)).ok()?,
            i8::try_from(day.unwrap_or(1)).ok()?,
        );
        jiff::civil::Date::new(full, probe.0, probe.1).ok()?;
        (day.is_none() || month.is_some()).then_some(Self { year, month, day })
    }

    /// Its weekday, 1 (Monday) ..= 7 (Sunday), where the day is known.
    #[must_use]
    pub fn weekday(self) -> Option<u8> {
        let date = jiff::civil::Date::new(
            i16::try_from(self.year).ok()?,
            i8::try_from(self.month?).ok()?,
            i8::try_from(self.day?).ok()?,
        );
        u8::try_from(date.ok()?.weekday().to_monday_one_offset()).ok()
    }

    /// Packs into an integer that [`Date::unpack`] reads.
    pub(super) fn pack(self) -> i32 {
        self.year * 512 + i32::from(self.month.unwrap_or(0)) * 32 + i32::from(self.day.unwrap_or(0))
    }

    pub(super) fn unpack(packed: i32) -> Self {
        let some = |n: i32| u8::try_from(n).ok().filter(|n| *n > 0);
        Self {
            year: packed.div_euclid(512),
            month: some(packed.rem_euclid(512) / 32),
            day: some(packed.rem_euclid(32)),
        }
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.year)?;
        if let Some(month) = self.month {
            write!(f, "-{month:02}")?;
        }
        if let Some(day) = self.day {
            write!(f, "-{day:02}")?;
        }
        Ok(())
    }
}

/// The types a value can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ValueType {
    /// Free text.
    Text,
    /// A number, with or without unit.
    Number,
    /// A date at any granularity.
    Date,
    /// Another entity.
    Entity,
    /// An e-mail address.
    Email,
    /// One of a closed list of words.
    Enum,
    /// True or false.
    Bool,
}

impl ValueType {
    /// All types.
    pub const ALL: [Self; 7] = [
        Self::Text,
        Self::Number,
        Self::Date,
        Self::Entity,
        Self::Email,
        Self::Enum,
        Self::Bool,
    ];

    /// Its name in files.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Number => "number",
            Self::Date => "date",
            Self::Entity => "entity",
            Self::Email => "email",
            Self::Enum => "enum",
            Self::Bool => "bool",
        }
    }

    /// The type of that name.
    ///
    /// # Errors
    /// `Argument` where there is none.
    pub fn parse(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|t| t.as_str() == name).ok_or_else(|| {
            Error::new(
                Category::Argument,
                format!("unknown value type '{name}'; use text, number, date, entity, email, enum or bool"),
            )
        })
    }
}

/// What a fact says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    /// Free text.
    Text(String),
    /// A number; `unit` is a unit's or currency's name ("km", "USD", "%").
    Number {
        /// Amount in `unit`.
        value: f64,
        /// Unit, if any.
        unit: Option<String>,
    },
    /// A date at any granularity.
    Date(Date),
    /// Another entity, by key or name.
    Entity(String),
    /// An e-mail address.
    Email(String),
    /// One of a closed list of words.
    Enum(String),
    /// True or false.
    Bool(bool),
}

impl Value {
    /// Its type.
    #[must_use]
    pub const fn value_type(&self) -> ValueType {
        match self {
            Self::Text(_) => ValueType::Text,
            Self::Number { .. } => ValueType::Number,
            Self::Date(_) => ValueType::Date,
            Self::Entity(_) => ValueType::Entity,
            Self::Email(_) => ValueType::Email,
            Self::Enum(_) => ValueType::Enum,
            Self::Bool(_) => ValueType::Bool,
        }
    }
}

impl Value {
    /// The value a text stands for, by its form: an e-mail address, a date, a number with or
    /// without unit, `true` or `false`, else text.
    #[must_use]
    pub fn infer(text: &str) -> Self {
        let text = text.trim();
        match text {
            "true" | "True" | "TRUE" => return Self::Bool(true),
            "false" | "False" | "FALSE" => return Self::Bool(false),
            _ => {}
        }
        if is_email(text) {
            return Self::Email(text.to_owned());
        }
        if let Some(date) = Date::parse(text).filter(|date| date.month.is_some()) {
            return Self::Date(date);
        }
        // "85/100" is a score as well as a fraction.
        let number = number(text).filter(|_| fraction(text).is_none());
        number.unwrap_or_else(|| Self::Text(text.to_owned()))
    }

    /// The yes or no that it is, as a value of that type or as a whole text ("no", "Y", "FALSE").
    #[must_use]
    pub fn as_yes_no(&self) -> Option<bool> {
        match self {
            Self::Bool(yes) => Some(*yes),
            Self::Text(text) | Self::Enum(text) if text.len() <= 8 => {
                let text = text.trim().to_lowercase();
                let says = |class: &str| roles().has(class, &text);
                (says("yes") || says("no")).then(|| says("yes"))
            }
            _ => None,
        }
    }

    /// The value of that type a text stands for.
    ///
    /// # Errors
    /// `Argument` where the text is no value of the type.
    pub fn parse(text: &str, of: ValueType) -> Result<Self> {
        let text = text.trim();
        let value = match of {
            ValueType::Text => Some(Self::Text(text.to_owned())),
            ValueType::Enum => Some(Self::Enum(text.to_owned())),
            ValueType::Entity => Some(Self::Entity(text.to_owned())).filter(|_| !text.is_empty()),
            ValueType::Email => is_email(text).then(|| Self::Email(text.to_owned())),
            ValueType::Date => {
                let day = || moment(text).map(|moment| moment.date);
                Date::parse(text).or_else(day).map(Self::Date)
            }
            ValueType::Number => number(text),
            ValueType::Bool => match text.to_lowercase().as_str() {
                "true" | "yes" | "1" => Some(Self::Bool(true)),
                "false" | "no" | "0" => Some(Self::Bool(false)),
                _ => None,
            },
        };
        value.ok_or_else(|| Error::argument(format!("'{text}' is no {}", of.as_str())))
    }
}

fn is_email(text: &str) -> bool {
    text.split_once('@').is_some_and(|(user, host)| {
        let edge = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.ends_with('.');
        edge(user) && edge(host) && host.contains('.') && !host.contains('@')
    }) && !text.contains(|c: char| c.is_whitespace() || c == ',')
}

/// The number that the whole of a text writes, its unit as written where that is a word.
fn number(text: &str) -> Option<Value> {
    if let Ok(value) = text.parse::<f64>() {
        let plain = text
            .bytes()
            .all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
        // Leading zeros mark identifiers, not amounts.
        let identifier = text.len() > 1 && text.starts_with('0') && !text.contains('.');
        return (plain && !identifier && value.is_finite())
            .then_some(Value::Number { value, unit: None });
    }
    let all = segment::quantities(text);
    let [quantity] = all.as_slice() else {
        return None;
    };
    // "1890s" is no year.
    if loose_year(text).is_some() && quantity.kind == QuantityKind::Year && text.ends_with('s') {
        return None;
    }
    if quantity.span.start != 0
        || quantity.span.end != text.len()
        || matches!(quantity.kind, QuantityKind::Label | QuantityKind::Ordinal)
    {
        return None;
    }
    if quantity.kind == QuantityKind::Percent {
        return Some(Value::Number {
            value: quantity.value,
            unit: Some("%".to_owned()),
        });
    }
    let unit = quantity.unit.map(|id| {
        // "km2" ends in a digit of its own.
        let written = text
            .trim_start_matches(|c: char| c.is_ascii_digit() || "+-.,\u{a0} ".contains(c))
            .trim();
        let word =
            quantity.kind == QuantityKind::Measure && !written.is_empty() && !text.contains(' ')
                || text.split_whitespace().count() == 2;
        if word && quantity.kind == QuantityKind::Measure {
            // "four hours": the number is a word of its own.
            written.rsplit(' ').next().unwrap_or(written).to_owned()
        } else {
            unit(id).name.to_owned()
        }
    });
    Some(Value::Number {
        value: quantity.value,
        unit,
    })
}

/// Six digits at most after the point, an exponent only where it is very large or small, thousands not
/// separated.
fn number_text(value: f64) -> String {
    if value.abs() >= 1e18 || value != 0.0 && value.abs() < 1e-6 {
        return format!("{value:e}");
    }
    if value.fract() == 0.0 && value.abs() < 1e15 {
        format!("{value:.0}")
    } else {
        let text = format!("{value:.6}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) | Self::Entity(text) | Self::Email(text) | Self::Enum(text) => {
                f.write_str(text)
            }
            Self::Number { value, unit: None } => f.write_str(&number_text(*value)),
            Self::Number {
                value,
                unit: Some(unit),
            } if unit == "%" => {
                write!(f, "{}%", number_text(*value))
            }
            Self::Number {
                value,
                unit: Some(unit),
            } => write!(f, "{} {unit}", number_text(*value)),
            Self::Date(date) => date.fmt(f),
            Self::Bool(true) => f.write_str("yes"),
            Self::Bool(false) => f.write_str("no"),
        }
    }
}
