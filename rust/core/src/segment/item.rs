//! What stands in the window of lexemes that may still become a number or a date.

use super::brackets::{Beside, Lead};
use super::power::Sign;
use crate::lexicon::units::Role;
use crate::types::Span;

/// Letters of what stands before a page or the like, at most ("p", "pp", "fig").
const LOCATOR: usize = 4;

/// What an item of the window is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// A word, by its role.
    Word(Role),
    /// Digits.
    Number,
    /// Digits with an ordinal ending.
    OrdinalNumber,
    /// "1990s".
    Decade,
    /// "1.2.3", "3D": digits that are no amount.
    Label,
    /// "23.07.2023": day, month, year in `value`.
    DottedDate,
    /// A currency sign.
    Currency,
    Percent,
    Approx,
    Dash,
    Slash,
    Colon,
    Comma,
    Dot,
    Bracket,
    /// "]".
    Closed,
    Paren,
    Hash,
    /// "^", which stands before the number of a note.
    Caret,
    /// Any other mark.
    Mark,
}

impl Class {
    /// Whether digits make an amount or a date of it.
    pub const fn amount(self) -> bool {
        matches!(self, Self::Number | Self::Decade | Self::DottedDate)
    }

    /// Whether it is part of no number, date or time.
    pub const fn other(self) -> bool {
        matches!(
            self,
            Self::Label
                | Self::Bracket
                | Self::Closed
                | Self::Paren
                | Self::Hash
                | Self::Caret
                | Self::Mark
        )
    }
}

/// One lexeme, or a part of one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    pub class: Class,
    pub value: f64,
    pub span: Span,
    pub atom: u16,
    /// Nothing stands between it and the item before.
    pub adjacent: bool,
    pub capital: bool,
    pub caps: bool,
    /// First word of its sentence.
    pub first: bool,
    /// A word that reads as a plural.
    pub plural: bool,
    pub digits: u8,
    pub decimals: u8,
    /// Sign or separators: neither a year nor a day.
    pub dressed: bool,
    /// A dash that may be the sign of a number.
    pub minus: bool,
    /// Written with a plus.
    pub plus: bool,
    /// Written with a decimal comma: an amount only where a unit or the like stands beside it.
    pub comma: bool,
    /// What it is in a power of ten.
    pub sign: Sign,
    /// What stands before it, of a bracket.
    pub lead: Lead,
    /// What it is beside a bracket, of a word.
    pub beside: Beside,
}

/// An item of which nothing is known.
pub(super) const BLANK: Item = Item {
    class: Class::Mark,
    value: 0.0,
    span: Span::new(0, 0),
    atom: 0,
    adjacent: false,
    capital: false,
    caps: false,
    first: false,
    plural: false,
    digits: 0,
    decimals: 0,
    dressed: false,
    minus: false,
    plus: false,
    comma: false,
    sign: Sign::None,
    lead: Lead::Other,
    beside: Beside::None,
};

/// What stood before the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Before {
    /// Nothing that matters.
    #[default]
    Other,
    /// A word after which a year is likely ("in", "since").
    Year,
    /// A year, after which another is likely.
    Years,
    /// A word that numbers things ("Section").
    Label,
    /// "#", right behind which a number is a label.
    Hash,
    /// An opening parenthesis.
    Paren,
    /// An opening square bracket, and what stands before it; `dated` behind a word after which a year is likely.
    Bracket { lead: Lead, dated: bool },
    /// Names behind one, as a citation begins.
    Cited,
    /// The number of a reference behind one.
    Marked,
}

impl Before {
    /// Whether a year is likely to follow.
    pub const fn dated(self) -> bool {
        matches!(
            self,
            Self::Year | Self::Years | Self::Bracket { dated: true, .. }
        )
    }
}

impl Before {
    /// Whether a citation may begin or go on here.
    pub const fn opens(self) -> bool {
        matches!(self, Self::Bracket { .. } | Self::Cited | Self::Marked)
    }
}

/// What stands before the next item once `item` has passed.
pub(super) fn after(before: Before, item: &Item) -> Before {
    match item.class {
        Class::Word(Role::Context) => Before::Year,
        Class::Word(Role::Label) if before != Before::Marked => Before::Label,
        Class::Word(Role::Label) => before,
        Class::Hash => Before::Hash,
        Class::Word(Role::And | Role::Or | Role::To | Role::Approx) | Class::Dash => before,
        Class::Word(Role::Month | Role::MonthShort | Role::MonthDoubtful) => Before::Year,
        Class::Comma if before.dated() => before,
        Class::Dot if before == Before::Label => before,
        Class::Paren => Before::Paren,
        Class::Bracket => Before::Bracket {
            lead: item.lead,
            dated: before.dated(),
        },
        Class::Caret if matches!(before, Before::Bracket { .. }) => Before::Marked,
        Class::Mark if item.sign == Sign::Backslash => before,
        Class::Comma if before == Before::Cited => before,
        // "[54, p. 12; 13]"
        Class::Comma | Class::Colon | Class::Dot | Class::Mark if before == Before::Marked => {
            before
        }
        Class::Word(_)
            if before == Before::Marked
                && item.beside != Beside::Name
                && item.span.len() <= LOCATOR =>
        {
            before
        }
        Class::Dot if before == Before::Cited => before,
        Class::Word(_) if item.beside == Beside::Name && before.opens() => Before::Cited,
        Class::Word(_) if item.beside == Beside::Joint && before == Before::Cited => before,
        _ => Before::Other,
    }
}
