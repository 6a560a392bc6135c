//! What came out of a trial: "In our test, the battery lasted 12 hours" is at odds with no rating.

use crate::claims::{Folded, SentenceView};
use crate::kb::{Fact, Value};
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::{Table, stance};
use crate::types::Span;

/// Words behind a preposition among which what was tried is named.
const REACH: usize = 5;

/// Whether the sentence tells what a test, a measurement or daily use came to, and the fact is a
/// measure.
pub(super) fn tried(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    object: Span,
    fact: &Fact,
) -> bool {
    let measure = matches!(&fact.value, Value::Number { unit: Some(_), .. });
    let object = view.lexemes_in(object);
    measure
        && (0..folded.len())
            .filter(|i| !object.contains(i))
            .any(|i| in_trial(view, folded, i) || measured(folded, i))
}

/// "in our own tests", "during a review", "under heavy use".
fn in_trial(view: &SentenceView<'_>, folded: &Folded<'_>, i: usize) -> bool {
    let words = stance();
    let text = folded.get(i);
    if !matches!(
        text,
        "in" | "during" | "under" | "by" | "with" | "after" | "on" | "at"
    ) {
        return false;
    }
    let opens = Cue::PREPOSITION.or(Cue::CONJUNCTION).or(Cue::COPULA);
    let own = (i + 1..folded.len().min(i + 1 + REACH))
        .take_while(|j| view.is_term(*j) && (folded.get(*j) == "of" || !folded.cue(*j).is(opens)));
    let mut daily = false;
    own.into_iter().any(|j| {
        let word = folded.get(j);
        let named = words.has("trial", word) || daily && words.has("using", word);
        daily |= words.has("daily_use", word);
        named
    })
}

/// "We measured …", "when tested", "was timed at".
fn measured(folded: &Folded<'_>, i: usize) -> bool {
    let words: &Table = stance();
    let base = folded.known(i).verb;
    base.is_some_and(|base| base != folded.get(i) && words.has("trying", base))
        && folded.get(i).ends_with("ed")
}

/// "on a single charge": no other state than the usual one.
pub(super) fn filled(folded: &Folded<'_>, from: usize) -> bool {
    let words = stance();
    let light =
        |i: &usize| folded.cue(*i).is(Cue::DETERMINER) || words.has("filled", folded.get(*i));
    let noun = (from..folded.len()).find(|i| !light(i));
    noun.is_some_and(|i| words.has("fill", folded.get(i)))
}
