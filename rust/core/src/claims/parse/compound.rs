//! Names with an attribute right behind them: "the Kestrel deposit", "NorthPeak CEO Ada Lind", and a
//! thing's status ("X's status is completed").

use std::ops::Range;

use crate::lexicon::cues::Cue;
use crate::lexicon::tables::{frames, stance};
use crate::lexicon::words::{WordClass, class};
use crate::types::{LexKind, Resolution};

use super::{Group, Parser};

/// Most words of the attribute behind a name.
const WORDS: usize = 4;

impl Parser<'_> {
    /// Whose attribute a subject is before "is"; `hour` says that a time of day is told of it.
    pub(super) fn owned(
        &self,
        subject: &Range<usize>,
        object: &Range<usize>,
        hour: bool,
    ) -> Option<(Range<usize>, String)> {
        let told = self.possessed(subject);
        let told = told.or_else(|| self.admission(subject, object));
        let told = told.or_else(|| self.within(subject));
        told.or_else(|| self.sited(subject)).or_else(|| {
            // "the X team is in Oslo" says where it is.
            let placed = self.is(object.start, Cue::PREPOSITION) && !hour;
            self.compound(subject)
                .filter(|(_, name)| !placed || self.predicates().same(name, "location"))
        })
    }

    /// "Entry to X" is 15 euros: the price of X.
    fn admission(
        &self,
        subject: &Range<usize>,
        object: &Range<usize>,
    ) -> Option<(Range<usize>, String)> {
        let owner = subject.start + 2..subject.end;
        let admits = self.text(subject.start + 1) == "to" && self.links(subject.start + 1);
        let told = admits && !owner.is_empty() && self.money(object);
        let name = self.attribute("price").filter(|_| told)?;
        Some((owner, name))
    }

    /// "At X, admission is 15 euros", "At X, the chef is P": an attribute that the base has, of the
    /// thing in front.
    fn sited(&self, subject: &Range<usize>) -> Option<(Range<usize>, String)> {
        let comma = subject.start.checked_sub(1).filter(|i| self.comma(*i))?;
        let first = (0..comma).find(|i| self.word(*i))?;
        let second = usize::from(self.text(first) == "as" && self.text(first + 1) == "for");
        // "As for the height of X, it is 90 m."
        if self.text(subject.start) == "it" && subject.len() == 1 && second > 0 {
            let front = first + 2..comma;
            return self
                .possessed(&front)
                .filter(|(_, name)| self.view.attributes.has(name));
        }
        let owner = self.known_at(first + second + 1, comma)?;
        let opens = second > 0 || stance().has("about_front", self.text(first));
        let whole = opens && owner.end == comma;
        let noun = subject.start + usize::from(self.text(subject.start) == "the")..subject.end;
        let plain = whole && !noun.is_empty() && !noun.clone().any(|i| self.capital(i));
        let name = self.attribute(&self.joined(noun)).filter(|_| plain)?;
        self.view.attributes.has(&name).then_some((owner, name))
    }

    /// "A double room at X costs 140 euros", "Check-in at X starts at 3 pm": an attribute that the base
    /// has, and what it comes to. Whether it is that.
    pub(super) fn comes_to(
        &mut self,
        subject: &Range<usize>,
        group: &Group,
        base: &str,
        pieces: &[(Option<String>, Range<usize>)],
    ) -> bool {
        let class = match pieces.first() {
            Some((None, object)) if self.money(object) => "costing",
            Some((Some(_), object)) if self.sole_time(object) => "beginning",
            _ => return false,
        };
        let object = pieces[0].1.clone();
        if group.copula || pieces.len() > 1 || !stance().has(class, base) {
            return false;
        }
        let from = subject.start + usize::from(self.is(subject.start, Cue::DETERMINER));
        let Some(link) = subject.clone().find(|i| self.links(*i) && *i > from) else {
            return false;
        };
        // "double rooms" are told of as "double room".
        let noun = self.joined(from..link);
        let one = noun.strip_suffix('s').unwrap_or(&noun);
        let known = |name: &&str| self.view.attributes.has(name);
        let owner = link + 1..subject.end;
        let name = [&*noun, one].into_iter().find(known).map(str::to_owned);
        let Some(name) = name.filter(|_| !owner.is_empty()) else {
            return false;
        };
        self.push_each(&owner, &name, &object, group.negative);
        true
    }

    /// "The Kestrel deposit": owner and attribute, where the base knows the name and has that
    /// attribute; no noun for what the named thing is ("the Kestrel model").
    fn compound(&self, subject: &Range<usize>) -> Option<(Range<usize>, String)> {
        let name = self.known_at(subject.start, subject.end);
        let name = name.filter(|name| self.plain_end(name))?;
        let rest = name.end..subject.end;
        let plain = |i: usize| self.word(i) && (!self.capital(i) || self.all_capitals(i));
        if rest.is_empty() || rest.len() > WORDS || !rest.clone().all(plain) {
            return None;
        }
        let noun = self.joined(rest);
        let attribute = self.attribute(&noun)?;
        let own = self.view.attributes.has(&attribute);
        (own && !frames().has("thing_noun", &noun)).then_some((name, attribute))
    }

    /// The name that the base knows at the start of the words, with the article before it.
    pub(super) fn known_at(&self, start: usize, end: usize) -> Option<Range<usize>> {
        let first = start + usize::from(self.text(start) == "the");
        let lexeme = self.view.lexemes.get(first)?;
        let mut mentions = self.view.mentions.iter();
        let known = mentions.find(|mention| {
            matches!(mention.resolution, Resolution::Known(_))
                && mention.span.start == lexeme.span.start
        })?;
        let lexemes = &self.view.lexemes;
        let last = lexemes.partition_point(|own| own.span.start < known.span.end);
        (first < last && last <= end).then_some(start..last)
    }

    /// Whether the words end as the name does that they hold, and with no genitive.
    fn plain_end(&self, name: &Range<usize>) -> bool {
        let end = self.view.lexemes[name.end - 1].span.end;
        let mut mentions = self.view.mentions.iter();
        mentions.any(|mention| mention.span.end == end)
    }

    fn all_capitals(&self, i: usize) -> bool {
        let word = self.view.word(i);
        word.len() > 1 && word.chars().all(char::is_uppercase)
    }

    /// "NorthPeak CEO Ada Lind said", "X's founder Ada Lind": whom the sentence says to be what to a
    /// thing that the base knows.
    pub(super) fn titled_names(&mut self) {
        let len = self.view.lexemes.len();
        let starts: Vec<usize> = (0..len).filter(|i| self.capital(*i)).collect();
        for start in starts {
            let Some((owner, attribute, name)) = self.titled_name(start) else {
                continue;
            };
            self.push(owner, attribute, name, false);
        }
    }

    fn titled_name(&self, start: usize) -> Option<(Range<usize>, String, Range<usize>)> {
        let len = self.view.lexemes.len();
        let name = self.known_at(start, len)?;
        if start.checked_sub(1).is_some_and(|i| self.narrows(i)) || self.opaque_at(start) {
            return None;
        }
        if !self.plain_end(&name) && !self.owns(name.end - 1) {
            return None;
        }
        let mut from = name.end;
        if self.text(from) == "s" && matches!(self.view.word(from - 1), "'" | "’") {
            from += 1;
        } else if from < len && matches!(self.view.word(from), "'" | "’") {
            // "Tarn Optics' founder"
            from += 1;
        }
        let person =
            |i: usize| i < len && self.capital(i) && class(self.text(i)).has(WordClass::GIVEN_NAME);
        let noun = |i: usize| i < len && self.word(i) && (!self.capital(i) || self.all_capitals(i));
        let end = (from + 1..=from + WORDS).find(|at| person(*at) && (from..*at).all(noun))?;
        let attribute = self.attribute(&self.joined(from..end))?;
        let held = self.view.attributes.has(&attribute);
        let last = (end..len)
            .take_while(|i| self.word(*i) && self.capital(*i) && !self.owns(*i))
            .last()?
            + 1;
        // "X CEO Ada Lind's house", "X CEO Ada": nobody's full name.
        let whole = last - end >= 2 && !(last < len && self.capital(last));
        (held && whole).then_some((start..name.end, attribute, end..last))
    }

    /// "former X CEO", "deputy X head".
    fn narrows(&self, i: usize) -> bool {
        let word = self.text(i);
        let hyphen = self.view.word(i) == "-";
        hyphen
            || matches!(word, "a" | "an")
            || stance().has("other_role", word)
            || stance().has("narrow_role", word)
    }

    /// "X's headquarters is located in Y": that X is. Whether it says so.
    pub(super) fn lies(&mut self, subject: &Range<usize>, group: &Group, end: usize) -> bool {
        let located = matches!(group.base.as_deref(), Some("locate" | "situate" | "base"));
        if !group.copula || !located {
            return false;
        }
        let owned = self.possessed(subject).or_else(|| self.compound(subject));
        let owned = owned.filter(|(_, name)| self.predicates().same(name, "location"));
        if let Some((owner, _)) = &owned {
            self.predicate(owner, group, end);
        }
        owned.is_some()
    }

    /// "X's seat is in Y", but all of "in progress" is a status.
    pub(super) fn is_placed(&self, object: &Range<usize>, attribute: &str, hour: bool) -> bool {
        let last = attribute.rsplit('_').next().unwrap_or(attribute);
        let inside = matches!(self.text(object.start), "in" | "at");
        (hour || inside && !frames().has("state_noun", last)) && object.len() > 1
    }

    /// "X's status is completed": a participle that is the value. Whether it says so.
    pub(super) fn stands(&mut self, subject: &Range<usize>, group: &Group, end: usize) -> bool {
        let value = group.verb..group.verb + 1;
        let alone = self.trim(group.verb..end.max(value.end)).end <= value.end;
        let Some((owner, attribute)) = self.possessed(subject).filter(|_| group.copula && alone)
        else {
            return false;
        };
        let last = attribute.rsplit('_').next().unwrap_or(&attribute);
        let state = frames().has("state_noun", last) && self.view.attributes.has(&attribute);
        if state {
            self.push(owner, attribute, value, group.negative);
        }
        state
    }

    /// "X (5 stars, 68 rooms)": counts in brackets, told of the name before them.
    pub(super) fn counted_in_brackets(
        &mut self,
        head: &Range<usize>,
        inner: &Range<usize>,
    ) -> bool {
        let mut parts = Vec::new();
        let mut from = inner.start;
        for at in inner.start..=inner.end {
            if at == inner.end || self.comma(at) {
                parts.push(self.trim(from..at));
                from = at + 1;
            }
        }
        let counts = |part: &Range<usize>| {
            part.len() >= 2
                && self.view.lexemes[part.start].kind == LexKind::Number
                && part
                    .clone()
                    .skip(1)
                    .all(|i| self.word(i) && !self.capital(i))
                && self
                    .counted(part)
                    .is_some_and(|name| self.view.attributes.has(&name))
        };
        if !parts.iter().all(counts) {
            return false;
        }
        for part in parts {
            self.has(head, part, false);
        }
        true
    }
}
