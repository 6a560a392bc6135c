//! The same time, amount or name written in another way: "half past seven" and "19:30", "minus five
//! degrees" and "-5 °C", "50 %" and "half", "20 cents" and "0.20 euros", "Charles III" and "Charles
//! the Third".

use crate::claims::numbers_agree;
use crate::lexicon::units::{same_name, unit};
use crate::segment::Clock;
use crate::types::{Quantity, QuantityKind};

use super::scales::Scale;
use super::set::EvidenceSet;

/// Shares that have a word, in percent.
const SHARES: [(&str, f64); 8] = [
    ("half", 50.0),
    ("halves", 50.0),
    ("third", 33.0),
    ("thirds", 67.0),
    ("quarter", 25.0),
    ("quarters", 75.0),
    ("fifth", 20.0),
    ("tenth", 10.0),
];
/// How far a share in percent may be from that.
const SHARE: f64 = 1.0;
/// Ordinals that rulers are numbered by, from the second.
const REGNAL: [(&str, &str); 15] = [
    ("II", "second"),
    ("III", "third"),
    ("IV", "fourth"),
    ("V", "fifth"),
    ("VI", "sixth"),
    ("VII", "seventh"),
    ("VIII", "eighth"),
    ("IX", "ninth"),
    ("X", "tenth"),
    ("XI", "eleventh"),
    ("XII", "twelfth"),
    ("XIII", "thirteenth"),
    ("XIV", "fourteenth"),
    ("XV", "fifteenth"),
    ("XVI", "sixteenth"),
];

impl EvidenceSet {
    /// Whether a passage tells that time of day, in whichever way it is written.
    #[must_use]
    pub fn has_clock(&self, said: &Clock) -> bool {
        let passages = self.passages().iter();
        passages
            .flat_map(|passage| &passage.data().clocks)
            .any(|own| said.agrees(own))
    }

    /// Whether the amount is a bare number of a passage under a label that gives its magnitude or
    /// unit; the number as it is written there.
    #[must_use]
    pub fn under_label(&self, said: &Quantity) -> Option<&str> {
        let money = |id| unit(id).dimension == "currency";
        self.passages().iter().find_map(|passage| {
            let data = passage.data();
            let scales = data.scales();
            if scales.is_empty() {
                return None;
            }
            let bare = data.quantities.iter().map(|own| &own.quantity);
            let mut bare = bare.filter(|own| own.kind != QuantityKind::Percent);
            bare.find_map(|own| {
                let mut told = scales.iter().filter(|scale| scale.from <= own.span.start);
                let fits = |scale: &Scale| {
                    let unit = match (own.unit, scale.unit) {
                        (None, unit) => unit,
                        (Some(a), Some(b)) if a != b => return false,
                        (unit, _) => unit,
                    };
                    let plain = Quantity {
                        unit: None,
                        ..*said
                    };
                    let value = own.value * scale.factor;
                    match (said.unit, unit) {
                        (Some(a), Some(b)) if a == b || money(a) && same_name(a, b) => {
                            numbers_agree(&plain, value, None) == Some(true)
                        }
                        (Some(_), Some(_)) => numbers_agree(said, value, unit) == Some(true),
                        _ => numbers_agree(&plain, value, None) == Some(true),
                    }
                };
                told.any(fits)
                    .then(|| data.text().get(own.span.start..own.span.end))
                    .flatten()
            })
        })
    }

    /// Whether a passage has the amount written in another way; `minus` says that the word stands
    /// before the number.
    #[must_use]
    pub fn has_otherwise(&self, said: &Quantity, minus: bool) -> bool {
        let share = said.kind == QuantityKind::Percent;
        self.passages().iter().any(|passage| {
            let data = passage.data();
            share && says_share(data.text(), said.value)
                || data.quantities.iter().any(|own| {
                    let text = data.text().get(..own.quantity.span.start).unwrap_or("");
                    // A dash has made it negative already.
                    let denied = own.quantity.value > 0.0 && ends_in_minus(text);
                    in_coins(said, &own.quantity) || below_zero(said, minus, &own.quantity, denied)
                })
        })
    }
}

/// Whether a text ends in the word "minus", or in a dash that stands for it.
#[must_use]
pub fn ends_in_minus(text: &str) -> bool {
    let word = text.trim_end().rsplit(char::is_whitespace).next();
    word.is_some_and(|word| word.eq_ignore_ascii_case("minus")) || dash_for_minus(text, text.len())
}

/// A number of a passage, below nothing where a dash is its sign.
pub(super) fn with_sign(text: &str, mut own: Quantity) -> Quantity {
    if own.value > 0.0 && dash_for_minus(text, own.span.start) {
        own.value = -own.value;
        own.span.start -= '–'.len_utf8();
    }
    own
}

/// Whether a dash right before a number is its sign ("US –4 %"), and joins it to nothing.
fn dash_for_minus(text: &str, at: usize) -> bool {
    let Some(before) = text.get(..at).and_then(|text| text.strip_suffix('–')) else {
        return false;
    };
    let apart =
        before.is_empty() || before.ends_with(|c: char| c.is_whitespace() || "(|:[".contains(c));
    let last = before.trim_end().chars().next_back();
    apart && !last.is_some_and(|c| c.is_ascii_digit() || matches!(c, '%' | '$' | '€' | '£'))
}

/// Whether a text has the word for a share.
fn says_share(text: &str, percent: f64) -> bool {
    let near = |share: f64| (share - percent).abs() <= SHARE;
    let word = |word: &str| {
        SHARES
            .iter()
            .any(|(name, share)| near(*share) && word.eq_ignore_ascii_case(name))
    };
    SHARES.iter().any(|(_, share)| near(*share))
        && text.split(|c: char| !c.is_alphabetic()).any(word)
}

/// Cents of any currency: "20 cents" is 0.20 euros.
fn in_coins(said: &Quantity, own: &Quantity) -> bool {
    let coin = |quantity: &Quantity| quantity.unit.is_some_and(|id| unit(id).name == "cent");
    let money = |quantity: &Quantity| quantity.kind == QuantityKind::Money;
    let same = |coins: &Quantity, whole: &Quantity| {
        money(whole) && !coin(whole) && (coins.value / 100.0 - whole.value).abs() < 1e-6
    };
    coin(said) && same(said, own) || coin(own) && same(own, said)
}

/// Amounts of which one is written with a sign or with "minus", or in degrees that are not named.
fn below_zero(said: &Quantity, minus: bool, own: &Quantity, denied: bool) -> bool {
    let name = |quantity: &Quantity| quantity.unit.map_or("", |id| unit(id).name);
    let (a, b) = (name(said), name(own));
    let open = a != b && (a == "degree" && b.starts_with(a) || b == "degree" && a.starts_with(b));
    if !(minus || denied || open) || !(a == b || open) {
        return false;
    }
    let signed = |quantity: &Quantity, below: bool| {
        if below {
            -quantity.value
        } else {
            quantity.value
        }
    };
    let plain = Quantity {
        value: signed(said, minus),
        unit: None,
        ..*said
    };
    numbers_agree(&plain, signed(own, denied), None) == Some(true)
}

/// The name with its ruler's number written the other way ("Charles III", "Charles the Third").
pub(super) fn renumbered(name: &str) -> Option<String> {
    if let Some((head, last)) = name.rsplit_once(' ') {
        if let Some((_, word)) = REGNAL.iter().find(|(roman, _)| *roman == last) {
            return Some(format!("{head} the {word}"));
        }
        let head = head
            .strip_suffix(" the")
            .or_else(|| head.strip_suffix(" The"))?;
        let (roman, _) = REGNAL
            .iter()
            .find(|(_, word)| last.eq_ignore_ascii_case(word))?;
        return Some(format!("{head} {roman}"));
    }
    None
}
