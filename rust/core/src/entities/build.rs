//! Builds the index's buffer.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::MAX_CANDIDATES;
use super::fuzzy::{id_bits, place, signatures};
use super::index::EntityIndex;
use super::layout::{Layout, Section, assemble, blank, hash_word, parse};
use crate::lexicon::words::{WordClass, class};
use crate::normal::fold_name;

/// Legal forms that stand behind a company's name and are often left out.
const LEGAL_FORMS: [&str; 12] = [
    "inc",
    "ltd",
    "llc",
    "plc",
    "corp",
    "co",
    "corporation",
    "company",
    "limited",
    "gmbh",
    "ag",
    "sa",
];

/// Whether the folded word is a legal form or a mark of descent, which a comma may precede.
pub(super) fn is_name_suffix(word: &str) -> bool {
    LEGAL_FORMS.contains(&word)
        || matches!(word, "incorporated" | "jr" | "sr" | "ii" | "iii" | "iv")
}

/// A normalised name without its leading "the", which text drops and adds at will, unless only
/// a function word would be left ("The Who").
pub(super) fn without_article(folded: &str) -> &str {
    match folded.strip_prefix("the ") {
        Some(rest) if rest.contains(' ') || !class(rest).has(WordClass::STOPWORD) => rest,
        _ => folded,
    }
}

/// The normalised forms under which a name is filed: itself, less a leading "the"; without the
/// titles before it, where two words are left; without the legal form behind it; and with parted
/// initials joined ("j k rowling", "jk rowling"). The first is the name itself.
#[must_use]
pub fn name_forms(name: &str) -> Vec<String> {
    let folded = fold_name(name);
    if folded.is_empty() {
        return Vec::new();
    }
    let mut forms = vec![without_article(&folded).to_owned()];
    let words: Vec<&str> = without_article(&folded).split(' ').collect();
    let mut start = 0;
    let mut extra = Vec::new();
    while words.len() - start > 2 && class(words[start]).has(WordClass::TITLE) {
        start += 1;
    }
    if start > 0 {
        extra.push(words[start..].join(" "));
    }
    if words.len() - start > 1 && LEGAL_FORMS.contains(&words[words.len() - 1]) {
        extra.push(words[start..words.len() - 1].join(" "));
    }
    let initials = words[start..]
        .iter()
        .take_while(|w| w.chars().count() == 1)
        .count();
    if initials > 1 && start + initials < words.len() {
        let joined = words[start..start + initials].concat();
        extra.push(format!("{joined} {}", words[start + initials..].join(" ")));
    }
    for form in extra {
        if !forms.contains(&form) {
            forms.push(form);
        }
    }
    forms
}

/// Collects names, then builds an [`EntityIndex`].
#[derive(Debug, Default)]
pub struct EntityIndexBuilder {
    words: FxHashMap<Box<str>, u32>,
    /// Word ids of all names, one after the other.
    sequences: Vec<u32>,
    /// First word id, number of words, entity, lower-case flag.
    names: Vec<(u32, u32, u32, bool)>,
    text: usize,
}

impl EntityIndexBuilder {
    /// A builder without names.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Files `name` for `entity`. A name without a letter or digit is passed over, and so is
    /// everything after 4 GiB of text ([`Self::is_full`]).
    pub fn add(&mut self, name: &str, entity: u32) {
        let lower = !name.chars().any(char::is_uppercase);
        for form in name_forms(name) {
            if self.is_full() {
                return;
            }
            self.text += form.len();
            let first = self.sequences.len() as u32;
            for word in form.split(' ') {
                let next = self.words.len() as u32;
                let id = match self.words.get(word) {
                    Some(&id) => id,
                    None => *self.words.entry(word.into()).or_insert(next),
                };
                self.sequences.push(id);
            }
            self.names
                .push((first, self.sequences.len() as u32 - first, entity, lower));
        }
    }

    /// Whether the index can take no more names.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.text > (u32::MAX - (1 << 20)) as usize
    }

    /// The index of all names added, the same whatever order they came in.
    #[must_use]
    pub fn build(mut self) -> EntityIndex {
        let mut sections = blank();
        let words = self.sort_words();
        let sequences = std::mem::take(&mut self.sequences);
        let sequence =
            |name: &(u32, u32, u32, bool)| &sequences[name.0 as usize..(name.0 + name.1) as usize];
        self.names
            .sort_unstable_by(|a, b| sequence(a).cmp(sequence(b)).then(a.2.cmp(&b.2)));

        write_words(&mut sections, &words);
        let mut distinct: Vec<&[u32]> = Vec::new();
        write_names(&mut sections, &self.names, &words, sequence, &mut distinct);
        write_trie(&mut sections, &distinct, words.len());
        write_postings(&mut sections, &self.names, words.len(), sequence);
        write_signatures(&mut sections);
        finish(&sections)
    }

    /// Words in byte order; the sequences are renumbered to match.
    fn sort_words(&mut self) -> Vec<Box<str>> {
        let mut words: Vec<(Box<str>, u32)> = std::mem::take(&mut self.words).into_iter().collect();
        words.sort_unstable();
        let mut rank = vec![0_u32; words.len()];
        for (new, (_, old)) in words.iter().enumerate() {
            rank[*old as usize] = new as u32;
        }
        for id in &mut self.sequences {
            *id = rank[*id as usize];
        }
        words.into_iter().map(|(word, _)| word).collect()
    }
}

type Sections = [Vec<u8>; 16];

fn finish(sections: &Sections) -> EntityIndex {
    let bytes = assemble(sections);
    let layout: Layout = match parse(&bytes) {
        Ok(layout) => layout,
        Err(error) => unreachable!("a buffer just assembled does not parse: {error}"),
    };
    EntityIndex::from_parts(Arc::new(bytes), layout)
}

fn put(sections: &mut Sections, section: Section, value: u32) {
    sections[section as usize].extend_from_slice(&value.to_le_bytes());
}

fn write_words(sections: &mut Sections, words: &[Box<str>]) {
    let slots = (words.len() * 5 / 4 + 1).next_power_of_two();
    let mut table = vec![(0_u32, 0_u32); slots];
    put(sections, Section::WordOffset, 0);
    for (id, word) in words.iter().enumerate() {
        sections[Section::WordBytes as usize].extend_from_slice(word.as_bytes());
        let end = sections[Section::WordBytes as usize].len() as u32;
        put(sections, Section::WordOffset, end);
        let hash = hash_word(word);
        let mut at = hash as usize & (slots - 1);
        while table[at].0 != 0 {
            at = (at + 1) & (slots - 1);
        }
        table[at] = (id as u32 + 1, (hash >> 32) as u32);
    }
    for (id, print) in table {
        put(sections, Section::WordSlots, id);
        put(sections, Section::WordSlots, print);
    }
}

fn write_names<'a>(
    sections: &mut Sections,
    names: &[(u32, u32, u32, bool)],
    words: &[Box<str>],
    sequence: impl Fn(&(u32, u32, u32, bool)) -> &'a [u32],
    distinct: &mut Vec<&'a [u32]>,
) {
    put(sections, Section::NameOffset, 0);
    put(sections, Section::NameEntities, 0);
    let mut at = 0;
    while at < names.len() {
        let key = sequence(&names[at]);
        let mut flags = 0_u8;
        let mut last = None;
        while at < names.len() && sequence(&names[at]) == key {
            flags |= u8::from(names[at].3);
            if last != Some(names[at].2) {
                put(sections, Section::Entities, names[at].2);
                last = Some(names[at].2);
            }
            at += 1;
        }
        let text = &mut sections[Section::NameBytes as usize];
        for (i, &word) in key.iter().enumerate() {
            if i > 0 {
                text.push(b' ');
            }
            text.extend_from_slice(words[word as usize].as_bytes());
        }
        let end = text.len() as u32;
        put(sections, Section::NameOffset, end);
        let listed = (sections[Section::Entities as usize].len() / 4) as u32;
        put(sections, Section::NameEntities, listed);
        sections[Section::NameFlags as usize].push(flags);
        distinct.push(key);
    }
}

/// Nodes level by level, so that the children of a node are consecutive and nodes need no list.
fn write_trie(sections: &mut Sections, names: &[&[u32]], words: usize) {
    let mut roots = vec![0_u32; words];
    let mut level: Vec<(u32, u32)> = Vec::new();
    let mut nodes = 0_u32;
    for group in groups(names, 0..names.len() as u32, 0) {
        roots[names[group.0 as usize][0] as usize] = nodes + 1;
        put(sections, Section::NodeWord, names[group.0 as usize][0]);
        level.push(group);
        nodes += 1;
    }
    for root in roots {
        put(sections, Section::RootChild, root);
    }
    let mut depth = 1;
    while !level.is_empty() {
        let mut next = Vec::new();
        for &(from, to) in &level {
            put(sections, Section::NodeChildren, nodes);
            let ends = names[from as usize].len() == depth;
            put(sections, Section::NodeName, if ends { from + 1 } else { 0 });
            for group in groups(names, from + u32::from(ends)..to, depth) {
                put(sections, Section::NodeWord, names[group.0 as usize][depth]);
                next.push(group);
                nodes += 1;
            }
        }
        level = next;
        depth += 1;
    }
    put(sections, Section::NodeChildren, nodes);
}

/// Ranges of names that share the word at `depth`.
fn groups(names: &[&[u32]], range: std::ops::Range<u32>, depth: usize) -> Vec<(u32, u32)> {
    let mut out: Vec<(u32, u32)> = Vec::new();
    let mut last = None;
    for i in range {
        let word = names[i as usize][depth];
        match out.last_mut() {
            Some(group) if last == Some(word) => group.1 = i + 1,
            _ => out.push((i, i + 1)),
        }
        last = Some(word);
    }
    out
}

fn write_postings<'a>(
    sections: &mut Sections,
    names: &[(u32, u32, u32, bool)],
    words: usize,
    sequence: impl Fn(&(u32, u32, u32, bool)) -> &'a [u32],
) {
    let mut by_entity: Vec<usize> = (0..names.len()).collect();
    by_entity.sort_by_key(|&i| names[i].2);
    let mut counts = vec![0_u8; words];
    let mut lasts = vec![None; words];
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    for i in by_entity {
        let entity = names[i].2;
        for &word in sequence(&names[i]) {
            let at = word as usize;
            if usize::from(counts[at]) < MAX_CANDIDATES && lasts[at] != Some(entity) {
                counts[at] += 1;
                lasts[at] = Some(entity);
                pairs.push((word, entity));
            }
        }
    }
    pairs.sort_unstable();
    let mut end = 0;
    put(sections, Section::WordPostings, 0);
    for count in counts {
        end += u32::from(count);
        put(sections, Section::WordPostings, end);
    }
    for (_, entity) in pairs {
        put(sections, Section::Postings, entity);
    }
}

fn write_signatures(sections: &mut Sections) {
    let count = sections[Section::NameFlags as usize].len();
    let ids = id_bits(count);
    let offsets = std::mem::take(&mut sections[Section::NameOffset as usize]);
    let texts = std::mem::take(&mut sections[Section::NameBytes as usize]);
    let mut chars: Vec<char> = Vec::new();
    let mut each = |sink: &mut dyn FnMut(u32, u64)| {
        let end = |i: usize| {
            offsets
                .get(i * 4..i * 4 + 4)
                .and_then(|b| b.try_into().ok())
                .map_or(0, u32::from_le_bytes)
        };
        for name in 0..count {
            chars.clear();
            let text = &texts[end(name) as usize..end(name + 1) as usize];
            chars.extend(std::str::from_utf8(text).unwrap_or_default().chars());
            signatures(&chars, |signature| sink(name as u32, signature));
        }
    };
    let mut total = 0_usize;
    each(&mut |_, _| total += 1);
    let buckets = (total / 5).next_power_of_two();
    let mut starts = vec![0_u32; buckets + 1];
    each(&mut |_, signature| starts[place(signature, buckets, ids).0 + 1] += 1);
    for i in 0..buckets {
        starts[i + 1] += starts[i];
    }
    let mut next = starts.clone();
    let mut entries = vec![0_u8; total * 4];
    each(&mut |name, signature| {
        let (bucket, print) = place(signature, buckets, ids);
        let at = next[bucket] as usize * 4;
        next[bucket] += 1;
        entries[at..at + 4].copy_from_slice(&(print | name).to_le_bytes());
    });
    for start in starts {
        put(sections, Section::Buckets, start);
    }
    sections[Section::NameOffset as usize] = offsets;
    sections[Section::NameBytes as usize] = texts;
    sections[Section::BucketNames as usize] = entries;
}
