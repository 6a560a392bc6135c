//! Whether a number of the evidence is told of the same thing as the one that is said.

use crate::claims::QuantityContext;
use crate::types::Span;

use super::conflict::Context;
use super::passage::PassageIndex;

/// Whether two numbers tell of the same thing. Years and dates go by what happened then.
pub(super) fn same_thing(said: &QuantityContext, own: &QuantityContext, by_event: bool) -> bool {
    let before = said.before != 0 && said.before == own.before;
    if said.days.apart(own.days) {
        false
    } else if by_event {
        before
    } else {
        said.noun == own.noun && (said.noun != 0 || before)
    }
}

/// Share of the sentence's content words, the number and its noun aside, that the evidence's
/// sentence holds.
pub(super) fn overlap(
    data: &PassageIndex,
    sentence: u32,
    said: Span,
    context: &Context<'_>,
) -> f64 {
    let others = context.words.iter().filter(|word| {
        let turn = context.around.turn;
        !word.span.overlaps(said)
            && !word.number
            && word.stem != context.around.noun
            && turn.is_none_or(|turn| turn.span != word.span)
    });
    let (mut all, mut met) = (0_u32, 0_u32);
    for word in others {
        all += 1;
        met += u32::from(data.is_about(sentence, word.stem));
    }
    // With nothing but a number and its noun there is nothing to tell two subjects apart.
    if all == 0 {
        0.0
    } else {
        f64::from(met) / f64::from(all)
    }
}
