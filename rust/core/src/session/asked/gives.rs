//! Whether "It is …" gives the value that a question asks for, and that as it is now.

use crate::claims::{SentenceView, Shape};
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::{circumstance, frames, stance};
use crate::normal::stem;
use crate::types::{Claim, LexFlags, QuantityKind, Span};

/// Whether the object of a claim with "is" is a value of the attribute and kind that are wanted; `past` where the
/// question asks of what was.
pub(super) fn gives(
    view: &SentenceView<'_>,
    claim: &Claim,
    (attribute, shape): (&str, Shape),
    past: bool,
) -> bool {
    has_shape(view, claim, shape)
        && is_all(view, claim, past)
        && !describes(view, claim, attribute)
        && counts_its(view, claim, attribute, shape)
}

/// Whether "It is …" gives the value of now and nothing by which it is another case's: not "It was 8080 in version
/// 1.", "It's C9 for the return flight.", "It's near C9."
fn is_all(view: &SentenceView<'_>, claim: &Claim, past: bool) -> bool {
    let (Some(subject), Some(object)) = (claim.subject_span, claim.object_span) else {
        return false;
    };
    let folded = view.folded();
    let before = view.lexemes_in(subject).end..view.lexemes_in(object).start;
    let told = |i: usize| {
        let word = folded.get(i);
        frames().has("placed_beside", word)
            || stance().has("habit", word)
            || circumstance().has("told_beside", word)
            || !past && matches!(word, "was" | "were")
    };
    let opens = Cue::PREPOSITION.or(Cue::CONJUNCTION).or(Cue::QUESTION);
    let stops = |i: usize| matches!(view.word(i), "," | ";" | "." | "(" | "–" | "—");
    let first = view.lexemes_in(object).start;
    let behind = first + 1..view.lexemes.len();
    let dated = |i: usize| {
        let at = view.lexemes[i].span;
        view.dates.iter().any(|date| date.span.overlaps(at))
    };
    let mut rest = behind.take_while(|i| !stops(*i));
    !before.into_iter().any(told)
        && !told(first)
        && !rest.any(|i| {
            let word = folded.get(i);
            let plain = matches!(word, "of" | "and") || circumstance().has("asked_plain", word);
            (folded.cue(i).is(opens) || frames().has("placed_beside", word)) && !plain && !dated(i)
        })
}

/// "She's a great colleague.", behind "What's her title?": what somebody is said to be is read by itself.
fn describes(view: &SentenceView<'_>, claim: &Claim, attribute: &str) -> bool {
    let names = view.attributes.predicates();
    let kind = ["title", "position"];
    let said = claim.object_span.map_or(0..0, |span| view.lexemes_in(span));
    let article = view.folded().cue(said.start).is(Cue::DETERMINER) || view.word(said.start) == "a";
    // "a Finance Director"
    let capital = |i: usize| view.lexemes[i].flags.has(LexFlags::CAPITALIZED);
    let of = |name: &str| name == attribute || names.same(name, attribute);
    // "half Danish"
    if of("nationality") {
        return said.len() != 1 || view.word(said.start).contains('-');
    }
    kind.into_iter().any(of) && article && !said.clone().last().is_some_and(capital)
}

/// "It's 22 chapters.", behind a question for pages, counts something else.
fn counts_its(view: &SentenceView<'_>, claim: &Claim, attribute: &str, shape: Shape) -> bool {
    let (Shape::Number, Some(object), [number]) = (shape, claim.object_span, &*claim.quantities)
    else {
        return true;
    };
    if number.unit.is_some() {
        return true;
    }
    let from = view.lexemes_in(number.span).end;
    let folded = view.folded();
    let mut nouns = (from..view.lexemes_in(object).end).map(|i| folded.get(i));
    nouns.all(|noun| {
        let own = attribute.split('_').any(|part| stem(part) == stem(noun));
        let predicates = view.attributes.predicates();
        own || predicates.same(noun, attribute)
            || circumstance().has("no_case", noun)
            || stance().has("plain", noun)
            || noun.chars().all(|c| !c.is_alphanumeric())
    })
}

pub(super) fn is_name(view: &SentenceView<'_>, span: Span) -> bool {
    let mut lexemes = view.lexemes[view.lexemes_in(span)].iter();
    lexemes.all(|lexeme| lexeme.flags.has(LexFlags::CAPITALIZED))
}

/// Whether the claim's object is of the kind that is wanted; of "What is …?" any is.
fn has_shape(view: &SentenceView<'_>, claim: &Claim, shape: Shape) -> bool {
    let Some(object) = claim.object_span else {
        return false;
    };
    let mut numbers = claim.quantities.iter().filter(|q| q.span.overlaps(object));
    let dates = claim.dates.iter().filter(|date| date.span.overlaps(object));
    let dated = dates.count() == 1;
    match shape {
        Shape::Number => numbers.count() == 1,
        Shape::Time => dated && numbers.count() == 0,
        Shape::Date => dated || numbers.any(|q| q.kind == QuantityKind::Year),
        Shape::Name | Shape::Place => is_name(view, object),
        Shape::Any => true,
    }
}
