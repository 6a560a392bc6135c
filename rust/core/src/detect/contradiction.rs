//! Whether two statements contradict each other.

use crate::claims::{amounts_agree, says_share};
use crate::dialogue::{HAPPENED, SCHEDULED, Statement, Valued, stems};
use crate::lexicon::contrast::contrast;
use crate::lexicon::predicates::Predicates;
use crate::types::{DateExpr, Quantity, Span};

use super::place::may_contain;
use clock::{clock_hours, to_come};
use complement::{complement, denied_once};
use days::{dates, told_together};
use denial::{compounded, denies_all, in_part};
use elsewhere::lies_elsewhere;
use priced::priced;
use shared::shared;
use worded::{agrees, opposite};

mod clock;
mod complement;
mod days;
mod denial;
mod elsewhere;
mod post;
mod priced;
mod shared;
mod worded;

pub(super) use post::other_post;
pub(super) use worded::denied_by_word;

/// In which way two statements contradict each other (S0-021).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ContradictionType {
    /// One denies what the other says.
    DirectNegation,
    /// They give different values of one attribute.
    IncompatibleValues,
    /// They cannot both be so in time.
    TemporalImpossibility,
    /// They cannot both be so.
    LogicalImpossibility,
}

impl ContradictionType {
    /// Its name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::DirectNegation => "direct_negation",
            Self::IncompatibleValues => "incompatible_values",
            Self::TemporalImpossibility => "temporal_impossibility",
            Self::LogicalImpossibility => "logical_impossibility",
        }
    }
}

/// Two statements that contradict each other (S0-020).
#[derive(Debug, Clone, PartialEq)]
pub struct Contradiction {
    /// In which way.
    pub kind: ContradictionType,
    /// How sure, 0..1. Set by hand: a denial of the same words leaves little room, two values of
    /// one attribute may be two occasions, names may be two names of one thing.
    pub confidence: f64,
    /// The words of the first statement that are at odds.
    pub at: Span,
    /// The words of the second in their place, where they fit there.
    pub replacement: Option<String>,
}

/// A statement and its denial.
const DENIED: f64 = 0.95;
/// Opposites ("open", "closed").
const OPPOSITE: f64 = 0.9;
/// Two dates or numbers of one attribute.
const VALUES: f64 = 0.85;
/// Two names of one attribute that has one value.
const NAMES: f64 = 0.8;

/// What the comparison of one kind of value says.
enum Compared {
    Same,
    Different(Span, Option<String>),
    Unknown,
}

/// How the first of two related statements contradicts the second; `Err(true)` where they say the
/// same, `Err(false)` where nothing can be told. `same_attribute` says that both speak of one
/// attribute of one subject; else they are compared as sentences, which takes more. `names` says which
/// attributes there are.
///
/// # Errors
/// Whether the two agree, where they do not contradict each other.
pub fn contradiction(
    said: &Statement,
    prior: &Statement,
    same_attribute: bool,
    names: &Predicates,
) -> Result<Contradiction, bool> {
    let found = match agrees(said, prior) {
        Some(true) => Err(true),
        told => compared(said, prior, same_attribute, names).or_else(|same| {
            let opposed = told.map(|_| opposite(said));
            opposed.ok_or(same)
        }),
    }?;
    let denial = found.kind == ContradictionType::DirectNegation;
    if denial && in_part(said, prior) || !denial && lies_elsewhere(said, prior) {
        return Err(false);
    }
    Ok(found)
}

fn compared(
    said: &Statement,
    prior: &Statement,
    same_attribute: bool,
    names: &Predicates,
) -> Result<Contradiction, bool> {
    if let Some(told) = shared(said, prior) {
        return told;
    }
    // Sentences about a kind are held against their own words alone.
    let general = !said.definite;
    if !same_attribute && general && !(said.general && prior.general) {
        return Err(false);
    }
    // Of two times, or of some and others, both may be so.
    if !said.circumstances.agree(&prior.circumstances) || apart(said, prior) {
        return Err(false);
    }
    // A third of the staff is no number of people.
    if says_share(&said.object) != says_share(&prior.object) {
        return Err(false);
    }
    if said.free != prior.free {
        if narrowed(said, prior) {
            return Err(false);
        }
        return priced(said, prior, same_attribute).ok_or(false);
    }
    let same_rest = said.circumstances.rest == prior.circumstances.rest;
    // A value of what is open is none of what is closed.
    let sided = |statement: &Statement| {
        let words = statement.said.iter();
        words
            .filter(|word| !contrast().opposites(word).is_empty())
            .cloned()
            .collect::<Vec<String>>()
    };
    let sides = sided(said) == sided(prior) || said.negative != prior.negative;
    let alike = same_rest && sides;
    let placed = contrast().is_placed(&said.predicate)
        && (said.predicate != SCHEDULED || one_thing(said) && one_thing(prior));
    let dated = same_attribute && sides && said.circumstances.alike(&prior.circumstances, placed);
    let dates = if (alike && !same_attribute || dated)
        && may_differ_in_date(said, prior, same_attribute, names)
    {
        dates(said, prior)
    } else {
        Compared::Unknown
    };
    let another = said.circumstances.another_event(&prior.circumstances);
    if another && matches!(dates, Compared::Different(..)) {
        return Err(false);
    }
    let together = said.circumstances.with == prior.circumstances.with;
    if same_attribute
        && alike
        && together
        && !said.negative
        && !prior.negative
        && let Some(told) = clock_hours(said, prior)
    {
        return told;
    }
    let counts = if alike && together && may_differ_in_number(said, prior, same_attribute, names) {
        numbers(&said.quantities, &prior.quantities)
    } else {
        Compared::Unknown
    };
    let (own, other) = (stems(&said.said), stems(&prior.said));
    let within = |a: &[u64], b: &[u64]| a.iter().all(|word| b.binary_search(word).is_ok());
    let same_words = within(&own, &other) || within(&other, &own);
    if !same_attribute && general && said.negative == prior.negative {
        return opposed(said, prior)
            .filter(|_| !said.words.is_empty())
            .ok_or(false);
    }
    // What one sentence names and the other does not may be what tells their things apart.
    let apart = !same_attribute && said.words != prior.words;
    let differs =
        matches!(dates, Compared::Different(..)) || matches!(counts, Compared::Different(..));
    if said.negative != prior.negative {
        let dated = said.dates.len() == prior.dates.len();
        // A sentence as a whole shares more than one word with the one it denies.
        let least = if same_attribute { 1 } else { 2 };
        let enough = own.len() >= least
            && other.len() >= least
            && (!general || same_attribute || own == other);
        let one = !compounded(said, prior) && !compounded(prior, said);
        let told = alike && denies_all(said, prior) && dated && enough && !differs && one;
        let same = !complement(said, prior)
            && !other_post(&said.content, &prior.content)
            && to_come(said) == to_come(prior);
        if !told || !same {
            return Err(false);
        }
        return Ok(Contradiction {
            kind: ContradictionType::DirectNegation,
            confidence: DENIED,
            at: said.span,
            replacement: None,
        });
    }
    if said.negative {
        return Err(same_words && !differs);
    }
    let values = |at, replacement| Contradiction {
        kind: ContradictionType::IncompatibleValues,
        confidence: VALUES,
        at,
        replacement,
    };
    if let Some((own, other)) = said
        .hours
        .zip(prior.hours)
        .filter(|_| same_attribute && alike)
    {
        return hours(said, prior, own, other).map_or(Err(true), |at| Ok(values(at, None)));
    }
    match (dates, counts) {
        // Two figures of two days are two occasions.
        (Compared::Different(..), Compared::Different(..)) => Err(false),
        (_, Compared::Different(..)) if of_two_days(said, prior) => Err(false),
        (_, Compared::Different(..)) if narrowed(said, prior) => Err(false),
        (Compared::Different(..), _) | (_, Compared::Different(..)) if apart => Err(false),
        (Compared::Different(at, replacement), _) | (_, Compared::Different(at, replacement)) => {
            Ok(values(at, replacement))
        }
        (Compared::Same, _) => opposed(said, prior).ok_or(true),
        (_, Compared::Same) => Err(true),
        _ if same_words && !own.is_empty() => Err(true),
        _ if of_two_days(said, prior) => Err(false),
        _ => words(said, prior, same_attribute, names).ok_or(false),
    }
}

/// Whether the two are told of other things or on other conditions, by what stands above or behind
/// them.
fn apart(said: &Statement, prior: &Statement) -> bool {
    let (own, other) = (&said.circumstances, &prior.circumstances);
    own.when != other.when || own.under_others(other)
}

/// Whether the two values are told with two days or years ("812,000 in 2021").
fn of_two_days(said: &Statement, prior: &Statement) -> bool {
    matches!(dates(said, prior), Compared::Different(..))
}

/// Whether the value of one of them is told with a day, a time or a company that the other has not ("$7
/// on Mondays", "free with a pass").
fn narrowed(said: &Statement, prior: &Statement) -> bool {
    let company = (&said.circumstances.with, &prior.circumstances.with);
    said.dates.is_empty() != prior.dates.is_empty() || company.0 != company.1
}

/// Whether a statement is told of one thing that is known, by no plural.
fn one_thing(statement: &Statement) -> bool {
    let subject = statement.subject.as_ref();
    subject.is_some_and(|subject| subject.known && !subject.any)
}

fn may_differ_in_date(
    said: &Statement,
    prior: &Statement,
    same_attribute: bool,
    names: &Predicates,
) -> bool {
    // "is open on Monday" may be so on Tuesday too.
    let habit = |s: &Statement| {
        let weekly = |date: &Valued<DateExpr>| {
            let date = date.value;
            date.weekday.is_some() && date.day.is_none() && date.minutes.is_none()
        };
        s.dates.iter().any(weekly) && s.said.iter().any(|word| contrast().is_state(word))
    };
    if habit(said) || habit(prior) {
        return false;
    }
    let recurring = |statement: &Statement| {
        let object = statement.object.to_lowercase();
        let most = if same_attribute { 2 } else { 1 };
        statement.dates.is_empty()
            || statement.dates.len() > most && told_together(statement).is_none()
            || statement.dates.iter().any(|date| date.text.ends_with('s'))
            || ["every ", "each "].iter().any(|word| object.contains(word))
            || ["from ", "between "]
                .iter()
                .any(|word| object.contains(word))
                && told_together(statement).is_none()
    };
    if recurring(said) || recurring(prior) {
        return false;
    }
    let dated = |statement: &Statement| {
        contrast().is_dated(&statement.predicate)
            || statement.predicate.starts_with(HAPPENED)
            || names
                .named(&statement.predicate)
                .is_some_and(|p| p.dated || contrast().is_dated(&p.name))
    };
    !same_attribute || dated(said)
}

fn may_differ_in_number(
    said: &Statement,
    prior: &Statement,
    same_attribute: bool,
    names: &Predicates,
) -> bool {
    if said.quantities.len() != 1 || prior.quantities.len() != 1 {
        return false;
    }
    let (a, b) = (&said.quantities[0], &prior.quantities[0]);
    // What a thing has or needs is many things: "200 g of sugar", "300 g".
    let many = contrast().counts(&said.predicate) && said.predicate != "is";
    let unsaid = same_attribute && !many && (a.noun == 0 || b.noun == 0);
    let nouns = a.noun == b.noun || unsaid;
    let counted = contrast().counts(&said.predicate) || names.named(&said.predicate).is_some();
    // "3 large rooms" and "5 small rooms" are not the same rooms.
    let kind = |one: &Statement| -> Vec<u64> {
        let noun = one.quantities[0].noun;
        one.beside
            .iter()
            .copied()
            .filter(|word| *word != noun)
            .collect()
    };
    let alike = !same_attribute || kind(said) == kind(prior);
    a.value.kind == b.value.kind && nouns && alike && a.per == b.per && (!same_attribute || counted)
}

/// Where the hours of two statements differ; none where they are the same, or of two weekdays. "5"
/// may be 17:00.
fn hours(said: &Statement, prior: &Statement, own: (i32, i32), other: (i32, i32)) -> Option<Span> {
    let days = |one: &Statement| -> Vec<_> {
        one.dates
            .iter()
            .filter_map(|date| date.value.weekday)
            .collect()
    };
    let same = |a: i32, b: i32| (a - b) % (12 * 60) == 0;
    let differ = !same(own.0, other.0) || !same(own.1, other.1);
    (differ && days(said) == days(prior)).then_some(said.span)
}

fn numbers(said: &[Valued<Quantity>], prior: &[Valued<Quantity>]) -> Compared {
    let ([a], [b]) = (said, prior) else {
        return Compared::Unknown;
    };
    let agree = amounts_agree((&a.value, a.bounds.as_ref()), (&b.value, b.bounds.as_ref()));
    match agree {
        Some(true) => Compared::Same,
        Some(false) => {
            let fits = a.value.unit == b.value.unit;
            Compared::Different(a.place(), fits.then(|| b.text.clone()))
        }
        None => Compared::Unknown,
    }
}

/// The words of one that the other lacks.
fn only(a: &[String], b: &[String]) -> Vec<String> {
    a.iter().filter(|word| !b.contains(word)).cloned().collect()
}

/// The two differ in opposites alone.
fn opposed(said: &Statement, prior: &Statement) -> Option<Contradiction> {
    let (own, other) = (only(&said.said, &prior.said), only(&prior.said, &said.said));
    let ([own], [other]) = (&own[..], &other[..]) else {
        return None;
    };
    let any = |statement: &Statement| statement.subject.as_ref().is_some_and(|s| s.any);
    if any(said) || any(prior) {
        // One seat is free, another is taken.
        return None;
    }
    if said.negative == prior.negative && denied_once(said, prior) {
        return None;
    }
    let placed = said.single
        && prior.single
        && said.said.len() == 2
        && said.said.iter().any(|word| contrast().is_level(word))
        && contrast().out_of_place(own, other);
    let opposite = placed || contrast().opposites(own).iter().any(|word| word == other);
    let undated = said.dates.is_empty() && prior.dates.is_empty();
    let same_day = undated || matches!(dates(said, prior), Compared::Same);
    (opposite && same_day).then_some(Contradiction {
        kind: ContradictionType::LogicalImpossibility,
        confidence: OPPOSITE,
        at: said.span,
        replacement: None,
    })
}

/// Opposites, or two names of an attribute that has one value.
fn words(
    said: &Statement,
    prior: &Statement,
    same_attribute: bool,
    names: &Predicates,
) -> Option<Contradiction> {
    if let Some(found) = opposed(said, prior) {
        return Some(found);
    }
    let (own, other) = (only(&said.said, &prior.said), only(&prior.said, &said.said));
    let subject = |statement: &Statement| statement.subject.as_ref().map(|s| s.words.clone());
    let filled = said.role && prior.role && subject(said) == subject(prior);
    let single = same_attribute
        && said.named
        && prior.named
        && (filled
            || contrast().is_single(&said.predicate)
            || names
                .named(&said.predicate)
                .is_some_and(|p| contrast().is_single(&p.name)));
    // "Lyon" and "Lyon, France" are one place.
    let apart = own.len() == said.said.len() && other.len() == prior.said.len();
    // "in Lyon", "in France"
    let apart = apart && !may_contain(&said.object, &prior.object);
    if !single || !apart || own.is_empty() || other.is_empty() {
        return None;
    }
    let article = |text: &str| {
        let first = text.split(' ').next().unwrap_or("").to_lowercase();
        ["the", "a", "an"].contains(&first.as_str())
    };
    let fits = article(&said.object) == article(&prior.object);
    Some(Contradiction {
        kind: ContradictionType::IncompatibleValues,
        confidence: NAMES,
        at: said.span,
        replacement: fits.then(|| prior.object.clone()),
    })
}
