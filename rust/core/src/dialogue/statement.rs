//! What a sentence states, in a form in which two of them can be compared.

use crate::claims::{
    Bounds, Clause, ContentWord, Folded, SentenceView, clauses, told_apart, word_hash,
};
use crate::lexicon::contrast::contrast;
use crate::lexicon::cues::Cue;
use crate::normal::{fold, stem};
use crate::types::{
    Claim, DateExpr, LexFlags, LexKind, Modality, Polarity, Quantity, QuantityKind, Span,
};

use super::Role;
use super::circumstances::Circumstances;
use super::follow_up::{is_bare, of_the_speaker};
use super::slip::{admits, sets_apart, turns_to};
use super::subject::Subject;

/// Function words before the first content word of a state ("out of order") at most.
const STATE: usize = 2;
/// The attribute whose values are days and times.
pub const SCHEDULED: &str = "scheduled_for";

/// A date or number with the words it is written in.
#[derive(Debug, Clone, PartialEq)]
pub struct Valued<T> {
    /// The value.
    pub value: T,
    /// Its words.
    pub text: String,
    /// Stem of what it counts; 0 where nothing is said.
    pub noun: u64,
    /// Hash of what it is told for each of ("per month"); 0 where nothing is said.
    pub per: u64,
    /// What the words around a number leave open ("over 40", "2 to 4 hours").
    pub bounds: Option<Bounds>,
}

impl Valued<Quantity> {
    /// Where it stands, with the words that leave it open.
    #[must_use]
    pub fn place(&self) -> Span {
        self.bounds.map_or(self.value.span, |bounds| bounds.span)
    }
}

/// One thing stated.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// The words of its claim.
    pub content: String,
    /// What it is about; none where the statement is the sentence as a whole.
    pub subject: Option<Subject>,
    /// The attribute spoken of; empty for a sentence as a whole.
    pub predicate: String,
    /// The value, as written.
    pub object: String,
    /// Where the value stands; the whole sentence where it has none.
    pub span: Span,
    /// Folded content words of the value.
    pub said: Vec<String>,
    /// Whether the sentence names somebody, or speaks of things as known ("the", "your").
    pub definite: bool,
    /// Whether it is told of a kind as such ("breakfast", "dogs"), of no pronoun and not of any one.
    pub general: bool,
    /// Whether it is said of one thing ("is", "was").
    pub single: bool,
    /// Whether the value is a name.
    pub named: bool,
    /// Dates of the value.
    pub dates: Vec<Valued<DateExpr>>,
    /// Numbers of the value.
    pub quantities: Vec<Valued<Quantity>>,
    /// Stems of the value's content words outside its numbers and dates, sorted.
    pub beside: Vec<u64>,
    /// "from 9 to 5": minutes after midnight, as far as they are written.
    pub hours: Option<(i32, i32)>,
    /// Whether it is denied.
    pub negative: bool,
    /// Stems of the sentence's content words without its values, sorted.
    pub words: Vec<u64>,
    /// Under what circumstances it holds.
    pub circumstances: Circumstances,
    /// Whether it says that nothing is to be paid.
    pub free: bool,
    /// Whether its subject is a place that one person at a time fills ("the CEO").
    pub role: bool,
    /// Whether its speakers say it of themselves, or of what is theirs to say ("my budget").
    pub own: bool,
    /// Whether its subject is named by one word that is known, or by a pronoun ("the price").
    pub bare: bool,
    /// Whether it holds in the world, whatever the user wishes ("was founded in 1990").
    pub lasting: bool,
}

/// The parts of a sentence that all of its statements share.
pub(super) struct StatementReader<'a> {
    pub(super) view: &'a SentenceView<'a>,
    pub(super) folded: Folded<'a>,
    pub(super) clauses: Vec<Clause>,
    pub(super) content: Vec<ContentWord>,
    definite: bool,
    pub(super) role: Role,
}

/// What the sentence states: one statement for each claim with a subject, one for an event that
/// gets a date ("I'll book the meeting for Monday"), and one for the sentence as a whole. Nothing
/// for what is asked, ordered, quoted or hedged, nor for what is marked as replacing earlier words
/// ("actually", "moved to").
///
/// `role` says who speaks, so that "I" and "you" name the same persons in all turns; `last` is
/// what the sentence before was about, for its pronouns.
#[must_use]
pub fn statements(
    view: &SentenceView<'_>,
    claims: &[Claim],
    role: Role,
    last: &mut Option<Subject>,
) -> Vec<Statement> {
    let Some(first) = claims
        .first()
        .filter(|claim| claim.modality == Modality::Asserted)
    else {
        return Vec::new();
    };
    let folded = view.folded();
    let mut words = Vec::new();
    let mut negative = false;
    let mut definite = !view.mentions.is_empty();
    if admits(view) {
        return Vec::new();
    }
    for i in 0..view.lexemes.len() {
        let word = folded.get(i);
        if contrast().corrects(word) {
            return Vec::new();
        }
        negative |= folded.cue(i).is(Cue::NEGATION) || word.ends_with("n't") || word == "no";
        definite |=
            folded.cue(i).is(Cue::POSSESSIVE) || matches!(word, "the" | "this" | "we" | "us");
        words.extend(view.content(i));
    }
    let clauses = clauses(view);
    if let [main, _, ..] = &clauses[..] {
        // What a later clause denies is not the sentence.
        negative = main.negative;
    }
    let reader = StatementReader {
        view,
        folded,
        clauses,
        content: words,
        definite,
        role,
    };
    let mut out: Vec<Statement> = claims
        .iter()
        .filter_map(|claim| reader.relation(claim, last.as_ref()))
        .collect();
    // "founded by Ada and her brother": neither is the one.
    let many = |one: &Statement, all: &[Statement]| {
        all.iter().filter(|s| s.predicate == one.predicate).count() > 1
    };
    let several: Vec<bool> = out.iter().map(|one| many(one, &out)).collect();
    for (one, several) in out.iter_mut().zip(several) {
        one.named &= !several;
    }
    let opens: Vec<Statement> = out.iter().filter_map(|one| reader.opens(one)).collect();
    out.extend(opens);
    if out.is_empty() {
        out.extend(reader.contracted(first, last.as_ref()));
    }
    if let Some(subject) = out.iter().find_map(|s| s.subject.clone()) {
        *last = Some(subject);
    }
    out.extend(reader.event(first));
    out.extend(reader.happenings(first, last.as_ref()));
    // "$10, not $12" is no denial as a whole, and no statement of $12.
    if !sets_apart(view) {
        out.push(Statement {
            negative,
            ..reader.whole(first)
        });
    }
    out
}

impl StatementReader<'_> {
    fn relation(&self, claim: &Claim, last: Option<&Subject>) -> Option<Statement> {
        let place = claim.subject_span?;
        let value = claim.object_span?;
        let negative = claim.polarity == Polarity::Negative;
        if negative && turns_to(self.view, self.view.lexemes_in(value)) {
            // "is not one year but three years"
            return None;
        }
        let subject = self.subject(place, last.filter(|last| self.may_mean(claim, last)))?;
        let mut statement = self.statement(claim, value);
        statement.subject = Some(subject);
        statement.negative = claim.polarity == Polarity::Negative;
        statement.predicate = claim.predicate.clone()?;
        self.qualify(&mut statement, Some(place));
        let which = &mut statement.circumstances.which;
        which.extend(told_apart(self.view, claim));
        which.sort_unstable();
        which.dedup();
        Some(statement)
    }

    /// The sentence as a whole.
    fn whole(&self, claim: &Claim) -> Statement {
        let mut statement = self.statement(claim, self.view.sentence.span);
        let clause = self.clauses.first();
        let words = clause.and_then(|own| self.view.lexemes.get(own.subject.clone()));
        if let (Some(clause), Some([first, ..])) = (clause, words) {
            let last = words.and_then(<[_]>::last).unwrap_or(first);
            let place = Span::new(first.span.start, last.span.end);
            // "I think that …" is not of whoever thinks.
            let thinks = |i| contrast().supposes(self.folded.get(i));
            statement.own = !clause.verb.is_some_and(thinks) && of_the_speaker(self.view, place);
            statement.bare = is_bare(self.view, place);
            statement.lasting = self.lasting(&statement, place);
            if self.called(clause.subject.clone()) {
                let at = clause.subject.end - 1;
                let own = &mut statement.circumstances.which;
                own.push(word_hash(self.folded.get(at)));
                own.sort_unstable();
                statement.definite |= first.flags.has(LexFlags::CAPITALIZED);
            }
        }
        statement
    }

    /// "I'm allergic to nuts": a subject that is written together with its verb.
    fn contracted(&self, claim: &Claim, last: Option<&Subject>) -> Option<Statement> {
        let clause = self.clauses.first()?;
        let at = clause.group.start;
        let joined = clause.subject == (at..at + 1) && clause.copula && clause.verb.is_none();
        let rest = self.view.lexemes.get(clause.rest.clone())?;
        let mut words = rest.iter().filter(|l| l.kind != LexKind::Punct);
        let (first, end) = (words.clone().next()?, words.next_back()?);
        if !joined {
            return None;
        }
        let place = self.view.lexemes[at].span;
        let subject = self.subject(place, last)?;
        let mut statement = self.statement(claim, Span::new(first.span.start, end.span.end));
        statement.subject = Some(subject);
        statement.negative = clause.negative;
        "is".clone_into(&mut statement.predicate);
        self.qualify(&mut statement, Some(place));
        Some(statement)
    }

    /// Whose the subject at `place` is, and how it is named.
    pub(super) fn owned(&self, statement: &mut Statement, place: Span) {
        statement.own = of_the_speaker(self.view, place);
        statement.bare = is_bare(self.view, place);
    }

    /// What the value is of, and under what circumstances it holds.
    fn qualify(&self, statement: &mut Statement, subject: Option<Span>) {
        let timed = statement.dates.iter().any(|d| timed(&d.value));
        let scheduled = self
            .view
            .attributes
            .predicates()
            .same(&statement.predicate, SCHEDULED);
        let said = statement.circumstances.within(
            self.view,
            &self.folded,
            &self.clauses,
            statement.span,
            subject,
        );
        // "is open on Monday" says more of Monday than that something is then.
        let state = statement.said.iter().any(|word| contrast().is_state(word));
        if timed && (scheduled || (statement.predicate == "is" && !said.describes && !state)) {
            SCHEDULED.clone_into(&mut statement.predicate);
        }
        statement.own = subject.is_some_and(|span| of_the_speaker(self.view, span));
        statement.bare = subject.is_some_and(|span| is_bare(self.view, span));
        let words = self.view.lexemes_in(statement.span);
        let place = subject;
        let subject = subject.map_or(0..0, |span| self.view.lexemes_in(span));
        statement.single =
            (subject.end..words.start).any(|i| matches!(self.folded.get(i), "is" | "was"));
        let has = |what: &dyn Fn(&str) -> bool| subject.clone().any(|i| what(self.folded.get(i)));
        let named = words.clone().all(|i| {
            let lexeme = &self.view.lexemes[i];
            lexeme.kind != LexKind::Word || lexeme.flags.has(LexFlags::CAPITALIZED)
        });
        statement.role = named && contrast().is_post(&statement.predicate);
        if statement.predicate == "is" {
            let of = (subject.clone()).find(|i| self.folded.get(*i) == "of");
            let head = of.unwrap_or(subject.end).checked_sub(1);
            let filled = head.is_some_and(|i| contrast().is_post(self.folded.get(i)));
            statement.role = filled && named;
            let money = statement.quantities.len() == 1
                && statement.quantities[0].value.kind == QuantityKind::Money;
            statement.free =
                self.folded.get(words.start) == "free" && has(&|word| contrast().is_charged(word));
            if statement.free || (money && has(&|word| contrast().is_charged(word))) {
                "price".clone_into(&mut statement.predicate);
            }
        }
        statement.circumstances.settled = statement.predicate == SCHEDULED && !said.copula;
        statement.lasting = place.is_some_and(|place| self.lasting(statement, place));
    }

    /// "book the meeting for Monday": the noun phrase between a scheduling verb and a date.
    fn event(&self, claim: &Claim) -> Option<Statement> {
        let date = self.view.dates.iter().find(|date| timed(date))?;
        let before = self
            .view
            .lexemes
            .partition_point(|lexeme| lexeme.span.end <= date.span.start);
        let at = (0..before)
            .rev()
            .find(|i| contrast().schedules(self.folded.get(*i)))?;
        let first = self.view.lexemes[at].span.end;
        let mut end = first;
        for i in at + 1..before {
            let lexeme = &self.view.lexemes[i];
            let known = self.folded.cue(i);
            if lexeme.kind != LexKind::Word || known.is(Cue::PREPOSITION.or(Cue::CONJUNCTION)) {
                break;
            }
            end = lexeme.span.end;
        }
        let place = Span::new(first, end);
        let mut statement = self.statement(claim, date.span);
        statement.subject = Some(self.phrase(place)?);
        SCHEDULED.clone_into(&mut statement.predicate);
        self.qualify(&mut statement, Some(place));
        statement.circumstances.settled = true;
        Some(statement)
    }

    pub(super) fn number(&self, i: usize) -> bool {
        self.view.lexemes[i].kind == LexKind::Number
    }

    /// A statement of the claim whose value stands at `span`.
    pub(super) fn statement(&self, claim: &Claim, span: Span) -> Statement {
        let view = self.view;
        let dates: Vec<Valued<DateExpr>> = view
            .dates
            .iter()
            .filter(|date| span.overlaps(date.span))
            .map(|date| Valued {
                value: *date,
                text: view.at(date.span).to_owned(),
                noun: 0,
                per: 0,
                bounds: None,
            })
            .collect();
        let quantities = self.amounts(span, &dates);
        let inside = |word: &ContentWord| {
            dates.iter().any(|d| d.value.span.overlaps(word.span))
                || quantities.iter().any(|q| q.place().overlaps(word.span))
        };
        let circumstances = Circumstances::read(view, &self.folded, &self.clauses, span);
        let mut words = Vec::new();
        let mut said = Vec::new();
        let mut named = false;
        let mut beside = Vec::new();
        let mut state = 0..0;
        for word in &self.content {
            let at = view.lexemes_in(word.span).start;
            if state.contains(&at) {
                continue;
            }
            let mut folded = String::new();
            fold(view.at(word.span), &mut folded);
            // "sold out" is "unavailable", "out of order" is "broken".
            let start = (at.saturating_sub(STATE)..=at)
                .find_map(|i| Some((i, contrast().state(|n| self.folded.get(i + n))?)))
                .filter(|(i, (_, n))| i + n > at);
            if let Some((i, (one, n))) = start {
                state = i..i + n;
                one.clone_into(&mut folded);
            }
            // A word that has an opposite is a value: sentences that differ in it are still alike.
            let value = word.number || inside(word) || !contrast().opposites(&folded).is_empty();
            if !value {
                words.push(word.stem);
            }
            if span.contains(word.span) {
                if !word.number && !inside(word) && !contrast().is_light(&folded) {
                    beside.push(word.stem);
                }
                said.push(folded);
                named |= word.name;
            }
        }
        let place = view.lexemes_in(span);
        if said.is_empty() && place.len() == 1 {
            // "is included", "is on": a word that says little elsewhere.
            said.push(self.folded.get(place.start).to_owned());
        }
        words.sort_unstable();
        words.dedup();
        beside.sort_unstable();
        Statement {
            content: claim.content.trim().to_owned(),
            subject: None,
            predicate: String::new(),
            object: view.at(span).to_owned(),
            span,
            said,
            definite: self.definite,
            general: self.general(),
            single: false,
            named,
            dates,
            quantities,
            beside,
            hours: self.hours(span),
            negative: false,
            words,
            circumstances,
            free: false,
            role: false,
            own: false,
            bare: false,
            lasting: false,
        }
    }
}

/// Whether a date names a day or a time of day, rather than a year alone.
pub(super) fn timed(date: &DateExpr) -> bool {
    date.weekday.is_some() || date.month.is_some() || date.minutes.is_some()
}

/// Stems of folded words, sorted.
#[must_use]
pub fn stems(words: &[String]) -> Vec<u64> {
    let mut out: Vec<u64> = words.iter().map(|word| word_hash(&stem(word))).collect();
    out.sort_unstable();
    out.dedup();
    out
}
