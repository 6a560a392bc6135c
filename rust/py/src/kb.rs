//! Python surface of `kb`: a knowledge base that may change while sessions run on snapshots.

use std::sync::{Arc, PoisonError, RwLock};

use groundwire_core::kb::{KnowledgeBase as Core, Snapshot};
use groundwire_core::monitor::SharedKb;
use pyo3::prelude::*;

/// Facts about entities.
#[pyclass(frozen, subclass, module = "groundwire._core", name = "KnowledgeBase")]
pub struct KnowledgeBase {
    inner: SharedKb,
}

impl KnowledgeBase {
    /// The base, as monitors hold it.
    pub fn shared(&self) -> SharedKb {
        self.inner.clone()
    }

    /// The base as it is now.
    pub fn snapshot(&self) -> Snapshot {
        self.inner.read().unwrap_or_else(PoisonError::into_inner).snapshot()
    }
}

#[pymethods]
impl KnowledgeBase {
    #[new]
    fn new() -> Self {
        Self { inner: Arc::new(RwLock::new(Core::new())) }
    }

    /// Number of entities.
    fn __len__(&self) -> usize {
        self.snapshot().len()
    }
}

/// Adds this file's names to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<KnowledgeBase>()?;
    Ok(())
}
