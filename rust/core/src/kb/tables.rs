//! Tables of a knowledge base: named, changed a row at a time, saved with it.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::error::{Error, Result};

use super::rows::Rows;

/// The tables of a base, by name.
pub type Tables = BTreeMap<String, Arc<Table>>;

/// A table: rows whose values stand together, of which one column may be the key.
#[derive(Debug, Clone)]
pub struct Table {
    key: Option<u16>,
    rows: Arc<Rows>,
}

impl Table {
    /// An empty table. In the column `key` every row has a value of its own: a row put in replaces
    /// the one of the same key.
    ///
    /// # Errors
    /// As [`Rows::new`]; `Argument` where no column is called `key`.
    pub fn new(columns: Vec<String>, key: Option<&str>) -> Result<Self> {
        let at = |key: &str| {
            let found = columns.iter().position(|column| column == key);
            found.map(|at| at as u16).ok_or_else(|| {
                Error::argument(format!(
                    "the table has no column '{key}' to be its key; there are: {}",
                    columns.join(", ")
                ))
            })
        };
        let key = key.map(at).transpose()?;
        Ok(Self {
            key,
            rows: Arc::new(Rows::new(columns, &[])?),
        })
    }

    /// The rows, indexed by their values.
    #[must_use]
    pub fn rows(&self) -> &Arc<Rows> {
        &self.rows
    }

    /// Number of the key's column.
    #[must_use]
    pub fn key(&self) -> Option<u16> {
        self.key
    }

    /// The cells of a row in the order of the columns, empty ones as empty strings. Cells of the
    /// same words are one value, and read as the first of them was written.
    #[must_use]
    pub fn cells(&self, row: u32) -> Vec<String> {
        let mut cells = vec![String::new(); self.rows.columns().len()];
        for (column, text) in self.rows.cells_of(row) {
            text.clone_into(&mut cells[usize::from(column)]);
        }
        cells
    }

    /// Rows of that key, or without a key column those that are equal in every cell.
    fn same(&self, cells: &[String]) -> Vec<u32> {
        let key = self.key.map_or(0, usize::from);
        let Some(value) = cells.get(key).filter(|value| !value.is_empty()) else {
            return Vec::new();
        };
        let mut found = self.rows.with(key as u16, value);
        if self.key.is_none() {
            found.retain(|row| self.cells(*row) == cells);
        }
        found
    }

    /// Puts a row in: replaces the one of the same key; without a key column, an equal row is not
    /// put in twice.
    ///
    /// # Errors
    /// `Argument` for a wrong number of cells, or a row without its key; nothing changes then.
    pub fn upsert(&mut self, cells: &[String]) -> Result<()> {
        if let Some(key) = self.key {
            let value = cells.get(usize::from(key));
            if value.is_some_and(|value| !value.chars().any(char::is_alphanumeric)) {
                return Err(Error::argument(format!(
                    "a row has nothing in '{}', which is the key of the table",
                    self.rows.column(key)
                )));
            }
        }
        let same = self.same(cells);
        if self.key.is_none() && !same.is_empty() {
            return Ok(());
        }
        let rows = Arc::make_mut(&mut self.rows);
        rows.add(cells)?;
        for row in same {
            rows.remove(row);
        }
        Ok(())
    }

    /// Adds a row as a file has it.
    pub(super) fn read(&mut self, cells: &[&str]) -> Result<()> {
        Arc::make_mut(&mut self.rows).add(cells).map(|_| ())
    }

    /// Numbers of the rows that have these values in these columns, ascending.
    ///
    /// # Errors
    /// `Argument` for a column that is none, or for no value at all.
    pub fn matching(&self, wanted: &[(String, String)]) -> Result<Vec<u32>> {
        let mut found: Option<Vec<u32>> = None;
        for (name, value) in wanted {
            let columns = self.rows.columns();
            let Some(column) = columns.iter().position(|column| column == name) else {
                return Err(Error::argument(format!(
                    "the table has no column '{name}'; there are: {}",
                    columns.join(", ")
                )));
            };
            let rows = self.rows.with(column as u16, value);
            found = Some(match found {
                None => rows,
                Some(mut before) => {
                    before.retain(|row| rows.binary_search(row).is_ok());
                    before
                }
            });
        }
        found.ok_or_else(|| Error::argument("say which rows: columns and their values"))
    }

    /// Takes rows out; returns how many there were.
    pub fn remove(&mut self, rows: &[u32]) -> usize {
        let own = Arc::make_mut(&mut self.rows);
        rows.iter().filter(|row| own.remove(**row)).count()
    }
}
