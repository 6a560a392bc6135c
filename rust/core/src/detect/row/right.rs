//! What a named row has in the place of a wrong value.

use crate::kb::{Rows, Slot, is_plain_line};
use crate::types::{Finding, Span};

use super::RowText;
use crate::detect::replacement::grammar::vowel;

/// The one row that the slots name; none where they name several, or none.
fn named(rows: &Rows, slots: &[Slot]) -> Option<u32> {
    let mut keys = slots.iter().filter(|slot| rows.names_row(slot));
    let [row] = rows.rows_of(keys.next()?) else {
        return None;
    };
    let same = |slot: &Slot| rows.rows_of(slot) == [*row];
    keys.all(same).then_some(*row)
}

/// What the named row has in the one column of the value; none where that is not certain.
fn right_cell<'r>(rows: &'r Rows, slots: &[Slot], wrong: &Slot) -> Option<&'r str> {
    let [column] = wrong.columns.as_slice() else {
        return None;
    };
    let row = named(rows, slots)?;
    let of_column = |slot: &&Slot| slot.columns.contains(column);
    if rows.names_row(wrong)
        || slots
            .iter()
            .filter(of_column)
            .any(|slot| slot.span != wrong.span)
    {
        return None;
    }
    let mut cells = rows.cells_of(row).filter(|(own, _)| own == column);
    let (_, cell) = cells.next()?;
    let shaped = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    let alike = shaped(cell) == shaped(&wrong.words);
    let single = cells.next().is_none() && !cell.contains([',', ';', '/', '|']);
    (alike && single && is_plain_line(cell) && !cell.trim().is_empty()).then_some(cell)
}

/// The one value of a group that the named row does not have, and what it has instead.
pub(super) fn one_wrong<'s, 'r>(
    rows: &'r Rows,
    slots: &[Slot],
    group: &[&'s Slot],
) -> Option<(&'s Slot, &'r str)> {
    let row = named(rows, slots)?;
    let mut others = group
        .iter()
        .filter(|slot| rows.rows_of(slot).binary_search(&row).is_err());
    let wrong = others.next().filter(|_| others.next().is_none())?;
    Some((wrong, right_cell(rows, slots, wrong)?))
}

/// The words of the finding get the cell in the place of the wrong value among them.
pub(super) fn put_right(finding: &mut Finding, sentence: &RowText<'_>, wrong: &Slot, cell: &str) {
    let mut own = wrong.span;
    let text = sentence.text.get(own.start..own.end).unwrap_or("");
    let digit = |c: char| c.is_ascii_digit();
    let number = text.find(|c| !digit(c)).unwrap_or(text.len());
    let mut right = if number > 0 && cell.chars().all(digit) {
        // "60 seats": the noun stays with the number.
        format!("{}{}", cell, &text[number..])
    } else if text.starts_with(char::is_lowercase) && !cell.contains(' ') {
        // A word of the table has its capital from its cell.
        cell.to_lowercase()
    } else {
        cell.trim().to_owned()
    };
    let before = sentence.text.get(..own.start).unwrap_or("");
    for (article, vowels) in [("a", false), ("A", false), ("an", true), ("An", true)] {
        let lead = before
            .strip_suffix(' ')
            .and_then(|rest| rest.strip_suffix(article));
        let Some(lead) = lead.filter(|rest| !rest.ends_with(char::is_alphanumeric)) else {
            continue;
        };
        if vowel(&right).is_some_and(|wanted| wanted != vowels) {
            let first = &article[..1];
            let other = if vowels { "" } else { "n" };
            right = format!("{first}{other} {right}");
            own = Span::new(lead.len(), own.end);
        }
    }
    let Some(group) = finding.span else { return };
    let base = sentence.start;
    let (from, to) = (
        group.start.saturating_sub(base),
        group.end.saturating_sub(base),
    );
    let from = from.min(own.start);
    let part = |start: usize, end: usize| sentence.text.get(start..end).unwrap_or("");
    finding.replacement = Some(format!(
        "{}{right}{}",
        part(from, own.start),
        part(own.end, to.max(own.end))
    ));
    finding.span = Some(Span::new(base + from, group.end));
    part(from, to).clone_into(&mut finding.text);
}
