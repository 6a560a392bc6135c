//! One verb for several subjects: "opened in 1998 and the annex in 2010", "lives in Rome and Bo in
//! Milan", "was opened in 1998 and in 2010 the annex".

use std::ops::Range;

use crate::lexicon::cues::Cue;
use crate::lexicon::persons::persons;
use crate::lexicon::words::{WordClass, class};
use crate::types::Resolution;

use super::Parser;

/// Most words of a subject that goes without its verb.
const WORDS: usize = 8;
/// The same where neither an article nor a capital tells that it is a noun.
const BARE: usize = 2;
/// Most phrases that tell the place of such a subject.
const PLACED: usize = 2;
/// Prepositions before dates, of which each subject may have another.
const ON: [&str; 3] = ["in", "on", "at"];
/// The same before hours: "opens at 9 and the kitchen from 11".
const AT: [&str; 5] = ["at", "from", "until", "till", "by"];

/// What kind of value stands behind a preposition: values of different kinds tell different things.
#[derive(PartialEq, Eq)]
enum Told {
    Dated,
    Day,
    Hour,
    Name,
    Other,
}

impl Parser<'_> {
    /// In front of each later phrase with the same preposition the subject it is about, taken out of
    /// the phrase before. Phrases without one are about the subject of the verb.
    pub(super) fn gapped(
        &self,
        pieces: &mut [(Option<String>, Range<usize>)],
    ) -> Vec<Option<Range<usize>>> {
        let mut about: Vec<Option<Range<usize>>> = vec![None; pieces.len()];
        // Where what is told of the latest subject begins.
        let mut first = 0;
        for i in 0..pieces.len() {
            if i > 0 {
                about[i] = about[i - 1].clone();
            }
            if let Some((value, other)) = self.swapped(&pieces[i]) {
                pieces[i].1 = value;
                about[i] = Some(other);
                first = i;
                continue;
            }
            let Some(before) = i.checked_sub(1) else {
                continue;
            };
            let Some((own, other)) = self.parted_at_joint(&pieces[before].1) else {
                if let Some((at, own, other)) = self.parted_before(pieces, i) {
                    pieces[at].1 = own;
                    about[at + 1..=i].fill(Some(other));
                    first = i;
                }
                continue;
            };
            let goes_on = about[before].is_some();
            let told = |at: usize| {
                let object = if at == before { &own } else { &pieces[at].1 };
                self.alike((&pieces[at].0, object), &pieces[i], &other, goes_on)
            };
            if (first..i).any(told) {
                pieces[before].1 = own;
                about[i] = Some(other);
                first = i;
            }
        }
        about
    }

    /// "in 1998 and the bar at the harbour in 2003": which phrase before the one at `i` ends in a subject
    /// that the phrases between only tell the place of, its own value and that subject.
    fn parted_before(
        &self,
        pieces: &[(Option<String>, Range<usize>)],
        i: usize,
    ) -> Option<(usize, Range<usize>, Range<usize>)> {
        let last = i.checked_sub(1)?;
        let place = |at: usize| {
            let (prep, object) = &pieces[at];
            prep.is_some() && matches!(self.told(object), Told::Name | Told::Other)
        };
        let at = (last.saturating_sub(PLACED)..last)
            .rev()
            .take_while(|at| place(at + 1))
            .find(|at| self.parted_at_joint(&pieces[*at].1).is_some())?;
        let (own, other) = self.parted_at_joint(&pieces[at].1)?;
        if !self.alike((&pieces[at].0, &own), &pieces[i], &other, false) {
            return None;
        }
        // "the hotel by the beach" is not the hotel.
        let whole = if self.somebody(&self.bare(&other)) {
            other
        } else {
            other.start..pieces[last].1.end
        };
        Some((at, own, whole))
    }

    /// Without its article.
    fn bare(&self, words: &Range<usize>) -> Range<usize> {
        words.start + usize::from(self.text(words.start) == "the")..words.end
    }

    /// "and in 2005 the annex": the date, and what it is told of.
    fn swapped(
        &self,
        (prep, object): &(Option<String>, Range<usize>),
    ) -> Option<(Range<usize>, Range<usize>)> {
        prep.as_ref()?;
        let at = object.start.checked_sub(1)?;
        let joint = at.checked_sub(1)?;
        if !matches!(self.text(joint), "and" | "but" | "while") {
            return None;
        }
        let end = self.date_in_front(at).filter(|end| *end < object.end)?;
        let other = end..object.end;
        self.noun_phrase(&other)
            .then_some((object.start..end, other))
    }

    /// "1998 and the annex": what stands before the last joint, and behind it.
    fn parted_at_joint(&self, object: &Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
        let joint = object.clone().rev().find(|at| {
            (matches!(self.text(*at), "and" | "but" | "while") || self.comma(*at))
                && !self.inside_value(*at)
        })?;
        let own = self.trim(object.start..joint);
        let last = own
            .clone()
            .rev()
            .find(|at| self.word(*at) && !matches!(self.text(*at), "and" | "but"))?;
        let mut other = self.trim(joint + 1..object.end);
        // "and Hotel Bell only in 2005"
        while !other.is_empty() && self.light(other.end - 1) {
            other.end -= 1;
        }
        while !other.is_empty() && self.light(other.start) {
            other.start += 1;
        }
        (!other.is_empty()).then_some((own.start..last + 1, other))
    }

    fn light(&self, i: usize) -> bool {
        self.is(i, Cue::ADVERB) && !self.capital(i)
    }

    /// Whether two phrases tell the same of two subjects, `other` the second.
    fn alike(
        &self,
        (before, own): (&Option<String>, &Range<usize>),
        (prep, value): &(Option<String>, Range<usize>),
        other: &Range<usize>,
        goes_on: bool,
    ) -> bool {
        let (Some(before), Some(prep)) = (before, prep) else {
            return false;
        };
        if own.is_empty() || value.is_empty() {
            return false;
        }
        let kind = self.told(value);
        let both = |list: &[&str]| [before, prep].iter().all(|p| list.contains(&p.as_str()));
        let on = kind != Told::Name && both(&ON) || kind == Told::Hour && both(&AT);
        if kind == Told::Other || kind != self.told(own) || before != prep && !on {
            return false;
        }
        if kind == Told::Name {
            let opened = self.is(other.start, Cue::DETERMINER.or(Cue::POSSESSIVE))
                && !other.clone().any(|i| persons().is_unit(self.text(i)));
            return goes_on && self.capital(other.start)
                || self.somebody(other)
                || opened && self.noun_phrase(other);
        }
        self.noun_phrase(other)
    }

    fn told(&self, value: &Range<usize>) -> Told {
        if self.dated(value) {
            Told::Dated
        } else if self.timed(value) {
            Told::Day
        } else if self.clocked(value) || self.hour(value) {
            Told::Hour
        } else if self.capital(value.start) {
            Told::Name
        } else {
            Told::Other
        }
    }

    /// Whether the words name a thing: no date and no verb among them.
    fn noun_phrase(&self, words: &Range<usize>) -> bool {
        let opened = self.is(words.start, Cue::DETERMINER.or(Cue::POSSESSIVE));
        let capital = self.capital(words.start);
        let closed = Cue::PREPOSITION
            .or(Cue::CONJUNCTION)
            .or(Cue::BREAK)
            .or(Cue::COPULA)
            .or(Cue::AUXILIARY);
        let of = |i: usize| self.text(i) == "of" && i > words.start;
        let bare = |i: usize| {
            self.verb(i).is_none()
                && !self.is(i, Cue::ADVERB.or(Cue::TEMPORAL).or(Cue::NEGATION))
                && !self.text(i).ends_with("ly")
        };
        let told = self.told(words);
        !words.is_empty()
            && words.len() <= WORDS
            && matches!(told, Told::Name | Told::Other)
            && words
                .clone()
                .all(|i| self.word(i) && (of(i) || !self.is(i, closed) || self.capital(i)))
            && (opened && words.len() > 1
                || capital
                || words.len() <= BARE && words.clone().all(bare))
    }

    /// Whether the words name an entity of the base, or a person by a given name.
    pub(super) fn somebody(&self, range: &Range<usize>) -> bool {
        let known = self.span(range).is_some_and(|span| {
            self.view.mentions.iter().any(|mention| {
                matches!(mention.resolution, Resolution::Known(_)) && mention.span.overlaps(span)
            })
        });
        self.capital(range.start)
            && !persons().is_unit(self.text(range.start))
            && (known || class(self.text(range.start)).has(WordClass::GIVEN_NAME))
    }
}
