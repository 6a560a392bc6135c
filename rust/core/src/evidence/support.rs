//! How much of a sentence the evidence supports.

use rustc_hash::FxHashSet;

use crate::claims::ContentWord;
use crate::types::{Quantity, QuantityKind, Span};

use super::set::EvidenceSet;

/// What is asked about.
#[derive(Debug, Clone, Copy)]
pub struct Query<'a> {
    /// Content words of the sentence.
    pub words: &'a [ContentWord],
    /// Numbers of the sentence.
    pub quantities: &'a [Quantity],
    /// Stems that the question or the dialogue holds: neither novel nor evidence.
    pub known: &'a FxHashSet<u64>,
}

/// How much of a sentence the evidence supports, and where.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Support {
    /// 0 (nothing) to 1 (every word in one place, in the same company).
    pub score: f64,
    /// Passage of the best sentence.
    pub passage: Option<usize>,
    /// The best sentence, from the start of its passage.
    pub span: Span,
    /// Share of the words' weight that is nowhere in the evidence, 0..=1.
    pub novelty: f64,
    /// Share of the words' weight that one window of two sentences covers, 0..=1.
    pub coverage: f64,
    /// Share of neighbouring content words that stand together in some sentence, 0..=1.
    pub pairs: f64,
    /// Words that are nowhere in the evidence.
    pub novel: Vec<Span>,
    /// Numbers that are nowhere in the evidence.
    pub novel_numbers: usize,
    /// Content words looked at.
    pub words: usize,
}

/// Weight of the three parts of the score, and what a novel number or name costs.
const NOVELTY: f64 = 0.35;
const COVERAGE: f64 = 0.40;
const PAIRS: f64 = 0.25;
const NUMBER: f64 = 0.20;
const NAME: f64 = 0.05;
/// A word that only shares its first letters with one of the evidence is half novel.
const RELATED: f64 = 0.5;
/// Names and numbers weigh more than other words.
const PROPER: f64 = 1.25;
/// A word in more sentences than this says nothing about which of them it comes from.
const FREQUENT: usize = 64;

struct Word<'a> {
    word: &'a ContentWord,
    weight: f64,
    /// Share of it that is novel: 0, [`RELATED`] or 1.
    novel: f64,
    frequent: bool,
}

impl EvidenceSet {
    /// How much of the sentence the passages support: soft novelty, the best window of two
    /// sentences, and neighbouring words that stand together, less novel numbers and names.
    /// Rare words weigh more. Linear in the words; a sentence without content words is supported.
    #[must_use]
    pub fn support(&self, query: &Query<'_>) -> Support {
        let words = self.weighted(query);
        let total: f64 = words.iter().map(|word| word.weight).sum();
        let mut support = Support {
            score: 1.0,
            pairs: 1.0,
            words: words.len(),
            ..Support::default()
        };
        support.coverage = 1.0;
        if words.is_empty() || total <= 0.0 {
            return support;
        }
        support.novelty = words
            .iter()
            .map(|word| word.weight * word.novel)
            .sum::<f64>()
            / total;
        support.novel = words
            .iter()
            .filter(|w| w.novel >= 1.0)
            .map(|w| w.word.span)
            .collect();
        self.cover(&words, total, &mut support);
        support.pairs = self.pairs(&words).unwrap_or(1.0 - support.novelty);
        support.novel_numbers = query
            .quantities
            .iter()
            .filter(|q| !matches!(q.kind, QuantityKind::Label | QuantityKind::Ordinal))
            .filter(|q| !self.has_quantity(q))
            .count();
        let names = words
            .iter()
            .filter(|w| w.novel >= 1.0 && w.word.name)
            .count();
        let score =
            NOVELTY * (1.0 - support.novelty) + COVERAGE * support.coverage + PAIRS * support.pairs
                - NUMBER * support.novel_numbers.min(2) as f64
                - NAME * names.min(2) as f64;
        support.score = score.clamp(0.0, 1.0);
        support
    }

    fn weighted<'a>(&self, query: &Query<'a>) -> Vec<Word<'a>> {
        let sentences = self.sentences() as f64;
        let idf = |df: f64| (1.0 + sentences / (df + 0.5)).ln();
        let top = idf(0.0).max(f64::MIN_POSITIVE);
        let mut seen = FxHashSet::default();
        query
            .words
            .iter()
            .filter(|word| seen.insert(word.stem))
            .filter_map(|word| {
                let df: usize = self
                    .passages()
                    .iter()
                    .map(|p| p.data().sentences_with(word.stem).len())
                    .sum();
                // A novel number counts once, by what it costs.
                if df == 0 && (word.number || query.known.contains(&word.stem)) {
                    return None;
                }
                let related = || self.passages().iter().any(|p| p.data().has_root(word.root));
                let novel = if df > 0 {
                    0.0
                } else if !word.name && !word.number && related() {
                    RELATED
                } else {
                    1.0
                };
                let proper = if word.name || word.number {
                    PROPER
                } else {
                    1.0
                };
                let weight = proper * idf(df as f64) / top;
                Some(Word {
                    word,
                    weight,
                    novel,
                    frequent: df > FREQUENT,
                })
            })
            .collect()
    }

    /// Best window of two sentences, and best sentence.
    fn cover(&self, words: &[Word<'_>], total: f64, support: &mut Support) {
        let everywhere: f64 = words.iter().filter(|w| w.frequent).map(|w| w.weight).sum();
        let mut best_window = 0.0_f64;
        let mut best_sentence = 0.0_f64;
        for (at, passage) in self.passages().iter().enumerate() {
            let data = passage.data();
            let mut hits: Vec<(u32, u32, bool)> = Vec::new();
            for (number, word) in (0_u32..).zip(words) {
                if word.frequent {
                    continue;
                }
                for sentence in data.sentences_with(word.word.stem) {
                    // In the window that starts here, and in the one before.
                    hits.push((*sentence, number, true));
                    if let Some(before) = sentence.checked_sub(1) {
                        hits.push((before, number, false));
                    }
                }
            }
            hits.sort_unstable_by_key(|(window, word, own)| (*window, *word, !*own));
            for window in hits.chunk_by(|a, b| a.0 == b.0) {
                let (mut covered, mut own) = (everywhere, everywhere);
                for (i, (_, word, here)) in window.iter().enumerate() {
                    let weight = words[*word as usize].weight;
                    if i == 0 || window[i - 1].1 != *word {
                        covered += weight;
                        if *here {
                            own += weight;
                        }
                    }
                }
                best_window = best_window.max(covered);
                if own > best_sentence {
                    best_sentence = own;
                    support.passage = Some(at);
                    support.span = data
                        .sentences()
                        .get(window[0].0 as usize)
                        .copied()
                        .unwrap_or_default();
                }
            }
        }
        support.coverage = (best_window.max(everywhere) / total).min(1.0);
    }

    /// Share of neighbouring content words that stand together in some sentence.
    fn pairs(&self, words: &[Word<'_>]) -> Option<f64> {
        let (mut all, mut met) = (0_u32, 0_u32);
        for pair in words.windows(2) {
            all += 1;
            let (a, b) = (pair[0].word.stem, pair[1].word.stem);
            let together = pair.iter().all(|w| w.novel == 0.0)
                && (pair[0].frequent
                    || pair[1].frequent
                    || self.passages().iter().any(|p| {
                        intersect(p.data().sentences_with(a), p.data().sentences_with(b))
                    }));
            met += u32::from(together);
        }
        (all > 0).then(|| f64::from(met) / f64::from(all))
    }
}

/// Whether two ascending lists share a number.
fn intersect(a: &[u32], b: &[u32]) -> bool {
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => return true,
        }
    }
    false
}
