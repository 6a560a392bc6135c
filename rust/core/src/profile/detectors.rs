//! The eight detectors of a dialogue, each with a switch (S0-030) and a weight (S0-031).

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// One value for each of the eight detectors, under the names of S0-030.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    default,
    bound(deserialize = "T: Deserialize<'de>, PerDetector<T>: Default")
)]
pub struct PerDetector<T> {
    /// `dialogue.fabricated_fact`.
    pub fabricated_facts: T,
    /// `dialogue.nonexistent_entity`.
    pub nonexistent_entities: T,
    /// `dialogue.wrong_attribute`.
    pub wrong_attributes: T,
    /// `dialogue.contradicts_fact`.
    pub kb_contradictions: T,
    /// `dialogue.contradicts_prior`.
    pub history_contradictions: T,
    /// `dialogue.unsupported_claim`.
    pub unsupported_claims: T,
    /// `dialogue.temporal_error`.
    pub temporal_errors: T,
    /// `dialogue.logical_inconsistency`.
    pub logical_inconsistencies: T,
}

impl<T: Copy> PerDetector<T> {
    /// The same value for all.
    #[must_use]
    pub const fn all(value: T) -> Self {
        Self {
            fabricated_facts: value,
            nonexistent_entities: value,
            wrong_attributes: value,
            kb_contradictions: value,
            history_contradictions: value,
            unsupported_claims: value,
            temporal_errors: value,
            logical_inconsistencies: value,
        }
    }

    /// The value of the detector that makes findings of type `kind`; `None` for other types.
    #[must_use]
    pub fn of(&self, kind: &str) -> Option<T> {
        Some(match kind {
            "dialogue.fabricated_fact" => self.fabricated_facts,
            "dialogue.nonexistent_entity" => self.nonexistent_entities,
            "dialogue.wrong_attribute" => self.wrong_attributes,
            "dialogue.contradicts_fact" => self.kb_contradictions,
            "dialogue.contradicts_prior" => self.history_contradictions,
            "dialogue.unsupported_claim" => self.unsupported_claims,
            "dialogue.temporal_error" => self.temporal_errors,
            "dialogue.logical_inconsistency" => self.logical_inconsistencies,
            _ => return None,
        })
    }

    fn named(&self) -> [(&'static str, T); 8] {
        [
            ("fabricated_facts", self.fabricated_facts),
            ("nonexistent_entities", self.nonexistent_entities),
            ("wrong_attributes", self.wrong_attributes),
            ("kb_contradictions", self.kb_contradictions),
            ("history_contradictions", self.history_contradictions),
            ("unsupported_claims", self.unsupported_claims),
            ("temporal_errors", self.temporal_errors),
            ("logical_inconsistencies", self.logical_inconsistencies),
        ]
    }
}

impl Default for PerDetector<bool> {
    fn default() -> Self {
        Self::all(true)
    }
}

impl Default for PerDetector<f64> {
    fn default() -> Self {
        Self::all(1.0)
    }
}

impl PerDetector<f64> {
    /// Checks that every weight is a finite number of at least 0.
    ///
    /// # Errors
    /// `Argument` naming the detector.
    pub fn validate(&self) -> Result<()> {
        for (name, weight) in self.named() {
            if !weight.is_finite() || weight < 0.0 {
                return Err(Error::argument(format!(
                    "detector weight '{name}' is {weight}; it is a number of at least 0"
                )));
            }
        }
        Ok(())
    }
}
