//! A wrong number that is told once more in brackets ("1,992 objects (1,992)").

use crate::claims::SentenceView;
use crate::types::Span;

/// Words between the number and the brackets, at most.
const BETWEEN: usize = 3;

/// The place with the brackets behind it that tell its number once more, and what takes it: the words
/// between stay, and brackets with the wrong number do not.
pub(super) fn with_restated(view: &SentenceView<'_>, place: Span, text: String) -> (Span, String) {
    let unchanged = |text| (place, text);
    let mut own = view.quantities.iter().filter(|q| place.contains(q.span));
    let (Some(number), None) = (own.next(), own.next()) else {
        return unchanged(text);
    };
    let again = view.quantities.iter().find(|q| q.span.start >= place.end);
    let Some(again) = again.filter(|q| (q.value - number.value).abs() < f64::EPSILON) else {
        return unchanged(text);
    };
    let between = view.at(Span::new(place.end, again.span.start));
    let behind = view.at(Span::new(again.span.end, view.sentence.span.end));
    let words = between
        .strip_suffix('(')
        .filter(|_| behind.starts_with(')'));
    let plain = |c: char| c.is_alphabetic() || matches!(c, ' ' | '-' | '\'' | '\u{a0}');
    match words.map(str::trim_end) {
        Some(words) if words.chars().all(plain) && words.split(' ').count() <= BETWEEN + 1 => {
            let whole = Span::new(place.start, again.span.end + 1);
            (whole, format!("{text}{words}"))
        }
        _ => unchanged(text),
    }
}
