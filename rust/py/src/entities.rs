//! Python surface of `entities`.

use std::path::PathBuf;

use groundwire_core::entities::{EntityIndex, EntityIndexBuilder, MentionScanner, Names};
use groundwire_core::segment::{SegEvent, Segmenter};
use groundwire_core::types::{Mention, Resolution};
use pyo3::prelude::*;

use crate::buffers::map_file;
use crate::errors::OrRaise;
use crate::input::{Text, checked};

/// (kind, entity ids, distances); distances only for near misses.
type Resolved = (&'static str, Vec<u32>, Vec<u32>);

fn resolved(resolution: Resolution) -> Resolved {
    match resolution {
        Resolution::Known(ids) => ("known", ids, Vec::new()),
        Resolution::Common => ("common", Vec::new(), Vec::new()),
        Resolution::NearMiss(near) => {
            let (ids, distances) = near.into_iter().map(|(id, d)| (id, u32::from(d))).unzip();
            ("near_miss", ids, distances)
        }
        Resolution::Unknown => ("unknown", Vec::new(), Vec::new()),
    }
}

/// Names and the entities they belong to.
#[pyclass(name = "EntityIndex", module = "groundwire._core", frozen)]
pub struct PyEntityIndex {
    index: EntityIndex,
    names: Names,
}

impl PyEntityIndex {
    fn new(index: EntityIndex) -> Self {
        Self {
            names: Names::new(Some(index.clone())),
            index,
        }
    }

    fn mentions(&self, text: &str) -> Vec<Mention> {
        let mut segmenter = Segmenter::new();
        let mut scanner = MentionScanner::new();
        let mut out = Vec::new();
        let mut take = |event: SegEvent, word: &str| match event {
            SegEvent::Lexeme(lexeme) => {
                scanner.push(&self.names, &lexeme, word, &mut |m| out.push(m));
            }
            SegEvent::Sentence(sentence) => {
                scanner.sentence_end(&self.names, sentence.decided_at, &mut |m| out.push(m));
            }
            _ => {}
        };
        segmenter.push(text, &mut take);
        segmenter.finish(&mut take);
        scanner.finish(&self.names, text.len(), &mut |m| out.push(m));
        out
    }
}

/// Start and end in code points, what it resolved to, entities, distances, decided_at.
type Scanned = (usize, usize, &'static str, Vec<u32>, Vec<u32>, usize);

#[pymethods]
impl PyEntityIndex {
    /// An index of (name, entity id) pairs.
    #[staticmethod]
    fn build(names: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut builder = EntityIndexBuilder::new();
        for pair in names.try_iter()? {
            let (name, entity): (String, u32) = checked(&pair?)?;
            builder.add(&name, entity);
        }
        Ok(Self::new(names.py().detach(|| builder.build())))
    }

    /// An index read in place from a file that `save` wrote.
    #[staticmethod]
    #[pyo3(signature = (path, *, verify=true))]
    fn load(py: Python<'_>, path: PathBuf, verify: bool) -> PyResult<Self> {
        let bytes = map_file(&path)?;
        let index = if verify {
            py.detach(|| EntityIndex::from_bytes(bytes))
        } else {
            EntityIndex::from_bytes_unverified(bytes)
        };
        Ok(Self::new(index.or_raise()?))
    }

    /// Writes the index beside `path`, then puts it there, so that a reader never maps half a file.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.tmp", std::process::id()));
        let beside = path.with_file_name(name);
        py.detach(|| {
            std::fs::write(&beside, self.index.as_bytes())?;
            std::fs::rename(&beside, &path)
        })
        .inspect_err(|_| drop(std::fs::remove_file(&beside)))?;
        Ok(())
    }

    /// What a name resolves to.
    fn lookup(&self, name: Text<'_>) -> Resolved {
        resolved(self.index.lookup(&name))
    }

    /// Mentions in a text as (start, end, kind, entity ids, distances, decided_at); code points.
    fn scan(&self, py: Python<'_>, text: Text<'_>) -> Vec<Scanned> {
        let text = &*text;
        let found = py.detach(|| self.mentions(text));
        let mut points = CodePoints::new(text);
        let mut decided = CodePoints::new(text);
        found
            .into_iter()
            .map(|mention| {
                let (start, end) = (points.at(mention.span.start), points.at(mention.span.end));
                let (kind, ids, distances) = resolved(mention.resolution);
                (
                    start,
                    end,
                    kind,
                    ids,
                    distances,
                    decided.at(mention.decided_at),
                )
            })
            .collect()
    }

    fn __len__(&self) -> usize {
        self.index.len()
    }

    /// Bytes of the index.
    #[getter]
    fn memory(&self) -> usize {
        self.index.memory()
    }

    fn __repr__(&self) -> String {
        format!(
            "EntityIndex({} names, {} bytes)",
            self.index.len(),
            self.index.memory()
        )
    }
}

/// Turns byte offsets that only grow into offsets in code points.
struct CodePoints<'a> {
    text: &'a str,
    byte: usize,
    point: usize,
}

impl<'a> CodePoints<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            byte: 0,
            point: 0,
        }
    }

    fn at(&mut self, byte: usize) -> usize {
        self.point += self.text[self.byte..byte].chars().count();
        self.byte = byte;
        self.point
    }
}

/// Adds this file's names to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyEntityIndex>()
}
