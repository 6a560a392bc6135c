//! What a sentence states, in a form in which two of them can be compared.

use crate::claims::{Content, ContentWord, SentenceView, quantity_context, word_hash};
use crate::lexicon::contrast::contrast;
use crate::lexicon::cues::{Cue, cue};
use crate::normal::{fold, stem};
use crate::types::{
    Claim, DateExpr, LexKind, Modality, Polarity, Quantity, QuantityKind, Resolution, Span,
};

use super::Role;

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
}

/// The parts of a sentence that all of its statements share.
struct StatementReader<'a> {
    view: &'a SentenceView<'a>,
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
    let mut folded = String::new();
    let mut content = Content::default();
    let mut words = Vec::new();
    let mut negative = false;
    let mut definite = !view.mentions.is_empty();
    for lexeme in view.lexemes {
        folded.clear();
        let text = view.at(lexeme.span);
        fold(text, &mut folded);
        if contrast().corrects(&folded) {
            return Vec::new();
        }
        negative |= cue(&folded).is(Cue::NEGATION) || folded.ends_with("n't") || folded == "no";
        definite |= cue(&folded).is(Cue::POSSESSIVE) || matches!(&*folded, "the" | "this");
        words.extend(content.word(lexeme, text));
    }
    let reader = StatementReader {
        view,
        content: words,
        definite,
        role,
    };
    let mut out: Vec<Statement> = claims
        .iter()
        .filter_map(|claim| reader.relation(claim, last.as_ref()))
        .collect();
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
        let subject = self.subject(claim.subject_span?, last)?;
        let mut statement = self.statement(claim, claim.object_span?);
        statement.subject = Some(subject);
        statement.negative = claim.polarity == Polarity::Negative;
        statement.predicate = claim.predicate.clone()?;
        let timed = statement.dates.iter().any(|d| timed(&d.value));
        if timed
            && (statement.predicate == "is"
                || self
                    .view
                    .attributes
                    .predicates()
                    .same(&statement.predicate, SCHEDULED))
        {
            SCHEDULED.clone_into(&mut statement.predicate);
        }
        Some(statement)
    }

    /// "book the meeting for Monday": the noun phrase between a scheduling verb and a date.
    fn event(&self, claim: &Claim) -> Option<Statement> {
        let date = self.view.dates.iter().find(|date| timed(date))?;
        let before = self
            .view
            .lexemes
            .partition_point(|lexeme| lexeme.span.end <= date.span.start);
        let mut folded = String::new();
        let at = (0..before).rev().find(|i| {
            folded.clear();
            fold(self.view.word(*i), &mut folded);
            contrast().schedules(&folded)
        })?;
        let first = self.view.lexemes[at].span.end;
        let mut end = first;
        for lexeme in &self.view.lexemes[at + 1..before] {
            folded.clear();
            fold(self.view.at(lexeme.span), &mut folded);
            let known = cue(&folded);
            if lexeme.kind != LexKind::Word || known.is(Cue::PREPOSITION.or(Cue::CONJUNCTION)) {
                break;
            }
            end = lexeme.span.end;
        }
        let words = self.stems_in(Span::new(first, end));
        let head = *words.last()?;
        let mut sorted = words;
        sorted.sort_unstable();
        sorted.truncate(SUBJECT);
        let mut statement = self.statement(claim, date.span);
        statement.subject = Some(Subject {
            head,
            words: sorted,
        });
        SCHEDULED.clone_into(&mut statement.predicate);
        Some(statement)
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
                head: word_hash(&format!("entity\u{1f}{id}")),
                words: Vec::new(),
            });
        }
        let mut words = self.stems_in(span);
        if let Some(head) = words.last().copied() {
            words.sort_unstable();
            words.truncate(SUBJECT);
            return Some(Subject { head, words });
        }
        let mut folded = String::new();
        fold(self.view.at(span), &mut folded);
        let speaker = match (folded.as_str(), self.role) {
            ("i" | "my" | "me", role) => Some(role),
            ("you" | "your", Role::User) => Some(Role::Assistant),
            ("you" | "your", _) => Some(Role::User),
            _ => None,
        };
        if let Some(role) = speaker {
            return Some(Subject {
                head: word_hash(&format!("speaker\u{1f}{}", role.as_str())),
                words: Vec::new(),
            });
        }
        cue(&folded)
            .is(Cue::PRONOUN_PERSON.or(Cue::PRONOUN_THING))
            .then(|| last.cloned())
            .flatten()
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
            })
            .collect();
        let quantities: Vec<Valued<Quantity>> = view
            .quantities
            .iter()
            .filter(|q| {
                span.overlaps(q.span)
                    && q.kind != QuantityKind::Label
                    && !dates.iter().any(|date| date.value.span.overlaps(q.span))
            })
            .map(|quantity| Valued {
                value: *quantity,
                text: view.at(quantity.span).to_owned(),
                noun: quantity_context(view.lexemes, quantity.span, |span| view.at(span)).noun,
            })
            .collect();
        let inside = |word: &ContentWord| {
            dates.iter().any(|d| d.value.span.overlaps(word.span))
                || quantities.iter().any(|q| q.value.span.overlaps(word.span))
        };
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
        }
    }
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
