//! What is told of a value once more beside it, and falls with it: the same amount in another unit
//! ("512 m (1,680 ft)", "512 metres, or 1,680 feet"), how long ago a year was ("1941 (83 years ago)").

use serde_json::json;

use crate::claims::{SentenceView, in_brackets};
use crate::evidence::EvidenceSet;
use crate::lexicon::units::comparable;
use crate::types::{Finding, LexKind, Lexeme, Quantity, QuantityKind, Span};

/// Of values that the evidence puts right, those that are told once more beside: both fall, unless the
/// evidence has the second one or another for it.
pub(in crate::detect) fn widen(
    view: &SentenceView<'_>,
    evidence: &EvidenceSet,
    found: &mut [Finding],
) {
    for i in 0..found.len() {
        let Some(place) = found[i].span.filter(|_| found[i].replacement.is_some()) else {
            continue;
        };
        let whole = with_conversion(view, place);
        let again = |q: &&Quantity| whole.contains(q.span) && !place.contains(q.span);
        let held = (view.quantities.iter().filter(again)).any(|q| evidence.has_quantity(q));
        let other = (found.iter().enumerate())
            .any(|(j, own)| j != i && own.span.is_some_and(|span| span.overlaps(whole)));
        if whole == place || held || other {
            continue;
        }
        found[i].span = Some(whole);
        view.at(whole).clone_into(&mut found[i].text);
        found[i].detected = json!(view.at(whole));
    }
}

/// The place of a value that is put right, with what tells it once more right behind.
pub(in crate::detect) fn with_conversion(view: &SentenceView<'_>, place: Span) -> Span {
    let Some(said) = view.quantities.iter().find(|q| place.contains(q.span)) else {
        return place;
    };
    let end = view.lexemes_in(place).end;
    if let Some(inner) = in_brackets(view, end) {
        let first = view.lexemes[inner.start].span;
        let last = view.lexemes[inner.end - 1].span;
        let whole = Span::new(first.start, last.end);
        let again = told_again(view, said, whole) || counts_back(view, said, whole);
        return match view.lexemes.get(inner.end) {
            Some(close) if again => Span::new(place.start, close.span.end),
            _ => place,
        };
    }
    let comma = usize::from(view.word(end) == ",");
    if !view.word(end + comma).eq_ignore_ascii_case("or") {
        return place;
    }
    let next = view.lexemes.get(end + comma + 1).map(|own| own.span.start);
    let mut all = view.quantities.iter();
    let other = all.find(|q| Some(q.span.start) == next && converts(said, q));
    other.map_or(place, |other| Span::new(place.start, other.span.end))
}

fn converts(said: &Quantity, other: &Quantity) -> bool {
    let money = said.kind == QuantityKind::Money && other.kind == QuantityKind::Money;
    let units = said.unit.zip(other.unit);
    units.is_some_and(|(a, b)| a != b && (money || comparable(a, b)))
}

/// Whether the words are the amount in another unit and no more than that.
fn told_again(view: &SentenceView<'_>, said: &Quantity, whole: Span) -> bool {
    let mut all = view.quantities.iter();
    let other = all.find(|q| whole.contains(q.span) && converts(said, q));
    other.is_some_and(|other| {
        let before = view.at(Span::new(whole.start, other.span.start)).trim();
        let round = matches!(
            before,
            "" | "about" | "approx." | "approximately" | "ca." | "~" | "or"
        );
        round && other.span.end == whole.end
    })
}

/// "83 years ago", behind a year.
fn counts_back(view: &SentenceView<'_>, said: &Quantity, whole: Span) -> bool {
    let ago = |lexeme: &&Lexeme| {
        lexeme.kind == LexKind::Word && view.at(lexeme.span).eq_ignore_ascii_case("ago")
    };
    said.kind == QuantityKind::Year
        && view.lexemes[view.lexemes_in(whole)]
            .last()
            .filter(ago)
            .is_some()
}
