//! Categories that exclude each other, from `data/en/exclusive.tsv` and users' files.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use crate::error::{Category, Error, Result};

/// Subject that stands for anything.
const ANY: &str = "*";

/// Where a category stands: the line, the part within it.
type Place = (u32, u16);

/// Groups of exclusive categories.
#[derive(Debug, Clone, Default)]
pub struct Exclusive {
    /// Subject of each line.
    subjects: Vec<Box<str>>,
    places: FxHashMap<Box<str>, Vec<Place>>,
}

/// The shipped categories.
#[must_use]
pub fn table() -> &'static Exclusive {
    static TABLE: OnceLock<Exclusive> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Exclusive::default();
        let read = table.read(include_str!("../../data/en/exclusive.tsv"));
        debug_assert!(read.is_ok(), "{read:?}");
        table
    })
}

/// The subject under which two categories exclude each other (`*` for any), by the shipped table;
/// both in lower case, singular.
#[must_use]
pub fn exclusive(a: &str, b: &str) -> Option<&'static str> {
    table().between(a, b)
}

impl Exclusive {
    /// Adds the lines of a file: `subject <tab> a;b|c|d`, where `|` divides what excludes each
    /// other and `;` words of one meaning. Lines that start with `#` are comments.
    ///
    /// # Errors
    /// `Format` for a line without subject, or with fewer than two parts; it names the line, and
    /// no line of the file is taken.
    pub fn read(&mut self, text: &str) -> Result<()> {
        let mut lines = Vec::new();
        for (at, line) in text.lines().enumerate() {
            let line = line.trim_end();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let wrong = |what: &str| {
                Error::new(
                    Category::Format,
                    format!(
                        "exclusive categories, line {}: {what}; write subject, a tab, and at \
                         least two categories divided by '|'",
                        at + 1
                    ),
                )
            };
            let (subject, parts) = line
                .split_once('\t')
                .ok_or_else(|| wrong("there is no tab"))?;
            let parts: Vec<Vec<String>> = parts
                .split('|')
                .map(|part| {
                    let words = part.split(';').map(|word| word.trim().to_lowercase());
                    words.filter(|word| !word.is_empty()).collect()
                })
                .collect();
            if subject.trim().is_empty() {
                return Err(wrong("the subject is empty"));
            }
            if parts.len() < 2 || parts.iter().any(Vec::is_empty) {
                return Err(wrong("a category is missing"));
            }
            lines.push((subject.trim().to_lowercase(), parts));
        }
        for (subject, parts) in lines {
            let line = self.subjects.len() as u32;
            self.subjects.push(subject.into());
            for (part, words) in parts.into_iter().enumerate() {
                for word in words {
                    let places = self.places.entry(word.into()).or_default();
                    places.push((line, part as u16));
                }
            }
        }
        Ok(())
    }

    /// The subject under which two categories exclude each other, `*` for any subject.
    #[must_use]
    pub fn between(&self, a: &str, b: &str) -> Option<&str> {
        let (a, b) = (self.places.get(a)?, self.places.get(b)?);
        let apart = |line: u32, part: u16| b.iter().any(|at| at.0 == line && at.1 != part);
        let (line, _) = a.iter().find(|(line, part)| apart(*line, *part))?;
        self.subjects.get(*line as usize).map(|subject| &**subject)
    }

    /// Whether two categories exclude each other in a subject of that kind.
    #[must_use]
    pub fn in_subject(&self, kind: &str, a: &str, b: &str) -> bool {
        let (Some(a), Some(b)) = (self.places.get(a), self.places.get(b)) else {
            return false;
        };
        a.iter().any(|(line, part)| {
            let subject = self.subjects.get(*line as usize);
            subject.is_some_and(|s| **s == *ANY || **s == *kind)
                && b.iter().any(|at| at.0 == *line && at.1 != *part)
        })
    }
}
