//! The attempts of one rule to match, leftmost first.

use crate::types::Span;

use super::RuleMatch;
use super::few::Few;
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

/// Attempts that differ in nothing but where they start, one at each of a run of characters of
/// the same length: a broad first character begins one at every letter of a word.
#[derive(Debug, Clone, Copy)]
struct Attempt {
    /// Start of the first.
    start: usize,
    /// Start of the last.
    last: usize,
    /// Bytes between two starts.
    stride: u32,
    group: u32,
    /// Its longest end before it joined the group; 0 is none.
    best: usize,
    joined: usize,
}

/// What one rule is in the middle of.
#[derive(Debug, Clone)]
pub(crate) struct Active {
    /// The rule.
    pub(crate) rule: u32,
    /// Index of its scanner.
    pub(crate) scanner: u32,
    /// Matches start here or later.
    resume: usize,
    /// Bytes after its start within which an attempt is found.
    reach: usize,
    attempts: Few<Attempt>,
    groups: Few<Group>,
}

impl Active {
    /// That of a rule with nothing under way.
    pub(crate) fn new(rule: u32, scanner: u32, reach: usize) -> Self {
        Self {
            rule,
            scanner,
            reach,
            resume: 0,
            attempts: Few::default(),
            groups: Few::default(),
        }
    }

    /// Whether it can be forgotten when `pos` bytes have been read.
    pub(crate) fn is_idle(&self, pos: usize) -> bool {
        self.attempts.is_empty() && pos >= self.resume + self.reach
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.attempts.heap_bytes()
            + self.groups.heap_bytes()
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

    /// Decides the first attempt; if it matched nothing and `run` is set, also those like it.
    fn emit(&mut self, at: usize, truncated: bool, run: bool, out: &mut Vec<RuleMatch>) {
        let Some(&front) = self.attempts.front() else {
            return;
        };
        let end = self.best(&front);
        if run || front.start == front.last || end > front.start {
            // Attempts that are alike have the same end: what matched rules the others out.
            self.attempts.pop_front();
        } else if let Some(first) = self.attempts.front_mut() {
            first.start += first.stride as usize;
        }
        if end > front.start {
            let span = Span::new(front.start, end);
            out.push(RuleMatch {
                rule: self.rule,
                span,
                decided_at: at,
                truncated,
            });
            self.resume = end;
            self.drop_before(end);
        }
    }

    /// Drops attempts that start before `end`, a place between two characters.
    fn drop_before(&mut self, end: usize) {
        self.attempts.retain_mut(|attempt| {
            attempt.start = attempt.start.max(end.min(attempt.last + 1));
            attempt.start <= attempt.last
        });
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
        let found = self.groups.iter().position(same);
        let group = found.unwrap_or_else(|| {
            self.groups.push_back(Group {
                state,
                accepted: 0,
                accepts: false,
                live,
            });
            self.groups.len() - 1
        }) as u32;
        let best = if accepts { after } else { 0 };
        if !accepts && self.extend(start, group) {
            return;
        }
        self.attempts.push_back(Attempt {
            start,
            last: start,
            stride: 0,
            group,
            best,
            joined: after,
        });
        self.settle(after, out);
    }

    /// Adds an attempt at `start` without a match to those that began before it, if it is like
    /// them from now on.
    fn extend(&mut self, start: usize, group: u32) -> bool {
        let Some(&back) = self.attempts.back() else {
            return false;
        };
        let stride = (start - back.last) as u32;
        let alike = back.group == group
            && stride <= 4
            && (back.stride == stride || back.start == back.last)
            && self.best(&back) == 0;
        if alike && let Some(back) = self.attempts.back_mut() {
            back.last = start;
            back.stride = stride;
        }
        alike
    }

    /// For how many more characters of one byte the attempts of this rule, all in table state
    /// `at`, only grow by one each, should every one of them lead back to `at`; none if they are
    /// in another state.
    #[inline]
    pub(crate) fn glides(&self, at: u32, cap: usize, pos: usize) -> Option<usize> {
        let group = self.groups.only()?;
        let front = self.attempts.only()?;
        let steady = group.live
            && group.state.is_at(at)
            && front.last + 1 == pos
            && (front.stride == 1 || front.start == front.last)
            && self.best(front) == 0;
        steady.then(|| (front.start + cap).saturating_sub(pos))
    }

    /// Follows `count` such characters.
    #[inline]
    pub(crate) fn glide(&mut self, count: usize) {
        if let Some(front) = self.attempts.front_mut().filter(|_| count > 0) {
            front.last += count;
            front.stride = 1;
        }
    }

    /// Begins `count` attempts, one a byte from byte `start` on, that are all in one state of a
    /// table and have not matched; nothing is under way.
    pub(crate) fn enter(&mut self, state: State, start: usize, count: usize) {
        self.groups.push_back(Group {
            state,
            accepted: 0,
            accepts: false,
            live: true,
        });
        self.attempts.push_back(Attempt {
            start,
            last: start + count - 1,
            stride: u32::from(count > 1),
            group: 0,
            best: 0,
            joined: start + 1,
        });
    }

    /// Drops all attempts, none of which has matched.
    pub(crate) fn forget(&mut self) {
        self.attempts.clear();
        self.groups.clear();
    }

    /// Whether no attempt may begin at byte `pos` yet.
    #[inline]
    pub(crate) fn waits(&self, pos: usize) -> bool {
        pos < self.resume
    }

    /// Whether nothing is under way.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.attempts.is_empty()
    }

    /// Whether reading `entry` out of a table leaves everything as it is but for the place.
    #[inline]
    fn idles(&self, entry: u32, cap: usize, after: usize) -> bool {
        match (self.groups.only(), self.attempts.front()) {
            (Some(group), Some(front)) => {
                group.live && group.state.stays(entry) && front.start + cap >= after
            }
            _ => false,
        }
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
        if let Some(group) = self.groups.front()
            && let Some(entry) = machine.entry(&group.state, symbol)
            && self.idles(entry, cap, after)
        {
            return;
        }
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
            self.emit(after, alive, false, out);
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
            self.emit(len, false, true, out);
        }
    }

    /// Reports what is decided at the front and forgets attempts that it rules out.
    fn settle(&mut self, at: usize, out: &mut Vec<RuleMatch>) {
        while let Some(front) = self.attempts.front()
            && !self.groups[front.group as usize].live
        {
            self.emit(at, false, true, out);
        }
        let Some(front) = self.attempts.front() else {
            self.groups.clear();
            return;
        };
        let end = self.best(front);
        let second = self.attempts.get(1);
        if end > 0 && (front.last > front.start || second.is_some_and(|other| other.start < end)) {
            // All but the first that start before its end.
            let first = Attempt {
                last: front.start,
                ..*front
            };
            self.attempts.pop_front();
            self.drop_before(end);
            self.attempts.push_front(first);
        }
    }

    /// Whether two groups are in the same state; a guess where they are many.
    fn has_twins(&self) -> bool {
        let groups = &self.groups;
        match groups.len() {
            0 | 1 => false,
            2 => {
                let (a, b) = (&groups[0], &groups[1]);
                !a.live || !b.live || a.state == b.state
            }
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
                    group: to,
                    best,
                    joined: at,
                    ..attempt
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
            .retain_mut(|_| flags.next().copied().unwrap_or(false));
        for attempt in self.attempts.iter_mut() {
            attempt.group = target[attempt.group as usize];
        }
    }
}
