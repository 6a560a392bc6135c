//! Values that stand beside the noun of their attribute: "listens on port 7440", "uses the MIT license", "has won 8
//! titles", "Year: 2016".

use std::ops::Range;

use crate::claims::SentenceView;
use crate::kb::{Fact, Snapshot};
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::tables::frames;
use crate::lexicon::words::{WordClass, class};
use crate::normal::{fold, stem};
use crate::types::{Claim, LexFlags, Quantity, QuantityKind, Span};

use super::subject::claim_entities;

/// Most facts of an entity that are looked through.
const FACTS: usize = 256;
/// Words of a value, at most.
const WORDS: usize = 3;

/// The attribute of the claim's one entity whose noun stands in the object, and its value.
pub(super) fn designated(
    view: &SentenceView<'_>,
    claim: &Claim,
    kb: &Snapshot,
) -> Option<(String, Span)> {
    let said = claim.predicate.as_deref()?;
    let verb = said.split('_').next().unwrap_or(said);
    if frames().has("counts_its", verb) {
        return counted(view, claim, kb);
    }
    if !frames().has("bears", verb) {
        return None;
    }
    let object = view.lexemes_in(claim.object_span?);
    let word = |i: usize| {
        let mut out = String::new();
        fold(view.word(i), &mut out);
        out
    };
    let article = matches!(&*word(object.start), "the" | "a" | "an");
    let phrase = object.start + usize::from(article)..object.end;
    if phrase.len() < 2 || !phrase.clone().all(|i| view.is_term(i)) {
        return None;
    }
    let facts = of_one(view, claim, kb)?;
    let named = |noun: &str| only(&facts, &|name| name.rsplit('_').next() == Some(noun));
    let value = |range: Range<usize>| {
        let first = view.lexemes[range.start].span;
        Span::new(first.start, view.lexemes[range.end - 1].span.end)
    };
    // "port 7440", "gate B14"
    let code = phrase.start + 1;
    let coded = view.lexemes[code].flags.has(LexFlags::HAS_DIGIT) && phrase.len() == 2;
    if coded
        && !article
        && let Some(name) = named(&word(phrase.start))
    {
        return Some((name, value(code..phrase.end)));
    }
    // "the MIT license", "the Basic plan"
    let last = phrase.end - 1;
    let own = phrase.start..last;
    let called = |i: usize| {
        let text = word(i);
        let listed = class(&text).any(WordClass::COMMON.with(WordClass::STOPWORD));
        let flags = view.lexemes[i].flags;
        flags.has(LexFlags::HAS_DIGIT)
            || flags.has(LexFlags::CAPITALIZED)
                && (!listed || i > object.start)
                && !cue(&text).is(Cue::PREPOSITION)
    };
    if article && own.len() <= WORDS && own.clone().all(called) {
        return named(&word(last)).map(|name| (name, value(own)));
    }
    None
}

/// "Year: 2016", of a film whose year of release the base has. The year of a museum may be any.
pub(super) fn of_year(
    view: &SentenceView<'_>,
    claim: &Claim,
    kb: &Snapshot,
) -> Option<(String, Span)> {
    let object = claim.object_span?;
    let year = |q: &Quantity| q.kind == QuantityKind::Year && q.span == object;
    if claim.predicate.as_deref() != Some("year") || !claim.quantities.iter().any(year) {
        return None;
    }
    let out = [
        "release",
        "released",
        "publication",
        "published",
        "premiere",
    ];
    let facts = of_one(view, claim, kb)?;
    let dated = |name: &str| name.split('_').any(|part| out.contains(&part));
    only(&facts, &dated).map(|name| (name, object))
}

/// "has won 8 league titles", "includes 40 GB of data": a number of what the base counts of it.
fn counted(view: &SentenceView<'_>, claim: &Claim, kb: &Snapshot) -> Option<(String, Span)> {
    let object = claim.object_span?;
    let [number] = &*claim.quantities else {
        return None;
    };
    let range = view.lexemes_in(object);
    let first = view.lexemes.get(range.start)?;
    if !number.span.overlaps(first.span) {
        return None;
    }
    let mut noun = view.lexemes_in(number.span).end..range.end;
    if view.folded().get(noun.start) == "of" {
        noun.start += 1;
    }
    if noun.is_empty() || noun.len() > WORDS {
        return None;
    }
    let word = |i: usize| stem(view.folded().get(i)).into_owned();
    let said: Vec<String> = noun.map(word).collect();
    let facts = of_one(view, claim, kb)?;
    let same = |name: &str| {
        name.split('_')
            .map(|part| stem(part).into_owned())
            .eq(said.iter().cloned())
    };
    only(&facts, &same).map(|name| (name, number.span))
}

/// What the base has of the claim's one entity.
fn of_one(view: &SentenceView<'_>, claim: &Claim, kb: &Snapshot) -> Option<Vec<Fact>> {
    match claim_entities(view, claim, kb)[..] {
        [id] => kb.few_facts(id, FACTS, &|_| true),
        _ => None,
    }
}

/// The one attribute among facts of which it holds, which has one value.
fn only(facts: &[Fact], holds: &dyn Fn(&str) -> bool) -> Option<String> {
    let mut own = facts.iter().filter(|fact| holds(&fact.predicate));
    let (one, more) = (own.next()?, own.next());
    more.is_none().then(|| one.predicate.clone())
}
