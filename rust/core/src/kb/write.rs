//! Builds the flat buffer of a base.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::entities::EntityIndexBuilder;
use crate::error::{Category, Error, Result};
use crate::lexicon::{Additions, Lexicon};
use crate::normal::fold_name;

use super::base::{FLAG_CLOSED, HEADER, MAGIC, NO_DATE, NONE, SECTIONS, Section, VERSION, hash};
use super::model::{Fact, Record, predicate_key};
use super::overlay::KnowledgeBase;
use super::pounds::paid;
use super::tables::{Table, Tables};
use super::value::{Date, Value};

/// Whether what is missing from the base is false (closed) or merely unknown (open).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct World {
    /// The whole base is complete.
    pub closed: bool,
    /// These predicates are complete for every entity that the base knows.
    pub closed_predicates: Vec<String>,
}

/// Collects records and writes them as one buffer.
#[derive(Debug, Clone, Default)]
pub struct KbBuilder {
    records: Vec<Record>,
    keys: FxHashSet<String>,
    world: World,
    lexicon: Additions,
    tables: Tables,
}

/// Refuses a record that could not be read back or compared.
pub(super) fn check(record: &Record) -> Result<()> {
    let bad = |what: String| Err(Error::new(Category::Argument, what));
    if fold_name(&record.entity.name).is_empty() {
        return bad(format!(
            "entity '{}' needs a name with a letter or digit",
            record.entity.key
        ));
    }
    for fact in &record.facts {
        let name = &record.entity.name;
        if fact.predicate.is_empty() || fact.predicate != predicate_key(&fact.predicate) {
            return bad(format!(
                "'{}' of '{name}' is no attribute name; use letters, digits and '_'",
                fact.predicate
            ));
        }
        if !(0.0..=1.0).contains(&fact.confidence) {
            return bad(format!(
                "confidence {} of '{}' of '{name}' is not between 0 and 1",
                fact.confidence, fact.predicate
            ));
        }
        if let Value::Number { value, .. } = fact.value
            && !value.is_finite()
        {
            return bad(format!(
                "'{}' of '{name}' is not a finite number",
                fact.predicate
            ));
        }
        let dates = [fact.valid_from, fact.valid_to];
        if let [Some(from), Some(to)] = dates
            && from > to
        {
            return bad(format!(
                "'{}' of '{name}' ends before it starts",
                fact.predicate
            ));
        }
    }
    Ok(())
}

impl KbBuilder {
    /// An empty builder of an open base.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Declares what is complete.
    pub fn set_world(&mut self, world: World) {
        self.world = world;
    }

    /// Adds to the lexicon that texts are read with.
    pub fn set_lexicon(&mut self, additions: Additions) {
        self.lexicon = additions;
    }

    /// Puts a table in, in place of one of the same name.
    pub fn put_table(&mut self, name: &str, table: Arc<Table>) {
        self.tables.insert(name.to_owned(), table);
    }

    /// Declares more of it complete.
    pub(super) fn extend_world(&mut self, world: World) {
        self.world.closed |= world.closed;
        self.world.closed_predicates.extend(world.closed_predicates);
    }

    /// Adds an entity with its facts; returns its id.
    ///
    /// # Errors
    /// `Argument` where the key is taken, the name is empty, a predicate is not normalised or a
    /// confidence is out of range; nothing is added then.
    pub fn add(&mut self, mut record: Record) -> Result<u32> {
        check(&record)?;
        paid(&mut record);
        if record.entity.key.is_empty() {
            record.entity.key.clone_from(&record.entity.name);
        }
        if !self.keys.insert(record.entity.key.clone()) {
            return Err(Error::argument(format!(
                "entity key '{}' is used twice; give each its own key",
                record.entity.key
            )));
        }
        let id =
            u32::try_from(self.records.len()).map_err(|_| Error::argument("too many entities"))?;
        record.entity.id = id;
        self.records.push(record);
        Ok(id)
    }

    /// Number of entities so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether nothing was added.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The buffer; see [`KnowledgeBase::from_bytes`].
    ///
    /// # Errors
    /// `Argument` where the strings together exceed 4 GiB, or for a lexicon that is not valid.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut writer = Writer::default();
        if !self.lexicon.is_empty() {
            Lexicon::with(self.lexicon.clone())?;
            let words = serde_json::to_vec(&self.lexicon)
                .map_err(|error| Error::argument(format!("the lexicon: {error}")))?;
            writer.sections[Section::Lexicon as usize] = words;
        }
        for (name, table) in &self.tables {
            writer.table(name, table);
        }
        writer.write(&self.records, &self.world)
    }

    /// A knowledge base over the buffer.
    ///
    /// # Errors
    /// As [`KbBuilder::to_bytes`].
    pub fn build(&self) -> Result<KnowledgeBase> {
        KnowledgeBase::from_bytes_unverified(Arc::new(self.to_bytes()?))
    }
}

#[derive(Default)]
struct Writer {
    ids: FxHashMap<String, u32>,
    sections: [Vec<u8>; SECTIONS],
    qualifiers: u32,
    facts: u32,
    aliases: u32,
}

impl Writer {
    fn put(&mut self, section: Section, value: u32) {
        self.sections[section as usize].extend_from_slice(&value.to_le_bytes());
    }

    fn put64(&mut self, section: Section, value: u64) {
        self.sections[section as usize].extend_from_slice(&value.to_le_bytes());
    }

    fn string(&mut self, text: &str) -> u32 {
        if let Some(id) = self.ids.get(text) {
            return *id;
        }
        let id = self.ids.len() as u32;
        self.ids.insert(text.to_owned(), id);
        let start = self.sections[Section::Text as usize].len() as u32;
        self.put(Section::Starts, start);
        self.sections[Section::Text as usize].extend_from_slice(text.as_bytes());
        id
    }

    /// Tag u32, payload u64, unit u32.
    fn value(&mut self, section: Section, value: &Value) {
        let (tag, payload, unit) = match value {
            Value::Text(text) => (0, u64::from(self.string(text)), NONE),
            Value::Number { value, unit } => {
                let unit = unit.as_ref().map_or(NONE, |unit| self.string(unit));
                (1, value.to_bits(), unit)
            }
            Value::Date(date) => (2, i64::from(date.pack()).cast_unsigned(), NONE),
            Value::Entity(text) => (3, u64::from(self.string(text)), NONE),
            Value::Email(text) => (4, u64::from(self.string(text)), NONE),
            Value::Enum(text) => (5, u64::from(self.string(text)), NONE),
            Value::Bool(yes) => (6, u64::from(*yes), NONE),
        };
        self.put(section, tag);
        self.put64(section, payload);
        self.put(section, unit);
    }

    fn fact(&mut self, fact: &Fact) {
        let predicate = self.string(&fact.predicate);
        self.put(Section::Facts, predicate);
        self.value(Section::Facts, &fact.value);
        let source = fact
            .source
            .as_ref()
            .map_or(NONE, |source| self.string(source));
        self.put(Section::Facts, source);
        #[allow(clippy::cast_possible_truncation)]
        self.put(Section::Facts, (fact.confidence as f32).to_bits());
        for date in [fact.valid_from, fact.valid_to] {
            self.put(
                Section::Facts,
                date.map_or(NO_DATE, Date::pack).cast_unsigned(),
            );
        }
        self.put(Section::Facts, self.qualifiers);
        self.put(Section::Facts, fact.qualifiers.len() as u32);
        for qualifier in &fact.qualifiers {
            let name = self.string(&qualifier.name);
            self.put(Section::Qualifiers, name);
            self.value(Section::Qualifiers, &qualifier.value);
            self.qualifiers += 1;
        }
        self.facts += 1;
    }

    fn entity(&mut self, record: &Record) {
        let entity = &record.entity;
        for text in [&entity.key, &entity.name, &entity.kind] {
            let id = self.string(text);
            self.put(Section::Entities, id);
        }
        self.put(Section::Entities, self.aliases);
        self.put(Section::Entities, self.facts);
        for alias in &entity.aliases {
            let id = self.string(alias);
            self.put(Section::Aliases, id);
            self.aliases += 1;
        }
        for fact in &record.facts {
            self.fact(fact);
        }
    }

    fn table(&mut self, name: &str, table: &Table) {
        let rows = table.rows();
        let name = self.string(name);
        let columns = rows.columns();
        let key = table.key().map_or(NONE, u32::from);
        for head in [name, key, columns.len() as u32, rows.len() as u32] {
            self.put(Section::Tables, head);
        }
        for column in columns {
            let id = self.string(column);
            self.put(Section::Tables, id);
        }
        for row in rows.numbers() {
            for cell in table.cells(row) {
                let id = if cell.is_empty() {
                    NONE
                } else {
                    self.string(&cell)
                };
                self.put(Section::Tables, id);
            }
        }
    }

    fn write(mut self, records: &[Record], world: &World) -> Result<Vec<u8>> {
        let mut index = EntityIndexBuilder::new();
        let mut names: Vec<(u64, u32)> = Vec::new();
        let mut keys: Vec<(u64, u32)> = Vec::new();
        let mut predicates: BTreeMap<&str, bool> = BTreeMap::new();
        let closed: Vec<String> = world
            .closed_predicates
            .iter()
            .map(|name| predicate_key(name))
            .collect();
        predicates.extend(closed.iter().map(|name| (name.as_str(), true)));
        for (id, record) in (0_u32..).zip(records) {
            let entity = &record.entity;
            keys.push((hash(&entity.key), id));
            for name in entity_names(record) {
                names.push((hash(&fold_name(name)), id));
                index.add(name, id);
            }
            for fact in &record.facts {
                predicates.entry(&fact.predicate).or_insert(false);
            }
            self.entity(record);
        }
        for last in [NONE, NONE, NONE, self.aliases, self.facts] {
            self.put(Section::Entities, last);
        }
        for (name, closed) in &predicates {
            let id = self.string(name);
            self.put(Section::Predicates, id);
            self.put(Section::Predicates, u32::from(*closed));
        }
        names.sort_unstable();
        names.dedup();
        keys.sort_unstable();
        for (hash, id) in names {
            self.put64(Section::NameHashes, hash);
            self.put(Section::NameIds, id);
        }
        for (hash, id) in keys {
            self.put64(Section::Keys, hash);
            self.put(Section::Keys, id);
        }
        if index.is_full() {
            return Err(Error::argument(
                "a knowledge base cannot hold that many names",
            ));
        }
        self.sections[Section::Index as usize] = index.build().to_bytes();
        let text = u32::try_from(self.sections[Section::Text as usize].len())
            .map_err(|_| Error::argument("the strings of a knowledge base exceed 4 GiB"))?;
        self.put(Section::Starts, text);
        Ok(self.assemble(
            records.len() as u32,
            if world.closed { FLAG_CLOSED } else { 0 },
        ))
    }

    fn assemble(&self, entities: u32, flags: u32) -> Vec<u8> {
        // Sections start at multiples of eight, for readers that map the file.
        let padded = |len: usize| len.div_ceil(8) * 8;
        let total = HEADER + self.sections.iter().map(|s| padded(s.len())).sum::<usize>();
        let mut out = Vec::with_capacity(total);
        out.extend_from_slice(&MAGIC);
        out.extend_from_slice(&VERSION.to_le_bytes());
        out.extend_from_slice(&(total as u64).to_le_bytes());
        out.extend_from_slice(&flags.to_le_bytes());
        out.extend_from_slice(&entities.to_le_bytes());
        let mut at = HEADER;
        for section in &self.sections {
            out.extend_from_slice(&(at as u64).to_le_bytes());
            out.extend_from_slice(&(section.len() as u64).to_le_bytes());
            let padding = padded(section.len()) - section.len();
            let mut sum = crc32fast::Hasher::new();
            sum.update(section);
            sum.update(&[0; 8][..padding]);
            out.extend_from_slice(&sum.finalize().to_le_bytes());
            out.extend_from_slice(&[0; 4]);
            at += section.len() + padding;
        }
        let sum = crc32fast::hash(&out);
        out.extend_from_slice(&sum.to_le_bytes());
        out.extend_from_slice(&[0; 4]);
        for section in &self.sections {
            out.extend_from_slice(section);
            out.resize(padded(out.len()), 0);
        }
        out
    }
}

/// Name and aliases.
pub(super) fn entity_names(record: &Record) -> impl Iterator<Item = &str> {
    std::iter::once(&record.entity.name)
        .chain(&record.entity.aliases)
        .map(String::as_str)
}
