//! Magnitudes and units that a header or a label gives for bare numbers: "Sales (million $)", "Loans,
//! $bn: 12.4", "Length [mm]", "revenue_eur_millions".

use crate::claims::labelled_scale as label;
use crate::types::UnitId;

use super::passage::PassageIndex;

/// A magnitude or unit that holds for the bare numbers behind it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    /// Where it ends.
    pub(super) from: usize,
    /// What the numbers are to be multiplied by.
    pub(super) factor: f64,
    /// Their unit, if it is told.
    pub(super) unit: Option<UnitId>,
}

/// Labels of one passage that are kept.
const SCALES: usize = 64;

impl PassageIndex {
    /// Magnitudes and units that its headers and labels give, read when they are first asked for.
    pub(super) fn scales(&self) -> &[Scale] {
        self.scales.get_or_init(|| scales(self.text()))
    }
}

/// The labels of a text in order.
fn scales(text: &str) -> Vec<Scale> {
    let mut out = Vec::new();
    let mut at = 0;
    for (piece, closing) in pieces(text) {
        let bracketed = matches!(closing, Some(')' | ']'));
        if let Some((factor, unit)) = label(piece, bracketed) {
            out.push(Scale {
                from: at + piece.len(),
                factor,
                unit,
            });
            if out.len() == SCALES {
                break;
            }
        }
        at += piece.len() + closing.map_or(0, char::len_utf8);
    }
    out
}

/// The parts of a text between marks, each with the mark behind it.
fn pieces(text: &str) -> impl Iterator<Item = (&str, Option<char>)> {
    let mark = |c: char| {
        matches!(
            c,
            '\n' | '\t' | ',' | ';' | ':' | '|' | '(' | ')' | '[' | ']' | '{' | '}' | '"'
        )
    };
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let own = rest?;
        let end = own.find(mark);
        let closing = end.and_then(|end| own[end..].chars().next());
        rest = end.map(|end| &own[end + closing.map_or(0, char::len_utf8)..]);
        Some((&own[..end.unwrap_or(own.len())], closing))
    })
}
