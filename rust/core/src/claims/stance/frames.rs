//! Frames around a statement that say it is not the writer's: conditions without "if", what is
//! taken back behind it, quotations that are denied, talk.

use std::ops::Range;

use crate::lexicon::cues::Cue;
use crate::lexicon::tables::stance;
use crate::types::LexFlags;

use super::{NEAR, Reader};

/// Most words of ", or so many people think".
const TAIL: usize = 8;
/// Fewest words of a quotation that states something.
const STATES: usize = 3;
/// Words behind "that" among which the verb of "that old figure is wrong" stands.
const SAID: usize = 4;

impl Reader<'_> {
    /// A word that says that what it speaks of is not so.
    fn rejects(&self, i: usize) -> bool {
        let doubtful = self.has("doubtful", i) || self.has("misstated", i);
        doubtful && !self.denied(i) || self.has("certain", i) && self.denied(i)
    }

    /// "There is talk that", "Rumours that": nothing but talk.
    pub(super) fn talked_of(&self, i: usize) -> bool {
        let there = |i: usize| i > 1 && self.is(i - 1, Cue::COPULA) && self.text(i - 2) == "there";
        let bare = i == 0
            || self.mark(i - 1)
            || there(i)
            || self.is(i - 1, Cue::PREPOSITION.or(Cue::ADVERB))
            || self.is(i - 1, Cue::DETERMINER.or(Cue::ADJECTIVE)) && !self.has("indefinite", i - 1);
        self.has("talk", i) && self.text(i + 1) == "that" && bare && !self.denied(i)
    }

    /// "It would be wrong to say that".
    pub(super) fn misstated(&self, i: usize) -> bool {
        let told = self.verb("saying", i) || self.verb("belief", i) || self.verb("telling", i);
        let infinitive = i > 1 && self.text(i - 1) == "to";
        told && infinitive
            && self.complement(i)
            && (i.saturating_sub(NEAR)..i - 1)
                .rev()
                .take_while(|j| !self.mark(*j) && !self.is(*j, Cue::BREAK.or(Cue::CONJUNCTION)))
                .any(|j| self.rejects(j))
    }

    /// "Nothing shows that", "No source says that", "An incorrect plaque says that", "does not say
    /// that".
    pub(super) fn unsaid(&self, i: usize) -> bool {
        let told = self.verb("saying", i) || self.verb("evidential", i);
        if !told || !self.complement(i) {
            return false;
        }
        let that = self.text(i + 1) == "that";
        (0..i)
            .rev()
            .take_while(|j| !self.mark(*j) && !self.is(*j, Cue::BREAK.or(Cue::CONJUNCTION)))
            .any(|j| {
                let nobody = matches!(self.text(j), "nothing" | "nobody" | "none" | "neither");
                let wrong = self.has("doubtful", j) || self.has("misstated", j);
                nobody || self.text(j) == "no" || that && self.denial(j) || wrong && !self.denied(j)
            })
    }

    /// "Were X in Paris, …", "Had it opened earlier, …": a condition by the order of its words.
    pub(super) fn inverted(&self) -> bool {
        if matches!(self.view.sentence.terminator, Some('?' | '？' | '؟')) {
            return false;
        }
        let first = self.first();
        (first..self.target).any(|i| {
            let verb = matches!(self.text(i), "were" | "had" | "should");
            let joined = i > 0 && matches!(self.text(i - 1), "but" | "and" | "yet" | "even" | ";");
            verb && (i == first || joined && self.would(self.target))
                && i + 1 < self.target
                && !self.is(i + 1, Cue::PREPOSITION.or(Cue::NEGATION))
                && !(i..self.target).any(|j| self.view.word(j) == "," && self.would(j))
        })
    }

    /// Whether what stands behind is said to depend on a condition.
    fn would(&self, from: usize) -> bool {
        (from..self.folded.len()).any(|i| self.has("irrealis", i) || self.text(i).ends_with("'d"))
    }

    /// "…, or so many think", "…, some say", "…, which is not true", "…, according to legend".
    pub(super) fn taken_back(&self) -> bool {
        let len = self.folded.len();
        let last = (0..len).rev().find(|i| !self.mark(*i)).unwrap_or(0);
        let Some(mark) = (self.target..last).rev().find(|i| {
            let but = matches!(self.text(*i), "but" | "though" | "although");
            but || matches!(self.view.word(*i), "," | "—" | "–" | ";" | "(")
        }) else {
            return false;
        };
        let tail = mark + 1..last + 1;
        if tail.len() > TAIL || tail.clone().any(|i| self.mark(i)) {
            return false;
        }
        let mine = tail.clone().any(|i| self.has("first_person", i));
        let anyone = |i: usize| self.has("indefinite", i) || self.text(i) == "it";
        let told =
            |i: usize| self.verb("belief", i) || self.verb("saying", i) || self.verb("telling", i);
        let open = tail.start;
        let start = (open..last)
            .find(|i| !matches!(self.text(*i), "or" | "so" | "as" | "at" | "least" | "but"))
            .unwrap_or(last);
        // "some say", "it is said", "critics claim".
        // "they say" alone only names no source.
        let named = matches!(self.text(start), "they" | "he" | "she") && start == open;
        let attributed = told(last)
            && !mine
            && !named
            && anyone(start)
            && (start + 1..last).all(|i| {
                self.is(i, Cue::COPULA.or(Cue::AUXILIARY).or(Cue::ADVERB))
                    || self.has("widely", i)
                    || self.text(i) == "people"
                    || self.text(i) == "to"
                    || self.text(i) == "used"
            });
        let legend = self.text(open) == "according"
            && (open + 1..=last).any(|i| {
                self.has("fiction", i)
                    || self.has("noun", i)
                    || self.has("doubtful", i)
                    || self.has("talk", i)
                    || self.has("indefinite", i) && self.text(i) != "one"
            });
        attributed || legend || self.disowned_by(start, last)
    }

    /// "which is not true", "this is a common error", "that figure is outdated", "it isn't so".
    fn disowned_by(&self, start: usize, last: usize) -> bool {
        let (bare, written) = (self.text(start), self.view.word(start));
        if !matches!(bare, "which" | "this" | "that" | "it" | "the") {
            return false;
        }
        // "that's"
        let copula = if written.ends_with("'s") || written.ends_with("’s") {
            Some(start)
        } else {
            let reach = start + 1..last.min(start + 1 + SAID);
            reach.clone().find(|i| self.is(*i, Cue::COPULA))
        };
        let light = Cue::ADVERB.or(Cue::DETERMINER).or(Cue::ADJECTIVE);
        let plain = |i: usize| {
            self.denial(i)
                || self.is(i, light)
                || self.has("widely", i)
                || self.has("often_so", i)
                || self.verb("doubt", i)
        };
        copula.is_some_and(|copula| {
            // "that figure is": a noun for what was said, and no other thing.
            let noun = start + 1..copula.max(start + 1);
            let of_it = noun
                .clone()
                .all(|i| self.has("what_was_said", i) || self.is(i, light));
            let whole = bare != "the" || !noun.is_empty();
            whole && of_it && self.rejects(last) && (copula + 1..last).all(plain)
        })
    }

    /// ", but the register says 1987", "though our records show 450": another value of the kind of that at
    /// the words, by a source.
    pub(super) fn set_right(&self) -> bool {
        let len = self.folded.len();
        let numbers = |i: usize| {
            let span = self.view.lexemes[i].span;
            let own = |q: &&crate::types::Quantity| q.span.overlaps(span);
            self.view.quantities.iter().find(own).map(|q| q.kind)
        };
        let clause = (self.target..len).find(|i| self.has("setting_right", *i));
        let Some(from) = clause else { return false };
        let to = (from + 1..len).find(|i| self.mark(*i)).unwrap_or(len);
        let shows = (from + 1..to).find(|i| {
            let base = self.folded.known(*i).verb;
            base.is_some_and(|base| stance().has("showing", base)) || self.has("showing", *i)
        });
        let Some(shows) = shows else { return false };
        let source = |i: usize| {
            ["own_source", "own_mark", "press", "register"]
                .iter()
                .any(|class| self.has(class, i))
        };
        let own = (self.target..from).filter_map(numbers).next();
        own.is_some() && (from + 1..shows).any(source) && (shows + 1..to).any(|i| numbers(i) == own)
    }

    /// Whether the words of a key say that its value is not so, or mere talk: `"wrong_answers": …`.
    fn disowns(&self, key: &Range<usize>) -> bool {
        key.clone().any(|i| {
            let talk = self.has("talk", i) && !self.verb("telling", i);
            let mut parts = self.text(i).split(['_', '-']);
            talk || self.rejects(i) || parts.any(|part| stance().has("doubtful", part))
        })
    }

    /// A quotation that states something, in a sentence that says whose words they are or that it
    /// is not so. A key before it ("said") does neither, unless it disowns it.
    pub(super) fn quoted(&self) -> bool {
        let flagged = |i: usize| {
            let lexeme = self.view.lexemes.get(i);
            lexeme.is_some_and(|lexeme| lexeme.flags.has(LexFlags::QUOTED))
        };
        if !flagged(self.target) {
            return false;
        }
        let keys: Vec<Range<usize>> = (0..self.target).filter_map(|i| self.view.key(i)).collect();
        if keys.iter().any(|key| self.disowns(key)) {
            return true;
        }
        let from = (0..self.target)
            .rev()
            .find(|i| !flagged(*i) && !self.mark(*i));
        let from = from.map_or(0, |i| i + 1);
        let len = self.folded.len();
        let to = (self.target..len)
            .find(|i| !flagged(*i) && !self.mark(*i))
            .unwrap_or(len);
        let words = (from..to).filter(|i| !self.mark(*i)).count();
        let acts = (from..to).any(|i| {
            self.is(i, Cue::COPULA.or(Cue::AUXILIARY)) || self.folded.known(i).verb.is_some()
        });
        let laid = |i: usize| {
            self.is(i, Cue::QUOTATIVE)
                || self.verb("saying", i)
                || self.verb("telling", i)
                || self.verb("belief", i)
                || self.text(i) == "according"
        };
        let keyed = |i: usize| keys.iter().any(|key| key.contains(&i));
        let outside = || (0..from).chain(to..len);
        words >= STATES && acts && outside().any(|i| self.rejects(i) || laid(i) && !keyed(i))
    }
}
