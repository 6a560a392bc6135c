//! Words are told to be in no list by a few of their letters; here every list is looked through.

use groundwire_core::lexicon::coherence::coherence;
use groundwire_core::lexicon::cues::{known, listed};
use groundwire_core::lexicon::logic::logic;
use groundwire_core::lexicon::tables::{
    Table, denials, frames, kinds, likeness, narrowing, prefaces, roles, stance, time, turns,
    values,
};

fn tables() -> [&'static Table; 12] {
    [
        denials(),
        frames(),
        kinds(),
        likeness(),
        logic(),
        narrowing(),
        roles(),
        stance(),
        time(),
        turns(),
        values(),
        prefaces(),
    ]
}

/// The classes that list the word, once for each time, by looking through all of them.
fn slowly(table: &'static Table, word: &str) -> Vec<&'static str> {
    let rows = table.under("");
    rows.flat_map(|(name, words)| words.iter().filter(|own| **own == word).map(move |_| name))
        .collect()
}

#[test]
fn a_table_finds_a_word_wherever_it_is_listed_and_nowhere_else() {
    let mut asked: Vec<String> = tables()
        .iter()
        .flat_map(|table| table.under("").flat_map(|(_, words)| words))
        .flat_map(|word| {
            // Neighbours of a word of the same length, beginning, middle or end.
            let near = |c: char| word.replacen(char::is_alphabetic, &c.to_string(), 1);
            [(*word).to_owned(), near('e'), near('q'), format!("{word}s")]
        })
        .collect();
    asked.extend(["", "a", "é", "ß", "museum", "長"].map(str::to_owned));
    asked.sort_unstable();
    asked.dedup();
    for table in tables() {
        for word in &asked {
            let found: Vec<&str> = table.classes(word).collect();
            assert_eq!(found, slowly(table, word), "{word:?}");
            for class in &found {
                assert!(table.has(class, word) && table.marks(word).has(class));
            }
        }
    }
    assert!(asked.len() > 1000);
    assert!(coherence().is_human("teacher") && !coherence().is_human("museum"));
}

#[test]
fn a_listed_word_is_given_back_as_it_was_asked_for() {
    let words = [
        "the", "founded", "not", "may", "in", "who", "opens", "museum", "zyx", "", "é", ",", "(",
        "\\", "%", "`", "1", "’", "the ",
    ];
    for word in words {
        let (own, of_it) = listed(word);
        assert_eq!(of_it, known(word), "{word:?}");
        assert!(own.is_none_or(|own| own == word), "{word:?}: {own:?}");
    }
    for word in ["the", "founded", "not", ",", "(", "\\", "%"] {
        assert_eq!(listed(word).0, Some(word));
    }
    for word in ["museum", "zyx", "", "1", "’"] {
        assert_eq!(listed(word).0, None, "{word:?}");
    }
}
