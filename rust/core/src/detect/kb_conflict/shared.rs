//! One value told of several things: "X and Y opened in 1990".

use crate::claims::SentenceView;
use crate::detect::subject::claim_entities;
use crate::kb::Snapshot;
use crate::types::{Claim, Span};

use super::Conflict;

/// Nothing takes the place of a value that is told of other things too, unless it is wrong of all of
/// them and one value is right: put right for one, it would be wrong of another.
pub(super) fn leave_open_what_is_shared(
    view: &SentenceView<'_>,
    claims: &[Claim],
    kb: &Snapshot,
    found: &mut [Conflict<'_>],
) {
    let right: Vec<(u32, Option<Span>, Vec<String>)> = found
        .iter()
        .map(|one| (one.id, one.claim.object_span, one.clash.values.clone()))
        .collect();
    for conflict in found {
        let own = conflict.claim;
        let mut others = claims.iter().filter(|other| {
            other.object_span == own.object_span
                && other.predicate == own.predicate
                && other.subject_span.is_some()
                && other.subject_span != own.subject_span
        });
        let apart = |other: &Claim| {
            let ids = claim_entities(view, other, kb);
            let alike = right.iter().any(|(id, place, values)| {
                ids.contains(id) && *place == own.object_span && *values == conflict.clash.values
            });
            !ids.contains(&conflict.id) && !alike
        };
        if own.object_span.is_some() && others.any(apart) {
            conflict.clash.open = true;
            if let Some((_, right)) = &mut conflict.clash.exact {
                *right = None;
            }
        }
    }
}
