//! A known entity with a wrong value of one of its attributes (S0-007, S0-062).

use crate::types::Finding;

use super::kb_conflict::Conflict;

/// `dialogue.wrong_attribute`: a descriptive attribute of a named entity ("John Smith works in the
/// Marketing department") has another value in the knowledge base. Confidence is the fact's (D-2).
pub(super) fn wrong_attribute(conflict: &Conflict<'_>) -> Finding {
    conflict.finding("dialogue.wrong_attribute", "attribute")
}
