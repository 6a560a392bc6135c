//! Words of opposite meaning.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

/// Pairs of words that mean the opposite of each other ("increase", "decrease"), from WordNet.
#[must_use]
pub fn antonyms() -> &'static [(&'static str, &'static str)] {
    static PAIRS: OnceLock<Vec<(&'static str, &'static str)>> = OnceLock::new();
    PAIRS.get_or_init(|| {
        table!("antonyms.tsv")
            .lines()
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| line.split_once('\t'))
            .collect()
    })
}

/// For each key the keys of its opposites, ascending, where `key` makes a key of a word.
#[must_use]
pub fn antonyms_by(key: impl Fn(&str) -> u64) -> FxHashMap<u64, Vec<u64>> {
    let mut table: FxHashMap<u64, Vec<u64>> = FxHashMap::default();
    for (one, two) in antonyms() {
        let (one, two) = (key(one), key(two));
        if one != two {
            table.entry(one).or_default().push(two);
            table.entry(two).or_default().push(one);
        }
    }
    for own in table.values_mut() {
        own.sort_unstable();
        own.dedup();
    }
    table
}
