//! How surely the subject of a claim is the entity that the base has. What is only likely to be
//! it contradicts nothing.

use crate::claims::SentenceView;
use crate::kb::{Snapshot, Value};
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::names::{NameCue, name_cue};
use crate::lexicon::tables::{frames, regions, stance};
use crate::lexicon::words::{WordClass, class};
use crate::normal::{fold_name, stem};
use crate::types::{Claim, LexFlags, LexKind, Resolution, Span};

use super::set_apart::set_apart;

/// Facts of an entity that are looked through for a word.
const FACTS: usize = 64;
/// Letters by which a word and the adjective of it are the same ("Norway", "Norwegian").
const SHARED: usize = 4;

/// Words before a noun by which it is not told apart from others of its kind.
const EVALUATING: [&str; 27] = [
    "famous",
    "small",
    "large",
    "big",
    "little",
    "tiny",
    "huge",
    "old",
    "popular",
    "modern",
    "historic",
    "beautiful",
    "lovely",
    "great",
    "busy",
    "well-known",
    "renowned",
    "said",
    "whole",
    "entire",
    "cosy",
    "charming",
    "impressive",
    "celebrated",
    "remarkable",
    "nice",
    "good",
];
/// Titles by which somebody of one name is told apart from others.
const RANKS: [&str; 15] = [
    "saint", "st", "king", "queen", "prince", "princess", "emperor", "empress", "pope", "lady",
    "lord", "duke", "duchess", "count", "countess",
];

/// How a claim's subject stands to the entity it was taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Binding {
    /// Named by a whole name of its own, or by a part of it after that.
    Exact,
    /// By a pronoun or a description, and nothing else fits.
    Definite,
    /// It may well be another one.
    Weak,
}

/// How surely `ids` are what the claim speaks of.
pub(super) fn binding(
    view: &SentenceView<'_>,
    claim: &Claim,
    kb: &Snapshot,
    ids: &[u32],
) -> Binding {
    if claim.contested {
        return Binding::Weak;
    }
    let Some(subject) = claim.subject_span else {
        return Binding::Definite;
    };
    let mention = view.mentions.iter().find(|mention| {
        mention.span.overlaps(subject) && matches!(mention.resolution, Resolution::Known(_))
    });
    let weak = match mention {
        Some(mention) if mention.partial => {
            described_apart(view, mention.span)
                || other_of_kind(view, subject, mention.span, ids, kb)
        }
        Some(mention) => {
            paid(view, claim, mention.span) || other_of_kind(view, subject, mention.span, ids, kb)
        }
        None => {
            wrapped(view, claim, subject, ids, kb)
                || told_apart(view, subject, ids, kb)
                || named_behind(view, subject)
                || other_sex(view, subject, ids, kb)
        }
    };
    match mention {
        _ if weak => Binding::Weak,
        Some(_) => Binding::Exact,
        None => Binding::Definite,
    }
}

/// Whether the base has the word among the entity's names, its kind or what it says of it.
pub(crate) fn told_of(kb: &Snapshot, id: u32, word: &str) -> bool {
    has_word(kb, id, |own| {
        let shared = own.chars().zip(word.chars());
        let shared = shared.take_while(|(a, b)| a == b).count();
        stem(own) == stem(word) || shared >= SHARED.min(word.chars().count())
    })
}

/// Whether one of the words that the base has for the entity fits.
fn has_word(kb: &Snapshot, id: u32, fits: impl Fn(&str) -> bool) -> bool {
    let has = |text: &str| fold_name(text).split(' ').any(&fits);
    let facts = kb.few_facts(id, FACTS, &|_| true).unwrap_or_default();
    let valued = facts.iter().any(|fact| match &fact.value {
        Value::Text(text) | Value::Enum(text) | Value::Entity(text) => has(text),
        _ => false,
    });
    valued || kb.kind(id).is_some_and(has) || kb.names_of(id).iter().any(|name| has(name))
}

/// Whether a description takes the entity up: "the factory" is no company, and "the antenna" no tower. Its noun is
/// among what the base tells of it, or fits a thing of any kind, and no word of it tells another one apart.
pub(super) fn takes_up(kb: &Snapshot, id: u32, description: &str) -> bool {
    let folded = fold_name(description);
    let mut words: Vec<&str> = folded.split(' ').skip(1).collect();
    let Some(head) = words.pop() else {
        return false;
    };
    let told = |word: &str| told_of(kb, id, word);
    let generic = frames().has("any_kind", head) || frames().has("firm", head);
    // "the competitor" is no company, though four letters are the same.
    let called = has_word(kb, id, |own| stem(own) == stem(head));
    (generic || called)
        && words
            .iter()
            .all(|word| EVALUATING.contains(word) || told(word))
}

/// "The whole package weighs": what a thing comes in, where the base does not call it so.
fn wrapped(
    view: &SentenceView<'_>,
    claim: &Claim,
    subject: Span,
    ids: &[u32],
    kb: &Snapshot,
) -> bool {
    let last = view.lexemes[view.lexemes_in(subject)].last();
    let word = last.map(|lexeme| fold_name(view.at(lexeme.span)));
    let measured = claim.predicate.as_deref();
    word.is_some_and(|word| {
        stance().has("wrapping", &word)
            && measured.is_some_and(|name| stance().has("of_wrapping", name))
            && !ids.iter().any(|id| told_of(kb, *id, &word))
    })
}

/// "My Aquila X2 cost $300": what somebody paid, and no price that all pay.
fn paid(view: &SentenceView<'_>, claim: &Claim, mention: Span) -> bool {
    let before = view.lexemes_in(mention).start.checked_sub(1);
    let owned = before.is_some_and(|i| cue(&fold_name(view.word(i))).is(Cue::POSSESSIVE));
    owned && claim.predicate.as_deref() == Some("price")
}

/// "The art museum", "the other museum", "The British Museum": told apart by words that the base
/// does not have of the entity.
fn told_apart(view: &SentenceView<'_>, subject: Span, ids: &[u32], kb: &Snapshot) -> bool {
    let range = view.lexemes_in(subject);
    let words: Vec<usize> = range
        .filter(|i| view.lexemes[*i].kind == LexKind::Word)
        .collect();
    let Some((_, between)) = words.split_last() else {
        return false;
    };
    between.iter().any(|i| {
        let word = fold_name(view.word(*i));
        let light = cue(&word).is(Cue::DETERMINER.or(Cue::FUNCTION).or(Cue::POSSESSIVE));
        let light = light && !matches!(word.as_str(), "other" | "another" | "own" | "same");
        !light
            && !EVALUATING.contains(&word.as_str())
            && !ids.iter().any(|id| told_of(kb, *id, &word))
    })
}

/// "The capital, Cardiff, has": the name of what is described stands behind it.
fn named_behind(view: &SentenceView<'_>, subject: Span) -> bool {
    let end = view.lexemes_in(subject).end;
    let comma = |i: usize| i < view.lexemes.len() && view.word(i) == ",";
    let known = |span: Span| {
        let mut mentions = view.mentions.iter();
        mentions.any(|m| m.span.overlaps(span) && matches!(m.resolution, Resolution::Known(_)))
    };
    let behind = view.lexemes.get(end + 1..).unwrap_or_default();
    let name = behind
        .iter()
        .take_while(|lexeme| lexeme.flags.has(LexFlags::CAPITALIZED))
        .count();
    comma(end) && name > 0 && comma(end + 1 + name) && !known(view.lexemes[end + 1].span)
}

/// "He" of an entity whose given name is a woman's.
fn other_sex(view: &SentenceView<'_>, subject: Span, ids: &[u32], kb: &Snapshot) -> bool {
    let (own, other) = match fold_name(view.at(subject)).as_str() {
        "he" | "him" | "his" => (NameCue::MALE, NameCue::FEMALE),
        "she" | "her" | "hers" => (NameCue::FEMALE, NameCue::MALE),
        _ => return false,
    };
    ids.iter().any(|id| {
        let name = fold_name(kb.name(*id).unwrap_or(""));
        let given = name_cue(name.split(' ').next().unwrap_or(""));
        given.is(other) && !given.is(own)
    })
}

/// "My sister Ann", "Saint Ann": one word of a name, of somebody told apart otherwise.
fn described_apart(view: &SentenceView<'_>, mention: Span) -> bool {
    let at = view.lexemes_in(mention).start;
    let word = |i: usize| fold_name(view.word(i));
    let ahead = at.checked_sub(1).map(word).unwrap_or_default();
    let owned = (at.saturating_sub(3)..at)
        .rev()
        .take_while(|i| view.lexemes[*i].kind == LexKind::Word)
        .any(|i| {
            let word = word(i);
            cue(&word).is(Cue::POSSESSIVE) || word.ends_with("'s") || matches!(&*word, "a" | "an")
        });
    RANKS.contains(&ahead.as_str()) || owned
}

/// One of that name elsewhere, or another edition, part or form of the thing.
fn other_of_kind(
    view: &SentenceView<'_>,
    subject: Span,
    mention: Span,
    ids: &[u32],
    kb: &Snapshot,
) -> bool {
    placed_elsewhere(view, mention, ids, kb) || set_apart(view, subject, mention, ids, kb)
}

/// "Paris, Texas, has", "York (Pennsylvania)": one of that name in a place that the base does not
/// have of the entity.
fn placed_elsewhere(view: &SentenceView<'_>, mention: Span, ids: &[u32], kb: &Snapshot) -> bool {
    let mark = view.lexemes_in(mention).end;
    if !matches!(view.word(mark), "," | "(") {
        return false;
    }
    let first = mark + 1;
    let capital = |i: &usize| {
        let lexeme = view.lexemes.get(*i);
        lexeme.is_some_and(|l| l.kind == LexKind::Word && l.flags.has(LexFlags::CAPITALIZED))
    };
    let end = (first..first + 3).take_while(capital).last();
    let Some(end) = end.map(|last| last + 1) else {
        return false;
    };
    // "Bolt (Norway's largest start-up)"
    if view.word(mark) == "(" && !matches!(view.word(end), "," | ")") {
        return false;
    }
    // "Paris, London and Rome have": a list.
    let closed = matches!(view.word(end), "," | ")") && view.word(end + 1) != "and";
    let after = fold_name(view.word(end + usize::from(closed)));
    let listed = matches!(&*after, "and" | "or")
        || closed
            && view
                .lexemes
                .get(end + 1)
                .is_some_and(|l| l.flags.has(LexFlags::CAPITALIZED));
    if listed {
        return false;
    }
    let span = Span::new(
        view.lexemes[first].span.start,
        view.lexemes[end - 1].span.end,
    );
    let place = fold_name(view.at(span));
    let known = class(&place).any(WordClass::CITY.with(WordClass::COUNTRY))
        || regions().has("region", &place)
        || regions().has("country", &place)
        || regions().has("region_short", &place);
    known
        && !ids
            .iter()
            .any(|id| place.split(' ').any(|word| told_of(kb, *id, word)))
}
