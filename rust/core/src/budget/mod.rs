//! Information budgets: how much of a claim the evidence pays for, in bits.
//!
//! A claim has two probabilities: `p1` with its evidence and `p0` without. Reaching the target
//! confidence τ from `p0` *requires* KL(τ ‖ p0) bits; the evidence is *observed* to supply
//! KL(p1 ‖ p0) bits; the gap is the difference (SPEC-08.03 to 08.06). KL has no direction, so
//! [`budget`] adds one: a claim that the evidence contradicts is never a paid one.
//!
//! - [`kl_bernoulli`], [`budget`]: one claim, its probabilities exact or only bounded
//! - [`ClaimBudget`], [`StreamBudget`]: the same question asked at every token
//! - [`planner`]: published decision rules around the same divergence (EDFL, QMV)

mod accumulate;
mod bernoulli;
mod decide;
pub mod planner;

pub use accumulate::{ClaimBudget, StreamBudget};
pub use bernoulli::{Unit, kl_bernoulli};
pub use decide::{Budget, Params, budget};
