//! The kernels over one block of a row, written once for every register width.
//!
//! They work on groups of 16 `f32` lanes: lane `i` sees elements `i`, `i + 16`, … of the block,
//! and only multiplications and additions that IEEE 754 rounds in one way are used (no fused
//! ones, no reciprocal estimates). The same operations in the same order give the same bits
//! whatever the instruction set.

use super::lanes::{Group, LANES, Lanes};

/// Sums over one block, a number a lane.
#[derive(Clone, Copy)]
pub(super) struct Sums {
    /// Σ e with e = exp(x − m).
    pub mass: Group,
    /// Σ e (x − m).
    pub first: Group,
    /// Σ e (x − m − c)².
    pub second: Group,
}

/// Coefficients of exp(r) ≈ 1 + r + r² (C2 + C3 r + …) on |r| ≤ ln 2 / 2, fitted for the least
/// relative error (3·10⁻⁹; single precision rounds to 6·10⁻⁸).
const EXP: [f32; 5] = [
    0.499_999_94,
    0.166_665_21,
    0.041_668_39,
    0.008_368_745,
    0.001_381_454_1,
];
/// 1.5 · 2²³ + 127: adding it leaves the nearest integer plus the exponent bias in the low bits.
const ROUND: f32 = 12_583_039.0;
/// ln 2 in two parts; the first has few enough bits for its multiples up to 127 to be exact.
const LN2_HI: f32 = 0.693_359_4;
const LN2_LO: f32 = -2.121_944_4e-4;
/// Arguments are raised to this, −127 ln 2, where the scale below becomes exactly zero.
const FLOOR: f32 = -88.029_69;
/// Stands for −∞ where differences are taken.
const DEEP: f32 = -1e30;

/// exp(x) for FLOOR ≤ x ≤ 0; exactly 0 below −126.5 ln 2, exactly 1 at 0.
#[inline(always)]
fn exp<V: Lanes>(x: V) -> V {
    let z = x
        .mul(V::splat(std::f32::consts::LOG2_E))
        .add(V::splat(ROUND));
    let n = z.sub(V::splat(ROUND));
    let r = x.sub(n.mul(V::splat(LN2_HI))).sub(n.mul(V::splat(LN2_LO)));
    let mut q = V::splat(EXP[4]);
    for c in [EXP[3], EXP[2], EXP[1], EXP[0], 1.0, 1.0] {
        q = q.mul(r).add(V::splat(c));
    }
    q.mul(z.exponent())
}

#[inline(always)]
fn stored<V: Lanes>(x: V) -> Group {
    let mut out = [0.0; LANES];
    x.store(&mut out);
    out
}

/// Greatest element (−∞ for none) and whether a NaN is among them.
#[inline(always)]
pub(super) fn peak_of<V: Lanes>(block: &[Group]) -> (f32, bool) {
    let low = V::splat(f32::NEG_INFINITY);
    let (mut even, mut odd) = (low, low);
    let mut bad = V::clear();
    let mut pairs = block.chunks_exact(2);
    for pair in &mut pairs {
        let (a, b) = (V::load(&pair[0]), V::load(&pair[1]));
        even = a.max(even);
        odd = b.max(odd);
        bad = V::unordered(a, b, bad);
    }
    if let [last] = pairs.remainder() {
        let a = V::load(last);
        even = a.max(even);
        bad = V::unordered(a, a, bad);
    }
    let lanes = stored(even.max(odd));
    let mut top = lanes[0];
    for &lane in &lanes[1..] {
        top = if lane > top { lane } else { top };
    }
    (top, V::any(bad))
}

/// The sums of a block without NaN or +∞ whose elements are at most `m`.
#[inline(always)]
pub(super) fn sums_of<V: Lanes>(block: &[Group], m: f32, c: f32) -> Sums {
    let (m, c, floor) = (V::splat(m), V::splat(c), V::splat(FLOOR));
    let mut mass = V::splat(0.0);
    let mut first = mass;
    let mut second = mass;
    for group in block {
        let d = V::load(group).sub(m).max(floor);
        let e = exp(d);
        let u = d.sub(c);
        mass = mass.add(e);
        first = first.add(e.mul(d));
        second = second.add(e.mul(u).mul(u));
    }
    Sums {
        mass: stored(mass),
        first: stored(first),
        second: stored(second),
    }
}

/// Taylor coefficients of (δ − 1 + exp(−δ)) / δ², highest first; enough for |δ| < 0.5.
const NEAR: [f32; 7] = [
    1.0 / 40_320.0,
    -1.0 / 5_040.0,
    1.0 / 720.0,
    -1.0 / 120.0,
    1.0 / 24.0,
    -1.0 / 6.0,
    0.5,
];

/// Σ p δ − p + q over a block of two rows, δ = ln p − ln q; every term is at least 0, so nothing
/// cancels. Also whether somewhere p has mass where q has none.
#[inline(always)]
pub(super) fn divergence_of<V: Lanes>(a: &[Group], b: &[Group], la: f64, lb: f64) -> (Group, bool) {
    let (deep, floor, near) = (V::splat(DEEP), V::splat(FLOOR), V::splat(0.5));
    let mut sum = V::splat(0.0);
    let mut open = V::clear();
    for (a, b) in a.iter().zip(b) {
        let (a, b) = (V::load(a), V::load(b));
        let (a, b) = (a.max(deep), b.max(deep));
        open = V::split(a, b, deep, open);
        let (lp, lq, delta) = V::centred(a, la, b, lb);
        // Rounding of la may leave a log-probability above 0 by a hair.
        let p = exp(lp.max(floor));
        let q = exp(lq.max(floor));
        let mut series = V::splat(NEAR[0]);
        for c in &NEAR[1..] {
            series = series.mul(delta).add(V::splat(*c));
        }
        let small = p.mul(series.mul(delta).mul(delta));
        let large = p.mul(delta).sub(p).add(q);
        sum = sum.add(V::pick_within(delta, near, small, large));
    }
    (stored(sum), V::any(open))
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
        let mut mask = V::load(group).above(V::splat(at));
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
        V::from_f16(from).store(to);
    }
}

#[inline(always)]
pub(super) fn widen_bf16<V: Lanes>(from: &[[u16; LANES]], to: &mut [Group]) {
    for (from, to) in from.iter().zip(to) {
        V::from_bf16(from).store(to);
    }
}
