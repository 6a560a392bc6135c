//! What somebody or something is said to be, where the base has another of the same kind: "is a Senior
//! Developer" of a junior one, "is red" of what is black, "is a logistics company" of a software
//! company.
//!
//! Only what is read as a whole is compared: a word that no list has leaves it open. What one thing can
//! be beside the other stands in one group of `data/en/kinds.tsv` with it.

mod colour;
mod company;
mod post;

use crate::claims::SentenceView;
use crate::kb::{Fact, Value};
use crate::lexicon::predicates::Predicates;
use crate::lexicon::tables::{forms, kinds, roles};
use crate::normal::{fold, stem};
use crate::types::{Claim, Polarity, Span};

use super::descriptive::Described;
use super::spoken::is_honorific;

/// Attributes under which a base has what a company is, beside those of its trade.
const KIND_NAMES: [&str; 5] = ["type", "kind", "category", "business_type", "company_type"];

/// The fact that what is said of an entity with "is", or of its post, contradicts.
pub(super) fn said_to_be<'a>(
    view: &SentenceView<'_>,
    claim: &Claim,
    predicate: &str,
    facts: &'a [Fact],
) -> Option<Described<'a>> {
    let names = view.attributes.predicates();
    let titled = names.same(predicate, "title");
    if claim.polarity == Polarity::Negative
        || claim.coordinated.is_some()
        || predicate != "is" && !titled
    {
        return None;
    }
    let object = claim.object_span?;
    let how = Told::of(view, claim)?;
    let only = |wanted: &dyn Fn(&Fact) -> bool| {
        let mut own = facts.iter().filter(|fact| wanted(fact));
        let first = own.next()?;
        (own.next().is_none() && first.valid_to.is_none()).then_some(first)
    };
    let text = |fact: &'a Fact| match &fact.value {
        Value::Text(own) | Value::Enum(own) => Some(own.as_str()),
        _ => None,
    };
    if let Some(fact) = only(&|fact| names.same(&fact.predicate, "title"))
        && let Some(own) = text(fact)
        && let Some((span, right)) = post::other(view, object, own, titled, facts)
        && (how == Told::Plain || span.end == object.end)
        && !told_elsewhere(view.at(span), facts, fact)
    {
        return Some(Described {
            aside: how == Told::Aside,
            ..found(fact, span, right)
        });
    }
    if titled || how == Told::Aside {
        return None;
    }
    if let Some(fact) = only(&|fact| names.same(&fact.predicate, "colour"))
        && let Some(own) = text(fact)
        && let Some((span, right)) = colour::other(view, object, own, &|noun| called(noun, facts))
        && !told_elsewhere(view.at(span), facts, fact)
    {
        return Some(found(fact, span, right));
    }
    let trade = |fact: &Fact| {
        names.same(&fact.predicate, "industry") || KIND_NAMES.contains(&fact.predicate.as_str())
    };
    let fact = only(&trade)?;
    let (span, right) = company::other(view, object, text(fact)?)?;
    (!told_elsewhere(view.at(span), facts, fact)).then(|| found(fact, span, right))
}

/// Whether something may be both what is said and what the base has: two trades, a form of
/// address beside a post, the state of a request beside that of a product.
pub(super) fn may_be_both(names: &Predicates, fact: &Fact, said: &str) -> bool {
    let Value::Text(own) = &fact.value else {
        return false;
    };
    let of = |name: &str| names.same(&fact.predicate, name);
    if of("industry") {
        return !company::apart(said, own);
    }
    if of("title") {
        return is_honorific(said.trim());
    }
    // How far an order has come is held against how far it has.
    let stage = |text: &str| roles().of("stage_", &text.trim().to_lowercase()).is_some();
    of("status")
        && forms().has("state", &said.trim().to_lowercase())
        && !(stage(said) && stage(own))
}

fn found(fact: &Fact, span: Span, right: Option<String>) -> Described<'_> {
    Described {
        fact,
        exact: Some((span, right)),
        aside: false,
    }
}

/// How what somebody is stands beside the name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    /// "X is a …", "X works as a …".
    Plain,
    /// "X, a …, called".
    Aside,
}

impl Told {
    /// `None` where it is told of another time, together with something else, or is one of a list.
    fn of(view: &SentenceView<'_>, claim: &Claim) -> Option<Self> {
        let place = view.lexemes_in(claim.object_span?);
        let Some(subject) = claim.subject_span else {
            // "**Title:** Senior Analyst", "Senior Analyst." behind the question for it
            let behind = view.word(place.end);
            let closed = matches!(behind, "" | "." | "," | "!" | ";" | "*" | "**" | "|" | "\n");
            return closed.then_some(Self::Plain);
        };
        let subject = view.lexemes_in(subject);
        let word = |i: usize| folded(view.word(i));
        let before = place.start.checked_sub(1)?;
        if view.word(before) == "(" {
            let closed = view
                .lexemes
                .get(place.end)
                .is_some_and(|_| view.word(place.end) == ")");
            return (before == subject.end && closed).then_some(Self::Aside);
        }
        if view.word(before) == "," {
            let next = view
                .lexemes
                .get(place.end)
                .map_or("", |_| view.word(place.end));
            let after = view.lexemes.get(place.end + 1).map(|_| word(place.end + 1));
            let listed = after.is_some_and(|word| matches!(&*word, "and" | "or" | "nor" | "as"));
            let closed = matches!(next, "" | "," | "." | "!" | ";");
            let undated = view.dates.is_empty()
                && !view.quantities.iter().any(|q| {
                    q.kind == crate::types::QuantityKind::Year && !q.span.overlaps(claim.span)
                });
            return (before == subject.end && closed && !(next == "," && listed) && undated)
                .then_some(Self::Aside);
        }
        let adverb = |i: usize| matches!(&*word(i), "currently" | "actually" | "presently");
        let verb = (subject.end..=before).rev().find(|i| !adverb(*i))?;
        let now = matches!(
            &*word(verb),
            "is" | "are"
                | "'s"
                | "’s"
                | "as"
                | "am"
                | "he's"
                | "she's"
                | "it's"
                | "he’s"
                | "she’s"
                | "it’s"
        );
        // "worked as", "was employed as"
        let past = word(verb) == "as"
            && verb
                .checked_sub(1)
                .is_none_or(|i| !matches!(&*word(i), "works" | "work" | "serves" | "acts"));
        (now && !past).then_some(Self::Plain)
    }
}

/// Whether the base says of the entity that it is such a thing: "headlamp" by its category.
fn called(noun: &str, facts: &[Fact]) -> bool {
    let wanted = stem(noun);
    facts.iter().any(|fact| match &fact.value {
        Value::Text(text) | Value::Enum(text) => {
            KIND_NAMES.contains(&fact.predicate.as_str())
                && stems(text).last().is_some_and(|own| *own == *wanted)
        }
        _ => false,
    })
}

/// Whether the base has the words that are said under another attribute of the entity.
fn told_elsewhere(said: &str, facts: &[Fact], own: &Fact) -> bool {
    let words = stems(said);
    let holds = |fact: &Fact| match &fact.value {
        Value::Text(text) | Value::Enum(text) | Value::Entity(text) => {
            let held = stems(text);
            words.iter().all(|word| held.contains(word))
        }
        _ => false,
    };
    facts
        .iter()
        .any(|fact| fact.predicate != own.predicate && holds(fact))
}

fn folded(text: &str) -> String {
    let mut out = String::new();
    fold(text, &mut out);
    out
}

/// Folded words of a text, without marks around them.
fn words(text: &str) -> Vec<String> {
    text.split_whitespace()
        .map(|word| folded(word.trim_matches(|c: char| !c.is_alphanumeric())))
        .filter(|word| !word.is_empty())
        .collect()
}

/// Stems of the words that tell something.
fn stems(text: &str) -> Vec<String> {
    let telling = |word: &String| !matches!(word.as_str(), "a" | "an" | "the" | "of");
    words(text)
        .iter()
        .filter(|word| telling(word))
        .map(|word| stem(word).into_owned())
        .collect()
}

/// Groups of that beginning that have the word.
fn groups(prefix: &str, word: &str) -> Vec<&'static str> {
    kinds()
        .classes(word)
        .filter_map(|class| class.strip_prefix(prefix))
        .collect()
}

/// The base's words as they fit into running text: small where those said are.
fn as_said(said: &str, own: &str) -> String {
    if said.chars().any(char::is_uppercase) {
        return own.to_owned();
    }
    let small = |word: &str| {
        let short = word
            .chars()
            .filter(|c| c.is_alphabetic())
            .all(char::is_uppercase);
        if short {
            word.to_owned()
        } else {
            word.to_lowercase()
        }
    };
    own.split(' ').map(small).collect::<Vec<_>>().join(" ")
}

/// The span from the first to the last of these lexemes.
fn span_of(view: &SentenceView<'_>, range: &std::ops::Range<usize>) -> Option<Span> {
    let first = view.lexemes.get(range.start)?.span;
    let last = view.lexemes.get(range.end.checked_sub(1)?)?.span;
    Some(Span::new(first.start, last.end))
}
