//! Tables: facts whose values belong together, a row at a time.
//!
//! A text that names several values of a table puts them together; that is true only if one row
//! has them all. Cells are compared as words (folded, `_` and punctuation between them), so that
//! "5_miles" and "5 miles" are one value.

use rustc_hash::FxHashMap;

use crate::error::{Error, Result};
use crate::normal::fold_name;
use crate::types::Span;

use super::loose::is_placeholder;

/// Longest cell in words; of longer ones nothing is looked for in text.
const LONGEST: usize = 12;
/// Most different values that are all looked through for a part of one.
const FEW: usize = 4096;

/// What a cell is known by.
type ValueId = u32;

/// One value: where it stands.
#[derive(Debug, Default, Clone)]
struct Cell {
    /// Columns that have it, with in how many rows.
    columns: Vec<(u16, u32)>,
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
    /// What stands in each row: column, value; none where the row was removed.
    rows: Vec<Option<Vec<(u16, ValueId)>>>,
    texts: Vec<String>,
    values: FxHashMap<String, ValueId>,
    /// Forms of values with digits ("0 miles"), with the columns that have them and how often.
    forms: FxHashMap<String, Vec<(u16, u32)>>,
    /// Of each column: its different values, and the rows that repeat one.
    counts: Vec<(u32, u32)>,
    longest: usize,
    removed: usize,
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

/// Whether a span is a part of a longer number: "5" of "1.5", of "5.90" or of "12/5".
fn cuts_number(text: &str, span: Span) -> bool {
    let mark = |c: char| matches!(c, '.' | ',' | ':' | '/' | '-' | '–' | '\u{2019}' | '\'');
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let own = &text[span.start..span.end];
    let mut before = text[..span.start].chars().rev();
    let mut after = text[span.end..].chars();
    digit(own.chars().next()) && before.next().is_some_and(mark) && digit(before.next())
        || digit(own.chars().next_back()) && after.next().is_some_and(mark) && digit(after.next())
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
    /// A table of `columns`; a cell that is empty, or only holds the place of a value ("-",
    /// "n/a", "unknown"), says nothing.
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
            counts: vec![(0, 0); columns.len()],
            columns,
            ..Self::default()
        };
        for row in rows {
            table.add(row)?;
        }
        Ok(table)
    }

    /// Adds a row and returns its number.
    ///
    /// # Errors
    /// `Argument` for a row with more or fewer cells than there are columns; nothing changes then.
    pub fn add<T: AsRef<str>>(&mut self, row: &[T]) -> Result<u32> {
        let number = self.rows.len();
        if row.len() != self.columns.len() {
            return Err(Error::argument(format!(
                "row {number} of the table has {} cells for {} columns",
                row.len(),
                self.columns.len()
            )));
        }
        let id = u32::try_from(number).map_err(|_| Error::argument("a table has too many rows"))?;
        let mut kept = Vec::new();
        for (column, text) in row.iter().enumerate() {
            if let Some(value) = self.take(id, column as u16, text.as_ref()) {
                kept.push((column as u16, value));
            }
        }
        self.rows.push(Some(kept));
        Ok(id)
    }

    /// Takes a row out; the others keep their numbers. Returns whether there was one.
    pub fn remove(&mut self, row: u32) -> bool {
        let Some(cells) = self.rows.get_mut(row as usize).and_then(Option::take) else {
            return false;
        };
        self.removed += 1;
        for (column, value) in cells {
            let cell = &mut self.cells[value as usize];
            if let Ok(at) = cell.rows.binary_search(&row) {
                cell.rows.remove(at);
            }
            let (values, repeats) = &mut self.counts[usize::from(column)];
            *(if forget(&mut cell.columns, column) {
                values
            } else {
                repeats
            }) -= 1;
            let words = words(&self.texts[value as usize]);
            if words.len() <= LONGEST
                && let Some(form) = form(&join(&words))
                && let Some(columns) = self.forms.get_mut(&form)
            {
                forget(columns, column);
            }
        }
        true
    }

    fn take(&mut self, row: u32, column: u16, text: &str) -> Option<ValueId> {
        let found = words(text);
        if found.is_empty() || is_placeholder(text) {
            return None;
        }
        let joined = join(&found);
        let longest = found.len();
        if longest <= LONGEST {
            self.longest = self.longest.max(longest);
            if let Some(form) = form(&joined) {
                count(self.forms.entry(form).or_default(), column);
            }
        }
        let next = self.cells.len() as ValueId;
        let id = *self.values.entry(joined).or_insert(next);
        if id == next {
            self.cells.push(Cell::default());
            self.texts.push(text.trim().to_owned());
        }
        let cell = &mut self.cells[id as usize];
        let (values, repeats) = &mut self.counts[usize::from(column)];
        *(if count(&mut cell.columns, column) {
            values
        } else {
            repeats
        }) += 1;
        if cell.rows.last() != Some(&row) {
            cell.rows.push(row);
        }
        Some(id)
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len() - self.removed
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Names of the columns.
    #[must_use]
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Numbers of the rows, ascending.
    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        (0_u32..)
            .zip(&self.rows)
            .filter_map(|(number, row)| row.as_ref().map(|_| number))
    }

    /// Whether some row has a value of these folded words.
    #[must_use]
    pub fn has(&self, words: &str) -> bool {
        let id = self.values.get(words);
        id.is_some_and(|id| !self.cells[*id as usize].rows.is_empty())
    }

    /// Whether a cell is that name, or of few values one holds it as a part ("Nord" of "Cafe
    /// Nord"); an article before it and a possessive behind it say nothing.
    #[must_use]
    pub fn names(&self, name: &str) -> bool {
        let name = name.trim_end_matches("'s").trim_end_matches("’s");
        let own = join(&words(name));
        let bare = own.strip_prefix("the ").unwrap_or(&own);
        if bare.is_empty() {
            return false;
        }
        let part = |cell: &String| {
            cell.match_indices(bare).any(|(at, _)| {
                (at == 0 || cell[..at].ends_with(' '))
                    && matches!(cell[at + bare.len()..].chars().next(), None | Some(' '))
                    && self.has(cell)
            })
        };
        [bare, &own].iter().any(|name| self.has(name))
            || self.values.len() <= FEW && self.values.keys().any(part)
    }

    /// Rows that have the value in the column, ascending.
    #[must_use]
    pub fn with(&self, column: u16, value: &str) -> Vec<u32> {
        let Some(id) = self.values.get(&join(&words(value))) else {
            return Vec::new();
        };
        let stands = |row: &&u32| {
            let cells = self.rows.get(**row as usize).and_then(Option::as_ref);
            cells.is_some_and(|cells| cells.contains(&(column, *id)))
        };
        let rows = self.cells[*id as usize].rows.iter();
        rows.filter(stands).copied().collect()
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
                .any(|c| matches!(self.counts.get(usize::from(*c)), Some((2.., 0))))
    }

    /// Whether the slot is what its row is called by: a value of the first column in which every
    /// row has one of its own. In a table of few rows a property may be as rare as a name.
    #[must_use]
    pub fn names_row(&self, slot: &Slot) -> bool {
        let own = |count: &(u32, u32)| matches!(count, (2.., 0));
        let first = self.counts.iter().position(own);
        slot.value.is_some()
            && first.is_some_and(|first| slot.columns.iter().any(|c| usize::from(*c) == first))
    }

    /// Rows that have the value of a slot, ascending.
    #[must_use]
    pub fn rows_of(&self, slot: &Slot) -> &[u32] {
        let cell = slot.value.and_then(|v| self.cells.get(v as usize));
        cell.map_or(&[], |cell| &cell.rows)
    }

    /// The columns of a row with their text as given.
    pub fn row(&self, row: u32) -> impl Iterator<Item = (&str, &str)> {
        let cells = self.rows.get(row as usize).into_iter().flatten().flatten();
        cells.map(|(column, value)| (self.column(*column), &*self.texts[*value as usize]))
    }

    /// The columns of a row by number, with their text as first written.
    pub fn cells_of(&self, row: u32) -> impl Iterator<Item = (u16, &str)> {
        let cells = self.rows.get(row as usize).into_iter().flatten().flatten();
        cells.map(|(column, value)| (*column, &*self.texts[*value as usize]))
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
        let slot = |size: usize, columns: &[(u16, u32)], value| {
            let found = Slot {
                span: Span::new(all[0].0.start, all[size - 1].0.end),
                words: join(&all[..size]),
                columns: columns.iter().map(|(column, _)| *column).collect(),
                value,
            };
            (size, (!cuts_number(text, found.span)).then_some(found))
        };
        let mut formed: Option<(usize, &[(u16, u32)])> = None;
        for size in (1..=reach).rev() {
            let key = join(&all[..size]);
            if let Some(value) = self.values.get(&key)
                && !self.cells[*value as usize].rows.is_empty()
                && !cuts_number(text, Span::new(all[0].0.start, all[size - 1].0.end))
            {
                let columns = &self.cells[*value as usize].columns;
                return slot(size, columns, Some(*value));
            }
            if !cuts_number(text, Span::new(all[0].0.start, all[size - 1].0.end))
                && let Some(columns) = form(&key).and_then(|form| self.forms.get(&form))
                && !columns.is_empty()
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

/// Counts a column; returns whether it is new.
fn count(columns: &mut Vec<(u16, u32)>, column: u16) -> bool {
    let known = columns.iter_mut().find(|(own, _)| *own == column);
    match known {
        Some((_, times)) => *times += 1,
        None => {
            columns.push((column, 1));
            return true;
        }
    }
    false
}

/// Takes one count back; returns whether it was the column's last.
fn forget(columns: &mut Vec<(u16, u32)>, column: u16) -> bool {
    let Some(at) = columns.iter().position(|(own, _)| *own == column) else {
        return false;
    };
    columns[at].1 -= 1;
    let last = columns[at].1 == 0;
    if last {
        columns.remove(at);
    }
    last
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
