//! Details of a sentence that the evidence does not bear out: each word against the places where
//! the evidence has it, and against the words around it there.
//!
//! A sentence that keeps to the evidence's words but puts one of them in another's place differs
//! from the evidence in what stands near what. So each content word is looked up where it stands
//! in the evidence, with the words beside it in the sentence; a word that is not there is compared
//! with what stands between the same neighbours. The words of a name are one thing here: what
//! counts is what stands around the name.
//!
//! But for a negation's, no feature of a word grows with how well the rest of the sentence fits the
//! evidence: a changed word would make all others look better, and hide itself.

use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::claims::word_hash;
use crate::lexicon::antonyms::antonyms_by;
use crate::normal::stem;
use crate::types::Span;

use super::coverage::Place;
use super::rarity::rarity;
use super::sequence::{Class, Said};
use super::set::EvidenceSet;

mod copied;
mod denial;
mod features;
mod fit;
mod kept;
mod mentions;
mod scorer;

pub use features::{DETAIL_COUNT, DETAIL_NAMES, detail_feature};
pub use scorer::{DetailScorer, Doubt};

use detail_feature as f;
use fit::{Fit, Found};
use kept::Kept;

/// Words of one sentence that are read; the rest of an endless one is not.
pub(super) const MOST_WORDS: usize = 160;
/// Words that room is made for at once.
const ROOM: usize = 16;
/// Neighbours this far apart in the evidence do not stand together.
const FAR: u32 = 6;
/// Neighbours that stand the other way round do so within so many words.
const TURNED: u32 = 10;
/// Words within so many of a place are near it; those within half of it count in full.
const NEAR: u32 = 10;
/// The same, for a word with one place in the evidence.
const CLOSE: u32 = 4;

/// One word of a sentence and what the scorer looks at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Detail {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub class: Class,
    /// Its features, in the order of [`DETAIL_NAMES`].
    pub values: [f64; DETAIL_COUNT],
}

/// The words of the open sentence and what stood before it.
#[derive(Debug, Clone, Default)]
pub(super) struct Details {
    words: Vec<Kept>,
    /// Where the first of them stands.
    from: usize,
    /// Something with content, and something with a capital, was said before this sentence.
    said: bool,
    named: bool,
}

/// The evidence's sentence nearest to the open one, and the share of it that it holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nearest {
    pub(super) place: Option<Place>,
    pub(super) coverage: f64,
}

impl Details {
    pub(super) fn push(&mut self, word: Said) {
        if self.words.is_empty() {
            self.from = word.span.start;
        }
        if self.words.len() < MOST_WORDS
            && let Some(kept) = Kept::of(&word, self.from)
        {
            if self.words.len() == self.words.capacity() {
                self.words.reserve_exact(ROOM);
            }
            self.words.push(kept);
        }
    }

    pub(super) fn clear(&mut self) {
        self.words.clear();
        self.words.shrink_to(ROOM);
    }

    pub(super) fn close(&mut self) {
        self.said |= self.words.iter().any(|w| w.class.content());
        self.named |= self.words.iter().any(|w| w.class.content() && w.capital());
        self.clear();
    }

    pub(super) fn memory(&self) -> usize {
        self.words.capacity() * size_of::<Kept>()
    }

    /// What is to be said of the open sentence's words.
    pub(super) fn read(
        &self,
        evidence: &EvidenceSet,
        known: &FxHashSet<u64>,
        nearest: Nearest,
    ) -> Vec<Detail> {
        let words: Vec<Said> = self.words.iter().map(|w| w.said(self.from)).collect();
        let fit = Fit::new(evidence, known, &words, nearest.place);
        let runs = copied::runs(&fit);
        let mut out = Vec::with_capacity(words.len());
        for (at, word) in words.iter().enumerate() {
            let mut values = [0.0; DETAIL_COUNT];
            values[f::base] = 1.0;
            values[f::opens] = flag(word.opens);
            values[f::copied_3] = flag(runs[at] >= 3);
            values[f::copied_5] = flag(runs[at] >= 5);
            values[f::copied_8] = flag(runs[at] >= 8);
            let mut class = word.class;
            match class {
                Class::Function => continue,
                Class::Pronoun => {
                    values[f::opening] = flag(word.opens && !self.said && known.is_empty());
                    values[f::unnamed] = flag(!self.named && known.is_empty());
                    values[f::other_gender] = fit.other_gender(word.stem);
                    values[f::unpaired] = flag(!fit.followed(at));
                }
                Class::Negation => {
                    let denied = nearest.place.is_some_and(|(passage, sentence)| {
                        evidence
                            .passages()
                            .get(passage as usize)
                            .is_some_and(|p| p.data().is_negated(sentence))
                    });
                    values[f::denied] = if denied { 0.0 } else { nearest.coverage };
                    values[f::denies_said] = flag(fit.denies_said(at));
                    values[f::unpaired] = flag(!fit.followed(at));
                }
                Class::Name | Class::Number | Class::Verb | Class::Word => {
                    let Some(word) = fit.word(at) else {
                        continue;
                    };
                    class = word.said.class;
                    if word.df == 0 {
                        novel(&fit, &word, &mut values);
                    } else {
                        present(&fit, &word, &mut values);
                    }
                }
            }
            out.push(Detail {
                span: word.span,
                class,
                values,
            });
        }
        out
    }
}

/// A word that the evidence does not hold.
fn novel(fit: &Fit<'_>, word: &Found, x: &mut [f64; DETAIL_COUNT]) {
    x[f::novel] = 1.0;
    x[f::novel_rare] = if word.said.class == Class::Number {
        1.0
    } else {
        rarity(word.said.stem)
    };
    let company = fit.company(word);
    let (before, after) = (fit.before(word), fit.after(word));
    let opposites = opposites(word.said.stem);
    if let (Some(before), Some(after)) = (before, after)
        && let Some(slot) = fit.slot(before, after, FAR)
    {
        x[f::novel_slot] = flag(!slot.is_empty());
        x[f::slot_opposite] = flag(slot.iter().any(|own| opposites.contains(own)));
    }
    if word.said.class == Class::Number {
        return;
    }
    x[f::novel_related] = flag(fit.related(word.said.root));
    if let Some(near) = fit.best_of(opposites, &company, NEAR) {
        x[f::opposite] = 1.0;
        x[f::opposite_context] = near;
    }
}

/// A word that the evidence holds.
fn present(fit: &Fit<'_>, word: &Found, x: &mut [f64; DETAIL_COUNT]) {
    let company = fit.company(word);
    let inside = fit.inside(word.at);
    let near = fit.near(word.at, &company, NEAR);
    if !inside {
        x[f::elsewhere] = 1.0;
    }
    if company.len() >= 2 {
        x[f::apart] = (1.0 - 2.0 * near).max(0.0);
        if fit.is_single(word.at) {
            x[f::apart_once] = 1.0 - fit.near(word.at, &company, CLOSE);
        }
    }
    let (from, to) = fit.ends_of(word);
    let (left, right) = (fit.preceded(from), fit.followed(to));
    let (first, last) = (from == 0, fit.is_last(to));
    x[f::unpaired] = flag((first || !left) && (last || !right));
    x[f::paired] = flag((first || left) && (last || right));
    x[f::undenied] = flag(fit.undenied(word.at));
    for (other, forward, far, turned) in [
        (fit.before(word), false, f::before_far, f::before_turned),
        (fit.after(word), true, f::after_far, f::after_turned),
    ] {
        if let Some((distance, follows)) = other.and_then(|at| fit.gap(word.at, at)) {
            x[far] = flag(distance > FAR);
            x[turned] = flag(distance <= TURNED && follows != forward);
        }
    }
    if !inside {
        let around = fit.held_nearby(opposites(word.said.stem));
        if let Some(best) = fit.best_of(&around, &company, NEAR) {
            x[f::opposite_near] = 1.0;
            x[f::opposite_gain] = (best - near).max(0.0);
        }
    }
}

fn flag(said: bool) -> f64 {
    f64::from(u8::from(said))
}

/// Stems of the words that mean the opposite.
fn opposites(of: u64) -> &'static [u64] {
    static TABLE: OnceLock<FxHashMap<u64, Vec<u64>>> = OnceLock::new();
    TABLE
        .get_or_init(|| antonyms_by(|word| word_hash(&stem(word))))
        .get(&of)
        .map_or(&[], Vec::as_slice)
}
