//! Names that only say where something is, or what somebody is called.

use std::ops::Range;

use crate::claims::view::{Folded, SentenceView};
use crate::lexicon::tables::frames;
use crate::types::{NameType, Span};

/// Whether a name only says where something is or what it is called, so that pronouns pass it by:
/// "in Oslo", "by the water", "the CEO".
pub(super) fn aside(
    view: &SentenceView<'_>,
    folded: &Folded,
    span: Span,
    kind: NameType,
    described: bool,
) -> bool {
    let range = view.lexemes_in(span);
    let before = (0..range.start).rev().find(|i| folded.get(*i) != "the");
    let before = before.map_or("", |i| folded.get(i));
    let within = matches!(
        before,
        "in" | "at" | "near" | "from" | "on" | "outside" | "inside" | "around"
    );
    // "by the water", "since the war"
    let beside = matches!(
        before,
        "by" | "beside"
            | "along"
            | "behind"
            | "over"
            | "above"
            | "under"
            | "across"
            | "through"
            | "during"
            | "since"
            | "after"
            | "before"
            | "into"
            | "opposite"
            | "until"
    );
    if described {
        return within || beside;
    }
    let toward = matches!(
        before,
        "of" | "to" | "into" | "through" | "between" | "across" | "for"
    );
    let place = matches!(kind, NameType::Place | NameType::Unknown);
    let attribute = range.len() == 1
        && view
            .attributes
            .predicates()
            .named(folded.get(range.start))
            .is_some();
    within && place || toward && kind == NameType::Place || attribute
}

/// Whether a place is another one than where something is: "near Oslo", "20 km from Oslo", "larger than Oslo".
pub(super) fn beside(folded: &Folded, range: &Range<usize>) -> bool {
    let before = (0..range.start).rev().find(|i| folded.get(*i) != "the");
    matches!(
        before.map_or("", |i| folded.get(i)),
        "near"
            | "from"
            | "to"
            | "between"
            | "outside"
            | "towards"
            | "toward"
            | "beyond"
            | "past"
            | "than"
    )
}

/// Whether the name is of who does it ("owned by Acme"), and of nothing that comes next to it ("followed by").
pub(super) fn agent(folded: &Folded, range: &Range<usize>) -> bool {
    let Some(by) = range
        .start
        .checked_sub(1)
        .filter(|i| folded.get(*i) == "by")
    else {
        return false;
    };
    let verb = by.checked_sub(1).map_or("", |i| folded.get(i));
    !frames().has("next_by", verb)
}
