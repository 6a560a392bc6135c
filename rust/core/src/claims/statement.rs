//! The logical form of a sentence's clauses: subject, predicate, object, denial, quantifier and
//! scope, kind (S0-019, S0-061).

use std::ops::Range;

use crate::lexicon::cues::Cue;
use crate::lexicon::logic::{is_kind, logic};
use crate::lexicon::tables::Table;
use crate::normal::stem;
use crate::types::{
    LexFlags, LexKind, Modality, QuantityKind, SentenceKind, Span, UnitId, clip_text,
};

use super::clauses::{Clause, Tense, base_form};
use super::content::{hash_on, word_hash};
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

/// One statement.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
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
}

/// Most statements of one sentence.
const CAP: usize = 12;

/// The statements of a sentence, in text order. Questions and instructions state nothing.
#[must_use]
pub fn statements(
    view: &SentenceView<'_>,
    folded: &Folded,
    clauses: &[Clause],
    temporals: &[Temporal],
    modality: Modality,
) -> Vec<Statement> {
    if matches!(modality, Modality::Question | Modality::Instruction)
        || matches!(view.sentence.kind, SentenceKind::TableRow)
    {
        return Vec::new();
    }
    let reader = Reader {
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

struct Reader<'a> {
    view: &'a SentenceView<'a>,
    folded: &'a Folded,
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

impl Reader<'_> {
    fn text(&self, i: usize) -> &str {
        self.folded.get(i)
    }

    fn has(&self, class: &str, i: usize) -> bool {
        self.words.has(class, self.text(i))
    }

    fn word(&self, i: usize) -> bool {
        let kind = self.view.lexemes.get(i).map(|l| l.kind);
        matches!(kind, Some(LexKind::Word | LexKind::Number))
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

    fn clause(&self, number: usize, clause: &Clause, found: &mut Vec<Statement>) {
        if clause.subject.is_empty() {
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
        for (n, part) in self.parts(&rest, copula).into_iter().enumerate() {
            let mut negative = clause.negative && n == 0;
            let mut part = part;
            let open = part
                .clone()
                .find(|i| self.word(*i) && !self.has("drop", *i));
            if let Some(i) = open.filter(|i| n > 0 && self.folded.cue(*i).is(Cue::NEGATION)) {
                negative = true;
                part = i + 1..part.end;
            } else if n > 0 {
                // "is not open and closed" denies both or one: no telling.
                if clause.negative {
                    continue;
                }
            }
            let statement = self.statement(number, clause, &subject, &predicate, part, negative);
            let mut statement = Statement { plain, ..statement };
            statement.scope = format!("{lead}{}", statement.scope);
            if n > 0 {
                statement.span.start = self.span_from(&rest, n);
            }
            found.push(statement);
        }
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

    fn subject(&self, clause: &Clause) -> Subject {
        let range = clause.subject.clone();
        let mut i = range.start;
        let not = i.checked_sub(1).is_some_and(|j| self.text(j) == "not");
        let mut quantifier = None;
        let single = range.len() == 1;
        if self.has("all", i) || single && self.has("all_people", i) {
            quantifier = Some(if not {
                Quantifier::NotAll
            } else {
                Quantifier::All
            });
        } else if self.has("no", i) || single && self.has("no_people", i) {
            quantifier = Some(Quantifier::No);
        } else if self.has("some", i) || single && self.has("some_people", i) {
            quantifier = Some(Quantifier::Some);
        } else if self.has("most", i) && range.len() > 1 {
            quantifier = Some(Quantifier::Most);
        } else if self.text(i) == "a" && self.text(i + 1) == "few" {
            quantifier = Some(Quantifier::Some);
            i += 1;
        } else if self.has("exactly", i) {
            let span = self.view.lexemes.get(i + 1).map(|l| l.span);
            let count = self
                .view
                .quantities
                .iter()
                .find(|q| Some(q.span) == span && q.kind == QuantityKind::Cardinal);
            quantifier = count.map(|q| Quantifier::Exactly(q.value as u32));
            i += 1;
        }
        let mut start = range.start;
        let mut people = false;
        if quantifier.is_some() {
            people = ["all_people", "no_people", "some_people"]
                .iter()
                .any(|class| self.has(class, i));
            start = if people { i } else { i + 1 };
            while start < range.end
                && (self.has("article", start)
                    || (self.text(start) == "one" && self.text(start + 1) == "of"))
            {
                start += 1;
            }
        }
        let first = self.text(range.start);
        let indefinite = matches!(
            first,
            "a" | "an" | "another" | "any" | "one" | "both" | "other"
        ) || self.view.lexemes[range.start].kind == LexKind::Number;
        Subject {
            quantifier,
            noun: start..range.end,
            people: people.then(|| word_hash("\u{1f}people")),
            not: not && quantifier == Some(Quantifier::NotAll),
            definite: quantifier.is_none() && !indefinite,
        }
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

    /// Whether the clause is said outright.
    fn plain(&self, number: usize, clause: &Clause, rest: &Range<usize>) -> bool {
        if clause.modal || !matches!(self.modality, Modality::Asserted) {
            return false;
        }
        if clause.opener.is_some_and(|i| self.has("hypothetical", i)) {
            return false;
        }
        // A later clause behind a verb of speech, or behind a condition.
        let quoted = self.clauses[..number].iter().any(|earlier| {
            let verb = earlier.verb.map(|v| base_form(self.folded, v));
            verb.is_some_and(|base| self.words.has("quoting", &base))
                || earlier
                    .opener
                    .is_some_and(|i| matches!(self.text(i), "if" | "unless" | "whether"))
        });
        let own = clause.verb.map(|v| base_form(self.folded, v));
        let says = own.is_some_and(|base| self.words.has("quoting", &base));
        let marked = clause.range.clone().any(|i| {
            self.has("frequency", i)
                || self.view.lexemes[i].flags.has(LexFlags::QUOTED)
                || (self.text(i) == "not" && self.text(i + 1) == "only")
        });
        let corrected = (0..self.view.lexemes.len().min(2)).any(|i| self.has("correction", i));
        let conditional = rest
            .clone()
            .chain(rest.end..self.view.lexemes.len().min(rest.end + 2))
            .any(|i| matches!(self.text(i), "if" | "unless" | "until" | "when" | "than"));
        !quoted && !says && !marked && !corrected && !conditional
    }

    fn statement(
        &self,
        number: usize,
        clause: &Clause,
        subject: &Subject,
        predicate: &str,
        part: Range<usize>,
        negative: bool,
    ) -> Statement {
        let mut predicate = predicate.to_owned();
        let mut start = part.start;
        while start < part.end && (!self.word(start) || self.has("drop", start)) {
            start += 1;
        }
        // "is on" is a state, "is on Monday" a time.
        let more = (start + 1..part.end).any(|i| self.word(i));
        if more && self.folded.cue(start).is(Cue::PREPOSITION) {
            predicate = format!("{predicate}_{}", self.text(start));
            start += 1;
        }
        let stop = self.stop(start, part.end);
        let object = start..stop;
        let mut scope = String::new();
        for i in clause.group.clone() {
            if self.has("timed", i) && !self.folded.cue(i).is(Cue::NEGATION) {
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
        Statement {
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
            tense: clause.tense,
            clause: number,
            modality: self.modality,
            definite: subject.definite,
            plain: false,
            state: !eventive || !object.is_empty(),
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

    /// Where the object ends and circumstances begin.
    fn stop(&self, start: usize, end: usize) -> usize {
        (start..end)
            .find(|i| {
                let span = self.view.lexemes[*i].span;
                let dated = self.temporals.iter().any(|t| t.span.start == span.start);
                let inside = self
                    .view
                    .quantities
                    .iter()
                    .any(|q| q.span.start < span.start && span.end <= q.span.end);
                let mark = !self.word(*i)
                    && !inside
                    && !matches!(self.view.word(*i), "%" | "-" | "$" | "€" | "£");
                let prep = self.folded.cue(*i).is(Cue::PREPOSITION)
                    && self.text(*i) != "of"
                    && !self.folded.cue(*i).is(Cue::ADVERB)
                    && *i > start;
                mark || prep
                    || (dated && *i > start)
                    || self.folded.cue(*i).is(Cue::BREAK)
                    || (self.has("timed", *i) && *i > start)
                    || matches!(self.text(*i), "and" | "or" | "but")
            })
            .unwrap_or(end)
    }

    /// "is a mammal", "is a type of fish": what.
    fn category(&self, clause: &Clause, object: &Range<usize>) -> Option<String> {
        let generic = matches!(self.text(object.start), "a" | "an");
        let plural = clause.copula && object.len() == 1;
        if !clause.copula || clause.verb.is_some() || !(generic || plural) {
            return None;
        }
        let words: Vec<&str> = object
            .clone()
            .skip(usize::from(generic))
            .map(|i| self.text(i))
            .collect();
        let of = words.iter().position(|w| *w == "of");
        let head = match of {
            Some(at)
                if at > 0
                    && matches!(words[at - 1], "type" | "kind" | "species" | "sort" | "form") =>
            {
                &words[at + 1..]
            }
            Some(at) => &words[..at],
            None => &words[..],
        };
        let last = *head.last()?;
        let one = single(last);
        if let Some(before) = head.len().checked_sub(2).map(|i| head[i]) {
            let both = format!("{before} {one}");
            if is_kind(&both) {
                return Some(both);
            }
        }
        if is_kind(&one) || generic {
            return Some(one);
        }
        None
    }

    fn value(&self, clause: &Clause, object: &Range<usize>, predicate: &str) -> Option<Value> {
        let span = self.span(object)?;
        if clause.negative {
            return None;
        }
        if predicate == "be_on" || predicate == "be" {
            let start = self.view.lexemes[object.start].span;
            let scheduled = predicate == "be_on" || self.text(object.start).starts_with("schedul");
            let mut days = self.view.dates.iter().filter(|d| d.weekday.is_some());
            let (day, more) = (days.next(), days.next());
            if let (Some(day), None) = (day, more)
                && scheduled
                && clause.range.start <= self.view.lexemes_in(day.span).start
                && self.view.lexemes_in(day.span).end <= clause.range.end
                && !self.view.at(day.span).ends_with('s')
                && (day.span.start == start.start || predicate == "be")
            {
                return day.weekday.map(Value::Weekday);
            }
        }
        if predicate != "be" && predicate != "have" {
            return None;
        }
        let mut inside = self
            .view
            .quantities
            .iter()
            .filter(|q| span.contains(q.span) && q.kind != QuantityKind::Label);
        if let (Some(quantity), None) = (inside.next(), inside.next()) {
            let counts = matches!(
                quantity.kind,
                QuantityKind::Cardinal
                    | QuantityKind::Percent
                    | QuantityKind::Money
                    | QuantityKind::Measure
            );
            let bound = object.clone().any(|i| self.has("bound", i));
            let at = self.view.lexemes_in(quantity.span);
            let around = self.key(object.start..at.start) ^ self.key(at.end..object.end);
            let first = at.start == object.start;
            return (counts && !bound && first && !quantity.approximate).then_some(Value::Number {
                value: quantity.value,
                unit: quantity.unit,
                of: around,
            });
        }
        let role = predicate == "be"
            && matches!(
                self.text(clause.subject.start),
                "the" | "its" | "their" | "his" | "her"
            )
            && self.has("role", clause.subject.start + 1);
        let last = self.view.lexemes[object.end - 1];
        let named = self.view.lexemes[object.start]
            .flags
            .has(LexFlags::CAPITALIZED)
            && last.flags.has(LexFlags::CAPITALIZED);
        (role && named && clause.verb.is_none()).then(|| Value::Name(self.key(object.clone())))
    }
}

/// The singular of a noun, as far as its ending tells.
fn single(word: &str) -> String {
    if is_kind(word) {
        return word.to_owned();
    }
    for (end, put) in [("ies", "y"), ("es", ""), ("s", "")] {
        if let Some(stem) = word.strip_suffix(end) {
            let one = format!("{stem}{put}");
            if is_kind(&one) {
                return one;
            }
        }
    }
    word.to_owned()
}
