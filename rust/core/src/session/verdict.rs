//! What verifiers answer, taken in.

use super::{Entry, Session};
use crate::budget::budget;
use crate::detect;
use crate::types::{Claim, Verdict};

impl Session {
    /// A verifier's answer: the claim's status is revised by a new entry, and what contradicts
    /// or is not carried becomes a finding.
    pub(super) fn on_verdict(&mut self, claim_id: &str, verdict: &Verdict) {
        self.state.expected.retain(|(id, _)| id != claim_id);
        let claim = self
            .log
            .since(self.log.base())
            .find_map(|entry| match entry {
                Entry::Claim { claim, .. } if claim.id == claim_id => Some((**claim).clone()),
                _ => None,
            });
        self.log.push(Entry::Revision {
            claim_id: claim_id.to_owned(),
            status: verdict.status,
            reason: verdict.reason.clone(),
        });
        let Some(claim) = claim else { return };
        let at = self.text_end();
        if let (Some(p0), Some(p1)) = (verdict.p0, verdict.p1)
            && self.monitor.judges("budget")
            && let Ok(judged) = budget(p0, p1, &self.monitor.budget_params())
        {
            let content = claim.content.clone();
            let found =
                detect::budget_finding(&judged, p0, p1, claim.span, &content, Some(claim_id), at);
            if let Some(mut finding) = found {
                finding
                    .extra
                    .insert("gap_bits".into(), judged.gap.lo.into());
                detect::note_named(&mut finding, named(&claim));
                self.emit_placed(finding);
            }
        }
        if let Some(mut finding) = detect::verdict_finding(&claim, verdict, at) {
            detect::note_named(&mut finding, named(&claim));
            self.emit_placed(finding);
        }
    }
}

/// The entity or name that a claim is about, as far as its parts alone tell.
fn named(claim: &Claim) -> Option<&str> {
    let known = claim.referent.as_ref().filter(|r| !r.entities.is_empty());
    let name = known.map(|referent| referent.name.as_str());
    name.or_else(|| {
        let subject = claim.subject.as_deref()?;
        let names = subject.chars().skip(1).any(char::is_uppercase);
        names.then_some(subject)
    })
}
