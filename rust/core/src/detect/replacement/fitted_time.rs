//! A stretch of time put in the place of another time: "in the 1890s" for "in 1911", "in Q3 2025" for
//! "on 3 May 2025", "between 1701 and 1705" for "in 1712".

use crate::claims::SentenceView;
use crate::kb::{is_time, period, prose};
use crate::lexicon::cues::Cue;
use crate::types::{LexFlags, QuantityKind, Span};

use crate::detect::object::Object;

/// Where the right stretch of time goes, with the preposition before it, and what is put there; no
/// words where it does not fit. `None` where the value is no stretch of time.
pub(in crate::detect) fn stretched(
    view: &SentenceView<'_>,
    object: &Object<'_>,
    value: &str,
) -> Option<(Span, Option<String>)> {
    period(value)?;
    let (Some(right), Some(span)) = (prose(value), told(view, object)) else {
        return Some((object.span(), None));
    };
    let at = view.lexemes_in(span).start;
    let folded = view.folded();
    let before = at.checked_sub(1);
    let word = before.map_or("", |i| folded.get(i));
    let opens = before.is_none_or(|i| {
        matches!(view.word(i), ":" | "(" | "," | "–" | "—") || folded.cue(i).is(Cue::COPULA)
    });
    Some(match word {
        "in" | "on" | "at" | "during" => {
            let lexeme = view.lexemes[at - 1];
            let mut lead = right.lead.to_owned();
            if lexeme.flags.has(LexFlags::CAPITALIZED) {
                lead = lead[..1].to_uppercase() + &lead[1..];
            }
            let span = Span::new(lexeme.span.start, span.end);
            (span, Some(format!("{lead} {}", right.text)))
        }
        "from" | "to" | "of" if !right.bound => (span, Some(right.text)),
        _ if opens && right.bound => (span, Some(value.to_owned())),
        _ if opens => (span, Some(right.text)),
        _ => (span, None),
    })
}

/// Where the one time of the object stands.
fn told(view: &SentenceView<'_>, object: &Object<'_>) -> Option<Span> {
    if is_time(view.at(object.span())) {
        return Some(object.span());
    }
    let dated = |span: Span| object.dates.iter().any(|date| date.span.overlaps(span));
    let years = (object.quantities.iter()).filter(|q| q.kind == QuantityKind::Year);
    let years = years.map(|q| q.span).filter(|span| !dated(*span));
    let mut all = object.dates.iter().map(|date| date.span).chain(years);
    let first = all.next()?;
    all.next().is_none().then_some(first)
}
