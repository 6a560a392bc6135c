//! Words that say which way an amount moved ("rose", "a drop of").

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

/// Forms of the table's columns; a past and a participle that are written alike count as the past.
type Forms = FxHashMap<&'static str, (bool, u8)>;

/// Which way a folded word says that an amount moved, up or else down, and in which of the forms
/// base, third person, past, participle, -ing, noun or comparative. A word that is both a base
/// form and a noun ("rise") counts as the base form.
#[must_use]
pub fn movement(word: &str) -> Option<(bool, u8)> {
    forms().get(word).copied()
}

/// All of them.
pub fn movements() -> impl Iterator<Item = &'static str> {
    forms().keys().copied()
}

fn forms() -> &'static Forms {
    static TABLE: OnceLock<Forms> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Forms::default();
        let text = table!("movement.tsv");
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let mut fields = line.split('\t');
            let up = fields.next() == Some("up");
            for (form, word) in (0..).zip(fields) {
                if word != "-" {
                    table.entry(word).or_insert((up, form));
                }
            }
        }
        table
    })
}
