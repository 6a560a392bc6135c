//! Parts of a year or month that a date is told by: "early March 2020", "the winter of 2019".

use crate::claims::SentenceView;
use crate::kb::Value;
use crate::lexicon::cues::{Cue, cue};
use crate::normal::fold;
use crate::types::{LexKind, QuantityKind, Span};

/// Words before a date among which its part stands.
const REACH: usize = 5;
/// What makes a date one of its part.
const PERIODS: [&str; 25] = [
    "early",
    "late",
    "mid",
    "beginning",
    "start",
    "middle",
    "end",
    "turn",
    "week",
    "weekend",
    "fortnight",
    "half",
    "quarter",
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
/// The last month in which a winter may end that is called by the year before.
const WINTER_ENDS: u8 = 3;

/// The word by which the first date or year inside `span` is one of a part, and its year.
pub(super) fn period<'a>(view: &SentenceView<'a>, span: Span) -> Option<(&'a str, Option<i32>)> {
    #[allow(clippy::cast_possible_truncation)]
    let years = view
        .quantities
        .iter()
        .filter(|q| q.kind == QuantityKind::Year)
        .map(|q| (q.span, Some(q.value as i32)));
    let dates = view.dates.iter().map(|date| (date.span, date.year));
    let (date, year) = dates
        .chain(years)
        .filter(|(own, _)| own.overlaps(span))
        .min_by_key(|(own, _)| own.start)?;
    let at = view.lexemes_in(date).start;
    for i in (at.saturating_sub(REACH)..at).rev() {
        let word = folded(view.word(i));
        if PERIODS.contains(&word.as_str()) {
            return Some((view.word(i), year));
        }
        let hyphen = view.word(i) == "-";
        if view.lexemes[i].kind == LexKind::Punct && !hyphen
            || cue(&word).is(Cue::PREPOSITION) && word != "of"
        {
            break;
        }
    }
    None
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
    folded(word) == "winter" && own == year + 1 && month.is_none_or(|month| month <= WINTER_ENDS)
}

fn folded(word: &str) -> String {
    let mut out = String::new();
    fold(word, &mut out);
    out
}
