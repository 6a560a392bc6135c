//! Which nouns can take up which names: "the museum" the Louvre, "the ship" what the base calls one.

use std::ops::Range;

use super::Candidate;
use crate::claims::content::word_hash;
use crate::claims::view::{Folded, SentenceView};
use crate::lexicon::names::{NameCue, name_cue};
use crate::lexicon::tables::{frames, kinds, regions};
use crate::lexicon::words::{WordClass, class};
use crate::normal::fold_name;
use crate::types::{LexFlags, LexKind, NameType, Span};

/// Whether the noun can take up the name: it stands in the name, or is what the name is.
pub(super) fn describes(noun: &str, candidate: &Candidate) -> bool {
    let name = fold_name(&candidate.referent.name);
    if name.split(' ').any(|word| word == noun) {
        return true;
    }
    // "the castle" is no town.
    let kind = kinds().of("same_", noun).is_some() || kinds().has("site", noun);
    let other = sort_hash(noun) != candidate.own && sort_of(noun) != "settlement";
    if candidate.own != 0 && kind && other {
        return false;
    }
    let cue = name_cue(noun);
    match candidate.referent.kind {
        NameType::Person => cue.is(NameCue::IS_PERSON),
        NameType::Organization => cue.is(NameCue::IS_ORG) && generic_org(noun, &name),
        NameType::Place => cue.is(NameCue::IS_PLACE) && generic_place(noun, &name),
        NameType::Work => cue.is(NameCue::IS_WORK),
        NameType::Product => cue.is(NameCue::IS_PRODUCT),
        NameType::Event | NameType::Law | NameType::Unknown => false,
    }
}

/// "the bank" is no museum: a noun that is the head of other names describes only what has no
/// such head of its own.
fn generic_org(noun: &str, name: &str) -> bool {
    let heads = |word: &str| name_cue(word).is(NameCue::IS_ORG);
    !name.split(' ').any(heads) || of_any_org(noun)
}

fn of_any_org(noun: &str) -> bool {
    frames().has("firm", noun)
}

/// "the river" is no bridge, as "the bank" is no museum.
fn generic_place(noun: &str, name: &str) -> bool {
    let heads = |word: &str| name_cue(word).is(NameCue::IS_PLACE);
    !name.split(' ').any(heads) || of_any_place(noun)
}

fn of_any_place(noun: &str) -> bool {
    matches!(noun, "place" | "site" | "spot" | "location" | "area")
}

/// What nouns that may be said of the same thing have in common: "film" and "movie", "town" and "city".
pub(super) fn sort_of(noun: &str) -> &str {
    let class = |name| frames().has(name, noun).then_some(name);
    let group = class("settlement").or_else(|| class("firm"));
    group.or_else(|| kinds().of("same_", noun)).unwrap_or(noun)
}

/// Whether the base's word for what it has is that of a thing.
pub(super) fn is_thing(noun: &str) -> bool {
    kinds().of("same_", noun).is_some() || frames().has("any_kind", noun)
}

/// Hash of what the noun has in common with others of its sort; 0 of no word.
pub(super) fn sort_hash(noun: &str) -> u32 {
    if noun.is_empty() {
        return 0;
    }
    let [a, b, c, d, ..] = word_hash(sort_of(noun)).to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

fn alike(one: &str, other: &str) -> bool {
    !one.is_empty() && sort_of(one) == sort_of(other)
}

/// Whether a description has the noun as its head, and the words the noun is told apart by: "the
/// child ticket" is not "the adult ticket".
pub(super) fn same_thing(noun: &str, apart: &[&str], description: &str) -> bool {
    // Most descriptions end otherwise.
    let bytes = description.as_bytes();
    let before = bytes.len().checked_sub(noun.len());
    let ends = before.is_some_and(|at| bytes[at..].eq_ignore_ascii_case(noun.as_bytes()));
    if !ends {
        return false;
    }
    let mut words = description.rsplit(' ');
    words
        .next()
        .is_some_and(|last| last.eq_ignore_ascii_case(noun))
        && apart
            .iter()
            .all(|word| words.clone().any(|other| other.eq_ignore_ascii_case(word)))
}

/// Whether all words of a name stand in the other.
pub(super) fn part_of(name: &str, other: &str) -> bool {
    name.split(' ')
        .filter(|word| *word != "the")
        .all(|word| other.split(' ').any(|own| own == word))
}

/// Whether the noun, taken for what is called `taken`, may as well mean the candidate.
pub(super) fn may_be(noun: &str, taken: Option<&str>, candidate: &Candidate) -> bool {
    let name = fold_name(&candidate.referent.name);
    let words = || name.split(' ');
    if words().any(|word| word == noun) {
        return true;
    }
    let cue = name_cue(noun);
    let person = candidate.referent.kind == NameType::Person;
    if cue.is(NameCue::IS_PERSON) {
        return person;
    }
    if candidate.own != 0 {
        let generic = of_any_org(noun) || of_any_place(noun);
        return sort_hash(noun) == candidate.own || generic && describes(noun, candidate);
    }
    let mapped = class(&name);
    let last = words().next_back().unwrap_or("");
    if alike(noun, last) {
        return true;
    }
    if person && !candidate.guessed
        || matches!(candidate.referent.kind, NameType::Event | NameType::Law)
        || mapped.has(WordClass::COUNTRY)
        || candidate.standing.agent() && !cue.is(NameCue::IS_ORG) && !of_any_org(noun)
        || regions().has("region", &name)
    {
        return false;
    }
    // "University of Ely", "Lake Ely", "Ely Bridge"
    let first = words().next().unwrap_or("");
    let of_first = |of: NameCue| name_cue(first).is(of).then_some(first);
    let head = |of: NameCue| {
        let led = words().nth(1) == Some("of");
        let place = of == NameCue::PLACE;
        let found = name_cue(last).is(of).then_some(last);
        let found = found.or_else(|| of_first(of).filter(|_| led));
        found.or_else(|| of_first(NameCue::PLACE_FIRST).filter(|_| place))
    };
    // "next to the Astoria"
    if candidate.guessed && !person {
        return true;
    }
    if mapped.has(WordClass::CITY) || candidate.referent.kind == NameType::Place {
        let settles = cue.is(NameCue::IS_PLACE) && generic_place(noun, &name);
        // A title may end like the name of a street.
        let titled = cue.is(NameCue::IS_WORK) && head(NameCue::PLACE).is_some();
        let unmapped = !mapped.has(WordClass::CITY) && head(NameCue::PLACE).is_none();
        return settles || titled || unmapped && !told_by_name(noun, taken);
    }
    if let Some(own) = head(NameCue::ORG) {
        // "Halden United" may be a club, "Halden Press" no museum where that is told by its name.
        let body = cue.is(NameCue::IS_ORG) || sort_of(noun) == "club";
        let any = body && !name_cue(own).is(NameCue::IS_ORG);
        return alike(noun, own) || of_any_org(noun) || any && !told_by_name(noun, taken);
    }
    if candidate.referent.kind == NameType::Organization {
        return cue.is(NameCue::IS_ORG);
    }
    if let Some(own) = head(NameCue::EVENT) {
        return alike(noun, own);
    }
    if let Some(own) = head(NameCue::PLACE) {
        return cue.is(NameCue::IS_WORK) || alike(noun, own) || of_any_place(noun);
    }
    // "The Institute of X": what is called so besides would have the word in its name too.
    cue.is(NameCue::IS_PLACE) || !told_by_name(noun, taken)
}

/// Whether the name for which the noun stands has it as a word.
fn told_by_name(noun: &str, taken: Option<&str>) -> bool {
    taken.is_some_and(|name| name.split(' ').any(|word| word == noun))
}

/// Whether two names begin or end with what things of one kind are called: "Mount Iskar" and "Mount Tolv".
pub(super) fn shares_head(one: &str, other: &str) -> bool {
    let kind = NameCue::PLACE
        .or(NameCue::PLACE_FIRST)
        .or(NameCue::IS_PLACE)
        .or(NameCue::ORG);
    let mut words = one.split(' ').filter(|word| name_cue(word).is(kind));
    words.any(|word| other.split(' ').any(|own| own == word))
}

/// Whether nothing but its capitals tells that a name is a person's: no given name, no title; "the Aurelia".
pub(super) fn guesses(view: &SentenceView<'_>, folded: &Folded, range: &Range<usize>) -> bool {
    let before = range.start.checked_sub(1).map_or("", |i| folded.get(i));
    let told = range.clone().any(|i| {
        let word = folded.in_name(i);
        let word = word.strip_suffix("'s").unwrap_or(word);
        let sexed = NameCue::FEMALE.or(NameCue::MALE).or(NameCue::TITLE);
        class(word).has(WordClass::GIVEN_NAME) || name_cue(word).is(sexed)
    });
    let short = view.lexemes[range.clone()]
        .last()
        .is_some_and(|last| last.flags.has(LexFlags::ALL_CAPS));
    before == "the" || before != "by" && (!told || short)
}

/// "the Astoria", "St Brendan's": names of things of any kind, with nothing behind them.
pub(super) fn may_be_anything(view: &SentenceView<'_>, folded: &Folded, name: Span) -> bool {
    let range = view.lexemes_in(name);
    let ends = |i: usize| {
        let next = view.lexemes.get(i);
        next.is_none_or(|next| next.kind != LexKind::Word)
    };
    let before = range.start.checked_sub(1).map_or("", |i| folded.get(i));
    let first = folded.in_name(range.start);
    let kind = NameCue::ORG.or(NameCue::PLACE).or(NameCue::EVENT);
    let told = class(first).has(WordClass::COUNTRY) || name_cue(first).is(kind);
    // The lexeme goes on behind the name.
    let last = view.lexemes.get(range.end);
    let owned = last.is_some_and(|last| last.span.start < name.end) && ends(range.end + 1);
    before == "the" && range.len() == 1 && ends(range.end) && !told || owned
}

/// Whether words before a noun tell it from the one that was spoken of: "the twin town".
pub(super) fn is_another(apart: &[&str]) -> bool {
    let tells = |word: &&str| {
        frames().has("tells_apart", word) || word.ends_with("'s") || word.ends_with("’s")
    };
    apart.iter().any(tells)
}
