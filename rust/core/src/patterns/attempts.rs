//! The attempts of one rule to match, leftmost first.

use std::collections::VecDeque;

use crate::types::Span;

use super::RuleMatch;
use super::machine::{Machine, State, Symbol};

/// Attempts that are in the same state go on together.
#[derive(Debug, Clone)]
struct Group {
    state: State,
    /// End of the last match that all of the group saw.
    accepted: usize,
    accepts: bool,
    /// More may follow.
    live: bool,
}

#[derive(Debug, Clone, Copy)]
struct Attempt {
    start: usize,
    group: u32,
    /// Its longest end before it joined the group; 0 is none.
    best: usize,
    joined: usize,
}

/// What one rule is in the middle of.
#[derive(Debug, Clone, Default)]
pub(crate) struct Active {
    /// The rule.
    pub(crate) rule: u32,
    /// Index of its scanner.
    pub(crate) scanner: u32,
    /// Matches start here or later.
    resume: usize,
    attempts: VecDeque<Attempt>,
    groups: Vec<Group>,
}

impl Active {
    /// Makes it that of another rule, keeping the memory.
    pub(crate) fn reset(&mut self, rule: u32, scanner: u32) {
        self.rule = rule;
        self.scanner = scanner;
        self.resume = 0;
        self.attempts.clear();
        self.groups.clear();
    }

    /// Whether it can be forgotten when `pos` bytes have been read.
    pub(crate) fn is_idle(&self, pos: usize) -> bool {
        // Attempts are found up to four characters after their start.
        self.attempts.is_empty() && pos >= self.resume + 16
    }

    /// Bytes it takes up.
    pub(crate) fn size(&self) -> usize {
        size_of::<Self>()
            + self.attempts.capacity() * size_of::<Attempt>()
            + self.groups.capacity() * size_of::<Group>()
            + self
                .groups
                .iter()
                .map(|group| group.state.size())
                .sum::<usize>()
    }

    fn best(&self, attempt: &Attempt) -> usize {
        let accepted = self.groups[attempt.group as usize].accepted;
        if accepted >= attempt.joined {
            accepted
        } else {
            attempt.best
        }
    }

    fn emit(&mut self, at: usize, truncated: bool, out: &mut Vec<RuleMatch>) {
        let Some(front) = self.attempts.pop_front() else {
            return;
        };
        let end = self.best(&front);
        if end > front.start {
            let span = Span::new(front.start, end);
            out.push(RuleMatch {
                rule: self.rule,
                span,
                decided_at: at,
                truncated,
            });
            self.resume = end;
            self.attempts.retain(|attempt| attempt.start >= end);
        }
    }

    /// Begins an attempt at `start`; `after` bytes have been read, the last of them led to
    /// `state`.
    pub(crate) fn begin(
        &mut self,
        start: usize,
        (state, accepts, live): (State, bool, bool),
        after: usize,
        out: &mut Vec<RuleMatch>,
    ) {
        let taken = self
            .attempts
            .front()
            .is_some_and(|front| start < self.best(front));
        if start < self.resume || taken {
            return;
        }
        let same = |group: &Group| live && group.live && group.state == state;
        let group = self.groups.iter().position(same).unwrap_or_else(|| {
            self.groups.push(Group {
                state,
                accepted: 0,
                accepts: false,
                live,
            });
            self.groups.len() - 1
        }) as u32;
        let best = if accepts { after } else { 0 };
        self.attempts.push_back(Attempt {
            start,
            group,
            best,
            joined: after,
        });
        self.settle(after, out);
    }

    /// Reads one symbol that takes the text from `before` to `after` bytes.
    pub(crate) fn step(
        &mut self,
        machine: &Machine,
        symbol: Symbol,
        cap: usize,
        (before, after): (usize, usize),
        out: &mut Vec<RuleMatch>,
    ) {
        for group in self.groups.iter_mut().filter(|group| group.live) {
            let (before_it, accepts, live) = machine.advance(&mut group.state, symbol);
            if before_it {
                group.accepted = before;
            }
            group.accepts = accepts;
            group.live = live;
        }
        while let Some(front) = self.attempts.front()
            && front.start + cap < after
        {
            let group = &self.groups[front.group as usize];
            let alive = group.live || group.accepts;
            self.emit(after, alive, out);
        }
        for group in self.groups.iter_mut().filter(|group| group.accepts) {
            group.accepted = after;
            // A group that is not live is not stepped again: its end must not move.
            group.accepts = false;
        }
        self.settle(after, out);
        if self.groups.len() > self.attempts.len() || self.has_twins() {
            self.merge(after);
        }
    }

    /// Decides all that is left: the text ends after `len` bytes.
    pub(crate) fn finish(&mut self, machine: &Machine, len: usize, out: &mut Vec<RuleMatch>) {
        for group in self.groups.iter_mut().filter(|group| group.live) {
            if machine.step(&group.state, machine.end()).before {
                group.accepted = len;
            }
        }
        while !self.attempts.is_empty() {
            self.emit(len, false, out);
        }
    }

    /// Reports what is decided at the front and forgets attempts that it rules out.
    fn settle(&mut self, at: usize, out: &mut Vec<RuleMatch>) {
        while let Some(front) = self.attempts.front()
            && !self.groups[front.group as usize].live
        {
            self.emit(at, false, out);
        }
        let Some(front) = self.attempts.front() else {
            self.groups.clear();
            return;
        };
        let end = self.best(front);
        if end > 0
            && self
                .attempts
                .get(1)
                .is_some_and(|second| second.start < end)
        {
            let start = front.start;
            self.attempts
                .retain(|attempt| attempt.start == start || attempt.start >= end);
        }
    }

    /// Whether two groups are in the same state; a guess where they are many.
    fn has_twins(&self) -> bool {
        let groups = self.groups.as_slice();
        match groups {
            [] | [_] => false,
            [a, b] => !a.live || !b.live || a.state == b.state,
            _ => true,
        }
    }

    /// Joins groups in the same state and drops those without attempts.
    fn merge(&mut self, at: usize) {
        let mut order: Vec<u32> = (0..self.groups.len() as u32).collect();
        let groups = &self.groups;
        order.sort_unstable_by(|&a, &b| {
            let (a, b) = (&groups[a as usize], &groups[b as usize]);
            b.live.cmp(&a.live).then_with(|| a.state.cmp(&b.state))
        });
        let mut target: Vec<u32> = (0..self.groups.len() as u32).collect();
        for pair in order.windows(2) {
            let (a, b) = (&groups[pair[0] as usize], &groups[pair[1] as usize]);
            if a.live && b.live && a.state == b.state {
                target[pair[1] as usize] = target[pair[0] as usize];
            }
        }
        let mut used = vec![false; target.len()];
        for i in 0..self.attempts.len() {
            let attempt = self.attempts[i];
            let to = target[attempt.group as usize];
            if to != attempt.group {
                let best = self.best(&attempt);
                self.attempts[i] = Attempt {
                    start: attempt.start,
                    group: to,
                    best,
                    joined: at,
                };
            }
            used[to as usize] = true;
        }
        if used.iter().all(|&used| used) {
            return;
        }
        let mut kept = 0;
        for (to, &used) in target.iter_mut().zip(&used) {
            *to = kept;
            kept += u32::from(used);
        }
        let mut flags = used.iter();
        self.groups
            .retain(|_| flags.next().copied().unwrap_or(false));
        for attempt in &mut self.attempts {
            attempt.group = target[attempt.group as usize];
        }
    }
}
