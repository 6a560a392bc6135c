//! A number worded like the one it replaces: "three years" becomes "two years", "$4 billion"
//! "$3.2 billion".

use crate::claims::unit_named;
use crate::kb::Value;
use crate::lexicon::spelled::spelled;
use crate::lexicon::units::{self, Role, number_word};
use crate::types::UnitId;

use super::grammar::number_in_words;
use super::scientific::as_power;
use super::sign::Sign;

/// Words of magnitude with their value; those of one letter count only behind a currency's sign or right behind digits.
const MAGNITUDES: [(&str, f64); 12] = [
    ("thousand", 1e3),
    ("million", 1e6),
    ("billion", 1e9),
    ("trillion", 1e12),
    ("k", 1e3),
    ("m", 1e6),
    ("mn", 1e6),
    ("bn", 1e9),
    ("b", 1e9),
    ("tn", 1e12),
    ("hundred", 1e2),
    ("dozen", 12.0),
];

/// Numbers that are written in words where the other was.
pub(in crate::detect) const SPELLED: [&str; 13] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve",
];

/// How thousands are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::detect) enum Thousands {
    /// Set apart: "4,500".
    Apart,
    /// Set apart from ten thousand on, where nothing tells how the text writes them.
    Long,
    /// Not set apart: "10115".
    Plain,
}

/// Marks between thousands besides the comma.
const GROUPING: [char; 6] = ['.', ' ', '\u{a0}', '\u{202f}', '\'', '’'];

/// Digits of a number from which on it would have its thousands set apart.
const LONG: usize = 4;

impl Thousands {
    /// How the figures of a text write them, the nearest first; what names or numbers a thing has none.
    pub(in crate::detect) fn of<'a>(figures: impl Iterator<Item = &'a str>, names: bool) -> Self {
        if names {
            return Self::Plain;
        }
        let told = |text: &str| {
            let digits = |c: char| c.is_ascii_digit();
            let whole = text.trim_start_matches(|c| !digits(c));
            let whole = &whole[..whole
                .find(|c| !digits(c) && c != ',')
                .unwrap_or(whole.len())];
            let apart = whole.trim_end_matches(',').contains(',');
            let plain = whole.len() >= LONG && !apart;
            (apart || plain).then_some(if apart { Self::Apart } else { Self::Plain })
        };
        let mut all = figures.filter_map(told);
        all.next().unwrap_or(Self::Long)
    }

    fn sets_apart(self, value: f64) -> bool {
        match self {
            Self::Apart => value.abs() >= 1000.0,
            Self::Long => value.abs() >= 10_000.0,
            Self::Plain => false,
        }
    }
}

/// `value`, in the unit that was said, in place of the amount written as `text`.
pub(in crate::detect) fn amount(
    text: &str,
    value: f64,
    unit: Option<UnitId>,
    style: Thousands,
) -> String {
    // "three and a half hours": the half goes with its number.
    let whole = ["-and-a-half", " and a half", " and one half"]
        .iter()
        .fold(text.to_owned(), |text, half| text.replace(half, ""));
    // "half a kilo"
    let whole = ["half a ", "half an ", "Half a ", "Half an "]
        .iter()
        .find_map(|half| Some(format!("0.5 {}", whole.strip_prefix(half)?)))
        .unwrap_or(whole);
    let (sign, bare) = Sign::off(&whole);
    let grouped = with_commas(&bare, value);
    let written = match &grouped {
        Some((text, mark)) => {
            let said = unsigned(text, value.abs(), unit, Thousands::Apart);
            said.replacen(',', &mark.to_string(), said.matches(',').count())
        }
        None => unsigned(&bare, value.abs(), unit, style),
    };
    sign.on(&written, value)
}

/// The amount with commas between its thousands, where another mark stands there ("6.500", "6 500",
/// "6'500"), and that mark. A point before three digits may as well part the decimals of a small number.
fn with_commas(text: &str, value: f64) -> Option<(String, char)> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let mut rest = &text[start..];
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut whole = rest
        .get(..digits(rest))
        .filter(|lead| lead.len() <= 3)?
        .to_owned();
    rest = &rest[whole.len()..];
    let mark = rest.chars().next().filter(|c| GROUPING.contains(c))?;
    let mut groups = 0;
    while let Some(next) = rest.strip_prefix(mark).filter(|next| digits(next) == 3) {
        whole = format!("{whole},{}", &next[..3]);
        rest = &next[3..];
        groups += 1;
    }
    let large = mark != '.' || groups > 1 || value.abs() >= 1e3 && value.fract() == 0.0;
    let mut behind = rest.chars();
    let parted = (behind.next()).is_some_and(|c| GROUPING.contains(&c) || c == ',')
        && behind.next().is_some_and(|c| c.is_ascii_digit());
    (groups > 0 && large && !parted).then(|| (format!("{}{whole}{rest}", &text[..start]), mark))
}

/// The same without a sign, for amounts that are not below nothing.
fn unsigned(text: &str, value: f64, unit: Option<UnitId>, style: Thousands) -> String {
    let Some(start) = text.find(|c: char| c.is_ascii_digit()) else {
        return worded(text, value, unit, style);
    };
    if let Some(power) = as_power(text, value) {
        return power;
    }
    // ".5 mm"
    let start = start - usize::from(text[..start] == *".");
    let (lead, rest) = text.split_at(start);
    if let Some(tail) = compound_tail(rest) {
        return format!("{lead}{}{tail}", figures(value, style));
    }
    let digits = rest
        .find(|c: char| !c.is_ascii_digit() && !",.-".contains(c))
        .unwrap_or(rest.len());
    let (numeral, tail) = rest.split_at(digits);
    let tail = if numeral.ends_with('-') {
        &rest[digits - 1..]
    } else {
        tail
    };
    let plain = match cents(numeral, value, unit) {
        Some(text) => grouped_at(&text, style.sets_apart(value)),
        None => figures(value, style),
    };
    let one = numeral.trim_end_matches('-') == "1";
    let (number, tail) = match magnitude(tail, !lead.is_empty(), unit) {
        None => (plain, tail.to_owned()),
        Some((word, scale, after)) => match scaled(value, word, scale) {
            Some((number, word)) => {
                let gap = &tail[..tail.len() - tail.trim_start().len()];
                (number, format!("{gap}{word}{after}"))
            }
            None => (figures(value, spelled_out(style)), after.to_owned()),
        },
    };
    format!("{lead}{number}{}", inflected(&tail, one, value, unit))
}

/// An amount of money that is not whole, or stands for one with cents, with its cents: "12.50".
fn cents(numeral: &str, value: f64, unit: Option<UnitId>) -> Option<String> {
    let money = unit.is_some_and(|id| units::unit(id).dimension == "currency");
    let hundredths = value * 100.0;
    let exact = (hundredths - hundredths.round()).abs() < 1e-6;
    let told = numeral
        .split_once('.')
        .is_some_and(|(_, rest)| rest.len() == 2);
    (money && exact && (value.fract() != 0.0 || told)).then(|| format!("{value:.2}"))
}

/// Whether it is told in two units: "1 hour and 25 minutes".
pub(in crate::detect) fn in_two_units(text: &str) -> bool {
    let digits = text.find(|c: char| c.is_ascii_digit());
    digits.is_some_and(|start| compound_tail(&text[start..]).is_some())
}

/// `value` in the two units in which `said` was written ("5 ft 7 in"); `None` where it has less than one
/// of the larger, or their ratio is not told.
pub(in crate::detect) fn in_both(text: &str, said: f64, value: f64) -> Option<String> {
    let digits = |c: char| c.is_ascii_digit();
    let first = text.find(digits)?;
    let end = first + text[first..].find(|c| !digits(c))?;
    let last = text.rfind(digits)? + 1;
    let start = text[..last].rfind(|c| !digits(c))? + 1;
    let (large, small): (f64, f64) = (
        text[first..end].parse().ok()?,
        text[start..last].parse().ok()?,
    );
    let ratio = (said - small) / large;
    let whole = (value / ratio).floor();
    let rest = value - whole * ratio;
    let even = end < start && large > 0.0 && ratio.fract() == 0.0 && ratio > 1.0;
    (even && whole > 0.0 && rest.fract() == 0.0).then(|| {
        format!(
            "{}{whole}{}{rest}{}",
            &text[..first],
            &text[end..start],
            &text[last..]
        )
    })
}

/// An amount in the unit of its source, in the number that the amount asks for.
pub(in crate::detect) fn in_unit(value: f64, of: &str) -> String {
    let number = figures(value, Thousands::Apart);
    let (one, many) = unit_named(of).map_or((of, of), |id| units::unit(id).words);
    let of = match value.abs() == 1.0 {
        true if of == many => one,
        false if of == one => many,
        _ => of,
    };
    format!("{number} {of}")
}

/// The smaller unit of "1 hour and 25 minutes", in which the amount is told.
fn compound_tail(text: &str) -> Option<&str> {
    let last = text.rfind(|c: char| c.is_ascii_digit())? + 1;
    let head = text[..last].trim_end_matches(|c: char| c.is_ascii_digit() || ",.".contains(c));
    let unit = |part: &str| part.chars().any(char::is_alphabetic);
    (unit(head) && unit(&text[last..])).then(|| &text[last..])
}

/// An amount in words: the number in words again where it is small, and its unit.
fn worded(text: &str, value: f64, unit: Option<UnitId>, style: Thousands) -> String {
    if let Some((number, unit)) = modifier(text) {
        return format!("{}-{unit}", worded(number, value, None, style));
    }
    let number = number_in_words;
    let words: Vec<&str> = text.split(' ').collect();
    let first = words.iter().position(|word| number(word)).unwrap_or(0);
    let after = words
        .iter()
        .rposition(|word| number(word))
        .map_or(words.len(), |at| at + 1);
    // "a dozen rooms", "three quarters of a million": the article and the part belong to the number.
    let parts = words[..first].iter().rev();
    let first = first - parts.take_while(|word| leads_number(word)).count();
    let mut out = words[..first].join(" ");
    if !out.is_empty() {
        out.push(' ');
    }
    let small = value < SPELLED.len() as f64 || spells_large(&words[first..after]);
    if let Some(word) = spelled(value).filter(|_| small) {
        let capital = text.starts_with(char::is_uppercase) && first == 0;
        if capital {
            out.push_str(&word[..1].to_uppercase());
            out.push_str(&word[1..]);
        } else {
            out.push_str(&word);
        }
    } else {
        out.push_str(&figures(value, spelled_out(style)));
    }
    let tail = words[after.min(words.len())..].join(" ");
    if !tail.is_empty() {
        out.push(' ');
        let one = words[first..after.min(words.len())].iter().any(|word| {
            word.eq_ignore_ascii_case("one") || word.eq_ignore_ascii_case("a") && after - first == 1
        });
        out.push_str(&inflected(&tail, one, value, unit));
    }
    out
}

/// Whether a number stands in words that others would write in digits ("twenty-six"): then so does
/// another. "Fifteen hundred" and "two dozen" are counted in more than ones and tens.
fn spells_large(words: &[&str]) -> bool {
    let parts = || words.iter().flat_map(|word| word.split('-'));
    let known = || parts().map(|part| number_word(&part.to_lowercase()));
    let plain = known().all(|part| matches!(part.role, Role::Ones | Role::Ten));
    plain && known().any(|part| part.value >= SPELLED.len() as f64)
}

/// Whether a word in front of a number in words is a part of it.
fn leads_number(word: &str) -> bool {
    let role = |part: &str| number_word(&part.to_lowercase()).role;
    word.split('-').all(|part| {
        matches!(
            role(part),
            Role::Article | Role::Of | Role::Half | Role::Quarter | Role::Parts | Role::Ordinal
        ) || number_in_words(part)
    })
}

/// "three-year" as the number and the unit that follows its last hyphen.
fn modifier(text: &str) -> Option<(&str, &str)> {
    let (number, unit) = text.rsplit_once('-')?;
    let word = unit.chars().all(char::is_alphabetic) && !number_in_words(unit);
    (word && number.split(' ').all(number_in_words)).then_some((number, unit))
}

/// The word of magnitude that a text begins with, its value, and what follows it. A single letter is one
/// behind a sign ("$5 m") or right behind the digits ("50k users"), where it is not the unit ("5m").
fn magnitude(tail: &str, signed: bool, unit: Option<UnitId>) -> Option<(&str, f64, &str)> {
    let trimmed = tail.trim_start();
    let end = trimmed
        .find(|c: char| !c.is_alphabetic())
        .unwrap_or(trimmed.len());
    let word = &trimmed[..end];
    let lower = word.to_lowercase();
    let scale = MAGNITUDES.iter().find(|(name, _)| *name == lower)?.1;
    let attached = trimmed.len() == tail.len();
    let measures = || unit.is_some() && (unit == unit_named(word) || unit == unit_named(&lower));
    (word.len() > 1 || signed || attached && !measures()).then_some((word, scale, &trimmed[end..]))
}

/// The value in that magnitude, or in the one that suits it, where three decimals are enough.
fn scaled(value: f64, word: &str, scale: f64) -> Option<(String, String)> {
    let fits = |scale: f64| {
        let number = value / scale;
        let short = (number * 1e3 - (number * 1e3).round()).abs() < 1e-6;
        (number.abs() >= 1.0 && number.abs() < 1e3 && short)
            .then(|| figures(number, Thousands::Apart))
    };
    if let Some(number) = fits(scale) {
        return Some((number, word.to_owned()));
    }
    let spelled = word.len() > 4;
    MAGNITUDES[1..4]
        .iter()
        .filter(|_| spelled)
        .find_map(|(name, scale)| Some((fits(*scale)?, (*name).to_owned())))
}

/// Figures in the place of a number in words have their thousands set apart, where any have.
fn spelled_out(style: Thousands) -> Thousands {
    match style {
        Thousands::Long => Thousands::Apart,
        style => style,
    }
}

/// Digits, with their thousands set apart where the text does so.
fn figures(value: f64, style: Thousands) -> String {
    let text = Value::Number { value, unit: None }.to_string();
    grouped_at(&text, style.sets_apart(value))
}

/// The digits with their thousands set apart.
pub(in crate::detect) fn grouped_at(text: &str, apart: bool) -> String {
    if !apart {
        return text.to_owned();
    }
    let (whole, rest) = text
        .split_once('.')
        .map_or((text, None), |(whole, rest)| (whole, Some(rest)));
    let mut out = String::new();
    for (i, c) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) && out != "-" {
            out.push(',');
        }
        out.push(c);
    }
    if let Some(rest) = rest {
        out.push('.');
        out.push_str(rest);
    }
    out
}

/// The unit in the number that the amount asks for, where the one it replaces asked for another: "1
/// year", "2 years". Signs and short forms stay, and what is part of a word ("3-year").
fn inflected(tail: &str, one: bool, value: f64, unit: Option<UnitId>) -> String {
    let word = tail.trim();
    let Some(unit) = unit.filter(|_| tail.starts_with(' ') || !tail.is_empty() && tail == word)
    else {
        return tail.to_owned();
    };
    let single = word.strip_suffix('s').unwrap_or(word);
    let name = units::unit(unit).name;
    let short = single.len() < 3
        || !word.chars().all(|c| c.is_alphabetic() || c == ' ')
        || word.chars().any(char::is_uppercase)
        || name.len() > single.len() && name.starts_with(single) && single.len() < 4;
    if short || one == (value.abs() == 1.0) {
        return tail.to_owned();
    }
    let plural = format!("{word}s");
    let changed = if value.abs() == 1.0 {
        word.strip_suffix('s')
    } else {
        (!word.ends_with('s')).then_some(plural.as_str())
    };
    match changed.filter(|form| unit_named(form) == Some(unit)) {
        Some(form) => tail.replacen(word, form, 1),
        None => tail.to_owned(),
    }
}
