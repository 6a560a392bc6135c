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
        "]" => Class::Closed,
        "(" => Class::Paren,
        "#" => Class::Hash,
        "^" => Class::Caret,
        "&" => Class::Word(Role::And),
        _ => Class::Mark,
    }
}

/// Where the decimal comma of a number stands.
pub(super) fn decimal_comma(digits: &str) -> Option<usize> {
    let at = digits.rfind(',')?;
    // "0,412": no thousands begin with a nought.
    let nought = &digits[..at] == "0";
    let short = (nought || matches!(digits.len() - at, 2 | 3)) && !digits[at + 1..].contains('.');
    let mut groups = digits[..at].split('.');
    groups.next();
    (short && groups.all(|group| group.len() == 3)).then_some(at)
}

/// "v2", "v2.1.3", "3D", "0x1F": digits that count nothing.
pub(super) fn is_label(text: &str) -> bool {
    let digits = text.strip_prefix(['v', 'V']).unwrap_or(text);
    if digits.starts_with(|c: char| c.is_ascii_digit()) {
        return digits.len() == text.len()
            || digits.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    }
    false
}
