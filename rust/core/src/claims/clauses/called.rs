//! Things that are called by a number or letter: "bus 12", "room A".

use crate::lexicon::cues::Cue;
use crate::types::{LexFlags, LexKind};

use super::{Folded, SentenceView};

/// "Bus 12 leaves at 9:30", "Room A costs $40": whether the number or letter at `i` is what the noun
/// before it is called by, and what stands at `verb` is a verb with what it is told with.
pub(in crate::claims) fn called(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    i: usize,
    verb: usize,
) -> bool {
    let Some(noun) = i.checked_sub(1).filter(|noun| view.is_term(*noun)) else {
        return false;
    };
    let label = view.word(i) == "A" || view.kind(i) == Some(LexKind::Number);
    let known = folded.known(verb).verb;
    if !label || known.is_none_or(|base| base == folded.get(verb)) {
        return false;
    }
    let opens = Cue::DETERMINER.or(Cue::POSSESSIVE);
    let closed = opens
        .or(Cue::PREPOSITION)
        .or(Cue::CONJUNCTION)
        .or(Cue::BREAK)
        .or(Cue::ADVERB)
        .or(Cue::COPULA)
        .or(Cue::AUXILIARY);
    let before = noun.checked_sub(1).filter(|before| view.is_term(*before));
    let capital = view.lexemes[noun].flags.has(LexFlags::CAPITALIZED);
    let named = capital || before.is_some_and(|before| folded.cue(before).is(opens));
    let dated = |at: usize| {
        let span = view.lexemes[at].span;
        view.dates.iter().any(|date| date.span.overlaps(span))
    };
    let counted = |at: usize| {
        let span = view.lexemes[at].span;
        view.quantities.iter().any(|q| q.span.overlaps(span))
    };
    let next = verb + 1;
    let told = next < view.lexemes.len()
        && (folded.cue(next).is(Cue::PREPOSITION) || dated(next) || counted(next));
    named && told && !folded.cue(noun).is(closed) && !dated(i)
}
