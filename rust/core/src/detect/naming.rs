//! Whether a known name in a noun phrase is what the phrase names, or a part of another name.

use crate::claims::{SentenceView, kind_noun};
use crate::kb::Snapshot;
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::names::{NameCue, name_cue};
use crate::lexicon::tables::narrowing;
use crate::lexicon::words::{WordClass, class};
use crate::normal::{fold, fold_name};
use crate::types::{LexFlags, LexKind, Lexeme, Span};

use super::binding::told_of;
use super::subject::PERSONS;

/// Words that make a name before which they stand another one, however they are written.
const PARTS: [&str; 20] = [
    "north",
    "south",
    "east",
    "west",
    "northern",
    "southern",
    "eastern",
    "western",
    "northeast",
    "northwest",
    "southeast",
    "southwest",
    "northeastern",
    "northwestern",
    "southeastern",
    "southwestern",
    "greater",
    "upper",
    "lower",
    "inner",
];

/// Words that do so with a capital: "Old Vesk" is a place, "old Vesk" is Vesk.
const NAMED_PARTS: [&str; 8] = [
    "outer", "central", "new", "old", "little", "great", "mid", "middle",
];

/// Words that number the bearers of a name ("the First Bank of Lund").
const ORDINALS: [&str; 8] = [
    "first", "second", "third", "fourth", "fifth", "national", "royal", "other",
];

/// Kinds of work that can have one name, those that are one kind together.
const WORKS: [&[&str]; 8] = [
    &["novel", "book", "novella", "story", "tale"],
    &["film", "movie", "picture"],
    &["play", "drama", "comedy", "tragedy"],
    &["musical", "opera", "ballet"],
    &["series", "show", "sitcom", "episode"],
    &["album", "song", "single", "track", "record"],
    &["game", "videogame"],
    &["painting", "sculpture", "poem", "podcast", "magazine"],
];

fn folded(view: &SentenceView<'_>, lexeme: &Lexeme) -> String {
    let mut word = String::new();
    fold(view.at(lexeme.span), &mut word);
    word
}

/// The word right before a mention.
fn before<'a>(view: &'a SentenceView<'_>, mention: Span) -> Option<&'a Lexeme> {
    let at = view
        .lexemes
        .partition_point(|lexeme| lexeme.span.end <= mention.start);
    at.checked_sub(1).map(|i| &view.lexemes[i])
}

/// Whether the mention is the whole of the noun phrase, titles and determiners aside.
pub(super) fn fills(view: &SentenceView<'_>, subject: Span, mention: Span) -> bool {
    let range = view.lexemes_in(subject);
    let mut led = true;
    view.lexemes[range].iter().all(|lexeme| {
        if mention.overlaps(lexeme.span) || lexeme.kind == LexKind::Punct {
            return true;
        }
        let word = folded(view, lexeme);
        let front = lexeme.span.end <= mention.start;
        let own = cue(&word);
        // "the theatre opposite the Rose Theatre": a noun phrase of its own ends before it.
        let nested = own.is(Cue::DETERMINER) && !led && !lexeme.flags.has(LexFlags::CAPITALIZED);
        led &= own.is(Cue::DETERMINER.or(Cue::FUNCTION).or(Cue::POSSESSIVE));
        let joined = own.is(Cue::PREPOSITION.or(Cue::CONJUNCTION)) || narrows(&word);
        // "'s" may be a lexeme of its own.
        // "shipping the pass" is no pass.
        // "the bookkeeping tool Quill" is.
        let described = view.lexemes.iter().any(|next| {
            next.span.start > lexeme.span.end
                && next.span.end <= mention.start
                && kind_noun(&folded(view, next))
        });
        let doing = word.len() > 5
            && word.ends_with("ing")
            && !described
            && !narrowing().has("epithet", &word);
        front && !joined && !doing && !nested || word.is_empty() || word == "s"
    })
}

/// Words that begin what narrows the noun before them.
fn narrows(word: &str) -> bool {
    matches!(
        word,
        "that"
            | "which"
            | "who"
            | "whose"
            | "where"
            | "opposite"
            | "near"
            | "behind"
            | "beside"
            | "beyond"
    )
}

/// Whether what stands behind the description narrows it: "the ship that sank HMS Arrow".
pub(super) fn narrowed_behind(view: &SentenceView<'_>, end: usize) -> bool {
    view.lexemes
        .get(end)
        .is_some_and(|lexeme| narrows(&folded(view, lexeme)))
}

/// Whether the entity is named by common nouns alone ("the meeting").
pub(super) fn common(ids: &[u32], kb: &Snapshot) -> bool {
    ids.iter().all(|id| {
        kb.name(*id)
            .is_some_and(|name| !name.chars().any(char::is_uppercase))
    })
}

/// Whether a name is written as a noun is: "blue whale" where the base has "Blue Whale".
pub(super) fn small(view: &SentenceView<'_>, mention: Span) -> bool {
    !view.at(mention).chars().any(char::is_uppercase)
}

/// Whether a common noun stands by itself or behind "the": "another meeting", "Bob's meeting" and
/// "the sales meeting" are others of the kind.
pub(super) fn alone(view: &SentenceView<'_>, mention: Span) -> bool {
    let Some(before) = before(view, mention).filter(|lexeme| lexeme.kind != LexKind::Punct) else {
        return true;
    };
    let word = folded(view, before);
    let own = cue(&word);
    let ends = Cue::PREPOSITION
        .or(Cue::CONJUNCTION)
        .or(Cue::BREAK)
        .or(Cue::COPULA)
        .or(Cue::AUXILIARY)
        .or(Cue::CONDITION);
    matches!(word.as_str(), "the" | "our") || own.is(ends) && !own.is(Cue::DETERMINER)
}

/// Whether the mention is a part of a longer name: "the Grand Elm Hotel" is no Elm Hotel, the
/// Orion-Group is not Orion, and northern Norland has other figures than Norland. What stands
/// before a person's full name may be a title.
pub(super) fn longer(view: &SentenceView<'_>, mention: Span, ids: &[u32], kb: &Snapshot) -> bool {
    let inside = |lexeme: &&Lexeme| lexeme.span.overlaps(mention);
    let joined = view.lexemes.iter().filter(inside).any(|lexeme| {
        let rest = view.at(Span::new(mention.end, lexeme.span.end));
        let lead = view.at(Span::new(lexeme.span.start, mention.start));
        rest.starts_with(['-', '‐', '‑']) || lead.ends_with(['-', '‐', '‑'])
    });
    if joined || other_work(view, mention, ids, kb) {
        return true;
    }
    let Some(before) = before(view, mention) else {
        return false;
    };
    if before.kind != LexKind::Word
        || view.at(Span::new(before.span.end, mention.start)) != " "
        || view.at(mention).starts_with("The ")
    {
        return false;
    }
    let word = folded(view, before);
    if PARTS.contains(&word.as_str()) || led_by_particle(view, before, &word) {
        return true;
    }
    let capital = before.flags.has(LexFlags::CAPITALIZED);
    let person = ids.iter().any(|id| person(view.at(mention), *id, kb));
    // "Oslo's Grand Hotel" is that of Oslo.
    let bare = word.strip_suffix("'s").unwrap_or(&word);
    let place = class(bare).any(WordClass::CITY.with(WordClass::COUNTRY));
    let told = || ids.iter().any(|id| told_of(kb, *id, bare));
    if bare.len() < word.len() {
        return capital && place && !person && !told();
    }
    let classes = class(&word);
    // "Dean Bach" may be the dean, where the base has one.
    let single = !view.at(mention).contains(' ');
    let given =
        classes.has(WordClass::GIVEN_NAME) && (!classes.has(WordClass::TITLE) || single && !told());
    if capital && (given || NAMED_PARTS.contains(&word.as_str())) {
        return true;
    }
    // At the beginning a capital says nothing, unless the word is written with one anywhere.
    let starts = before.flags.has(LexFlags::SENTENCE_START);
    if !capital
        || starts
            && !place
            && !name_cue(&word).is(NameCue::PLACE_FIRST)
            && !classes.has(WordClass::DEMONYM)
            && classes.is_known()
            && !only_name(&word, single && ids.iter().any(|id| human(*id, kb)))
        || before.flags.has(LexFlags::ALL_CAPS)
    {
        return false;
    }
    // "President May" is May, "Brian May" is not; of a full name the word before is no part.
    let said = cue(&word).is(Cue::FUNCTION.or(Cue::DETERMINER).or(Cue::PREPOSITION));
    if person || said && !ORDINALS.contains(&word.as_str()) {
        return false;
    }
    let titled = single && classes.has(WordClass::TITLE);
    // "Hotel Elm" is a hotel, "Cape York" no town.
    let kinds = ids.iter().all(|id| kb.kind(*id).is_none_or(str::is_empty));
    let headed =
        classes.has(WordClass::NAME_HEAD) && kinds && !name_cue(&word).is(NameCue::PLACE_FIRST);
    !titled && !headed && !told()
}

/// "Johann van Beethoven", "Karl von der Heyde": small words that go between the names of a person.
fn led_by_particle(view: &SentenceView<'_>, last: &Lexeme, word: &str) -> bool {
    let small = |lexeme: &Lexeme, word: &str| {
        !lexeme.flags.has(LexFlags::CAPITALIZED)
            && matches!(
                word,
                "van" | "von" | "der" | "den" | "de" | "da" | "di" | "del" | "bin" | "ibn"
            )
    };
    if !small(last, word) {
        return false;
    }
    let (mut at, mut first) = (last, before(view, last.span));
    if let Some(lexeme) = first.filter(|lexeme| small(lexeme, &folded(view, lexeme))) {
        (at, first) = (lexeme, before(view, lexeme.span));
    }
    first.is_some_and(|first| {
        let capital = first.flags.has(LexFlags::CAPITALIZED);
        capital && first.kind == LexKind::Word && first.span.end + 1 == at.span.start
    })
}

/// Whether a word of the dictionary is one as a name alone ("Leopold", "Thor"), or so short that it
/// may be before a surname ("Li").
fn only_name(word: &str, surname: bool) -> bool {
    let classes = class(word);
    let plain = WordClass::STOPWORD
        .with(WordClass::TITLE)
        .with(WordClass::MONTH)
        .with(WordClass::WEEKDAY)
        .with(WordClass::NAME_HEAD);
    let name = classes.has(WordClass::PROPER) && !classes.has(WordClass::COMMON);
    !classes.any(plain) && (name || surname && word.len() < 4)
}

/// Whether the mention is the whole name of a person.
fn person(mention: &str, id: u32, kb: &Snapshot) -> bool {
    let kind = fold_name(kb.kind(id).unwrap_or(""));
    if !mention.contains(' ') {
        return false;
    }
    if kind.is_empty() {
        let name = fold_name(mention);
        let words = || name.split(' ');
        let first = words().next().unwrap_or("");
        return !words().any(|word| class(word).has(WordClass::NAME_HEAD))
            && (class(first).has(WordClass::GIVEN_NAME)
                || !words().any(|word| class(word).has(WordClass::COMMON)));
    }
    human(id, kb)
}

/// Whether the base has it as a person.
fn human(id: u32, kb: &Snapshot) -> bool {
    let kind = fold_name(kb.kind(id).unwrap_or(""));
    PERSONS
        .iter()
        .any(|own| kind.split(' ').any(|word| word == *own))
}

/// "the film The Grey House", where the base has a novel of that name.
fn other_work(view: &SentenceView<'_>, mention: Span, ids: &[u32], kb: &Snapshot) -> bool {
    let at = view
        .lexemes
        .partition_point(|lexeme| lexeme.span.end <= mention.start);
    let quiet = |lexeme: &&Lexeme| lexeme.kind != LexKind::Word || view.at(lexeme.span) == "The";
    let Some(before) = view.lexemes[..at].iter().rev().find(|l| !quiet(l)) else {
        return false;
    };
    let word = folded(view, before);
    let Some(said) = WORKS.iter().find(|kinds| kinds.contains(&word.as_str())) else {
        return false;
    };
    ids.iter().all(|id| {
        let kind = fold_name(kb.kind(*id).unwrap_or(""));
        !kind.is_empty() && !kind.split(' ').any(|own| said.contains(&own))
    })
}
