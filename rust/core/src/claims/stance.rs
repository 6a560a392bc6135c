//! Whether words are put forward as so: not what is denied, doubted, reported, imagined, nearly
//! happened, or stands for comparison (S0-019).

use std::sync::OnceLock;

use crate::lexicon::cues::Cue;
use crate::lexicon::tables::{Marks, STANCE_VERBS, stance, stance_verbs};
use crate::types::{LexFlags, Span};

use super::clauses::Clause;
use super::view::{Folded, SentenceView};

/// Words before "that" among which a denial of what stands there is looked for.
const NEAR: usize = 6;
/// Words before a verb among which its subject is looked for.
const BACK: usize = 5;
/// Most words of "In the novel" and the like before its noun.
const FRAME: usize = 6;

/// Whether the words at `at` only stand in what the sentence denies ("it is not true that"),
/// doubts, lays into others' mouths ("some believe that"), imagines ("suppose", "in the novel",
/// "could have been"), tells as missed ("was nearly founded"), or sets apart ("rather than").
///
/// What the writer says in his own name stays asserted, hedged or not ("I think that"), and so
/// does what a source is said to state.
#[must_use]
pub fn unasserted(view: &SentenceView<'_>, folded: &Folded<'_>, at: Span) -> bool {
    unasserted_in(view, folded, None, at)
}

/// The same, where the sentence's clauses were read already.
pub(super) fn unasserted_in(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    known: Option<&[Clause]>,
    at: Span,
) -> bool {
    let Some(reader) = Reader::new(view, folded, at) else {
        return false;
    };
    let target = reader.target;
    let within = |clauses: &[Clause]| reader.in_clause(clauses);
    reader.framed()
        || reader.inverted()
        || reader.taken_back()
        || reader.set_right()
        || reader.quoted()
        || (0..target).any(|i| reader.embeds(i) && !reader.ended(i))
        || within(known.unwrap_or_else(|| view.clauses()))
}

/// What the table has of one word.
#[derive(Debug, Clone, Copy)]
pub(super) struct StanceWord {
    marks: Marks<'static>,
    /// Classes of [`STANCE_VERBS`] that have a base form of it, as bits.
    verbs: u8,
}

impl StanceWord {
    pub(super) fn all(folded: Folded<'_>) -> Vec<Self> {
        let one = |i| Self {
            marks: stance().marks(folded.get(i)),
            verbs: verbs(&folded, i),
        };
        (0..folded.len()).map(one).collect()
    }
}

fn verbs(folded: &Folded<'_>, i: usize) -> u8 {
    let text = folded.get(i);
    if text.ends_with("ing") {
        return 0;
    }
    let known = folded.known(i).verb.map_or(0, |base| {
        let marks = stance().marks(base);
        let has = |(bit, class): (usize, &&str)| u8::from(marks.has(class)) << bit;
        STANCE_VERBS.iter().enumerate().map(has).sum()
    });
    known | stance_verbs(text)
}

struct Reader<'a> {
    view: &'a SentenceView<'a>,
    folded: &'a Folded<'a>,
    words: &'a [StanceWord],
    /// The lexeme asked about.
    target: usize,
}

impl<'a> Reader<'a> {
    fn new(view: &'a SentenceView<'a>, folded: &'a Folded<'a>, at: Span) -> Option<Self> {
        let target = view.lexemes_in(at).start;
        (target < view.lexemes.len()).then(|| Self {
            view,
            folded,
            words: view.stance(),
            target,
        })
    }
}

impl Reader<'_> {
    fn text(&self, i: usize) -> &str {
        self.folded.get(i)
    }

    fn has(&self, class: &str, i: usize) -> bool {
        self.words.get(i).is_some_and(|word| word.marks.has(class))
    }

    /// Whether the class has the word or a base form it may be of.
    fn verb(&self, class: &str, i: usize) -> bool {
        let bit = STANCE_VERBS.iter().position(|own| *own == class);
        debug_assert!(bit.is_some(), "{class} is no class of STANCE_VERBS");
        let verbs = self.words.get(i).map_or(0, |word| word.verbs);
        bit.is_some_and(|bit| verbs >> bit & 1 == 1)
    }

    fn is(&self, i: usize, class: Cue) -> bool {
        self.folded.cue(i).is(class)
    }

    fn mark(&self, i: usize) -> bool {
        self.view.is_mark(i)
    }

    fn denial(&self, i: usize) -> bool {
        self.is(i, Cue::NEGATION)
            || self.text(i).ends_with("n't")
            || matches!(self.text(i), "no" | "hardly" | "nothing")
    }

    /// Whether a denial stands shortly before `i` in the same part of the sentence.
    fn denied(&self, i: usize) -> bool {
        (i.saturating_sub(NEAR)..i)
            .rev()
            .take_while(|j| !self.mark(*j) && !self.is(*j, Cue::BREAK.or(Cue::CONJUNCTION)))
            .any(|j| self.denial(j))
    }

    fn first(&self) -> usize {
        (0..self.folded.len())
            .find(|i| !self.mark(*i))
            .unwrap_or_default()
    }

    /// Whether what follows `i` is a clause that depends on it.
    fn complement(&self, i: usize) -> bool {
        let mut next = i + 1;
        if matches!(self.text(next), "me" | "us" | "him" | "you" | "them") {
            next += 1;
        }
        if matches!(self.text(next), "that" | "whether" | "if" | "how") {
            return true;
        }
        let open = (next..self.target)
            .all(|j| !(self.mark(j) || j > next && self.is(j, Cue::CONJUNCTION.or(Cue::BREAK))));
        let acts = |j: usize| {
            self.is(j, Cue::COPULA.or(Cue::AUXILIARY))
                || self
                    .folded
                    .known(j)
                    .verb
                    .is_some_and(|base| base != self.text(j))
        };
        open && !self.is(next, Cue::PREPOSITION) && (next + 1..self.target).any(acts)
    }

    /// Whether the word at `i` opens a clause that is not said to be so.
    fn embeds(&self, i: usize) -> bool {
        // Most words are in no class that opens such a clause.
        let known = |word: &StanceWord| !word.marks.is_empty() || word.verbs != 0;
        if !self.words.get(i).is_some_and(known) && self.text(i) != "it" {
            return false;
        }
        let that = matches!(self.text(i + 1), "that" | "whether" | "if");
        let nominal = |i: usize| {
            i > 0
                && self.is(
                    i - 1,
                    Cue::DETERMINER.or(Cue::POSSESSIVE).or(Cue::ADJECTIVE),
                )
                && !self.has("indefinite", i - 1)
        };
        if that && self.has("certain", i) && self.denied(i) {
            return true;
        }
        // "There is no evidence that"
        if that && self.has("proof", i) && self.denied(i) {
            return true;
        }
        if that && self.has("doubtful", i) && !self.denied(i) {
            return true;
        }
        if nominal(i) && !self.denied(i) && self.text(i + 1) == "that" && self.has("noun", i) {
            return true;
        }
        // "Rumour has it that", "legend has it that".
        let has_it = i > 1 && self.text(i - 1) == "has" && self.text(i) == "it" && that;
        if has_it || self.unsaid(i) || self.supposes(i) || self.talked_of(i) || self.misstated(i) {
            return true;
        }
        // "It was long believed that".
        let passive = i > 1 && self.has("widely", i - 1) && self.is(i - 2, Cue::COPULA);
        if nominal(i) && !passive || !self.complement(i) {
            return false;
        }
        if self.verb("doubt", i) {
            return !self.denied(i);
        }
        let (belief, saying) = (self.verb("belief", i), self.verb("saying", i));
        (belief || saying) && self.others(i, belief)
    }

    /// "Suppose", "Let's say" at the beginning.
    fn supposes(&self, i: usize) -> bool {
        let first = self.first();
        self.has("suppose", i)
            && (i == first && self.text(i) != "say"
                || i > first && i <= first + 2 && (first..i).all(|j| self.has("let", j)))
    }

    /// Whether the verb at `i` lays something into others' mouths; of mere saying only where
    /// nobody in particular says it, or wrongly.
    fn others(&self, i: usize, belief: bool) -> bool {
        let mut copula = false;
        let mut subject = None;
        for j in (i.saturating_sub(BACK)..i).rev() {
            if self.has("wrongly", j) {
                return true;
            }
            copula |= self.is(j, Cue::COPULA);
            // "used to be said", "I used to think": of another time.
            if self.text(j) == "used" && self.text(j + 1) == "to" {
                return true;
            }
            if self.has("widely", j) || self.text(j) == "to" {
                continue;
            }
            if self.is(
                j,
                Cue::ADVERB
                    .or(Cue::NEGATION)
                    .or(Cue::AUXILIARY)
                    .or(Cue::COPULA),
            ) {
                continue;
            }
            subject = Some(j).filter(|j| !self.mark(*j));
            break;
        }
        let Some(subject) = subject else { return false };
        if self.has("first_person", subject) {
            return self.denied(i);
        }
        if self.text(subject) == "it" {
            return copula;
        }
        let start = (0..subject)
            .rev()
            .take_while(|j| !self.mark(*j) && !self.is(*j, Cue::BREAK.or(Cue::CONJUNCTION)))
            .last()
            .unwrap_or(subject);
        belief || (start..=subject).any(|j| self.has("indefinite", j))
    }

    /// Whether what the word at `head` opened ends before the words asked about.
    fn ended(&self, head: usize) -> bool {
        let relative = head > 0
            && (head.saturating_sub(BACK)..head).any(|j| {
                matches!(self.text(j), "which" | "who") && j > 0 && self.view.word(j - 1) == ","
            });
        (head..self.target).any(|j| {
            let mark = self.view.word(j);
            matches!(mark, ";" | ")" | "—")
                || matches!(self.text(j), "but" | "however" | "actually")
                || relative && mark == ","
        })
    }

    /// "In the novel, …", "According to legend, …", "… in the film."
    fn framed(&self) -> bool {
        let first = self.first();
        let len = self.folded.len();
        let noun = |from: usize, to: usize| {
            (from..to)
                .take(FRAME)
                .take_while(|j| !self.mark(*j))
                .any(|j| self.has("fiction", j))
        };
        let comma = (first..len).find(|j| self.view.word(*j) == ",");
        if let Some(comma) = comma.filter(|comma| *comma < self.target) {
            let legend = self.text(first) == "according" && self.text(first + 1) == "to";
            if (self.text(first) == "in" || legend) && noun(first + 1, comma) {
                return true;
            }
            // "According to some blogs, …": nobody in particular.
            let anybody = |j: usize| {
                self.has("indefinite", j) || self.has("talk", j) || self.has("unnamed", j)
            };
            if legend && (first + 2..comma.min(first + 4)).any(anybody) {
                return true;
            }
            // "According to an old and wrong list, …"
            let faulty = |j: usize| self.has("doubtful", j) || self.has("misstated", j);
            if legend && (first + 1..comma).any(|j| faulty(j) && !self.denied(j)) {
                return true;
            }
        }
        let last = (0..len).rev().find(|j| !self.mark(*j)).unwrap_or(0);
        last >= 2
            && last - 2 > self.target
            && self.has("fiction", last)
            && self.is(last - 1, Cue::DETERMINER)
            && self.text(last - 2) == "in"
    }

    /// What the verb group of the words' clause says, and what stands beside them.
    fn in_clause(&self, clauses: &[Clause]) -> bool {
        let Some(clause) = clauses
            .iter()
            .find(|clause| clause.range.contains(&self.target))
        else {
            return false;
        };
        if clause.group.start < self.target {
            let group = clause.group.start..clause.group.end.min(self.target);
            if group
                .clone()
                .any(|j| self.has("irrealis", j) && !self.permits(clause, j))
            {
                return true;
            }
            let verb = clause.verb.unwrap_or(group.start);
            if group.clone().any(|j| j < verb && self.has("missed", j)) {
                return true;
            }
            let passive = clause.copula && self.text(clause.group.end) == "to";
            if passive && group.clone().any(|j| self.has("hearsay", j)) {
                return true;
            }
        }
        let says = |phrase: &Vec<&str>, at: usize| {
            let mut words = phrase.iter().zip(at..);
            words.all(|(word, i)| self.text(i) == *word)
        };
        (clause.range.start..self.target).any(|j| {
            instead().iter().any(|phrase| says(phrase, j))
                && !(j..self.target).any(|k| self.view.word(k) == ",")
        })
    }
}

/// The words of each phrase that sets what follows apart ("rather than").
fn instead() -> &'static [Vec<&'static str>] {
    static PHRASES: OnceLock<Vec<Vec<&str>>> = OnceLock::new();
    PHRASES.get_or_init(|| {
        let listed = stance().listed("instead").iter();
        listed.map(|phrase| phrase.split(' ').collect()).collect()
    })
}

/// Whether the word is the month, and not the verb: "in May", "May 3", not "it may".
pub(super) fn is_month(view: &SentenceView<'_>, folded: &str, at: usize) -> bool {
    if folded != "may" {
        return false;
    }
    let lexeme = &view.lexemes[at];
    let next = view.word(at + 1);
    let verbal = ["be", "have", "not", "also"]
        .iter()
        .any(|word| next.eq_ignore_ascii_case(word));
    let capital = lexeme.flags.has(LexFlags::CAPITALIZED)
        && !lexeme.flags.has(LexFlags::ALL_CAPS)
        && !lexeme.flags.has(LexFlags::SENTENCE_START);
    view.dates
        .iter()
        .any(|date| date.span.overlaps(lexeme.span))
        || capital && !verbal
}

mod attributed;
mod frames;
mod permitted;

pub use attributed::attributed;
