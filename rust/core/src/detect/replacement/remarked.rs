//! A number of the base with a remark in brackets, in the place of "11 rooms": the noun stays with the
//! number.

use crate::claims::SentenceView;
use crate::types::{Quantity, Span};

/// The number and the remark of "12 (14 with annex)".
fn parts(text: &str) -> Option<(&str, &str)> {
    let (number, note) = text.split_once(" (")?;
    let plain = number
        .chars()
        .all(|c| c.is_ascii_digit() || matches!(c, '.' | ','));
    (plain && !number.is_empty() && note.ends_with(')')).then(|| text.split_at(number.len()))
}

/// Whether a value is a number with a remark in brackets and nothing else.
pub(in crate::detect) fn is_remarked(text: &str) -> bool {
    parts(text).is_some()
}

/// The value in the place of the object: "12 rooms (14 with annex)". None where the object is no number
/// with its noun.
pub(in crate::detect) fn remarked(
    view: &SentenceView<'_>,
    object: Span,
    quantities: &[Quantity],
    text: &str,
) -> Option<String> {
    let (number, note) = parts(text)?;
    let said = view.at(object);
    if !said.contains(char::is_alphabetic) {
        return Some(text.to_owned());
    }
    let [quantity] = quantities else { return None };
    let digits = said.len() - said.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let noun = said.get(digits..)?;
    let fits = quantity.span.start == object.start
        && digits > 0
        && noun.starts_with(' ')
        && !noun.contains(['(', ')', ',']);
    fits.then(|| format!("{number}{noun}{note}"))
}
