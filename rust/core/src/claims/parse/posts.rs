//! Places that people have: in a part of an organisation, in an office.

use std::ops::Range;

use crate::lexicon::cues::Cue;
use crate::lexicon::persons::persons;
use crate::lexicon::tables::{kinds, stance, time};

use super::{Group, Parser};

/// Words before "as" among which "the same" stands that it goes with.
const LIKENED: usize = 8;
/// Parts of an organisation that people are members of.
pub(super) const UNITS: [&str; 6] = ["department", "division", "team", "unit", "group", "section"];

impl Parser<'_> {
    /// "serves as director of X" names X's director too.
    pub(super) fn serves_as(
        &mut self,
        subject: &Range<usize>,
        group: &Group,
        (base, prep): (&str, &str),
        object: &Range<usize>,
    ) {
        let phrase = [base, " ", prep].concat();
        let title = || {
            let mut known = self.predicates().of_phrase(&phrase);
            known.any(|known| known.name == "title")
        };
        if prep != "as" || group.copula || !self.capital(subject.start) || !title() {
            return;
        }
        let found = self.of(object).filter(|(name, owner)| {
            let names = self.predicates();
            let known = names.same(name, "head") || names.named(name).is_some();
            // "director of the company" says more of the person than of whoever that is.
            known && owner.clone().any(|i| self.capital(i))
        });
        if let Some((attribute, owner)) = found {
            self.push(owner, attribute, subject.clone(), group.negative);
        }
    }

    /// "Y as its director": what Y is to who has him, where the base has that.
    pub(super) fn filling(&self, object: &Range<usize>) -> Option<(String, Range<usize>)> {
        let at = (object.start + 1..object.end).find(|i| self.text(*i) == "as")?;
        let owned = usize::from(self.is(at + 1, Cue::POSSESSIVE) || self.text(at + 1) == "the");
        let noun = at + 1 + owned..object.end;
        let name = self.attribute(&self.joined(noun.clone()))?;
        let plain = !noun.is_empty() && noun.clone().all(|i| self.word(i));
        (plain && self.capital(object.start) && self.view.attributes.has(&name))
            .then_some((name, object.start..at))
    }

    /// "CEO of X for years", "since 2019": where the words end that name X.
    pub(super) fn held_for(&self, range: Range<usize>) -> usize {
        let long = |i: usize| {
            let (next, last) = (self.text(i + 1), range.end - 1);
            let spell = time().of("unit_", self.text(last)).is_some();
            match self.text(i) {
                "since" => true,
                "for" => spell || stance().has("long", next),
                _ => false,
            }
        };
        let inner = (range.start + 1)..range.end.saturating_sub(1);
        let at = inner.clone().find(|i| !self.inside_value(*i) && long(*i));
        at.unwrap_or(range.end)
    }

    /// "works in the same field as John Park": no post.
    pub(super) fn likened(&self, prep: &str, object: &Range<usize>) -> bool {
        let before = (0..object.start.saturating_sub(1)).rev();
        let mut clause = before.take_while(|i| !self.comma(*i)).take(LIKENED);
        prep == "as" && clause.any(|i| matches!(self.text(i), "same" | "such"))
    }

    /// "serves as a role model": no post.
    pub(super) fn serves_as_example(&self, base: &str, prep: &str, object: &Range<usize>) -> bool {
        let head = (object.clone())
            .find(|i| self.is(*i, Cue::PREPOSITION))
            .unwrap_or(object.end)
            .saturating_sub(1);
        let word = self.text(head);
        let agent = ["er", "or", "ist", "ant", "ian"];
        matches!(base, "serve" | "act" | "function")
            && prep == "as"
            && matches!(self.text(object.start), "a" | "an")
            && !kinds().has("post", word)
            && !agent.iter().any(|end| word.ends_with(end))
    }

    /// Whether what is opened or closed is a thing of its own: "its bar", not "its doors".
    pub(super) fn is_another(&self, object: &Range<usize>) -> bool {
        let it = object.len() == 1 && matches!(self.text(object.start), "it" | "them");
        it || self.is(object.start, Cue::DETERMINER.or(Cue::POSSESSIVE))
            && !object.clone().any(|i| stance().has("itself", self.text(i)))
    }

    /// "a member of the Sales department", "part of the department of Finance".
    pub(super) fn membership(&self, object: &Range<usize>) -> Option<(String, Range<usize>)> {
        let link = object
            .clone()
            .take(4)
            .find(|i| matches!(self.text(*i), "of" | "in"))?;
        let member = matches!(
            self.text(link.checked_sub(1)?),
            "member" | "part" | "employee"
        );
        (member && link > object.start)
            .then(|| self.unit(&(link + 1..object.end)))
            .flatten()
    }

    /// A part of an organisation as attribute and value: "the Sales department" as it stands,
    /// "the department of Finance" by what stands after "of".
    pub(super) fn unit(&self, range: &Range<usize>) -> Option<(String, Range<usize>)> {
        let start = range
            .clone()
            .find(|i| !self.is(*i, Cue::DETERMINER))
            .unwrap_or(range.end);
        let named = |i: usize| UNITS.into_iter().find(|unit| *unit == self.text(i));
        if let Some(unit) = named(start).filter(|_| self.text(start + 1) == "of") {
            let value = start + 2..range.end;
            return (!value.is_empty() && self.capital(value.start))
                .then(|| (unit.to_owned(), value));
        }
        let unit = named(range.end.checked_sub(1)?)?;
        (start + 1 < range.end && self.capital(start)).then(|| (unit.to_owned(), range.clone()))
    }

    /// "is run by chef P", where the base has chefs: the post and who holds it.
    pub(super) fn post_before(
        &self,
        name: &str,
        object: &Range<usize>,
    ) -> Option<(String, Range<usize>)> {
        let post = self.text(object.start);
        let known = |name: &str| self.view.attributes.has(name);
        let listed = || {
            let names = self.predicates().names_of(post);
            names.into_iter().any(known)
        };
        let told = name == "head"
            && object.len() > 1
            && !self.capital(object.start)
            && self.capital(object.start + 1)
            && (known(post) || listed());
        told.then(|| (post.to_owned(), object.start + 1..object.end))
    }

    /// Whether the words can name a part of an organisation.
    pub(super) fn division(&self, object: &Range<usize>) -> bool {
        object.clone().any(|i| self.capital(i))
            || object.len() == 1 && persons().is_unit(self.text(object.start))
    }
}
