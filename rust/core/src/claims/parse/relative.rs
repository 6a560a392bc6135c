//! Who a clause is about: relative clauses, appositions, participles, members of units.

use std::ops::Range;

use crate::lexicon::cues::Cue;
use crate::lexicon::persons::persons;
use crate::lexicon::tables::stance;
use crate::lexicon::words::{WordClass, class};
use crate::types::LexKind;

use super::{Clause, Group, Leading, Opener, Parser};

impl Parser<'_> {
    /// Whether the words that open a clause make it a condition.
    pub(super) fn opener(&self, start: usize, at: usize) -> Opener {
        let condition = (start.saturating_sub(1)..at)
            .take_while(|i| {
                *i < start
                    || !self.word(*i)
                    || self.is(*i, Cue::BREAK.or(Cue::CONJUNCTION).or(Cue::CONDITION))
            })
            .any(|i| self.is(i, Cue::CONDITION));
        if condition {
            Opener::Conditional
        } else {
            Opener::Plain
        }
    }

    /// Whether this is a relative pronoun right before the verb at `at`.
    fn relative(&self, i: usize, at: usize) -> bool {
        matches!(self.text(i), "who" | "which" | "that")
            && (i + 1..at).all(|n| self.is(n, Cue::ADVERB.or(Cue::NEGATION)))
    }

    /// Sets the subject of the verb group at `at`.
    pub(super) fn take_subject(&mut self, clause: &mut Clause, start: usize, at: usize) {
        clause.relative = false;
        clause.skipped = false;
        let pronoun = (start..at).rev().find(|i| self.relative(*i, at));
        let whose = (start..at).find(|i| self.text(*i) == "whose");
        if let Some(at) = whose.or(pronoun) {
            let head = self.trim(self.clause_subject(start, at));
            clause.relative = true;
            clause.skipped = whose.is_some();
            if head.is_empty() {
                let head = self.noun_before(at);
                if !head.is_empty() {
                    clause.subject = head;
                }
            } else {
                clause.neither = self.text(head.start) == "neither";
                clause.subject = self.appositions(head);
                clause.resume = Some(clause.subject.clone());
            }
            return;
        }
        let own = self.trim(self.clause_subject(start, at));
        if own.is_empty() {
            if let Some(subject) = clause.resume.take() {
                clause.subject = subject;
            }
            return;
        }
        clause.resume = None;
        clause.neither = own.start > start && (start..own.start).any(|i| self.text(i) == "neither")
            || self.text(own.start) == "neither";
        clause.subject = self.appositions(own);
    }

    /// The noun phrase right before a lexeme, marks aside.
    pub(super) fn noun_before(&self, at: usize) -> Range<usize> {
        let mut end = at;
        while end > 0 && !self.word(end - 1) {
            end -= 1;
        }
        let mut start = end;
        while start > 0 {
            let i = start - 1;
            let of = self.text(i) == "of";
            if !self.word(i)
                || self.opaque_at(i)
                || (self.is(
                    i,
                    Cue::PREPOSITION
                        .or(Cue::CONJUNCTION)
                        .or(Cue::COPULA)
                        .or(Cue::AUXILIARY),
                ) && !of)
                || self.finite(i, 0, true)
                || self.text(i).ends_with("ed") && !self.capital(i)
            {
                break;
            }
            start = i;
            if self.is(i, Cue::DETERMINER) {
                break;
            }
        }
        start..end
    }

    /// Takes the first part of "X, the CEO of Y," as subject and reads the others.
    fn appositions(&mut self, range: Range<usize>) -> Range<usize> {
        let commas: Vec<usize> = range.clone().filter(|i| self.comma(*i)).collect();
        let Some(first) = commas.first() else {
            return range;
        };
        if range.clone().any(|i| self.is(i, Cue::CONJUNCTION))
            && self.conjuncts(&range, false).len() > 2
        {
            return range;
        }
        let subject = self.trim(range.start..*first);
        for (n, comma) in commas.iter().enumerate() {
            let part = self.trim(comma + 1..commas.get(n + 1).copied().unwrap_or(range.end));
            if part.is_empty() {
                continue;
            }
            if self.verb(part.start).is_some() && !self.capital(part.start) {
                self.participle(&subject, part);
            } else if self.is(part.start, Cue::DETERMINER)
                || self.capital(part.start)
                || self.of(&part).is_some()
            {
                self.copula(&subject, part, false);
            }
        }
        subject
    }

    /// "founded in 1847 by Y" said of `subject`.
    pub(super) fn participle(&mut self, subject: &Range<usize>, part: Range<usize>) {
        let Some(base) = self.verb(part.start) else {
            return;
        };
        let group = Group {
            end: part.start + 1,
            verb: part.start,
            base: Some(base.to_owned()),
            copula: !self.text(part.start).ends_with("ing"),
            has: false,
            negative: false,
        };
        self.predicate(subject, &group, part.end);
    }

    /// Whether the verb is a participle that describes the noun before it: "a house owned by Y
    /// burned down", "X, founded in 1847, employs".
    pub(super) fn reduced(&self, group: &Group, verb: usize, start: usize, at: usize) -> bool {
        if group.copula || group.has || at != verb || verb == start || !self.past(verb) {
            return false;
        }
        if self.text(verb + 1) == "by" && self.word(verb - 1) {
            let end = self.clause_end(verb + 1);
            return self.next_finite(verb + 1, end).is_some();
        }
        let parts = |i: usize| self.comma(i) || matches!(self.view.word(i), "–" | "—");
        parts(verb - 1) && (start..verb - 1).any(|i| self.word(i)) && {
            let end = self.clause_end(verb + 1);
            end < self.view.lexemes.len()
                && parts(end)
                && self.verb_follows(end + 1)
                && !self.is(end + 1, Cue::CONJUNCTION)
        }
    }

    /// A past or participle form, not the base form.
    pub(super) fn past(&self, i: usize) -> bool {
        let word = self.text(i);
        self.verb(i).is_some_and(|base| {
            let present = word.ends_with("ing") || word.ends_with('s') && !word.ends_with("ss");
            word != base && !present
        })
    }

    /// The finite verb that ends a relative clause before `end`.
    pub(super) fn next_finite(&self, from: usize, end: usize) -> Option<usize> {
        let plural = self.plural_before(from);
        let found = (from + 1..end).find(|i| {
            self.finite(*i, from, true)
                || plural
                    && self.verb(*i).is_some_and(|base| base == self.text(*i))
                    && self.word(i - 1)
                    && !self.is(
                        i - 1,
                        Cue::DETERMINER
                            .or(Cue::PREPOSITION)
                            .or(Cue::ADJECTIVE)
                            .or(Cue::POSSESSIVE),
                    )
                    && self.word(i + 1)
        });
        found.map(|i| self.group_start(from, i, true))
    }

    /// Whether the verb that ends at `from` has "who" or "that" after a plural for its subject.
    fn plural_before(&self, from: usize) -> bool {
        (from.saturating_sub(3)..from)
            .filter(|i| *i > 0 && matches!(self.text(*i), "who" | "that" | "which"))
            .any(|i| self.text(i - 1).ends_with('s'))
    }

    /// Reads what stands in front of the first subject; whether it said what the verb does.
    pub(super) fn fronted(
        &mut self,
        subject: &Range<usize>,
        group: &Group,
        leading: &Leading,
        end: usize,
    ) -> bool {
        let before = self.found.len();
        match leading {
            Leading::Participle(range) => {
                self.participle(subject, range.clone());
                return false;
            }
            // "In 1990, X was founded": the date stands in front.
            Leading::Adverbial(range) => {
                let object = range.start + 1..range.end;
                if let Some(base) = &group.base
                    && (self.dated(&object)
                        || self.habitual(&object) && !self.clocked(&(group.end..end)))
                    && !self.acts_on_another(group, base, end)
                    && self.speaks_of(base, self.text(range.start))
                {
                    let prep = self.text(range.start).to_owned();
                    for holder in self.holders(subject, group, base, end) {
                        self.prepositional(&holder, base, &prep, object.clone(), group.negative);
                    }
                }
            }
        }
        self.found.len() > before
    }

    /// "In 1995, X opened a bar", "opened again": the bar is what the date is of, or another time.
    fn acts_on_another(&self, group: &Group, base: &str, end: usize) -> bool {
        let inverse = self.predicates().of_phrase(&["^", base].concat()).next();
        let own = Cue::DETERMINER.or(Cue::POSSESSIVE);
        // "opened its doors", "opened again"
        let itself = |i: usize| stance().has("itself", self.text(i));
        let opens = group.end < end && self.is(group.end, own) && !itself(group.end + 1);
        let again = matches!(self.text(group.end), "again" | "anew");
        let launched = stance().has("launching", base) && self.known_at(group.end, end).is_some();
        again || !group.copula && inverse.is_none() && base != "join" && opens && !launched
    }

    /// Of what a date is told: of what was founded, where it says who founded it.
    fn holders(
        &self,
        subject: &Range<usize>,
        group: &Group,
        base: &str,
        end: usize,
    ) -> Vec<Range<usize>> {
        let inverse = self.predicates().of_phrase(&["^", base].concat()).next();
        let launched = stance().has("launching", base);
        if group.copula || inverse.is_none() && !launched {
            return vec![subject.clone()];
        }
        let pieces = self.pieces(group.end..end.max(group.end));
        match pieces.first() {
            Some((None, object)) if inverse.is_some() && !object.is_empty() => {
                self.conjuncts(object, group.negative)
            }
            Some((None, object)) if self.known_at(object.start, object.end).is_some() => {
                vec![object.clone()]
            }
            _ => vec![subject.clone()],
        }
    }

    /// "X, whose curator is Y, …": Y is that of X.
    pub(super) fn owned_by_whose(
        &mut self,
        owner: &Range<usize>,
        front: Range<usize>,
        group: &Group,
        end: usize,
    ) {
        let whose = front.clone().find(|i| self.text(*i) == "whose");
        let Some(whose) = whose.filter(|_| group.copula && group.base.is_none()) else {
            return;
        };
        let owner = if owner.is_empty() {
            self.noun_before(whose)
        } else {
            owner.clone()
        };
        let noun = self.trim(whose + 1..front.end);
        let object = self.trim(group.end..end.max(group.end));
        let name = self.attribute(&self.joined(noun));
        let Some(name) = name.filter(|name| self.view.attributes.has(name)) else {
            return;
        };
        if object.is_empty() || owner.is_empty() {
            return;
        }
        // "whose seat is in Y"
        let seat = self.predicates().same(&name, "location");
        let placed = seat && self.is_placed(&object, &name, false);
        let object = object.start + usize::from(placed)..object.end;
        let one = self.capital(owner.end - 1) || matches!(self.text(owner.start), "a" | "an");
        if one && !self.is(object.start, Cue::PREPOSITION) {
            self.push_each(&owner, &name, &object, group.negative);
        }
    }

    /// Reads the apposition after a clause that ends at a comma; where the next clause starts.
    pub(super) fn trailing(&mut self, from: usize, end: usize) -> usize {
        let len = self.view.lexemes.len();
        if end >= len || !self.comma(end) || end <= from {
            return end;
        }
        let stop = (end + 1..len)
            .find(|i| self.view.lexemes[*i].kind == LexKind::Punct && !self.inside_value(*i))
            .unwrap_or(len);
        let part = self.trim(end + 1..stop);
        let head = self.noun_before(end);
        let starts = matches!(self.text(part.start), "the" | "a" | "an");
        if part.is_empty()
            || head.is_empty()
            || head.start < from
            || !starts
            || !self.capital(head.end - 1)
            || part
                .clone()
                .any(|i| self.finite(i, part.start, true) || self.is(i, Cue::CONJUNCTION))
        {
            return end;
        }
        self.copula(&head, part, false);
        stop
    }

    /// Whether the clause only reports what follows: "The court ruled that …", "It is possible
    /// that …".
    pub(super) fn reports(&self, subject: &Range<usize>, group: &Group, end: usize) -> bool {
        let that = if self.text(end) == "that" {
            end
        } else {
            group.end
        };
        if self.text(that) != "that" || self.is(that + 1, Cue::COPULA) {
            return false;
        }
        // "It is a hall that opened in 1972.", not "It is a fact that Ada opened it."
        let relative = matches!(self.text(group.end), "a" | "an")
            && (self.verb(that + 1).is_some() || self.is(that + 1, Cue::AUXILIARY));
        let expletive = subject.len() == 1 && self.text(subject.start) == "it" && !relative;
        expletive
            || group.base.as_deref().is_some_and(|base| {
                crate::lexicon::cues::cue(base).is(Cue::REPORT) || group.end == end
            })
    }

    /// "NAME from the Payroll team", "NAME in Procurement", wherever it stands.
    pub(super) fn members(&mut self) {
        let len = self.view.lexemes.len();
        let mut i = 0;
        while i < len {
            if !self.capital(i) || !self.word(i) {
                i += 1;
                continue;
            }
            let end = (i..len)
                .find(|n| !self.word(*n) || !self.capital(*n))
                .unwrap_or(len);
            if matches!(self.text(end), "from" | "in" | "of" | "at")
                && let Some((name, value)) = self.unit_after(end + 1)
            {
                let first = (i..end).find(|n| self.given(*n) || end - n == 2);
                let already = self.found.iter().any(|r| r.object == value)
                    || self
                        .unclear
                        .iter()
                        .any(|range| range.contains(&value.start));
                if let Some(first) = first.filter(|_| !already) {
                    self.push(first..end, name, value, false);
                }
            }
            i = end.max(i + 1);
        }
    }

    fn given(&self, i: usize) -> bool {
        class(self.text(i)).any(WordClass::GIVEN_NAME)
    }

    /// The part of an organisation that starts here.
    fn unit_after(&self, from: usize) -> Option<(String, Range<usize>)> {
        let end = (from..self.view.lexemes.len().min(from + 5))
            .take_while(|i| self.word(*i))
            .find(|i| super::posts::UNITS.contains(&self.text(*i)))
            .map(|i| i + 1);
        if let Some(end) = end {
            return self.unit(&(from..end));
        }
        let bare = from < self.view.lexemes.len()
            && self.capital(from)
            && persons().is_unit(self.text(from))
            && !self
                .view
                .lexemes
                .get(from + 1)
                .is_some_and(|_| self.word(from + 1) && self.capital(from + 1));
        bare.then(|| ("department".to_owned(), from..from + 1))
    }
}
