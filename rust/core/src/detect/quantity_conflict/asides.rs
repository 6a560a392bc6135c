//! What is added to a statement, and stretches of a year that are held against each other as a whole.

use crate::claims::{Folded, SentenceView};
use crate::evidence::{Conflict, EvidenceSet};
use crate::types::{DateExpr, Quantity, Span};

/// What is added to a sentence's statement: "…, which is by the lake, …", "…: 30 singles and 30 doubles".
pub(super) fn asides(view: &SentenceView<'_>, folded: &Folded<'_>) -> Vec<Span> {
    let end = view.sentence.span.end;
    let from = |i: usize| view.lexemes[i].span.start;
    let mut found = Vec::new();
    for i in 1..folded.len() {
        let comma = |i: &usize| view.word(*i) == ",";
        let adds = matches!(folded.get(i), "which" | "who" | "whose") && comma(&(i - 1));
        let closed = || (i + 1..folded.len()).find(comma).map_or(end, from);
        if adds {
            found.push(Span::new(from(i), closed()));
        } else if view.word(i) == ":" {
            found.push(Span::new(from(i), end));
        }
    }
    found
}

/// Whether what is added counts the same: "60 rooms: 30 singles and 30 doubles" would no longer add up with another
/// number at `place`.
pub(super) fn summed(
    view: &SentenceView<'_>,
    asides: &[Span],
    quantity: &Quantity,
    place: Span,
) -> bool {
    let counts = |own: &&Quantity| own.kind == quantity.kind && own.unit == quantity.unit;
    asides.iter().any(|aside| {
        let inside = |own: &Quantity| aside.overlaps(own.span) && place.end <= aside.start;
        view.quantities.iter().filter(counts).any(inside)
    })
}

/// A month, where the evidence has from which one to which: that is held against it as a whole.
pub(super) fn opens_stretch(evidence: &EvidenceSet, date: &DateExpr, conflict: &Conflict) -> bool {
    let passage = evidence.passages().get(conflict.passage);
    let before = passage.and_then(|p| p.text().get(..conflict.span.start));
    let led = before.is_some_and(|text| text.to_lowercase().ends_with("from "));
    led && date.month.is_some() && date.day.is_none() && date.year.is_none()
}
