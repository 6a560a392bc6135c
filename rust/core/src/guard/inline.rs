//! A guard for engines that can't go back: each token has left when it is heard of. What is to be
//! said is appended after its claim, token by token, and nothing is ever rewound.
//!
//! Whoever drives it asks [`Guard::foresee`] at the places [`Guard::at_boundary`] names what would
//! have to be said if the model went on with a certain token. The guard answers from a fork, so that
//! a note stands behind the full stop and not behind the first word of the next sentence. The
//! answer depends on text alone: whoever reads the same ids later can tell by it which of them
//! were forced.

use super::act::{Case, QUOTATION_REACH};
use super::{Directive, Guard, StopReason};
use crate::error::Result;
use crate::policy::{Annotation, Policy, Release};
use crate::session::{Push, Session};
use crate::types::{Action, Finding, Span, TokenId};

use super::wording;

/// Bytes at the end of a text that tell whether something may be said there.
const TAIL: usize = 64;
/// Tokens that may decide whether a sentence is over.
const LOOK: usize = 32;

/// A note that belongs after a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Note {
    /// As it is said right after its claim.
    text: String,
    /// As it is said where other sentences have followed.
    late: String,
    stop: Option<StopReason>,
}

/// What a guard that only appends keeps besides.
#[derive(Debug, Clone, Default)]
pub(super) struct Inline {
    /// Notes whose claims have closed, and that were not said yet.
    due: Vec<Note>,
    /// Notes that are being said before their claims are known to be closed.
    expected: Vec<String>,
    /// End of what is being said, bytes of the session's text.
    say_to: Option<usize>,
    /// How the answer ends once it is said.
    stop: Option<StopReason>,
    /// Whether a note that ends the answer was made.
    closing: bool,
}

/// What is to be said next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// Text to force, with the spaces around it.
    pub text: String,
    /// How the answer ends after it, if it does.
    pub stop: Option<StopReason>,
    fresh: Vec<String>,
}

impl Guard {
    /// A guard that can only append. Text leaves as it comes; marks in the text are impossible, so
    /// annotations go into the report alone.
    #[must_use]
    pub fn appending(session: Session, policy: Policy) -> Self {
        let policy = Policy {
            release: Release::Token,
            annotation: Annotation::Metadata,
            ..policy
        };
        let mut guard = Self::with_policy(session, policy);
        guard.inline = Some(Inline::default());
        guard
    }

    /// An independent copy: what the stream would be with other tokens.
    #[must_use]
    pub fn fork(&self) -> Self {
        self.clone()
    }

    /// Whether something could be said here: a sentence may have ended, all characters are whole,
    /// no quotation is open and nothing is being said; nowhere under a policy that only watches.
    /// Cheap, unlike [`Guard::foresee`].
    #[must_use]
    pub fn at_boundary(&self) -> bool {
        let Some(inline) = &self.inline else {
            return false;
        };
        let end = self.session.text_end();
        let free = self.stopped.is_none() && self.failed.is_none() && inline.say_to.is_none();
        if self.policy.only_watches()
            || !free
            || self.session.is_finished()
            || self.session.latched().is_some()
        {
            return false;
        }
        let tail = self.session.before(end, TAIL);
        if !wording::may_end(tail) {
            return false;
        }
        let whole = self.session.has_whole_characters();
        whole && !wording::inside_quotation(self.session.before(end, QUOTATION_REACH), "", 0)
    }

    /// What has to be said here before the model goes on with `next`, if anything.
    ///
    /// The sentence has to be over with the first few of `next`; where they are none, the answer
    /// ends here. Nothing where the sentence would go on, and nothing for other guards than those
    /// of [`Guard::appending`].
    ///
    /// # Errors
    /// As [`Session::push`] for `next`.
    pub fn foresee(&self, next: &[TokenId]) -> Result<Option<Said>> {
        if !self.at_boundary() {
            return Ok(None);
        }
        let end = self.session.text_end();
        let waiting = self.inline.as_ref().map_or(0, |inline| inline.due.len());
        if !next.is_empty() && !self.is_inside(end) {
            // Every sentence here is over, and its notes are due already.
            let due = self.inline.as_ref().map_or(&[][..], |inline| &inline.due);
            return Ok(self.compose(due, waiting));
        }
        let mut ahead = self.fork();
        if next.is_empty() {
            ahead.finish(0)?;
        }
        for &id in next.iter().take(LOOK) {
            ahead.push(id, Push::default(), 0)?;
            if !ahead.is_inside(end) {
                break;
            }
        }
        if ahead.is_inside(end) && ahead.ends_line(end) {
            // The line ends here: what is asked is whether a note would end the sentence too.
            ahead.push_text("(", Push::default(), 0)?;
        }
        let stopped = !matches!(ahead.stopped, None | Some(StopReason::End));
        if stopped || ahead.is_inside(end) {
            return Ok(None);
        }
        let due = ahead.inline.map(|inline| inline.due).unwrap_or_default();
        Ok(self.compose(&due, waiting))
    }

    /// Whether byte `at` stands in a sentence, or may.
    fn is_inside(&self, at: usize) -> bool {
        self.session.open_sentence().is_some_and(|from| from < at)
            || self
                .session
                .sentences_from(at)
                .any(|sentence| sentence.span.start < at)
    }

    /// Whether nothing but space, with a line break, follows byte `at`.
    fn ends_line(&self, at: usize) -> bool {
        let rest = self.session.slice(Span::new(at, self.session.text_end()));
        rest.contains('\n') && rest.trim().is_empty()
    }

    /// One text of the notes, of which the first `late` were due before.
    fn compose(&self, notes: &[Note], late: usize) -> Option<Said> {
        let through = notes.iter().position(|note| note.stop.is_some());
        let notes = &notes[..through.map_or(notes.len(), |last| last + 1)];
        let said: Vec<&str> = notes
            .iter()
            .enumerate()
            .map(|(i, note)| if i < late { &note.late } else { &note.text }.as_str())
            .collect();
        if said.is_empty() {
            return None;
        }
        let before = self.session.before(self.session.text_end(), TAIL);
        // The model writes its next piece as it would have without the note: with a space of its
        // own, or behind one that stands there. Behind a line, the note is a paragraph: it would
        // be read as part of a list's item otherwise.
        let (lead, trail) = match before.chars().next_back() {
            Some('\n') if before.ends_with("\n\n") => ("", "\n\n"),
            Some('\n') => ("\n", "\n\n"),
            Some(c) if c.is_whitespace() => ("", " "),
            None => ("", ""),
            Some(_) => (" ", ""),
        };
        Some(Said {
            text: format!("{lead}{}{trail}", said.join(" ")),
            stop: notes.last().and_then(|note| note.stop),
            fresh: notes.iter().skip(late).map(|n| n.text.clone()).collect(),
        })
    }

    /// From here on `said` is forced: push its tokens with `forced`. The answer ends with the last
    /// of them where it says so.
    pub fn speak(&mut self, said: &Said) {
        let end = self.session.text_end();
        if let Some(inline) = &mut self.inline {
            inline.due.clear();
            inline.expected.clone_from(&said.fresh);
            inline.say_to = Some(end + said.text.len());
            inline.stop = said.stop;
        }
    }

    /// What was never said, for whoever can still add it after the answer's end.
    #[must_use]
    pub fn unsaid(&self) -> Option<Said> {
        let inline = self.inline.as_ref()?;
        // Behind the last claim a note needs no name for what it is about.
        let late = inline.due.len().saturating_sub(1);
        self.compose(&inline.due, late)
    }

    /// Everything has left as it came.
    pub(super) fn all_left(&mut self, out: &mut Vec<Directive>) {
        if self.inline.is_some() {
            self.release_to(self.session.text_end(), out);
        }
    }

    /// Ends the answer once what ends it was said.
    pub(super) fn spoken(&mut self, out: &mut Vec<Directive>) {
        let end = self.session.text_end();
        let Some(inline) = self.inline.as_mut() else {
            return;
        };
        if inline.say_to.is_some_and(|to| end >= to) {
            inline.say_to = None;
            inline.expected.clear();
            if let Some(reason) = inline.stop.take()
                && self.stopped.is_none()
            {
                self.end(reason, out);
            }
        }
    }

    /// Notes what is to be said after a claim.
    pub(super) fn note(&mut self, case: &Case, focus: &Finding, action: Action) -> bool {
        let stop = (action == Action::Interrupt
            && self.policy.after_interrupt == crate::policy::AfterInterrupt::Stop)
            .then_some(StopReason::Interrupted);
        let correct = action == Action::Correct;
        let note = Note {
            text: wording::after_the_fact(focus, correct, false),
            late: wording::long_after_the_fact(focus, correct),
            stop,
        };
        self.queue(case, action, note)
    }

    /// The note that ends an answer with too many of them.
    pub(super) fn note_exhausted(&mut self, case: &Case) -> bool {
        let said = crate::lexicon::phrases::phrases().exhausted.clone();
        let note = Note {
            text: said.clone(),
            late: said,
            stop: Some(StopReason::Exhausted),
        };
        self.queue(case, Action::Interrupt, note)
    }

    fn queue(&mut self, case: &Case, action: Action, note: Note) -> bool {
        let said = note.text.clone();
        let span: Span = case.span();
        if let Some(inline) = &mut self.inline {
            if inline.closing {
                return self.leave(case);
            }
            inline.closing = note.stop.is_some();
            // What is said already needs not be said again.
            match inline.expected.iter().position(|text| *text == note.text) {
                Some(at) => drop(inline.expected.remove(at)),
                None => inline.due.push(note),
            }
        }
        self.record(case, action, span, "", &said);
        self.rewrites += 1;
        false
    }
}
