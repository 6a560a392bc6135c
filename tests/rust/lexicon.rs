//! Tests of `lexicon`.

mod additions;
mod sieves;
mod words;

use std::collections::HashSet;

use groundwire_core::lexicon::contrast::contrast;
use groundwire_core::lexicon::logic::opposite;

#[test]
fn a_pair_of_opposites_is_written_once_and_says_what_it_tells() {
    let data = include_str!("../../rust/core/data/en/opposites.tsv");
    let mut seen = HashSet::new();
    for line in data.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [one, other, tells] = fields[..] else {
            panic!("{line:?} has not three fields");
        };
        assert!(
            matches!(tells, "state" | "degree" | "turn" | "both"),
            "{line:?}"
        );
        assert!(
            seen.insert((one, other)) && !seen.contains(&(other, one)),
            "{line:?}"
        );
        let (state, turn) = (tells != "turn", matches!(tells, "turn" | "both"));
        assert_eq!(opposite(one, other), state, "{line:?}");
        assert_eq!(opposite(other, one), state, "{line:?}");
        assert_eq!(contrast().opposites(one).contains(&other), turn, "{line:?}");
        assert_eq!(contrast().opposites(other).contains(&one), turn, "{line:?}");
    }
    assert!(seen.len() > 70);
}
