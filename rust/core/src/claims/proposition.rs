//! The logical form of a sentence's clauses: subject, predicate, object, denial, quantifier and
//! scope, kind (S0-019, S0-061).

use std::num::NonZeroU64;
use std::ops::Range;

use crate::lexicon::cues::Cue;
use crate::lexicon::logic::{logic, opposite};
use crate::lexicon::tables::Table;
use crate::normal::stem;
use crate::types::{Modality, SentenceKind, Span, UnitId, clip_text};

use super::clauses::{Clause, Tense};
use super::content::{hash_on, word_hash};
use super::forms::base_form;
use super::temporal::Temporal;
use super::view::{Folded, SentenceView};

/// Of how many of its subject a statement speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantifier {
    /// "all", "every", "each".
    All,
    /// "no", "none of".
    No,
    /// "some", "a few", "several".
    Some,
    /// "not all".
    NotAll,
    /// "most".
    Most,
    /// "exactly three".
    Exactly(u32),
    /// "three": so many at least.
    Number(u32),
}

/// How often something is so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frequency {
    /// "always".
    Always,
    /// "sometimes", "often", "rarely".
    Sometimes,
    /// "never".
    Never,
}

impl Quantifier {
    /// Its name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::No => "no",
            Self::Some => "some",
            Self::NotAll => "not_all",
            Self::Most => "most",
            Self::Exactly(_) => "exactly",
            Self::Number(_) => "number",
        }
    }
}

/// What of an object can be compared by its type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// A number: value, unit, a hash of what else is said of it, and whether it is rough.
    Number {
        /// In the unit.
        value: f64,
        /// Unit, if any.
        unit: Option<UnitId>,
        /// Hash of the words around it.
        of: u64,
    },
    /// One weekday, 1 (Monday) ..= 7.
    Weekday(u8),
    /// A name that fills a place only one can have ("the capital of").
    Name(u64),
}

/// One proposition: what a clause states, in its logical form.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposition {
    /// Its clause, or its part of one.
    pub span: Span,
    /// Subject as written.
    pub subject: String,
    /// What is said: "be", "be_in", or the verb's base form.
    pub predicate: String,
    /// Of or about what, as written.
    pub object: String,
    /// Hash of the object's words.
    pub object_key: u64,
    /// Denied.
    pub negative: bool,
    /// Of how many of its subject.
    pub quantifier: Option<Quantifier>,
    /// Hash of the noun the quantifier counts, with what describes it.
    pub noun: u64,
    /// Under what circumstances: times, places, adverbs.
    pub scope: String,
    /// "is a …": what.
    pub category: Option<String>,
    /// The object as a value.
    pub value: Option<Value>,
    /// When.
    pub tense: Tense,
    /// Number of its clause.
    pub clause: usize,
    /// In which way the sentence is said.
    pub modality: Modality,
    /// Speaks of one definite thing ("the shop", "Ada Lind", "it"), not of any ("a shop").
    pub definite: bool,
    /// Said outright: no condition, report, alternative or correction.
    pub plain: bool,
    /// Says how something is, so that it holds as long as nothing says otherwise.
    pub state: bool,
    /// How often, where that is said.
    pub frequency: Option<Frequency>,
    /// Of a quantifier over things that are known ("all the doors", "none of the doors") and of
    /// one of them ("the back door"): stem of the noun.
    pub kind: Option<NonZeroU64>,
    /// An event that happens to a thing once, and its year.
    pub event: Option<(u32, i16)>,
    /// "older than Ben": the comparative and the other, without article.
    pub comparison: Option<Box<(String, String)>>,
    /// Its subject is a pronoun.
    pub pronoun: bool,
}

/// Most statements of one sentence.
const CAP: usize = 12;

/// The statements of a sentence, in text order. Questions and instructions state nothing.
#[must_use]
pub fn propositions(
    view: &SentenceView<'_>,
    folded: &Folded,
    clauses: &[Clause],
    temporals: &[Temporal],
    modality: Modality,
) -> Vec<Proposition> {
    if matches!(modality, Modality::Question | Modality::Instruction)
        || matches!(view.sentence.kind, SentenceKind::TableRow)
    {
        return Vec::new();
    }
    let reader = PropositionReader {
        view,
        folded,
        clauses,
        temporals,
        modality,
        words: logic(),
    };
    let mut found = Vec::new();
    for (i, clause) in clauses.iter().enumerate() {
        reader.clause(i, clause, &mut found);
    }
    found.truncate(CAP);
    found
}

/// Whether two things said of several may each be said of one of them ("are five and eight").
fn of_several(one: &Proposition, other: &Proposition) -> bool {
    let (a, b) = (one.object.to_lowercase(), other.object.to_lowercase());
    let values = one.value.is_some() && other.value.is_some();
    let kinds = one.category.is_some() && other.category.is_some();
    !one.negative && !other.negative && (values || kinds || opposite(&a, &b))
}

struct PropositionReader<'a> {
    view: &'a SentenceView<'a>,
    folded: &'a Folded<'a>,
    clauses: &'a [Clause],
    temporals: &'a [Temporal],
    modality: Modality,
    words: &'static Table,
}

/// A subject read for its quantifier.
struct Subject {
    quantifier: Option<Quantifier>,
    noun: Range<usize>,
    /// Key of "everyone" and "nobody", who count the same.
    people: Option<u64>,
    /// Whether "not" stands before it.
    not: bool,
    definite: bool,
}

impl PropositionReader<'_> {
    fn text(&self, i: usize) -> &str {
        self.folded.get(i)
    }

    fn has(&self, class: &str, i: usize) -> bool {
        self.view.logic(i).has(class)
    }

    fn word(&self, i: usize) -> bool {
        self.view.is_term(i)
    }

    fn span(&self, range: &Range<usize>) -> Option<Span> {
        let first = self.view.lexemes.get(range.start)?;
        let last = self.view.lexemes.get(range.end.checked_sub(1)?)?;
        Some(Span::new(first.span.start, last.span.end))
    }

    fn written(&self, range: &Range<usize>) -> String {
        self.span(range)
            .map_or(String::new(), |s| clip_text(self.view.at(s)).to_owned())
    }

    /// A hash of the stems of a range's words, articles apart.
    fn key(&self, range: Range<usize>) -> u64 {
        let mut hash = word_hash("");
        for i in range.filter(|i| self.word(*i)) {
            if !self.has("article", i) && !self.has("drop", i) {
                hash = hash_on(hash, &stem(self.text(i)));
                hash = hash_on(hash, " ");
            }
        }
        hash
    }

    fn clause(&self, number: usize, clause: &Clause, found: &mut Vec<Proposition>) {
        // "whose parent": of nothing that another sentence could name.
        if clause.subject.is_empty() || clause.possessed {
            return;
        }
        let subject = self.subject(clause);
        let copula = clause.copula;
        let from = match clause.verb {
            Some(verb) if copula => verb,
            _ => clause.group.end,
        };
        let rest = from..clause.range.end.max(from);
        let base = clause.verb.map(|verb| base_form(self.folded, verb));
        let predicate = match &base {
            _ if copula => "be".to_owned(),
            Some(base) if self.able(clause) => ["can ", base].concat(),
            Some(base) => base.clone(),
            None => "have".to_owned(),
        };
        if base.is_none() && !copula {
            let has = clause
                .group
                .clone()
                .any(|i| matches!(self.text(i), "has" | "have" | "had"));
            if !has {
                // "except for the 3 that weren't": what is denied stands before.
                return;
            }
        }
        let plain = self.plain(number, clause, &rest);
        let lead = self.lead(clause);
        let from = found.len();
        for (n, part) in self.parts(&rest, copula).into_iter().enumerate() {
            let mut negative = clause.negative && n == 0;
            let mut part = part;
            let open = part
                .clone()
                .find(|i| self.word(*i) && !self.has("drop", *i));
            // "has no pool"
            let none = |i: usize| n == 0 && base.is_none() && !copula && self.text(i) == "no";
            let denied = |i: usize| n > 0 && self.folded.cue(i).is(Cue::NEGATION);
            if let Some(i) = open.filter(|i| none(*i) || denied(*i)) {
                negative = true;
                part = i + 1..part.end;
            } else if n > 0 {
                // "is not open and closed" denies both or one: no telling.
                if clause.negative {
                    continue;
                }
            }
            let statement = self.statement(number, clause, &subject, &predicate, part, negative);
            let mut statement = Proposition { plain, ..statement };
            if n > 0 && matches!(statement.scope.as_str(), "at the same time " | "at once ") {
                statement.scope.clear();
            }
            statement.scope.insert_str(0, &lead);
            if n > 0 {
                statement.span.start = self.span_from(&rest, n);
            }
            found.push(statement);
        }
        if let [one, other] = &mut found[from..]
            && self.plural(clause)
            && of_several(one, other)
        {
            (one.plain, other.plain) = (false, false);
        }
    }

    /// Whether a form of "be" is said of several things ("my sons are", "they were").
    fn plural(&self, clause: &Clause) -> bool {
        let one = clause.subject.len() == 1 && self.text(clause.subject.start) == "you";
        let group = clause.group.clone();
        let mut words = group.map(|i| self.text(i));
        !one && words.any(|word| matches!(word, "are" | "were") || word.ends_with("'re"))
    }

    /// Where part `n` of what follows the verb begins.
    fn span_from(&self, rest: &Range<usize>, n: usize) -> usize {
        let mut joints = rest.clone().filter(|i| self.joint(*i));
        joints
            .nth(n - 1)
            .and_then(|i| self.view.lexemes.get(i + 1))
            .map_or(self.view.sentence.span.start, |l| l.span.start)
    }

    fn joint(&self, i: usize) -> bool {
        matches!(self.text(i), "and" | "but" | "yet")
    }

    /// What is said of the subject, taken apart at "and" and "but".
    fn parts(&self, rest: &Range<usize>, copula: bool) -> Vec<Range<usize>> {
        let joints: Vec<usize> = rest.clone().filter(|i| self.joint(*i)).collect();
        let short = rest.len() <= 12;
        if !copula || joints.len() != 1 || !short {
            return vec![rest.clone()];
        }
        let at = joints[0];
        if at == rest.start || at + 1 >= rest.end {
            return vec![rest.clone()];
        }
        vec![rest.start..at, at + 1..rest.end]
    }

    /// Adverbials before the subject.
    fn lead(&self, clause: &Clause) -> String {
        if clause.inherited || clause.subject.start < clause.range.start {
            return String::new();
        }
        let mut lead = String::new();
        for i in clause.range.start..clause.subject.start {
            let joins = self.folded.cue(i).is(Cue::CONJUNCTION) || self.text(i) == "not";
            if self.word(i) && !joins && !self.has("correction", i) {
                lead.push_str(self.text(i));
                lead.push(' ');
            }
        }
        lead
    }

    fn statement(
        &self,
        number: usize,
        clause: &Clause,
        subject: &Subject,
        predicate: &str,
        part: Range<usize>,
        negative: bool,
    ) -> Proposition {
        let mut predicate = predicate.to_owned();
        let mut start = part.start;
        while start < part.end && (!self.word(start) || self.has("drop", start)) {
            start += 1;
        }
        // "is on" is a state, "is on Monday" a time.
        let more = (start + 1..part.end).any(|i| self.word(i));
        if more && self.folded.cue(start).is(Cue::PREPOSITION) {
            predicate = [&predicate, "_", self.text(start)].concat();
            start += 1;
        }
        let stop = self.stop(start, part.end);
        let object = start..stop;
        let mut scope = String::new();
        for i in clause.group.clone() {
            let often = self.has("always", i) || self.has("sometimes", i);
            if self.has("timed", i) && !often && !self.folded.cue(i).is(Cue::NEGATION) {
                scope.push_str(self.text(i));
                scope.push(' ');
            }
        }
        for i in (stop..part.end).filter(|i| self.word(*i)) {
            scope.push_str(self.text(i));
            scope.push(' ');
        }
        let category = self.category(clause, &object);
        let begin = if clause.inherited {
            clause.range.start
        } else {
            clause.subject.start.min(clause.group.start) - usize::from(subject.not)
        };
        let end = part.end.max(clause.group.end);
        let span = self.trimmed(begin..end).unwrap_or_default();
        let eventive = !clause.copula && clause.tense == Tense::Past;
        Proposition {
            span,
            subject: self.written(&clause.subject),
            value: self.value(clause, &object, &predicate),
            object: self.written(&object),
            object_key: self.key(object.clone()),
            predicate,
            negative,
            quantifier: subject.quantifier,
            noun: subject
                .people
                .unwrap_or_else(|| self.key(subject.noun.clone())),
            scope: clip_text(&scope).to_owned(),
            category,
            tense: if self.able(clause) {
                Tense::Present
            } else {
                clause.tense
            },
            clause: number,
            modality: self.modality,
            definite: subject.definite,
            plain: false,
            state: !eventive || !object.is_empty(),
            frequency: self.frequency(clause),
            kind: self.kind(clause, subject),
            event: self.event(number, clause),
            comparison: self.comparison(clause),
            pronoun: clause.subject.len() == 1
                && self.folded.cue(clause.subject.start).is(Cue::PRONOUN_PERSON
                    .or(Cue::PRONOUN_THING)
                    .or(Cue::PRONOUN_GROUP)),
        }
    }

    /// A range as a span, without marks at its ends.
    fn trimmed(&self, mut range: Range<usize>) -> Option<Span> {
        let skip = |i: usize| {
            !self.word(i) || (self.folded.cue(i).is(Cue::CONJUNCTION) && self.text(i) != "yet")
        };
        while range.start < range.end && skip(range.start) {
            range.start += 1;
        }
        while range.start < range.end && skip(range.end - 1) {
            range.end -= 1;
        }
        self.span(&range)
    }
}

mod outright;
mod parts;
