//! The open registry of finding types.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::error::{Category, Error, Result};
use crate::types::Severity;

/// A type of finding.
#[derive(Debug, Clone, PartialEq)]
pub struct TypeInfo {
    /// Namespaced name ("dialogue.wrong_attribute").
    pub name: String,
    /// The system it belongs to; the part of the name before the dot.
    pub system: String,
    /// Base severity, 0..=1, where the score starts.
    pub base_severity: f64,
    /// On the common scale.
    pub severity: Severity,
    /// The system's own label.
    pub native_label: String,
    /// One line for people.
    pub description: String,
}

/// All known types.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Registry {
    types: BTreeMap<String, TypeInfo>,
}

/// Name, base severity, severity, native label, description.
type Row = (&'static str, f64, Severity, &'static str, &'static str);

const BUILTIN: &[Row] = &[
    // S0-005..012; U-3 puts HIGH and MEDIUM-HIGH at high.
    (
        "dialogue.fabricated_fact",
        0.95,
        Severity::High,
        "HIGH",
        "This fact could not be verified",
    ),
    (
        "dialogue.nonexistent_entity",
        0.90,
        Severity::High,
        "HIGH",
        "This entity could not be found",
    ),
    (
        "dialogue.wrong_attribute",
        0.75,
        Severity::High,
        "MEDIUM-HIGH",
        "This attribute appears incorrect",
    ),
    (
        "dialogue.contradicts_fact",
        0.95,
        Severity::High,
        "HIGH",
        "This contradicts known information",
    ),
    (
        "dialogue.contradicts_prior",
        0.80,
        Severity::High,
        "MEDIUM-HIGH",
        "This contradicts earlier in the conversation",
    ),
    (
        "dialogue.unsupported_claim",
        0.50,
        Severity::Medium,
        "MEDIUM",
        "This claim has no supporting evidence",
    ),
    (
        "dialogue.temporal_error",
        0.65,
        Severity::Medium,
        "MEDIUM",
        "The timeline appears incorrect",
    ),
    (
        "dialogue.logical_inconsistency",
        0.60,
        Severity::Medium,
        "MEDIUM",
        "This contains a logical contradiction",
    ),
    // The stream's own, decided at the word or the sentence.
    (
        "stream.unknown_entity",
        0.70,
        Severity::Medium,
        "medium",
        "This name is not known here",
    ),
    (
        "stream.unsupported_number",
        0.75,
        Severity::Medium,
        "medium",
        "No source given here says this number",
    ),
    (
        "stream.unsupported_sentence",
        0.70,
        Severity::Medium,
        "medium",
        "The evidence does not say this",
    ),
    (
        "stream.unsupported_span",
        0.25,
        Severity::Low,
        "low",
        "The evidence does not say this so far",
    ),
    (
        "stream.altered_detail",
        0.60,
        Severity::Medium,
        "medium",
        "The evidence does not have this word here",
    ),
    (
        "stream.quantity_conflict",
        0.85,
        Severity::High,
        "high",
        "The evidence says another value",
    ),
    (
        "stream.contradicts_evidence",
        0.85,
        Severity::High,
        "high",
        "The evidence says the opposite",
    ),
    (
        "stream.goalpost",
        0.30,
        Severity::Low,
        "low",
        "A value or quantifier moved without a marked correction",
    ),
    (
        "stream.specificity_drift",
        0.30,
        Severity::Low,
        "low",
        "The text grows more specific without a source",
    ),
    (
        "stream.concept_drift",
        0.30,
        Severity::Low,
        "low",
        "A concept became another",
    ),
    (
        "stream.low_confidence",
        0.60,
        Severity::Medium,
        "medium",
        "The model is unsure over a long stretch",
    ),
    (
        "stream.verifier_contradicted",
        0.90,
        Severity::High,
        "high",
        "A verifier contradicts this claim",
    ),
    (
        "stream.verifier_unsupported",
        0.70,
        Severity::Medium,
        "medium",
        "A verifier found no support for this claim",
    ),
    (
        "stream.detector_failed",
        0.60,
        Severity::Low,
        "low",
        "A detector failed, so that the answer is not checked in full",
    ),
    (
        "stream.verifier_failed",
        0.60,
        Severity::Low,
        "low",
        "A verifier failed, so that this claim is unverified",
    ),
    (
        "stream.unsourced_authority",
        0.65,
        Severity::Medium,
        "medium",
        "Research or experts are cited without being named",
    ),
    (
        "stream.pattern",
        0.60,
        Severity::Medium,
        "medium",
        "A rule matched this text",
    ),
    // S3: a contradicted claim is high, a gap above the threshold medium.
    (
        "budget.gap",
        0.60,
        Severity::Medium,
        "medium",
        "The evidence carries less information than this claim needs",
    ),
    (
        "budget.contradicted",
        0.85,
        Severity::High,
        "high",
        "The evidence makes this claim less likely",
    ),
];

/// Base severity of a type nobody has registered.
const UNREGISTERED: f64 = 0.60;

impl Registry {
    /// The types groundwire ships.
    #[must_use]
    pub fn builtin() -> &'static Self {
        static BUILT: OnceLock<Registry> = OnceLock::new();
        BUILT.get_or_init(|| {
            let types = BUILTIN
                .iter()
                .map(|(name, base, severity, label, description)| {
                    let info = TypeInfo {
                        name: (*name).to_owned(),
                        system: system_of(name).to_owned(),
                        base_severity: *base,
                        severity: *severity,
                        native_label: (*label).to_owned(),
                        description: (*description).to_owned(),
                    };
                    (info.name.clone(), info)
                });
            Registry {
                types: types.collect(),
            }
        })
    }

    /// The type of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&TypeInfo> {
        self.types.get(name)
    }

    /// How bad a finding of that name is by itself, registered or not.
    #[must_use]
    pub fn base_severity(&self, name: &str) -> f64 {
        self.get(name)
            .map_or(UNREGISTERED, |info| info.base_severity)
    }

    /// The type of that name; a medium one of the same system where nobody registered it.
    #[must_use]
    pub fn get_or_default(&self, name: &str) -> TypeInfo {
        self.get(name).cloned().unwrap_or_else(|| TypeInfo {
            name: name.to_owned(),
            system: system_of(name).to_owned(),
            base_severity: UNREGISTERED,
            severity: Severity::Medium,
            native_label: "medium".to_owned(),
            description: name
                .split_once('.')
                .map_or(name, |(_, kind)| kind)
                .replace('_', " "),
        })
    }

    /// Adds a type, or changes one of the same name.
    ///
    /// # Errors
    /// `Config` where the name is not `system.kind` in lower case or the severity is not 0..=1.
    pub fn register(&mut self, info: TypeInfo) -> Result<()> {
        let part = |text: &str| {
            !text.is_empty()
                && text
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
        };
        let named = info
            .name
            .split_once('.')
            .is_some_and(|(a, b)| part(a) && part(b) && a == info.system);
        if !named {
            return Err(Error::new(
                Category::Config,
                format!(
                    "finding type '{}' must read '{}.kind' in lower case letters, digits and '_'",
                    info.name, info.system
                ),
            ));
        }
        if !(0.0..=1.0).contains(&info.base_severity) {
            return Err(Error::new(
                Category::Config,
                format!(
                    "base severity {} of '{}' is not between 0 and 1",
                    info.base_severity, info.name
                ),
            ));
        }
        self.types.insert(info.name.clone(), info);
        Ok(())
    }

    /// All types in name order.
    pub fn iter(&self) -> impl Iterator<Item = &TypeInfo> {
        self.types.values()
    }
}

fn system_of(name: &str) -> &str {
    name.split_once('.').map_or(name, |(system, _)| system)
}
