//! Text and numbers from Python. A string with a lone surrogate has no UTF-8 form; it is refused with words
//! that say where it is and what to do, not with a codec's.

use std::ops::Deref;

use pyo3::Borrowed;
use pyo3::exceptions::{PyOverflowError, PyUnicodeEncodeError};
use pyo3::prelude::*;

use crate::errors::raise;

/// A borrowed text argument.
pub struct Text<'a>(&'a str);

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        self.0
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Text<'a> {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match value.extract::<&'a str>() {
            Ok(text) => Ok(Self(text)),
            Err(error) => Err(reworded(value.py(), error)),
        }
    }
}

/// Any argument that holds owned text, or a number of a range: `#[pyo3(from_py_with = checked)]`.
pub fn checked<'py, T>(value: &Bound<'py, PyAny>) -> PyResult<T>
where
    T: for<'a> FromPyObject<'a, 'py>,
{
    value
        .extract::<T>()
        .map_err(|error| reworded(value.py(), error.into()))
}

/// The error of a failed extraction: a codec's and an overflow become an argument's.
fn reworded(py: Python<'_>, error: PyErr) -> PyErr {
    if error.is_instance_of::<PyOverflowError>(py) {
        return raise(
            "ArgumentError",
            "a whole number is out of range: it is negative, or too large",
        );
    }
    if !error.is_instance_of::<PyUnicodeEncodeError>(py) {
        return error;
    }
    let value = error.value(py);
    let at = value.getattr("start").and_then(|at| at.extract::<usize>());
    let place = at.map_or_else(|_| String::new(), |at| format!(" at character {at}"));
    raise(
        "ArgumentError",
        &format!(
            "a text holds a lone surrogate{place}, which has no UTF-8 form; decode with \
             errors='replace', or replace it: text.encode('utf-8', 'replace').decode()"
        ),
    )
}
