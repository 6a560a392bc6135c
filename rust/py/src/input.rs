//! What comes from Python: text, numbers, token ids, verdicts, findings.
//!
//! A string with a lone surrogate has no UTF-8 form; it is refused with words that say where it is
//! and what to do, not with a codec's.

use std::ops::Deref;

use groundwire_core::session::Mark as CoreMark;
use groundwire_core::types::{Finding, Verdict};
use pyo3::Borrowed;
use pyo3::exceptions::{PyOverflowError, PyUnicodeEncodeError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBool, PyString};

use crate::errors::raise;
use crate::session::Mark;

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
            Err(error) => {
                Err(mistyped(&value, "a string").unwrap_or_else(|| reworded(value.py(), error)))
            }
        }
    }
}

/// Bytes as an argument: `bytes` borrowed, `bytearray` copied.
pub struct Data(PyBackedBytes);

impl Deref for Data {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Data {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let found = value.extract::<PyBackedBytes>();
        found.map(Self).map_err(|_| {
            let kind = kind_of(&value);
            let hint = if kind == "str" {
                "; encode a text first: text.encode()"
            } else {
                ""
            };
            raise(
                "ArgumentError",
                &format!("data is bytes or a bytearray, not {kind}{hint}"),
            )
        })
    }
}

fn kind_of(value: &Bound<'_, PyAny>) -> String {
    let name = value.get_type().name();
    name.map_or_else(|_| "this".into(), |name| name.to_string())
}

/// What to raise for a value that is no string.
fn mistyped(value: &Bound<'_, PyAny>, wanted: &str) -> Option<PyErr> {
    (!value.is_instance_of::<PyString>()).then(|| {
        let message = format!("{wanted} is expected here, not {}", kind_of(value));
        raise("ArgumentError", &message)
    })
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

/// `now_ms`: `#[pyo3(from_py_with = milliseconds)]`.
pub fn milliseconds(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    count(
        value,
        "now_ms",
        "a whole number of milliseconds from 0 on, read from a clock that never goes back",
    )
}

/// Threads to share work among: `#[pyo3(from_py_with = threads)]`.
pub fn threads(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    let found = count(value, "threads", "a whole number from 1 on")?;
    match usize::try_from(found) {
        Ok(0) => Err(raise("ArgumentError", "threads is at least 1")),
        Ok(found) => Ok(found),
        Err(_) => Ok(usize::MAX),
    }
}

/// Best tokens to keep of a row: `#[pyo3(from_py_with = top_k)]`.
pub fn top_k(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    let found = count(value, "top_k", "a whole number from 0 on")?;
    Ok(usize::try_from(found).unwrap_or(usize::MAX))
}

/// Pushes to take back: `#[pyo3(from_py_with = pushes)]`.
pub fn pushes(value: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    if value.is_none() {
        return Ok(None);
    }
    count(value, "n", "a number of pushes from 0 on").map(Some)
}

/// A place to roll back to: `#[pyo3(from_py_with = place)]`.
pub fn place(value: &Bound<'_, PyAny>) -> PyResult<Option<CoreMark>> {
    if value.is_none() {
        return Ok(None);
    }
    let mark = value.cast::<Mark>().map_err(|_| {
        raise(
            "ArgumentError",
            &format!(
                "to is what mark() of this session returned, not {}; to keep so many pushes, take \
                 back the others: rollback(session.pushes - …)",
                shown(value)
            ),
        )
    })?;
    Ok(Some(mark.get().inner))
}

fn count(value: &Bound<'_, PyAny>, name: &str, range: &str) -> PyResult<u64> {
    let whole = !value.is_instance_of::<PyBool>();
    let number = whole.then(|| value.extract::<u64>().ok()).flatten();
    number.ok_or_else(|| {
        raise(
            "ArgumentError",
            &format!("{name} is {range}, not {}", shown(value)),
        )
    })
}

/// A value as an error names it.
pub fn shown(value: &Bound<'_, PyAny>) -> String {
    let text = value.call_method0("__repr__").and_then(|text| {
        let ascii = text.call_method1("encode", ("ascii", "backslashreplace"))?;
        ascii
            .call_method1("decode", ("ascii",))?
            .extract::<String>()
    });
    text.map_or_else(
        |_| value.get_type().to_string(),
        |text| text.chars().take(60).collect(),
    )
}

/// A token id; what is no integer raises, what is out of range is an unknown token.
pub fn token(value: &Bound<'_, PyAny>) -> PyResult<u32> {
    if value.is_instance_of::<PyBool>() {
        return Err(raise(
            "ArgumentError",
            "a token id is an integer, not <class 'bool'>",
        ));
    }
    if let Ok(id) = value.extract::<u32>() {
        return Ok(id);
    }
    let index = value.call_method0("__index__").map_err(|_| {
        raise(
            "ArgumentError",
            &format!("a token id is an integer, not {}", value.get_type()),
        )
    })?;
    index.extract::<u32>().map_err(|_| {
        let shown: String = index.str().map_or_else(
            |_| "(huge)".into(),
            |s| s.to_string().chars().take(40).collect(),
        );
        raise(
            "UnknownTokenError",
            &format!("token id {shown} is not in the vocabulary"),
        )
    })
}

/// A verdict from a `groundwire.Verdict` (anything with `to_json()`).
pub fn read_verdict(value: &Bound<'_, PyAny>) -> PyResult<Verdict> {
    if !value.hasattr("to_json")? {
        return Err(raise(
            "ArgumentError",
            &format!(
                "a verdict is a groundwire.Verdict, not {}",
                value.get_type()
            ),
        ));
    }
    let text: String = value.call_method0("to_json")?.extract()?;
    serde_json::from_str(&text).map_err(|error| {
        raise(
            "ArgumentError",
            &format!(
                "not a verdict: {error}; status is supported, contradicted, not_in_context, \
                 unverifiable or excluded"
            ),
        )
    })
}

/// Findings from a sequence of `groundwire.Finding`.
pub fn read_findings(value: &Bound<'_, PyAny>) -> PyResult<Vec<Finding>> {
    let json = value.py().import("json")?;
    value
        .try_iter()?
        .map(|finding| {
            let finding = finding?;
            if !finding.hasattr("to_core")? {
                return Err(raise(
                    "ArgumentError",
                    &format!(
                        "a finding is a groundwire.Finding, not {}",
                        finding.get_type()
                    ),
                ));
            }
            let data = finding.call_method0("to_core")?;
            let text: String = json.call_method1("dumps", (data,))?.extract()?;
            serde_json::from_str(&text)
                .map_err(|error| raise("ArgumentError", &format!("not a finding: {error}")))
        })
        .collect()
}
