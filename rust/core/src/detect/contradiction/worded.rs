//! Statements of which one denies by a word what the other says.

use crate::detect::sides::deny_the_same;
use crate::dialogue::Statement;

use super::post::other_post;
use super::{Contradiction, ContradictionType, OPPOSITE};

/// Where the first of two statements says the opposite of the second, by a word that denies.
pub(in crate::detect) fn denied_by_word(
    said: &Statement,
    prior: &Statement,
) -> Option<Contradiction> {
    (agrees(said, prior) == Some(false)).then(|| opposite(said))
}

/// Whether two statements deny the same, by whichever word; `None` where nothing is told.
pub(super) fn agrees(said: &Statement, prior: &Statement) -> Option<bool> {
    let same = deny_the_same(&said.content, &prior.content)?;
    (same || !other_post(&said.content, &prior.content)).then_some(same)
}

/// That the first of two statements says the opposite of the second.
pub(super) fn opposite(said: &Statement) -> Contradiction {
    Contradiction {
        kind: ContradictionType::DirectNegation,
        confidence: OPPOSITE,
        at: said.span,
        replacement: None,
    }
}
