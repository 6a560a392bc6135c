//! Speed of the whole text path: 10,000 literals, 20 regexes, a million names, tokens of four
//! bytes; and of its stages alone, beside the floor of only gathering the text.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput};
use groundwire_core::entities::{MentionScanner, Names};
use groundwire_core::monitor::Monitor;
use groundwire_core::patterns::{RuleSpec, Ruleset};
use groundwire_core::segment::{SegEvent, Segmenter};
use groundwire_core::session::{Context, Push, Session};

/// Prose whose names are common words or in no one's index but once, so that fuzzy look-ups,
/// which happen once an unknown name, stay apart.
const PROSE: &str = "The museum opened its doors in the spring of 1987, after nearly four years of \
    work. The first director raised $5.2 million from about 300 donors, and the building covers \
    12,500 square metres near the old harbour. Visitors often ask why the tower leans; the \
    answer, as the guides say, is that nobody measured the ground before it was built. It is \
    open from nine to five, and a ticket costs 12 euros. ";

fn rules() -> Ruleset {
    let literals = super::patterns::names(10_000)
        .into_iter()
        .enumerate()
        .map(|(i, name)| RuleSpec::of_literals(format!("l{i}"), &[&name]));
    let regexes = super::patterns::REGEXES
        .iter()
        .enumerate()
        .map(|(i, regex)| RuleSpec::of_regex(format!("r{i}"), *regex));
    Ruleset::new(literals.chain(regexes).collect()).expect("the rules compile")
}

/// Benchmarks of the room.
pub fn bench(criterion: &mut Criterion) {
    let text = PROSE.repeat(32);
    let tokens: Vec<&str> = text
        .as_bytes()
        .chunks(4)
        .map(|t| std::str::from_utf8(t).expect("the text is ASCII"))
        .collect();
    let mut group = criterion.benchmark_group("session, tokens of 4 bytes");
    group.throughput(Throughput::Elements(tokens.len() as u64));
    group.sample_size(20);
    group.bench_function("floor: gathering the text", |b| {
        b.iter(|| {
            let mut all = String::new();
            for token in &tokens {
                all.push_str(black_box(token));
            }
            all.len()
        });
    });
    group.bench_function("segment alone", |b| {
        b.iter(|| {
            let (mut segmenter, mut count) = (Segmenter::new(), 0_usize);
            for token in &tokens {
                segmenter.push(black_box(token), &mut |_, _| count += 1);
            }
            count
        });
    });
    let rules = rules();
    group.bench_function("patterns alone", |b| {
        b.iter(|| {
            let (mut state, mut count) = (rules.start(), 0_usize);
            for token in &tokens {
                rules.push(&mut state, black_box(token), &mut |_| count += 1);
            }
            count
        });
    });
    let names = Names::new(Some(super::entities::build(&super::entities::synthetic())));
    let mut lexemes = Vec::new();
    let mut segmenter = Segmenter::new();
    segmenter.push(&text, &mut |event, _| {
        if let SegEvent::Lexeme(lexeme) = event {
            lexemes.push(lexeme);
        }
    });
    group.bench_function("entities alone, over finished words", |b| {
        b.iter(|| {
            let (mut scanner, mut count) = (MentionScanner::new(), 0_usize);
            for lexeme in &lexemes {
                let word = &text[lexeme.span.start..lexeme.span.end];
                scanner.push(&names, black_box(lexeme), word, &mut |_| count += 1);
            }
            count
        });
    });
    let monitor = Monitor::builder()
        .rules(rules)
        .build()
        .expect("the monitor compiles");
    let run = |mut session: Session| {
        for token in &tokens {
            session
                .push_text(black_box(token), Push::default())
                .expect("nothing latches");
        }
        session
    };
    for (label, known) in [("session", Some(&names)), ("session without names", None)] {
        let mut context = Context::default();
        if let Some(names) = known {
            context.names = names.clone();
        }
        group.bench_function(label, |b| {
            b.iter_batched(
                || Session::new(&monitor, context.clone()),
                run,
                BatchSize::LargeInput,
            );
        });
    }
    let plain = Monitor::builder().build().expect("the monitor compiles");
    group.bench_function("session, built-in rules", |b| {
        b.iter_batched(
            || Session::new(&plain, Context::default()),
            run,
            BatchSize::LargeInput,
        );
    });
    group.bench_function("fork of a session", |b| {
        let session = run(Session::new(&plain, Context::default()));
        b.iter(|| black_box(&session).fork().pushes());
    });
    group.finish();
}
