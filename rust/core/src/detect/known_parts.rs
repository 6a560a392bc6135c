//! Names that are known part by part: "Nordvik's CEO Henrik Aalto" of "Nordvik" and "Henrik Aalto",
//! and persons under another form of their name ("Bob Whitfield", "R. J. Whitfield").

use crate::evidence::EvidenceSet;
use crate::lexicon::names::{NameCue, name_cue};
use crate::lexicon::tables::{nicknames, otherwise};
use crate::lexicon::words::{WordClass, class};
use crate::normal::{fold, fold_name};

use super::grounds::Grounds;

/// Longest word in capitals that is taken for an abbreviation.
const SHORT: usize = 6;
/// Letters of a word that has a plural at least.
const PLURAL: usize = 4;
/// Places of a surname in a passage that are looked at.
const PLACES: usize = 64;
/// Bytes before a surname among which its given names stand.
const GIVEN: usize = 60;

/// Whether all parts of a name are known: each a name that the sources have, an office or a common
/// short form, with at least one name among them; or a person's name in another form; or the plural
/// of a known one; or capitals alone, which everybody uses.
pub(super) fn known_in_parts(text: &str, grounds: &Grounds<'_>) -> bool {
    if is_short_form(text) {
        return true;
    }
    let known = |name: &str| {
        grounds.knows_name(name)
            || singular(name).is_some_and(|one| grounds.knows_name(one))
            || grounds.sets().any(|set| has_person(name, set))
    };
    if known(text) {
        return true;
    }
    let (mut names, mut run) = (0, String::new());
    let mut owned = false;
    for word in text.split_whitespace() {
        let bare = without_genitive(word);
        let glue = is_office(bare) || owned && is_short_form(bare);
        if !glue {
            if !run.is_empty() {
                run.push(' ');
            }
            run.push_str(bare);
        }
        owned = bare.len() < word.len();
        if (glue || owned) && !run.is_empty() {
            if !known(&run) {
                return false;
            }
            run.clear();
            names += 1;
        }
    }
    if !run.is_empty() {
        // A run that is the whole was asked for above.
        if run == text || !known(&run) {
            return false;
        }
        names += 1;
    }
    names > 0
}

/// Whether a passage has the person under another form of the given names.
pub(super) fn has_person(name: &str, set: &EvidenceSet) -> bool {
    let words: Vec<&str> = name.split_whitespace().filter(|w| !is_title(w)).collect();
    let Some((last, given)) = words.split_last() else {
        return false;
    };
    if given.is_empty() && words.len() < name.split_whitespace().count() {
        return set.has_name(last);
    }
    let capital = |word: &str| word.starts_with(char::is_uppercase);
    if given.is_empty() || !words.iter().all(|word| capital(word)) {
        return false;
    }
    let mut passages = set.passages().iter();
    passages.any(|passage| {
        let text = passage.text();
        let mut places = text.match_indices(last).take(PLACES);
        places.any(|(at, _)| {
            let ends = text[at + last.len()..].chars().next();
            !ends.is_some_and(char::is_alphanumeric) && called(&text[..at], given)
        })
    })
}

/// Whether the capitalised words at the end of a text are the given names, in their order.
fn called(before: &str, given: &[&str]) -> bool {
    if !before.ends_with([' ', '\u{a0}']) {
        return false;
    }
    let mut from = before.len().saturating_sub(GIVEN);
    while !before.is_char_boundary(from) {
        from += 1;
    }
    let mut own: Vec<&str> = Vec::new();
    for word in before[from..].split_whitespace().rev() {
        let initial = word.ends_with('.') && word.chars().count() == 2;
        let ends = word.ends_with(['.', ',', ';', ':', '!', '?', ')']) && !initial;
        if ends || !word.starts_with(char::is_uppercase) || is_title(word) || is_office(word) {
            break;
        }
        own.push(word);
    }
    own.reverse();
    let mut rest = own.iter();
    !own.is_empty()
        && given
            .iter()
            .all(|said| rest.any(|own| one_given_name(said, own)))
}

/// Whether two given names are one: equal, an initial, a short form.
fn one_given_name(a: &str, b: &str) -> bool {
    let (a, b) = (folded(a), folded(b));
    let initial = |short: &str, long: &str| {
        short.chars().count() == 1 && short.chars().next() == long.chars().next()
    };
    let table = nicknames();
    a == b
        || initial(&a, &b)
        || initial(&b, &a)
        || table.has(&a, &b)
        || table.has(&b, &a)
        || table.classes(&a).any(|name| table.has(name, &b))
}

/// "CEO", "President": what stands between the names of an organisation and a person.
fn is_office(word: &str) -> bool {
    let bare = word.trim_end_matches('.');
    let listed = folded(bare);
    let capital = word.starts_with(char::is_uppercase);
    let short = otherwise().has("acronym", &listed);
    capital
        && (short && is_short_form(bare) || otherwise().has("office", &listed) || is_title(bare))
}

fn is_title(word: &str) -> bool {
    let listed = folded(word);
    class(&listed).has(WordClass::TITLE)
        || name_cue(&listed).is(NameCue::TITLE)
        || otherwise().has("address", &listed)
}

/// Capitals alone, or their plural ("FAQs").
pub(super) fn is_short_form(word: &str) -> bool {
    // Most words.
    if word.bytes().all(|b| b.is_ascii_lowercase()) {
        return false;
    }
    let bare = word.strip_suffix('s').unwrap_or(word);
    let upper = |c: char| c.is_uppercase() || c == '&' || c.is_ascii_digit();
    let letters = bare.chars().filter(|c| c.is_uppercase()).count();
    (2..=SHORT).contains(&bare.chars().count()) && letters > 1 && bare.chars().all(upper)
}

/// A name without the plural's "s".
fn singular(name: &str) -> Option<&str> {
    let one = name.strip_suffix('s')?;
    let last = one.rsplit(' ').next().unwrap_or(one);
    (last.chars().count() >= PLURAL && !one.ends_with(['s', '\'', '’'])).then_some(one)
}

fn without_genitive(word: &str) -> &str {
    ["'s", "’s", "s'", "s’"]
        .iter()
        .find_map(|end| {
            let rest = word.strip_suffix(end)?;
            Some(&word[..rest.len() + usize::from(end.starts_with('s'))])
        })
        .unwrap_or(word)
}

fn folded(word: &str) -> String {
    let mut out = String::new();
    fold(word.trim_matches(|c: char| !c.is_alphanumeric()), &mut out);
    out
}

/// Whether a word has the form of one that is [`is_spelled_out`].
pub(super) fn may_be_spelled_out(word: &str) -> bool {
    word.starts_with('Q') || is_short_form(word)
}

/// Whether a passage has words in a row whose first letters the capitals are ("GDP", "gross domestic
/// product").
pub(super) fn is_spelled_out(word: &str, set: &EvidenceSet) -> bool {
    // "Q4": "fourth quarter".
    let quarter = word.strip_prefix('Q').and_then(|n| n.parse::<usize>().ok());
    let quarter = quarter.and_then(|n| otherwise().listed("quarters").get(n.checked_sub(1)?));
    if let Some(quarter) = quarter {
        let mut passages = set.passages().iter();
        return passages.any(|passage| passage.text().to_lowercase().contains(quarter));
    }
    if !is_short_form(word) || word.chars().any(|c| !c.is_alphabetic()) {
        return false;
    }
    let letters: Vec<char> = fold_name(word.strip_suffix('s').unwrap_or(word))
        .chars()
        .collect();
    let joins = |word: &str| matches!(word, "of" | "and" | "the" | "for" | "de");
    set.passages().iter().any(|passage| {
        let mut held = 0;
        passage.text().split_whitespace().any(|own| {
            let own = folded(own);
            if held > 0 && joins(&own) {
                return false;
            }
            let first = own.chars().next();
            if first == letters.get(held).copied() {
                held += 1;
            } else {
                held = usize::from(first == letters.first().copied());
            }
            held == letters.len()
        })
    })
}
