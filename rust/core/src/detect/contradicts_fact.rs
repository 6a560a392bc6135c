//! A statement that a fact of the knowledge base contradicts (S0-008, S0-063).

use crate::types::Finding;

use super::kb_conflict::Conflict;

/// `dialogue.contradicts_fact`: a schedule ("the meeting is scheduled for Tuesday"), a denied fact,
/// a yes or no, or anything said of a thing without a name, of which the knowledge base says
/// otherwise. Confidence is the fact's (D-2).
pub(super) fn contradicts_fact(conflict: &Conflict<'_>) -> Finding {
    conflict.finding("dialogue.contradicts_fact", "attribute")
}
