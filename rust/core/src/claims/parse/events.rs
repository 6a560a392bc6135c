//! What happened to a thing, told by a noun: "since its founding in 1992", "the Harbour Museum's opening
//! in 1995", "the launch of Orbit 9 in May 2021".

use std::ops::Range;

use crate::lexicon::cues::Cue;
use crate::lexicon::tables::frames;
use crate::types::LexKind;

use super::{Group, Parser};

/// Most words of a name behind "of", and of a date.
const NAME: usize = 6;
/// See [`NAME`].
const DATE: usize = 4;

impl Parser<'_> {
    /// Reads nouns for what happened, each with whose it is and its date.
    pub(super) fn events(&mut self) {
        if self.view.dates.is_empty() && self.view.quantities.is_empty() {
            return;
        }
        for noun in 1..self.view.lexemes.len().saturating_sub(2) {
            if !matches!(self.text(noun + 1), "of" | "in" | "on") {
                continue;
            }
            let Some(base) = frames().of("event_", self.text(noun)) else {
                continue;
            };
            let told = if self.text(noun + 1) == "of" && self.text(noun - 1) == "the" {
                self.event_of(noun + 2)
            } else {
                let owner = self.event_owner(noun);
                owner.zip(self.event_date(noun + 1))
            };
            let named = self
                .predicates()
                .of_phrase(&[base, " in"].concat())
                .find(|predicate| predicate.dated);
            if let (Some((owner, date)), Some(named)) = (told, named)
                && !self.opaque_at(noun)
            {
                let name = named.name.clone().into_owned();
                self.push(owner, name, date, false);
            }
        }
    }

    /// "was first climbed in 1901", where the base has when that was: "climbed in 1901" may be of any
    /// time after it.
    pub(super) fn first_done(
        &mut self,
        subject: &Range<usize>,
        group: &Group,
        pieces: &[(Option<String>, Range<usize>)],
    ) -> bool {
        let first = group.verb.checked_sub(1).map_or("", |i| self.text(i)) == "first";
        let base = group.base.as_deref().unwrap_or("");
        if !first || !group.copula && base != "appear" {
            return false;
        }
        let name = self.attribute(&["first_", self.text(group.verb)].concat());
        let Some(name) = name.filter(|name| self.view.attributes.has(name)) else {
            return false;
        };
        let dated = |(prep, object): &&(Option<String>, Range<usize>)| {
            matches!(prep.as_deref(), Some("in" | "on")) && self.dated(object)
        };
        // "by a woman", "in winter", "without oxygen": the first of its kind.
        let by_name = |(prep, object): &(Option<String>, Range<usize>)| {
            prep.as_deref() == Some("by") && self.capital(object.start)
        };
        let date = pieces.iter().find(dated).map(|(_, object)| object.clone());
        if !pieces.iter().all(|piece| dated(&piece) || by_name(piece)) {
            return false;
        }
        let told = date.is_some();
        if let Some(date) = date {
            self.push(subject.clone(), name, date, group.negative);
        }
        told
    }

    /// "came into force on 1 July": since when it has been in force.
    pub(super) fn comes_into_force(
        &mut self,
        subject: &Range<usize>,
        base: &str,
        pieces: &[(Option<String>, Range<usize>)],
        negative: bool,
    ) -> bool {
        let came = matches!(base, "come" | "go" | "enter" | "take");
        let force = |(_, object): &(Option<String>, Range<usize>)| {
            object.len() == 1 && matches!(self.text(object.start), "force" | "effect")
        };
        let Some(name) = self.attribute("in_force").filter(|_| came) else {
            return false;
        };
        let date = pieces.iter().find(|(prep, object)| {
            matches!(prep.as_deref(), Some("in" | "on")) && self.dated(object)
        });
        match date {
            Some((_, date)) if pieces.iter().any(force) && self.view.attributes.has(&name) => {
                self.push(subject.clone(), name, date.clone(), negative);
                true
            }
            _ => false,
        }
    }

    /// "The exam in X" is on a day, where the base has the exam's date: whose it is, and the attribute.
    pub(super) fn dated_noun(
        &self,
        subject: &Range<usize>,
        value: &Range<usize>,
    ) -> Option<(Range<usize>, String)> {
        let noun = subject.start + usize::from(self.text(subject.start) == "the");
        let owner = noun + 2..subject.end;
        let linked = matches!(self.text(noun + 1), "of" | "in" | "for" | "at");
        // "The exam in X was on 20 June": an earlier one.
        let past = matches!(self.text(subject.end), "was" | "were");
        let known = self.known_at(owner.start, owner.end);
        let known = known.filter(|_| linked && !past)?;
        let kinds: &[&str] = if self.dated(value) {
            &["_date", "_day"]
        } else {
            &["_time"]
        };
        let mut names = kinds.iter().map(|kind| [self.text(noun), *kind].concat());
        let name = names.find(|name| self.view.attributes.has(name))?;
        (known.end == owner.end).then_some((owner, name))
    }

    /// "its", "the Harbour Museum's" right before the noun.
    fn event_owner(&self, noun: usize) -> Option<Range<usize>> {
        let last = noun - 1;
        if self.is(last, Cue::POSSESSIVE) {
            return matches!(self.text(last), "its" | "his" | "her" | "their")
                .then_some(last..noun);
        }
        if !self.owns(last) {
            return None;
        }
        let head = self.noun_before(noun);
        let start = head.start.max(noun.saturating_sub(NAME + 1));
        (start < noun && (start..noun).any(|i| self.capital(i))).then_some(start..noun)
    }

    /// "Orbit 9 in May 2021", from `at` on.
    fn event_of(&self, at: usize) -> Option<(Range<usize>, Range<usize>)> {
        let links = |i: &usize| matches!(self.text(*i), "in" | "on");
        let link = (at..self.view.lexemes.len().min(at + NAME + 1)).find(links)?;
        let name = (at..link).all(|i| {
            let small = self.is(i, Cue::DETERMINER) && i == at;
            small
                || self.word(i) && (self.capital(i) || self.text(i) == "of")
                || self.view.kind(i) == Some(LexKind::Number)
        });
        let capital = (at..link).any(|i| self.capital(i));
        (name && capital)
            .then_some(at..link)
            .zip(self.event_date(link))
    }

    /// The date behind "in" or "on" at `link`.
    fn event_date(&self, link: usize) -> Option<Range<usize>> {
        if !matches!(self.text(link), "in" | "on") {
            return None;
        }
        let first = link + 1;
        let most = self.view.lexemes.len().min(first + DATE);
        let end = (first..most)
            .take_while(|end| self.dated(&(*end..*end + 1)))
            .last()?
            + 1;
        // "in 1992 of a second branch"
        (self.text(end) != "of" && self.dated(&(first..end))).then_some(first..end)
    }
}
