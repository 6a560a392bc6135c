//! What a sentence states, in a form in which two of them can be compared.

use crate::claims::{
    Clause, Content, ContentWord, Folded, SentenceView, clauses, quantity_context, word_hash,
};
use crate::lexicon::contrast::contrast;
use crate::lexicon::cues::{Cue, cue};
use crate::normal::{fold, stem};
use crate::types::{
    Claim, DateExpr, LexFlags, LexKind, Modality, Polarity, Quantity, QuantityKind, Resolution,
    Span,
};

use super::Role;
use super::circumstances::Circumstances;

/// The attribute whose values are days and times.
pub const SCHEDULED: &str = "scheduled_for";
/// Most words of a subject.
const SUBJECT: usize = 6;

/// What is spoken of.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Subject {
    /// Hash of the entity of the knowledge base, of the person who speaks or is spoken to, or of
    /// the last word of the phrase.
    pub head: u64,
    /// Stems of all content words of the phrase, sorted; empty where `head` says all.
    pub words: Vec<u64>,
    /// Words of the phrase that tell it from others of its kind ("next", "second"), hashed, sorted.
    pub which: Vec<u64>,
}

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
    /// Whether the value is a name.
    pub named: bool,
    /// Dates of the value.
    pub dates: Vec<Valued<DateExpr>>,
    /// Numbers of the value.
    pub quantities: Vec<Valued<Quantity>>,
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
}

/// The parts of a sentence that all of its statements share.
struct StatementReader<'a> {
    view: &'a SentenceView<'a>,
    folded: Folded<'a>,
    clauses: Vec<Clause>,
    content: Vec<ContentWord>,
    definite: bool,
    role: Role,
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
    let mut content = Content::default();
    let mut words = Vec::new();
    let mut negative = false;
    let mut definite = !view.mentions.is_empty();
    for (i, lexeme) in view.lexemes.iter().enumerate() {
        let word = folded.get(i);
        if contrast().corrects(word) {
            return Vec::new();
        }
        negative |= folded.cue(i).is(Cue::NEGATION) || word.ends_with("n't") || word == "no";
        definite |= folded.cue(i).is(Cue::POSSESSIVE) || matches!(word, "the" | "this");
        words.extend(content.word(lexeme, view.at(lexeme.span)));
    }
    let clauses = clauses(view, &folded);
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
    if out.is_empty() {
        out.extend(reader.contracted(first, last.as_ref()));
    }
    if let Some(subject) = out.iter().find_map(|s| s.subject.clone()) {
        *last = Some(subject);
    }
    out.extend(reader.event(first));
    let whole = view.sentence.span;
    out.push(Statement {
        negative,
        ..reader.statement(first, whole)
    });
    out
}

impl StatementReader<'_> {
    fn relation(&self, claim: &Claim, last: Option<&Subject>) -> Option<Statement> {
        let place = claim.subject_span?;
        let subject = self.subject(place, last)?;
        let mut statement = self.statement(claim, claim.object_span?);
        statement.subject = Some(subject);
        statement.negative = claim.polarity == Polarity::Negative;
        statement.predicate = claim.predicate.clone()?;
        self.qualify(&mut statement, Some(place));
        Some(statement)
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
        if timed && (scheduled || (statement.predicate == "is" && !said.describes)) {
            SCHEDULED.clone_into(&mut statement.predicate);
        }
        let words = self.view.lexemes_in(statement.span);
        let subject = subject.map_or(0..0, |span| self.view.lexemes_in(span));
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
        let words = self.stems_in(place);
        let head = *words.last()?;
        let mut sorted = words;
        sorted.sort_unstable();
        sorted.truncate(SUBJECT);
        let mut statement = self.statement(claim, date.span);
        statement.subject = Some(Subject {
            head,
            words: sorted,
            which: self.which(place),
        });
        SCHEDULED.clone_into(&mut statement.predicate);
        self.qualify(&mut statement, Some(place));
        statement.circumstances.settled = true;
        Some(statement)
    }

    /// Words that tell one of a kind from others of it.
    fn which(&self, span: Span) -> Vec<u64> {
        let words = self.view.lexemes_in(span).map(|i| self.folded.get(i));
        let mut which: Vec<u64> = words
            .filter(|word| contrast().selects(word))
            .map(word_hash)
            .collect();
        which.sort_unstable();
        which
    }

    fn stems_in(&self, span: Span) -> Vec<u64> {
        self.content
            .iter()
            .filter(|word| span.contains(word.span) && !word.number)
            .map(|word| word.stem)
            .collect()
    }

    fn subject(&self, span: Span, last: Option<&Subject>) -> Option<Subject> {
        let known = self.view.mentions.iter().find_map(|mention| {
            let ids = match &mention.resolution {
                Resolution::Known(ids) if span.contains(mention.span) => ids,
                _ => return None,
            };
            ids.first()
                .filter(|_| mention.span.end == span.end)
                .copied()
        });
        if let Some(id) = known {
            return Some(Subject {
                head: entity_head(id),
                ..Subject::default()
            });
        }
        let mut words = self.stems_in(span);
        let mut folded = String::new();
        fold(self.view.at(span), &mut folded);
        if words.is_empty() {
            // "the answer": a noun that says little elsewhere.
            let at = self.view.lexemes_in(span);
            let article = self.folded.cue(at.start).is(Cue::DETERMINER) && at.len() == 2;
            let number = self.view.lexemes_in(span).any(|i| self.number(i));
            if article && !number {
                words.push(word_hash(&stem(self.folded.get(at.end - 1))));
            }
        }
        if let Some(head) = words.last().copied() {
            words.sort_unstable();
            words.truncate(SUBJECT);
            let which = self.which(span);
            return Some(Subject { head, words, which });
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

    /// "3 From the menu choose …": the number of an item.
    fn numbers_item(&self, span: Span) -> bool {
        let at = self.view.lexemes_in(span);
        let next = self.view.lexemes.get(at.end);
        at.start == 0
            && next.is_some_and(|next| {
                next.kind == LexKind::Word && next.flags.has(LexFlags::CAPITALIZED)
            })
    }

    fn number(&self, i: usize) -> bool {
        self.view.lexemes[i].kind == LexKind::Number
    }

    /// "$10 per month", "5 euros a day": what the value is told for each of.
    fn per(&self, span: Span) -> u64 {
        let end = self.view.lexemes_in(span).end;
        let each = matches!(
            self.folded.get(end),
            "per" | "a" | "an" | "every" | "each" | "/"
        );
        if !each {
            return 0;
        }
        word_hash(&stem(self.folded.get(end + 1)))
    }

    /// A statement of the claim whose value stands at `span`.
    fn statement(&self, claim: &Claim, span: Span) -> Statement {
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
            })
            .collect();
        let quantities: Vec<Valued<Quantity>> = view
            .quantities
            .iter()
            .filter(|q| {
                span.overlaps(q.span)
                    && q.kind != QuantityKind::Label
                    && !self.numbers_item(q.span)
                    && !dates.iter().any(|date| date.value.span.overlaps(q.span))
            })
            .map(|quantity| Valued {
                value: *quantity,
                text: view.at(quantity.span).to_owned(),
                noun: quantity_context(view.lexemes, quantity.span, |span| view.at(span)).noun,
                per: self.per(quantity.span),
            })
            .collect();
        let inside = |word: &ContentWord| {
            dates.iter().any(|d| d.value.span.overlaps(word.span))
                || quantities.iter().any(|q| q.value.span.overlaps(word.span))
        };
        let circumstances = Circumstances::read(view, &self.folded, &self.clauses, span);
        let mut words = Vec::new();
        let mut said = Vec::new();
        let mut named = false;
        for word in &self.content {
            let mut folded = String::new();
            fold(view.at(word.span), &mut folded);
            // A word that has an opposite is a value: sentences that differ in it are still alike.
            let value = word.number || inside(word) || !contrast().opposites(&folded).is_empty();
            if !value {
                words.push(word.stem);
            }
            if span.contains(word.span) {
                said.push(folded);
                named |= word.name;
            }
        }
        words.sort_unstable();
        words.dedup();
        Statement {
            content: claim.content.trim().to_owned(),
            subject: None,
            predicate: String::new(),
            object: view.at(span).to_owned(),
            span,
            said,
            definite: self.definite,
            named,
            dates,
            quantities,
            negative: false,
            words,
            circumstances,
            free: false,
            role: false,
        }
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

/// Whether a date names a day or a time of day, rather than a year alone.
fn timed(date: &DateExpr) -> bool {
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
