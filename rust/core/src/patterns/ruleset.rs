//! Rules compiled together, and the loop that reads a stream.

use std::fmt;
use std::sync::Arc;

use aho_corasick::automaton::StateID;
use regex_automata::meta::Regex;
use rustc_hash::FxHashSet;

use super::RuleMatch;
use super::chars::{Kind, fold};
use super::compile::{Literal, Scanner, compile};
use super::prescan::{Finder, Hit, Starts};
use super::spec::{RuleSpec, parse_toml, parse_value, rule_error};
use super::state::{Behind, PatternState, Tail};
use crate::error::{Category, Error, Result};
use crate::types::{Span, read_json};

/// Rules under way that stay with the stream when they have nothing to do.
const KEPT: usize = 4;
/// Bytes read between two looks at the tail that a state keeps.
pub(super) const PIECE: usize = 256;

/// Rules compiled together; immutable, cheap to clone, shared by any number of streams.
#[derive(Clone)]
pub struct Ruleset {
    inner: Arc<Compiled>,
}

impl fmt::Debug for Ruleset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Ruleset").field(&self.inner.rules).finish()
    }
}

/// A rule set in running form.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) rules: Vec<RuleSpec>,
    pub(crate) unless: Vec<Vec<Regex>>,
    pub(crate) literals: Vec<Literal>,
    pub(crate) scanners: Vec<Scanner>,
    pub(crate) exact: Option<Finder>,
    pub(crate) fold: Option<Finder>,
    pub(crate) starts: Option<Starts>,
    /// Longest literal of a one-literal rule, bytes.
    pub(crate) longest: usize,
    /// Bytes of text that rules look back at which verify their matches or begin late.
    pub(crate) keep: usize,
}

impl Ruleset {
    /// Compiles `rules`.
    ///
    /// # Errors
    /// [`Category::Rule`], naming the rule: not valid, an id twice, or too large when compiled.
    pub fn new(rules: Vec<RuleSpec>) -> Result<Self> {
        let mut ids = FxHashSet::default();
        for rule in &rules {
            rule.validate()?;
            if !ids.insert(rule.id.as_str()) {
                return Err(rule_error(&rule.id, "the id is used twice"));
            }
        }
        Ok(Self {
            inner: Arc::new(compile(rules)?),
        })
    }

    /// Compiles the rules of a TOML file: tables `[[rules]]`.
    ///
    /// # Errors
    /// [`Category::Rule`]: not TOML, an unknown key (with the nearest right one), or as
    /// [`Ruleset::new`].
    pub fn from_toml(text: &str) -> Result<Self> {
        Self::new(parse_toml(text)?)
    }

    /// Compiles the rules of a JSON text: `{"rules": […]}` or a list.
    ///
    /// # Errors
    /// As [`Ruleset::from_toml`]; so is a key that is given twice.
    pub fn from_json(text: &str) -> Result<Self> {
        let json = read_json(text)
            .map_err(|error| Error::new(Category::Rule, format!("not valid JSON: {error}")))?;
        Self::new(parse_value(&json)?)
    }

    /// The rules of both sets, those of `other` after these.
    ///
    /// # Errors
    /// [`Category::Rule`] if an id is in both.
    pub fn merge(&self, other: &Self) -> Result<Self> {
        Self::new([self.rules(), other.rules()].concat())
    }

    /// Number of rules.
    #[must_use]
    pub fn len(&self) -> usize {
        self.inner.rules.len()
    }

    /// Whether there are no rules.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.inner.rules.is_empty()
    }

    /// All rules, as written.
    #[must_use]
    pub fn rules(&self) -> &[RuleSpec] {
        &self.inner.rules
    }

    /// The rule of a match.
    ///
    /// # Panics
    /// If `index` is not the `rule` of a match of this set.
    #[must_use]
    pub fn rule(&self, index: u32) -> &RuleSpec {
        &self.inner.rules[index as usize]
    }

    /// A stream that has read nothing.
    #[must_use]
    pub fn start(&self) -> PatternState {
        let start = |finder: &Option<Finder>| finder.as_ref().map_or(StateID::ZERO, Finder::start);
        PatternState::new(start(&self.inner.exact), start(&self.inner.fold))
    }

    /// Reads the next characters of a stream; matches go to `sink` as they are decided.
    /// `state` must come from [`Ruleset::start`] of this set.
    pub fn push(&self, state: &mut PatternState, text: &str, sink: &mut dyn FnMut(RuleMatch)) {
        if self.inner.keep == 0 {
            let start = state.pos;
            return self.inner.push(state, text, Behind { text, start }, sink);
        }
        let mut tail = state.tail.take().unwrap_or_default();
        let mut rest = text;
        while !rest.is_empty() {
            let mut cut = rest.len().min(PIECE);
            while !rest.is_char_boundary(cut) {
                cut += 1;
            }
            let (piece, more) = rest.split_at(cut);
            rest = more;
            self.inner.retain(&mut tail, piece);
            let behind = Behind {
                text: &tail.text,
                start: tail.start,
            };
            self.inner.push(state, piece, behind, sink);
        }
        state.tail = Some(tail);
    }

    /// As [`Ruleset::push`] for a caller that keeps the text itself: `text` is the end of the
    /// stream's, with what is new at its own, and `start` the offset of its first byte. It begins
    /// with the stream, or at least [`Ruleset::reach`] bytes before what is new. A stream is read
    /// in one of the two ways from its beginning to its end.
    pub fn push_kept(
        &self,
        state: &mut PatternState,
        text: &str,
        start: usize,
        sink: &mut dyn FnMut(RuleMatch),
    ) {
        let new = &text[state.pos - start..];
        self.inner.push(state, new, Behind { text, start }, sink);
    }

    /// Bytes before what is new that [`Ruleset::push_kept`] may look back at.
    #[must_use]
    pub fn reach(&self) -> usize {
        self.inner.keep
    }

    /// Says that the text has ended and reports what was still open.
    pub fn finish(&self, state: &mut PatternState, sink: &mut dyn FnMut(RuleMatch)) {
        let tail = state.tail.take().unwrap_or_default();
        self.finish_kept(state, &tail.text, tail.start, sink);
    }

    /// As [`Ruleset::finish`] behind [`Ruleset::push_kept`].
    pub fn finish_kept(
        &self,
        state: &mut PatternState,
        text: &str,
        start: usize,
        sink: &mut dyn FnMut(RuleMatch),
    ) {
        let mut out = Vec::new();
        self.inner.end(state, &mut out);
        self.inner.report(Behind { text, start }, &mut out, sink);
    }

    /// All matches of a whole text.
    #[must_use]
    pub fn scan(&self, text: &str) -> Vec<RuleMatch> {
        let mut matches = Vec::new();
        let mut state = self.start();
        self.push(&mut state, text, &mut |found| matches.push(found));
        self.finish(&mut state, &mut |found| matches.push(found));
        matches
    }
}

impl Compiled {
    /// Reads `text`, with which `behind` ends or in which it goes on.
    fn push(
        &self,
        state: &mut PatternState,
        text: &str,
        behind: Behind<'_>,
        sink: &mut dyn FnMut(RuleMatch),
    ) {
        let mut out = Vec::new();
        let mut left = text;
        loop {
            left = &left[self.glide(state, left.as_bytes())..];
            let mut chars = left.chars();
            let Some(c) = chars.next() else { break };
            left = chars.as_str();
            self.read(state, c, behind, &mut out);
            if !out.is_empty() {
                self.report(behind, &mut out, sink);
            }
        }
    }

    fn retain(&self, tail: &mut Tail, piece: &str) {
        let Tail { text, start } = tail;
        if text.len() + piece.len() > self.keep + 2 * PIECE {
            let mut cut = text.len().saturating_sub(self.keep);
            while !text.is_char_boundary(cut) {
                cut -= 1;
            }
            text.drain(..cut);
            *start += cut;
        }
        let room = text.capacity() - text.len();
        if room < piece.len() {
            text.reserve_exact(piece.len().max(PIECE));
        }
        text.push_str(piece);
    }

    /// Sorts, filters and hands on what one character decided.
    fn report(
        &self,
        behind: Behind<'_>,
        out: &mut Vec<RuleMatch>,
        sink: &mut dyn FnMut(RuleMatch),
    ) {
        out.sort_by_key(|found| (found.span.start, found.rule));
        for mut found in out.drain(..) {
            if let Some(span) = self.counts(behind, &found) {
                found.span = span;
                sink(found);
            }
        }
    }

    /// The span of a match that counts: of a check, the identifier that is malformed.
    fn counts(&self, behind: Behind<'_>, found: &RuleMatch) -> Option<Span> {
        let rule = &self.rules[found.rule as usize];
        let unless = &self.unless[found.rule as usize];
        if rule.check.is_none() && unless.is_empty() {
            return Some(found.span);
        }
        let start = found.span.start;
        let text = behind.at(found.span);
        if unless.iter().any(|regex| regex.is_match(text)) {
            return None;
        }
        let Some(check) = rule.check else {
            return Some(found.span);
        };
        let fault = check.fault(text)?;
        Some(Span::new(start + fault.start, start + fault.end))
    }

    #[inline]
    fn read(
        &self,
        state: &mut PatternState,
        c: char,
        behind: Behind<'_>,
        out: &mut Vec<RuleMatch>,
    ) {
        let kind = Kind::of(c);
        let before = state.pos;
        let after = before + c.len_utf8();
        if !state.pending.is_empty() {
            self.confirm(state, kind, after, out);
        }
        if !state.active.is_empty() {
            self.advance(state, c, kind, (before, after), out);
        }
        let prev = state.last;
        state.read(c, kind, after);
        let mut buffer = [0; 4];
        if let Some(finder) = &self.exact {
            let mut at = state.exact;
            for &byte in c.encode_utf8(&mut buffer).as_bytes() {
                at = finder.next(at, byte);
            }
            state.exact = at;
            if finder.is_hit(at) {
                for hit in finder.hits(at) {
                    self.hit(state, (hit, false), behind, out);
                }
            }
        }
        if let Some(finder) = &self.fold {
            let folded = fold(c);
            let mut at = state.fold;
            for &byte in folded.encode_utf8(&mut buffer).as_bytes() {
                at = finder.next(at, byte);
            }
            state.fold = at;
            if folded.len_utf8() != c.len_utf8() {
                self.note_uneven(state, c.len_utf8() as isize - folded.len_utf8() as isize);
            }
            if finder.is_hit(at) {
                for hit in finder.hits(at) {
                    self.hit(state, (hit, true), behind, out);
                }
            }
        }
        if let Some(starts) = &self.starts {
            for &scanner in starts.beginning(prev, c) {
                self.begin_here(state, scanner, (prev, c, kind), out);
            }
        }
    }

    fn note_uneven(&self, state: &mut PatternState, delta: isize) {
        let pos = state.pos;
        // A character folds to at most three times or a third of its length.
        while state
            .uneven
            .front()
            .is_some_and(|&(end, _)| end + 3 * self.longest < pos)
        {
            state.uneven.pop_front();
        }
        state.uneven.push_back((pos, delta));
    }

    /// Decides whole-word literals now that the next character is known.
    #[cold]
    fn confirm(&self, state: &mut PatternState, next: Kind, at: usize, out: &mut Vec<RuleMatch>) {
        let end = state.pos;
        for (literal, start) in std::mem::take(&mut state.pending) {
            if !next.is_word() {
                self.found(state, literal, Span::new(start, end), at, out);
            }
        }
    }

    fn found(
        &self,
        state: &mut PatternState,
        index: u32,
        span: Span,
        decided_at: usize,
        out: &mut Vec<RuleMatch>,
    ) {
        let literal = &self.literals[index as usize];
        if literal.overlaps {
            if state
                .recent
                .iter()
                .any(|&(known, end)| known == index && end > span.start)
            {
                return;
            }
            let reach = 3 * self.longest;
            state
                .recent
                .retain(|&(known, end)| known != index && end + reach > span.end);
            state.recent.push((index, span.end));
        }
        out.push(RuleMatch {
            rule: literal.rule,
            span,
            decided_at,
            truncated: false,
        });
    }

    fn advance(
        &self,
        state: &mut PatternState,
        c: char,
        kind: Kind,
        span: (usize, usize),
        out: &mut Vec<RuleMatch>,
    ) {
        let mut idle = false;
        let many = state.active.len() > KEPT;
        for active in &mut state.active {
            if !active.is_empty() {
                let scanner = &self.scanners[active.scanner as usize];
                let symbol = scanner.machine.symbol(c, kind);
                active.step(&scanner.machine, symbol, scanner.cap, span, out);
            }
            idle |= many && active.is_idle(span.1);
        }
        // A few that are idle stay: a rule that begins at every word would come and go with it.
        if idle {
            state.active.retain(|active| !active.is_idle(span.1));
        }
    }

    fn hit(
        &self,
        state: &mut PatternState,
        (hit, folded): (Hit, bool),
        behind: Behind<'_>,
        out: &mut Vec<RuleMatch>,
    ) {
        let index = match hit {
            Hit::Begin(scanner) => return self.begin(state, scanner, behind, out),
            Hit::Literal(index) => index,
        };
        let literal = &self.literals[index as usize];
        if literal.word && state.words >> literal.chars & 1 == 1 {
            return;
        }
        let mut start = (state.pos as isize) - (literal.len as isize);
        if folded {
            for &(end, delta) in state.uneven.iter().rev() {
                if (end as isize) <= start {
                    break;
                }
                start -= delta;
            }
        }
        let start = start as usize;
        if literal.word {
            state.pending.push((index, start));
        } else {
            let pos = state.pos;
            self.found(state, index, Span::new(start, pos), pos, out);
        }
    }

    fn end(&self, state: &mut PatternState, out: &mut Vec<RuleMatch>) {
        self.confirm(state, Kind::Edge, state.pos, out);
        for mut active in std::mem::take(&mut state.active) {
            let machine = &self.scanners[active.scanner as usize].machine;
            active.finish(machine, state.pos, out);
        }
    }
}
