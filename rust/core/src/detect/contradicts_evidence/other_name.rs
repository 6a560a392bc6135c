//! Another name than a source's for the one thing that an attribute has: "was born in Linz" of somebody who
//! "was born in Graz".

use crate::claims::SentenceView;
use crate::detect::contradiction::{ContradictionType, contradiction};
use crate::detect::how_often::Otherwise;
use crate::detect::place::is_part;
use crate::detect::replacement::also_said::{named, of_person};
use crate::dialogue::{Established, Known, Statement};
use crate::evidence::EvidenceSet;
use crate::lexicon::words::{WordClass, class};
use crate::normal::fold_name;
use crate::types::{LexFlags, Span};

use super::{MOST, P_OTHERWISE, priors_of};

/// Similarity from which two statements about an attribute are about one thing by the same name.
const SAME: f64 = 0.9;

/// Whether a name stands in the sentence of which the sources have no word: what they have is no other name
/// for it.
pub(super) fn has_unknown_name(view: &SentenceView<'_>, evidence: &EvidenceSet) -> bool {
    view.content_words().any(|word| {
        let i = view.lexemes_in(word.span).start;
        capital(view, i) && lacks(evidence, word.stem)
    })
}

fn capital(view: &SentenceView<'_>, i: usize) -> bool {
    let lexeme = view.lexemes.get(i);
    lexeme.is_some_and(|lexeme| lexeme.flags.has(LexFlags::CAPITALIZED))
}

fn lacks(evidence: &EvidenceSet, stem: u64) -> bool {
    let mut passages = evidence.passages().iter();
    !passages.any(|passage| !passage.data().sentences_with(stem).is_empty())
}

/// Whether two names are of one sort, as far as their words tell: two towns, two countries, two people, or
/// two of several words. A place that is not known may lie in one that is, and "German" is no name.
fn one_sort(said: &str, own: &str) -> bool {
    let is = |name: &str, kind| class(&fold_name(name)).has(kind);
    let place = |name: &str| is(name, WordClass::CITY) || is(name, WordClass::COUNTRY);
    if is_part(&fold_name(said)) || is_part(&fold_name(own)) {
        return false;
    }
    if place(said) || place(own) {
        return [WordClass::CITY, WordClass::COUNTRY]
            .iter()
            .any(|kind| is(said, *kind) && is(own, *kind));
    }
    if of_person(said) || of_person(own) {
        return of_person(said) && of_person(own);
    }
    said.contains(' ') && own.contains(' ')
}

/// The name that a source has where the sentence has one that no source has, and how sure it is that it is
/// said of the same. Nothing where a source says the same, or the sources have two such names.
pub(super) fn other_name<'a>(
    view: &SentenceView<'_>,
    said: &[Statement],
    evidence: &'a EvidenceSet,
    known: Known<'_>,
    least: f64,
) -> Option<(Otherwise<'a>, f64)> {
    if said.is_empty() {
        return None;
    }
    let rest: Vec<u64> = view
        .content_words()
        .map(|word| word.stem)
        .filter(|stem| !lacks(evidence, *stem))
        .collect();
    let (mut priors, mut places) = (Vec::new(), Vec::new());
    for passage in evidence.passages() {
        let data = passage.data();
        let like = match rest.as_slice() {
            [one] => data
                .sentences_with(*one)
                .iter()
                .copied()
                .take(MOST)
                .collect(),
            several => data.sentences_like(several, MOST),
        };
        for at in like {
            let Some((span, text)) = data.sentence(at).filter(|_| !data.is_negated(at)) else {
                continue;
            };
            if places.len() == MOST {
                break;
            }
            let turn = places.len() as u32;
            priors.extend(priors_of(data, at, text, known, turn));
            places.push((&**passage, span));
        }
    }
    if priors.is_empty() {
        return None;
    }
    let established = Established::new(priors, known.attributes.lexicon().clone());
    let names = established.lexicon().predicates();
    let mut found: Option<(Otherwise<'a>, f64)> = None;
    for statement in said {
        for related in established.related(statement, least) {
            let against = &related.prior.statement;
            let other = match contradiction(statement, against, related.same_attribute, names) {
                Err(true) => return None,
                Err(false) => continue,
                Ok(other) => other,
            };
            let new = |span: Span| {
                let mut words = view
                    .content_words()
                    .filter(|word| word.span.overlaps(span))
                    .peekable();
                words.peek().is_some() && words.all(|word| lacks(evidence, word.stem))
            };
            let Some(text) = other.replacement else {
                continue;
            };
            let fits = other.kind == ContradictionType::IncompatibleValues
                && related.similarity >= least
                && named(view.at(other.at))
                && named(&text)
                && new(other.at)
                && one_sort(view.at(other.at), &text);
            let Some((passage, sentence)) = places.get(related.prior.turn as usize) else {
                continue;
            };
            if !fits {
                continue;
            }
            if found.as_ref().is_some_and(|(first, _)| first.text != text) {
                return None;
            }
            let sure = if related.same_attribute && related.similarity >= SAME {
                P_OTHERWISE
            } else {
                other.confidence * related.similarity
            };
            let told = Otherwise {
                span: other.at,
                // "It is Eva Kern, not Ada Holt."
                fits: !view.text.contains(text.as_str()),
                text,
                passage,
                sentence: *sentence,
            };
            found.get_or_insert((told, sure));
        }
    }
    found
}
