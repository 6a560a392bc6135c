//! Who does what to a thing and when it was done, where the base has an attribute for it ("coach", "passed").

use std::ops::Range;

use crate::lexicon::tables::roles;

use super::{Group, Parser};

impl Parser<'_> {
    /// Whether who once did it is who did it ("write"), where "coach" may be said of many, one after the other.
    pub(super) fn lasting_deed(&self, base: &str) -> bool {
        roles().has("made_by", base)
    }

    /// "coaches", "is coached".
    pub(super) fn present(&self, group: &Group) -> bool {
        if group.copula {
            let near = group.verb.saturating_sub(3)..group.verb;
            return near.rev().any(|i| matches!(self.text(i), "is" | "are"));
        }
        self.text(group.verb).ends_with('s') && self.view.dates.is_empty()
    }

    /// The attribute of the base alone that the phrase says of such a value: a name, and a date where it says when.
    pub(super) fn own_said(&self, phrase: &str, value: &Range<usize>) -> Option<String> {
        if !self.view.attributes.says_any() {
            return None;
        }
        let name = self.view.attributes.said_by(phrase)?;
        let when = phrase.ends_with(" in") || phrase.ends_with(" on");
        let fits = if when {
            self.dated(value)
        } else {
            self.called(value)
        };
        fits.then(|| name.to_owned())
    }
}
