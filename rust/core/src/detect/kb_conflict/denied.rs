//! Denials that leave the fact as it is: of a part, or of what stands behind the value ("does not have 68
//! rooms on one floor", "is not in the centre of Malmö").

use crate::claims::{Folded, SentenceView, denies_part};
use crate::kb::{Agreement, Fact, Snapshot, Value};
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::denials;
use crate::normal::{fold, stem};
use crate::types::{Claim, LexKind, Polarity, Resolution, Span};

use crate::detect::object::Object;

/// Whether a claim that denies the fact's value denies less than all of it.
pub(super) fn denied_in_part(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    claim: &Claim,
    object: &Object<'_>,
    (kb, fact): (&Snapshot, &Fact),
) -> bool {
    if claim.polarity == Polarity::Positive {
        return false;
    }
    let held = fact.value.to_string();
    let from = claim.span.start.max(view.sentence.span.start);
    let rest = Span::new(from, view.sentence.span.start + view.text.len());
    denies_part(view.at(rest), &held)
        || narrowed_behind(view, folded, claim, object)
        || kb.agrees(&fact.value, &object.said()) == Agreement::Same
            && says_more(view, folded, object, &fact.value)
}

/// Whether words stand behind the value, before the clause ends, that could say of what, where or when.
fn narrowed_behind(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    claim: &Claim,
    object: &Object<'_>,
) -> bool {
    let end = view.lexemes_in(object.span()).end;
    let denies = |i: &usize| {
        let word = folded.get(*i);
        folded.cue(*i).is(Cue::NEGATION) || word == "no" || word.ends_with("n't")
    };
    // "X is not the manager of Y": what is denied ends in the owner.
    let subject = claim.subject_span.map(|span| view.lexemes_in(span));
    let not = (0..end).rev().find(denies);
    let (Some(_), Some(subject)) = (not, subject) else {
        return false;
    };
    let end = end.max(subject.end);
    let behind = (end..folded.len()).take_while(|i| {
        view.lexemes[*i].kind != LexKind::Punct && !matches!(folded.get(*i), "but" | "because")
    });
    let mut words = behind.peekable();
    let joins =
        |i: usize| folded.cue(i).is(Cue::CONJUNCTION) || matches!(folded.get(i), "nor" | "or");
    if words.peek().is_some_and(|i| joins(*i)) {
        return false;
    }
    words.any(|i| {
        let word = folded.get(i);
        let own = view.attributes.predicates().named(word);
        let named = own.is_some_and(|own| claim.predicate.as_deref() == Some(&*own.name));
        !named && !denials().has("idle_end", word)
    })
}

/// Whether the words say more than the text does, so that they may be denied where it is so.
fn says_more(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    object: &Object<'_>,
    value: &Value,
) -> bool {
    let (Value::Text(own) | Value::Enum(own) | Value::Entity(own)) = value else {
        return false;
    };
    if value.as_yes_no().is_some() || object.stands_for(view) {
        return false;
    }
    let known = |mention: &crate::types::Mention| {
        matches!(mention.resolution, Resolution::Known(_)) && mention.span.overlaps(object.span())
    };
    if view
        .mentions
        .iter()
        .any(|mention| known(mention) && mention.span.contains(object.span()))
    {
        return false;
    }
    let stems: Vec<String> = own
        .split(|c: char| !c.is_alphanumeric())
        .map(|word| {
            let mut out = String::new();
            fold(word, &mut out);
            stem(&out).into_owned()
        })
        .collect();
    let mut place = view.lexemes_in(object.span());
    // "does not run on Windows 7"
    let numbered = place.clone().any(|i| {
        view.kind(i) == Some(LexKind::Number) && place.start < i && !own.contains(view.word(i))
    });
    numbered
        || place.any(|i| {
            let cue = folded.cue(i);
            let word = folded.get(i);
            view.kind(i) == Some(LexKind::Word)
                && !cue.is(Cue::FUNCTION.or(Cue::DETERMINER).or(Cue::PREPOSITION))
                && !denials().has("idle_word", word)
                && !stems.contains(&stem(word).into_owned())
        })
}
