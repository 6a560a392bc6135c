//! How much a statement denies.

use crate::dialogue::{Statement, stems};

use crate::detect::denied_part::denies_a_part;
use crate::detect::how_often::as_often;

/// Whether all that the one of two statements denies stands in the other: "is not bright red" and "is not
/// published monthly" deny no more than that.
pub(super) fn denies_all(said: &Statement, prior: &Statement) -> bool {
    let (denied, held) = if said.negative {
        (said, prior)
    } else {
        (prior, said)
    };
    let own = stems(&held.said);
    let within = stems(&denied.said)
        .iter()
        .all(|word| own.binary_search(word).is_ok());
    within
        && as_often(&denied.content, &held.content)
        && !denies_a_part(&denied.content, &held.content)
}
