//! The table as bytes, for pickling and for caches.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::steps::{MAX_STEPS, Step};
use super::table::{BLOCK, Entry, Table, Tail};
use super::vocab::{Inner, Vocab};
use crate::error::{Error, Result};

const MAGIC: &[u8; 8] = b"gwvocab\x01";

/// Everything but the long arrays, as JSON behind the magic and a length.
#[derive(Serialize, Deserialize)]
struct Header {
    len: usize,
    first: bool,
    ends: bool,
    arena: usize,
    known: usize,
    tails: Vec<(Vec<u8>, Vec<u8>)>,
    steps: Vec<Step>,
}

impl Vocab {
    /// The table as bytes; [`Vocab::from_bytes`] reads them. Independent of the machine.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let inner = &*self.0;
        let header = Header {
            len: inner.rest.entries.len(),
            first: inner.first.is_some(),
            ends: !inner.rest.tail_of.is_empty(),
            arena: inner.arena.len(),
            known: inner.known,
            tails: inner
                .tails
                .iter()
                .map(|t| (t.followed.clone(), t.last.clone()))
                .collect(),
            steps: inner.steps.clone(),
        };
        let header = serde_json::to_vec(&header).unwrap_or_default();
        let mut out = MAGIC.to_vec();
        out.extend((header.len() as u64).to_le_bytes());
        out.extend(header);
        for table in std::iter::once(&inner.rest).chain(&inner.first) {
            for entry in &table.entries {
                out.extend(entry.start.to_le_bytes());
                out.extend(entry.meta.to_le_bytes());
            }
            out.extend(table.tail_of.iter().flat_map(|n| n.to_le_bytes()));
        }
        out.extend_from_slice(&inner.arena);
        let sum = checksum(&out);
        out.extend(sum.to_le_bytes());
        out
    }

    /// Reads what [`Vocab::to_bytes`] wrote.
    ///
    /// # Errors
    /// `Format` if the bytes are damaged, cut or of another version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        read(bytes).map(|inner| Self(Arc::new(inner))).ok_or_else(|| {
            Error::format(
                "the stored vocabulary is damaged or of another version; build it again from the \
                 tokenizer",
            )
        })
    }
}

fn read(bytes: &[u8]) -> Option<Inner> {
    let (body, sum) = bytes.split_last_chunk::<8>()?;
    let rest = body.strip_prefix(MAGIC)?;
    if checksum(body) != u64::from_le_bytes(*sum) {
        return None;
    }
    let (size, rest) = rest.split_first_chunk::<8>()?;
    let (header, mut rest) =
        rest.split_at_checked(usize::try_from(u64::from_le_bytes(*size)).ok()?)?;
    let header: Header = serde_json::from_slice(header).ok()?;
    let tails: Vec<Tail> = header
        .tails
        .into_iter()
        .map(|(followed, last)| Tail { followed, last })
        .collect();
    let room = header.arena.checked_sub(BLOCK)?;
    let mut table = || {
        let (entries, after) = rest.split_at_checked(header.len.checked_mul(8)?)?;
        let tail_len = if header.ends {
            header.len.checked_mul(4)?
        } else {
            0
        };
        let (tail_of, after) = after.split_at_checked(tail_len)?;
        rest = after;
        let entries: Vec<Entry> = entries
            .chunks_exact(8)
            .map(|pair| Entry {
                start: word(&pair[..4]),
                meta: word(&pair[4..]),
            })
            .collect();
        let tail_of: Vec<u32> = tail_of.chunks_exact(4).map(word).collect();
        let fits = entries.iter().all(|e| e.start as usize + e.len() <= room);
        let known = tail_of.iter().all(|&n| n as usize <= tails.len());
        (fits && known).then_some(Table { entries, tail_of })
    };
    let later = table()?;
    let first = if header.first { Some(table()?) } else { None };
    let sound = header.steps.len() <= MAX_STEPS && header.steps.iter().all(Step::is_sound);
    if !sound || rest.len() != header.arena {
        return None;
    }
    Some(Inner {
        arena: rest.into(),
        rest: later,
        first,
        tails,
        steps: header.steps,
        known: header.known,
    })
}

fn word(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .rev()
        .fold(0, |word, &byte| word << 8 | u32::from(byte))
}

/// FNV-1a: guards against damage, not against malice (bounds are checked apart).
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
