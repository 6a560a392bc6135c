//! Objects of which some are had and some are not: "a pool and no sauna", "no gym but a garden".

use std::ops::Range;

use crate::lexicon::cues::Cue;

use super::Parser;

impl Parser<'_> {
    /// "has a bar and X a sauna", "has 80 rather than 72 rooms": what each has, and has not.
    pub(super) fn had(&mut self, subject: &Range<usize>, object: &Range<usize>, negative: bool) {
        let sides = self.sides(object, negative);
        let noun = sides.last().and_then(|(last, _)| self.counted(last));
        for (side, negative) in &sides {
            let bare = side.len() == 1 && self.counts(side) && sides.len() > 1;
            if let Some(name) = noun.clone().filter(|_| bare) {
                self.push(subject.clone(), name, side.clone(), *negative);
                continue;
            }
            let parts = self.signed(side, *negative);
            for (at, (part, negative)) in parts.iter().enumerate() {
                let Some((other, mut value)) = self.has_besides(part).filter(|_| at > 0) else {
                    self.has(subject, part.clone(), *negative);
                    continue;
                };
                let without = self.text(value.start) == "no";
                value.start += usize::from(without);
                let negative = &(*negative || without);
                let bare = value.len() == 1 && self.counts(&value);
                let name = bare.then(|| self.counted(&parts[0].0)).flatten();
                match name {
                    Some(name) => self.push(other, name, value, *negative),
                    None => self.has(&other, value, *negative),
                }
            }
        }
    }

    /// "X a sauna", "X 90" behind what somebody else has: who has it, and what.
    pub(super) fn has_besides(&self, part: &Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
        let told = |i: &usize| {
            matches!(self.text(*i), "a" | "an" | "no") && i + 1 < part.end
                || self.counts(&(*i..*i + 1)) && !self.inside_value(*i)
        };
        let at = (part.start + 1..part.end).find(told)?;
        let other = part.start..at;
        let opened = self.is(part.start, Cue::DETERMINER.or(Cue::POSSESSIVE))
            && !matches!(self.text(part.start), "a" | "an" | "no");
        let named = other.len() > usize::from(opened) && self.capital(at - 1);
        let thing = opened && other.len() > 1 && !self.counts(&other);
        let known = self.somebody(&(part.start + usize::from(opened)..at));
        let figure = self.counts(&(at..at + 1));
        let clear = if figure { known } else { named || thing };
        clear.then_some((other, at..part.end))
    }

    /// The parts of an object, each with whether it is denied, where the verb is denied or not.
    pub(super) fn signed(
        &self,
        object: &Range<usize>,
        negative: bool,
    ) -> Vec<(Range<usize>, bool)> {
        let Some(but) = object.clone().find(|i| self.contrasts(*i, object)) else {
            return self.denied_parts(object, negative);
        };
        let mut parts = self.denied_parts(&self.trim(object.start..but), negative);
        let rest = self.trim(but + 1..object.end);
        // "no gym but a garden"
        parts.extend(self.denied_parts(&rest, false));
        parts
    }

    /// The same, in one part where they are all had or none is.
    pub(super) fn parted(
        &self,
        object: &Range<usize>,
        negative: bool,
    ) -> Vec<(Range<usize>, bool)> {
        let parts = self.signed(object, negative);
        if parts.iter().all(|(_, own)| *own == negative) {
            return vec![(object.clone(), negative)];
        }
        parts
    }

    /// A "but" with a denial on one of its sides.
    fn contrasts(&self, i: usize, object: &Range<usize>) -> bool {
        self.text(i) == "but"
            && !self.inside_value(i)
            && i > object.start
            && i + 1 < object.end
            && (self.without(i + 1) || self.text(object.start) == "no")
    }

    fn without(&self, i: usize) -> bool {
        matches!(self.text(i), "no" | "not" | "without" | "neither") && self.text(i + 1) != "only"
    }

    fn denied_parts(&self, object: &Range<usize>, negative: bool) -> Vec<(Range<usize>, bool)> {
        if object.is_empty() {
            return Vec::new();
        }
        let first = self.text(object.start) == "no";
        let outer = negative || self.without(object.start);
        let parts = self.conjuncts(object, outer).into_iter();
        let signed = parts.map(|mut part| {
            let before = part.start.checked_sub(1).filter(|at| *at >= object.start);
            let own = before.is_some_and(|at| self.without(at));
            if part.len() > 1 && matches!(self.text(part.start), "not" | "without") {
                part.start += 1;
                return (part, true);
            }
            // "no pool and a sauna": had.
            let had = first
                && !own
                && before.is_some_and(|at| self.text(at) == "and")
                && self.is(part.start, Cue::DETERMINER);
            (part, own || outer && !had)
        });
        signed.collect()
    }
}
