//! What the sentences and members of a form are held against.

use super::super::Session;
use super::super::facts::Closed;
use super::{FormRead, Piece};
use crate::claims::{Attributes, ReadCache, SentenceView, whole};
use crate::detect::{self, Grounding, Scheduled, Vouched};
use crate::types::{Claim, Finding, Sentence, SentenceKind, Span, Status};

/// Most bytes of an object that is read as a whole.
const OBJECT: usize = 2048;

impl Session {
    /// Drafts of what is wrong in a form: each of its sentences by itself, and against passages the
    /// answer's sentence, which has the keys and the other members too.
    pub(in crate::session) fn judge_form(
        &mut self,
        view: &SentenceView<'_>,
        claims: &[Claim],
        grounding: Option<&Grounding>,
        closed: &Closed,
        form: &FormRead,
    ) -> Vec<Finding> {
        let mut found: Vec<Finding> = Vec::new();
        for piece in &form.pieces {
            let own = piece.view(view.antecedents, view.attributes);
            let scheduled = self.scheduled(&own, &piece.claims, true);
            let closed = Closed {
                scheduled,
                ..closed.clone()
            };
            let said = if piece.member {
                let mut said = self.judge_member(&own, piece, &closed);
                said.iter_mut().for_each(|f| piece.as_written(f));
                said
            } else {
                let mut said = self.judge_said(&own, &piece.claims, None, &closed);
                if piece.object {
                    self.unfound_numbers(&own, &mut said);
                }
                said
            };
            found.extend(said);
        }
        if view.sentence.kind != SentenceKind::Code {
            let closed = Closed {
                formed: true,
                ..closed.clone()
            };
            let mut rest = self.judge_claims(view, claims, grounding, &closed);
            rest.retain(|finding| {
                let same = |other: &Finding| {
                    let places = other.span.zip(finding.span);
                    places.is_some_and(|(a, b)| a.overlaps(b)) && other.status == finding.status
                };
                !found.iter().any(same)
            });
            for finding in &mut rest {
                detect::fit(view, claims, finding);
            }
            found.extend(rest);
        }
        for finding in &mut found {
            let inside = |span: &Span| finding.span.is_some_and(|own| span.contains(own));
            let bare = form.bare.iter().any(inside);
            keep_form(finding, bare);
        }
        found
    }

    /// An object of a block of code as a whole: its values are held against the evidence as they would be
    /// outside of the block.
    pub(super) fn object(&self, place: Span, view: &SentenceView<'_>, read: &mut FormRead) {
        let empty = self.context.evidence.is_empty();
        if empty || place.is_empty() || place.end - place.start > OBJECT {
            return;
        }
        let text = self.text.get(place).replace(['\n', '\r'], " ");
        for mut piece in self.pieces(&text, place.start, view.sentence, view.signals) {
            if piece.worded() {
                piece.object = true;
                piece.claims = vec![whole(&piece.view(view.antecedents, view.attributes))];
                read.pieces.push(piece);
                read.depths.push(0);
            }
        }
    }

    /// Numbers of such an object that no source has.
    fn unfound_numbers(&self, view: &SentenceView<'_>, found: &mut Vec<Finding>) {
        let grounds = self.context.grounds();
        for quantity in view.quantities {
            let Span { start, end } = quantity.span;
            let told = |f: &Finding| f.span.is_some_and(|own| own.overlaps(quantity.span));
            let said = detect::Numbered {
                quantity,
                text: view.at(quantity.span),
                before: view.at(Span::new(view.sentence.span.start, start)),
                after: view.at(Span::new(end, view.sentence.span.end)),
                today: self.context.reference,
            };
            if !found.iter().any(told) {
                found.extend(detect::unsupported_number(
                    &said,
                    &grounds,
                    view.antecedents,
                ));
            }
        }
    }

    fn judge_member(
        &self,
        view: &SentenceView<'_>,
        piece: &Piece,
        closed: &Closed,
    ) -> Vec<Finding> {
        let mut found = self.judge_facts(view, &piece.claims, closed);
        found.extend(closed.scheduled.found.iter().cloned());
        found.retain_mut(|finding| {
            finding.decided_at = view.sentence.decided_at;
            let claims = piece.claims.iter();
            let mut own = claims.filter(|c| finding.claim_id.as_deref() == Some(c.id.as_str()));
            if let Some(claim) = own.next().or_else(|| piece.claims.first()) {
                detect::note_topic(finding, view, claim);
            }
            detect::fit(view, &piece.claims, finding);
            finding.status == Status::Contradicted
        });
        found
    }

    /// Judges what the end of the text leaves open of a form.
    pub(in crate::session) fn end_form(&mut self) {
        let end = self.text.end();
        let sentence = Sentence {
            index: self.state.counts.sentences as u32,
            span: Span::new(end, end),
            kind: SentenceKind::Code,
            terminator: None,
            capped: false,
            decided_at: end,
        };
        let attributes: std::sync::Arc<Attributes> = self.context.attributes.clone();
        let antecedents = std::mem::take(&mut self.state.antecedents);
        let view = SentenceView {
            text: "",
            sentence: &sentence,
            lexemes: &[],
            words: &[],
            quantities: &[],
            dates: &[],
            mentions: &[],
            signals: &[],
            antecedents: &antecedents,
            attributes: &attributes,
            cache: &ReadCache::default(),
        };
        if let Some(form) = self.finish_form(&view) {
            let closed = Closed {
                carried: false,
                cited: false,
                authority: false,
                vouched: Vouched::default(),
                scheduled: Scheduled::default(),
                formed: true,
            };
            let claims = form.claims(&view);
            self.judge_sentence(&view, claims, None, &closed, Some(&form));
        }
        self.state.antecedents = antecedents;
    }
}

/// What takes the place of a value keeps the form: a number without marks where no quotation marks
/// stand, else the text with those of its own escaped.
fn keep_form(finding: &mut Finding, bare: bool) {
    let Some(text) = finding.replacement.take() else {
        return;
    };
    let kept = if bare {
        let plain = text.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '-');
        let plain = plain.replace(',', "");
        let number = plain.parse::<f64>().is_ok_and(f64::is_finite);
        (number && plain.starts_with(|c: char| c.is_ascii_digit() || c == '-')).then_some(plain)
    } else {
        Some(text.replace('\\', "\\\\").replace('"', "\\\""))
    };
    if kept.is_none() {
        finding.extra.insert("no_substitute".into(), true.into());
    }
    finding.replacement = kept;
}
