//! What "is" and "has" say of attributes that they do not name: "has no wifi", "is private", "a
//! 3-star hotel", "is a vice president".

use crate::claims::SentenceView;
use crate::kb::{Fact, Value};
use crate::lexicon::contrast::contrast;
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::persons::persons;
use crate::lexicon::predicates::Predicates;
use crate::normal::{fold, stem};
use crate::types::{Claim, Polarity};

/// Predicates by which a thing has something.
const HAVING: [&str; 5] = ["has", "offer", "provide", "include", "feature"];
/// What a predicate of the base may begin with that only says what kind of value it has.
const MARKERS: [&str; 3] = ["has_", "is_", "have_"];
/// Levels of positions that one person may well hold together: a director of the board and a
/// chief executive.
const BOARD: [u8; 2] = [3, 5];

/// The fact that a claim with "is" or "has" contradicts.
pub(super) fn described<'a>(
    view: &SentenceView<'_>,
    claim: &Claim,
    predicate: &str,
    facts: &'a [Fact],
) -> Option<&'a Fact> {
    let object = claim.object_span?;
    let words = folded(view.at(object));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    // The noun phrase and whether more follows it.
    let end = words
        .iter()
        .position(|word| cue(word).is(Cue::PREPOSITION))
        .unwrap_or(words.len());
    let start = words[..end]
        .iter()
        .position(|word| !cue(word).is(Cue::DETERMINER.or(Cue::ADVERB)))
        .unwrap_or(end);
    let noun = &words[start..end];
    let qualified = end < words.len();
    if noun.is_empty() {
        return None;
    }
    let names = view.attributes.predicates();
    let positive = claim.polarity == Polarity::Positive;
    if predicate == "is"
        && positive
        && !qualified
        && !facts.iter().any(|fact| holds(noun, fact, names))
    {
        // "is the director", where somebody was.
        let was = facts.iter().find(|fact| {
            let mut now = (*fact).clone();
            now.valid_to = None;
            fact.valid_to.is_some() && holds(noun, &now, names)
        });
        if was.is_some() {
            return was;
        }
    }
    let mut current = facts.iter().filter(|fact| fact.valid_to.is_none());
    if HAVING.contains(&predicate) {
        return current.find(|fact| possessed(noun, qualified, positive, fact));
    }
    if predicate != "is" {
        return None;
    }
    current.find(|fact| {
        quality(noun, qualified, positive, fact)
            || positive
                && (compound(noun, fact, names) || !qualified && position(noun, fact, names))
    })
}

fn folded(text: &str) -> Vec<String> {
    text.split(|c: char| c.is_whitespace() || c == ',' || c == '"')
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .map(|word| {
            let mut out = String::new();
            fold(word, &mut out);
            out
        })
        .collect()
}

/// "has no wifi", where the base says yes.
fn possessed(noun: &[&str], qualified: bool, positive: bool, fact: &Fact) -> bool {
    let Value::Bool(value) = fact.value else {
        return false;
    };
    let name: Vec<&str> = bare(&fact.predicate).split('_').collect();
    let same = noun.len() >= name.len()
        && noun[noun.len() - name.len()..]
            .iter()
            .zip(&name)
            .all(|(said, own)| stem(said) == stem(own));
    // No *heated* pool, no parking *for buses*: there may be another.
    let whole = noun.len() == name.len() && !qualified;
    same && value != positive && (positive || whole)
}

/// "is a private company", where the base says that it is public.
fn quality(noun: &[&str], qualified: bool, positive: bool, fact: &Fact) -> bool {
    let Value::Bool(value) = fact.value else {
        return false;
    };
    if qualified || noun.len() > 2 {
        return false;
    }
    let name = bare(&fact.predicate);
    if noun[0] == name {
        return value != positive;
    }
    // What is not private need not be public.
    positive && value && contrast().opposites(noun[0]).contains(&name)
}

fn bare(predicate: &str) -> &str {
    MARKERS
        .iter()
        .find_map(|marker| predicate.strip_prefix(marker))
        .unwrap_or(predicate)
}

/// "a 3-star hotel", where the base counts four stars.
fn compound(noun: &[&str], fact: &Fact, names: &Predicates) -> bool {
    let Value::Number { value, unit: None } = &fact.value else {
        return false;
    };
    noun.iter().any(|word| {
        let Some((number, counted)) = word.split_once('-') else {
            return false;
        };
        let Ok(number) = number.parse::<f64>() else {
            return false;
        };
        let plural = format!("{counted}s");
        let named = |name: &str| names.same(&fact.predicate, name);
        (named(counted) || named(&plural)) && (number - value).abs() > f64::EPSILON
    })
}

/// "is a vice president", where the title is another position.
fn position(noun: &[&str], fact: &Fact, names: &Predicates) -> bool {
    match (persons().rank(noun), title(fact, names)) {
        (Some((_, a)), Some((_, b))) => a != b && !(BOARD.contains(&a) && BOARD.contains(&b)),
        _ => false,
    }
}

/// Whether the position is the title that the fact gives now.
fn holds(noun: &[&str], fact: &Fact, names: &Predicates) -> bool {
    fact.valid_to.is_none()
        && title(fact, names)
            .is_some_and(|(own, _)| persons().rank(noun).is_some_and(|(n, _)| n == own))
}

/// The position that a fact gives as a title, with its level.
fn title(fact: &Fact, names: &Predicates) -> Option<(String, u8)> {
    let Value::Text(own) = &fact.value else {
        return None;
    };
    let words = folded(own);
    let words: Vec<&str> = words
        .iter()
        .map(String::as_str)
        .take_while(|word| !cue(word).is(Cue::PREPOSITION))
        .collect();
    persons()
        .rank(&words)
        .filter(|_| names.same(&fact.predicate, "title"))
}
