//! Wording that changes what a sentence says of a table.

use std::sync::OnceLock;

use rustc_hash::FxHashSet;

/// The lists of `data/en/rows.tsv`.
#[derive(Debug, Default)]
pub struct RowWords {
    denial: FxHashSet<&'static str>,
    other: FxHashSet<&'static str>,
    speaker: FxHashSet<&'static str>,
    booking: FxHashSet<&'static str>,
    topic: FxHashSet<&'static str>,
    has: FxHashSet<&'static str>,
}

/// The shipped lists.
#[must_use]
pub fn words() -> &'static RowWords {
    static TABLE: OnceLock<RowWords> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = RowWords::default();
        for line in include_str!("../../data/en/rows.tsv").lines() {
            let Some((class, items)) = line.split_once('\t') else {
                continue;
            };
            let list = match class {
                "denial" => &mut table.denial,
                "other" => &mut table.other,
                "speaker" => &mut table.speaker,
                "booking" => &mut table.booking,
                "topic" => &mut table.topic,
                "has" => &mut table.has,
                _ => continue,
            };
            list.extend(items.split(';'));
        }
        table
    })
}

fn any(list: &FxHashSet<&str>, text: &str) -> bool {
    text.split(|c: char| !(c.is_alphanumeric() || c == '\'' || c == '’'))
        .any(|word| list.contains(&*word.to_lowercase().replace('’', "'")))
}

impl RowWords {
    /// Whether a sentence denies something: then its values need not stand together.
    #[must_use]
    pub fn denies(&self, text: &str) -> bool {
        any(&self.denial, text)
    }

    /// Whether whoever speaks puts something new down ("I scheduled a match for Friday").
    #[must_use]
    pub fn books(&self, text: &str) -> bool {
        any(&self.speaker, text) && any(&self.booking, text)
    }

    /// Whether a noun stands for what a row is about, or for the kind of a value.
    #[must_use]
    pub fn is_topic(&self, word: &str) -> bool {
        any(&self.topic, word)
    }

    /// Whether a verb gives the row something that it has or offers.
    #[must_use]
    pub fn has_thing(&self, word: &str) -> bool {
        any(&self.has, word)
    }

    /// Whether a question asks for something other than what was spoken of, or for several.
    #[must_use]
    pub fn asks_for_other(&self, text: &str) -> bool {
        any(&self.other, text)
    }
}
