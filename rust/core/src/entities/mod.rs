//! An index over names, and mentions of them in a stream.
//!
//! [`EntityIndex`] holds folded names in flat arrays that can be saved and memory-mapped: a hash
//! of words, a trie over word ids, and part signatures for fuzzy look-up. [`Names`] lays a small
//! overlay over a base index. [`MentionScanner`] reads lexemes and says which names they form.

mod build;
mod fuzzy;
mod index;
mod judge;
mod layout;
mod names;
mod run;
mod scanner;

pub use build::{EntityIndexBuilder, name_forms};
pub use fuzzy::{max_distance, osa_distance};
pub use index::EntityIndex;
pub use layout::Bytes;
pub use names::Names;
pub use scanner::MentionScanner;

/// Most words a name may have for the scanner to follow it; longer names answer to look-ups only.
pub const MAX_NAME_WORDS: usize = 16;

/// Most entities or candidates that one mention names.
pub const MAX_CANDIDATES: usize = 8;
