//! One passage and its index.

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashSet;

use super::memo::Memo;
use super::otherwise::with_sign;
use super::postings::Postings;
use super::reached::pair;
use super::scales::Scale;
use super::sequence::{Class, Parts, Sequence, words_of};
use super::times::Times;
use super::week::Schedules;
use crate::claims::{
    QuantityContext, Reached, content_word, denied_words, quantity_context, word_hash,
};
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::tables::frames;
use crate::normal::{Seen, fold};
use crate::segment::{Clock, SegEvent, Segmenter, Together, clocks, together};
use crate::types::{
    DateExpr, Evidence, EvidenceKind, LexFlags, LexKind, Lexeme, Quantity, QuantityKind, Span,
};

/// Sentences with a stem that are looked at where sentences are sought by several.
const LOOKED_AT: usize = 256;

/// A number of a passage.
#[derive(Debug, Clone, Copy)]
pub struct Counted {
    /// The number; its span counts from the start of the passage.
    pub quantity: Quantity,
    /// What it counts.
    pub context: QuantityContext,
    /// Number of its sentence in the passage.
    pub sentence: u32,
    /// How it goes with the number before or behind it, with "to" between.
    pub reached: Reached,
}

/// A date of a passage.
#[derive(Debug, Clone, Copy)]
pub struct Dated {
    /// The date; its span counts from the start of the passage.
    pub date: DateExpr,
    /// What happened then.
    pub context: QuantityContext,
    /// Number of its sentence in the passage.
    pub sentence: u32,
    /// Days that it is one of.
    pub together: Option<Together>,
}

/// What is known of a passage's text; the same for every use of the text.
#[derive(Debug)]
pub struct PassageIndex {
    text: Seen,
    sentences: Vec<Span>,
    continued: FxHashSet<u32>,
    negated: FxHashSet<u32>,
    /// Where negations stand, and words and marks that part clauses, with whether they set them
    /// against each other.
    negations: Vec<usize>,
    joints: Vec<(usize, bool)>,
    /// Sentences that deny something outright, and its words.
    denials: Vec<(u32, Vec<u64>)>,
    stems: Postings,
    roots: FxHashSet<u64>,
    tokens: Vec<u64>,
    positions: Postings,
    sequence: Sequence,
    /// Numbers in order.
    pub quantities: Vec<Counted>,
    /// Dates in order.
    pub dates: Vec<Dated>,
    /// Times of day in order, in digits and words.
    pub clocks: Vec<Clock>,
    schedules: OnceLock<Schedules>,
    pub(super) times: OnceLock<Box<Times>>,
    pub(super) scales: OnceLock<Vec<Scale>>,
    pub(super) read: Memo,
}

/// A piece of evidence: its index, what it is and where it comes from.
#[derive(Debug, Clone)]
pub struct Passage {
    /// The caller's name for it.
    pub id: String,
    /// What it is.
    pub kind: EvidenceKind,
    /// Whether it can be looked up again (S4-036).
    pub verifiable: bool,
    index: Arc<PassageIndex>,
}

impl Passage {
    /// Indexes a passage.
    #[must_use]
    pub fn index(id: &str, text: &str) -> Arc<Self> {
        Self::of(id, EvidenceKind::Passage, Arc::new(PassageIndex::new(text)))
    }

    /// A passage over an index made before.
    #[must_use]
    pub fn of(id: &str, kind: EvidenceKind, index: Arc<PassageIndex>) -> Arc<Self> {
        Arc::new(Self {
            id: id.to_owned(),
            kind,
            verifiable: true,
            index,
        })
    }

    /// Its index.
    #[must_use]
    pub fn data(&self) -> &PassageIndex {
        &self.index
    }

    /// Its text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.index.text
    }

    /// A sentence of it as evidence of a finding; `place` is what of it tells.
    #[must_use]
    pub(crate) fn cited(&self, sentence: Span, place: Span) -> Evidence {
        let text = self.text().get(sentence.start..sentence.end);
        let (start, end) = self.index.text.place(place.start, place.end);
        Evidence {
            kind: self.kind,
            source: Some(self.id.clone()),
            locator: Some(format!("bytes {start}..{end}")),
            text: text.unwrap_or("").to_owned(),
            quality: 1.0,
            data: serde_json::Value::Null,
        }
    }
}

/// Collects what the segmenter reports of one passage.
#[derive(Default)]
struct Indexer<'a> {
    text: &'a str,
    raw: String,
    lexemes: Vec<Lexeme>,
    sentences: Vec<Span>,
    continued: FxHashSet<u32>,
    negated: FxHashSet<u32>,
    negations: Vec<usize>,
    joints: Vec<(usize, bool)>,
    stems: Vec<(u64, u32)>,
    roots: FxHashSet<u64>,
    tokens: Vec<u64>,
    words: Vec<(u64, u32, Class)>,
    quantities: Vec<Quantity>,
    dates: Vec<DateExpr>,
}

impl Indexer<'_> {
    fn lexeme(&mut self, lexeme: Lexeme, word: &str) {
        self.lexemes.push(lexeme);
        // Names read it so.
        if word == "&" {
            self.tokens.push(word_hash("and"));
        }
        if word == ";" {
            self.joints.push((lexeme.span.start, true));
        }
        if !matches!(lexeme.kind, LexKind::Word | LexKind::Number) {
            return;
        }
        let parts = Parts::of(word);
        self.tokens.extend(parts.words().map(word_hash));
        if lexeme.flags.has(LexFlags::SENTENCE_START) {
            let pronoun = Cue::PRONOUN_PERSON
                .or(Cue::PRONOUN_THING)
                .or(Cue::PRONOUN_GROUP)
                .or(Cue::POSSESSIVE);
            if cue(parts.joined()).is(pronoun) {
                self.continued.insert(self.sentences.len() as u32);
            }
        }
        self.raw.clear();
        fold(word, &mut self.raw);
        let classes = cue(&self.raw);
        if classes.is(Cue::NEGATION) || self.raw == "no" || self.raw.ends_with("n't") {
            self.negated.insert(self.sentences.len() as u32);
            self.negations.push(lexeme.span.start);
        } else if frames().has("against", &self.raw) {
            self.joints.push((lexeme.span.start, true));
        } else if self.raw == "and" {
            self.joints.push((lexeme.span.start, false));
        }
        // The sentence that is open has the number of those closed.
        let (words, sentence) = (&mut self.words, self.sentences.len() as u32);
        words_of(&lexeme, word, &parts, &mut |said| {
            words.push((said.stem, sentence, said.class));
        });
        if let Some(word) = content_word(&lexeme, &self.raw, classes) {
            self.stems.push((word.stem, self.sentences.len() as u32));
            if word.root != 0 {
                self.roots.insert(word.root);
            }
        }
    }

    fn denials(&self) -> Vec<(u32, Vec<u64>)> {
        let mut sentences: Vec<u32> = self.negated.iter().copied().collect();
        sentences.sort_unstable();
        let denied = |sentence: u32| {
            let span = self.sentences.get(sentence as usize)?;
            let start = self.lexemes.partition_point(|l| l.span.start < span.start);
            let end = self.lexemes.partition_point(|l| l.span.start < span.end);
            let own = self.lexemes.get(start..end)?;
            let words = denied_words(own, |l| {
                self.text.get(l.span.start..l.span.end).unwrap_or("")
            });
            (!words.is_empty()).then_some((sentence, words))
        };
        sentences.into_iter().filter_map(denied).collect()
    }

    fn sentence_of(&self, span: Span) -> u32 {
        let at = self
            .sentences
            .partition_point(|sentence| sentence.end <= span.start);
        at.min(self.sentences.len().saturating_sub(1)) as u32
    }

    fn context(&self, span: Span) -> QuantityContext {
        quantity_context(&self.lexemes, span, |span| {
            self.text.get(span.start..span.end).unwrap_or("")
        })
    }
}

impl PassageIndex {
    /// Indexes a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let seen = Seen::of(text);
        let text = &*seen;
        let mut indexer = Indexer {
            text,
            ..Indexer::default()
        };
        let mut segmenter = Segmenter::new();
        {
            let mut sink = |event: SegEvent, word: &str| match event {
                SegEvent::Lexeme(lexeme) => indexer.lexeme(lexeme, word),
                SegEvent::Quantity(own) => indexer.quantities.push(with_sign(text, own)),
                SegEvent::Date(date) => indexer.dates.push(date),
                SegEvent::Sentence(sentence) => indexer.sentences.push(sentence.span),
            };
            segmenter.push(text, &mut sink);
            segmenter.finish(&mut sink);
        }
        let mut quantities: Vec<Counted> = indexer
            .quantities
            .iter()
            .filter(|quantity| quantity.kind != QuantityKind::Label)
            .map(|quantity| Counted {
                quantity: *quantity,
                context: indexer.context(quantity.span),
                sentence: indexer.sentence_of(quantity.span),
                reached: Reached::Range,
            })
            .collect();
        pair(&mut quantities, text);
        let days = together(&indexer.dates, |span| {
            text.get(span.start..span.end).unwrap_or("")
        });
        let dates = (indexer.dates.iter().enumerate())
            .map(|(at, date)| Dated {
                date: *date,
                context: indexer.context(date.span),
                sentence: indexer.sentence_of(date.span),
                together: (days.iter().copied()).find(|days| (days.from..days.to).contains(&at)),
            })
            .collect();
        let positions = (0_u32..)
            .zip(&indexer.tokens)
            .map(|(at, token)| (*token, at))
            .collect();
        let denials = indexer.denials();
        Self {
            text: seen.clone(),
            sentences: indexer.sentences,
            continued: indexer.continued,
            negated: indexer.negated,
            negations: indexer.negations,
            joints: indexer.joints,
            denials,
            stems: Postings::build(indexer.stems),
            roots: indexer.roots,
            tokens: indexer.tokens,
            positions: Postings::build(positions),
            sequence: Sequence::new(indexer.words),
            quantities,
            dates,
            clocks: clocks(text),
            schedules: OnceLock::new(),
            times: OnceLock::new(),
            scales: OnceLock::new(),
            read: Memo::default(),
        }
    }

    /// Its text, as it is read.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The same as it was given.
    pub(super) fn given(&self) -> &str {
        self.text.given()
    }

    /// Its sentences in order.
    #[must_use]
    pub fn sentences(&self) -> &[Span] {
        &self.sentences
    }

    /// One of its sentences: where it stands and what it says.
    #[must_use]
    pub fn sentence(&self, sentence: u32) -> Option<(Span, &str)> {
        let span = *self.sentences.get(sentence as usize)?;
        Some((span, self.text.get(span.start..span.end)?))
    }

    /// Its weekly schedules, read when they are first asked for.
    #[must_use]
    pub fn schedules(&self) -> &Schedules {
        let read = || Schedules::read(&self.text, &self.sentences);
        self.schedules.get_or_init(read)
    }

    /// Sentences that hold a word of that stem, ascending.
    #[must_use]
    pub fn sentences_with(&self, stem: u64) -> &[u32] {
        self.stems.get(stem)
    }

    /// Its words in order.
    pub(super) fn sequence(&self) -> &Sequence {
        &self.sequence
    }

    /// All stems, in no particular order.
    pub fn stems(&self) -> impl Iterator<Item = u64> {
        self.stems.hashes()
    }

    /// Whether the sentence holds the stem, or the one before it where the sentence opens with a
    /// pronoun ("It has 14 rooms").
    #[must_use]
    pub fn is_about(&self, sentence: u32, stem: u64) -> bool {
        let held = self.sentences_with(stem);
        held.binary_search(&sentence).is_ok()
            || (self.continued.contains(&sentence)
                && sentence
                    .checked_sub(1)
                    .is_some_and(|before| held.binary_search(&before).is_ok()))
    }

    /// Sentences that hold all of the stems but at most one, the fullest first, at most `most` of
    /// them; none for fewer than two stems. Of stems that stand in many sentences the first 256
    /// are looked at.
    #[must_use]
    pub fn sentences_like(&self, stems: &[u64], most: usize) -> Vec<u32> {
        let mut postings: Vec<&[u32]> = stems.iter().map(|s| self.sentences_with(*s)).collect();
        postings.sort_unstable_by_key(|held| held.len());
        if postings.len() < 2 {
            return Vec::new();
        }
        // One of the two rarest has to be there.
        let rare = postings.iter().take(2).flat_map(|held| held.iter());
        let mut seen: Vec<u32> = rare.take(LOOKED_AT).copied().collect();
        seen.sort_unstable();
        seen.dedup();
        let missing = |sentence: u32| {
            let lacks = |held: &&&[u32]| held.binary_search(&sentence).is_err();
            postings.iter().filter(lacks).count()
        };
        let mut found: Vec<(usize, u32)> = seen
            .into_iter()
            .map(|sentence| (missing(sentence), sentence))
            .filter(|(missing, _)| *missing <= 1)
            .collect();
        found.sort_unstable();
        found.into_iter().take(most).map(|(_, at)| at).collect()
    }

    /// Whether the sentence holds a negation.
    #[must_use]
    pub fn is_negated(&self, sentence: u32) -> bool {
        self.negated.contains(&sentence)
    }

    /// Sentences that deny something outright, with the stems of its words in order.
    pub(crate) fn denials(&self) -> &[(u32, Vec<u64>)] {
        &self.denials
    }

    /// Whether what stands at a place of a sentence is denied there: by a negation with no clause
    /// between. What goes before holds of what "and" adds to it, and not the other way round ("does
    /// not cost $5 and last 3 days", "lasts 3 days and needs no card").
    #[must_use]
    pub fn is_denied(&self, sentence: u32, place: Span) -> bool {
        let Some(own) = self.sentences.get(sentence as usize) else {
            return false;
        };
        if !self.is_negated(sentence) {
            return false;
        }
        let from = self.negations.partition_point(|at| *at < own.start);
        let to = self.negations.partition_point(|at| *at < own.end);
        let parted = |negation: usize| {
            let within = negation.min(place.start)..negation.max(place.start);
            let from = self.joints.partition_point(|(at, _)| *at < within.start);
            let joints = self.joints[from..].iter();
            let mut joints = joints.take_while(|(at, _)| *at < within.end);
            joints.any(|(_, against)| *against || negation > place.start)
        };
        self.negations[from..to].iter().any(|at| !parted(*at))
    }

    /// Whether the second word follows the first somewhere. A word that stands in more than 64
    /// places is looked at in the first of them.
    #[must_use]
    pub fn has_neighbours(&self, first: u64, second: u64) -> bool {
        let a = self.positions.get(first);
        if a.is_empty() {
            return false;
        }
        let b = self.positions.get(second);
        let at = |place: usize, word: u64| self.tokens.get(place) == Some(&word);
        if a.len() <= b.len() {
            a.iter().take(64).any(|p| at(*p as usize + 1, second))
        } else {
            b.iter()
                .take(64)
                .any(|p| *p > 0 && at(*p as usize - 1, first))
        }
    }

    /// Whether a word starts with the letters of that root.
    #[must_use]
    pub fn has_root(&self, root: u64) -> bool {
        root != 0 && self.roots.contains(&root)
    }

    /// Whether the words (hashes of folded sub-words) stand there one after the other.
    #[must_use]
    pub fn has_sequence(&self, words: &[u64]) -> bool {
        let Some((first, rest)) = words.split_first() else {
            return false;
        };
        self.positions.get(*first).iter().any(|at| {
            let from = *at as usize + 1;
            self.tokens
                .get(from..from + rest.len())
                .is_some_and(|tokens| tokens == rest)
        })
    }

    /// Whether the word stands there.
    #[must_use]
    pub fn has_token(&self, word: u64) -> bool {
        !self.positions.get(word).is_empty()
    }

    /// Words of the passage.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Whether it holds no word.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }
}
