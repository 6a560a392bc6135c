//! Amounts beside the evidence's: beyond its limit, or told with it.

use crate::claims::{Bounds, Folded, SentenceView};
use crate::evidence::Conflict;
use crate::normal::stem;
use crate::segment;
use crate::types::Quantity;

/// "up to 20 hours", where the evidence has "up to 12 hours"; "at least 8 GB", where it has "at least 2".
pub(super) fn goes_beyond(said: &Bounds, own: &Bounds) -> bool {
    let most = |bounds: &Bounds| bounds.high.is_finite() && !bounds.low.is_finite();
    let least = |bounds: &Bounds| bounds.low.is_finite() && !bounds.high.is_finite();
    let within = said.high <= own.high * (1.0 + 1e-9);
    // "At least three" is "more than two".
    let next = if said.open == own.open { 0.0 } else { 1.0 };
    let above = said.low <= own.low * (1.0 + 1e-9) + next;
    own.unit == said.unit
        && (most(said) && most(own) && !within || least(said) && least(own) && !above)
}

/// "needs 3 eggs, so 6 eggs for two": the sentence has the evidence's amount too, so that the other
/// is one of something else.
pub(super) fn right_beside(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    said: &Quantity,
    conflict: &Conflict,
) -> bool {
    let own = segment::quantities(&conflict.text);
    let noun =
        |quantity: &Quantity| stem(folded.get(view.lexemes_in(quantity.span).end)).into_owned();
    view.quantities.iter().any(|other| {
        let right = |own: &Quantity| own.value == other.value && own.unit == other.unit;
        other.span != said.span
            && other.unit == said.unit
            && own.iter().any(right)
            && (said.unit.is_some() || noun(other) == noun(said))
    })
}
