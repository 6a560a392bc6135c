//! Against the oracle, over random rules, texts and cuts.

use groundwire_core::patterns::{RuleMatch, RuleSpec, Ruleset};
use proptest::prelude::*;

use super::{oracle, scan_in_chunks, scan_kept};

/// Characters on which things go wrong: case, words, lines, lengths, folds of other lengths.
const LETTERS: &[&str] = &[
    "a", "b", "A", "B", "k", "K", "\u{212A}", "ſ", "s", "é", "É", "1",
];
const OTHERS: &[&str] = &[" ", "-", "\n", "€", "𝄞", "\u{301}"];

fn letter() -> impl Strategy<Value = &'static str> {
    prop_oneof![4 => prop::sample::select(&LETTERS[..4]), 3 => prop::sample::select(LETTERS)]
}

fn any_char() -> impl Strategy<Value = &'static str> {
    prop_oneof![6 => letter(), 2 => prop::sample::select(OTHERS)]
}

fn text(max: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(any_char(), 0..max).prop_map(|parts| parts.concat())
}

fn literal() -> impl Strategy<Value = String> {
    prop::collection::vec(any_char(), 1..6).prop_map(|parts| parts.concat())
}

fn pattern(looks: bool) -> impl Strategy<Value = String> {
    let look = prop::sample::select(if looks {
        vec![
            r"\b",
            r"\B",
            "^",
            "$",
            "(?m:^)",
            "(?m:$)",
            r"\b{start}",
            r"\b{end-half}",
        ]
    } else {
        vec!["", "a?"]
    });
    let leaf = prop_oneof![
        5 => any_char().prop_map(regex_syntax::escape),
        2 => Just("[ab]".to_owned()),
        1 => Just("[^a\\n]".to_owned()),
        1 => Just(".".to_owned()),
        1 => Just("(?i:k)".to_owned()),
        1 => Just("\\d".to_owned()),
        2 => look.prop_map(str::to_owned),
    ];
    leaf.prop_recursive(4, 20, 4, |inner| {
        let repeat = prop::sample::select(vec!["*", "+", "?", "{2}", "{1,3}", "{0,20}", "*?"]);
        prop_oneof![
            4 => prop::collection::vec(inner.clone(), 2..5).prop_map(|parts| parts.concat()),
            2 => prop::collection::vec(inner.clone(), 2..4)
                .prop_map(|parts| format!("(?:{})", parts.join("|"))),
            2 => (inner, repeat).prop_map(|(sub, repeat)| format!("(?:{sub}){repeat}")),
        ]
    })
}

fn rule(looks: bool) -> impl Strategy<Value = RuleSpec> {
    let source = prop_oneof![
        3 => literal().prop_map(|l| (vec![l], None)),
        2 => prop::collection::vec(literal(), 2..6).prop_map(|l| (l, None)),
        5 => pattern(looks).prop_map(|p| (Vec::new(), Some(p))),
        1 => (prop::collection::vec(literal(), 1..4), pattern(looks))
            .prop_map(|(l, p)| (l, Some(p))),
    ];
    (
        source,
        any::<bool>(),
        any::<bool>(),
        prop::sample::select(vec![24, 32, 256]),
    )
        .prop_map(
            move |((literals, regex), ignore_case, word, cap)| RuleSpec {
                literals,
                regex,
                ignore_case,
                word: word && looks,
                max_len: Some(cap),
                ..RuleSpec::of_literals("", &[])
            },
        )
}

fn rules(looks: bool) -> impl Strategy<Value = (Vec<RuleSpec>, Ruleset)> {
    prop::collection::vec(rule(looks), 1..5).prop_filter_map("no rule can match", |mut specs| {
        for (i, spec) in specs.iter_mut().enumerate() {
            spec.id = format!("r{i}");
        }
        specs.retain(|spec| Ruleset::new(vec![spec.clone()]).is_ok());
        let set = Ruleset::new(specs.clone()).expect("each compiles alone");
        (!specs.is_empty()).then_some((specs, set))
    })
}

fn flat(found: &[RuleMatch]) -> Vec<oracle::Found> {
    let mut flat: Vec<_> = found
        .iter()
        .map(|m| (m.rule, m.span.start, m.span.end, m.truncated))
        .collect();
    flat.sort_unstable();
    flat
}

/// Matches of the text, then those of its end, each in their order.
fn is_ordered(set: &Ruleset, text: &str) -> bool {
    let (mut pushed, mut ended) = (Vec::new(), Vec::new());
    let mut state = set.start();
    set.push(&mut state, text, &mut |m| pushed.push(m));
    set.finish(&mut state, &mut |m| ended.push(m));
    let key = |m: &RuleMatch| (m.decided_at, m.span.start, m.rule);
    [&pushed, &ended]
        .iter()
        .all(|part| part.windows(2).all(|p| key(&p[0]) <= key(&p[1])))
        && pushed
            .iter()
            .all(|m| m.span.end <= m.decided_at && m.decided_at <= text.len())
        && ended.iter().all(|m| m.decided_at == text.len())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    // req: S4-014
    #[test]
    fn matches_are_those_of_the_oracle(
        (specs, set) in rules(true),
        text in text(60),
    ) {
        let found = set.scan(&text);
        prop_assert!(is_ordered(&set, &text), "{found:?}");
        // Contradictory look-arounds make a dead path look open to the oracle.
        let spans = |found: &[oracle::Found]| -> Vec<_> {
            found.iter().map(|f| (f.0, f.1, f.2)).collect()
        };
        prop_assert_eq!(spans(&flat(&found)), spans(&oracle::matches(&specs, &text)));
    }

    #[test]
    fn truncation_is_that_of_the_oracle((specs, set) in rules(false), text in text(80)) {
        prop_assert_eq!(flat(&set.scan(&text)), oracle::matches(&specs, &text));
    }

    #[test]
    fn chunking_never_matters(
        (_, set) in rules(true),
        text in text(80),
        sizes in prop::collection::vec(0..7_usize, 1..6),
    ) {
        prop_assert_eq!(scan_in_chunks(&set, &text, &sizes), set.scan(&text));
        prop_assert_eq!(scan_kept(&set, &text, &sizes), set.scan(&text));
    }

    // A match is reported by the push of the character it was decided with, and a copy of the
    // state goes on like the original.
    #[test]
    fn reports_come_when_decided((_, set) in rules(true), text in text(60)) {
        let mut state = set.start();
        let mut late = 0;
        for c in text.chars() {
            let mut copy = state.clone();
            let (mut first, mut second) = (Vec::new(), Vec::new());
            let piece = c.to_string();
            set.push(&mut state, &piece, &mut |m| first.push(m));
            set.push(&mut copy, &piece, &mut |m| second.push(m));
            late += first.iter().filter(|m| m.decided_at != state.position()).count();
            prop_assert_eq!(first, second);
        }
        prop_assert_eq!(late, 0);
    }

    // Rules do not know of each other.
    #[test]
    fn rules_are_independent((specs, set) in rules(true), text in text(60)) {
        let mut alone = Vec::new();
        for (i, spec) in specs.iter().enumerate() {
            let one = Ruleset::new(vec![spec.clone()]).expect("compiled before");
            alone.extend(one.scan(&text).into_iter().map(|m| RuleMatch { rule: i as u32, ..m }));
        }
        alone.sort_by_key(|m| (m.decided_at, m.span.start, m.rule, m.span.end));
        let mut together = set.scan(&text);
        together.sort_by_key(|m| (m.decided_at, m.span.start, m.rule, m.span.end));
        prop_assert_eq!(together, alone);
    }
}
