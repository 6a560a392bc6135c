//! Rules and texts meant to hurt.

use std::sync::OnceLock;

use groundwire_core::patterns::{RuleSpec, Ruleset};
use proptest::prelude::*;

use super::{oracle, regex, spans};

fn refused(pattern: &str, cap: usize) -> String {
    let rules = vec![RuleSpec {
        max_len: Some(cap),
        ..RuleSpec::of_regex("bomb", pattern)
    }];
    let error = Ruleset::new(rules).expect_err(pattern);
    assert!(error.message().contains("rule 'bomb'"), "{error}");
    error.message().to_owned()
}

#[test]
fn only_size_refuses() {
    for (pattern, cap) in [
        ("a{1,1000}{1,1000}", 1024),
        ("a{1,200}{1,200}", 256),
        ("(?:a{0,200}){0,200}b", 256),
        ("(?:(?:a{1,100}b){1,100}c){1,100}", 256),
        (r"(?:\w{0,60}x){0,60}.{0,250}", 256),
    ] {
        let message = refused(pattern, cap);
        assert!(message.contains("compiles to"), "{pattern}: {message}");
    }
    // More repeats than a match has bytes are as good as any number.
    assert_eq!(spans("a{1,1000}{1,1000}", "aab"), [(0, 2)]);
    for pattern in [
        "(a*)*",
        "(a|aa)+",
        "(?:a?){50}a{50}",
        "(.*)(.*)(.*)(.*)x",
        "(x+x+)+y",
        r"\w{20}",
    ] {
        assert_eq!(regex(pattern).len(), 1);
    }
}

// Linear: 10 MB without a space, patterns that kill a backtracking matcher, within seconds.
#[test]
fn ten_megabytes_of_a() {
    let text = "a".repeat(10_000_000);
    for (pattern, wanted) in [
        ("(a*)*", 39_063),
        ("(a|aa)+$", 1),
        ("(x+x+)+y", 0),
        ("a+b", 0),
        ("(?:a|a|a|aa)*c", 0),
    ] {
        let found = regex(pattern).scan(&text);
        assert_eq!(found.len(), wanted, "{pattern}");
    }
}

#[test]
fn state_stays_small() {
    let rules = regex("a.*b|(?:[ab]{1,100}c)+");
    let mut state = rules.start();
    for i in 0..100_000 {
        rules.push(&mut state, if i % 3 == 0 { "a" } else { "b" }, &mut |_| {});
    }
    assert!(state.size() < 32 * 1024, "{}", state.size());
    let rules = Ruleset::builtin();
    let mut state = rules.start();
    let mut largest = 0;
    for word in "Several studies show that roughly 1,234,567 people may [1] agree. "
        .repeat(50)
        .split_inclusive(' ')
    {
        rules.push(&mut state, word, &mut |_| {});
        largest = largest.max(state.size());
    }
    assert!(largest < 4 * 1024, "{largest}");
}

// Too many states for a table: the same answers without one.
#[test]
fn large_patterns_run_without_a_table() {
    assert_eq!(
        spans("[ab]*a[ab]{19}c", &format!("b{}c", "ab".repeat(20))),
        [(0, 42)]
    );
}

type Case = (RuleSpec, Ruleset);

/// Rules too large for a table; compiled once.
fn large() -> &'static [Case] {
    static CASES: OnceLock<Vec<Case>> = OnceLock::new();
    CASES.get_or_init(|| {
        let of = |tail: &str, cap| {
            let pattern = format!("[ab]*a[ab]{{18}}{tail}");
            let rule = RuleSpec {
                max_len: Some(cap),
                ..RuleSpec::of_regex("r", pattern)
            };
            (
                rule.clone(),
                Ruleset::new(vec![rule]).expect("compiles to sets"),
            )
        };
        vec![of("", 28), of("b", 64), of(r"\b", 28), of(r"\b", 64)]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn large_patterns_match_the_oracle(text in "[ab ]{0,70}", which in 0..4_usize) {
        let (rule, rules) = &large()[which];
        let found = rules.scan(&text);
        let found: Vec<_> =
            found.iter().map(|m| (m.rule, m.span.start, m.span.end, m.truncated)).collect();
        prop_assert_eq!(found, oracle::matches(std::slice::from_ref(rule), &text));
    }
}
