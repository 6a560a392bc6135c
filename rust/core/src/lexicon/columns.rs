//! How the columns of tables are named beside what texts call the same: "half_life_hours" is the half-life,
//! in hours, "num_rooms" the rooms, "max_speed" the maximum speed. Units are rows of `otherwise.tsv`.

use super::tables::otherwise;

/// What names begin with where a number is counted.
const COUNTING: [&str; 6] = ["num_", "nr_", "no_of_", "n_", "number_of_", "total_"];
/// What they end in besides the attribute's: what kind of value it is.
const KINDS: [&str; 6] = ["_name", "_year", "_date", "_on", "_in", "_city"];
/// What they shorten, and what a text spells out.
const SHORTENED: [(&str, &str); 3] = [
    ("max_", "maximum_"),
    ("min_", "minimum_"),
    ("avg_", "average_"),
];

/// The unit that an attribute's name ends in ("weight_kg", "area_sq_km").
#[must_use]
pub fn unit_of_name(key: &str) -> Option<&'static str> {
    measured(key).map(|(_, unit)| unit)
}

/// An attribute as texts name it: words, without the unit of its numbers.
#[must_use]
pub fn shown(key: &str) -> String {
    measured(key)
        .map_or(key, |(name, _)| name)
        .replace('_', " ")
}

/// The name without the unit that it ends in, and that unit.
fn measured(key: &str) -> Option<(&str, &'static str)> {
    let mut places = key.rmatch_indices('_').map(|(at, _)| at);
    let (last, before) = (places.next()?, places.next());
    if otherwise().has("column_whole", key) {
        return None;
    }
    // "capacity_min" is a bound, "cook_time_min" a time.
    if let Some(name) = key.strip_suffix("_min") {
        let noun = name.rsplit('_').next().unwrap_or(name);
        return otherwise()
            .has("column_of_time", noun)
            .then_some((name, "minutes"));
    }
    // Of two words first: "km_h" is no hour.
    let (at, unit) = [before, Some(last)]
        .into_iter()
        .flatten()
        .filter(|at| *at > 0)
        .find_map(|at| Some((at, otherwise().of("column_in_", &key[at + 1..])?)))?;
    let name = &key[..at];
    // "users_m" are millions of them, and "revenue_m" is money.
    if &key[at..] == "_m" && counts_or_earns(name) {
        return None;
    }
    Some((name.strip_suffix("_in").unwrap_or(name), unit))
}

/// Whether a name is one of things that are counted, or of money.
fn counts_or_earns(name: &str) -> bool {
    let noun = name.rsplit('_').next().unwrap_or(name);
    let several = noun.ends_with('s') && !["ss", "us", "is"].iter().any(|end| noun.ends_with(end));
    several || otherwise().has("column_of_millions", noun)
}

/// The attribute's name without what a column's name adds for its numbers: "num_rooms", "half_life_hours".
#[must_use]
pub fn bare_name(name: &str) -> &str {
    let name = measured(name).map_or(name, |(name, _)| name);
    let counted = COUNTING.iter().find_map(|lead| name.strip_prefix(lead));
    counted.unwrap_or(name)
}

/// The name without each thing that it may have besides the attribute's.
pub(super) fn bare_names(name: &str) -> impl Iterator<Item = &str> {
    let counted = COUNTING.iter().find_map(|lead| name.strip_prefix(lead));
    let told = KINDS.iter().filter_map(|kind| name.strip_suffix(kind));
    let measured = measured(name).map(|(bare, _)| bare);
    counted.into_iter().chain(told).chain(measured)
}

/// The bare name as a text has it, where a column shortens it ("max_speed_kmh": "maximum_speed").
#[must_use]
pub fn spelled_out(name: &str) -> Option<String> {
    let bare = bare_name(name);
    SHORTENED.iter().find_map(|(short, long)| {
        let rest = bare.strip_prefix(short)?;
        Some([long, rest].concat())
    })
}

/// What a column counts: "bed_count" the beds.
#[must_use]
pub fn counted(name: &str) -> Option<String> {
    let one = name
        .strip_suffix("_count")
        .or_else(|| name.strip_suffix("_total"))?;
    let many = one.ends_with('s');
    Some(if many {
        one.to_owned()
    } else {
        format!("{one}s")
    })
}

/// Whether one name is the other as a column has it.
pub(super) fn spells(a: &str, b: &str) -> bool {
    let counts = |long: &str, short: &str| counted(long).is_some_and(|own| own == short);
    if counts(a, b) || counts(b, a) {
        return true;
    }
    if a.contains(b) || b.contains(a) {
        return bare_name(a) == bare_name(b);
    }
    let shortens = |long: &str, short: &str| {
        SHORTENED.iter().any(|(cut, whole)| {
            let rest = long.strip_prefix(whole).zip(short.strip_prefix(cut));
            rest.is_some_and(|(long, short)| bare_name(long) == bare_name(short))
        })
    };
    shortens(a, b) || shortens(b, a)
}
