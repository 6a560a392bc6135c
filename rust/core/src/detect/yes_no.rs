//! What a yes or no of the base says, in the ways people say it: "has no wifi", "allows pets",
//! "pets are welcome at", "is pet-friendly", "is private".

use crate::claims::SentenceView;
use crate::kb::{Fact, Snapshot, Value};
use crate::lexicon::contrast::contrast;
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::tables::{roles, stance};
use crate::normal::{fold, fold_name, stem};
use crate::types::{Claim, Polarity, Span};

use super::subject::subject_entities;

/// Predicates by which a thing has something.
const HAVING: [&str; 5] = ["has", "offer", "provide", "include", "feature"];
/// Most attributes of one thing that are called by the same noun.
const NAMED_SO: usize = 4;
/// Prepositions by which it is said where something is allowed.
const PLACES: [&str; 4] = ["at", "in", "on", "inside"];

/// A yes or no of the base, by what it is about.
struct Topic<'a> {
    /// Its words, without those that say what kind of value it has.
    words: Vec<&'a str>,
    /// Whether it says what is allowed.
    permission: bool,
}

/// What it is that a value says yes or no to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum To {
    /// That there is such a thing.
    Having,
    /// That one may.
    Allowing,
    /// That it can be had, for what price ever.
    Offering,
    /// That nothing more is paid for it.
    Including,
}

/// What a value says as a yes or no: "no", "allowed" and "not included" do.
fn answer(value: &Value) -> Option<(bool, To)> {
    if let Some(yes) = value.as_yes_no() {
        return Some((yes, To::Having));
    }
    let (Value::Text(text) | Value::Enum(text)) = value else {
        return None;
    };
    let text = text.trim().to_lowercase();
    let classes = [
        ("permitted", true, To::Allowing),
        ("not_permitted", false, To::Allowing),
        ("available", true, To::Offering),
        ("unavailable", false, To::Offering),
        ("included", true, To::Including),
        ("not_included", false, To::Including),
    ];
    let told = classes.iter().find(|(class, ..)| roles().has(class, &text));
    told.map(|(_, yes, to)| (*yes, *to))
}

fn yes(value: &Value) -> Option<bool> {
    answer(value).map(|(yes, _)| yes)
}

impl<'a> Topic<'a> {
    fn of_fact(fact: &'a Fact) -> Self {
        let mut topic = Self::of(&fact.predicate);
        topic.permission |= answer(&fact.value).is_none_or(|(_, to)| to == To::Allowing);
        topic
    }

    fn of(predicate: &'a str) -> Self {
        let mut words: Vec<&str> = predicate.split('_').collect();
        let mut permission = false;
        while words.len() > 1 {
            let (first, last) = (words[0], words[words.len() - 1]);
            if stance().has("yes_before", first) {
                permission |= permits(first).is_some();
                words.remove(0);
            } else if stance().has("yes_behind", last) {
                permission |= stance().has("allowed", last);
                words.pop();
            } else {
                break;
            }
        }
        Self { words, permission }
    }

    /// Whether the noun phrase is about it, and whether about nothing narrower.
    fn of_noun(&self, noun: &[&str]) -> Option<bool> {
        let size = self.words.len();
        let same = noun.len() >= size
            && noun[noun.len() - size..]
                .iter()
                .zip(&self.words)
                .all(|(said, own)| alike(said, own));
        same.then_some(noun.len() == size)
    }
}

/// Whether a verb allows (`Some(true)`) or forbids.
fn permits(verb: &str) -> Option<bool> {
    let base = verb.strip_suffix('s').unwrap_or(verb);
    let any = |class: &str| stance().has(class, verb) || stance().has(class, base);
    if any("allow") {
        Some(true)
    } else if any("forbid") {
        Some(false)
    } else {
        None
    }
}

fn alike(a: &str, b: &str) -> bool {
    stem(&a.replace('-', "")) == stem(&b.replace('-', ""))
}

/// Whether what is said of the entity stands against the fact. `noun` is the object's noun phrase,
/// `qualified` whether more follows it.
pub(super) fn against(
    predicate: &str,
    noun: &[&str],
    qualified: bool,
    positive: bool,
    fact: &Fact,
) -> bool {
    let Some((value, to)) = answer(&fact.value) else {
        return false;
    };
    // What is not included may be had, and what can be had need not be included.
    let other = match to {
        To::Offering => value && predicate == "include",
        To::Including => !value && predicate != "include",
        To::Having | To::Allowing => false,
    };
    if other {
        return false;
    }
    let topic = Topic::of_fact(fact);
    // No *heated* pool, no parking *for buses*: there may be another.
    // *Guide* dogs may well be allowed where dogs are not.
    let noun_says = |yes: bool| {
        let narrow = |whole: bool| yes && (whole || !topic.permission);
        topic
            .of_noun(noun)
            .is_some_and(|whole| value != yes && (narrow(whole) || !yes && whole && !qualified))
    };
    if let Some(allows) = permits(predicate) {
        return topic.permission && noun_says(allows == positive);
    }
    if HAVING.contains(&predicate) {
        return !topic.permission && noun_says(positive);
    }
    predicate == "is" && is_against(&topic, noun, qualified, positive, value)
}

/// "is a private company", "is pet-friendly", "is wheelchair accessible", "is non-smoking".
fn is_against(
    topic: &Topic<'_>,
    noun: &[&str],
    qualified: bool,
    positive: bool,
    value: bool,
) -> bool {
    let flat: Vec<&str> = noun.iter().flat_map(|word| word.split('-')).collect();
    let starts = |words: &[&str]| {
        flat.len() >= words.len()
            && flat.len() <= words.len() + 1
            && flat.iter().zip(words).all(|(a, b)| alike(a, b))
    };
    if topic.permission {
        let mut friendly = topic.words.clone();
        friendly.push("friendly");
        let mut without = vec!["non"];
        without.extend(&topic.words);
        let says = if starts(&friendly) {
            Some(positive)
        } else {
            starts(&without).then_some(!positive)
        };
        return says.is_some_and(|yes| value != yes && (yes || !qualified));
    }
    if qualified || flat.is_empty() {
        return false;
    }
    if starts(&topic.words) {
        return value != positive;
    }
    // What is not private need not be public.
    let opposite = topic.words.len() == 1
        && flat.len() <= 2
        && contrast().opposites(flat[0]).contains(&topic.words[0]);
    positive && value && opposite
}

/// "Pets are (not) allowed at X": the entity and the fact that it stands against.
pub(super) fn allowed_there(
    view: &SentenceView<'_>,
    claim: &Claim,
    kb: &Snapshot,
) -> Option<(u32, Fact)> {
    let predicate = claim.predicate.as_deref()?;
    let object = view.lexemes_in(claim.object_span?);
    // "are welcome at X" is said with "is".
    let (verb, place, from) = match predicate.split_once('_') {
        Some((verb, place)) => (verb.to_owned(), place.to_owned(), object.start),
        None if predicate == "is" && object.len() > 2 => {
            let word = |i: usize| fold_name(view.word(i));
            (word(object.start), word(object.start + 1), object.start + 2)
        }
        None => return None,
    };
    let yes = permits(&verb)? == (claim.polarity == Polarity::Positive);
    if !PLACES.contains(&place.as_str()) {
        return None;
    }
    let start = view.lexemes.get(from)?.span.start;
    let holder = Span::new(start, claim.object_span?.end);
    let noun = noun_of(view, claim.subject_span?);
    let noun: Vec<&str> = noun.iter().map(String::as_str).collect();
    let [id] = subject_entities(view, holder, kb)[..] else {
        return None;
    };
    let wanted = |name: &str| Topic::of(name).of_noun(&noun) == Some(true);
    let facts = kb.few_facts(id, NAMED_SO, &wanted)?;
    let permits = |fact: &Fact| Topic::of_fact(fact).permission;
    let mut facts = facts.into_iter().filter(permits);
    let (fact, None) = (facts.next()?, facts.next()) else {
        return None;
    };
    let against = self::yes(&fact.value).is_some_and(|value| value != yes);
    (against && fact.valid_to.is_none()).then_some((id, fact))
}

/// Folded words of a noun phrase, determiners and what follows a preposition left out.
fn noun_of(view: &SentenceView<'_>, span: Span) -> Vec<String> {
    let mut out = Vec::new();
    for word in view.at(span).split_whitespace() {
        let mut folded = String::new();
        fold(
            word.trim_matches(|c: char| !c.is_alphanumeric()),
            &mut folded,
        );
        if cue(&folded).is(Cue::PREPOSITION) {
            break;
        }
        if !folded.is_empty() && !cue(&folded).is(Cue::DETERMINER) {
            out.push(folded);
        }
    }
    out
}
