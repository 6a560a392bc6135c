//! From parts to a monitor.

use std::sync::Arc;

use super::{Inner, Monitor, Settings, SharedKb};
use crate::claims::Attributes;
use crate::detok::Vocab;
use crate::error::{Error, Result};
use crate::evidence::EvidenceCache;
use crate::lexicon::{Additions, Lexicon};
use crate::patterns::Ruleset;
use crate::policy::Policy;
use crate::profile::Profile;

/// Bytes of passage text that a monitor keeps indexed.
const PASSAGE_CACHE: usize = 64 << 20;

/// The parts of a monitor before it is compiled.
#[derive(Clone)]
pub struct Builder {
    vocab: Option<Vocab>,
    rules: Option<Ruleset>,
    kb: Option<SharedKb>,
    profiles: Vec<Profile>,
    policy: Policy,
    settings: Settings,
    lexicon: Additions,
}

impl Builder {
    pub(super) fn new() -> Self {
        Self {
            vocab: None,
            rules: None,
            kb: None,
            profiles: vec![Profile::stream(), Profile::dialogue()],
            policy: Policy::default(),
            settings: Settings::default(),
            lexicon: Additions::default(),
        }
    }

    /// The model's vocabulary, for token ids.
    #[must_use]
    pub fn vocab(mut self, vocab: Vocab) -> Self {
        self.vocab = Some(vocab);
        self
    }

    /// Rules instead of the built-in ones.
    #[must_use]
    pub fn rules(mut self, rules: Ruleset) -> Self {
        self.rules = Some(rules);
        self
    }

    /// The knowledge base.
    #[must_use]
    pub fn kb(mut self, kb: SharedKb) -> Self {
        self.kb = Some(kb);
        self
    }

    /// The profiles that judge.
    #[must_use]
    pub fn profiles(mut self, profiles: Vec<Profile>) -> Self {
        self.profiles = profiles;
        self
    }

    /// The policy of the guards.
    #[must_use]
    pub fn policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    /// Limits and constants.
    #[must_use]
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// What is added to the lexicon that texts are read with, beside what the knowledge base adds.
    #[must_use]
    pub fn lexicon(mut self, additions: Additions) -> Self {
        self.lexicon = additions;
        self
    }

    /// Compiles the monitor.
    ///
    /// # Errors
    /// `Argument` for anything out of range, a lexicon that is not valid, or for no profile or two
    /// of one name.
    pub fn build(self) -> Result<Monitor> {
        self.policy.validate()?;
        self.settings.validate()?;
        if self.profiles.is_empty() {
            return Err(Error::argument(
                "a monitor needs at least one profile: stream, dialogue or budget",
            ));
        }
        for (i, profile) in self.profiles.iter().enumerate() {
            profile.validate()?;
            if self.profiles[..i]
                .iter()
                .any(|other| other.name == profile.name)
            {
                return Err(Error::argument(format!(
                    "profile '{}' is given twice",
                    profile.name
                )));
            }
        }
        let lexicon = if self.lexicon.is_empty() {
            Arc::clone(Lexicon::builtin())
        } else {
            Arc::new(Lexicon::with(self.lexicon)?)
        };
        Ok(Monitor(Arc::new(Inner {
            vocab: self.vocab,
            rules: self.rules.unwrap_or_else(|| Ruleset::builtin().clone()),
            kb: self.kb,
            profiles: self.profiles,
            policy: self.policy,
            settings: self.settings,
            passages: EvidenceCache::new(PASSAGE_CACHE),
            attributes: Arc::new(Attributes::default().with_lexicon(lexicon)),
        })))
    }
}
