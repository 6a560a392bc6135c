//! Values in forms of their own: scores ("85/100"), sizes ("10 x 15 cm"), ranks ("2nd", "top 10"),
//! ratios ("16:9"), and amounts in units that are not known ("9 fathoms"). What a form leaves open is
//! at odds with nothing.

use crate::claims::unit_named;
use crate::lexicon::readings::conversions;
use crate::lexicon::units::comparable;
use crate::segment;
use crate::types::{Quantity, QuantityKind, UnitId};

use super::compare::{Agreement, Said};
use super::measured::count;
use super::moment::moment_agrees;
use super::texts::texts;

/// Most that a score is out of.
const MOST: f64 = 1000.0;
/// From how many on a part of them is a score rather than a fraction.
const SCORED: f64 = 5.0;
/// How far a share in whole percent may be off.
const PERCENT: f64 = 0.5;
/// How far a converted side or a rounded ratio may be off, as a share.
const ROUNDED: f64 = 0.01;
/// Most sides that a size has.
const SIDES: usize = 4;
/// Days that are told from the day of speaking.
const SPOKEN: [&str; 6] = ["next ", "this ", "last ", "today", "tomorrow", "yesterday"];

/// How what is said stands to a value in a form of its own; `None` for any other text.
pub(super) fn form_agrees(said: &Said<'_>, text: &str) -> Option<Agreement> {
    if !text.contains(|c: char| c.is_ascii_digit()) {
        let lower = text.to_lowercase();
        let spoken = SPOKEN.iter().any(|word| lower.starts_with(word));
        return spoken.then(|| open(said, text));
    }
    moment_agrees(said, text)
        .or_else(|| size_agrees(said, text))
        .or_else(|| score_agrees(said, text))
        .or_else(|| rank_agrees(said, text))
        .or_else(|| ratio_agrees(said, text))
}

/// What shares words with the value says it; nothing is told of anything else.
fn open(said: &Said<'_>, text: &str) -> Agreement {
    match texts(said.text, text) {
        Agreement::Same => Agreement::Same,
        _ => Agreement::Incomparable,
    }
}

/// The plain number that a text is.
fn plain(text: &str) -> Option<f64> {
    let text = text.trim();
    let marked = text.starts_with(|c: char| c.is_ascii_digit()) && text.len() <= 9;
    let padded = text.len() > 1 && text.starts_with('0') && !text.starts_with("0.");
    let digits = text
        .bytes()
        .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b','));
    let number = text.replace(',', "").parse().ok()?;
    (marked && digits && !padded).then_some(number)
}

/// The two numbers of a text that is nothing but so many of so many: "85/100", and not "3/4".
pub(super) fn fraction(text: &str) -> Option<(f64, f64)> {
    let (part, whole) = text.trim().split_once('/')?;
    let (part, whole) = (plain(part)?, plain(whole)?);
    let whole_of_it = whole >= SCORED && part > 1.0;
    (whole_of_it && part <= MOST && whole <= MOST).then_some((part, whole))
}

/// The same of a score, however it is told: "85/100", "85 out of 100", "4.5/5 stars".
pub(crate) fn score(text: &str) -> Option<(f64, f64)> {
    let text = text.trim();
    let (part, rest) = text
        .split_once(" out of ")
        .or_else(|| text.split_once('/'))?;
    let rest = rest.trim_start();
    let end = rest.find(' ').unwrap_or(rest.len());
    let (whole, noun) = rest.split_at(end);
    let noun = noun.chars().all(|c| c.is_alphabetic() || c == ' ');
    let (part, whole) = (plain(part)?, plain(whole)?);
    (noun && whole > 0.0 && part <= whole && whole <= MOST).then_some((part, whole))
}

fn score_agrees(said: &Said<'_>, text: &str) -> Option<Agreement> {
    let Some((part, whole)) = score(text) else {
        // "24/7", "16/9": what such a form says is not known.
        return fraction(text).map(|_| open(said, text));
    };
    let told = |same: bool| match same {
        true => Agreement::Same,
        false => Agreement::Different,
    };
    let ratio = part / whole;
    let same = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b.abs().max(1.0);
    if let Some((own, of)) = score(said.text) {
        return Some(told(same(own / of, ratio)));
    }
    Some(match said.quantities {
        [own, of] if said.text.contains("out of") && of.value > 0.0 => {
            told(same(own.value / of.value, ratio))
        }
        [own] if own.kind == QuantityKind::Percent => {
            told((own.value - 100.0 * ratio).abs() <= PERCENT)
        }
        [own] if own.unit.is_none() && own.kind != QuantityKind::Ordinal => {
            if same(own.value, part) || same(own.value, ratio) {
                Agreement::Same
            } else if own.value <= whole && whole >= SCORED && own.value >= 1.0 {
                Agreement::Different
            } else {
                Agreement::Incomparable
            }
        }
        _ => open(said, text),
    })
}

/// A side of a size.
type Side = (f64, Option<UnitId>);

/// The sides of a size: "10 x 15 cm", "1920×1080", "2 m by 3 m".
fn size(text: &str) -> Option<Vec<Side>> {
    let text = text
        .replace(['×', '✕', '*', 'X'], "x")
        .replace(" by ", " x ");
    let bytes = text.as_bytes();
    let mut pieces = Vec::new();
    let mut from = 0;
    for (at, _) in text.match_indices('x') {
        let behind = text[at + 1..].trim_start();
        let before = at.checked_sub(1).map_or(b'x', |i| bytes[i]);
        let parts = before.is_ascii_digit() || before == b' ' && text[at + 1..].starts_with(' ');
        if parts && behind.starts_with(|c: char| c.is_ascii_digit()) {
            pieces.push(&text[from..at]);
            from = at + 1;
        }
    }
    if pieces.is_empty() || pieces.len() >= SIDES {
        return None;
    }
    pieces.push(&text[from..]);
    let final_piece = pieces.len() - 1;
    let side = |(i, piece): (usize, &&str)| {
        let digit = |c: char| c.is_ascii_digit();
        let digits = |c: char| digit(c) || matches!(c, '.' | ',');
        // The number nearest to the sign.
        let start = if i == final_piece {
            piece.find(digit)?
        } else {
            let end = piece.rfind(digit)?;
            piece[..end].rfind(|c| !digits(c)).map_or(0, |before| {
                before + piece[before..].chars().next().map_or(1, char::len_utf8)
            })
        };
        let piece = piece[start..].trim_start_matches(['.', ',']);
        let end = piece.find(|c| !digits(c)).unwrap_or(piece.len());
        let value = plain(piece[..end].trim_end_matches(['.', ',']))?;
        let unit = piece[end..].trim_start().split([' ', ',', ')']).next();
        let unit = unit.filter(|unit| !unit.is_empty()).and_then(|unit| {
            let unit = unit.trim_end_matches('.');
            unit_named(unit)
        });
        Some((value, unit))
    };
    let mut sides: Vec<Side> = pieces.iter().enumerate().map(side).collect::<Option<_>>()?;
    let last = sides.last().and_then(|side| side.1);
    for side in &mut sides {
        side.1 = side.1.or(last);
    }
    Some(sides)
}

/// Whether two sentences tell the same sides of a thing, in whatever order.
pub(crate) fn same_sides(said: &str, told: &str) -> bool {
    let of = |text: &str| {
        let mut sides = size(text)?;
        sides.sort_by(|a, b| a.0.total_cmp(&b.0));
        Some(sides)
    };
    let own = of(said);
    own.is_some() && own == of(told)
}

fn size_agrees(said: &Said<'_>, text: &str) -> Option<Agreement> {
    let own = size(text)?;
    let pixels = |unit: Option<UnitId>| {
        unit.filter(|id| crate::lexicon::units::unit(*id).dimension != "pixels")
    };
    let same = |a: &Side, b: &Side| match (pixels(a.1), pixels(b.1)) {
        (Some(x), Some(y)) => {
            let near = |value: f64| (value - b.0).abs() <= ROUNDED * b.0;
            Some(conversions(a.0, x, y).any(near))
        }
        (None, None) => Some((a.0 - b.0).abs() < 1e-9),
        _ => ((a.0 - b.0).abs() < 1e-9).then_some(true),
    };
    let Some(told) = size(said.text) else {
        // One side of it, or something else.
        let side = |q: &Quantity| {
            own.iter()
                .any(|own| same(&(q.value, q.unit), own) == Some(true))
        };
        let any = said.quantities.iter().any(side);
        return Some(if any {
            Agreement::Same
        } else {
            open(said, text)
        });
    };
    if told.len() != own.len() {
        return Some(open(said, text));
    }
    let pairs = |turned: bool| {
        let mut own: Vec<&Side> = own.iter().collect();
        if turned {
            own.reverse();
        }
        let all: Vec<Option<bool>> = told.iter().zip(own).map(|(a, b)| same(a, b)).collect();
        if all.contains(&None) {
            None
        } else {
            Some(!all.contains(&Some(false)))
        }
    };
    Some(match (pairs(false), pairs(true)) {
        (Some(true), _) | (_, Some(true)) => Agreement::Same,
        (Some(false), Some(false)) => Agreement::Different,
        _ => Agreement::Incomparable,
    })
}

/// "2nd" is told as "2", "second" and "number 2", and "top 10" holds each of ten.
fn rank_agrees(said: &Said<'_>, text: &str) -> Option<Agreement> {
    let number = |q: &&Quantity| {
        let kind = matches!(
            q.kind,
            QuantityKind::Ordinal | QuantityKind::Cardinal | QuantityKind::Label
        );
        kind && q.unit.is_none()
    };
    let text = text.trim();
    let lower = text.to_lowercase();
    let top = |text: &str| text.contains("top ") || text.contains("top-");
    if let Some(most) = lower.strip_prefix("top ").and_then(plain) {
        let mut told = said.quantities.iter().filter(number).map(|q| q.value);
        let first = told.next()?;
        let within = match top(&said.text.to_lowercase()) {
            true => return None,
            false => first <= most,
        };
        return Some(match within {
            true => Agreement::Same,
            false => Agreement::Different,
        });
    }
    let all = segment::quantities(text);
    let [own] = all.as_slice() else { return None };
    let whole = own.span.start == 0 && own.span.end == text.len();
    if own.kind != QuantityKind::Ordinal || !whole {
        return None;
    }
    let mut told = said
        .quantities
        .iter()
        .filter(number)
        .map(|q| q.value)
        .peekable();
    told.peek()?;
    Some(match told.any(|told| (told - own.value).abs() < 1e-9) {
        true => Agreement::Same,
        false => Agreement::Different,
    })
}

/// "16:9", "1.78:1" and "1.78" are one ratio.
fn ratio_agrees(said: &Said<'_>, text: &str) -> Option<Agreement> {
    let ratio = |text: &str| {
        let (a, b) = text.trim().split_once(':')?;
        let (a, b) = (plain(a)?, plain(b)?);
        (b > 0.0).then_some(a / b)
    };
    let own = ratio(text)?;
    let told = ratio(said.text).or_else(|| plain(said.text))?;
    ((own - told).abs() <= ROUNDED * own).then_some(Agreement::Same)
}

/// An amount in a unit that is not known is compared with the same unit alone, a name with no measure:
/// "9 fathoms" and "A4" are at odds with neither "54 feet" nor "210 mm".
pub(super) fn other_measure(said: &Said<'_>, text: &str) -> Option<Agreement> {
    let own = segment::quantities(text);
    let measure = |q: &Quantity| q.kind == QuantityKind::Measure && q.unit.is_some();
    let alike = |a: &Quantity| {
        let units = |b: &Quantity| a.unit.zip(b.unit).is_some_and(|(a, b)| comparable(a, b));
        own.iter().any(units)
    };
    let measured = said.quantities.iter().any(measure);
    if measured && !said.quantities.iter().any(alike) {
        return Some(open(said, text));
    }
    let (_, told) = count(said.text).filter(|(_, told)| !told.is_empty())?;
    let counted = count(text)
        .is_some_and(|(_, noun)| !noun.is_empty() && noun.iter().all(|word| !told.contains(word)));
    (counted || own.iter().any(measure)).then(|| open(said, text))
}
