//! "It is not true that X is Y": all of what follows is denied, as "X is not Y" would.

use crate::claims::SentenceView;
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::stance;
use crate::types::{Claim, LexKind, Polarity};

/// Most words before "that".
const FRAME: usize = 6;

/// The claims of a sentence that denies its one claim outright, as denials; `None` where it does not.
pub(super) fn denied_whole(view: &SentenceView<'_>, claims: &[Claim]) -> Option<Vec<Claim>> {
    let first = claims.first()?;
    (first.polarity == Polarity::Positive && denies(view, first) && alone(claims)).then(|| {
        let mut all = claims.to_vec();
        for claim in &mut all {
            claim.polarity = Polarity::Negative;
        }
        all
    })
}

/// Whether the claims tell one thing: of several the sentence may deny any.
fn alone(claims: &[Claim]) -> bool {
    let place = claims[0].object_span;
    claims.iter().all(|claim| claim.object_span == place)
}

/// Whether the sentence says of the claim, and of nothing more, that it is not so: "It is false that X
/// is Y", "It is not the case that …".
pub(super) fn denies(view: &SentenceView<'_>, claim: &Claim) -> bool {
    let folded = view.folded();
    let Some(first) = (0..folded.len()).find(|i| view.is_term(*i)) else {
        return false;
    };
    if !matches!(folded.get(first), "it" | "it's") {
        return false;
    }
    let Some(object) = claim.object_span.map(|span| view.lexemes_in(span)) else {
        return false;
    };
    let that = (first + 1..folded.len().min(first + FRAME)).find(|i| folded.get(*i) == "that");
    let Some(that) = that.filter(|that| *that + 1 < object.start) else {
        return false;
    };
    let mut denials = 0;
    let mut so = None;
    for i in first + 1..that {
        let word = folded.get(i);
        if folded.cue(i).is(Cue::NEGATION) || word.ends_with("n't") || word.ends_with("n’t") {
            denials += 1;
        } else if stance().has("so_indeed", word) {
            so = Some(true);
        } else if stance().has("not_so", word) {
            so = Some(false);
        } else if !matches!(
            word,
            "is" | "a" | "an" | "the" | "simply" | "just" | "s" | "'s"
        ) {
            return false;
        }
    }
    let denied = so.is_some_and(|so| so == (denials == 1)) && denials <= 1;
    let light = Cue::ADVERB
        .or(Cue::NEGATION)
        .or(Cue::CONJUNCTION)
        .or(Cue::TEMPORAL)
        .or(Cue::BREAK);
    let loose = |i: usize| {
        view.kind(i) == Some(LexKind::Punct) || folded.cue(i).is(light) || folded.get(i) == "no"
    };
    let ends = (object.end..folded.len())
        .all(|i| view.is_mark(i) && !matches!(view.word(i), "," | ";" | "("));
    denied && ends && !(that + 1..object.start).any(loose)
}
