//! Following the evidence word by word: what the open sentence says that no passage does.

use super::Session;
use super::state::Open;
use crate::detect::{Grounding, unsupported_span};
use crate::types::{LexKind, Lexeme, Quantity, Sentence, Span};

/// Words, numbers and marks of one reported stretch: a phrase.
const PHRASE: usize = 8;
/// So many after a reported stretch the next one may come.
const STEP: usize = 6;

impl Session {
    /// Lets the grounding features follow a word, and reports a stretch that it shows to be
    /// unsupported.
    pub(super) fn follow_word(&mut self, lexeme: Lexeme) {
        if self.context.evidence.is_empty() {
            return;
        }
        let text = self.text.get(lexeme.span);
        let against = self.context.against();
        if self.state.tracker.lexeme(&lexeme, text, &against) {
            self.judge_word(lexeme);
        }
    }

    pub(super) fn follow_number(&mut self, quantity: Quantity) {
        if !self.context.evidence.is_empty() {
            let against = self.context.against();
            self.state.tracker.quantity(&quantity, &against);
        }
    }

    /// Reads the open sentence once more, after the evidence has changed.
    pub(super) fn follow_again(&mut self) {
        self.state.tracker.reopen();
        let against = self.context.against();
        for lexeme in &self.state.open.lexemes {
            let text = self.text.get(lexeme.span);
            self.state.tracker.lexeme(lexeme, text, &against);
        }
        for quantity in &self.state.open.quantities {
            self.state.tracker.quantity(quantity, &against);
        }
    }

    /// How far the evidence supports the open sentence; `None` without evidence.
    pub(super) fn grounding(&self) -> Option<Grounding> {
        (!self.context.evidence.is_empty())
            .then(|| Grounding::of(&self.state.tracker, &self.context.against()))
    }

    fn judge_word(&mut self, lexeme: Lexeme) {
        let tracker = &self.state.tracker;
        if tracker.words() < crate::detect::FIRST_WORDS
            || tracker.asks()
            || self.state.is_forced(lexeme.span)
        {
            return;
        }
        let Some(span) = stretch(&self.state.open, lexeme.span.end) else {
            return;
        };
        let Some(grounding) = self.grounding() else {
            return;
        };
        self.report_stretch(&grounding, span, lexeme.decided_at);
    }

    /// The words after the last reported stretch, when their sentence closes.
    pub(super) fn judge_rest(
        &mut self,
        open: &Open,
        sentence: &Sentence,
        grounding: Option<&Grounding>,
    ) {
        let (Some(grounding), Some(from)) = (grounding, open.reported) else {
            return;
        };
        let last = open
            .lexemes
            .iter()
            .rev()
            .find(|l| matches!(l.kind, LexKind::Word | LexKind::Number));
        let first = open.lexemes.iter().find(|l| l.span.start >= from);
        if let (Some(first), Some(last)) = (first, last)
            && last.span.end > from
        {
            let span = Span::new(first.span.start, last.span.end);
            self.report_stretch(grounding, span, sentence.decided_at);
        }
    }

    fn report_stretch(&mut self, grounding: &Grounding, span: Span, decided_at: usize) {
        let threshold = self.monitor.settings().word_support_threshold;
        let text = self.text.get(span);
        if let Some(finding) = unsupported_span(grounding, span, text, decided_at, threshold) {
            self.state.open.reported = Some(span.end);
            self.emit(finding);
        }
    }
}

/// The phrase that ends at byte `end`, as far as it was not reported; `None` while the last
/// report is near.
fn stretch(open: &Open, end: usize) -> Option<Span> {
    let from = open.reported.unwrap_or(0);
    let mut start = end;
    let mut count = 0;
    for lexeme in open.lexemes.iter().rev().take(PHRASE) {
        if lexeme.kind == LexKind::Newline || lexeme.span.start < from {
            break;
        }
        start = lexeme.span.start;
        count += 1;
    }
    (count > 0 && (open.reported.is_none() || count >= STEP)).then(|| Span::new(start, end))
}
