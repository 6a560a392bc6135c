//! What the clause of a value is about: its subject, and what leads to it.

use std::ops::Range;

use crate::claims::word_hash;
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::circumstance;
use crate::lexicon::words::{WordClass, class};
use crate::normal::{fold_name, stem};
use crate::types::LexFlags;

use super::{Circumstance, Reader};

/// The stem of a word of a name, if it is written as one.
pub(super) fn named_stem(word: &str) -> Option<u64> {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    if !word.starts_with(char::is_uppercase) || word == "The" {
        return None;
    }
    let folded = fold_name(word);
    Some(word_hash(&stem(&folded)))
}

impl Reader<'_> {
    /// See `Circumstance::led`.
    pub(super) fn led(&self, subject: &Range<usize>) -> Vec<(String, u64)> {
        let value = self.view.lexemes_in(self.whole).start;
        let words = if subject.is_empty() {
            0..value
        } else {
            // "France's exports to Spain rose": what looks like a verb need not be the last one.
            let verbs = self.parts.iter().map(|clause| clause.group.start);
            let last = verbs.filter(|at| *at < value).max();
            subject.start..last.unwrap_or(subject.end).max(subject.end)
        };
        let (mut found, mut by, mut head) = (Vec::new(), None, false);
        for i in words {
            let word = self.folded.get(i);
            if self.folded.cue(i).is(Cue::PREPOSITION) || self.view.word(i) == "," {
                by = (head && circumstance().has("leads", word)).then(|| word.to_owned());
            } else if let Some(to) = self.stem(i) {
                head = true;
                found.extend(by.clone().map(|by| (by, to)));
            }
        }
        found
    }

    /// What the clause is about.
    pub(super) fn about(&self, subject: &Range<usize>, own: &mut Circumstance) {
        let pronoun = Cue::PRONOUN_PERSON
            .or(Cue::PRONOUN_THING)
            .or(Cue::PRONOUN_GROUP);
        let opens = subject.clone().find(|i| self.word(*i));
        let stands_for = opens.is_some_and(|i| {
            subject.len() == 1 && self.folded.cue(i).is(pronoun) || self.folded.get(i) == "there"
        });
        if stands_for {
            return;
        }
        let mut head = true;
        for i in subject.clone() {
            if self.folded.cue(i).is(Cue::PREPOSITION) {
                head &= self.folded.get(i) == "of";
            }
            // "The inn, a farm until 1970, has …".
            if self.view.word(i) == "," {
                break;
            }
            let Some(stem) = self.stem(i) else {
                continue;
            };
            if head {
                own.heads.push(stem);
                let lexeme = &self.view.lexemes[i];
                let opens = lexeme.flags.has(LexFlags::SENTENCE_START);
                let plain = opens && class(self.folded.get(i)).has(WordClass::COMMON);
                if lexeme.flags.has(LexFlags::CAPITALIZED) && !plain {
                    own.names.push(stem);
                }
            }
            if !self.view.lexemes[i].flags.has(LexFlags::CAPITALIZED) {
                own.subject.push(stem);
            }
        }
    }
}
