//! Passages, indexed once and shared between streams.
//!
//! A [`Passage`] is indexed by the content words of its sentences, its names, numbers and dates.
//! An [`EvidenceSet`] answers for several: whether a name or a number occurs, and whether they say
//! another number of the same thing. A [`Tracker`] follows a stream against them word by word and
//! keeps [`Features`] of its open sentence, of which a [`Scorer`] makes the probability that the
//! evidence does not support it, and [`Detail`]s of its words, of which a [`DetailScorer`] makes the
//! probability that one of them is not the evidence's.

mod addresses;
mod alike;
mod cache;
mod conflict;
mod counts;
mod coverage;
mod days;
mod detail;
mod features;
mod limits;
mod memo;
mod otherwise;
mod passage;
mod postings;
mod rarity;
mod reached;
mod scales;
mod scorer;
mod sequence;
mod set;
mod times;
mod tracker;
mod week;

pub use addresses::{Address, AddressKind, addresses, is_called, is_grouped};
pub use cache::EvidenceCache;
pub use conflict::{Conflict, Context};
pub use days::End;
pub use detail::{DETAIL_COUNT, DETAIL_NAMES, Detail, DetailScorer, Doubt, detail_feature};
pub use features::{COUNT, Features, NAMES, feature};
pub use limits::{Limit, limit, plain_words};
pub(crate) use memo::Readings;
pub use otherwise::ends_in_minus;
pub use passage::{Counted, Dated, Passage, PassageIndex};
pub use rarity::rarity;
pub use scorer::Scorer;
pub use sequence::Class;
pub use set::EvidenceSet;
pub use tracker::{Against, Tracker};
pub use week::{Scheduled, Schedules};
