//! Words for the beginning of something or for its best time, of which what is so now says nothing.

use crate::claims::Folded;
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::circumstance;

/// "at launch", "on release", "at its peak", "in the beginning", "when it was launched".
pub(in crate::detect) fn at_first(folded: &Folded<'_>, i: usize) -> bool {
    match folded.get(i) {
        "at" | "on" | "upon" => {
            let glance = matches!(folded.get(i + 2), "glance" | "sight" | "look");
            let own = matches!(folded.get(i + 1), "its" | "their" | "his" | "her");
            matches!(folded.get(i + 1), "first" | "launch" | "release") && !glance
                || own && circumstance().has("opening", folded.get(i + 2))
        }
        "in" => folded.get(i + 1) == "the" && folded.get(i + 2) == "beginning",
        // "as of its flotation"
        "as" => {
            folded.get(i + 1) == "of"
                && matches!(folded.get(i + 2), "its" | "their" | "his" | "her" | "the")
                && circumstance().has("opening", folded.get(i + 3))
        }
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
