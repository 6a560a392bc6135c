//! Python surface of `kb`.

use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

use groundwire_core::entities::Bytes;
use groundwire_core::error::{Category, Error};
use groundwire_core::kb::{
    Fact, KbBuilder, KnowledgeBase as Core, Record, Snapshot, Table, Value, World, parse_record,
    predicate_key, read_attribute,
};
use groundwire_core::lexicon::{Additions, Lexicon};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::buffers::map_file;
use crate::errors::{OrRaise, raise};
use crate::input::{Data, Text, checked};
use crate::step::to_json;

/// Facts about entities; sessions keep the state they began with.
#[pyclass(module = "groundwire._core", subclass, frozen)]
pub struct KnowledgeBase {
    shared: Arc<RwLock<Core>>,
    path: RwLock<Option<PathBuf>>,
}

impl KnowledgeBase {
    /// The knowledge base itself, for a monitor to hold.
    pub fn shared(&self) -> Arc<RwLock<Core>> {
        Arc::clone(&self.shared)
    }

    fn view(&self) -> Snapshot {
        self.shared
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .snapshot()
    }

    fn change<T>(
        &self,
        change: impl FnOnce(&mut Core) -> groundwire_core::error::Result<T>,
    ) -> PyResult<T> {
        let mut kb = self.shared.write().unwrap_or_else(PoisonError::into_inner);
        let out = change(&mut kb).or_raise()?;
        *self.path.write().unwrap_or_else(PoisonError::into_inner) = None;
        Ok(out)
    }

    fn replace(&self, kb: Core, path: Option<PathBuf>) {
        *self.shared.write().unwrap_or_else(PoisonError::into_inner) = kb;
        *self.path.write().unwrap_or_else(PoisonError::into_inner) = path;
    }
}

fn saved(bytes: Bytes, verify: bool) -> groundwire_core::error::Result<Core> {
    if verify {
        Core::from_bytes(bytes)
    } else {
        Core::from_bytes_unverified(bytes)
    }
}

/// What is added to a lexicon, out of JSON.
pub fn read_additions(text: &str) -> PyResult<Additions> {
    serde_json::from_str(text)
        .map_err(|error| raise("ArgumentError", &format!("not a lexicon: {error}")))
}

fn table_of<'v>(view: &'v Snapshot, name: &str) -> PyResult<&'v Table> {
    let found = view.tables().get(name).map(|table| &**table);
    found.ok_or_else(|| {
        let named: Vec<&str> = view.tables().keys().map(String::as_str).collect();
        let message = format!(
            "the knowledge base has no table '{name}'; there are: {}",
            named.join(", ")
        );
        raise("NotFoundError", &message)
    })
}

fn json_of(text: &str) -> PyResult<serde_json::Value> {
    serde_json::from_str(text)
        .map_err(|error| raise("ArgumentError", &format!("not JSON: {error}")))
}

fn put_value(py: Python<'_>, out: &Bound<'_, PyDict>, value: &Value) -> PyResult<()> {
    out.set_item("type", value.value_type().as_str())?;
    match value {
        Value::Number { value, unit } => {
            if value.fract() == 0.0 && value.abs() < 9e15 {
                #[allow(clippy::cast_possible_truncation)]
                out.set_item("value", *value as i64)?;
            } else {
                out.set_item("value", value)?;
            }
            if let Some(unit) = unit {
                out.set_item("unit", unit)?;
            }
        }
        Value::Bool(value) => out.set_item("value", value)?,
        other => out.set_item("value", other.to_string().into_pyobject(py)?)?,
    }
    Ok(())
}

fn fact_dict<'py>(py: Python<'py>, fact: &Fact) -> PyResult<Bound<'py, PyDict>> {
    let out = PyDict::new(py);
    out.set_item("predicate", &fact.predicate)?;
    put_value(py, &out, &fact.value)?;
    out.set_item("source", &fact.source)?;
    out.set_item("confidence", fact.confidence)?;
    out.set_item("valid_from", fact.valid_from.map(|date| date.to_string()))?;
    out.set_item("valid_to", fact.valid_to.map(|date| date.to_string()))?;
    let qualifiers = PyDict::new(py);
    for qualifier in &fact.qualifiers {
        let value = PyDict::new(py);
        put_value(py, &value, &qualifier.value)?;
        qualifiers.set_item(&qualifier.name, value)?;
    }
    out.set_item("qualifiers", qualifiers)?;
    Ok(out)
}

#[pymethods]
impl KnowledgeBase {
    /// An empty knowledge base.
    #[new]
    fn new() -> Self {
        Self {
            shared: Arc::new(RwLock::new(Core::new())),
            path: RwLock::new(None),
        }
    }

    /// Replaces everything by the records of JSON lines.
    #[pyo3(signature = (text, source=None))]
    fn _read_jsonl(
        &self,
        py: Python<'_>,
        text: Text<'_>,
        source: Option<Text<'_>>,
    ) -> PyResult<()> {
        let built = py.detach(|| {
            let mut builder = KbBuilder::new();
            builder.read_jsonl(&text, source.as_deref())?;
            builder.build()
        });
        self.replace(built.or_raise()?, None);
        Ok(())
    }

    /// Replaces everything by a saved base, read in place.
    fn _read_file(&self, py: Python<'_>, path: PathBuf, verify: bool) -> PyResult<()> {
        let bytes = map_file(&path)?;
        let kb = py.detach(|| saved(bytes, verify)).or_raise()?;
        self.replace(kb, Some(path));
        Ok(())
    }

    /// Replaces everything by a saved base.
    fn _read_bytes(&self, data: Data, verify: bool) -> PyResult<()> {
        let kb = saved(Arc::new(data.to_vec()), verify).or_raise()?;
        self.replace(kb, None);
        Ok(())
    }

    /// Where the base was mapped from, unless it was changed since.
    fn _path(&self) -> Option<PathBuf> {
        self.path
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Puts one record in, given as JSON; with `replace` off, a key that is taken is refused.
    fn _put(&self, record: Text<'_>, replace: bool) -> PyResult<u32> {
        let parsed = parse_record(&json_of(&record)?).or_raise()?;
        let Some(record) = parsed.record else {
            return Err(raise("ArgumentError", "field 'name': missing"));
        };
        self.change(|kb| {
            if !replace && kb.view().find_key(&record.entity.key).is_some() {
                let key = &record.entity.key;
                return Err(Error::argument(format!(
                    "entity key '{key}' is used already; give another key, or use upsert"
                )));
            }
            kb.upsert(record)
        })
    }

    /// Puts the facts of one attribute in, given as JSON: replaces those of the same source.
    fn _put_attribute(&self, entity: u32, attribute: Text<'_>, value: Text<'_>) -> PyResult<()> {
        let mut facts = Vec::new();
        read_attribute(&attribute, &json_of(&value)?, &mut facts).or_raise()?;
        self.change(|kb| {
            let mut record: Record = kb.view().record(entity).ok_or_else(|| {
                Error::new(
                    Category::NotFound,
                    format!("the knowledge base has no entity {entity}"),
                )
            })?;
            record.facts.retain(|old| {
                !facts
                    .iter()
                    .any(|new| new.predicate == old.predicate && new.source == old.source)
            });
            record.facts.extend(facts);
            kb.upsert(record).map(|_| ())
        })
    }

    /// Takes an entity out; whether there was one.
    fn _remove(&self, entity: u32) -> PyResult<bool> {
        self.change(|kb| Ok(kb.remove(entity)))
    }

    /// Takes the facts of an attribute out; how many there were.
    fn remove_attribute(
        &self,
        #[pyo3(from_py_with = checked)] entity: u32,
        attribute: Text<'_>,
    ) -> PyResult<usize> {
        self.change(|kb| kb.remove_facts(entity, &attribute))
    }

    /// Entities one of whose names equals the name after normalisation.
    fn find(&self, name: Text<'_>) -> Vec<u32> {
        self.view().find(&name)
    }

    /// The entity of that key.
    fn find_key(&self, key: Text<'_>) -> Option<u32> {
        self.view().find_key(&key)
    }

    /// The entities that have a fact whose value is or holds the name.
    fn _holders(&self, name: Text<'_>) -> Vec<u32> {
        self.view().holders(&name)
    }

    /// The entity of that id without its facts.
    fn _entity<'py>(&self, py: Python<'py>, id: u32) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(entity) = self.view().entity(id) else {
            return Ok(None);
        };
        let out = PyDict::new(py);
        out.set_item("id", id)?;
        out.set_item("key", entity.key)?;
        out.set_item("name", entity.name)?;
        out.set_item("aliases", entity.aliases)?;
        out.set_item("type", entity.kind)?;
        Ok(Some(out))
    }

    /// Facts of an entity, of one attribute or all.
    #[pyo3(signature = (entity, attribute=None))]
    fn facts<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = checked)] entity: u32,
        attribute: Option<Text<'_>>,
    ) -> PyResult<Bound<'py, PyList>> {
        let facts = self.view().facts(entity, attribute.as_deref());
        let dicts = facts
            .iter()
            .map(|fact| fact_dict(py, fact))
            .collect::<PyResult<Vec<_>>>()?;
        PyList::new(py, dicts)
    }

    /// What was added to the lexicon, as JSON.
    fn _lexicon(&self) -> PyResult<String> {
        to_json(self.view().lexicon().additions())
    }

    /// Replaces what is added to the lexicon, given as JSON.
    fn _set_lexicon(&self, additions: Text<'_>) -> PyResult<()> {
        let additions = read_additions(&additions)?;
        self.change(|kb| kb.set_lexicon(additions))
    }

    /// Names that can mean the attribute of that name, itself left out: lower case, with `_`.
    fn attribute_synonyms(&self, attribute: Text<'_>) -> Vec<String> {
        let view = self.view();
        let names = view
            .lexicon()
            .predicates()
            .names_of(&predicate_key(&attribute));
        names.into_iter().map(str::to_owned).collect()
    }

    /// Names of the tables, in alphabetical order.
    fn table_names(&self) -> Vec<String> {
        self.view().tables().keys().cloned().collect()
    }

    /// Columns, number of the key's column and number of rows of a table.
    fn _table(&self, name: Text<'_>) -> PyResult<(Vec<String>, Option<u16>, usize)> {
        let view = self.view();
        let table = table_of(&view, &name)?;
        Ok((
            table.rows().columns().to_vec(),
            table.key(),
            table.rows().len(),
        ))
    }

    /// Puts a table in, in place of one of the same name.
    #[pyo3(signature = (name, columns, rows, key=None))]
    fn _put_table(
        &self,
        py: Python<'_>,
        name: Text<'_>,
        #[pyo3(from_py_with = checked)] columns: Vec<String>,
        #[pyo3(from_py_with = checked)] rows: Vec<Vec<String>>,
        key: Option<Text<'_>>,
    ) -> PyResult<()> {
        let (name, key) = (&*name, key.as_deref());
        let table = py.detach(|| {
            let mut table = Table::new(columns, key)?;
            for (at, row) in rows.iter().enumerate() {
                table
                    .upsert(row)
                    .map_err(|error| Error::argument(format!("rows[{at}]: {}", error.message())))?;
            }
            groundwire_core::error::Result::Ok(table)
        });
        let table = table.or_raise()?;
        self.change(|kb| Ok(kb.put_table(name, Some(table))))
            .map(|_| ())
    }

    /// Takes a table out; whether there was one.
    fn remove_table(&self, name: Text<'_>) -> PyResult<bool> {
        self.change(|kb| Ok(kb.put_table(&name, None)))
    }

    /// Puts a row into a table.
    fn _upsert_row(
        &self,
        name: Text<'_>,
        #[pyo3(from_py_with = checked)] cells: Vec<String>,
    ) -> PyResult<()> {
        self.change(|kb| kb.change_table(&name, |table| table.upsert(&cells)))
    }

    /// Takes the rows of these values out; how many there were.
    fn _remove_rows(
        &self,
        name: Text<'_>,
        #[pyo3(from_py_with = checked)] wanted: Vec<(String, String)>,
    ) -> PyResult<usize> {
        self.change(|kb| {
            kb.change_table(&name, |table| {
                let rows = table.matching(&wanted)?;
                Ok(table.remove(&rows))
            })
        })
    }

    /// Cells of the rows of these values, of all rows where there are none.
    fn _rows(
        &self,
        name: Text<'_>,
        #[pyo3(from_py_with = checked)] wanted: Vec<(String, String)>,
    ) -> PyResult<Vec<Vec<String>>> {
        let view = self.view();
        let table = table_of(&view, &name)?;
        let rows = if wanted.is_empty() {
            table.rows().numbers().collect()
        } else {
            table.matching(&wanted).or_raise()?
        };
        Ok(rows.into_iter().map(|row| table.cells(row)).collect())
    }

    /// All entity ids, ascending.
    fn ids(&self) -> Vec<u32> {
        self.view().ids().collect()
    }

    /// All attribute names, in alphabetical order.
    fn attribute_names(&self) -> Vec<String> {
        self.view().attribute_names()
    }

    /// Whether what is missing is false: in one attribute, or at all.
    #[pyo3(signature = (attribute=None))]
    fn is_closed(&self, attribute: Option<Text<'_>>) -> bool {
        self.view().is_closed(attribute.as_deref())
    }

    /// Declares the base complete as a whole, or in some attributes.
    #[pyo3(signature = (closed=false, attributes=Vec::new()))]
    fn set_world(
        &self,
        closed: bool,
        #[pyo3(from_py_with = checked)] attributes: Vec<String>,
    ) -> PyResult<()> {
        self.change(|kb| {
            kb.set_world(World {
                closed,
                closed_predicates: attributes,
            });
            Ok(())
        })
    }

    /// The base as one buffer, changes folded in.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let view = self.view();
        let bytes = py.detach(|| view.to_bytes()).or_raise()?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn __len__(&self) -> usize {
        self.view().len()
    }
}

/// Whether a lexicon can take these words.
#[pyfunction]
fn check_lexicon(additions: Text<'_>) -> PyResult<()> {
    Lexicon::with(read_additions(&additions)?)
        .or_raise()
        .map(|_| ())
}

/// Whether a text only holds the place of a value: "unknown", "n/a", "tbd", "-", nothing.
#[pyfunction]
fn is_placeholder(text: Text<'_>) -> bool {
    groundwire_core::kb::is_placeholder(&text)
}

/// Adds this file's names to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(check_lexicon, module)?)?;
    module.add_function(wrap_pyfunction!(is_placeholder, module)?)?;
    module.add_class::<KnowledgeBase>()
}
