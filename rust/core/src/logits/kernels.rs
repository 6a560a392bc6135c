//! The kernels over one block of a row, written once for every register width.
//!
//! They work on groups of 16 `f32` lanes: lane `i` sees elements `i`, `i + 16`, … of the block,
//! and only multiplications and additions that IEEE 754 rounds in one way are used (no fused
//! ones, no reciprocal estimates). The same operations in the same order give the same bits
//! whatever the instruction set.

use super::lanes::{Group, LANES, Lanes};
use super::row::PART;

/// A number a lane.
pub(super) type Totals = [f64; LANES];

/// Sums over a part of a row, with t = (x − m) / ln 2 and e = [`WHOLE`] · 2^t.
#[derive(Clone, Copy)]
pub(super) struct Sums {
    /// Σ e.
    pub mass: Totals,
    /// Σ e (t − c).
    pub first: Totals,
    /// Σ e (t − c)².
    pub second: Totals,
}

/// Coefficients of 2^r ≈ (E0 + E1 r + … + r⁵) / E0 on |r| ≤ ½, fitted for the least relative
/// error with the value 1 at 0 (1.3·10⁻⁷, of which 0.9·10⁻⁷ before rounding them). The highest
/// coefficient is 1, which saves a product; sums are divided by E0 once.
const EXP2: [f32; 5] = [753.879, 522.549, 181.098_65, 41.845_818, 7.291_151];
/// What the weights below are multiples of.
pub(super) const WHOLE: f32 = EXP2[0];
/// 1.5 · 2²³ + 127: adding it leaves the nearest integer plus the exponent bias in the low bits.
const ROUND: f32 = 12_583_039.0;
/// Arguments are raised to this, where the scale below becomes exactly zero.
const FLOOR: f32 = -127.0;
/// Stands for −∞ where differences are taken.
pub(super) const DEEP: f32 = -1e30;

/// [`WHOLE`] · 2^t for FLOOR ≤ t ≤ 0; exactly 0 below −126.5, exactly [`WHOLE`] at 0, NaN for NaN.
#[inline(always)]
fn weight<V: Lanes>(t: V) -> V {
    let z = t.add(V::splat(ROUND));
    let r = t.sub(z.sub(V::splat(ROUND)));
    let mut e = r.add(V::splat(EXP2[4]));
    for c in EXP2[..4].iter().rev() {
        e = e.mul(r).add(V::splat(*c));
    }
    e.mul(z.exponent())
}

/// Adds the lanes of `x`, part `part` of a group, to `to`.
#[inline(always)]
fn total<V: Lanes>(to: &mut Totals, x: V, part: usize) {
    let mut lanes = [0.0; LANES];
    x.store(&mut lanes, part);
    // Adding 0 changes nothing: no sum of these is −0.
    for (to, lane) in to.iter_mut().zip(lanes) {
        *to += f64::from(lane);
    }
}

/// Greatest element (−∞ for none); NaN is passed over.
#[inline(always)]
pub(super) fn peak_of<V: Lanes>(block: &[Group]) -> f32 {
    let low = V::splat(f32::NEG_INFINITY);
    let mut lanes = [f32::NEG_INFINITY; LANES];
    for part in 0..V::PARTS {
        let (mut even, mut odd) = (low, low);
        let (pairs, rest) = block.as_chunks::<2>();
        for [a, b] in pairs {
            even = V::load(a, part).max(even);
            odd = V::load(b, part).max(odd);
        }
        for last in rest {
            even = V::load(last, part).max(even);
        }
        even.max(odd).store(&mut lanes, part);
    }
    let mut width = LANES / 2;
    while width > 0 {
        for i in 0..width {
            let (a, b) = (lanes[i], lanes[i + width]);
            lanes[i] = if b > a { b } else { a };
        }
        width /= 2;
    }
    lanes[0]
}

/// Whether a NaN is among the elements.
#[inline(always)]
pub(super) fn nan_of<V: Lanes>(block: &[Group]) -> bool {
    let mut bad = V::clear();
    for part in 0..V::PARTS {
        for group in block {
            let a = V::load(group, part);
            bad = V::unordered(a, a, bad);
        }
    }
    V::any(bad)
}

/// The sums of groups without +∞ whose elements are at most `m`; NaN if one is NaN.
#[inline(always)]
pub(super) fn sums_of<V: Lanes>(block: &[Group], m: f32, c: f32) -> Sums {
    summed::<V, false>(block, m, c, &mut [])
}

/// As [`sums_of`]; also writes e of every element.
#[inline(always)]
pub(super) fn weights_of<V: Lanes>(block: &[Group], m: f32, c: f32, to: &mut [Group]) -> Sums {
    summed::<V, true>(block, m, c, to)
}

#[inline(always)]
fn summed<V: Lanes, const KEEP: bool>(block: &[Group], m: f32, c: f32, to: &mut [Group]) -> Sums {
    let none = [0.0; LANES];
    let mut out = Sums {
        mass: none,
        first: none,
        second: none,
    };
    let (m, c) = (V::splat(m), V::splat(c));
    for (at, run) in block.chunks(PART).enumerate() {
        let kept = if KEEP {
            &mut to[at * PART..][..run.len()]
        } else {
            &mut []
        };
        for part in 0..V::PARTS {
            let zero = V::splat(0.0);
            let (mut mass, mut first, mut second) = (zero, zero, zero);
            for (i, group) in run.iter().enumerate() {
                let below = V::load(group, part).sub(m);
                // In this order a NaN stays one.
                let t = V::splat(FLOOR).max(below.mul(V::splat(std::f32::consts::LOG2_E)));
                let e = weight(t);
                if KEEP {
                    e.store(&mut kept[i], part);
                }
                let u = t.sub(c);
                let w = e.mul(u);
                mass = mass.add(e);
                first = first.add(w);
                second = second.add(w.mul(u));
            }
            total(&mut out.mass, mass, part);
            total(&mut out.first, first, part);
            total(&mut out.second, second, part);
        }
    }
    out
}

/// Coefficients of (exp(−δ) − 1 + δ) / δ² on |δ| ≤ ½, highest first, fitted for the least
/// relative error (8·10⁻⁷).
const NEAR: [f32; 5] = [
    0.001_391_465_3,
    -0.008_395_411,
    0.041_667_476,
    -0.166_662_8,
    0.499_999_97,
];

/// Two rows side by side: their elements and their weights.
#[derive(Clone, Copy)]
pub(super) struct Beside<'a> {
    /// Elements of the row.
    pub a: &'a [Group],
    /// Elements of the prior.
    pub b: &'a [Group],
    /// Weights of the row.
    pub p: &'a [Group],
    /// Weights of the prior.
    pub q: &'a [Group],
}

/// Σ p (exp(−δ) − 1 + δ) with δ = a − (b + s) − c, where p exp(−δ) = `k` q; every term is at least 0,
/// so nothing cancels. Also the greatest δ.
#[inline(always)]
pub(super) fn divergence_of<V: Lanes>(rows: Beside<'_>, [s, c]: [f32; 2], k: f32) -> (Totals, f32) {
    let (deep, near) = (V::splat(DEEP), V::splat(0.5));
    let (s, c, k) = (V::splat(s), V::splat(c), V::splat(k));
    let mut out = [0.0; LANES];
    let mut widest = [DEEP; LANES];
    let len = rows.a.len();
    for start in (0..len).step_by(PART) {
        let run = start..len.min(start + PART);
        for part in 0..V::PARTS {
            let mut sum = V::splat(0.0);
            let mut high = V::load(&widest, part);
            let left = rows.a[run.clone()].iter().zip(&rows.b[run.clone()]);
            let right = rows.p[run.clone()].iter().zip(&rows.q[run.clone()]);
            for ((a, b), (p, q)) in left.zip(right) {
                let (a, b) = (V::load(a, part).max(deep), V::load(b, part).max(deep));
                let (p, q) = (V::load(p, part), V::load(q, part));
                let delta = a.sub(b.add(s)).sub(c);
                high = delta.max(high);
                let w = p.mul(delta);
                let mut series = V::splat(NEAR[0]);
                for c in &NEAR[1..] {
                    series = series.mul(delta).add(V::splat(*c));
                }
                let small = series.mul(delta).mul(w);
                let large = q.mul(k).sub(p).add(w);
                sum = sum.add(V::pick_within(delta, near, small, large));
            }
            total(&mut out, sum, part);
            high.store(&mut widest, part);
        }
    }
    (out, widest.into_iter().fold(DEEP, f32::max))
}

/// Whether somewhere `a` is unmasked and `b` is not.
pub(super) fn open(a: &[Group], b: &[Group]) -> bool {
    let split = |(a, b): (&Group, &Group)| (0..LANES).any(|i| a[i] > DEEP && b[i] <= DEEP);
    a.iter().zip(b).any(split)
}

/// Calls `visit(index, value)` for each element above the threshold, in order; it returns the
/// next threshold.
#[inline(always)]
pub(super) fn above_of<V: Lanes, F: FnMut(usize, f32) -> f32>(
    block: &[Group],
    mut at: f32,
    visit: &mut F,
) {
    for (i, group) in block.iter().enumerate() {
        let mut mask = 0;
        for part in 0..V::PARTS {
            let high = V::load(group, part).above(V::splat(at));
            mask |= high << (part * (LANES / V::PARTS));
        }
        while mask != 0 {
            let lane = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            if group[lane] > at {
                at = visit(i * LANES + lane, group[lane]);
            }
        }
    }
}

#[inline(always)]
pub(super) fn widen_f16<V: Lanes>(from: &[[u16; LANES]], to: &mut [Group]) {
    for (from, to) in from.iter().zip(to) {
        for part in 0..V::PARTS {
            V::from_f16(from, part).store(to, part);
        }
    }
}

#[inline(always)]
pub(super) fn widen_bf16<V: Lanes>(from: &[[u16; LANES]], to: &mut [Group]) {
    for (from, to) in from.iter().zip(to) {
        for part in 0..V::PARTS {
            V::from_bf16(from, part).store(to, part);
        }
    }
}
