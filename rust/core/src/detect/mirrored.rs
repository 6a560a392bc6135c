//! Two names that a sentence has changed round: "The CEO of X is the founder, and its founder the CEO".
//!
//! Where only one of them is found, putting it right would leave the other's name twice. So the other
//! is found too where the words beside it say its attribute, and else nothing takes the first one's place.

use crate::claims::{Folded, SentenceView, unasserted};
use crate::kb::{Agreement, Fact, Said, Snapshot};
use crate::lexicon::cues::Cue;
use crate::types::{Claim, Polarity, Span};

use super::clash::{Clash, agrees, expected_text};
use super::kb_conflict::Conflict;
use super::object::Object;
use super::swapped::{is_name, says};

/// Most facts of an entity among which a name is looked for.
const FACTS: usize = 256;
/// Words beside a name that may stand between it and what it is.
const BETWEEN: usize = 4;

/// The other one of two names that change places, for each of the conflicts of a sentence that takes
/// its name; conflicts whose name would stand twice say no longer what takes their place.
pub(super) fn mirrored<'a>(
    view: &'a SentenceView<'a>,
    claims: &'a [Claim],
    kb: &'a Snapshot,
    found: &mut [Conflict<'a>],
) -> Vec<Conflict<'a>> {
    let mut others = Vec::new();
    let folded = view.folded();
    let places: Vec<Span> = found.iter().map(Conflict::place).collect();
    for conflict in found.iter_mut() {
        let fact = &conflict.clash.fact;
        if conflict.claim.polarity != Polarity::Positive
            || conflict.clash.open
            || !is_name(&fact.value)
        {
            continue;
        }
        let right = expected_text(kb, &fact.value);
        let Some(place) = elsewhere(view, &right, &places) else {
            continue;
        };
        let object = Object::new(view, place);
        let all = kb
            .few_facts(conflict.id, FACTS, &|_| true)
            .unwrap_or_default();
        if truly(view, claims, kb, place, &object, &all) {
            continue;
        }
        let said: Said<'_> = conflict.object.said();
        let mut own = all.iter().filter(|other| {
            other.predicate != fact.predicate
                && is_name(&other.value)
                && kb.agrees(&other.value, &said) == Agreement::Same
        });
        let other = own.next().filter(|_| own.next().is_none());
        let other = other.filter(|other| {
            let single = all.iter().filter(|f| f.predicate == other.predicate);
            single.count() == 1
                && (beside(view, &folded, place, &other.predicate)
                    || claimed(view, claims, place, &other.predicate))
                && !unasserted(view, &folded, place)
        });
        match other {
            Some(other) => {
                let covers = |claim: &&Claim| {
                    let object = claim.object_span;
                    object.is_some_and(|span| span.contains(place))
                };
                let claim = claims.iter().find(covers).unwrap_or(conflict.claim);
                others.push(Conflict {
                    view,
                    claim,
                    kb,
                    id: conflict.id,
                    clash: Clash::of(kb, other),
                    object,
                    whole: None,
                    perhaps: conflict.perhaps,
                });
            }
            None => conflict.clash.exact = Some((conflict.place(), None)),
        }
    }
    others
}

/// Where else in the sentence a name stands, outside of `places`.
fn elsewhere(view: &SentenceView<'_>, name: &str, places: &[Span]) -> Option<Span> {
    let base = view.sentence.span.start;
    let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let mut found = view.text.match_indices(name).filter_map(|(at, _)| {
        let span = Span::new(base + at, base + at + name.len());
        let whole = !letter(view.text[..at].chars().next_back())
            && !letter(view.text[at + name.len()..].chars().next());
        (whole && !places.iter().any(|place| place.overlaps(span))).then_some(span)
    });
    found.next()
}

/// Whether a claim has the name there as the base has it.
fn truly(
    view: &SentenceView<'_>,
    claims: &[Claim],
    kb: &Snapshot,
    place: Span,
    object: &Object<'_>,
    facts: &[Fact],
) -> bool {
    let names = view.attributes.predicates();
    claims.iter().any(|claim| {
        let predicate = claim.predicate.as_deref().unwrap_or("");
        let own = claim.object_span.is_some_and(|span| span.contains(place));
        own && claim.polarity == Polarity::Positive
            && facts.iter().any(|fact| {
                names.same(&fact.predicate, predicate)
                    && agrees(kb, names, fact, object) == Agreement::Same
            })
    })
}

/// Whether a claim gives the name that attribute, in whichever words ("is led by").
fn claimed(view: &SentenceView<'_>, claims: &[Claim], place: Span, attribute: &str) -> bool {
    let names = view.attributes.predicates();
    claims.iter().any(|claim| {
        let predicate = claim.predicate.as_deref().unwrap_or("");
        let own = claim.object_span.is_some_and(|span| span.contains(place));
        own && claim.polarity == Polarity::Positive && names.same(attribute, predicate)
    })
}

/// Whether the words beside a name say that it has the attribute: "its founder, X", "founded by X",
/// "X is the founder", "X founded".
fn beside(view: &SentenceView<'_>, folded: &Folded<'_>, place: Span, attribute: &str) -> bool {
    let at = view.lexemes_in(place);
    let words: Vec<&str> = attribute.split('_').collect();
    let light = |i: usize| {
        let of = Cue::COPULA.or(Cue::DETERMINER).or(Cue::POSSESSIVE);
        let word = folded.get(i);
        folded.cue(i).is(of) || matches!(word, "by" | "as" | "the") || view.word(i) == ","
    };
    let noun = |end: usize| {
        let start = (end + 1).checked_sub(words.len());
        start.is_some_and(|start| {
            (start..=end)
                .map(|i| folded.get(i))
                .eq(words.iter().copied())
        })
    };
    let verb = |i: usize| {
        let known = folded.known(i).verb;
        known.is_some_and(|verb| says(verb, attribute))
    };
    let by = at
        .start
        .checked_sub(1)
        .is_some_and(|i| folded.get(i) == "by");
    let front = (0..at.start)
        .rev()
        .take(BETWEEN)
        .find(|i| !light(*i))
        .is_some_and(|i| noun(i) || by && verb(i));
    let mut behind = (at.end..folded.len()).take(BETWEEN);
    let next = behind.find(|i| !light(*i));
    front
        || next.is_some_and(|i| {
            let end = i + words.len() - 1;
            noun(end) && at.end < i || i == at.end && verb(i) && !by
        })
}
