//! Units of measure.

/// Whether the letters after the digits of `text` make it a number ("5kg", "3rd").
#[must_use]
pub fn number_suffix(text: &str) -> bool {
    text.is_empty()
}
