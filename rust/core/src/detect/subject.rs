//! Which entities of the knowledge base a claim is about.

use crate::claims::{SentenceView, word_hash};
use crate::evidence::rarity;
use crate::kb::{Snapshot, Value};
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::tables::frames;
use crate::lexicon::words::{WordClass, class};
use crate::normal::{fold, fold_name, stem};
use crate::types::{Claim, LexFlags, LexKind, NameType, Resolution, Span};

use super::binding::takes_up;
use super::clash::paid;
use super::naming::{alone, common, fills, longer, narrowed_behind, small};

/// Kinds that "he" and "she" can stand for.
pub(super) const PERSONS: [&str; 12] = [
    "person",
    "people",
    "employee",
    "staff",
    "human",
    "artist",
    "author",
    "scientist",
    "manager",
    "engineer",
    "character",
    "contact",
];

/// Entities of a base that is looked through for the only one of a kind.
const SMALL: usize = 64;

/// Facts of an entity that are looked through for its place.
const FACTS: usize = 64;

/// Attributes whose value is where a thing is.
const PLACES: [&str; 4] = ["city", "location", "headquarters", "country"];

/// A name of more entities than this tells nobody who is meant.
const NAMESAKES: usize = 64;

/// Known entities that the words at `subject` name: by a mention that makes up the noun phrase,
/// else by pronoun or description ("it", "the museum"), which stand for the latest entity
/// mentioned before that can be so called. Several ids where one name belongs to several, none
/// where it belongs to more than 64.
#[must_use]
pub fn subject_entities(view: &SentenceView<'_>, subject: Span, kb: &Snapshot) -> Vec<u32> {
    let range = view.lexemes_in(subject);
    let known: Vec<_> = view
        .mentions
        .iter()
        .filter(|mention| mention.span.overlaps(subject))
        .filter_map(|mention| match &mention.resolution {
            Resolution::Known(ids) => Some((mention.span, ids)),
            _ => None,
        })
        .collect();
    // "The Grand Hotel in Bergen", where the base has it there.
    let placed = known
        .first()
        .and_then(|(span, ids)| placed_there(view, subject, *span, ids, kb));
    let subject = placed.unwrap_or(subject);
    let known: Vec<_> = known
        .into_iter()
        .filter(|(span, _)| span.overlaps(subject))
        .collect();
    if let [(span, ids)] = known.as_slice() {
        let whole = fills(view, without_kind(view, subject, *span, ids, kb), *span)
            && !longer(view, *span, ids, kb)
            && (!common(ids, kb) && !small(view, *span) || alone(view, *span));
        return if ids.len() <= NAMESAKES && whole {
            (*ids).clone()
        } else {
            Vec::new()
        };
    }
    if !known.is_empty() {
        return Vec::new();
    }
    if narrowed_behind(view, range.end) {
        return Vec::new();
    }
    // "the old Tromso Hall" is a name of its own.
    let named = view.lexemes[range.clone()].iter().filter(|lexeme| {
        lexeme.flags.has(LexFlags::CAPITALIZED) && !lexeme.flags.has(LexFlags::SENTENCE_START)
    });
    if named.count() > 1 {
        return Vec::new();
    }
    let mut words = Vec::new();
    for lexeme in &view.lexemes[range] {
        if lexeme.kind == LexKind::Punct {
            continue;
        }
        let mut folded = String::new();
        fold(view.at(lexeme.span), &mut folded);
        words.push(folded);
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    if let [word] = words.as_slice()
        && let small = written_small(view, word, kb)
        && !small.is_empty()
    {
        return small;
    }
    antecedent(view, &words, kb).into_iter().collect()
}

/// "The half-life of ibuprofen": entities whose name is that word, which texts write small though the
/// base does not, where it stands by itself as a name does. Of a word that many texts have, the base
/// says that it is of a sort written so: the price of gold is none of a plan called "Gold". Somebody's
/// name is never meant, nor that of a thing that is sold: the restaurant "Saffron" is no saffron.
fn written_small(view: &SentenceView<'_>, word: &str, kb: &Snapshot) -> Vec<u32> {
    let known = class(word);
    if known.has(WordClass::STOPWORD) || cue(word) != Cue::default() {
        return Vec::new();
    }
    let names = view.attributes.predicates();
    let often = rarity(word_hash(&stem(word))) < 1.0;
    let fits = |id: &u32| {
        let kind = fold_name(kb.kind(*id).unwrap_or(""));
        let small = kind
            .split(' ')
            .any(|kind| frames().has("written_small", kind));
        let sold = || {
            let facts = kb.few_facts(*id, FACTS, &|name| paid(names, name));
            facts.is_none_or(|facts| !facts.is_empty())
        };
        small || kind.is_empty() && !often && !sold()
    };
    let ids = kb.find(word);
    let all = ids.len() <= NAMESAKES && ids.iter().all(fits);
    if all { ids.to_vec() } else { Vec::new() }
}

/// The noun phrase without what the base calls the named thing, before its name or behind it: "the town of
/// Alden", "the Cirrus 2 tent".
fn without_kind(
    view: &SentenceView<'_>,
    subject: Span,
    mention: Span,
    ids: &[u32],
    kb: &Snapshot,
) -> Span {
    let words = |span: Span| -> Vec<String> {
        view.lexemes_in(span)
            .map(|i| fold_name(view.word(i)))
            .collect()
    };
    let before = words(Span::new(subject.start, mention.start.max(subject.start)));
    let rest = Span::new(mention.end.min(subject.end), subject.end);
    let behind = words(rest);
    let kinds = || ids.iter().map(|id| fold_name(kb.kind(*id).unwrap_or("")));
    let of_kind = is_of_kind(&before, kinds());
    let small = view.at(rest);
    let common = small.starts_with(' ') && !small.chars().any(char::is_uppercase);
    let said: Vec<&str> = behind.iter().map(String::as_str).collect();
    let called = |kind: String| kind.split(' ').collect::<Vec<_>>().ends_with(&said);
    let with_kind = !behind.is_empty() && common && kinds().all(called);
    Span::new(
        if of_kind {
            mention.start
        } else {
            subject.start
        },
        if with_kind { mention.end } else { subject.end },
    )
}

/// The noun phrase without the place behind its name, where the base has the place of it: "the Grand
/// Hotel in Bergen" may be another one where it has not.
fn placed_there(
    view: &SentenceView<'_>,
    subject: Span,
    mention: Span,
    ids: &[u32],
    kb: &Snapshot,
) -> Option<Span> {
    let rest = Span::new(mention.end.min(subject.end), subject.end);
    let said = fold_name(view.at(rest).trim());
    let place = said.strip_prefix("in ").filter(|place| !place.is_empty())?;
    let names = view.attributes.predicates();
    let held = |id: &u32| {
        let facts = kb.few_facts(*id, FACTS, &|name| {
            PLACES.iter().any(|own| names.same(own, name))
        });
        facts
            .unwrap_or_default()
            .iter()
            .any(|fact| match &fact.value {
                Value::Text(own) | Value::Enum(own) | Value::Entity(own) => {
                    fact.is_told() && fold_name(own) == place
                }
                _ => false,
            })
    };
    (!ids.is_empty() && ids.iter().all(held)).then(|| Span::new(subject.start, mention.end))
}

/// "the town of", of what the base calls a town. A province of that name, or a port, is another thing;
/// cities and towns are told apart by few.
fn is_of_kind(before: &[String], mut kinds: impl Iterator<Item = String>) -> bool {
    let [the, kind @ .., of] = before else {
        return false;
    };
    let settles = |kind: &str| frames().has("settlement", kind);
    let kind = kind.join(" ");
    let told = the == "the" && of == "of" && !kind.is_empty();
    told && kinds.all(|own| own == kind || settles(&kind) && (own.is_empty() || settles(&own)))
}

/// Known entities that a claim is about: those its pronoun or description was resolved to, else
/// those its subject names. A pronoun for a name that the base lacks is about none of them.
#[must_use]
pub fn claim_entities(view: &SentenceView<'_>, claim: &Claim, kb: &Snapshot) -> Vec<u32> {
    match &claim.referent {
        Some(known) if known.entities.len() > NAMESAKES => return Vec::new(),
        Some(known) if !known.entities.is_empty() => return known.entities.clone(),
        // "his sister" is nobody of the base, nor is a name that it lacks.
        Some(named)
            if named.kind == NameType::Person
                || named.name.starts_with(char::is_uppercase) && !described(&named.name) =>
        {
            // A name that is an ordinary word as well ("Acme is a company. It …") is no mention.
            let ordinary = class(&fold_name(&named.name)).has(WordClass::COMMON);
            let known = Some(kb.resolve(&named.name)).filter(|_| ordinary);
            return known
                .filter(|ids| ids.len() <= NAMESAKES && so_called(view, claim, ids, kb))
                .unwrap_or_default();
        }
        _ => {}
    }
    let mut ids = claim
        .subject_span
        .map_or_else(Vec::new, |span| subject_entities(view, span, kb));
    if let Some(told) = &claim.referent {
        ids.retain(|id| takes_up(kb, *id, &told.name));
    }
    ids
}

/// Whether a claim's subject is a pronoun, or describes them by what the base says that they are: "the
/// museum" is no company.
fn so_called(view: &SentenceView<'_>, claim: &Claim, ids: &[u32], kb: &Snapshot) -> bool {
    let subject = claim.subject_span.map_or("", |span| view.at(span));
    let subject = fold_name(subject);
    let Some((_, noun)) = subject.rsplit_once(' ') else {
        return true;
    };
    let firm = |word: &str| frames().has("firm", word);
    ids.iter().all(|id| {
        let kind = fold_name(kb.kind(*id).unwrap_or(""));
        let mut words = kind.split(' ');
        words.any(|word| stem(word) == stem(noun) || firm(word) && firm(noun))
    })
}

/// Whether it begins as a description does ("The museum", "THIS HOUSE") and names nothing.
fn described(name: &str) -> bool {
    name.get(..2)
        .is_some_and(|start| start.eq_ignore_ascii_case("th"))
}

/// The one entity of that kind in a small base: "the company", where it holds one.
fn only_of_kind(kb: &Snapshot, kind: &str) -> Option<u32> {
    if kb.len() > SMALL {
        return None;
    }
    let mut of_kind = kb.ids().filter(|id| {
        kb.kind(*id)
            .is_some_and(|own| own.eq_ignore_ascii_case(kind))
    });
    of_kind.next().filter(|_| of_kind.next().is_none())
}

fn antecedent(view: &SentenceView<'_>, words: &[&str], kb: &Snapshot) -> Option<u32> {
    let person = |id: u32| {
        let kind = fold_name(kb.kind(id).unwrap_or(""));
        (
            kind.is_empty(),
            PERSONS
                .iter()
                .any(|p| kind.split(' ').any(|word| word == *p)),
        )
    };
    let pick = |fits: &dyn Fn(u32) -> bool| view.antecedents.iter().copied().find(|id| fits(*id));
    match words {
        [word] if cue(word).is(Cue::PRONOUN_PERSON) || *word == "his" => pick(&|id| {
            let (unknown, is_person) = person(id);
            unknown || is_person
        }),
        [word] if *word == "it" || *word == "its" => pick(&|id| !person(id).1),
        [determiner, rest @ ..]
            if matches!(*determiner, "the" | "this") && (1..=3).contains(&rest.len()) =>
        {
            let head = stem(rest[rest.len() - 1]).into_owned();
            pick(&|id| {
                let kind = fold_name(kb.kind(id).unwrap_or(""));
                let named = kb.names_of(id).into_iter().map(fold_name);
                let mut texts = std::iter::once(kind).chain(named);
                texts.any(|text| text.split(' ').any(|word| stem(word) == head.as_str()))
            })
            .or_else(|| {
                // Behind what was said of others "the restaurant" may be theirs.
                let first = view.sentence.index == 0 && view.antecedents.is_empty();
                let noun = rest[rest.len() - 1];
                first.then(|| only_of_kind(kb, noun)).flatten()
            })
        }
        _ => None,
    }
}
