//! Values of a thing's own attributes that no "is" or "has" tells: "stands at 90 m", "its height of 90 m", "a
//! tower with a height of 90 m".

use std::ops::Range;

use crate::claims::view::SentenceView;
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::stance;
use crate::types::{LexFlags, Mention, Quantity, Resolution};

use super::{Group, Parser};

/// Most words of the attribute before a value.
const WORDS: usize = 4;

/// The end of a description, and what is said behind it: predicate, object, and whether it is denied.
pub(in crate::claims) type Further = (usize, Vec<(String, Range<usize>, bool)>);

/// Most words and marks before the colon behind a name.
const LABEL: usize = 12;

/// Marks and number of a list item before its first word, at most.
const NUMBERED: usize = 4;

/// Most words of a value that enumerations have.
const LISTED: usize = 3;

impl Parser<'_> {
    /// "The height of X stands at 90 m", "X's height is given as 90 m": an attribute that the base has, and
    /// what it comes to. Whether it is that.
    pub(super) fn amounts(
        &mut self,
        subject: &Range<usize>,
        group: &Group,
        base: &str,
        pieces: &[(Option<String>, Range<usize>)],
    ) -> bool {
        let (Some((prep, object)), Some((_, last))) = (pieces.first(), pieces.last()) else {
            return false;
        };
        let said = match prep {
            Some(prep) => [base, " ", prep].concat(),
            None => base.to_owned(),
        };
        let class = if group.copula { "put_at" } else { "amounts_to" };
        let object = self.trim(object.start..last.end);
        let listed = self.is_listed(&object);
        let valued =
            listed || !object.is_empty() && (self.counts(&object) || self.capital(object.start));
        if !valued || !stance().has(class, &said) {
            return false;
        }
        let owned = self.possessed(subject).or_else(|| self.within(subject));
        let Some((owner, name)) = owned.filter(|(_, name)| self.view.attributes.has(name)) else {
            // "X is marked as pending"
            if listed && group.copula {
                self.push(subject.clone(), "is".to_owned(), object, group.negative);
            }
            return listed && group.copula;
        };
        for owner in self.conjuncts(&owner, false) {
            self.push_each(&owner, &name, &object, group.negative);
        }
        true
    }

    /// Where the sentence begins behind a label: "**X**: its capacity is 900", "X – It opened in 1972",
    /// "Capacity: X seats 900".
    pub(super) fn behind_label(&self, start: usize) -> Option<usize> {
        self.label(start).map(|(_, first)| first)
    }

    /// The label and the first word behind it.
    fn label(&self, start: usize) -> Option<(Range<usize>, usize)> {
        let end = self.view.lexemes.len();
        let spaced = |i: usize| {
            let own = self.view.lexemes.get(i);
            own.is_some_and(|lexeme| lexeme.flags.has(LexFlags::SPACE_BEFORE))
        };
        let mut behind = start..end.min(start + LABEL);
        let at = behind.find(|i| match self.view.word(*i) {
            ":" => true,
            "-" | "–" | "—" => spaced(*i) && spaced(*i + 1),
            _ => false,
        })?;
        let label = self.trim(start..at);
        let named = self.is_named(&label);
        let verb = |from: usize| (from + 1..end).find(|i| self.finite(*i, from, false));
        // "Rival of X: It was …"
        let place = self.span(&label);
        let within = |mention: &Mention| place.is_some_and(|place| place.overlaps(mention.span));
        let beside = !named && self.view.mentions.iter().any(within);
        let plain =
            !beside && (named || self.view.word(at) == ":" && verb(start).is_none_or(|i| i > at));
        let first = (at + 1..end).find(|i| self.word(*i) && !self.opaque_at(*i))?;
        (plain && self.says_clause(first, verb(first)?)).then_some((label, first))
    }

    /// Whether a clause of its own begins there: with a pronoun, or a description or a name of the base right
    /// before the verb.
    fn says_clause(&self, first: usize, verb: usize) -> bool {
        let end = self.view.lexemes.len();
        let pronoun = Cue::PRONOUN_THING
            .or(Cue::PRONOUN_PERSON)
            .or(Cue::PRONOUN_GROUP);
        if self.is(first, pronoun.or(Cue::POSSESSIVE)) {
            return true;
        }
        let parts = |i: &usize| self.comma(*i) || matches!(self.text(*i), "that" | "which" | "who");
        let Some(part) = (first..end).find(parts).filter(|i| *i < verb) else {
            let described = matches!(self.text(first), "the" | "this");
            return described || self.is_named(&(first..verb));
        };
        // "Opened in 1972, it seats 900"
        self.comma(part) && self.is(part + 1, pronoun)
    }

    /// Whether the words are a name of the base, with its article and what stands in brackets behind it.
    fn is_named(&self, words: &Range<usize>) -> bool {
        let opened = words.clone().find(|i| self.view.word(*i) == "(");
        let closed = (words.end.saturating_sub(1)..=words.end).any(|i| self.view.word(i) == ")");
        let name = match opened {
            Some(open) if closed => self.trim(words.start..open),
            _ => words.clone(),
        };
        let Some(place) = self.span(&name).filter(|_| !name.is_empty()) else {
            return false;
        };
        let article = usize::from(self.is(name.start, Cue::DETERMINER));
        self.view.mentions.iter().any(|mention| {
            matches!(mention.resolution, Resolution::Known(_))
                && self.view.lexemes_in(mention.span).start <= name.start + article
                && mention.span.end == place.end
        })
    }

    /// The label behind which a sentence of its own stands.
    pub(in crate::claims) fn label_in(view: &SentenceView<'_>) -> Option<Range<usize>> {
        let ends = |i: usize| matches!(view.word(i), ":" | "-" | "–" | "—");
        let reach = view.lexemes.len().min(LABEL + NUMBERED);
        (0..reach).any(ends).then_some(())?;
        let folded = view.folded();
        let parser = Parser::new(view, &folded, Vec::new());
        parser.label(parser.first_word()).map(|(label, _)| label)
    }

    /// Whether words are an attribute of somebody or something that they name: "CEO of X", "X's CEO".
    pub(in crate::claims) fn owned_in(view: &SentenceView<'_>, key: &Range<usize>) -> bool {
        let folded = view.folded();
        let parser = Parser::new(view, &folded, Vec::new());
        let owned = parser.possessed(key).or_else(|| parser.within(key));
        owned.is_some_and(|(owner, name)| {
            let owner = parser.span(&owner);
            let mut known = (view.mentions.iter())
                .filter(|mention| matches!(mention.resolution, Resolution::Known(_)));
            let named =
                known.any(|mention| owner.is_some_and(|owner| owner.overlaps(mention.span)));
            let told =
                view.attributes.has(&name) || view.attributes.predicates().named(&name).is_some();
            named && told
        })
    }

    /// "a hall that opened in 1972", "the best hall in town, opened in 1972": where the description ends, and
    /// what is said of the thing behind it.
    pub(in crate::claims) fn further_in(
        view: &SentenceView<'_>,
        value: &Range<usize>,
    ) -> Option<Further> {
        let folded = view.folded();
        let parser = Parser::new(view, &folded, Vec::new());
        let relative = |i: &usize| matches!(parser.text(*i), "that" | "which" | "who");
        // "a company founded in 1987"
        let reduced = |i: &usize| {
            *i > value.start + 1 && parser.past(*i) && parser.is(*i + 1, Cue::PREPOSITION)
        };
        let part = value
            .clone()
            .find(|i| parser.comma(*i) || relative(i) || reduced(i))?;
        let near = (value.start..part).all(|i| !parser.is(i, Cue::PREPOSITION));
        let described = parser.is(value.start, Cue::DETERMINER) && part > value.start + 1;
        if !described || !(near || parser.comma(part)) {
            return None;
        }
        let first = if reduced(&part) {
            part
        } else {
            part + 1 + usize::from(parser.comma(part) && relative(&(part + 1)))
        };
        let more = Self::unspoken_in(view, first..value.end);
        (!more.is_empty()).then_some((part, more))
    }

    /// Whether the words are a value that enumerations have ("pending", "in progress").
    pub(super) fn is_listed(&self, range: &Range<usize>) -> bool {
        let spoken: Vec<&str> = range.clone().map(|i| self.text(i)).collect();
        spoken.len() <= LISTED && stance().of("listed_", &spoken.join(" ")).is_some()
    }

    /// "has the status pending", "has a pending status", "has high priority": an attribute that the base has,
    /// and a value that enumerations have.
    pub(super) fn listed(&self, object: &Range<usize>) -> Option<(String, Range<usize>)> {
        let start = object.start + usize::from(self.is(object.start, Cue::DETERMINER));
        let named = |range: Range<usize>| {
            let name = self.attribute(&self.joined(range))?;
            self.view.attributes.has(&name).then_some(name)
        };
        (start + 1..object.end).find_map(|at| {
            let (first, second) = (start..at, at..object.end);
            if self.is_listed(&second) {
                return Some((named(first)?, second));
            }
            let graded = stance().has("graded", &self.joined(second.clone()));
            (graded && self.is_listed(&first)).then(|| Some((named(second)?, first.clone())))?
        })
    }

    /// "X's height of 90 m", "its height of 90 m", "its height being 90 m", "is a tower with a height of 90 m".
    pub(super) fn possessions(&mut self) {
        let link = Cue::PREPOSITION.or(Cue::CONJUNCTION);
        for quantity in self.view.quantities {
            let Some((noun, name)) = self.named_before(quantity) else {
                continue;
            };
            let value = self.view.lexemes_in(quantity.span);
            let Some(before) = noun.checked_sub(1).filter(|i| !self.opaque_at(*i)) else {
                continue;
            };
            let with = before.checked_sub(1).filter(|i| self.text(*i) == "with");
            // "lost its height of", "makes its height of"
            let ahead = before.checked_sub(1);
            let done = ahead.is_some_and(|i| self.verb(i).is_some() && !self.is(i, link));
            let owner = if self.is(before, Cue::POSSESSIVE) {
                (!done && !self.named_only_behind(before)).then_some(before..noun)
            } else if self.owns(before) {
                self.known_to(before)
            } else {
                with.filter(|_| matches!(self.text(before), "a" | "an"))
                    .and_then(|with| self.told_with(with))
            };
            let told = |own: &super::Relation| own.object.start == value.start;
            if let Some(owner) = owner.filter(|_| !self.found.iter().any(told)) {
                self.push(owner, name, value, false);
            }
        }
    }

    /// "Nora Brandt's novel Glass Orchard": who made a work that the base knows.
    pub(super) fn works_of(&mut self) {
        for mention in self.view.mentions {
            let work = self.view.lexemes_in(mention.span);
            let known = matches!(mention.resolution, Resolution::Known(_));
            let Some(last) = work.start.checked_sub(2) else {
                continue;
            };
            let noun = last + 1;
            let made = [
                ("author_of", "author"),
                ("director_of", "director"),
                ("artist_of", "artist"),
            ]
            .into_iter()
            .find(|(class, _)| stance().has(class, self.text(noun)))
            .and_then(|(_, name)| self.attribute(name));
            let name = made.filter(|name| self.view.attributes.has(name));
            let capital = |i: &usize| self.word(*i) && self.capital(*i);
            let first = (0..=last).rev().take_while(capital).last();
            let whole = work.end >= self.view.lexemes.len()
                || !self.word(work.end)
                || self.verb(work.end).is_some()
                || self.is(
                    work.end,
                    Cue::COPULA.or(Cue::AUXILIARY).or(Cue::PREPOSITION),
                );
            let told = known && whole && !work.is_empty() && self.owns(last);
            if let (Some(name), Some(first), true) = (name, first, told) {
                self.push(work, name, first..last + 1, false);
            }
        }
    }

    /// Where the words begin that name an attribute of the base before "of" or "being" and the number.
    fn named_before(&self, quantity: &Quantity) -> Option<(usize, String)> {
        let value = self.view.lexemes_in(quantity.span).start;
        let link = value.checked_sub(1)?;
        if !matches!(self.text(link), "of" | "being") {
            return None;
        }
        (link.saturating_sub(WORDS)..link).find_map(|from| {
            let plain = (from..link).all(|i| self.word(i) && !self.is(i, Cue::FUNCTION));
            let name = self.attribute(&self.joined(from..link)).filter(|_| plain)?;
            self.view.attributes.has(&name).then_some((from, name))
        })
    }

    /// The name that the base knows and that ends with the lexeme, a genitive.
    fn known_to(&self, last: usize) -> Option<Range<usize>> {
        let at = self.view.lexemes[last].span;
        let mention = self.view.mentions.iter().find(|mention| {
            mention.span.overlaps(at) && matches!(mention.resolution, Resolution::Known(_))
        })?;
        Some(self.view.lexemes_in(mention.span).start..last + 1)
    }

    /// "Its height of 90 m makes X …": what is named behind alone may be another thing.
    fn named_only_behind(&self, at: usize) -> bool {
        let at = self.view.lexemes[at].span.start;
        let known = |m: &&Mention| matches!(m.resolution, Resolution::Known(_));
        let mut known = self.view.mentions.iter().filter(known);
        known.next().is_some_and(|first| first.span.start > at)
    }

    /// What is said to be a thing "with": "X is a tower with …".
    fn told_with(&self, with: usize) -> Option<Range<usize>> {
        let is = self.found.iter().find(|own| {
            own.predicate == "is"
                && !own.negative
                && own.object.start < with
                && with <= own.object.end
                && matches!(self.text(own.object.start), "a" | "an")
        })?;
        let between = is.object.start + 1..with;
        let other = Cue::PREPOSITION.or(Cue::DETERMINER);
        let plain = |i: usize| self.word(i) && !self.is(i, other);
        let named = is.subject.clone().any(|i| self.capital(i))
            || matches!(self.text(is.subject.start), "it" | "he" | "she");
        (named && between.clone().all(plain)).then(|| is.subject.clone())
    }

    /// "The life expectancy in X": an attribute that the base has, and whose it is.
    pub(super) fn within(&self, subject: &Range<usize>) -> Option<(Range<usize>, String)> {
        let first = subject.start + usize::from(self.is(subject.start, Cue::DETERMINER));
        let at = (first + 1..subject.end)
            .find(|i| matches!(self.text(*i), "in" | "on" | "at") && !self.inside_value(*i))?;
        let owner = self.known_at(at + 1, subject.end)?;
        let name = self.attribute(&self.joined(first..at))?;
        let whole = owner.end == subject.end && self.view.attributes.has(&name);
        whole.then_some((owner, name))
    }

    /// "The height is 90 m at X": an attribute that the base has, its value, and whose it is.
    pub(super) fn said_at(
        &self,
        subject: &Range<usize>,
        object: &Range<usize>,
    ) -> Option<(Range<usize>, String, Range<usize>)> {
        let noun = subject.start + 1..subject.end;
        let plain = self.text(subject.start) == "the" && !noun.is_empty();
        let name = self.attribute(&self.joined(noun)).filter(|_| plain)?;
        let at = object.clone().find(|i| {
            matches!(self.text(*i), "at" | "for" | "of" | "in") && !self.inside_value(*i)
        })?;
        let owner = self.known_at(at + 1, object.end)?;
        let value = self.trim(object.start..at);
        let told = owner.end == object.end && !value.is_empty() && self.view.attributes.has(&name);
        told.then_some((owner, name, value))
    }
}
