//! Tables of a class and its words, one class a line.

use std::borrow::Cow;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::listed::Sieve;

/// Classes and their words, looked up by word.
#[derive(Debug, Default)]
pub struct Table {
    rows: Vec<(&'static str, Vec<&'static str>)>,
    words: FxHashMap<&'static str, Vec<(u16, u16)>>,
    sieve: Sieve,
}

impl Table {
    /// Reads lines of a class, a tab and words parted by ';'.
    pub(super) fn read(text: &'static str) -> Self {
        let mut table = Self::default();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let Some((class, list)) = line.split_once('\t') else {
                continue;
            };
            debug_assert!(
                table.rows.iter().all(|(name, _)| *name != class),
                "{class} stands twice"
            );
            let row = table.rows.len() as u16;
            let words: Vec<&str> = list.split(';').collect();
            for (at, word) in words.iter().enumerate() {
                table.words.entry(word).or_default().push((row, at as u16));
                table.sieve.add(word);
            }
            table.rows.push((class, words));
        }
        table
    }

    /// Where a folded word is listed. Most words are told by a few of their letters to be nowhere.
    #[inline]
    fn places(&self, word: &str) -> &[(u16, u16)] {
        if !self.sieve.may_have(word) {
            return &[];
        }
        self.words.get(word).map_or(&[], Vec::as_slice)
    }

    /// Whether the class has the folded word.
    #[must_use]
    pub fn has(&self, class: &str, word: &str) -> bool {
        self.classes(word).any(|name| name == class)
    }

    /// The same of a word as it is written, in whatever case.
    #[must_use]
    pub fn has_written(&self, class: &str, word: &str) -> bool {
        // Most words have no capital.
        if word.bytes().all(|b| b.is_ascii_lowercase()) {
            return self.has(class, word);
        }
        self.has(class, &word.to_lowercase())
    }

    /// Classes of a folded word, to ask for several of them.
    #[must_use]
    pub fn marks(&self, word: &str) -> Marks<'_> {
        Marks {
            table: self,
            places: self.places(word),
        }
    }

    /// Those of no word.
    #[must_use]
    pub fn none(&self) -> Marks<'_> {
        Marks {
            table: self,
            places: &[],
        }
    }

    /// Words and phrases of a class.
    #[must_use]
    pub fn listed(&self, class: &str) -> &[&'static str] {
        let row = self.rows.iter().find(|(name, _)| *name == class);
        row.map_or(&[], |(_, words)| words)
    }

    /// Classes that begin so: the rest of their name, and their words and phrases.
    pub fn under<'a>(
        &'a self,
        prefix: &'a str,
    ) -> impl Iterator<Item = (&'static str, &'a [&'static str])> {
        self.rows
            .iter()
            .filter_map(move |(name, words)| Some((name.strip_prefix(prefix)?, words.as_slice())))
    }

    /// Classes of a folded word.
    pub fn classes(&self, word: &str) -> impl Iterator<Item = &'static str> {
        self.places(word)
            .iter()
            .map(|(row, _)| self.rows[*row as usize].0)
    }

    /// The class of a folded word that begins so, without that beginning.
    #[must_use]
    pub fn of(&self, prefix: &str, word: &str) -> Option<&'static str> {
        self.classes(word)
            .find_map(|class| class.strip_prefix(prefix))
    }

    /// Place of a folded word in the class, from 0.
    #[must_use]
    pub fn place(&self, class: &str, word: &str) -> Option<usize> {
        let found = self
            .places(word)
            .iter()
            .find(|(row, _)| self.rows[*row as usize].0 == class);
        found.map(|(_, at)| usize::from(*at))
    }
}

/// Classes of one word.
#[derive(Debug, Clone, Copy)]
pub struct Marks<'a> {
    table: &'a Table,
    places: &'a [(u16, u16)],
}

impl Marks<'_> {
    /// Whether the class is among them.
    #[must_use]
    #[inline]
    pub fn has(&self, class: &str) -> bool {
        let name = |row: u16| self.table.rows[usize::from(row)].0;
        self.places.iter().any(|(row, _)| name(*row) == class)
    }

    /// Whether the word is in no class.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }
}

/// Words by which a number is the value of an attribute, or something beside it.
#[must_use]
pub fn values() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table::read(table!("values.tsv")))
}

/// Words of time, tense and order.
#[must_use]
pub fn time() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table::read(table!("time.tsv")))
}

/// Words by which a statement is not put forward as so, of now, of the whole or of one number.
#[must_use]
pub fn stance() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table::read(table!("stance.tsv")))
}

/// Words around and in square brackets.
#[must_use]
pub fn brackets() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table::read(table!("brackets.tsv")))
}

/// Words around what is said: remarks, forms of address, what sets parts of a sentence apart.
#[must_use]
pub fn frames() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table::read(table!("frames.tsv")))
}

/// Words by which what is said of an attribute is of the kind of its value.
#[must_use]
pub fn likeness() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table::read(table!("likeness.tsv")))
}

/// Words that deny what others say: "lacks" is "does not have".
#[must_use]
pub fn denials() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table::read(table!("denials.tsv")))
}

/// Words that a sentence of a source is held against: "before" and "after", "free" and "extra".
#[must_use]
pub fn facing() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table::read(table!("facing.tsv")))
}

/// Words by which a value is told of a time, a case or something that happened.
#[must_use]
pub fn circumstance() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table::read(table!("circumstance.tsv")))
}

/// Questions that ask for an attribute without naming it.
#[must_use]
pub fn questions() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table::read(table!("questions.tsv")))
}

/// Words that tell one thing, or one attribute, from others of its kind, and those that do not.
#[must_use]
pub fn narrowing() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table::read(table!("narrowing.tsv")))
}

/// Attributes by which the names that one thing has are told apart.
#[must_use]
pub fn roles() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table::read(table!("roles.tsv")))
}

/// Kinds of posts, colours and companies of which one excludes another.
#[must_use]
pub fn kinds() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table::read(table!("kinds.tsv")))
}

/// Words by which a statement appeals to a source, or names it.
#[must_use]
pub fn sources() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table::read(table!("sources.tsv")))
}

/// What an answer says before a statement and that adds nothing to it.
#[must_use]
pub fn prefaces() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table::read(table!("prefaces.tsv")))
}

/// Words of weekly schedules: days, what joins them, states, and what restricts them.
#[must_use]
pub fn schedule() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table::read(table!("schedule.tsv")))
}

/// What words of reserve hold back.
#[must_use]
pub fn hedges() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table::read(table!("hedges.tsv")))
}

/// Keys and values of forms.
#[must_use]
pub fn forms() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table::read(table!("forms.tsv")))
}

/// Words by which a user's turn leaves or changes what was said before it.
#[must_use]
pub fn turns() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table::read(table!("turns.tsv")))
}

/// Classes of [`stance`] whose words are verbs, each a bit of what [`stance_verbs`] gives.
pub const STANCE_VERBS: [&str; 5] = ["doubt", "belief", "saying", "telling", "evidential"];

/// The classes of [`STANCE_VERBS`] that have one of the base forms that a folded word may have by
/// [`bases`], as bits in that order.
#[must_use]
pub fn stance_verbs(word: &str) -> u8 {
    static FORMS: OnceLock<FxHashMap<String, u8>> = OnceLock::new();
    let forms = FORMS.get_or_init(|| {
        let mut forms: FxHashMap<String, u8> = FxHashMap::default();
        for (bit, class) in STANCE_VERBS.iter().enumerate() {
            for base in stance().listed(class) {
                for (end, put) in ENDINGS {
                    if let Some(stem) = base.strip_suffix(put) {
                        *forms.entry(format!("{stem}{end}")).or_default() |= 1 << bit;
                    }
                }
            }
        }
        forms
    });
    forms.get(word).copied().unwrap_or_default()
}

/// Short forms of given names, by the name.
#[must_use]
pub fn nicknames() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table::read(table!("nicknames.tsv")))
}

/// Words that are written shortened, by their short form.
#[must_use]
pub fn short_forms() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table::read(table!("short_forms.tsv")))
}

/// Words by which one thing is written in two ways: notes of time, short forms, magnitudes, periods.
#[must_use]
pub fn otherwise() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table::read(table!("otherwise.tsv")))
}

/// Names of parts of countries and of groups of them.
#[must_use]
pub fn regions() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table::read(table!("regions.tsv")))
}

/// Countries with their well-known cities; a city that several have stands in each of them.
#[must_use]
pub fn countries() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table::read(table!("countries.tsv")))
}

/// A stage in the course of one thing: the course, its place, and whether verbs of that course
/// stand without an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stage {
    /// Number of the course.
    pub course: u8,
    /// Place in it: a lower one happens first.
    pub place: u8,
    /// Whether only verbs without an object count.
    pub bare: bool,
    /// Whether only "before" and "after" compare them, not their dates.
    pub undated: bool,
}

/// Courses that things take: for each verb its stage.
#[derive(Debug, Clone, Default)]
pub struct Courses {
    names: Vec<Cow<'static, str>>,
    stages: FxHashMap<Cow<'static, str>, Stage>,
}

/// The shipped courses.
#[must_use]
pub fn courses() -> &'static Courses {
    static TABLE: OnceLock<Courses> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Courses::default();
        let text = table!("events.tsv");
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let mut columns = line.split('\t');
            let (Some(name), Some(mode)) = (columns.next(), columns.next()) else {
                continue;
            };
            let stages = columns.map(|verbs| verbs.split(';').map(Cow::Borrowed).collect());
            let undated = mode == "undated";
            let bare = undated || mode == "bare";
            table.add(Cow::Borrowed(name), bare, undated, stages);
        }
        table
    })
}

impl Courses {
    /// Adds a course: the verbs of each stage, the first stage first. Verbs leave the course that
    /// they were in.
    pub(super) fn add(
        &mut self,
        name: Cow<'static, str>,
        bare: bool,
        undated: bool,
        stages: impl Iterator<Item = Vec<Cow<'static, str>>>,
    ) {
        let course = self.names.len() as u8;
        self.names.push(name);
        for (place, verbs) in stages.enumerate() {
            for verb in verbs {
                let stage = Stage {
                    course,
                    place: place as u8,
                    bare,
                    undated,
                };
                self.stages.insert(verb, stage);
            }
        }
    }

    /// Number of courses.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The stage of a verb's base form, if it belongs to a course.
    #[must_use]
    pub fn stage(&self, base: &str) -> Option<Stage> {
        self.stages.get(base).copied()
    }
}

/// Endings of regular verb forms, with what the base has in their place.
const ENDINGS: [(&str, &str); 9] = [
    ("", ""),
    ("d", ""),
    ("ed", ""),
    ("s", ""),
    ("es", ""),
    ("ing", ""),
    ("ing", "e"),
    ("ied", "y"),
    ("ies", "y"),
];

/// Base forms that a regular verb form may have, the likelier first.
pub fn bases(form: &str) -> impl Iterator<Item = String> {
    ENDINGS
        .iter()
        .filter_map(move |(end, put)| form.strip_suffix(end).map(|stem| format!("{stem}{put}")))
}
