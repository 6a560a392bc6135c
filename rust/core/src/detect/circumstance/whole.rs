//! Numbers that are told as what a part is taken of.

use crate::lexicon::cues::Cue;
use crate::lexicon::tables::frames;

use super::Reader;

impl Reader<'_> {
    /// "Half of the 40", "3 of our 12", "15 % of the 900": what is told is told of a part.
    pub(super) fn is_whole(&self) -> bool {
        let start = self.view.lexemes_in(self.value).start;
        let own = Cue::DETERMINER.or(Cue::POSSESSIVE);
        let of = (0..start)
            .rev()
            .find(|i| !self.folded.cue(*i).is(own) && self.folded.get(*i) != "all");
        let Some(part) = of.filter(|i| self.folded.get(*i) == "of" && *i > 0) else {
            return false;
        };
        let before = self.view.lexemes[part - 1].span;
        let counted = self.view.quantities.iter().any(|q| q.span.overlaps(before));
        counted || frames().has("fraction", self.folded.get(part - 1))
    }
}
