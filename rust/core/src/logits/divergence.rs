//! KL between two rows, block by block, from the weights that their moments were made of.

use super::kernels::{Beside, DEEP, open};
use super::moments::{Moments, fold};
use super::simd::{self, Simd};

/// A δ above this is of a masked token in the prior, or of logits that may as well be masks.
const WIDE: f32 = 1e29;

/// Logsumexps this far apart tell that the rows have little in common but their shape.
const FAR: f32 = 16.0;

/// A centre that moves up by more than this takes what came before with it as a sum of its own:
/// beside exp(30) the rest of [`bend`] is below the last bit.
const FAR_MOVED: f64 = 30.0;

/// exp(−h) − 1 + h.
fn bend(h: f64) -> f64 {
    (-h).exp_m1() + h
}

/// KL of what was read of two rows so far.
///
/// With e the row's weights, M their sum and δ = ln p − ln q, KL = Σ e (exp(−δ) − 1 + δ) / M: no
/// term is negative. About another centre than the difference of the two logsumexps, h away, the
/// sum is greater by M (exp(−h) − 1 + h), whatever the rows: so each block is summed about the
/// centre as known then, and what came before is moved to it without loss.
#[derive(Debug, Clone, Copy)]
pub(super) struct Divergence {
    /// Σ e (exp(−δ) − 1 + δ), δ about the difference of the logsumexps so far.
    sum: f64,
    /// M.
    mass: f64,
    /// The peak that the weights are relative to.
    peak: f64,
    /// The prior's logsumexp so far.
    prior: f64,
    /// The row's logsumexp so far less the prior's.
    centre: f64,
    /// The prior masks a token that the row does not.
    open: bool,
}

impl Divergence {
    pub fn new() -> Self {
        Self {
            sum: 0.0,
            mass: 0.0,
            peak: f64::NEG_INFINITY,
            prior: f64::NEG_INFINITY,
            centre: 0.0,
            open: false,
        }
    }

    /// Takes in a block of the two rows, which their moments have taken in already.
    pub fn push(&mut self, simd: Simd, block: Beside<'_>, row: &Moments, prior: &Moments) {
        let (peak, peak0) = (f64::from(row.peak), f64::from(prior.peak));
        let all0 = peak0 + prior.log_mass();
        // The lowest floats are masks like any other.
        if peak <= f64::from(DEEP) {
            self.prior = all0;
            return;
        }
        if peak0 == f64::NEG_INFINITY {
            self.open = true;
        }
        if self.open {
            return;
        }
        // Differences first: logits may be large and the masses close to each other.
        let centre = (peak - peak0) + (row.log_mass() - prior.log_mass());
        let near = centre as f32;
        let rounded = f64::from(near);
        let (shift, moved) = ((self.peak - peak).exp(), self.centre - rounded);
        // What the prior holds of what came before, in the row's weights: M exp(−h) of it.
        let held = || (self.prior - peak + rounded).exp();
        let carried = if self.mass == 0.0 {
            // Where the row was masked so far only the prior counts.
            held()
        } else if moved < -FAR_MOVED {
            // exp(−h) alone would overflow where the weights of before are next to nothing.
            shift * (self.sum + self.mass * (moved - 1.0)) + held()
        } else {
            shift * (self.sum + self.mass * bend(moved))
        };
        // Rows that lie far apart are brought together before differences are taken; for others
        // that would only round once more.
        let parts = if near.abs() < FAR {
            [0.0, near]
        } else {
            [near, 0.0]
        };
        let scale = (peak0 - peak + rounded).exp() as f32;
        let (lanes, widest) = simd::divergence(simd, block, parts, scale);
        self.open = widest > WIDE && open(block.a, block.b);
        self.mass = 1.0 + row.mass;
        self.sum = carried + fold(&lanes) - self.mass * bend(centre - rounded);
        (self.peak, self.prior, self.centre) = (peak, all0, centre);
    }

    /// KL, nats.
    pub fn nats(&self) -> f64 {
        if self.open {
            return f64::INFINITY;
        }
        if self.mass == 0.0 {
            return 0.0;
        }
        let kl = self.sum / self.mass;
        // Rounding may leave a little below 0; what is no number stays none.
        if kl < 0.0 { 0.0 } else { kl }
    }
}
