//! Tables: facts whose values belong together, a row at a time.
//!
//! A text that names several values of a table puts them together; that is true only if one row
//! has them all. Cells are compared as words (folded, `_` and punctuation between them), so that
//! "5_miles" and "5 miles" are one value.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::error::{Error, Result};
use crate::normal::fold_name;
use crate::types::Span;

/// Longest cell in words; of longer ones nothing is looked for in text.
const LONGEST: usize = 12;

/// What a cell is known by.
type ValueId = u32;

/// One value: where it stands.
#[derive(Debug, Default, Clone)]
struct Cell {
    columns: Vec<u16>,
    /// Rows that have it in some column, ascending.
    rows: Vec<u32>,
}

/// A place in a text that names a value of the table, or has the form of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// Where it stands, in bytes of the text that was read.
    pub span: Span,
    /// Its folded words.
    pub words: String,
    /// Columns it can belong to; empty for a name joined by `_` that no column has the form of.
    pub columns: Vec<u16>,
    /// The value, where the table has it.
    pub value: Option<ValueId>,
}

/// A table, indexed by its values.
#[derive(Debug, Default, Clone)]
pub struct Rows {
    columns: Vec<String>,
    cells: Vec<Cell>,
    /// What stands in each row: column, value.
    rows: Vec<Vec<(u16, ValueId)>>,
    texts: Vec<String>,
    values: FxHashMap<String, ValueId>,
    /// Forms of values with digits ("0 miles"), with the columns that have them.
    forms: FxHashMap<String, Vec<u16>>,
    /// Columns in which every row has a value of its own.
    keys: Vec<bool>,
    longest: usize,
}

/// The words of a text: folded, with their spans.
fn words(text: &str) -> Vec<(Span, String)> {
    let mut out: Vec<(Span, String)> = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (c.is_alphanumeric(), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                let span = Span::new(from, at);
                out.push((span, fold_name(&text[from..at])));
                start = None;
            }
            _ => {}
        }
    }
    out
}

/// The form of words with a digit and a letter: every run of digits stands as `0`.
fn form(words: &str) -> Option<String> {
    let mut out = String::with_capacity(words.len());
    for c in words.chars() {
        if !c.is_ascii_digit() {
            out.push(c);
        } else if !out.ends_with('0') {
            out.push('0');
        }
    }
    (out.contains('0') && out.contains(char::is_alphabetic)).then_some(out)
}

impl Rows {
    /// A table of `columns`; a cell that is empty or a dash says nothing.
    ///
    /// # Errors
    /// `Argument` for a row with more or fewer cells than there are columns, a column without a
    /// name or twice, or more than 65,535 columns; it names row (from 0) or column.
    pub fn new(columns: Vec<String>, rows: &[Vec<String>]) -> Result<Self> {
        if columns.len() > usize::from(u16::MAX) {
            return Err(Error::argument("a table has at most 65,535 columns"));
        }
        for (at, column) in columns.iter().enumerate() {
            if column.trim().is_empty() || columns[..at].contains(column) {
                return Err(Error::argument(format!(
                    "column {at} of the table, '{column}', has no name or one that is taken"
                )));
            }
        }
        let mut table = Self {
            keys: vec![true; columns.len()],
            columns,
            ..Self::default()
        };
        let mut seen: Vec<FxHashSet<ValueId>> = vec![FxHashSet::default(); table.columns.len()];
        for (number, row) in rows.iter().enumerate() {
            if row.len() != table.columns.len() {
                return Err(Error::argument(format!(
                    "row {number} of the table has {} cells for {} columns",
                    row.len(),
                    table.columns.len()
                )));
            }
            let mut kept = Vec::new();
            for (column, text) in row.iter().enumerate() {
                if let Some(value) = table.take(number as u32, column as u16, text) {
                    kept.push((column as u16, value));
                    table.keys[column] &= seen[column].insert(value);
                }
            }
            table.rows.push(kept);
        }
        for (key, seen) in table.keys.iter_mut().zip(seen) {
            *key &= seen.len() > 1;
        }
        Ok(table)
    }

    fn take(&mut self, row: u32, column: u16, text: &str) -> Option<ValueId> {
        let found = words(text);
        if found.is_empty() {
            return None;
        }
        let joined = join(&found);
        let longest = found.len();
        if longest <= LONGEST {
            self.longest = self.longest.max(longest);
            if let Some(form) = form(&joined) {
                let columns = self.forms.entry(form).or_default();
                if !columns.contains(&column) {
                    columns.push(column);
                }
            }
        }
        let next = self.cells.len() as ValueId;
        let id = *self.values.entry(joined).or_insert(next);
        if id == next {
            self.cells.push(Cell::default());
            self.texts.push(text.trim().to_owned());
        }
        let cell = &mut self.cells[id as usize];
        if !cell.columns.contains(&column) {
            cell.columns.push(column);
        }
        if cell.rows.last() != Some(&row) {
            cell.rows.push(row);
        }
        Some(id)
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// A column's name.
    #[must_use]
    pub fn column(&self, column: u16) -> &str {
        self.columns.get(usize::from(column)).map_or("", |c| c)
    }

    /// Whether every row has a value of its own in one of the slot's columns, so that the slot
    /// says which row is meant.
    #[must_use]
    pub fn is_key(&self, slot: &Slot) -> bool {
        slot.value.is_some()
            && slot
                .columns
                .iter()
                .any(|c| self.keys.get(usize::from(*c)).copied().unwrap_or(false))
    }

    /// Rows that have the value of a slot, ascending.
    #[must_use]
    pub fn rows_of(&self, slot: &Slot) -> &[u32] {
        let cell = slot.value.and_then(|v| self.cells.get(v as usize));
        cell.map_or(&[], |cell| &cell.rows)
    }

    /// The columns of a row with their text as given.
    pub fn row(&self, row: u32) -> impl Iterator<Item = (&str, &str)> {
        let cells = self.rows.get(row as usize).into_iter().flatten();
        cells.map(|(column, value)| (self.column(*column), &*self.texts[*value as usize]))
    }

    /// Rows in which all the slots stand together. Cost: the rows of the rarest value, times the
    /// slots.
    #[must_use]
    pub fn together(&self, slots: &[&Slot]) -> Vec<u32> {
        let Some(rarest) = slots.iter().min_by_key(|slot| self.rows_of(slot).len()) else {
            return Vec::new();
        };
        let all = |row: &&u32| {
            slots
                .iter()
                .all(|slot| self.rows_of(slot).binary_search(row).is_ok())
        };
        self.rows_of(rarest).iter().filter(all).copied().collect()
    }

    /// The row that has most of the slots, the first of several; `None` if no row has one.
    #[must_use]
    pub fn nearest(&self, slots: &[&Slot]) -> Option<u32> {
        // A value of few rows says more of the row than one of many.
        let mut best: Option<(u64, u32)> = None;
        for slot in slots {
            for row in self.rows_of(slot).iter().take(64) {
                let weight: u64 = slots
                    .iter()
                    .filter(|other| self.rows_of(other).binary_search(row).is_ok())
                    .map(|other| 1_000_000 / self.rows_of(other).len().max(1) as u64)
                    .sum();
                if best.is_none_or(|(most, at)| weight > most || (weight == most && *row < at)) {
                    best = Some((weight, *row));
                }
            }
        }
        best.map(|(_, row)| row)
    }

    /// What a text names of the table, in text order, the longest reading first; what has only the
    /// form of a value comes with no value.
    #[must_use]
    pub fn read(&self, text: &str) -> Vec<Slot> {
        let all = words(text);
        let mut found = Vec::new();
        let mut at = 0;
        while at < all.len() {
            let (size, slot) = self.slot_at(text, &all[at..]);
            found.extend(slot);
            at += size;
        }
        found
    }

    fn slot_at(&self, text: &str, all: &[(Span, String)]) -> (usize, Option<Slot>) {
        let joined_by = |pair: &[(Span, String)]| &text[pair[0].0.end..pair[1].0.start] == "_";
        let name = 1 + all.windows(2).take_while(|pair| joined_by(pair)).count();
        let reach = self.longest.min(all.len());
        let slot = |size: usize, columns: &[u16], value| {
            let found = Slot {
                span: Span::new(all[0].0.start, all[size - 1].0.end),
                words: join(&all[..size]),
                columns: columns.to_vec(),
                value,
            };
            (size, Some(found))
        };
        let mut formed: Option<(usize, &[u16])> = None;
        for size in (1..=reach).rev() {
            let key = join(&all[..size]);
            if let Some(value) = self.values.get(&key) {
                let columns = &self.cells[*value as usize].columns;
                return slot(size, columns, Some(*value));
            }
            if formed.is_none()
                && let Some(columns) = form(&key).and_then(|form| self.forms.get(&form))
            {
                formed = Some((size, columns));
                break;
            }
        }
        match formed {
            Some((size, columns)) => slot(size.max(name), columns, None),
            None if name > 1 => slot(name, &[], None),
            None => (1, None),
        }
    }
}

fn join(words: &[(Span, String)]) -> String {
    let mut out = String::new();
    for (_, word) in words {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}
