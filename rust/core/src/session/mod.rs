//! One stream's state; the only room that drives all others.
//!
//! A session is a pure function of its events: pushes, evidence added, verdicts and reported
//! findings. How the text was cut into pushes changes which push reports a finding, never what
//! is reported. A rollback restores the last checkpoint before its target and replays what
//! is left.

mod address;
mod appeal;
mod asked;
mod claim_budget;
mod coherence;
mod contain;
mod context;
mod course;
mod cut;
mod emit;
mod facts;
mod form;
mod grounding;
mod history;
mod judge;
mod kept;
mod kinds;
mod labels;
mod lexemes;
mod log;
mod marks;
mod matches;
mod memory;
mod opened;
mod pass;
mod pipeline;
mod polar;
mod record;
mod report;
mod segments;
mod sense;
mod signals;
mod state;
mod step;
mod tables;
mod text;
mod verdict;
mod warm;

use std::collections::VecDeque;
use std::sync::Arc;

use crate::error::{Category, Error, Result};
use crate::logits::{GroupConfidence, Row};
use crate::monitor::Monitor;
use crate::types::{Finding, Sentence, Signals, Span, TokenId, Verdict};

pub use coherence::coherence;
pub use context::Context;
pub use course::Mark;
pub use log::Entry;
pub use memory::Memory;
pub use pass::Pass;
pub use record::Event;
pub use report::{Change, Report, Stats};
pub use segments::segments;
pub use step::Step;
pub use warm::warm;

use course::Course;
use history::Checkpoint;
use kept::Kept;
use log::Log;
use record::{Input, Item, Own, PushRecord};
use signals::Observed;
use state::State;

/// What may come with a push.
#[derive(Debug, Clone, Copy, Default)]
pub struct Push<'a> {
    /// The raw row the token was sampled from.
    pub logits: Option<Row<'a>>,
    /// The row for the same prefix with the evidence taken out of the prompt.
    pub prior_logits: Option<Row<'a>>,
    /// Numbers an engine gave instead of rows.
    pub signals: Option<Signals>,
    /// Text the guard put there: not judged, carries no signals, exempts no claim.
    pub forced: bool,
    /// Bytes at the start of forced text that the stream had said itself and that come again, since
    /// a push began before what was taken back: they are judged. At most 65,534.
    pub own: usize,
}

/// One stream.
#[derive(Debug, Clone)]
pub struct Session {
    monitor: Monitor,
    /// Evidence, question, dialogue and the knowledge base's snapshot as given at the start.
    origin: Arc<Context>,
    context: Arc<Context>,
    state: State,
    text: Kept,
    log: Log,
    items: VecDeque<Item>,
    /// Running number of the first retained item.
    items_base: u64,
    items_cost: usize,
    pushes: u64,
    course: Course,
    checkpoints: VecDeque<Checkpoint>,
    observed: Option<Observed>,
    /// Confidence of the last tokens; rebuilt from the retained pushes after a rollback.
    group: GroupConfidence,
    /// What is known about the last token.
    last_signals: Option<Box<Signals>>,
    latched: Option<String>,
    finished: bool,
    truncated: bool,
}

impl Session {
    /// A stream of `monitor` over `context`.
    #[must_use]
    pub fn new(monitor: &Monitor, context: Context) -> Self {
        let state = State::new(monitor, &context);
        let context = Arc::new(context);
        Self {
            monitor: monitor.clone(),
            origin: context.clone(),
            context,
            state,
            text: Kept::default(),
            log: Log::default(),
            items: VecDeque::new(),
            items_base: 0,
            items_cost: 0,
            pushes: 0,
            course: Course::new(),
            checkpoints: VecDeque::new(),
            observed: None,
            group: monitor.new_group(),
            last_signals: None,
            latched: None,
            finished: false,
            truncated: false,
        }
    }

    /// The monitor this stream belongs to.
    #[must_use]
    pub fn monitor(&self) -> &Monitor {
        &self.monitor
    }

    /// Evidence, question and dialogue as they are now.
    #[must_use]
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Pushes so far.
    #[must_use]
    pub fn pushes(&self) -> u64 {
        self.pushes
    }

    /// The retained text.
    #[must_use]
    pub fn text(&self) -> &str {
        self.text.sent().as_str()
    }

    /// Byte offset of the first retained byte; 0 unless the stream outgrew its cap.
    #[must_use]
    pub fn text_start(&self) -> usize {
        self.text.sent().base()
    }

    /// Byte offset of the end of the text so far.
    #[must_use]
    pub fn text_end(&self) -> usize {
        self.text.sent().end()
    }

    /// The text at `span`, as far as it is retained.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.text.sent().get(span)
    }

    /// Up to `reach` bytes of retained text before byte `at`, from a whole character on.
    #[must_use]
    pub fn before(&self, at: usize, reach: usize) -> &str {
        self.text.sent().before(at, reach)
    }

    /// Whether the bytes so far end with a whole character, also where HTML writes one in many.
    #[must_use]
    pub fn has_whole_characters(&self) -> bool {
        self.state.utf8.pending() == 0 && self.state.visible.pending() == 0
    }

    /// Whether the stream has ended.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// Why the session has latched, if it has.
    #[must_use]
    pub fn latched(&self) -> Option<&str> {
        self.latched.as_deref()
    }

    /// Where the sentence that is being written starts, if one is.
    #[must_use]
    pub fn open_sentence(&self) -> Option<usize> {
        self.state.open_sentence().map(|at| self.text.start(at))
    }

    /// Where what is to be given a source starts, as [`Session::open_source`], in the text as sent.
    #[must_use]
    pub fn unsourced_from(&self) -> Option<usize> {
        self.open_source().map(|at| self.text.start(at))
    }

    /// Log entries a step brought.
    pub fn entries(&self, step: &Step) -> impl Iterator<Item = &Entry> {
        self.log.range(step.entries.start, step.entries.end)
    }

    /// All retained log entries from running number `from` on.
    pub fn log_since(&self, from: u64) -> impl Iterator<Item = &Entry> {
        self.log.since(from)
    }

    /// Running number the next log entry will have.
    #[must_use]
    pub fn log_end(&self) -> u64 {
        self.log.end()
    }

    /// Start of the earliest claim that waits for a verifier's answer.
    #[must_use]
    pub fn awaited_from(&self) -> Option<usize> {
        self.state.expected.iter().map(|(_, start)| *start).min()
    }

    /// Remembers the row the next token will be sampled from.
    ///
    /// # Errors
    /// As [`Session::push`]; `Argument` for an empty row.
    pub fn observe(&mut self, row: Row<'_>, prior: Option<Row<'_>>) -> Result<()> {
        self.ready()?;
        if row.is_empty() || prior.is_some_and(|prior| prior.len() != row.len()) {
            return Err(Error::argument(
                "observe() needs a row with one logit per vocabulary entry, and a prior row of \
                 the same length",
            ));
        }
        self.observed = Some(Observed::of(row, prior));
        Ok(())
    }

    /// Follows one token.
    ///
    /// # Errors
    /// `UnknownToken` for an id the vocabulary lacks, `Argument` for rows that do not fit,
    /// `Latched` after an internal fault or `finish`. Nothing changes then.
    pub fn push(&mut self, id: TokenId, with: Push<'_>) -> Result<Step> {
        self.ready()?;
        let Some(vocab) = self.monitor.vocab() else {
            return Err(Error::argument(
                "this monitor has no tokenizer, so token ids mean nothing to it; build it with \
                 tokenizer=…, or use push_text",
            ));
        };
        vocab.bytes(id)?;
        let signals = self.reduce(Some(id), with)?;
        Ok(self.advance(Input::Token(id), &with, signals))
    }

    /// Follows a piece of text.
    ///
    /// # Errors
    /// `Argument` for signals that do not fit, `Latched` as in [`Session::push`].
    pub fn push_text(&mut self, text: &str, with: Push<'_>) -> Result<Step> {
        self.push_bytes(text.as_bytes(), with)
    }

    /// Follows raw bytes; a split character waits for its rest.
    ///
    /// # Errors
    /// As [`Session::push_text`].
    pub fn push_bytes(&mut self, bytes: &[u8], with: Push<'_>) -> Result<Step> {
        self.ready()?;
        let signals = self.reduce(None, with)?;
        Ok(self.advance(Input::of(bytes), &with, signals))
    }

    /// Adds a passage the answer may rest on from here on.
    ///
    /// # Errors
    /// `Latched` as in [`Session::push`].
    pub fn add_evidence(&mut self, id: &str, text: &str) -> Result<()> {
        self.ready()?;
        self.happen(Event::Evidence {
            id: id.into(),
            text: text.into(),
        });
        Ok(())
    }

    /// Says that a verifier will answer for this claim.
    ///
    /// # Errors
    /// `NotFound` for a claim that is not in the log, `Latched` as in [`Session::push`].
    pub fn expect(&mut self, claim_id: &str) -> Result<()> {
        // The end itself closes claims.
        self.ready_for_report()?;
        self.find_claim(claim_id)?;
        self.happen(Event::Expect {
            claim_id: claim_id.into(),
        });
        Ok(())
    }

    /// Takes a verifier's answer.
    ///
    /// # Errors
    /// As [`Session::expect`]; `Argument` for probabilities outside 0..1.
    pub fn resolve(&mut self, claim_id: &str, verdict: Verdict) -> Result<Step> {
        self.ready_for_report()?;
        self.find_claim(claim_id)?;
        for interval in [verdict.p0, verdict.p1].into_iter().flatten() {
            let fine = (0.0..=1.0).contains(&interval.lo)
                && (0.0..=1.0).contains(&interval.hi)
                && interval.lo <= interval.hi;
            if !fine {
                return Err(Error::argument(format!(
                    "verdict probabilities {}..{} are not an interval within 0..1",
                    interval.lo, interval.hi
                )));
            }
        }
        Ok(self.happen(Event::Resolve {
            claim_id: claim_id.into(),
            verdict,
        }))
    }

    /// Takes findings from outside (Python detectors, verifiers).
    ///
    /// # Errors
    /// `NotFound` for a claim that is not in the log; `Argument` for a finding whose span or
    /// probability is not valid; `Latched` as in [`Session::push`].
    pub fn report_findings(
        &mut self,
        claim_id: Option<&str>,
        findings: Vec<Finding>,
    ) -> Result<Step> {
        self.ready_for_report()?;
        if let Some(id) = claim_id {
            self.find_claim(id)?;
        }
        for finding in &findings {
            if !(0.0..=1.0).contains(&finding.p_hallucinated) {
                return Err(Error::argument(format!(
                    "finding '{}': p_hallucinated is {}; it lies between 0 and 1",
                    finding.kind, finding.p_hallucinated
                )));
            }
            if let Some(span) = finding.span
                && (span.start > span.end || span.end > self.text_end())
            {
                return Err(Error::argument(format!(
                    "finding '{}': span {}..{} does not lie in the text (0..{})",
                    finding.kind,
                    span.start,
                    span.end,
                    self.text_end()
                )));
            }
            if let Some(span) = finding.span
                && !self.text.sent().is_whole(span)
            {
                return Err(Error::argument(format!(
                    "finding '{}': span {}..{} begins or ends inside a character, or before byte \
                     {}, where the retained text begins",
                    finding.kind,
                    span.start,
                    span.end,
                    self.text_start()
                )));
            }
        }
        Ok(self.happen(Event::Report {
            claim_id: claim_id.map(Into::into),
            findings,
        }))
    }

    /// An independent copy of the stream. Marks set before it hold in both, later ones in their own.
    #[must_use]
    pub fn fork(&self) -> Self {
        self.clone()
    }

    /// Says that the text is cut off here, as by a limit of tokens. The end is then judged without
    /// a last word that no space and no mark closed, and nothing is reported of what that word may
    /// still change: an amount or a name right before it. Further text takes it back.
    ///
    /// # Errors
    /// `Latched` if the stream is finished, or after an internal fault.
    pub fn cut(&mut self) -> Result<()> {
        self.ready()?;
        self.happen(Event::Cut);
        Ok(())
    }

    /// Closes what is open and ends the stream. Ending twice changes nothing.
    ///
    /// # Errors
    /// `Latched` after an internal fault.
    pub fn finish(&mut self) -> Result<Step> {
        if let Some(reason) = &self.latched {
            return Err(Error::new(Category::Latched, reason.clone()));
        }
        if self.finished {
            return Ok(self.empty_step());
        }
        self.observed = None;
        self.checkpoint();
        Ok(self.happen(Event::Finish))
    }

    /// Stops judging after an internal fault; rollback does not heal it.
    pub fn latch(&mut self, reason: impl Into<String>) {
        if self.latched.is_none() {
            self.latched = Some(reason.into());
        }
    }

    /// Sentences closed at or after byte `from`, as far as the log retains them.
    pub fn sentences_from(&self, from: usize) -> impl Iterator<Item = Sentence> {
        // Sentences close in their order.
        self.log
            .after_last(move |entry| {
                matches!(entry, Entry::Sentence { sentence } if sentence.span.end <= from)
            })
            .filter_map(move |entry| match entry {
                Entry::Sentence { sentence } => Some(*sentence),
                _ => None,
            })
    }

    fn ready(&self) -> Result<()> {
        if self.finished && self.latched.is_none() {
            return Err(Error::new(
                Category::Latched,
                "this session is finished; open another one",
            ));
        }
        self.ready_for_report()
    }

    /// Verdicts and reports may still come after the stream ended.
    fn ready_for_report(&self) -> Result<()> {
        match &self.latched {
            Some(reason) => Err(Error::new(Category::Latched, reason.clone())),
            None => Ok(()),
        }
    }

    fn empty_step(&self) -> Step {
        let end = self.text_end();
        Step::empty(self.pushes, self.log.end(), end)
    }

    fn find_claim(&self, claim_id: &str) -> Result<()> {
        let known = self
            .log
            .since(self.log.base())
            .any(|entry| matches!(entry, Entry::Claim { claim, .. } if claim.id == claim_id));
        if known {
            Ok(())
        } else {
            Err(Error::new(
                Category::NotFound,
                format!(
                    "no claim '{claim_id}' in this session; it may have been rolled back, or have \
                     left the retained log"
                ),
            ))
        }
    }

    fn advance(&mut self, input: Input, with: &Push<'_>, signals: Option<Box<Signals>>) -> Step {
        if self.state.wants_checkpoint() {
            self.checkpoint();
        }
        let record = PushRecord {
            input,
            own: if with.forced {
                Own::first(with.own)
            } else {
                Own::ALL
            },
            signals,
            text_end: 0,
            partial: false,
            run: self.course.now(),
        };
        let step = self.apply_push(record);
        self.enforce_cap();
        self.forget_entries(step.entries.start);
        step
    }

    fn happen(&mut self, event: Event) -> Step {
        let before = self.log.end();
        let text = self.text_end();
        self.items_cost += 1;
        self.items.push_back(Item::Other(Box::new(event.clone())));
        self.apply_event(&event);
        self.step_since(before, text)
    }
}
