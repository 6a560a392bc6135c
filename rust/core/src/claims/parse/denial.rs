//! What a denial reaches: "not in Legal but in Sales", "not only", "alone", "no one".

use crate::lexicon::cues::Cue;
use crate::lexicon::tables::stance;

use super::Parser;

/// Words between a denial and its object at most.
const REACH: usize = 12;

impl Parser<'_> {
    /// Gives each relation the polarity that the words right before its object say, where they
    /// say more than the verb group does.
    pub(super) fn settle(&mut self) {
        for at in 0..self.found.len() {
            let mut relation = self.found[at].clone();
            let subject = &mut relation.subject;
            if subject.start > 0
                && self.text(subject.start - 1) == "no"
                && self.text(subject.start) == "one"
            {
                subject.start -= 1;
            }
            if relation.object.is_empty() {
                self.found[at] = relation;
                continue;
            }
            let sole = self.trim_object(&mut relation.object);
            let start = relation.object.start;
            let mut back = start;
            while back > 0
                && (self.is(back - 1, Cue::PREPOSITION) || self.is(back - 1, Cue::DETERMINER))
                && self.text(back - 1) != "no"
            {
                back -= 1;
            }
            let word = |by: usize| back.checked_sub(by).map_or("", |i| self.text(i));
            let lightly = matches!(word(1), "also" | "rather" | "instead");
            let instead = word(1) == "but" || lightly && word(2) == "but";
            let mere = |by: usize| stance().has("merely", word(by));
            let more = matches!(self.text(start), "more" | "fewer" | "less");
            if relation.negative {
                let before = start.checked_sub(1).map_or("", |i| self.text(i));
                relation.negative =
                    !(instead || sole || before == "no" && more || self.merely(start));
            } else if word(1) == "not" && self.is(back - 1, Cue::NEGATION)
                || matches!(word(1), "neither" | "nor")
            {
                relation.negative = true;
            }
            // "not only in Sales but also in Legal": neither is all there is.
            let too = instead && (lightly || !relation.negative);
            if too && let Some(other) = at.checked_sub(1).map(|i| &self.found[i]) {
                let same = other.subject == relation.subject
                    && other.predicate == relation.predicate
                    && other.object.start < start
                    && !other.negative;
                if same {
                    relation.coordinated = Some(other.object.start..relation.object.end);
                }
            }
            // "works not only in Sales": said, and of more than that.
            if mere(1) && word(2) == "not" {
                relation.negative = false;
            }
            self.found[at] = relation;
        }
    }

    /// Whether the word denies: not with "only", "just" and the like behind it.
    pub(super) fn denies(&self, i: usize) -> bool {
        let word = self.text(i);
        let denial = self.is(i, Cue::NEGATION)
            || word.ends_with("n't")
            || word.ends_with("nt") && self.is(i, Cue::COPULA);
        denial && !stance().has("merely", self.text(i + 1))
    }

    /// Takes "but" and "alone" off the end; whether the latter stood there.
    fn trim_object(&self, object: &mut std::ops::Range<usize>) -> bool {
        let mut sole = false;
        while object.len() > 1 {
            let last = self.text(object.end - 1);
            if stance().has("sole", last) && !self.capital(object.end - 1) {
                sole = true;
            } else if last != "but" {
                break;
            }
            object.end -= 1;
        }
        sole
    }

    /// Whether the denial before the object at `start` goes with "only", "just" and the like.
    fn merely(&self, start: usize) -> bool {
        (start.saturating_sub(REACH)..start)
            .rev()
            .take_while(|i| !self.comma(*i))
            .find(|i| self.is(*i, Cue::NEGATION) || self.text(*i).ends_with("n't"))
            .is_some_and(|i| i + 1 < start && stance().has("merely", self.text(i + 1)))
    }
}
