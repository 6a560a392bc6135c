//! Numbers of a passage of which one tells how far something moved and the next where it stands.

use crate::claims::{Reached, has_own_unit, reached};

use super::passage::Counted;

/// Notes which numbers tell how far something moved and where it stands: "by 12 to 214".
pub(super) fn pair(quantities: &mut [Counted], text: &str) {
    for at in 1..quantities.len() {
        let (one, two) = (quantities[at - 1], quantities[at]);
        let joint = text.get(one.quantity.span.end..two.quantity.span.start);
        if joint.map(str::trim) != Some("to") {
            continue;
        }
        let written = text.get(one.quantity.span.start..one.quantity.span.end);
        let own_unit = has_own_unit(written.unwrap_or(""));
        let differs = one.context.difference.of(one.quantity.kind);
        let how = reached(&one.quantity, &two.quantity, differs, own_unit);
        if how != Reached::Range {
            (quantities[at - 1].reached, quantities[at].reached) = (how, how);
        }
    }
}
