//! What the session's knowledge base calls its entities.

use crate::claims::Kinds;
use crate::kb::Snapshot;

/// The kinds of a base, or of none.
#[derive(Clone, Copy)]
pub(super) struct BaseKinds<'a>(pub(super) Option<&'a Snapshot>);

impl Kinds for BaseKinds<'_> {
    fn kind(&self, id: u32) -> &str {
        self.0.and_then(|kb| kb.kind(id)).unwrap_or("")
    }
}
