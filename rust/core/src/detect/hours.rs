//! Which end of the hours is spoken of, and hours told by a number alone.

use crate::claims::SentenceView;
use crate::normal::fold;
use crate::types::Span;

/// "until 6 pm", "closes at 6 pm": the end of the range.
pub(super) fn ends_at(view: &SentenceView<'_>, object: Span) -> bool {
    let before = view.lexemes_in(Span::new(view.sentence.span.start, object.start));
    let mut word = String::new();
    for lexeme in view.lexemes[before].iter().rev().take(2) {
        word.push(' ');
        fold(view.at(lexeme.span), &mut word);
    }
    word.split(' ')
        .any(|w| matches!(w, "until" | "till" | "to" | "by") || w.starts_with("clos"))
}

/// Where an hour stands by itself ("9").
pub(super) fn bare_hour(text: &str) -> Option<Span> {
    let start = text.len() - text.trim_start().len();
    let word = text.trim();
    let hour: u16 = word.parse().ok()?;
    (1..=24)
        .contains(&hour)
        .then(|| Span::new(start, start + word.len()))
}
