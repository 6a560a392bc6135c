//! What a model writes behind a lead-in as if none stood there: an opening of its own, and the capital
//! that begins a sentence.

use super::{Guard, Mark};
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::phrases::phrases;
use crate::normal::fold;
use crate::types::{Sentence, Span};

impl Guard {
    /// The sentence of a lead-in has closed, with `forced` as the lead-in. An opening behind it that says
    /// how sure the writer is, too, is left out, and a capital that only begins a sentence is none any
    /// more. The session keeps what the model said.
    pub(super) fn join_lead(&mut self, sentence: Sentence, forced: Span) {
        if self.released_to > forced.end {
            return;
        }
        let said = self.session.slice(forced);
        let follows = self.session.slice(Span::new(forced.end, sentence.span.end));
        let spaces = follows.len() - follows.trim_start().len();
        let own = &follows[spaces..];
        let rest = behind_openings(own, said.ends_with("that"));
        if !rest.contains(char::is_alphanumeric) {
            return;
        }
        let at = forced.end + spaces;
        let from = at + own.len() - rest.len();
        let small = only_begins(rest).then(|| rest[..1].to_ascii_lowercase());
        let to = from + usize::from(small.is_some());
        if at < to {
            self.removed.push(Span::new(at, to));
        }
        if let Some(letter) = small {
            self.marks.entry(at).or_default().push(Mark::Text(letter));
        }
    }
}

/// A text without the openings that say how sure the writer is; behind one that ends in "that" without
/// another "that".
fn behind_openings(text: &str, that: bool) -> &str {
    let mut rest = text;
    while let Some(length) = phrases().opening_length(rest) {
        rest = rest[length..].trim_start_matches([',', ' ']);
    }
    if that { without_that(rest) } else { rest }
}

/// "I believe that that the roof", but "I believe that that roof".
fn without_that(text: &str) -> &str {
    let rest = text
        .get(..5)
        .filter(|head| head.eq_ignore_ascii_case("that "));
    let rest = rest.map_or("", |head| &text[head.len()..]);
    let mut next = String::new();
    fold(first_word(rest), &mut next);
    let opens = Cue::DETERMINER
        .or(Cue::PRONOUN_PERSON)
        .or(Cue::PRONOUN_THING);
    if cue(&next).is(opens) { rest } else { text }
}

/// Whether the first word has its capital for no other reason than that it begins a sentence.
fn only_begins(text: &str) -> bool {
    let word = first_word(text);
    let mut letters = word.chars();
    let capital = letters.next().is_some_and(|c| c.is_ascii_uppercase());
    if !capital || word == "I" || !letters.all(char::is_lowercase) {
        return false;
    }
    let mut folded = String::new();
    fold(word, &mut folded);
    let grammatical = Cue::DETERMINER
        .or(Cue::PRONOUN_PERSON)
        .or(Cue::PRONOUN_THING)
        .or(Cue::PREPOSITION)
        .or(Cue::CONJUNCTION);
    // "A Beautiful Mind", "In Bruges".
    let behind = text[word.len()..].trim_start();
    let named = folded != "the" && behind.starts_with(char::is_uppercase);
    cue(&folded).is(grammatical) && !named
}

fn first_word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric());
    &text[..end.unwrap_or(text.len())]
}
