//! What is held back, and when it leaves.

use std::sync::Arc;

use super::{Directive, Guard, Mark, StopReason};
use crate::policy::{Annotation, Release};
use crate::profile::FailurePolicy;
use crate::session::{Entry, Pass, Step};
use crate::types::{Claim, Finding, Modality, Sentence, Span, Tier};

impl Guard {
    /// Reads what is new, acts on it, and releases what may leave.
    pub(super) fn settle(&mut self, now_ms: u64) -> Vec<Directive> {
        let mut out = Vec::new();
        if self.stopped.is_some() {
            return out;
        }
        if let Some(reason) = self.broken.take() {
            self.failed.get_or_insert(reason);
            self.end(StopReason::Failed, &mut out);
            return out;
        }
        self.all_left(&mut out);
        if self.settle_value(&mut out) {
            return out;
        }
        let fresh: Vec<Fresh> = self
            .session
            .log_since(self.seen)
            .filter_map(Fresh::of)
            .collect();
        self.seen = self.session.log_end();
        for (n, entry) in fresh.iter().enumerate() {
            self.decided_at = entry.decided_at().unwrap_or(self.decided_at);
            let over = match entry.clone() {
                Fresh::Finding(finding) => {
                    self.hear_others(&fresh[n + 1..], &finding);
                    self.hear(Arc::unwrap_or_clone(finding), &mut out)
                }
                Fresh::Claim(claim) => {
                    // Of a sentence with a claim that is put forward as so, nothing counts as held back.
                    let outright = Some((claim.sentence, Modality::Asserted));
                    if self.modality != outright {
                        self.modality = Some((claim.sentence, claim.modality));
                    }
                    self.ask(&claim, now_ms);
                    false
                }
                Fresh::Sentence(sentence) => {
                    self.hear_ahead(&fresh[n + 1..], sentence);
                    self.close(sentence, &mut out)
                }
            };
            if over {
                return out;
            }
        }
        self.spoken(&mut out);
        if self.stopped.is_some() {
            return out;
        }
        if self.settle_breaks(&mut out) {
            return out;
        }
        self.lapse(now_ms);
        let given_up = self.given_up(now_ms);
        if given_up {
            self.gave_up += 1;
            self.waive();
        }
        if self.session.open_appeal().is_none_or(|_| given_up) && self.settle_unsourced(&mut out) {
            return out;
        }
        if !self.settle_deferred(&mut out) {
            self.let_go(given_up, &mut out);
        }
        out
    }

    /// Keeps a finding until its claim closes, or acts at once if it must.
    fn hear(&mut self, finding: Finding, out: &mut Vec<Directive>) -> bool {
        if finding.tier == Tier::None || self.knows(&finding) {
            return false;
        }
        let start = finding
            .span
            .map_or(self.session.text_end(), |span| span.start);
        let late = start < self.released_to && self.closed_to > start;
        let open = self.session.open_sentence().unwrap_or(start);
        let urgent = finding.tier == Tier::Critical
            || (finding.tier == Tier::High
                && finding.replacement.is_none()
                && open.max(self.begun) >= self.released_to);
        if late || (urgent && self.units.iter().all(|unit| unit.span.end <= start)) {
            return self.act_on(finding, out);
        }
        // A verifier's answer about a claim that is closed but still held.
        if let Some(unit) =
            self.units.iter().copied().find(|u| {
                u.span.start <= start && start < u.span.end && self.closed_to >= u.span.end
            })
        {
            self.pending.push(finding);
            return self.close_again(unit, out);
        }
        self.pending.push(finding);
        false
    }

    /// Releases what policy and unanswered claims allow; everything, if holding was given up.
    fn let_go(&mut self, given_up: bool, out: &mut Vec<Directive>) {
        let end = self.session.text_end();
        let ended = self.session.is_finished();
        let to = if given_up { end } else { self.permitted() };
        let waits = self.held_from().is_some_and(|from| from < to);
        let whole = self.policy.release == Release::Response;
        self.release_to(
            if waits && whole {
                0
            } else {
                self.answered_to(to)
            },
            out,
        );
        if self.released_to >= end {
            self.held_pushes = 0;
            self.held_since = None;
        }
        if ended && (waits || !self.awaited.is_empty()) {
            out.push(Directive::Wait);
        } else if ended {
            self.end(StopReason::End, out);
        }
    }

    /// How far text may leave by the policy, were every claim answered.
    fn permitted(&self) -> usize {
        let end = self.session.text_end();
        match self.policy.release {
            Release::Token => end,
            Release::Claim | Release::Response if self.session.is_finished() => end,
            Release::Claim => self.closed_before(end + 1, end),
            Release::Response => self.released_to,
        }
    }

    /// The end of the claims up to byte `to` that may leave by what had been decided before byte `at`.
    fn closed_before(&self, at: usize, to: usize) -> usize {
        // What the next sentence may still give a source waits for how that begins.
        let source = self.session.unsourced_from();
        let free = |end: usize| source.is_none_or(|source| end <= source);
        let closed = self.units.iter().rev().filter(|unit| unit.decided_at < at);
        let mut ends = closed.map(|unit| unit.span.end);
        ends.find(|end| *end <= to && free(*end))
            .unwrap_or(self.released_to)
    }

    /// How far the text before byte `start` would have left by now, had it come byte by byte: claims
    /// that closed earlier in the push that brought what is being acted upon.
    pub(super) fn left_by_now(&self, start: usize) -> usize {
        match self.policy.release {
            Release::Claim => {
                let to = self.answered_to(self.closed_before(self.decided_at, start));
                to.max(self.released_to)
            }
            Release::Token | Release::Response => self.released_to,
        }
    }

    /// Whether holding has lasted too long. A policy that waits for the whole answer is only
    /// limited where it waits for an answer, and by what the session retains. Claims that
    /// somebody was asked about have a limit of their own.
    fn given_up(&mut self, now_ms: u64) -> bool {
        let end = self.session.text_end();
        if self.released_to >= end {
            return false;
        }
        let cap = self.session.monitor().settings().max_retained / 2;
        if end - self.released_to > cap {
            return true;
        }
        if self.asked_from().is_some() {
            self.held_pushes = 0;
            self.held_since = None;
            return false;
        }
        let since = *self.held_since.get_or_insert(now_ms);
        let waits = self.held_from().is_some_and(|from| from < self.permitted());
        (self.policy.release == Release::Claim || waits)
            && (self.held_pushes > self.policy.max_hold_tokens
                || now_ms.saturating_sub(since) > self.policy.max_hold_ms)
    }

    /// Hands out text up to byte `to`, with its marks, without what was removed.
    pub(super) fn release_to(&mut self, to: usize, out: &mut Vec<Directive>) {
        // A mark may have come after the text before it had left.
        let marked = to == self.released_to && self.marks.contains_key(&to);
        if to <= self.released_to && !marked {
            return;
        }
        let mut text = String::new();
        let mut from = self.released_to;
        while let Some((&at, _)) = self.marks.range(from..=to).next() {
            let marks = self.marks.remove(&at).unwrap_or_default();
            self.copy_out(from, at, &mut text);
            for mark in marks {
                self.write(mark, &mut text);
            }
            from = at;
        }
        self.copy_out(from, to, &mut text);
        self.released_to = to;
        self.units.retain(|unit| unit.span.end > to);
        self.held_pushes = 0;
        self.held_since = None;
        self.emit(text, out);
    }

    /// A footnote gets its number as it leaves, so that none is told of a claim that was taken back.
    /// The answer's own footnotes have other labels.
    fn write(&mut self, mark: Mark, text: &mut String) {
        match mark {
            Mark::Text(mark) => text.push_str(&mark),
            Mark::Footnote { note, space } => {
                self.notes.push(note);
                text.push_str(&format!("[^note-{}]{space}", self.notes.total()));
            }
        }
    }

    fn copy_out(&self, from: usize, to: usize, text: &mut String) {
        let mut at = from;
        for skip in self.removed.iter().filter(|s| s.end > from && s.start < to) {
            text.push_str(self.session.slice(Span::new(at, skip.start.max(at))));
            at = skip.end.min(to).max(at);
        }
        text.push_str(self.session.slice(Span::new(at, to)));
    }

    pub(super) fn emit(&mut self, text: String, out: &mut Vec<Directive>) {
        if text.is_empty() {
            return;
        }
        self.keep_released(&text);
        if let Some(Directive::Release { text: last }) = out.last_mut() {
            last.push_str(&text);
        } else {
            out.push(Directive::Release { text });
        }
    }

    /// Remembers what the reader got, up to what a session retains of its text.
    fn keep_released(&mut self, text: &str) {
        self.released.push_str(text);
        let cap = self.session.monitor().settings().max_retained;
        if self.released.len() <= cap {
            return;
        }
        // More than needed goes at once, so that what stays is seldom moved.
        let mut gone = self.released.len() - (cap - cap / 8);
        while !self.released.is_char_boundary(gone) {
            gone += 1;
        }
        self.released.drain(..gone);
        self.released_lost = true;
    }

    /// Ends the answer; notes that belong at its end go out first.
    pub(super) fn end(&mut self, reason: StopReason, out: &mut Vec<Directive>) {
        let reason = match (reason == StopReason::End).then(|| self.all_removed()) {
            Some(Some(said)) => {
                self.emit(said, out);
                StopReason::Discarded
            }
            _ => reason,
        };
        if self.policy.annotation == Annotation::Footnote
            && !self.notes.is_empty()
            && reason != StopReason::Failed
        {
            let mut text = if reason == StopReason::End && self.session.in_fence() {
                format!("{}\n", self.close_fence(self.session.text_end()).trim_end())
            } else {
                String::from("\n")
            };
            for (i, note) in self.notes.numbered() {
                text.push_str(&format!("\n[^note-{}]: {note}", i + 1));
            }
            self.emit(text, out);
        }
        self.stopped = Some(reason);
        let early = matches!(
            reason,
            StopReason::Discarded | StopReason::Interrupted | StopReason::Exhausted
        );
        if early && self.inline.is_none() && !self.session.is_finished() {
            // What has left is judged as a whole text is; a latched session judges nothing more.
            let _ = self.session.finish();
        }
        out.push(Directive::Stop { reason });
    }

    /// A step that brought nothing.
    pub(super) fn quiet(&self) -> Step {
        Step {
            pushes: self.session.pushes(),
            tier: Tier::None,
            action: crate::types::Action::Accept,
            entries: self.session.log_end()..self.session.log_end(),
            text: self.session.text_end()..self.session.text_end(),
            signals: None,
        }
    }

    /// Monitoring failed: the failure policy decides whether the stream goes on.
    pub(super) fn fail(&mut self, reason: &str) -> (Step, Vec<Directive>) {
        let mut out = Vec::new();
        let step = self.quiet();
        if self.failed.is_none() {
            self.failed = Some(reason.to_owned());
            let stop = self
                .session
                .monitor()
                .profiles()
                .iter()
                .any(|profile| profile.failure == FailurePolicy::Stop);
            if stop {
                self.end(StopReason::Failed, &mut out);
            } else {
                self.release_to(self.session.text_end(), &mut out);
            }
        }
        (step, out)
    }

    /// Text that nobody judges any more goes straight through, where the failure policy goes on.
    pub(super) fn pass(&mut self, input: Pass<'_>) -> Vec<Directive> {
        let mut out = Vec::new();
        if self.stopped.is_none() {
            let text = self.session.decode(input);
            self.emit(text, &mut out);
        }
        out
    }
}

/// Log entries the guard looks at.
#[derive(Clone)]
pub(super) enum Fresh {
    Finding(Arc<Finding>),
    Claim(Arc<Claim>),
    Sentence(Sentence),
}

impl Fresh {
    fn of(entry: &Entry) -> Option<Self> {
        match entry {
            Entry::Finding { finding, .. } => Some(Self::Finding(finding.clone())),
            Entry::Claim { claim, .. } => Some(Self::Claim(claim.clone())),
            Entry::Sentence { sentence } => Some(Self::Sentence(*sentence)),
            _ => None,
        }
    }

    /// The byte that decided it, where it comes from the text.
    fn decided_at(&self) -> Option<usize> {
        match self {
            Self::Finding(finding) => Some(finding.decided_at),
            Self::Claim(_) => None,
            Self::Sentence(sentence) => Some(sentence.decided_at),
        }
    }
}
