//! What a model writes behind a lead-in as if none stood there: an opening of its own, and the capital
//! that begins a sentence.

use super::late::Lead;
use super::{Directive, Guard};
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::phrases::phrases;
use crate::normal::fold;
use crate::types::{Sentence, Span};

impl Guard {
    /// The sentence of a lead-in has closed, with `forced` as the lead-in. An opening behind it that says
    /// how sure the writer is, too, is taken out, and a capital that only begins a sentence is none any
    /// more; the rest comes again as the model said it. True if text was rewritten.
    pub(super) fn join_lead(
        &mut self,
        lead: &Lead,
        sentence: Sentence,
        forced: Span,
        out: &mut Vec<Directive>,
    ) -> bool {
        if self.released_to > forced.end || self.rewrites >= self.policy.max_interventions {
            return false;
        }
        let said = self.session.slice(forced);
        let follows = self.session.slice(Span::new(forced.end, sentence.span.end));
        let Some(text) = joined(said, follows) else {
            return false;
        };
        // It belongs to the hedge, so that it is no intervention of its own, but a rewrite.
        let over = self.put(lead.case(), None, forced.end, &text, out);
        if over {
            self.own_to = forced.end + text.len();
            self.rewrites += 1;
        }
        over
    }
}

/// What is to stand behind a lead-in in place of `follows`; none where that reads on.
fn joined(lead: &str, follows: &str) -> Option<String> {
    let spaces = follows.len() - follows.trim_start().len();
    let (space, own) = follows.split_at(spaces);
    let rest = behind_openings(own, lead.ends_with("that"));
    if !rest.contains(char::is_alphanumeric) {
        return None;
    }
    let mut rest = rest.to_owned();
    if only_begins(&rest) {
        rest[..1].make_ascii_lowercase();
    }
    (rest != own).then(|| format!("{space}{rest}"))
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
