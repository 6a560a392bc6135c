//! Claims whose words leave the attribute open, read again by what the base has of the entity: "X is
//! $20", "X is a city in Peru", "works in the Leeds office", "is made by Y", "is on leave".

use crate::claims::SentenceView;
use crate::kb::{Fact, Snapshot, Value};
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::tables::{kinds, roles, stance};
use crate::lexicon::words::{WordClass, class};
use crate::normal::{fold, fold_name};
use crate::types::{Claim, LexFlags, LexKind, Modality, Polarity, QuantityKind, Span};

use super::based::based;
use super::bracketed::bracketed;
use super::designated::{designated, of_year};
use super::kb_conflict::NAMESAKES;
use super::replacement::price::Rates;
use super::subject::{PERSONS, claim_entities};

/// Most facts of an entity that are looked through.
const FACTS: usize = 256;
/// Most entities whose makers are looked through.
const ENTITIES: usize = 1024;
/// Attributes that say in which of its offices somebody works.
const OFFICES: [&str; 5] = [
    "office",
    "office_location",
    "work_location",
    "office_city",
    "workplace_location",
];
/// Predicates by which somebody is said to be in an office.
const AT_WORK: [&str; 6] = [
    "location",
    "department",
    "employer",
    "work_from",
    "work_at",
    "work_out_of",
];

/// The claims as the base can be asked about them; `None` where that is as they were read.
pub(super) fn reread(
    view: &SentenceView<'_>,
    claims: &[Claim],
    kb: &Snapshot,
) -> Option<Vec<Claim>> {
    let again: Vec<Option<Claim>> = claims.iter().map(|claim| read(view, claim, kb)).collect();
    let mut based = based(view, claims);
    based.extend(bracketed(view, claims, kb));
    if again.iter().all(Option::is_none) && based.is_empty() {
        return None;
    }
    let mut out = Vec::with_capacity(claims.len() + 1);
    for (own, claim) in again.into_iter().zip(claims) {
        // "a four-star hotel in Peru" says what it is besides.
        let besides = own.as_ref().is_none_or(|own| {
            claim.predicate.as_deref() == Some("is") && own.predicate.as_deref() == Some("location")
        });
        if besides {
            out.push(claim.clone());
        }
        out.extend(own);
    }
    out.extend(based);
    Some(out)
}

fn read(view: &SentenceView<'_>, claim: &Claim, kb: &Snapshot) -> Option<Claim> {
    if claim.coordinated.is_some()
        || matches!(claim.modality, Modality::Question | Modality::Instruction)
    {
        return None;
    }
    if claim.polarity == Polarity::Negative {
        let told = in_state(view, claim).or_else(|| at_office(view, claim, kb));
        return told.map(|told| told_as(view, claim, told));
    }
    let object = claim.object_span?;
    let predicate = claim.predicate.as_deref()?;
    let (name, place) = match predicate {
        "is" => priced(view, object).or_else(|| placed(view, object))?,
        "has" => inhabited(view, claim, object)?,
        "manufacturer" => branded(view, claim, kb)?,
        _ => match held_since(view, object) {
            Some(name) => (predicate.to_owned(), name),
            None => at_office(view, claim, kb)
                .or_else(|| in_state(view, claim))
                .or_else(|| of_year(view, claim, kb))
                .or_else(|| designated(view, claim, kb))?,
        },
    };
    Some(told_as(view, claim, (name, place)))
}

/// The claim as one of another attribute, with another value.
fn told_as(view: &SentenceView<'_>, claim: &Claim, (name, place): (String, Span)) -> Claim {
    let mut own = claim.clone();
    own.predicate = Some(name);
    own.object = Some(view.at(place).to_owned());
    own.object_span = Some(place);
    own
}

fn folded(text: &str) -> String {
    let mut out = String::new();
    fold(text, &mut out);
    out
}

/// "X is $20" and nothing more.
fn priced(view: &SentenceView<'_>, object: Span) -> Option<(String, Span)> {
    let mut money = (view.quantities.iter()).filter(|q| q.kind == QuantityKind::Money);
    let amount = money.find(|q| q.span.overlaps(object))?.span;
    // "is £24 per month"
    let end = view.sentence.span.start + view.text.len();
    let rates = Rates::of(view.at(Span::new(amount.end, end.max(amount.end))));
    let amount = Span::new(amount.start, amount.end + rates.end);
    let inside = view.lexemes_in(object);
    let loose = |i: usize| {
        amount.contains(view.lexemes[i].span)
            || matches!(&*folded(view.word(i)), "only" | "just" | "about" | "around")
    };
    if !inside.clone().all(loose) {
        return None;
    }
    let next = view.lexemes_in(amount).end;
    let word = |i: usize| {
        view.lexemes
            .get(i)
            .map_or(String::new(), |_| folded(view.word(i)))
    };
    let behind = word(next);
    // "is $20 and weighs", not "is $20 and $30"
    let joined = matches!(&*behind, "and" | "but" | "while")
        && view
            .lexemes
            .get(next + 1)
            .is_some_and(|l| l.kind == LexKind::Word);
    let closed = matches!(&*behind, "" | "." | "," | ";" | "!" | ")")
        || view
            .at(Span::new(
                amount.end,
                view.sentence.span.start + view.text.len(),
            ))
            .trim()
            .is_empty();
    let before = view.lexemes_in(amount).start;
    let verb = (before.saturating_sub(3)..before)
        .any(|i| matches!(&*word(i), "is" | "'s" | "’s" | ":" | "-" | "–" | "—"));
    (verb && (closed || joined)).then(|| ("price".to_owned(), amount))
}

/// "There are 30,000 people living in X", and nothing more.
fn inhabited(view: &SentenceView<'_>, claim: &Claim, object: Span) -> Option<(String, Span)> {
    let place = view.lexemes_in(claim.subject_span?);
    let word = |i: usize| folded(view.word(i));
    let there = word(0) == "there" && matches!(&*word(1), "are" | "were");
    let ends = matches!(&*word(place.end), "" | "." | "!" | "?" | ";" | ",");
    let mut said = view.lexemes_in(object).rev().map(word);
    let last = said.next().map(|last| match &*last {
        "living" | "residing" => said.next().unwrap_or_default(),
        _ => last,
    })?;
    let inside = place.start > 0 && word(place.start - 1) == "in";
    let counts = matches!(&*last, "people" | "inhabitants" | "residents");
    let amount = view.quantities.iter().find(|q| q.span.overlaps(object))?;
    (there && ends && inside && counts).then(|| ("population".to_owned(), amount.span))
}

/// "has been P since 2015": the name alone.
fn held_since(view: &SentenceView<'_>, object: Span) -> Option<Span> {
    let range = view.lexemes_in(object);
    let since = range.clone().find(|i| folded(view.word(*i)) == "since")?;
    let dated = |i: usize| {
        let span = view.lexemes[i].span;
        view.quantities
            .iter()
            .any(|q| q.kind == QuantityKind::Year && q.span.overlaps(span))
            || view.dates.iter().any(|date| date.span.overlaps(span))
    };
    let capital = |i: usize| view.lexemes[i].flags.has(LexFlags::CAPITALIZED);
    let been = range.start.checked_sub(2).is_some_and(|i| {
        folded(view.word(i + 1)) == "been" && matches!(&*folded(view.word(i)), "has" | "have")
    });
    let named = range.start < since && (range.start..since).all(capital);
    (been && named && (since + 1..range.end).all(dated))
        .then(|| Span::new(object.start, view.lexemes[since - 1].span.end))
}

/// "X is a city in Peru".
fn placed(view: &SentenceView<'_>, object: Span) -> Option<(String, Span)> {
    let range = view.lexemes_in(object);
    let word = |i: usize| folded(view.word(i));
    let capital = |i: usize| {
        let lexeme = view.lexemes.get(i);
        lexeme.is_some_and(|l| l.kind == LexKind::Word && l.flags.has(LexFlags::CAPITALIZED))
    };
    if !matches!(&*word(range.start), "a" | "an" | "the") {
        return None;
    }
    let link = range
        .clone()
        .find(|i| cue(&word(*i)).is(Cue::PREPOSITION))?;
    let site = kinds().has("site", &word(link.checked_sub(1)?));
    if word(link) != "in" || !site {
        return None;
    }
    let last = (link + 1..view.lexemes.len())
        .take_while(|i| capital(*i))
        .last()?;
    // "in Georgia and Florida", "in Paris's suburbs"
    let next = view
        .lexemes
        .get(last + 1)
        .map_or(String::new(), |_| word(last + 1));
    if matches!(&*next, "and" | "or" | "/" | "-" | "'s" | "’s") || word(last).ends_with("'s") {
        return None;
    }
    let span = Span::new(
        view.lexemes[link + 1].span.start,
        view.lexemes[last].span.end,
    );
    Some(("location".to_owned(), span))
}

/// "is made by Y", where the base has no more than the brand.
fn branded(view: &SentenceView<'_>, claim: &Claim, kb: &Snapshot) -> Option<(String, Span)> {
    let names = view.attributes.predicates();
    let maker = |name: &str| names.same(name, "manufacturer");
    let kin = |name: &str| roles().has("kin_maker", name) || roles().has("kin_owner", name);
    let own = |facts: &[Fact]| {
        let brands = facts
            .iter()
            .filter(|fact| fact.predicate == "brand")
            .count();
        let others = facts.iter().any(|fact| {
            fact.predicate != "brand" && (maker(&fact.predicate) || kin(&fact.predicate))
        });
        brands == 1 && !others
    };
    let object = claim.object_span?;
    (every(view, claim, kb, &own) && makes_another(view.at(object), kb))
        .then(|| ("brand".to_owned(), object))
}

/// Whether the base has the name as a brand or maker of anything: who makes a brand's things may well be
/// somebody else, of whom it has nothing.
fn makes_another(name: &str, kb: &Snapshot) -> bool {
    let said = fold_name(name);
    let said = said.strip_prefix("the ").unwrap_or(&said);
    let made = |name: &str| roles().has("kin_maker", name);
    kb.ids().take(ENTITIES).any(|id| {
        let facts = kb.few_facts(id, FACTS, &made).unwrap_or_default();
        facts.iter().any(|fact| match &fact.value {
            Value::Text(own) | Value::Enum(own) | Value::Entity(own) => fold_name(own) == said,
            _ => false,
        })
    })
}

/// "works in the Leeds office", "is based in Leeds", where the base has somebody's office.
fn at_office(view: &SentenceView<'_>, claim: &Claim, kb: &Snapshot) -> Option<(String, Span)> {
    let predicate = claim.predicate.as_deref()?;
    if !AT_WORK.contains(&predicate) {
        return None;
    }
    let object = claim.object_span?;
    let range = view.lexemes_in(object);
    let word = |i: usize| folded(view.word(i));
    let capital = |i: &usize| view.lexemes[*i].flags.has(LexFlags::CAPITALIZED);
    let first = range.start + usize::from(range.len() > 1 && word(range.start) == "the");
    let last = range.end.checked_sub(1)?;
    let office = matches!(&*word(last), "office" | "offices" | "branch" | "site") && first < last;
    let place = first..if office { last } else { range.end };
    if place.is_empty() || !place.clone().all(|i| capital(&i)) {
        return None;
    }
    let based = || {
        let link = range.start.checked_sub(1).map(word);
        let verb = range.start.checked_sub(2).map(word);
        link.is_some_and(|link| matches!(&*link, "in" | "at"))
            && verb.is_some_and(|verb| verb == "based")
    };
    // "works in Leeds": no department
    let city = |name: &str| class(&fold_name(name)).has(WordClass::CITY);
    let named = Span::new(
        view.lexemes[place.start].span.start,
        view.lexemes[place.end - 1].span.end,
    );
    let town = predicate != "location" && city(view.at(named));
    if !office && !town && !based() {
        return None;
    }
    let names = view.attributes.predicates();
    let names_of = |facts: &[Fact]| {
        let of = |wanted: &[&str]| {
            let mut own = facts
                .iter()
                .filter(|fact| wanted.contains(&fact.predicate.as_str()));
            let told = |value: &Value| match value {
                Value::Text(own) => office || !town || city(own),
                _ => false,
            };
            let one = (own.next()).map(|fact| (fact.predicate.clone(), told(&fact.value)));
            one.filter(|(_, text)| *text && own.next().is_none())
        };
        of(&OFFICES).or_else(|| of(&["location"]).filter(|_| office))
    };
    let somebody = |facts: &[Fact]| {
        facts
            .iter()
            .any(|fact| names.same(&fact.predicate, "title"))
    };
    let ids = claim_entities(view, claim, kb);
    let (id, facts) = match ids.as_slice() {
        [id] => (*id, kb.few_facts(*id, FACTS, &|_| true)?),
        _ => return None,
    };
    let kind = fold_name(kb.kind(id).unwrap_or(""));
    let person = kind.split(' ').any(|word| PERSONS.contains(&word)) || somebody(&facts);
    let (name, _) = names_of(&facts).filter(|_| person)?;
    // A person's own place is known: "is based in Leeds" is of that.
    let located = !office
        && facts
            .iter()
            .any(|fact| names.same(&fact.predicate, "location"));
    (!located).then_some((name, named))
}

/// "is on leave", "is out of stock": a state that is told with a preposition.
fn in_state(view: &SentenceView<'_>, claim: &Claim) -> Option<(String, Span)> {
    let link = match claim.predicate.as_deref()? {
        // "in progress" is no place
        "location" => "in",
        told => told.strip_prefix("is_")?,
    };
    with_preposition(view, claim.object_span?, link).map(|span| ("is".to_owned(), span))
}

/// The state that a value is with the words of `link` in front of it: "on leave", "out of stock".
fn with_preposition(view: &SentenceView<'_>, value: Span, link: &str) -> Option<Span> {
    let object = view.lexemes_in(value);
    let folded = view.folded();
    let mut start = object.start;
    // "out of" may stand before it.
    while start > 0 && link.split('_').any(|word| word == folded.get(start - 1)) {
        start -= 1;
    }
    let said: Vec<&str> = (start..object.end).map(|i| folded.get(i)).collect();
    let state = start < object.start && stance().of("listed_", &said.join(" ")).is_some();
    let first = view.lexemes.get(start)?.span;
    let last = view.lexemes.get(object.end.checked_sub(1)?)?.span;
    state.then(|| Span::new(first.start, last.end))
}

/// The same with whatever prepositions stand there.
pub(crate) fn prepositional_state(view: &SentenceView<'_>, value: Span) -> Option<Span> {
    let start = view.lexemes_in(value).start;
    let folded = view.folded();
    let link: Vec<&str> = (start.saturating_sub(2)..start)
        .filter(|i| cue(folded.get(*i)).is(Cue::PREPOSITION))
        .map(|i| folded.get(i))
        .collect();
    with_preposition(view, value, &link.join("_"))
}

/// Whether it holds of the facts of all that the claim is about.
fn every(
    view: &SentenceView<'_>,
    claim: &Claim,
    kb: &Snapshot,
    holds: &dyn Fn(&[Fact]) -> bool,
) -> bool {
    let ids = claim_entities(view, claim, kb);
    !ids.is_empty()
        && ids.len() <= NAMESAKES
        && ids.iter().all(|id| {
            kb.few_facts(*id, FACTS, &|_| true)
                .is_some_and(|facts| holds(&facts))
        })
}
