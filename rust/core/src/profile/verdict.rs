//! The verdict of a profile over all findings (U-5).

use serde::{Deserialize, Serialize};

use super::Profile;
use crate::tier::contradicted;
use crate::types::{Action, Finding, MAX_TIER, Tier};

/// Findings at or above the threshold that ask for another answer (S0-076).
const REGENERATE_COUNT: usize = 3;

/// Outcome for the whole text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VerdictStatus {
    /// Nothing above low.
    Pass,
    /// Something medium.
    Warn,
    /// Something high or critical.
    Fail,
}

impl VerdictStatus {
    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Warn => "warn",
            Self::Fail => "fail",
        }
    }
}

/// What a profile makes of all findings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProfileVerdict {
    /// Outcome.
    pub status: VerdictStatus,
    /// What is to be done with the answer.
    pub action: Action,
    /// The tier that acts.
    pub tier: Tier,
    /// Why, in words.
    pub reasons: Vec<String>,
}

impl ProfileVerdict {
    /// So many claims were not looked at, as they stand behind `max_claims` others: what nothing was
    /// found in does not pass for that.
    pub(crate) fn unread(&mut self, claims: u64) {
        self.status = self.status.max(VerdictStatus::Warn);
        self.reasons.push(format!(
            "{claims} claims behind the first ones (max_claims) were not checked"
        ));
    }
}

impl Profile {
    /// The verdict over findings whose tiers are set; others' findings do not count. `action_of`
    /// is the policy's: what a tier leads to.
    #[must_use]
    pub fn verdict(
        &self,
        findings: &[Finding],
        action_of: impl Fn(Tier) -> Action,
    ) -> ProfileVerdict {
        let own: Vec<&Finding> = findings.iter().filter(|f| self.owns(f)).collect();
        let mut tier = own.iter().map(|f| f.tier).max().unwrap_or(Tier::None);
        let mut reasons = Vec::new();
        // What is held below a tier is reported, and asks for nothing.
        let held = |f: &Finding| !self.strict_seed && f.extra.contains_key(MAX_TIER);
        let severe = own
            .iter()
            .filter(|f| f.p_hallucinated >= self.regenerate_threshold && !held(f))
            .count();
        let regenerate = self.name == "dialogue" && severe >= REGENERATE_COUNT;
        if regenerate {
            reasons.push(format!(
                "{severe} findings at or above {} ask for another answer",
                self.regenerate_threshold
            ));
            let critical = own
                .iter()
                .filter(|f| !held(f))
                .any(|f| f.p_hallucinated >= self.regenerate_threshold && contradicted(f));
            tier = tier.max(if critical { Tier::Critical } else { Tier::High });
        }
        for finding in own.iter().filter(|f| f.tier >= Tier::Medium) {
            reasons.push(format!(
                "{}: {} ({})",
                finding.tier.as_str(),
                finding.kind,
                finding.id
            ));
        }
        let correctable = own
            .iter()
            .filter(|f| f.tier >= Tier::High)
            .all(|f| f.replacement.is_some() && contradicted(f));
        let action = if regenerate {
            Action::Regenerate
        } else if tier >= Tier::High && correctable {
            Action::Correct
        } else {
            action_of(tier)
        };
        let status = match tier {
            Tier::None | Tier::Low => VerdictStatus::Pass,
            Tier::Medium => VerdictStatus::Warn,
            Tier::High | Tier::Critical => VerdictStatus::Fail,
        };
        ProfileVerdict {
            status,
            action,
            tier,
            reasons,
        }
    }
}
