//! The slow and obvious reading of what a match is: sets of positions over the whole text.

use std::collections::BTreeSet;

use groundwire_core::patterns::RuleSpec;
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind, Look};

/// A match: rule, start, end, truncated.
pub type Found = (u32, usize, usize, bool);

struct Text {
    chars: Vec<char>,
    /// Byte offset of each character and of the end.
    at: Vec<usize>,
}

fn is_word(c: Option<&char>) -> bool {
    c.is_some_and(|c| *c == '_' || c.is_alphabetic() || c.is_numeric())
}

struct Attempt<'a> {
    text: &'a Text,
    /// First byte that is too far.
    limit: usize,
    crossed: bool,
}

impl Attempt<'_> {
    fn holds(&self, look: Look, i: usize) -> bool {
        let chars = &self.text.chars;
        let prev = i.checked_sub(1).and_then(|j| chars.get(j));
        let next = chars.get(i);
        let (pw, nw) = (is_word(prev), is_word(next));
        match look {
            Look::Start => prev.is_none(),
            Look::End => next.is_none(),
            Look::StartLF => prev.is_none_or(|c| *c == '\n'),
            Look::EndLF => next.is_none_or(|c| *c == '\n'),
            Look::WordUnicode => pw != nw,
            Look::WordUnicodeNegate => pw == nw,
            Look::WordStartUnicode => !pw && nw,
            Look::WordEndUnicode => pw && !nw,
            Look::WordStartHalfUnicode => !pw,
            Look::WordEndHalfUnicode => !nw,
            other => panic!("the oracle does not know {other:?}"),
        }
    }

    fn read(&mut self, from: &BTreeSet<usize>, holds: impl Fn(char) -> bool) -> BTreeSet<usize> {
        let mut to = BTreeSet::new();
        for &i in from {
            if self.text.chars.get(i).is_some_and(|&c| holds(c)) {
                if self.text.at[i + 1] > self.limit {
                    self.crossed = true;
                } else {
                    to.insert(i + 1);
                }
            }
        }
        to
    }

    fn ends(&mut self, hir: &Hir, from: &BTreeSet<usize>) -> BTreeSet<usize> {
        if from.is_empty() {
            return BTreeSet::new();
        }
        match hir.kind() {
            HirKind::Empty => from.clone(),
            HirKind::Literal(literal) => {
                let text = std::str::from_utf8(&literal.0).expect("patterns are text");
                text.chars()
                    .fold(from.clone(), |at, c| self.read(&at, |d| d == c))
            }
            HirKind::Class(Class::Unicode(class)) => self.read(from, |c| {
                class
                    .iter()
                    .any(|range| range.start() <= c && c <= range.end())
            }),
            HirKind::Class(Class::Bytes(class)) => self.read(from, |c| {
                class
                    .iter()
                    .any(|r| char::from(r.start()) <= c && c <= char::from(r.end()))
            }),
            HirKind::Look(look) => from
                .iter()
                .copied()
                .filter(|&i| self.holds(*look, i))
                .collect(),
            HirKind::Capture(capture) => self.ends(&capture.sub, from),
            HirKind::Concat(parts) => parts
                .iter()
                .fold(from.clone(), |at, part| self.ends(part, &at)),
            HirKind::Alternation(parts) => parts
                .iter()
                .flat_map(|part| self.ends(part, from))
                .collect(),
            HirKind::Repetition(repetition) => {
                let mut at = from.clone();
                for _ in 0..repetition.min {
                    at = self.ends(&repetition.sub, &at);
                }
                let mut all = at.clone();
                let mut count = repetition.min;
                while repetition.max.is_none_or(|max| count < max) {
                    at = self.ends(&repetition.sub, &at);
                    let known = all.len();
                    all.extend(&at);
                    if all.len() == known {
                        break;
                    }
                    count += 1;
                }
                all
            }
        }
    }
}

fn parse(pattern: &str, ignore_case: bool) -> Hir {
    let mut builder = ParserBuilder::new();
    builder
        .case_insensitive(ignore_case)
        .build()
        .parse(pattern)
        .expect("a valid pattern")
}

/// All matches of `rules` in `text`, by rule and start.
pub fn matches(rules: &[RuleSpec], text: &str) -> Vec<Found> {
    let mut at: Vec<usize> = text.char_indices().map(|(i, _)| i).collect();
    at.push(text.len());
    let whole = Text {
        chars: text.chars().collect(),
        at,
    };
    let mut found = Vec::new();
    for (index, rule) in rules.iter().enumerate() {
        let mut ways: Vec<Hir> = rule
            .literals
            .iter()
            .map(|literal| parse(&regex_syntax::escape(literal), rule.ignore_case))
            .collect();
        ways.extend(
            rule.regex
                .as_deref()
                .map(|regex| parse(regex, rule.ignore_case)),
        );
        let mut i = 0;
        while i < whole.chars.len() {
            let limit = whole.at[i] + rule.cap();
            let mut attempt = Attempt {
                text: &whole,
                limit,
                crossed: false,
            };
            let from = BTreeSet::from([i]);
            let touched = rule.word && i > 0 && is_word(whole.chars.get(i - 1));
            let mut longest = None;
            if !touched {
                for way in &ways {
                    for end in attempt.ends(way, &from) {
                        if end > i && !(rule.word && is_word(whole.chars.get(end))) {
                            longest = longest.max(Some(end));
                        }
                    }
                }
            }
            if let Some(end) = longest {
                found.push((index as u32, whole.at[i], whole.at[end], attempt.crossed));
                i = end;
            } else {
                i += 1;
            }
        }
    }
    found
}
