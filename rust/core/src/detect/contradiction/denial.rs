//! How much a statement denies.

use crate::claims::denies_part;
use crate::dialogue::{Statement, Valued, stems};
use crate::lexicon::contrast::contrast;
use crate::lexicon::cues::{Cue, cue};
use crate::normal::fold_name;
use crate::types::DateExpr;

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
    within && as_often(&denied.content, &held.content)
}

/// Whether one of two statements denies no more than a part of what the other says.
pub(super) fn in_part(said: &Statement, prior: &Statement) -> bool {
    denies_part(&said.content, &prior.content) || denies_part(&prior.content, &said.content)
}

/// "bread" against "bread rolls": the noun of one value only tells what sort the other is.
pub(super) fn compounded(short: &Statement, long: &Statement) -> bool {
    let Some(last) = short.said.last() else {
        return false;
    };
    let sort = contrast().opposites(last).is_empty() && !contrast().is_state(last);
    let words: Vec<String> = long.object.split(' ').map(fold_name).collect();
    let closed = Cue::FUNCTION
        .or(Cue::PREPOSITION)
        .or(Cue::ADVERB)
        .or(Cue::CONJUNCTION);
    let noun = |word: &str| {
        let opens = cue(word).is(closed) || contrast().is_when(word) || word.ends_with("ly");
        !opens && long.said.iter().any(|own| own == word) && !short.said.iter().any(|w| w == word)
    };
    let dated = |word: &str| {
        let inside = |date: &Valued<DateExpr>| date.text.to_lowercase().contains(word);
        long.dates.iter().any(inside)
    };
    let mut pairs = words.windows(2);
    sort && pairs.any(|pair| pair[0] == *last && noun(&pair[1]) && !dated(&pair[1]))
}
