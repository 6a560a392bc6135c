//! Risk tiers and their cut-offs.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::types::{Finding, Status, Tier};

/// Lowest risk of each tier. A finding is critical only if a source contradicts it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Cutoffs {
    /// Risk from which a finding is low.
    pub low: f64,
    /// … medium.
    pub medium: f64,
    /// … high.
    pub high: f64,
    /// … critical, if contradicted.
    pub critical: f64,
}

impl Default for Cutoffs {
    fn default() -> Self {
        Self {
            low: 0.20,
            medium: 0.45,
            high: 0.65,
            critical: 0.85,
        }
    }
}

impl Cutoffs {
    /// Checks that the cut-offs rise and lie in 0..1.
    ///
    /// # Errors
    /// `Argument` saying which does not.
    pub fn validate(&self) -> Result<()> {
        let all = [
            ("low", self.low),
            ("medium", self.medium),
            ("high", self.high),
            ("critical", self.critical),
        ];
        for (name, value) in all {
            if !(0.0..=1.0).contains(&value) {
                return Err(Error::argument(format!(
                    "tier cut-off '{name}' is {value}; cut-offs lie between 0 and 1"
                )));
            }
        }
        for pair in all.windows(2) {
            if pair[0].1 > pair[1].1 {
                return Err(Error::argument(format!(
                    "tier cut-off '{}' ({}) is above '{}' ({}); they must rise",
                    pair[0].0, pair[0].1, pair[1].0, pair[1].1
                )));
            }
        }
        Ok(())
    }

    /// The tier of a risk.
    #[must_use]
    pub fn tier(&self, risk: f64, contradicted: bool) -> Tier {
        if risk >= self.critical && contradicted {
            Tier::Critical
        } else if risk >= self.high {
            Tier::High
        } else if risk >= self.medium {
            Tier::Medium
        } else if risk >= self.low {
            Tier::Low
        } else {
            Tier::None
        }
    }
}

/// Tier by truth confidence `1 − p_hallucinated` (D-6, used under `strict_seed`): low from 0.7
/// to 0.8, medium from 0.5, high below, critical when contradicted.
#[must_use]
pub fn tier_of_confidence(truth: f64, contradicted: bool) -> Tier {
    if contradicted {
        Tier::Critical
    } else if truth < 0.5 {
        Tier::High
    } else if truth < 0.7 {
        Tier::Medium
    } else if truth <= 0.8 {
        Tier::Low
    } else {
        Tier::None
    }
}

/// Where something was looked for and not found; absence caps the tier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Absence {
    /// In an open world without evidence: stays below medium.
    OpenWorld,
    /// In the evidence supplied: stays below high.
    Evidence,
    /// In a world declared closed: no cap.
    ClosedWorld,
}

impl Absence {
    /// The absence a detector noted in `finding.extra`, if any.
    #[must_use]
    pub fn of(finding: &Finding) -> Option<Self> {
        let flag = |name: &str| {
            finding
                .extra
                .get(name)
                .and_then(serde_json::Value::as_bool)
                .unwrap_or(false)
        };
        flag("absence").then(|| {
            if flag("closed_world") {
                Self::ClosedWorld
            } else if flag("evidence_given") {
                Self::Evidence
            } else {
                Self::OpenWorld
            }
        })
    }

    /// Lowers `tier` to what absence allows. An absent fact alone never discards.
    #[must_use]
    pub fn cap(self, tier: Tier) -> Tier {
        tier.min(match self {
            Self::OpenWorld => Tier::Low,
            Self::Evidence => Tier::Medium,
            Self::ClosedWorld => Tier::High,
        })
    }
}

/// Whether a source says otherwise.
#[must_use]
pub fn contradicted(finding: &Finding) -> bool {
    finding.status == Status::Contradicted
}
