//! What is said in passing: by a participle behind a noun ("X is a company founded in 1987"), by
//! "since" ("X has been in business since 1987"), of what one can buy ("you can buy X for 20 euros").

use std::ops::Range;

use crate::lexicon::cues::Cue;
use crate::lexicon::tables::stance;
use crate::types::QuantityKind;

use super::{Group, Parser};

/// Most words of a phrase behind "is" before its last preposition.
const PHRASE: usize = 3;

impl Parser<'_> {
    /// "X is a Danish company founded in 1987": reads the participle as said of X and returns the
    /// noun phrase without it.
    pub(super) fn described(
        &mut self,
        subject: &Range<usize>,
        object: Range<usize>,
        negative: bool,
    ) -> Range<usize> {
        if negative || !matches!(self.text(object.start), "a" | "an" | "the") {
            return object;
        }
        let light = Cue::PREPOSITION.or(Cue::CONJUNCTION).or(Cue::BREAK);
        let noun = |i: usize| self.word(i) && !self.is(i, Cue::ADVERB.or(Cue::DETERMINER));
        let at = (object.start + 2..object.end.saturating_sub(2))
            .find(|i| self.past(*i) && !self.capital(*i) && self.is(*i + 1, Cue::PREPOSITION));
        let Some(at) = at.filter(|at| {
            let before = object.start + 1..*at;
            let plain = |i: usize| !self.is(i, light) && !self.opaque_at(i);
            before.clone().all(plain) && before.rev().find(|i| self.word(*i)).is_some_and(noun)
        }) else {
            return object;
        };
        let told = self
            .verb(at)
            .is_some_and(|base| self.speaks_of(base, self.text(at + 1)));
        if !told {
            return object;
        }
        self.participle(subject, at..object.end);
        object.start..at
    }

    /// "X is a novel by P": who made the work, where the base has that.
    pub(super) fn work_by(&self, object: &Range<usize>) -> Option<(String, Range<usize>)> {
        let by = object.clone().find(|i| self.text(*i) == "by")?;
        let maker = by + 1..object.end;
        let noun = by.checked_sub(1).filter(|i| *i > object.start)?;
        let opened = matches!(self.text(object.start), "a" | "an" | "the");
        let named = !maker.is_empty() && maker.clone().all(|i| self.word(i) && self.capital(i));
        let class = ["author", "director", "artist"]
            .into_iter()
            .find(|made| stance().has(&format!("{made}_of"), self.text(noun)))?;
        let name = self.attribute(class).filter(|_| opened && named)?;
        self.view.attributes.has(&name).then_some((name, maker))
    }

    /// "X is a 2010 film": when the work came out, where the base has that.
    pub(super) fn of_its_year(&self, object: &Range<usize>) -> Option<(String, Range<usize>)> {
        let year = object.start + 1;
        let opened = matches!(self.text(object.start), "a" | "an" | "the");
        let span = self.view.lexemes.get(year).map(|own| own.span)?;
        let mut all = self.view.quantities.iter();
        let told = all.any(|q| q.kind == QuantityKind::Year && q.span == span);
        let noun = (year + 1..object.end)
            .take_while(|i| self.word(*i) && !self.is(*i, Cue::PREPOSITION.or(Cue::BREAK)))
            .take_while(|i| !self.past(*i))
            .last()?;
        let work = stance().has("dated_work", self.text(noun));
        let name = self
            .attribute("published")
            .filter(|_| opened && told && work)?;
        self.view
            .attributes
            .has(&name)
            .then_some((name, year..year + 1))
    }

    /// Whose making an inverse verb tells of and by whom: "P founded X", "the bakery that P founded is X",
    /// "X, which P founded".
    pub(super) fn maker(
        &self,
        subject: &Range<usize>,
        group: &Group,
        object: Option<&Range<usize>>,
    ) -> Option<(Range<usize>, Range<usize>)> {
        let named = |end: usize| {
            let from = (0..end)
                .rev()
                .take_while(|i| self.word(*i) && self.capital(*i));
            from.last().map(|from| from..end)
        };
        let Some(object) = object else {
            let name = named(group.verb)?;
            let which = name
                .start
                .checked_sub(1)
                .filter(|i| self.text(*i) == "which")?;
            let behind = subject.end <= which && !subject.is_empty();
            return behind.then(|| (subject.clone(), name));
        };
        if !self.is(object.start, Cue::COPULA) {
            return Some((object.clone(), subject.clone()));
        }
        let name = named(subject.end).filter(|name| name.start > subject.start)?;
        let known = self.known_at(object.start + 1, object.end)?;
        Some((known, name))
    }

    /// "48,200 people live in X": how many X has, where the base tells that.
    pub(super) fn inhabited(
        &mut self,
        subject: &Range<usize>,
        base: &str,
        pieces: &[(Option<String>, Range<usize>)],
        negative: bool,
    ) -> bool {
        let [(Some(prep), place)] = pieces else {
            return false;
        };
        let known = self.known_at(place.start, place.end);
        let whole = known.is_some_and(|own| own.end == place.end);
        let people = !subject.is_empty() && self.text(subject.end - 1) == "people";
        let counted = people && self.counts_what(subject) && base == "live" && prep == "in";
        let name = self.attribute("population").filter(|_| counted && whole);
        let Some(name) = name.filter(|name| self.view.attributes.has(name)) else {
            return false;
        };
        self.push(place.clone(), name, subject.clone(), negative);
        true
    }

    /// "X has been in business since 1987", "X is available for 20 euros": the attribute that the
    /// phrase up to its last preposition speaks of, and the value.
    pub(super) fn phrased(&self, object: &Range<usize>) -> Option<(String, Range<usize>)> {
        let at = object
            .clone()
            .rev()
            .find(|i| self.is(*i, Cue::PREPOSITION))?;
        let value = at + 1..object.end;
        if at == object.start || value.is_empty() || at - object.start > PHRASE {
            return None;
        }
        let words: Vec<&str> = (object.start..=at).map(|i| self.text(i)).collect();
        let named = self.spoken_of(&format!("be {}", words.join(" ")), &value)?;
        let dated = self.dated(&value);
        (dated || !named.dated).then(|| (named.name.to_string(), value))
    }

    /// "You can buy X for 20 euros" in a sentence that otherwise tells what to do.
    pub(super) fn offers(&mut self) {
        let can = (1..self.view.lexemes.len().saturating_sub(1)).find(|i| {
            let buys = self
                .verb(i + 1)
                .is_some_and(|base| stance().has("buying", base));
            self.text(*i) == "can" && buys && stance().has("buyer", self.text(i - 1))
        });
        let Some(can) = can else {
            return;
        };
        let Some(base) = self.verb(can + 1).map(str::to_owned) else {
            return;
        };
        let group = Group {
            end: can + 2,
            verb: can + 1,
            base: None,
            copula: false,
            has: false,
            negative: false,
        };
        let mut pieces = self.pieces(can + 2..self.clause_end(can + 2));
        pieces.retain(|(_, object)| !object.is_empty());
        self.bought(&(can - 1..can), &group, &base, &pieces);
    }

    /// "You can buy X for 20 euros", "X can be bought for 20 euros", "you pay 20 euros for X": what it
    /// costs. Whether it says so.
    pub(super) fn bought(
        &mut self,
        subject: &Range<usize>,
        group: &Group,
        base: &str,
        pieces: &[(Option<String>, Range<usize>)],
    ) -> bool {
        let buys = stance().has("buying", base);
        if group.negative || !buys && base != "pay" {
            return false;
        }
        let able = (group.verb.saturating_sub(2)..group.verb).any(|i| self.text(i) == "can");
        let link = |prep: &Option<String>| matches!(prep.as_deref(), Some("for" | "at"));
        let anyone = subject.len() == 1 && stance().has("buyer", self.text(subject.start));
        let found = match pieces {
            // "X can be bought for 20 euros"
            [(prep, paid)] if buys && group.copula && able && link(prep) => {
                Some((subject.clone(), paid.clone()))
            }
            [(None, paid), (prep, thing)] if !buys && !group.copula && anyone && link(prep) => {
                Some((thing.clone(), paid.clone()))
            }
            [(None, thing), (prep, paid)]
                if buys && !group.copula && anyone && able && link(prep) =>
            {
                Some((thing.clone(), paid.clone()))
            }
            _ => None,
        };
        let Some((thing, paid)) = found.filter(|(thing, paid)| {
            let amount = self.span(paid).is_some_and(|span| {
                let mut money = self.view.quantities.iter();
                money.any(|q| q.span.contains(span))
            });
            amount && self.money(paid) && !self.several(thing)
        }) else {
            return false;
        };
        let name = self
            .attribute("price")
            .unwrap_or_else(|| "price".to_owned());
        self.push(thing, name, paid, false);
        true
    }

    /// "two Vela Lamps", "the three books".
    fn several(&self, thing: &Range<usize>) -> bool {
        let first = thing.clone().find(|i| !self.is(*i, Cue::DETERMINER));
        first.is_none_or(|i| self.counts(&(i..i + 1)))
    }

    /// Whether the words say no more than that all of it is used: "on a single charge".
    pub(super) fn filled(&self, object: &Range<usize>) -> bool {
        let Some((last, rest)) = object
            .clone()
            .collect::<Vec<_>>()
            .split_last()
            .map(|(last, rest)| (*last, rest.to_vec()))
        else {
            return false;
        };
        stance().has("fill", self.text(last))
            && rest
                .iter()
                .all(|i| self.is(*i, Cue::DETERMINER) || stance().has("filled", self.text(*i)))
    }

    /// Whether a genitive ends at the lexeme: "Ada's", "Siemens'".
    pub(super) fn owns(&self, i: usize) -> bool {
        let word = self.view.word(i);
        if ["'s", "’s", "s'", "s’"]
            .iter()
            .any(|end| word.ends_with(end))
        {
            return true;
        }
        // An apostrophe of its own closes no quotation where none was opened.
        let Some(before) = i.checked_sub(1).filter(|_| matches!(word, "'" | "’")) else {
            return false;
        };
        let (own, next) = (self.view.lexemes[i].span, self.view.lexemes.get(i + 1));
        let joined = self.view.lexemes[before].span.end == own.start;
        let apart = next.is_some_and(|next| next.span.start > own.end) && self.word(i + 1);
        let sibilant = self.view.word(before).ends_with(['s', 'S', 'x', 'z']);
        let opened = (0..before).any(|n| matches!(self.view.word(n), "'" | "‘"));
        joined && apart && sibilant && !opened && self.capital(before)
    }

    /// "Orbit 9's": the letter of a genitive behind a digit, which stands by itself as its mark does.
    pub(super) fn owns_by_digit(&self, i: usize) -> bool {
        let joined =
            |at: usize| self.view.lexemes[at - 1].span.end == self.view.lexemes[at].span.start;
        i > 1
            && self.text(i) == "s"
            && matches!(self.view.word(i - 1), "'" | "’")
            && joined(i)
            && joined(i - 1)
    }
}
