//! Links of Markdown, read as the text that is shown of them.

use crate::types::{LexFlags, LexKind, Lexeme, Span};

/// Most lexemes of a link's target, and of its text.
const REACH: usize = 16;

/// The lexemes without the brackets and targets of links ("[Orion](http://orion.example)"); `None`
/// where there is no link. `text` gives the text of a span.
#[must_use]
pub fn without_links<'a>(
    lexemes: &[Lexeme],
    text: impl Fn(Span) -> &'a str,
) -> Option<Vec<Lexeme>> {
    let mark = |i: usize, mark: &str| {
        lexemes
            .get(i)
            .is_some_and(|l| l.kind == LexKind::Punct && text(l.span) == mark)
    };
    let joined = |i: usize| {
        lexemes
            .get(i)
            .is_some_and(|l| !l.flags.has(LexFlags::SPACE_BEFORE) && l.kind != LexKind::Newline)
    };
    let mut drop: Vec<std::ops::Range<usize>> = Vec::new();
    let mut from = 0;
    for close in 0..lexemes.len() {
        if close < from || !mark(close, "]") || !mark(close + 1, "(") || !joined(close + 1) {
            continue;
        }
        let open = (close.saturating_sub(REACH)..close)
            .rev()
            .find(|i| *i >= from && mark(*i, "["));
        let end = (close + 2..lexemes.len().min(close + 2 + REACH))
            .take_while(|i| joined(*i))
            .find(|i| mark(*i, ")"));
        if let (Some(open), Some(end)) = (open, end) {
            drop.push(open..open + 1);
            drop.push(close..end + 1);
            from = end + 1;
        }
    }
    (!drop.is_empty()).then(|| {
        let kept = (0..lexemes.len()).filter(|i| !drop.iter().any(|range| range.contains(i)));
        kept.map(|i| lexemes[i]).collect()
    })
}
