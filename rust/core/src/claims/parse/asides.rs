//! What is said without a verb of its own: in brackets, behind a dash or a colon, left out because
//! the clause before has it.

use std::ops::Range;

use crate::lexicon::cues::Cue;
use crate::lexicon::persons::persons;
use crate::lexicon::tables::kinds;
use crate::types::{LexFlags, LexKind, QuantityKind, Span};

use super::Parser;

/// Most lexemes of an aside in brackets.
const ASIDE: usize = 8;
/// No age.
const OLDEST: f64 = 120.0;
/// Most words of a name in front of an aside, a dash or a colon.
const NAME: usize = 6;

impl Parser<'_> {
    /// "John Smith (Marketing)", "the museum (founded 1987)": reads asides in brackets that have no
    /// clause of their own, and hides them from the clauses around them.
    pub(super) fn asides(&mut self) {
        let len = self.view.lexemes.len();
        let mut at = 0;
        while let Some(open) = (at..len).find(|i| self.view.word(*i) == "(") {
            let close = (open + 1..len.min(open + ASIDE + 2)).find(|i| self.view.word(*i) == ")");
            let Some(close) = close else {
                return;
            };
            at = close + 1;
            let inner = self.trim(open + 1..close);
            if inner.is_empty() || self.opaque_at(open) {
                continue;
            }
            let participle = self.established(inner.start) || self.past(inner.start);
            let clause = !participle && inner.clone().any(|i| self.finite(i, inner.start, false));
            let head = self.noun_before(open);
            if clause || head.is_empty() || head.len() > NAME || open == 0 || !self.word(open - 1) {
                continue;
            }
            if participle {
                self.happened(&head, &inner);
            } else if !self.lifespan(&head, &inner)
                && self.ends_name(&head)
                && let Some(attribute) = self.attribute_of(&inner).or_else(|| self.post(&inner))
            {
                let head = self.own_name(head.clone());
                self.push(head, attribute, inner.clone(), false);
            } else if self.ends_name(&head) {
                let head = self.own_name(head.clone());
                let told: Vec<_> = self
                    .terse(&inner)
                    .into_iter()
                    .filter_map(|(_, told)| told)
                    .collect();
                if told.is_empty() {
                    self.counted_in_brackets(&head, &inner);
                }
                for (attribute, value) in told {
                    self.push(head.clone(), attribute, value, false);
                }
            }
            let (first, last) = (self.view.lexemes[open].span, self.view.lexemes[close].span);
            self.opaque.push(Span::new(first.start, last.end));
        }
    }

    /// "TrailRunner 5" ends as a name does.
    fn ends_name(&self, head: &Range<usize>) -> bool {
        let last = head.end - 1;
        let number = self.view.lexemes[last].kind == LexKind::Number;
        self.capital(last) || number && head.len() > 1 && self.capital(last - 1)
    }

    /// "Head of Sales", "Senior Engineer", where the base has such posts.
    fn post(&self, inner: &Range<usize>) -> Option<String> {
        let end = inner.clone().find(|i| self.text(*i) == "of");
        let head = end.unwrap_or(inner.end).checked_sub(1)?;
        let post = self.capital(inner.start) && kinds().has("post", self.text(head));
        let own = self.predicates().named("title")?;
        let held = self.view.attributes.has(&own.name)
            || own
                .synonyms
                .iter()
                .any(|name| self.view.attributes.has(name));
        (post && held).then(|| "title".to_owned())
    }

    /// "Ada Lind (1910–1979)": when a person was born and died, where the base has such days.
    fn lifespan(&mut self, head: &Range<usize>, inner: &Range<usize>) -> bool {
        let years: Vec<usize> = inner
            .clone()
            .filter(|i| self.bare_year(&(*i..*i + 1)))
            .collect();
        let [from, to] = years.as_slice() else {
            return false;
        };
        let marks = (inner.clone()).all(|i| years.contains(&i) || !self.word(i));
        let head = self.own_name(head.clone());
        if !marks || !self.capital(head.end - 1) || !self.somebody(&head) {
            return false;
        }
        for (name, year) in [("born", *from), ("died", *to)] {
            if let Some(name) = self
                .attribute(name)
                .filter(|name| self.view.attributes.has(name))
            {
                self.push(head.clone(), name, year..year + 1, false);
            }
        }
        true
    }

    /// "Ada Lind, 45, …": the age of a person, where the base has ages.
    pub(super) fn ages(&mut self) {
        let Some(name) = self
            .attribute("age")
            .filter(|name| self.view.attributes.has(name))
        else {
            return;
        };
        for i in 1..self.view.lexemes.len().saturating_sub(2) {
            let after = self.view.word(i + 2);
            if !self.comma(i) || !matches!(after, "," | "." | ")" | ";") || self.opaque_at(i) {
                continue;
            }
            let place = self.view.lexemes[i + 1].span;
            let years = self.view.quantities.iter().any(|q| {
                q.span == place
                    && q.kind == QuantityKind::Cardinal
                    && q.unit.is_none()
                    && q.value.fract() == 0.0
                    && (1.0..OLDEST).contains(&q.value)
            });
            let head = self.noun_before(i);
            if !years || head.is_empty() || head.len() > NAME {
                continue;
            }
            let head = self.own_name(head);
            if self.capital(head.end - 1) && self.somebody(&head) {
                self.push(head, name.clone(), i + 1..i + 2, false);
            }
        }
    }

    /// "est. 1992"
    fn established(&self, i: usize) -> bool {
        self.text(i).trim_end_matches('.') == "est"
    }

    /// "born 1990", "founded in 1987 by Y" in brackets.
    fn happened(&mut self, head: &Range<usize>, inner: &Range<usize>) {
        let base = self.established(inner.start).then_some("establish");
        let Some(base) = base.or_else(|| self.verb(inner.start)) else {
            return;
        };
        let rest = self.trim(inner.start + 1..inner.end);
        if rest.is_empty() {
            return;
        }
        if !self.dated(&rest) || self.is(rest.start, Cue::PREPOSITION) {
            self.participle(head, inner.clone());
            return;
        }
        let named = self
            .predicates()
            .of_phrase(&[base, " in"].concat())
            .find(|predicate| predicate.dated);
        let Some(named) = named.map(|named| named.name.clone().into_owned()) else {
            return;
        };
        // "born 3 April 1961, Leeds"
        let comma = rest.clone().rev().find(|i| self.comma(*i));
        let place = comma.map(|comma| self.trim(comma + 1..rest.end));
        let place = place.filter(|place| {
            let named = |i| self.word(i) && self.capital(i) && !self.inside_value(i);
            !place.is_empty() && place.len() <= NAME && place.clone().all(named)
        });
        let (Some(place), Some(comma)) = (place, comma) else {
            self.push(head.clone(), named, rest, false);
            return;
        };
        let attribute = match base {
            "bear" => "birthplace",
            "die" => "deathplace",
            _ => "",
        };
        let attribute = self
            .attribute(attribute)
            .filter(|name| self.view.attributes.has(name));
        if let Some(name) = attribute {
            self.push(head.clone(), name, place, false);
        }
        self.push(head.clone(), named, self.trim(rest.start..comma), false);
    }

    /// "Our colleague Dana Cole": the name.
    fn own_name(&self, head: Range<usize>) -> Range<usize> {
        let first = head.clone().rev().take_while(|i| self.capital(*i)).last();
        first.unwrap_or(head.start)..head.end
    }

    /// Which attribute a value on its own is one of, where its form tells.
    pub(super) fn attribute_of(&self, value: &Range<usize>) -> Option<String> {
        let span = self.span(value)?;
        let text = self.view.at(span);
        if text.contains('@') && !text.contains(' ') {
            return self.attribute("email");
        }
        let last = value.end - 1;
        let bare = match self.unit(value) {
            Some(_) => true,
            None => {
                value.len() == 1 && self.capital(value.start) && persons().is_unit(self.text(last))
            }
        };
        if bare {
            return self.attribute("department");
        }
        let money = self.view.quantities.iter().any(|q| {
            q.kind == QuantityKind::Money && span.overlaps(q.span) && span.len() <= q.span.len() + 2
        });
        self.attribute("price")
            .filter(|name| money && self.view.attributes.has(name))
    }

    /// "**Zeta Phone** - $599", "Price of the Zeta Phone: $599", "John Smith: Marketing": a name and a
    /// value without a verb.
    pub(super) fn labelled(&mut self, range: Range<usize>) {
        let mark = |i: &usize| {
            matches!(self.view.word(*i), "-" | "–" | "—" | ":") && !self.inside_value(*i)
        };
        let Some(at) = range.clone().find(|i| *i > range.start && mark(i)) else {
            return;
        };
        let (head, value) = (self.trim(range.start..at), self.trim(at + 1..range.end));
        let verbal =
            |range: &Range<usize>| range.clone().any(|i| self.finite(i, range.start, false));
        let long = head.len() > NAME + 2 || value.len() > ASIDE;
        if head.is_empty() || value.is_empty() || long || verbal(&head) || verbal(&value) {
            return;
        }
        if self.view.word(at) == ":" {
            let owned = self
                .of(&head)
                .map(|(name, owner)| (owner, name))
                .or_else(|| {
                    self.genitive(&head)
                        .filter(|(_, name)| self.attribute(name).is_some())
                });
            if let Some((owner, name)) =
                owned.filter(|(owner, _)| owner.clone().any(|i| self.capital(i)))
            {
                self.push(owner, name, value, false);
                return;
            }
        }
        let numbered = |i: usize| {
            let kind = self.view.lexemes[i].kind;
            // "TrailRunner 5 – $99" may be a range.
            let label = self.view.word(at) == ":" && kind == LexKind::Number;
            label && i > head.start && self.capital(i - 1)
        };
        let name = head.clone().all(|i| {
            !self.word(i) || self.capital(i) || self.is(i, Cue::DETERMINER) || numbered(i)
        });
        if let Some(attribute) = self.attribute_of(&value).filter(|_| name) {
            self.push(head, attribute, value, false);
        } else if name {
            for (attribute, value) in self.terse(&value).into_iter().filter_map(|(_, told)| told) {
                self.push(head.clone(), attribute, value, false);
            }
        }
    }

    /// "What X wrote was Y": X wrote Y; where the sentence goes on.
    pub(super) fn free_relative(&mut self, start: usize) -> Option<usize> {
        let len = self.view.lexemes.len();
        if self.text(start) != "what" || start + 1 >= len {
            return None;
        }
        let from = start + 1;
        let verb = (from + 1..len).find(|i| self.finite(*i, from, false))?;
        let inner = self.group(self.group_start(from, verb, false), verb);
        let base = inner.base.clone().filter(|_| !inner.copula)?;
        let copula = (inner.end..len).find(|i| self.is(*i, Cue::COPULA))?;
        let subject = self.trim(self.clause_subject(from, verb));
        let outer = self.group(copula, copula);
        let end = self.clause_end(outer.end);
        let object = self.trim(outer.end..end);
        if copula != inner.end || subject.is_empty() || object.is_empty() {
            return None;
        }
        let inverse = self.predicates().of_phrase(&["^", &base].concat()).next();
        let negative = inner.negative != outer.negative;
        match inverse {
            Some(inverse) => {
                self.push(object, inverse.name.clone().into_owned(), subject, negative);
            }
            None => self.push(subject, base.replace(' ', "_"), object, negative),
        }
        Some(end.max(copula + 1))
    }

    /// "works in Legal" as an item below a name: what is said of that name, the subject left empty.
    pub(super) fn unspoken(mut self, range: Range<usize>) -> Vec<super::Relation> {
        let first = range.start;
        // "- Founded in 1987", "**Opening**: Opened in 1987"
        let flags = self.view.lexemes.get(first).map(|lexeme| lexeme.flags);
        let begins = flags.is_some_and(|flags| {
            flags.has(LexFlags::SENTENCE_START) || flags.has(LexFlags::AFTER_OPENER)
        });
        let next = first + 1 < self.view.lexemes.len() && self.capital(first + 1);
        let verbal = self.word(first)
            && (!self.capital(first) || begins && !next)
            && (self.is(first, Cue::COPULA)
                || matches!(self.text(first), "has" | "had")
                || self.verb(first).is_some_and(|base| {
                    let text = self.text(first);
                    text != base && !text.ends_with("ing")
                }));
        if !verbal {
            return Vec::new();
        }
        let mut group = self.group(first, first);
        // "founded in 1987", "located in Graz": passive.
        group.copula |= self.past(first)
            && (self.text(first + 1) == "by"
                || group.base.as_deref().is_some_and(|base| {
                    self.is(first + 1, Cue::PREPOSITION)
                        && self.speaks_of(base, self.text(first + 1))
                }));
        let end = self.clause_end(group.end).min(range.end);
        self.predicate(&(first..first), &group, end);
        self.found
            .retain(|found| found.subject.is_empty() && !found.object.is_empty());
        self.found
    }
}
