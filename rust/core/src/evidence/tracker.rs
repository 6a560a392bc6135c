//! Follows a stream word by word and keeps the features of its open sentence.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

use crate::claims::{content_word, named_word, word_hash};
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::grounding::{LONGEST, Phrase, phrase_ending, phrase_word};
use crate::normal::fold;
use crate::types::{LexFlags, LexKind, Lexeme, Quantity, QuantityKind, Span};

use super::coverage::FREQUENT;
use super::detail::{Detail, Details, Nearest};
use super::passage::Passage;
use super::rarity::rarity;
use super::sequence::{Class, Parts, words_of};
use super::set::EvidenceSet;
use lines::{FIRST_LINE, Lines};
use pairs::{Previous, together};
use sums::{FINE, Sums, Worst, share};

mod lines;
mod pairs;
mod read;
mod sums;

/// A word that only shares its first letters with one of the evidence is half novel.
const RELATED: f64 = 0.5;
/// Names and numbers weigh more than other words.
const PROPER: f64 = 1.25;
/// Share of the earlier words' weight that one more content word leaves in `recent`.
const DECAY: f64 = 0.7;
/// Parts of one word that are looked for beside each other.
const NEIGHBOURS: usize = 8;
/// Passages whose sentences are listed without memory of their own.
const FEW: usize = 8;
/// Names and numbers that are looked for in the best sentence.
const MOVABLE: usize = 12;

/// What of a sentence is kept beside the sums.
#[derive(Debug, Clone)]
struct Open {
    sums: Sums,
    clause: Sums,
    worst: Worst,
    seen: FxHashSet<u64>,
    previous: Option<Previous>,
    pairs: u32,
    pairs_met: u32,
    last_token: Option<u64>,
    neighbours: u32,
    copied: u32,
    run: u32,
    longest_run: u32,
    asked: u32,
    content: u32,
    numbers: u32,
    names: u32,
    movable: Vec<(u64, bool)>,
    phrases: Phrase,
    last_words: [u64; LONGEST],
    word_count: u32,
    negated: bool,
    reader: bool,
    imperative: bool,
    asks: bool,
    colon: bool,
    example_mass: f64,
    recent: f64,
}

impl Default for Open {
    fn default() -> Self {
        Self {
            sums: Sums::default(),
            clause: Sums::default(),
            worst: FINE,
            seen: FxHashSet::default(),
            previous: None,
            pairs: 0,
            pairs_met: 0,
            last_token: None,
            neighbours: 0,
            copied: 0,
            run: 0,
            longest_run: 0,
            asked: 0,
            content: 0,
            numbers: 0,
            names: 0,
            movable: Vec::new(),
            phrases: Phrase::default(),
            last_words: [0; LONGEST],
            word_count: 0,
            negated: false,
            reader: false,
            imperative: false,
            asks: false,
            colon: false,
            example_mass: 0.0,
            recent: 0.0,
        }
    }
}

/// A sentence of which nothing was read.
static UNREAD: LazyLock<Open> = LazyLock::new(Open::default);

/// Follows a stream word by word and keeps the features of its open sentence.
///
/// What it says depends on the text read and the evidence alone. Every call takes time in the
/// number of sentences of the evidence that hold the word, at most 64, times the passages.
#[derive(Debug, Clone)]
pub struct Tracker {
    /// From the first word on: without evidence there is none.
    open: Option<Box<Open>>,
    details: Details,
    lines: Lines,
    /// As they were when the open sentence began.
    fresh_lines: Lines,
    sentences: u32,
    before: f64,
    novel: f64,
    total: f64,
}

impl Default for Tracker {
    fn default() -> Self {
        Self {
            open: None,
            details: Details::default(),
            lines: FIRST_LINE,
            fresh_lines: FIRST_LINE,
            sentences: 0,
            before: 0.0,
            novel: 0.0,
            total: 0.0,
        }
    }
}

/// What a text is compared with.
#[derive(Debug, Clone, Copy)]
pub struct Against<'a> {
    /// The passages.
    pub evidence: &'a EvidenceSet,
    /// Stems that the question or the dialogue holds: neither novel nor evidence.
    pub known: &'a FxHashSet<u64>,
}

impl Tracker {
    fn open(&self) -> &Open {
        self.open.as_deref().unwrap_or_else(|| &UNREAD)
    }

    /// Reads a closed lexeme with its text; whether it was a content word.
    pub fn lexeme(&mut self, lexeme: &Lexeme, text: &str, against: &Against<'_>) -> bool {
        if lexeme.kind == LexKind::Newline {
            self.lines.fresh = true;
            self.lines.marker = None;
            if text.bytes().filter(|b| *b == b'\n').count() > 1 {
                self.lines.list = false;
            }
            return false;
        }
        if self.lines.marker(lexeme, text) || lexeme.flags.has(LexFlags::CODE) {
            return false;
        }
        if lexeme.kind == LexKind::Punct {
            self.punct(text);
            return false;
        }
        self.word(lexeme, text, against)
    }

    fn punct(&mut self, text: &str) {
        let open = self.open.get_or_insert_default();
        open.colon = text == ":";
        open.last_token = None;
        open.run = 0;
        if matches!(text, "," | ";" | ":" | "(" | ")" | "—" | "–") {
            self.end_clause();
        }
    }

    fn end_clause(&mut self) {
        let open = self.open.get_or_insert_default();
        open.worst = open.worst.and(&open.clause);
        open.clause.clear();
    }

    fn word(&mut self, lexeme: &Lexeme, text: &str, against: &Against<'_>) -> bool {
        let parts = Parts::of(text);
        let mut own = None;
        let details = &mut self.details;
        let known = words_of(lexeme, text, &parts, &mut |word| {
            own = Some(word);
            details.push(word);
        });
        let mut buffer = String::new();
        let folded = match parts.plain() {
            Some(word) => word,
            None => {
                fold(text, &mut buffer);
                &buffer
            }
        };
        let known = known.filter(|_| parts.plain().is_some());
        let classes = known.unwrap_or_else(|| cue(folded));
        if classes.is(Cue::BREAK) && self.open().clause.words >= 2 {
            self.end_clause();
        }
        self.phrases(folded, classes);
        self.neighbour(&parts, against.evidence);
        // The same word has the same stem there.
        let same = own.filter(|own| {
            parts.plain().is_some() && matches!(own.class, Class::Name | Class::Word)
        });
        let word = match same {
            Some(own) => Some(named_word(lexeme, own.stem, own.root)),
            None => content_word(lexeme, folded, classes),
        };
        let Some(word) = word else {
            return false;
        };
        let evidence = against.evidence;
        let passages = evidence.passages();
        let (mut few, many);
        let held: &[&[u32]] = if passages.len() <= FEW {
            few = [&[][..]; FEW];
            for (slot, passage) in few.iter_mut().zip(passages) {
                *slot = passage.data().sentences_with(word.stem);
            }
            &few[..passages.len()]
        } else {
            let all = passages.iter();
            many = all
                .map(|p| p.data().sentences_with(word.stem))
                .collect::<Vec<_>>();
            &many
        };
        let df: usize = held.iter().map(|sentences| sentences.len()).sum();
        let open = self.open.get_or_insert_default();
        open.content += 1;
        if df == 0 && against.known.contains(&word.stem) {
            open.asked += 1;
            return true;
        }
        let frequent = df > FREQUENT;
        let now = Previous {
            stem: word.stem,
            known: df > 0,
            frequent,
        };
        if let Some(last) = open.previous.replace(now)
            && last.stem != word.stem
        {
            open.pairs += 1;
            open.pairs_met += u32::from(together(evidence, &last, &now, held));
        }
        let proper = if word.name || word.number {
            PROPER
        } else {
            1.0
        };
        let sentences = evidence.sentences() as f64;
        let idf = |df: f64| (1.0 + sentences / (df + 0.5)).ln();
        let weight = proper * idf(df as f64) / idf(0.0).max(f64::MIN_POSITIVE);
        let related = df == 0
            && !word.name
            && !word.number
            && evidence
                .passages()
                .iter()
                .any(|p| p.data().has_root(word.root));
        let (novel, soft) = match (df == 0, related) {
            (false, _) => (0.0, 0.0),
            (true, true) => (1.0, RELATED),
            (true, false) => (1.0, 1.0),
        };
        let rare = if df == 0 && !word.number {
            rarity(word.stem)
        } else {
            1.0
        };
        // A common word that is missing takes less of the whole as well.
        let weight = weight * rare;
        let first = open.seen.insert(word.stem);
        for (sums, counts) in [(&mut open.sums, first), (&mut open.clause, true)] {
            if counts {
                sums.words += 1;
                sums.total += weight;
                sums.novel += weight * novel;
                sums.soft += weight * soft;
                sums.mass += weight * novel;
                sums.soft_mass += weight * soft;
                if df > 0 {
                    sums.coverage.add(held, df, weight);
                }
            }
        }
        open.recent = open.recent * DECAY + weight * soft;
        if !first {
            return true;
        }
        if open.phrases.is(Phrase::EXAMPLE) {
            open.example_mass += weight * soft;
        }
        if word.name {
            open.names += u32::from(df == 0);
        }
        if df > 0 && (word.name || word.number) && open.movable.len() < MOVABLE {
            open.movable.push((word.stem, word.number));
        }
        true
    }

    fn phrases(&mut self, folded: &str, classes: Cue) {
        let open = self.open.get_or_insert_default();
        open.colon = false;
        open.last_words.rotate_left(1);
        open.last_words[LONGEST - 1] = phrase_word(folded);
        open.word_count += 1;
        let held = (open.word_count as usize).min(LONGEST);
        let found = phrase_ending(&open.last_words[LONGEST - held..]);
        open.phrases = open.phrases.or(found);
        open.negated |= classes.is(Cue::NEGATION) || folded == "no" || folded.ends_with("n't");
        open.reader |= matches!(folded, "you" | "your" | "i");
        open.asks |= open.word_count == 1 && classes.is(Cue::QUESTION);
        open.imperative |= open.word_count == 1 && classes.is(Cue::IMPERATIVE);
    }

    /// Whether the word follows the one before it somewhere in the evidence.
    fn neighbour(&mut self, parts: &Parts<'_>, evidence: &EvidenceSet) {
        let open = self.open.get_or_insert_default();
        let mut last = open.last_token;
        for part in parts.words().take(NEIGHBOURS) {
            let token = word_hash(part);
            if let Some(before) = last {
                open.neighbours += 1;
                let met = evidence
                    .passages()
                    .iter()
                    .any(|p| p.data().has_neighbours(before, token));
                if met {
                    open.copied += 1;
                    open.run += 1;
                    open.longest_run = open.longest_run.max(open.run);
                } else {
                    open.run = 0;
                }
            }
            last = Some(token);
        }
        open.last_token = last;
    }

    /// Reads a closed number.
    pub fn quantity(&mut self, quantity: &Quantity, against: &Against<'_>) {
        if !matches!(quantity.kind, QuantityKind::Label | QuantityKind::Ordinal)
            && !against.evidence.has_quantity(quantity)
        {
            self.open.get_or_insert_default().numbers += 1;
        }
    }

    /// Whether the open sentence begins as a question does.
    #[must_use]
    pub fn asks(&self) -> bool {
        self.open().asks
    }

    /// The sentence of the evidence that holds most of the open one, and the share it holds.
    #[must_use]
    pub fn nearest<'a>(&self, against: &Against<'a>) -> Option<(&'a Passage, Span, f64)> {
        let sums = &self.open().sums;
        let (passage, sentence) = sums.coverage.place()?;
        let passage = against.evidence.passages().get(passage as usize)?;
        let span = passage.data().sentences().get(sentence as usize)?;
        Some((passage, *span, share(sums.coverage.best(), sums.total)))
    }

    /// What is to be said of the open sentence's words, one by one: names, numbers, other content
    /// words, pronouns and negations. Takes time in the number of words times that of the
    /// passages.
    #[must_use]
    pub fn details(&self, against: &Against<'_>) -> Vec<Detail> {
        let sums = &self.open().sums;
        let nearest = Nearest {
            place: sums.coverage.place(),
            coverage: share(sums.coverage.best(), sums.total),
        };
        self.details.read(against.evidence, against.known, nearest)
    }

    /// Content words of the open sentence.
    #[must_use]
    pub fn words(&self) -> u32 {
        self.open().content
    }

    /// Ends the open sentence.
    pub fn sentence(&mut self) {
        if let Some(open) = self.open.as_deref().filter(|open| open.sums.words > 0) {
            self.before = open.sums.novelty();
            self.novel += open.sums.novel;
            self.total += open.sums.total;
        }
        self.sentences += 1;
        self.details.close();
        self.fresh_lines = self.lines;
        self.reopen();
    }

    /// Forgets the words of the open sentence, which are then to be read again.
    pub fn reopen(&mut self) {
        self.lines = self.fresh_lines;
        self.details.clear();
        if let Some(open) = &mut self.open {
            let mut last = std::mem::take(&mut **open);
            last.sums.clear();
            last.clause.clear();
            last.seen.clear();
            last.movable.clear();
            **open = Open {
                sums: last.sums,
                clause: last.clause,
                seen: last.seen,
                movable: last.movable,
                ..Open::default()
            };
        }
    }

    /// Bytes on the heap.
    #[must_use]
    pub fn memory(&self) -> usize {
        let of = |open: &Open| {
            size_of::<Open>()
                + open.sums.coverage.memory()
                + open.clause.coverage.memory()
                + open.seen.capacity() * size_of::<u64>()
                + open.movable.capacity() * size_of::<(u64, bool)>()
        };
        self.details.memory() + self.open.as_deref().map_or(0, of)
    }
}
