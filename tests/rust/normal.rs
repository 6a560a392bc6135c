//! Tests of `normal`.

use groundwire_core::normal::{fold, fold_name, stem, subwords};
use proptest::prelude::*;

fn folded(word: &str) -> String {
    let mut out = String::new();
    fold(word, &mut out);
    out
}

#[test]
fn folds_case_marks_quotes_and_possessives() {
    let cases = [
        ("Acme", "acme"),
        ("Acme's", "acme"),
        ("Acme’s", "acme"),
        ("ACME'S", "acme"),
        ("players'", "players"),
        ("Zoë", "zoe"),
        ("ZURICH", "zurich"),
        ("Zürich", "zurich"),
        ("Straße", "strasse"),
        ("Øresund", "oresund"),
        ("Łódź", "lodz"),
        ("İstanbul", "istanbul"),
        ("ﬁne", "fine"),
        ("Ｆｕｌｌ", "full"),
        ("well–known", "well-known"),
        ("Ångström", "angstrom"),
        ("ΟΔΥΣΣΕΥΣ", "οδυσσευσ"),
        ("'s", "'s"),
        ("", ""),
    ];
    for (word, expected) in cases {
        assert_eq!(folded(word), expected, "{word:?}");
    }
}

#[test]
fn names_lose_punctuation_and_part_at_hyphens() {
    let cases = [
        ("O'Brien", "obrien"),
        ("  Jean-Luc   PICARD ", "jean luc picard"),
        ("J. K. Rowling", "j k rowling"),
        ("Smith & Sons, Inc.", "smith and sons inc"),
        ("AT&T", "at and t"),
        ("The Acme Museum's", "the acme museum"),
        ("Müller–Lüdenscheidt", "muller ludenscheidt"),
        ("…", ""),
    ];
    for (name, expected) in cases {
        assert_eq!(fold_name(name), expected, "{name:?}");
    }
}

#[test]
fn inflections_meet_in_one_stem() {
    for group in [
        &["study", "studies", "studied", "studying"][..],
        &["stop", "stops", "stopped", "stopping"],
        &["make", "makes", "making"],
        &["call", "calls", "called", "calling"],
        &["box", "boxes"],
        &["church", "churches"],
        &["company", "companies"],
    ] {
        let first = stem(group[0]);
        for word in group {
            assert_eq!(stem(word), first, "{word}");
        }
    }
    for word in [
        "is", "gas", "bus", "class", "string", "red", "thing", "naïve", "b2bs2",
    ] {
        assert_eq!(stem(word), word);
    }
}

proptest! {
    #[test]
    fn folding_twice_changes_nothing(word in "\\PC{0,24}") {
        let once = folded(&word);
        prop_assert_eq!(folded(&once), once);
    }

    #[test]
    fn folding_a_name_twice_changes_nothing(name in "\\PC{0,24}") {
        let once = fold_name(&name);
        prop_assert_eq!(fold_name(&once), once);
    }

    #[test]
    fn subwords_lie_in_order_inside_the_word(word in "\\PC{0,24}") {
        let mut out = String::new();
        let mut last = (0, 0);
        let mut seen = Vec::new();
        subwords(&word, &mut out, &mut |sub| seen.push(sub));
        for sub in seen {
            prop_assert!(sub.start >= last.0 && sub.end > sub.start && sub.from == last.1);
            prop_assert!(!word[sub.start..sub.end].is_empty() && !out[sub.from..sub.to].is_empty());
            last = (sub.end, sub.to);
        }
        prop_assert_eq!(last.1, out.len());
    }

    #[test]
    fn stems_are_prefixes_up_to_the_last_letter(word in "[a-z]{1,14}") {
        let stemmed = stem(&word);
        prop_assert!(!stemmed.is_empty() && stemmed.len() <= word.len());
        prop_assert!(word.starts_with(&stemmed[..stemmed.len() - 1]));
    }
}
