//! The text as it is read and as it was sent, and the way between the two.
//!
//! All rooms read the former; places that leave the session are those of the latter. Where nothing
//! differs, as nearly always, there is one text.

use super::text::Retained;
use crate::normal::{Places, Seam};
use crate::types::{Claim, Finding, Sentence, Span, clip_text};

/// Both texts.
#[derive(Debug, Clone, Default)]
pub(super) struct Kept {
    read: Retained,
    /// Where it is, or was, another.
    sent: Option<Box<Retained>>,
    places: Places,
}

impl Kept {
    pub(super) fn end(&self) -> usize {
        self.read.end()
    }

    pub(super) fn base(&self) -> usize {
        self.read.base()
    }

    pub(super) fn as_str(&self) -> &str {
        self.read.as_str()
    }

    /// The text at `span` as it is read, as far as it is retained.
    pub(super) fn get(&self, span: Span) -> &str {
        self.read.get(span)
    }

    /// Up to `reach` bytes of it before byte `at`, from a whole character on.
    pub(super) fn before(&self, at: usize, reach: usize) -> &str {
        self.read.before(at, reach)
    }

    pub(super) fn open_word(&self) -> usize {
        self.read.open_word()
    }

    /// The text as it was sent.
    pub(super) fn sent(&self) -> &Retained {
        self.sent.as_deref().unwrap_or(&self.read)
    }

    /// Adds what was sent, what is read of it, and where that differs; `waits` if some of it is yet
    /// to be read.
    pub(super) fn push(&mut self, sent: &str, read: &str, seams: &[Seam], waits: bool) {
        if self.sent.is_none() && (waits || !seams.iter().all(Seam::is_same)) {
            self.sent = Some(Box::new(self.read.clone()));
        }
        if let Some(own) = &mut self.sent {
            own.push_str(sent);
        }
        self.read.push_str(read);
        self.places.extend(seams);
    }

    /// Cuts both back, to `read` and `sent` bytes of the stream.
    pub(super) fn truncate(&mut self, read: usize, sent: usize) {
        self.read.truncate(read);
        if let Some(own) = &mut self.sent {
            own.truncate(sent);
        }
        self.places.truncate(read, sent);
    }

    /// Drops what is read before `start`, as far as that is whole characters.
    pub(super) fn drop_before(&mut self, start: usize) {
        self.read.drop_before(start);
        let base = self.read.base();
        let sent = self.places.start(base);
        if let Some(own) = &mut self.sent {
            own.drop_before(sent);
        }
        self.places.drop_before(base);
    }

    /// Bytes as sent from where byte `read` is read to the end.
    pub(super) fn sent_from(&self, read: usize) -> usize {
        self.sent().end() - self.start(read).min(self.sent().end())
    }

    /// Notes a place whose code point offset will be asked for.
    pub(super) fn mark(&mut self, read: usize) {
        let sent = self.places.end(read);
        match &mut self.sent {
            Some(own) => own.mark(sent),
            None => self.read.mark(sent),
        }
    }

    pub(super) fn bytes_used(&self) -> usize {
        let own = self.sent.as_ref();
        let own = own.map_or(0, |own| size_of::<Retained>() + own.bytes_used());
        self.read.bytes_used() + own + self.places.heap_bytes()
    }

    /// Where the character that is read at a byte was sent.
    pub(super) fn start(&self, read: usize) -> usize {
        self.places.start(read)
    }

    /// Where what was sent there is read.
    pub(super) fn read_at(&self, sent: usize) -> usize {
        self.places.read(sent)
    }

    /// Where what was sent there is read.
    pub(super) fn read_span(&self, sent: Span) -> Span {
        Span::new(self.places.read(sent.start), self.places.read(sent.end))
    }

    /// Where what is read there was sent.
    pub(super) fn span(&self, read: Span) -> Span {
        let start = self.places.start(read.start);
        Span::new(start, self.places.end(read.end).max(start))
    }

    fn respan(&self, span: &mut Span, decided_at: &mut usize) {
        *span = self.span(*span);
        *decided_at = self.places.known(*decided_at);
    }

    /// Says where the finding was sent, and the text there.
    pub(super) fn place(&self, finding: &mut Finding) {
        if !self.places.is_plain() {
            for span in finding.span.iter_mut().chain(&mut finding.spans) {
                *span = self.span(*span);
            }
            finding.decided_at = self.places.known(finding.decided_at);
        }
        // An answer may come when its claim's text has left: then its words are the claim's.
        if let Some(span) = finding.span
            && span.start >= self.sent().base()
        {
            clip_text(self.sent().get(span)).clone_into(&mut finding.text);
        }
    }

    /// Says where the sentence was sent.
    pub(super) fn place_sentence(&self, mut sentence: Sentence) -> Sentence {
        self.respan(&mut sentence.span, &mut sentence.decided_at);
        sentence
    }

    /// Says where the claim was sent, and all that it names.
    pub(super) fn place_claim(&self, claim: &mut Claim) {
        if self.places.is_plain() {
            return;
        }
        self.respan(&mut claim.span, &mut claim.decided_at);
        let spans = [
            &mut claim.subject_span,
            &mut claim.object_span,
            &mut claim.coordinated,
        ];
        let referents = [&mut claim.referent, &mut claim.object_referent];
        let referents = referents.into_iter().flatten();
        let referents = referents.filter(|r| r.turn.is_none()).map(|r| &mut r.span);
        let cited = claim.citations.iter_mut().map(|c| &mut c.span);
        let signals = claim.signals.iter_mut().map(|s| &mut s.span);
        let own = spans.into_iter().flatten().chain(referents);
        for span in own.chain(cited).chain(signals) {
            *span = self.span(*span);
        }
        for quantity in &mut claim.quantities {
            self.respan(&mut quantity.span, &mut quantity.decided_at);
        }
        for date in &mut claim.dates {
            self.respan(&mut date.span, &mut date.decided_at);
        }
    }
}
