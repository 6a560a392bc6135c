//! Rules of which many begin alike.

use groundwire_core::patterns::{RuleMatch, RuleSpec, Ruleset};
use proptest::prelude::*;

use super::{scan_in_chunks, scan_kept};

/// What each rule finds on its own.
fn alone(rules: &[RuleSpec], text: &str) -> Vec<(u32, usize, usize, usize)> {
    let mut found = Vec::new();
    for (i, rule) in (0..).zip(rules) {
        let set = Ruleset::new(vec![rule.clone()]).expect("a rule");
        let own = set.scan(text);
        found.extend(
            own.iter()
                .map(|m| (i, m.span.start, m.span.end, m.decided_at)),
        );
    }
    found.sort_unstable();
    found
}

fn places(found: &[RuleMatch]) -> Vec<(u32, usize, usize, usize)> {
    let mut all: Vec<_> = found
        .iter()
        .map(|m| (m.rule, m.span.start, m.span.end, m.decided_at))
        .collect();
    all.sort_unstable();
    all
}

fn numbered(i: usize) -> String {
    format!("PRD-{:04}", i * 7 % 10_000)
}

/// Rules of several kinds that all begin alike, some of them in either case.
fn crowd(count: usize, word: bool, ignore_case: bool) -> Vec<RuleSpec> {
    let rule = |i: usize| {
        let code = numbered(i);
        let mut rule = match i % 4 {
            0 => RuleSpec::of_literals(format!("r{i}"), &[&code, &format!("{code}-B")]),
            1 => RuleSpec::of_regex(format!("r{i}"), format!("{code}(?:-[A-Z])?")),
            2 => RuleSpec::of_regex(format!("r{i}"), format!(r"\b{code}é?\b")),
            _ => RuleSpec::of_literals(format!("r{i}"), &[&code, "PRD-1", "PRDé"]),
        };
        rule.word = word;
        rule.ignore_case = ignore_case && !i.is_multiple_of(3);
        rule
    };
    (0..count).map(rule).collect()
}

#[test]
fn each_finds_what_it_finds_alone() {
    let mut text = String::from("prd-0007 PRD-PRD-0007-B, PRD-00071 \u{212A}PRD-0014 PRDé");
    for i in 0..60 {
        text.push_str([" ", "", ";", "-C ", "é", "-B"][i % 6]);
        text.push_str(&numbered(i));
    }
    for (word, ignore_case) in [(false, false), (true, false), (false, true), (true, true)] {
        let rules = crowd(60, word, ignore_case);
        let set = Ruleset::new(rules.clone()).expect("rules");
        let expected = alone(&rules, &text);
        assert!(expected.len() > 20, "{}", expected.len());
        assert_eq!(places(&set.scan(&text)), expected, "{word} {ignore_case}");
        for sizes in [&[1][..], &[2, 5], &[7], &[300]] {
            let pieces = scan_in_chunks(&set, &text, sizes);
            assert_eq!(places(&pieces), expected, "{word} {ignore_case} {sizes:?}");
            let kept = scan_kept(&set, &text, sizes);
            assert_eq!(kept, pieces, "{word} {ignore_case} {sizes:?}");
        }
    }
}

/// The state of a stream does not grow with the number of rules that begin alike.
#[test]
fn a_beginning_that_all_share_begins_nothing() {
    let set = Ruleset::new(crowd(400, true, false)[..].to_vec()).expect("rules");
    let mut state = set.start();
    set.push(&mut state, "ask for PRD-9 or PRD- or PRD-99", &mut |_| {});
    let before = state.size();
    set.push(&mut state, " and PRD-", &mut |_| {});
    assert!(
        state.size() < before + 40 * 1024,
        "{} {before}",
        state.size()
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn cuts_do_not_matter(
        words in prop::collection::vec(
            prop::sample::select(vec![
                "ab", "abab", "abac", "aba", "AB", "ABAC", "k", "\u{212A}ab", " ", "-", "é",
            ]),
            0..30,
        ),
        folds in any::<bool>(),
        word in any::<bool>(),
        sizes in prop::collection::vec(1_usize..6, 1..4),
    ) {
        let text = words.concat();
        let ends = ["ab", "ac", "a", "kab", "b", "abab", "é", "abé", "c", "ba", "ck", "-a"];
        let rules: Vec<RuleSpec> = ends
            .iter()
            .enumerate()
            .map(|(i, end)| {
                let mut rule = if i % 2 == 0 {
                    RuleSpec::of_literals(format!("r{i}"), &[&format!("ab{end}"), "abab"])
                } else {
                    RuleSpec::of_regex(format!("r{i}"), format!("ab{end}k?"))
                };
                rule.ignore_case = folds;
                rule.word = word;
                rule
            })
            .collect();
        let set = Ruleset::new(rules.clone()).expect("rules");
        let expected = alone(&rules, &text);
        prop_assert_eq!(&places(&set.scan(&text)), &expected);
        prop_assert_eq!(&places(&scan_in_chunks(&set, &text, &sizes)), &expected);
        prop_assert_eq!(&places(&scan_kept(&set, &text, &sizes)), &expected);
    }
}
