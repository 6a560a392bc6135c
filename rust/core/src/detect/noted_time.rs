//! Words beside a year, a month or a day of the week that would no longer be so of another one: "Q4 2022",
//! "FY 2022", "2022-09", "Black Friday", "the last Friday of June 2022".

use crate::claims::SentenceView;
use crate::lexicon::tables::circumstance;
use crate::lexicon::words::{WordClass, class};
use crate::normal::fold_name;
use crate::types::{LexFlags, LexKind, QuantityKind, Span};

/// Whether what stands beside the time in `span` would stay beside the one put there.
pub(super) fn noted(view: &SentenceView<'_>, span: Span) -> bool {
    let place = view.lexemes_in(span);
    let word = |i: usize| {
        let known = view.lexemes.get(i);
        known.map_or_else(String::new, |_| fold_name(view.word(i)))
    };
    let text = view.at(span).to_lowercase();
    let mut eras = circumstance().listed("era").iter();
    let era = text.starts_with(|c: char| c.is_ascii_digit()) && eras.any(|era| text.ends_with(era));
    let year = view
        .quantities
        .iter()
        .any(|q| q.kind == QuantityKind::Year && q.span.overlaps(span))
        || view.dates.iter().any(|date| date.span.overlaps(span));
    let day = class(text.as_str()).has(WordClass::WEEKDAY);
    if era {
        return true;
    }
    if !year && !day || place.is_empty() {
        return false;
    }
    let mut before = place.start;
    while before > 0 && matches!(&*word(before - 1), "of" | "the" | "in" | "for") {
        before -= 1;
    }
    let last = before.checked_sub(1);
    if day {
        return last.filter(|_| before == place.start).is_some_and(|i| {
            let named = view.lexemes[i].flags.has(LexFlags::CAPITALIZED)
                && !view.lexemes[i].flags.has(LexFlags::SENTENCE_START)
                && view.kind(i) == Some(LexKind::Word);
            let ranked = view
                .quantities
                .iter()
                .any(|q| q.kind == QuantityKind::Ordinal && q.span.overlaps(view.lexemes[i].span));
            named || ranked || matches!(&*word(i), "last" | "final" | "first")
        });
    }
    let weekday =
        last.is_some_and(|i| class(&word(i)).has(WordClass::WEEKDAY)) && before < place.start;
    let kind = last.is_some_and(|i| {
        circumstance().has("year_of", &word(i)) && !(word(i) == "year" && before < place.start)
            || part(&word(i))
    });
    // "2022-09", "09/2022", which are one word to their reader.
    let joined = |a: usize, b: usize| {
        let (Some(a), Some(b)) = (view.lexemes.get(a), view.lexemes.get(b)) else {
            return false;
        };
        a.span.end == b.span.start
    };
    let month = |i: usize| {
        let word = word(i);
        word.len() <= 2 && word.parse::<u8>().is_ok()
    };
    let links = |i: usize| matches!(view.word(i), "-" | "/");
    let onward = joined(place.end - 1, place.end)
        && view.lexemes.get(place.end).is_some()
        && links(place.end)
        && joined(place.end, place.end + 1)
        && month(place.end + 1);
    let back = last.is_some_and(|i| {
        links(i) && joined(i, place.start) && i > 0 && joined(i - 1, i) && month(i - 1)
    });
    weekday || kind || onward || back || part(&word(place.end))
}

/// "Q4", "H1", "3Q".
fn part(word: &str) -> bool {
    let mut chars = word.chars();
    let (Some(a), Some(b), None) = (chars.next(), chars.next(), chars.next()) else {
        return false;
    };
    let (letter, digit) = if a.is_ascii_digit() { (b, a) } else { (a, b) };
    matches!(letter, 'q' | 'h') && ('1'..='4').contains(&digit)
}
