//! Python surface of `detok`.

use groundwire_core::detok::{self, DetokState, Utf8State};
use groundwire_core::error::Error;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyString, PyType};

use crate::errors::{OrRaise, raise};
use crate::input::{Data, shown};

/// The id → bytes table of a tokenizer. Immutable; may be shared by streams and threads.
#[pyclass(frozen, module = "groundwire._core", name = "Vocab")]
pub struct Vocab {
    pub(crate) inner: detok::Vocab,
}

impl Vocab {
    /// The token id in `value`: any integer, an unknown one raises `UnknownTokenError`.
    pub(crate) fn token_id(&self, value: &Bound<'_, PyAny>) -> PyResult<u32> {
        if let Ok(id) = value.extract::<u32>() {
            return Ok(id);
        }
        let index = value.call_method0("__index__").map_err(|_| {
            let kind = value.get_type();
            raise(
                "ArgumentError",
                &format!("a token id must be an integer, not {kind}"),
            )
        })?;
        index.extract::<u32>().map_err(|_| {
            // Hostile integers can have millions of digits; Python itself refuses to print those.
            let shown = index
                .str()
                .map_or_else(|_| "(huge)".to_owned(), |s| s.to_string());
            let shown: String = shown.chars().take(40).collect();
            let len = self.inner.len();
            raise(
                "UnknownTokenError",
                &format!("token id {shown} is not in the vocabulary (ids below {len})"),
            )
        })
    }

    /// Token ids from a list or any other iterable of integers.
    fn token_ids(&self, value: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
        if let Ok(ids) = value.extract::<Vec<u32>>() {
            return Ok(ids);
        }
        let ids = value.try_iter().map_err(|_| {
            let kind = value.get_type();
            raise(
                "ArgumentError",
                &format!("token ids must be integers in an iterable, not {kind}"),
            )
        })?;
        ids.map(|id| self.token_id(&id?)).collect()
    }
}

/// An `(id, bytes, special)` entry of a table; `i` is its place.
fn read_entry(i: usize, entry: &Bound<'_, PyAny>) -> PyResult<(u32, Vec<u8>, bool)> {
    let wrong = |what: &str| {
        let text = format!("entries[{i}] is {}: {what}", shown(entry));
        raise("ArgumentError", &text)
    };
    let (id, bytes, special): (Bound<'_, PyAny>, Bound<'_, PyAny>, Bound<'_, PyAny>) = entry
        .extract()
        .map_err(|_| wrong("an entry is (id, bytes, special)"))?;
    let id = (!id.is_instance_of::<PyBool>())
        .then(|| id.extract::<u32>().ok())
        .flatten()
        .ok_or_else(|| wrong("an id is a whole number from 0 to 4294967295"))?;
    let bytes = bytes
        .extract::<Vec<u8>>()
        .map_err(|_| wrong("a token's text is given as bytes"))?;
    let special = special
        .extract::<bool>()
        .map_err(|_| wrong("special is True or False"))?;
    Ok((id, bytes, special))
}

#[pymethods]
impl Vocab {
    /// The table of a `tokenizers` JSON file, given as text or bytes.
    ///
    /// Raises `FormatError` if it is no such file, `ArgumentError` for a tokenizer whose texts
    /// cannot be followed token by token.
    #[classmethod]
    fn from_json(_class: &Bound<'_, PyType>, json: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = json.py();
        let inner = if let Ok(text) = json.cast::<PyString>() {
            let text = text.to_cow()?;
            py.detach(|| detok::Vocab::from_tokenizer_json(text.as_bytes()))
        } else if let Ok(bytes) = json.cast::<PyBytes>() {
            let bytes = bytes.as_bytes();
            py.detach(|| detok::Vocab::from_tokenizer_json(bytes))
        } else {
            Err(Error::argument(
                "from_json takes the content of a tokenizer.json as str or bytes",
            ))
        };
        Ok(Self {
            inner: inner.or_raise()?,
        })
    }

    /// A table of `(id, bytes, special)` entries; ids are 0..2**32-1 and may leave holes.
    ///
    /// Raises `ArgumentError` for an entry of another form, and an id that is given twice.
    #[classmethod]
    fn from_entries(_class: &Bound<'_, PyType>, entries: &Bound<'_, PyAny>) -> PyResult<Self> {
        let entries = entries
            .try_iter()?
            .enumerate()
            .map(|(i, entry)| read_entry(i, &entry?))
            .collect::<PyResult<Vec<_>>>()?;
        Ok(Self {
            inner: detok::Vocab::from_entries(entries).or_raise()?,
        })
    }

    /// Reads what `to_bytes` wrote; raises `FormatError` if it is damaged or of another version.
    #[classmethod]
    fn from_bytes(_class: &Bound<'_, PyType>, data: Data) -> PyResult<Self> {
        Ok(Self {
            inner: detok::Vocab::from_bytes(&data).or_raise()?,
        })
    }

    /// The table as bytes, for `from_bytes`.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.inner.to_bytes())
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let build = slf.get_type().getattr("from_bytes")?;
        Ok((build, (slf.get().to_bytes(slf.py()),)))
    }

    /// The bytes a token gives within a sequence; empty for a special one.
    ///
    /// Raises `UnknownTokenError` for an id the table lacks.
    fn token_bytes<'py>(&self, id: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.inner.bytes(self.token_id(id)?).or_raise()?;
        Ok(PyBytes::new(id.py(), bytes))
    }

    /// The content of a special token, `None` for any other.
    ///
    /// Raises `UnknownTokenError` for an id the table lacks.
    fn special_content<'py>(
        &self,
        id: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let content = self.inner.special_content(self.token_id(id)?).or_raise()?;
        Ok(content.map(|bytes| PyBytes::new(id.py(), bytes)))
    }

    /// Whether the token is special (gives no bytes); `False` for an id the table lacks.
    fn is_special(&self, id: &Bound<'_, PyAny>) -> bool {
        self.token_id(id).is_ok_and(|id| self.inner.is_special(id))
    }

    fn __contains__(&self, id: &Bound<'_, PyAny>) -> bool {
        self.token_id(id).is_ok_and(|id| self.inner.contains(id))
    }

    /// The text of a whole sequence; bytes that are no UTF-8 become U+FFFD.
    ///
    /// Raises `UnknownTokenError` for an id the table lacks.
    fn decode(&self, ids: &Bound<'_, PyAny>) -> PyResult<String> {
        let list = self.token_ids(ids)?;
        ids.py().detach(|| self.inner.decode(&list)).or_raise()
    }

    /// The bytes of a whole sequence, before UTF-8 decoding.
    ///
    /// Raises `UnknownTokenError` for an id the table lacks.
    fn decode_bytes<'py>(&self, ids: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let (list, mut state) = (self.token_ids(ids)?, DetokState::default());
        let mut out = Vec::with_capacity(list.len() * 4);
        self.inner
            .push_all(&mut state, &list, &mut out)
            .or_raise()?;
        self.inner.finish(&mut state, &mut out);
        Ok(PyBytes::new(ids.py(), &out))
    }

    /// One more than the highest id.
    fn __len__(&self) -> usize {
        self.inner.len()
    }

    /// How many ids have a token.
    #[getter]
    fn known(&self) -> usize {
        self.inner.known()
    }

    fn __repr__(&self) -> String {
        format!(
            "Vocab(ids below {}, {} known)",
            self.inner.len(),
            self.inner.known()
        )
    }
}

/// Decodes one stream, token by token.
#[pyclass(module = "groundwire._core", name = "Decoder")]
pub struct Decoder {
    vocab: Option<Py<Vocab>>,
    state: DetokState,
    utf8: Utf8State,
    bytes: Vec<u8>,
    text: String,
}

impl Decoder {
    /// The text that the collected bytes complete.
    fn take<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyString> {
        self.text.clear();
        self.utf8.push(&self.bytes, &mut self.text);
        self.bytes.clear();
        PyString::new(py, &self.text)
    }
}

fn required(vocab: &Option<Py<Vocab>>) -> PyResult<&Vocab> {
    vocab.as_ref().map(Py::get).ok_or_else(|| {
        raise(
            "ArgumentError",
            "this Decoder has no vocabulary: pass one, or push bytes",
        )
    })
}

#[pymethods]
impl Decoder {
    /// A fresh decoder; without a vocabulary it takes bytes only.
    #[new]
    #[pyo3(signature = (vocab = None))]
    fn new(vocab: Option<Py<Vocab>>) -> Self {
        let (bytes, text) = (Vec::new(), String::new());
        Self {
            vocab,
            state: DetokState::default(),
            utf8: Utf8State::default(),
            bytes,
            text,
        }
    }

    /// Takes the next token; returns the text it completes.
    ///
    /// Raises `UnknownTokenError` for an id the vocabulary lacks, `ArgumentError` without one;
    /// nothing changes then.
    fn push<'py>(&mut self, id: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyString>> {
        let vocab = required(&self.vocab)?;
        let token = vocab.token_id(id)?;
        vocab
            .inner
            .push(&mut self.state, token, &mut self.bytes)
            .or_raise()?;
        Ok(self.take(id.py()))
    }

    /// Takes several tokens, all or none; returns the text they complete.
    fn push_all<'py>(&mut self, ids: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyString>> {
        let vocab = required(&self.vocab)?;
        let list = vocab.token_ids(ids)?;
        vocab
            .inner
            .push_all(&mut self.state, &list, &mut self.bytes)
            .or_raise()?;
        Ok(self.take(ids.py()))
    }

    /// Takes bytes that do not come from tokens; returns the text they complete.
    fn push_bytes<'py>(&mut self, py: Python<'py>, data: Data) -> Bound<'py, PyString> {
        if let Some(vocab) = self.vocab.as_ref().filter(|_| !data.is_empty()) {
            vocab
                .get()
                .inner
                .interrupt(&mut self.state, &mut self.bytes);
        }
        self.bytes.extend_from_slice(&data);
        self.take(py)
    }

    /// Ends the text; returns what was still waiting. The decoder is fresh again.
    fn finish<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyString> {
        if let Some(vocab) = &self.vocab {
            vocab.get().inner.finish(&mut self.state, &mut self.bytes);
        }
        self.text.clear();
        self.utf8.push(&self.bytes, &mut self.text);
        self.bytes.clear();
        self.utf8.finish(&mut self.text);
        PyString::new(py, &self.text)
    }

    /// Bytes (0 to 3) of a split character that wait for the rest.
    #[getter]
    fn pending(&self) -> usize {
        self.utf8.pending()
    }

    fn __copy__(&self, py: Python<'_>) -> Self {
        Self {
            vocab: self.vocab.as_ref().map(|vocab| vocab.clone_ref(py)),
            state: self.state.clone(),
            utf8: self.utf8,
            bytes: Vec::new(),
            text: String::new(),
        }
    }
}

/// Adds this file's names to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Vocab>()?;
    module.add_class::<Decoder>()
}
