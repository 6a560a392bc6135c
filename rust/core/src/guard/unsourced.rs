//! A closed claim that appeals to research and in which something else was found: whether the appeal
//! stands is only known from the next sentence, and a hedge before that would speak for it.

use super::act::Case;
use super::hold::Fresh;
use super::{Directive, Guard};
use crate::session::Session;
use crate::types::{Finding, Modality, Sentence, Span};

/// Such a claim, and how it was said.
#[derive(Debug, Clone)]
pub(super) struct Unsourced {
    claim: Sentence,
    modality: Option<(u32, Modality)>,
}

impl Unsourced {
    pub(super) const fn is_known_by(&self, byte: usize) -> bool {
        self.claim.decided_at <= byte
    }
}

impl Guard {
    /// Whether a finding has been acted upon: after a rewrite the session finds again what stands
    /// before it.
    pub(super) fn knows(&self, finding: &Finding) -> bool {
        let mut acted = self.acted.as_slice().iter();
        acted.any(|(id, _)| **id == *finding.id)
    }

    /// A sentence is about to be acted upon: what the same push brought about its appeal counts, as if
    /// it had been waited for.
    pub(super) fn hear_ahead(&mut self, later: &[Fresh], sentence: Sentence) {
        for entry in later {
            let Fresh::Finding(finding) = entry else {
                continue;
            };
            let inside = |span: Span| sentence.span.contains(span);
            if Session::is_appeal(finding)
                && finding.span.is_some_and(inside)
                && !self.knows(finding)
            {
                self.pending.push(Finding::clone(finding));
            }
        }
    }

    /// What else is known of a claim's appeals at once.
    pub(super) fn hear_others(&mut self, later: &[Fresh], finding: &Finding) {
        let at = finding.span.filter(|_| Session::is_appeal(finding));
        let closed = |unit: &&Sentence| at.is_some_and(|at| unit.span.contains(at));
        if let Some(claim) = self.units.iter().find(closed).copied() {
            self.hear_ahead(later, claim);
        }
    }

    /// Keeps what was found in a claim until it is known whether its appeal stands; false if it has
    /// none that waits.
    pub(super) fn may_be_unsourced(&mut self, case: &Case) -> bool {
        let claim = case.sentence;
        let appeals = (self.session.open_appeal())
            .is_some_and(|at| claim.span.start <= at && at < claim.span.end);
        if !appeals || claim.index == u32::MAX || claim.span.end <= self.waived_to {
            return false;
        }
        self.pending.extend(case.found.iter().cloned());
        self.unsourced = Some(Box::new(Unsourced {
            claim,
            modality: self.modality,
        }));
        true
    }

    /// Whether a finding belongs to a claim that waits, and not to the one at `span`.
    pub(super) fn waits_elsewhere(&self, finding: &Finding, span: Span) -> bool {
        let Some(waits) = self.unsourced.as_ref().map(|waits| waits.claim.span) else {
            return false;
        };
        waits != span && finding.span.is_some_and(|own| waits.overlaps(own))
    }

    /// Acts upon the claim that waited. True if text was rewritten or the answer ended.
    pub(super) fn settle_unsourced(&mut self, out: &mut Vec<Directive>) -> bool {
        let Some(waits) = self.unsourced.take() else {
            return false;
        };
        let modality = std::mem::replace(&mut self.modality, waits.modality);
        let over = self.close_again(waits.claim, out);
        if !over {
            self.modality = modality;
        }
        over
    }
}
