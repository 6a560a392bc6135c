//! Parts of a year or month that a date is told by: "early March 2020", "the winter of 2019".

use crate::claims::SentenceView;
use crate::kb::Value;
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::tables::stance;
use crate::normal::fold;
use crate::types::{LexKind, QuantityKind, Span};

/// Words before a date among which its part stands.
const REACH: usize = 5;
/// What makes a date one of its part.
const PERIODS: &[&str] = &[
    "early",
    "late",
    "mid",
    "beginning",
    "start",
    "middle",
    "end",
    "turn",
    "morning",
    "afternoon",
    "evening",
    "night",
    "day",
    "days",
    "week",
    "weeks",
    "weekend",
    "fortnight",
    "months",
    "half",
    "quarter",
    "semester",
    "term",
    "winter",
    "spring",
    "summer",
    "autumn",
    "fall",
    "eve",
    "christmas",
    "easter",
    "halloween",
    "thanksgiving",
    "ramadan",
    "season",
];
/// Those that only narrow a year or month behind them.
const NARROW: [&str; 3] = ["early", "late", "mid"];
/// Words behind a preposition among which a date of such a part stands ("in the second half of the
/// third week of March").
const FAR: usize = 9;
/// The last month in which a winter may end that is called by the year before.
const WINTER_ENDS: u8 = 3;

/// The dates and years of a sentence: where they stand, and their year.
fn dates<'a>(view: &'a SentenceView<'_>) -> impl Iterator<Item = (Span, Option<i32>)> + 'a {
    #[allow(clippy::cast_possible_truncation)]
    let years = view
        .quantities
        .iter()
        .filter(|q| q.kind == QuantityKind::Year)
        .map(|q| (q.span, Some(q.value as i32)));
    let dates = view.dates.iter().map(|date| (date.span, date.year));
    dates.chain(years)
}

/// The word by which the first date or year inside `span` is one of a part, and its year.
fn period(view: &SentenceView<'_>, span: Span) -> Option<(usize, Option<i32>)> {
    let (date, year) = dates(view)
        .filter(|(own, _)| own.overlaps(span))
        .min_by_key(|(own, _)| own.start)?;
    part(view, date).map(|word| (word, year))
}

/// The word before a date by which it is one of a part.
fn part(view: &SentenceView<'_>, date: Span) -> Option<usize> {
    let at = view.lexemes_in(date).start;
    for i in (at.saturating_sub(REACH)..at).rev() {
        let word = folded(view.word(i));
        if PERIODS.contains(&word.as_str()) {
            return Some(i);
        }
        let hyphen = view.word(i) == "-";
        if view.lexemes[i].kind == LexKind::Punct && !hyphen {
            break;
        }
        if cue(&word).is(Cue::PREPOSITION) && word != "of" {
            // "early in March 2020"
            let before = i.checked_sub(1);
            return before.filter(|j| NARROW.contains(&folded(view.word(*j)).as_str()));
        }
    }
    None
}

/// Whether the date in `span` is one of a part that a date put there would keep, or that would not
/// go with what stands before it: "early" before "March 2020", but not in "in the late 1990s",
/// which "in 1987" replaces as a whole.
pub(super) fn in_part(view: &SentenceView<'_>, span: Span) -> bool {
    period(view, span).is_some_and(|(word, _)| {
        let inside = span.contains(view.lexemes[word].span);
        let before = view.lexemes_in(span).start.checked_sub(1);
        let led = before.map(|i| folded(view.word(i)));
        let whole = matches!(led.as_deref(), Some("in" | "during"));
        !(inside && (whole || NARROW.contains(&folded(view.word(word)).as_str())))
    })
}

/// Whether a date stands behind `from`, with nothing between but the part of it that is meant:
/// "the first week of March 2020".
pub(super) fn part_at(view: &SentenceView<'_>, from: usize) -> bool {
    let plain = |i: usize| {
        let word = folded(view.word(i));
        let ranked = view
            .quantities
            .iter()
            .any(|q| q.kind == QuantityKind::Ordinal && q.span.overlaps(view.lexemes[i].span));
        let light = Cue::DETERMINER.or(Cue::POSSESSIVE).or(Cue::ADVERB);
        ranked
            || word == "of"
            || cue(&word).is(light)
            || PERIODS.contains(&word.as_str())
            || stance().has("edition", &word)
    };
    dates(view).any(|(date, _)| {
        let at = view.lexemes_in(date).start;
        (from..from + FAR).contains(&at) && part(view, date).is_some() && (from..at).all(plain)
    })
}

/// "The winter of 2019" may end in the first months of 2020.
pub(super) fn in_that_winter(view: &SentenceView<'_>, said: Span, value: &Value) -> bool {
    let Some((word, Some(year))) = period(view, said) else {
        return false;
    };
    let (own, month) = match value {
        Value::Date(date) => (date.year, date.month),
        #[allow(clippy::cast_possible_truncation)]
        Value::Number { value, unit: None } => (*value as i32, None),
        _ => return false,
    };
    folded(view.word(word)) == "winter"
        && own == year + 1
        && month.is_none_or(|month| month <= WINTER_ENDS)
}

fn folded(word: &str) -> String {
    let mut out = String::new();
    fold(word, &mut out);
    out
}
