//! Powers of ten: "3.3 × 10^23", "3.3×10²³", "1.6e-19", "10^6" are one number each.

use super::number::Core;
use super::parse::{Maybe, Reader};
use super::scan::{Class, Item};
use crate::lexicon::units::{digit, split_number};

/// What a mark or word is in a power of ten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    /// Nothing.
    None,
    /// "×", "·", "x", "times".
    Times,
    /// "*", of which two stand for "^".
    Star,
    /// "^".
    Caret,
    /// "+".
    Plus,
    /// "⁻".
    Minus,
    /// "{" or "(".
    Open,
    /// "}" or ")".
    Close,
    /// "\" of "\times".
    Backslash,
    /// "<" of "<sup>".
    Less,
    /// "sup".
    Sup,
    /// ">".
    Greater,
    /// Raised digits.
    Raised(u16),
    /// "10" with raised digits.
    Ten(u16),
    /// "3.3x10" as one word, of which the item has the first number.
    TimesTen,
    /// "1.6e", of which the item has the number.
    Exponential,
}

/// Most digits of an exponent.
const DIGITS: u8 = 3;
/// Beyond, a number is no amount.
const GREATEST: i32 = 300;

/// The sign that a lexeme is; words only where they can be one.
pub(super) fn sign(text: &str) -> Sign {
    match text {
        "×" | "·" | "⋅" | "∙" | "x" | "X" | "times" => Sign::Times,
        "*" => Sign::Star,
        "^" => Sign::Caret,
        "+" => Sign::Plus,
        "⁻" => Sign::Minus,
        "{" | "(" => Sign::Open,
        "}" | ")" => Sign::Close,
        "\\" => Sign::Backslash,
        "<" => Sign::Less,
        "sup" | "/sup" => Sign::Sup,
        ">" => Sign::Greater,
        _ if text.is_ascii() => Sign::None,
        _ => match text.strip_prefix("10") {
            Some(rest) if !rest.is_empty() => raised(rest).map_or(Sign::None, Sign::Ten),
            _ => raised(text).map_or(Sign::None, Sign::Raised),
        },
    }
}

/// The value of raised digits.
fn raised(text: &str) -> Option<u16> {
    if text.chars().count() > usize::from(DIGITS) {
        return None;
    }
    text.chars().try_fold(0, |value, c| {
        let digit = match c {
            '⁰' => 0,
            '¹' => 1,
            '²' => 2,
            '³' => 3,
            '⁴'..='⁹' => u16::try_from(u32::from(c) - u32::from('⁰')).ok()?,
            _ => return None,
        };
        Some(value * 10 + digit)
    })
}

/// The number that begins "3.3x10" or "1.6e", which its power may follow.
pub(super) fn opens_power(text: &str) -> Option<(&str, Sign)> {
    let (digits, rest) = split_number(text);
    let plain = digits.chars().all(|c| digit(c).is_some() || c == '.');
    let sign = match rest {
        "e" | "E" => Sign::Exponential,
        "x10" | "X10" => Sign::TimesTen,
        _ => return None,
    };
    (plain && digits.starts_with(|c: char| c.is_ascii_digit())).then_some((digits, sign))
}

/// `value` times that power of ten, rounded once.
pub(super) fn times_ten(value: f64, power: i32) -> f64 {
    format!("{value}e{power}").parse().unwrap_or(value)
}

impl Reader<'_> {
    fn sign(&self, i: usize) -> Maybe<Sign> {
        Ok(self.get(i)?.map(|item| item.sign))
    }

    /// The sign, if nothing stands before it.
    fn tight(&self, i: usize, sign: Sign) -> Result<bool, super::parse::More> {
        Ok(self
            .get(i)?
            .is_some_and(|item| item.sign == sign && item.adjacent))
    }

    /// The number at `i` with the power of ten behind it.
    pub(super) fn power(&self, i: usize, item: &Item) -> Maybe<Core> {
        let ten = |item: &Item| {
            item.class == Class::Number && item.value == 10.0 && item.digits == 2 && !item.dressed
        };
        let (value, found) = match item.sign {
            // The "e" may be an item of its own.
            Sign::Exponential => {
                let apart = usize::from(item.class == Class::Number);
                (item.value, self.exponent(i + 1 + apart)?)
            }
            Sign::TimesTen => (item.value, self.raised_to(i + 1)?),
            _ if item.class != Class::Number => return Ok(None),
            _ if ten(item) && self.tight(i + 1, Sign::Caret)? => (1.0, self.raised_to(i + 1)?),
            _ => {
                let backslash = self.sign(i + 1)? == Some(Sign::Backslash);
                let at = i + 1 + usize::from(backslash);
                if !matches!(self.sign(at)?, Some(Sign::Times | Sign::Star)) {
                    return Ok(None);
                }
                let Some(base) = self.get(at + 1)? else {
                    return Ok(None);
                };
                let found = match base.sign {
                    Sign::Ten(power) => self.more_raised(power, false, at + 2)?,
                    _ if ten(base) => self.raised_to(at + 2)?,
                    _ => None,
                };
                (item.value, found)
            }
        };
        Ok(found.map(|(power, end)| {
            let shift = i16::from(item.decimals) - i16::try_from(power).unwrap_or(0);
            Core {
                value: times_ten(value, power),
                scale: 1.0,
                end,
                decimals: u8::try_from(shift.max(0)).unwrap_or(u8::MAX),
            }
        }))
    }

    /// "+23", "-19" behind an "e".
    fn exponent(&self, i: usize) -> Maybe<(i32, usize)> {
        let minus = self.joined(i, Class::Dash)?.is_some();
        if !minus && !self.tight(i, Sign::Plus)? {
            return Ok(None);
        }
        self.plain_exponent(i + 1, minus)
    }

    /// "^23", "^{-31}", "**23", "²³", "⁻³¹".
    fn raised_to(&self, i: usize) -> Maybe<(i32, usize)> {
        let Some(item) = self.get(i)?.filter(|item| item.adjacent) else {
            return Ok(None);
        };
        match item.sign {
            Sign::Raised(power) => self.more_raised(power, false, i + 1),
            Sign::Minus => match self.sign(i + 1)? {
                Some(Sign::Raised(power)) => self.more_raised(power, true, i + 2),
                _ => Ok(None),
            },
            Sign::Star if self.tight(i + 1, Sign::Star)? => self.signed_power(i + 2),
            Sign::Caret => self.signed_power(i + 1),
            Sign::Less => self.tagged(i),
            _ => Ok(None),
        }
    }

    /// "<sup>23</sup>".
    fn tagged(&self, i: usize) -> Maybe<(i32, usize)> {
        let opens = self.tight(i + 1, Sign::Sup)? && self.tight(i + 2, Sign::Greater)?;
        if !opens {
            return Ok(None);
        }
        let minus = self.joined(i + 3, Class::Dash)?.is_some();
        let Some((power, end)) = self.plain_exponent(i + 3 + usize::from(minus), minus)? else {
            return Ok(None);
        };
        let slash = usize::from(self.joined(end + 1, Class::Slash)?.is_some());
        let closes = self.tight(end, Sign::Less)?
            && self.tight(end + 1 + slash, Sign::Sup)?
            && self.tight(end + 2 + slash, Sign::Greater)?;
        Ok(closes.then_some((power, end + 3 + slash)))
    }

    /// An exponent with its sign, in braces or without.
    fn signed_power(&self, i: usize) -> Maybe<(i32, usize)> {
        let open = self.tight(i, Sign::Open)?;
        let at = i + usize::from(open);
        let minus = self.joined(at, Class::Dash)?.is_some() || self.tight(at, Sign::Minus)?;
        let plus = self.tight(at, Sign::Plus)?;
        let found = self.plain_exponent(at + usize::from(minus || plus), minus)?;
        match found {
            Some((power, end)) if open => {
                let closed = self.tight(end, Sign::Close)?;
                Ok(closed.then_some((power, end + 1)))
            }
            found => Ok(found),
        }
    }

    fn plain_exponent(&self, i: usize, minus: bool) -> Maybe<(i32, usize)> {
        // "^-31" may be read as one number with its sign.
        let Some(item) = self.joined(i, Class::Number)? else {
            return Ok(None);
        };
        let whole = item.decimals == 0 && item.digits <= DIGITS && !item.comma;
        #[allow(clippy::cast_possible_truncation)]
        let power = item.value as i32 * if minus { -1 } else { 1 };
        Ok((whole && power.abs() <= GREATEST).then_some((power, i + 1)))
    }

    /// Raised digits of which some are words and others marks.
    fn more_raised(&self, first: u16, minus: bool, mut i: usize) -> Maybe<(i32, usize)> {
        let mut power = i32::from(first);
        while let Some(item) = self.get(i)?.filter(|item| item.adjacent) {
            let Sign::Raised(next) = item.sign else { break };
            power = power * if next < 10 { 10 } else { 100 } + i32::from(next);
            i += 1;
        }
        let power = if minus { -power } else { power };
        Ok((power.abs() <= GREATEST).then_some((power, i)))
    }
}
