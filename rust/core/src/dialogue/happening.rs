//! What befalls a thing once, with its date: "the order was shipped on 12 March and arrives on the
//! 16th" dates two events of one order.

use crate::claims::{Clause, word_hash};
use crate::lexicon::contrast::contrast;
use crate::lexicon::cues::Cue;
use crate::normal::stem;
use crate::types::{Claim, LexFlags, LexKind, Span};

use super::circumstances::Circumstances;
use super::statement::{Statement, StatementReader};
use super::subject::Subject;

/// What the attribute of such a statement begins with, before the verb's base form.
pub const HAPPENED: &str = "date of: ";

impl StatementReader<'_> {
    /// One statement for each verb of such an event that a day or time follows in its own words.
    pub(super) fn happenings(&self, claim: &Claim, last: Option<&Subject>) -> Vec<Statement> {
        let found = (0..self.view.lexemes.len()).filter_map(|i| {
            let verb = self.folded.known(i).verb?;
            let capital = self.view.lexemes[i].flags.has(LexFlags::CAPITALIZED);
            (contrast().happens(verb) && !capital).then_some((i, verb))
        });
        found
            .filter_map(|(at, verb)| self.happening(claim, last, at, verb))
            .collect()
    }

    fn happening(
        &self,
        claim: &Claim,
        last: Option<&Subject>,
        at: usize,
        verb: &str,
    ) -> Option<Statement> {
        let own = |clause: &&Clause| clause.range.contains(&at) || clause.group.contains(&at);
        let clause = self.clauses.iter().find(own)?;
        let (first, end) = (clause.subject.start, clause.subject.end);
        // What stands before the subject restricts what follows.
        if clause.subject.is_empty() || first > 0 || end > at || self.plural(end - 1) {
            return None;
        }
        // "the rest of your order"
        let part = clause.subject.clone().any(|i| self.folded.get(i) == "of");
        if part || !(end..at).all(|i| self.leads_to(i)) {
            return None;
        }
        let stop = (at + 1..self.view.lexemes.len())
            .find(|i| self.stops(*i))
            .unwrap_or(self.view.lexemes.len());
        let dated = |i: &usize| self.dated(*i);
        // "leaves at 8:10 and 8:40"
        let again = |i: &usize| self.folded.cue(*i).is(Cue::PREPOSITION);
        let next = (stop + 1..self.view.lexemes.len()).find(|i| !again(i));
        if next.is_some_and(|i| self.dated(i)) {
            return None;
        }
        let start = (at + 1..stop).find(dated)?;
        let until = (start..stop).rfind(dated)?;
        let value = Span::new(
            self.view.lexemes[start].span.start,
            self.view.lexemes[until].span.end,
        );
        let place = Span::new(
            self.view.lexemes[first].span.start,
            self.view.lexemes[end - 1].span.end,
        );
        let subject = self.subject(place, last)?;
        let mut statement = self.statement(claim, value);
        let words = (at + 1..stop).filter(|i| !self.dated(*i));
        let words: Vec<usize> = words.filter(|i| self.tells(*i)).collect();
        let hashed = |i: &usize| word_hash(&stem(self.folded.get(*i)));
        let named = |i: &&usize| {
            let name = self.view.lexemes[**i].flags.has(LexFlags::CAPITALIZED);
            name && (at + 1..**i)
                .rfind(|j| self.folded.cue(*j).is(Cue::PREPOSITION))
                .is_some_and(|j| self.folded.get(j) == "by")
        };
        let sorted = |mut words: Vec<u64>| {
            words.sort_unstable();
            words.dedup();
            words
        };
        let before: Vec<u64> = (end..at)
            .filter(|i| self.view.lexemes[*i].kind == LexKind::Word && !self.helps(*i))
            .filter(|i| contrast().selects(self.folded.get(*i)))
            .map(|i| hashed(&i))
            .collect();
        statement.subject = Some(subject);
        // Who departs leaves.
        let verb = if verb == "depart" { "leave" } else { verb };
        statement.predicate = format!("{HAPPENED}{verb}");
        let told = std::mem::take(&mut statement.circumstances);
        statement.circumstances = Circumstances {
            past: self.past(at),
            which: sorted(before),
            rest: sorted(words.iter().map(hashed).collect()),
            by: sorted(words.iter().filter(named).map(hashed).collect()),
            of: told.of,
            repeats: told.repeats,
            when: told.when,
            ..Circumstances::default()
        };
        self.owned(&mut statement, place);
        Some(statement)
    }

    /// A noun in the plural is told of several things, each with a date of its own.
    fn plural(&self, i: usize) -> bool {
        let word = self.folded.get(i);
        let lexeme = &self.view.lexemes[i];
        let capital = lexeme.flags.has(LexFlags::CAPITALIZED);
        // "Tours" at the start of a sentence is no name.
        let name = capital && (i > 0 || self.view.content(i).is_some_and(|word| word.name));
        word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") && !name
    }

    /// Whether the verb's words tell of the past ("was shipped", "arrived"), not of what is to be.
    fn past(&self, at: usize) -> bool {
        let help = (0..at).rev().take_while(|i| self.helps(*i));
        let mut words = help.map(|i| self.folded.get(i)).peekable();
        let known = self.folded.get(at);
        if words.peek().is_none() {
            return !(known.ends_with('s') || self.folded.known(at).verb == Some(known));
        }
        words.any(|word| matches!(word, "was" | "were" | "has" | "had" | "have" | "got"))
    }

    /// An auxiliary, or an adverb beside it.
    fn helps(&self, i: usize) -> bool {
        let help = Cue::AUXILIARY.or(Cue::COPULA).or(Cue::ADVERB);
        let denied = self.folded.cue(i).is(Cue::NEGATION) || self.folded.get(i).ends_with("n't");
        self.folded.cue(i).is(help) && !denied
    }

    /// Whether the word can stand between the subject and the verb: of the verb's own words, or of
    /// an earlier event of the same subject.
    fn leads_to(&self, i: usize) -> bool {
        let joins = Cue::CONJUNCTION.or(Cue::PREPOSITION);
        let earlier = self.folded.known(i).verb;
        let capital = self.view.lexemes[i].flags.has(LexFlags::CAPITALIZED);
        self.helps(i)
            || self.dated(i)
            || capital
            || earlier.is_some_and(|verb| contrast().happens(verb))
            || matches!(self.view.word(i), ",")
            || self.folded.cue(i).is(joins)
                && !matches!(
                    self.folded.get(i),
                    "if" | "or" | "unless" | "but" | "before" | "after"
                )
    }

    /// Whether the event's own words end there.
    fn stops(&self, i: usize) -> bool {
        let ends = Cue::CONJUNCTION
            .or(Cue::BREAK)
            .or(Cue::AUXILIARY)
            .or(Cue::COPULA);
        let punct = self.view.lexemes[i].kind == LexKind::Punct
            && !self.dated(i)
            && self.view.word(i) != "'";
        punct || self.folded.cue(i).is(ends) && !self.dated(i)
    }

    fn dated(&self, i: usize) -> bool {
        let span = self.view.lexemes[i].span;
        self.view.dates.iter().any(|date| date.span.overlaps(span))
    }

    /// Whether the word says something by itself, a number included.
    fn tells(&self, i: usize) -> bool {
        let closed = Cue::DETERMINER.or(Cue::PREPOSITION).or(Cue::POSSESSIVE);
        let word = matches!(self.view.lexemes[i].kind, LexKind::Word | LexKind::Number);
        word && !self.folded.cue(i).is(closed)
    }
}
