//! Wording by which a bare given name means somebody in particular.

use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};

/// The lists of `data/en/persons.tsv`.
#[derive(Debug, Default)]
pub struct Persons {
    before: FxHashSet<&'static str>,
    unit: FxHashSet<&'static str>,
    famous: FxHashSet<&'static str>,
    tale: FxHashSet<&'static str>,
    ranks: FxHashMap<&'static str, u8>,
    rankless: FxHashSet<&'static str>,
    chief: FxHashSet<&'static str>,
}

/// Words of the longest wording before a person.
const LONGEST: usize = 4;

/// The shipped lists.
#[must_use]
pub fn persons() -> &'static Persons {
    static TABLE: OnceLock<Persons> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Persons::default();
        for line in table!("persons.tsv").lines() {
            let Some((class, items)) = line.split_once('\t') else {
                continue;
            };
            if let Some(level) = class.strip_prefix("rank").and_then(|n| n.parse().ok()) {
                table
                    .ranks
                    .extend(items.split(';').map(|item| (item, level)));
                continue;
            }
            let list = match class {
                "rankless" => &mut table.rankless,
                "chief" => &mut table.chief,
                "before" => &mut table.before,
                "unit" => &mut table.unit,
                "famous" => &mut table.famous,
                "tale" => &mut table.tale,
                _ => continue,
            };
            list.extend(items.split(';'));
        }
        table
    })
}

impl Persons {
    /// Whether the folded words end in wording that a person follows ("talk to").
    #[must_use]
    pub fn follows(&self, words: &[String]) -> bool {
        (1..=LONGEST.min(words.len()))
            .any(|n| self.before.contains(&*words[words.len() - n..].join(" ")))
    }

    /// The position that the folded words end in, with its level, 1 (lowest) to 5; none where a
    /// word before it makes it another ("assistant director").
    #[must_use]
    pub fn rank<'a>(&self, words: &'a [&'a str]) -> Option<(String, u8)> {
        let (start, found) = (words.len().saturating_sub(3)..words.len()).find_map(|start| {
            let joined = words[start..].join(" ");
            self.ranks
                .get(&*joined)
                .map(|level| (start, (joined, *level)))
        })?;
        let other = start > 0 && self.rankless.contains(words[start - 1]);
        (!other).then_some(found)
    }

    /// Whether the folded word is short for "chief … officer".
    #[must_use]
    pub fn is_chief(&self, word: &str) -> bool {
        self.chief.contains(word)
    }

    /// Whether the folded word is a part of an organisation ("team", "hr").
    #[must_use]
    pub fn is_unit(&self, word: &str) -> bool {
        self.unit.contains(word)
    }

    /// Whether the folded name stands for somebody or something by itself.
    #[must_use]
    pub fn is_famous(&self, name: &str) -> bool {
        self.famous.contains(name)
    }

    /// Whether a sentence with the folded word makes its people up on purpose.
    #[must_use]
    pub fn is_tale(&self, word: &str) -> bool {
        self.tale.contains(word)
    }
}
