//! Words that face each other: "before meals" of a source's "after meals", "above 8 °C" of "below 8 °C".

use std::sync::OnceLock;

use crate::claims::SentenceView;
use crate::detect::how_often::Otherwise;
use crate::detect::words_at::Parts;
use crate::evidence::EvidenceSet;
use crate::lexicon::cues::{Cue, cue, verb};
use crate::lexicon::tables::{denials, facing};
use crate::types::Span;

use super::plain::{Word, base, number, same_words, within, words};
use super::sources::sources;

/// The pair of "with" and "without".
const PRESENCE: &str = "presence";

/// A sentence with one word that has one facing it.
struct Faced {
    at: Span,
    /// What the two say something of, and which of them it is.
    pair: &'static str,
    side: &'static str,
    /// What stands behind it: "meals".
    object: Vec<String>,
    rest: Vec<String>,
    /// It tells somebody to do so.
    bids: bool,
}

/// The word of a source that faces one of the sentence's, where all else is the same. Nothing where a source
/// says it as the sentence does.
pub(super) fn faced<'a>(
    view: &SentenceView<'_>,
    evidence: &'a EvidenceSet,
) -> Option<Otherwise<'a>> {
    if !facing_words().may_stand_among(view.text, view.runs()) {
        return None;
    }
    let said = Faced::read(view.text)?;
    let mut found = None;
    for (source, own) in sources(evidence, Faced::read) {
        if own.pair != said.pair || !same_words(&own.object, &said.object) {
            continue;
        }
        let (less, more) = (within(&said.rest, &own.rest), within(&own.rest, &said.rest));
        if own.side == said.side {
            if less || more {
                return None;
            }
            continue;
        }
        let bids = said.bids && own.bids;
        // "Rooms with a balcony" and those without one are both there.
        let open = said.pair == PRESENCE && !bids;
        if !open && (less && more || bids && (less || more)) {
            found = source.instead(view, said.at, own.at);
        }
    }
    found.map(|told| Otherwise {
        text: told.text.to_lowercase(),
        ..told
    })
}

/// What words that face others begin with.
fn facing_words() -> &'static Parts {
    static PARTS: OnceLock<Parts> = OnceLock::new();
    let listed = || {
        facing()
            .under("side_")
            .filter(|(rest, _)| rest.contains('_'))
    };
    PARTS.get_or_init(|| Parts::of(listed().flat_map(|(_, words)| words.iter().copied())))
}

/// The pair of a word and its side of it.
fn side(word: &Word) -> Option<(&'static str, &'static str)> {
    facing().of("side_", &word.folded)?.split_once('_')
}

/// Whether one of two texts has a bound that the other has not: "do not take more than 2" of "take 2", "do not keep it
/// below 18 °C" of "keep it above 18 °C". Neither denies the other then.
pub(super) fn bound_apart(said: &str, told: &str) -> bool {
    let bounds = |text: &str| {
        let all = words(text);
        let bounds = all.iter().filter(|word| {
            side(word).is_some_and(|(pair, _)| pair != PRESENCE)
                || facing().has("bound", &word.folded)
        });
        let mut bounds: Vec<String> = bounds.map(|word| word.folded.clone()).collect();
        bounds.sort_unstable();
        bounds
    };
    bounds(said) != bounds(told)
}

impl Faced {
    fn read(text: &str) -> Option<Self> {
        if text.contains(['?', '"', '“', '”', ';', ':', '(']) || !facing_words().may_stand_in(text)
        {
            return None;
        }
        let all = words(text);
        let mut places = (0..all.len()).filter(|i| side(&all[*i]).is_some());
        let (at, None) = (places.next()?, places.next()) else {
            return None;
        };
        let open = |word: &Word| {
            facing().has("side_open", &word.folded)
                || word.denies()
                || cue(&word.folded).is(Cue::CONDITION) && side(word).is_none()
        };
        if all.iter().any(open) {
            return None;
        }
        let (pair, side) = side(&all[at])?;
        let behind = &all[at + 1..];
        let ends = |word: &Word| {
            word.parted
                || cue(&word.folded).is(Cue::PREPOSITION)
                || matches!(&*word.folded, "and" | "as")
        };
        let end = behind.iter().position(ends).unwrap_or(behind.len());
        let counts = |word: &&Word| {
            let light = word.helps()
                || facing().has("side_light", &word.folded)
                || denials().has("directs", &word.folded)
                || denials().has("directed", &word.folded);
            (word.content || number(word)) && !light
        };
        let object: Vec<String> = behind[..end].iter().filter(counts).map(base).collect();
        // "Over the years", "under pressure": not of a number.
        let bare =
            matches!(&*all[at].folded, "over" | "under") && !behind.first().is_some_and(number);
        let rest = all[..at].iter().chain(&behind[end..]);
        let rest: Vec<String> = rest.filter(counts).map(base).collect();
        let first = all.first()?;
        let told = all.get(1).is_some_and(|second| {
            second.helps() || verb(&second.folded).is_some_and(|base| base != second.folded)
        });
        let bids = all
            .iter()
            .any(|word| denials().has("directs", &word.folded))
            || cue(&first.folded).is(Cue::VERB.or(Cue::IMPERATIVE)) && !told;
        let known = !object.is_empty() && !rest.is_empty() && !bare;
        known.then(|| Self {
            at: Span::new(all[at].start, all[at].end),
            pair,
            side,
            object,
            rest,
            bids,
        })
    }
}
