//! Speed of `detok`.
use std::hint::black_box;

use criterion::{Criterion, Throughput};
use groundwire_core::detok::{DetokState, Utf8State, Vocab};

const TOKENS: usize = 10_000;

/// 10,000 tokens of 1 to 8 bytes out of 50,000, in a fixed scattered order.
fn stream() -> (Vocab, Vec<u32>) {
    let words = ["a", "th", "ing", " the", " model", "é", " token", " answer"];
    let entries = (0..50_000u32)
        .map(|id| {
            (
                id,
                words[id as usize % words.len()].as_bytes().to_vec(),
                false,
            )
        })
        .collect();
    let vocab = Vocab::from_entries(entries).unwrap_or_else(|error| panic!("{error}"));
    let ids = (0..TOKENS as u32)
        .map(|at| at.wrapping_mul(2_654_435_761) % 50_000)
        .collect();
    (vocab, ids)
}

/// Benchmarks of the room.
pub fn bench(criterion: &mut Criterion) {
    let (vocab, ids) = stream();
    let mut group = criterion.benchmark_group("detok");
    group.throughput(Throughput::Elements(TOKENS as u64));
    let pieces: Vec<&[u8]> = ids
        .iter()
        .map(|&id| vocab.bytes(id).unwrap_or_default())
        .collect();
    let whole = pieces.concat();

    group.bench_function("floor: copy of the same bytes in one piece", |b| {
        let mut out = Vec::with_capacity(whole.len());
        b.iter(|| {
            out.clear();
            out.extend_from_slice(black_box(&whole));
            black_box(out.len())
        });
    });
    group.bench_function("floor: copy of the same bytes token by token", |b| {
        let mut out: Vec<u8> = Vec::with_capacity(whole.len());
        b.iter(|| {
            out.clear();
            for piece in black_box(&pieces) {
                out.extend_from_slice(piece);
            }
            black_box(out.len())
        });
    });
    group.bench_function("ids to bytes, batched", |b| {
        let mut out = Vec::with_capacity(whole.len() + 64);
        b.iter(|| {
            out.clear();
            let mut state = DetokState::default();
            let pushed = vocab.push_all(&mut state, black_box(&ids), &mut out);
            black_box((pushed.is_ok(), out.len()))
        });
    });
    group.bench_function("ids to text, whole", |b| {
        b.iter(|| black_box(vocab.decode(black_box(&ids)).map(|text| text.len())));
    });
    group.bench_function("ids to text, token by token", |b| {
        let (mut bytes, mut text) = (Vec::new(), String::with_capacity(whole.len() + 64));
        b.iter(|| {
            text.clear();
            let (mut state, mut utf8) = (DetokState::default(), Utf8State::default());
            for &id in black_box(&ids) {
                bytes.clear();
                black_box(vocab.push(&mut state, id, &mut bytes).is_ok());
                utf8.push(&bytes, &mut text);
            }
            utf8.finish(&mut text);
            black_box(text.len())
        });
    });
    group.throughput(Throughput::Elements(8_000));
    group.bench_function("8,000 stray continuation bytes, one by one", |b| {
        let mut text = String::with_capacity(24_000);
        b.iter(|| {
            text.clear();
            let mut utf8 = Utf8State::default();
            for _ in 0..8_000 {
                utf8.push(black_box(b"\x80"), &mut text);
            }
            black_box(text.len())
        });
    });
    group.finish();
}
