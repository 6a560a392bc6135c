//! How alike two names are.

use crate::entities::osa_distance;
use crate::normal::fold_name;

/// Letters of the longest name that is compared.
const LONGEST: usize = 64;

/// Similarity of two names, 0..1: `1 − d / n` of their folded forms, with `d` the edit distance
/// that counts swapped neighbours as one edit (optimal string alignment) and `n` the letters of the
/// longer; 0 where one has none or more than 64.
#[must_use]
pub fn name_similarity(a: &str, b: &str) -> f64 {
    let letters = |name: &str| fold_name(name).chars().collect::<Vec<char>>();
    let (a, b) = (letters(a), letters(b));
    let longer = a.len().max(b.len());
    if a.is_empty() || b.is_empty() || longer > LONGEST {
        return 0.0;
    }
    #[allow(clippy::cast_possible_truncation)]
    let distance = osa_distance(&a, &b, longer as u8);
    #[allow(clippy::cast_precision_loss)]
    distance.map_or(0.0, |d| 1.0 - f64::from(d) / longer as f64)
}

pub(super) fn find<'a>(names: &'a [String], surface: &str, least: f64) -> Vec<(&'a str, f64)> {
    let mut found: Vec<(&str, f64)> = names
        .iter()
        .map(|name| (name.as_str(), name_similarity(name, surface)))
        .filter(|(_, similarity)| *similarity >= least)
        .collect();
    found.sort_by(|a, b| b.1.total_cmp(&a.1));
    found
}
