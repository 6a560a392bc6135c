//! "X, who works in Marketing, joined in 2019": a clause of its own, of now, which the time of the
//! sentence around it does not bound.

use std::ops::Range;

use crate::claims::{SentenceView, Tense, clauses};
use crate::types::Span;

/// Most words of such a clause in front of its value.
const LEAD: usize = 5;
/// Most words behind it: "long".
const BEHIND: usize = 1;

/// Whether the value is all that such a clause tells of the subject right before it.
pub(super) fn told_in_passing(view: &SentenceView<'_>, subject: Option<Span>, value: Span) -> bool {
    let Some(subject) = subject.filter(|subject| subject.end <= value.start) else {
        return false;
    };
    let at = view.lexemes_in(value);
    let from = view.lexemes_in(subject).end;
    let opens = view.word(from) == "," && matches!(view.word(from + 1), "which" | "who" | "that");
    let near = |words: &Range<usize>| words.len() <= LEAD;
    let between = from + 2..at.start;
    let bare = !between
        .clone()
        .any(|i| matches!(view.word(i), "," | ";" | "and" | "or"));
    let closed = (at.end..=at.end + BEHIND).any(|i| view.word(i) == ",");
    let now = || {
        let found = clauses(view);
        let own = found
            .iter()
            .find(|clause| clause.group.contains(&(from + 2)));
        own.is_some_and(|clause| clause.tense == Tense::Present && !clause.negative)
    };
    opens && near(&between) && bare && closed && now()
}
