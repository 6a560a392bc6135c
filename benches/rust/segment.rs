//! Speed of `segment`, beside Unicode's word boundaries over the same text.

use criterion::{Criterion, Throughput};
use groundwire_core::segment::Segmenter;
use std::hint::black_box;
use unicode_segmentation::UnicodeSegmentation;

const PROSE: &str = "The museum opened its doors in the spring of 1987, after nearly four years of work. \
    Its first director, Dr. Helen Ward, raised $5.2 million from about 300 donors, and the building \
    covers 12,500 square metres near the old harbour. Visitors often ask why the tower leans; \
    the answer, as the guides say, is that nobody measured the ground before it was built. ";

/// Benchmarks of the room.
pub fn bench(criterion: &mut Criterion) {
    let text = PROSE.repeat(64);
    let mut group = criterion.benchmark_group("segment");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("whole", |b| {
        b.iter(|| {
            let mut segmenter = Segmenter::new();
            let mut count = 0usize;
            segmenter.push(black_box(&text), &mut |_, _| count += 1);
            segmenter.finish(&mut |_, _| count += 1);
            count
        });
    });
    let tokens: Vec<&str> = text.split_inclusive(' ').collect();
    group.bench_function("word_by_word", |b| {
        b.iter(|| {
            let mut segmenter = Segmenter::new();
            let mut count = 0usize;
            for token in &tokens {
                segmenter.push(black_box(token), &mut |_, _| count += 1);
            }
            segmenter.finish(&mut |_, _| count += 1);
            count
        });
    });
    group.bench_function("floor_split_word_bounds", |b| {
        b.iter(|| black_box(&text).split_word_bounds().count());
    });
    group.bench_function("clone", |b| {
        let mut segmenter = Segmenter::new();
        segmenter.push(&text[..1000], &mut |_, _| {});
        b.iter(|| black_box(&segmenter).clone());
    });
    group.finish();
}
