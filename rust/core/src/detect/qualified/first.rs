//! Words for the beginning of something, of which what is so now says nothing.

use crate::claims::Folded;
use crate::lexicon::cues::Cue;

/// "at launch", "on release", "in the beginning", "when it was launched".
pub(in crate::detect) fn at_first(folded: &Folded<'_>, i: usize) -> bool {
    match folded.get(i) {
        "at" | "on" | "upon" => {
            let glance = matches!(folded.get(i + 2), "glance" | "sight" | "look");
            matches!(folded.get(i + 1), "first" | "launch" | "release") && !glance
        }
        "in" => folded.get(i + 1) == "the" && folded.get(i + 2) == "beginning",
        // "when new, X cost"
        "when" if folded.get(i + 1) == "new" => true,
        "when" => {
            let began = |i: usize| matches!(folded.get(i), "launched" | "released" | "introduced");
            folded.cue(i + 2).is(Cue::COPULA)
                && (began(i + 3) || folded.get(i + 3) == "first" && began(i + 4))
        }
        _ => false,
    }
}
