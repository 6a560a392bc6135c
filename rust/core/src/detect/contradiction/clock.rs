//! Hours that stand by themselves, and what is still to come.

use crate::dialogue::Statement;
use crate::lexicon::tables::frames;
use crate::types::QuantityKind;

use super::{Contradiction, ContradictionType, VALUES};

/// How two statements stand of which one tells a bare hour ("starts at 7"); `None` where none does.
/// Hours that are the same on a dial are the same.
pub(super) fn clock_hours(
    said: &Statement,
    prior: &Statement,
) -> Option<Result<Contradiction, bool>> {
    let told = |one: &Statement| frames().has("told_at", &one.predicate);
    let bare = |one: &Statement| -> Option<f64> {
        let [hour] = &one.quantities[..] else {
            return None;
        };
        let plain = hour.value.kind == QuantityKind::Cardinal && hour.value.unit.is_none();
        let whole = one.dates.is_empty() && one.object.trim() == hour.text && hour.bounds.is_none();
        let value = hour.value.value;
        (plain && whole && value.fract() == 0.0 && (0.0..=24.0).contains(&value))
            .then_some(value * 60.0)
    };
    let timed = |one: &Statement| -> Option<f64> {
        let [date] = &one.dates[..] else { return None };
        let whole = one.quantities.is_empty() && one.object.trim() == date.text;
        date.value.minutes.filter(|_| whole).map(f64::from)
    };
    let (a, b) = (bare(said), bare(prior));
    if !told(said) || !told(prior) || a.is_none() && b.is_none() {
        return None;
    }
    let (own, other) = (a.or_else(|| timed(said))?, b.or_else(|| timed(prior))?);
    let differ = (own - other).abs() % 720.0 != 0.0;
    let right = (a.is_some() == b.is_some()).then(|| prior.object.trim().to_owned());
    Some(if differ {
        Ok(Contradiction {
            kind: ContradictionType::IncompatibleValues,
            confidence: VALUES,
            at: said.span,
            replacement: right,
        })
    } else {
        Err(true)
    })
}

/// Whether it is told of what is still to come ("will be the director").
pub(super) fn to_come(statement: &Statement) -> bool {
    let mut words = statement.content.split_whitespace();
    words.any(|word| {
        let word = word.to_lowercase();
        matches!(&*word, "will" | "won't" | "won’t" | "shall") || word.ends_with("'ll")
    })
}
