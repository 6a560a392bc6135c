//! Amounts below nothing, told with a sign or with a word: "-4 %", "fell by 4 %", "a loss of $2m".

use crate::claims::numbers_agree;
use crate::evidence::ends_in_minus;
use crate::lexicon::movement::movement;
use crate::lexicon::tables::otherwise;
use crate::lexicon::units::unit;
use crate::types::Quantity;

use super::{Around, Own, words};

/// Words before a number among which the one stands that says which way it goes.
const BEFORE: usize = 8;
/// The same behind it.
const BEHIND: usize = 4;

/// Which way an amount goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Up,
    Down,
    Unsaid,
    /// What says so may still come.
    Open,
}

/// Whether one of the two has a sign where the other has a word, of the same amount.
pub(super) fn signed(said: &Around<'_>, own: &Own<'_>) -> bool {
    let below = |value: f64, before: &str| value < 0.0 || ends_in_minus(before);
    let (a, b) = (said.quantity, &own.counted.quantity);
    let (minus, own_minus) = (below(a.value, said.before), below(b.value, own.before));
    if minus == own_minus || !alike(a, b) {
        return false;
    }
    let plain = Quantity {
        value: a.value.abs(),
        unit: None,
        ..*a
    };
    if numbers_agree(&plain, b.value.abs(), None) != Some(true) {
        return false;
    }
    if own_minus {
        matches!(way(said.before, said.behind), Way::Down | Way::Open)
    } else {
        way(own.before, Some(own.behind)) == Way::Down
    }
}

/// Whether the two are of one unit, or of degrees that only one of them names.
fn alike(a: &Quantity, b: &Quantity) -> bool {
    let name = |quantity: &Quantity| quantity.unit.map_or("", |id| unit(id).name);
    let (one, other) = (name(a), name(b));
    let degrees = one.starts_with("degree") && other.starts_with("degree");
    let open = one == "degree" || other == "degree";
    a.kind == b.kind && one == other || degrees && open
}

/// The word nearest before the number that says which way it goes, or else the first behind it.
fn way(before: &str, behind: Option<&str>) -> Way {
    let digit = |piece: &str| piece.contains(|c: char| c.is_ascii_digit());
    let of = |word: &str| match movement(word) {
        Some((true, _)) => Some(Way::Up),
        Some((false, _)) => Some(Way::Down),
        None if otherwise().has("lowered", word) => Some(Way::Down),
        None if otherwise().has("raised", word) => Some(Way::Up),
        None => None,
    };
    for (word, piece) in words(before).rev().take(BEFORE) {
        if digit(piece) || piece.ends_with(['.', ';', ':', '!', '?', '|']) {
            break;
        }
        if let Some(way) = of(&word) {
            return way;
        }
    }
    let Some(behind) = behind else {
        return Way::Open;
    };
    let mut last = String::new();
    for (word, piece) in words(behind).take(BEHIND) {
        if digit(piece) || piece.starts_with([',', ';', '.', '|']) {
            break;
        }
        if otherwise().has("lowered", &format!("{last} {word}")) {
            return Way::Down;
        }
        if let Some(way) = of(&word) {
            return way;
        }
        if piece.ends_with([',', '.', ';', ':', '!', '?', '|']) {
            break;
        }
        last = word;
    }
    Way::Unsaid
}
