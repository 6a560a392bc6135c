//! Speed of `logits`, beside the floor of only reading the row.
use std::hint::black_box;

use criterion::{Criterion, Throughput};
use groundwire_core::logits::{Query, Row, Simd};

/// A vocabulary of 131,072 logits, normally distributed with a few high ones.
fn row(len: usize, mut seed: u64) -> Vec<f32> {
    let mut uniform = || {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 40) as f32 / (1_u64 << 24) as f32
    };
    let mut out: Vec<f32> = (0..len)
        .map(|_| ((0..12).map(|_| uniform()).sum::<f32>() - 6.0) * 2.5)
        .collect();
    for i in 0..8 {
        out[(i * 7919) % len] += 12.0;
    }
    out
}

/// The floor: every element read and added in 64 lanes.
fn sum(x: &[f32]) -> f32 {
    let (chunks, _) = x.as_chunks::<64>();
    let mut lanes = [0.0_f32; 64];
    for chunk in chunks {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *lane += x;
        }
    }
    lanes.iter().sum()
}

/// Benchmarks of the room.
pub fn bench(criterion: &mut Criterion) {
    const LEN: usize = 131_072;
    let (a, b) = (row(LEN, 1), row(LEN, 2));
    let half: Vec<u16> = a
        .iter()
        .map(|&x| half::f16::from_f32(x).to_bits())
        .collect();
    let brain: Vec<u16> = a
        .iter()
        .map(|&x| half::bf16::from_f32(x).to_bits())
        .collect();
    let mut group = criterion.benchmark_group("logits_131072");
    group.throughput(Throughput::Bytes((LEN * 4) as u64));
    group.bench_function("floor_read_sum", |bench| bench.iter(|| sum(black_box(&a))));
    for simd in Simd::all() {
        let query = Query {
            row: Row::F32(&a),
            prior: None,
            sampled: Some(17),
        };
        group.bench_function(format!("stats_f32_{}", simd.name()), |bench| {
            bench.iter(|| black_box(query).stats_at(simd, 20));
        });
        let pair = Query {
            prior: Some(Row::F32(&b)),
            ..query
        };
        group.bench_function(format!("pair_f32_{}", simd.name()), |bench| {
            bench.iter(|| black_box(pair).stats_at(simd, 20));
        });
    }
    for (name, query) in [
        (
            "stats_f16",
            Query {
                row: Row::F16(&half),
                prior: None,
                sampled: Some(17),
            },
        ),
        (
            "stats_bf16",
            Query {
                row: Row::Bf16(&brain),
                prior: None,
                sampled: Some(17),
            },
        ),
    ] {
        group.bench_function(name, |bench| bench.iter(|| black_box(query).stats(20)));
    }
    group.finish();
}
