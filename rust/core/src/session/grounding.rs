//! Following the evidence word by word: what the open sentence says that no passage does.

use super::Session;
use super::address::Address;
use super::state::{Open, Pending};
use crate::claims::SentenceView;
use crate::detect::{
    FOLLOWS, Grounding, Vouched, note_reckoned, supposed, unsupported_span, vouched,
};
use crate::evidence::Against;
use crate::types::{
    Claim, EvidenceKind, Finding, LexFlags, LexKind, Lexeme, Quantity, Sentence, Span,
};

/// Words, numbers and marks of one reported stretch: a phrase.
const PHRASE: usize = 8;
/// So many after a reported stretch the next one may come.
const STEP: usize = 6;
/// Most words of a name that a stretch is extended by at either end; what goes on is no name.
const NAME: usize = 8;
/// Words and marks between the capitals of one name ("Bank of the West").
const JOINTS: usize = 2;
/// Lexemes that are looked at before the end of a stretch: its phrase, the name that it begins in, and
/// what may join that name to a capital.
const REACH: usize = PHRASE + NAME + JOINTS + 2;
/// Share of a sentence's words that the evidence lacks from which most of it is news.
const MOST_NEW: f64 = 0.5;

impl Session {
    /// Lets the grounding features follow a word, and reports a stretch that it shows to be
    /// unsupported.
    pub(super) fn follow_word(&mut self, lexeme: Lexeme) {
        if self.context.evidence.is_empty() {
            return;
        }
        self.settle_stretch(&lexeme);
        let text = self.text.get(lexeme.span);
        let (address, addressed) = self.state.open.address.next(&lexeme, text);
        self.state.open.address = address;
        if addressed {
            return;
        }
        let against = self.context.against();
        if self.state.tracker.lexeme(&lexeme, text, &against) {
            self.judge_word(lexeme);
        }
    }

    /// A stretch that ends in a name goes on with it, else it is reported now.
    fn settle_stretch(&mut self, next: &Lexeme) {
        let Some(pending) = &mut self.state.open.pending else {
            return;
        };
        if is_capital(next) && pending.words < NAME {
            pending.end = next.span.end;
            pending.words += 1;
            pending.joints = 0;
        } else if pending.joints < JOINTS && joins(next, self.text.get(next.span)) {
            pending.joints += 1;
        } else {
            self.flush_stretch(next.decided_at);
        }
    }

    /// Reports the stretch that waits for the end of a name.
    pub(super) fn flush_stretch(&mut self, decided_at: usize) {
        if let Some(pending) = self.state.open.pending.take()
            && let Some(span) = self.stretch(pending.word)
        {
            let span = Span::new(span.start, pending.end);
            self.doubt_stretch(&pending.grounding, span, decided_at);
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
        let mut address = Address::default();
        for lexeme in self.state.open.lexemes.iter() {
            let text = self.text.get(lexeme.span);
            let addressed;
            (address, addressed) = address.next(&lexeme, text);
            if !addressed {
                self.state.tracker.lexeme(&lexeme, text, &against);
            }
        }
        self.state.open.address = address;
        for quantity in &self.state.open.quantities {
            self.state.tracker.quantity(quantity, &against);
        }
    }

    /// Reports what the evidence lacks; where there is a knowledge base too, when the sentence
    /// closes and names what it speaks of.
    pub(super) fn emit_or_wait(&mut self, finding: Finding) {
        let based = self.context.kb.as_ref().is_some_and(|kb| !kb.is_empty());
        let follows = finding.extra.contains_key(FOLLOWS);
        if follows || based && !self.context.evidence.is_empty() {
            self.state.open.doubts.push(finding);
        } else {
            self.emit(finding);
        }
    }

    /// What the knowledge base accounts for in a closed sentence that evidence was given for as
    /// well, and the numbers that follow from the evidence's. That is then no news to the tracker.
    fn vouch(
        &mut self,
        view: &SentenceView<'_>,
        claims: &[Claim],
        doubts: &mut [Finding],
    ) -> Vouched {
        if self.context.evidence.is_empty() {
            return Vouched::default();
        }
        let cache = self.monitor.passages();
        let index = |text: &str| cache.passage("kb", EvidenceKind::KbFact, text);
        let grounds = self.context.grounds();
        let kb = self.context.kb.as_ref().filter(|kb| !kb.is_empty());
        let own = kb.and_then(|kb| vouched(view, claims, kb, &grounds, index));
        let mut own = own.unwrap_or_default();
        for doubt in doubts {
            if note_reckoned(doubt, view, &grounds)
                && let Some(span) = doubt.span
            {
                own.reckon(view, span);
            }
        }
        if own.is_empty() {
            return own;
        }
        let mut known = own.stems().clone();
        known.extend(self.context.known.iter());
        let against = Against {
            evidence: &self.context.evidence,
            known: &known,
        };
        self.state.tracker.reopen();
        let mut address = Address::default();
        for lexeme in view.lexemes {
            let text = self.text.get(lexeme.span);
            let addressed;
            (address, addressed) = address.next(lexeme, text);
            if !addressed {
                self.state.tracker.lexeme(lexeme, text, &against);
            }
        }
        for quantity in view.quantities.iter().filter(|q| !own.has(q.span)) {
            self.state.tracker.quantity(quantity, &against);
        }
        own
    }

    /// What accounts for a closed sentence beside the evidence, and how far the evidence supports
    /// the rest; `None` where there is no rest. Where only a name is known, and most of what is said
    /// of it to nobody, the sentence is judged as it stands.
    pub(super) fn beside(
        &mut self,
        view: &SentenceView<'_>,
        claims: &[Claim],
        doubts: &mut [Finding],
    ) -> (Vouched, Option<Grounding>) {
        let whole = self.grounding();
        let vouched = self.vouch(view, claims, doubts);
        let rest = self.grounding().filter(|_| !vouched.whole());
        let new = |own: &Grounding| own.novelty() > MOST_NEW;
        let bare = vouched.names_only() && rest.as_ref().is_some_and(new);
        (vouched, if bare { whole } else { rest })
    }

    /// Reports what has waited for the sentence's end and nothing accounts for.
    pub(super) fn settle(
        &mut self,
        view: &SentenceView<'_>,
        doubts: Vec<Finding>,
        vouched: &Vouched,
    ) {
        for mut finding in doubts {
            if finding.span.is_some_and(|span| supposed(view, span)) {
                continue;
            }
            if finding.extra.get(FOLLOWS).is_some_and(|how| how == "") {
                finding.extra.remove(FOLLOWS);
                let number = view.quantities.iter();
                let mut number = number.filter(|q| Some(q.span) == finding.span);
                let grounds = self.context.grounds();
                // "10 % off with the Silver Plan": whose it is stands behind it.
                let known = |q| grounds.knows_quantity(q, view.at(q.span), view.antecedents);
                if number.any(known) {
                    continue;
                }
            }
            let follows = finding.extra.contains_key(FOLLOWS);
            let told = |span| vouched.covers(view, span);
            if follows || !finding.span.is_some_and(told) {
                finding.decided_at = view.sentence.decided_at;
                self.emit(finding);
            }
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
        let named = is_capital(&lexeme) || self.state.open.pending.is_some();
        // Where much is reported, most words stand near it.
        let reported = self.state.open.reported.is_some();
        if !named && reported && self.fresh(lexeme.span.end).is_none() {
            return;
        }
        let Some(grounding) = self.grounding() else {
            return;
        };
        if named {
            self.await_name(&lexeme, grounding);
        } else if grounding.support() < self.monitor.settings().word_support_threshold
            && let Some(span) = self.stretch(lexeme.span.end)
        {
            self.doubt_stretch(&grounding, span, lexeme.decided_at);
        }
    }

    /// The word may be part of a name, which is reported as a whole; the surest word counts.
    fn await_name(&mut self, lexeme: &Lexeme, grounding: Grounding) {
        if grounding.support() >= self.monitor.settings().word_support_threshold {
            return;
        }
        match &mut self.state.open.pending {
            Some(pending) if pending.grounding.p_unsupported >= grounding.p_unsupported => {}
            Some(pending) => pending.grounding = grounding,
            none => {
                *none = Some(Box::new(Pending {
                    grounding,
                    word: lexeme.span.end,
                    end: lexeme.span.end,
                    words: 0,
                    joints: 0,
                }));
            }
        }
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
        let first = open
            .lexemes
            .iter()
            .find(|l| l.span.start >= from && !is_attached(l));
        if let (Some(first), Some(last)) = (first, last)
            && last.span.end > from
        {
            let span = Span::new(first.span.start, last.span.end);
            if let Some(finding) = self.stretch_finding(grounding, span, sentence.decided_at) {
                self.emit(finding);
            }
        }
    }

    fn doubt_stretch(&mut self, grounding: &Grounding, span: Span, decided_at: usize) {
        if let Some(finding) = self.stretch_finding(grounding, span, decided_at) {
            self.state.open.reported = Some(span.end);
            if self.state.open.weekly && self.told_schedules() {
                self.state.open.doubts.push(finding);
            } else {
                self.emit_or_wait(finding);
            }
        }
    }

    fn stretch_finding(&self, of: &Grounding, span: Span, decided_at: usize) -> Option<Finding> {
        let threshold = self.monitor.settings().word_support_threshold;
        unsupported_span(of, span, self.text.get(span), decided_at, threshold)
    }

    /// The phrase that ends at byte `end`, as far as it was not reported, with the whole of the
    /// name it begins in; `None` while the last report is near.
    fn stretch(&self, end: usize) -> Option<Span> {
        let count = self.fresh(end)?;
        let lexemes = self.state.open.lexemes.iter().rev();
        let near = lexemes.skip_while(|l| l.span.start >= end).take(REACH);
        let mut lexemes: Vec<Lexeme> = Vec::with_capacity(REACH);
        lexemes.extend(near);
        lexemes.reverse();
        let read = lexemes.len();
        let fits = |l: &Lexeme| self.fits(l);
        let mut first = read - count;
        let farthest = first.saturating_sub(NAME);
        while first > farthest && fits(&lexemes[first - 1]) && self.inside_name(&lexemes, first) {
            first -= 1;
        }
        let whole = lexemes[first..].iter().find(|l| !is_attached(l))?;
        Some(Span::new(whole.span.start, end))
    }

    /// How many lexemes before byte `end` may make a phrase; `None` where they are too few, since the
    /// last report is near.
    fn fresh(&self, end: usize) -> Option<usize> {
        let open = &self.state.open;
        let lexemes = open.lexemes.iter().rev();
        let last = lexemes.skip_while(|l| l.span.start >= end).take(PHRASE);
        let count = last.take_while(|l| self.fits(l)).count();
        (count > 0 && (open.reported.is_none() || count >= STEP)).then_some(count)
    }

    /// Whether a lexeme may be part of a phrase that ends behind it.
    fn fits(&self, lexeme: &Lexeme) -> bool {
        let from = self.state.open.reported.unwrap_or(0);
        lexeme.kind != LexKind::Newline && lexeme.span.start >= from
    }

    /// Whether a name goes on from the lexeme before `at` to the one there.
    fn inside_name(&self, lexemes: &[Lexeme], at: usize) -> bool {
        let start = lexemes[at].span.start;
        let mentions = &self.state.open.mentions;
        if mentions
            .iter()
            .any(|m| m.span.start < start && start < m.span.end)
        {
            return true;
        }
        let joint = |l: &&Lexeme| joins(l, self.text.get(l.span));
        let before = lexemes[..at].iter().rev();
        let after = lexemes[at..].iter();
        let (skipped, coming) = (
            before.clone().take_while(joint).count(),
            after.clone().take_while(joint).count(),
        );
        skipped + coming <= JOINTS
            && before.clone().nth(skipped).is_some_and(is_capital)
            && after.clone().nth(coming).is_some_and(is_capital)
    }
}

/// Whether the word may be part of a name.
fn is_capital(lexeme: &Lexeme) -> bool {
    lexeme.kind == LexKind::Word
        && (lexeme.flags.has(LexFlags::CAPITALIZED) || lexeme.flags.has(LexFlags::MIXED_CASE))
}

/// Whether the lexeme may stand within a name ("of", "&", the point of an initial).
fn joins(lexeme: &Lexeme, text: &str) -> bool {
    match lexeme.kind {
        LexKind::Word => matches!(
            text,
            "of" | "the" | "de" | "la" | "del" | "della" | "di" | "da" | "van" | "von" | "der"
        ),
        LexKind::Punct => text == "&" || (text == "." && is_attached(lexeme)),
        _ => false,
    }
}

/// Whether it is a mark that belongs to the word before it.
fn is_attached(lexeme: &Lexeme) -> bool {
    lexeme.kind == LexKind::Newline
        || (lexeme.kind == LexKind::Punct && !lexeme.flags.has(LexFlags::SPACE_BEFORE))
}
