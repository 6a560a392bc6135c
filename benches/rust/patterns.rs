//! Speed of `patterns`, beside a block scan of the same literals as the floor.
use std::hint::black_box;

use criterion::{Criterion, Throughput};
use groundwire_core::patterns::{RuleSpec, Ruleset};

/// Twenty regexes as users write them.
pub(crate) const REGEXES: [&str; 20] = [
    r"\b\d{3}-\d{2}-\d{4}\b",
    r"\b[A-Z]{2}\d{2}[A-Z0-9]{11,30}\b",
    r"https?://[^\s]+",
    r"(?i)studies (?:show|suggest)[^.]*\d+ ?%",
    r"[\w.+-]+@[\w-]+\.[a-z]{2,}",
    r"\b(?:\d{4}[ -]){3}\d{4}\b",
    r"\$\d[\d,]*(?:\.\d\d)?",
    r"\b(?:19|20)\d\d-\d\d-\d\d\b",
    r"(?i)\bas of (?:my )?last update\b",
    r"(?i)according to (?:some|many|recent) \w+",
    r"\barXiv:\d{4}\.\d{4,5}\b",
    r"\b10\.\d{4,9}/\S+",
    r"(?i)\bI (?:am|was) (?:not )?(?:sure|certain)\b",
    r"\bISBN[ :-]*[\d-]{10,17}",
    r"\[(?:citation needed|source)\]",
    r"(?i)\bexperts (?:say|agree|believe)\b",
    r"\b\d+\.\d{4,}\b",
    r"(?i)lorem ipsum.*dolor",
    r"\b(?:\d{1,3}\.){3}\d{1,3}\b",
    r"(?i)\b(?:mr|mrs|dr)\. [A-Z]\w+",
];

/// Made-up names of one to three words.
pub(crate) fn names(count: usize) -> Vec<String> {
    let parts = [
        "ka", "mor", "len", "ti", "va", "dro", "ses", "ul", "pen", "ra", "bi", "gon",
    ];
    let mut seed = 7_u64;
    let mut next = |below: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let mut names: Vec<String> = (0..count)
        .map(|_| {
            let words: Vec<String> = (0..=next(3))
                .map(|_| {
                    let word: String = (0..2 + next(3)).map(|_| parts[next(parts.len())]).collect();
                    let (first, rest) = word.split_at(1);
                    first.to_uppercase() + rest
                })
                .collect();
            words.join(" ")
        })
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn text() -> String {
    let base = "The museum opened in 1889 and, according to recent reports, drew 1,204,000 \
        visitors a year; most of them came for the tower. Studies show that about 40 % of \
        adults walk there at least once. Mr. Lensesra was not sure of it, and wrote to \
        info@museum.example that the figure (12.5 million) is from 2019-03-01. ";
    base.repeat(40)
}

fn tokens(text: &str) -> Vec<&str> {
    text.as_bytes()
        .chunks(4)
        .map(|t| std::str::from_utf8(t).expect("the text is ASCII"))
        .collect()
}

fn stream(rules: &Ruleset, tokens: &[&str]) -> usize {
    let mut count = 0;
    let mut state = rules.start();
    for token in tokens {
        rules.push(&mut state, token, &mut |_| count += 1);
    }
    rules.finish(&mut state, &mut |_| count += 1);
    count
}

/// Benchmarks of the room.
pub fn bench(criterion: &mut Criterion) {
    let text = text();
    let tokens = tokens(&text);
    let names = names(10_000);
    let literals: Vec<RuleSpec> = names
        .iter()
        .enumerate()
        .map(|(i, name)| RuleSpec::of_literals(format!("l{i}"), &[name]))
        .collect();
    let regexes: Vec<RuleSpec> = REGEXES
        .iter()
        .enumerate()
        .map(|(i, regex)| RuleSpec::of_regex(format!("r{i}"), *regex))
        .collect();
    let compile = |rules: &[RuleSpec]| Ruleset::new(rules.to_vec()).expect("the rules compile");
    // One rule for each of 2,000 numbers that all begin alike, with a second way to write it.
    let alike: Vec<RuleSpec> = (0..2_000)
        .map(|i| {
            let number = format!("PRD-{i:04}");
            let other = format!("PRD-{i:04}-B");
            RuleSpec::of_literals(format!("n{i}"), &[&number, &other])
        })
        .collect();
    let sets = [
        ("10,000 literals", compile(&literals)),
        ("20 regexes", compile(&regexes)),
        (
            "10,000 literals + 20 regexes",
            compile(&[literals, regexes].concat()),
        ),
        ("built-in rules", Ruleset::builtin().clone()),
    ];
    let alike = compile(&alike);
    let orders =
        "Order PRD-0421 or PRD-9999 with PRD-1200-B; PRD-77 is no longer made. ".repeat(150);
    let mut group = criterion.benchmark_group("patterns, tokens of 4 bytes");
    group.throughput(Throughput::Elements(tokens.len() as u64));
    for (name, rules) in &sets {
        group.bench_function(*name, |b| b.iter(|| stream(rules, black_box(&tokens))));
    }
    let orders = self::tokens(&orders);
    group.throughput(Throughput::Elements(orders.len() as u64));
    group.bench_function("2,000 rules that begin alike", |b| {
        b.iter(|| stream(&alike, black_box(&orders)));
    });
    group.throughput(Throughput::Elements(tokens.len() as u64));
    let floor = aho_corasick::AhoCorasick::builder()
        .kind(Some(aho_corasick::AhoCorasickKind::ContiguousNFA))
        .build(&names)
        .expect("the names compile");
    group.bench_function("floor: block scan of 10,000 literals", |b| {
        b.iter(|| floor.find_iter(black_box(&text)).count());
    });
    group.finish();
}
