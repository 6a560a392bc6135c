//! What a word of reserve holds back: the clause it stands in, what follows it, or all of the
//! sentence. Of an amount's exactness it holds back nothing that is claimed.

use std::ops::Range;

use crate::lexicon::cues::{Cue, phrase};
use crate::lexicon::tables::{frames, hedges};
use crate::types::{LexFlags, LexKind, LinguisticKind};

use super::clauses::{Clause, Tense};
use super::view::{Folded, SentenceView};

/// Strength of a hedge that only the closed class knows.
const CUE_STRENGTH: f64 = 0.5;
/// Said of a likeness as well.
const LOOKS: &str = "it looks like";

/// How strongly each clause of a sentence is hedged, 0..1.
#[derive(Debug, Default)]
pub(super) struct Hedges {
    clauses: Vec<f64>,
    /// Clauses that put nothing forward by themselves: conditions, "experts say".
    led: Vec<bool>,
    /// The strongest of them.
    any: f64,
}

/// How far a hedge reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    Clause,
    /// Its clause and those that follow, up to one that is set against them.
    Onward,
    Whole,
}

/// A word or phrase of reserve.
struct Found {
    /// Its lexemes; none where it stands before what is read.
    words: Range<usize>,
    strength: f64,
    reach: Reach,
}

impl Hedges {
    /// The hedges of the sentence.
    pub(super) fn read(view: &SentenceView<'_>, folded: &Folded<'_>) -> Self {
        let reader = Reader { view, folded };
        let found = reader.found();
        if found.is_empty() {
            return Self::default();
        }
        let clauses = view.clauses();
        let mut own = Self {
            clauses: vec![0.0; clauses.len()],
            led: (0..clauses.len()).map(|k| reader.led(clauses, k)).collect(),
            any: found.iter().map(|f| f.strength).fold(0.0, f64::max),
        };
        for one in &found {
            let from = match one.reach {
                Reach::Whole => 0,
                _ => place(clauses, one.words.start).unwrap_or(0),
            };
            let end = match one.reach {
                Reach::Whole => clauses.len(),
                Reach::Clause => (from + 1).min(clauses.len()),
                Reach::Onward => (from + 1..clauses.len())
                    .find(|k| reader.against(&clauses[*k]))
                    .unwrap_or(clauses.len()),
            };
            for strength in own.clauses.iter_mut().take(end).skip(from) {
                *strength = strength.max(one.strength);
            }
        }
        // "may sell it and move": the second verb stands behind "may" too.
        for (k, clause) in clauses.iter().enumerate().skip(1) {
            if own.clauses[k] <= 0.0 && reader.shares(clause) {
                own.clauses[k] = own.clauses[k - 1];
            }
        }
        own
    }

    /// Of the sentence as a whole: 0 where a clause of it is put forward as so.
    pub(super) fn sentence(&self) -> f64 {
        let mut put = (self.clauses.iter().zip(&self.led)).filter(|(_, led)| !**led);
        if put.any(|(strength, _)| *strength <= 0.0) {
            0.0
        } else {
            self.any.clamp(0.0, 1.0)
        }
    }

    /// Of what is said at a lexeme.
    pub(super) fn at(&self, view: &SentenceView<'_>, lexeme: usize) -> f64 {
        let own = view.clauses().iter().position(|c| holds(c, lexeme));
        match own.and_then(|k| self.clauses.get(k).filter(|_| !self.led[k])) {
            Some(strength) => strength.clamp(0.0, 1.0),
            None => self.sentence(),
        }
    }
}

fn holds(clause: &Clause, lexeme: usize) -> bool {
    clause.range.contains(&lexeme) || clause.group.contains(&lexeme)
}

/// The clause of a lexeme; the next one before the first word of a clause, else the last.
fn place(clauses: &[Clause], lexeme: usize) -> Option<usize> {
    let group = clauses.iter().position(|c| c.group.contains(&lexeme));
    let own = group.or_else(|| clauses.iter().position(|c| c.range.end > lexeme));
    own.or_else(|| clauses.len().checked_sub(1))
}

struct Reader<'a> {
    view: &'a SentenceView<'a>,
    folded: &'a Folded<'a>,
}

impl Reader<'_> {
    fn text(&self, i: usize) -> &str {
        self.folded.get(i)
    }

    fn is(&self, i: usize, class: Cue) -> bool {
        self.folded.cue(i).is(class)
    }

    /// Whether nothing of the sentence stands there: a mark, or past its end.
    fn edge(&self, i: usize) -> bool {
        !self.view.is_term(i)
    }

    fn capital(&self, i: usize) -> bool {
        let flags = self.view.lexemes.get(i).map(|lexeme| lexeme.flags);
        flags.is_some_and(|f| f.has(LexFlags::CAPITALIZED) && !f.has(LexFlags::ALL_CAPS))
    }

    /// The first word from there on that is neither an adverb nor "not".
    fn past_adverbs(&self, from: usize) -> usize {
        let passed = |i: &usize| self.is(*i, Cue::ADVERB.or(Cue::NEGATION));
        from + (from..self.folded.len()).take_while(passed).count()
    }

    fn found(&self) -> Vec<Found> {
        let mut found = Vec::new();
        let mut taken: Vec<Range<usize>> = Vec::new();
        let first = self.view.lexemes.first().map_or(0, |l| l.span.start);
        for signal in self.view.signals {
            if signal.kind != LinguisticKind::Hedging {
                continue;
            }
            let words = self.view.lexemes_in(signal.span);
            let phrase = self.view.at(signal.span).to_lowercase().replace('’', "'");
            let before = signal.span.end <= first;
            let reach = if before {
                before_all(&phrase).filter(|_| phrase != LOOKS || self.looks(0))
            } else {
                self.reach(words.clone(), &phrase)
            };
            let words = if before { 0..0 } else { words };
            taken.push(words.clone());
            found.extend(reach.map(|reach| Found {
                words,
                strength: signal.strength,
                reach,
            }));
        }
        for i in 0..self.folded.len() {
            let known = self.folded.known(i);
            let long = || {
                let words = (i..self.folded.len()).map(|i| self.text(i));
                phrase(words).filter(|(cue, _)| cue.is(Cue::HEDGE))
            };
            let length = match known.opens_phrase.then(long).flatten() {
                Some((_, length)) => length,
                None if known.cue.is(Cue::HEDGE) => 1,
                None => continue,
            };
            let words = i..i + length;
            let told = |t: &Range<usize>| t.start < words.end && words.start < t.end;
            if taken.iter().any(told) {
                continue;
            }
            let phrase: Vec<&str> = words.clone().map(|i| self.text(i)).collect();
            let reach = self.reach(words.clone(), &phrase.join(" "));
            taken.push(words.clone());
            found.extend(reach.map(|reach| Found {
                words,
                strength: CUE_STRENGTH,
                reach,
            }));
        }
        found
    }

    /// What a phrase holds back; `None` for nothing that is claimed.
    fn reach(&self, words: Range<usize>, phrase: &str) -> Option<Reach> {
        let table = hedges();
        let (at, last) = (words.start, words.end.checked_sub(1)?);
        let flags = self.view.lexemes.get(at)?.flags;
        if flags.has(LexFlags::QUOTED) && !flags.has(LexFlags::FORM) || table.has("amount", phrase)
        {
            return None;
        }
        if table.has("custom", phrase) {
            let clauses = self.view.clauses();
            let past = place(clauses, at).is_some_and(|k| clauses[k].tense == Tense::Past);
            return (!past).then_some(Reach::Clause);
        }
        let opens = (0..at).all(|i| self.edge(i));
        if table.has("clause", phrase) {
            return Some(if opens { Reach::Onward } else { Reach::Clause });
        }
        if table.has("modal", self.text(at)) {
            return self.modal(at).then_some(Reach::Clause);
        }
        if table.has("doubt", phrase) {
            return self.doubt(&words);
        }
        let verb = words.clone().find(|i| {
            let marks = table.marks(self.text(*i));
            marks.has("seem") || marks.has("appear")
        });
        if let Some(verb) = verb {
            return self.seems(verb, table.has("appear", self.text(verb)));
        }
        let suggests = words.clone().find(|i| table.has("suggest", self.text(*i)));
        if let Some(verb) = suggests {
            let that = self.text(verb + 1) == "that" && !self.edge(verb + 2)
                || self.text(verb + 1) == "it" && self.verbal(verb + 2);
            return that.then_some(Reach::Onward);
        }
        if phrase == LOOKS {
            return self.looks(last + 1).then_some(Reach::Onward);
        }
        let apart = (at == 0 || self.edge(at - 1)) && self.edge(last + 1);
        let all = apart || table.has("all", phrase.split(' ').next().unwrap_or_default());
        Some(if all { Reach::Whole } else { Reach::Onward })
    }

    /// Whether "may", "might" or "could" stands before the verb of something uncertain: no name, no
    /// month, no noun, and no ability in the past.
    fn modal(&self, at: usize) -> bool {
        let article = |i: usize| {
            matches!(self.text(i), "the" | "a" | "an" | "of")
                || self.is(i, Cue::POSSESSIVE)
                || self.view.kind(i) == Some(LexKind::Number)
        };
        if self.capital(at) || at > 0 && article(at - 1) && self.text(at) != "could" {
            return false;
        }
        let next = self.past_adverbs(at + 1);
        if self.text(at) == "may" && self.text(at + 1) == "or" {
            return true;
        }
        let no_verb = Cue::PREPOSITION
            .or(Cue::CONJUNCTION)
            .or(Cue::DETERMINER)
            .or(Cue::POSSESSIVE);
        if self.edge(next) || self.is(next, no_verb) || self.capital(next) {
            return false;
        }
        if self.text(at) != "could" {
            return true;
        }
        let base = |i: usize| self.folded.known(i).verb.unwrap_or_else(|| self.text(i));
        let able =
            |i: usize| hedges().has("ability", base(i)) || hedges().has("ability", self.text(i));
        match self.text(next) {
            "have" => true,
            "be" => !able(self.past_adverbs(next + 1)),
            _ => !able(next) && !(at + 1..next).any(|i| self.is(i, Cue::NEGATION)),
        }
    }

    /// "It is uncertain whether …", not "a questionable deal".
    fn doubt(&self, words: &Range<usize>) -> Option<Reach> {
        let leads = Cue::BREAK.or(Cue::CONDITION).or(Cue::QUESTION);
        let before = (0..words.start)
            .rev()
            .find(|i| !self.is(*i, Cue::ADVERB.or(Cue::COPULA).or(Cue::NEGATION)));
        let own = before.is_none_or(|i| {
            let pronoun = Cue::PRONOUN_THING.or(Cue::PRONOUN_OTHER);
            self.edge(i) && (0..i).all(|i| self.edge(i)) || self.is(i, pronoun)
        });
        (own || self.is(words.end, leads)).then_some(Reach::Onward)
    }

    /// "It appears that", "appears to be", "appears closed", not "appears in 1963".
    fn seems(&self, verb: usize, appears: bool) -> Option<Reach> {
        let it = verb > 0 && self.text(verb - 1) == "it";
        let next = self.past_adverbs(verb + 1);
        let clause = Cue::DETERMINER
            .or(Cue::POSSESSIVE)
            .or(Cue::PRONOUN_PERSON)
            .or(Cue::PRONOUN_THING)
            .or(Cue::PRONOUN_GROUP)
            .or(Cue::PRONOUN_OTHER);
        if it && self.edge(verb + 1) {
            return Some(Reach::Whole);
        }
        if self.text(next) == "that" || self.text(next) == "to" && self.text(next + 2) == "that" {
            return Some(Reach::Onward);
        }
        if self.text(next) == "to" {
            let infinitive = !self.edge(next + 1)
                && !self.is(next + 1, clause)
                && !self.capital(next + 1)
                && self.view.kind(next + 1) != Some(LexKind::Number);
            return infinitive.then_some(Reach::Clause);
        }
        if it && !self.edge(next) && (self.is(next, clause) || self.capital(next)) {
            return Some(Reach::Onward);
        }
        if !appears {
            let other = self.edge(next) || self.is(next, Cue::PREPOSITION);
            return (!other || self.text(next) == "as").then_some(Reach::Clause);
        }
        (self.text(next) == "as" && matches!(self.text(next + 1), "if" | "though"))
            .then_some(Reach::Onward)
            .or_else(|| self.state(next).then_some(Reach::Clause))
    }

    /// Whether the word says in which state something is, as far as it tells.
    fn state(&self, i: usize) -> bool {
        let ends = [
            "ed", "ful", "ous", "able", "ible", "ive", "less", "ic", "al", "ish",
        ];
        let word = self.text(i);
        let other = Cue::PREPOSITION.or(Cue::DETERMINER).or(Cue::POSSESSIVE);
        !self.edge(i)
            && !self.is(i, other)
            && !self.capital(i)
            && (self.is(i, Cue::ADJECTIVE)
                || word.len() > 4 && ends.iter().any(|end| word.ends_with(end)))
    }

    /// Whether a clause stands there: "It looks like the annex was built", not "like a castle".
    fn looks(&self, from: usize) -> bool {
        let mut clauses = self.view.clauses().iter();
        // "A castle and was built": the verb's subject stands before the likeness.
        let own = |c: &Clause| {
            let before = c.group.start.checked_sub(1);
            !before.is_some_and(|i| self.is(i, Cue::CONJUNCTION))
        };
        clauses.any(|c| c.subject.start >= from && !c.inherited && !self.joined(c) && own(c))
    }

    /// Whether a verb stands there, or its auxiliary.
    fn verbal(&self, i: usize) -> bool {
        let i = self.past_adverbs(i);
        self.is(i, Cue::COPULA.or(Cue::AUXILIARY)) || self.folded.known(i).verb.is_some()
    }

    fn joined(&self, clause: &Clause) -> bool {
        clause.opener.is_some_and(|i| self.is(i, Cue::CONJUNCTION))
    }

    /// "…, but she built it": set against what stands before.
    fn against(&self, clause: &Clause) -> bool {
        let opener = clause.opener;
        opener.is_some_and(|i| frames().has("against", self.text(i)))
            || clause
                .range
                .start
                .checked_sub(1)
                .is_some_and(|i| self.view.word(i) == ";")
    }

    /// Whether the clause shares the auxiliary of the one before: a bare verb behind "and".
    fn shares(&self, clause: &Clause) -> bool {
        let bare = clause.verb.is_some_and(|verb| {
            clause.group.len() == 1 && self.folded.known(verb).verb == Some(self.text(verb))
        });
        bare && clause.inherited && self.joined(clause)
    }

    /// Whether the clause only leads to the next, or is a condition.
    fn led(&self, clauses: &[Clause], k: usize) -> bool {
        let clause = &clauses[k];
        if clause.opener.is_some_and(|i| self.is(i, Cue::CONDITION)) {
            return true;
        }
        let reports = clause.verb.is_some_and(|verb| {
            let base = self
                .folded
                .known(verb)
                .verb
                .unwrap_or_else(|| self.text(verb));
            self.is(verb, Cue::REPORT) || crate::lexicon::cues::cue(base).is(Cue::REPORT)
        });
        let next = clauses.get(k + 1);
        reports && next.is_some_and(|next| next.range.start <= clause.rest.start + 1)
    }
}

/// What a phrase holds back that stands before all that is read ("As I recall, …").
fn before_all(phrase: &str) -> Option<Reach> {
    let table = hedges();
    let first = phrase.split(' ').next().unwrap_or_default();
    let within = ["amount", "custom", "modal"];
    if within.iter().any(|class| table.has(class, phrase)) || table.has("modal", first) {
        return None;
    }
    Some(if table.has("all", first) {
        Reach::Whole
    } else {
        Reach::Onward
    })
}
