//! Links of Markdown, read as the text that is shown of them.

use crate::lexicon::cues::{Cue, cue};
use crate::types::{LexFlags, LexKind, Lexeme, Span};

/// Most lexemes of a link's target, and of its text.
const REACH: usize = 16;

/// Digits of a number that may be raised to a power.
const POWER: usize = 2;

/// Digits of a year.
const YEAR: usize = 4;

/// The lexemes without the brackets and targets of links ("[Orion](http://orion.example)",
/// "in [1992][1]"), without the brackets around a year or an amount ("in [1992]", "has [54 employees]") and
/// without marks of notes (`1992[^1]`); `None` where there is none. `text` gives the text of a span.
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
    let free = |i: usize| !drop.iter().any(|range| range.contains(&i));
    let word = |i: usize| lexemes.get(i).map_or("", |l| text(l.span));
    let number = |i: usize| lexemes.get(i).is_some_and(|l| l.kind == LexKind::Number);
    // "1992<sup>1</sup>", not "10<sup>6</sup>".
    let raised = |i: usize| {
        let (before, own) = (lexemes[i - 1], lexemes[i]);
        let gap = Span::new(before.span.end, own.span.start);
        text(gap) == "<sup>" && (!number(i - 1) || before.span.len() > POWER)
    };
    let mut bare = Vec::new();
    for at in (0..lexemes.len()).filter(|i| free(*i)) {
        if at > 0 && number(at) && raised(at) {
            bare.push(at..at + 1);
            continue;
        }
        if !mark(at, "[") {
            continue;
        }
        let Some(close) = (at + 1..lexemes.len().min(at + 1 + REACH)).find(|i| mark(*i, "]"))
        else {
            continue;
        };
        // The mark of a note ("1992[^1]", "1992[1]").
        let note = at + 1 + usize::from(mark(at + 1, "^"));
        if number(note) && close == note + 1 && joined(at) && word(note).len() < YEAR && at > 0 {
            bare.push(at..close + 1);
            continue;
        }
        let counted = lexemes.get(at + 2).is_some_and(|l| {
            l.kind == LexKind::Word && text(l.span).starts_with(char::is_lowercase)
        });
        let before = at.checked_sub(1).map_or("", word).to_lowercase();
        let year = close == at + 2 && word(at + 1).len() == YEAR && !joined(at);
        let link = mark(close + 1, "[") && joined(close + 1);
        if number(at + 1) && (counted || year && (link || cue(&before).is(Cue::PREPOSITION))) {
            bare.extend([at..at + 1, close..close + 1]);
        }
    }
    drop.extend(bare);
    (!drop.is_empty()).then(|| {
        let kept = (0..lexemes.len()).filter(|i| !drop.iter().any(|range| range.contains(i)));
        kept.map(|i| lexemes[i]).collect()
    })
}
