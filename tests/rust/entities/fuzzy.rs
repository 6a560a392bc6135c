//! Fuzzy look-up against brute force.

use groundwire_core::entities::{EntityIndexBuilder, max_distance, name_forms, osa_distance};
use groundwire_core::normal::fold_name;
use proptest::prelude::*;

/// Full-matrix optimal string alignment distance.
fn slow_osa(a: &[char], b: &[char]) -> usize {
    let mut d = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in d.iter_mut().enumerate() {
        row[0] = i;
    }
    d[0] = (0..=b.len()).collect();
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let cost = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (d[i - 1][j] + 1)
                .min(d[i][j - 1] + 1)
                .min(d[i - 1][j - 1] + cost);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(d[i - 2][j - 2] + 1);
            }
            d[i][j] = best;
        }
    }
    d[a.len()][b.len()]
}

fn brute_force(names: &[String], query: &str) -> Vec<(u32, u8)> {
    let query: Vec<char> = query.chars().collect();
    let limit = usize::from(max_distance(query.len()));
    let mut out = Vec::new();
    if limit == 0 {
        return out;
    }
    for (id, name) in names.iter().enumerate() {
        let best = name_forms(name)
            .iter()
            .map(|form| slow_osa(&query, &form.chars().collect::<Vec<_>>()))
            .min();
        if let Some(best) = best.filter(|&best| best <= limit) {
            out.push((id as u32, best as u8));
        }
    }
    out.sort_by_key(|&(id, distance)| (distance, id));
    out
}

fn edited(name: &str, edits: &[(u8, u16, char)]) -> String {
    let mut chars: Vec<char> = name.chars().collect();
    for &(kind, at, c) in edits {
        let n = chars.len();
        let at = usize::from(at);
        match kind % 4 {
            0 => chars.insert(at % (n + 1), c),
            1 if n > 0 => {
                chars.remove(at % n);
            }
            2 if n > 0 => chars[at % n] = c,
            3 if n > 1 => chars.swap(at % (n - 1), at % (n - 1) + 1),
            _ => {}
        }
    }
    chars.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    // req: S4-013
    #[test]
    fn every_name_within_reach_is_found_and_no_other(
        names in prop::collection::vec("[abcd]{1,5}( [abcde]{1,6}){0,2}", 1..60),
        pick in any::<prop::sample::Index>(),
        edits in prop::collection::vec((any::<u8>(), any::<u16>(), prop::sample::select(vec!['a', 'b', 'e', ' ', 'é'])), 0..4),
    ) {
        let mut builder = EntityIndexBuilder::new();
        for (id, name) in names.iter().enumerate() {
            builder.add(name, id as u32);
        }
        let index = builder.build();
        let query = fold_name(&edited(&names[pick.index(names.len())], &edits));
        prop_assert_eq!(index.fuzzy(&query, 2), brute_force(&names, &query));
    }

    #[test]
    fn two_edits_anywhere_in_a_long_name_are_found(
        name in "[a-z]{3,9} [a-z]{3,12}( [a-z]{2,9})?",
        edits in prop::collection::vec((any::<u8>(), any::<u16>(), prop::char::range('a', 'z')), 1..3),
    ) {
        let mut builder = EntityIndexBuilder::new();
        builder.add(&name, 7);
        let index = builder.build();
        let query = fold_name(&edited(&name, &edits));
        prop_assert_eq!(index.fuzzy(&query, 2), brute_force(&[name], &query).iter().map(|h| (7, h.1)).collect::<Vec<_>>());
    }

    #[test]
    fn banded_distance_is_the_full_matrix(a in "[abc]{0,14}", b in "[abc]{0,14}", limit in 0_u8..4) {
        let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
        let full = slow_osa(&a, &b);
        let expected = (full <= usize::from(limit)).then_some(full as u8);
        prop_assert_eq!(osa_distance(&a, &b, limit), expected);
    }
}

#[test]
fn two_transpositions_across_cuts_are_found() {
    let name = "abcdefghijkl";
    let mut builder = EntityIndexBuilder::new();
    builder.add(name, 1);
    let index = builder.build();
    for first in 0..11 {
        for second in 0..11_usize {
            if second.abs_diff(first) < 2 {
                continue;
            }
            let mut query: Vec<char> = name.chars().collect();
            query.swap(first, first + 1);
            query.swap(second, second + 1);
            let query: String = query.into_iter().collect();
            assert_eq!(index.fuzzy(&query, 2), [(1, 2)], "{query}");
        }
    }
}
