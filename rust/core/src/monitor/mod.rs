//! Everything compiled once, immutable, shared by streams and threads.

mod builder;

use std::sync::{Arc, PoisonError, RwLock};

use serde::{Deserialize, Serialize};

use crate::budget;
use crate::claims::Attributes;
use crate::detect::{DETAIL_THRESHOLD, SUPPORT_THRESHOLD, WORD_SUPPORT_THRESHOLD};
use crate::detok::Vocab;
use crate::dialogue::Role;
use crate::entities::Names;
use crate::error::{Error, Result};
use crate::evidence::EvidenceCache;
use crate::kb::{KnowledgeBase, Snapshot};
use crate::lexicon::Lexicon;
use crate::logits::GroupConfidence;
use crate::patterns::Ruleset;
use crate::policy::Policy;
use crate::profile::Profile;
use crate::types::{Finding, Tier};

pub use builder::Builder;

/// A knowledge base that sessions take snapshots of; it may change while they run.
pub type SharedKb = Arc<RwLock<KnowledgeBase>>;

/// Limits and constants of the monitoring itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Bytes of text and pushes a session retains for rollback and replay.
    pub max_retained: usize,
    /// Log entries a session keeps beyond what rollback needs.
    pub max_entries: usize,
    /// Claims an answer is checked for; those beyond are counted as unverifiable.
    pub max_claims: usize,
    /// Earlier turns that are looked back on (S0-046).
    pub history_turns: usize,
    /// Whose turns establish facts that an answer can contradict.
    pub history_roles: Vec<Role>,
    /// Similarity from which a statement of an earlier turn is related (S0-047).
    pub history_similarity: f64,
    /// Confidence from which two related statements contradict each other (S0-048).
    pub contradiction_confidence: f64,
    /// `p_hallucinated` of a statistic or an authority without a source (D-2).
    pub unsupported_confidence: f64,
    /// Years from today that a year in an answer may lie ahead (S0-051).
    pub max_future_years: u32,
    /// Tokens in the window of group confidence (DeepConf: 2048).
    pub group_window: usize,
    /// Group confidence below which a finding is made; none by default, since the scale is
    /// the model's own.
    pub group_confidence_bar: Option<f64>,
    /// Confidence an answer claims implicitly (τ of the information budget).
    pub budget_target: f64,
    /// Clipping of probabilities in the budget.
    pub budget_eps: f64,
    /// Content tokens of a claim before its budget is judged.
    pub budget_min_tokens: u32,
    /// Probability of being supported below which a closed sentence is reported.
    pub support_threshold: f64,
    /// The same for a stretch of a sentence that is still open.
    pub word_support_threshold: f64,
    /// Probability of a wrong detail from which a closed sentence is reported.
    pub detail_threshold: f64,
    /// Whether unknown names are reported where there is neither evidence nor knowledge base.
    pub unknown_names_always: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            max_retained: 1 << 20,
            max_entries: 4096,
            max_claims: 100,
            history_turns: crate::dialogue::WINDOW,
            history_roles: vec![Role::User, Role::Assistant, Role::Tool],
            history_similarity: 0.7,
            contradiction_confidence: 0.6,
            unsupported_confidence: 0.6,
            max_future_years: 10,
            group_window: 2048,
            group_confidence_bar: None,
            budget_target: 0.95,
            budget_eps: 0.01,
            budget_min_tokens: 4,
            support_threshold: SUPPORT_THRESHOLD,
            word_support_threshold: WORD_SUPPORT_THRESHOLD,
            detail_threshold: DETAIL_THRESHOLD,
            unknown_names_always: false,
        }
    }
}

/// Smallest retention: a capped sentence and what scanners look back at must fit.
const MIN_RETAINED: usize = 16 * 1024;

impl Settings {
    /// Checks ranges.
    ///
    /// # Errors
    /// `Argument` naming the field.
    pub fn validate(&self) -> Result<()> {
        if self.max_retained < MIN_RETAINED {
            return Err(Error::argument(format!(
                "max_retained is {}; a session retains at least {MIN_RETAINED} bytes",
                self.max_retained
            )));
        }
        GroupConfidence::new(self.group_window)?;
        for (name, value) in [
            ("budget_target", self.budget_target),
            ("support_threshold", self.support_threshold),
            ("word_support_threshold", self.word_support_threshold),
            ("detail_threshold", self.detail_threshold),
            ("history_similarity", self.history_similarity),
            ("contradiction_confidence", self.contradiction_confidence),
            ("unsupported_confidence", self.unsupported_confidence),
        ] {
            if !(0.0..=1.0).contains(&value) {
                return Err(Error::argument(format!(
                    "{name} is {value}; it lies between 0 and 1"
                )));
            }
        }
        if !(self.budget_eps > 0.0 && self.budget_eps < 0.5) {
            return Err(Error::argument(format!(
                "budget_eps is {}; it lies above 0 and below 0.5",
                self.budget_eps
            )));
        }
        Ok(())
    }
}

struct Inner {
    vocab: Option<Vocab>,
    rules: Ruleset,
    kb: Option<SharedKb>,
    profiles: Vec<Profile>,
    policy: Policy,
    settings: Settings,
    passages: EvidenceCache,
    /// Without a knowledge base: no names, and the monitor's lexicon.
    attributes: Arc<Attributes>,
}

/// Vocabulary, rules, knowledge base, profiles and policy, compiled.
#[derive(Clone)]
pub struct Monitor(Arc<Inner>);

impl std::fmt::Debug for Monitor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Monitor")
            .field(
                "profiles",
                &self.profiles().iter().map(|p| &p.name).collect::<Vec<_>>(),
            )
            .field("rules", &self.rules().len())
            .field("tokenizer", &self.vocab().is_some())
            .field("kb", &self.0.kb.is_some())
            .finish()
    }
}

impl Monitor {
    /// Begins a monitor with the built-in rules, the profiles `stream` and `dialogue`, and the
    /// default policy.
    #[must_use]
    pub fn builder() -> Builder {
        Builder::new()
    }

    /// The vocabulary, if token ids are to be pushed.
    #[must_use]
    pub fn vocab(&self) -> Option<&Vocab> {
        self.0.vocab.as_ref()
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &Ruleset {
        &self.0.rules
    }

    /// The knowledge base as it is now.
    #[must_use]
    pub fn kb(&self) -> Option<Snapshot> {
        let kb = self.0.kb.as_ref()?;
        Some(kb.read().unwrap_or_else(PoisonError::into_inner).snapshot())
    }

    /// The knowledge base's names as they are now.
    #[must_use]
    pub fn names(&self) -> Names {
        self.kb().map(|kb| kb.names().clone()).unwrap_or_default()
    }

    /// The lexicon, and the knowledge base's attribute names as they are now.
    #[must_use]
    pub fn attributes(&self) -> Arc<Attributes> {
        self.kb()
            .map(|kb| Arc::new(self.read_with(&kb)))
            .unwrap_or_else(|| Arc::clone(&self.0.attributes))
    }

    /// Attribute names of a base, with the lexicon of both the base and the monitor.
    fn read_with(&self, kb: &Snapshot) -> Attributes {
        let names = Attributes::new(kb.attribute_names());
        let own = self.0.attributes.lexicon();
        let (ours, theirs) = (own.additions(), kb.lexicon().additions());
        if theirs.is_empty() {
            return names.with_lexicon(Arc::clone(own));
        }
        if ours.is_empty() {
            return names.with_lexicon(Arc::clone(kb.lexicon()));
        }
        // Each is valid; together they can only be too many.
        let both = Lexicon::with(theirs.with(ours));
        names.with_lexicon(both.map_or_else(|_| Arc::clone(own), Arc::new))
    }

    /// Indexed passages, shared by all streams.
    #[must_use]
    pub fn passages(&self) -> &EvidenceCache {
        &self.0.passages
    }

    /// The profiles that judge, in order.
    #[must_use]
    pub fn profiles(&self) -> &[Profile] {
        &self.0.profiles
    }

    /// The policy of this monitor's guards.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.0.policy
    }

    /// Limits and constants.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.0.settings
    }

    /// The profile that owns a finding, if one does.
    #[must_use]
    pub fn owner(&self, finding: &Finding) -> Option<&Profile> {
        self.profiles().iter().find(|profile| profile.owns(finding))
    }

    /// Whether a profile judges findings of that system.
    #[must_use]
    pub fn judges(&self, system: &str) -> bool {
        self.profiles()
            .iter()
            .any(|profile| profile.systems.iter().any(|s| s == system))
    }

    /// Whether a profile wants findings of that type.
    #[must_use]
    pub fn wants(&self, kind: &str) -> bool {
        let system = kind.split_once('.').map_or(kind, |(system, _)| system);
        self.profiles()
            .iter()
            .find(|p| p.systems.iter().any(|s| s == system))
            .is_some_and(|profile| profile.runs(kind))
    }

    /// The highest tier any profile gives a finding.
    #[must_use]
    pub fn tier(&self, finding: &Finding) -> Tier {
        self.profiles()
            .iter()
            .map(|profile| profile.tier(finding))
            .max()
            .unwrap_or(Tier::None)
    }

    /// An empty window of group confidence.
    #[must_use]
    pub fn new_group(&self) -> GroupConfidence {
        GroupConfidence::new(self.settings().group_window).unwrap_or_default()
    }

    /// Parameters of the information budget.
    #[must_use]
    pub fn budget_params(&self) -> budget::Params {
        let settings = self.settings();
        let profile = self
            .profiles()
            .iter()
            .find(|p| p.systems.iter().any(|s| s == "budget"));
        budget::Params {
            target: settings.budget_target,
            eps: settings.budget_eps,
            flag_threshold: profile.map_or(5.0, |p| p.flag_threshold_bits),
            strict_seed: profile.is_some_and(|p| p.strict_seed),
            ..budget::Params::default()
        }
    }
}
