//! What a source denies outright, said all the same with something added.

use crate::claims::{Folded, SentenceView, Tense, clauses, said_words, unasserted};
use crate::evidence::{EvidenceSet, Passage};
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::{frames, time};
use crate::types::{LexFlags, LexKind, Span};

/// The passage and the sentence of it that denies outright what this one says: its words stand in
/// the same order at the head of a clause. Nothing where the evidence says so in another place, or
/// what is added is spoken of there too ("not included", "included in the Pro plan").
pub(super) fn denied_outright<'a>(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    evidence: &'a EvidenceSet,
) -> Option<(&'a Passage, Span)> {
    let mut passages = evidence.passages().iter();
    if !passages.any(|passage| !passage.data().denials().is_empty()) {
        return None;
    }
    let said = said_words(view.lexemes, |lexeme| view.at(lexeme.span))?;
    for passage in evidence.passages() {
        let data = passage.data();
        for (sentence, words) in data.denials() {
            let Some(at) = said
                .windows(words.len())
                .position(|own| own.iter().map(|(stem, _)| stem).eq(words))
            else {
                continue;
            };
            let matched = said[at].1..said[at + words.len() - 1].1 + 1;
            let span = *data.sentences().get(*sentence as usize)?;
            let affirmed = |other: &Passage| {
                let other = other.data();
                (0_u32..).zip(other.sentences()).any(|(at, _)| {
                    // Stems of the sentence itself: not every word is one.
                    let held = |stem: &u64| {
                        data.sentences_with(*stem).binary_search(sentence).is_err()
                            || other.sentences_with(*stem).binary_search(&at).is_ok()
                    };
                    !other.is_negated(at) && words.iter().all(held)
                })
            };
            let open = !stated(view, folded, &matched)
                || evidence.passages().iter().any(|other| affirmed(other))
                || view.content_words().any(|word| {
                    let i = view.lexemes_in(word.span).start;
                    !matched.contains(&i)
                        && !counted(view, folded, i)
                        && (data.sentences_with(word.stem).iter()).any(|other| other != sentence)
                });
            if !open {
                return Some((passage, span));
            }
        }
    }
    None
}

/// Whether the words at this place open a clause that is put forward as so, of now.
fn stated(view: &SentenceView<'_>, folded: &Folded<'_>, matched: &std::ops::Range<usize>) -> bool {
    let terms = (0..matched.start).rev();
    let before = terms
        .take_while(|i| !matches!(view.word(*i), "," | ":" | ";" | "–" | "—" | "-" | "*"))
        .any(|i| !frames().has("carrier", folded.get(i)));
    let first = (0..folded.len()).find(|i| view.is_term(*i));
    let conditional = first.is_some_and(|i| {
        let word = folded.cue(i).is(Cue::CONDITION.or(Cue::BREAK));
        word || frames().has("unlike", folded.get(i))
    });
    let bound = (0..matched.end).any(|i| folded.cue(i).is(Cue::HEDGE) && folded.get(i) != "may");
    let asked = view.text.trim_end().ends_with('?');
    // "will be the director", of who is not yet.
    let past = (0..matched.end).any(|i| matches!(folded.get(i), "will" | "shall" | "ll"))
        || clauses(view)
            .iter()
            .any(|c| c.range.contains(&matched.start) && matches!(c.tense, Tense::Past));
    let place = Span::new(
        view.lexemes[matched.start].span.start,
        view.lexemes[matched.end - 1].span.end,
    );
    !before && !conditional && !bound && !asked && !past && !unasserted(view, folded, place)
}

/// Whether a word is a number, of a number, or of time.
fn counted(view: &SentenceView<'_>, folded: &Folded<'_>, i: usize) -> bool {
    view.kind(i) == Some(LexKind::Number)
        || view.lexemes[i].flags.has(LexFlags::SENTENCE_START)
        || view
            .quantities
            .iter()
            .any(|q| q.span.overlaps(view.lexemes[i].span))
        || view
            .dates
            .iter()
            .any(|d| d.span.overlaps(view.lexemes[i].span))
        || !time().marks(folded.get(i)).is_empty()
}
