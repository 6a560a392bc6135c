//! Findings that end the answer: what is said there, and what of it leaves.

use super::act::Case;
use super::wording::{self, What};
use super::{Directive, Guard, StopReason};
use crate::types::{Action, Finding, Span};

impl Guard {
    pub(super) fn discard(
        &mut self,
        case: &Case,
        focus: &Finding,
        out: &mut Vec<Directive>,
    ) -> bool {
        if self.inline.is_some() {
            // What was sent can't be called back here: whoever sees the end says so.
            self.record(case, Action::Discard, case.span(), "", "");
            self.end(StopReason::Discarded, out);
            return true;
        }
        let at = self.left_by_now(case.sentence.span.start);
        self.say_limitation(case, Action::Discard, at, focus, out);
        self.end(StopReason::Discarded, out);
        true
    }

    /// Takes back everything from byte `at` on and says there what is missing.
    fn say_limitation(
        &mut self,
        case: &Case,
        action: Action,
        at: usize,
        focus: &Finding,
        out: &mut Vec<Directive>,
    ) {
        let sent = focus.span.is_some_and(|span| span.end <= at);
        let said = wording::limitation(&What::named(focus, &case.found), sent);
        let apart = !self.released.is_empty() || at > self.released_to || self.goes_on_at(at);
        let code = self.out_of_code(at, case);
        let said = match (apart, code.is_empty()) {
            (true, true) => format!("\n\n{said}"),
            _ => format!("{code}{said}"),
        };
        self.settle_at(case, action, at, &said, out);
    }

    pub(super) fn exhaust(&mut self, case: &Case, _: &Finding, out: &mut Vec<Directive>) -> bool {
        if self.inline.is_some() {
            return self.note_exhausted(case);
        }
        let at = case.sentence.span.start.max(self.released_to);
        let said = &crate::lexicon::phrases::phrases().exhausted;
        let said = format!("{}{said}", self.out_of_code(at, case));
        self.settle_at(case, Action::Interrupt, at, &said, out);
        self.end(StopReason::Exhausted, out);
        true
    }

    /// In place of a rewrite that cannot be carried out: the answer ends before the claim, with
    /// what is missing.
    pub(super) fn end_at_claim(&mut self, case: &Case, out: &mut Vec<Directive>) -> bool {
        let of_tier = case.found.iter().filter(|f| f.tier == case.tier);
        let Some(focus) = of_tier.min_by_key(|f| f.span.map_or(usize::MAX, |s| s.start)) else {
            return self.annotate(case, &case.found[0]);
        };
        let at = case.sentence.span.start.max(self.released_to);
        self.say_limitation(case, Action::Interrupt, at, &focus.clone(), out);
        self.end(StopReason::Interrupted, out);
        true
    }

    /// Takes back everything from byte `at` on, releases what stands before it and `text`
    /// after it. The answer ends there.
    pub(super) fn settle_at(
        &mut self,
        case: &Case,
        action: Action,
        at: usize,
        text: &str,
        out: &mut Vec<Directive>,
    ) {
        let span = Span::new(at, self.session.text_end());
        let retracted = self.session.slice(span).to_owned();
        self.release_to(at, out);
        let joint = if self.released.is_empty() && !self.goes_on_at(at) {
            ""
        } else {
            self.joint(at, text)
        };
        if let Some((keep, kept_to)) = self.session.pushes_before(at) {
            let between = self.session.slice(Span::new(kept_to, at)).to_owned();
            if self.session.reopen_at(keep).is_ok() {
                if !between.is_empty() {
                    // Fails only on a latched session, whose text no longer matters.
                    let own = crate::session::Push::default();
                    let _ = self.session.push_text(&between, own);
                }
                self.forget_after(at, at);
            }
        }
        self.record(case, action, span, &retracted, text);
        self.rewrites += 1;
        self.emit(format!("{joint}{text}"), out);
    }
}
