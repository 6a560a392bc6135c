//! What changes with every push: the scanners' states and the open sentence.

use std::collections::VecDeque;
use std::sync::Arc;

use super::Context;
use super::address::Address;
use super::appeal::Appeal;
use super::form::Forms;
use super::labels::Labels;
use super::lexemes::Lexemes;
use super::log::Log;
use super::memory::finding_heap;
use super::sense::Narrative;
use crate::budget::{ClaimBudget, StreamBudget};
use crate::claims::Reader;
use crate::detect::Grounding;
use crate::detok::{DetokState, Utf8State};
use crate::dialogue::{Change, Subject, Titles};
use crate::entities::MentionScanner;
use crate::evidence::Tracker;
use crate::monitor::Monitor;
use crate::normal::Visible;
use crate::patterns::{PatternState, RuleMatch};
use crate::segment::Segmenter;
use crate::types::{DateExpr, Finding, Mention, Quantity, Resolution, SentenceKind, Span};

/// Pushes without a closed sentence after which a checkpoint is taken all the same.
const PUSHES_PER_CHECKPOINT: u32 = 1024;
/// Entities remembered for pronouns, the latest first.
const ANTECEDENTS: usize = 8;
/// Earlier findings that later ones are compared with (S0-070 counts up to three).
const RECENT_FINDINGS: usize = 20;

/// Of the same type, over the same words.
pub(super) fn same_place(earlier: &Finding, finding: &Finding) -> bool {
    is_at(earlier, &finding.kind, finding.span)
}

/// Of that type, over words of that place.
pub(super) fn is_at(earlier: &Finding, kind: &str, span: Option<Span>) -> bool {
    let overlap = earlier.span.zip(span);
    earlier.kind == kind && overlap.is_some_and(|(a, b)| a.overlaps(b) || a == b)
}

/// Recent findings, those of the log; shared with the checkpoints taken since.
pub(super) type Recent = Arc<VecDeque<Arc<Finding>>>;

/// An unsupported stretch whose last word may begin or continue a name.
#[derive(Debug, Clone)]
pub(super) struct Pending {
    pub(super) grounding: Grounding,
    /// End of the word that ends the stretch.
    pub(super) word: usize,
    /// End of the name it is part of, as far as that was read.
    pub(super) end: usize,
    /// Words by which the name went on.
    pub(super) words: usize,
    /// Words since then that may join it to more of the name.
    pub(super) joints: usize,
}

/// Adds to a list that mostly stays short, with little room to spare.
pub(super) fn push_tight<T>(list: &mut Vec<T>, item: T) {
    if list.len() == list.capacity() {
        list.reserve_exact(1 + list.len() / 2);
    }
    list.push(item);
}

/// What the scanners have found in the open sentence.
#[derive(Debug, Clone, Default)]
pub(super) struct Open {
    pub(super) lexemes: Lexemes,
    pub(super) quantities: Vec<Quantity>,
    pub(super) dates: Vec<DateExpr>,
    pub(super) mentions: Vec<Mention>,
    /// Matches of wording rules.
    pub(super) wording: Vec<RuleMatch>,
    /// End of the last stretch of it that was reported as unsupported.
    pub(super) reported: Option<usize>,
    /// A stretch that is to be reported, once the name it ends in is whole.
    pub(super) pending: Option<Box<Pending>>,
    /// Matches that wait for the sentence's end, since a citation would excuse them.
    pub(super) waiting: Vec<RuleMatch>,
    /// What the evidence lacks, and the knowledge base may say of an entity that is yet to be named.
    pub(super) doubts: Vec<Finding>,
    /// Whether a word of it may be a day of the week.
    pub(super) weekly: bool,
    /// Whom it speaks to, as far as it was read.
    pub(super) address: Address,
}

impl Open {
    fn clear(&mut self) {
        let mut lexemes = std::mem::take(&mut self.lexemes);
        lexemes.clear();
        *self = Self {
            lexemes,
            ..Self::default()
        };
    }
}

/// Running totals for the report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) sentences: u64,
    pub(super) claims: u64,
    pub(super) claims_beyond: u64,
    pub(super) mentions: u64,
    pub(super) unknown: u64,
    pub(super) quantities: u64,
    pub(super) words: u64,
    pub(super) tokens: u64,
    pub(super) forced: u64,
    pub(super) invalid_rows: u64,
}

#[derive(Debug, Clone)]
pub(super) struct State {
    pub(super) detok: DetokState,
    pub(super) utf8: Utf8State,
    pub(super) visible: Visible,
    pub(super) segmenter: Segmenter,
    pub(super) patterns: PatternState,
    pub(super) scanner: MentionScanner,
    pub(super) open: Open,
    /// Appeals of the last sentence, until it is known whether this one tells an example.
    pub(super) appeal: Option<Box<Appeal>>,
    /// Brackets that may be labels, and those that are.
    pub(super) labels: Option<Box<Labels>>,
    /// The last sentence.
    pub(super) previous: Span,
    /// Whether the sources carry it.
    pub(super) sourced: bool,
    /// Where the word begins that the answer's end cut off, once that is known.
    pub(super) cut_from: Option<usize>,
    pub(super) tracker: Tracker,
    pub(super) claim_budget: ClaimBudget,
    pub(super) stream_budget: StreamBudget,
    pub(super) budget_reported: bool,
    pub(super) confidence_low: bool,
    /// Claims that wait for a verifier, with their starts.
    pub(super) expected: Vec<(String, usize)>,
    pub(super) antecedents: Vec<u32>,
    /// What earlier sentences leave for later ones.
    pub(super) reader: Reader,
    /// What the last sentence was about, where there are turns to compare with.
    pub(super) spoken_of: Option<Subject>,
    /// What stands above the next line.
    pub(super) titles: Titles,
    /// The answer says that what was said before is wrong: what it says now replaces it.
    pub(super) admitted: bool,
    /// The answer said "no" to what it was told.
    pub(super) corrects: bool,
    /// What the answer says is otherwise than before, where there are turns to compare with.
    pub(super) changed: Vec<Change>,
    /// Text that was forced, as far as an open sentence can reach it.
    pub(super) forced: Vec<Span>,
    /// Recent findings, which later ones are compared with.
    pub(super) recent: Recent,
    /// What was said so far, for what contradicts it; shared with the checkpoints taken since.
    pub(super) narrative: Arc<Narrative>,
    pub(super) counts: Counts,
    /// The lines are those of a code block.
    pub(super) in_code: bool,
    /// The form that the text is in.
    pub(super) forms: Option<Arc<Forms>>,
    sentences_since: u32,
    pushes_since: u32,
}

impl State {
    pub(super) fn new(monitor: &Monitor, context: &Context) -> Self {
        let mut antecedents = context.antecedents.clone();
        antecedents.truncate(ANTECEDENTS);
        Self {
            detok: DetokState::default(),
            utf8: Utf8State::default(),
            visible: Visible::default(),
            segmenter: Segmenter::new(),
            cut_from: None,
            patterns: monitor.rules().start(),
            scanner: MentionScanner::new(),
            open: Open::default(),
            appeal: None,
            labels: None,
            previous: Span::default(),
            sourced: false,
            tracker: Tracker::default(),
            claim_budget: ClaimBudget::new(),
            stream_budget: StreamBudget::new(),
            budget_reported: false,
            confidence_low: false,
            expected: Vec::new(),
            reader: context.reader.clone(),
            antecedents,
            spoken_of: None,
            titles: Titles::default(),
            admitted: false,
            corrects: false,
            changed: Vec::new(),
            forced: Vec::new(),
            recent: Recent::default(),
            narrative: Arc::default(),
            counts: Counts::default(),
            in_code: false,
            forms: None,
            sentences_since: 0,
            pushes_since: 0,
        }
    }

    /// Start of the sentence that is open, if one is.
    pub(super) fn open_sentence(&self) -> Option<usize> {
        self.segmenter.open_sentence()
    }

    /// What that sentence is part of.
    pub(super) fn open_kind(&self) -> Option<SentenceKind> {
        self.segmenter.open_kind()
    }

    /// Whether what comes next stands in a code fence.
    pub(super) const fn in_fence(&self) -> bool {
        self.segmenter.in_fence()
    }

    /// Bytes on the heap, what it shares with the checkpoints apart.
    pub(super) fn heap_bytes(&self) -> usize {
        let open = &self.open;
        let mentions = open
            .mentions
            .iter()
            .map(|mention| match &mention.resolution {
                Resolution::Known(ids) => ids.capacity() * size_of::<u32>(),
                Resolution::NearMiss(near) => near.capacity() * size_of::<(u32, u8)>(),
                Resolution::Common | Resolution::Unknown => 0,
            });
        let expected = self.expected.iter().map(|claim| claim.0.capacity());
        self.patterns
            .size()
            .saturating_sub(size_of::<PatternState>())
            + self
                .scanner
                .memory()
                .saturating_sub(size_of::<MentionScanner>())
            + self.segmenter.heap_bytes()
            + self.visible.heap_bytes()
            + self.tracker.memory()
            + open.lexemes.heap_bytes()
            + open.quantities.capacity() * size_of::<Quantity>()
            + open.dates.capacity() * size_of::<DateExpr>()
            + open.mentions.capacity() * size_of::<Mention>()
            + mentions.sum::<usize>()
            + (open.wording.capacity() + open.waiting.capacity()) * size_of::<RuleMatch>()
            + open.doubts.capacity() * size_of::<Finding>()
            + self.appeal.as_ref().map_or(0, |appeal| appeal.heap_bytes())
            + self.labels.as_ref().map_or(0, |labels| labels.heap_bytes())
            + self.expected.capacity() * size_of::<(String, usize)>()
            + expected.sum::<usize>()
            + self.antecedents.capacity() * size_of::<u32>()
            + self.reader.heap_bytes()
            + self
                .spoken_of
                .as_ref()
                .map_or(0, |subject| subject.words.capacity() * size_of::<u64>())
            + self.titles.heap_bytes()
            + self.changed.capacity() * size_of::<Change>()
            + self.changed.iter().map(Change::heap_bytes).sum::<usize>()
            + self.forced.capacity() * size_of::<Span>()
            + self.forms.as_deref().map_or(0, Forms::heap_bytes)
    }

    /// Bytes of the recent findings and of what was said, which checkpoints share; findings that
    /// are in the log apart, which holds them anyway.
    pub(super) fn recent_bytes(&self, log: &Log) -> usize {
        let left = self.recent.iter().filter(|finding| !log.holds(finding));
        self.recent.capacity() * size_of::<Arc<Finding>>()
            + left
                .map(|finding| size_of::<Finding>() + finding_heap(finding))
                .sum::<usize>()
            + self.narrative.heap_bytes()
    }

    pub(super) fn wants_checkpoint(&self) -> bool {
        self.sentences_since > 0 || self.pushes_since >= PUSHES_PER_CHECKPOINT
    }

    pub(super) fn checkpointed(&mut self) {
        self.sentences_since = 0;
        self.pushes_since = 0;
    }

    /// Notes a push; one of no text at all is no token.
    pub(super) fn pushed(&mut self, forced: bool, empty: bool) {
        self.pushes_since += 1;
        self.counts.tokens += u64::from(!empty);
        self.counts.forced += u64::from(forced && !empty);
    }

    /// Notes that bytes from `start` to `end` were forced.
    pub(super) fn force(&mut self, span: Span) {
        match self.forced.last_mut() {
            Some(last) if last.end == span.start => last.end = span.end,
            _ => self.forced.push(span),
        }
    }

    /// Whether `span` was forced as a whole, so that it is not judged.
    pub(super) fn is_forced(&self, span: Span) -> bool {
        self.forced.iter().any(|forced| forced.contains(span))
    }

    /// Whether words after the start of `span` were forced; a lead-in before the model's own words
    /// exempts nothing.
    pub(super) fn was_forced_in(&self, span: Span) -> bool {
        let mut forced = self.forced.iter();
        forced.any(|forced| forced.overlaps(span) && forced.start > span.start)
    }

    pub(super) fn remember_entity(&mut self, id: u32) {
        self.antecedents.retain(|&other| other != id);
        self.antecedents.insert(0, id);
        self.antecedents.truncate(ANTECEDENTS);
    }

    pub(super) fn remember_finding(&mut self, finding: &Arc<Finding>) {
        let recent = Arc::make_mut(&mut self.recent);
        if recent.len() == RECENT_FINDINGS {
            recent.pop_front();
        }
        recent.reserve_exact(1);
        recent.push_back(Arc::clone(finding));
    }

    /// The sentence at `span` is done with.
    pub(super) fn sentence_done(&mut self, span: Span) {
        let end = span.end;
        self.previous = span;
        self.sentences_since += 1;
        self.open.clear();
        self.forced.retain(|span| span.end > end);
        self.claim_budget = ClaimBudget::new();
        self.budget_reported = false;
    }
}
