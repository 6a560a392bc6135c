//! The only place where a core error becomes a Python exception.

use groundwire_core::error::{Category, Error};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// The Python classes live in `groundwire.errors`, so that they can also inherit from standard
/// exceptions; they are looked up once, when the first error is raised.
fn class(py: Python<'_>, name: &'static str) -> PyResult<Py<PyAny>> {
    static MODULE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let module = MODULE.get_or_try_init(py, || {
        py.import("groundwire.errors")
            .map(|m| m.into_any().unbind())
    })?;
    module.getattr(py, name)
}

/// The exception for an error of the core.
pub fn to_py(error: &Error) -> PyErr {
    let name = match error.category() {
        Category::Argument => "ArgumentError",
        Category::UnknownToken => "UnknownTokenError",
        Category::Rule => "RuleError",
        Category::Config => "ConfigError",
        Category::Format => "FormatError",
        Category::RollbackTooFar => "RollbackTooFar",
        Category::Latched => "SessionLatched",
        Category::NotFound => "NotFoundError",
        _ => "GroundwireError",
    };
    raise(name, error.message())
}

/// The exception `groundwire.errors.<name>` with `message`.
pub fn raise(name: &'static str, message: &str) -> PyErr {
    Python::attach(|py| {
        let built = class(py, name).and_then(|class| class.bind(py).call1((message,)));
        match built {
            Ok(value) => PyErr::from_value(value),
            Err(_) => PyException::new_err(message.to_owned()),
        }
    })
}

/// Turns a core result into a Python result.
pub trait OrRaise<T> {
    /// The value, or the exception for the error.
    fn or_raise(self) -> PyResult<T>;
}

impl<T> OrRaise<T> for groundwire_core::error::Result<T> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(|error| to_py(&error))
    }
}
