//! Hours: which end of them is spoken of, those told by a number alone, and how one is written in
//! place of another.

use crate::claims::{Folded, SentenceView};
use crate::kb::Value;
use crate::lexicon::cues::{Cue, cue};
use crate::normal::fold;
use crate::segment::{clocks, told_clocks, told_hours};
use crate::types::Span;

use super::replacement::amount::SPELLED;

/// "until 6 pm", "closes at 6 pm": the end of the range.
pub(super) fn ends_at(view: &SentenceView<'_>, object: Span) -> bool {
    let before = view.lexemes_in(Span::new(view.sentence.span.start, object.start));
    let folded = |at: Span| {
        let mut word = String::new();
        fold(view.at(at), &mut word);
        word
    };
    let words = view.lexemes[before]
        .iter()
        .rev()
        .map(|own| folded(own.span));
    let mut words = words.filter(|word| word != "daily").take(2);
    words.any(|w| matches!(&*w, "until" | "till" | "to" | "by") || w.starts_with("clos"))
}

/// Whether one time is said of hours that hold it, and neither as their beginning nor their end:
/// "is open at 3 pm", of nine to five.
pub(super) fn inside(view: &SentenceView<'_>, object: Span, value: &str) -> bool {
    let own: Vec<u16> = clocks(value).iter().map(|clock| clock.minutes).collect();
    let text = view.at(object);
    let told = told_clocks(text);
    let ([from, to], [said]) = (own.as_slice(), told.as_slice()) else {
        return false;
    };
    let place = Span::new(object.start + said.span.start, object.end);
    let bound = |place: Span| ends_at(view, place) || begins_at(view, place);
    if bound(object) || bound(place) {
        return false;
    }
    let half = 12 * 60;
    let may_be = [said.minutes, said.minutes + half];
    let times = if said.half { &may_be[..1] } else { &may_be[..] };
    times.iter().any(|time| {
        if from < to {
            (from..=to).contains(&time)
        } else {
            time >= from || time <= to
        }
    })
}

/// "is open at 3 pm": neither when it opens nor when it closes.
pub(super) fn of_a_moment(view: &SentenceView<'_>, object: Span) -> bool {
    told_clocks(view.at(object)).len() == 1 && !ends_at(view, object) && !begins_at(view, object)
}

/// Whether the words in front of lexeme `at` tell of a moment: "is open at", "is already closed at".
pub(super) fn at_a_moment(folded: &Folded<'_>, at: usize) -> bool {
    let word = |back: usize| at.checked_sub(back).map_or("", |i| folded.get(i));
    let state = matches!(word(2), "open" | "closed");
    let behind = at.checked_sub(3).is_some_and(|i| {
        folded
            .cue(i)
            .is(Cue::COPULA.or(Cue::ADVERB).or(Cue::NEGATION))
    });
    word(1) == "at" && state && behind
}

/// "opens at 9 am", "from 9 am": the beginning of the range. "Is open at 9 am" tells of a moment.
fn begins_at(view: &SentenceView<'_>, object: Span) -> bool {
    let before = view.lexemes_in(Span::new(view.sentence.span.start, object.start));
    let words = view.lexemes[before].iter().rev().map(|lexeme| {
        let mut word = String::new();
        fold(view.at(lexeme.span), &mut word);
        word
    });
    // "is already open at noon", "opens daily at nine"
    let mut words =
        words.filter(|word| !matches!(&**word, "already" | "still" | "also" | "not" | "daily"));
    let [last, verb, lead] =
        [words.next(), words.next(), words.next()].map(Option::unwrap_or_default);
    let state = |word: &str| cue(word).is(Cue::COPULA) || word.starts_with("stay");
    let opens = |word: &str| {
        ["open", "start", "begin"]
            .iter()
            .any(|own| word.starts_with(own))
    };
    last == "from" || opens(&last) && !state(&verb) || opens(&verb) && !state(&lead)
}

/// Where an hour stands by itself ("9").
pub(super) fn bare_hour(text: &str) -> Option<Span> {
    let start = text.len() - text.trim_start().len();
    let word = text.trim();
    let hour: u16 = word.parse().ok()?;
    (1..=24)
        .contains(&hour)
        .then(|| Span::new(start, start + word.len()))
}

/// A time of day in place of another, or a range of them.
pub(super) fn timed(view: &SentenceView<'_>, object: Span, value: &str) -> (Span, Option<String>) {
    let own: Vec<u16> = clocks(value).iter().map(|clock| clock.minutes).collect();
    let text = view.at(object);
    let told = if own.len() == 2 {
        told_hours(text)
    } else {
        told_clocks(text)
    };
    let said: Vec<(u16, Span)> = told
        .iter()
        .map(|clock| (clock.minutes, clock.span))
        .collect();
    let place = |from: usize, to: usize| Span::new(object.start + from, object.start + to);
    let style = |minutes: u16, like: Span| {
        let like = &text[like.start..like.end];
        let time = clock(minutes, like);
        // "08:45" in the place of "08:15".
        match time.find(':') {
            Some(1) if like.starts_with('0') && !meridiem(like) => format!("0{time}"),
            _ => time,
        }
    };
    match (said.as_slice(), own.as_slice()) {
        ([], [_] | [_, _]) => match bare_hour(text) {
            // "opens at 9": the half of the day is said with the right hour.
            Some(at) => {
                let time = if ends_at(view, object) {
                    own[own.len() - 1]
                } else {
                    own[0]
                };
                (place(at.start, at.end), Some(clock(time, "1 pm")))
            }
            None => (object, None),
        },
        ([(_, at)], [time]) => (place(at.start, at.end), Some(style(*time, *at))),
        ([(_, at)], [from, to]) => {
            let ends = ends_at(view, object);
            let time = if ends { *to } else { *from };
            let place = place(at.start, at.end);
            // A moment outside of the range: neither end of it is meant.
            let meant = ends || begins_at(view, object) || begins_at(view, place);
            (place, meant.then(|| style(time, *at)))
        }
        ([(_, a), (_, b)], [from, to]) => {
            let between = &text[a.end..b.start];
            let halved = |at: &Span| meridiem(&text[at.start..at.end]);
            let like = if halved(a) || text[a.start..a.end].contains(':') {
                *a
            } else {
                *b
            };
            let last = if halved(b) || !halved(a) { *b } else { *a };
            let mut first = style(*from, like);
            // The last stop of "p.m." may be the sentence's.
            if first.ends_with(".m") {
                first.push('.');
            }
            let said = format!("{first}{between}{}", style(*to, last));
            (place(a.start, b.end), Some(said))
        }
        _ => (object, None),
    }
}

/// Whether a time is written with "am" or "pm".
fn meridiem(like: &str) -> bool {
    let lower = like.to_lowercase();
    ["am", "pm", "a.m.", "p.m.", "a.m", "p.m"]
        .iter()
        .any(|half| lower.ends_with(half))
}

/// Whether a time is told by a word of its own.
fn at_noon(like: &str) -> bool {
    ["noon", "midday", "midnight"]
        .iter()
        .any(|word| like.ends_with(word))
}

/// Parts of the day, with the minute at which each ends.
const PARTS: [(u16, &str); 4] = [
    (12 * 60, "in the morning"),
    (18 * 60, "in the afternoon"),
    (22 * 60, "in the evening"),
    (24 * 60, "at night"),
];

/// A time written in words like another: "eleven at night" for "nine in the evening", "ten o'clock";
/// `None` where that one is not in words or this has no such form.
fn in_words(minutes: u16, like: &str) -> Option<String> {
    let minutes = minutes % (24 * 60);
    match minutes {
        0 if at_noon(like) => return Some("midnight".to_owned()),
        720 if at_noon(like) => return Some("noon".to_owned()),
        _ => {}
    }
    let parted = PARTS.iter().any(|(_, part)| like.ends_with(part));
    let struck = like.ends_with("o'clock") || like.ends_with("o’clock");
    let whole = minutes.is_multiple_of(60);
    let hour = usize::from((minutes / 60 + 11) % 12 + 1);
    let digits = like.starts_with(|c: char| c.is_ascii_digit());
    let number = match digits {
        true if whole => hour.to_string(),
        true => format!("{hour}:{:02}", minutes % 60),
        false if whole => SPELLED[hour].to_owned(),
        false if minutes % 60 == 30 && parted => format!("half past {}", SPELLED[hour]),
        false => return None,
    };
    if struck && whole {
        return Some(format!("{number} {}", like.rsplit(' ').next()?));
    }
    let part = PARTS.iter().find(|(end, _)| minutes < *end)?.1;
    parted.then(|| format!("{number} {part}"))
}

/// A time of day written like another.
fn clock(minutes: u16, like: &str) -> String {
    let (hour, minute) = (minutes / 60, minutes % 60);
    let lower = like.to_lowercase();
    if let Some(words) = in_words(minutes, &lower) {
        return words;
    }
    if !meridiem(like) && (minute > 0 || !at_noon(&lower)) {
        return format!("{hour}:{minute:02}");
    }
    let late = hour % 24 >= 12;
    let half = match (lower.contains(".m"), lower.ends_with('.')) {
        (true, true) if late => "p.m.",
        (true, true) => "a.m.",
        (true, false) if late => "p.m",
        (true, false) => "a.m",
        _ if late => "pm",
        _ => "am",
    };
    let half = if like.contains('M') {
        half.to_uppercase()
    } else {
        half.to_owned()
    };
    let space = if like.contains(' ') || at_noon(&lower) {
        " "
    } else {
        ""
    };
    let hour = if hour % 12 == 0 { 12 } else { hour % 12 };
    if minute == 0 {
        format!("{hour}{space}{half}")
    } else {
        format!("{hour}:{minute:02}{space}{half}")
    }
}

/// "Check-in is possible at 4 pm", "is until 10 pm", of "from 3 pm": another time within what the base's leaves open,
/// or its other end.
pub(super) fn bounded_otherwise(folded: &Folded<'_>, value: &Value) -> bool {
    let Value::Text(text) = value else {
        return false;
    };
    let led = |words: &[&str]| words.iter().any(|word| text.starts_with(word));
    let others: &[&str] = if led(&["from ", "From ", "after ", "After "]) {
        &["possible", "until", "till", "before"]
    } else if led(&[
        "until ", "Until ", "till ", "by ", "By ", "before ", "Before ",
    ]) {
        &["possible", "from", "after"]
    } else {
        return false;
    };
    (0..folded.len()).any(|i| others.contains(&folded.get(i)))
}
