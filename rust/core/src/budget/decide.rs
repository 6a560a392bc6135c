//! Required, observed and missing information of one claim, and what follows from them.

use super::bernoulli::{Unit, check_eps, check_probability, clip, kl_nats};
use crate::error::{Error, Result};
use crate::types::{Interval, Status, Tier};

/// p1 below which a claim is contradicted whatever was believed before (D-5).
const CONTRADICTED_P1: f64 = 0.2;
/// With p0 above `CONTRADICTED_P0`, p1 below this is a contradiction too (D-5).
const CONTRADICTED_P1_FROM_BELIEF: f64 = 0.3;
/// See `CONTRADICTED_P1_FROM_BELIEF`.
const CONTRADICTED_P0: f64 = 0.5;

/// How a budget is drawn up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Params {
    /// Confidence the claim is stated with, τ; 0.95 by default.
    pub target: f64,
    /// Probabilities are clipped to [eps, 1 − eps]; 0.01 by default.
    pub eps: f64,
    /// Unit of every amount, the threshold included.
    pub unit: Unit,
    /// A gap above this is flagged; 5 for answers (the default), 2 for what goes into a memory.
    pub flag_threshold: f64,
    /// SPEC-08.05 word for word: flagged if and only if required exceeds observed.
    pub strict_seed: bool,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            target: 0.95,
            eps: 0.01,
            unit: Unit::Bits,
            flag_threshold: 5.0,
            strict_seed: false,
        }
    }
}

/// What a claim needs and what its evidence supplies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Budget {
    /// KL(τ ‖ p0).
    pub required: Interval,
    /// KL(p1 ‖ p0).
    pub observed: Interval,
    /// Required − observed, the two bounds taken one against the other as the published tools do.
    pub gap: Interval,
    /// The exact range of required − observed when both use the same p0; inside `gap`.
    pub gap_joint: Interval,
    /// How the claim stands to its evidence.
    pub status: Status,
    /// Whether the gap is certain to exceed the threshold and the claim is not a supported one.
    pub flagged: bool,
}

impl Budget {
    /// The budget profile's tier: contradicted is high, a flagged gap medium, supported none,
    /// everything else low. This profile never discards.
    #[must_use]
    pub fn tier(&self) -> Tier {
        match self.status {
            Status::Contradicted => Tier::High,
            _ if self.flagged => Tier::Medium,
            Status::Supported => Tier::None,
            _ => Tier::Low,
        }
    }
}

fn check_interval(name: &str, p: Interval) -> Result<()> {
    check_probability(name, p.lo)?;
    check_probability(name, p.hi)?;
    if p.lo > p.hi {
        let (lo, hi) = (p.lo, p.hi);
        return Err(Error::argument(format!(
            "{name}: the lower bound {lo} is above {hi}"
        )));
    }
    Ok(())
}

fn map(bounds: Interval, f: impl Fn(f64) -> f64) -> Interval {
    Interval::new(f(bounds.lo), f(bounds.hi))
}

/// Range of KL(τ ‖ p0): convex in p0 and zero at τ, so its least value is at the point of the
/// interval nearest τ and its greatest at an end.
fn required(target: f64, p0: Interval) -> Interval {
    let nearest = target.clamp(p0.lo, p0.hi);
    let hi = kl_nats(target, p0.lo).max(kl_nats(target, p0.hi));
    Interval::new(kl_nats(target, nearest), hi)
}

/// Range of KL(p1 ‖ p0): jointly convex, so greatest at a corner, and zero where the intervals
/// share a point.
fn observed(p0: Interval, p1: Interval) -> Interval {
    let (a, b) = if p1.lo > p0.hi {
        (p1.lo, p0.hi)
    } else if p1.hi < p0.lo {
        (p1.hi, p0.lo)
    } else {
        (p0.lo, p0.lo)
    };
    let hi = [
        (p1.lo, p0.lo),
        (p1.lo, p0.hi),
        (p1.hi, p0.lo),
        (p1.hi, p0.hi),
    ]
    .into_iter()
    .map(|(p, q)| kl_nats(p, q))
    .fold(0.0, f64::max);
    Interval::new(kl_nats(a, b), hi)
}

/// Range of KL(τ ‖ p0) − KL(p1 ‖ p0) over the box. For a fixed p1 it is linear in the log-odds of
/// p0, so both extremes lie at an end of p0; in p1 it is concave with its top at p1 = p0.
fn joint_gap(target: f64, p0: Interval, p1: Interval) -> Interval {
    let at = |q: f64, p: f64| {
        let gap = kl_nats(target, q) - kl_nats(p, q);
        if gap.is_nan() { 0.0 } else { gap }
    };
    let mut out = Interval::new(f64::INFINITY, f64::NEG_INFINITY);
    for q in [p0.lo, p0.hi] {
        out.lo = out.lo.min(at(q, p1.lo)).min(at(q, p1.hi));
        out.hi = out.hi.max(at(q, q.clamp(p1.lo, p1.hi)));
    }
    out
}

/// D-5, for the least favourable point of the box if `all`, for the most favourable otherwise.
fn contradicted(p0: Interval, p1: Interval, all: bool) -> bool {
    let (p0, p1) = if all { (p0.lo, p1.hi) } else { (p0.hi, p1.lo) };
    p1 < CONTRADICTED_P1 || (p0 > CONTRADICTED_P0 && p1 < CONTRADICTED_P1_FROM_BELIEF)
}

fn standing(p0: Interval, p1: Interval, gap: Interval, params: &Params) -> (Status, bool) {
    let over = gap.lo > params.flag_threshold;
    if contradicted(p0, p1, true) {
        return (Status::Contradicted, over);
    }
    let open = contradicted(p0, p1, false);
    if p1.lo >= params.target && !open {
        (Status::Supported, false)
    } else if over {
        (Status::NotInContext, true)
    } else if open || p1.hi >= params.target {
        (Status::Unverifiable, false)
    } else {
        (Status::NotInContext, false)
    }
}

/// Draws up the budget of one claim.
///
/// `p0`, `p1`: bounds of P(claim | no evidence) and P(claim | evidence); equal ends where exact.
/// The direction: a contradicted claim (p1 < 0.2, or p0 > 0.5 and p1 < 0.3) is `Contradicted`
/// whatever its gap; else p1 ≥ target is `Supported`; else the claim is `NotInContext`, flagged
/// when its gap is above `flag_threshold`, and p1 < p0 can never support it. Where the bounds
/// allow several of these it is `Unverifiable`. With `strict_seed` the bare rule of SPEC-08.05
/// decides: flagged and `NotInContext` if required > observed for all values within the bounds
/// taken independently, else `Supported`.
///
/// # Errors
/// `Argument` if a bound or the target is not in [0, 1], bounds are reversed, `eps` is not in
/// [0, 0.5) or the threshold is NaN.
pub fn budget(p0: Interval, p1: Interval, params: &Params) -> Result<Budget> {
    check_interval("p0", p0)?;
    check_interval("p1", p1)?;
    check_probability("target", params.target)?;
    check_eps(params.eps)?;
    if params.flag_threshold.is_nan() {
        return Err(Error::argument(
            "flag_threshold is a number of bits or nats, not NaN",
        ));
    }
    let (q0, q1) = (
        map(p0, |p| clip(p, params.eps)),
        map(p1, |p| clip(p, params.eps)),
    );
    let target = clip(params.target, params.eps);
    let unit = |amount: Interval| map(amount, |nats| params.unit.of_nats(nats));
    let required = unit(required(target, q0));
    let observed = unit(observed(q0, q1));
    // With nothing clipped both may be infinite; then nothing is known of the difference.
    let below = required.lo - observed.hi;
    let above = required.hi - observed.lo;
    let gap = Interval::new(
        if below.is_nan() {
            f64::NEG_INFINITY
        } else {
            below
        },
        if above.is_nan() { f64::INFINITY } else { above },
    );
    let exact = q0.lo == q0.hi && q1.lo == q1.hi && !below.is_nan();
    let gap_joint = if exact {
        gap
    } else {
        unit(joint_gap(target, q0, q1))
    };
    let (status, flagged) = if params.strict_seed {
        let flagged = required.lo > observed.hi;
        (
            if flagged {
                Status::NotInContext
            } else {
                Status::Supported
            },
            flagged,
        )
    } else {
        standing(p0, p1, gap_joint, params)
    };
    Ok(Budget {
        required,
        observed,
        gap,
        gap_joint,
        status,
        flagged,
    })
}
