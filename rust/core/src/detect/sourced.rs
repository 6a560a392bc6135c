//! Whether a sentence names the source of what it says: who did the research, where it was printed,
//! when, or where it can be read.

use std::ops::Range;

use crate::claims::{Folded, SentenceView, citations};
use crate::lexicon::contrast::contrast;
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::sources;
use crate::lexicon::words::{WordClass, class};
use crate::types::{LexFlags, LexKind, Span};

use super::appeal::attributed;

/// Words behind research, or before its verb, among which it is said whose it is.
const REACH: usize = 14;
/// Words of a name behind "by".
const NAME: usize = 5;
/// Parts of texts that can be looked up.
const LINKS: [&str; 7] = [
    "http://", "https://", "www.", "doi.org", "doi:", "arxiv", "et al",
];

/// Whether the sentence says whose the research or the experts at `span` are.
#[must_use]
pub fn names_source(view: &SentenceView<'_>, span: Span) -> bool {
    let (folded, range) = (view.folded(), view.lexemes_in(span));
    let noun = range
        .clone()
        .find(|i| is_source(&folded, *i))
        .unwrap_or(range.start);
    named_before(view, &folded, range.start)
        // Behind its verb nobody says whose it is.
        || noun + 1 >= range.end && named_behind(view, &folded, noun)
        || fronted(view, &folded, range.start)
        || set_off(view, &folded, range.end)
        || names_any(view, &range)
}

/// Whether the sentence names any source of what it says.
#[must_use]
pub fn is_sourced(view: &SentenceView<'_>) -> bool {
    names_any(view, &(0..0))
}

/// Whether the sentence, which tells an example of what was said before it, has one that somebody
/// is named in, or that can be looked up.
#[must_use]
pub fn exemplifies(view: &SentenceView<'_>) -> bool {
    let folded = view.folded();
    (0..view.lexemes.len()).any(|i| is_name(view, &folded, i)) || is_sourced(view)
}

/// Whether a text, the sentence before, speaks of research and names somebody.
#[must_use]
pub fn told_source(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '-' && c != '\'');
    let known = |word: &str| {
        let word = word.to_lowercase();
        sources().has("research", &word) || sources().has("people", &word)
    };
    let name = |word: &str| {
        word.starts_with(char::is_uppercase)
            && !class(&word.to_lowercase()).any(elsewhere().with(WordClass::COMMON))
    };
    words.clone().any(known) && words.any(name)
}

/// What is no name of a source: where and when.
const fn elsewhere() -> WordClass {
    WordClass::DEMONYM
        .with(WordClass::COUNTRY)
        .with(WordClass::MONTH)
        .with(WordClass::WEEKDAY)
        .with(WordClass::LANGUAGE)
        .with(WordClass::STOPWORD)
}

/// Whether a lexeme is part of the name of somebody or something that can be a source.
pub(super) fn is_name(view: &SentenceView<'_>, folded: &Folded<'_>, i: usize) -> bool {
    let Some(lexeme) = view.lexemes.get(i) else {
        return false;
    };
    if lexeme.kind != LexKind::Word || !lexeme.flags.has(LexFlags::CAPITALIZED) {
        return false;
    }
    let word = folded.get(i);
    let bare = word.strip_suffix("'s").unwrap_or(word);
    let kind = class(bare);
    let opens =
        lexeme.flags.has(LexFlags::SENTENCE_START) || lexeme.flags.has(LexFlags::AFTER_OPENER);
    // "WHO" and "who".
    let initials = lexeme.flags.has(LexFlags::ALL_CAPS) && kind.has(WordClass::STOPWORD);
    let person = Cue::PRONOUN_PERSON.or(Cue::POSSESSIVE);
    (initials || !kind.any(elsewhere()) && !folded.cue(i).is(person))
        && !(opens
            && (is_source(folded, i)
                || kind.has(WordClass::COMMON) && !sources().has("body", bare)))
}

fn is_source(folded: &Folded<'_>, i: usize) -> bool {
    let marks = sources().marks(folded.get(i));
    marks.has("research") || marks.has("people")
}

/// Whether a lexeme is a verb by which somebody reports something.
pub(super) fn reports(folded: &Folded<'_>, i: usize) -> bool {
    let word = folded.get(i);
    contrast().reports(folded.known(i).verb.unwrap_or_default()) || contrast().reports(word)
}

/// "Stanford researchers", "the 2014 Pew surveys".
fn named_before(view: &SentenceView<'_>, folded: &Folded<'_>, start: usize) -> bool {
    let modifies =
        |i: &usize| view.is_term(*i) && !folded.cue(*i).is(Cue::PREPOSITION.or(Cue::CONJUNCTION));
    let mut before = (0..start).rev().take_while(modifies).take(4);
    before.any(|i| is_name(view, folded, i))
}

/// "A study by researchers at CERN", "according to a survey published in The Lancet".
fn named_behind(view: &SentenceView<'_>, folded: &Folded<'_>, noun: usize) -> bool {
    let part = |i: usize| {
        let linked = sources().has("made", folded.get(i))
            && (sources().has("link", folded.get(i + 1)) || folded.get(i + 1) == "out");
        !matches!(view.word(i), "," | ";" | ":")
            && (linked || !reports(folded, i) || is_source(folded, i))
    };
    let end = (noun + 1 + REACH).min(view.lexemes.len());
    let title = |i: usize| {
        sources().has("titled", folded.get(i)) || matches!(view.word(i), "\"" | "“" | "*" | "_")
    };
    let behind = (noun + 1..end).take_while(|i| part(*i));
    behind.into_iter().any(|i| {
        is_name(view, folded, i)
            || (i > noun + 1 || sources().has("titled", folded.get(i))) && title(i)
    })
}

/// "At Stanford, researchers found", "In a 2014 Yale study, scientists saw".
fn fronted(view: &SentenceView<'_>, folded: &Folded<'_>, start: usize) -> bool {
    let Some(comma) = start.checked_sub(1).filter(|i| view.word(*i) == ",") else {
        return false;
    };
    let from = (0..comma)
        .rev()
        .find(|i| matches!(view.word(*i), ";" | "—" | ":"));
    let from = from.map_or(0, |i| i + 1);
    let place = folded.cue(from).is(Cue::PREPOSITION);
    let mut phrase = from..comma;
    (place || phrase.clone().any(|i| is_source(folded, i)))
        && phrase.any(|i| is_name(view, folded, i))
}

/// "Studies show, such as one by Harvard, that", "… show — Gallup's poll among them — that": what marks
/// set off right behind the verb names who did them.
fn set_off(view: &SentenceView<'_>, folded: &Folded<'_>, end: usize) -> bool {
    let mark = |i: usize| matches!(view.word(i), "," | "—" | "–" | "(");
    let Some(from) = (end.saturating_sub(1)..=end).find(|i| mark(*i)) else {
        return false;
    };
    let close = if view.word(from) == "(" {
        ")"
    } else {
        view.word(from)
    };
    let last = (from + 1 + REACH).min(view.lexemes.len());
    let Some(to) = (from + 1..last).find(|i| view.word(*i) == close) else {
        return false;
    };
    let mut phrase = from + 1..to;
    let source = phrase
        .clone()
        .any(|i| is_source(folded, i) || sources().has("medium", folded.get(i)));
    let lead = format!("{} {}", folded.get(from + 1), folded.get(from + 2));
    let leads = sources().has("set_off", folded.get(from + 1)) || sources().has("set_off", &lead);
    let place = |i: usize| class(folded.get(i)).has(WordClass::CITY);
    (leads || source) && phrase.any(|i| is_name(view, folded, i) && (source || !place(i)))
}

/// A source that is named anywhere but by the words at `apart`.
fn names_any(view: &SentenceView<'_>, apart: &Range<usize>) -> bool {
    let lower = view.text.to_lowercase();
    if LINKS.iter().any(|link| lower.contains(link))
        || dated(view.text)
        || noted(view.text)
        || !citations(view.text, 0).is_empty()
        || attributed(view)
    {
        return true;
    }
    let folded = view.folded();
    let name = |i: usize| is_name(view, &folded, i);
    (0..view.lexemes.len())
        .filter(|i| !apart.contains(i))
        .any(|i| {
            let word = folded.get(i);
            let before = i.checked_sub(1).filter(|i| !apart.contains(i));
            // "Gallup reports", "…, says Lind".
            let said = reports(&folded, i)
                && (before.is_some_and(name)
                    || before.is_some_and(|b| matches!(view.word(b), "," | "\"" | "”"))
                        && name(i + 1));
            // "published in The Lancet".
            let made = sources().has("made", word)
                && sources().has("link", folded.get(i + 1))
                && (i + 2..i + 2 + NAME)
                    .take_while(|i| view.word(*i) != ",")
                    .any(name);
            // "the Framingham study", "a survey by Pew".
            let own = is_source(&folded, i)
                && (before.is_some_and(name)
                    || matches!(folded.get(i + 1), "by" | "from" | "at")
                        && named_behind(view, &folded, i));
            let told = matches!(word, "source" | "sources") && view.word(i + 1) == ":";
            said || made || own || told
        })
}

/// Whether a year stands in brackets.
fn dated(text: &str) -> bool {
    text.match_indices(['(', '[']).any(|(at, _)| {
        let inner = &text[at + 1..];
        let inner = inner.split([')', ']']).next().unwrap_or_default();
        inner
            .split(|c: char| !c.is_ascii_alphanumeric())
            .any(|part| {
                let year = part.trim_end_matches(|c: char| c.is_ascii_lowercase());
                year.len() == 4
                    && (year.starts_with("19") || year.starts_with("20"))
                    && year.bytes().all(|b| b.is_ascii_digit())
            })
    })
}

/// Whether the sentence ends with a name in brackets, which is no short form of what it stands behind.
fn noted(text: &str) -> bool {
    let text = text.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '.' | '!'));
    let Some((before, inner)) = text
        .strip_suffix(')')
        .and_then(|text| text.rsplit_once('('))
    else {
        return false;
    };
    let mut letters = inner.chars().filter(|c| c.is_alphabetic());
    let initials: String = before
        .split(|c: char| !c.is_alphanumeric())
        .filter_map(|word| word.chars().next())
        .flat_map(char::to_lowercase)
        .collect();
    let first = inner.trim_start().chars().next();
    first.is_some_and(char::is_uppercase)
        && !(letters.all(char::is_uppercase) && initials.ends_with(&inner.to_lowercase()))
        && !class(&inner.to_lowercase()).any(elsewhere().with(WordClass::COMMON))
}
