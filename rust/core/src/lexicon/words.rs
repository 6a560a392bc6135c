//! Words and well-known names that any text may hold, with what they are.
//!
//! The table is `data/en/words.txt` (sources and licences in `data/en/NOTICE.md`), compiled in
//! and hashed on first use.

use std::sync::OnceLock;

/// What a word is, as bit flags; one word may be several things ("may", "turkey").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct WordClass(pub u16);

impl WordClass {
    /// In the dictionary as an ordinary word.
    pub const COMMON: Self = Self(1);
    /// Function word: article, pronoun, preposition, conjunction, auxiliary, sentence adverb.
    pub const STOPWORD: Self = Self(1 << 1);
    /// Title before or after a name ("dr", "president", "jr").
    pub const TITLE: Self = Self(1 << 2);
    /// Name of a month.
    pub const MONTH: Self = Self(1 << 3);
    /// Name of a weekday.
    pub const WEEKDAY: Self = Self(1 << 4);
    /// Name of a language.
    pub const LANGUAGE: Self = Self(1 << 5);
    /// Name of a country, territory or continent.
    pub const COUNTRY: Self = Self(1 << 6);
    /// Adjective or noun of nationality or origin.
    pub const DEMONYM: Self = Self(1 << 7);
    /// Name of a currency.
    pub const CURRENCY: Self = Self(1 << 8);
    /// Name of a large city.
    pub const CITY: Self = Self(1 << 9);
    /// Given name of a person.
    pub const GIVEN_NAME: Self = Self(1 << 10);
    /// In the dictionary with a capital letter.
    pub const PROPER: Self = Self(1 << 11);
    /// Head noun of names of places and organisations ("museum", "river", "bank").
    pub const NAME_HEAD: Self = Self(1 << 12);
    /// Name that general text holds without introduction ("united nations", "nobel prize").
    pub const WELL_KNOWN: Self = Self(1 << 13);

    /// Whether all bits of `other` are set.
    #[must_use]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether any bit of `other` is set.
    #[must_use]
    pub const fn any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Both sets of bits.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the word is in the table at all.
    #[must_use]
    pub const fn is_known(self) -> bool {
        self.0 != 0
    }
}

/// Lines `@ classes` followed by one entry a line, in folded form.
static DATA: &str = table!("words.txt");

/// Letter of each class in the data file, in bit order.
const LETTERS: &[u8; 14] = b"cstmwlkdyugphx";

#[derive(Clone, Copy, Default)]
struct Slot {
    offset: u32,
    len: u8,
    class: u16,
}

struct Table {
    slots: Vec<Slot>,
    entries: usize,
    longest_phrase: usize,
}

fn hash(word: &str) -> u64 {
    let mut state = 0xcbf2_9ce4_8422_2325_u64;
    for chunk in word.as_bytes().chunks(8) {
        let mut block = [0_u8; 8];
        block[..chunk.len()].copy_from_slice(chunk);
        state =
            (state.rotate_left(5) ^ u64::from_le_bytes(block)).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
    state ^ (state >> 29)
}

fn parse_classes(letters: &str) -> u16 {
    letters
        .bytes()
        .filter_map(|b| LETTERS.iter().position(|&l| l == b))
        .fold(0, |bits, at| bits | (1 << at))
}

impl Table {
    fn build() -> Self {
        let entries = DATA.bytes().filter(|&b| b == b'\n').count();
        let size = (entries * 3 / 2).next_power_of_two();
        let mut table = Self {
            slots: vec![Slot::default(); size],
            entries: 0,
            longest_phrase: 1,
        };
        let mut class = 0;
        let mut offset = 0;
        for line in DATA.split_inclusive('\n') {
            let word = line.trim_end_matches('\n');
            if let Some(letters) = word.strip_prefix("@ ") {
                class = parse_classes(letters);
            } else if !word.is_empty() && !word.starts_with('#') {
                table.insert(word, offset, class);
            }
            offset += line.len();
        }
        table
    }

    fn insert(&mut self, word: &str, offset: usize, class: u16) {
        let (Ok(offset), Ok(len)) = (u32::try_from(offset), u8::try_from(word.len())) else {
            return;
        };
        let mask = self.slots.len() - 1;
        let mut at = hash(word) as usize & mask;
        while self.slots[at].len != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = Slot { offset, len, class };
        self.entries += 1;
        self.longest_phrase = self.longest_phrase.max(word.split(' ').count());
    }

    fn get(&self, word: &str) -> WordClass {
        let mask = self.slots.len() - 1;
        let mut at = hash(word) as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot.len == 0 {
                return WordClass(0);
            }
            let start = slot.offset as usize;
            if usize::from(slot.len) == word.len()
                && DATA.as_bytes()[start..start + word.len()] == *word.as_bytes()
            {
                return WordClass(slot.class);
            }
            at = (at + 1) & mask;
        }
    }
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(Table::build)
}

/// What the folded word, or the folded phrase with single spaces ("new york"), is.
/// No bit is set where the table does not hold it.
#[must_use]
pub fn class(folded: &str) -> WordClass {
    if folded.is_empty() {
        WordClass(0)
    } else {
        table().get(folded)
    }
}

/// Number of words and phrases in the table.
#[must_use]
pub fn len() -> usize {
    table().entries
}

/// Words of the table's longest phrase.
#[must_use]
pub fn longest_phrase() -> usize {
    table().longest_phrase
}

/// The table's entries with their classes, in the order of the data file.
pub fn entries() -> impl Iterator<Item = (&'static str, WordClass)> {
    let mut class = 0;
    DATA.lines().filter_map(move |line| {
        if let Some(letters) = line.strip_prefix("@ ") {
            class = parse_classes(letters);
            None
        } else {
            (!line.is_empty() && !line.starts_with('#')).then_some((line, WordClass(class)))
        }
    })
}
