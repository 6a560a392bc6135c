//! Whether something said stands against something said before (S4-020..024).

use crate::claims::{amounts_agree, denies_part};
use crate::kb::names_alike;
use crate::lexicon::coherence::coherence;
use crate::lexicon::contrast::contrast;
use crate::lexicon::predicates::predicates;

use super::said::Said;
use super::state::State;

/// Share of words that two statements have in common if they speak of the same.
const SAME_WORDS: f64 = 0.8;
/// Relative difference up to which a value that is called approximate is the same.
const APPROXIMATE: f64 = 0.1;
/// Drift from which a concept that is defined anew counts as drifted.
const DRIFTED: f64 = 0.8;

/// How surely two amounts of one thing exclude each other: it may be counted in two ways.
const AMOUNTS: f64 = 0.8;
/// Opposite states of one thing at one time.
const OPPOSITES: f64 = 0.9;
/// Two colours, or two who fill one place: there may be two.
const ONE_OF: f64 = 0.7;

/// How two statements stand against each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ClashKind {
    /// One attribute of one thing got another value.
    Value,
    /// One denies the other.
    Negation,
    /// It is said of more or fewer of the same.
    Quantifier,
}

impl ClashKind {
    /// Its name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Negation => "negation",
            Self::Quantifier => "quantifier",
        }
    }
}

/// A statement that stands against an earlier one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clash {
    /// How.
    pub kind: ClashKind,
    /// How surely the two exclude each other (of values, the exclusivity of the attribute), times
    /// the confidence with which the earlier one was stated; 0..=1 (S4-021).
    pub severity: f64,
}

/// How `said` stands against `fact`; none where both may hold. A statement of a change, of another
/// one, of other years or other circumstances stands against nothing.
#[must_use]
pub fn clash(said: &Said, fact: &Said) -> Option<Clash> {
    if said.changes || fact.changes {
        return None;
    }
    if !said.years.is_empty() && !fact.years.is_empty() && said.years != fact.years {
        return None;
    }
    let found = |kind, severity| (severity > 0.0).then_some(Clash { kind, severity });
    if let Some((new, old)) = said.extent.zip(fact.extent) {
        let clash =
            coherence().conflict(new, old) && alike(&said.extended, &fact.extended) && !said.adds;
        return found(
            ClashKind::Quantifier,
            if clash { fact.confidence } else { 0.0 },
        );
    }
    if said.denied != fact.denied {
        // What may be so may as well not be.
        let certain = !said.possible && !fact.possible;
        let same = certain && alike(&said.words, &fact.words) && said.subject == fact.subject;
        let part = |denied: &Said, held: &Said| denies_part(&denied.content, &held.content);
        let same = same && !part(said, fact) && !part(fact, said);
        return found(
            ClashKind::Negation,
            if same { fact.confidence } else { 0.0 },
        );
    }
    if !same_attribute(said, fact) || said.denied || said.adds || said.around != fact.around {
        return None;
    }
    let dated = contrast().is_dated(&said.predicate);
    if said.occasion.is_another(&fact.occasion, dated) {
        return None;
    }
    if let Some((new, old)) = said.state().zip(fact.state()) {
        let open = said.past != fact.past || said.possible || fact.possible || new != old;
        let severity = if open { 0.0 } else { states(new, said, fact) };
        return found(ClashKind::Value, severity * fact.confidence);
    }
    // "had 20 rooms" and "has 30 rooms" are of two times; an event stays where it was.
    let moved_on = (said.past && fact.present) || (said.present && fact.past);
    if moved_on && !dated {
        return None;
    }
    // "founded by Ada and her brother": neither is the one.
    if (said.several || fact.several) && said.numbers.is_empty() {
        return None;
    }
    // "are on Thursdays at 6": one of the times of the week.
    if said.is_weekly() || fact.is_weekly() {
        return None;
    }
    let exclusivity = coherence().exclusivity(&said.predicate);
    let moved = if differ(said, fact) { exclusivity } else { 0.0 };
    found(ClashKind::Value, moved * fact.confidence)
}

/// Whether both give an attribute of one thing.
#[must_use]
pub fn same_attribute(said: &Said, fact: &Said) -> bool {
    said.subject != 0
        && said.subject == fact.subject
        && said.predicate == fact.predicate
        && !said.predicate.is_empty()
}

fn shared(a: &[u64], b: &[u64]) -> usize {
    a.iter().filter(|word| b.contains(word)).count()
}

#[allow(clippy::cast_precision_loss)]
fn alike(a: &[u64], b: &[u64]) -> bool {
    let both = shared(a, b);
    let all = a.len() + b.len() - both;
    all > 0 && both as f64 / all as f64 >= SAME_WORDS
}

/// How surely two states that one thing has one of at a time exclude each other.
fn states(of: State, said: &Said, fact: &Said) -> f64 {
    let (own, other): (Vec<String>, Vec<String>) =
        (said.qualities().collect(), fact.qualities().collect());
    let only = |a: &[String], b: &[String]| -> Vec<String> {
        a.iter().filter(|word| !b.contains(word)).cloned().collect()
    };
    match of {
        State::Amount => {
            let ([_], [_]) = (&said.quantities[..], &fact.quantities[..]) else {
                return 0.0;
            };
            let (Some(a), Some(b)) = (said.amounts().next(), fact.amounts().next()) else {
                return 0.0;
            };
            let differs = a.0.kind == b.0.kind && amounts_agree(a, b) == Some(false);
            // "30 years old", "20 euros for adults": the rest is the same.
            let number = |word: &String| word.starts_with(|c: char| c.is_ascii_digit());
            let rest = |words: Vec<String>| -> Vec<String> {
                words.into_iter().filter(|word| !number(word)).collect()
            };
            let same = rest(only(&own, &other)).is_empty() && rest(only(&other, &own)).is_empty();
            if differs && same { AMOUNTS } else { 0.0 }
        }
        State::Quality => {
            let (own, other) = (only(&own, &other), only(&other, &own));
            let ([a], [b]) = (&own[..], &other[..]) else {
                return 0.0;
            };
            if contrast().opposites(a).iter().any(|word| word == b) {
                OPPOSITES
            } else if coherence().is_colour(a) && coherence().is_colour(b) {
                ONE_OF
            } else {
                0.0
            }
        }
        State::Holder => {
            let apart = own.iter().all(|word| !other.contains(word));
            if apart { ONE_OF } else { 0.0 }
        }
    }
}

/// Whether two values of one attribute cannot be the same.
fn differ(said: &Said, fact: &Said) -> bool {
    let mut pairs = said
        .amounts()
        .flat_map(|a| fact.amounts().map(move |b| (a, b)));
    if pairs.any(|(a, b)| amounts_agree(a, b) == Some(true)) {
        return false;
    }
    if !said.numbers.is_empty() && !fact.numbers.is_empty() {
        // "12 single rooms" and "20 double rooms" are not of the same.
        let counted = !contrast().is_dated(&said.predicate);
        if counted && said.beside() != fact.beside() {
            return false;
        }
        let quantities = said.quantities.iter().chain(&fact.quantities);
        let near = quantities.into_iter().any(|q| q.approximate);
        let same = |a: f64, b: f64| {
            (a - b).abs()
                <= if near {
                    APPROXIMATE * a.max(b)
                } else {
                    1e-9 * a.max(b)
                }
        };
        return !said
            .numbers
            .iter()
            .any(|a| fact.numbers.iter().any(|b| same(*a, *b)));
    }
    // A time and a day, an amount and a name are values of two kinds.
    let one_sided = said.numbers.is_empty() != fact.numbers.is_empty();
    if one_sided && (said.quantities.is_empty() || fact.quantities.is_empty()) {
        return false;
    }
    let (a, b) = (&said.value_words, &fact.value_words);
    let both = shared(a, b);
    // "March" and "March 1987", "Ada" and "Ada Lind" are the same, said less or more exactly.
    let apart = !a.is_empty() && !b.is_empty() && both < a.len() && both < b.len();
    apart && !names_alike(&said.value, &fact.value)
}

/// The statements, oldest first, that no later one has openly taken back.
#[must_use]
pub fn standing(all: Vec<Said>) -> Vec<Said> {
    let taken_back = |at: usize| {
        let mut later = all[at + 1..].iter().filter(|one| one.corrects);
        later.any(|one| clash(one, &all[at]).is_some())
    };
    let keep: Vec<bool> = (0..all.len()).map(|at| !taken_back(at)).collect();
    let kept = all.into_iter().zip(keep);
    kept.filter_map(|(one, keep)| keep.then_some(one)).collect()
}

/// How far what is said of a concept has moved (S4-023).
#[derive(Debug, Clone, PartialEq)]
pub struct Drift {
    /// The concept.
    pub concept: Box<str>,
    /// What it was said to be at first, or what was first said of it.
    pub first: Box<str>,
    /// What it is said to be now, or what is now first said of it.
    pub now: Box<str>,
    /// 1 − overlap of the content words said of it now and at first, over the smaller of the two.
    pub drift: f64,
    /// It was given another definition without saying so.
    pub drifted: bool,
}

/// How surely two different values of an attribute of one thing exclude each other, 0..=1; 0 where
/// both may hold. `attribute` is a name or synonym of the predicate lexicon, blanks for `_` too.
#[must_use]
pub fn exclusivity(attribute: &str) -> f64 {
    let name = attribute.trim().to_lowercase().replace([' ', '-'], "_");
    let own = predicates()
        .named(&name)
        .map_or(name.as_str(), |p| &*p.name);
    coherence()
        .exclusivity(&name)
        .max(coherence().exclusivity(own))
}

/// How far a concept has moved from what `facts` say of it to what `new` says; none where one of
/// the two says nothing. Both speak of that concept alone. A human being may be one thing and
/// another, and has not drifted.
#[must_use]
#[allow(clippy::cast_precision_loss)]
pub fn drift(new: &[&Said], facts: &[&Said]) -> Option<Drift> {
    let (now, first) = (new.first()?, facts.first()?);
    let words = |said: &[&Said]| {
        let all = said.iter().flat_map(|one| one.words.iter().copied());
        let mut all: Vec<u64> = all.filter(|word| !now.name.contains(word)).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    let (told, before) = (words(new), words(facts));
    let least = told.len().min(before.len());
    if least == 0 {
        return None;
    }
    let drift = 1.0 - shared(&told, &before) as f64 / least as f64;
    let defined = |said: &[&'_ Said]| said.iter().position(|one| one.defines());
    let (is, was) = (
        defined(new).map(|i| new[i]),
        defined(facts).map(|i| facts[i]),
    );
    let anew = is.zip(was).is_some_and(|(is, was)| {
        let said_so = is.corrects || is.adds || is.changes || was.changes;
        let person = new.iter().chain(facts).any(|one| one.person);
        let apart = shared(&is.value_words, &was.value_words) == 0;
        !said_so && !person && apart && !is.denied && !was.denied
    });
    Some(Drift {
        concept: now.concept.clone(),
        first: was.unwrap_or(first).content.clone(),
        now: is.unwrap_or(now).content.clone(),
        drift,
        drifted: anew && drift >= DRIFTED,
    })
}
