//! What a closed sentence asserts.
//!
//! [`extract`] reads a closed sentence with the scanners' results as claims. The content words
//! and the comparison of numbers are here too, since evidence is indexed by them.

mod citations;
mod content;
mod extract;
mod modality;
mod numbers;
mod parse;
mod view;

pub use citations::citations;
pub use content::{Content, ContentWord, word_hash};
pub use extract::extract;
pub use modality::{hedge_strength, modality};
pub(crate) use numbers::ABOUT_YEARS;
pub use numbers::{QuantityContext, numbers_agree, quantity_context, unit_named};
pub use view::{Attributes, SentenceView};
