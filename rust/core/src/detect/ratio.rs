//! A share told by two counts, "three out of four", where a source has it in percent, read from the
//! lexemes of the sentence that says it. How a source's own text writes shares ("3/4", "one in five")
//! is read in `restated/share.rs`, which looks for them in running text, of either side.

use crate::claims::{SentenceView, percent_of_ratio};
use crate::types::{Quantity, QuantityKind};

use super::grounds::Grounds;

/// Most that one of the two counts comes to.
const COUNTED: f64 = 100.0;

/// How far a share in whole percent may be from the ratio that it rounds.
const ROUNDED: f64 = 0.5;

/// Whether the words on both sides of a number leave open that it is one of the two; `after` is the
/// text behind it as far as it is known.
pub(super) fn may_be_ratio(
    said: &Quantity,
    before: &str,
    after: &str,
    grounds: &Grounds<'_>,
) -> bool {
    let plain = said.kind == QuantityKind::Cardinal && said.unit.is_none();
    if !plain || said.value > COUNTED || said.value.fract() != 0.0 {
        return false;
    }
    let joint = |word: Option<&str>| matches!(word, Some("in" | "out" | "of"));
    let mut lead = before.split_whitespace().rev();
    let last = lead.next();
    let led = match last {
        Some("the" | "every" | "all") => joint(lead.next()),
        _ => joint(last),
    };
    (led || joint(after.split_whitespace().next())) && grounds.has_percent()
}

/// The share that the number says with another, as a number in percent.
pub(super) fn in_percent(said: &Quantity, view: &SentenceView<'_>) -> Option<Quantity> {
    Some(Quantity {
        value: percent_of_ratio(view, said)?,
        kind: QuantityKind::Percent,
        decimals: 0,
        ..*said
    })
}

/// The same in words, where a source has it.
pub(super) fn known_ratio(
    said: &Quantity,
    view: &SentenceView<'_>,
    grounds: &Grounds<'_>,
) -> Option<String> {
    let percent = in_percent(said, view)?;
    grounds
        .has_share(percent.value, ROUNDED)
        .then(|| format!("{:.0} %", percent.value))
}
