//! Which places can be held against each other.

use crate::claims::{Folded, SentenceView, unit_named};
use crate::kb::{Fact, Snapshot, Value};
use crate::lexicon::names::{NameCue, name_cue};
use crate::lexicon::predicates::predicates;
use crate::lexicon::tables::{countries, regions, stance};
use crate::lexicon::units::{convert, unit};
use crate::lexicon::words::{WordClass, class};
use crate::normal::fold_name;
use crate::types::{Quantity, Span};

use super::object::Object;

/// How many times as long one length of time is that is of another kind.
const SCALE: f64 = 100.0;

/// What a text is the name of, as far as word lists and the base tell.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Level {
    /// A town or city.
    city: bool,
    /// A country.
    country: bool,
    /// A part of a country, or a group of them: what lies in it is not told.
    region: bool,
}

impl Level {
    fn of(kb: &Snapshot, text: &str) -> Self {
        let whole = Self::named(kb, text);
        // "the United Kingdom", "the USA"
        let bare = fold_name(text);
        let bare = bare.strip_prefix("the ").map(|bare| Self::named(kb, bare));
        let whole = bare.filter(|bare| bare.country).unwrap_or(whole);
        if whole.known() {
            return whole;
        }
        // "Osaka, Japan", "northern Italy": of what stands in front, of what it is a part of.
        let head = text.split(',').next().unwrap_or(text).trim();
        let head_only = Self::named(kb, head);
        if head_only.known() {
            return head_only;
        }
        let tail = Self::named(kb, head.rsplit(' ').next().unwrap_or(head));
        Self {
            // "northern Italy" is a part of it.
            region: head.contains(' ') && (tail.country || tail.region) && !body_of(head),
            ..Self::default()
        }
    }

    fn named(kb: &Snapshot, text: &str) -> Self {
        let folded = fold_name(text);
        // "New York City" is no state.
        if folded.strip_suffix(" city").is_some_and(|name| {
            class(name).any(WordClass::CITY.with(WordClass::COUNTRY))
                || regions().has("region", name)
        }) {
            return Self {
                city: true,
                ..Self::default()
            };
        }
        let known = class(&folded);
        // "Ontario" is a town as well, and seldom meant as one.
        let region = is_part(&folded);
        let mut level = Self {
            city: known.has(WordClass::CITY) && !region,
            country: known.has(WordClass::COUNTRY) && !region || regions().has("country", &folded),
            region,
        };
        for id in kb.find(text) {
            match fold_name(kb.kind(id).unwrap_or("")).as_str() {
                "city" | "town" | "village" | "municipality" => level.city = true,
                "country" => level.country = true,
                "region" | "state" | "province" | "continent" | "county" | "place" => {
                    level.region = true;
                }
                _ => {}
            }
        }
        level
    }

    fn known(self) -> bool {
        self.city || self.country || self.region
    }
}

/// A part of a country or of a town: what lies in it is not told.
pub(super) fn is_part(folded: &str) -> bool {
    regions().has("region", folded) || regions().has("district", folded)
}

/// "Bank of Norway": what is there is no part of it.
fn body_of(name: &str) -> bool {
    let head = name.rsplit_once(" of ").map_or("", |(head, _)| head);
    let cue = name_cue(&fold_name(head.rsplit(' ').next().unwrap_or(head)));
    cue.is(NameCue::ORG.or(NameCue::IS_ORG))
}

/// "ran for ten weeks" of a film of 104 minutes: another length of time than the one that is known.
fn of_another_scale(value: f64, of: Option<&str>, object: &Object<'_>) -> bool {
    let Some(own) = of.and_then(unit_named) else {
        return false;
    };
    let time = |id| unit(id).dimension == "time";
    let far = |quantity: &Quantity| {
        let said = quantity.unit.filter(|id| *id != own && time(*id))?;
        let converted = convert(quantity.value, said, own)?;
        let (low, high) = (
            converted.abs().min(value.abs()),
            converted.abs().max(value.abs()),
        );
        Some(high >= SCALE * low)
    };
    time(own) && object.quantities.iter().filter_map(far).any(|apart| apart)
}

/// Whether a different text is a different value, and not a value of another kind: a place is no
/// department, what lies in a region is not told, and a country may hold the city where that is not
/// known to lie in another.
pub(super) fn comparable(kb: &Snapshot, fact: &Fact, object: &Object<'_>) -> bool {
    // Where somebody was born may have lain in another country then.
    let then = ["born", "birth", "died", "death"];
    let elsewhere = || match &fact.value {
        Value::Text(own) => {
            !then.iter().any(|word| fact.predicate.contains(word))
                && lies_elsewhere(own, &object.text)
        }
        _ => false,
    };
    alike(kb, fact, object) || elsewhere()
}

/// "On Lake Constance", "at 12 Mill Road", of what the base has in a town: both may be so.
pub(super) fn beside_a_town(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    said: Span,
    fact: &Fact,
) -> bool {
    let Value::Text(own) = &fact.value else {
        return false;
    };
    let town = |name: &str| class(&fold_name(name)).has(WordClass::CITY);
    let before = view.lexemes_in(said).start;
    let led = (before.saturating_sub(2)..before)
        .rev()
        .map(|i| folded.get(i))
        .find(|word| *word != "the");
    let own = own.split(", ").next().unwrap_or(own);
    let plain = !own.contains(|c: char| c == ' ' || c.is_ascii_digit());
    let placed = |name: &&str| predicates().same(&fact.predicate, name);
    ["location", "headquarters"].iter().any(placed)
        && (plain || town(own))
        && !town(view.at(said))
        && matches!(led, Some("on" | "at"))
}

/// The same, but a city is held against no country.
pub(super) fn alike(kb: &Snapshot, fact: &Fact, object: &Object<'_>) -> bool {
    if let Value::Number { value, unit } = &fact.value {
        return !of_another_scale(*value, unit.as_deref(), object);
    }
    let Value::Text(own) = &fact.value else {
        return true;
    };
    if in_a_town(&fact.predicate) && told_by_another(&object.text) {
        return false;
    }
    let (mut own, said) = (Level::of(kb, own), Level::of(kb, &object.text));
    // Whatever a capital is called, it is a town.
    if !own.known() && matches!(fact.predicate.as_str(), "capital" | "capital_city") {
        own.city = true;
    }
    if own.known() != said.known() {
        return perhaps_within(kb, fact, object);
    }
    let held = || match &fact.value {
        Value::Text(own) => part_of(own, &object.text) || part_of(&object.text, own),
        _ => false,
    };
    !own.known() || own.city && said.city || own.country && said.country && !held()
}

/// Whether a well-known city is said where the base has a place that no list has, by a name as towns
/// have it. The place may be a part of the city, so that this casts no more than a doubt; that
/// "Lund, Sweden" is not in Vienna is sure. The other way round nothing is told: an answer may name the
/// quarter of the city that the base has, or the region around it.
pub(super) fn perhaps_within(kb: &Snapshot, fact: &Fact, object: &Object<'_>) -> bool {
    let Value::Text(own) = &fact.value else {
        return false;
    };
    let (there, said) = (Level::of(kb, own), Level::of(kb, &object.text));
    in_a_town(&fact.predicate)
        && said.city
        && !said.country
        && !said.region
        && !there.known()
        && named_as_town(own)
}

/// Whether the attribute's value is a town as a rule.
fn in_a_town(predicate: &str) -> bool {
    let settled = |name: &str| stance().has("in_a_town", name);
    let known = predicates().named(predicate);
    settled(predicate) || known.is_some_and(|known| settled(&known.name))
}

/// "a suburb of Vienna", "a village near Graz": some place, which may be any.
fn told_by_another(text: &str) -> bool {
    let folded = fold_name(text);
    let some = folded.starts_with("a ") || folded.starts_with("an ");
    some && [" of ", " near ", " outside "]
        .iter()
        .any(|word| folded.contains(word))
}

/// Whether what stands behind the name of the base's place is a country in which the city that is said
/// does not lie.
pub(super) fn told_abroad(own: &Value, said: &str) -> bool {
    let Value::Text(own) = own else {
        return false;
    };
    let country = own.rsplit_once(',').map(|(_, country)| country.trim());
    country.is_some_and(|country| lies_elsewhere(country, said))
}

/// Words in the name of a town.
const TOWN: usize = 2;

/// "Lund", "Bad Ischl", and not "Remote" or "Hofburg Palace".
fn named_as_town(text: &str) -> bool {
    let head = text.split(',').next().unwrap_or(text).trim();
    let words: Vec<&str> = head.split(' ').collect();
    let plain = |word: &&str| {
        word.starts_with(char::is_uppercase)
            && word
                .chars()
                .all(|c| c.is_alphabetic() || matches!(c, '-' | '\'' | '’'))
    };
    let ordinary = |word: &&str| {
        let known = class(&fold_name(word));
        known.has(WordClass::NAME_HEAD) || known.has(WordClass::COMMON) && words.len() == 1
    };
    words.len() <= TOWN && words.iter().all(plain) && !words.last().is_some_and(ordinary)
}

/// "Scotland" is a part of "the UK", and no other country than it.
fn part_of(part: &str, whole: &str) -> bool {
    let (part, whole) = (fold_name(part), fold_name(whole));
    let whole = whole.strip_prefix("the ").unwrap_or(&whole);
    let whole = countries().of("also_", whole).unwrap_or(whole);
    regions().has(&format!("parts_{whole}"), &part)
}

/// Whether one is a well-known city and the other a country that it does not lie in.
fn lies_elsewhere(own: &str, said: &str) -> bool {
    let apart = |city: &str, country: &str| {
        let bare = fold_name(country);
        let bare = bare.strip_prefix("the ").unwrap_or(&bare);
        let country = countries().of("also_", bare).unwrap_or(bare);
        let city = fold_name(city.split(',').next().unwrap_or(city));
        let mut within = countries().classes(&city).peekable();
        let listed = !countries().listed(country).is_empty();
        listed && within.peek().is_some() && within.all(|own| own != country)
    };
    apart(own, said) || apart(said, own)
}

/// Whether the facts are places of one entity by different names of the attribute, each with one
/// value.
pub(super) fn places(kb: &Snapshot, facts: &[&Fact]) -> bool {
    let place = |fact: &&Fact| match &fact.value {
        Value::Text(own) => Level::of(kb, own).known(),
        _ => false,
    };
    let once = |fact: &&Fact| {
        facts
            .iter()
            .filter(|other| other.predicate == fact.predicate)
            .count()
            == 1
    };
    facts.iter().all(place) && facts.iter().all(once)
}

/// Whether two texts are names of places of which one may lie in the other: a city and a country,
/// or anything and a region. Of what no list has nothing is told but that.
pub(super) fn may_contain(a: &str, b: &str) -> bool {
    let of = |text: &str| {
        let plain = |text: &str| {
            let folded = fold_name(text);
            let known = class(&folded);
            let region = is_part(&folded);
            Level {
                city: known.has(WordClass::CITY) && !region,
                country: known.has(WordClass::COUNTRY) && !region
                    || regions().has("country", &folded),
                region,
            }
        };
        let bare = text
            .split_once(' ')
            .filter(|(first, _)| matches!(fold_name(first).as_str(), "the" | "in" | "at"))
            .map_or(text, |(_, rest)| rest);
        plain(bare)
    };
    let (a, b) = (of(a), of(b));
    a.region || b.region || a.country && !b.country || b.country && !a.country
}
