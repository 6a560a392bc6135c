//! Speed of `evidence`, beside splitting the same text into words.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use groundwire_core::evidence::{Against, EvidenceSet, Passage, Scorer, Tracker};
use groundwire_core::segment;
use rustc_hash::FxHashSet;

/// Text of a hundred sentences that share words but are not alike.
fn text() -> String {
    let nouns = [
        "museum", "garden", "tower", "library", "harbour", "station", "market", "bridge",
    ];
    let verbs = [
        "opened", "attracts", "covers", "hosts", "employs", "restored", "displays",
    ];
    (0..100)
        .map(|i| {
            let (a, b) = (nouns[i % nouns.len()], nouns[(i * 3 + 1) % nouns.len()]);
            format!(
                "The old {a} near the {b} {} {} visitors in {}. ",
                verbs[i % verbs.len()],
                i * 37,
                1900 + i
            )
        })
        .collect()
}

/// Benchmarks of the room.
pub fn bench(criterion: &mut Criterion) {
    let text = text();
    let passage = Passage::index("p", &text);
    let words = passage.data().len() as u64;
    let mut group = criterion.benchmark_group("evidence");
    group.throughput(Throughput::Elements(words));
    group.bench_function("index, a word", |b| {
        b.iter(|| Passage::index("p", black_box(&text)));
    });
    group.bench_function("floor: split into words, a word", |b| {
        b.iter(|| {
            black_box(&text)
                .split_whitespace()
                .map(str::len)
                .sum::<usize>()
        });
    });
    let set = EvidenceSet::new(vec![passage]);
    let sentence =
        "The old library near the market attracts 5,000 visitors and was restored in 1931.";
    let said = segment::words(sentence);
    let known = FxHashSet::default();
    let against = Against {
        evidence: &set,
        known: &known,
    };
    group.throughput(Throughput::Elements(14));
    group.bench_function("grounding, a word scored at once", |b| {
        let mut tracker = Tracker::default();
        b.iter(|| {
            let mut sum = 0.0;
            for (lexeme, word) in black_box(&said) {
                if tracker.lexeme(lexeme, word, &against) {
                    sum += Scorer::english().p_unsupported(&tracker.features(&against));
                }
            }
            tracker.sentence();
            sum
        });
    });
    group.bench_function("has_name", |b| {
        b.iter(|| set.has_name(black_box("old library")));
    });
    group.finish();
}
