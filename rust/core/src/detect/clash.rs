//! The fact that stands against what is said of one entity.

use jiff::civil::Date;

use crate::claims::SentenceView;
use crate::kb::{Agreement, Fact, Said, Snapshot, Value, clocks, weekday_text};
use crate::lexicon::contrast::contrast;
use crate::lexicon::predicates::Predicates;
use crate::lexicon::units::unit;
use crate::lexicon::words::{WordClass, class};
use crate::normal::fold_name;
use crate::types::{Claim, Polarity, Quantity};

use super::descriptive::described;
use super::kb_conflict::Object;
use super::telling::{Telling, can_be};

/// Parts of a department: membership in one says nothing of a department's name, and the other
/// way round.
const SUBUNITS: [&str; 4] = ["team", "unit", "group", "section"];

/// Most values of one attribute that are compared with what is said.
pub(super) const VALUES: usize = 256;
/// Most facts of an entity among which a value is looked for under another attribute.
const FACTS: usize = 1024;

/// What stands against a claim.
pub(super) struct Clash {
    pub(super) fact: Fact,
    /// All values, where the attribute has several and is complete; else those that namesakes
    /// have.
    pub(super) values: Vec<String>,
    /// Nothing can stand in the answer instead: namesakes disagree, or it only held at another
    /// time.
    pub(super) open: bool,
    /// What other sources of the base have instead of `fact`, where they disagree.
    pub(super) others: Vec<Fact>,
    /// What is said did hold, but not at the time that it is said of.
    pub(super) lapsed: bool,
}

/// The fact that the claim contradicts.
pub(super) fn conflict(
    (view, claim, today): (&SentenceView<'_>, &Claim, Option<Date>),
    kb: &Snapshot,
    id: u32,
    predicate: &str,
    object: &Object<'_>,
) -> Option<Clash> {
    let said = object.said();
    let telling = Telling::of(view, claim, today);
    let names = view.attributes.predicates();
    let own = |name: &str| {
        names.same(name, predicate) && (name == predicate || !SUBUNITS.contains(&predicate))
    };
    // An attribute of thousands of values is no place to look for a contradiction.
    let facts = kb.few_facts(id, VALUES, &own)?;
    let all = kb.few_facts(id, FACTS, &|_| true);
    if let Some(fact) = described(view, claim, predicate, all.as_deref().unwrap_or(&[])) {
        return match fact.valid_to {
            None => Some(Clash::of(kb, fact)),
            // What was so once is wrong only of now.
            Some(_) if telling.within(fact) == Some(false) => {
                outlived(kb, std::slice::from_ref(fact), fact, &|_| true, telling)
            }
            Some(_) => None,
        };
    }
    let agreement = |fact: &Fact| agrees(kb, names, fact, object);
    let same = |fact: &Fact| agreement(fact) == Agreement::Same;
    if claim.polarity == Polarity::Negative {
        if !object.bounds.is_empty() {
            // "does not have over 400": nothing exact is denied.
            return None;
        }
        let current = facts
            .iter()
            .find(|fact| fact.valid_to.is_none() && same(fact));
        return current
            .filter(|fact| predicate != "is" || fact.confidence > 0.0)
            .map(|fact| Clash::of(kb, fact));
    }
    let held: Vec<&Fact> = facts.iter().filter(|fact| same(fact)).collect();
    if !held.is_empty() && held.iter().all(|fact| telling.within(fact) == Some(false)) {
        return outlived(kb, &facts, held[0], &same, telling);
    }
    // True of another attribute of the same entity: "works in Utrecht", where it is located.
    let wordy = |fact: &Fact| {
        matches!(
            fact.value,
            Value::Text(_) | Value::Entity(_) | Value::Enum(_)
        )
    };
    let elsewhere = all
        .iter()
        .flatten()
        .any(|fact| kb.agrees(&fact.value, &said) == Agreement::Same);
    if facts.is_empty() || facts.iter().any(wordy) && (elsewhere || all.is_none()) {
        return None;
    }
    if facts
        .iter()
        .any(|fact| agreement(fact) != Agreement::Different)
    {
        return None;
    }
    let current: Vec<&Fact> = facts
        .iter()
        .filter(|fact| fact.valid_to.is_none())
        .collect();
    // The attribute itself before others of the same meaning.
    let exact: Vec<&Fact> = current
        .iter()
        .filter(|fact| fact.predicate == predicate)
        .copied()
        .collect();
    let current = if exact.is_empty() { current } else { exact };
    let clash = match current.as_slice() {
        [] => return None,
        [fact] => Clash::of(kb, fact),
        [first, rest @ ..] if disputed(first, rest) => {
            let mut clash = Clash::of(kb, first);
            clash.values = std::iter::once(first)
                .chain(rest)
                .map(|fact| {
                    let source = fact.source.as_deref().unwrap_or("");
                    format!("{} ({source})", expected_text(kb, &fact.value))
                })
                .collect();
            clash.others = rest.iter().map(|fact| (*fact).clone()).collect();
            clash.open = true;
            clash
        }
        [first, rest @ ..] if kb.is_closed(Some(&first.predicate)) => {
            let mut clash = Clash::of(kb, first);
            for fact in rest {
                clash.values.push(expected_text(kb, &fact.value));
            }
            clash
        }
        // A day and a date are two attributes of one meaning, and both are another.
        [first, rest @ ..] if typed(first) && rest.iter().all(|fact| typed(fact)) => {
            let twice = |fact: &&Fact| {
                current
                    .iter()
                    .filter(|f| f.predicate == fact.predicate)
                    .count()
                    > 1
            };
            if current.iter().any(twice) {
                return None;
            }
            Clash::of(kb, first)
        }
        _ => return None,
    };
    (comparable(kb, &clash.fact, object) && can_be(kb, &clash.fact, view, object.span()))
        .then_some(clash)
}

/// How the words stand to a fact; years of age are what an age counts.
fn agrees(kb: &Snapshot, names: &Predicates, fact: &Fact, object: &Object<'_>) -> Agreement {
    if !names.same(&fact.predicate, "age") {
        return object.agrees(kb, &fact.value);
    }
    let years: Vec<Quantity> = object
        .quantities
        .iter()
        .map(|quantity| Quantity {
            unit: quantity.unit.filter(|id| unit(*id).name != "year"),
            ..*quantity
        })
        .collect();
    kb.agrees(
        &fact.value,
        &Said {
            quantities: &years,
            ..object.said()
        },
    )
}

/// A value that held at another time than the one that is spoken of.
fn outlived(
    kb: &Snapshot,
    facts: &[Fact],
    held: &Fact,
    same: &dyn Fn(&Fact) -> bool,
    telling: Telling,
) -> Option<Clash> {
    let mut then = facts
        .iter()
        .filter(|fact| !same(fact) && telling.within(fact) == Some(true));
    if let Some(fact) = then.next() {
        let mut clash = Clash::of(kb, fact);
        clash.open = then.next().is_some();
        clash.lapsed = true;
        return Some(clash);
    }
    let mut clash = Clash::of(kb, held);
    let text = &clash.values[0];
    clash.values = vec![match (held.valid_from, held.valid_to) {
        (_, Some(to)) => format!("{text} until {to}"),
        (Some(from), None) => format!("{text} from {from}"),
        (None, None) => return None,
    }];
    clash.open = true;
    clash.lapsed = true;
    Some(clash)
}

/// Whether each source of the base gives an attribute of one value another one.
fn disputed(first: &Fact, rest: &[&Fact]) -> bool {
    let name = first.predicate.as_str();
    let single = matches!(first.value, Value::Number { .. } | Value::Date(_))
        || contrast().is_single(name)
        || contrast().is_dated(name);
    let apart = |other: &&Fact| other.source.is_some() && other.source != first.source;
    single
        && first.source.is_some()
        && rest.iter().all(apart)
        && rest.iter().any(|other| other.value != first.value)
}

/// A value with one reading, that another of the same attribute cannot stand beside.
fn typed(fact: &Fact) -> bool {
    match &fact.value {
        Value::Date(_) => true,
        Value::Text(text) => weekday_text(text).is_some() || !clocks(text).is_empty(),
        _ => false,
    }
}

impl Clash {
    fn of(kb: &Snapshot, fact: &Fact) -> Self {
        Self {
            fact: fact.clone(),
            values: vec![expected_text(kb, &fact.value)],
            open: false,
            others: Vec::new(),
            lapsed: false,
        }
    }
}

/// Whether a different text is a different value, and not a value of another kind: a place is no
/// department.
fn comparable(kb: &Snapshot, fact: &Fact, object: &Object<'_>) -> bool {
    let Value::Text(own) = &fact.value else {
        return true;
    };
    let place = |text: &str| {
        let folded = fold_name(text);
        class(&folded).any(WordClass::CITY.with(WordClass::COUNTRY))
            || kb.find(text).iter().any(|id| {
                let kind = fold_name(kb.kind(*id).unwrap_or(""));
                matches!(
                    kind.as_str(),
                    "city" | "country" | "place" | "town" | "region"
                )
            })
    };
    place(own) == place(object.text)
}

/// A value as people read it; an entity by its name rather than its key.
pub(super) fn expected_text(kb: &Snapshot, value: &Value) -> String {
    if let Value::Entity(reference) = value {
        let named = kb.resolve(reference).first().and_then(|id| kb.name(*id));
        return named.unwrap_or(reference).to_owned();
    }
    value.to_string()
}
