//! More and more figures and names, none of them sourced (S4-019).

use std::collections::VecDeque;

use serde_json::json;

use crate::claims::SentenceView;
use crate::types::{Claim, Finding, LexKind, MentionKind, Message, Resolution, SentenceKind, Span};

use super::draft::draft;
use super::grounds::Grounds;

/// Sentences that are compared.
const WINDOW: usize = 6;
/// Sentences below which there is no trend.
const LEAST_SENTENCES: usize = 4;
/// Unsourced figures and names that the later half holds at least.
const LEAST_SPECIFICS: u32 = 4;
/// How many more of them a sentence of the later half holds, on average.
const LEAST_RISE: f64 = 1.5;
/// Figures and words of names that are remembered.
const SEEN: usize = 64;
/// Confidence at the least rise, what each further one adds, and the most. Set by hand.
const P: (f64, f64, f64) = (0.5, 0.1, 0.9);

/// How specific the last sentences were; small and cheap to copy.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Specifics {
    counts: VecDeque<u32>,
    /// The halves of stems' hashes.
    seen: VecDeque<u32>,
}

impl Specifics {
    /// Bytes on the heap.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        self.counts.capacity() * size_of::<u32>() + self.seen.capacity() * size_of::<u32>()
    }

    /// Whether a stem is new to the stream, which then knows it.
    fn fresh(&mut self, stem: u64) -> bool {
        #[allow(clippy::cast_possible_truncation)]
        let stem = (stem ^ (stem >> 32)) as u32;
        if self.seen.contains(&stem) {
            return false;
        }
        if self.seen.len() == SEEN {
            self.seen.pop_front();
        }
        self.seen.push_back(stem);
        true
    }

    /// How many more specifics a later sentence holds on average, where that is a trend.
    fn rise(&self) -> Option<f64> {
        let n = self.counts.len();
        if n < LEAST_SENTENCES {
            return None;
        }
        let half = n / 2;
        let sum = |range: std::ops::Range<usize>| self.counts.range(range).sum::<u32>();
        let (early, late) = (sum(0..half), sum(half..n));
        #[allow(clippy::cast_precision_loss)]
        let mean = |sum: u32, of: usize| f64::from(sum) / of as f64;
        let rise = mean(late, n - half) - mean(early, half);
        let last = self.counts.back().copied().unwrap_or(0);
        let grows = self.counts.iter().all(|count| *count <= last) && late >= LEAST_SPECIFICS;
        (grows && rise >= LEAST_RISE).then_some(rise)
    }
}

/// `stream.specificity_drift`: of the last six sentences of prose, at least four, the later half
/// holds at least four numbers and names that neither a source nor an earlier sentence has, on
/// average 1.5 a sentence more than the earlier half, and this sentence no fewer than any before
/// it. Lists and tables count for nothing: they are meant to be dense. Said once, until four more
/// sentences have closed.
#[must_use]
pub fn specificity_drift(
    view: &SentenceView<'_>,
    claim: &Claim,
    grounds: &Grounds<'_>,
    specifics: &mut Specifics,
) -> Option<Finding> {
    if view.sentence.kind != SentenceKind::Prose {
        return None;
    }
    let stems = |span: Span| -> Vec<u64> {
        let words = view.content_words_in(view.lexemes_in(span));
        words.map(|word| word.stem).collect()
    };
    let mut count = 0;
    for lexeme in view.lexemes.iter().filter(|l| l.kind == LexKind::Number) {
        for stem in stems(lexeme.span) {
            let fresh = specifics.fresh(stem);
            let mentioned = view.antecedents;
            let known = grounds.holds(stem)
                || view.quantities.iter().any(|q| {
                    q.span.overlaps(lexeme.span)
                        && grounds.knows_quantity(q, view.at(q.span), mentioned)
                });
            count += u32::from(fresh && !known);
        }
    }
    for mention in view.mentions {
        let unknown = matches!(
            mention.resolution,
            Resolution::Unknown | Resolution::NearMiss(_)
        );
        if mention.kind != MentionKind::ProperName || !unknown {
            continue;
        }
        let mut fresh = false;
        for stem in stems(mention.span) {
            fresh |= specifics.fresh(stem) && !grounds.holds(stem);
        }
        count += u32::from(fresh);
    }
    if specifics.counts.len() == WINDOW {
        specifics.counts.pop_front();
    }
    specifics.counts.push_back(count);
    let rise = specifics.rise()?;
    specifics.counts.clear();
    let mut finding = draft(
        "stream.specificity_drift",
        "specificity",
        Some(claim.span),
        &claim.content,
        claim.decided_at,
    );
    finding.claim_id = Some(claim.id.clone());
    finding.p_hallucinated = P.2.min(P.0 + P.1 * (rise - LEAST_RISE));
    let more = format!("{rise:.1}");
    finding.message = Message::new(
        "The text grows more specific without a source: {rise} more figures and names a sentence",
    )
    .plain("rise", &*more);
    finding.detected = json!(rise);
    grounds.absence(None).note(&mut finding);
    Some(finding)
}
