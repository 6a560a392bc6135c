//! Passages, indexed once and shared between streams.
//!
//! A [`Passage`] is indexed by the content words of its sentences, its names, numbers and dates.
//! An [`EvidenceSet`] answers for several: whether a name or a number occurs, how much of a
//! sentence they support and where, and whether they say another number of the same thing.

mod cache;
mod conflict;
mod passage;
mod set;
mod support;

pub use cache::EvidenceCache;
pub use conflict::{Conflict, Context};
pub use passage::{Counted, Dated, Passage, PassageIndex};
pub use set::EvidenceSet;
pub use support::{Query, Support};
