//! The immutable base: one flat buffer read in place.
//!
//! Little-endian. Header: magic `GWKB`, version u32, total length u64, flags u32, entity count
//! u32, then for each section in the order of [`Section`] its offset u64, length u64, CRC-32 with
//! its padding u32 and four zero bytes, then the CRC-32 of the header so far and four zero bytes.
//! Sections follow each other without a gap, so that the checksums cover every byte. Every read is
//! checked against the section's bounds; damaged bytes that were not verified give empty or wrong
//! answers, never a panic.

use std::sync::{Arc, OnceLock};

pub use crate::entities::Bytes;
use crate::entities::EntityIndex;
use crate::error::{Error, Result};
use crate::lexicon::{Additions, Lexicon};

use super::model::{Entity, Fact, Qualifier};
use super::tables::{Table, Tables};
use super::value::{Date, Value};

pub(super) const MAGIC: [u8; 4] = *b"GWKB";
pub(super) const VERSION: u32 = 3;
pub(super) const NONE: u32 = u32::MAX;
pub(super) const NO_DATE: i32 = i32::MIN;
pub(super) const SECTIONS: usize = 13;
pub(super) const ENTRY: usize = 24;
pub(super) const HEADER: usize = 24 + SECTIONS * ENTRY + 8;
pub(super) const ENTITY_BYTES: usize = 20;
pub(super) const FACT_BYTES: usize = 44;
pub(super) const QUALIFIER_BYTES: usize = 20;
pub(super) const FLAG_CLOSED: u32 = 1;

/// The parts of the buffer, in file order.
#[derive(Clone, Copy)]
pub(super) enum Section {
    /// UTF-8 of all strings.
    Text,
    /// u32 start of each string in `Text`, one more at the end.
    Starts,
    /// Key, name, kind (string ids), first alias, first fact; one more record at the end.
    Entities,
    /// String ids.
    Aliases,
    /// Fixed-size facts, an entity's facts together.
    Facts,
    /// Fixed-size qualifiers.
    Qualifiers,
    /// Hash of a folded name u64, sorted; the entity stands at the same place in `NameIds`.
    NameHashes,
    /// u32 entity ids.
    NameIds,
    /// Hash u64 and entity u32 (12 bytes) of each key, sorted.
    Keys,
    /// String ids of all predicates in alphabetical order, the closed ones flagged by a
    /// following u32.
    Predicates,
    /// The entity index over all names, in its own format.
    Index,
    /// What was added to the lexicon, as JSON; empty where nothing was.
    Lexicon,
    /// Each table: string id of its name, number of the key's column or `NONE`, columns, rows,
    /// string ids of the columns' names, then of the cells, a row after the other, `NONE` for an
    /// empty one.
    Tables,
}

/// FNV-1a: the same on every machine, which a hash written to a file has to be.
pub(super) fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| {
        (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)
    })
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(four.try_into().ok()?))
}

pub(super) fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    let eight = bytes.get(at..at.checked_add(8)?)?;
    Some(u64::from_le_bytes(eight.try_into().ok()?))
}

/// A part of a shared buffer that is itself a buffer.
struct Part {
    whole: Bytes,
    start: usize,
    end: usize,
}

impl AsRef<[u8]> for Part {
    fn as_ref(&self) -> &[u8] {
        (*self.whole)
            .as_ref()
            .get(self.start..self.end)
            .unwrap_or(&[])
    }
}

/// A checked buffer.
#[derive(Clone)]
pub(super) struct Base {
    bytes: Bytes,
    sections: [(usize, usize); SECTIONS],
    entities: u32,
    flags: u32,
    index: Option<EntityIndex>,
    lexicon: Option<Arc<Lexicon>>,
    /// The tables, indexed when they are first asked for.
    tables: OnceLock<Tables>,
}

impl Base {
    /// Reads the header, and compares the contents with their checksums where `verify` says so.
    pub(super) fn from_bytes(bytes: Bytes, verify: bool) -> Result<Self> {
        let damaged =
            |what: &str| Error::format(format!("not a knowledge base: {what}; save it again"));
        let all = (*bytes).as_ref();
        if all.get(..4) != Some(&MAGIC[..]) {
            return Err(damaged("it does not start with GWKB"));
        }
        let version = u32_at(all, 4).ok_or_else(|| damaged("the header is cut off"))?;
        if version != VERSION {
            return Err(Error::format(format!(
                "knowledge base format {version} is not the supported {VERSION}; save it again \
                 from its records"
            )));
        }
        if u64_at(all, 8) != Some(all.len() as u64) {
            return Err(damaged("its length is not the one in its header"));
        }
        let summed = HEADER - 8;
        if u32_at(all, summed) != all.get(..summed).map(crc32fast::hash)
            || u32_at(all, summed + 4) != Some(0)
        {
            return Err(damaged("its header is damaged"));
        }
        let flags = u32_at(all, 16).ok_or_else(|| damaged("the header is cut off"))?;
        let entities = u32_at(all, 20).ok_or_else(|| damaged("the header is cut off"))?;
        let mut sections = [(0, 0); SECTIONS];
        let mut next = HEADER;
        for (i, slot) in sections.iter_mut().enumerate() {
            let entry = 24 + i * ENTRY;
            let pair = u64_at(all, entry).zip(u64_at(all, entry + 8));
            let range = pair.and_then(|(start, len)| {
                let start = usize::try_from(start).ok().filter(|start| *start == next)?;
                let len = usize::try_from(len).ok()?;
                next = start.checked_add(len.checked_next_multiple_of(8)?)?;
                (next <= all.len()).then_some((start, start + len))
            });
            *slot = range.ok_or_else(|| damaged("a section lies outside the buffer"))?;
            if verify && u32_at(all, entry + 16) != Some(crc32fast::hash(&all[slot.0..next])) {
                return Err(damaged("its contents are damaged"));
            }
        }
        if next != all.len() {
            return Err(damaged("something stands behind its end"));
        }
        let mut base = Self {
            bytes,
            sections,
            entities,
            flags,
            index: None,
            lexicon: None,
            tables: OnceLock::new(),
        };
        let records = base.section(Section::Entities).len() / ENTITY_BYTES;
        if records != entities as usize + 1 {
            return Err(damaged(
                "the entity table has another length than the header says",
            ));
        }
        base.index = base
            .index_bytes()
            // The section's checksum covers the index.
            .map(EntityIndex::from_bytes_unverified)
            .transpose()?;
        let words = base.section(Section::Lexicon);
        if !words.is_empty() {
            let additions: Additions =
                serde_json::from_slice(words).map_err(|_| damaged("its lexicon is damaged"))?;
            let lexicon = Lexicon::with(additions).map_err(|error| damaged(error.message()))?;
            base.lexicon = Some(Arc::new(lexicon));
        }
        Ok(base)
    }

    pub(super) fn bytes(&self) -> &[u8] {
        (*self.bytes).as_ref()
    }

    fn section(&self, section: Section) -> &[u8] {
        let (start, end) = self.sections[section as usize];
        self.bytes().get(start..end).unwrap_or(&[])
    }

    /// The embedded index over all names.
    pub(super) fn index(&self) -> Option<&EntityIndex> {
        self.index.as_ref()
    }

    /// The embedded index as a buffer of its own; `None` where there is none.
    fn index_bytes(&self) -> Option<Bytes> {
        let (start, end) = self.sections[Section::Index as usize];
        (end > start).then(|| -> Bytes {
            Arc::new(Part {
                whole: self.bytes.clone(),
                start,
                end,
            })
        })
    }

    /// The lexicon, where one was given.
    pub(super) fn lexicon(&self) -> Option<&Arc<Lexicon>> {
        self.lexicon.as_ref()
    }

    /// The tables. The first call indexes them.
    pub(super) fn tables(&self) -> &Tables {
        self.tables.get_or_init(|| {
            let mut tables = Tables::new();
            let mut at = 0;
            while let Some((name, table, next)) = self.table_at(at) {
                tables.insert(name, Arc::new(table));
                at = next;
            }
            tables
        })
    }

    fn table_at(&self, at: usize) -> Option<(String, Table, usize)> {
        let bytes = self.section(Section::Tables);
        let word = |i: usize| u32_at(bytes, at.checked_add(i.checked_mul(4)?)?);
        let text = |id: u32| {
            if id == NONE {
                Some("")
            } else {
                self.string(id)
            }
        };
        let (name, key) = (self.string(word(0)?)?, word(1)?);
        let (columns, rows) = (word(2)? as usize, word(3)? as usize);
        // Rows without columns would cost nothing in the file, and much here.
        let cells = columns.checked_mul(rows).filter(|_| columns > 0)?;
        let next = at.checked_add(cells.checked_add(columns)?.checked_add(4)?.checked_mul(4)?)?;
        if next > bytes.len() {
            return None;
        }
        let names: Option<Vec<String>> = (0..columns)
            .map(|i| Some(self.string(word(4 + i)?)?.to_owned()))
            .collect();
        let names = names?;
        let key = names.get(key as usize).cloned();
        let mut table = Table::new(names, key.as_deref()).ok()?;
        let mut row = Vec::with_capacity(columns);
        for number in 0..rows {
            row.clear();
            for column in 0..columns {
                row.push(text(word(4 + columns + number * columns + column)?)?);
            }
            table.read(&row).ok()?;
        }
        Some((name.to_owned(), table, next))
    }

    pub(super) fn len(&self) -> u32 {
        self.entities
    }

    pub(super) fn closed(&self) -> bool {
        self.flags & FLAG_CLOSED != 0
    }

    fn string(&self, id: u32) -> Option<&str> {
        let starts = self.section(Section::Starts);
        let at = (id as usize).checked_mul(4)?;
        let (start, end) = (u32_at(starts, at)?, u32_at(starts, at + 4)?);
        let text = self
            .section(Section::Text)
            .get(start as usize..end as usize)?;
        std::str::from_utf8(text).ok()
    }

    /// Field `field` of the entity's record; the record after the last closes its ranges.
    fn field(&self, id: u32, field: usize) -> Option<u32> {
        u32_at(
            self.section(Section::Entities),
            (id as usize).checked_mul(ENTITY_BYTES)? + field * 4,
        )
    }

    pub(super) fn name(&self, id: u32) -> Option<&str> {
        (id < self.entities)
            .then(|| self.field(id, 1))?
            .and_then(|s| self.string(s))
    }

    pub(super) fn kind(&self, id: u32) -> Option<&str> {
        (id < self.entities)
            .then(|| self.field(id, 2))?
            .and_then(|s| self.string(s))
    }

    pub(super) fn key(&self, id: u32) -> Option<&str> {
        (id < self.entities)
            .then(|| self.field(id, 0))?
            .and_then(|s| self.string(s))
    }

    pub(super) fn aliases(&self, id: u32) -> impl Iterator<Item = &str> {
        let range = (id < self.entities)
            .then(|| Some(self.field(id, 3)?..self.field(id + 1, 3)?))
            .flatten()
            .unwrap_or(0..0);
        let table = self.section(Section::Aliases);
        let held = u32::try_from(table.len() / 4).unwrap_or(NONE);
        (range.start..range.end.min(held))
            .filter_map(move |i| self.string(u32_at(table, i as usize * 4)?))
    }

    pub(super) fn entity(&self, id: u32) -> Option<Entity> {
        Some(Entity {
            id,
            key: self.key(id)?.to_owned(),
            name: self.name(id)?.to_owned(),
            aliases: self.aliases(id).map(str::to_owned).collect(),
            kind: self.kind(id).unwrap_or("").to_owned(),
        })
    }

    fn value(&self, bytes: &[u8], at: usize) -> Option<Value> {
        let tag = u32_at(bytes, at)?;
        let a = u64_at(bytes, at + 4)?;
        let text = || self.string(u32::try_from(a).ok()?).map(str::to_owned);
        Some(match tag {
            0 => Value::Text(text()?),
            1 => {
                let unit = u32_at(bytes, at + 12)?;
                let unit = if unit == NONE {
                    None
                } else {
                    Some(self.string(unit)?.to_owned())
                };
                Value::Number {
                    value: f64::from_bits(a),
                    unit,
                }
            }
            2 => Value::Date(Date::unpack(i32::try_from(a.cast_signed()).ok()?)),
            3 => Value::Entity(text()?),
            4 => Value::Email(text()?),
            5 => Value::Enum(text()?),
            6 => Value::Bool(a != 0),
            _ => return None,
        })
    }

    fn fact(&self, bytes: &[u8], predicate: &str) -> Option<Fact> {
        let value = self.value(bytes, 4)?;
        let source = u32_at(bytes, 20)?;
        let confidence = f64::from(f32::from_bits(u32_at(bytes, 24)?));
        let date = |at: usize| {
            let packed = u32_at(bytes, at)?.cast_signed();
            (packed != NO_DATE).then(|| Date::unpack(packed))
        };
        let (start, count) = (u32_at(bytes, 36)? as usize, u32_at(bytes, 40)? as usize);
        let table = self.section(Section::Qualifiers);
        let held = table.len() / QUALIFIER_BYTES;
        let qualifiers = (start..start.saturating_add(count).min(held))
            .filter_map(|i| {
                let at = i * QUALIFIER_BYTES;
                let name = self.string(u32_at(table, at)?)?.to_owned();
                Some(Qualifier {
                    name,
                    value: self.value(table, at + 4)?,
                })
            })
            .collect();
        Some(Fact {
            predicate: predicate.to_owned(),
            value,
            qualifiers,
            source: self.string(source).map(str::to_owned),
            confidence: if confidence.is_finite() {
                confidence.clamp(0.0, 1.0)
            } else {
                0.0
            },
            valid_from: date(28),
            valid_to: date(32),
        })
    }

    pub(super) fn fact_count(&self, id: u32) -> usize {
        match (self.field(id, 4), self.field(id.saturating_add(1), 4)) {
            (Some(from), Some(to)) if id < self.entities => to.saturating_sub(from) as usize,
            _ => 0,
        }
    }

    pub(super) fn facts(&self, id: u32, wanted: Option<&str>) -> Vec<Fact> {
        if id >= self.entities {
            return Vec::new();
        }
        let (Some(from), Some(to)) = (self.field(id, 4), self.field(id + 1, 4)) else {
            return Vec::new();
        };
        let table = self.section(Section::Facts);
        let held = table.len() / FACT_BYTES;
        (from as usize..(to as usize).min(held))
            .filter_map(|i| {
                let bytes = &table[i * FACT_BYTES..(i + 1) * FACT_BYTES];
                let predicate = self.string(u32_at(bytes, 0)?)?;
                wanted
                    .is_none_or(|w| w == predicate)
                    .then(|| self.fact(bytes, predicate))?
            })
            .collect()
    }

    /// Entities one of whose names has this hash: the caller compares the names themselves.
    pub(super) fn with_name_hash(&self, wanted: u64) -> Vec<u32> {
        let hashes = self.section(Section::NameHashes);
        let ids = self.section(Section::NameIds);
        let first = lower_bound(hashes, 8, wanted);
        (first..hashes.len() / 8)
            .take_while(|i| u64_at(hashes, i * 8) == Some(wanted))
            .filter_map(|i| u32_at(ids, i * 4))
            .filter(|id| *id < self.entities)
            .collect()
    }

    pub(super) fn find_key(&self, key: &str) -> Option<u32> {
        let table = self.section(Section::Keys);
        let wanted = hash(key);
        (lower_bound(table, 12, wanted)..table.len() / 12)
            .take_while(|i| u64_at(table, i * 12) == Some(wanted))
            .filter_map(|i| u32_at(table, i * 12 + 8))
            .find(|id| self.key(*id) == Some(key))
    }

    /// All predicates with whether each is closed, in alphabetical order.
    pub(super) fn predicates(&self) -> impl Iterator<Item = (&str, bool)> {
        let table = self.section(Section::Predicates);
        (0..table.len() / 8).filter_map(move |i| {
            Some((
                self.string(u32_at(table, i * 8)?)?,
                u32_at(table, i * 8 + 4)? != 0,
            ))
        })
    }
}

/// First record of a table sorted by its leading u64 that is not below `wanted`.
fn lower_bound(table: &[u8], width: usize, wanted: u64) -> usize {
    let (mut lo, mut hi) = (0, table.len() / width);
    while lo < hi {
        let mid = lo.midpoint(hi);
        if u64_at(table, mid * width).is_some_and(|h| h < wanted) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    lo
}
