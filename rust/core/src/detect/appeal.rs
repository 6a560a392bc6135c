//! Whether words that appeal to research or experts do so where they stand.

use crate::claims::SentenceView;
use crate::lexicon::contrast::contrast;
use crate::lexicon::cues::Cue;
use crate::types::{LexFlags, LexKind, Modality, Span};

/// Words of a source's name after "according to".
const REACH: usize = 8;

/// Whether the words at `span` assert that there is such research or such experts: not where the
/// sentence asks ("Do studies show …?"), supposes ("If studies show …") or denies it ("No studies
/// show …"), nor where they are no noun ("He studies …") or somebody's own ("our experts").
#[must_use]
pub fn appeals(view: &SentenceView<'_>, span: Span, modality: Modality) -> bool {
    if modality == Modality::Question {
        return false;
    }
    let folded = view.folded();
    let at = view.lexemes_in(span).start;
    let direct = (0..at).rev().take_while(|i| view.word(*i) != ",").take(2);
    let person = Cue::PRONOUN_PERSON.or(Cue::POSSESSIVE);
    for (n, i) in direct.enumerate() {
        if contrast().is_denied(folded.get(i)) || folded.get(i).ends_with("n't") {
            return false;
        }
        if n == 0 && folded.cue(i).is(person) {
            return false;
        }
    }
    // A clause goes back to its mark.
    let mark = |i: &usize| matches!(view.word(*i), "," | ";" | ":" | "—" | "(" | "\"" | "“");
    let mut clause = (0..at).rev().take_while(|i| !mark(i));
    !clause.any(|i| contrast().is_supposed(folded.get(i)))
}

/// Whether the sentence names the source of what it says: "according to the WHO", "the WHO reports
/// that".
#[must_use]
pub(super) fn attributed(view: &SentenceView<'_>) -> bool {
    let folded = view.folded();
    let named = |i: usize| {
        view.lexemes.get(i).is_some_and(|lexeme| {
            let capital = lexeme.flags.has(LexFlags::CAPITALIZED)
                && !lexeme.flags.has(LexFlags::SENTENCE_START);
            lexeme.kind == LexKind::Word
                && (capital || view.mentions.iter().any(|m| m.span.overlaps(lexeme.span)))
        })
    };
    let according = (0..view.lexemes.len()).any(|i| {
        let end = (i + 2 + REACH).min(view.lexemes.len());
        folded.get(i) == "according"
            && folded.get(i + 1) == "to"
            && (i + 2..end).take_while(|i| view.word(*i) != ",").any(named)
    });
    // "The WHO found that".
    let reported = (1..view.lexemes.len()).any(|i| {
        let base = folded.known(i).verb.unwrap_or_default();
        let says = contrast().reports(base) || contrast().reports(folded.get(i));
        says && folded.get(i + 1) == "that" && named(i - 1)
    });
    according || reported
}
