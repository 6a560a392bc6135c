//! By which beginnings the rules that run attempts are found.

use rustc_hash::FxHashMap;

use super::compile::Scanner;
use super::spec::RuleSpec;
use super::trie;

/// Most characters after which an attempt is begun, as a rule; the ring of a stream holds them.
pub(super) const SHORT_LEAD: usize = 5;
/// Most characters where many rules begin alike.
const LONG_LEAD: usize = 64;
/// Rules that may share a beginning of a few characters. Each of more would be tried wherever it
/// stands, so that those are found by longer ones, and cost what they match.
const CROWD: usize = 8;
/// Most beginnings by which a regex is found; one with more is found by its first character.
const MOST: usize = 256;
/// Most long beginnings of a regex, unless it has more short ones.
const FEW: usize = 16;

/// The characters after which attempts of one rule begin, and all texts that they can be.
type Beginning = (usize, Vec<String>);

/// The beginnings of each scanner, none for one that is found by its first character; and whether
/// they are folded.
pub(super) fn beginnings(
    rules: &[RuleSpec],
    scanners: &[Scanner],
) -> (bool, Vec<Option<Beginning>>) {
    // Every byte goes through each automaton that exists: beginnings join one that is needed.
    let mut folds = rules
        .iter()
        .any(|rule| rule.ignore_case && rule.regex.is_none());
    let of = |one: &Scanner, limit: usize, most: usize, folds: bool| -> Option<Beginning> {
        let rule = &rules[one.rule as usize];
        // A character of any case has at most four bytes, and a match at most `cap`.
        let most = most.min(one.cap / 4);
        if rule.regex.is_none() {
            return Some(trie::beginnings(&rule.literals, most, folds));
        }
        // Single letters would begin an attempt at every word: the table of first characters also
        // knows what must stand before them.
        let found = one.machine.prefixes(limit, most, folds);
        found.filter(|(lead, texts)| *lead > 1 || texts.len() < 4)
    };
    let short = |folds: bool| -> Vec<Option<Beginning>> {
        let each = scanners.iter();
        each.map(|one| of(one, MOST, SHORT_LEAD, folds)).collect()
    };
    let mut found = short(folds);
    let mut crowded = crowded(&found);
    let any_case =
        |(one, crowded): (&Scanner, &bool)| *crowded && rules[one.rule as usize].ignore_case;
    if !folds && scanners.iter().zip(&crowded).any(any_case) {
        // In one case a beginning is one text; in either, each letter doubles them.
        folds = true;
        found = short(folds);
        crowded = self::crowded(&found);
    }
    let each = scanners.iter().zip(&mut found).zip(crowded);
    for ((one, own), _) in each.filter(|(_, crowded)| *crowded) {
        let (lead, texts) = own.as_ref().map_or((0, 0), |own| (own.0, own.1.len()));
        let longer = of(one, texts.max(FEW), LONG_LEAD, folds);
        if let Some(longer) = longer.filter(|longer| longer.0 > lead) {
            *own = Some(longer);
        }
    }
    (folds, found)
}

/// Which share one of their beginnings with too many others.
fn crowded(found: &[Option<Beginning>]) -> Vec<bool> {
    let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
    for text in found.iter().flatten().flat_map(|(_, texts)| texts) {
        *counts.entry(text).or_default() += 1;
    }
    let shared = |own: &Beginning| own.1.iter().any(|text| counts[text.as_str()] > CROWD);
    found
        .iter()
        .map(|own| own.as_ref().is_some_and(shared))
        .collect()
}
