//! Times of day in digits and words: "15:00", "3 pm", "half past two", "noon".

use crate::lexicon::units::{Role, number_word};
use crate::types::Span;

mod marked;
mod tells;
mod written;

use tells::may_tell;
pub use written::FIVES;

/// Minutes of half a day.
const HALF: u16 = 12 * 60;

/// A time of day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    /// Minutes since midnight; below 720 where the half of the day is not said.
    pub minutes: u16,
    /// Where it stands in the text.
    pub span: Span,
    /// Whether the half of the day is said: not in "half past two".
    pub half: bool,
}

impl Clock {
    /// Whether it can be that time, `slack` minutes more or less.
    #[must_use]
    pub fn near(&self, minutes: u16, slack: u16) -> bool {
        let (own, other) = if self.half {
            (self.minutes, minutes)
        } else {
            (self.minutes % HALF, minutes % HALF)
        };
        own.abs_diff(other) <= slack
    }
}

/// Times of day in a text, in its order. A bare number is none, except in front of another time
/// whose half of the day it shares ("9-11 am").
#[must_use]
pub fn clocks(text: &str) -> Vec<Clock> {
    Reader::new(text, Mode::Plain).read()
}

/// What [`clocks`] and [`told_clocks`] find, for less than both.
#[must_use]
pub fn clocks_both(text: &str) -> (Vec<Clock>, Vec<Clock>) {
    let mut reader = Reader::new(text, Mode::Told);
    let told = reader.read();
    reader.mode = Mode::Plain;
    (reader.read(), told)
}

/// The same of words of which it is known that they tell a time: also "two thirty", "15.30" and
/// "nine to five".
#[must_use]
pub fn told_clocks(text: &str) -> Vec<Clock> {
    Reader::new(text, Mode::Told).read()
}

/// The same of words that tell opening hours: "ten to five" is two times.
#[must_use]
pub fn told_hours(text: &str) -> Vec<Clock> {
    Reader::new(text, Mode::Hours).read()
}

/// What is known of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Nothing.
    Plain,
    /// It tells a time.
    Told,
    /// It tells from when to when.
    Hours,
}

/// What stands at one place of a text.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Sign<'a> {
    /// A time in digits; whether "am" or "pm" was written.
    Time(Clock, bool),
    /// An hour, or a count of minutes, in digits or words.
    Bare(u16),
    /// "14.30".
    Dotted(u16, u16),
    /// A word.
    Word(&'a str),
    /// A dash between numbers.
    Dash,
    /// Any other mark or number.
    Other,
}

struct Reader<'a> {
    mode: Mode,
    text: &'a str,
    signs: Vec<(Sign<'a>, Span)>,
}

/// The number a word is: "twenty-five".
fn number(word: &str) -> Option<u16> {
    // Most words are none.
    let end = word.bytes().position(|b| b == b'-').unwrap_or(word.len());
    let first = &word[..end];
    if !matches!(number_word(first).role, Role::Ones | Role::Ten) {
        return None;
    }
    let mut sum = 0;
    for (i, part) in word.split('-').enumerate() {
        let known = number_word(part);
        let fits = match known.role {
            Role::Ones => true,
            Role::Ten => i == 0,
            _ => false,
        };
        if !fits || i > 1 || i == 1 && (sum < 20 || known.value >= 10.0) {
            return None;
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let value = known.value as u16;
        sum += value;
    }
    Some(sum)
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, mode: Mode) -> Self {
        if may_tell(text, mode) {
            return Self::whole(text, mode);
        }
        debug_assert!(Self::whole(text, mode).read().is_empty(), "{text}");
        let signs = Vec::new();
        Self { mode, text, signs }
    }

    /// Reads all of a text.
    fn whole(text: &'a str, mode: Mode) -> Self {
        let mut signs = Vec::new();
        let mut at = 0;
        let mut before = ' ';
        let bytes = text.as_bytes();
        while let Some(&first) = bytes.get(at) {
            // Between words, and inside those that are not read.
            if first == b' ' || first.is_ascii_alphabetic() && before.is_alphanumeric() {
                before = char::from(first);
                at += 1;
                continue;
            }
            let rest = &text[at..];
            let Some(c) = rest.chars().next() else { break };
            let apart = !before.is_alphanumeric();
            let (sign, used) = if c.is_ascii_digit() && apart && !matches!(before, '.' | ':' | '$')
            {
                let (sign, used) = digits(rest, at);
                (Some(sign), used)
            } else if c.is_alphabetic() && apart {
                let plain = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'\'' | b'-');
                let ascii = bytes[at..].iter().take_while(plain).count();
                let used = if bytes.get(at + ascii).is_none_or(u8::is_ascii) {
                    ascii
                } else {
                    rest.find(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’' | '-'))
                        .unwrap_or(rest.len())
                };
                let word = rest[..used].trim_end_matches('-');
                let sign = number(word).map_or(Sign::Word(word), Sign::Bare);
                (Some(sign), word.len())
            } else if matches!(c, '-' | '–' | '—') {
                (Some(Sign::Dash), c.len_utf8())
            } else if c.is_whitespace() || c.is_alphanumeric() {
                (None, c.len_utf8())
            } else {
                (Some(Sign::Other), c.len_utf8())
            };
            if let Some(sign) = sign {
                signs.push((sign, Span::new(at, at + used)));
            }
            before = text[..at + used].chars().next_back().unwrap_or(' ');
            at += used;
        }
        Self { mode, text, signs }
    }

    fn sign(&self, i: usize) -> Sign<'a> {
        self.signs.get(i).map_or(Sign::Other, |(sign, _)| *sign)
    }

    fn is(&self, i: usize, words: &[&str]) -> bool {
        match self.sign(i) {
            Sign::Word(word) => words.iter().any(|own| own.eq_ignore_ascii_case(word)),
            _ => false,
        }
    }

    fn span(&self, from: usize, to: usize) -> Span {
        Span::new(self.signs[from].1.start, self.signs[to - 1].1.end)
    }

    /// An hour in digits or words, 1 to 12, or "noon", "midnight".
    fn hour(&self, i: usize) -> Option<(u16, bool)> {
        match self.sign(i) {
            Sign::Bare(hour @ 1..=12) => Some((hour % 12 * 60, false)),
            _ if self.is(i, &["noon", "midday"]) => Some((HALF, true)),
            _ if self.is(i, &["midnight"]) => Some((0, true)),
            _ => None,
        }
    }

    fn read(&self) -> Vec<Clock> {
        let told = self.mode != Mode::Plain;
        let mut out: Vec<Clock> = Vec::new();
        // A bare hour that may begin a range: its place among the signs and its minutes.
        let mut open: Option<(usize, u16)> = None;
        let mut i = 0;
        while i < self.signs.len() {
            let Some((clock, used, shares)) = self.at(i) else {
                let joint = self.joins(i);
                match self.sign(i) {
                    Sign::Bare(hour @ 0..=24) => {
                        let begins = open.filter(|(at, _)| told && at + 2 == i);
                        if let Some((at, first)) = begins
                            && (1..=12).contains(&hour)
                        {
                            out.push(self.loose(first % HALF, at));
                            out.push(self.loose(hour * 60 % HALF, i));
                            open = None;
                        } else {
                            open = Some((i, hour * 60));
                        }
                    }
                    _ if joint && open.is_some_and(|(at, _)| at + 1 == i) => {}
                    _ => open = None,
                }
                i += 1;
                continue;
            };
            if let Some((at, hour)) = open.take()
                && at + 2 == i
            {
                if shares {
                    out.push(Clock {
                        minutes: hour % HALF + clock.minutes / HALF * HALF,
                        span: self.signs[at].1,
                        half: true,
                    });
                } else if told && hour > 0 {
                    out.push(self.loose(hour % HALF, at));
                }
            }
            let (clock, used) = self.of_day(clock, used);
            out.push(clock);
            i = used;
            // "noon to five".
            if told
                && self.joins(i)
                && let Sign::Bare(hour @ 1..=12) = self.sign(i + 1)
                && self.at(i + 1).is_none()
            {
                out.push(self.loose(hour * 60 % HALF, i + 1));
                i += 2;
            }
        }
        out
    }

    fn loose(&self, minutes: u16, at: usize) -> Clock {
        let span = self.signs[at].1;
        Clock {
            minutes,
            span,
            half: false,
        }
    }

    /// Whether the sign between two times makes them a range.
    fn joins(&self, i: usize) -> bool {
        self.sign(i) == Sign::Dash || self.is(i, &["to", "until", "till", "and"])
    }

    /// The time at a place, the first sign after it, and whether it shares its half of the day
    /// with a number before it.
    fn at(&self, i: usize) -> Option<(Clock, usize, bool)> {
        let told = self.mode != Mode::Plain;
        if let Sign::Time(clock, shares) = self.sign(i) {
            return Some((clock, i + 1, shares));
        }
        let clock = |minutes: u16, used: usize, half: bool| {
            let span = self.span(i, used);
            Some((
                Clock {
                    minutes,
                    span,
                    half,
                },
                used,
                false,
            ))
        };
        if let Some((minutes, used, half)) = self.around(i) {
            return clock(minutes, used, half);
        }
        if let Sign::Dotted(hour, minute) = self.sign(i) {
            let minutes = hour * 60 + minute;
            let late = hour > 12;
            return (told || self.marked(i))
                .then(|| clock(if late { minutes } else { minutes % HALF }, i + 1, late))?;
        }
        let (minutes, half) = self.hour(i)?;
        if half {
            return clock(minutes, i + 1, true);
        }
        // "12 noon".
        if minutes == 0 && self.is(i + 1, &["noon", "midday", "midnight"]) {
            let (minutes, _) = self.hour(i + 1)?;
            return clock(minutes, i + 2, true);
        }
        if self.is(i + 1, &["o'clock", "o’clock"]) {
            return clock(minutes, i + 2, false);
        }
        if self.is(i + 1, &["am", "pm"]) {
            let noon = if self.is(i + 1, &["pm"]) { HALF } else { 0 };
            return clock(minutes + noon, i + 2, true);
        }
        if self.day_part(i + 1).is_some() {
            return clock(minutes, i + 1, false);
        }
        // "two thirty", in words both.
        let spelled = |i: usize| {
            let span = self.signs.get(i).map_or(Span::default(), |(_, span)| *span);
            self.text[span.start..span.end].starts_with(char::is_alphabetic)
        };
        match self.sign(i + 1) {
            Sign::Bare(part @ (10..=59)) if told && spelled(i) && spelled(i + 1) => {
                clock(minutes + part, i + 2, false)
            }
            _ => None,
        }
    }

    /// "half past two", "a quarter to three", "ten past noon".
    fn around(&self, i: usize) -> Option<(u16, usize, bool)> {
        let mut at = i + usize::from(self.is(i, &["a"]));
        let (half, quarter) = (self.is(at, &["half"]), self.is(at, &["quarter"]));
        let minutes = match self.sign(at) {
            _ if half => 30,
            _ if quarter => 15,
            Sign::Bare(minutes @ (5 | 10 | 20 | 25)) if at == i => minutes,
            _ => return None,
        };
        at += 1 + usize::from(self.is(at + 1, &["minutes", "minute"]));
        let past = self.is(at, &["past"]) || self.is(at, &["after"]) && quarter;
        let to = self.is(at, &["to", "before"]) && !half && (quarter || self.mode == Mode::Told);
        if !past && !to {
            return None;
        }
        let (hour, known) = self.hour(at + 1)?;
        let day = if known { 2 * HALF } else { HALF };
        let time = if past {
            hour + minutes
        } else {
            hour + day - minutes
        };
        Some((time % day, at + 2, known))
    }

    /// "in the morning", "at night": which half of the day, and the first sign after it.
    fn day_part(&self, i: usize) -> Option<(&'static str, usize)> {
        if self.is(i, &["at"]) && self.is(i + 1, &["night"]) {
            return Some(("night", i + 2));
        }
        if !self.is(i, &["in"]) || !self.is(i + 1, &["the"]) {
            return None;
        }
        let parts = ["morning", "afternoon", "evening"];
        let part = parts.into_iter().find(|part| self.is(i + 2, &[part]))?;
        Some((part, i + 3))
    }

    /// With what is said of the half of the day behind it.
    fn of_day(&self, clock: Clock, used: usize) -> (Clock, usize) {
        let twelve = clock.minutes < HALF + 60;
        let Some((part, end)) = self.day_part(used).filter(|_| twelve) else {
            return (clock, used);
        };
        let early = clock.minutes % HALF;
        let late = match part {
            "morning" => false,
            "night" => (6 * 60..HALF).contains(&early),
            _ => true,
        };
        let minutes = early + if late { HALF } else { 0 };
        let span = Span::new(clock.span.start, self.signs[end - 1].1.end);
        let told = Clock {
            minutes,
            span,
            half: true,
        };
        (told, end)
    }
}

/// What a text that starts with a digit starts with, and the bytes it takes.
fn digits(text: &str, at: usize) -> (Sign<'static>, usize) {
    let count = text.bytes().take_while(u8::is_ascii_digit).count();
    let hour: Option<u16> = text[..count]
        .parse()
        .ok()
        .filter(|h| *h <= 59 && count <= 2);
    let Some(hour) = hour else {
        return (Sign::Other, count);
    };
    let mut used = count;
    let mut minutes = None;
    let rest = &text[count..];
    let colon = rest.starts_with(':');
    if let Some(after) = rest.strip_prefix([':', '.'])
        && after.starts_with(|c: char| c.is_ascii_digit())
    {
        let size = after.bytes().take_while(u8::is_ascii_digit).count();
        minutes = after[..size]
            .parse::<u16>()
            .ok()
            .filter(|m| *m < 60 && size == 2);
        if minutes.is_none() || hour > 24 {
            return (Sign::Other, count + 1 + size);
        }
        used += 1 + size;
    }
    let tail = text[used..].trim_start();
    let skipped = text[used..].len() - tail.len();
    // The last stop may be the sentence's.
    let half = ["a.m.", "p.m.", "a.m", "p.m", "am", "pm"]
        .iter()
        .find(|half| {
            let found = tail
                .get(..half.len())
                .is_some_and(|t| t.eq_ignore_ascii_case(half));
            found && !tail[half.len()..].starts_with(char::is_alphanumeric)
        });
    let time = |minutes, used, shares| {
        let span = Span::new(at, at + used);
        let clock = Clock {
            minutes,
            span,
            half: true,
        };
        (Sign::Time(clock, shares), used)
    };
    match (half, minutes) {
        (Some(half), minutes) if hour <= 12 => {
            let noon = if half.starts_with('p') { HALF } else { 0 };
            let minutes = hour % 12 * 60 + noon + minutes.unwrap_or(0);
            time(minutes, used + skipped + half.len(), true)
        }
        (Some(_), _) => (Sign::Other, used),
        (None, Some(minute)) if colon => time(hour * 60 + minute, used, false),
        (None, Some(minute)) => (Sign::Dotted(hour, minute), used),
        (None, None) => (Sign::Bare(hour), used),
    }
}
