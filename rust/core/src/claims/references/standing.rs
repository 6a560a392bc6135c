//! How a name stands in its sentence: where something is, what it is near, who does it.

use std::ops::Range;

use crate::claims::view::{Folded, SentenceView};
use crate::lexicon::tables::frames;
use crate::types::{NameType, Span};

/// How a candidate stands in its sentence.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Standing(u8);

impl Standing {
    const ASIDE: u8 = 1;
    const BESIDE: u8 = 2;
    const AGENT: u8 = 4;
    const ASKED: u8 = 8;

    pub(super) fn of(
        view: &SentenceView<'_>,
        folded: &Folded,
        (span, kind): (Span, NameType),
        described: bool,
    ) -> Self {
        let range = view.lexemes_in(span);
        let bit = |is: bool, bit| if is { bit } else { 0 };
        Self(
            bit(aside(view, folded, span, kind, described), Self::ASIDE)
                | bit(beside(folded, &range), Self::BESIDE)
                | bit(agent(folded, &range), Self::AGENT),
        )
    }

    /// It only says where something is, or what somebody is called.
    pub(super) fn aside(self) -> bool {
        self.0 & Self::ASIDE != 0
    }

    /// Such a place that is another one than what is there ("near Oslo").
    pub(super) fn beside(self) -> bool {
        self.0 & Self::BESIDE != 0
    }

    /// Who does it ("owned by Acme").
    pub(super) fn agent(self) -> bool {
        self.0 & Self::AGENT != 0
    }

    /// A description that the question asks about ("the sequel").
    pub(super) fn asked(self) -> bool {
        self.0 & Self::ASKED != 0
    }

    pub(super) fn mark_asked(&mut self) {
        self.0 |= Self::ASKED;
    }
}

/// Whether a name only says where something is or what it is called, so that pronouns pass it by:
/// "in Oslo", "by the water", "the CEO".
fn aside(
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
fn beside(folded: &Folded, range: &Range<usize>) -> bool {
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
fn agent(folded: &Folded, range: &Range<usize>) -> bool {
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
