//! The mutable side: changes laid over an immutable base, and snapshots of both.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::entities::Names;
use crate::error::{Category, Error, Result};
use crate::lexicon::{Additions, Lexicon};
use crate::normal::fold_name;

use super::base::{Base, Bytes, hash};
use super::changes::Overlay;
use super::model::{Entity, Fact, Record, predicate_key};
use super::pounds::paid;
use super::tables::{Table, Tables};
use super::write::{KbBuilder, World, check, entity_names};

/// A consistent view of a knowledge base; later changes do not reach it. Cloning is two
/// reference counts.
#[derive(Clone)]
pub struct Snapshot {
    pub(super) base: Arc<Base>,
    pub(super) overlay: Arc<Overlay>,
}

/// A knowledge base that can be changed. Reading goes through [`KnowledgeBase::snapshot`].
///
/// A change after a snapshot copies the overlay's map once (records themselves are shared), so
/// large loads belong into a [`KbBuilder`].
#[derive(Clone, Debug)]
pub struct KnowledgeBase {
    view: Snapshot,
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Snapshot")
            .field("entities", &self.len())
            .field("changed", &self.overlay.records.len())
            .finish()
    }
}

impl Snapshot {
    /// Number of entities.
    #[must_use]
    pub fn len(&self) -> usize {
        self.base.len() as usize + self.overlay.added - self.overlay.removed
    }

    /// Whether there is no entity.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All entity ids in ascending order.
    pub fn ids(&self) -> impl Iterator<Item = u32> {
        let base = (0..self.base.len()).filter(|id| !self.overlay.records.contains_key(id));
        let changed = self
            .overlay
            .records
            .iter()
            .filter_map(|(id, r)| r.is_some().then_some(*id));
        let mut all: Vec<u32> = base.chain(changed).collect();
        all.sort_unstable();
        all.into_iter()
    }

    /// `Ok` with the overlay's record, `Err(true)` where the base's own counts.
    pub(super) fn changed(&self, id: u32) -> std::result::Result<&Record, bool> {
        match self.overlay.records.get(&id) {
            Some(Some(record)) => Ok(record),
            Some(None) => Err(false),
            None => Err(id < self.base.len()),
        }
    }

    /// The entity of that id.
    #[must_use]
    pub fn entity(&self, id: u32) -> Option<Entity> {
        match self.changed(id) {
            Ok(record) => Some(record.entity.clone()),
            Err(true) => self.base.entity(id),
            Err(false) => None,
        }
    }

    /// Its name to show.
    #[must_use]
    pub fn name(&self, id: u32) -> Option<&str> {
        match self.changed(id) {
            Ok(record) => Some(&record.entity.name),
            Err(true) => self.base.name(id),
            Err(false) => None,
        }
    }

    /// What it is ("person"); empty where unknown.
    #[must_use]
    pub fn kind(&self, id: u32) -> Option<&str> {
        match self.changed(id) {
            Ok(record) => Some(&record.entity.kind),
            Err(true) => self.base.kind(id),
            Err(false) => None,
        }
    }

    /// Name and aliases.
    #[must_use]
    pub fn names_of(&self, id: u32) -> Vec<&str> {
        match self.changed(id) {
            Ok(record) => entity_names(record).collect(),
            Err(true) => self
                .base
                .name(id)
                .into_iter()
                .chain(self.base.aliases(id))
                .collect(),
            Err(false) => Vec::new(),
        }
    }

    /// Entities one of whose names equals `name` after normalisation, ascending.
    #[must_use]
    pub fn find(&self, name: &str) -> Vec<u32> {
        let folded = fold_name(name);
        if folded.is_empty() {
            return Vec::new();
        }
        let mut found: Vec<u32> = self
            .base
            .with_name_hash(hash(&folded))
            .into_iter()
            .filter(|id| !self.overlay.records.contains_key(id))
            .filter(|id| {
                self.names_of(*id)
                    .into_iter()
                    .any(|own| fold_name(own) == folded)
            })
            .collect();
        found.extend(self.overlay.names.get(&folded).into_iter().flatten());
        found.sort_unstable();
        found
    }

    /// The entity of that key.
    #[must_use]
    pub fn find_key(&self, key: &str) -> Option<u32> {
        if let Some(id) = self.overlay.keys.get(key) {
            return Some(*id);
        }
        self.base
            .find_key(key)
            .filter(|id| !self.overlay.records.contains_key(id))
    }

    /// All names, as the mention scanner reads them. The first call after a change builds an index
    /// over the names that were changed.
    #[must_use]
    pub fn names(&self) -> &Names {
        self.overlay.scan.get_or_init(|| {
            let base = Names::new(self.base.index().cloned());
            let gone: Vec<u32> = self
                .overlay
                .records
                .keys()
                .copied()
                .filter(|id| *id < self.base.len())
                .collect();
            let present = self
                .overlay
                .records
                .iter()
                .filter_map(|(id, record)| Some((*id, record.as_ref()?)));
            let added: Vec<(&str, u32)> = present
                .flat_map(|(id, record)| entity_names(record).map(move |name| (name, id)))
                .collect();
            match (gone.is_empty(), added.is_empty()) {
                (true, true) => base,
                (true, false) => base.with_added(&added),
                _ => base.with_removed(&gone).with_added(&added),
            }
        })
    }

    /// Entities that a value names: by key, else by name.
    #[must_use]
    pub fn resolve(&self, reference: &str) -> Vec<u32> {
        self.find_key(reference)
            .map_or_else(|| self.find(reference), |id| vec![id])
    }

    /// Facts of an entity, of one predicate or all, in the order they were given.
    #[must_use]
    pub fn facts(&self, id: u32, predicate: Option<&str>) -> Vec<Fact> {
        let wanted = predicate.map(predicate_key);
        match self.changed(id) {
            Ok(record) => record
                .facts
                .iter()
                .filter(|fact| wanted.as_ref().is_none_or(|w| *w == fact.predicate))
                .cloned()
                .collect(),
            Err(true) => {
                let wanted = wanted.as_deref();
                self.base
                    .facts(id, &|predicate| wanted.is_none_or(|w| w == predicate))
            }
            Err(false) => Vec::new(),
        }
    }

    /// The entity with its facts.
    #[must_use]
    pub fn record(&self, id: u32) -> Option<Record> {
        Some(Record {
            entity: self.entity(id)?,
            facts: self.facts(id, None),
        })
    }

    /// All attribute names of the base, in alphabetical order.
    #[must_use]
    pub fn attribute_names(&self) -> Vec<String> {
        let mut names: BTreeSet<&str> = self.base.predicates().map(|(name, _)| name).collect();
        names.extend(self.overlay.predicates.keys().map(String::as_str));
        names.into_iter().map(str::to_owned).collect()
    }

    /// Whether what is missing is false: for the base as a whole, or for one predicate.
    #[must_use]
    pub fn is_closed(&self, predicate: Option<&str>) -> bool {
        let wanted = predicate.map(predicate_key);
        if let Some(world) = &self.overlay.world {
            return world.closed
                || wanted.is_some_and(|w| {
                    world
                        .closed_predicates
                        .iter()
                        .any(|p| predicate_key(p) == w)
                });
        }
        self.base.closed()
            || wanted.is_some_and(|w| {
                self.base
                    .predicates()
                    .any(|(name, closed)| closed && name == w)
            })
    }

    /// What was declared complete.
    #[must_use]
    pub fn world(&self) -> World {
        self.overlay.world.clone().unwrap_or_else(|| World {
            closed: self.base.closed(),
            closed_predicates: self
                .base
                .predicates()
                .filter(|(_, closed)| *closed)
                .map(|(name, _)| name.to_owned())
                .collect(),
        })
    }

    /// The lexicon that texts are read with: the shipped one, with what was added for this base.
    #[must_use]
    pub fn lexicon(&self) -> &Arc<Lexicon> {
        let own = self.overlay.lexicon.as_ref().or(self.base.lexicon());
        own.unwrap_or_else(|| Lexicon::builtin())
    }

    /// The tables by name.
    #[must_use]
    pub fn tables(&self) -> &Tables {
        self.overlay
            .tables
            .as_ref()
            .unwrap_or_else(|| self.base.tables())
    }

    /// Everything as one buffer, with the changes folded in and ids counted anew from 0.
    ///
    /// # Errors
    /// `Argument` where the strings together exceed 4 GiB.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let overlay = &self.overlay;
        if overlay.records.is_empty()
            && overlay.world.is_none()
            && overlay.lexicon.is_none()
            && overlay.tables.is_none()
        {
            return Ok(self.base.bytes().to_vec());
        }
        let mut builder = KbBuilder::new();
        builder.set_world(self.world());
        builder.set_lexicon(self.lexicon().additions().clone());
        for (name, table) in self.tables() {
            builder.put_table(name, Arc::clone(table));
        }
        for id in self.ids() {
            if let Some(record) = self.record(id) {
                builder.add(record)?;
            }
        }
        builder.to_bytes()
    }
}

impl Default for KnowledgeBase {
    fn default() -> Self {
        Self::new()
    }
}

impl KnowledgeBase {
    /// An empty, open knowledge base.
    #[must_use]
    pub fn new() -> Self {
        let bytes = KbBuilder::new().to_bytes().unwrap_or_default();
        match Self::from_bytes_unverified(Arc::new(bytes)) {
            Ok(kb) => kb,
            Err(_) => unreachable!("the empty buffer is written by the same code that reads it"),
        }
    }

    /// A knowledge base over a buffer that [`KbBuilder::to_bytes`] or [`Snapshot::to_bytes`] made,
    /// after comparing its contents with the checksums (CRC-32, one a section) in its header: one
    /// pass over the buffer.
    ///
    /// # Errors
    /// `Format` where the buffer is damaged anywhere, or of another version.
    pub fn from_bytes(bytes: Bytes) -> Result<Self> {
        Self::read(bytes, true)
    }

    /// As [`Self::from_bytes`], but the contents are trusted and not read: takes microseconds for
    /// a map of any size. Damaged contents give empty or wrong answers, never a panic.
    ///
    /// # Errors
    /// `Format` where the header is damaged, the buffer is cut off, or of another version.
    pub fn from_bytes_unverified(bytes: Bytes) -> Result<Self> {
        Self::read(bytes, false)
    }

    fn read(bytes: Bytes, verify: bool) -> Result<Self> {
        let base = Arc::new(Base::from_bytes(bytes, verify)?);
        let overlay = Arc::new(Overlay {
            next: base.len(),
            ..Overlay::default()
        });
        Ok(Self {
            view: Snapshot { base, overlay },
        })
    }

    /// What the base holds now; later changes do not reach it.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        self.view.clone()
    }

    /// The current state, borrowed.
    #[must_use]
    pub fn view(&self) -> &Snapshot {
        &self.view
    }

    /// Puts a record in: replaces the entity of the same key, or adds one. Returns its id, which
    /// a replacement keeps.
    ///
    /// # Errors
    /// `Argument` where the record is not valid; nothing changes then.
    pub fn upsert(&mut self, mut record: Record) -> Result<u32> {
        check(&record)?;
        paid(&mut record);
        if record.entity.key.is_empty() {
            record.entity.key.clone_from(&record.entity.name);
        }
        let present = self.view.find_key(&record.entity.key);
        let in_base = present.is_some_and(|id| id < self.view.base.len());
        let overlay = self.change();
        let id = present.unwrap_or(overlay.next);
        if present.is_none() {
            overlay.next = id
                .checked_add(1)
                .filter(|next| *next != u32::MAX)
                .ok_or_else(|| Error::argument("too many entities"))?;
            overlay.added += 1;
        } else if !in_base || overlay.records.contains_key(&id) {
            overlay.unlink(id);
        }
        record.entity.id = id;
        overlay.link(id, Arc::new(record));
        Ok(id)
    }

    /// Takes the facts of a predicate out; returns how many there were.
    ///
    /// # Errors
    /// `NotFound` for an unknown entity.
    pub fn remove_facts(&mut self, id: u32, predicate: &str) -> Result<usize> {
        let mut record = self.view.record(id).ok_or_else(|| missing(id))?;
        let before = record.facts.len();
        let wanted = predicate_key(predicate);
        record.facts.retain(|fact| fact.predicate != wanted);
        let gone = before - record.facts.len();
        if gone > 0 {
            self.upsert(record)?;
        }
        Ok(gone)
    }

    /// Takes an entity out; returns whether there was one.
    pub fn remove(&mut self, id: u32) -> bool {
        if self.view.name(id).is_none() {
            return false;
        }
        let in_base = id < self.view.base.len();
        let overlay = self.change();
        overlay.unlink(id);
        if in_base {
            overlay.records.insert(id, None);
            overlay.removed += 1;
        } else {
            overlay.added -= 1;
        }
        true
    }

    /// The overlay, copied first where a snapshot holds it.
    fn change(&mut self) -> &mut Overlay {
        let overlay = Arc::make_mut(&mut self.view.overlay);
        overlay.scan = OnceLock::new();
        overlay.held = OnceLock::new();
        overlay
    }

    /// Sets what is added to the shipped lexicon where texts are read against this base.
    ///
    /// # Errors
    /// As [`Lexicon::with`]; nothing changes then.
    pub fn set_lexicon(&mut self, additions: Additions) -> Result<()> {
        let lexicon = Arc::new(Lexicon::with(additions)?);
        self.change().lexicon = Some(lexicon);
        Ok(())
    }

    /// Puts a table in, in place of one of the same name; `None` takes it out. Returns whether there
    /// was one.
    pub fn put_table(&mut self, name: &str, table: Option<Table>) -> bool {
        let mut tables = self.view.tables().clone();
        let before = match table {
            Some(table) => tables.insert(name.to_owned(), Arc::new(table)),
            None => tables.remove(name),
        };
        self.change().tables = Some(tables);
        before.is_some()
    }

    /// Changes a table. Running sessions keep the rows that they began with: the first change after
    /// a snapshot copies the table once.
    ///
    /// # Errors
    /// `NotFound` for an unknown table, and what `change` returns.
    pub fn change_table<T>(
        &mut self,
        name: &str,
        change: impl FnOnce(&mut Table) -> Result<T>,
    ) -> Result<T> {
        if !self.view.tables().contains_key(name) {
            return Err(Error::new(
                Category::NotFound,
                format!("the knowledge base has no table '{name}'"),
            ));
        }
        let base = self.view.base.clone();
        let overlay = self.change();
        let tables = overlay.tables.get_or_insert_with(|| base.tables().clone());
        match tables.get_mut(name) {
            Some(table) => change(Arc::make_mut(table)),
            None => unreachable!("looked up above"),
        }
    }

    /// Declares what is complete.
    pub fn set_world(&mut self, world: World) {
        self.change().world = Some(world);
    }
}

fn missing(id: u32) -> Error {
    Error::new(
        Category::NotFound,
        format!("the knowledge base has no entity {id}"),
    )
}
