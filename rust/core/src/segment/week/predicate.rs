//! What follows a state ("open", "closed"): days, times, and what changes them.

use crate::lexicon::tables::schedule;
use crate::segment::Clock;
use crate::types::Span;

use super::phrase::{Said, phrase};
use super::words::Words;
use super::{Days, Form, Phrase, Week};

/// Days in one go, and the times told of them.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) phrase: Phrase,
    pub(super) clocks: Vec<Clock>,
    /// Whether all was said of it when these days came: times behind it are of it.
    settled: bool,
    /// Behind "on".
    pub(super) on: bool,
    /// Behind "also".
    pub(super) too: bool,
}

/// A reader of the words behind a state.
#[derive(Debug)]
pub(super) struct Predicate<'a> {
    words: &'a Words,
    /// Whether days come before their times and states.
    pub(super) list: bool,
    /// The state of days that none is said of.
    open: bool,
    /// The state of the days to come.
    state: bool,
    pub(super) groups: Vec<Group>,
    pub(super) count: Option<(usize, Span, bool)>,
    /// Times that were told before their days.
    pub(super) ahead: Vec<Clock>,
    pub(super) times_first: bool,
    pub(super) only: bool,
    pub(super) excepted: Days,
    too: bool,
    on: bool,
}

impl<'a> Predicate<'a> {
    /// Behind a state.
    pub(super) fn stated(words: &'a Words, open: bool) -> Self {
        Self {
            words,
            list: false,
            open,
            state: open,
            groups: Vec::new(),
            count: None,
            ahead: Vec::new(),
            times_first: false,
            only: false,
            excepted: Days::NONE,
            too: false,
            on: false,
        }
    }

    /// In a list of days.
    pub(super) fn listed(words: &'a Words, open: bool) -> Self {
        Self {
            list: true,
            ..Self::stated(words, open)
        }
    }

    /// With "only" or "also" before it.
    pub(super) fn with(mut self, only: bool, too: bool) -> Self {
        self.only = only;
        self.too = too;
        self
    }

    /// With days said before it.
    pub(super) fn of_days(mut self, days: Days, form: Form, span: Span) -> Self {
        self.days(days, form, span);
        self
    }

    /// Reads from that word on: what is said, and the first word that is no part of it. `None` where
    /// it cannot be told.
    pub(super) fn read(mut self, from: usize) -> Option<(Week, usize)> {
        let mut at = from;
        while at < self.words.len() {
            match self.step(at)? {
                0 => break,
                used => at += used,
            }
        }
        self.week().map(|week| (week, at))
    }

    /// Words taken at that place; 0 at what is unknown.
    fn step(&mut self, at: usize) -> Option<usize> {
        let words = self.words;
        if words.timed(at) && !words.is_mark(at + 1, "/") {
            self.time(at);
            return Some(1);
        }
        if let Some((said, next)) = phrase(words, at) {
            match said {
                Said::Days(days, form) => self.days(days, form, words.span(at, next)),
                Said::Count(count) => {
                    if self.count.is_some() {
                        return None;
                    }
                    self.count = Some((count, words.span(at, at + 1), self.state));
                }
            }
            return Some(next - at);
        }
        let Some(word) = words.get(at) else {
            return Some(0);
        };
        if word.mark {
            if word.text == ";" {
                self.state = if self.list { self.open } else { self.state };
                self.settle();
            }
            return Some(usize::from(matches!(
                &*word.text,
                "," | ";" | ":" | "-" | "(" | ")" | "/" | "&" | "+" | "*" | "."
            )));
        }
        if let Some(used) = self.except(at) {
            return used;
        }
        if let Some(used) = self.stated_again(at) {
            return used;
        }
        let marks = words.marks(at);
        if marks.has("too") {
            self.too = true;
            return Some(1);
        }
        if marks.has("only") {
            self.only = true;
            return Some(1);
        }
        if marks.has("audience_before") {
            let the = usize::from(words.is(at + 1, "skip") || words.text(at + 1) == "all");
            if words.is(at + 1 + the, "audience") {
                return Some(2 + the);
            }
        }
        if marks.has("through") && words.timed(at + 1) {
            return Some(1);
        }
        if marks.has("skip") || marks.has("list") {
            // "and" joins only what is known; "from" and "the" stand before it.
            let goes_on = self.goes_on(at + 1);
            self.on = goes_on && word.text == "on";
            return Some(usize::from(goes_on));
        }
        Some(0)
    }

    /// Whether something that is known stands there.
    fn goes_on(&self, at: usize) -> bool {
        let words = self.words;
        let mut at = at;
        while words.is(at, "skip")
            || words.is(at, "too")
            || words.is(at, "only")
            || words.is_mark(at, ",")
        {
            at += 1;
        }
        words.timed(at)
            || phrase(words, at).is_some()
            || self.state_at(at).is_some()
            || self.words.is(at, "not")
    }

    fn time(&mut self, at: usize) {
        let Some(word) = self.words.get(at) else {
            return;
        };
        let mut clocks = self.words.clocks.iter();
        let clock = clocks
            .find(|clock| clock.span.start == word.span.start)
            .copied();
        self.times_first |= self.groups.is_empty();
        if self.times_first {
            if self.groups.last().is_some_and(|last| !last.settled) {
                self.settle();
                self.ahead.clear();
            }
            self.ahead.extend(clock);
            return;
        }
        let mut run = self
            .groups
            .iter_mut()
            .rev()
            .take_while(|group| !group.settled);
        if let Some(last) = run.next() {
            last.clocks.extend(clock);
        }
    }

    /// What was said so far is not of the days to come.
    fn settle(&mut self) {
        for group in &mut self.groups {
            group.settled = true;
        }
    }

    fn days(&mut self, days: Days, form: Form, span: Span) {
        // Times that were told end what came before.
        if !self.times_first
            && self
                .groups
                .last()
                .is_some_and(|last| !last.clocks.is_empty())
        {
            self.settle();
        }
        self.groups.push(Group {
            phrase: Phrase {
                days,
                form,
                open: self.state,
                span,
            },
            clocks: if self.times_first {
                self.ahead.clone()
            } else {
                Vec::new()
            },
            settled: false,
            on: std::mem::take(&mut self.on),
            too: std::mem::take(&mut self.too),
        });
    }

    /// "except Mondays".
    fn except(&mut self, at: usize) -> Option<Option<usize>> {
        let words = self.words;
        let pair = format!("{} {}", words.text(at), words.text(at + 1));
        let universal = (self.groups.last()).is_some_and(|last| last.phrase.form == Form::All);
        let but = words.text(at) == "but";
        let mut next = if words.is(at, "except") {
            at + 1
        } else if schedule().has("except_two", &pair) {
            at + 2
        } else if but && universal {
            at + 1
        } else {
            return None;
        };
        while words.is(next, "skip") {
            next += 1;
        }
        let mut found = Days::NONE;
        while let Some((Said::Days(days, form), end)) = phrase(words, next) {
            if form == Form::All {
                return Some(None);
            }
            found = found.or(days);
            next = end;
            let mut joint = next;
            while words.is(joint, "list")
                || words.is(joint, "skip")
                || words.is_mark(joint, ",")
                || words.is_mark(joint, "&")
            {
                joint += 1;
            }
            if phrase(words, joint).is_none() || words.timed(joint) {
                break;
            }
            next = joint;
        }
        if found.is_empty() {
            return if but { None } else { Some(None) };
        }
        self.excepted = self.excepted.or(found);
        Some(Some(next - at))
    }

    /// A state in the words at that place, with the words before it that belong to it: whether open,
    /// and the word behind it.
    fn state_at(&self, at: usize) -> Option<(bool, usize)> {
        let words = self.words;
        let mut next = at;
        if words.is(next, "pronoun")
            && (words.is(next + 1, "be")
                || words.is(next + 1, "be_not")
                || words.is(next + 1, "do"))
        {
            next += 1;
        }
        let mut open = true;
        let mut linked = false;
        while words.is(next, "be")
            || words.is(next, "be_not")
            || words.is(next, "do")
            || words.is(next, "not")
        {
            open ^= words.is(next, "be_not") || words.is(next, "not");
            linked = true;
            next += 1;
        }
        while linked && words.is(next, "too") {
            next += 1;
        }
        if words.is(next, "open") || words.is(next, "opens") {
            return Some((open, next + 1));
        }
        if words.is(next, "shut") || words.is(next, "shuts") {
            return Some((!open, next + 1));
        }
        None
    }

    /// Another state, of the days before it or behind it; "not on Sundays".
    fn stated_again(&mut self, at: usize) -> Option<Option<usize>> {
        let words = self.words;
        if let Some((open, next)) = self.state_at(at) {
            let before = at.checked_sub(1).and_then(|i| words.get(i));
            let apart = before.is_none_or(|w| {
                w.mark && !matches!(&*w.text, ":" | "-")
                    || words.is(at - 1, "turn")
                    || words.is(at - 1, "list")
            });
            let run: Vec<usize> = (0..self.groups.len())
                .rev()
                .take_while(|i| !self.groups[*i].settled && self.groups[*i].clocks.is_empty())
                .collect();
            if !apart && !run.is_empty() && words.timed(at - 1) {
                return Some(None);
            }
            if apart || run.is_empty() {
                self.settle();
                self.state = open;
                return Some(Some(next - at));
            }
            // "Tuesday to Sunday, Monday closed" may be of one or of all.
            let comma = run.len() > 1
                && run.windows(2).any(|pair| {
                    let (a, b) = (
                        self.groups[pair[1]].phrase.span,
                        self.groups[pair[0]].phrase.span,
                    );
                    let between =
                        |w: &&super::words::Word| w.span.start >= a.end && w.span.end <= b.start;
                    words.all.iter().filter(between).all(|w| w.text == ",")
                });
            if comma
                && run
                    .iter()
                    .any(|i| self.groups[*i].phrase.form == Form::Range)
            {
                return Some(None);
            }
            for i in run {
                self.groups[i].phrase.open = open;
                self.groups[i].settled = true;
            }
            return Some(Some(next - at));
        }
        let turn = words.is(at, "turn") && words.is(at + 1, "not");
        if turn || words.is(at, "not") {
            let next = at + 1 + usize::from(turn);
            if !self.goes_on(next) {
                return Some(Some(0));
            }
            self.settle();
            self.state = !self.state;
            return Some(Some(next - at));
        }
        // "but closed on Mondays", "but on Sundays it is …"
        if words.is(at, "turn") && self.state_at(at + 1).is_some() {
            return Some(Some(1));
        }
        None
    }
}
