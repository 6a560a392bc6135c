//! An amount that the evidence has for a movement the other way.

use crate::claims::{Folded, SentenceView, unasserted};
use crate::evidence::{Context, EvidenceSet};
use crate::lexicon::cues::Cue;
use crate::types::{Claim, Finding, Quantity, QuantityKind, Span};

use super::{P_NUMBER, finding};

/// The evidence has the amount for a movement the other way.
pub(super) fn moved(
    view: &SentenceView<'_>,
    claim: &Claim,
    evidence: &EvidenceSet,
    quantity: &Quantity,
    context: &Context<'_>,
    folded: &Folded<'_>,
) -> Option<Finding> {
    let turn = context.around.turn?;
    let counts = matches!(
        quantity.kind,
        QuantityKind::Percent
            | QuantityKind::Money
            | QuantityKind::Measure
            | QuantityKind::Cardinal
    );
    let denied = (0..folded.len()).any(|i| folded.cue(i).is(Cue::NEGATION));
    if !counts || denied || unasserted(view, folded, turn.span) {
        return None;
    }
    let years = view
        .quantities
        .iter()
        .filter(|q| q.kind == QuantityKind::Year);
    let years: Vec<f64> = years
        .map(|q| q.value)
        .chain(view.dates.iter().filter_map(|d| d.year).map(f64::from))
        .collect();
    let conflict = evidence.opposite_movement(quantity, context, &years)?;
    let number = quantity.span;
    let span = Span::new(
        number.start.min(turn.span.start),
        number.end.max(turn.span.end),
    );
    let mut finding = finding(view, claim, evidence, span, &conflict, P_NUMBER);
    // Words of other forms do not stand in each other's place.
    let fits = evidence.passages().get(conflict.passage).is_some_and(|p| {
        let own = p.data().quantities.iter();
        own.filter_map(|own| own.context.turn).any(|own| {
            conflict.span.contains(own.span) && own.form == turn.form && FINITE.contains(&own.form)
        })
    });
    if !fits {
        finding.replacement = None;
    }
    Some(finding)
}

/// Forms of a verb by itself, in the order of `movement`.
const FINITE: std::ops::Range<u8> = 0..5;
