//! Claims that are left out, and what is forgotten with text that was taken back.

use super::Guard;
use super::act::Case;
use super::wording::{What, limitation};
use crate::types::{Action, Finding, Span};

impl Guard {
    /// Leaves the claim out of what the reader gets.
    pub(super) fn remove(&mut self, case: &Case, _: &Finding) -> bool {
        let span = case.sentence.span;
        let text = self.session.slice(span).to_owned();
        let out = self.with_space(span);
        let out = self.with_line(out, case.sentence.decided_at);
        self.removed.push(out);
        // What marks the claim goes with it.
        (self.marks).retain(|at, _| *at <= span.start || *at > span.end);
        self.record(case, Action::Remove, span, &text, "");
        self.rewrites += 1;
        false
    }

    /// What is said where all that the answer had was left out: a reader of nothing would not know why.
    pub(super) fn all_removed(&self) -> Option<String> {
        let own = self.begun == 0 && self.first == 0 && self.inline.is_none();
        let blank = !self.released_lost && self.released.trim().is_empty();
        if !own || !blank || self.removed.is_empty() {
            return None;
        }
        let mut done = self.interventions.as_slice().iter().rev();
        let last = done.find(|done| done.action == Action::Remove)?;
        let focus = last.findings.iter().max_by_key(|finding| finding.tier)?;
        // What was left out is quoted nowhere.
        Some(limitation(
            &What::named(focus, &last.findings).unnamed(),
            false,
        ))
    }

    /// `span` with the space that nothing needs once it is left out: the one before it, or where
    /// that has left already or is none, the one after it.
    fn with_space(&self, span: Span) -> Span {
        let space = [' ', '\t'];
        let left_out = self.removed.last().map_or(0, |last| last.end);
        let from = self.released_to.max(left_out).min(span.start);
        let unsent = self.session.slice(Span::new(from, span.start));
        let before = unsent.len() - unsent.trim_end_matches(space).len();
        if before > 0 {
            return Span::new(span.start - before, span.end);
        }
        let apart = self
            .session
            .before(span.start, 4)
            .chars()
            .next_back()
            .is_none_or(char::is_whitespace);
        let rest = self
            .session
            .slice(Span::new(span.end, self.session.text_end()));
        let after = rest.len() - rest.trim_start_matches(space).len();
        Span::new(span.start, span.end + if apart { after } else { 0 })
    }

    /// `span` with the line's end behind it where nothing else stands in its line: an empty line would
    /// stay. What came after byte `decided` is not looked at, so that cuts do not matter.
    fn with_line(&self, span: Span, decided: usize) -> Span {
        let before = self.session.before(span.start, 1);
        let known = Span::new(span.end, self.session.text_end().min(decided.max(span.end)));
        let rest = self.session.slice(known);
        let opens = before.is_empty() || before.ends_with('\n');
        let line = ["\r\n", "\n"].into_iter().find(|end| rest.starts_with(end));
        match line {
            Some(end) if opens => Span::new(span.start, span.end + end.len()),
            _ => span,
        }
    }

    /// Forgets what was noted about text that was taken back. The session forgot what lies after
    /// `end`; the text up to `at` comes again as it was.
    pub(super) fn forget_after(&mut self, end: usize, at: usize) {
        self.seen = self.session.log_end();
        self.pending.retain(|f| f.decided_at <= end);
        self.units.retain(|unit| unit.decided_at <= end);
        self.unsourced = (self.unsourced.take()).filter(|claim| claim.is_known_by(end));
        self.removed.retain(|span| span.end <= at);
        self.marks.split_off(&(at + 1));
        self.closed_to = self.closed_to.min(end);
        self.attempts.retain(|start, _| *start <= at);
        self.acted.retain(|(_, end)| *end <= at);
        self.lead = self.lead.take().filter(|lead| lead.begins_before(at));
        self.value = self.value.take().filter(|value| value.ends_by(at));
        self.owed = self.owed.take().filter(|owed| owed.begins_by(at));
        self.late.retain(|late| late.case.sentence.span.end <= at);
        self.held_pushes = 0;
        self.forget_answers(at);
    }
}
