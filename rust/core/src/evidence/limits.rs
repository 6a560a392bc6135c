//! Limits that a text sets: "orders over 30 euros", "children under 12", "stays of 7 nights or more".

use crate::claims::Reached;
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::tables::{frames, stance};
use crate::types::Span;

use super::passage::PassageIndex;
use super::set::EvidenceSet;

/// Words of a phrase that makes a number a limit, at most.
const PHRASE: usize = 3;
/// Words before such a phrase among which stands what it limits.
const REACH: usize = 4;
/// What two numbers of a range are joined by.
const JOINTS: [&str; 4] = ["to", "and", "-", "–"];

/// A limit.
#[derive(Debug, Clone, PartialEq)]
pub struct Limit {
    /// Least value; minus infinity where there is none.
    pub low: f64,
    /// Greatest value; infinity where there is none.
    pub high: f64,
    /// Whether the limits themselves are left out ("over", "under").
    pub open: bool,
    /// What is limited ("orders"), in small letters.
    pub head: Option<String>,
    /// Whether it tells which of them are meant ("for orders over 30 euros"), and not how much there
    /// is ("holds over 30 people").
    pub tells_apart: bool,
}

impl Limit {
    /// Whether a value is within.
    #[must_use]
    pub fn holds(&self, value: f64) -> bool {
        if self.open {
            value > self.low && value < self.high
        } else {
            value >= self.low && value <= self.high
        }
    }
}

/// Words of a text in small letters, marks of a clause as words of their own.
pub fn plain_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (word, mark) in text.split_whitespace().map(plain) {
        words.extend(word.map(str::to_lowercase));
        words.extend(mark.map(str::to_owned));
    }
    words
}

/// The first [`plain_words`] of a text.
fn first_words(text: &str, count: usize) -> Vec<String> {
    let mut words = Vec::new();
    for (word, mark) in text.split_whitespace().map(plain) {
        words.extend(word.map(str::to_lowercase));
        words.extend(mark.map(str::to_owned));
        if words.len() >= count {
            break;
        }
    }
    words.truncate(count);
    words
}

/// The last [`plain_words`] of a text, in their order.
fn last_words(text: &str, count: usize) -> Vec<String> {
    let mut words = Vec::new();
    for (word, mark) in text.split_whitespace().rev().map(plain) {
        words.extend(mark.map(str::to_owned));
        words.extend(word.map(str::to_lowercase));
        if words.len() >= count {
            break;
        }
    }
    words.truncate(count);
    words.reverse();
    words
}

/// The word in what stands between two spaces, and a mark behind it.
fn plain(part: &str) -> (Option<&str>, Option<&str>) {
    let opening = |c: char| matches!(c, '(' | '[' | '"' | '“' | '*' | '_');
    let part = part.trim_start_matches(opening);
    let word = part.trim_end_matches([',', ';', ':', '.', '!', '?', ')', ']', '"', '”']);
    let mark = word.len() < part.len() || part == "—";
    (
        Some(word).filter(|word| !word.is_empty()),
        mark.then_some(","),
    )
}

/// The words that are left before one that makes a number a limit: how many words say so, whether it
/// is the least value, and whether it is left out.
fn phrase_before(words: &[String]) -> Option<(usize, bool, bool)> {
    let classes = [
        ("at_least", true, false),
        ("at_most", false, false),
        ("above", true, true),
        ("below", false, true),
    ];
    (1..=PHRASE.min(words.len())).rev().find_map(|length| {
        let phrase = words[words.len() - length..].join(" ");
        let marks = stance().marks(&phrase);
        let own = classes.iter().find(|(class, ..)| marks.has(class))?;
        Some((length, own.1, own.2))
    })
}

/// Whether the words behind a number make it the least (or greatest) value.
fn phrase_behind(after: &str) -> Option<bool> {
    if after.starts_with('+') {
        return Some(true);
    }
    let words = first_words(after, 2);
    (1..=words.len()).find_map(|length| {
        let phrase = words[..length].join(" ");
        let marks = stance().marks(&phrase);
        if marks.has("or_more") {
            return Some(true);
        }
        marks.has("or_less").then_some(false)
    })
}

/// What the words around a number make of it; `None` where it is no limit. `ranged` is the value of
/// a number right before it, with the words between.
#[must_use]
pub fn limit(before: &str, value: f64, after: &str, ranged: Option<(f64, &str)>) -> Option<Limit> {
    // Most numbers are no limits, which the words right beside them tell.
    let near = last_words(before, PHRASE);
    let mut said = 0;
    let (low, high, open) = match ranged {
        Some((low, joint)) if low < value && JOINTS.contains(&joint.trim()) => (low, value, false),
        _ => match (phrase_before(&near), phrase_behind(after)) {
            (Some((length, above, open)), _) => {
                said = length;
                if above {
                    (value, f64::INFINITY, open)
                } else {
                    (f64::NEG_INFINITY, value, open)
                }
            }
            (None, Some(true)) => (value, f64::INFINITY, false),
            (None, Some(false)) => (f64::NEG_INFINITY, value, false),
            (None, None) => {
                let onward = first_words(after, 1)
                    .first()
                    .is_some_and(|w| JOINTS.contains(&w.as_str()));
                if onward || near.last().is_none_or(|word| word != "from") {
                    return None;
                }
                said = 1;
                (value, f64::INFINITY, false)
            }
        },
    };
    let all = plain_words(before);
    let words = &all[..all.len() - said];
    // "The room is over 40 m²" tells how much there is; "if your order is over 40 euros" does not.
    let when = words.iter().any(|word| frames().has("case_when", word));
    let linked = |word: &&String| {
        frames().has("case_link", word) && (when || !cue(word).is(Cue::COPULA.or(Cue::AUXILIARY)))
    };
    let links = words.iter().rev().take(REACH).take_while(linked).count();
    let place = words.len() - links;
    let head = place.checked_sub(1).map(|at| &words[at]);
    let head = head.filter(|word| word.chars().all(char::is_alphabetic) && !function(word));
    let tells_apart = head.is_some() && {
        let rest = &words[..place - 1];
        let modified = rest.last().is_some_and(|word| {
            frames().has("case_one", word) || cue(word).is(Cue::ADJECTIVE.or(Cue::DETERMINER))
        });
        let rest = &rest[..rest.len() - usize::from(modified)];
        rest.last().is_none_or(|word| {
            word == "," || cue(word).is(Cue::PREPOSITION) || frames().has("case_when", word)
        }) || links > 0
    };
    Some(Limit {
        low,
        high,
        open,
        head: head.cloned(),
        tells_apart,
    })
}

fn function(word: &str) -> bool {
    cue(word).is(Cue::FUNCTION)
}

impl PassageIndex {
    /// The limit that one of its numbers is, in its sentence.
    #[must_use]
    pub fn limit_at(&self, number: usize) -> Option<Limit> {
        let own = self.quantities.get(number)?;
        let sentence = *self.sentences().get(own.sentence as usize)?;
        let span = own.quantity.span;
        let text = self.text();
        let before = number.checked_sub(1).map(|at| &self.quantities[at]);
        let before =
            before.filter(|b| b.sentence == own.sentence && b.quantity.span.end <= span.start);
        // "by 12 to 214"
        let before = before.filter(|_| own.reached == Reached::Range);
        let joint = before.and_then(|b| {
            let joint = text.get(b.quantity.span.end..span.start)?;
            JOINTS
                .contains(&joint.trim())
                .then_some((b.quantity, joint))
        });
        let start = joint.map_or(span.start, |(b, _)| b.span.start);
        limit(
            text.get(sentence.start..start)?,
            own.quantity.value,
            text.get(span.end..sentence.end)?,
            joint.map(|(b, joint)| (b.value, joint)),
        )
    }
}

impl EvidenceSet {
    /// The limit that the number of a passage at `place` is.
    #[must_use]
    pub fn limit_in(&self, passage: usize, place: Span) -> Option<Limit> {
        let data = self.passages().get(passage)?.data();
        let own = (0..data.quantities.len())
            .filter(|at| place.contains(data.quantities[*at].quantity.span));
        own.max().and_then(|at| data.limit_at(at))
    }
}
