//! Where a rewrite and the text around it would not read as prose: a lead-in behind which nothing
//! follows, a note that comes when the next sentence has begun.

use super::act::{Case, MAX_CORRECTIONS};
use super::wording::{self, What};
use super::{Directive, Guard, StopReason};
use crate::policy::AfterInterrupt;
use crate::types::{Action, Finding, Sentence, Span};

/// Bytes at the end of a text that tell whether a sentence ends there.
const SENTENCE_TAIL: usize = 64;

/// A lead-in that was written before a claim.
#[derive(Debug, Clone)]
pub(super) struct Lead {
    /// Where it begins.
    at: usize,
    /// End of the text that was forced there.
    forced_to: usize,
    /// Whether the text being pushed is still forced.
    open: bool,
    /// The claim it was written for.
    case: Case,
    focus: Finding,
}

/// A note about a claim the reader has.
#[derive(Debug, Clone)]
pub(super) struct Late {
    pub(super) case: Case,
    focus: Finding,
    action: Action,
}

impl Lead {
    pub(super) const fn begins_before(&self, byte: usize) -> bool {
        self.at < byte
    }
}

impl Guard {
    /// A lead-in is to be written at byte `at`.
    pub(super) fn leads_in(&mut self, at: usize, case: &Case, focus: &Finding) {
        self.lead = Some(Box::new(Lead {
            at,
            forced_to: at,
            open: true,
            case: case.clone(),
            focus: focus.clone(),
        }));
    }

    /// A push has come; the first that is not forced is the model's.
    pub(super) fn follow_lead(&mut self, forced: bool) {
        if let Some(lead) = &mut self.lead {
            lead.open &= forced;
            if lead.open {
                lead.forced_to = self.session.text_end();
            }
        }
    }

    /// A sentence has closed. If it is a lead-in and nothing more, it says nothing, so that what
    /// could not be verified is said in its place. True if text was rewritten or the answer ended.
    pub(super) fn settle_lead(&mut self, sentence: Sentence, out: &mut Vec<Directive>) -> bool {
        let within = |lead: &Lead| sentence.span.start <= lead.at && lead.at < sentence.span.end;
        let Some(lead) = self.lead.take_if(|lead| within(lead)) else {
            return false;
        };
        let forced = Span::new(lead.at, lead.forced_to.min(sentence.span.end));
        let follows = self.session.slice(Span::new(forced.end, sentence.span.end));
        // An application's own words may say all there is to say.
        let complete = wording::ends_sentence(self.session.slice(forced));
        if complete || follows.contains(char::is_alphanumeric) {
            return false;
        }
        let said = wording::unverified(&What::named(&lead.focus, &lead.case.found), self.rewrites);
        // A list's mark may have left before what it stands for.
        let before = self.session.slice(Span::new(sentence.span.start, lead.at));
        let start = if before.contains(char::is_alphanumeric) {
            sentence.span.start
        } else {
            lead.at
        };
        let case = Case {
            sentence: Sentence {
                span: Span::new(start, sentence.span.end),
                ..sentence
            },
            ..lead.case
        };
        let at = lead.at.max(self.released_to);
        let waits = self.held_from().is_some_and(|from| from < at);
        let stops = self.policy.after_interrupt == AfterInterrupt::Stop;
        let reason = if stops {
            StopReason::Interrupted
        } else {
            StopReason::Exhausted
        };
        // The answer ends here only where nothing before may still turn out wrong.
        if waits || !(stops || self.rewrites >= self.policy.max_interventions) {
            return self.rewrite(&case, Action::Interrupt, at, &said, out);
        }
        self.settle_at(&case, Action::Interrupt, at, &said, out);
        self.end(reason, out);
        true
    }

    /// Keeps a note for the end of the sentence that the reader is in; false if there is none.
    fn comes_late(&mut self, case: &Case, focus: &Finding, action: Action) -> bool {
        let inside = !self.session.is_finished()
            && (self.session.open_sentence())
                .is_some_and(|start| start >= case.sentence.span.end && start < self.released_to);
        if inside {
            self.late.push(Late {
                case: case.clone(),
                focus: focus.clone(),
                action,
            });
        }
        inside
    }

    /// The sentence that the reader was in has closed and stays: the oldest note is written behind
    /// it. True if one was.
    pub(super) fn settle_late(&mut self, end: usize, out: &mut Vec<Directive>) -> bool {
        if self.late.is_empty() || self.rewrites >= self.policy.max_interventions {
            return false;
        }
        let late = self.late.remove(0);
        self.append_at(&late.case, &late.focus, late.action, end, out)
    }

    /// The reader has the claim: what is to be said is appended after it.
    pub(super) fn append(
        &mut self,
        case: &Case,
        focus: &Finding,
        action: Action,
        out: &mut Vec<Directive>,
    ) -> bool {
        self.attempts
            .insert(case.sentence.span.start, MAX_CORRECTIONS);
        if self.inline.is_some() {
            return self.note(case, focus, action);
        }
        let stops =
            action == Action::Interrupt && self.policy.after_interrupt == AfterInterrupt::Stop;
        if !stops && self.comes_late(case, focus, action) {
            return false;
        }
        self.append_at(case, focus, action, case.sentence.span.end, out)
    }

    /// The same after byte `end`; with other text between, the note says what it is about.
    fn append_at(
        &mut self,
        case: &Case,
        focus: &Finding,
        action: Action,
        end: usize,
        out: &mut Vec<Directive>,
    ) -> bool {
        let at = end.max(self.released_to);
        let between = Span::new(case.sentence.span.end.min(at), at);
        let apart = !self.session.slice(between).trim().is_empty();
        let note = wording::after_the_fact(focus, action == Action::Correct, apart);
        let note = format!("{}{note}", self.joint(at, &note));
        if action == Action::Interrupt && self.policy.after_interrupt == AfterInterrupt::Stop {
            self.settle_at(case, action, at, &note, out);
            self.end(StopReason::Interrupted, out);
            return true;
        }
        if self.fixed {
            self.marks.entry(at).or_default().push_str(&note);
            self.record(case, action, Span::new(at, at), "", &note);
            self.rewrites += 1;
            return false;
        }
        self.rewrite(case, action, at, &note, out)
    }

    /// What stands between the text before byte `at` and a statement put there. Where holding was
    /// given up the text may end inside a word or a sentence: that is closed first.
    pub(super) fn joint(&self, at: usize, statement: &str) -> &'static str {
        let before = self.session.before(at, SENTENCE_TAIL);
        let inside = |start: usize| start < at;
        let cut = self
            .session
            .sentences_from(at)
            .any(|sentence| inside(sentence.span.start))
            || self.session.open_sentence().is_some_and(inside);
        match (
            cut && !wording::ends_sentence(before),
            statement.starts_with(char::is_whitespace),
        ) {
            (true, true) => "…",
            (true, false) => "… ",
            (false, true) => "",
            (false, false) if before.ends_with(|c: char| !c.is_whitespace()) => " ",
            (false, false) => "",
        }
    }
}
