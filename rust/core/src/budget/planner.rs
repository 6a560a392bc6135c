//! Published decision rules built on the Bernoulli divergence, natural logarithms throughout.
//!
//! EDFL is the expectation-level decompression law of arXiv 2509.11208 as hallbayes applies it:
//! how much information a prompt carries over weakened versions of itself, against what an
//! answer at error rate h* would need. QMV is its quantile form over permuted prompts.

use super::bernoulli::{check_probability, clip, kl_nats};
use crate::error::{Error, Result};

/// Clip of probabilities in QMV.
const QMV_EPS: f64 = 1e-9;

/// Nats that an answer with error rate `h_star` needs above the prior `q_lo`: KL(1 − h* ‖ q_lo),
/// and 0 where the prior is already at or above 1 − h*.
///
/// # Errors
/// `Argument` if either is not a probability.
pub fn bits_to_trust(h_star: f64, q_lo: f64) -> Result<f64> {
    check_probability("h_star", h_star)?;
    check_probability("q_lo", q_lo)?;
    let target = 1.0 - h_star;
    Ok(if q_lo >= target {
        0.0
    } else {
        kl_nats(target, q_lo)
    })
}

/// Mean over the weakened prompts of ln p − ln `weak`, each clipped to [0, `cap`].
///
/// # Errors
/// `Argument` if `weak` is empty, a value is not a probability, or `cap` is negative or no number.
pub fn mean_lift(p: f64, weak: &[f64], cap: f64) -> Result<f64> {
    check_probability("p", p)?;
    nonempty("weak", weak)?;
    if cap.is_nan() || cap < 0.0 {
        return Err(Error::argument(format!(
            "cap is 0 or more, in nats, not {cap}"
        )));
    }
    let mut sum = 0.0;
    for &s in weak {
        check_probability("weak", s)?;
        let ratio = if p == 0.0 {
            0.0
        } else if s == 0.0 {
            cap
        } else {
            (p / s).ln()
        };
        sum += ratio.clamp(0.0, cap);
    }
    Ok(sum / weak.len() as f64)
}

/// Information sufficiency ratio: what is there over what is needed; infinite if nothing is.
#[must_use]
pub fn sufficiency(lift: f64, needed: f64) -> f64 {
    if needed > 0.0 {
        lift / needed
    } else {
        f64::INFINITY
    }
}

/// The highest success probability that `lift` nats allow from the prior `q`: the largest p
/// with KL(p ‖ q) ≤ lift.
///
/// # Errors
/// `Argument` if `q` is not a probability or `lift` is negative or NaN.
pub fn p_max(lift: f64, q: f64) -> Result<f64> {
    check_probability("q", q)?;
    if lift.is_nan() || lift < 0.0 {
        return Err(Error::argument(format!(
            "lift is at least 0 nats, not {lift}"
        )));
    }
    if kl_nats(1.0, q) <= lift {
        return Ok(1.0);
    }
    let (mut lo, mut hi) = (q, 1.0);
    // The interval halves each time; 64 steps exhaust a double.
    for _ in 0..64 {
        let mid = f64::midpoint(lo, hi);
        if kl_nats(mid, q) <= lift {
            lo = mid;
        } else {
            hi = mid;
        }
    }
    Ok(lo)
}

/// Upper end of Wilson's score interval for `failures` in `n` trials, `z` standard deviations
/// (1.96 for 95 %).
///
/// # Errors
/// `Argument` if `n` is 0, `failures` exceeds it or `z` is not a positive number.
pub fn wilson_upper(failures: u32, n: u32, z: f64) -> Result<f64> {
    if n == 0 || failures > n || z.is_nan() || z <= 0.0 {
        return Err(Error::argument(
            "wilson_upper takes failures ≤ n, n > 0 and z > 0",
        ));
    }
    let (n, z2) = (f64::from(n), z * z);
    let p = f64::from(failures) / n;
    let spread = z * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    Ok(((p + z2 / (2.0 * n) + spread) / (1.0 + z2 / n)).min(1.0))
}

/// What QMV makes of the answers under permuted prompts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Qmv {
    /// The 5 % quantile of the permuted probabilities.
    pub q_lo: f64,
    /// Nats needed above it.
    pub needed: f64,
    /// Mean KL(p_ref ‖ q_k) over `needed`.
    pub sufficiency: f64,
    /// Jensen–Shannon divergence of the permuted answers: mean KL(q_k ‖ q̄).
    pub jsd: f64,
    /// Pinsker's bound on their mean deviation: √(jsd / 2).
    pub bound: f64,
    /// Their mean absolute deviation from q̄.
    pub deviation: f64,
    /// Answer rather than abstain.
    pub answer: bool,
}

/// QMV: `q` are P(yes) under permuted prompts, `p_ref` under the reference prompt, `h_star` the
/// error rate aimed at.
///
/// # Errors
/// `Argument` if `q` is empty or a value is not a probability.
pub fn qmv(p_ref: f64, q: &[f64], h_star: f64) -> Result<Qmv> {
    check_probability("p_ref", p_ref)?;
    nonempty("q", q)?;
    let mut sorted = Vec::with_capacity(q.len());
    for &p in q {
        check_probability("q", p)?;
        sorted.push(clip(p, QMV_EPS));
    }
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len() as f64;
    let q_lo = sorted[((sorted.len() - 1) as f64 * 0.05) as usize];
    let reference = clip(p_ref, QMV_EPS);
    let needed = bits_to_trust(h_star, q_lo)?;
    let mean = sorted.iter().sum::<f64>() / n;
    let informed = sorted.iter().map(|&p| kl_nats(reference, p)).sum::<f64>() / n;
    let jsd = sorted.iter().map(|&p| kl_nats(p, mean)).sum::<f64>() / n;
    let deviation = sorted.iter().map(|p| (p - mean).abs()).sum::<f64>() / n;
    let sufficiency = sufficiency(informed, needed);
    let safe = p_ref > 1.0 - h_star && q_lo > 1.0 - h_star;
    let answer = (needed > 0.0 && sufficiency > 1.0) || safe;
    Ok(Qmv {
        q_lo,
        needed,
        sufficiency,
        jsd,
        bound: (jsd / 2.0).sqrt(),
        deviation,
        answer,
    })
}

fn nonempty(name: &str, values: &[f64]) -> Result<()> {
    if values.is_empty() {
        return Err(Error::argument(format!(
            "{name} is empty; give at least one probability"
        )));
    }
    Ok(())
}
