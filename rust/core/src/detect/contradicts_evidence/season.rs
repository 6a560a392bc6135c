//! Another season than a source's: "is open in winter" of what is open in summer, "all year" of what is open from
//! May to September.

use std::sync::OnceLock;

use crate::claims::{Runs, SentenceView};
use crate::detect::how_often::Otherwise;
use crate::detect::words_at::Parts;
use crate::evidence::EvidenceSet;
use crate::lexicon::tables::otherwise;
use crate::lexicon::units::{Role, number_word};
use crate::types::Span;

use super::plain::{Word, leaves_open, same_words, words};
use super::sources::sources;

/// Months of a year, January the lowest bit.
type Months = u16;
const WHOLE_YEAR: Months = 0xfff;

/// A sentence that says in which part of the year something is.
struct Seasonal {
    /// Where the season stands.
    span: Span,
    /// The same with the words that lead it: "in winter", "from May to September", "all year".
    phrase: Span,
    /// Which season it is, where it is one.
    season: &'static str,
    /// Months that it may have.
    months: Months,
    /// It says "only", or from when to when, so that it is at no other time.
    bounded: bool,
    /// Stems of its other words.
    rest: Vec<String>,
}

/// The season that a source has of just the same, where none of its sentences speaks of the one that
/// is said.
pub(super) fn in_season<'a>(
    view: &SentenceView<'_>,
    evidence: &'a EvidenceSet,
) -> Option<Otherwise<'a>> {
    let parts = seasonal().may_stand_among(view.text, view.runs());
    if !parts && !may_lead_month(view.text, view.runs()) {
        debug_assert!(Seasonal::read(view.text).is_none(), "{}", view.text);
        return None;
    }
    let said = Seasonal::read(view.text)?;
    let speaks = |word: Word| season(&word.folded) == Some(said.season);
    let mut passages = evidence.passages().iter();
    if !said.season.is_empty()
        && passages.any(|passage| words(passage.text()).into_iter().any(speaks))
    {
        return None;
    }
    let mut found = None;
    for (source, own) in sources(evidence, Seasonal::read) {
        if !same_words(&said.rest, &own.rest) {
            continue;
        }
        let seasons = !said.season.is_empty() && !own.season.is_empty();
        let whole = |one: &Seasonal| one.months == WHOLE_YEAR;
        let apart = match seasons {
            true => own.season != said.season,
            false if whole(&said) => own.bounded && !whole(&own),
            false => own.months & said.months == 0,
        };
        if found.is_some() || !apart {
            return None;
        }
        let (at, place) = match seasons {
            true => (said.span, own.span),
            false => (said.phrase, own.phrase),
        };
        found = source.instead(view, at, place);
    }
    found
}

/// What words of a part of the year begin with, but for months.
fn seasonal() -> &'static Parts {
    static PARTS: OnceLock<Parts> = OnceLock::new();
    let seasons = ["spring", "summer", "autumn", "fall", "winter"];
    let several = ["springs", "summers", "autumns", "falls", "winters"];
    let others = ["from", "between", "year"];
    PARTS.get_or_init(|| Parts::of(seasons.into_iter().chain(several).chain(others)))
}

/// Whether an "in" may lead a month: "In July".
fn may_lead_month(text: &str, runs: &Runs) -> bool {
    let Some(all) = runs.all() else { return true };
    let bytes = text.as_bytes();
    all.windows(2).any(|two| {
        let (at, next) = (two[0].0 as usize, two[1].0 as usize);
        two[0].1 == 2
            && bytes[at..at + 2].eq_ignore_ascii_case(b"in")
            && b"adfjmnos".contains(&bytes[next].to_ascii_lowercase())
    })
}

fn season(word: &str) -> Option<&'static str> {
    let bare = word.strip_suffix('s').unwrap_or(word);
    let all = ["spring", "summer", "autumn", "winter"];
    let bare = if bare == "fall" { "autumn" } else { bare };
    all.into_iter().find(|season| *season == bare)
}

/// Months that a season may be said to have, of the north: no two seasons that face each other share one.
fn months_of(season: &str) -> Months {
    match season {
        "spring" => 0b0000_0011_1110,
        "summer" => 0b0001_1111_0000,
        "autumn" => 0b0111_1000_0000,
        _ => 0b1100_0000_0111,
    }
}

/// The month of a word, from 0.
fn month(word: &Word) -> Option<u32> {
    let role = number_word(&word.folded).role;
    let is = matches!(role, Role::Month | Role::MonthDoubtful | Role::MonthShort);
    let value = number_word(&word.folded).value;
    is.then_some(value as u32)
        .and_then(|value| value.checked_sub(1))
}

/// All months from the one to the other.
fn stretch(from: u32, to: u32) -> Months {
    let count = (to + 12 - from) % 12 + 1;
    (0..count).fold(0, |all, i| all | 1 << ((from + i) % 12))
}

/// Where a sentence tells of a part of the year: its words and the months.
fn told(all: &[Word]) -> Option<(std::ops::Range<usize>, Months, bool)> {
    let is = |i: usize, word: &str| all.get(i).is_some_and(|own| own.folded == word);
    (0..all.len()).find_map(|i| {
        let ends = [("from", "to"), ("from", "until"), ("between", "and")];
        let ends = ends
            .iter()
            .any(|(first, last)| is(i, first) && is(i + 2, last));
        if ends
            && let (Some(from), Some(to)) = (
                all.get(i + 1).and_then(month),
                all.get(i + 3).and_then(month),
            )
        {
            return Some((i..i + 4, stretch(from, to), true));
        }
        let single = all.get(i + 1).and_then(month).filter(|_| is(i, "in"));
        if let Some(month) = single.filter(|_| !all.get(i + 2).is_some_and(dated)) {
            return Some((i..i + 2, 1 << month, false));
        }
        let year = (is(i, "all") || is(i, "whole")) && is(i + 1, "year");
        let round = usize::from(is(i + 2, "round") || is(i + 2, "long"));
        if year && i > 0 {
            return Some((i..i + 2 + round, WHOLE_YEAR, false));
        }
        if is(i, "year-round") && i + 1 == all.len() {
            return Some((i..i + 1, WHOLE_YEAR, false));
        }
        let through = is(i, "throughout") && is(i + 1, "the") && is(i + 2, "year");
        through.then(|| (i..i + 3, WHOLE_YEAR, false))
    })
}

impl Seasonal {
    fn read(text: &str) -> Option<Self> {
        let lower = |word: &&str| text.contains(*word);
        let parts = [
            "spring", "ummer", "utumn", "fall", "inter", "year", "from", "etween",
        ];
        // "In July".
        let named = || {
            let mut places = text.match_indices(" in ");
            places.any(|(at, led)| text[at + led.len()..].starts_with(char::is_uppercase))
        };
        if !parts.iter().any(lower) && !named() {
            return None;
        }
        let all = words(text);
        if leaves_open(text, &all) || all.iter().any(Word::denies) {
            return None;
        }
        let led = |i: usize| {
            let before = all[..i].iter().rev().find(|word| word.folded != "the");
            before.is_some_and(|word| {
                matches!(
                    &*word.folded,
                    "in" | "during" | "each" | "every" | "throughout"
                )
            })
        };
        let mut places = (0..all.len()).filter(|i| season(&all[*i].folded).is_some());
        let part = told(&all);
        let (range, phrase, name, months, fixed) = match (places.next(), places.next(), part) {
            (Some(at), None, None) if led(at) => {
                let name = season(&all[at].folded).unwrap_or("");
                let article = usize::from(all[at - 1].folded == "the");
                (
                    at..at + 1,
                    at - 1 - article..at + 1,
                    name,
                    months_of(name),
                    false,
                )
            }
            (None, None, Some((range, months, fixed))) => (range.clone(), range, "", months, fixed),
            _ => return None,
        };
        let inside = |i: usize| phrase.contains(&i);
        let other = all
            .iter()
            .enumerate()
            .any(|(i, word)| !inside(i) && dated(word));
        let only = all.iter().any(|word| word.folded == "only");
        let rest = (all.iter().enumerate()).filter(|(i, word)| {
            !inside(*i) && word.content && !otherwise().has("season_light", &word.folded)
        });
        let rest: Vec<String> = rest.map(|(_, word)| word.stem()).collect();
        let place = |range: &std::ops::Range<usize>| {
            Span::new(all[range.start].start, all[range.end - 1].end)
        };
        (!other && rest.len() > 1).then(|| Self {
            span: place(&range),
            phrase: place(&phrase),
            season: name,
            months,
            bounded: fixed || only,
            rest,
        })
    }
}

/// A word of another time, or a number.
fn dated(word: &Word) -> bool {
    let digits = word.folded.starts_with(|c: char| c.is_ascii_digit());
    digits
        || matches!(
            number_word(&word.folded).role,
            Role::Month | Role::MonthShort
        )
}
