//! Python surface of tables whose values stand together a row at a time.

use std::sync::Arc;

use groundwire_core::kb::Rows;
use pyo3::prelude::*;

use crate::errors::OrRaise;
use crate::input::checked;

/// A table, indexed by its values.
#[pyclass(frozen, subclass, module = "groundwire._core", name = "Table")]
pub struct Table {
    pub inner: Arc<Rows>,
}

#[pymethods]
impl Table {
    #[new]
    fn new(
        py: Python<'_>,
        #[pyo3(from_py_with = checked)] columns: Vec<String>,
        #[pyo3(from_py_with = checked)] rows: Vec<Vec<String>>,
    ) -> PyResult<Self> {
        let inner = py.detach(|| Rows::new(columns, &rows)).or_raise()?;
        Ok(Self {
            inner: Arc::new(inner),
        })
    }

    fn __len__(&self) -> usize {
        self.inner.len()
    }
}

/// Adds this file's names to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Table>()
}
