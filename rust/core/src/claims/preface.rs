//! What an answer says before its statement and that adds nothing to it ("Yes, …", "Please note that …",
//! "To the best of my knowledge, …"): what is claimed is claimed without it. How sure the writer says to be
//! is told by the sentence's signals.

use std::ops::Range;
use std::sync::OnceLock;

use rustc_hash::FxHashSet;

use crate::lexicon::coherence::coherence;
use crate::lexicon::tables::prefaces;
use crate::normal::fold;
use crate::types::{LexFlags, LexKind, Lexeme, Resolution, SentenceKind};

use super::contraction::apart;
use super::shouted::as_spoken;
use super::view::SentenceView;

/// Words of a preface, at most.
const WORDS: usize = 9;
/// Words of a name behind a greeting, at most.
const NAME: usize = 3;
/// Prefaces of one sentence, at most: "Hi Emma, good question, note that …".
const SEVERAL: usize = 4;
/// Words and marks among which the "!" of a title stands that begins as a preface does.
const TITLE: usize = 6;
/// Words that a statement has at least.
const STATEMENT: usize = 2;

/// The lexemes of a sentence as it is to be read, where those are others than it has: without its
/// prefaces, with a shouted sentence's capitals as if it were spoken, and "it's" as two words.
#[must_use]
pub fn as_told(view: &SentenceView<'_>) -> Option<Vec<Lexeme>> {
    let spoken = as_spoken(view);
    let skip = prefaced(view);
    let lexemes = &spoken.as_deref().unwrap_or(view.lexemes)[skip..];
    apart(view, lexemes).or_else(|| (skip > 0 || spoken.is_some()).then(|| lexemes.to_vec()))
}

/// Lexemes before the statement.
fn prefaced(view: &SentenceView<'_>) -> usize {
    let kinds = [SentenceKind::Prose, SentenceKind::ListItem];
    if !kinds.contains(&view.sentence.kind) {
        return 0;
    }
    let mut at = 0;
    for _ in 0..SEVERAL {
        let next = match preface(view, at) {
            Some(end) => end,
            None if at > 0 => match addressed(view, at) {
                Some(end) => end,
                None => break,
            },
            None => break,
        };
        let next = next + usize::from(next > at && joins(view, next));
        let words = (next..view.lexemes.len()).filter(|i| view.is_term(*i));
        if words.take(STATEMENT).count() < STATEMENT || takes_back(view, at..next) {
            break;
        }
        at = next;
    }
    at
}

/// Whether the words say that something said before was wrong ("Apologies,", "You're right,"): what
/// follows is told by them.
fn takes_back(view: &SentenceView<'_>, words: Range<usize>) -> bool {
    let folded = view.folded();
    let words: Vec<&str> = words
        .filter(|i| matches!(view.kind(*i), Some(LexKind::Word | LexKind::Number)))
        .map(|i| folded.get(i))
        .collect();
    let coherence = coherence();
    coherence.opener(&words) > 0 || coherence.takes_back(&words) || coherence.admits(&words)
}

/// One past the preface that begins at `from`, marks before it apart.
fn preface(view: &SentenceView<'_>, from: usize) -> Option<usize> {
    let start = (from..view.lexemes.len()).find(|i| !view.is_mark(*i))?;
    if !(from..start).all(|i| is_ornament(view.word(i))) {
        return None;
    }
    let mut phrase = String::new();
    spell(view.word(start), &mut phrase);
    let word = view.kind(start) == Some(LexKind::Word);
    if word && !opens_one(&phrase) || titled(view, start) {
        return None;
    }
    phrase.clear();
    let mut made = Made::default();
    let mut plain = None;
    for (at, lexeme) in view.lexemes.iter().enumerate().skip(start).take(WORDS + 1) {
        if lexeme.flags.has(LexFlags::QUOTED) {
            return None;
        }
        if lexeme.kind != LexKind::Word {
            if view.word(at) == "." && greets(view, start..at) {
                continue;
            }
            let (comma, colon) = match view.word(at) {
                "," | "—" | "–" => (true, false),
                ":" => (true, true),
                _ => (false, false),
            };
            let said = || listed("comma", &phrase) || made.speaks(colon);
            let ends =
                comma && (said() || greets(view, start..at)) || colon && listed("colon", &phrase);
            let end = if ends { Some(at + 1) } else { plain };
            return end.filter(|end| !is_known(view, start..*end));
        }
        let before = phrase.len();
        if before > 0 {
            phrase.push(' ');
        }
        spell(view.word(at), &mut phrase);
        let word = phrase[before..].trim_start();
        if before > 0 && (listed("that", &phrase[..before]) || made.tells()) {
            if word == "that" {
                return (!is_known(view, start..at)).then_some(at + 1);
            }
            if made.may_leave_that_out(&phrase[..before]) && begins_clause(view, at) {
                plain = Some(at);
            }
        }
        made.add(word);
    }
    plain.filter(|end| !is_known(view, start..*end))
}

/// What is known of a preface's words so far, where it is made of such words freely.
#[derive(Default)]
struct Made {
    words: usize,
    starts: bool,
    starts_telling: bool,
    speaks: bool,
    /// Whether it begins with whose records or documents are told of.
    whose: bool,
    papers: bool,
    states: bool,
    /// Whether there was a word that no preface is made of.
    other: bool,
    says: bool,
    /// Whether what somebody else says or thinks is told, or what was wrong: "I know you think".
    others: bool,
}

impl Made {
    fn add(&mut self, word: &str) {
        let marks = prefaces().marks(word);
        self.others |= self.words > 0 && word == "you" && !self.says || marks.has("fault");
        let speaks = marks.has("speaks");
        let states = self.papers && self.whose && marks.has("state");
        if self.words == 0 {
            self.starts = marks.has("starts");
            self.starts_telling = marks.has("telling");
            self.whose = marks.has("whose");
        }
        self.words += 1;
        self.says = marks.has("saying") && !self.others;
        self.speaks |= speaks;
        self.states = states;
        let papers = marks.has("papers");
        self.papers |= papers;
        self.other |= !(speaks || states || papers || marks.has("talk"));
    }

    /// "Looking at our records," "Thanks for your question,".
    fn speaks(&self, colon: bool) -> bool {
        self.speaks && !self.other && (self.starts || colon) && self.words > 1
    }

    /// "I can confirm", "our records show", before "that".
    fn tells(&self) -> bool {
        !(self.other || self.others)
            && self.words > 1
            && (self.states || self.starts_telling && self.speaks && self.says)
    }

    fn may_leave_that_out(&self, phrase: &str) -> bool {
        let mut words = phrase.rsplit(' ');
        let last = words.next().unwrap_or_default();
        let two = phrase.len()
            - words
                .next()
                .map_or(last.len(), |w| w.len() + 1 + last.len());
        self.states || listed("plain", last) || listed("plain", &phrase[two..])
    }
}

/// What stands before a sentence's first word and is no quotation: a list's mark, a dash, an emoji.
fn is_ornament(mark: &str) -> bool {
    matches!(mark, "-" | "*" | "•" | "—" | "–" | "_")
        || mark
            .chars()
            .all(|c| !c.is_ascii() && !"«»“”‘’„‚‹›「」『』…".contains(c))
}

/// Whether a clause may begin with the word at `at`: an article, a pronoun, a name or a number.
fn begins_clause(view: &SentenceView<'_>, at: usize) -> bool {
    let lexeme = &view.lexemes[at];
    let mut word = String::new();
    fold(view.word(at), &mut word);
    lexeme.flags.has(LexFlags::CAPITALIZED) && word != "i" || listed("clause", &word)
}

/// "…, and", "…, but" behind a preface lead on to the statement.
fn joins(view: &SentenceView<'_>, at: usize) -> bool {
    at < view.lexemes.len() && {
        let mut word = String::new();
        fold(view.word(at), &mut word);
        listed("join", &word)
    }
}

/// "Tom," behind a preface: who is spoken to, where no further comma makes an enumeration or an
/// apposition possible.
fn addressed(view: &SentenceView<'_>, from: usize) -> Option<usize> {
    let end = (from..view.lexemes.len())
        .take(NAME + 1)
        .find(|i| view.word(*i) == ",")?;
    let named = from < end
        && (from..end).all(|i| {
            let lexeme = &view.lexemes[i];
            let word = lexeme.kind == LexKind::Word && lexeme.flags.has(LexFlags::CAPITALIZED);
            word || i > from && view.word(i) == "."
        });
    let alone = (end + 1..view.lexemes.len()).all(|i| view.word(i) != ",");
    (named && alone && !is_known(view, from..end)).then_some(end + 1)
}

/// "Hey, Dolly! opened in 1964", "Good Morning, Vietnam was shot": the first words of a title.
fn titled(view: &SentenceView<'_>, start: usize) -> bool {
    let word = |i: usize| view.kind(i) == Some(LexKind::Word);
    let capital = |i: usize| {
        let flags = view.lexemes[i].flags;
        flags.has(LexFlags::CAPITALIZED) && !flags.has(LexFlags::ALL_CAPS)
    };
    let called = (start + 1..view.lexemes.len().min(start + TITLE)).any(|i| {
        let next = (i + 1..view.lexemes.len()).find(|next| !view.is_mark(*next));
        matches!(view.word(i), "!" | "?")
            && capital(i - 1)
            && next.is_some_and(|next| word(next) && !capital(next))
    });
    let mut phrase = String::new();
    fold(view.word(start), &mut phrase);
    let led = capital(start) && word(start + 1) && capital(start + 1);
    let both = led && {
        phrase.push(' ');
        fold(view.word(start + 1), &mut phrase);
        listed("comma", &phrase) || listed("greeting", &phrase)
    };
    called || both
}

/// Whether a preface begins with the word: most sentences are told by it from those that have one.
fn opens_one(word: &str) -> bool {
    static FIRST: OnceLock<FxHashSet<&str>> = OnceLock::new();
    let first = FIRST.get_or_init(|| {
        let classes = [
            "comma", "that", "colon", "greeting", "starts", "telling", "whose",
        ];
        let phrases = classes
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
    view.mentions.iter().any(|mention| {
        matches!(mention.resolution, Resolution::Known(_))
            && words
                .clone()
                .any(|word| mention.span.overlaps(view.lexemes[word].span))
    })
}

/// The folded word, with the ending of "it's" and "here's", which folding takes for a possessive's.
fn spell(word: &str, out: &mut String) {
    fold(word, out);
    if word.ends_with("'s") || word.ends_with("’s") {
        out.push_str("'s");
    }
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
        let named = (at + 1..words.end).filter(|i| view.word(*i) != ".");
        let name = |i: usize| {
            let mut word = String::new();
            fold(view.word(i), &mut word);
            view.lexemes[i].flags.has(LexFlags::CAPITALIZED) || listed("called", &word)
        };
        if listed("greeting", &phrase)
            && named.clone().count() <= NAME
            && named.into_iter().all(name)
        {
            return true;
        }
    }
    false
}
