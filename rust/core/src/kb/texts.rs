//! Whether two texts name the same thing: by their words, their numbers, and as names.

use std::collections::BTreeSet;

use crate::entities::osa_distance;
use crate::lexicon::names::{NameCue, name_cue};
use crate::lexicon::tables::{nicknames, short_forms};
use crate::lexicon::words::{WordClass, class};
use crate::normal::{fold, stem};

use super::compare::Agreement;
use super::namings::{one_thing, otherwise_named};

/// Words that tell no two texts apart.
const IGNORED: [&str; 24] = [
    "a", "an", "the", "of", "in", "at", "on", "for", "and", "or", "to", "by", "with", "from",
    "its", "his", "her", "their", "our", "is", "are", "was", "were", "as",
];
/// What stands behind a name and belongs to it.
const SUFFIXES: [&str; 15] = [
    "jr", "junior", "sr", "phd", "md", "mba", "esq", "ii", "iii", "iv", "msc", "bsc", "ba", "ma",
    "obe",
];
/// Forms of organisations, by which no two of them differ.
const LEGAL: [&str; 19] = [
    "inc",
    "ltd",
    "limited",
    "llc",
    "plc",
    "gmbh",
    "ag",
    "as",
    "asa",
    "ab",
    "co",
    "corp",
    "corporation",
    "company",
    "incorporated",
    "group",
    "sa",
    "nv",
    "bv",
];
/// Most words of a name.
const NAME_WORDS: usize = 6;
/// Most initials that are written without a space ("J.R.R.").
const INITIALS: usize = 4;
/// Letters from which one that is off may be a slip of the pen.
const SLIP: usize = 6;
/// Most letters of an abbreviation ("Blvd").
const ABBREVIATION: usize = 4;

/// Content words of a text, folded and stemmed, without articles and the like.
pub(super) fn words(text: &str) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for word in text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’') {
        let mut folded = String::new();
        fold(word, &mut folded);
        if !folded.is_empty() && !IGNORED.contains(&folded.as_str()) {
            out.insert(rooted(&folded));
        }
    }
    out
}

/// The stem of a folded word, or the short form by which it is written ("dept", "st").
fn rooted(folded: &str) -> String {
    let table = short_forms();
    if let Some(short) = table.classes(folded).next() {
        return short.to_owned();
    }
    let ends = table.listed("-str").iter();
    let street = ends
        .filter_map(|ending| folded.strip_suffix(ending))
        .find(|name| !name.is_empty());
    street.map_or_else(|| stem(folded).into_owned(), |name| format!("{name}str"))
}

/// How the words of two texts stand to each other. One that holds all words of the other says the
/// same, more or less closely; texts that share some differ where their numbers do.
/// Names and spellings of one thing are the same ("US" and "United States", "Müller" and "Mueller").
pub(super) fn texts(said: &str, value: &str) -> Agreement {
    if otherwise_signed(said, value) || otherwise_signed(value, said) {
        return Agreement::Different;
    }
    let plain = as_written(said, value);
    if plain == Agreement::Same {
        return plain;
    }
    match otherwise_same(said, value) {
        true => Agreement::Same,
        false => plain,
    }
}

/// Whether a name ends in signs that the other has otherwise or not at all: "C++" is neither "C" nor "C#".
fn otherwise_signed(said: &str, value: &str) -> bool {
    let split = |word: &str| -> Option<(String, String)> {
        let at = word.find(['+', '#']).filter(|at| *at > 0)?;
        let letters = word[..at].chars().all(char::is_alphabetic);
        let signs = word[at..].chars().take_while(|c| matches!(c, '+' | '#'));
        letters.then(|| (word[..at].to_lowercase(), signs.collect()))
    };
    let mut words = said.split(|c: char| !c.is_alphanumeric() && c != '+' && c != '#');
    words.any(|word| {
        let Some((name, signs)) = split(word) else {
            return false;
        };
        let other = value.to_lowercase();
        let mut others = other
            .split(|c: char| !c.is_alphanumeric() && c != '+' && c != '#')
            .filter(|word| !word.is_empty())
            .peekable();
        let (mut same, mut differs) = (false, false);
        while let Some(word) = others.next() {
            let (own, own_signs) = split(word).unwrap_or_else(|| (word.to_owned(), String::new()));
            let spelled = others
                .peek()
                .is_some_and(|next| matches!(*next, "plus" | "sharp"));
            if own == name {
                same |= own_signs == signs || own_signs.is_empty() && spelled;
                differs |= own_signs != signs;
            }
        }
        differs && !same
    })
}

/// Whether two texts are the same with every name of a thing put as one, or with letters that are also
/// written as two.
fn otherwise_same(said: &str, value: &str) -> bool {
    let same = |said: &str, value: &str| as_written(said, value) == Agreement::Same;
    if otherwise_named(said, value, same) {
        return true;
    }
    let parted = |text: &str| UMLAUTS.iter().any(|(letter, _)| text.contains(*letter));
    let spelled = |text: &str| {
        let put = |text: String, (letter, two): &(char, &str)| text.replace(*letter, two);
        UMLAUTS.iter().fold(text.to_owned(), put)
    };
    let foreign = !(said.is_ascii() && value.is_ascii());
    foreign && (parted(said) || parted(value)) && same(&spelled(said), &spelled(value))
}

/// Letters that are also written as two.
const UMLAUTS: [(char, &str); 11] = [
    ('ä', "ae"),
    ('ö', "oe"),
    ('ü', "ue"),
    ('Ä', "Ae"),
    ('Ö', "Oe"),
    ('Ü', "Ue"),
    ('å', "aa"),
    ('ø', "oe"),
    ('Ø', "Oe"),
    ('æ', "ae"),
    ('Æ', "Ae"),
];

/// The same of the words as they are written.
fn as_written(said: &str, value: &str) -> Agreement {
    let (own, other) = (words(said), words(value));
    if own.is_empty() || other.is_empty() {
        Agreement::Incomparable
    } else if other.is_subset(&own) || own.is_subset(&other) || acronym(said, value) {
        Agreement::Same
    } else if other.is_disjoint(&own) || numbered(said, value) {
        Agreement::Different
    } else {
        Agreement::Incomparable
    }
}

/// "UN" of "United Nations".
fn acronym(a: &str, b: &str) -> bool {
    let short = |short: &str, long: &str| {
        let letters: String = short.chars().filter(|c| c.is_alphanumeric()).collect();
        let initials: String = long
            .split([' ', '-'])
            .filter_map(|word| word.chars().next())
            .filter(|c| c.is_uppercase())
            .collect();
        let upper = letters.chars().all(char::is_uppercase) && !short.trim().contains(' ');
        upper && letters.len() > 1 && letters == initials
    };
    short(a, b) || short(b, a)
}

/// Words of a text, folded; labels (what has digits, and a letter that stands alone at the end)
/// apart.
fn labelled(text: &str) -> (Vec<String>, Vec<String>) {
    let (mut names, mut labels) = (Vec::new(), Vec::new());
    let pieces: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || ",;()#".contains(c))
        .map(|piece| piece.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|piece| !piece.is_empty())
        .collect();
    for (at, piece) in pieces.iter().enumerate() {
        let mut folded = String::new();
        fold(piece, &mut folded);
        let letter = at > 0
            && at + 1 == pieces.len()
            && piece.len() == 1
            && piece.starts_with(char::is_uppercase);
        if letter || folded.chars().any(|c| c.is_ascii_digit()) {
            let bare = folded.trim_start_matches('0');
            labels.push(if bare.is_empty() {
                folded
            } else {
                bare.to_owned()
            });
        } else if !IGNORED.contains(&folded.as_str()) {
            names.push(rooted(&folded));
        }
    }
    (names, labels)
}

/// Whether two texts that share words differ in their numbers ("Room 12", "Room 14"), or carry the
/// same number and differ in a name ("Mill Lane 5", "Park Lane 5").
fn numbered(said: &str, value: &str) -> bool {
    let ((own, own_labels), (other, other_labels)) = (labelled(said), labelled(value));
    if own_labels.is_empty() || other_labels.is_empty() {
        return false;
    }
    let without = |a: &[String], b: &[String]| -> Vec<String> {
        a.iter()
            .filter(|word| !b.iter().any(|other| alike(word, other)))
            .cloned()
            .collect()
    };
    let range = |label: &String| label.contains(['-', '–', '/']);
    if own_labels.iter().chain(&other_labels).any(range) {
        return false;
    }
    let (more, less) = (without(&own, &other), without(&other, &own));
    let only = |a: &[String], b: &[String]| -> Vec<String> {
        a.iter()
            .filter(|label| !b.contains(label))
            .cloned()
            .collect()
    };
    let (mine, theirs) = (
        only(&own_labels, &other_labels),
        only(&other_labels, &own_labels),
    );
    if mine.is_empty() && theirs.is_empty() {
        let shared = own.len() > more.len();
        return shared && !more.is_empty() && !less.is_empty() && proper(said) && proper(value);
    }
    // "12" and "12A", "2" and "2.1": one may be the other, told more closely.
    let closer = |a: &String| {
        theirs
            .iter()
            .any(|b| a.starts_with(b.as_str()) || b.starts_with(a.as_str()))
    };
    (more.is_empty() || less.is_empty())
        && !mine.is_empty()
        && !theirs.is_empty()
        && !mine.iter().any(closer)
}

/// Whether every word but those that join is written as a name's.
fn proper(text: &str) -> bool {
    text.split_whitespace().all(|word| {
        let mut folded = String::new();
        fold(
            word.trim_matches(|c: char| !c.is_alphanumeric()),
            &mut folded,
        );
        IGNORED.contains(&folded.as_str())
            || PARTICLES.contains(&folded.as_str())
            || word
                .chars()
                .find(|c| c.is_alphanumeric())
                .is_none_or(|c| c.is_uppercase() || c.is_ascii_digit())
    })
}

/// Small words inside names.
const PARTICLES: [&str; 12] = [
    "de", "da", "del", "der", "den", "di", "du", "la", "le", "van", "von", "af",
];

/// Whether two folded words can be one: equal, an initial, an abbreviation, a short form, a slip.
fn alike(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let (short, long) = if a.chars().count() <= b.chars().count() {
        (a, b)
    } else {
        (b, a)
    };
    let size = short.chars().count();
    if short.chars().next() == long.chars().next() && size <= ABBREVIATION {
        // Letters in their order: "K", "St", "Blvd", "Tim".
        let mut rest = long.chars();
        if short.chars().all(|c| rest.any(|other| other == c)) {
            return true;
        }
    }
    let one = |text: &str| text.chars().collect::<Vec<char>>();
    let slip = size >= SLIP && osa_distance(&one(a), &one(b), 1).is_some();
    let table = nicknames();
    slip || table.has(a, b) || table.has(b, a) || table.classes(a).any(|name| table.has(name, b))
}

/// The words of a name, folded: no titles, no forms of organisations, no degrees. `None` where the
/// text is no single name.
fn name_words(text: &str) -> Option<Vec<String>> {
    let joint = |word: &str| matches!(word, "and" | "or" | "&" | "+");
    if text.contains(['/', ';', '"', '“']) || text.split_whitespace().any(joint) || !proper(text)
    {
        return None;
    }
    let mut out = Vec::new();
    for piece in text.split(|c: char| c.is_whitespace() || c == '-' || c == '–') {
        let piece = piece.trim_matches(|c: char| !c.is_alphanumeric());
        let piece = ["'s", "’s"]
            .iter()
            .find_map(|end| piece.strip_suffix(end))
            .unwrap_or(piece);
        let mut folded = String::new();
        fold(piece, &mut folded);
        let dotted = folded.contains('.');
        // "S.A.", "Ph.D."
        folded.retain(|c| c != '.');
        let titled = class(&folded).has(WordClass::TITLE) || name_cue(&folded).is(NameCue::TITLE);
        let kept = !titled
            && !IGNORED.contains(&folded.as_str())
            && !PARTICLES.contains(&folded.as_str())
            && !SUFFIXES.contains(&folded.as_str())
            && !LEGAL.contains(&folded.as_str());
        if kept && dotted && folded.chars().count() <= INITIALS {
            out.extend(folded.chars().map(String::from));
        } else if !folded.is_empty() && kept {
            out.push(folded);
        }
    }
    (!out.is_empty() && out.len() <= NAME_WORDS).then_some(out)
}

/// Whether a name begins with a title.
fn titled(name: &str) -> bool {
    let mut words = name.split_whitespace();
    let first = words.next().unwrap_or("").trim_end_matches('.');
    let mut folded = String::new();
    fold(first, &mut folded);
    let title = class(&folded).has(WordClass::TITLE) || name_cue(&folded).is(NameCue::TITLE);
    title && words.next().is_some()
}

/// Whether two texts can be one name of several words, written more or less shortly: "Rev. E. T.
/// Moe" and "E.T. Moe", "St. Ives" and "Saint Ives".
pub(crate) fn names_alike(a: &str, b: &str) -> bool {
    if texts(a, b) == Agreement::Same {
        return true;
    }
    let (Some(a), Some(b)) = (name_words(a), name_words(b)) else {
        return false;
    };
    let (short, long) = if a.len() <= b.len() {
        (&a, &b)
    } else {
        (&b, &a)
    };
    let within = |word: &String| long.iter().any(|other| alike(word, other));
    short.len() > 1 && short.iter().all(within)
}

/// Whether two texts are names that share a word and are yet two: "Anna Lund" and "Anna Berg".
/// Titles, initials, short forms and middle names make no other name, nor does what stands behind
/// a comma ("Paris, Texas" may be what "Paris, United States" is).
pub(crate) fn names_differ(said: &str, value: &str) -> bool {
    if one_thing(said, value) {
        return false;
    }
    let head = |text: &str| text.split(',').next().unwrap_or(text).trim().to_owned();
    let (own, other) = (head(said), head(value));
    let (Some(own), Some(other)) = (name_words(&own), name_words(&other)) else {
        return false;
    };
    let within = |names: &[String], text: &str| {
        let all = words(text);
        names.iter().all(|name| all.contains(&rooted(name)))
    };
    // "Dr. Lee" and "Dr. Park" are two, though "Lee" and "Park" alone may be anything.
    let single = own.len().max(other.len()) < 2 && !(titled(said) && titled(value));
    if single || within(&own, value) || within(&other, said) {
        return false;
    }
    // A surname that another begins with is not short for it: "Hart" and "Hartley".
    let apart = |a: &String, b: &String| {
        let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
        let last = [own.last(), other.last()];
        let both = last.contains(&Some(a)) && last.contains(&Some(b));
        both && short.len() > 2 && long.starts_with(short.as_str())
    };
    let same = |a: &String, b: &String| alike(a, b) && (a == b || !apart(a, b));
    let without = |a: &[String], b: &[String]| {
        a.iter()
            .filter(|word| word.chars().count() > 1 && !b.iter().any(|other| same(word, other)))
            .count()
    };
    let ends = own.len() > 2
        && other.len() > 2
        && alike(&own[0], &other[0])
        && own
            .last()
            .zip(other.last())
            .is_some_and(|(a, b)| same(a, b));
    without(&own, &other) > 0 && without(&other, &own) > 0 && !ends
}
