//! Speed of `claims`: closed sentences read as claims, beside segmenting them.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use groundwire_core::claims::{Attributes, NoKinds, ReadCache, Reader, SentenceView, extract};
use groundwire_core::segment;

/// Benchmarks of the room.
pub fn bench(criterion: &mut Criterion) {
    let text = "Acme Corp, founded in 1987 by Maria Lopez, employs 120 people and is located in Utrecht [1].";
    let lexemes: Vec<_> = segment::words(text)
        .iter()
        .map(|(lexeme, _)| *lexeme)
        .collect();
    let (quantities, dates) = (segment::quantities(text), segment::dates(text));
    let sentences = segment::sentences(text);
    let attributes = Attributes::default();
    let view = SentenceView {
        text,
        sentence: &sentences[0],
        lexemes: &lexemes,
        words: &[],
        quantities: &quantities,
        dates: &dates,
        mentions: &[],
        signals: &[],
        antecedents: &[],
        attributes: &attributes,
        cache: &ReadCache::default(),
    };
    // Folding the words is part of what is measured.
    fn anew<'a>(view: SentenceView<'a>, cache: &'a ReadCache) -> SentenceView<'a> {
        view.with_lexemes(view.lexemes, cache)
    }
    let mut group = criterion.benchmark_group("claims");
    group.throughput(Throughput::Elements(lexemes.len() as u64));
    group.bench_function("extract, a lexeme", |b| {
        b.iter(|| extract(black_box(&anew(view, &ReadCache::default()))));
    });
    group.bench_function("read with names and references, a lexeme", |b| {
        b.iter(|| {
            let cache = ReadCache::default();
            Reader::default().read(black_box(&anew(view, &cache)), &NoKinds)
        });
    });
    group.bench_function("floor: segment the sentence, a lexeme", |b| {
        b.iter(|| segment::words(black_box(text)));
    });
    group.finish();
}
