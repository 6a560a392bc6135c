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
    0.001_381_454,
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

/// Groups worked on side by side: one chain of dependent operations leaves a core half idle.
const WIDE: usize = 4;

/// exp(x) for FLOOR ≤ x ≤ 0 in N groups; exactly 0 below −126.5 ln 2, exactly 1 at 0.
#[inline(always)]
#[allow(
    clippy::needless_range_loop,
    reason = "plain loops unroll; closures keep registers apart"
)]
fn exp<V: Lanes, const N: usize>(x: &[V; N]) -> [V; N] {
    let (mut z, mut r, mut s, mut high, mut low) = (*x, *x, *x, *x, *x);
    for i in 0..N {
        z[i] = x[i]
            .mul(V::splat(std::f32::consts::LOG2_E))
            .add(V::splat(ROUND));
    }
    for i in 0..N {
        let n = z[i].sub(V::splat(ROUND));
        r[i] = x[i]
            .sub(n.mul(V::splat(LN2_HI)))
            .sub(n.mul(V::splat(LN2_LO)));
    }
    for i in 0..N {
        s[i] = r[i].mul(r[i]);
        high[i] = V::splat(EXP[3]).mul(r[i]).add(V::splat(EXP[2]));
        low[i] = V::splat(EXP[1]).mul(r[i]).add(V::splat(EXP[0]));
    }
    for i in 0..N {
        high[i] = high[i].add(V::splat(EXP[4]).mul(s[i]));
    }
    for i in 0..N {
        low[i] = high[i].mul(s[i]).add(low[i]);
    }
    for i in 0..N {
        let e = low[i].mul(s[i]).add(V::splat(1.0).add(r[i]));
        z[i] = e.mul(z[i].exponent());
    }
    z
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
    let mut sums = [V::splat(0.0); 3];
    // The groups are added one after the other either way.
    let (wide, rest) = if V::WIDE {
        block.as_chunks::<WIDE>()
    } else {
        (&[][..], block)
    };
    for groups in wide {
        add_groups(&mut sums, groups, m, c);
    }
    for group in rest {
        add_groups(&mut sums, std::array::from_ref(group), m, c);
    }
    Sums {
        mass: stored(sums[0]),
        first: stored(sums[1]),
        second: stored(sums[2]),
    }
}

#[inline(always)]
fn add_groups<V: Lanes, const N: usize>(
    [mass, first, second]: &mut [V; 3],
    groups: &[Group; N],
    m: f32,
    c: f32,
) {
    let (m, c, floor) = (V::splat(m), V::splat(c), V::splat(FLOOR));
    let mut d = [floor; N];
    for i in 0..N {
        d[i] = V::load(&groups[i]).sub(m).max(floor);
    }
    let e = exp(&d);
    for i in 0..N {
        let u = d[i].sub(c);
        *mass = mass.add(e[i]);
        *first = first.add(e[i].mul(d[i]));
        *second = second.add(e[i].mul(u).mul(u));
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
        let [p, q] = exp(&[lp.max(floor), lq.max(floor)]);
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
