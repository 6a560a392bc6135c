//! Passages, indexed once and shared between streams.
//!
//! A [`Passage`] is indexed by the content words of its sentences, its names, numbers and dates.
//! An [`EvidenceSet`] answers for several: whether a name or a number occurs, and whether they say
//! another number of the same thing. A [`Tracker`] follows a stream against them word by word and
//! keeps [`Features`] of its open sentence, of which a [`Scorer`] makes the probability that the
//! evidence does not support it.

mod cache;
mod conflict;
mod coverage;
mod features;
mod passage;
mod rarity;
mod scorer;
mod set;
mod tracker;

pub use cache::EvidenceCache;
pub use conflict::{Conflict, Context};
pub use features::{COUNT, Features, NAMES, feature};
pub use passage::{Counted, Dated, Passage, PassageIndex};
pub use rarity::rarity;
pub use scorer::Scorer;
pub use set::EvidenceSet;
pub use tracker::{Against, Tracker};
