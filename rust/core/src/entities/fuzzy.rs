//! Fuzzy look-up by part signatures.
//!
//! A name of n characters is cut into four parts at n/4, n/2 and 3n/4. Two edits damage at most
//! two parts, so that some pair of parts stands unharmed in the query, shifted by the edits
//! before it; one edit leaves the first two or the last two. Each name is filed under its pairs
//! (with n), and a query asks for every pair at every shift its edits allow. A transposition
//! across a cut damages both sides; those queries are asked again with the swap undone. What is
//! found is verified, so that the answer is exact: every name within the distance, no other.

use super::index::EntityIndex;
use super::layout::{Section, View};

/// Pairs of parts, the two that one edit needs first.
const PAIRS: [(usize, usize); 6] = [(0, 1), (2, 3), (0, 2), (0, 3), (1, 2), (1, 3)];
const BASE: u64 = 0x0000_0100_0000_01b3;
/// Names shorter than this are never within reach of a query that allows an edit.
const MIN_NAME: usize = 3;
/// Only queries of nine characters and more allow two edits.
const MIN_TWO_EDITS: usize = 7;
/// Longer queries are looked up exactly only.
const MAX_QUERY: usize = 512;
/// Bytes of an entry: the name's id and a fingerprint.
pub(super) const ENTRY: usize = 5;

/// Edit distance allowed for a normalised name of `chars` characters: 0 below 4, 1 below 9,
/// else 2.
#[must_use]
pub const fn max_distance(chars: usize) -> u8 {
    match chars {
        0..=3 => 0,
        4..=8 => 1,
        _ => 2,
    }
}

/// Optimal string alignment distance (insertion, deletion, substitution, transposition of
/// neighbours, no place edited twice), if it is at most `limit`.
#[must_use]
pub fn osa_distance(a: &[char], b: &[char], limit: u8) -> Option<u8> {
    let head = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[head..], &b[head..]);
    let tail = a
        .iter()
        .rev()
        .zip(b.iter().rev())
        .take_while(|(x, y)| x == y)
        .count();
    let (a, b) = (&a[..a.len() - tail], &b[..b.len() - tail]);
    let limit = usize::from(limit);
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let width = b.len() + 1;
    let mut before = vec![usize::MAX / 2; width];
    let mut last: Vec<usize> = (0..width).collect();
    for (i, &x) in a.iter().enumerate() {
        let mut row = vec![usize::MAX / 2; width];
        row[0] = i + 1;
        let from = (i + 1).saturating_sub(limit).max(1);
        let to = (i + 1 + limit).min(b.len());
        let mut least = row[0];
        for j in from..=to {
            let y = b[j - 1];
            let mut best = (last[j - 1] + usize::from(x != y))
                .min(last[j] + 1)
                .min(row[j - 1] + 1);
            if i > 0 && j > 1 && x == b[j - 2] && a[i - 1] == y {
                best = best.min(before[j - 2] + 1);
            }
            row[j] = best;
            least = least.min(best);
        }
        if least > limit && last.iter().min().is_none_or(|&l| l >= limit) {
            return None;
        }
        before = std::mem::replace(&mut last, row);
    }
    u8::try_from(last[b.len()])
        .ok()
        .filter(|&d| usize::from(d) <= limit)
}

/// Hashes of any part of a text in constant time.
struct Hashes {
    prefix: Vec<u64>,
    power: Vec<u64>,
}

impl Hashes {
    fn new(chars: &[char]) -> Self {
        let mut prefix = Vec::with_capacity(chars.len() + 1);
        let mut power = Vec::with_capacity(chars.len() + 1);
        let (mut h, mut p) = (0_u64, 1_u64);
        prefix.push(h);
        power.push(p);
        for &c in chars {
            h = h
                .wrapping_mul(BASE)
                .wrapping_add(u64::from(u32::from(c)) + 1);
            p = p.wrapping_mul(BASE);
            prefix.push(h);
            power.push(p);
        }
        Self { prefix, power }
    }

    fn part(&self, from: usize, to: usize) -> u64 {
        self.prefix[to].wrapping_sub(self.prefix[from].wrapping_mul(self.power[to - from]))
    }

    fn len(&self) -> usize {
        self.prefix.len() - 1
    }
}

fn cuts(n: usize) -> [usize; 5] {
    [0, n / 4, n / 2, 3 * n / 4, n]
}

fn signature(n: usize, pair: usize, first: u64, second: u64) -> u64 {
    let mut x = (n as u64) << 3 | pair as u64;
    for part in [first, second] {
        x = (x ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        x ^= x >> 32;
    }
    x = x.wrapping_mul(0xff51_afd7_ed55_8ccd);
    x ^ (x >> 33)
}

/// The signatures a name is filed under.
pub(super) fn signatures(name: &[char], mut sink: impl FnMut(u64)) {
    let n = name.len();
    if n < MIN_NAME {
        return;
    }
    let hashes = Hashes::new(name);
    let cut = cuts(n);
    let pairs = if n < MIN_TWO_EDITS { 2 } else { PAIRS.len() };
    for (pair, &(i, j)) in PAIRS.iter().enumerate().take(pairs) {
        let (first, second) = (
            hashes.part(cut[i], cut[i + 1]),
            hashes.part(cut[j], cut[j + 1]),
        );
        sink(signature(n, pair, first, second));
    }
}

/// Bucket and fingerprint of a signature.
pub(super) fn place(signature: u64, buckets: usize) -> (usize, u8) {
    (signature as usize & (buckets - 1), (signature >> 56) as u8)
}

struct Search<'a> {
    view: View<'a>,
    buckets: usize,
    found: Vec<u32>,
}

impl Search<'_> {
    fn probe(&mut self, signature: u64) {
        let (bucket, print) = place(signature, self.buckets);
        let range = self.view.range(Section::Buckets, bucket);
        let entries = self.view.slice(
            Section::BucketNames,
            range.start * ENTRY,
            range.end.saturating_mul(ENTRY),
        );
        for entry in entries.chunks_exact(ENTRY) {
            if entry[4] == print {
                self.found
                    .push(u32::from_le_bytes([entry[0], entry[1], entry[2], entry[3]]));
            }
        }
    }

    /// Asks for one pair of a name of `n` characters, its parts shifted as given.
    fn pair(&mut self, query: &Hashes, n: usize, pair: usize, shifts: (isize, isize)) {
        let cut = cuts(n);
        let (i, j) = PAIRS[pair];
        let part = |p: usize, shift: isize| {
            let from = cut[p].checked_add_signed(shift)?;
            let to = cut[p + 1].checked_add_signed(shift)?;
            (to <= query.len()).then(|| query.part(from, to))
        };
        if let (Some(first), Some(second)) = (part(i, shifts.0), part(j, shifts.1)) {
            self.probe(signature(n, pair, first, second));
        }
    }

    /// Names of `n` characters at most one edit away from the query.
    fn one_edit(&mut self, query: &[char], n: usize) {
        let hashes = Hashes::new(query);
        let delta = query.len() as isize - n as isize;
        self.pair(&hashes, n, 0, (0, 0));
        self.pair(&hashes, n, 1, (delta, delta));
        if delta == 0
            && let Some(swapped) = swap(query, cuts(n)[2] as isize)
        {
            self.pair(&Hashes::new(&swapped), n, 0, (0, 0));
        }
    }

    /// Names of `n` characters at most two edits away from the query.
    fn two_edits(&mut self, query: &[char], hashes: &Hashes, n: usize) {
        let delta = query.len() as isize - n as isize;
        self.pair(hashes, n, 0, (0, 0));
        self.pair(hashes, n, 1, (delta, delta));
        self.pair(hashes, n, 3, (0, delta));
        for shift in -2..=2_isize {
            if shift.abs() + (delta - shift).abs() <= 2 {
                self.pair(hashes, n, 2, (0, shift));
                self.pair(hashes, n, 4, (shift, shift));
                self.pair(hashes, n, 5, (shift, delta));
            }
        }
        if delta.abs() > 1 {
            return;
        }
        let cut = cuts(n);
        for at in &cut[1..4] {
            for shift in [0, delta] {
                if let Some(swapped) = swap(query, *at as isize + shift) {
                    self.one_edit(&swapped, n);
                }
                if delta == 0 {
                    break;
                }
            }
        }
    }
}

/// The query with the characters on both sides of `at` exchanged, if they differ.
fn swap(query: &[char], at: isize) -> Option<Vec<char>> {
    let at = usize::try_from(at).ok()?;
    if at == 0 || at >= query.len() || query[at - 1] == query[at] {
        return None;
    }
    let mut swapped = query.to_vec();
    swapped.swap(at - 1, at);
    Some(swapped)
}

/// Names within `limit` (at most 2) edits of the folded query, as (name id, distance).
pub(super) fn search(index: &EntityIndex, query: &str, limit: u8) -> Vec<(u32, u8)> {
    let view = index.view();
    let buckets = view.layout().count(Section::Buckets).saturating_sub(1);
    if limit == 0 || !buckets.is_power_of_two() || query.len() > 4 * MAX_QUERY {
        return Vec::new();
    }
    let chars: Vec<char> = query.chars().collect();
    if chars.len() > MAX_QUERY {
        return Vec::new();
    }
    let mut search = Search {
        view,
        buckets,
        found: Vec::new(),
    };
    let reach = usize::from(limit);
    let lengths = chars.len().saturating_sub(reach).max(MIN_NAME)..=chars.len() + reach;
    if limit == 1 {
        for n in lengths {
            search.one_edit(&chars, n);
        }
    } else {
        let hashes = Hashes::new(&chars);
        for n in lengths {
            search.two_edits(&chars, &hashes, n);
        }
    }
    let mut found = search.found;
    found.sort_unstable();
    found.dedup();
    let mut name = Vec::with_capacity(chars.len() + 2);
    found
        .into_iter()
        .filter_map(|id| {
            name.clear();
            name.extend(index.name_text(id)?.chars());
            Some((id, osa_distance(&chars, &name, limit)?))
        })
        .collect()
}
