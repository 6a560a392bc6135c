//! Evidence that denies something of one thing and tells of another in the same sentence: "Line 4
//! does not stop here, but line 7 does", "Unlike the Nova, the Vega has no lock".

use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::tables::frames;
use crate::normal::{fold, stem};

/// A part of a sentence: its content words, and those of them before the word that denies.
#[derive(Debug, Default)]
struct Part {
    words: Vec<String>,
    /// How many words stand before the denial; `None` where nothing is denied.
    denied: Option<usize>,
    /// Its subject is a pronoun.
    referred: bool,
}

/// Whether what `told` denies, it denies of another thing than `said` speaks of.
pub(super) fn denied_of_another(said: &str, told: &str) -> bool {
    let parts = parts(told);
    let mut denied = parts.iter().filter(|part| part.denied.is_some());
    let (Some(part), None) = (denied.next(), denied.next()) else {
        return false;
    };
    let before = part.denied.unwrap_or(0);
    // "but not in the house", "but it does not": of the same thing.
    if parts.len() < 2 || before == 0 || part.referred {
        return false;
    }
    let own: Vec<String> = words(said)
        .filter_map(|word| match word {
            Word::Content(word) => Some(word),
            _ => None,
        })
        .collect();
    if before == part.words.len() {
        // "…, but the Vega does not": of what it names, nothing else.
        return !part.words.iter().all(|word| own.contains(word));
    }
    let others = parts.iter().filter(|other| other.denied.is_none());
    let mut told: Vec<&String> = others.flat_map(|other| &other.words).collect();
    told.retain(|word| !part.words.contains(word));
    own.iter().any(|word| told.contains(&word))
}

/// Whether a sentence ends in denying of a part what the source denies of it: "…, but flash is not" of "Flash
/// photography is not allowed".
pub(super) fn denies_too(said: &str, told: &str) -> bool {
    let own = parts(said);
    let [.., last] = &own[..] else {
        return false;
    };
    let told = parts(told);
    let spoken = |word: &String| {
        let mut denied = told.iter().filter(|part| part.denied.is_some());
        denied.any(|part| part.words.contains(word))
    };
    own.len() > 1
        && !last.words.is_empty()
        && last.denied == Some(last.words.len())
        && last.words.iter().all(spoken)
}

enum Word {
    Content(String),
    Denial,
    Pronoun,
    Against,
    Unlike,
    Comma,
    Semicolon,
    Other,
}

fn parts(text: &str) -> Vec<Part> {
    let mut parts = vec![Part::default()];
    // The part that goes on behind a phrase about the other thing.
    let mut around: Option<Part> = None;
    for word in words(text) {
        let Some(open) = parts.last_mut() else {
            break;
        };
        match word {
            Word::Content(word) => open.words.push(word),
            Word::Denial => {
                open.denied.get_or_insert(open.words.len());
            }
            Word::Pronoun => open.referred |= open.words.is_empty(),
            Word::Against | Word::Semicolon => parts.push(Part::default()),
            Word::Unlike => {
                around = Some(std::mem::take(open));
            }
            Word::Comma => {
                if let Some(main) = around.take() {
                    parts.push(main);
                }
            }
            Word::Other => {}
        }
    }
    parts.extend(around);
    parts.retain(|part| !part.words.is_empty() || part.denied.is_some());
    parts
}

fn words(text: &str) -> impl Iterator<Item = Word> + '_ {
    let sign = |c: char| matches!(c, ',' | ';' | '—' | '–' | '(' | ')' | ':');
    let separates = move |c: char| c.is_whitespace() || sign(c);
    text.split_inclusive(separates).flat_map(move |piece| {
        let word = piece.trim_matches(|c: char| {
            separates(c) || matches!(c, '.' | '!' | '?' | '"' | '\'' | '“' | '”' | '‘' | '’')
        });
        let mark = match piece.chars().next_back() {
            Some(';') => Some(Word::Semicolon),
            Some(c) if sign(c) => Some(Word::Comma),
            _ => None,
        };
        (!word.is_empty())
            .then(|| read(word))
            .into_iter()
            .chain(mark)
    })
}

fn read(word: &str) -> Word {
    let mut folded = String::with_capacity(word.len());
    fold(word, &mut folded);
    let classes = cue(&folded);
    let pronoun = Cue::PRONOUN_PERSON
        .or(Cue::PRONOUN_THING)
        .or(Cue::PRONOUN_GROUP);
    if frames().has("against", &folded) {
        Word::Against
    } else if frames().has("unlike", &folded) {
        Word::Unlike
    } else if classes.is(Cue::NEGATION) || folded == "no" || folded.ends_with("n't") {
        Word::Denial
    } else if classes.is(pronoun) {
        Word::Pronoun
    } else if classes.is(Cue::FUNCTION) && !folded.bytes().all(|b| b.is_ascii_digit()) {
        Word::Other
    } else {
        Word::Content(stem(&folded).into_owned())
    }
}
