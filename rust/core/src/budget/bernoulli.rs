//! The divergence between two coins.

use std::f64::consts::LN_2;

use crate::error::{Error, Result};

/// In what an amount of information is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Unit {
    /// Base-2 logarithms.
    #[default]
    Bits,
    /// Natural logarithms.
    Nats,
}

impl Unit {
    /// The unit named `"bits"` or `"nats"`.
    ///
    /// # Errors
    /// `Argument` for any other name.
    pub fn parse(name: &str) -> Result<Self> {
        match name {
            "bits" => Ok(Self::Bits),
            "nats" => Ok(Self::Nats),
            _ => Err(Error::argument(format!(
                "unit is \"bits\" or \"nats\", not {name:?}"
            ))),
        }
    }

    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Bits => "bits",
            Self::Nats => "nats",
        }
    }

    /// An amount given in nats, in this unit.
    #[must_use]
    pub fn of_nats(self, nats: f64) -> f64 {
        match self {
            Self::Bits => nats / LN_2,
            Self::Nats => nats,
        }
    }
}

/// Refuses what is no probability.
pub(super) fn check_probability(name: &str, p: f64) -> Result<()> {
    if (0.0..=1.0).contains(&p) {
        Ok(())
    } else {
        Err(Error::argument(format!(
            "{name} is a probability between 0 and 1, not {p}"
        )))
    }
}

/// Refuses a clip that would leave nothing of the unit interval.
pub(super) fn check_eps(eps: f64) -> Result<()> {
    if (0.0..0.5).contains(&eps) {
        Ok(())
    } else {
        Err(Error::argument(format!(
            "eps is at least 0 and below 0.5, not {eps}"
        )))
    }
}

/// `p` moved into [eps, 1 − eps].
pub(super) fn clip(p: f64, eps: f64) -> f64 {
    p.clamp(eps, 1.0 - eps)
}

/// One outcome's part, `p ln(p/q)`, without cancellation when p is close to q.
fn part(p: f64, q: f64) -> f64 {
    if p == 0.0 {
        0.0
    } else if q == 0.0 {
        f64::INFINITY
    } else {
        let excess = (p - q) / q;
        p * if excess.abs() < 0.5 {
            excess.ln_1p()
        } else {
            (p / q).ln()
        }
    }
}

/// KL(Ber(p) ‖ Ber(q)) in nats; both already inside [0, 1].
pub(super) fn kl_nats(p: f64, q: f64) -> f64 {
    if p == q {
        return 0.0;
    }
    (part(p, q) + part(1.0 - p, 1.0 - q)).max(0.0)
}

/// KL(Ber(`p`) ‖ Ber(`q`)), both clipped to [`eps`, 1 − `eps`] first (SPEC-08.06).
///
/// `eps` 0.01 is this project's default (D-5), 1e-12 that of the published tools. With `eps` 0
/// nothing is clipped and the result may be infinite. Never negative.
///
/// # Errors
/// `Argument` if `p` or `q` is not in [0, 1] or `eps` not in [0, 0.5).
pub fn kl_bernoulli(p: f64, q: f64, eps: f64, unit: Unit) -> Result<f64> {
    check_probability("p", p)?;
    check_probability("q", q)?;
    check_eps(eps)?;
    Ok(unit.of_nats(kl_nats(clip(p, eps), clip(q, eps))))
}
