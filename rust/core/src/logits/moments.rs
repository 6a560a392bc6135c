//! Mass, mean and spread of a softmax, block by block.

use super::kernels::Sums;
use super::lanes::{Group, LANES};
use super::row::{GROUPS, Scratch};
use super::simd::{self, Simd};

/// Adds up the lanes in a fixed tree.
pub(super) fn fold(lanes: &Group) -> f64 {
    let mut wide: [f64; LANES] = lanes.map(f64::from);
    let mut width = LANES / 2;
    while width > 0 {
        for i in 0..width {
            wide[i] += wide[i + width];
        }
        width /= 2;
    }
    wide[0]
}

/// Below this distance from the peak everything counts as 0.
const NOTHING: f32 = -88.1;

/// A centre this many variances (squared distance) from the mean costs too many digits.
const FAR: f64 = 4.0;

/// Sums over a row with e = exp(x − m), m the greatest element so far.
///
/// One element equal to m is left out of them: it weighs exactly 1, and a tail of 1e-9 would
/// vanish beside it. The second moment is taken about `centre`, close to the mean: about m, the
/// variance of a flat row with one outlier would drown in rounding.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moments {
    /// m; −∞ while everything is masked.
    pub peak: f32,
    /// Σ e, one peak left out.
    pub mass: f64,
    /// Σ e (x − m).
    first: f64,
    /// Σ e (x − m − centre)², that peak left out.
    second: f64,
    centre: f64,
}

impl Moments {
    pub fn new() -> Self {
        Self {
            peak: f32::NEG_INFINITY,
            mass: 0.0,
            first: 0.0,
            second: 0.0,
            centre: 0.0,
        }
    }

    /// Takes in a block whose greatest element is `top`, neither NaN nor +∞.
    pub fn push(&mut self, simd: Simd, block: &[Group], top: f32) {
        if top > self.peak {
            self.raise(top);
            let mut scratch = Scratch([[0.0; LANES]; GROUPS]);
            let rest = &mut scratch.0[..block.len()];
            rest.copy_from_slice(block);
            let holds = |group: &Group| group.iter().fold(false, |held, x| held | (*x == top));
            let group = rest.iter_mut().find(|group| holds(group));
            if let Some(peak) = group.and_then(|g| g.iter_mut().find(|x| **x == top)) {
                *peak = f32::NEG_INFINITY;
            }
            let before = *self;
            let centre = self.mean() as f32;
            self.add(&simd::sums(simd, rest, top, centre), centre);
            // Where the mean moved far, sum again about the new one.
            let moved = self.mean() - f64::from(centre);
            if moved * moved > FAR * self.varentropy() {
                let centre = self.mean() as f32;
                *self = before;
                self.add(&simd::sums(simd, rest, top, centre), centre);
            }
        } else if top - self.peak > NOTHING {
            let centre = self.mean() as f32;
            self.add(&simd::sums(simd, block, self.peak, centre), centre);
        }
    }

    /// Makes `peak` the reference; the old peak joins the sums.
    fn raise(&mut self, peak: f32) {
        if self.peak > f32::NEG_INFINITY {
            let shift = f64::from(self.peak) - f64::from(peak);
            let scale = shift.exp();
            let total = 1.0 + self.mass;
            self.second = scale * (self.second + self.centre * self.centre);
            self.first = scale * (self.first + shift * total);
            self.mass = scale * total;
            self.centre += shift;
        }
        // −0 and 0 compare equal; which one comes first must not show.
        self.peak = peak + 0.0;
    }

    fn about(&self, centre: f64) -> f64 {
        let shift = self.centre - centre;
        let spread = 2.0 * shift * (self.first - self.centre * self.mass);
        self.second + spread + shift * shift * self.mass
    }

    fn add(&mut self, sums: &Sums, centre: f32) {
        let centre = f64::from(centre);
        self.second = self.about(centre) + fold(&sums.second);
        self.centre = centre;
        self.mass += fold(&sums.mass);
        self.first += fold(&sums.first);
    }

    /// Mean of x − m.
    fn mean(&self) -> f64 {
        self.first / (1.0 + self.mass)
    }

    /// ln Σ exp(x − m).
    pub fn log_mass(&self) -> f64 {
        self.mass.ln_1p()
    }

    /// −Σ p ln p, nats.
    pub fn entropy(&self) -> f64 {
        (self.log_mass() - self.mean()).max(0.0)
    }

    /// Variance of −ln p, nats².
    pub fn varentropy(&self) -> f64 {
        let mean = self.mean();
        ((self.about(mean) + mean * mean) / (1.0 + self.mass)).max(0.0)
    }
}
