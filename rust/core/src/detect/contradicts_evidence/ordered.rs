//! What is to be done, against a source that says not to: "should be taken with food" of what "should
//! not be taken with food", "do not freeze it" of "freeze it".

use std::sync::OnceLock;

use crate::claims::SentenceView;
use crate::detect::words_at::Parts;
use crate::evidence::{EvidenceSet, Passage, PassageIndex};
use crate::lexicon::cues::{Cue, cue, verb};
use crate::lexicon::tables::denials;
use crate::types::Span;

use super::plain::{Word, each_word, words};

/// Words that a direction says something by, at least.
const LEAST: usize = 2;
/// Sentences of a stem that are looked at, at most.
const HELD: usize = 256;

/// A direction: what is to be done, in any order, and whether it is not to be.
#[derive(Debug, PartialEq, Eq)]
struct Order {
    said: Vec<String>,
    denied: bool,
}

/// The sentence of the sources that asks for the contrary of what this one asks for, by the same words
/// and no others; nothing where another one asks for the same.
pub(super) fn ordered<'a>(
    view: &SentenceView<'_>,
    evidence: &'a EvidenceSet,
) -> Option<(&'a Passage, Span)> {
    let own = Order::read(view.text, || {
        directing().may_stand_among(view.text, view.runs())
    })?;
    let mut found = None;
    let stems = view.content_stems();
    for passage in evidence.passages() {
        for at in near(passage.data(), stems) {
            let Some((span, text)) = passage.data().sentence(at) else {
                continue;
            };
            let told = passage
                .data()
                .reading(at, || Order::read(text, || directing().may_stand_in(text)));
            let Some(told) = (*told).as_ref().filter(|told| told.said == own.said) else {
                continue;
            };
            if told.denied == own.denied {
                return None;
            }
            found.get_or_insert((&**passage, span));
        }
    }
    found
}

/// Sentences that hold half of the stems or more: forms of one verb may differ in theirs.
fn near(data: &PassageIndex, stems: &[u64]) -> Vec<u32> {
    let held = |stem: &u64| data.sentences_with(*stem).iter().take(HELD).copied();
    let mut all: Vec<u32> = stems.iter().flat_map(held).collect();
    all.sort_unstable();
    all.chunk_by(|a, b| a == b)
        .filter(|same| 2 * same.len() >= stems.len())
        .map(|same| same[0])
        .collect()
}

/// What words that direct begin with.
fn directing() -> &'static Parts {
    static PARTS: OnceLock<Parts> = OnceLock::new();
    PARTS.get_or_init(|| Parts::of(denials().listed("directs").iter().copied()))
}

impl Order {
    /// `None` for a sentence that asks for nothing, or leaves it open. `may_direct` tells whether it may have
    /// a word that directs.
    fn read(text: &str, may_direct: impl FnOnce() -> bool) -> Option<Self> {
        let has = |class: &str, word: &Word| denials().has(class, &word.folded);
        let mut each = each_word(text);
        let (first, second) = (&each.next()?, &each.next()?);
        let not = |word: &Word| word.denies() || word.folded == "never";
        let verbal = |word: &Word| cue(&word.folded).is(Cue::VERB.or(Cue::IMPERATIVE));
        // "Water freezes at 0 °C" asks for nothing.
        let told = second.helps() || verb(&second.folded).is_some_and(|base| base != second.folded);
        let bids = verbal(first) && !told
            || first.folded == "do" && not(second)
            || matches!(&*first.folded, "don't" | "don’t" | "never" | "always") && verbal(second);
        // Most sentences are told by their first two words to ask for nothing.
        if !bids && !may_direct() || text.contains(['?', '"', '“', '”', ';', ':']) {
            return None;
        }
        let words = words(text);
        let directs = words.iter().any(|word| has("directs", word));
        let open = |(i, word): (usize, &Word)| word.parted || i > 0 && has("directs_open", word);
        if !(bids || directs) || words.iter().enumerate().any(open) {
            return None;
        }
        let denials = words.iter().filter(|word| not(word)).count();
        let mut said: Vec<String> = words
            .iter()
            .filter(|word| {
                let light = word.helps() || not(word) || word.folded == "to";
                let part = cue(&word.folded).is(Cue::PREPOSITION) || word.content;
                part && !light && !has("directs", word) && !has("directed", word)
            })
            .map(|word| verb(&word.folded).map_or_else(|| word.stem(), str::to_owned))
            .collect();
        said.sort_unstable();
        (denials < 2 && said.len() >= LEAST).then_some(Self {
            said,
            denied: denials == 1,
        })
    }
}
