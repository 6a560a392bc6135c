//! What a sentence gives a row of a table for one of its columns, where no row has that value.

use crate::claims::{SentenceView, unasserted};
use crate::kb::{Rows, Slot, predicate_key};
use crate::normal::fold_name;
use crate::segment::quantities;
use crate::types::{Claim, Modality, Polarity, QuantityKind, Span, UnitId};

use super::RowText;

/// One thing that a sentence says outright; spans count from the sentence's start.
#[derive(Debug, Clone, Copy)]
pub struct RowClaim<'a> {
    /// Of what.
    pub subject: Span,
    /// Which attribute.
    pub predicate: &'a str,
    /// What.
    pub object: Span,
}

impl<'a> RowClaim<'a> {
    /// What the claims of a sentence say outright.
    #[must_use]
    pub fn of(view: &SentenceView<'_>, claims: &'a [Claim]) -> Vec<Self> {
        let base = view.sentence.span.start;
        let own = |span: Span| {
            let inside = span.start >= base && span.end <= view.sentence.span.end;
            inside.then(|| Span::new(span.start - base, span.end - base))
        };
        let folded = view.folded();
        let plain = |claim: &&Claim| {
            matches!(claim.modality, Modality::Asserted | Modality::Hedged)
                && claim.polarity == Polarity::Positive
                && claim.coordinated.is_none()
        };
        let read = |claim: &'a Claim| {
            let (subject, object) = (claim.subject_span?, claim.object_span?);
            let told = Self {
                subject: own(subject)?,
                predicate: claim.predicate.as_deref()?,
                object: own(object)?,
            };
            (!unasserted(view, &folded, object)).then_some(told)
        };
        claims.iter().filter(plain).filter_map(read).collect()
    }
}

/// The words of a text without article and possessive.
fn bare(text: &str) -> String {
    let folded = fold_name(text);
    let owned = folded.strip_suffix("'s").unwrap_or(&folded);
    owned.strip_prefix("the ").unwrap_or(owned).to_owned()
}

/// The plain number of a text that holds just one.
fn amount(text: &str) -> Option<(f64, Option<UnitId>)> {
    let found = quantities(text);
    let [one] = found.as_slice() else {
        return None;
    };
    let plain =
        !one.approximate && !matches!(one.kind, QuantityKind::Ordinal | QuantityKind::Label);
    plain.then_some((one.value, one.unit))
}

/// Whether two texts are values of one kind that differ: two numbers, two names, two words.
fn differ(cell: &str, said: &str) -> bool {
    match (amount(cell), amount(said)) {
        (Some((a, of)), Some((b, unit))) => {
            // A cell may leave its unit to the column's name.
            return (of.is_none() || of == unit) && (a - b).abs() > 0.005 * a.abs().max(b.abs());
        }
        (None, None) => {}
        _ => return false,
    }
    let name = |text: &str| {
        text.split_whitespace()
            .all(|word| word.starts_with(char::is_uppercase))
    };
    let word = |text: &str| !text.contains(char::is_whitespace) && !name(text);
    if !(name(cell) && name(said) || word(cell) && word(said)) {
        return false;
    }
    let (a, b) = (bare(cell), bare(said));
    let shared = a.split(' ').any(|word| b.split(' ').any(|own| own == word));
    !shared && !a.is_empty() && !b.is_empty()
}

/// Values that the sentence gives a row for a column, that the row does not have, and that are in no
/// row of the column.
pub(super) fn told_values(sentence: &RowText<'_>, rows: &Rows, slots: &[Slot]) -> Vec<Slot> {
    let mut found = Vec::new();
    for told in sentence.told {
        let text = |span: Span| sentence.text.get(span.start..span.end).unwrap_or("");
        // What is read as a value already is compared with its row.
        if slots.iter().any(|slot| slot.span.overlaps(told.object)) {
            continue;
        }
        let subject = bare(text(told.subject));
        let key = slots.iter().find(|slot| {
            slot.span.overlaps(told.subject) && rows.is_key(slot) && slot.words == subject
        });
        let Some((key, [row])) = key.map(|key| (key, rows.rows_of(key))) else {
            continue;
        };
        let cells: Vec<(u16, &str)> = rows
            .cells_of(*row)
            .filter(|(column, _)| {
                let name = predicate_key(rows.column(*column));
                !key.columns.contains(column) && sentence.names.same(&name, told.predicate)
            })
            .collect();
        let said = text(told.object).trim();
        if let [(column, cell)] = cells.as_slice()
            && differ(cell, said)
        {
            found.push(Slot {
                span: told.object,
                words: fold_name(said),
                columns: vec![*column],
                value: None,
            });
        }
    }
    found
}
