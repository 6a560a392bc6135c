//! What narrows an attribute where it is named: "European revenue", "the 2019 revenue", "shipping
//! weight", "the acting chair", "20 sea-view rooms". A fact that does not carry the same says
//! nothing of it.

use crate::claims::{
    AttributeNoun, Folded, SentenceView, ValueKind, clauses, explains, in_brackets, year_at,
};
use crate::kb::{Fact, Snapshot, Value};
use crate::lexicon::cues::Cue;
use crate::lexicon::predicates::Predicates;
use crate::lexicon::tables::stance;
use crate::normal::{fold_name, stem};
use crate::segment;
use crate::types::{Claim, LexFlags, LexKind, QuantityKind, Resolution, Span};

use super::clash::paid;

/// Words that a restriction behind the noun is made of at most ("revenue from South East Asia").
const BEHIND: usize = 4;
/// Letters by which a word and the adjective of it are the same ("Europe", "European").
const SHARED: usize = 4;

/// What the values of an attribute are.
fn kind_of(facts: &[Fact], names: &Predicates) -> ValueKind {
    let number = |fact: &Fact| match &fact.value {
        Value::Number { unit, .. } => {
            let plain = unit.is_none() && !paid(names, &fact.predicate);
            Some(if plain {
                ValueKind::Counted
            } else {
                ValueKind::Amount
            })
        }
        // "£120 per night"
        Value::Text(text) => segment::quantities(text)
            .iter()
            .any(|q| matches!(q.kind, QuantityKind::Money | QuantityKind::Measure))
            .then_some(ValueKind::Amount),
        _ => None,
    };
    // "private email", "mobile phone": people have several.
    let contact = |fact: &Fact| {
        ["email", "phone"]
            .iter()
            .any(|name| names.same(name, &fact.predicate))
    };
    let plain = if facts.iter().any(contact) {
        ValueKind::Amount
    } else {
        ValueKind::Text
    };
    facts.iter().find_map(number).unwrap_or(plain)
}

/// What a claim's attribute, or the thing that it is of, is narrowed by.
#[derive(Debug, Default)]
pub(super) struct Narrowing {
    /// Folded words, years left out.
    words: Vec<String>,
    /// A year beside the attribute ("its 2019 revenue").
    pub(super) year: Option<i32>,
    /// Another one of the thing itself is spoken of ("the previous fair", "a used watch").
    pub(super) other: bool,
}

impl Narrowing {
    /// Reads the words around the attribute's name in the claim's sentence. Every word before it
    /// narrows but those known to add nothing ("total", "impressive") and those that the base has
    /// of the entity `id` ("the museum director").
    pub(super) fn of(
        view: &SentenceView<'_>,
        folded: &Folded<'_>,
        claim: &Claim,
        facts: &[Fact],
        (kb, id): (&Snapshot, u32),
    ) -> Self {
        let mut out = Self::default();
        if facts.is_empty() {
            return out;
        }
        out.other = another(view, folded, claim);
        let (Some(object), Some(predicate)) = (claim.object_span, claim.predicate.as_deref())
        else {
            return out;
        };
        if matches!(predicate, "is" | "has") {
            return out;
        }
        let predicates = view.attributes.predicates();
        let kind = kind_of(facts, predicates);
        let clauses = clauses(view);
        let phrase = AttributeNoun {
            view,
            folded,
            clauses: &clauses,
            subject: claim.subject_span,
            object,
        };
        let kind = phrase.kind(predicates, predicate, kind);
        let names: Vec<&str> = facts.iter().map(|fact| fact.predicate.as_str()).collect();
        let Some(noun) = phrase.find(predicates, predicate, &names) else {
            return out;
        };
        let before = phrase.modifiers(&noun, kind, &|word| called(kb, id, word));
        out.year = before.year;
        // "was first opened in 1931": as it was opened.
        let adverb =
            |i: usize| folded.get(i) == "first" && clauses.iter().any(|own| own.group.contains(&i));
        let words = before.words.iter().filter(|i| !adverb(**i));
        out.words.extend(words.map(|i| folded.get(*i).to_owned()));
        // A part of a count is judged by whether it can be one.
        let part = kind == ValueKind::Counted && view.lexemes_in(object).contains(&noun.start);
        if !part {
            out.behind(view, folded, claim, object, noun.end);
        }
        out
    }

    /// "revenue from Asia", "headquarters in Spain", where neither is what the claim says.
    fn behind(
        &mut self,
        view: &SentenceView<'_>,
        folded: &Folded<'_>,
        claim: &Claim,
        object: Span,
        from: usize,
    ) {
        let table = stance();
        // "its price (low season)"
        if let Some(inner) = in_brackets(view, from)
            && !explains(view, &inner, "")
            && !in_scale(view, claim)
        {
            let words = inner.filter(|i| view.is_term(*i));
            self.words.extend(words.map(|i| folded.get(i).to_owned()));
            return;
        }
        if from >= view.lexemes.len() || !table.has("light_link", folded.get(from)) {
            return;
        }
        let first = from + 1;
        let last = (first..view.lexemes.len().min(first + BEHIND))
            .take_while(|i| {
                view.lexemes[*i].kind == LexKind::Word
                    && !folded.cue(*i).is(Cue::COPULA.or(Cue::AUXILIARY))
            })
            .last();
        let Some(last) = last else {
            return;
        };
        let span = Span::new(view.lexemes[first].span.start, view.lexemes[last].span.end);
        let own = span.overlaps(object) || claim.subject_span.is_some_and(|s| s.overlaps(span));
        if own || table.has("whole", folded.get(first)) {
            return;
        }
        for i in first..=last {
            if !folded.cue(i).is(Cue::FUNCTION) {
                self.words.push(folded.get(i).to_owned());
            }
        }
    }

    /// Whether the base's attribute of that name is the one that is spoken of, by the words that
    /// narrow it and its noun: "parking_charge" for a fee that is a parking fee.
    pub(super) fn names(&self, own: &str, predicate: &str, predicates: &Predicates) -> bool {
        let parts: Vec<&str> = own.split('_').collect();
        let tells = |lead: &[&str]| {
            let told = |word: &String| lead.iter().any(|own| related(own, word));
            let said = |own: &&str| self.words.iter().any(|word| related(own, word));
            self.words.iter().all(told) && lead.iter().all(said)
        };
        let noun = |at: &usize| predicates.same(&parts[*at..].join("_"), predicate);
        !self.other
            && !self.words.is_empty()
            && (1..parts.len()).filter(noun).any(|at| tells(&parts[..at]))
    }

    /// Whether nothing narrows it but perhaps a year.
    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty() && !self.other
    }

    /// Whether a fact is narrowed in the same way: by its qualifiers or in its name.
    pub(super) fn carried_by(&self, fact: &Fact) -> bool {
        if self.other {
            return false;
        }
        let mut held: Vec<String> = fact.predicate.split('_').map(str::to_owned).collect();
        for qualifier in &fact.qualifiers {
            held.extend(qualifier.name.split('_').map(str::to_owned));
            let value = fold_name(&qualifier.value.to_string());
            held.extend(value.split(' ').map(str::to_owned));
        }
        let parts = |word: &String| word.split('-').map(str::to_owned).collect::<Vec<String>>();
        // The depth of a lake is its greatest one.
        let most = stance().has("at_most_by_itself", &fact.predicate);
        let plain = |word: &String| most && stance().has("greatest", word);
        self.words
            .iter()
            .filter(|word| !plain(word))
            .flat_map(parts)
            .all(|word| held.iter().any(|own| related(own, &word)))
    }
}

/// Whether a claim is narrowed in a way that the fact is not.
pub(super) fn narrowed(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    claim: &Claim,
    fact: &Fact,
    known: (&Snapshot, u32),
) -> bool {
    let own = Narrowing::of(view, folded, claim, std::slice::from_ref(fact), known);
    !own.is_empty() && !own.carried_by(fact)
}

fn related(a: &str, b: &str) -> bool {
    let common = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    stem(a) == stem(b) || common >= SHARED
}

/// Whether the base calls the entity so: a word of its names or its kind.
fn called(kb: &Snapshot, id: u32, word: &str) -> bool {
    let same = |text: &str| {
        fold_name(text)
            .split(' ')
            .any(|own| stem(own) == stem(word))
    };
    kb.kind(id).is_some_and(same) || kb.names_of(id).iter().any(|name| same(name))
}

/// "The previous fair", "the 2025 fair", "fair 2025", "a used watch": another one than the base's.
fn another(view: &SentenceView<'_>, folded: &Folded<'_>, claim: &Claim) -> bool {
    let Some(subject) = claim.subject_span else {
        return false;
    };
    let range = view.lexemes_in(subject);
    let Some(mention) = view.mentions.iter().find(|mention| {
        matches!(mention.resolution, Resolution::Known(_)) && mention.span.overlaps(subject)
    }) else {
        return false;
    };
    let table = stance();
    let after = view.lexemes_in(mention.span).end;
    let behind = view
        .lexemes
        .get(after)
        .is_some_and(|lexeme| year_at(view, lexeme.span).is_some());
    behind
        && claim
            .object_span
            .is_none_or(|object| !object.contains(view.lexemes[after].span))
        || range
            .filter(|i| view.lexemes[*i].span.end <= mention.span.start)
            .any(|i| {
                let word = folded.get(i);
                let capital = view.lexemes[i].flags.has(LexFlags::CAPITALIZED) && i > 0;
                !capital && (table.has("edition", word) || table.has("narrowing", word))
                    || year_at(view, view.lexemes[i].span).is_some()
            })
}

/// Whether the claim's number was read in what stands in brackets behind its name ("(EUR million)").
fn in_scale(view: &SentenceView<'_>, claim: &Claim) -> bool {
    claim.quantities.iter().any(|told| {
        let written = view.quantities.iter().find(|own| own.span == told.span);
        written.is_some_and(|own| own != told)
    })
}
