//! "Was shipped on Monday, not delivered", where a source says that it was delivered on Monday.

use crate::claims::{Folded, SentenceView, unasserted};
use crate::evidence::{EvidenceSet, Passage};
use crate::lexicon::cues::Cue;
use crate::types::{LexKind, Span};

/// The passage and the sentence of it that says of the same thing, of the same day and place, just what
/// this sentence sets aside, and nothing of what it puts in its place. Nothing where any passage
/// speaks of the latter.
pub(super) fn instead<'a>(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    evidence: &'a EvidenceSet,
) -> Option<(&'a Passage, Span)> {
    let not = (2..folded.len()).find(|i| folded.get(*i) == "not" && view.word(*i - 1) == ",")?;
    let denied = not + 1;
    let closed = match view.kind(denied + 1) {
        None => true,
        Some(kind) => kind != LexKind::Word && !matches!(view.word(denied + 1), "-" | "/"),
    };
    let copula = (0..not).rfind(|i| folded.cue(*i).is(Cue::COPULA))?;
    let done = copula + 1;
    let verbs = [done, denied]
        .into_iter()
        .all(|i| participle(folded.get(i)));
    let asked = view.text.trim_end().ends_with('?');
    if !closed || !verbs || done >= not - 1 || asked || folded.get(done) == folded.get(denied) {
        return None;
    }
    let stem_of = |i: usize| view.content(i).map(|word| word.stem);
    let (own, other) = (stem_of(done)?, stem_of(denied)?);
    let rest: Vec<u64> = view
        .content_words()
        .map(|word| word.stem)
        .filter(|stem| *stem != own)
        .collect();
    if rest.len() < 2 || unasserted(view, folded, view.lexemes[done].span) {
        return None;
    }
    let all = || evidence.passages().iter();
    if all().any(|passage| !passage.data().sentences_with(own).is_empty()) {
        return None;
    }
    all().find_map(|passage| {
        let data = passage.data();
        let at = data.sentences_with(other).iter().find(|at| {
            !data.is_negated(**at) && rest.iter().all(|stem| data.is_about(**at, *stem))
        })?;
        let span = data.sentences().get(*at as usize)?;
        Some((&**passage, *span))
    })
}

/// Whether a word has the form of a regular participle.
fn participle(word: &str) -> bool {
    word.len() > 3 && word.ends_with("ed")
}
