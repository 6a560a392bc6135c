//! Denials that leave the rest open: "is not always open", "does not accept all cards", "isn't Bob Kern
//! but Nora Lind" deny a part, and say nothing against what a source has of the whole.

use std::borrow::Cow;

use crate::claims::{Folded, SentenceView};
use crate::kb::{Fact, Snapshot};
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::tables::denials;
use crate::normal::{fold, stem};
use crate::types::{Claim, LexKind, Polarity};

/// Letters that a word in "-ly" has at least where it says how something is done.
const MANNER: usize = 5;

fn negates(word: &str) -> bool {
    cue(word).is(Cue::NEGATION) || word == "no" || word.ends_with("n't")
}

/// Whether a word behind a denial bounds what is denied.
fn narrows(word: &str) -> bool {
    let manner = word.len() >= MANNER && word.ends_with("ly") && !denials().has("verbs", word);
    manner || denials().has("narrows", word)
}

/// Whether one of two texts denies something with a word behind the denial that bounds it, and that the
/// other lacks.
pub(super) fn denies_a_part(one: &str, other: &str) -> bool {
    let part = |said: &str, held: &str| {
        let mut denied = false;
        let mut open = true;
        terms(said).any(|(word, ends)| {
            let bound = denied
                && (word == "but" || open && narrows(&word))
                && !terms(held).any(|(held, _)| held == word);
            denied |= negates(&word);
            open = if negates(&word) { true } else { open && !ends };
            bound
        })
    };
    part(one, other) || part(other, one)
}

/// The folded words of a text, each with whether a comma or the like stands behind it.
fn terms(text: &str) -> impl Iterator<Item = (String, bool)> {
    text.split_whitespace().filter_map(|piece| {
        let word = piece.trim_matches(|c: char| !c.is_alphanumeric());
        let mut folded = String::with_capacity(word.len());
        fold(word, &mut folded);
        (!folded.is_empty()).then(|| (folded, piece.ends_with([',', ';', ':', '.'])))
    })
}

/// Whether a claim denies less than a fact of the base says: a word behind the denial is neither of
/// the entity, nor of the attribute or its value.
pub(super) fn denied_in_part(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    claim: &Claim,
    (kb, id): (&Snapshot, u32),
    fact: &Fact,
) -> bool {
    if claim.polarity != Polarity::Negative {
        return false;
    }
    let range = view.lexemes_in(claim.span);
    let Some(at) = range.clone().find(|i| negates(folded.get(*i))) else {
        return false;
    };
    let names = view.attributes.predicates();
    let mut known: Vec<Cow<'_, str>> = Vec::new();
    let mut learn = |text: &str| {
        known.extend(terms(text).map(|(word, _)| Cow::Owned(stem(&word).into_owned())));
    };
    for name in kb.names_of(id) {
        learn(name);
    }
    for name in names.names_of(&fact.predicate) {
        learn(&name.replace('_', " "));
    }
    learn(&fact.predicate.replace('_', " "));
    learn(&fact.value.to_string());
    if let Some(span) = claim.subject_span {
        learn(view.at(span));
    }
    for verb in names
        .named(&fact.predicate)
        .into_iter()
        .flat_map(|p| p.verbs())
    {
        learn(verb);
    }
    let object = claim.object_span.map_or(0..0, |span| view.lexemes_in(span));
    let be = |word: &str| denials().has("be", word) || matches!(word, "'s" | "'re");
    let copula = be(folded.get(at)) || at > 0 && be(folded.get(at - 1));
    let mut verb = true;
    for i in at + 1..range.end {
        let word = folded.get(i);
        if !matches!(view.kind(i), Some(LexKind::Word | LexKind::Number)) {
            if matches!(view.word(i), "," | ";" | ":") && folded.get(i + 1) != "but" {
                break;
            }
            continue;
        }
        if word == "but" {
            return true;
        }
        if matches!(word, "and" | "while" | "though" | "although" | "because") {
            // "Not yet 40 and already the manager": the value stands behind what is denied.
            return object.start > i;
        }
        let own = stem(word);
        let first = std::mem::take(&mut verb);
        if known.contains(&own) || view.kind(i) == Some(LexKind::Number) && object.contains(&i) {
            continue;
        }
        if narrows(word) {
            return true;
        }
        let closed = folded
            .cue(i)
            .is(Cue::FUNCTION.or(Cue::AUXILIARY).or(Cue::NEGATION));
        if word == "longer" {
            verb = first;
            continue;
        }
        // "Does not work in", "is not based in": what is denied.
        let participle = word.ends_with("ed") || denials().has("participles", word);
        if closed || first && (!copula || participle) {
            continue;
        }
        return true;
    }
    false
}
