//! Answers about claims, from verifiers and detectors beside the stream: what waits for them, and
//! for how long.

use std::collections::VecDeque;

use super::{Directive, Guard};
use crate::policy::Release;
use crate::profile::FailurePolicy;
use crate::types::Claim;

/// Claims that wait for an answer at once; beyond them the oldest is given up.
const MAX_AWAITED: usize = 1024;

/// A claim somebody was asked about.
#[derive(Debug, Clone)]
pub(super) struct Awaited {
    id: String,
    start: usize,
    end: usize,
    /// Pushes and the caller's clock when it closed.
    at_push: u64,
    since: u64,
}

impl Guard {
    /// From here on somebody answers about every claim that closes: its text, and the end of the
    /// answer, wait for [`Guard::answered`], as far as the policy holds unresolved claims and up to
    /// its limits.
    pub fn ask_about_claims(&mut self) {
        self.asks = true;
    }

    /// Everybody who was asked about this claim has answered; what they found was given to the
    /// session before. A claim nobody waits for is passed over.
    pub fn answered(&mut self, claim_id: &str) {
        self.awaited.retain(|claim| claim.id != claim_id);
    }

    /// Somebody who was asked cannot answer. Where a profile stops on failure, the answer ends at
    /// the next call; otherwise it goes on, with the claim unverified.
    pub fn cannot_answer(&mut self, reason: &str) {
        let stop = self
            .session
            .monitor()
            .profiles()
            .iter()
            .any(|profile| profile.failure == FailurePolicy::Stop);
        if stop && self.broken.is_none() {
            self.broken = Some(reason.to_owned());
        }
    }

    /// Nobody waits for answers any longer: what is held for them may leave at the next call.
    pub fn give_up_on_answers(&mut self) {
        let held = self.asked_from().is_some();
        self.gave_up += u32::from(held);
        self.waive();
    }

    /// A claim has closed. One that closes again after a rewind keeps its place.
    pub(super) fn ask(&mut self, claim: &Claim, now_ms: u64) {
        if !self.asks || self.awaited.iter().any(|other| other.id == claim.id) {
            return;
        }
        if self.awaited.len() == MAX_AWAITED {
            self.give_up_first();
        }
        self.awaited.push_back(Awaited {
            id: claim.id.clone(),
            start: claim.span.start,
            end: claim.span.end,
            at_push: self.heard,
            since: now_ms,
        });
    }

    /// Gives up the claims that were waited for too long. Text that is held anyway, or that has
    /// left, waits for nothing before the end.
    pub(super) fn lapse(&mut self, now_ms: u64) {
        let ended = self
            .session
            .is_finished()
            .then(|| *self.ended_since.get_or_insert(now_ms));
        let held = self.holds() && self.policy.release == Release::Claim;
        let (tokens, ms) = (
            u64::from(self.policy.max_hold_tokens),
            self.policy.max_hold_ms,
        );
        while let Some(first) = self.awaited.front() {
            let since = match (held, ended) {
                (true, _) => first.since,
                (false, Some(ended)) => ended,
                (false, None) => break,
            };
            let long = held && ended.is_none() && self.heard - first.at_push > tokens;
            if !long && now_ms.saturating_sub(since) <= ms {
                break;
            }
            self.give_up_first();
        }
    }

    fn give_up_first(&mut self) {
        if let Some(claim) = self.awaited.pop_front() {
            if self.holds() && claim.end > self.released_to {
                self.gave_up += 1;
            }
            self.unanswered.push(claim.id);
        }
    }

    /// No text so far is held for an answer any more.
    pub(super) fn waive(&mut self) {
        let (holds, released_to) = (self.holds(), self.released_to);
        let (held, rest): (VecDeque<_>, VecDeque<_>) = std::mem::take(&mut self.awaited)
            .into_iter()
            .partition(|claim| holds && claim.end > released_to);
        self.awaited = rest;
        for claim in held {
            self.unanswered.push(claim.id);
        }
        self.waived_to = self.session.text_end();
    }

    /// Whether text is held for answers at all.
    fn holds(&self) -> bool {
        self.policy.hold_unresolved && self.policy.release != Release::Token
    }

    /// Start of the first claim whose text is held because somebody was asked about it.
    pub(super) fn asked_from(&self) -> Option<usize> {
        let mut held = self
            .awaited
            .iter()
            .filter(|claim| claim.end > self.released_to);
        held.next()
            .map(|claim| claim.start)
            .filter(|_| self.holds())
    }

    /// Start of the first claim whose text is held for an answer, asked for here or by an
    /// application through [`crate::session::Session::expect`].
    pub(super) fn held_from(&self) -> Option<usize> {
        if !self.holds() {
            return None;
        }
        let expected = self
            .session
            .awaited_from()
            .filter(|&from| from >= self.waived_to);
        match (self.asked_from(), expected) {
            (Some(asked), Some(expected)) => Some(asked.min(expected)),
            (asked, expected) => asked.or(expected),
        }
    }

    /// `to`, or as far before it as text waits for no answer.
    pub(super) fn answered_to(&self, to: usize) -> usize {
        self.held_from()
            .map_or(to, |from| to.min(from.max(self.released_to)))
    }

    /// Sentences that end the answer are acted upon once nothing before them waits. True if one
    /// was.
    pub(super) fn settle_deferred(&mut self, out: &mut Vec<Directive>) -> bool {
        while let Some(case) = self.deferred.first() {
            let start = case.sentence.span.start;
            if self.held_from().is_some_and(|from| from < start) {
                return false;
            }
            let case = self.deferred.remove(0);
            self.pending.extend(case.found);
            if self.close_again(case.sentence, out) {
                return true;
            }
        }
        false
    }

    /// After text from byte `at` on was taken back. What stands before comes again as it was, if
    /// it went at all.
    pub(super) fn forget_answers(&mut self, at: usize) {
        self.awaited.retain(|claim| claim.end <= at);
        self.deferred.retain(|case| case.sentence.span.end <= at);
        self.waived_to = self.waived_to.min(at);
        self.ended_since = None;
    }
}
