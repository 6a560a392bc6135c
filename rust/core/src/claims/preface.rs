//! What an answer says before its statement and that adds nothing to it ("Yes, …", "Please note that …",
//! "To the best of my knowledge, …"): what is claimed is claimed without it. How sure the writer says to be
//! is told by the sentence's signals.

use std::ops::Range;
use std::sync::OnceLock;

use rustc_hash::FxHashSet;

use crate::lexicon::tables::prefaces;
use crate::normal::fold;
use crate::types::{LexFlags, LexKind, Lexeme, Resolution, SentenceKind};

use super::shouted::as_spoken;
use super::view::SentenceView;

/// Words of a preface, at most.
const WORDS: usize = 9;
/// Words of a name behind a greeting, at most.
const NAME: usize = 3;
/// Prefaces of one sentence, at most: "Hi Emma, good question, note that …".
const SEVERAL: usize = 4;
/// Words that a statement has at least.
const STATEMENT: usize = 2;

/// The lexemes of a sentence as it is to be read, where those are others than it has: without its
/// prefaces, and with a shouted sentence's capitals as if it were spoken.
#[must_use]
pub fn as_told(view: &SentenceView<'_>) -> Option<Vec<Lexeme>> {
    let spoken = as_spoken(view);
    let skip = prefaced(view);
    if skip == 0 {
        return spoken;
    }
    let mut lexemes = spoken.unwrap_or_else(|| view.lexemes.to_vec());
    lexemes.drain(..skip);
    Some(lexemes)
}

/// Lexemes before the statement.
fn prefaced(view: &SentenceView<'_>) -> usize {
    let kinds = [SentenceKind::Prose, SentenceKind::ListItem];
    if !kinds.contains(&view.sentence.kind) {
        return 0;
    }
    let mut at = 0;
    for _ in 0..SEVERAL {
        let Some(end) = preface(view, at) else { break };
        let words = (end..view.lexemes.len()).filter(|i| view.is_term(*i));
        if words.take(STATEMENT).count() < STATEMENT {
            break;
        }
        at = end;
    }
    at
}

/// One past the preface that begins at `from`, marks before it apart.
fn preface(view: &SentenceView<'_>, from: usize) -> Option<usize> {
    let start = (from..view.lexemes.len()).find(|i| !view.is_mark(*i))?;
    if (from..start).any(|i| !matches!(view.word(i), "-" | "*" | "•" | "—" | "–" | "_")) {
        return None;
    }
    let mut phrase = String::new();
    for (at, lexeme) in view.lexemes.iter().enumerate().skip(start).take(WORDS + 1) {
        if lexeme.flags.has(LexFlags::QUOTED) {
            return None;
        }
        if lexeme.kind != LexKind::Word {
            let ends = match view.word(at) {
                "," | "—" | "–" => listed("comma", &phrase) || greets(view, start..at),
                ":" => listed("comma", &phrase) || listed("colon", &phrase),
                _ => false,
            };
            return (ends && !is_known(view, start..at)).then_some(at + 1);
        }
        let before = phrase.len();
        if before > 0 {
            phrase.push(' ');
        }
        fold(view.word(at), &mut phrase);
        if at == start && !opens_one(&phrase) {
            return None;
        }
        if &phrase[before..] == " that" && listed("that", &phrase[..before]) {
            return Some(at + 1);
        }
    }
    None
}

/// Whether a preface begins with the word: most sentences are told by it from those that have one.
fn opens_one(word: &str) -> bool {
    static FIRST: OnceLock<FxHashSet<&str>> = OnceLock::new();
    let first = FIRST.get_or_init(|| {
        let phrases = ["comma", "that", "colon", "greeting"]
            .into_iter()
            .flat_map(|class| prefaces().listed(class));
        phrases
            .filter_map(|phrase| phrase.split(' ').next())
            .collect()
    });
    first.contains(word)
}

/// Whether the base knows something by one of the words ("Perfect", a song).
fn is_known(view: &SentenceView<'_>, words: Range<usize>) -> bool {
    let first = words.start;
    view.mentions.iter().any(|mention| {
        matches!(mention.resolution, Resolution::Known(_))
            && mention.span.overlaps(view.lexemes[first].span)
    })
}

fn listed(class: &str, phrase: &str) -> bool {
    prefaces().has(class, phrase)
}

/// "Hi Emma", "Thank you, Tom": a greeting and the name of whom it is for.
fn greets(view: &SentenceView<'_>, words: Range<usize>) -> bool {
    let mut phrase = String::new();
    for at in words.clone() {
        if !phrase.is_empty() {
            phrase.push(' ');
        }
        fold(view.word(at), &mut phrase);
        let named = at + 1..words.end;
        let name = |i: usize| {
            let mut word = String::new();
            fold(view.word(i), &mut word);
            view.lexemes[i].flags.has(LexFlags::CAPITALIZED) || listed("called", &word)
        };
        if listed("greeting", &phrase) && named.len() <= NAME && named.into_iter().all(name) {
            return true;
        }
    }
    false
}
