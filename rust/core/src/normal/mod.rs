//! Normalisation of names, words and case.
//!
//! One folded form is used by every room that compares words: compatibility decomposition
//! (NFKD), marks stripped, lower case, quotes and dashes unified, possessive endings dropped.

mod fold;
mod name;
mod stem;
mod strings;
mod visible;

pub use fold::fold;
pub use name::{Subword, fold_name, subwords};
pub use stem::stem;
pub use visible::{Places, Seam, Seen, Visible, visible};
