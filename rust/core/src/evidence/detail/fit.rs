//! Where a sentence's words stand in the evidence, and how near to each other.

use rustc_hash::FxHashSet;

use super::super::coverage::Place;
use super::super::passage::PassageIndex;
use super::super::sequence::{Said, Sequence};
use super::super::set::EvidenceSet;

/// Places of a word that are looked at in a passage; the first ones.
pub(super) const PLACES: usize = 24;
/// Words around one that are looked for around its places.
const COMPANY: usize = 8;
/// Words within the reach but not within half of it.
const HALF_NEAR: f64 = 0.6;

/// The words around one, with their weights.
pub(super) struct Company {
    words: [(usize, f64); COMPANY],
    len: usize,
}

impl Company {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    fn total(&self) -> f64 {
        self.iter().map(|(_, weight)| weight).sum()
    }

    fn iter(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.words[..self.len].iter().copied()
    }
}

/// A content word of the sentence.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub(super) said: Said,
    /// Its number in the sentence.
    pub(super) at: usize,
    /// Its number among the content words.
    order: usize,
    /// Sentences of the evidence that hold it.
    pub(super) df: usize,
    /// Numbers of the first and the last content word of the name it is part of; its own, else.
    pub(super) mention: (usize, usize),
}

/// A sentence's words with their places in the evidence.
pub(super) struct Fit<'a> {
    pub(super) passages: Vec<&'a PassageIndex>,
    pub(super) words: &'a [Said],
    pub(super) content: Vec<Found>,
    /// By word: number among the content words.
    pub(super) order: Vec<Option<usize>>,
    /// By word, then by passage.
    places: Vec<&'a [u32]>,
    weights: Vec<f64>,
    best: Option<Place>,
}

impl<'a> Fit<'a> {
    pub(super) fn new(
        evidence: &'a EvidenceSet,
        known: &FxHashSet<u64>,
        words: &'a [Said],
        best: Option<Place>,
    ) -> Self {
        let passages: Vec<&PassageIndex> = evidence.passages().iter().map(|p| p.data()).collect();
        let sentences = evidence.sentences() as f64;
        let idf = |df: f64| (1.0 + sentences / (df + 0.5)).ln();
        let rarest = idf(0.0).max(f64::MIN_POSITIVE);
        let mut fit = Self {
            passages,
            words,
            content: Vec::with_capacity(words.len()),
            order: vec![None; words.len()],
            places: Vec::with_capacity(words.len() * evidence.passages().len()),
            weights: Vec::with_capacity(words.len()),
            best,
        };
        for (at, said) in words.iter().enumerate() {
            let content = said.class.content();
            let mut df = 0;
            for passage in &fit.passages {
                let sequence = passage.sequence();
                let places = sequence.places(said.stem);
                if content {
                    df += sentences_of(sequence, places);
                }
                fit.places.push(places);
            }
            if !content || df == 0 && known.contains(&said.stem) {
                continue;
            }
            let order = fit.content.len();
            fit.order[at] = Some(order);
            fit.content.push(Found {
                said: *said,
                at,
                order,
                df,
                mention: (order, order),
            });
            fit.weights.push(idf(df as f64) / rarest);
        }
        fit.mentions();
        fit
    }

    pub(super) fn word(&self, at: usize) -> Option<Found> {
        self.order[at].map(|order| self.content[order])
    }

    /// Places of a content word.
    pub(super) fn places(&self, order: usize, passage: usize) -> &'a [u32] {
        self.places_of(self.content[order].at, passage)
    }

    /// Places of any word.
    pub(super) fn places_of(&self, at: usize, passage: usize) -> &'a [u32] {
        self.places[at * self.passages.len() + passage]
    }

    /// The content words nearest to it that the evidence holds.
    pub(super) fn company(&self, of: &Found) -> Company {
        let mut company = Company {
            words: [(0, 0.0); COMPANY],
            len: 0,
        };
        for step in 1..self.content.len() {
            let both = [of.order.checked_sub(step), of.order.checked_add(step)];
            for order in both.into_iter().flatten() {
                let Some(other) = self.content.get(order) else {
                    continue;
                };
                let apart = order < of.mention.0 || order > of.mention.1;
                if other.df > 0 && apart && other.said.stem != of.said.stem && company.len < COMPANY
                {
                    let weight = self.weights[order] / (1.0 + step as f64).sqrt();
                    company.words[company.len] = (order, weight);
                    company.len += 1;
                }
            }
            if company.len == COMPANY {
                break;
            }
        }
        company
    }

    /// The content word before it, or before the name it is part of.
    pub(super) fn before(&self, word: &Found) -> Option<usize> {
        word.mention.0.checked_sub(1)
    }

    /// The content word after it, or after the name.
    pub(super) fn after(&self, word: &Found) -> Option<usize> {
        Some(word.mention.1 + 1).filter(|order| *order < self.content.len())
    }

    /// Numbers in the sentence of the first and the last word of the name it is part of.
    pub(super) fn ends_of(&self, word: &Found) -> (usize, usize) {
        (
            self.content[word.mention.0].at,
            self.content[word.mention.1].at,
        )
    }

    /// Share of the company that stands within `reach` of the word's best place.
    pub(super) fn near(&self, at: usize, company: &Company, reach: u32) -> f64 {
        let Some(order) = self.order[at] else {
            return 0.0;
        };
        let total = company.total();
        (0..self.passages.len())
            .map(|passage| {
                let places = self.places(order, passage);
                self.fits(passage, places, (company, total), reach)
            })
            .fold(0.0, f64::max)
    }

    /// The same for the best of other words; `None` where the evidence holds none of them.
    pub(super) fn best_of(&self, stems: &[u64], company: &Company, reach: u32) -> Option<f64> {
        let mut best = None;
        let total = company.total();
        for stem in stems {
            for (passage, index) in self.passages.iter().enumerate() {
                let places = index.sequence().places(*stem);
                if !places.is_empty() {
                    let share = self.fits(passage, places, (company, total), reach);
                    best = Some(best.map_or(share, |own: f64| own.max(share)));
                }
            }
        }
        best
    }

    fn fits(
        &self,
        passage: usize,
        places: &[u32],
        (company, total): (&Company, f64),
        reach: u32,
    ) -> f64 {
        if places.is_empty() || total <= 0.0 {
            return 0.0;
        }
        let places = &places[..places.len().min(PLACES)];
        let mut held = [0.0; PLACES];
        for (order, weight) in company.iter() {
            let others = self.places(order, passage);
            if others.is_empty() {
                continue;
            }
            let mut next = 0;
            for (held, place) in held.iter_mut().zip(places) {
                // Both ascend.
                while others.get(next).is_some_and(|other| other < place) {
                    next += 1;
                }
                let after = others.get(next).map_or(u32::MAX, |other| other - place);
                let before = next.checked_sub(1).and_then(|at| others.get(at));
                let before = before.map_or(u32::MAX, |other| place - other);
                let distance = after.min(before);
                if distance <= reach / 2 {
                    *held += weight;
                } else if distance <= reach {
                    *held += weight * HALF_NEAR;
                }
            }
        }
        let best = held[..places.len()].iter().copied().fold(0.0, f64::max);
        best / total
    }

    /// Whether it stands in the best sentence or beside it.
    pub(super) fn inside(&self, at: usize) -> bool {
        let (Some(order), Some((passage, sentence))) = (self.order[at], self.best) else {
            return false;
        };
        self.is_around(
            passage as usize,
            sentence,
            self.places(order, passage as usize),
        )
    }

    fn is_around(&self, passage: usize, sentence: u32, places: &[u32]) -> bool {
        let sequence = self.passages[passage].sequence();
        let around = sentence.saturating_sub(1)..=sentence + 1;
        places
            .iter()
            .any(|place| around.contains(&sequence.sentence(*place)))
    }

    /// Those of the stems that stand in the best sentence or beside it.
    pub(super) fn held_nearby(&self, stems: &[u64]) -> Vec<u64> {
        let Some((passage, sentence)) = self.best else {
            return Vec::new();
        };
        let sequence = self.passages[passage as usize].sequence();
        stems
            .iter()
            .copied()
            .filter(|stem| self.is_around(passage as usize, sentence, sequence.places(*stem)))
            .collect()
    }

    /// Whether it stands in one place of the evidence.
    pub(super) fn is_single(&self, at: usize) -> bool {
        self.order[at].is_some_and(|order| {
            let places = |passage| self.places(order, passage).len();
            (0..self.passages.len()).map(places).sum::<usize>() == 1
        })
    }

    /// Whether it is the last word of the sentence.
    pub(super) fn is_last(&self, at: usize) -> bool {
        at + 1 == self.words.len()
    }

    /// Whether the word before it stands before it somewhere in the evidence.
    pub(super) fn preceded(&self, at: usize) -> bool {
        at > 0 && self.followed(at - 1)
    }

    /// Whether the word after it stands after it somewhere in the evidence.
    pub(super) fn followed(&self, at: usize) -> bool {
        let (Some(word), Some(next)) = (self.words.get(at), self.words.get(at + 1)) else {
            return false;
        };
        self.passages.iter().enumerate().any(|(number, passage)| {
            let sequence = passage.sequence();
            let (own, other) = (self.places_of(at, number), self.places_of(at + 1, number));
            if own.len() <= other.len() {
                own.iter()
                    .take(PLACES)
                    .any(|at| sequence.stem(at + 1) == Some(next.stem))
            } else {
                other
                    .iter()
                    .take(PLACES)
                    .any(|at| at.checked_sub(1).and_then(|at| sequence.stem(at)) == Some(word.stem))
            }
        })
    }

    /// How far the other content word stands at its nearest, and whether it follows; `None` where
    /// the evidence lacks one of them or they are the same word.
    pub(super) fn gap(&self, at: usize, other: usize) -> Option<(u32, bool)> {
        let order = self.order[at]?;
        if self.content[other].df == 0
            || self.content[other].said.stem == self.content[order].said.stem
        {
            return None;
        }
        let mut best: Option<(u32, bool)> = Some((u32::MAX, true));
        for passage in 0..self.passages.len() {
            for place in self.places(order, passage).iter().take(PLACES) {
                if let Some(found) = nearest(self.places(other, passage), *place)
                    && best.is_none_or(|own| found.0 < own.0)
                {
                    best = Some(found);
                }
            }
        }
        best
    }

    /// The content words that stand between two words in the evidence, where the second follows
    /// the first within `reach`: the fewest there are. `None` where it nowhere does.
    pub(super) fn slot(&self, before: usize, after: usize, reach: u32) -> Option<Vec<u64>> {
        let mut best: Option<Vec<u64>> = None;
        for (passage, index) in self.passages.iter().enumerate() {
            let ends = self.places(after, passage);
            for from in self.places(before, passage).iter().take(PLACES) {
                let next = ends.partition_point(|place| place <= from);
                let Some(to) = ends.get(next).filter(|to| **to - from <= reach) else {
                    continue;
                };
                let held: Vec<u64> = index.sequence().between(*from, *to).collect();
                if best.as_ref().is_none_or(|own| held.len() < own.len()) {
                    best = Some(held);
                }
            }
        }
        best
    }

    /// Whether a word of the evidence starts with the same letters.
    pub(super) fn related(&self, root: u64) -> bool {
        self.passages.iter().any(|passage| passage.has_root(root))
    }
}

/// The place nearest to `place`: how far, and whether it follows.
fn nearest(places: &[u32], place: u32) -> Option<(u32, bool)> {
    let at = places.partition_point(|own| *own < place);
    let after = places.get(at).map(|own| (own - place, true));
    let before = at.checked_sub(1).map(|at| (place - places[at], false));
    match (before, after) {
        (Some(one), Some(two)) => Some(if one.0 < two.0 { one } else { two }),
        (one, two) => one.or(two),
    }
}

fn sentences_of(sequence: &Sequence, places: &[u32]) -> usize {
    let mut count = 0;
    let mut last = None;
    for place in places.iter().take(64) {
        let sentence = Some(sequence.sentence(*place));
        if sentence != last {
            count += 1;
            last = sentence;
        }
    }
    count
}
