//! "is red" of what the base has as black.

use crate::claims::SentenceView;
use crate::lexicon::tables::kinds;
use crate::types::Span;

use super::{as_said, folded, groups, span_of, words};

/// The colour that is said and the right one, where the whole of what is said is another colour.
pub(super) fn other(
    view: &SentenceView<'_>,
    object: Span,
    own: &str,
    called: &dyn Fn(&str) -> bool,
) -> Option<(Span, Option<String>)> {
    let mut place = view.lexemes_in(object);
    // "is red when it charges", "is green with envy"
    let next = view
        .lexemes
        .get(place.end)
        .map_or("", |_| view.word(place.end));
    if !matches!(next, "" | "." | "," | "!" | ";" | ")") && folded(next) != "and" {
        return None;
    }
    // "is a red lamp" of what the base calls a lamp.
    if matches!(&*folded(view.word(place.start)), "a" | "an" | "the") {
        let noun = folded(view.word(place.end - 1));
        if place.len() < 3 || !called(&noun) {
            return None;
        }
        place = place.start + 1..place.end - 1;
    }
    let at = span_of(view, &place)?;
    let said = shades(&words(view.at(at)))?;
    let held = shades(&words(&own.replace(['-', '/', ',', '&'], " ")))?;
    let apart = !said.iter().any(|group| held.contains(group));
    let plain = own.split_whitespace().count() <= 3;
    apart.then(|| (at, plain.then(|| as_said(view.at(at), own))))
}

/// Groups of all colours of a text that names nothing else.
fn shades(words: &[String]) -> Option<Vec<&'static str>> {
    let mut found = Vec::new();
    for word in words {
        let parts: Vec<&str> = if groups("colour_", word).is_empty() {
            word.split('-').collect()
        } else {
            vec![word]
        };
        for part in parts {
            let own = groups("colour_", part);
            if own.is_empty() && !kinds().has("shade", part) && part != "and" {
                return None;
            }
            found.extend(own);
        }
    }
    (!found.is_empty()).then_some(found)
}
