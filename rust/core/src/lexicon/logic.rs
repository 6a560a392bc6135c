//! Words of logical form, states and kinds that shut each other out, impossible properties.

use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;

use super::tables::Table;

/// Words of quantifiers, scope and reported speech.
#[must_use]
pub fn logic() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table::read(include_str!("../../data/en/logic.tsv")))
}

/// The pairs of opposites that tell what `of` names: `state` or `turn`.
pub(super) fn opposites(of: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    include_str!("../../data/en/opposites.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(move |line| {
            let mut fields = line.split('\t');
            let (one, other, tells) = (fields.next()?, fields.next()?, fields.next()?);
            (tells == of || tells == "both").then_some((one, other))
        })
}

/// Whether two folded words name states that shut each other out ("open", "closed").
#[must_use]
pub fn opposite(one: &str, other: &str) -> bool {
    static TABLE: OnceLock<FxHashSet<(&'static str, &'static str)>> = OnceLock::new();
    let table = TABLE.get_or_init(|| opposites("state").collect());
    table.contains(&(one, other)) || table.contains(&(other, one))
}

/// Groups and number in the group, by the kind's name.
type Kinds = FxHashMap<&'static str, Vec<(u16, u16)>>;

fn kinds() -> &'static Kinds {
    static TABLE: OnceLock<Kinds> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut kinds = Kinds::default();
        let text = include_str!("../../data/en/exclusive.tsv");
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        for (group, line) in lines.enumerate() {
            let Some((_, list)) = line.split_once('\t') else {
                continue;
            };
            for (at, names) in list.split(';').enumerate() {
                for name in names.split('=') {
                    kinds
                        .entry(name)
                        .or_default()
                        .push((group as u16, at as u16));
                }
            }
        }
        kinds
    })
}

/// Whether a folded name is a kind that some other kind shuts out.
#[must_use]
pub fn is_kind(name: &str) -> bool {
    kinds().contains_key(name)
}

/// Whether nothing is of both kinds (S0-058).
#[must_use]
pub fn exclusive(one: &str, other: &str) -> bool {
    let (Some(a), Some(b)) = (kinds().get(one), kinds().get(other)) else {
        return false;
    };
    a.iter()
        .any(|(group, at)| b.iter().any(|(other, place)| group == other && at != place))
}

/// Words of properties that nothing can have (S0-059).
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Impossible {
    /// What is counted.
    pub countable: FxHashSet<String>,
    /// What shares are taken of.
    pub whole: FxHashSet<String>,
    /// How likely something is.
    pub likelihood: FxHashSet<String>,
    /// What makes a number a change.
    pub change: FxHashSet<String>,
}

/// The shipped words of impossible properties.
#[must_use]
pub fn impossible() -> &'static Impossible {
    static TABLE: OnceLock<Impossible> = OnceLock::new();
    TABLE.get_or_init(|| {
        toml::from_str(include_str!("../../data/en/impossible.toml")).unwrap_or_default()
    })
}
