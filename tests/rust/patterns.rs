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
