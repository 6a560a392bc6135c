//! Claims that a request began and the answer completes: the request's part of them stands, and what
//! the answer added can be taken back as long as nothing of that has left.

use super::act::{Case, QUOTATION_REACH};
use super::wording::{self, What};
use super::{Directive, Guard};
use crate::types::{Action, Finding, Sentence, Span};

impl Guard {
    /// What the session has read so far is the request's own text, with which the answer goes on: a
    /// beginning of a message, or of a claim at the end of a prompt. Nothing of it was sent, and
    /// nothing of it can be changed.
    ///
    /// To be called before the first push.
    pub fn goes_on_with_request(&mut self) {
        self.begun = self.session.text_end();
    }

    /// Whether the request has the beginning of a claim, and the answer the rest.
    pub(super) const fn was_begun(&self, claim: Span) -> bool {
        claim.start < self.begun && self.begun < claim.end
    }

    /// Where the answer's own part of a claim begins; a claim that is all the request's has none.
    pub(super) fn own_from(&self, claim: Span) -> usize {
        if self.was_begun(claim) {
            self.begun
        } else {
            claim.start
        }
    }

    /// Whether the reader has something of a claim that cannot be taken back.
    pub(super) fn has_left(&self, claim: Span) -> bool {
        self.own_from(claim) < self.released_to
    }

    /// Whether the request's own text stands right before byte `at`.
    pub(super) const fn goes_on_at(&self, at: usize) -> bool {
        0 < self.begun && at == self.begun
    }

    /// Whether `at` is the place of a note behind a claim of which the request has what is wrong.
    pub(super) fn notes_behind(&self, claim: Span, at: Span) -> bool {
        self.was_begun(claim) && at.start >= claim.end
    }

    /// Takes the answer's part of a claim back, says what could not be verified, and goes on.
    ///
    /// So it is in place of a hedge, which would stand before a beginning that is the request's, and of
    /// a removal, which would leave that alone.
    pub(super) fn take_back(
        &mut self,
        case: &Case,
        focus: &Finding,
        out: &mut Vec<Directive>,
    ) -> bool {
        let at = self.place_of(case);
        let said = self.unverified_at(at, case, focus);
        let said = format!("{}{said}", self.joint_in(case.span(), &said));
        let over = self.rewrite(case, Action::Interrupt, at, &said, out);
        if over {
            self.follow_value(at, said, String::new(), case, focus);
        }
        over
    }

    /// What is said in place of a claim from byte `at` on.
    pub(super) fn unverified_at(&self, at: usize, case: &Case, focus: &Finding) -> String {
        let before = self.session.before(at, QUOTATION_REACH).trim_end();
        let said = wording::unverified(&What::named(focus, &case.found), self.rewrites, before);
        self.laid_out(at, case, &said)
    }

    /// What stands between the beginning of a claim that is the request's and what is said in place of
    /// the rest.
    fn joint_in(&self, claim: Span, said: &str) -> &'static str {
        if self.was_begun(claim) {
            self.joint(self.begun, said)
        } else {
            ""
        }
    }

    /// A sentence has closed. Where it says again what was taken back of a claim that the request began,
    /// it is no claim of its own in which that could be found: the answer ends before it. True if so.
    pub(super) fn settle_begun(&mut self, sentence: Sentence, out: &mut Vec<Directive>) -> bool {
        let span = sentence.span;
        let last = self.interventions.as_slice().last();
        let Some(last) = last.filter(|last| {
            let taken = last.action == Action::Interrupt && self.goes_on_at(last.span.start);
            let before = self.session.before(span.start, QUOTATION_REACH);
            let said = self.session.slice(span).trim();
            taken
                && before.trim_end().ends_with(&last.inserted)
                && begins_alike(said, last.retracted.trim())
        }) else {
            return false;
        };
        let case = Case {
            sentence,
            tier: last.tier,
            found: last.findings.to_vec(),
        };
        let focus = case.found.first().cloned();
        focus.is_some_and(|focus| self.exhaust(&case, &focus, out))
    }

    /// Of a wrong value that the request began as the right one begins, the place of the rest and
    /// what belongs there.
    pub(super) fn rest_of_value(
        &self,
        claim: Span,
        wrong: Span,
        right: &str,
    ) -> Option<(Span, String)> {
        let retained = wrong.start >= self.session.text_start();
        if !self.was_begun(wrong) || self.has_left(claim) || !retained {
            return None;
        }
        let own = self.session.slice(Span::new(wrong.start, self.begun));
        let rest = right.strip_prefix(own).filter(|rest| !rest.is_empty())?;
        Some((Span::new(self.begun, wrong.end), rest.to_owned()))
    }
}

/// Whether one text is the beginning of the other, in whole words.
fn begins_alike(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() {
        (one, other)
    } else {
        (other, one)
    };
    let rest = long.strip_prefix(short);
    !short.is_empty() && rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
}
