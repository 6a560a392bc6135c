//! Statements of two subjects that cannot both hold.

use super::{Clash, P_OBJECTS, P_QUANTIFIERS, alike};
use crate::claims::{Frequency, Proposition, Quantifier, Tense};
use crate::lexicon::logic::opposite;

/// One event that happens once, told of two years; the second statement follows the first.
pub(super) fn once(a: &Proposition, b: &Proposition) -> Option<Clash> {
    let ((one, year), (other, later)) = (a.event?, b.event?);
    let same = a.subject.to_lowercase() == b.subject.to_lowercase() || b.pronoun;
    (one == other && year != later && same && !a.pronoun).then(|| Clash {
        rule: "incompatible_objects",
        p: P_OBJECTS,
        explains: Some(format!(
            "{} cannot be of both {year} and {later}",
            a.subject
        )),
    })
}

/// "None of the doors were locked. The back door was locked."
pub(super) fn one_of_all(all: &Proposition, one: &Proposition) -> Option<Clash> {
    let quantifier = all.quantifier?;
    all.kind.filter(|kind| one.kind == Some(*kind))?;
    let of = match quantifier {
        Quantifier::All | Quantifier::No => one.quantifier.is_none(),
        _ => false,
    };
    let holds = (quantifier == Quantifier::All) != all.negative;
    // "All the lamps are on. The red lamp is off."
    let turned = all.predicate == "be"
        && !one.negative
        && holds
        && opposite(&all.object.to_lowercase(), &one.object.to_lowercase());
    let same = alike(all, one) && (all.object_key == one.object_key || turned);
    let often = all.frequency.is_some() || one.frequency.is_some();
    let then = all.scope == one.scope && all.tense == one.tense && all.tense != Tense::Unknown;
    (of && same && then && !often && one.definite && (holds == one.negative || turned)).then_some(
        Clash {
            rule: "quantifier_conflict",
            p: P_QUANTIFIERS,
            explains: None,
        },
    )
}

/// "Anna is older than Ben. Ben is older than Anna."
pub(super) fn compared(a: &Proposition, b: &Proposition) -> Option<Clash> {
    let (one, other) = (a.comparison.as_ref()?, b.comparison.as_ref()?);
    let name = |statement: &Proposition| {
        let name = statement.subject.to_lowercase();
        name.strip_prefix("the ")
            .map_or(name.clone(), str::to_owned)
    };
    let crossed = name(a) == other.1 && name(b) == one.1 && one.0 == other.0;
    let then = a.tense == b.tense && a.clause == b.clause && a.frequency == b.frequency;
    (crossed && then && name(a) != name(b)).then(|| Clash {
        rule: "incompatible_objects",
        p: P_OBJECTS,
        explains: Some(format!("Only one of the two can be {}", one.0)),
    })
}

/// "Anna has never visited Rome. Anna visited Rome in 2010."; `surface` is what the denial says.
pub(super) fn never_but_once(never: &Proposition, once: &Proposition, surface: &str) -> bool {
    let open = never.frequency == Some(Frequency::Never) && never.scope.is_empty();
    let told = once.frequency.is_none() && !once.negative && once.quantifier.is_none();
    let past = never.tense == Tense::Past && once.tense == Tense::Past;
    let before = || {
        surface.split_whitespace().any(|word| {
            matches!(
                word.to_lowercase().as_str(),
                "had" | "hadn't" | "before" | "until"
            )
        })
    };
    let said = !never.object.is_empty() && never.object_key == once.object_key;
    open && told && past && said && alike(never, once) && !before()
}
