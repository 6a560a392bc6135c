//! What a number counts, and whether two numbers say the same.

use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::units::{by_name, convert};
use crate::normal::{fold, stem};
use crate::segment;
use crate::types::{LexKind, Lexeme, Quantity, QuantityKind, Span, UnitId};

use super::content::word_hash;

/// The words around a number that say what it counts, as hashes of folded stems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct QuantityContext {
    /// The noun after it ("12 → rooms"); 0 where there is none.
    pub noun: u64,
    /// The nearest content word before it ("founded in → 1987"); 0 where there is none.
    pub before: u64,
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
    for lexeme in lexemes[after..].iter().take(3) {
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
    for lexeme in lexemes[..before].iter().rev().take(REACH) {
        if lexeme.kind == LexKind::Newline {
            break;
        }
        if lexeme.kind == LexKind::Word
            && let Some(hash) = hash_of(text(lexeme.span), &mut buffer)
        {
            context.before = hash;
            break;
        }
    }
    context
}

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
/// is 5,012,345, "3.2 km" is 3,218 m, "12 rooms" is not 13 rooms. `None` where the units cannot
/// be compared.
#[must_use]
pub fn numbers_agree(said: &Quantity, value: f64, of: Option<UnitId>) -> Option<bool> {
    let (value, converted) = match (said.unit, of) {
        (None, None) => (value, false),
        (Some(a), Some(b)) if a == b => (value, false),
        (Some(a), Some(b)) => (convert(value, b, a)?, true),
        _ => return None,
    };
    if said.kind == QuantityKind::Year {
        let slack = if said.approximate { ABOUT_YEARS } else { 0.0 };
        return Some((said.value - value).abs() <= slack);
    }
    Some((said.value - value).abs() <= slack(said, converted))
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
    let mut granule = 1.0;
    while granule < 1e15 && size >= granule * 10.0 && (size / (granule * 10.0)).fract() == 0.0 {
        granule *= 10.0;
    }
    granule
}
