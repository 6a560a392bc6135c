//! What a statement is about, told from others of its kind.

use std::ops::Range;

use crate::claims::word_hash;
use crate::lexicon::contrast::contrast;
use crate::lexicon::cues::{Cue, cue};
use crate::normal::{fold, stem};
use crate::types::{Claim, LexFlags, LexKind, NameType, Resolution, Span};

use super::Role;
use super::statement::StatementReader;

/// Most words of a subject.
const SUBJECT: usize = 6;
/// Letters of a code at most.
const CODE: usize = 3;

/// What is spoken of.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Subject {
    /// Hash of the entity of the knowledge base, of the person who speaks or is spoken to, or of
    /// the last word of the phrase.
    pub head: u64,
    /// Stems of all content words of the phrase, sorted; empty where `head` says all.
    pub words: Vec<u64>,
    /// What of the phrase tells it from others of its kind ("next", "second", "3", "B"), hashed,
    /// sorted.
    pub which: Vec<u64>,
    /// Whether one thing that is known is meant ("the meeting"), not a kind.
    pub known: bool,
    /// Whether any one of a kind is meant ("a seat").
    pub any: bool,
    /// Whether letters and a number name it, with its kind or without ("flight TP 571").
    pub coded: bool,
}

/// Whether a word as written is a letter or a Roman number that a thing is called by ("B", "IV").
pub(super) fn is_label(word: &str) -> bool {
    let letter = word.len() == 1 && word.starts_with(|c: char| c.is_ascii_uppercase());
    letter || (word.len() > 1 && word.chars().all(|c| matches!(c, 'I' | 'V' | 'X')))
}

/// What a thing is called by: "TP 571".
struct Code {
    /// Stem of its last word.
    written: u64,
    letters: u64,
    /// Where it is written together with the letters.
    number: Option<u64>,
}

impl StatementReader<'_> {
    /// "Gate 4", "Room B": whether the words end in what one thing is called by.
    pub(super) fn called(&self, at: Range<usize>) -> bool {
        let Some(last) = at.end.checked_sub(1).filter(|last| *last > at.start) else {
            return false;
        };
        let span = self.view.lexemes[last].span;
        let dated = self.view.dates.iter().any(|date| date.span.overlaps(span));
        let noun = self.view.kind(last - 1) == Some(LexKind::Word);
        noun && !dated && (self.number(last) || is_label(self.view.word(last)))
    }

    /// Whether the first clause is about a kind as such.
    pub(super) fn general(&self) -> bool {
        let Some(first) = self
            .clauses
            .first()
            .and_then(|clause| clause.subject.clone().next())
        else {
            return false;
        };
        let word = self.folded.get(first);
        let pronoun = Cue::PRONOUN_PERSON
            .or(Cue::PRONOUN_THING)
            .or(Cue::PRONOUN_GROUP)
            .or(Cue::PRONOUN_OTHER);
        !self.number(first)
            && !self.folded.cue(first).is(pronoun.or(Cue::DETERMINER))
            && !contrast().is_part(word)
            && !contrast().corrects(word)
    }

    /// What tells one of a kind from others of it: words ("second"), and numbers and letters that
    /// it is called by or counted in ("chapter 3", "the 7-day pass", "option B", "version 2.1").
    fn which(&self, span: Span) -> Vec<u64> {
        let at = self.view.lexemes_in(span);
        let label = |i: usize| i > at.start && is_label(self.view.word(i));
        let word = |i: usize| {
            let word = self.folded.get(i);
            let counted = self.view.quantities.iter();
            let lexeme = &self.view.lexemes[i];
            let mut counted = counted.filter(|q| q.span.overlaps(lexeme.span));
            if let Some(quantity) = counted.next() {
                return Some(word_hash(&format!("#{}", quantity.value)));
            }
            (self.number(i) || label(i) || contrast().selects(word)).then(|| word_hash(word))
        };
        let mut which: Vec<u64> = at.clone().filter_map(word).collect();
        which.sort_unstable();
        which.dedup();
        which
    }

    /// The phrase at `span` as what is spoken of; none where nothing names anything.
    pub(super) fn phrase(&self, span: Span) -> Option<Subject> {
        let mut words = self.stems_in(span);
        let mut which = self.which(span);
        let code = self.code(span);
        if let Some(code) = &code {
            words.retain(|word| *word != code.written && *word != code.letters);
            words.push(code.letters);
            which.extend(code.number);
            which.sort_unstable();
        }
        let head = *words.last()?;
        words.sort_unstable();
        words.truncate(SUBJECT);
        Some(Subject {
            head,
            words,
            which,
            known: self.known(span),
            any: self.any(span),
            coded: code.is_some(),
        })
    }

    /// The code at the end of a phrase: "TP 571", "TP571".
    fn code(&self, span: Span) -> Option<Code> {
        let at = self.view.lexemes_in(span);
        let last = at.end.checked_sub(1).filter(|last| at.contains(last))?;
        let text = self.view.word(last);
        let (letters, number) = if self.number(last) && last > at.start {
            (self.view.word(last - 1), None)
        } else {
            let digits = text.find(|c: char| c.is_ascii_digit())?;
            let (letters, digits) = text.split_at(digits);
            let number: u32 = digits.parse().ok()?;
            (letters, Some(word_hash(&format!("#{number}"))))
        };
        let short = (2..=CODE).contains(&letters.len());
        let code = short && letters.chars().all(|c| c.is_ascii_uppercase());
        code.then(|| Code {
            written: word_hash(&stem(self.folded.get(last))),
            letters: word_hash(&stem(&letters.to_lowercase())),
            number,
        })
    }

    /// Whether the phrase speaks of one thing that is known ("the meeting", "our office", "Chen"),
    /// not of a kind ("tickets", "a ticket").
    fn known(&self, span: Span) -> bool {
        let at = self.view.lexemes_in(span);
        let Some(first) = self.view.lexemes.get(at.start) else {
            return false;
        };
        let word = self.folded.get(at.start);
        let named = first.flags.has(LexFlags::CAPITALIZED)
            && self
                .view
                .mentions
                .iter()
                .any(|m| m.span.overlaps(first.span));
        named || matches!(word, "the" | "this") || self.folded.cue(at.start).is(Cue::POSSESSIVE)
    }

    /// Whether the phrase speaks of any one of a kind.
    fn any(&self, span: Span) -> bool {
        let first = self.folded.get(self.view.lexemes_in(span).start);
        matches!(first, "a" | "an") || contrast().is_part(first)
    }

    fn stems_in(&self, span: Span) -> Vec<u64> {
        self.content
            .iter()
            .filter(|word| span.contains(word.span) && !word.number)
            .map(|word| word.stem)
            .collect()
    }

    /// Whether what was spoken of before may be what a claim's pronoun stands for: nobody else, named
    /// since.
    pub(super) fn may_mean(&self, claim: &Claim, last: &Subject) -> bool {
        let Some(referent) = &claim.referent else {
            return true;
        };
        let named = |text: &str| {
            let mut folded = String::new();
            fold(text, &mut folded);
            [word_hash(&folded), word_hash(&stem(&folded))]
        };
        let own = |hash: &u64| *hash == last.head || last.words.contains(hash);
        let words = referent.name.split(|c: char| !c.is_alphanumeric());
        referent.kind != NameType::Person
            || referent
                .entities
                .iter()
                .any(|id| entity_head(*id) == last.head)
            || words
                .filter(|word| !word.is_empty())
                .any(|word| named(word).iter().any(own))
    }

    pub(super) fn subject(&self, span: Span, last: Option<&Subject>) -> Option<Subject> {
        let known = self.view.mentions.iter().find_map(|mention| {
            let ids = match &mention.resolution {
                Resolution::Known(ids) if span.contains(mention.span) => ids,
                _ => return None,
            };
            // "the train to Oslo" is not Oslo.
            let rest = self.content.iter().any(|word| {
                span.contains(word.span) && !word.number && !mention.span.contains(word.span)
            });
            ids.first()
                .filter(|_| mention.span.end == span.end && !rest)
                .copied()
        });
        if let Some(id) = known {
            return Some(Subject {
                head: entity_head(id),
                ..Subject::default()
            });
        }
        if let Some(subject) = self.phrase(span) {
            return Some(subject);
        }
        let mut folded = String::new();
        fold(self.view.at(span), &mut folded);
        // "the answer": a noun that says little elsewhere.
        let at = self.view.lexemes_in(span);
        let article = self.folded.cue(at.start).is(Cue::DETERMINER) && at.len() == 2;
        if article && !at.clone().any(|i| self.number(i)) {
            let head = word_hash(&stem(self.folded.get(at.end - 1)));
            return Some(Subject {
                head,
                words: vec![head],
                which: self.which(span),
                known: self.known(span),
                any: self.any(span),
                coded: false,
            });
        }
        let bare = folded.split(['\'', '’']).next().unwrap_or("");
        let speaker = match (bare, self.role) {
            ("i" | "my" | "me", role) => Some(role),
            ("you" | "your", Role::User) => Some(Role::Assistant),
            ("you" | "your", _) => Some(Role::User),
            _ => None,
        };
        if let Some(role) = speaker {
            return Some(Subject {
                head: speaker_head(role),
                ..Subject::default()
            });
        }
        cue(bare)
            .is(Cue::PRONOUN_PERSON.or(Cue::PRONOUN_THING))
            .then(|| last.cloned())
            .flatten()
    }
}

/// Head of a subject that is one who speaks.
pub(super) fn speaker_head(role: Role) -> u64 {
    word_hash(&format!("speaker\u{1f}{}", role.as_str()))
}

/// Head of a subject that is an entity of the knowledge base.
pub(super) fn entity_head(id: u32) -> u64 {
    word_hash(&format!("entity\u{1f}{id}"))
}
