//! A light chunker: who does or is what, in the sentence shapes that answers are made of.
//!
//! Closed classes and the verbs of the lexicon mark verb groups; what stands before one is its
//! subject, what follows its objects, parted by prepositions. Ranges are lexeme numbers.

use std::ops::Range;

use crate::lexicon::cues::Cue;
use crate::lexicon::predicates::Predicates;
use crate::lexicon::units::{Role, number_word};
use crate::types::{LexKind, Span};

use super::view::{Folded, SentenceView};

/// One thing said: ranges of lexemes and the attribute spoken of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Relation {
    pub(super) subject: Range<usize>,
    pub(super) predicate: String,
    pub(super) object: Range<usize>,
    pub(super) negative: bool,
    /// The whole of which the object is one part ("French and German").
    pub(super) coordinated: Option<Range<usize>>,
}

/// Most relations of one sentence.
const CAP: usize = 12;

/// The attribute whose values are days, weekdays among them.
const SCHEDULED: &str = "scheduled_for";

/// Nouns between subject and value that only carry the value ("the number of employees").
const CARRIERS: [&str; 6] = ["number", "total", "amount", "count", "size", "value"];

pub(super) struct Parser<'a> {
    view: &'a SentenceView<'a>,
    folded: &'a Folded<'a>,
    /// Lexemes of reference marks and brackets, which no phrase goes through.
    opaque: Vec<Span>,
    found: Vec<Relation>,
    /// Values of which it is not clear whose they are ("works with X in Legal").
    unclear: Vec<Range<usize>>,
}

/// A verb group: auxiliaries, adverbs and at most one lexical verb.
struct Group {
    end: usize,
    base: Option<String>,
    /// Lexeme of the lexical verb.
    verb: usize,
    copula: bool,
    has: bool,
    negative: bool,
}

/// Whose clause is being read.
#[derive(Default)]
struct Clause {
    subject: Range<usize>,
    /// The subject that goes on after a relative clause.
    resume: Option<Range<usize>>,
    relative: bool,
    /// "whose …": of something else.
    skipped: bool,
    /// "neither … nor".
    neither: bool,
}

/// How a clause is joined to what stands before it.
#[derive(PartialEq, Eq)]
enum Opener {
    Plain,
    /// "if": not said to be so.
    Conditional,
}

/// What stands in front of the first subject.
enum Leading {
    /// "In 1990, …".
    Adverbial(Range<usize>),
    /// "Located in Trieste, …".
    Participle(Range<usize>),
}

impl<'a> Parser<'a> {
    pub(super) fn new(
        view: &'a SentenceView<'a>,
        folded: &'a Folded<'a>,
        opaque: Vec<Span>,
    ) -> Self {
        Self {
            view,
            folded,
            opaque,
            found: Vec::new(),
            unclear: Vec::new(),
        }
    }

    pub(super) fn relations(mut self) -> Vec<Relation> {
        let len = self.view.lexemes.len();
        self.asides();
        self.ages();
        self.events();
        self.sized();
        self.titled_names();
        self.accompaniments();
        let (mut start, mut leading) = self.opening();
        if let Some(end) = self.free_relative(start) {
            start = end;
        }
        let mut clause = Clause::default();
        while start < len && self.found.len() < CAP {
            let Some(verb) =
                (start..len).find(|i| self.finite(*i, start, !clause.subject.is_empty()))
            else {
                break;
            };
            let at = self.group_start(start, verb, !clause.subject.is_empty());
            let opener = self.opener(start, at);
            self.take_subject(&mut clause, start, at);
            let mut group = self.group(at, verb);
            let reduced = self.reduced(&group, verb, start, at);
            group.copula |= reduced;
            let inner = clause.relative || reduced;
            let mut end = self.clause_end(group.end);
            if inner && let Some(next) = self.next_finite(group.end, end) {
                end = next;
            }
            if reduced && !clause.relative {
                clause.resume = Some(clause.subject.clone());
            }
            if clause.skipped && opener == Opener::Plain {
                self.owned_by_whose(&clause.subject.clone(), start..at, &group, end);
            }
            if clause.subject.is_empty() || opener == Opener::Conditional || clause.skipped {
                start = end.max(verb + 1);
                continue;
            }
            group.negative |= clause.neither || self.nobody(&clause.subject);
            if self.reports(&clause.subject, &group, end) {
                end = if self.text(end) == "that" {
                    end
                } else {
                    group.end
                };
            } else {
                if leading
                    .as_ref()
                    .is_some_and(|front| self.conditional(at, group.end, front))
                {
                    leading = None;
                }
                for subject in self.conjuncts(&clause.subject, clause.neither) {
                    let fronted = leading
                        .as_ref()
                        .filter(|_| !inner)
                        .is_some_and(|leading| self.fronted(&subject, &group, leading, end));
                    if let (Some(Leading::Adverbial(front)), false) = (&leading, inner) {
                        self.accompanied(&subject, &front.clone());
                    }
                    let before = self.found.len();
                    self.predicate(&subject, &group, end);
                    // "In 1987, X was founded": the date was all there is to say.
                    let bare = self.found[before..]
                        .iter()
                        .all(|r| r.object.is_empty() || r.object == (group.verb..group.verb + 1));
                    if fronted && bare {
                        self.found.truncate(before);
                    }
                }
            }
            if !inner {
                leading = None;
            }
            start = self.trailing(group.end, end).max(verb + 1);
        }
        if self.found.is_empty() {
            self.labelled(0..len);
        }
        self.elided();
        self.members();
        self.found.truncate(CAP);
        self.complements();
        self.possessions();
        self.works_of();
        self.settle();
        self.found
    }

    /// "no rooms": what is said of rooms is denied; "no one" and "nobody" stay whole.
    fn nobody(&self, subject: &Range<usize>) -> bool {
        subject.len() > 1
            && self.text(subject.start) == "no"
            && self.text(subject.start + 1) != "one"
    }

    /// "X is a boat that was built in 1927": what is said of the boat is said of X.
    fn complements(&mut self) {
        for i in 1..self.found.len() {
            let subject = self.found[i].subject.clone();
            let is = self.found[..i].iter().find(|earlier| {
                earlier.predicate == "is"
                    && !earlier.negative
                    && !subject.is_empty()
                    && earlier.object.start == subject.start
                    && self.is(subject.start, Cue::DETERMINER)
            });
            if let Some(named) = is.map(|earlier| earlier.subject.clone()) {
                self.found[i].subject = named;
            }
        }
        // "Many think X was founded in 1990, but it was 1987": the year is of the same thing.
        for i in 1..self.found.len() {
            let later = &self.found[i];
            let subject = later.subject.clone();
            let meant = later.predicate == "is"
                && subject.len() == 1
                && matches!(self.text(subject.start), "it" | "that")
                && subject
                    .start
                    .checked_sub(1)
                    .is_some_and(|at| matches!(self.text(at), "but" | "though" | "actually"))
                && self.bare_year(&later.object);
            let earlier = self.found[..i].iter().rev().find(|earlier| {
                let known = self.predicates().named(&earlier.predicate);
                known.is_some_and(|known| known.dated) && self.bare_year(&earlier.object)
            });
            if let Some(earlier) = earlier.filter(|_| meant).cloned() {
                self.found[i].subject = earlier.subject;
                self.found[i].predicate = earlier.predicate;
            }
        }
        // "The man who founded X was Y": Y did.
        for i in 0..self.found.len() {
            let object = self.found[i].object.clone();
            let described = !object.is_empty()
                && self.is(object.start, Cue::DETERMINER)
                && !self.capital(object.end - 1);
            let named = self.found[i + 1..].iter().find(|later| {
                described
                    && later.predicate == "is"
                    && !later.negative
                    && later.subject == object
                    && !later.object.is_empty()
                    && self.capital(later.object.start)
            });
            if let Some(named) = named.map(|later| later.object.clone()) {
                self.found[i].object = named;
            }
        }
    }

    /// Only who belongs to which unit, and what one can buy for how much.
    pub(super) fn memberships(mut self) -> Vec<Relation> {
        self.members();
        self.offers();
        self.found
    }

    pub(super) fn verb(&self, i: usize) -> Option<&'a str> {
        self.folded.known(i).verb
    }

    /// The lexicon's attributes.
    fn predicates(&self) -> &'a Predicates {
        self.view.attributes.predicates()
    }

    fn is(&self, i: usize, class: Cue) -> bool {
        self.folded.cue(i).is(class)
    }

    fn text(&self, i: usize) -> &str {
        self.folded.get(i)
    }

    fn word(&self, i: usize) -> bool {
        self.view.is_term(i)
    }

    fn opaque_at(&self, i: usize) -> bool {
        let span = self.view.lexemes[i].span;
        self.opaque.iter().any(|mark| mark.overlaps(span))
    }

    fn comma(&self, i: usize) -> bool {
        i < self.view.lexemes.len() && self.view.word(i) == "," && !self.inside_value(i)
    }

    /// Inside a date, a number or a name, where punctuation parts nothing.
    fn inside_value(&self, i: usize) -> bool {
        let span = self.view.lexemes[i].span;
        fn covered<T>(sorted: &[T], span: Span, of: impl Fn(&T) -> Span) -> bool {
            let after = sorted.partition_point(|item| of(item).start < span.start);
            after > 0 && of(&sorted[after - 1]).end > span.end
        }
        covered(self.view.dates, span, |date| date.span)
            || covered(self.view.quantities, span, |quantity| quantity.span)
            || covered(self.view.mentions, span, |mention| mention.span)
            || self.may_stand_in_clock(i) && covered(self.view.times_of_day(), span, |clock| *clock)
    }

    /// Whether a time of day can go on over the lexeme: not over most marks, nor past the end.
    /// Most sentences need not be read for times because of it.
    fn may_stand_in_clock(&self, i: usize) -> bool {
        let view = self.view;
        let ends = view.sentence.span.start + view.text.len() <= view.lexemes[i].span.end;
        let joins = |c: char| matches!(c, '.' | ':' | '-' | '\'' | '’');
        !ends
            && match view.lexemes[i].kind {
                LexKind::Punct => view.word(i).contains(joins),
                _ if self.is(i, Cue::PREPOSITION) => self.may_lead_to_hour(i),
                _ => !matches!(view.word(i), "and" | "or" | "nor"),
            }
    }

    /// Whether a preposition may stand inside a time of day, by the words beside it: "in the
    /// morning", "at night", "ten to three".
    fn may_lead_to_hour(&self, i: usize) -> bool {
        let view = self.view;
        let (start, end) = (view.sentence.span.start, view.lexemes[i].span);
        let after = view.text.get(end.end.saturating_sub(start)..).unwrap_or("");
        let before = view
            .text
            .get(..end.start.saturating_sub(start))
            .unwrap_or("");
        let is = |text: &str, word: &str| {
            let own = text.as_bytes().get(..word.len());
            own.is_some_and(|own| own.eq_ignore_ascii_case(word.as_bytes()))
        };
        let mut next = after.split_whitespace();
        let mut follows = |words: &[&str]| {
            let next = next.next().unwrap_or("");
            !next.is_ascii() || words.iter().any(|word| is(next, word))
        };
        match self.text(i) {
            "in" => follows(&["the"]) && follows(&["morning", "afternoon", "evening"]),
            "at" => follows(&["night"]),
            "to" | "past" | "after" | "before" => {
                let last = before.split_whitespace().next_back().unwrap_or("");
                let mut words = last.rsplit(|c: char| c.is_ascii() && !c.is_ascii_alphanumeric());
                let word = words.next().unwrap_or("");
                let known = ["half", "quarter", "minute", "minutes"];
                !word.is_ascii()
                    || word.starts_with(|c: char| c.is_ascii_digit())
                    || known.iter().any(|own| own.eq_ignore_ascii_case(word))
                    || matches!(number_word(word).role, Role::Ones | Role::Ten)
            }
            _ => false,
        }
    }

    /// Without leading and trailing marks and adverbs.
    fn trim(&self, mut range: Range<usize>) -> Range<usize> {
        let skip = |i: usize| !self.word(i) || self.opaque_at(i);
        while range.start < range.end && skip(range.start) {
            range.start += 1;
        }
        while range.start < range.end && skip(range.end - 1) {
            range.end -= 1;
        }
        range
    }

    pub(super) fn span(&self, range: &Range<usize>) -> Option<Span> {
        let first = self.view.lexemes.get(range.start)?;
        let last = self.view.lexemes.get(range.end.checked_sub(1)?)?;
        Some(Span::new(first.span.start, last.span.end))
    }
}

mod aged;
mod asides;
mod bound_date;
mod clause;
mod compound;
mod counted;
mod deeds;
mod denial;
mod elided;
mod events;
mod frame;
mod gapped;
mod in_front;
mod lists;
mod measured;
mod nominal;
mod posts;
mod predicate;
mod relative;
mod shapes;
mod signed;
mod sized;
mod stated;
mod terse;
mod values;
mod with;

pub(super) use values::times_of_day;
