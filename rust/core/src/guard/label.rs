//! What stands before a statement and stays there when it is hedged: a list mark, a label, a remark.

use crate::lexicon::cues::{Cue, cue, verb};
use crate::lexicon::phrases::phrases;
use crate::lexicon::tables::prefaces;
use crate::normal::fold;

fn folded(word: &str) -> String {
    let mut folded = String::new();
    fold(
        word.trim_matches(|c: char| !c.is_alphanumeric()),
        &mut folded,
    );
    folded
}

/// Bytes of a list mark and the space after it at the start of `claim`.
pub(super) fn list_mark(claim: &str) -> usize {
    let rest = claim.trim_start_matches(['-', '*', '•', '+']);
    if rest.len() < claim.len() && rest.starts_with(' ') {
        let rest = rest.trim_start();
        let boxes = ["[ ] ", "[x] ", "[X] "];
        let task = boxes.iter().find_map(|task| rest.strip_prefix(task));
        return claim.len() - task.unwrap_or(rest).trim_start().len();
    }
    // "a) " and "(a) ", "(12) "
    let inner = claim.strip_prefix('(').unwrap_or(claim);
    if let Some((mark, rest)) = inner.split_once(") ") {
        let letter = mark.len() == 1 && mark.starts_with(|c: char| c.is_ascii_alphabetic());
        let number = inner.len() < claim.len() && (1..=3).contains(&mark.len());
        let number = number && mark.bytes().all(|b| b.is_ascii_digit());
        if (letter || number) && !rest.trim_start().is_empty() {
            return claim.len() - rest.trim_start().len();
        }
    }
    let digits = claim.bytes().take_while(u8::is_ascii_digit).count();
    if (1..=3).contains(&digits) {
        let tail = &claim[digits..];
        if (tail.starts_with(". ") || tail.starts_with(") ")) && tail.len() > 2 {
            return claim.len() - tail[2..].trim_start().len();
        }
    }
    0
}

/// Words of a label, at most.
const LABEL_WORDS: usize = 4;

/// Whether the claim, which follows `before`, is a value behind a label ("**Rooms:** 12") or stands in
/// a block quotation, so that no opening fits before it.
pub(super) fn opens_with_label(before: &str, claim: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or(before);
    let text = &claim[list_mark(claim)..];
    if line.trim_start().starts_with('>') || text.trim_start().starts_with('>') {
        return true;
    }
    let mark = |c: char| matches!(c, '*' | '_' | '`');
    let bare = text.trim_start_matches(mark);
    let label = match bare.split_once(':') {
        Some((label, rest)) if !rest.starts_with(|c: char| c.is_alphanumeric() || c == '/') => {
            label
        }
        // "**Rooms** – 12"
        _ if bare.len() < text.len() => match bare.split_once(mark) {
            Some((label, rest)) if rest.trim_start_matches(mark).starts_with([' ', '\u{2013}']) => {
                let rest = rest.trim_start_matches(mark).trim_start();
                if !rest.starts_with(['\u{2013}', '\u{2014}', '-']) {
                    return false;
                }
                label
            }
            _ => return false,
        },
        _ => return false,
    };
    let verb = Cue::COPULA.or(Cue::AUXILIARY);
    let mut folded = String::new();
    let says = |word: &str| {
        folded.clear();
        fold(word, &mut folded);
        cue(&folded).is(verb)
    };
    let words = label.split_whitespace();
    words.clone().count() <= LABEL_WORDS
        && !label.contains(['.', '!', '?', ',', '\n'])
        && !words.into_iter().any(says)
}

/// Bytes of the label that the claim, which follows `before`, has before a statement ("Answer: The
/// annex was built in 1963."); 0 where there is none, and where a value stands behind it.
pub(super) fn statement_behind_label(before: &str, claim: &str) -> usize {
    let line = before.rsplit('\n').next().unwrap_or(before);
    let quoted = line.trim_start().starts_with('>') || claim.trim_start().starts_with('>');
    let Some((_, rest)) = claim.split_once(':').filter(|_| !quoted) else {
        return 0;
    };
    let rest = rest.trim_start_matches(['*', '_', '`', ' ']);
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
    let lead = Cue::DETERMINER.or(Cue::POSSESSIVE).or(Cue::PRONOUN_THING);
    let named = (text.starts_with(char::is_uppercase) || cue(&first).is(lead))
        && !cue(&first).is(other)
        && verb(&first).is_none()
        && !text.trim_end().ends_with('?');
    // "The annex owns 17 boats", not "The opening hours".
    let acts = |word: &str, next: &str| {
        word.ends_with('s')
            && verb(word).is_some_and(|base| base != word)
            && (next.starts_with(|c: char| c.is_ascii_digit())
                || cue(next).is(Cue::DETERMINER.or(Cue::POSSESSIVE)))
    };
    let says = |word: &str| {
        let formed = verb(word).is_some_and(|base| base != word)
            && !word.ends_with("ing")
            && !word.ends_with('s');
        cue(word).is(Cue::COPULA.or(Cue::AUXILIARY)) || formed
    };
    let words: Vec<String> = words.collect();
    let pairs = words.iter().zip(words.iter().skip(1));
    named && (words.iter().any(|word| says(word)) || pairs.into_iter().any(|(a, b)| acts(a, b)))
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

/// Characters in which an opening that permits stands.
const RULE: usize = 24;

/// Whether the claim tells what its reader may or has to do: "You can return it within 30 days".
pub(super) fn opens_with_rule(claim: &str) -> bool {
    let bare = claim[list_mark(claim)..].trim_start_matches(['*', '_']);
    let opening: String = bare.chars().take(RULE).collect();
    let opening = opening.to_lowercase();
    (phrases().permissions.iter()).any(|own| {
        let rest = opening.strip_prefix(own.as_str());
        rest.is_some_and(|rest| rest.starts_with(' '))
    })
}
