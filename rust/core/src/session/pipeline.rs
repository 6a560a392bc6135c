//! From a push to the scanners and back: invariant 1 lives here. Events of all scanners are
//! handled in the order of the byte that decided them, with one fixed order among equals:
//! words and numbers, then patterns, then the sentence.

use std::cell::Cell;
use std::sync::Arc;

use super::record::{Event, PushRecord};
use super::{Entry, Session, Step};
use crate::evidence::Passage;
use crate::normal::Seam;
use crate::patterns::RuleMatch;
use crate::segment::SegEvent;
use crate::types::{Span, Tier};

use super::record::Input;

/// What the scanners found in one piece of text; kept between pushes to save allocations.
#[derive(Debug, Default)]
struct Scratch {
    bytes: Vec<u8>,
    sent: String,
    text: String,
    seams: Vec<Seam>,
    events: Vec<SegEvent>,
    matches: Vec<RuleMatch>,
}

/// Bytes of buffers that stay between pushes; a push of a whole answer needs more, once.
const SCRATCH: usize = 4096;

thread_local! {
    /// The buffers of this thread, whose streams take them in turn: they are empty between pushes.
    static BUFFERS: Cell<Option<Box<Scratch>>> = const { Cell::new(None) };
}

impl Scratch {
    /// Empty buffers, with room where there were some before.
    fn take() -> Box<Self> {
        BUFFERS.take().unwrap_or_default()
    }

    /// Leaves the room for the next push.
    fn give_back(mut self: Box<Self>) {
        if self.heap_bytes() <= SCRATCH {
            self.bytes.clear();
            self.sent.clear();
            self.text.clear();
            self.seams.clear();
            self.events.clear();
            self.matches.clear();
            BUFFERS.set(Some(self));
        }
    }

    /// Bytes on the heap.
    fn heap_bytes(&self) -> usize {
        self.bytes.capacity()
            + self.sent.capacity()
            + self.text.capacity()
            + self.seams.capacity() * size_of::<Seam>()
            + self.events.capacity() * size_of::<SegEvent>()
            + self.matches.capacity() * size_of::<RuleMatch>()
    }
}

impl Session {
    /// Follows one push through detokeniser, scanners and detectors.
    pub(super) fn process(&mut self, record: &PushRecord) {
        let mut scratch = Scratch::take();
        match (&record.input, self.monitor.vocab()) {
            (Input::Token(id), Some(vocab)) => {
                // The id was checked before the push was taken.
                let _ = vocab.push(&mut self.state.detok, *id, &mut scratch.bytes);
            }
            (input, vocab) => {
                if let Some(bytes) = input.bytes() {
                    if let Some(vocab) = vocab {
                        vocab.interrupt(&mut self.state.detok, &mut scratch.bytes);
                    }
                    scratch.bytes.extend_from_slice(bytes);
                }
            }
        }
        self.state.utf8.push(&scratch.bytes, &mut scratch.sent);
        let (start, from) = (self.text.end(), self.text_end());
        self.see(&mut scratch, false);
        let span = Span::new(start, self.text.end());
        self.state.cut_from = None;
        let own = record.own.of_forced();
        let empty = record.input.bytes().is_some_and(<[u8]>::is_empty);
        self.state.pushed(own.is_some(), empty);
        if let Some(own) = own {
            let forced = self.text.read_at(from + own).max(start);
            if forced < span.end {
                self.state.force(Span::new(forced, span.end));
            }
        }
        self.read(&mut scratch, false);
        self.account(record.signals.as_deref(), span);
        self.judge_budget(span.end);
        scratch.give_back();
    }

    /// The end of the stream, as one more symbol.
    fn close(&mut self) {
        let mut scratch = Scratch::take();
        if let Some(vocab) = self.monitor.vocab() {
            vocab.finish(&mut self.state.detok, &mut scratch.bytes);
        }
        self.state.utf8.push(&scratch.bytes, &mut scratch.sent);
        self.state.utf8.finish(&mut scratch.sent);
        self.see(&mut scratch, true);
        self.read(&mut scratch, true);
        scratch.give_back();
        self.finished = true;
    }

    /// Reads what was sent as it is seen.
    fn see(&mut self, scratch: &mut Scratch, end: bool) {
        let Scratch {
            sent, text, seams, ..
        } = scratch;
        let visible = &mut self.state.visible;
        visible.push(sent, text, seams);
        if end {
            visible.finish(text);
        }
        self.text.push(sent, text, seams, visible.pending() > 0);
    }

    fn read(&mut self, scratch: &mut Scratch, end: bool) {
        let Scratch {
            text,
            events,
            matches,
            ..
        } = scratch;
        if text.is_empty() && !end {
            return;
        }
        events.clear();
        matches.clear();
        self.state
            .segmenter
            .push(text, &mut |event, _| events.push(event));
        self.monitor.rules().push_kept(
            &mut self.state.patterns,
            self.text.as_str(),
            self.text.base(),
            &mut |m| matches.push(m),
        );
        if end {
            self.handle(events, matches);
            events.clear();
            matches.clear();
            // A word that a full stop closed is whole ("is in Oslo.").
            if self
                .state
                .cut_from
                .is_some_and(|from| from < self.text.end())
            {
                self.state.segmenter.drop_open_word();
            }
            self.state
                .segmenter
                .finish(&mut |event, _| events.push(event));
            self.monitor.rules().finish_kept(
                &mut self.state.patterns,
                self.text.as_str(),
                self.text.base(),
                &mut |m| matches.push(m),
            );
        }
        self.handle(events, matches);
        if end {
            self.flush_mentions(self.text.end());
            self.end_form();
            self.appeal_stands(self.text.end());
            self.labels_stand(self.text.end());
        }
    }

    fn handle(&mut self, events: &[SegEvent], matches: &[RuleMatch]) {
        let mut rest = matches.iter().peekable();
        for event in events {
            let sentence = matches!(event, SegEvent::Sentence(_));
            while let Some(found) = rest.next_if(|m| {
                m.decided_at < event.decided_at()
                    || (sentence && m.decided_at == event.decided_at())
            }) {
                self.on_match(*found);
            }
            match event {
                SegEvent::Lexeme(lexeme) => self.on_lexeme(*lexeme),
                SegEvent::Quantity(quantity) => self.on_quantity(*quantity),
                SegEvent::Date(date) => self.on_date(*date),
                SegEvent::Sentence(sentence) => self.on_sentence(*sentence),
            }
        }
        for found in rest {
            self.on_match(*found);
        }
    }

    /// Applies anything that is not a push.
    pub(super) fn apply_event(&mut self, event: &Event) {
        match event {
            Event::Evidence { id, text } => {
                Arc::make_mut(&mut self.context)
                    .evidence
                    .add(Passage::index(id, text));
                self.follow_again();
            }
            Event::Expect { claim_id } => {
                let start = self
                    .log
                    .since(self.log.base())
                    .find_map(|entry| match entry {
                        Entry::Claim { claim, .. } if claim.id == *claim_id => {
                            Some(claim.span.start)
                        }
                        _ => None,
                    });
                if let Some(start) = start {
                    self.state.expected.push((claim_id.clone(), start));
                }
            }
            Event::Resolve { claim_id, verdict } => self.on_verdict(claim_id, verdict),
            Event::Report { claim_id, findings } => {
                for finding in findings {
                    let mut finding = finding.clone();
                    if finding.claim_id.is_none() {
                        finding.claim_id.clone_from(claim_id);
                    }
                    finding.decided_at = self.text_end();
                    self.emit_placed(finding);
                }
            }
            Event::Cut => self.state.cut_from = Some(self.text.open_word()),
            Event::Finish => self.close(),
            // Pushes are items of their own, and the day belongs to the context.
            Event::Reference { .. }
            | Event::Opened { .. }
            | Event::Token { .. }
            | Event::Bytes { .. } => {}
        }
    }

    /// What is new since log entry `before` and text byte `from`.
    pub(super) fn step_since(&self, before: u64, from: usize) -> Step {
        let end = self.log.end();
        let mut step = Step::empty(self.pushes, before, from);
        step.text.end = self.text_end();
        if end > before {
            step.entries = before..end;
            step.tier = self
                .log
                .range(before, end)
                .filter_map(|entry| match entry {
                    Entry::Finding { finding, .. } => Some(finding.tier),
                    _ => None,
                })
                .max()
                .unwrap_or(Tier::None);
            step.action = self.monitor.policy().action(step.tier);
        }
        step
    }
}
