//! What is said of another variant of the thing than the one that a source tells of: offered
//! besides ("also comes with 256 GB"), at another hour of its kind ("late check-out"), paid
//! elsewhere ("in Switzerland"), with something added ("With paper, …"), of several together.

use crate::claims::{Clause, Folded, SentenceView};
use crate::kb::{Fact, Snapshot, Value};
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::stance;
use crate::normal::{fold_name, stem};
use crate::types::{Claim, LexFlags, LexKind, QuantityKind, Span};

use super::apart::Reader;
use super::binding::told_of;

/// "It also comes with 256 GB", "is available with 256 GB as well": one more, beside the other.
#[must_use]
pub fn offered_besides(view: &SentenceView<'_>, folded: &Folded<'_>, value: Span) -> bool {
    let table = stance();
    let at = view.lexemes_in(value).start;
    let Some(clause) = clause_of(view, at) else {
        return false;
    };
    let end = clause.range.end.min(folded.len());
    let offers = clause.verb.is_some_and(|verb| {
        let base = folded.known(verb).verb.unwrap_or_else(|| folded.get(verb));
        table.has("offering", base)
    }) || (clause.group.start..end).any(|i| table.has("offered", folded.get(i)));
    offers
        && (clause.range.start..end).any(|i| {
            table.has("additive", folded.get(i))
                || folded.get(i) == "as" && folded.get(i + 1) == "well"
        })
}

/// "Late check-out is until 1 pm": another hour than the usual one, unless the fact is of it.
pub(super) fn shifted(folded: &Folded<'_>, fact: &Fact) -> bool {
    let own = |text: &str| text.replace(['_', '-', ' '], "");
    let name = own(&fact.predicate);
    (1..folded.len()).any(|i| {
        let word = own(folded.get(i));
        let ahead = folded.get(i - 1);
        let named = word.len() > 3 && name.starts_with(&word)
            || name.starts_with(&format!("{word}{}", own(folded.get(i + 1)))) && word.len() > 3;
        let carried = fact.predicate.split('_').any(|part| part == ahead)
            || (fact.qualifiers.iter()).any(|q| q.value.to_string().contains(ahead));
        named && stance().has("shifted", ahead) && !carried
    })
}

/// "costs 59 euros a month in Switzerland": a price at a place that the base does not have.
pub(super) fn priced_elsewhere(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    object: Span,
    (kb, id): (&Snapshot, u32),
) -> bool {
    let money =
        (view.quantities.iter()).any(|q| q.kind == QuantityKind::Money && q.span.overlaps(object));
    let at = view.lexemes_in(object);
    let Some(clause) = clause_of(view, at.start).filter(|_| money) else {
        return false;
    };
    let end = clause.range.end.min(folded.len());
    (at.start..end).any(|i| {
        let first = i + 1 + usize::from(folded.get(i + 1) == "the");
        let named = (view.lexemes.get(first)).is_some_and(|lexeme| {
            let dated = view
                .dates
                .iter()
                .any(|date| date.span.overlaps(lexeme.span));
            lexeme.kind == LexKind::Word && lexeme.flags.has(LexFlags::CAPITALIZED) && !dated
        });
        matches!(folded.get(i), "in" | "outside" | "across" | "within")
            && named
            && !told_of(kb, id, &fold_name(view.word(first)))
    })
}

/// The nouns of "With paper, the printer weighs": what is said is of the thing with them.
#[must_use]
pub fn with_added<'a>(view: &SentenceView<'_>, folded: &'a Folded<'_>) -> Vec<&'a str> {
    let first = (0..folded.len()).find(|i| view.is_term(*i)).unwrap_or(0);
    let comma = (first..folded.len()).find(|i| view.word(*i) == ",");
    let Some(comma) = comma.filter(|_| stance().has("adding", folded.get(first))) else {
        return Vec::new();
    };
    let light = Cue::FUNCTION.or(Cue::ADVERB).or(Cue::DETERMINER);
    (first + 1..comma)
        .filter(|i| view.is_term(*i) && !folded.cue(*i).is(light))
        .map(|i| folded.get(i))
        .collect()
}

/// Whether the claim's amount is that of several together, which none of them has.
#[must_use]
pub fn of_several(view: &SentenceView<'_>, folded: &Folded<'_>, claim: &Claim) -> bool {
    let amount = |place: &Span| view.quantities.iter().any(|q| q.span.overlaps(*place));
    claim
        .object_span
        .filter(amount)
        .is_some_and(|place| Reader::new(view, folded).of_several(claim.subject_span, place))
}

/// "The patient's brother" against "the patient": one of the texts tells of something that
/// belongs to what the other tells of.
#[must_use]
pub fn of_a_belonging(said: &str, told: &str) -> bool {
    let beyond = |own: &str, other: &str| {
        let folded = fold_name(other);
        let words: Vec<_> = folded.split(' ').map(stem).collect();
        let mut before = "";
        own.split_whitespace().any(|word| {
            let owner = std::mem::replace(&mut before, word);
            let owned = ["'s", "’s", "s'", "s’"]
                .iter()
                .any(|end| owner.ends_with(end));
            let bare = fold_name(word);
            owned && !bare.is_empty() && !words.contains(&stem(&bare))
        })
    };
    beyond(said, told) || beyond(told, said)
}

/// Whether the fact's value is what somebody or something is called.
pub(super) fn is_name(value: &Value) -> bool {
    match value {
        Value::Entity(_) => true,
        Value::Text(text) => {
            let mut words = text.split(' ').filter(|word| word.len() > 3).peekable();
            let common = |word: &str| {
                crate::lexicon::words::class(&fold_name(word))
                    .has(crate::lexicon::words::WordClass::COMMON)
            };
            let single = !text.contains(' ') && common(text);
            words.peek().is_some() && !single && words.all(|w| w.starts_with(char::is_uppercase))
        }
        _ => false,
    }
}

fn clause_of<'a>(view: &'a SentenceView<'_>, at: usize) -> Option<&'a Clause> {
    let mut own = view.clauses().iter();
    own.find(|clause| clause.range.contains(&at))
}
