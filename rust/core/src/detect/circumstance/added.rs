//! What a clause adds to its value: which of its noun's things are counted, at what rate, and what its
//! prepositions tell.

use std::ops::Range;

use crate::lexicon::cues::Cue;
use crate::lexicon::tables::{circumstance, stance};
use crate::types::{LexKind, Quantity, QuantityKind};

use super::{Circumstance, EXCEPT, NOUN, Reader};

impl Reader<'_> {
    /// Where the noun of the number ends.
    pub(super) fn noun(&self, own: &mut Circumstance) -> usize {
        let end = self.view.lexemes_in(self.whole).end;
        let mut last = end;
        let mut words = Vec::new();
        for i in end..end + NOUN {
            let Some(stem) = self.stem(i) else {
                break;
            };
            let verb = self
                .folded
                .known(i)
                .verb
                .is_some_and(|b| b != self.folded.get(i));
            let lately = |i: usize| circumstance().has("lately", self.folded.get(i));
            // "20 rooms cost", not "20 new stores"
            if verb && !words.is_empty() && !lately(i - 1) {
                break;
            }
            if !stance().has("plain", self.folded.get(i)) || lately(i) {
                words.push(stem);
            }
            last = i + 1;
        }
        words.pop();
        own.narrowed = words;
        last
    }

    /// Behind the value or its noun: "a night", "per person", "each".
    pub(super) fn rate(&self, end: usize) -> Option<u64> {
        // "in each class"
        let placed = self.folded.cue(end).is(Cue::PREPOSITION)
            && matches!(self.folded.get(end + 1), "each" | "every");
        let end = end + usize::from(placed);
        let word = self.folded.get(end);
        if matches!(word, "each" | "apiece") && self.stem(end + 1).is_none() {
            return Some(0);
        }
        let links =
            matches!(word, "a" | "an" | "per" | "each" | "every") || self.view.word(end) == "/";
        links.then(|| self.stem(end + 1)).flatten()
    }

    /// "52 rooms and suites".
    pub(super) fn joins(&self, noun: usize, own: &mut Circumstance) {
        let links = matches!(self.folded.get(noun), "and" | "plus" | "&" | "or");
        // "28 tablets and costs 31 euros"
        let acts = (self.parts.iter()).any(|clause| clause.group.contains(&(noun + 1)))
            && !matches!(self.view.word(noun + 2), "" | "." | "," | ";" | "!" | "?");
        let verb = self.folded.known(noun + 1).verb.is_some();
        let last = !self.word(noun + 2);
        if links && !acts && (last || !verb) && noun > self.view.lexemes_in(self.whole).end {
            own.joined.extend(self.stem(noun + 1));
        }
    }

    /// "in 11 countries", "across 40 sites": how far it spreads.
    fn spread(&self, i: usize) -> bool {
        let over = matches!(
            self.folded.get(i),
            "in" | "across" | "on" | "over" | "throughout"
        );
        let next = self.view.lexemes.get(i + 1).map(|own| own.span);
        let mut all = self.view.quantities.iter();
        let counted = |q: &&Quantity| {
            q.kind == QuantityKind::Cardinal
                && q.unit.is_none()
                && next.is_some_and(|at| at.overlaps(q.span))
        };
        over && all.find(counted).is_some_and(|q| {
            let noun = self.view.lexemes_in(q.span).end;
            self.word(noun) && stance().has("spread_over", self.folded.get(noun))
        })
    }

    /// What prepositions add before the subject and behind the value.
    pub(super) fn placed(&self, subject: &Range<usize>, noun: usize, own: &mut Circumstance) {
        let value = self.view.lexemes_in(self.whole);
        let front = self.front(subject);
        let ahead = front..subject.start.max(front).min(value.start);
        // A clause that only goes on ("… and has") has nothing of its own in front.
        let behind = noun.max(value.end)..self.view.lexemes.len();
        for range in [ahead, behind] {
            let mut added = false;
            for i in range {
                let word = self.folded.get(i);
                let ends = self.view.word(i) == ";"
                    || self.parts.iter().any(|clause| {
                        clause.opener == Some(i) || i >= value.end && clause.group.contains(&i)
                    });
                if i >= value.end && ends || self.folded.cue(i).is(Cue::COPULA) {
                    break;
                }
                // "four faculties and a garden with 300 kinds of trees"
                let next = self.folded.cue(i + 1).is(Cue::DETERMINER);
                if i >= value.end && !added && matches!(word, "and" | "plus") && next {
                    break;
                }
                if self.folded.cue(i).is(Cue::CONJUNCTION) && self.folded.get(i) != "or" {
                    added &= self.folded.cue(i + 1).is(Cue::PREPOSITION) || word == "and";
                    // "12 euros for adults and 6 for children"
                    if self.view.lexemes.get(i + 1).map(|l| l.kind) == Some(LexKind::Number) {
                        break;
                    }
                }
                if self.folded.cue(i).is(Cue::PREPOSITION) || word == "per" {
                    let whole = stance().has("whole", self.folded.get(i + 1))
                        || stance().has("aside", self.folded.get(i + 1));
                    added = !whole && word != "of" && !EXCEPT.contains(&word) && !self.spread(i);
                    continue;
                }
                if self.view.word(i) == "," && i >= value.end {
                    added = false;
                }
                if added {
                    own.beside.extend(self.stem(i));
                }
            }
        }
    }
}
