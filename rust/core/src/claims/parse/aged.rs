//! How old somebody is: "is 45 years old", "is a 45-year-old architect".

use std::ops::Range;

use super::Parser;
use crate::lexicon::cues::Cue;

/// Years that somebody may be old at most; the oldest person on record reached 122.
const OLDEST: u8 = 122;

impl Parser<'_> {
    /// "is 45 years old", "is aged 45"; "Ada Lind is 45", where the base has ages.
    pub(super) fn aged(
        &mut self,
        subject: &Range<usize>,
        object: &Range<usize>,
        negative: bool,
    ) -> bool {
        let last = object.end - 1;
        let value = if self.text(object.start) == "aged" && object.len() > 1 {
            object.start + 1..object.end
        } else if self.text(last) == "old" && object.len() > 1 {
            object.start..last
        } else if self.bare_age(subject, object) {
            object.clone()
        } else {
            return false;
        };
        let counted = self.counts(&value);
        if counted {
            self.push(subject.clone(), "age".to_owned(), value, negative);
        }
        counted
    }

    fn bare_age(&self, subject: &Range<usize>, object: &Range<usize>) -> bool {
        let known = || {
            self.attribute("age")
                .is_some_and(|name| self.view.attributes.has(&name))
        };
        let before = object.start.checked_sub(1).map_or("", |i| self.text(i));
        let years = self.text(object.start).parse::<u8>();
        // "The number of rooms at Ada's is 45" is of no person.
        let named = self.somebody(subject)
            && !self.is(subject.start, Cue::DETERMINER)
            && subject.clone().all(|i| self.capital(i));
        object.len() == 1
            && years.is_ok_and(|years| years <= OLDEST)
            && matches!(before, "is" | "now")
            && matches!(self.view.word(object.end), "." | "," | ";" | "and" | "")
            && known()
            && (named || matches!(self.text(subject.start), "he" | "she"))
    }

    /// The age in "a 45-year-old architect", where the base has ages.
    pub(super) fn of_age(&mut self, subject: &Range<usize>, object: &Range<usize>, negative: bool) {
        let Some(name) = self
            .attribute("age")
            .filter(|name| self.view.attributes.has(name))
        else {
            return;
        };
        let number = object
            .clone()
            .find(|i| self.counts(&(*i..*i + 1)))
            .filter(|_| self.years_old(object) && !negative);
        if let Some(i) = number {
            self.push(subject.clone(), name, i..i + 1, false);
        }
    }
}
