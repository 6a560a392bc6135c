//! Whom the sentences of one answer speak of: subjects told apart by a key.

use std::ops::Range;

use crate::lexicon::cues::Cue;
use crate::types::{LexFlags, LexKind, Resolution};

use super::content::{hash_on, word_hash};
use super::view::{Folded, SentenceView};

/// Names whose last word alone may stand for them.
const NAMES: usize = 16;

/// Which subject was spoken of last, and which names there are; small enough to copy.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Discourse {
    last: Option<u64>,
    /// The pronoun that the last subject went by, if one did.
    pronoun: Option<u64>,
    names: Vec<(u64, u64)>,
    /// The last subject is somebody's ("Rosa's father"): a pronoun may mean either.
    owned: bool,
}

impl Discourse {
    /// Bytes on the heap.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        self.names.capacity() * size_of::<(u64, u64)>()
    }

    /// A key for the subject at those lexemes; pronouns have that of the subject before.
    /// `None` where nothing tells what is meant.
    pub fn subject(
        &mut self,
        view: &SentenceView<'_>,
        folded: &Folded,
        range: &Range<usize>,
    ) -> Option<u64> {
        let key = self.key(view, folded, range)?;
        self.last = Some(key);
        Some(key)
    }

    fn key(
        &mut self,
        view: &SentenceView<'_>,
        folded: &Folded,
        range: &Range<usize>,
    ) -> Option<u64> {
        let words: Vec<usize> = range
            .clone()
            .filter(|i| matches!(view.lexemes[*i].kind, LexKind::Word | LexKind::Number))
            .collect();
        let (first, last) = (*words.first()?, *words.last()?);
        if words.len() == 1 {
            let bare = folded.get(first).split(['\'', '’']).next().unwrap_or("");
            match bare {
                // Whoever it is, it stays the same until somebody else is named.
                "he" | "she" if self.owned => return None,
                "it" | "he" | "she" | "they" => {
                    let own = word_hash(bare);
                    let other = self.pronoun.replace(own).is_some_and(|was| was != own);
                    return self.last.filter(|_| !other).or(Some(own));
                }
                "i" | "you" | "we" | "there" | "this" | "that" | "these" | "those" | "who"
                | "which" | "one" | "some" | "others" | "many" | "most" | "both" | "all"
                | "everyone" | "someone" | "anyone" | "something" | "everything" | "nothing"
                | "what" | "here" => return None,
                _ => {}
            }
        }
        self.pronoun = None;
        let belongs = |i: &usize| {
            let word = view.word(*i);
            folded.cue(*i).is(Cue::POSSESSIVE) || word.ends_with("'s") || word.ends_with("’s")
        };
        self.owned = words.iter().any(belongs);
        let span =
            crate::types::Span::new(view.lexemes[first].span.start, view.lexemes[last].span.end);
        let entity = view.mentions.iter().find(|m| m.span == span);
        if let Some(Resolution::Known(ids)) = entity.map(|m| &m.resolution)
            && let [id] = ids[..]
        {
            return Some(hash_on(word_hash("\u{1f}entity"), &id.to_string()));
        }
        let mut hash = word_hash("\u{1f}subject");
        let mut any = false;
        for i in &words {
            let text = folded.get(*i);
            // "the project" and "this project" are one; "a project" may be any.
            if *i == first && matches!(text, "the" | "this" | "that" | "these" | "those") {
                continue;
            }
            hash = hash_on(hash, text);
            hash = hash_on(hash, " ");
            any = true;
        }
        let named = view.lexemes[last].flags.has(LexFlags::CAPITALIZED);
        let tail = word_hash(folded.get(last));
        if named && words.len() == 1 {
            if let Some((_, key)) = self.names.iter().rev().find(|(word, _)| *word == tail) {
                return Some(*key);
            }
        } else if named && !folded.cue(first).is(Cue::DETERMINER) {
            self.names.retain(|(word, _)| *word != tail);
            if self.names.len() == NAMES {
                self.names.remove(0);
            }
            self.names.push((tail, hash));
        }
        any.then_some(hash)
    }
}
