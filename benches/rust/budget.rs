//! Speed of `budget`, beside the floor of adding the same numbers.
use std::hint::black_box;

use criterion::{Criterion, Throughput};
use groundwire_core::budget::{ClaimBudget, kl_bernoulli};

/// Tokens of a claim.
const TOKENS: usize = 32;

/// Benchmarks of the room.
pub fn bench(criterion: &mut Criterion) {
    let tokens: Vec<[f64; 3]> = (0..TOKENS)
        .map(|i| {
            let x = i as f64 / TOKENS as f64;
            [-0.1 - x, -0.4 - 2.0 * x, 0.3 + x]
        })
        .collect();
    let mut group = criterion.benchmark_group("budget");
    group.throughput(Throughput::Elements(TOKENS as u64));
    group.bench_function("a claim of 32 tokens", |bench| {
        bench.iter(|| {
            let mut claim = ClaimBudget::new();
            for [logprob, prior, kl] in black_box(&tokens) {
                claim.push(*logprob, *prior, *kl, true);
            }
            claim.budget(&black_box(Default::default()))
        });
    });
    group.bench_function("floor: three sums of 32", |bench| {
        bench.iter(|| {
            let mut sums = [0.0_f64; 3];
            for token in black_box(&tokens) {
                for (sum, x) in sums.iter_mut().zip(token) {
                    *sum += x;
                }
            }
            sums
        });
    });
    group.throughput(Throughput::Elements(1));
    group.bench_function("kl of two coins", |bench| {
        bench.iter(|| {
            let (p, q) = black_box((0.7, 0.2));
            kl_bernoulli(p, q, 0.01, Default::default())
        });
    });
    group.finish();
}
