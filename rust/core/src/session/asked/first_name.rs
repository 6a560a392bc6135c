//! A first name in a question, where the base has one person of that name.

use std::borrow::Cow;

use crate::claims::Kinds;
use crate::dialogue::Known;
use crate::kb::Snapshot;
use crate::lexicon::words::{WordClass, class};
use crate::normal::fold_name;
use crate::types::NameType;

use super::super::kinds::BaseKinds;

/// First names of a question that are looked up.
const NAMES: usize = 8;

/// Texts, each with its id or the role of who says it.
type Texts<'t> = &'t [(String, String)];

/// The question with the surname behind each first name that only one entity of the base has, a person's:
/// "Where does Sarah work?" asks of Sarah Chen. Not where a turn tells of another Sarah, or the evidence of
/// one without a surname.
pub(in crate::session) fn with_surnames<'q>(
    question: &'q str,
    (evidence, turns): (Texts<'_>, Texts<'_>),
    known: Known<'_>,
    kb: &Snapshot,
) -> Cow<'q, str> {
    let mut full = String::new();
    let mut from = 0;
    let pieces: Vec<(usize, &str)> = words(question).collect();
    let capital = |i: usize| {
        let piece = pieces.get(i);
        piece.is_some_and(|(_, word)| word.starts_with(char::is_uppercase))
    };
    let first = |i: &usize| class(&fold_name(pieces[*i].1)).has(WordClass::GIVEN_NAME);
    let alone = |i: &usize| {
        let (at, word) = pieces[*i];
        let behind = question[at + word.len()..].starts_with(' ') && capital(i + 1);
        // "Is Sarah …", not "Aunt Sarah", "St. Sarah"
        let before = i.checked_sub(1).is_some_and(|i| i > 0 && capital(i));
        capital(*i) && !behind && !before
    };
    for i in (0..pieces.len()).filter(first).filter(alone).take(NAMES) {
        let (at, word) = pieces[i];
        let Some(rest) = surname(word, known, kb) else {
            continue;
        };
        let full_name = [word, " ", &rest].concat();
        let other = |text: &str| tells_of_another(text, word, &rest);
        let bare = |text: &str| text.contains(word) && !text.contains(&full_name);
        let mut given = evidence.iter().map(|(_, text)| text);
        if turns.iter().any(|(_, text)| other(text)) || given.any(|text| other(text) || bare(text))
        {
            continue;
        }
        let end = at + word.len();
        full.push_str(&question[from..at]);
        full.push_str(&full_name);
        from = end;
    }
    if from == 0 {
        return Cow::Borrowed(question);
    }
    full.push_str(&question[from..]);
    Cow::Owned(full)
}

/// Words without their genitive and the marks around them, with where they begin.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let part = |c: char| !c.is_alphanumeric() && c != '-';
    let mut at = 0;
    text.split(part).filter_map(move |word| {
        let start = at;
        let mark = text[start + word.len()..].chars().next();
        at = start + word.len() + mark.map_or(0, char::len_utf8);
        (!word.is_empty()).then_some((start, word))
    })
}

/// What stands behind the first name in the name of the one entity that has it, where that is a person.
fn surname(first: &str, known: Known<'_>, kb: &Snapshot) -> Option<String> {
    let folded = fold_name(first);
    if !known.names.find(&folded).is_empty() {
        return None;
    }
    let mut called = known.names.with_word(&folded).into_iter().filter(|id| {
        let name = kb.name(*id).unwrap_or("");
        fold_name(name.split(' ').next().unwrap_or("")) == folded
    });
    let (one, other) = (called.next()?, called.next());
    let person = BaseKinds(Some(kb)).of(one) == NameType::Person;
    let (_, rest) = kb.name(one)?.split_once(' ')?;
    (person && other.is_none()).then(|| rest.to_owned())
}

/// Whether a text has the first name with another surname behind it.
fn tells_of_another(text: &str, first: &str, surname: &str) -> bool {
    text.match_indices(first).any(|(at, _)| {
        let Some(behind) = text[at + first.len()..].strip_prefix(' ') else {
            return false;
        };
        behind.starts_with(char::is_uppercase) && !behind.starts_with(surname)
    })
}
