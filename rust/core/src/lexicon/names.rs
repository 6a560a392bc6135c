//! Words by which names are told apart: titles, heads, given names, nouns that take names up again.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

/// Classes of a word, as bit flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NameCue(u32);

/// The classes of `data/en/names.tsv`, in bit order.
const CLASSES: [&str; 20] = [
    "title",
    "org",
    "place",
    "place_first",
    "event",
    "event_first",
    "law",
    "law_first",
    "work",
    "product",
    "female",
    "male",
    "is_person",
    "is_org",
    "is_place",
    "is_work",
    "is_product",
    "kin_female",
    "kin_male",
    "kin",
];

impl NameCue {
    /// "Dr", "Queen".
    pub const TITLE: Self = Self(1);
    /// "Bank", "Ltd".
    pub const ORG: Self = Self(1 << 1);
    /// "Valley".
    pub const PLACE: Self = Self(1 << 2);
    /// "Lake".
    pub const PLACE_FIRST: Self = Self(1 << 3);
    /// "Cup".
    pub const EVENT: Self = Self(1 << 4);
    /// "Battle".
    pub const EVENT_FIRST: Self = Self(1 << 5);
    /// "Act".
    pub const LAW: Self = Self(1 << 6);
    /// "Treaty".
    pub const LAW_FIRST: Self = Self(1 << 7);
    /// "novel".
    pub const WORK: Self = Self(1 << 8);
    /// "Linux".
    pub const PRODUCT: Self = Self(1 << 9);
    /// "Ruth".
    pub const FEMALE: Self = Self(1 << 10);
    /// "Paul".
    pub const MALE: Self = Self(1 << 11);
    /// "the artist".
    pub const IS_PERSON: Self = Self(1 << 12);
    /// "the company".
    pub const IS_ORG: Self = Self(1 << 13);
    /// "the city".
    pub const IS_PLACE: Self = Self(1 << 14);
    /// "the novel".
    pub const IS_WORK: Self = Self(1 << 15);
    /// "the tool".
    pub const IS_PRODUCT: Self = Self(1 << 16);
    /// "his sister".
    pub const KIN_FEMALE: Self = Self(1 << 17);
    /// "her brother".
    pub const KIN_MALE: Self = Self(1 << 18);
    /// "their boss".
    pub const KIN: Self = Self(1 << 19);

    /// Both sets.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether it is in any class of `other`.
    #[must_use]
    pub const fn is(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// Whether a folded noun, or the one that it is the plural of, is in any class of `kinds`.
#[must_use]
pub fn noun_is(folded: &str, kinds: NameCue) -> bool {
    let one = folded.strip_suffix('s').unwrap_or(folded);
    [folded, one].iter().any(|noun| name_cue(noun).is(kinds))
}

/// Classes of a folded word.
#[must_use]
pub fn name_cue(folded: &str) -> NameCue {
    static TABLE: OnceLock<FxHashMap<&'static str, NameCue>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let mut table: FxHashMap<&'static str, NameCue> = FxHashMap::default();
        for line in table!("names.tsv").lines() {
            let Some((class, items)) = line.split_once('\t') else {
                continue;
            };
            let Some(bit) = CLASSES.iter().position(|name| *name == class) else {
                continue;
            };
            for item in items.split(';') {
                table.entry(item).or_default().0 |= 1 << bit;
            }
        }
        table
    });
    table.get(folded).copied().unwrap_or_default()
}
