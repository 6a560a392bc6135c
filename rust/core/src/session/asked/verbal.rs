//! Answers that give the value by a verb which says no more than that it is so: "She gets 30 days.", "She's been
//! here since 2018."

use crate::claims::{SentenceView, Shape};
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::{circumstance, frames, time};
use crate::normal::stem;
use crate::types::{Claim, LexKind, QuantityKind, Span};

use super::about::About;

impl About {
    /// The attribute that is asked for and where the claim has its value.
    pub(super) fn by_verb(&self, view: &SentenceView<'_>, claim: &Claim) -> Option<(String, Span)> {
        let (attribute, shape) = self.value.as_ref()?;
        let span = match shape {
            Shape::Number => gets(view, claim, attribute),
            Shape::Date => since(view, claim, attribute),
            _ => None,
        }?;
        Some((attribute.clone(), span))
    }
}

/// "She gets 30 days of leave a year.": the amount, where nothing else is said of it.
fn gets(view: &SentenceView<'_>, claim: &Claim, attribute: &str) -> Option<Span> {
    let verb = claim.predicate.as_deref()?;
    let (subject, object) = (claim.subject_span?, claim.object_span?);
    let [number] = &*claim.quantities else {
        return None;
    };
    let folded = view.folded();
    // "is entitled to 30 days"
    let first = folded.get(view.lexemes_in(object).start);
    let gets = |word: &str| circumstance().has("gets", word);
    if !(gets(verb) || verb == "is" && gets(first)) {
        return None;
    }
    let ends = |i: &usize| view.kind(*i) == Some(LexKind::Punct);
    let end = view.lexemes_in(object).end;
    let end = (end..view.lexemes.len())
        .find(ends)
        .unwrap_or(view.lexemes.len());
    let own = view.lexemes_in(number.span);
    let light = |i: usize| {
        let word = folded.get(i);
        let part = attribute.split('_').any(|part| stem(part) == stem(word));
        part || own.contains(&i)
            || matches!(
                word,
                "of" | "in" | "to" | "a" | "an" | "per" | "each" | "every"
            )
            || folded
                .cue(i)
                .is(Cue::DETERMINER.or(Cue::AUXILIARY).or(Cue::COPULA))
            || circumstance().has("no_case", word)
            || gets(word)
            || view.attributes.predicates().same(word, attribute)
            || time().of("unit_", word).is_some()
    };
    let rest = view.lexemes_in(subject).end..end;
    let all = number.span.overlaps(object) && rest.into_iter().all(light);
    all.then_some(number.span)
}

/// "has been with us since 2018", of when somebody came.
fn since(view: &SentenceView<'_>, claim: &Claim, attribute: &str) -> Option<Span> {
    let names = view.attributes.predicates();
    let comes = attribute == "joined" || names.same(attribute, "joined");
    if !comes || !matches!(claim.predicate.as_deref(), Some("is" | "is_with")) {
        return None;
    }
    let (subject, object) = (claim.subject_span?, claim.object_span?);
    let folded = view.folded();
    let mut said = view.lexemes_in(subject).end..view.lexemes_in(object).end;
    let at = said.clone().find(|i| folded.get(*i) == "since")?;
    let been = said.find(|i| folded.get(*i) == "been")?;
    let here = ["since", "here", "there", "employed", "with"].contains(&folded.get(been + 1));
    let behind = Span::new(view.lexemes[at].span.end, object.end);
    let dated = claim.dates.iter().map(|date| date.span);
    let years = claim
        .quantities
        .iter()
        .filter(|q| q.kind == QuantityKind::Year);
    let mut spans = dated.chain(years.map(|year| year.span));
    let span = spans.find(|span| span.overlaps(behind))?;
    let mut rest = view.lexemes_in(behind);
    let all =
        rest.all(|i| span.overlaps(view.lexemes[i].span) || frames().has("joins", folded.get(i)));
    (here && all).then_some(span)
}
