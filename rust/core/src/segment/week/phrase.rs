//! One phrase of days.

use crate::lexicon::units::{Role, number_word};

use super::words::Words;
use super::{Days, Form};

/// What one phrase says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Said {
    Days(Days, Form),
    /// So many days a week.
    Count(usize),
}

/// The phrase that begins at a word, and the first word behind it.
pub(super) fn phrase(words: &Words, at: usize) -> Option<(Said, usize)> {
    let word = words.get(at)?;
    if word.mark || word.timed && word.text != "24" {
        return None;
    }
    if word.text == "24" && words.is_mark(at + 1, "/") && words.text(at + 2) == "7" {
        return Some((Said::Days(Days::ALL, Form::All), at + 3));
    }
    if let Some((from, each, next)) = name(words, at) {
        return Some(range(words, at, from, each, next));
    }
    let marks = words.marks(at);
    if marks.is_empty()
        && !word.text.starts_with(|c: char| c.is_ascii_digit())
        && number(words, at).is_none()
    {
        return None;
    }
    if marks.has("daily") {
        return Some((Said::Days(Days::ALL, Form::All), at + 1));
    }
    if let Some(days) = class(words, at) {
        return Some((Said::Days(days, Form::Class), at + 1));
    }
    if marks.has("every") {
        if let Some((day, _, next)) = name(words, at + 1) {
            return Some((Said::Days(Days::of(day), Form::Each), next));
        }
        if let Some(days) = class(words, at + 1) {
            return Some((Said::Days(days, Form::Class), at + 2));
        }
        // "all day" tells a time.
        let plural = words.text(at + 1).ends_with('s');
        if words.is(at + 1, "day_noun") && (plural || !marks.has("whole")) {
            return Some((Said::Days(Days::ALL, Form::All), of_the_week(words, at + 2)));
        }
    }
    if marks.has("whole") && words.is(at + 1, "week") {
        let next = at + 2 + usize::from(words.text(at + 2) == "long");
        return Some((Said::Days(Days::ALL, Form::All), next));
    }
    let count = number(words, at)?;
    let dash = usize::from(words.is_mark(at + 1, "-"));
    let mut next = at + 1 + dash;
    if !words.is(next, "day_noun") {
        return None;
    }
    next += 1;
    let by = words.is_mark(next, "/") || words.is_mark(next, "-") || words.is(next, "per");
    if !by {
        return None;
    }
    // "five days of the week", "six-days-a-week"
    for _ in 0..3 {
        next += 1;
        if words.is(next, "week") {
            let said = match count {
                7 => Said::Days(Days::ALL, Form::All),
                count => Said::Count(count),
            };
            return (1..=7).contains(&count).then_some((said, next + 1));
        }
        if !(words.is_mark(next, "-") || words.is(next, "per")) {
            return None;
        }
    }
    None
}

/// "weekdays", "weekends".
fn class(words: &Words, at: usize) -> Option<Days> {
    let marks = words.marks(at);
    if marks.has("weekdays") {
        Some(Days::WEEKDAYS)
    } else {
        marks.has("weekend").then_some(Days::WEEKEND)
    }
}

fn of_the_week(words: &Words, at: usize) -> usize {
    let whole = words.text(at) == "of" && words.text(at + 1) == "the" && words.is(at + 2, "week");
    at + if whole { 3 } else { 0 }
}

fn number(words: &Words, at: usize) -> Option<usize> {
    let text = words.text(at);
    if let Ok(number) = text.parse::<usize>() {
        return Some(number);
    }
    let known = number_word(text);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    (known.role == Role::Ones).then_some(known.value as usize)
}

/// A day's name: its number, whether every one is meant, and the word behind it.
fn name(words: &Words, at: usize) -> Option<(usize, bool, usize)> {
    use crate::lexicon::tables::schedule;
    let word = words.get(at)?;
    if word.mark {
        return None;
    }
    let place = |class: &str| schedule().place(class, &word.text);
    if let Some(day) = place("day") {
        return Some((day, false, at + 1));
    }
    if let Some(day) = place("days") {
        return Some((day, true, at + 1));
    }
    if !word.capital && !words.value {
        return None;
    }
    let short = ["short", "short_three", "short_too"];
    let day = short.iter().find_map(|class| place(class));
    let day = day.or_else(|| place("two").filter(|_| words.value))?;
    let dot = words.is_mark(at + 1, ".") && words.get(at + 1).is_some_and(|mark| mark.joined);
    Some((day, false, at + 1 + usize::from(dot)))
}

/// A name and, where it goes on so, the range that it begins.
fn range(words: &Words, at: usize, from: usize, each: bool, next: usize) -> (Said, usize) {
    let between = at > 0 && words.text(at - 1) == "between" && words.text(next) == "and";
    let joint = words.is_mark(next, "-") || words.is(next, "through") || between;
    if joint
        && let Some((to, _, end)) = name(words, next + 1)
        && to != from
    {
        return (Said::Days(Days::range(from, to), Form::Range), end);
    }
    let form = if each { Form::Each } else { Form::Name };
    (Said::Days(Days::of(from), form), next)
}
