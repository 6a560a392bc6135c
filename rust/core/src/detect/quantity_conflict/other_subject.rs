//! Whether a sentence with a number tells of another thing than the evidence's sentence does.

use std::ops::Range;

use crate::claims::{Clause, Content, Folded, SentenceView, word_hash};
use crate::evidence::{Conflict, PassageIndex};
use crate::lexicon::cues::{Cue, cue, verb};
use crate::lexicon::tables::frames;
use crate::lexicon::words::{WordClass, class};
use crate::normal::{fold_name, subwords};
use crate::types::{LexFlags, LexKind, Span};

/// Words before a noun that make it another of its kind, or many of it.
const OTHERS: [&str; 14] = [
    "another", "other", "others", "most", "many", "some", "several", "few", "any", "no", "such",
    "various", "both", "certain",
];
/// Words before a noun that leave open which one: each tells of the kind as the others do.
const OPEN: [&str; 8] = ["a", "an", "one", "each", "every", "all", "per", "any"];

/// Whether the sentence that says the number at `said` is about another thing than the evidence's
/// sentence, or may be: a name before the number or in its subject is none of the evidence's
/// there, the subject is one of a kind or another one ("another bridge", "a bridge", "most
/// bridges") where the evidence does not speak of it so, or what tells the subject from others of
/// its kind ("the nearest bridge") is not the evidence's.
#[must_use]
pub fn other_subject(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    parts: &[Clause],
    said: Span,
    conflict: &Conflict,
    data: &PassageIndex,
) -> bool {
    let at = view.lexemes_in(said).start;
    let clause = parts.iter().find(|clause| clause.range.contains(&at));
    let from = match clause {
        Some(clause) if !clause.inherited && !clause.subject.is_empty() => {
            clause.range.start.min(clause.subject.start)
        }
        _ => 0,
    };
    let subject = clause.map_or(from..from, |clause| clause.subject.clone());
    let reader = Reader {
        view,
        folded,
        data,
        said,
        conflict,
    };
    reader.names(from..at.max(from))
        || reader.names(subject.clone())
        || reader.kind(from..at.max(from), &subject)
        || reader.told_apart(&subject)
        || reader.only_mentioned(&subject)
        || clause.is_some_and(|clause| reader.beside(clause))
        || reader.any_of_kind(&subject)
}

/// A sentence up to its verb, behind what stands in front of a comma.
fn lead(text: &str) -> &str {
    let mut from = 0;
    let mut at = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let small = bare.chars().next().is_some_and(char::is_lowercase);
        let folded = bare.to_lowercase();
        if small
            && at > from
            && (cue(&folded).is(Cue::COPULA.or(Cue::AUXILIARY)) || verb(&folded).is_some())
        {
            return text[from..at].trim();
        }
        at += word.len();
        if word.trim_end().ends_with(',') {
            from = at;
        }
    }
    ""
}

struct Reader<'a> {
    view: &'a SentenceView<'a>,
    folded: &'a Folded<'a>,
    data: &'a PassageIndex,
    said: Span,
    conflict: &'a Conflict,
}

impl Reader<'_> {
    /// Number of the evidence's sentence.
    fn sentence(&self) -> u32 {
        let mut all = self.data.sentences().iter();
        all.position(|s| *s == self.conflict.sentence).unwrap_or(0) as u32
    }

    /// Whether the word at `i` is written as a name, or as a part of one.
    fn named(&self, i: usize) -> bool {
        let Some(lexeme) = self.view.lexemes.get(i) else {
            return false;
        };
        let counted = (self.view.quantities.iter().map(|q| q.span))
            .chain(self.view.dates.iter().map(|d| d.span))
            .any(|span| span.overlaps(lexeme.span));
        let word = lexeme.kind == LexKind::Word
            && (lexeme.flags.has(LexFlags::CAPITALIZED) || lexeme.flags.has(LexFlags::MIXED_CASE));
        if !word || counted || self.folded.cue(i).is(Cue::FUNCTION) {
            return false;
        }
        let known = class(self.folded.get(i));
        if known.any(
            WordClass::TITLE
                .with(WordClass::MONTH)
                .with(WordClass::WEEKDAY),
        ) {
            return false;
        }
        if !lexeme.flags.has(LexFlags::SENTENCE_START) {
            return true;
        }
        let next = self.view.lexemes.get(i + 1);
        let goes_on = next.is_some_and(|next| {
            next.kind == LexKind::Word && next.flags.has(LexFlags::CAPITALIZED)
        });
        goes_on || !known.has(WordClass::COMMON)
    }

    /// "Anna Berg married Tom Vale. She died in 2015." tells when Anna Berg died: a pronoun that opens a
    /// sentence stands for the subject of the one before, where that can be meant.
    fn only_mentioned(&self, subject: &Range<usize>) -> bool {
        let at = self.sentence();
        let (Some(own), Some(before)) = (
            self.data.sentences().get(at as usize),
            at.checked_sub(1)
                .and_then(|at| self.data.sentences().get(at as usize)),
        ) else {
            return false;
        };
        let text = |span: &Span| self.data.text().get(span.start..span.end).unwrap_or("");
        let first = text(own)
            .split_whitespace()
            .next()
            .unwrap_or("")
            .to_lowercase();
        let person = match first.as_str() {
            "he" | "she" | "his" | "her" => true,
            "it" | "its" => false,
            _ => return false,
        };
        let lead = lead(text(before));
        let somebody = lead
            .split_whitespace()
            .any(|word| class(&word.to_lowercase()).has(WordClass::GIVEN_NAME));
        if lead.is_empty() || somebody != person {
            return false;
        }
        let lead = fold_name(lead);
        // "The tripod of the Lyra", not "the weight of the Lyra".
        let link = subject.clone().find(|i| self.text(*i) == "of");
        let part = link.filter(|link| {
            let noun = link.checked_sub(1).map_or("", |noun| self.text(noun));
            self.view.attributes.predicates().named(noun).is_none()
        });
        let own = subject.start..part.unwrap_or(subject.end);
        let noun = |i: &usize| {
            self.is_word(*i) && !self.folded.cue(*i).is(Cue::FUNCTION.or(Cue::DETERMINER))
        };
        let mut words = own.filter(noun).peekable();
        words.peek().is_some()
            && words.all(|i| {
                let word = fold_name(self.view.word(i));
                let content = self.view.content(i);
                let there = content.is_some_and(|word| {
                    self.data
                        .sentences_with(word.stem)
                        .binary_search(&at)
                        .is_ok()
                });
                !there && !lead.split(' ').any(|own| own == word)
            })
    }

    /// Whether the evidence's sentence has the word at `i`.
    fn about(&self, i: usize) -> bool {
        let Some(lexeme) = self.view.lexemes.get(i) else {
            return true;
        };
        let word = Content::default().word(lexeme, self.view.word(i));
        word.is_none_or(|word| self.data.is_about(self.sentence(), word.stem))
    }

    /// Whether a name there is none that the evidence's sentence tells of.
    fn names(&self, range: Range<usize>) -> bool {
        let mut i = range.start;
        while i < range.end {
            if !self.named(i) {
                i += 1;
                continue;
            }
            let start = i;
            while i < range.end && self.named(i) {
                i += 1;
            }
            let run = start..i;
            if !run.clone().all(|i| self.about(i)) && !self.names_it_elsewhere(run) {
                return true;
            }
        }
        false
    }

    /// Whether the passage has the name, and its sentence with the number says it shorter ("Voss"
    /// for "Ellen Voss") or with a common noun.
    fn names_it_elsewhere(&self, run: Range<usize>) -> bool {
        let mut tokens = Vec::new();
        let mut buffer = String::new();
        for i in run.clone() {
            buffer.clear();
            subwords(self.view.word(i), &mut buffer, &mut |_| {});
            tokens.push(word_hash(&buffer));
        }
        if !self.data.has_sequence(&tokens) {
            return false;
        }
        let common = WordClass::COMMON.with(WordClass::NAME_HEAD);
        let mut words = run;
        let shorter = words.any(|i| !class(self.folded.get(i)).any(common) && self.about(i));
        shorter || !self.names_something()
    }

    /// Whether the evidence's sentence has a capital behind its first word.
    fn names_something(&self) -> bool {
        let span = self.conflict.sentence;
        let text = self.data.text().get(span.start..span.end).unwrap_or("");
        let words = text.split_whitespace().skip(1);
        words
            .map(|word| word.trim_start_matches(|c: char| !c.is_alphanumeric()))
            .any(|word| word.starts_with(char::is_uppercase))
    }

    /// Whether the subject is one of a kind, or another one, and the evidence does not say so.
    fn kind(&self, before: Range<usize>, subject: &Range<usize>) -> bool {
        let range = if subject.is_empty() {
            before
        } else {
            subject.clone()
        };
        let Some(first) = range.clone().find(|i| self.is_word(*i)) else {
            return false;
        };
        let Some(next) = (first + 1..self.folded.len()).find(|i| self.is_word(*i)) else {
            return false;
        };
        let overlaps = |i: usize| self.view.lexemes[i].span.overlaps(self.said);
        if overlaps(first) || overlaps(next) {
            return false;
        }
        let (word, noun) = (self.folded.get(first), word_hash(self.folded.get(next)));
        let has = |word: &str| self.data.has_neighbours(word_hash(word), noun);
        if OTHERS.contains(&word) {
            return !has(word);
        }
        let other = self.folded.get(next);
        if word == "the" && OTHERS.contains(&other) {
            return !self.data.has_token(word_hash(other));
        }
        // "My recipe" is none of the evidence's; "her recipe" is, where it speaks of a person.
        if word == "my" || matches!(word, "her" | "his" | "their") && !self.tells_of_people() {
            return !has(word);
        }
        if !OPEN.contains(&word) {
            return false;
        }
        let plural = format!("{}s", self.folded.get(next));
        !OPEN.iter().any(|open| has(open)) && !self.data.has_token(word_hash(&plural))
    }

    /// Whether the passage has a name, a pronoun of a person or an owner.
    fn tells_of_people(&self) -> bool {
        let said = ["he", "she", "they", "his", "her", "their", "who"];
        self.names_something()
            || self.data.text().contains("'s ")
            || self.data.text().contains("’s ")
            || said.iter().any(|word| self.data.has_token(word_hash(word)))
    }

    /// "The tram behind it", where the evidence has nothing that stands there.
    fn beside(&self, clause: &Clause) -> bool {
        let mut words = clause.subject.start..clause.group.start.max(clause.subject.end);
        words.any(|i| {
            let word = self.folded.get(i);
            i > clause.subject.start
                && frames().has("placed_beside", word)
                && !self.data.has_token(word_hash(word))
        })
    }

    /// "Trams usually", "trams like this": of the kind, where the evidence tells of one.
    fn any_of_kind(&self, subject: &Range<usize>) -> bool {
        let Some(first) = subject.clone().find(|i| self.is_word(*i)) else {
            return false;
        };
        let word = self.folded.get(first);
        let plural = word.len() > 3 && word.ends_with('s') && !word.ends_with("ss");
        let mut words = 0..self.folded.len();
        plural
            && !self.data.has_token(word_hash(word))
            && words.any(|i| {
                let word = self.folded.get(i);
                frames().has("generic", word) && !self.data.has_token(word_hash(word))
            })
    }

    /// Whether a word before the subject's noun is nowhere in the passage.
    fn told_apart(&self, subject: &Range<usize>) -> bool {
        let words: Vec<usize> = subject
            .clone()
            .take_while(|i| *i == subject.start || !self.folded.cue(*i).is(Cue::PREPOSITION))
            .filter(|i| self.is_word(*i) && !self.folded.cue(*i).is(Cue::FUNCTION))
            .collect();
        let Some((_, before)) = words.split_last() else {
            return false;
        };
        before.iter().any(|i| {
            let word = self.view.content(*i);
            // "Twelve workers": the number itself, in words.
            let said = self.view.lexemes[*i].span.overlaps(self.said);
            word.is_some_and(|word| {
                !word.number
                    && !said
                    && self.data.sentences_with(word.stem).is_empty()
                    && !self.data.has_root(word.root)
            })
        })
    }

    fn text(&self, i: usize) -> &str {
        self.folded.get(i)
    }

    fn is_word(&self, i: usize) -> bool {
        self.view.kind(i) == Some(LexKind::Word)
    }
}
