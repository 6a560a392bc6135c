//! Hold-back, release and rewriting of one stream: a state machine without I/O or clock.
//!
//! In: a push and the caller's time. Out: directives, in order. The guard owns its session: a
//! rewind has already rolled the session back when the integration reads it; the integration
//! cuts its own state to `keep` pushes, feeds `text` as forced tokens through
//! [`Guard::push`] with `forced: true`, and goes on.

mod act;
mod answers;
mod begun;
mod bound;
mod correct;
mod doubled;
mod ending;
mod hold;
mod inline;
mod label;
mod late;
mod layout;
mod missing;
mod owed;
mod remove;
mod report;
mod unsourced;
mod value;
mod wording;

use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::error::{Category, Error, Result};
use crate::policy::Policy;
use crate::session::{Pass, Push, Session, Step};
use crate::types::{Action, Finding, Modality, Sentence, Span, Tier, TokenId};

pub use inline::Said;
pub use report::GuardReport;

use act::Case;
use answers::Awaited;
use bound::Kept;
use inline::Inline;
use late::{Late, Lead};
use owed::Owed;
use unsourced::Unsourced;
use value::Value;

/// Why the guard ends the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The answer was complete.
    End,
    /// A critical finding: nothing further is released; or all that the answer had was left out.
    Discarded,
    /// A high finding, and the policy stops after an interruption.
    Interrupted,
    /// Too many rewrites.
    Exhausted,
    /// Monitoring failed, and the failure policy stops.
    Failed,
}

impl StopReason {
    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::End => "end",
            Self::Discarded => "discarded",
            Self::Interrupted => "interrupted",
            Self::Exhausted => "exhausted",
            Self::Failed => "failed",
        }
    }
}

/// What the integration is to do, in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Directive {
    /// Give this text to the reader.
    Release {
        /// The text.
        text: String,
    },
    /// Cut back to the first `keep` pushes and force `text`.
    Rewind {
        /// Pushes that stay, of those that came through the guard.
        keep: u64,
        /// Text to feed as forced tokens; begins with the bytes between the kept pushes and
        /// the place of the rewrite.
        text: String,
    },
    /// Text is held for a verifier's answer: poll, or call again later.
    Wait,
    /// End the answer.
    Stop {
        /// Why.
        reason: StopReason,
    },
}

/// What of a text can be rewritten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fixed {
    /// All that is held: the model writes anew from any place.
    No,
    /// A value in it: what followed comes again as it was.
    InPlace,
    /// Nothing.
    Whole,
}

/// One thing the guard did to the answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Intervention {
    /// What was done.
    pub action: Action,
    /// The tier that asked for it.
    pub tier: Tier,
    /// Push at which it was decided.
    pub at_push: u64,
    /// Where in the session's text, bytes, before the rewrite. A note that a guard which only
    /// appends makes has the span of its claim.
    pub span: Span,
    /// Text that was taken back and never left.
    pub retracted: String,
    /// Text that was put in its place.
    pub inserted: String,
    /// Whether the reader already had the claim; of one that the request began, something of what the
    /// answer added, or what is wrong.
    pub already_sent: bool,
    /// The findings that led to it.
    pub findings: Arc<[Finding]>,
}

/// What is put into the reader's text behind a place of the session's.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Mark {
    Text(String),
    /// A footnote: what it says, and the space that stands behind its number.
    Footnote {
        note: String,
        space: String,
    },
}

impl Mark {
    fn says(&self, text: &str) -> bool {
        matches!(self, Self::Text(own) if own.contains(text))
    }
}

/// The release and rewriting of one stream.
#[derive(Debug, Clone)]
pub struct Guard {
    session: Session,
    policy: Policy,
    /// Pushes of the session before this guard: text that the reader has.
    first: u64,
    /// Log entries already looked at.
    seen: u64,
    /// Where the request's own text ends, with which the answer goes on; 0 if there is none.
    begun: usize,
    /// Bytes of the session's text that have left or were left out, or are the request's.
    released_to: usize,
    released: String,
    /// Whether the beginning of `released` is no longer retained.
    released_lost: bool,
    /// Findings of claims that are not closed yet, or wait for their turn.
    pending: Vec<Finding>,
    /// A closed claim that may still turn out to appeal to nobody.
    unsourced: Option<Box<Unsourced>>,
    /// Closed sentences that are not released yet.
    units: Vec<Sentence>,
    /// Rewrites so far of the claim that starts at a byte.
    attempts: BTreeMap<usize, u32>,
    /// Where the last hedge stands: start of its claim.
    hedged: Option<usize>,
    /// The lead-in behind which the model has not said anything yet.
    lead: Option<Box<Lead>>,
    /// The last value that was put in, until it is known what stands behind it.
    value: Option<Box<Value>>,
    /// What was found behind it, as long as the model may write that again.
    owed: Option<Box<Owed>>,
    /// What is said about claims the reader has, once the sentence closes that the reader is in.
    late: Vec<Late>,
    /// Start of the last sentence that closed and stayed.
    previous: Option<usize>,
    /// Start of the one before that.
    earlier: Option<usize>,
    /// End of the last closed sentence.
    closed_to: usize,
    /// The byte that decided what is being acted upon.
    decided_at: usize,
    /// How the last claim was said, with its sentence's number.
    modality: Option<(u32, Modality)>,
    /// Marks to insert after a byte of the session's text.
    marks: BTreeMap<usize, Vec<Mark>>,
    /// Text that is left out.
    removed: Vec<Span>,
    /// Pushes including those taken back.
    seen_pushes: u64,
    notes: Kept<String>,
    /// Up to here forced text is what the stream had said itself.
    own_to: usize,
    /// Findings that were acted upon, with the end of their text.
    acted: Kept<(Arc<str>, usize)>,
    interventions: Kept<Intervention>,
    /// Whether somebody answers about every closed claim.
    asks: bool,
    /// What can be rewritten where the model cannot write anew from a place further back.
    fixed: Fixed,
    /// Claims that somebody was asked about, in the order they closed.
    awaited: VecDeque<Awaited>,
    /// Claims nobody answered for in time.
    unanswered: Kept<String>,
    /// Sentences that end the answer, once what stands before them is answered.
    deferred: Vec<Case>,
    /// Text before this byte no longer waits for an application's answers.
    waived_to: usize,
    /// When the model ended its answer.
    ended_since: Option<u64>,
    /// Why somebody who was asked could not answer, if the stream is to end for it.
    broken: Option<String>,
    /// All pushes, forced ones too.
    heard: u64,
    rewrites: u32,
    held_pushes: u32,
    held_since: Option<u64>,
    gave_up: u32,
    stopped: Option<StopReason>,
    failed: Option<String>,
    /// Set where nothing can be taken back and text can only be appended.
    inline: Option<Inline>,
}

impl Guard {
    /// A guard over `session` with the monitor's policy.
    #[must_use]
    pub fn new(session: Session) -> Self {
        let policy = session.monitor().policy().clone();
        Self::with_policy(session, policy)
    }

    /// A guard over `session` with a policy of its own. What the session has read before is text
    /// that the reader has: it is not released and not rewritten.
    #[must_use]
    pub fn with_policy(session: Session, policy: Policy) -> Self {
        let most = session.monitor().settings().max_entries;
        Self {
            first: session.pushes(),
            begun: 0,
            seen: session.log_end(),
            released_to: session.text_end(),
            released: String::new(),
            released_lost: false,
            session,
            policy,
            pending: Vec::new(),
            unsourced: None,
            units: Vec::new(),
            attempts: BTreeMap::new(),
            hedged: None,
            lead: None,
            value: None,
            owed: None,
            late: Vec::new(),
            previous: None,
            earlier: None,
            closed_to: 0,
            decided_at: 0,
            modality: None,
            marks: BTreeMap::new(),
            removed: Vec::new(),
            seen_pushes: 0,
            own_to: 0,
            notes: Kept::new(most),
            acted: Kept::new(most),
            interventions: Kept::new(most),
            asks: false,
            fixed: Fixed::No,
            awaited: VecDeque::new(),
            unanswered: Kept::new(most),
            deferred: Vec::new(),
            waived_to: 0,
            ended_since: None,
            broken: None,
            heard: 0,
            rewrites: 0,
            held_pushes: 0,
            held_since: None,
            gave_up: 0,
            stopped: None,
            failed: None,
            inline: None,
        }
    }

    /// The guarded session.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The guarded session, to add evidence or answers; pushes go through the guard.
    pub fn session_mut(&mut self) -> &mut Session {
        &mut self.session
    }

    /// From here on no text can be generated anew: whoever writes the answer cannot continue from
    /// a place further back. A hedge is an annotation, a note after text that has left is put in
    /// without a rewind, and a claim that would have been interrupted ends the answer, with what is
    /// missing in its place.
    ///
    /// So does a wrong value, unless `in_place` says that whoever carries out a rewind pushes again
    /// what it took back, but for the value that was exchanged.
    pub fn cannot_rewind(&mut self, in_place: bool) {
        self.fixed = if in_place {
            Fixed::InPlace
        } else {
            Fixed::Whole
        };
    }

    /// Runs `call`; a panic in it latches the session and becomes an error.
    ///
    /// # Errors
    /// What `call` returns, and `Latched` after a panic.
    pub fn contain<T>(&mut self, call: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        match catch_unwind(AssertUnwindSafe(|| call(self))) {
            Ok(result) => result,
            Err(panic) => Err(self.session.fault(panic.as_ref())),
        }
    }

    /// The policy in force.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// What the reader has so far: its end, where it outgrew what a session retains
    /// (`max_retained`). Whoever needs more keeps the releases.
    #[must_use]
    pub fn released(&self) -> &str {
        &self.released
    }

    /// Bytes of the stream's text that wait to leave.
    #[must_use]
    pub fn held(&self) -> usize {
        self.session.text_end().saturating_sub(self.released_to)
    }

    /// What was done so far, as far as it is retained: the oldest leave first.
    #[must_use]
    pub fn interventions(&self) -> &[Intervention] {
        self.interventions.as_slice()
    }

    /// Number of all interventions so far, those no longer retained too.
    #[must_use]
    pub fn intervened(&self) -> u64 {
        self.interventions.total()
    }

    /// Why the answer ended, if it has.
    #[must_use]
    pub fn stopped(&self) -> Option<StopReason> {
        self.stopped
    }

    /// Follows one token; `now_ms` is the caller's clock in milliseconds. Nothing happens once
    /// the answer has ended.
    ///
    /// # Errors
    /// As [`Session::push`]; nothing changes then.
    pub fn push(
        &mut self,
        id: TokenId,
        with: Push<'_>,
        now_ms: u64,
    ) -> Result<(Step, Vec<Directive>)> {
        if self.stopped.is_some() {
            return Ok((self.quiet(), Vec::new()));
        }
        if let Some(reason) = self.session.latched().map(str::to_owned) {
            return Ok(self.go_on(&reason, Pass::Token(id)));
        }
        self.still_open()?;
        let step = self.session.push(id, self.owned(with))?;
        self.count(with.forced);
        let directives = self.settle(now_ms);
        Ok((step, directives))
    }

    /// Follows a piece of text.
    ///
    /// # Errors
    /// As [`Session::push_text`]; nothing changes then.
    pub fn push_text(
        &mut self,
        text: &str,
        with: Push<'_>,
        now_ms: u64,
    ) -> Result<(Step, Vec<Directive>)> {
        if self.stopped.is_some() {
            return Ok((self.quiet(), Vec::new()));
        }
        if let Some(reason) = self.session.latched().map(str::to_owned) {
            return Ok(self.go_on(&reason, Pass::Bytes(text.as_bytes())));
        }
        self.still_open()?;
        let step = self.session.push_text(text, self.owned(with))?;
        self.count(with.forced);
        let directives = self.settle(now_ms);
        Ok((step, directives))
    }

    fn still_open(&self) -> Result<()> {
        if self.session.is_finished() {
            return Err(Error::new(
                Category::Latched,
                "the end of this answer waits for an answer about a claim: call finish() again \
                 until it says rewind or stop, and push nothing before",
            ));
        }
        Ok(())
    }

    /// What is forced begins with the stream's own words where a push began before them.
    fn owned<'a>(&self, with: Push<'a>) -> Push<'a> {
        let own = self.own_to.saturating_sub(self.session.text_end());
        Push { own, ..with }
    }

    fn count(&mut self, forced: bool) {
        if !forced {
            self.own_to = 0;
        }
        self.heard += 1;
        self.seen_pushes += u64::from(!forced);
        self.follow_lead(forced);
        self.held_pushes = self.held_pushes.saturating_add(1);
    }

    /// After a fault: what the failure policy says, and then the text as it comes.
    fn go_on(&mut self, reason: &str, input: Pass<'_>) -> (Step, Vec<Directive>) {
        let (step, mut directives) = self.fail(reason);
        for directive in self.pass(input) {
            match (directives.last_mut(), directive) {
                (Some(Directive::Release { text: last }), Directive::Release { text }) => {
                    last.push_str(&text);
                }
                (_, directive) => directives.push(directive),
            }
        }
        (step, directives)
    }

    /// Looks again after answers came in or time passed.
    pub fn poll(&mut self, now_ms: u64) -> Vec<Directive> {
        self.settle(now_ms)
    }

    /// Says that the answer is cut off here, as by a limit of tokens: before [`Guard::finish`].
    /// See [`Session::cut`]. Without effect on a stream that has ended.
    pub fn cut(&mut self) {
        if self.stopped.is_none() && !self.session.is_finished() {
            // A latched stream judges nothing any more.
            let _ = self.session.cut();
        }
    }

    /// The model has ended its answer. May ask for a rewind, after which generation goes on,
    /// or for waiting, after which this is called again; the answer is over once a `Stop` comes
    /// back.
    ///
    /// # Errors
    /// `Latched` after an internal fault that stops the stream.
    pub fn finish(&mut self, now_ms: u64) -> Result<Vec<Directive>> {
        Ok(self.close_stream(now_ms)?.1)
    }

    /// As [`Guard::finish`], with the claims and findings that the end itself brought; they come
    /// once.
    ///
    /// # Errors
    /// As [`Guard::finish`].
    pub fn close_stream(&mut self, now_ms: u64) -> Result<(Step, Vec<Directive>)> {
        if self.stopped.is_some() {
            return Ok((self.quiet(), Vec::new()));
        }
        if let Some(reason) = self.session.latched().map(str::to_owned) {
            let (step, mut directives) = self.go_on(&reason, Pass::End);
            if self.stopped.is_none() {
                self.end(StopReason::End, &mut directives);
            }
            return Ok((step, directives));
        }
        let step = self.session.finish()?;
        let directives = self.settle(now_ms);
        Ok((step, directives))
    }

    /// Everything about the stream and what was done to it.
    #[must_use]
    pub fn report(&self) -> GuardReport {
        GuardReport::new(self)
    }
}
