//! Many literals and regexes over a stream at once.
//!
//! # What a match is
//! Each rule is independent of all others. A rule describes a set of texts: its literals and
//! what its regex matches (with look-arounds seen in the whole text), not empty, at most
//! `max_len` bytes long. Its matches are found from left to right: the next match begins at the
//! first place at or after the end of the previous one where any such text begins, and is the
//! longest such text there (leftmost-longest; greedy or lazy makes no difference). A match is
//! `truncated` if the text goes on, across the cap, in a way that could have become a longer
//! match. `check` and `unless` then drop matches; dropped ones still take up their text. Of a match
//! that `check` keeps, the span is that of the malformed identifier (see [`Check::fault`]).
//!
//! A match is reported with the first character after which no continuation could remove it,
//! move its end or change `truncated`. So the same text gives the same matches, in the same
//! order, however it is cut into chunks.
//!
//! `^` and `$` are the start and the end of the stream (`(?m)` for lines). `\b`, `\w` and `\s`
//! are those of Python's `re`: letters, numbers and `_`.
//!
//! # How
//! One Aho–Corasick automaton (two if some rules fold case) reads every byte. It knows the
//! literals of one-literal rules, and for every other rule the few characters its matches can
//! begin with; a hit starts an attempt, which runs on the rule's own automaton (see `machine`)
//! until it is decided. A stream holds state ids and the attempts under way, nothing else; no
//! cache is shared between streams. Attempts that differ only in where they start are one run, and
//! characters that only make such runs longer are read without a look at each rule (see `glide`).
//! Attempts of one rule are at most `max_len`, those in the same state go on as one, so a character
//! costs at most the rule's compiled size.

mod attempts;
mod begin;
mod beginnings;
mod builtin;
mod chars;
mod check;
mod compile;
mod dfa;
mod few;
mod glide;
mod identifier;
mod machine;
mod nfa;
mod prescan;
mod ruleset;
mod signals;
mod spec;
mod state;
mod trie;

pub use check::Check;
pub use ruleset::Ruleset;
pub use signals::linguistic_signals;
pub use spec::{DEFAULT_MAX_LEN, MAX_MAX_LEN, RuleSpec, SignalSpec};
pub use state::PatternState;

use serde::{Deserialize, Serialize};

use crate::types::Span;

/// A rule of a compiled set.
pub type Rule = RuleSpec;

/// One match of one rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RuleMatch {
    /// Index of the rule in its set.
    pub rule: u32,
    /// The text that matched.
    pub span: Span,
    /// Bytes of text after which nothing can change it.
    pub decided_at: usize,
    /// The match could have been longer but for the rule's `max_len`.
    pub truncated: bool,
}
