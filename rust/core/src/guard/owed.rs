//! Wrong values behind one that was put right, which the model may write again: of two names that a
//! sentence has changed round, the second one is no longer seen to be wrong once the first is right.

use super::Guard;
use super::act::Case;
use crate::policy::Policy;
use crate::tier::contradicted;
use crate::types::{Finding, Sentence, Span, Tier};

/// Most findings of one sentence that are kept.
const MOST: usize = 8;

/// What was found behind a value that was put right.
#[derive(Debug, Clone)]
pub(super) struct Owed {
    /// Where its text begins, behind the right value.
    from: usize,
    /// Bytes by which it stands further behind than it did.
    shift: isize,
    /// The text in which it was found.
    text: String,
    found: Vec<Finding>,
}

impl Owed {
    /// What else of a sentence has a right value, behind the one at `span`, in whose place `right` is put.
    pub(super) fn of(case: &Case, span: Span, right: &str, tail: &str) -> Option<Box<Self>> {
        let behind = |f: &&Finding| {
            let inside = |own: Span| own.start >= span.end && own.end <= span.end + tail.len();
            f.replacement.is_some() && contradicted(f) && f.span.is_some_and(inside)
        };
        let found: Vec<Finding> = case
            .found
            .iter()
            .filter(behind)
            .take(MOST)
            .cloned()
            .collect();
        let from = span.start + right.len();
        (!found.is_empty()).then(|| {
            Box::new(Self {
                from,
                shift: from.cast_signed() - span.end.cast_signed(),
                text: tail.to_owned(),
                found,
            })
        })
    }

    pub(super) const fn begins_by(&self, byte: usize) -> bool {
        self.from <= byte
    }
}

impl Guard {
    /// A sentence has closed: where the model wrote what it had before behind a value that was put
    /// right, what was found there still holds.
    pub(super) fn call_in(&mut self, sentence: Sentence) {
        let within = |owed: &Owed| sentence.span.start < owed.from && owed.from < sentence.span.end;
        let Some(owed) = self.owed.take_if(|owed| within(owed)) else {
            return;
        };
        let said = self.session.slice(Span::new(owed.from, sentence.span.end));
        let shared = said
            .bytes()
            .zip(owed.text.bytes())
            .take_while(|(a, b)| a == b)
            .count();
        let to = owed.from + shared;
        for mut finding in owed.found {
            let Some(old) = finding.span else { continue };
            let moved = |at: usize| at.saturating_add_signed(owed.shift);
            let span = Span::new(moved(old.start), moved(old.end));
            let known = |f: &Finding| f.span.is_some_and(|own| own.overlaps(span));
            if span.end > to
                || self.pending.iter().any(known)
                || !acted_upon(&self.policy, &finding)
            {
                continue;
            }
            finding.span = Some(span);
            finding.decided_at = sentence.decided_at;
            self.pending.push(finding);
        }
    }
}

/// Whether a policy puts such a finding right.
fn acted_upon(policy: &Policy, finding: &Finding) -> bool {
    finding.tier >= Tier::Medium && finding.p_hallucinated >= policy.auto_correct
}
