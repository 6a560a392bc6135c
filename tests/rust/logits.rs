//! Tests of `logits`.

use groundwire_core::error::Category;
use groundwire_core::logits::{
    GroupConfidence, Invalid, PairStats, Query, Row, RowStats, Simd, TopLogprobs, batch_stats, kl,
    pair_stats, scalars, stats,
};
use proptest::prelude::*;
use serde_json::Value;

const INF: f32 = f32::INFINITY;

/// Sum without drift (Neumaier).
fn exact_sum(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut lost) = (0.0_f64, 0.0_f64);
    for value in values {
        let next = sum + value;
        lost += if sum.abs() >= value.abs() {
            (sum - next) + value
        } else {
            (value - next) + sum
        };
        sum = next;
    }
    sum + lost
}

/// The slow, obvious statistics in f64: logsumexp, entropy, varentropy, margin, confidence.
struct Oracle {
    logprobs: Vec<f64>,
    logsumexp: f64,
    entropy: f64,
    varentropy: f64,
    margin: f64,
    confidence: f64,
}

fn oracle(row: &[f32]) -> Oracle {
    let at = (0..row.len())
        .max_by(|&a, &b| row[a].total_cmp(&row[b]).then(b.cmp(&a)))
        .unwrap();
    let peak = f64::from(row[at]);
    let below = |i: usize| f64::from(row[i]) - peak;
    // The peak weighs 1; the rest is summed apart so that nothing of it is lost.
    let log_mass = exact_sum((0..row.len()).filter(|&i| i != at).map(|i| below(i).exp())).ln_1p();
    let logprobs: Vec<f64> = (0..row.len()).map(|i| below(i) - log_mass).collect();
    let live = || logprobs.iter().copied().filter(|lp| lp.is_finite());
    let entropy = exact_sum(live().map(|lp| -lp.exp() * lp));
    let varentropy = exact_sum(live().map(|lp| lp.exp() * (lp + entropy).powi(2)));
    let mut sorted = logprobs.clone();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let second = sorted.get(1).map_or(f64::NEG_INFINITY, |lp| *lp);
    let margin = -sorted[0].exp() * (second - sorted[0]).exp_m1();
    let top: Vec<f64> = sorted
        .into_iter()
        .take(20)
        .filter(|lp| lp.is_finite())
        .collect();
    let confidence = -exact_sum(top.iter().copied()) / top.len() as f64;
    Oracle {
        logsumexp: peak + log_mass,
        logprobs,
        entropy,
        varentropy,
        margin,
        confidence,
    }
}

fn close(got: f64, want: f64, what: &str) {
    let ok = got == want || (got - want).abs() <= 1e-5 * want.abs() + 1e-25;
    assert!(ok, "{what}: {got:e} instead of {want:e}");
}

fn check_row(row: &[f32], what: &str) {
    let want = oracle(row);
    let sampled = row.len() / 2;
    let got = stats(Row::F32(row), Some(sampled as u32), 20).unwrap();
    assert_eq!(got.invalid, None, "{what}");
    let slack = 1e-6 * want.logsumexp.abs().max(1.0);
    assert!(
        (got.logsumexp - want.logsumexp).abs() <= slack,
        "{what}: logsumexp"
    );
    close(got.entropy, want.entropy, &format!("{what}: entropy"));
    close(
        got.varentropy,
        want.varentropy,
        &format!("{what}: varentropy"),
    );
    close(got.margin, want.margin, &format!("{what}: margin"));
    close(
        got.confidence,
        want.confidence,
        &format!("{what}: confidence"),
    );
    close(
        got.surprisal.unwrap(),
        -want.logprobs[sampled],
        &format!("{what}: surprisal"),
    );
    let mut order: Vec<u32> = (0..row.len() as u32).collect();
    let masked = |i: u32| row[i as usize] == -INF;
    order.retain(|&i| !masked(i));
    order.sort_by(|&a, &b| {
        row[b as usize]
            .partial_cmp(&row[a as usize])
            .unwrap()
            .then(a.cmp(&b))
    });
    order.truncate(20);
    assert_eq!(
        got.top.iter().map(|t| t.0).collect::<Vec<_>>(),
        order,
        "{what}: top"
    );
    for (id, lp) in &got.top {
        close(
            *lp,
            want.logprobs[*id as usize],
            &format!("{what}: top logprob"),
        );
    }
}

/// Bits of everything, so that equal means equal.
fn bits(stats: &RowStats) -> Vec<u64> {
    let mut out: Vec<u64> = [
        stats.logsumexp,
        stats.entropy,
        stats.varentropy,
        stats.margin,
        stats.confidence,
        stats.logprob.unwrap_or(7.0),
    ]
    .map(f64::to_bits)
    .to_vec();
    out.extend(
        stats
            .top
            .iter()
            .flat_map(|t| [u64::from(t.0), t.1.to_bits()]),
    );
    out
}

fn pair_bits(pair: &PairStats) -> Vec<u64> {
    let mut out = bits(&pair.row);
    out.extend(pair.prior.iter().flat_map(bits));
    out.extend([pair.kl, pair.lift].map(|x| x.map_or(0, f64::to_bits)));
    out
}

/// A repeatable source of numbers.
struct Source(u64);

impl Source {
    fn uniform(&mut self) -> f32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 40) as f32 / (1_u64 << 24) as f32
    }
    fn normal(&mut self) -> f32 {
        (0..12).map(|_| self.uniform()).sum::<f32>() - 6.0
    }
    fn row(&mut self, len: usize, scale: f32) -> Vec<f32> {
        (0..len).map(|_| self.normal() * scale).collect()
    }
}

fn rows() -> Vec<(&'static str, Vec<f32>)> {
    let mut source = Source(5);
    let mut peaked = source.row(5000, 1.0);
    peaked[4321] = 40.0;
    let mut lead = source.row(5000, 1.0);
    lead[3] = 40.0;
    let mut outlier = vec![0.0; 131_072];
    outlier[70_000] = 2.0;
    let mut first = vec![1.0; 9000];
    first[0] = 3.0;
    let mut rising = source.row(20_000, 4.0);
    rising.sort_by(f32::total_cmp);
    let mut falling = rising.clone();
    falling.reverse();
    let mut masked = source.row(30_000, 3.0);
    for (i, x) in masked.iter_mut().enumerate() {
        if i % 7 != 3 {
            *x = -INF;
        }
    }
    let mut lone = vec![-INF; 3000];
    lone[1500] = -3.5;
    lone[2900] = -20.0;
    vec![
        ("one token", vec![0.25]),
        ("two tokens", vec![0.0, -18.0]),
        (
            "a tail in one lane",
            (0..64).map(|i| if i == 0 { 0.0 } else { -20.0 }).collect(),
        ),
        ("uniform", vec![2.5; 4097]),
        ("normal", source.row(50_257, 2.0)),
        ("wide", source.row(131_072, 6.0)),
        ("flat", source.row(32_000, 0.01)),
        (
            "large",
            source.row(3000, 1.0).iter().map(|x| x + 3000.0).collect(),
        ),
        (
            "negative",
            source.row(3000, 2.0).iter().map(|x| x - 500.0).collect(),
        ),
        ("peaked late", peaked),
        ("peaked early", lead),
        ("one outlier", outlier),
        ("outlier first", first),
        ("rising", rising),
        ("falling", falling),
        ("masked", masked),
        ("nearly all masked", lone),
        ("ties", (0..5000).map(|i| (i % 3) as f32).collect()),
        (
            "zeros of both signs",
            (0..50)
                .map(|i| if i % 2 == 0 { 0.0 } else { -0.0 })
                .collect(),
        ),
        (
            "lowest floats as mask",
            (0..50)
                .map(|i| if i < 9 { 1.0 } else { f32::MIN })
                .collect(),
        ),
    ]
}

// req: S4-017
#[test]
fn statistics_agree_with_f64() {
    for (name, row) in rows() {
        check_row(&row, name);
    }
    let mut source = Source(11);
    for len in (1..70).chain([1008, 1023, 1024, 1025, 1040, 2047, 2049, 5000]) {
        check_row(&source.row(len, 3.0), &format!("length {len}"));
    }
}

#[test]
fn every_simd_level_gives_the_same_bits() {
    let mut levels = Simd::all();
    let plain = levels.remove(0);
    assert_eq!(plain.name(), "scalar");
    let mut source = Source(3);
    for (name, row) in rows() {
        let other: Vec<f32> = row.iter().map(|x| x + source.normal() * 0.3).collect();
        let half = |row: &[f32]| -> Vec<u16> {
            row.iter()
                .map(|&x| half::f16::from_f32(x.clamp(-6e4, 6e4)).to_bits())
                .collect()
        };
        let brain = |row: &[f32]| -> Vec<u16> {
            row.iter()
                .map(|&x| half::bf16::from_f32(x).to_bits())
                .collect()
        };
        let (h, h0, b, b0) = (half(&row), half(&other), brain(&row), brain(&other));
        for (row, prior) in [
            (Row::F32(&row), Row::F32(&other)),
            (Row::F16(&h), Row::F16(&h0)),
            (Row::Bf16(&b), Row::Bf16(&b0)),
        ] {
            let query = Query {
                row,
                prior: Some(prior),
                sampled: Some(0),
            };
            let want = pair_bits(&query.stats_at(plain, 30).unwrap());
            for &level in &levels {
                let got = pair_bits(&query.stats_at(level, 30).unwrap());
                assert_eq!(got, want, "{name} at {}", level.name());
            }
        }
    }
    assert_eq!(Simd::named(Simd::best().name()), Some(Simd::best()));
    assert_eq!(Simd::named("sse9"), None);
}

#[test]
fn batches_and_threads_give_the_same_bits() {
    let mut source = Source(9);
    let rows: Vec<Vec<f32>> = (0..13).map(|i| source.row(3000 + i * 17, 3.0)).collect();
    let queries: Vec<Query<'_>> = rows
        .iter()
        .map(|row| Query {
            row: Row::F32(row),
            prior: Some(Row::F32(row)),
            sampled: Some(5),
        })
        .collect();
    let single: Vec<_> = queries
        .iter()
        .map(|query| pair_bits(&query.stats(20).unwrap()))
        .collect();
    let batch: Vec<_> = batch_stats(&queries, 20)
        .into_iter()
        .map(|pair| pair_bits(&pair.unwrap()))
        .collect();
    assert_eq!(single, batch);
    for threads in [2, 3, 5] {
        let chunk = queries.len().div_ceil(threads);
        let split: Vec<_> = std::thread::scope(|scope| {
            let parts: Vec<_> = queries
                .chunks(chunk)
                .map(|part| scope.spawn(move || batch_stats(part, 20)))
                .collect();
            parts
                .into_iter()
                .flat_map(|part| part.join().unwrap())
                .collect()
        });
        let split: Vec<_> = split
            .into_iter()
            .map(|pair| pair_bits(&pair.unwrap()))
            .collect();
        assert_eq!(single, split);
    }
}

#[test]
fn half_precision_is_widened_exactly() {
    // Every half-precision number that is neither NaN nor infinite, and as many brain floats.
    let halves: Vec<u16> = (0..=u16::MAX).filter(|b| b & 0x7c00 != 0x7c00).collect();
    let wide: Vec<f32> = halves
        .iter()
        .map(|&b| half::f16::from_bits(b).to_f32())
        .collect();
    let brains: Vec<u16> = (0..=u16::MAX).filter(|b| b & 0x7f80 != 0x7f80).collect();
    let broad: Vec<f32> = brains
        .iter()
        .map(|&b| half::bf16::from_bits(b).to_f32())
        .collect();
    for simd in Simd::all() {
        for (narrow, wide) in [
            (Row::F16(&halves), Row::F32(&wide)),
            (Row::Bf16(&brains), Row::F32(&broad)),
        ] {
            let at = |row| {
                let query = Query {
                    row,
                    prior: None,
                    sampled: Some(77),
                };
                bits(&query.stats_at(simd, 1024).unwrap().row)
            };
            assert_eq!(at(narrow), at(wide), "{}", simd.name());
        }
    }
}

fn oracle_kl(a: &[f32], b: &[f32]) -> f64 {
    let (p, q) = (oracle(a).logprobs, oracle(b).logprobs);
    // Σ p δ with the part that sums to 0 taken off each term.
    let term = |p: f64, q: f64| {
        let d = p - q;
        if p == f64::NEG_INFINITY {
            q.exp()
        } else if d.abs() < 1e-3 {
            p.exp() * d * d * (0.5 - d / 6.0 + d * d / 24.0)
        } else {
            p.exp() * (d + (-d).exp_m1())
        }
    };
    exact_sum(p.iter().zip(&q).map(|(&p, &q)| term(p, q)))
}

#[test]
fn divergence_agrees_with_f64() {
    let mut source = Source(21);
    for (name, row) in rows() {
        if name == "lowest floats as mask" {
            continue;
        }
        for (scale, offset) in [
            (0.001, 0.0),
            (0.01, 5.0),
            (0.3, 0.0),
            (3.0, -7.0),
            (20.0, 0.0),
        ] {
            let other: Vec<f32> = row
                .iter()
                .map(|x| x + source.normal() * scale + offset)
                .collect();
            let got = kl(Row::F32(&row), Row::F32(&other)).unwrap();
            let want = oracle_kl(&row, &other);
            let ok = (got - want).abs() <= 1e-5 * want + 1e-13;
            assert!(ok, "{name} {scale}: {got:e} instead of {want:e}");
        }
        assert_eq!(kl(Row::F32(&row), Row::F32(&row)).unwrap(), 0.0, "{name}");
    }
}

// req: S4-017
#[test]
fn divergence_follows_rows_that_change_on_the_way() {
    let mut source = Source(33);
    let base = source.row(20_000, 2.0);
    let near: Vec<f32> = base.iter().map(|x| x + source.normal() * 0.2).collect();
    let changed = |row: &[f32], part: std::ops::Range<usize>, by: f32| -> Vec<f32> {
        let inside = |(i, x): (usize, &f32)| if part.contains(&i) { x + by } else { *x };
        row.iter().enumerate().map(inside).collect()
    };
    let pairs = [
        (
            "another centre after a block",
            changed(&base, 0..4096, 30.0),
            near.clone(),
        ),
        (
            "a prior that rises late",
            base.clone(),
            changed(&near, 16_000..17_000, 40.0),
        ),
        (
            "a row that rises late",
            changed(&base, 16_000..17_000, 40.0),
            near.clone(),
        ),
        (
            "row masked at first",
            changed(&base, 0..9000, -INF),
            near.clone(),
        ),
        (
            "both masked at first",
            changed(&base, 0..9000, -INF),
            changed(&near, 0..5000, -INF),
        ),
        (
            "a small difference in one block",
            base.clone(),
            changed(&base, 8192..9000, 1e-3),
        ),
        (
            "far logits",
            changed(&base, 0..20_000, 900.0),
            changed(&near, 0..20_000, -900.0),
        ),
    ];
    for (name, row, prior) in &pairs {
        let want = oracle_kl(row, prior);
        for level in Simd::all() {
            let query = Query {
                row: Row::F32(row),
                prior: Some(Row::F32(prior)),
                sampled: None,
            };
            let pair = query.stats_at(level, 20).unwrap();
            close(
                pair.kl.unwrap(),
                want,
                &format!("{name} at {}", level.name()),
            );
            // A row says the same alone and beside another.
            let alone = Query {
                prior: None,
                ..query
            };
            assert_eq!(
                bits(&alone.stats_at(level, 20).unwrap().row),
                bits(&pair.row),
                "{name}"
            );
        }
    }
    let masked = changed(&near, 0..9000, -INF);
    assert_eq!(
        kl(Row::F32(&base), Row::F32(&masked)).unwrap(),
        f64::INFINITY
    );
}

#[test]
fn a_nan_is_seen_where_nothing_counts() {
    for others in [-INF, -500.0] {
        let mut row = vec![others; 9000];
        row[0] = 0.0;
        row[8999] = f32::NAN;
        let good = vec![0.0; 9000];
        for level in Simd::all() {
            let at = |row, prior| {
                let (row, prior) = (Row::F32(row), Some(Row::F32(prior)));
                let query = Query {
                    row,
                    prior,
                    sampled: Some(1),
                };
                query.stats_at(level, 5).unwrap()
            };
            let got = at(&row, &good);
            assert_eq!((got.row.invalid, got.kl), (Some(Invalid::Nan(1)), None));
            close(got.prior.unwrap().entropy, 9000_f64.ln(), "the other row");
            let got = at(&good, &row);
            assert_eq!(got.prior.unwrap().invalid, Some(Invalid::Nan(1)));
            assert!(got.row.invalid.is_none() && got.row.top.len() == 5);
        }
    }
}

// req: S4-017
#[test]
fn finite_masks_diverge_as_infinite_ones() {
    let mut source = Source(35);
    let base = source.row(20_000, 2.0);
    let near: Vec<f32> = base.iter().map(|x| x + source.normal() * 0.5).collect();
    for end in [5, 4096, 9000, 19_000] {
        let masked = |mask: f32| -> Vec<f32> {
            let hide = |(i, x): (usize, &f32)| if i < end { mask } else { *x };
            base.iter().enumerate().map(hide).collect()
        };
        let want = oracle_kl(&masked(-INF), &near);
        for mask in [
            -60.0,
            -100.0,
            -700.0,
            -708.5,
            -800.0,
            -1e4,
            -1e9,
            -1e30,
            f32::MIN,
        ] {
            let got = kl(Row::F32(&masked(mask)), Row::F32(&near)).unwrap();
            let ok = (got - want).abs() <= 1e-5 * want;
            assert!(ok, "{mask:e} for {end}: {got:e} instead of {want:e}");
        }
    }
    // Peaks that a later block outdoes, in both rows.
    for far in [30.0, 100.0, 500.0, 5e3, 1e8] {
        let (mut row, mut prior) = (vec![0.0; 5000], vec![0.0; 5000]);
        row[3] = far;
        row[4999] = 3.0 * far;
        prior[5] = 3.0 * far;
        let got = kl(Row::F32(&row), Row::F32(&prior)).unwrap();
        // Nearly all of the row stands where the prior has exp(−3 far).
        let want = 3.0 * f64::from(far);
        let ok = (got - want).abs() <= 1e-5 * want;
        assert!(ok, "{far:e}: {got:e} instead of {want:e}");
    }
}

#[test]
fn divergence_of_masks() {
    let at = |a: &[f32], b: &[f32]| kl(Row::F32(a), Row::F32(b)).unwrap();
    assert_eq!(at(&[0.0, 1.0], &[0.0, -INF]), f64::INFINITY);
    close(
        at(&[0.0, -INF], &[0.0, 0.0]),
        2.0_f64.ln(),
        "mask in the row",
    );
    close(
        at(&[0.0, -INF, 0.0], &[0.0, -INF, 0.0]),
        0.0,
        "mask in both",
    );
    close(
        at(&[0.0, -INF], &[0.0, 9.0]),
        (9.0_f64.exp() + 1.0).ln(),
        "mass where the row has none",
    );
    // Below what single precision can hold, on both sides.
    close(at(&[0.0, -200.0], &[0.0, -500.0]), 0.0, "tails");
    close(
        at(&[0.0, -1000.0], &[0.0, 0.0]),
        2.0_f64.ln(),
        "tail against mass",
    );
}

#[test]
fn pairs_give_lift() {
    let (row, row0) = ([2.0, 0.0, 0.0], [0.0, 0.0, 0.0]);
    let got = pair_stats(Row::F32(&row), Row::F32(&row0), Some(0)).unwrap();
    let p = 2.0_f64.exp() / (2.0_f64.exp() + 2.0);
    close(got.lift_bits().unwrap(), (p * 3.0).log2(), "lift");
    let signals = got.signals();
    close(signals.lift_bits.unwrap(), (p * 3.0).log2(), "signal");
    close(signals.prior_logprob.unwrap(), -3.0_f64.ln(), "prior");
    close(
        signals.kl_bits.unwrap() * 2.0_f64.ln(),
        oracle_kl(&row, &row0),
        "kl",
    );
    // An invalid prior takes nothing from the row.
    let got = pair_stats(Row::F32(&row), Row::F32(&[f32::NAN; 3]), Some(0)).unwrap();
    assert_eq!((got.kl, got.lift), (None, None));
    assert!(got.row.surprisal.is_some() && !got.signals().invalid);
    // A token only the prior masks.
    let got = pair_stats(Row::F32(&row), Row::F32(&[-INF, 0.0, 0.0]), Some(0)).unwrap();
    assert_eq!(got.lift, Some(f64::INFINITY));
    assert_eq!(got.signals().lift_bits, Some(1e6));
    let both = [-INF, 0.0, 0.0];
    let got = pair_stats(Row::F32(&both), Row::F32(&both), Some(0)).unwrap();
    assert_eq!((got.lift, got.row.logprob), (None, Some(f64::NEG_INFINITY)));
}

#[test]
fn bad_data_is_a_signal() {
    for len in [1, 15, 17, 1030, 5000] {
        let row = vec![1.0_f32; len];
        let at = |i: usize, x: f32| {
            let mut row = row.clone();
            row[i] = x;
            stats(Row::F32(&row), Some(0), 5).unwrap()
        };
        for i in [0, len / 2, len - 1] {
            let got = at(i, f32::NAN);
            assert_eq!(got.invalid, Some(Invalid::Nan(1)));
            assert!(got.entropy.is_nan() && got.top.is_empty() && got.surprisal.is_none());
            let signals = got.signals();
            assert!(signals.invalid && signals.entropy.is_none());
            assert_eq!(at(i, INF).invalid, Some(Invalid::Infinite(1)));
        }
        let masked = stats(Row::F32(&vec![-INF; len]), Some(0), 5).unwrap();
        assert_eq!(masked.invalid, Some(Invalid::Masked));
    }
    let mut many = vec![f32::NAN; 40];
    many[7] = INF;
    assert_eq!(
        stats(Row::F32(&many), None, 0).unwrap().invalid,
        Some(Invalid::Nan(39))
    );
    assert_eq!(
        stats(Row::F16(&[0x7e00]), None, 0).unwrap().invalid,
        Some(Invalid::Nan(1))
    );
    assert_eq!(
        stats(Row::Bf16(&[0x7f80]), None, 0).unwrap().invalid,
        Some(Invalid::Infinite(1))
    );
    assert!(kl(Row::F32(&many), Row::F32(&many)).unwrap().is_nan());
}

#[test]
fn bad_arguments_are_refused() {
    let row = [0.0_f32; 4];
    let refused = |result: groundwire_core::error::Result<RowStats>, text: &str| {
        let error = result.unwrap_err();
        assert_eq!(error.category(), Category::Argument);
        assert!(error.message().contains(text), "{error}");
    };
    refused(stats(Row::F32(&[]), None, 0), "empty");
    refused(stats(Row::F32(&row), Some(4), 0), "token 4");
    refused(stats(Row::F32(&row), None, 1025), "1024");
    assert!(kl(Row::F32(&row), Row::F32(&row[..3])).is_err());
    assert!(pair_stats(Row::F32(&row), Row::F16(&[0; 3]), None).is_err());
    let bad = Query {
        row: Row::F32(&row),
        prior: None,
        sampled: Some(9),
    };
    let good = Query {
        sampled: Some(1),
        ..bad
    };
    let got = batch_stats(&[bad, good], 3);
    assert!(got[0].is_err() && got[1].is_ok());
}

#[test]
fn masked_sample_has_infinite_surprisal() {
    let got = stats(Row::F32(&[0.0, -INF]), Some(1), 5).unwrap();
    assert_eq!(got.surprisal, Some(f64::INFINITY));
    assert_eq!(got.signals().surprisal, Some(1e6));
    assert_eq!(got.top.len(), 1);
    assert_eq!((got.entropy, got.varentropy, got.margin), (0.0, 0.0, 1.0));
}

#[test]
fn group_confidence_slides() {
    let all: Value = serde_json::from_str(include_str!("../vectors/uncertainty.json")).unwrap();
    let case = &all["group_confidence"];
    let mut group = GroupConfidence::new(case["window"].as_u64().unwrap() as usize).unwrap();
    let means = case["means"].as_array().unwrap();
    for (value, want) in case["values"].as_array().unwrap().iter().zip(means) {
        let got = group.push(value.as_f64().unwrap());
        assert_eq!(got.is_some(), want.is_number());
        if let Some(got) = got {
            close(got, want.as_f64().unwrap(), "group");
        }
    }
    let before = group.clone();
    assert_eq!(group.push(f64::NAN), before.mean());
    assert_eq!(group, before);
    assert!(GroupConfidence::new(0).is_err() && GroupConfidence::new(1 << 21).is_err());
    assert_eq!(GroupConfidence::default().window(), 2048);
}

proptest! {
    #[test]
    fn group_confidence_is_the_mean_of_the_window(
        values in prop::collection::vec(0.0..40.0, 1..200), window in 1usize..50
    ) {
        let mut group = GroupConfidence::new(window).unwrap();
        for (i, &value) in values.iter().enumerate() {
            let got = group.push(value);
            let want = (i + 1 >= window).then(|| {
                values[i + 1 - window..=i].iter().sum::<f64>() / window as f64
            });
            prop_assert_eq!(got.is_some(), want.is_some());
            if let (Some(got), Some(want)) = (got, want) {
                prop_assert!((got - want).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn any_row_agrees_with_f64(
        row in prop::collection::vec(prop_oneof![8 => -60.0_f32..60.0, 1 => Just(-INF)], 1..200)
    ) {
        prop_assume!(row.iter().any(|x| *x > -INF));
        check_row(&row, "any");
    }

    #[test]
    fn any_bits_are_taken(words in prop::collection::vec(any::<u32>(), 1..100)) {
        let row: Vec<f32> = words.iter().map(|&w| f32::from_bits(w)).collect();
        let got = stats(Row::F32(&row), Some(0), 4).unwrap();
        let bad = row.iter().any(|x| x.is_nan() || *x == INF) || row.iter().all(|x| *x == -INF);
        prop_assert_eq!(got.invalid.is_some(), bad);
        if !bad {
            prop_assert!(got.entropy >= 0.0 && got.varentropy >= 0.0 && got.margin >= 0.0);
        }
    }

    // What the whole row gives lies inside what its top k allow.
    #[test]
    fn bounds_hold(
        row in prop::collection::vec(-12.0_f32..12.0, 2..60), k in 1usize..25, at in 0usize..60,
        known in any::<bool>()
    ) {
        let sampled = (at % row.len()) as u32;
        let full = stats(Row::F32(&row), Some(sampled), 60).unwrap();
        let mut entries: Vec<(u32, f64)> = full.top.iter().copied().take(k).collect();
        let listed = entries.len();
        if k % 2 == 0 && !entries.iter().any(|e| e.0 == sampled) {
            entries.push((sampled, full.logprob.unwrap()));
        }
        let size = known.then_some(row.len());
        let top = TopLogprobs::new(&entries, listed, Some(sampled), size).unwrap();
        let got = top.bounds();
        prop_assert!(!got.invalid);
        for (value, bounds, what) in [
            (full.surprisal.unwrap(), got.surprisal, "surprisal"),
            (full.entropy, got.entropy, "entropy"),
            (full.varentropy, got.varentropy, "varentropy"),
            (full.margin, got.margin, "margin"),
        ] {
            prop_assert!(
                bounds.lo - 1e-6 <= value && value <= bounds.hi + 1e-6,
                "{what}: {value} not in {bounds:?}"
            );
        }
        if known || row.len() >= 20 {
            prop_assert!(got.confidence.lo - 1e-6 <= full.confidence);
            prop_assert!(full.confidence <= got.confidence.hi + 1e-6);
        }
    }
}

#[test]
fn bounds_are_exact_where_they_can_be() {
    let row: Vec<f32> = (0..40).map(|i| -(i as f32) / 3.0).collect();
    let full = stats(Row::F32(&row), Some(3), 40).unwrap();
    let top = TopLogprobs::new(&full.top[..20], 20, Some(3), None)
        .unwrap()
        .bounds();
    assert_eq!(top.surprisal.lo, top.surprisal.hi);
    close(top.margin.lo, full.margin, "margin");
    close(top.confidence.lo, full.confidence, "confidence");
    assert!(top.entropy.lo <= full.entropy && full.entropy <= top.entropy.hi);
    assert!(top.entropy.hi > top.entropy.lo + 1e-4 && top.entropy.hi < 1.1 * full.entropy);
    let signals = top.signals();
    assert!(signals.entropy.is_none() && signals.varentropy.is_none());
    assert!(signals.surprisal.is_some() && signals.margin.is_some());
    let beyond = TopLogprobs::new(&full.top[..5], 5, Some(30), Some(40))
        .unwrap()
        .bounds();
    assert_eq!(beyond.surprisal.hi, f64::INFINITY);
    assert!(beyond.surprisal.lo >= -full.top[4].1 - 1e-6 && beyond.signals().surprisal.is_none());
    assert!(beyond.entropy.hi.is_finite());
    for bad in [[(0, f64::NAN)], [(0, 0.5)]] {
        let got = TopLogprobs::new(&bad, 1, None, None).unwrap().bounds();
        assert!(got.invalid && got.signals().invalid && got.signals().entropy.is_none());
    }
    assert!(
        TopLogprobs::new(&[(0, 0.0), (1, 0.0)], 2, None, None)
            .unwrap()
            .bounds()
            .invalid
    );
    assert!(TopLogprobs::new(&[], 1, None, None).is_err());
    assert!(TopLogprobs::new(&[(0, -0.1)], 0, None, None).is_err());
    assert!(TopLogprobs::new(&full.top[..5], 5, None, Some(4)).is_err());
    let sure = TopLogprobs::new(&[(4, 0.0)], 1, Some(4), None)
        .unwrap()
        .bounds();
    assert!(sure.entropy.lo == 0.0 && sure.entropy.hi < 1e-4 && sure.surprisal.hi == 0.0);
}

#[test]
fn golden_scalars() {
    let all: Value = serde_json::from_str(include_str!("../vectors/uncertainty.json")).unwrap();
    let tolerance = all["tolerance"].as_f64().unwrap();
    let numbers = |v: &Value| -> Vec<f64> {
        v.as_array()
            .unwrap()
            .iter()
            .map(|x| x.as_f64().unwrap())
            .collect()
    };
    let near = |got: f64, want: &Value, what: &str| {
        let want = want.as_f64().unwrap();
        assert!(
            (got - want).abs() <= tolerance,
            "{what}: {got} instead of {want}"
        );
    };
    for case in all["confidence"].as_array().unwrap() {
        let lps: Vec<f64> = match case.get("p") {
            Some(p) => numbers(p).iter().map(|p| p.ln()).collect(),
            None => numbers(&case["logprobs"]),
        };
        near(
            scalars::confidence(&lps).unwrap(),
            &case["value"],
            "confidence",
        );
    }
    let bar = &all["bar"];
    let percent = bar["percent"].as_f64().unwrap();
    near(
        scalars::percentile(&numbers(&bar["minima"]), percent).unwrap(),
        &bar["value"],
        "bar",
    );
    for case in all["top"].as_array().unwrap() {
        let lps = numbers(&case["logprobs"]);
        near(
            scalars::negentropy(&lps).unwrap(),
            &case["negentropy"],
            "negentropy",
        );
        if case["listed_entropy"].is_number() {
            near(
                scalars::listed_entropy(&lps),
                &case["listed_entropy"],
                "entropy",
            );
            near(
                scalars::renormalised_entropy(&lps),
                &case["renormalised_entropy"],
                "entropy",
            );
        }
    }
    let rows = all["margin_mean"]["rows"].as_array().unwrap();
    let sum: f64 = rows
        .iter()
        .map(|row| scalars::margin(&numbers(row)).unwrap())
        .sum();
    near(
        sum / rows.len() as f64,
        &all["margin_mean"]["value"],
        "margin",
    );
    for case in all["sequence"].as_array().unwrap() {
        let lps = numbers(&case["logprobs"]);
        near(
            scalars::sequence_probability(&lps).unwrap(),
            &case["probability"],
            "sequence",
        );
        if case["least"].is_number() {
            near(
                scalars::least_probability(&lps).unwrap(),
                &case["least"],
                "least",
            );
        }
    }
    let boosted = &all["boosted"];
    let (jump, least) = (
        boosted["jump"].as_f64().unwrap(),
        boosted["least"].as_f64().unwrap(),
    );
    for (token, want) in boosted["values"].as_array().unwrap().iter().enumerate() {
        let p = numbers(&boosted["p"]);
        near(
            scalars::boosted_probability(&p, token, jump, least).unwrap(),
            want,
            "boosted",
        );
        assert!(scalars::boosted_probability(&p, 4, jump, least).is_err());
    }
    let (entropy, varentropy) = scalars::entropy_varentropy(&numbers(&all["entropix"]["p"]));
    near(entropy, &all["entropix"]["entropy"], "entropy");
    near(varentropy, &all["entropix"]["varentropy"], "varentropy");
    let row: Vec<f32> = numbers(&all["entropix"]["p"])
        .iter()
        .map(|p| p.ln() as f32)
        .collect();
    let got = stats(Row::F32(&row), None, 0).unwrap();
    near(got.entropy, &all["entropix"]["entropy"], "row entropy");
    near(
        got.varentropy,
        &all["entropix"]["varentropy"],
        "row varentropy",
    );
    for case in all["semantic_entropy"].as_array().unwrap() {
        let classes: Vec<u32> = numbers(&case["classes"])
            .iter()
            .map(|&c| c as u32)
            .collect();
        let weights = case.get("weights").map(numbers);
        let got = scalars::semantic_entropy(&classes, weights.as_deref()).unwrap();
        near(got, &case["value"], "semantic entropy");
    }
    let flare = &all["flare"];
    let (trigger, mask) = (
        flare["trigger"].as_f64().unwrap(),
        flare["mask"].as_f64().unwrap(),
    );
    let (retrieve, masked) = scalars::flare(&numbers(&flare["p"]), trigger, mask);
    assert_eq!(retrieve, flare["retrieve"].as_bool().unwrap());
    let want: Vec<bool> = flare["masked"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| m.as_bool().unwrap())
        .collect();
    assert_eq!(masked, want);
    assert!(scalars::confidence(&[]).is_err() && scalars::percentile(&[f64::NAN], 5.0).is_err());
    assert!(scalars::semantic_entropy(&[1], Some(&[])).is_err());
}
