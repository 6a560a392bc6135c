//! The days and seasons for which a number is told: "at 9 am on weekdays and at 11 am on Sundays" has one hour
//! for each.

use std::sync::OnceLock;

use crate::lexicon::listed::Lengths;
use crate::lexicon::tables::circumstance;
use crate::normal::fold;
use crate::types::{LexKind, Lexeme, Span};

/// Lexemes on either side of a number among which its days are sought.
const REACH: usize = 14;
/// Days of a week, and those that are none of it (holidays).
const DAYS: u16 = 0x1ff;

/// A set of days of the week (the first is Monday), of holidays, and of seasons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Days(u16);

impl Days {
    /// Whether no day and no season is told.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether both are told, and nothing is of both.
    #[must_use]
    pub fn apart(self, other: Self) -> bool {
        let apart = |mask: u16| {
            let (own, other) = (self.0 & mask, other.0 & mask);
            own != 0 && other != 0 && own & other == 0
        };
        apart(DAYS) || apart(!DAYS)
    }

    /// Whether what is told for these may be held against what is told for `other`: for all of them, or where
    /// one of the two names none, and the other most days of a week, or all of it.
    #[must_use]
    pub fn within(self, other: Self) -> bool {
        let least = |own: Self, days: u32| {
            own.is_empty() || (own.0 & DAYS).count_ones() >= days && own.0 & !DAYS == 0
        };
        if self.is_empty() || other.is_empty() {
            return least(self, 5) && least(other, 7);
        }
        let covers = |mask: u16| {
            let (own, other) = (self.0 & mask, other.0 & mask);
            own & !other == 0 && (own == 0) == (other == 0)
        };
        covers(DAYS) && covers(!DAYS)
    }

    /// Whether the word is one for them.
    #[must_use]
    pub fn has(word: &str) -> bool {
        circumstance().of("day_", word).is_some()
    }

    /// Those of a word, as the table has them: a digit for each.
    fn of(word: &str, buffer: &mut String) -> Self {
        static LENGTHS: OnceLock<Lengths> = OnceLock::new();
        let lengths = LENGTHS.get_or_init(|| {
            let mut lengths = Lengths::default();
            let listed = circumstance().under("day_").flat_map(|(_, words)| words);
            listed.for_each(|word| lengths.add(word));
            lengths
        });
        // Of plain letters folding changes the case alone.
        let bytes = word.as_bytes();
        if let Some(first) = bytes.first()
            && !lengths.may_begin(first.to_ascii_lowercase(), bytes.len())
            && bytes.iter().all(u8::is_ascii_alphanumeric)
        {
            return Self::default();
        }
        buffer.clear();
        fold(word, buffer);
        let digits = circumstance().of("day_", buffer).unwrap_or("");
        let bits = digits.chars().filter_map(|digit| digit.to_digit(36));
        Self(bits.fold(0, |all, bit| all | 1 << (bit - 1).min(15)))
    }

    /// Those from the one day to the other.
    fn until(self, last: Self) -> Self {
        let (from, to) = (self.0.trailing_zeros(), last.0.trailing_zeros());
        if from > 6 || to > 6 {
            return Self(self.0 | last.0);
        }
        let steps = (to + 7 - from) % 7;
        Self((0..=steps).fold(0, |all, step| all | 1 << ((from + step) % 7)))
    }
}

/// The days and seasons for which the number at `span` is told: those of its own part of the sentence, behind
/// it first.
pub fn days<'a>(lexemes: &[Lexeme], span: Span, text: impl Fn(Span) -> &'a str) -> Days {
    let mut buffer = String::new();
    let after = lexemes.partition_point(|lexeme| lexeme.span.start < span.end);
    let before = lexemes.partition_point(|lexeme| lexeme.span.end <= span.start);
    let behind = lexemes.get(after..).unwrap_or(&[]);
    let found = series(behind.iter().take(REACH), &text, &mut buffer, true);
    if !found.is_empty() {
        return found;
    }
    let front = lexemes.get(..before).unwrap_or(&[]);
    series(front.iter().rev().take(REACH), &text, &mut buffer, false)
}

/// The first days among the lexemes: "Saturdays and Sundays", "Monday to Friday". Behind the number the part
/// ends at a mark and at "and", unless a day goes on there; in front of it with another number.
fn series<'a, 'l>(
    lexemes: impl Iterator<Item = &'l Lexeme>,
    text: &impl Fn(Span) -> &'a str,
    buffer: &mut String,
    behind: bool,
) -> Days {
    let (mut found, mut ranged) = (Days::default(), false);
    for lexeme in lexemes {
        let word = text(lexeme.span);
        let own = if lexeme.kind == LexKind::Word {
            Days::of(word, buffer)
        } else {
            Days::default()
        };
        if !own.is_empty() {
            let pair = if behind { (found, own) } else { (own, found) };
            found = match ranged && !found.is_empty() {
                true => pair.0.until(pair.1),
                false => Days(found.0 | own.0),
            };
            ranged = false;
            continue;
        }
        let links = matches!(word, "and" | "," | "&" | "or");
        ranged = matches!(word, "to" | "through" | "till" | "until" | "–" | "-");
        if !found.is_empty() {
            if links || ranged || matches!(word, "on" | "in" | "at") {
                continue;
            }
            break;
        }
        let ends = match behind {
            true => links || matches!(word, ";" | ":" | "but" | "while" | "—" | "–"),
            false => lexeme.kind == LexKind::Number || matches!(word, ";" | "but" | "while"),
        };
        // "Every morning except Sunday".
        let excepts = || circumstance().has_written("beside", word);
        if ends || lexeme.kind == LexKind::Newline || lexeme.kind == LexKind::Word && excepts() {
            break;
        }
    }
    found
}
