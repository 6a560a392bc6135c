//! Texts that are a measure or a count with words behind it: "2 yrs limited", "3 people".

use crate::claims::numbers_agree;
use crate::lexicon::units::{Role, comparable, convert, number_word};
use crate::segment;
use crate::types::{Quantity, QuantityKind};

use super::compare::{Agreement, Said};
use super::texts::words;

/// How many times as much another measure of the same thing may be.
const FAR: f64 = 5.0;
/// Most words behind a count.
const COUNTED: usize = 2;

/// The one measure that a text begins with, where words stand behind it that are no amount.
pub(crate) fn measured(text: &str) -> Option<Quantity> {
    let all = segment::quantities(text);
    let [own] = all.as_slice() else { return None };
    let rest = text.get(own.span.end..)?;
    let amount = matches!(own.kind, QuantityKind::Measure | QuantityKind::Money);
    let worded = rest.starts_with([' ', ',']) && rest.contains(char::is_alphabetic);
    (amount && own.unit.is_some() && own.span.start == 0 && worded).then_some(*own)
}

/// How what is said stands to such a text; `None` where that is for the words to tell.
pub(super) fn measured_agrees(said: &Said<'_>, text: &str) -> Option<Agreement> {
    if let Some(own) = measured(text).filter(|own| own.kind == QuantityKind::Measure) {
        let like = |q: &&Quantity| q.unit.zip(own.unit).is_some_and(|(a, b)| comparable(a, b));
        let mut told = said.quantities.iter().filter(like);
        let one = told.next()?;
        let same = numbers_agree(one, own.value, own.unit)?;
        if told.next().is_some() {
            return None;
        }
        let own_value = one
            .unit
            .zip(own.unit)
            .and_then(|(said, of)| convert(own.value, of, said));
        let (low, high) = own_value.map(|own| (own.min(one.value), own.max(one.value)))?;
        // Another one so far off may be of something else ("12 mm thick").
        let near = low > 0.0 && high <= FAR * low;
        return match same {
            true => Some(Agreement::Same),
            false if near => Some(Agreement::Different),
            false => None,
        };
    }
    counted(said, text)
}

/// "three", "three people" beside "3 people".
fn counted(said: &Said<'_>, text: &str) -> Option<Agreement> {
    let (own, noun) = count(text)?;
    let (told, rest) = count(said.text)?;
    let within = rest.iter().all(|word| noun.contains(word));
    let same = (own.value - told.value).abs() < f64::EPSILON;
    let open = told.approximate || own.approximate;
    (!noun.is_empty() && within && !open).then_some(if same {
        Agreement::Same
    } else {
        Agreement::Different
    })
}

/// The plain number that a text begins with, and the words behind it.
pub(super) fn count(text: &str) -> Option<(Quantity, Vec<String>)> {
    let all = segment::quantities(text);
    let [own] = all.as_slice() else { return None };
    let plain = own.kind == QuantityKind::Cardinal && own.unit.is_none() && own.span.start == 0;
    let rest = text.get(own.span.end..)?;
    let number = |word: &String| {
        let role = number_word(word).role;
        matches!(
            role,
            Role::Ones | Role::Ten | Role::Hundred | Role::Magnitude
        )
    };
    let words: Vec<String> = words(rest).into_iter().collect();
    let few = words.len() <= COUNTED && !words.iter().any(number);
    let letters = rest.chars().all(|c| c.is_alphabetic() || c == ' ');
    (plain && few && letters).then_some((*own, words))
}
