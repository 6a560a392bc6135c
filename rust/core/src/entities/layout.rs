//! The one buffer an index lives in: header, table of sections, sections.

use std::sync::Arc;

use crate::error::{Error, Result};

/// Bytes of a saved index; a memory map will do.
pub type Bytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

const MAGIC: &[u8; 8] = b"GWNAMES\0";
const VERSION: u32 = 2;
const SECTIONS: usize = 16;
/// Offset u64, length u64, CRC-32 of the section with its padding u32, nothing u32.
const ENTRY: usize = 24;
/// Magic, version, number of sections, an entry a section, checksum of all that.
const HEADER: usize = 8 + 4 + 4 + SECTIONS * ENTRY + 8;

/// What lies where. Sections hold little-endian `u32` unless said otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    /// Word id → first byte in `WordBytes`; one more entry than words.
    WordOffset,
    /// Folded words, UTF-8 bytes.
    WordBytes,
    /// Hash slots: word id + 1 (0: free), high half of the word's hash.
    WordSlots,
    /// Word id → trie node + 1 of names starting with it.
    RootChild,
    /// Node → its first child; children are consecutive, sorted by word. One more than nodes.
    NodeChildren,
    /// Node → word id.
    NodeWord,
    /// Node → name + 1 that ends here.
    NodeName,
    /// Name → first byte in `NameBytes`; one more entry than names.
    NameOffset,
    /// Folded names, UTF-8 bytes.
    NameBytes,
    /// Name → first entry in `Entities`; one more entry than names.
    NameEntities,
    /// Entity ids, sorted within a name.
    Entities,
    /// A byte a name: bit 0, the name was given without a capital letter.
    NameFlags,
    /// Word id → first entry in `Postings`; one more entry than words.
    WordPostings,
    /// Entity ids of names that hold a word, bounded.
    Postings,
    /// Signature bucket → first entry in `BucketNames`; a power of two of buckets, and one.
    Buckets,
    /// A name id, and in the bits that ids leave free the signature's fingerprint.
    BucketNames,
}

/// Places of the sections, checked against the buffer's length once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    places: [(usize, usize); SECTIONS],
    sums: [u32; SECTIONS],
}

impl Layout {
    pub(super) fn len(&self, section: Section) -> usize {
        self.places[section as usize].1
    }

    /// Number of `u32` in a section.
    pub(super) fn count(&self, section: Section) -> usize {
        self.len(section) / 4
    }
}

fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h, &b| {
        (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3)
    })
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let end = at.checked_add(4)?;
    bytes.get(at..end)?.try_into().ok().map(u32::from_le_bytes)
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    let end = at.checked_add(8)?;
    bytes.get(at..end)?.try_into().ok().map(u64::from_le_bytes)
}

fn unusable(what: &str) -> Error {
    Error::format(format!("not a usable name index: {what}; save it again"))
}

/// Reads the header and checks that the sections fill the buffer. Time does not depend on the
/// buffer's length: what the sections hold is for [`verify`].
pub(super) fn parse(bytes: &[u8]) -> Result<Layout> {
    let bad = unusable;
    if bytes.len() < HEADER || !bytes.starts_with(MAGIC) {
        return Err(bad("its header is missing"));
    }
    let version = u32_at(bytes, 8).unwrap_or(0);
    if version != VERSION {
        return Err(bad(&format!(
            "it has version {version}, this library reads {VERSION}"
        )));
    }
    if u32_at(bytes, 12) != Some(SECTIONS as u32)
        || u64_at(bytes, HEADER - 8) != Some(checksum(&bytes[..HEADER - 8]))
    {
        return Err(bad("its header is damaged"));
    }
    let mut places = [(0, 0); SECTIONS];
    let mut sums = [0; SECTIONS];
    let mut next = HEADER;
    for (i, place) in places.iter_mut().enumerate() {
        let entry = 16 + i * ENTRY;
        let offset = u64_at(bytes, entry).and_then(|v| usize::try_from(v).ok());
        let len = u64_at(bytes, entry + 8).and_then(|v| usize::try_from(v).ok());
        let (Some(offset), Some(len)) = (offset, len) else {
            return Err(bad("it is cut off"));
        };
        let end = len
            .checked_next_multiple_of(8)
            .and_then(|padded| offset.checked_add(padded));
        let Some(end) = end.filter(|end| *end <= bytes.len()) else {
            return Err(bad("it is cut off"));
        };
        if offset != next {
            return Err(bad("its header is damaged"));
        }
        next = end;
        *place = (offset, len);
        sums[i] = u32_at(bytes, entry + 16).unwrap_or(0);
    }
    if next != bytes.len() {
        return Err(bad("something stands behind its end"));
    }
    Ok(Layout { places, sums })
}

/// Compares every section with its checksum: one pass over the buffer.
pub(super) fn verify(bytes: &[u8], layout: &Layout) -> Result<()> {
    for ((offset, len), sum) in layout.places.iter().zip(layout.sums) {
        let section = bytes.get(*offset..offset + len.next_multiple_of(8));
        if section.map(crc32fast::hash) != Some(sum) {
            return Err(unusable("its contents are damaged"));
        }
    }
    Ok(())
}

/// Puts the sections behind a header.
pub(super) fn assemble(sections: &[Vec<u8>; SECTIONS]) -> Vec<u8> {
    let total: usize = sections.iter().map(|s| s.len().next_multiple_of(8)).sum();
    let mut out = Vec::with_capacity(HEADER + total);
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&VERSION.to_le_bytes());
    out.extend_from_slice(&(SECTIONS as u32).to_le_bytes());
    let mut offset = HEADER;
    for section in sections {
        out.extend_from_slice(&(offset as u64).to_le_bytes());
        out.extend_from_slice(&(section.len() as u64).to_le_bytes());
        let padding = section.len().next_multiple_of(8) - section.len();
        let mut sum = crc32fast::Hasher::new();
        sum.update(section);
        sum.update(&[0; 8][..padding]);
        out.extend_from_slice(&sum.finalize().to_le_bytes());
        out.extend_from_slice(&[0; 4]);
        offset += section.len() + padding;
    }
    let sum = checksum(&out);
    out.extend_from_slice(&sum.to_le_bytes());
    for section in sections {
        out.extend_from_slice(section);
        out.resize(out.len().next_multiple_of(8), 0);
    }
    out
}

/// Sections of an empty index to be filled by the builder.
pub(super) fn blank() -> [Vec<u8>; SECTIONS] {
    std::array::from_fn(|_| Vec::new())
}

/// A borrowed reader; every access is checked, since a mapped file can be damaged anywhere where
/// its checksums were not compared, and can change after they were.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    bytes: &'a [u8],
    layout: &'a Layout,
}

impl<'a> View<'a> {
    pub(super) fn new(bytes: &'a [u8], layout: &'a Layout) -> Self {
        Self { bytes, layout }
    }

    pub(super) fn layout(&self) -> &'a Layout {
        self.layout
    }

    /// The `u32` at index `i`, or 0 past the end.
    pub(super) fn get(&self, section: Section, i: usize) -> u32 {
        let (offset, len) = self.layout.places[section as usize];
        if i >= len / 4 {
            return 0;
        }
        u32_at(self.bytes, offset + i * 4).unwrap_or(0)
    }

    /// The entries at indices `2 i` and `2 i + 1`, or zeros past the end.
    #[inline]
    pub(super) fn pair(&self, section: Section, i: usize) -> (u32, u32) {
        let (offset, len) = self.layout.places[section as usize];
        if i >= len / 8 {
            return (0, 0);
        }
        let pair = u64_at(self.bytes, offset + i * 8).unwrap_or(0);
        (pair as u32, (pair >> 32) as u32)
    }

    /// Bytes `from..to` of a section, or none where they do not lie in it.
    pub(super) fn slice(&self, section: Section, from: usize, to: usize) -> &'a [u8] {
        let (offset, len) = self.layout.places[section as usize];
        if from > to || to > len {
            return &[];
        }
        self.bytes.get(offset + from..offset + to).unwrap_or(&[])
    }

    /// Entries `i` and `i + 1` of a section as a range that is never inverted.
    pub(super) fn range(&self, section: Section, i: usize) -> std::ops::Range<usize> {
        let from = self.get(section, i) as usize;
        let to = self.get(section, i.saturating_add(1)) as usize;
        from..to.max(from)
    }
}

/// A fixed hash of a word, the same on every machine and run.
pub(super) fn hash_word(word: &str) -> u64 {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64 ^ word.len() as u64;
    for chunk in word.as_bytes().chunks(8) {
        let mut block = [0_u8; 8];
        block[..chunk.len()].copy_from_slice(chunk);
        state = (state ^ u64::from_le_bytes(block)).wrapping_mul(0x2127_599b_f432_5c37);
        state ^= state >> 29;
    }
    state.wrapping_mul(0xff51_afd7_ed55_8ccd)
}
