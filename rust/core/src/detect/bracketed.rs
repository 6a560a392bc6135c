//! "The Corvane Tower (320 m) is …": an amount behind a name, of what the base has of it in such a unit.

use crate::claims::SentenceView;
use crate::kb::{Fact, Snapshot, Value};
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::tables::{kinds, stance};
use crate::lexicon::units::{convert, unit};
use crate::normal::fold_name;
use crate::types::{Claim, Modality, Polarity, Quantity, QuantityKind, Resolution, Span, UnitId};

use super::replacement::price::amount_of;

/// Most facts of an entity that are looked through.
const FACTS: usize = 256;

/// How many times another a size may be and still be the wrong one of the thing.
const TIMES: f64 = 2.0;

/// A claim for the amount that stands in brackets behind the name with which the sentence begins, where
/// the base has one thing only that is so measured.
pub(super) fn bracketed(view: &SentenceView<'_>, claims: &[Claim], kb: &Snapshot) -> Option<Claim> {
    let template = claims.first()?;
    let name = opening_name(view)?;
    let open = view.lexemes_in(name.0).end;
    let said = view
        .quantities
        .iter()
        .find(|q| q.span.start >= name.0.end)?;
    let place = view.lexemes_in(said.span);
    let of = said.unit.filter(|_| said.kind == QuantityKind::Measure)?;
    let word = |i: usize| view.lexemes.get(i).map_or("", |_| view.word(i));
    let alone = place.start == open + 1 && word(open) == "(" && word(place.end) == ")";
    let next = fold_name(word(place.end + 1));
    let listed = matches!(&*next, "" | ",") || cue(&next).is(Cue::CONJUNCTION);
    // How far away it is.
    let far = (0..view.lexemes.len()).any(|i| stance().has("nearby", &fold_name(word(i))));
    if !alone || listed || far || template.modality != Modality::Asserted || said.approximate {
        return None;
    }
    if !measures_landmark(kb, &[name.1], said) {
        return None;
    }
    let attribute = only_measure(kb, name.1, said, of)?;
    Some(Claim {
        subject: Some(view.at(name.0).to_owned()),
        subject_span: Some(name.0),
        referent: None,
        polarity: Polarity::Positive,
        predicate: Some(attribute),
        object: Some(view.at(said.span).to_owned()),
        object_span: Some(said.span),
        object_referent: None,
        coordinated: None,
        ..template.clone()
    })
}

/// Whether the amount is the size of something that stands or lies in a place: no one of several makes of
/// a thing, as "the Zed Phone (256 GB)" is.
pub(super) fn measures_landmark(kb: &Snapshot, ids: &[u32], said: &Quantity) -> bool {
    let landmark = |id: &u32| {
        let kind = fold_name(kb.kind(*id).unwrap_or(""));
        kinds().has("landmark", kind.rsplit(' ').next().unwrap_or(""))
    };
    let size = |of: UnitId| matches!(unit(of).dimension, "length" | "area");
    said.unit.is_some_and(size) && !ids.is_empty() && ids.iter().all(landmark)
}

/// The known name with which the sentence begins, and whose it is.
fn opening_name(view: &SentenceView<'_>) -> Option<(Span, u32)> {
    view.mentions.iter().find_map(|mention| {
        let Resolution::Known(ids) = &mention.resolution else {
            return None;
        };
        let [id] = ids.as_slice() else { return None };
        let article = |i: usize| cue(&fold_name(view.word(i))).is(Cue::DETERMINER);
        let opens = (0..view.lexemes_in(mention.span).start).all(article);
        Some((mention.span, *id)).filter(|_| opens)
    })
}

/// The only attribute of a thing whose amount has a unit of that kind, where what is said is of its order:
/// the Orla Tower (3 km) is as far away.
fn only_measure(kb: &Snapshot, id: u32, said: &Quantity, of: UnitId) -> Option<String> {
    let facts = kb.few_facts(id, FACTS, &|_| true)?;
    let amount = |fact: &Fact| {
        let (value, own) = amount_of(&fact.value)?;
        let text = matches!(fact.value, Value::Text(_));
        convert(value, own?, of).filter(|_| !text)
    };
    let mut measured = facts.iter().filter_map(|fact| Some((fact, amount(fact)?)));
    let (own, value) = measured.next().filter(|_| measured.next().is_none())?;
    let alike = said.value < value * TIMES && value < said.value * TIMES;
    alike.then(|| own.predicate.clone())
}
