//! Mass, mean and spread of a softmax, block by block.

use std::f64::consts::{LN_2, LOG2_E};

use super::kernels::{Sums, Totals, WHOLE};
use super::lanes::Group;
use super::simd::{self, Simd};

/// Adds up the lanes in a fixed tree, in units of a whole weight.
pub(super) fn fold(lanes: &Totals) -> f64 {
    let mut wide = *lanes;
    let mut width = wide.len() / 2;
    while width > 0 {
        for i in 0..width {
            wide[i] += wide[i + width];
        }
        width /= 2;
    }
    wide[0] / f64::from(WHOLE)
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

    /// Takes in a block whose greatest element but for NaN is `top`, not +∞. Gives whether it was
    /// summed, which a NaN does not survive; else nothing in it counts. Where `weights` has room
    /// for the block, each element's weight exp(x − m) is written there, times [`WHOLE`].
    pub fn push(
        &mut self,
        simd: Simd,
        block: &[Group],
        top: f32,
        mut weights: Option<&mut [Group]>,
    ) -> bool {
        if top > self.peak {
            self.raise(top);
            let holds = |group: &Group| group.iter().fold(false, |held, x| held | (*x == top));
            let at = block.iter().position(holds).unwrap_or(0);
            let lane = block[at].iter().position(|x| *x == top).unwrap_or(0);
            let mut group = block[at];
            group[lane] = f32::NEG_INFINITY;
            let before = *self;
            let centre = self.centre();
            self.add_around(simd, block, (at, &group), centre, weights.as_deref_mut());
            // Where the mean moved far, sum again about the new one.
            let moved = self.mean() - f64::from(centre) * LN_2;
            if moved * moved > FAR * self.varentropy() {
                let centre = self.centre();
                *self = before;
                self.add_around(simd, block, (at, &group), centre, weights.as_deref_mut());
            }
            if let Some(weights) = weights {
                weights[at][lane] = WHOLE;
            }
            true
        } else if top - self.peak > NOTHING {
            self.add_part(simd, block, self.centre(), weights);
            true
        } else {
            if let Some(weights) = weights {
                weights.as_flattened_mut().fill(0.0);
            }
            false
        }
    }

    /// Adds a block with another group in place of the one at `other.0`.
    fn add_around(
        &mut self,
        simd: Simd,
        block: &[Group],
        other: (usize, &Group),
        centre: f32,
        weights: Option<&mut [Group]>,
    ) {
        let (at, group) = other;
        let (before, after) = (&block[..at], &block[at + 1..]);
        let alone = std::slice::from_ref(group);
        let Some(weights) = weights else {
            for part in [before, alone, after] {
                self.add_part(simd, part, centre, None);
            }
            return;
        };
        let (left, right) = weights.split_at_mut(at);
        let (middle, right) = right.split_at_mut(1);
        for (part, weights) in [(before, left), (alone, middle), (after, right)] {
            self.add_part(simd, part, centre, Some(weights));
        }
    }

    fn add_part(&mut self, simd: Simd, part: &[Group], centre: f32, weights: Option<&mut [Group]>) {
        let sums = match weights {
            Some(weights) => simd::weights(simd, part, self.peak, centre, weights),
            None => simd::sums(simd, part, self.peak, centre),
        };
        self.add(&sums, centre);
    }

    /// The mean as the kernels take it: halvings, not nats.
    fn centre(&self) -> f32 {
        (self.mean() * LOG2_E) as f32
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
        let centre = f64::from(centre) * LN_2;
        let mass = fold(&sums.mass);
        self.second = self.about(centre) + fold(&sums.second) * (LN_2 * LN_2);
        self.centre = centre;
        self.mass += mass;
        self.first += fold(&sums.first) * LN_2 + centre * mass;
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
