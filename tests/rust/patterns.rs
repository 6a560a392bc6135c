//! Tests of `patterns`.

mod checks;
mod crowds;
mod golden;
mod hostile;
mod oracle;
mod properties;
mod validation;
mod wording;

use groundwire_core::patterns::{RuleMatch, RuleSpec, Ruleset};

/// All matches when `text` is cut at the given fractions of its characters.
fn scan_in_chunks(rules: &Ruleset, text: &str, sizes: &[usize]) -> Vec<RuleMatch> {
    let mut found = Vec::new();
    let mut state = rules.start();
    let mut rest = text;
    for &size in sizes.iter().cycle() {
        if rest.is_empty() || sizes.iter().all(|&s| s == 0) {
            break;
        }
        let cut = rest
            .char_indices()
            .nth(size)
            .map_or(rest.len(), |(at, _)| at);
        rules.push(&mut state, &rest[..cut], &mut |m| found.push(m));
        rest = &rest[cut..];
    }
    rules.push(&mut state, rest, &mut |m| found.push(m));
    rules.finish(&mut state, &mut |m| found.push(m));
    found
}

/// The same for a caller that keeps the text, and no more of it than it has to.
fn scan_kept(rules: &Ruleset, text: &str, sizes: &[usize]) -> Vec<RuleMatch> {
    let mut found = Vec::new();
    let mut state = rules.start();
    let (mut start, mut end) = (0, 0);
    for &size in sizes.iter().cycle() {
        if end == text.len() || sizes.iter().all(|&s| s == 0) {
            break;
        }
        start = end.saturating_sub(rules.reach());
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        let mut rest = text[end..].char_indices();
        end = rest.nth(size).map_or(text.len(), |(at, _)| end + at);
        rules.push_kept(&mut state, &text[start..end], start, &mut |m| found.push(m));
    }
    rules.push_kept(&mut state, &text[start..], start, &mut |m| found.push(m));
    rules.finish_kept(&mut state, &text[start..], start, &mut |m| found.push(m));
    found
}

/// A set of one regex.
fn regex(pattern: &str) -> Ruleset {
    Ruleset::new(vec![RuleSpec::of_regex("r", pattern)]).expect("the pattern compiles")
}

/// Spans of all matches of one regex.
fn spans(pattern: &str, text: &str) -> Vec<(usize, usize)> {
    regex(pattern)
        .scan(text)
        .iter()
        .map(|m| (m.span.start, m.span.end))
        .collect()
}
