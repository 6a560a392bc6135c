//! The exact rules of each system on top of the one model: which types count, what tier a
//! finding has, and the verdict over all of them.

mod detectors;
mod verdict;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::error::{Category, Error, Result};
use crate::score::Weights;
use crate::tier::{Absence, Cutoffs, contradicted, tier_of_confidence};
use crate::types::{Finding, MAX_TIER, Modality, Severity, Status, Tier};

pub use detectors::PerDetector;
pub use verdict::{ProfileVerdict, VerdictStatus};

/// What happens to a stream whose monitoring failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailurePolicy {
    /// It goes on, marked as unverified.
    Continue,
    /// It stops.
    Stop,
}

/// One system's rules.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Name: `stream`, `dialogue`, `budget` or one of your own.
    pub name: String,
    /// Systems whose findings it owns.
    pub systems: Vec<String>,
    /// Types it ignores.
    #[serde(default)]
    pub disabled: Vec<String>,
    /// Which of the eight dialogue detectors run (S0-030).
    #[serde(default)]
    pub enabled_detectors: PerDetector<bool>,
    /// What each detector's risk is multiplied by (S0-031); a risk stays at most 1.
    #[serde(default)]
    pub detector_weights: PerDetector<f64>,
    /// `p_hallucinated` below which a finding is dropped (S0-037).
    #[serde(default)]
    pub detection_threshold: f64,
    /// Base severities that replace the registry's, by type.
    #[serde(default)]
    pub base_severity: BTreeMap<String, f64>,
    /// Tier cut-offs.
    #[serde(default)]
    pub cutoffs: Cutoffs,
    /// Score weights.
    #[serde(default)]
    pub weights: Weights,
    /// What happens when monitoring fails.
    pub failure: FailurePolicy,
    /// Modalities that are not checked.
    pub excluded: Vec<Modality>,
    /// `p_hallucinated` from which a finding counts towards regeneration (S0-076, D-1).
    pub regenerate_threshold: f64,
    /// `p_hallucinated` from which a pattern interrupts (S4-017, D-6).
    pub interruption_threshold: f64,
    /// Bits of gap from which a budget finding is medium (SPEC-08.34d, D-5).
    pub flag_threshold_bits: f64,
    /// The seed document's literal rules instead of the mended ones.
    #[serde(default)]
    pub strict_seed: bool,
}

impl Profile {
    fn base(name: &str) -> Self {
        Self {
            name: name.into(),
            systems: vec![name.into()],
            disabled: Vec::new(),
            enabled_detectors: PerDetector::default(),
            detector_weights: PerDetector::default(),
            detection_threshold: 0.0,
            base_severity: BTreeMap::new(),
            cutoffs: Cutoffs::default(),
            weights: Weights::default(),
            failure: FailurePolicy::Continue,
            excluded: vec![Modality::Question, Modality::Instruction],
            regenerate_threshold: 0.9,
            interruption_threshold: 0.8,
            flag_threshold_bits: 5.0,
            strict_seed: false,
        }
    }

    /// Patterns, names, numbers and support, while the answer is written (seed 004).
    #[must_use]
    pub fn stream() -> Self {
        Self::base("stream")
    }

    /// Knowledge base and dialogue (seed 000), with the detection threshold of D-1.
    #[must_use]
    pub fn dialogue() -> Self {
        Self {
            detection_threshold: 0.5,
            ..Self::base("dialogue")
        }
    }

    /// Information budgets (SPEC-08); never discards.
    #[must_use]
    pub fn budget() -> Self {
        let mut profile = Self::base("budget");
        profile.excluded = vec![Modality::Question, Modality::Instruction, Modality::Hedged];
        profile
    }

    /// The built-in profile of that name.
    ///
    /// # Errors
    /// `NotFound` naming those that exist.
    pub fn named(name: &str) -> Result<Self> {
        match name {
            "stream" => Ok(Self::stream()),
            "dialogue" => Ok(Self::dialogue()),
            "budget" => Ok(Self::budget()),
            _ => Err(Error::new(
                Category::NotFound,
                format!("no profile '{name}'; there are stream, dialogue and budget"),
            )),
        }
    }

    /// Checks ranges and types.
    ///
    /// # Errors
    /// `Argument` naming the field.
    pub fn validate(&self) -> Result<()> {
        self.cutoffs.validate()?;
        self.weights.validate()?;
        self.detector_weights.validate()?;
        for (name, value) in [
            ("detection_threshold", self.detection_threshold),
            ("regenerate_threshold", self.regenerate_threshold),
            ("interruption_threshold", self.interruption_threshold),
        ] {
            if !(0.0..=1.0).contains(&value) {
                return Err(Error::argument(format!(
                    "profile '{}': {name} is {value}; it lies between 0 and 1",
                    self.name
                )));
            }
        }
        for (kind, value) in &self.base_severity {
            if !(0.0..=1.0).contains(value) {
                return Err(Error::argument(format!(
                    "profile '{}': base severity of '{kind}' is {value}; it lies between 0 and 1",
                    self.name
                )));
            }
        }
        if self.flag_threshold_bits.is_nan() || self.flag_threshold_bits < 0.0 {
            return Err(Error::argument(format!(
                "profile '{}': flag_threshold_bits is {}; it is at least 0",
                self.name, self.flag_threshold_bits
            )));
        }
        Ok(())
    }

    /// Whether this profile judges findings of that system and type.
    #[must_use]
    pub fn owns(&self, finding: &Finding) -> bool {
        self.systems.contains(&finding.system) && !self.disabled.contains(&finding.kind)
    }

    /// Whether the detector of that type runs here.
    #[must_use]
    pub fn runs(&self, kind: &str) -> bool {
        self.enabled_detectors.of(kind).unwrap_or(true)
            && !self.disabled.iter().any(|other| other == kind)
    }

    /// Whether a finding of this profile's systems is reported: its detector runs and it is
    /// probable enough.
    #[must_use]
    pub fn reports(&self, finding: &Finding) -> bool {
        self.runs(&finding.kind) && finding.p_hallucinated >= self.detection_threshold
    }

    /// `score × p_hallucinated × detector weight`, at most 1.
    #[must_use]
    pub fn risk(&self, finding: &Finding) -> f64 {
        let weight = self.detector_weights.of(&finding.kind).unwrap_or(1.0);
        (finding.score * finding.p_hallucinated * weight).min(1.0)
    }

    /// Whether claims said that way are left out.
    #[must_use]
    pub fn excludes(&self, modality: Modality) -> bool {
        self.excluded.contains(&modality)
    }

    /// The tier of a finding whose score and risk are set; `Tier::None` if it is not this
    /// profile's.
    #[must_use]
    pub fn tier(&self, finding: &Finding) -> Tier {
        if !self.owns(finding)
            || matches!(finding.status, Status::Supported | Status::Excluded)
            || finding.severity == Severity::Info
        {
            return Tier::None;
        }
        if finding.system == "budget" {
            return self.budget_tier(finding);
        }
        let contradicted = contradicted(finding);
        if self.strict_seed && finding.system == "stream" {
            return tier_of_confidence(1.0 - finding.p_hallucinated, contradicted);
        }
        let mut tier = self.cutoffs.tier(finding.risk, contradicted);
        if finding.p_hallucinated > self.interruption_threshold
            && finding.extra.contains_key("pattern")
        {
            tier = tier.max(Tier::High);
        }
        let tier = Absence::of(finding).map_or(tier, |absence| absence.cap(tier));
        let named = |key: &str| finding.extra.get(key).and_then(serde_json::Value::as_str);
        let most = named(MAX_TIER).filter(|_| !self.strict_seed);
        let tier = tier.min(most.and_then(Tier::parse).unwrap_or(Tier::Critical));
        let least = named("min_tier");
        tier.max(least.and_then(Tier::parse).unwrap_or(Tier::None))
    }

    fn budget_tier(&self, finding: &Finding) -> Tier {
        match finding.status {
            Status::Contradicted => Tier::High,
            _ if self.strict_seed => Tier::Medium,
            _ => {
                let gap = finding
                    .extra
                    .get("gap_bits")
                    .and_then(serde_json::Value::as_f64);
                if gap.is_some_and(|gap| gap > self.flag_threshold_bits) {
                    Tier::Medium
                } else {
                    Tier::Low
                }
            }
        }
    }
}
