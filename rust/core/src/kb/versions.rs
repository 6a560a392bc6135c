//! Versions of software ("7.2.1"), compared part by part.

use super::compare::{Agreement, Said};

/// Parts of a version: two or more numbers with dots between them, a "v" before them or none.
fn parts(word: &str) -> Option<Vec<u32>> {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    let word = word.strip_prefix(['v', 'V']).unwrap_or(word);
    let parts: Option<Vec<u32>> = word.split('.').map(|part| part.parse().ok()).collect();
    parts.filter(|parts| parts.len() > 1)
}

/// The one version in a text.
fn version(text: &str) -> Option<Vec<u32>> {
    let mut all = text.split_whitespace().filter_map(parts);
    let first = all.next();
    first.filter(|_| all.next().is_none())
}

/// Whether what is said is the version that is known, which has three parts or more: "7.2" is 7.2.1, and
/// "7.1.2" and "7.2.10" are others.
pub(super) fn version_agrees(said: &Said<'_>, known: &str) -> Option<Agreement> {
    let known = parts(known).filter(|known| known.len() > 2)?;
    let said = version(said.text)?;
    Some(if known.starts_with(&said) {
        Agreement::Same
    } else {
        Agreement::Different
    })
}
