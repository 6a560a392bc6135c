//! Words of logical form, states and kinds that shut each other out, impossible properties.

use std::borrow::Cow;
use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;

use super::tables::Table;

/// Words of quantifiers, scope and reported speech.
#[must_use]
pub fn logic() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table::read(table!("logic.tsv")))
}

/// The pairs of opposites that tell what `of` names: `state` or `turn`.
pub(super) fn opposites(of: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    table!("opposites.tsv")
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
    let table = TABLE.get_or_init(|| opposites("state").chain(opposites("degree")).collect());
    table.contains(&(one, other)) || table.contains(&(other, one))
}

/// Kinds of which one thing is at most one, in groups (S0-058).
#[derive(Debug, Clone, Default)]
pub struct Kinds {
    /// Name of each group, and how many kinds it has.
    groups: Vec<(Cow<'static, str>, u16)>,
    /// Group and number in the group, by the kind's name.
    kinds: FxHashMap<Cow<'static, str>, Vec<(u16, u16)>>,
}

/// The shipped kinds.
#[must_use]
pub fn kinds() -> &'static Kinds {
    static TABLE: OnceLock<Kinds> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Kinds::default();
        let text = table!("exclusive.tsv");
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        for (group, list) in lines.filter_map(|line| line.split_once('\t')) {
            let kinds = list.split(';');
            table.extend(
                Cow::Borrowed(group),
                kinds.map(|names| names.split('=').map(Cow::Borrowed).collect()),
            );
        }
        table
    })
}

impl Kinds {
    /// Adds kinds to the group of that name, which may be new; each is given by all its names. A
    /// kind one of whose names the group has gets the others.
    pub(super) fn extend(
        &mut self,
        group: Cow<'static, str>,
        kinds: impl Iterator<Item = Vec<Cow<'static, str>>>,
    ) {
        let known = self.groups.iter().position(|(name, _)| *name == group);
        let at = known.unwrap_or_else(|| {
            self.groups.push((group, 0));
            self.groups.len() - 1
        });
        for names in kinds {
            let own = names.iter().find_map(|name| {
                let places = self.kinds.get(name)?.iter();
                places.copied().find(|(group, _)| usize::from(*group) == at)
            });
            let place = own.unwrap_or_else(|| {
                let next = self.groups[at].1;
                self.groups[at].1 += 1;
                (at as u16, next)
            });
            for name in names {
                let places = self.kinds.entry(name).or_default();
                if !places.contains(&place) {
                    places.push(place);
                }
            }
        }
    }

    /// Whether there is a group of that name.
    #[must_use]
    pub fn has_group(&self, name: &str) -> bool {
        self.groups.iter().any(|(own, _)| own == name)
    }

    /// Whether a folded name is a kind that some other kind shuts out.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.kinds.contains_key(name)
    }

    /// Whether nothing is of both kinds (S0-058).
    #[must_use]
    pub fn exclude(&self, one: &str, other: &str) -> bool {
        let (Some(a), Some(b)) = (self.kinds.get(one), self.kinds.get(other)) else {
            return false;
        };
        // What one group has as two kinds another may have as one.
        a.iter()
            .any(|(group, at)| b.iter().any(|(other, place)| group == other && at != place))
            && !a.iter().any(|place| b.contains(place))
    }
}

/// Words of properties that nothing can have (S0-059).
#[derive(Debug, Clone, Default, Deserialize)]
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
    TABLE.get_or_init(|| toml::from_str(table!("impossible.toml")).unwrap_or_default())
}
