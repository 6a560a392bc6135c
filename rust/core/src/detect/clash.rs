//! The fact that stands against what is said of one entity.

mod current;
mod figures;
mod nearest;
mod opened;
mod several;

use jiff::civil::Date;

use crate::claims::{Folded, SentenceView};
use crate::kb::{
    Agreement, Fact, Said, Snapshot, Value, moment, names_differ, one_thing, period, tells_time,
};
use crate::lexicon::predicates::Predicates;
use crate::lexicon::tables::{roles, stance};
use crate::lexicon::units::unit;
use crate::normal::fold_name;
use crate::segment::clocks;
use crate::types::{Claim, Polarity, Quantity, QuantityKind, Span};

use super::copula::{may_be_both, said_to_be};
use super::currency::{other_currency, readable};
use super::descriptive::{described, other_post};
use super::hours::bounded_otherwise;
use super::hours::{ends_at, of_a_moment};
use super::narrowed::Narrowing;
use super::object::Object;
use super::swapped::{done_by, done_once, swapped, told_apart};
use super::telling::{Telling, of_other_year};
use current::of_current;
use figures::{at_best, by_rate, identified, is_age};
use nearest::nearest;
use opened::{opened_and_closed, until_closed};
use several::one_amount;

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
    /// The words at fault and the right ones, where they are less than the object.
    pub(super) exact: Option<(Span, Option<String>)>,
    /// It is told beside the name, of now whatever the sentence is of ("X, a nurse, will come").
    pub(super) aside: bool,
}

/// The fact that the claim contradicts.
pub(super) fn conflict(
    (view, folded, claim, today): (&SentenceView<'_>, &Folded<'_>, &Claim, Option<Date>),
    kb: &Snapshot,
    id: u32,
    predicate: &str,
    object: &Object<'_>,
) -> Option<Clash> {
    let said = object.said();
    let telling = Telling::of(view, claim, today);
    let names = view.attributes.predicates();
    let (facts, narrowing) = facts_told((view, folded, claim), kb, id, predicate, object)?;
    let mut telling = telling;
    telling.year = telling.year.or(narrowing.year);
    let mut all = kb.few_facts(id, FACTS, &|_| true);
    if let Some(all) = &mut all {
        all.retain(Fact::is_told);
    }
    let known = all.as_deref().unwrap_or(&[]);
    let told = described(view, claim, predicate, known)
        .or_else(|| said_to_be(view, claim, predicate, known));
    if let Some(found) = told {
        let fact = found.fact;
        return match fact.valid_to {
            None => Some(Clash {
                exact: found.exact,
                aside: found.aside,
                ..Clash::of(kb, fact)
            }),
            // What was so once is wrong only of now.
            Some(_) if telling.within(fact) == Some(false) => {
                outlived(kb, std::slice::from_ref(fact), fact, &|_| true, telling)
            }
            Some(_) => None,
        };
    }
    // "X (Team Lead)" may be what X is in some body.
    let place = view.lexemes_in(object.span()).start;
    if names.same(predicate, "title") && place.checked_sub(1).is_some_and(|i| view.word(i) == "(") {
        return None;
    }
    // "Research and Development" is one value, "R&D".
    let joined = |fact: &Fact| match (&fact.value, claim.coordinated) {
        (Value::Text(own) | Value::Enum(own), Some(span)) => one_thing(view.at(span), own),
        _ => false,
    };
    let agreement = |fact: &Fact| match agrees(kb, names, fact, object) {
        _ if joined(fact) => Agreement::Same,
        Agreement::Incomparable if other_post(names, fact, &object.text) => Agreement::Different,
        Agreement::Different if may_be_both(names, fact, &object.text) => Agreement::Incomparable,
        plain => plain,
    };
    let same = |fact: &Fact| agreement(fact) == Agreement::Same;
    if claim.polarity == Polarity::Negative {
        if !object.bounds.is_empty() {
            // "does not have over 400": nothing exact is denied.
            return None;
        }
        let current = facts
            .iter()
            .find(|fact| fact.valid_to.is_none() && same(fact) && !only_within(&fact.value, &said));
        return current
            .filter(|fact| predicate != "is" || fact.confidence > 0.0)
            .map(|fact| Clash::of(kb, fact));
    }
    let held: Vec<&Fact> = facts.iter().filter(|fact| same(fact)).collect();
    if !held.is_empty() && held.iter().all(|fact| telling.within(fact) == Some(false)) {
        return outlived(kb, &facts, held[0], &same, telling);
    }
    // Of a year for which the base has a value of its own.
    if let Some(clash) = of_that_time(kb, &facts, telling, &agreement) {
        return clash;
    }
    // True of another attribute of the same entity: "works in Utrecht", where it is located.
    let wordy = |fact: &Fact| {
        matches!(
            fact.value,
            Value::Text(_) | Value::Entity(_) | Value::Enum(_)
        )
    };
    let elsewhere: Vec<&Fact> = all
        .iter()
        .flatten()
        .filter(|fact| !of_another(&fact.predicate))
        .filter(|fact| kb.agrees(&fact.value, &said) == Agreement::Same)
        .collect();
    let silenced =
        all.is_none() || !elsewhere.is_empty() && !swapped(view, folded, claim, &facts, &elsewhere);
    if facts.is_empty() || facts.iter().any(wordy) && silenced {
        return None;
    }
    if facts
        .iter()
        .any(|fact| agreement(fact) != Agreement::Different)
    {
        return None;
    }
    of_current((kb, view), &facts, predicate, object)
}

/// The facts that what is said of `predicate` is held against, and what bounds it.
fn facts_told(
    (view, folded, claim): (&SentenceView<'_>, &Folded<'_>, &Claim),
    kb: &Snapshot,
    id: u32,
    predicate: &str,
    object: &Object<'_>,
) -> Option<(Vec<Fact>, Narrowing)> {
    let names = view.attributes.predicates();
    // "opened again in 2021"
    let again = (0..folded.len()).any(|i| matches!(folded.get(i), "again" | "anew"));
    if again && names.named(predicate).is_some_and(|own| own.dated) {
        return None;
    }
    let once = done_once(view, folded, predicate);
    let own = |name: &str| {
        names.same(name, predicate) && (name == predicate || !SUBUNITS.contains(&predicate))
            || !once && done_by(predicate, name)
    };
    // An attribute of thousands of values is no place to look for a contradiction.
    let mut facts = kb.few_facts(id, VALUES, &own)?;
    // "unknown", "n/a": nothing is known, so that nothing is contradicted.
    if facts.iter().any(|fact| !fact.is_told()) {
        facts.retain(Fact::is_told);
        if facts.is_empty() {
            return None;
        }
    }
    // "is the CEO of", where the base has a chair as well.
    if facts.iter().any(|fact| fact.predicate == predicate) {
        facts.retain(|fact| !told_apart(&fact.predicate, predicate));
    }
    // "1,240 (2023)" is told of no other year.
    facts.retain(|fact| {
        !fact
            .as_of()
            .is_some_and(|year| of_other_year(view, object.span(), year))
    });
    one_amount(&mut facts, object.quantities.iter().find_map(|q| q.unit));
    facts.retain(|fact| readable(view, &object.quantities, &fact.value));
    facts.retain(|fact| !bounded_otherwise(folded, &fact.value));
    if let Some(spoken) = nearest(view, object.span(), &facts, (kb, id)) {
        let compared = |fact: &Fact| agrees(kb, names, fact, object) != Agreement::Incomparable;
        if spoken.iter().all(|fact| fact.is_told() && compared(fact)) {
            facts = spoken;
        }
    }
    if facts.is_empty() && names.same(predicate, "closing_time") {
        // "closes at six": the end of the hours.
        let hours = kb.few_facts(id, VALUES, &|name| names.same(name, "opening_hours"))?;
        let range = |fact: &Fact| matches!(&fact.value, Value::Text(t) if clocks(t).len() == 2);
        facts = hours.into_iter().filter(range).collect();
    }
    if names.same(predicate, "opening_hours") {
        let moment = of_a_moment(view, object.span());
        opened_and_closed((kb, id), names, &mut facts, object, moment);
        if ends_at(view, object.span()) {
            until_closed((kb, id), names, &mut facts, claim.polarity);
        }
    }
    // "15 km long" is held against the length in kilometres, not that in hours.
    if object.quantities.iter().any(|q| q.unit.is_some()) {
        let compared = |fact: &Fact| agrees(kb, names, fact, object) != Agreement::Incomparable;
        if facts.iter().any(compared) {
            facts.retain(compared);
        }
    }
    // What agrees with all that the base has is not asked for its limits.
    let agreed = facts
        .iter()
        .all(|fact| agrees(kb, names, fact, object) == Agreement::Same);
    let narrowing = if agreed && claim.polarity == Polarity::Positive {
        Narrowing::default()
    } else {
        Narrowing::of(view, folded, claim, &facts, (kb, id))
    };
    if !narrowing.is_empty() {
        facts.retain(|fact| narrowing.carried_by(fact));
        // "a parking fee of £10" is held against the parking fee.
        if facts.is_empty() {
            let own = |name: &str| narrowing.names(name, predicate, names);
            facts = kb.few_facts(id, VALUES, &own)?;
            facts.retain(Fact::is_told);
        }
    }
    Some((facts, narrowing))
}

/// How the words stand to a fact. A number without unit takes that of what is said where its
/// attribute counts such: years of an age, money of a price.
pub(super) fn agrees(
    kb: &Snapshot,
    names: &Predicates,
    fact: &Fact,
    object: &Object<'_>,
) -> Agreement {
    if let Some(told) = identified(fact, object) {
        return told;
    }
    let plain = match &fact.value {
        Value::Number { value, unit: own } if is_age(names, fact, own.as_deref()) => object
            .without_unit(&|quantity| quantity.unit.is_some_and(|id| unit(id).name == "year"))
            .agrees(
                kb,
                &Value::Number {
                    value: *value,
                    unit: None,
                },
            ),
        Value::Number { value, unit: None } if paid(names, &fact.predicate) => {
            let money = |quantity: &Quantity| quantity.kind == QuantityKind::Money;
            // "4" in a column of billions is not 4.
            let scaled = |quantity: &Quantity| {
                money(quantity) && quantity.value.abs() >= SCALED * value.abs().max(1.0)
            };
            if object.quantities.iter().any(scaled) {
                return Agreement::Incomparable;
            }
            object.without_unit(&money).agrees(kb, &fact.value)
        }
        value => object.agrees(kb, value),
    };
    let named_otherwise = |quantity: &Quantity| other_currency(quantity, &fact.value);
    if plain != Agreement::Same
        && let [one] = object.quantities.as_slice()
        && named_otherwise(one)
    {
        return Agreement::Different;
    }
    if plain == Agreement::Same
        && object.up_to
        && matches!(fact.value, Value::Number { .. })
        && at_best(names, &fact.predicate)
    {
        return object.exactly().agrees(kb, &fact.value);
    }
    if plain != Agreement::Incomparable {
        return plain;
    }
    if let Value::Text(own) = &fact.value
        && let Some(own) = without_shared_kind(own, &object.text)
    {
        return object.agrees(kb, &Value::Text(own.to_owned()));
    }
    if described_only(names, &fact.predicate) {
        return plain;
    }
    if let Some(told) = by_rate(object, &fact.value) {
        return told;
    }
    let differs = match &fact.value {
        Value::Text(own) => !tells_time(own) && names_differ(&object.text, own),
        Value::Entity(reference) => {
            let known: Vec<String> = kb
                .resolve(reference)
                .iter()
                .flat_map(|id| kb.names_of(*id))
                .map(|name| name.to_string())
                .collect();
            names_differ(&object.text, reference)
                && known.iter().all(|n| names_differ(&object.text, n))
        }
        _ => false,
    };
    if differs { Agreement::Different } else { plain }
}

/// A value without the noun for its kind, where what is said ends with that as well: "Sales" of "Sales
/// Department", beside "the Marketing Department".
fn without_shared_kind<'v>(own: &'v str, said: &str) -> Option<&'v str> {
    let (own, kind) = own.trim_end().rsplit_once(' ')?;
    let kind = fold_name(kind);
    let alike = said.split_whitespace().next_back().map(fold_name)? == kind;
    (alike && roles().has("kin_unit", &kind)).then_some(own)
}

/// From how many times the value on what is said may be told in another magnitude.
const SCALED: f64 = 1e3;

/// "former_ceo": a name under which the base itself has somebody else.
fn of_another(predicate: &str) -> bool {
    predicate
        .split('_')
        .any(|word| stance().has("other_role", word) && !roles().has("also", word))
}

/// "was not built in 1743", where the base has a century: only something in it is denied.
fn only_within(value: &Value, said: &Said<'_>) -> bool {
    let Value::Text(own) = value else {
        return false;
    };
    period(own).is_some() && texts_differ(said.text, own)
}

/// Whether one text does not hold the other.
fn texts_differ(said: &str, own: &str) -> bool {
    !fold_name(said).contains(&fold_name(own))
}

/// Whether the attribute is an amount of money.
pub(super) fn paid(names: &Predicates, predicate: &str) -> bool {
    let money = |name: &str| stance().has("money", name);
    let known = names
        .named(predicate)
        .is_some_and(|known| money(&known.name));
    known || predicate.split('_').any(money)
}

/// Whether texts of the attribute describe rather than name: two of them can both be so.
pub(super) fn described_only(names: &Predicates, predicate: &str) -> bool {
    let listed = |name: &str| stance().has("descriptive", name);
    listed(predicate)
        || names
            .named(predicate)
            .is_some_and(|known| listed(&known.name))
}

/// What the base has for the year that is spoken of, where all of it is otherwise: the one value, or
/// nothing to put in its place.
fn of_that_time(
    kb: &Snapshot,
    facts: &[Fact],
    telling: Telling,
    agreement: &dyn Fn(&Fact) -> Agreement,
) -> Option<Option<Clash>> {
    telling.year?;
    let bounded = |fact: &&Fact| fact.valid_from.is_some() || fact.valid_to.is_some();
    let then: Vec<&Fact> = facts
        .iter()
        .filter(bounded)
        .filter(|fact| telling.within(fact) == Some(true))
        .collect();
    let first = then.first()?;
    if !then
        .iter()
        .all(|fact| agreement(fact) == Agreement::Different)
    {
        return Some(None);
    }
    let mut clash = Clash::of(kb, first);
    clash.open = then.len() > 1;
    clash.lapsed = true;
    Some(Some(clash))
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

impl Clash {
    pub(super) fn of(kb: &Snapshot, fact: &Fact) -> Self {
        Self {
            fact: fact.clone(),
            values: vec![expected_text(kb, &fact.value)],
            open: false,
            others: Vec::new(),
            lapsed: false,
            exact: None,
            aside: false,
        }
    }
}

/// A value as people read it; an entity by its name rather than its key.
pub(super) fn expected_text(kb: &Snapshot, value: &Value) -> String {
    if let Value::Entity(reference) = value {
        let named = kb.resolve(reference).first().and_then(|id| kb.name(*id));
        return named.unwrap_or(reference).to_owned();
    }
    if let Value::Text(text) = value
        && let Some(moment) = moment(text)
    {
        return moment.to_string();
    }
    value.to_string()
}
