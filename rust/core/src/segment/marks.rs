//! The classes of marks, and the marks inside of numbers.

use super::scan::Class;
use crate::lexicon::units::Role;

/// The class of a mark.
pub(super) fn mark_class(text: &str) -> Class {
    match text {
        "%" | "％" => Class::Percent,
        "~" | "≈" | "∼" => Class::Approx,
        "-" | "–" | "—" | "\u{2010}" | "\u{2011}" | "−" => Class::Dash,
        "/" => Class::Slash,
        ":" => Class::Colon,
        "," => Class::Comma,
        "." => Class::Dot,
        "[" => Class::Bracket,
        "(" => Class::Paren,
        "#" => Class::Hash,
        "&" => Class::Word(Role::And),
        _ => Class::Mark,
    }
}

/// Where the decimal comma of a number stands.
pub(super) fn decimal_comma(digits: &str) -> Option<usize> {
    let at = digits.rfind(',')?;
    let short = matches!(digits.len() - at, 2 | 3) && !digits[at + 1..].contains('.');
    let mut groups = digits[..at].split('.');
    groups.next();
    (short && groups.all(|group| group.len() == 3)).then_some(at)
}
