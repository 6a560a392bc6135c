//! What stands before a statement and stays there when it is hedged: a label, a remark.

use crate::lexicon::cues::{Cue, cue, verb};
use crate::lexicon::phrases::phrases;
use crate::lexicon::tables::prefaces;
use crate::normal::fold;

use super::wording::opens_with_label;

fn folded(word: &str) -> String {
    let mut folded = String::new();
    fold(
        word.trim_matches(|c: char| !c.is_alphanumeric()),
        &mut folded,
    );
    folded
}

/// Bytes of the label that the claim, which follows `before`, has before a statement ("Answer: The
/// annex was built in 1963."); 0 where there is none, and where a value stands behind it.
pub(super) fn statement_behind_label(before: &str, claim: &str) -> usize {
    let line = before.rsplit('\n').next().unwrap_or(before);
    let quoted = line.trim_start().starts_with('>') || claim.trim_start().starts_with('>');
    let Some((_, rest)) = claim.split_once(':').filter(|_| !quoted) else {
        return 0;
    };
    let rest = rest.trim_start_matches(|c: char| matches!(c, '*' | '_' | '`' | ' '));
    if opens_with_label(before, claim) && states(rest) {
        claim.len() - rest.len()
    } else {
        0
    }
}

/// Whether the text is a statement, as far as its words tell: somebody or something, then a verb.
fn states(text: &str) -> bool {
    let mut words = text.split_whitespace().map(folded);
    let Some(first) = words.next() else {
        return false;
    };
    let other = Cue::ADJECTIVE
        .or(Cue::PREPOSITION)
        .or(Cue::QUESTION)
        .or(Cue::COPULA)
        .or(Cue::AUXILIARY);
    let named = text.starts_with(char::is_uppercase)
        && !cue(&first).is(other)
        && verb(&first).is_none()
        && !text.trim_end().ends_with('?');
    named
        && words.any(|word| {
            let formed = verb(&word).is_some_and(|base| base != word)
                && !word.ends_with("ing")
                && !word.ends_with('s');
            cue(&word).is(Cue::COPULA.or(Cue::AUXILIARY)) || formed
        })
}

/// Bytes of a remark before an opening that claims certainty: "Yes, I know that".
pub(super) fn remark(claim: &str) -> usize {
    let Some((head, rest)) = claim.split_once(',') else {
        return 0;
    };
    let words: Vec<String> = head.split_whitespace().map(folded).collect();
    let phrase = words.join(" ");
    let known = prefaces().has("comma", &phrase) || prefaces().has("greeting", &phrase);
    let rest = rest.trim_start();
    if known && phrases().certainty_opening(rest).is_some() {
        claim.len() - rest.len()
    } else {
        0
    }
}
