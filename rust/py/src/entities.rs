//! Python surface of `entities`.

use std::path::PathBuf;
use std::sync::Arc;

use groundwire_core::entities::{EntityIndex, EntityIndexBuilder, MentionScanner, Names};
use groundwire_core::segment::{SegEvent, Segmenter};
use groundwire_core::types::{Mention, Resolution};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::buffers::map_file;
use crate::errors::OrRaise;

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
}

/// (kind, entity ids, distances): distances only for near misses.
type Resolved = (&'static str, Vec<u32>, Vec<u8>);

fn resolved(resolution: Resolution) -> Resolved {
    match resolution {
        Resolution::Known(ids) => ("known", ids, Vec::new()),
        Resolution::Common => ("common", Vec::new(), Vec::new()),
        Resolution::NearMiss(near) => {
            let (ids, distances) = near.into_iter().unzip();
            ("near_miss", ids, distances)
        }
        Resolution::Unknown => ("unknown", Vec::new(), Vec::new()),
    }
}
