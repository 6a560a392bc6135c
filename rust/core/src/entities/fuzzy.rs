//! Fuzzy look-up by part signatures.
//!
//! A name of n characters is cut into four parts at n/4, n/2 and 3n/4. One edit damages one
//! part and leaves three; two edits leave two: they stand unharmed in the query, shifted by the
//! edits before them. Each name is filed under its threes and pairs of parts (with n), and a
//! query asks for each of them at every shift its edits allow. A transposition across a cut
//! damages both sides; those queries are asked again with the swap undone. What is found is
//! verified, so that the answer is exact: every name within the distance, no other.

use super::index::EntityIndex;
use super::layout::{Section, View};

/// Two parts that two edits may leave.
const PAIRS: [(usize, usize); 6] = [(0, 1), (2, 3), (0, 2), (0, 3), (1, 2), (1, 3)];
/// Number of signatures with three parts; number `p` leaves out part `p`.
const THREES: usize = 4;
const BASE: u64 = 0x0000_0100_0000_01b3;
/// Names shorter than this are never within reach of a query that allows an edit.
const MIN_NAME: usize = 3;
/// Only queries of nine characters and more allow two edits.
const MIN_TWO_EDITS: usize = 7;
/// Longer queries are looked up exactly only.
const MAX_QUERY: usize = 512;
/// Longest row of the distance's table that needs no allocation.
const SMALL_ROW: usize = 40;
/// More than any distance asked for.
const FAR: u16 = u16::MAX / 2;

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
pub fn osa_distance<T: Copy + PartialEq>(a: &[T], b: &[T], limit: u8) -> Option<u8> {
    let head = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[head..], &b[head..]);
    let tail = a
        .iter()
        .rev()
        .zip(b.iter().rev())
        .take_while(|(x, y)| x == y)
        .count();
    let (a, b) = (&a[..a.len() - tail], &b[..b.len() - tail]);
    let reach = usize::from(limit);
    if a.len().abs_diff(b.len()) > reach {
        return None;
    }
    if a.is_empty() || b.is_empty() {
        return u8::try_from(a.len().max(b.len())).ok();
    }
    let width = b.len() + 1;
    let mut small = [0_u16; 3 * SMALL_ROW];
    let mut large = Vec::new();
    let rows = if width <= SMALL_ROW {
        &mut small[..3 * width]
    } else {
        large.resize(3 * width, 0);
        &mut large[..]
    };
    rows.fill(FAR);
    let (mut before, rest) = rows.split_at_mut(width);
    let (mut last, mut row) = rest.split_at_mut(width);
    for (j, cell) in (0..).zip(last.iter_mut().take(reach + 1)) {
        *cell = j;
    }
    let mut least_before = 0;
    for (i, &x) in a.iter().enumerate() {
        row.fill(FAR);
        let mut least = FAR;
        if i < reach {
            row[0] = i as u16 + 1;
            least = row[0];
        }
        for j in (i + 1).saturating_sub(reach).max(1)..=(i + 1 + reach).min(b.len()) {
            let y = b[j - 1];
            let mut best = (last[j - 1] + u16::from(x != y))
                .min(last[j] + 1)
                .min(row[j - 1] + 1);
            if i > 0 && j > 1 && x == b[j - 2] && a[i - 1] == y {
                best = best.min(before[j - 2] + 1);
            }
            row[j] = best;
            least = least.min(best);
        }
        // A transposition reaches back two rows at the price of one.
        if least > u16::from(limit) && least_before >= u16::from(limit) {
            return None;
        }
        least_before = least;
        (before, last, row) = (last, row, before);
    }
    u8::try_from(last[b.len()])
        .ok()
        .filter(|&distance| distance <= limit)
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

    /// Hash of the text where part `p` stands when shifted, if it lies within the text.
    fn shifted(&self, cut: &[usize; 5], p: usize, shift: isize) -> Option<u64> {
        let from = cut[p].checked_add_signed(shift)?;
        let to = cut[p + 1].checked_add_signed(shift)?;
        (to < self.prefix.len()).then(|| self.part(from, to))
    }
}

fn cuts(n: usize) -> [usize; 5] {
    [0, n / 4, n / 2, 3 * n / 4, n]
}

/// A signature of a name of `n` characters: its number and the hashes of its parts.
fn signature(n: usize, number: usize, parts: [u64; 3]) -> u64 {
    let mut x = ((n as u64) << 4) | number as u64;
    for part in parts {
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
    let part = |p: usize| hashes.part(cut[p], cut[p + 1]);
    for number in 0..THREES {
        sink(signature(n, number, three(number).map(part)));
    }
    if n >= MIN_TWO_EDITS {
        for (number, (i, j)) in PAIRS.into_iter().enumerate() {
            sink(signature(n, THREES + number, [part(i), part(j), 0]));
        }
    }
}

/// The parts that the signature without part `missing` holds.
fn three(missing: usize) -> [usize; 3] {
    [0, 1, 2].map(|p| if p < missing { p } else { p + 1 })
}

/// Bucket of a signature, and its fingerprint: the bits of an entry that the name's id leaves.
pub(super) fn place(signature: u64, buckets: usize, ids: u32) -> (usize, u32) {
    (
        signature as usize & (buckets - 1),
        (signature >> 32) as u32 & !ids,
    )
}

/// The bits of an entry that hold the id of one of `names` names.
pub(super) fn id_bits(names: usize) -> u32 {
    u32::try_from(names.next_power_of_two() - 1).unwrap_or(u32::MAX)
}

struct Search<'a> {
    view: View<'a>,
    buckets: usize,
    ids: u32,
    found: Vec<u32>,
}

impl Search<'_> {
    fn probe(&mut self, signature: u64) {
        let (bucket, print) = place(signature, self.buckets, self.ids);
        let range = self.view.range(Section::Buckets, bucket);
        let bytes = self.view.slice(
            Section::BucketNames,
            range.start.saturating_mul(4),
            range.end.saturating_mul(4),
        );
        for entry in bytes.chunks_exact(4) {
            let entry = u32::from_le_bytes([entry[0], entry[1], entry[2], entry[3]]);
            if entry & !self.ids == print {
                self.found.push(entry & self.ids);
            }
        }
    }

    /// Asks for one pair of a name of `n` characters, its parts shifted as given.
    fn pair(&mut self, query: &Hashes, n: usize, number: usize, shifts: (isize, isize)) {
        let (i, j) = PAIRS[number];
        let cut = cuts(n);
        if let (Some(first), Some(second)) = (
            query.shifted(&cut, i, shifts.0),
            query.shifted(&cut, j, shifts.1),
        ) {
            self.probe(signature(n, THREES + number, [first, second, 0]));
        }
    }

    /// Asks for the parts other than `missing` of a name of `n` characters; the parts behind it
    /// are shifted by `delta`.
    fn three(&mut self, query: &Hashes, n: usize, missing: usize, delta: isize) {
        let cut = cuts(n);
        let part = |p: usize| query.shifted(&cut, p, if p < missing { 0 } else { delta });
        if let [Some(a), Some(b), Some(c)] = three(missing).map(part) {
            self.probe(signature(n, missing, [a, b, c]));
        }
    }

    /// Names of `n` characters at most one edit away from the query.
    fn one_edit(&mut self, query: &[char], n: usize) {
        let hashes = Hashes::new(query);
        let delta = query.len() as isize - n as isize;
        for missing in 0..THREES {
            self.three(&hashes, n, missing, delta);
        }
        if delta == 0 {
            for at in &cuts(n)[1..4] {
                if let Some(swapped) = swap(query, *at as isize) {
                    self.three(&Hashes::new(&swapped), n, 0, 0);
                }
            }
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
        let shifts = if delta == 0 { &[0][..] } else { &[0, delta] };
        for at in &cuts(n)[1..4] {
            for shift in shifts {
                if let Some(swapped) = swap(query, *at as isize + shift) {
                    self.one_edit(&swapped, n);
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
        ids: id_bits(index.len()),
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
    let ascii = query.is_ascii();
    let mut name: Vec<char> = Vec::new();
    found
        .into_iter()
        .filter_map(|id| {
            let text = index.name_bytes(id);
            if ascii && text.is_ascii() {
                return Some((id, osa_distance(query.as_bytes(), text, limit)?));
            }
            name.clear();
            name.extend(std::str::from_utf8(text).ok()?.chars());
            Some((id, osa_distance(&chars, &name, limit)?))
        })
        .collect()
}
