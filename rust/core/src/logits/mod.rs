//! Statistics over rows of logits: what a model's next-token distribution says about its token.
//!
//! [`stats`] reads a row once (each block twice, the second time from the first-level cache) and
//! gives logsumexp, entropy, varentropy, margin, the top k and the sampled token's surprisal;
//! [`pair_stats`] reads a second row beside it and adds KL between the two, block by block, from
//! the same exponentials. Rows are f32, f16 or bf16 and are
//! never copied.
//!
//! **Masks and bad data.** A logit of −∞ is a token of probability 0. A row that holds NaN or
//! +∞, or where everything is masked, is *invalid*: the result says so ([`Invalid`]) and gives no
//! statistic. An empty row and a sampled id beyond the row are errors of the caller's.
//!
//! **Accuracy.** Against f64, every statistic is within 1e-5 relative, logsumexp within 1e-6 ×
//! max(1, |value|) and nothing below 1e-25 is told from 0. Tokens more than 87 nats
//! below the most likely one count as 0.
//!
//! **Same bits.** A row is cut into blocks of 4,096 from its start and these into runs of at most
//! 1,024, lane `i` of 16 sums elements `i`, `i + 16`, … of a run in f32, and runs, lanes and blocks
//! are added in one order in f64. Results do
//! not depend on the instruction set, the batch or the number of threads.
//!
//! - [`GroupConfidence`]: DeepConf's running mean of token confidence
//! - [`TopLogprobs`]: the same statistics as bounds, from the few logprobs an API gives
//! - [`scalars`]: published scores made of a handful of logprobs

mod bounds;
mod divergence;
mod group;
mod kernels;
mod lanes;
mod moments;
mod row;
pub mod scalars;
mod simd;
mod stats;
mod top;

pub use bounds::{Bounds, TopLogprobs};
pub use group::GroupConfidence;
pub use row::Row;
pub use simd::Simd;
pub use stats::{
    CONFIDENCE_TOP, Invalid, PairStats, Query, RowStats, batch_stats, kl, pair_stats, stats,
};
