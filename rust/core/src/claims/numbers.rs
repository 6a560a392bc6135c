//! What a number counts, and whether two numbers say the same.

use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::movement::movement;
use crate::lexicon::readings::conversions;
use crate::lexicon::tables::{circumstance, otherwise, time};
use crate::lexicon::units::{Role, by_name, number_word};
use crate::normal::{fold, stem};
use crate::segment;
use crate::types::{LexKind, Lexeme, Quantity, QuantityKind, Span, UnitId};

use super::content::word_hash;
use super::days::{Days, days};
use super::difference::Difference;

/// The words around a number that say what it counts, as hashes of folded stems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct QuantityContext {
    /// The noun after it ("12 → rooms"); 0 where there is none.
    pub noun: u64,
    /// The nearest content word before it ("founded in → 1987"); 0 where there is none.
    pub before: u64,
    /// Which way it says that something moved ("fell → 5 %", "a → 5 % rise").
    pub turn: Option<Turn>,
    /// Whether it says how far something moved.
    pub difference: Difference,
    /// Whether "from", "to" or "within" leads to it.
    pub led: Option<Led>,
    /// For which days and seasons it is told.
    pub days: Days,
}

/// What leads to a number: of two between which something moved, or a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Led {
    /// "from".
    From,
    /// "to".
    To,
    /// "within", by which it is a bound of what the sentence tells.
    Within,
}

/// A word that says which way an amount moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn {
    /// Up, or else down.
    pub up: bool,
    /// In which form: two words of one form can stand in each other's place.
    pub form: u8,
    /// Where it stands.
    pub span: Span,
}

/// How many lexemes around a number are looked at.
const REACH: usize = 5;

fn hash_of(word: &str, buffer: &mut String) -> Option<u64> {
    buffer.clear();
    fold(word, buffer);
    (!buffer.is_empty() && !cue(buffer).is(Cue::FUNCTION)).then(|| word_hash(&stem(buffer)))
}

/// What the number at `span` counts. `text` gives the text of a span.
pub fn quantity_context<'a>(
    lexemes: &[Lexeme],
    span: Span,
    text: impl Fn(Span) -> &'a str,
) -> QuantityContext {
    let mut buffer = String::new();
    let mut context = QuantityContext::default();
    let after = lexemes.partition_point(|lexeme| lexeme.span.start < span.end);
    let mut plural = false;
    // The marks that set a value in bold or as code are not between it and its noun.
    let plain = |lexeme: &&Lexeme| {
        lexeme.kind != LexKind::Punct || !matches!(text(lexeme.span), "`" | "*" | "_")
    };
    let noun = after + bracketed_number(&lexemes[after..], &text);
    for lexeme in lexemes[noun..].iter().filter(plain).take(3) {
        if lexeme.kind != LexKind::Word || plural {
            break;
        }
        let word = text(lexeme.span);
        let Some(hash) = hash_of(word, &mut buffer) else {
            break;
        };
        // The head of "full-time employees" is its plural; without one, the first word.
        let collective = ["people", "staff", "men", "women", "children"].contains(&buffer.as_str());
        plural =
            collective || (buffer.len() > 3 && buffer.ends_with('s') && !buffer.ends_with("ss"));
        if context.noun == 0 || plural {
            context.noun = hash;
        }
    }
    let before = lexemes.partition_point(|lexeme| lexeme.span.end <= span.start);
    context.days = days(lexemes, span, &text);
    // "at 9 am on weekdays and at 11 am on Sundays": what is said of both stands in front of them.
    let reach = if context.days.is_empty() {
        REACH
    } else {
        2 * REACH
    };
    for lexeme in lexemes[..before].iter().rev().filter(plain).take(reach) {
        if lexeme.kind == LexKind::Newline {
            break;
        }
        let timed = || {
            let word = text(lexeme.span).to_lowercase();
            ["day_", "clock"]
                .iter()
                .any(|class| circumstance().of(class, &word).is_some())
        };
        if lexeme.kind == LexKind::Word
            && !(reach > REACH && timed())
            && let Some(hash) = hash_of(text(lexeme.span), &mut buffer)
            && !otherwise().has("bounding", &buffer)
        {
            context.before = hash;
            break;
        }
    }
    let (before, after) = (&lexemes[..before], &lexemes[after..]);
    context.turn = turn_beside(before, after, &text).or_else(|| compared(text(span), after, &text));
    context.difference = Difference::beside(before, after, &text);
    context.led = led(before, &text);
    context
}

/// Most lexemes of a number in brackets.
const BRACKETED: usize = 6;

/// How many lexemes a number in brackets right behind another takes: "512 m (1,680 ft) tall" is "512 m
/// tall".
fn bracketed_number<'a>(behind: &[Lexeme], text: &impl Fn(Span) -> &'a str) -> usize {
    let reach = &behind[..behind.len().min(BRACKETED)];
    let [open, number, rest @ ..] = reach else {
        return 0;
    };
    if text(open.span) != "(" || number.kind != LexKind::Number {
        return 0;
    }
    let close = rest.iter().position(|lexeme| text(lexeme.span) == ")");
    close.map_or(0, |close| close + 3)
}

/// Whether "from" or "to" stands right before a number, or before "about" and the like.
fn led<'a>(before: &[Lexeme], text: &impl Fn(Span) -> &'a str) -> Option<Led> {
    let light = |lexeme: &&Lexeme| {
        let role = number_word(text(lexeme.span)).role;
        lexeme.kind == LexKind::Punct || matches!(role, Role::Approx | Role::Article | Role::The)
    };
    let last = before.iter().rev().take(3).find(|lexeme| !light(lexeme))?;
    match text(last.span) {
        "from" => Some(Led::From),
        "to" => Some(Led::To),
        "within" => Some(Led::Within),
        _ => None,
    }
}

/// Words before a number among which the verb is looked for that it is the measure of.
const VERB_REACH: usize = 4;

/// The word that says which way an amount moved: "fell by", "a drop of" before it, "rise",
/// "higher" right after it. With a word between that has a sense of its own it is of another
/// thing; where words of both ways stand there, nothing is told.
fn turn_beside<'a>(
    before: &[Lexeme],
    after: &[Lexeme],
    text: &impl Fn(Span) -> &'a str,
) -> Option<Turn> {
    let mut buffer = String::new();
    let mut read = |lexeme: &Lexeme| {
        buffer.clear();
        fold(text(lexeme.span), &mut buffer);
        let turn = movement(&buffer).map(|(up, form)| Turn {
            up,
            form,
            span: lexeme.span,
        });
        (turn, cue(&buffer).is(Cue::FUNCTION.or(Cue::ADVERB)))
    };
    for lexeme in before.iter().rev().take(VERB_REACH) {
        if lexeme.kind != LexKind::Word {
            break;
        }
        let (turn, light) = read(lexeme);
        if turn.is_some() || !light {
            return turn;
        }
    }
    let next = after.first().filter(|l| l.kind == LexKind::Word)?;
    read(next).0
}

/// "12% more than in 2020", "12% below that of the year before": a share with the word for which way it
/// is behind it. Beside another thing ("5% more than in the south") nothing moved.
fn compared<'a>(share: &str, after: &[Lexeme], text: &impl Fn(Span) -> &'a str) -> Option<Turn> {
    let mut word = String::new();
    let mut read = |lexeme: &Lexeme| {
        word.clear();
        fold(text(lexeme.span), &mut word);
        word.clone()
    };
    let next = after.first()?;
    let way = read(next);
    let up = otherwise().has("more_by", &way);
    let told = up || otherwise().has("less_by", &way);
    let share = share.ends_with('%') || share.to_lowercase().ends_with("cent");
    let clause = |lexeme: &&Lexeme| matches!(lexeme.kind, LexKind::Word | LexKind::Number);
    let rest = after[1..].iter().take(COMPARED).take_while(clause);
    let mut rest = rest.map(&mut read);
    let beside =
        matches!(&*way, "above" | "below") || rest.next().is_some_and(|word| word == "than");
    let timed = |word: String| {
        let year = word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit());
        year || time().of("unit_", &word).is_some()
    };
    (share && told && (!beside || rest.any(timed))).then_some(Turn {
        up,
        form: COMPARATIVE,
        span: next.span,
    })
}

/// Words behind "more" among which the time stands that it is compared with.
const COMPARED: usize = 7;
/// The form of "higher" among those of `movement`.
const COMPARATIVE: u8 = 6;

/// The unit of that name ("kilometre") or symbol ("km").
#[must_use]
pub fn unit_named(name: &str) -> Option<UnitId> {
    by_name(name).or_else(|| segment::quantities(&format!("1 {name}")).first()?.unit)
}

/// How far from a year "around 1850" may be.
pub(crate) const ABOUT_YEARS: f64 = 5.0;
/// How far from a value "about 5,000" may be.
const ABOUT: f64 = 0.1;
/// How far a rounded number may be at most.
const ROUNDED: f64 = 0.05;
/// How far a converted number may be.
const CONVERTED: f64 = 0.01;
/// Below this, a plain count that is not marked as approximate is taken to be exact.
const EXACT_BELOW: f64 = 1000.0;

/// Whether a written number says `value` of unit `of`, as precisely as it is written: "5 million"
/// is 5,012,345, "3.2 km" is 3,218 m, "12 rooms" is not 13 rooms; "2 tons" are as many kilograms as
/// any ton has. `None` where the units cannot be compared.
#[must_use]
pub fn numbers_agree(said: &Quantity, value: f64, of: Option<UnitId>) -> Option<bool> {
    match (said.unit, of) {
        (None, None) => Some(renders(said, value, false)),
        (Some(a), Some(b)) if a == b => Some(renders(said, value, false)),
        (Some(a), Some(b)) => {
            let mut all = conversions(value, b, a).peekable();
            all.peek()?;
            Some(all.any(|value| renders(said, value, true)))
        }
        _ => None,
    }
}

/// Whether a written number says `value`, told in the same unit.
fn renders(said: &Quantity, value: f64, converted: bool) -> bool {
    if let Some(within) = decade_holds(said, value) {
        return within;
    }
    if said.kind == QuantityKind::Year {
        let slack = if said.approximate { ABOUT_YEARS } else { 0.0 };
        return (said.value - value).abs() <= slack;
    }
    (said.value - value).abs() <= slack(said, converted) || thousands(said, value)
}

/// Whether the point of a written number may part its thousands: "1.200" of 1200.
fn thousands(said: &Quantity, value: f64) -> bool {
    let counted = matches!(said.kind, QuantityKind::Cardinal | QuantityKind::Money);
    let written = counted && said.decimals == 3 && (1.0..1000.0).contains(&said.value);
    written && (said.value * 1000.0 - value).abs() < 0.5
}

/// Whether a written number is the exact one of which a source's `value` is the round figure, at the
/// source's precision: 83,577,140 of 84 million, 89.6 m of 90 m, but not 42 rooms of 40, nor $352 of
/// $350. Digits that are zeros count as unknown from a thousand on, and for counts and money from a
/// million on. False where the units cannot be compared.
#[must_use]
pub fn rounded_to(said: &Quantity, value: f64, of: Option<UnitId>) -> bool {
    let exact = match (said.unit, of) {
        (None, None) => said.value,
        (Some(a), Some(b)) if a == b => said.value,
        (Some(a), Some(b)) => {
            let off = |exact: &f64| (exact - value).abs();
            match conversions(said.value, a, b).min_by(|x, y| off(x).total_cmp(&off(y))) {
                Some(exact) => exact,
                None => return false,
            }
        }
        _ => return false,
    };
    let size = value.abs();
    let counted = match said.kind {
        QuantityKind::Cardinal => said.unit.is_none(),
        QuantityKind::Money => true,
        QuantityKind::Measure | QuantityKind::Percent => false,
        _ => return false,
    };
    if counted && size < MILLIONS || said.approximate {
        return false;
    }
    let granule = match value.fract() {
        0.0 if size < EXACT_BELOW => 1.0,
        0.0 => trailing_granule(size),
        _ => (1..=9)
            .map(|digits| 10_f64.powi(-digits))
            .find(|granule| ((value / granule).round() * granule - value).abs() < 1e-9 * size)
            .unwrap_or(0.0),
    };
    let slack = (granule / 2.0).min(size * ROUNDED);
    (exact - value).abs() <= slack + size * 1e-9
}

/// From here on counts and money are told in round figures.
const MILLIONS: f64 = 1e6;

/// Whether a decade as written ("the 1980s", "the 80s") holds a year; `None` for any other
/// number. A decade that opens a century may mean the century ("the 1900s").
#[must_use]
pub fn decade_holds(said: &Quantity, year: f64) -> Option<bool> {
    // Only a decade is a year of which more than the digits belongs to it, with nothing between.
    let digits = match said.value {
        value if (10.0..100.0).contains(&value) => 2,
        value if (1000.0..10_000.0).contains(&value) => 4,
        _ => return None,
    };
    let decade = said.kind == QuantityKind::Year
        && said.approximate
        && said.value % 10.0 == 0.0
        && said.span.len() == digits + 1;
    decade.then(|| {
        let from = said.value;
        match digits {
            2 => ((year % 100.0) / 10.0).floor() * 10.0 == from,
            _ => {
                (from..from + 10.0).contains(&year)
                    || from % 100.0 == 0.0 && (from..from + 100.0).contains(&year)
            }
        }
    })
}

/// From where to where a written number may be, as precisely as it is written.
pub(super) fn interval(said: &Quantity) -> (f64, f64) {
    if said.kind != QuantityKind::Year {
        let slack = slack(said, false);
        return (said.value - slack, said.value + slack);
    }
    if decade_holds(said, said.value).is_some() && said.value >= 1000.0 {
        return (said.value, said.value + 9.0);
    }
    let slack = if said.approximate { ABOUT_YEARS } else { 0.0 };
    (said.value - slack, said.value + slack)
}

/// How far apart a written number and the value it renders may be.
fn slack(said: &Quantity, converted: bool) -> f64 {
    let size = said.value.abs();
    let granule = if said.value.fract() == 0.0 {
        trailing_granule(size)
    } else {
        10_f64.powi(-i32::from(said.decimals))
    };
    let plain = said.unit.is_none() && said.kind == QuantityKind::Cardinal;
    let exact = plain && size < EXACT_BELOW && said.value.fract() == 0.0;
    let mut slack = if exact {
        0.0
    } else {
        (granule / 2.0).min(size * ROUNDED)
    };
    if said.approximate {
        slack = slack.max(size * ABOUT);
    }
    if converted {
        slack = slack.max(size * CONVERTED);
    }
    // Decimal fractions are not exact in binary.
    slack + size * 1e-9
}

/// The place value of the last digit that is not zero: 1e6 for 5,000,000.
fn trailing_granule(size: f64) -> f64 {
    if size >= 1e15 {
        // Beyond, digits are read from the shortest way to write it.
        let text = format!("{size:e}");
        let (digits, power) = text.split_once('e').unwrap_or((&text, "15"));
        let behind = digits.len().saturating_sub(2) as i32;
        return 10_f64.powi(power.parse::<i32>().unwrap_or(15) - behind);
    }
    let mut granule = 1.0;
    while granule < 1e15 && size >= granule * 10.0 && (size / (granule * 10.0)).fract() == 0.0 {
        granule *= 10.0;
    }
    granule
}
