//! Links of Markdown, read as the text that is shown of them.

use std::borrow::Cow;
use std::ops::Range;

use crate::segment::brackets::{self, Beside, Bracket, Kind, Lead};
use crate::types::{LexKind, Lexeme, Quantity, QuantityKind, Span};

use super::view::SentenceView;

/// Digits of a number that may be raised to a power.
const POWER: usize = 2;
/// Most lexemes of one mark that is raised ("<sup>1, 2</sup>").
const RAISED: usize = 8;

/// The lexemes without the brackets and targets of links ("[Orion](http://orion.example)",
/// "in [1992][1]"), without the brackets around a year or an amount ("in [1992]", "has [54 employees]"),
/// without brackets that nothing closes, without images and without marks of references and notes
/// (`1992[^1]`, "[citation needed]"); `None` where there is none. `text` gives the text of a span.
#[must_use]
pub fn without_links<'a>(
    lexemes: &[Lexeme],
    text: impl Fn(Span) -> &'a str,
) -> Option<Vec<Lexeme>> {
    let (first, last) = (lexemes.first()?, lexemes.last()?);
    let base = first.span.start;
    let whole = text(Span::new(base, last.span.end));
    if !whole.bytes().any(|b| matches!(b, b'[' | b']' | b'<')) {
        return None;
    }
    let mut kept = vec![true; lexemes.len()];
    let mut from = 0;
    let is =
        |i: usize, mark: &str| lexemes[i].kind == LexKind::Punct && text(lexemes[i].span) == mark;
    for at in 0..lexemes.len() {
        if lexemes[at].span.start < from {
            continue;
        }
        if is(at, "]") {
            kept[at] = false;
        }
        if !is(at, "[") {
            continue;
        }
        let Some(read) = brackets::read(whole, lexemes[at].span.start - base) else {
            kept[at] = false;
            continue;
        };
        from = base + read.end;
        for (i, lexeme) in lexemes.iter().enumerate().skip(at) {
            if lexeme.span.start >= from {
                break;
            }
            let inside = lexeme.span.start < base + read.inner.end;
            let bracket = is(i, "[") || is(i, "]");
            kept[i] = match shown(&read) {
                Shown::Nothing => false,
                Shown::Text => inside && !bracket,
                Shown::All => lexeme.span.start <= base + read.inner.end,
            };
        }
        if read.kind == Kind::Image && at > 0 {
            kept[at - 1] = false;
        }
    }
    raised(lexemes, &text, &mut kept);
    // "([source](…))"
    for open in (0..lexemes.len()).filter(|i| is(*i, "(")) {
        let mut inside = open + 1;
        while inside < lexemes.len() && !kept[inside] {
            inside += 1;
        }
        if inside > open + 1 && inside < lexemes.len() && is(inside, ")") {
            (kept[open], kept[inside]) = (false, false);
        }
    }
    let shown = lexemes.iter().zip(&kept).filter(|(_, kept)| **kept);
    let shown: Vec<Lexeme> = shown.map(|(lexeme, _)| *lexeme).collect();
    (shown.len() < lexemes.len()).then_some(shown)
}

/// The numbers without those of references, which stand in none of the lexemes that are left.
#[must_use]
pub fn told_numbers(quantities: &[Quantity], lexemes: &[Lexeme]) -> Vec<Quantity> {
    let shown = |quantity: &&Quantity| {
        quantity.kind != QuantityKind::Label
            || lexemes.iter().any(|l| l.span.overlaps(quantity.span))
    };
    quantities.iter().filter(shown).copied().collect()
}

/// The text of a sentence with spaces for what its lexemes leave out: every byte keeps its place.
#[must_use]
pub fn shown_text<'a>(view: &SentenceView<'a>) -> Cow<'a, str> {
    let text = view.text;
    if !text.bytes().any(|b| matches!(b, b'[' | b']' | b'<')) {
        return Cow::Borrowed(text);
    }
    let base = view.sentence.span.start;
    let mut shown = vec![b' '; text.len()];
    for lexeme in view.lexemes {
        let from = lexeme.span.start.saturating_sub(base);
        let range = from..lexeme.span.end.saturating_sub(base);
        if let (Some(own), Some(place)) = (text.get(range.clone()), shown.get_mut(range)) {
            place.copy_from_slice(own.as_bytes());
        }
    }
    String::from_utf8(shown).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// What a sentence says of what stands in brackets.
enum Shown {
    Nothing,
    Text,
    All,
}

fn shown(read: &Bracket) -> Shown {
    match read.kind {
        Kind::Editor | Kind::Image => Shown::Nothing,
        // "as shown in [12]", "[1] Smith, J.": what the words around it ask for.
        Kind::Mark if !matches!(read.lead, Lead::Joined | Lead::Other) => Shown::All,
        Kind::Mark => Shown::Nothing,
        Kind::Text => Shown::Text,
        Kind::Aside => Shown::All,
    }
}

/// Leaves out the numbers of notes that are raised ("1992<sup>1</sup>"), not powers ("10<sup>6</sup>").
fn raised<'a>(lexemes: &[Lexeme], text: &impl Fn(Span) -> &'a str, kept: &mut [bool]) {
    let gap = |i: usize| {
        let next = lexemes.get(i + 1)?;
        let end = lexemes[i].span.end;
        (end < next.span.start).then(|| text(Span::new(end, next.span.start)))
    };
    let mut i = 0;
    while i + 1 < lexemes.len() {
        let opens = gap(i).is_some_and(|gap| gap.trim_start() == "<sup>");
        i += 1;
        let (before, own) = (lexemes[i - 1], lexemes[i]);
        if !opens || own.kind != LexKind::Number {
            continue;
        }
        let short = before.kind == LexKind::Number && before.span.len() <= POWER;
        let counted = lexemes
            .get(i + 1)
            .is_some_and(|next| Beside::of(text(next.span)) == Beside::Counted);
        if short && !counted && text(own.span) != "1" {
            continue;
        }
        let ends = |at: usize| gap(at).is_none_or(|gap| gap.contains("</sup>"));
        let reach = lexemes.len().min(i + RAISED);
        let end = (i..reach).find(|at| ends(*at)).unwrap_or(i);
        let range: Range<usize> = i..end + 1;
        kept[range].fill(false);
        i = end;
    }
}
