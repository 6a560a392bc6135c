//! Units of which one word has several sizes: the tons of 2,000 and of 2,240 pounds, the gallons of
//! either side of the Atlantic, the calorie of food.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::units::{by_name, convert, unit};
use crate::types::UnitId;

/// A further size of a unit.
#[derive(Clone, Copy)]
struct Size {
    factor: f64,
    /// It may be meant, and seldom is.
    rare: bool,
}

static READINGS: LazyLock<FxHashMap<UnitId, Vec<Size>>> = LazyLock::new(|| {
    let size = |text: &str| {
        let (text, rare) = (text.strip_prefix('~')).map_or((text, false), |text| (text, true));
        let factor = text.parse().ok()?;
        Some(Size { factor, rare })
    };
    let rows = table!("readings.tsv").lines();
    let row = |line: &str| {
        let (name, sizes) = line.split_once('\t')?;
        Some((by_name(name)?, sizes.split(';').filter_map(size).collect()))
    };
    rows.filter_map(row).collect()
});

/// How many times as large as the nearest of two amounts another is that nobody takes for it.
const MAGNITUDE: f64 = 5.0;

/// Factors of a unit, the usual one first.
fn factors(id: UnitId, rare: bool) -> impl Iterator<Item = f64> {
    let more = READINGS.get(&id).map_or(&[][..], Vec::as_slice);
    let more = more.iter().filter(move |size| rare || !size.rare);
    std::iter::once(unit(id).factor).chain(more.map(|size| size.factor))
}

fn by_sizes(value: f64, from: UnitId, to: UnitId, rare: bool) -> impl Iterator<Item = f64> {
    let usual = convert(value, from, to);
    let several = |id: &UnitId| READINGS.contains_key(id);
    let open = usual.is_some() && from != to && (several(&from) || several(&to));
    let pairs =
        move || factors(from, rare).flat_map(move |a| factors(to, rare).map(move |b| (a, b)));
    let others = open.then(pairs).into_iter().flatten().skip(1);
    (usual.into_iter()).chain(others.map(move |(a, b)| value * a / b))
}

/// `value` of `from` expressed in `to`, by every size that the words for them have, the usual ones
/// first; nothing if the two are not comparable.
pub fn conversions(value: f64, from: UnitId, to: UnitId) -> impl Iterator<Item = f64> {
    by_sizes(value, from, to, true)
}

/// `value` of `from` expressed in `to` beside an amount `like` in `to`: where a word has sizes of
/// other magnitudes, by the one that suits. `None` if it remains open, or they are not comparable.
#[must_use]
pub fn converted_like(value: f64, from: UnitId, to: UnitId, like: f64) -> Option<f64> {
    let all = || by_sizes(value, from, to, false);
    let apart = |a: f64, b: f64| (a / b).abs().ln().abs();
    let nearest = all().min_by(|a, b| apart(*a, like).total_cmp(&apart(*b, like)))?;
    let open = all().any(|other| {
        let off = apart(other, nearest);
        off > 1e-6 && off < MAGNITUDE.ln()
    });
    (!open).then_some(nearest)
}
