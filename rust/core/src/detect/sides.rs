//! Denials by a word: "lacks a cafe" is "has no cafe", "rejected the offer" is "did not accept it".
//!
//! A part of a sentence is read as its words in order, where a word that denies stands for the one
//! that it denies. Two parts of the same words agree if both are denied, by whichever word, or
//! neither is; else they are at odds, if they leave nothing open.

use std::cell::OnceCell;

use crate::claims::{SentenceView, denies_part, may_deny};
use crate::evidence::{EvidenceSet, Passage};
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::denials::{is_antonym, side};
use crate::lexicon::tables::{denials, frames};
use crate::lexicon::units::{Role, number_word};
use crate::lexicon::words::{WordClass, class};
use crate::normal::{fold, stem};
use crate::types::Span;

use super::contradiction::other_post;

/// Sentences of a passage that are read.
const MOST: usize = 6;
/// What the class of a word that has a side begins with, where it stands for the word.
const SIDED: char = '=';
/// The class of what something has, includes or covers.
const HAVE: &str = "=have";
/// Words between a form of "be" and the state that it tells of.
const BETWEEN: usize = 3;

/// A part of a sentence with one predicate.
#[derive(Debug, Clone, Default)]
struct Part {
    /// Folded stems in order; words that deny as those that they deny.
    words: Vec<String>,
    /// How many of them have a side.
    sided: usize,
    /// How many of them deny.
    denying: usize,
    /// A negation stands there.
    negated: bool,
    /// Not more is told than that at most one holds of what is said and what it denies.
    contrary: bool,
    /// It holds under a condition, at a time, or of a part.
    bounded: bool,
    /// It says with a verb that helps that it is over, so that it may be otherwise by now.
    of_past: bool,
    /// It cannot be told what is denied.
    unclear: bool,
    /// It tells of the past, where that is known.
    past: Option<bool>,
    /// The number of words before its first with a side.
    before: usize,
    /// That word is a participle behind a form of "be" ("was approved").
    passive: bool,
    /// The number of words before who did it ("by the council").
    agent: Option<usize>,
}

impl Part {
    fn denied(&self) -> bool {
        self.negated != (self.denying % 2 == 1)
    }

    /// Whether it tells of what was done once as `told` does, which adds when that was or by whom:
    /// "The plan was rejected" of "The council approved the plan in May".
    fn is_of_deed(&self, told: &Self) -> bool {
        let more = |from: usize, to: usize| {
            let words = told.words.get(from..to).unwrap_or(&[]);
            words.iter().filter(|word| !self.words.contains(word))
        };
        let (own, at) = (self.before, told.before);
        let by = told.agent.filter(|_| self.agent.is_none() && told.passive);
        let end = by.unwrap_or(told.words.len());
        let behind = more(at, end).all(|word| is_time(word));
        let done = self.past == Some(true) && told.past == Some(true) && own > 0 && at > 0;
        let object = || told.words.get(at + 1..).unwrap_or(&[]);
        let same = if self.passive == told.passive {
            more(0, at).next().is_none() && self.words[..own] == told.words[..at]
        } else {
            self.passive && self.words[..own].iter().all(|word| object().contains(word))
        };
        done && self.contrary && told.contrary && behind && same
    }

    fn within(&self, other: &Self) -> bool {
        self.words.iter().all(|word| other.words.contains(word))
    }
}

/// The parts of a text.
#[derive(Debug, Clone)]
pub(super) struct Sides(Vec<Part>);

impl Sides {
    /// Reads a sentence.
    fn of(text: &str) -> Self {
        let mut parts = Vec::new();
        if !text.contains('?') {
            let words = split(text);
            let mut from = 0;
            for at in 0..=words.len() {
                let ends = words.get(at).is_none_or(|word| word.parts);
                if !ends {
                    continue;
                }
                if let Some(part) = part(&words[from..at], parts.last()) {
                    parts.push(part);
                }
                from = at + 1;
            }
        }
        if text.contains(['"', '“', ':']) {
            for part in &mut parts {
                part.bounded = true;
            }
        }
        Self(parts)
    }

    /// Whether this says the same as `told`, in other words, or the opposite of it; `None` where
    /// nothing can be told.
    fn agree(&self, told: &Self) -> Option<bool> {
        let mut found = None;
        for own in &self.0 {
            let mut all = (told.0.iter()).filter_map(|other| agree(own, other, &told.0));
            match all.next() {
                Some(true) => return Some(true),
                Some(false) if all.any(|agree| agree) => return Some(true),
                Some(false) => found = Some(false),
                None => {}
            }
        }
        found
    }
}

/// A sentence of the evidence that says the opposite of another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Opposite {
    /// Number of its passage.
    passage: usize,
    sentence: Span,
    /// The other is one statement.
    pub single: bool,
}

impl Opposite {
    /// Where it stands.
    pub(super) fn place(self, evidence: &EvidenceSet) -> Option<(&Passage, Span)> {
        let passage = evidence.passages().get(self.passage)?;
        Some((passage, self.sentence))
    }
}

/// What the evidence says to what a sentence denies, read once for all that ask.
#[derive(Debug, Default)]
pub struct Sided(OnceCell<Result<Option<Opposite>, ()>>);

impl Sided {
    /// The sentence of the evidence that says the opposite, `Err` where one says the same.
    pub(super) fn against(
        &self,
        view: &SentenceView<'_>,
        evidence: &EvidenceSet,
    ) -> Result<Option<Opposite>, ()> {
        *self.0.get_or_init(|| against(view, evidence))
    }

    /// Whether the evidence says what a sentence does with another word that denies.
    pub(super) fn says_so(&self, view: &SentenceView<'_>, evidence: &EvidenceSet) -> bool {
        self.against(view, evidence).is_err()
    }
}

fn against(view: &SentenceView<'_>, evidence: &EvidenceSet) -> Result<Option<Opposite>, ()> {
    let own = OnceCell::new();
    let denies = OnceCell::new();
    let mut found = None;
    let stems = view.content_stems();
    for (number, passage) in evidence.passages().iter().enumerate() {
        let data = passage.data();
        for at in data.sentences_like(stems, MOST) {
            let Some((span, told)) = data.sentence(at) else {
                continue;
            };
            if !data.may_deny(at) && !*denies.get_or_init(|| may_deny(view.text)) {
                continue;
            }
            let own = own.get_or_init(|| Sides::of(view.text));
            match own.agree(&data.reading(at, || Sides::of(told))) {
                Some(true) => return Err(()),
                Some(false) if other_post(view.text, told) => {}
                Some(false) if denies_part(view.text, told) || denies_part(told, view.text) => {}
                Some(false) => {
                    found.get_or_insert(Opposite {
                        passage: number,
                        sentence: span,
                        single: own.0.len() == 1,
                    });
                }
                None => {}
            }
        }
    }
    Ok(found)
}

/// Whether two sentences deny the same, by whichever word; `None` where nothing is told.
pub(super) fn deny_the_same(said: &str, told: &str) -> Option<bool> {
    let denies = may_deny(said) || may_deny(told);
    denies.then(|| Sides::of(said).agree(&Sides::of(told)))?
}

/// The same of two parts; `beside` are all parts of what is told.
fn agree(own: &Part, told: &Part, beside: &[Part]) -> Option<bool> {
    if own.unclear || told.unclear {
        return None;
    }
    // "has a shower, but no bath" says the first as well.
    let denied = |part: &Part| part.negated || part.denying > 0;
    let same = own.words == told.words && own.negated == told.negated;
    if same && own.sided > 0 && own.denying == told.denying && beside.iter().any(denied) {
        return Some(true);
    }
    let (lacks, adds) = (own.within(told), told.within(own));
    if own.denying + told.denying == 0 {
        let open = own.bounded || told.bounded || own.negated == told.negated;
        if !open && lacks && own.is_of_deed(told) {
            return Some(false);
        }
        // "hot", "not cold"
        let only = |a: &Part, b: &Part| -> Vec<String> {
            let words = a.words.iter().filter(|word| !b.words.contains(word));
            words.cloned().collect()
        };
        let ([one], [two]) = (&only(own, told)[..], &only(told, own)[..]) else {
            return None;
        };
        return (own.negated != told.negated && is_antonym(one, two)).then_some(true);
    }
    if own.sided != told.sided || own.words.len().min(told.words.len()) <= own.sided.max(1) {
        return None;
    }
    if own.denied() == told.denied() {
        return (lacks || adds).then_some(true);
    }
    // What is said of a part may be at odds with what is said of all.
    let plain = |word: &&String| !word.starts_with(SIDED);
    let ordered = || {
        let shared = own.words.iter().filter(|word| told.words.contains(word));
        shared.filter(plain).eq(told.words.iter().filter(plain))
    };
    // "Parking is extra", told behind what the rates include.
    let of_all = || {
        let subject = &own.words[..own.before.min(own.words.len())];
        let mut words = own.words.iter().filter(|word| !told.words.contains(word));
        let named = |word: &String| beside.iter().any(|part| part.words.contains(word));
        told.before > 0
            && told.words.iter().any(|word| word == HAVE)
            && words.all(|word| subject.contains(word) && named(word))
    };
    let deed = lacks && own.is_of_deed(told);
    let over = own.of_past || told.of_past;
    let open = own.bounded || told.bounded || over && !deed;
    let negated = own.negated || told.negated;
    // "not approved" and "not rejected" may both be so.
    let contrary = (own.contrary || told.contrary) && negated && own.denying != told.denying;
    let tense = own.past.zip(told.past).is_none_or(|(a, b)| a == b);
    let same = adds && (lacks || of_all()) && ordered() || deed;
    (same && !open && !contrary && tense && own.sided <= 1).then_some(false)
}

/// Whether a stem is of a month, a day of the week or a year.
fn is_time(stem: &str) -> bool {
    let year = stem.len() == 4 && stem.bytes().all(|b| b.is_ascii_digit());
    year || matches!(
        number_word(stem).role,
        Role::Month | Role::MonthDoubtful | Role::MonthShort
    ) || class(stem).has(WordClass::WEEKDAY)
}

struct Term {
    folded: String,
    /// It stands between two parts.
    parts: bool,
}

/// Words and what parts them.
fn split(text: &str) -> Vec<Term> {
    let sign = |c: char| matches!(c, ',' | ';' | '—' | '–' | '(' | ')');
    let separates = move |c: char| c.is_whitespace() || sign(c);
    let mut terms: Vec<Term> = Vec::new();
    let parts = || Term {
        folded: String::new(),
        parts: true,
    };
    let mut pieces = text.split_inclusive(separates).peekable();
    while let Some(piece) = pieces.next() {
        let word = piece.trim_matches(|c: char| !c.is_alphanumeric());
        if piece.starts_with('(') {
            terms.push(parts());
        }
        if !word.is_empty() {
            let mut folded = String::with_capacity(word.len());
            fold(word, &mut folded);
            let all = terms
                .last()
                .is_some_and(|term| frames().has("fraction", &term.folded));
            // "All but two": no other part.
            let but = &*folded == "but" && all;
            let joins = matches!(&*folded, "and" | "so") || but;
            if denials().has("turns", &folded) && !joins {
                terms.push(parts());
            } else {
                terms.push(Term {
                    folded,
                    parts: false,
                });
            }
        }
        // "41,000", "11–14 March"
        let digits = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
        let inside =
            piece.ends_with([',', '–', '—']) && pieces.peek().is_some_and(|next| digits(next));
        if piece.ends_with(sign) && !inside {
            terms.push(parts());
        }
    }
    // "has a lift and lacks a ramp": another predicate.
    for at in 1..terms.len().saturating_sub(1) {
        let verb = side(&terms[at + 1].folded, false).is_some();
        if terms[at].folded == "and" && verb {
            terms[at] = parts();
        }
    }
    terms
}

fn part(terms: &[Term], last: Option<&Part>) -> Option<Part> {
    let table = denials();
    let mut part = Part::default();
    let word = |at: usize| terms.get(at).map_or("", |term| term.folded.as_str());
    let negation =
        |word: &str| cue(word).is(Cue::NEGATION) || word == "no" || word.ends_with("n't");
    let closed = Cue::FUNCTION.or(Cue::NEGATION).or(Cue::AUXILIARY);
    let mut first = None;
    for at in 0..terms.len() {
        let own = word(at);
        let (marks, framed) = (table.marks(own), frames().marks(own));
        if marks.has("past") || marks.has("be") && own.ends_with("ed") {
            part.past.get_or_insert(true);
        } else if marks.has("present") {
            part.past.get_or_insert(false);
        }
        let helper = marks.has("past") && framed.has("bar");
        part.of_past |= helper;
        let month = own == "may" && at > 0 && cue(word(at - 1)).is(Cue::PREPOSITION);
        let bar = !helper && !month && framed.has("bar");
        part.bounded |= bar || !month && marks.has("bounds");
        part.unclear |= framed.has("scant") || own == "but";
        if negation(own) {
            // Behind the predicate it may deny another thing, but in "has no".
            let late = part.sided > 0 && own != "no";
            part.unclear |= late || part.negated || word(at + 1) == "only";
            part.negated = true;
            continue;
        }
        if at > 0 && word(at - 1) == "by" {
            part.agent.get_or_insert(part.words.len());
        }
        let named = at > 0 && cue(word(at - 1)).is(Cue::DETERMINER.or(Cue::PREPOSITION));
        let without = marks.has("without") && word(at + 1) == "to";
        let start = at.saturating_sub(BETWEEN);
        let state = (start..at).rev().map(word);
        let state = state
            .take_while(|word| cue(word).is(closed) || table.has("be", word))
            .any(|word| table.has("be", word));
        let found = if without || named {
            None
        } else {
            side(own, state).filter(|_| !helps(terms, at))
        };
        if without || found.is_some() {
            if first.is_none() {
                part.passive = state && own.ends_with("ed");
            }
            first.get_or_insert(part.words.len());
        }
        if without {
            part.denying += 1;
            part.contrary = true;
            part.past
                .get_or_insert(own.ends_with("ed") || marks.has("past"));
        } else if let Some(found) = found {
            part.denying += usize::from(found.denies);
            part.contrary |= !found.either;
            if found.listed {
                part.sided += 1;
                part.past.get_or_insert(own.ends_with("ed"));
                part.words.push(format!("{SIDED}{}", found.of));
            } else {
                part.words.push(stem(found.of).into_owned());
            }
        } else if marks.has("be") {
        } else if marks.has("person") || !cue(own).is(Cue::FUNCTION) {
            part.words.push(stem(own).into_owned());
        }
    }
    // "…, not labour": of what stands before.
    let bare = first.is_none() && part.negated && negation(word(0));
    if let Some(last) = last.filter(|last| bare && last.sided == 1) {
        part.sided = last.sided;
        part.denying = last.denying;
        part.contrary = last.contrary;
        part.past = last.past;
        first = Some(last.before);
        let shared = last.words[..(last.before + 1).min(last.words.len())].to_vec();
        part.words.splice(0..0, shared);
    }
    part.before = first.unwrap_or(0);
    if part.words.is_empty() {
        return None;
    }
    // "…, but failed the driving test"
    if let Some(last) = last.filter(|_| first == Some(0) && !bare) {
        let subject = last.words[..last.before.min(last.words.len())].to_vec();
        part.before += subject.len();
        part.agent = part.agent.map(|at| at + subject.len());
        part.words.splice(0..0, subject);
    }
    Some(part)
}

/// "has excluded", "had not accepted": a verb that only helps the one behind it.
fn helps(terms: &[Term], at: usize) -> bool {
    if !matches!(&*terms[at].folded, "has" | "have" | "had" | "having") {
        return false;
    }
    let mut behind = terms[at + 1..].iter().map(|term| &*term.folded);
    let next = behind.find(|word| !cue(word).is(Cue::NEGATION.or(Cue::ADVERB)));
    next.is_some_and(|next| {
        next.ends_with("ed")
            || next == "been"
            || next.ends_with("en") && next.len() > 4
            || side(next, false).is_some()
    })
}
