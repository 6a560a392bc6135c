//! A name that the base has of the same thing under another attribute: "was founded by" whom the
//! base has as its director.
//!
//! Phrases are often read as an attribute that they only may speak of ("works in Utrecht" says no
//! department), so that what holds under another attribute contradicts nothing. It does where the
//! words say one attribute and no other, and the two are told apart.

use crate::claims::{Folded, SentenceView};
use crate::kb::{Fact, Value};
use crate::lexicon::cues::verb;
use crate::lexicon::predicates::Predicates;
use crate::lexicon::tables::roles;
use crate::lexicon::words::{WordClass, class};
use crate::normal::fold_name;
use crate::types::{Claim, Quantity, QuantityKind, Span};

use super::clash::described_only;

/// Endings of nouns for who does something.
const DOERS: [&str; 2] = ["er", "or"];
/// Most letters of a word inside a name that is written small ("de", "von", "the").
const PARTICLE: usize = 3;

/// Whether a value is the name of somebody or of some place.
pub(super) fn is_name(value: &Value) -> bool {
    let Value::Text(text) = value else {
        return matches!(value, Value::Entity(_));
    };
    let capital = |word: &str| word.starts_with(char::is_uppercase);
    let known = class(&fold_name(text));
    let names = WordClass::CITY
        .with(WordClass::COUNTRY)
        .with(WordClass::GIVEN_NAME);
    capital(text)
        && text
            .split(' ')
            .all(|word| capital(word) || word.len() <= PARTICLE)
        && (text.contains(' ') || !known.has(WordClass::COMMON) || known.any(names))
}

/// Whether the claim says the attribute of `facts`, and none of those under which the base has what
/// it says, `elsewhere`.
pub(super) fn swapped(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    claim: &Claim,
    facts: &[Fact],
    elsewhere: &[&Fact],
) -> bool {
    let names = view.attributes.predicates();
    let single = |fact: &Fact| {
        is_name(&fact.value)
            && !described_only(names, &fact.predicate)
            && !roles().has("many", &fact.predicate)
    };
    let apart = |fact: &Fact| {
        elsewhere
            .iter()
            .all(|other| is_name(&other.value) && !kin(names, &fact.predicate, &other.predicate))
    };
    !facts.is_empty()
        && facts.iter().all(|fact| single(fact) && apart(fact))
        && facts
            .iter()
            .any(|fact| firmly(view, folded, claim, names, &fact.predicate))
}

/// Whether two names that may mean one attribute are told apart where a base has both ("CEO",
/// "chair").
pub(super) fn told_apart(a: &str, b: &str) -> bool {
    let of = |name| roles().of("apart_", name);
    of(a).zip(of(b)).is_some_and(|(a, b)| a != b)
}

/// Whether a value of one attribute may be told as that of the other.
fn kin(names: &Predicates, a: &str, b: &str) -> bool {
    let table = roles();
    if told_apart(a, b) {
        return false;
    }
    let of = |name: &str| {
        let known = names.named(name).map(|known| known.name.to_string());
        let last = name.rsplit('_').next().unwrap_or(name).to_owned();
        [Some(name.to_owned()), known, Some(last)]
    };
    let (one, two) = (of(a), of(b));
    let groups = |name: &String| {
        let all = table
            .classes(name)
            .filter(|class| class.starts_with("kin_"));
        all.collect::<Vec<_>>()
    };
    let shared = a
        .split('_')
        .any(|word| word.len() > 2 && b.split('_').any(|other| other == word));
    names.same(a, b)
        || shared
        || one.iter().flatten().any(|one| {
            let own = groups(one);
            two.iter()
                .flatten()
                .any(|two| one == two || groups(two).iter().any(|g| own.contains(g)))
        })
}

/// Whether the words of the claim say that attribute and no other: its own noun, or a verb that says
/// nothing else.
fn firmly(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    claim: &Claim,
    names: &Predicates,
    attribute: &str,
) -> bool {
    let predicate = claim.predicate.as_deref().unwrap_or("");
    let (Some(subject), Some(object)) = (claim.subject_span, claim.object_span) else {
        // "ceo": "Leo Brandt", of what stands around it: the key is the attribute's own name.
        return claim.subject_span.is_none()
            && claim.referent.is_some()
            && predicate == attribute
            && !roles().has("loose_noun", predicate);
    };
    let said = |name: &str| {
        let words: Vec<&str> = name.split('_').collect();
        (0..folded.len()).any(|i| {
            let outside = view
                .lexemes
                .get(i)
                .is_some_and(|lexeme| !object.contains(lexeme.span));
            let word = |at: usize| {
                let word = folded.get(i + at);
                word.strip_suffix("'s").unwrap_or(word)
            };
            outside && words.iter().enumerate().all(|(at, own)| word(at) == *own)
        })
    };
    if said(attribute) || said(predicate) && !roles().has("loose_noun", predicate) {
        return true;
    }
    let between = Span::new(subject.start.min(object.start), subject.end.max(object.end));
    let canonical = names
        .named(attribute)
        .map_or(attribute, |known| &known.name);
    view.lexemes_in(between).any(|i| {
        let inside = |span: Span| span.contains(view.lexemes[i].span);
        let known = folded.known(i).verb;
        !inside(subject)
            && !inside(object)
            && known.is_some_and(|verb| {
                says(verb, attribute) || says(verb, canonical) && names.same(attribute, predicate)
            })
    })
}

/// Whether a verb says that attribute: "produce" whose producer somebody is.
pub(super) fn says(verb: &str, attribute: &str) -> bool {
    let last = attribute.rsplit('_').next().unwrap_or(attribute);
    does(verb, last) || last == verb || roles().has(&format!("by_{attribute}"), verb)
}

/// Whether a noun is who does what the verb says.
fn does(verb: &str, noun: &str) -> bool {
    let stem = verb.strip_suffix('e').unwrap_or(verb);
    noun.strip_prefix(stem)
        .is_some_and(|end| DOERS.contains(&end))
}

/// "was illustrated by": whom an attribute called "illustrator" has, "was discovered by" one called "discovered_by",
/// and "is coached by" one called "coach".
pub(super) fn done_by(predicate: &str, attribute: &str) -> bool {
    let by = predicate
        .strip_suffix("_by")
        .filter(|base| !base.contains('_'));
    by.is_some_and(|base| {
        let done = attribute.strip_suffix("_by").and_then(verb) == Some(base);
        let acts = attribute == base && roles().has("acts", attribute);
        does(base, attribute) || acts || done
    }) && !roles().has("many", attribute)
}

/// "was conducted by X on Friday", "was coached by X": what somebody did once, and not who does it.
pub(super) fn done_once(view: &SentenceView<'_>, folded: &Folded<'_>, predicate: &str) -> bool {
    let Some(base) = predicate.strip_suffix("_by") else {
        return false;
    };
    let past = (0..folded.len()).any(|i| matches!(folded.get(i), "was" | "were" | "will"));
    let year = |q: &Quantity| q.kind == QuantityKind::Year;
    let dated = !view.dates.is_empty() || view.quantities.iter().any(year);
    past && !roles().has("made_by", base) && (dated || roles().has("acts", base))
}
