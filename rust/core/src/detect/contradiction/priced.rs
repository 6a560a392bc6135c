//! A price against "free".

use crate::dialogue::Statement;
use crate::types::QuantityKind;

use super::{Contradiction, ContradictionType, OPPOSITE};

/// One says that nothing is to be paid, the other how much is.
pub(super) fn priced(
    said: &Statement,
    prior: &Statement,
    same_attribute: bool,
) -> Option<Contradiction> {
    let other = if said.free { prior } else { said };
    let [amount] = &other.quantities[..] else {
        return None;
    };
    let paid = amount.value.kind == QuantityKind::Money && amount.value.value > 0.0;
    let alike = said.circumstances.rest == prior.circumstances.rest;
    let denied = said.negative || prior.negative;
    (same_attribute && paid && alike && !denied).then_some(Contradiction {
        kind: ContradictionType::LogicalImpossibility,
        confidence: OPPOSITE,
        at: said.span,
        replacement: None,
    })
}
