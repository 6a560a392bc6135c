//! Units of measure.

/// Whether the letters after the digits of `text` make it a number ("5kg", "3rd").
#[must_use]
pub fn number_suffix(text: &str) -> bool {
    text.is_empty()
}
use crate::types::UnitId;

/// Unit.
#[derive(Debug)]
pub struct UnitDef {
    /// Name.
    pub name: &'static str,
    /// Dimension.
    pub dimension: &'static str,
    /// Factor.
    pub factor: f64,
}

/// The unit of that id.
#[must_use]
pub fn unit(_id: UnitId) -> &'static UnitDef {
    &UnitDef { name: "m", dimension: "length", factor: 1.0 }
}
/// By name.
#[must_use]
pub fn find_unit(_name: &str) -> Option<UnitId> {
    None
}
