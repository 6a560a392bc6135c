//! Which of an entity's current facts a claim is held against.

use crate::claims::SentenceView;
use crate::kb::{Fact, Snapshot};

use super::several::{disputed, typed};
use super::{Clash, expected_text};
use crate::detect::object::Object;
use crate::detect::place::{alike, comparable, places};
use crate::detect::telling::can_be;

/// What stands against a claim among facts that all say otherwise: the current one, or several where
/// it is known how they stand to each other.
pub(super) fn of_current(
    (kb, view): (&Snapshot, &SentenceView<'_>),
    facts: &[Fact],
    predicate: &str,
    object: &Object<'_>,
) -> Option<Clash> {
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
    // A city is held against cities, a country against countries.
    let of = |held: &dyn Fn(&Fact) -> bool| -> Vec<&Fact> {
        current.iter().filter(|fact| held(fact)).copied().collect()
    };
    let mut nearest = of(&|fact| alike(kb, fact, object));
    if nearest.is_empty() {
        nearest = of(&|fact| comparable(kb, fact, object));
    }
    let current = if nearest.is_empty() { current } else { nearest };
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
        // A city and a seat: either would do.
        [first, rest @ ..] if places(kb, &current) => {
            let mut clash = Clash::of(kb, first);
            for fact in rest {
                clash.values.push(expected_text(kb, &fact.value));
            }
            clash.open = true;
            clash
        }
        _ => return None,
    };
    (comparable(kb, &clash.fact, object) && can_be(kb, &clash.fact, view, object.span()))
        .then_some(clash)
}
