//! Remarks about the thing that a value names ("her dog is old", "has two children"), which give
//! no value of their own.

use crate::claims::SentenceView;
use crate::kb::weekday_text;
use crate::lexicon::antonyms::antonyms;
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::tables::{frames, stance};
use crate::lexicon::words::{WordClass, class};
use crate::normal::{fold, fold_name};
use crate::segment::clocks;
use crate::types::{LexKind, QuantityKind, Span};

/// Endings by which most words are adjectives or participles.
const ENDINGS: [&str; 10] = [
    "able", "ible", "ful", "ous", "ive", "less", "ish", "ical", "est", "ed",
];
/// Words that stand before adjectives and raise or lower what they say.
const DEGREES: [&str; 12] = [
    "very",
    "too",
    "quite",
    "rather",
    "so",
    "extremely",
    "pretty",
    "really",
    "fairly",
    "more",
    "most",
    "least",
];

/// Whether the words at `said` only remark on what the text `own` names: they count it, or
/// describe it where `own` is a name or a noun. `listed` tells that the attribute's values are
/// words of a kind (departments, colours) rather than names.
pub(super) fn remark(view: &SentenceView<'_>, said: Span, own: &str, listed: bool) -> bool {
    let digits = |text: &str| text.chars().any(|c| c.is_ascii_digit());
    let counted = view
        .quantities
        .iter()
        .any(|q| q.kind != QuantityKind::Ordinal && said.overlaps(q.span));
    let text = view.at(said);
    if !own.chars().any(char::is_alphabetic) {
        // A number to dial is no make of telephone.
        let timed = !clocks(own).is_empty() || weekday_text(own).is_some();
        return digits(own) && !timed && !counted && !digits(text);
    }
    let head = head_of(view, said);
    let named = head.iter().any(|word| is_name(word, own));
    if counted && !digits(own) && !named {
        return true;
    }
    if weekday_text(own).is_some() || !clocks(own).is_empty() {
        return false;
    }
    let words: Vec<String> = head.iter().map(|word| folded(word)).collect();
    let capital = own.chars().any(char::is_uppercase);
    if !capital || listed || common(own) {
        if capital && named {
            return false;
        }
        let told = folded(own.rsplit(' ').next().unwrap_or(own));
        let foreign = words.last().is_some_and(|word| origin(word)) && !own.split(' ').any(origin);
        let describing = !own.contains(' ') && adjective(&told);
        return foreign
            || !listed && one_of_a_kind(view, said, own)
            || superlative(&words)
            || describes(&words) && !describing && !both_colours(&words, &told);
    }
    own.starts_with(char::is_uppercase) && !named && !quoted(text)
}

/// The words of a phrase before what is joined to it ("the largest" of "the largest in the firm").
fn head_of<'a>(view: &SentenceView<'a>, said: Span) -> Vec<&'a str> {
    let range = view.lexemes_in(said);
    // "Boston" of "Boston-based".
    if range.is_empty() {
        return view.at(said).split(' ').collect();
    }
    let mut out = Vec::new();
    for i in range {
        let word = view.word(i);
        if view.lexemes[i].kind == LexKind::Punct {
            continue;
        }
        if !out.is_empty() && cue(&folded(word)).is(Cue::PREPOSITION) && word != "of" {
            break;
        }
        out.push(word);
    }
    out
}

/// Whether a word is written as a name's; where something comes from names only what is such
/// itself.
fn is_name(word: &str, own: &str) -> bool {
    word.chars().any(|c| c.is_uppercase() || c.is_ascii_digit())
        && (!origin(word) || own.split_whitespace().any(origin))
}

/// "is a disaster", where the value stands without an article.
fn one_of_a_kind(view: &SentenceView<'_>, said: Span, own: &str) -> bool {
    let article = |word: &str| matches!(folded(word).as_str(), "a" | "an");
    let range = view.lexemes_in(said);
    let is = range
        .start
        .checked_sub(1)
        .is_some_and(|i| cue(&folded(view.word(i))).is(Cue::COPULA));
    is && article(view.word(range.start)) && !own.split(' ').next().is_some_and(article)
}

/// "French", which tells where something comes from or what is spoken.
fn origin(word: &str) -> bool {
    class(&fold_name(word)).has(WordClass::DEMONYM)
}

/// A single word of the dictionary, be it written with a capital ("Piano").
fn common(own: &str) -> bool {
    let known = class(&fold_name(own));
    let name = WordClass::GIVEN_NAME
        .with(WordClass::PROPER)
        .with(WordClass::CITY)
        .with(WordClass::COUNTRY);
    let loud = own.len() > 1 && own.chars().all(char::is_uppercase);
    let acronym = loud && frames().has("acronym", &fold_name(own));
    !own.contains(' ') && known.has(WordClass::COMMON) && !known.any(name) && !acronym
}

/// "the best", "the smallest".
fn superlative(words: &[String]) -> bool {
    words.first().is_some_and(|word| word == "the")
        && words.last().is_some_and(|word| {
            matches!(word.as_str(), "best" | "worst") || word.ends_with("est") && raised(word)
        })
}

/// Whether a word in "est" is made of another ("smallest", not "forest").
fn raised(word: &str) -> bool {
    let stem = word.strip_suffix("est").unwrap_or(word);
    let known = |base: &str| class(base).has(WordClass::COMMON);
    known(stem) || known(&format!("{stem}e")) || stem.ends_with('i')
}

/// "small", "very small", "the best".
fn describes(words: &[String]) -> bool {
    let Some(last) = words.last() else {
        return false;
    };
    let bare = words
        .iter()
        .rev()
        .skip(1)
        .all(|word| cue(word).is(Cue::DETERMINER.or(Cue::ADVERB)));
    words.iter().any(|word| DEGREES.contains(&&**word)) || bare && adjective(last)
}

/// Whether a folded word is most likely an adjective.
fn adjective(word: &str) -> bool {
    if cue(word).is(Cue::ADJECTIVE) || matches!(word, "best" | "worst") {
        return true;
    }
    let long = |ending: &&str| word.len() > ending.len() + 1 && word.ends_with(*ending);
    let noun = class(word).any(
        WordClass::CURRENCY
            .with(WordClass::NAME_HEAD)
            .with(WordClass::DEMONYM)
            .with(WordClass::LANGUAGE),
    );
    // Words of the dictionary that are compared: "tiniest", "largest", "brightest".
    let compared = || {
        let stem = word.strip_suffix('e').unwrap_or(word);
        let most = word
            .strip_suffix('y')
            .map_or_else(|| format!("{stem}est"), |stem| format!("{stem}iest"));
        class(&most).has(WordClass::COMMON)
    };
    // "piano" has an opposite and is no adjective.
    let opposed = || {
        class(&format!("{word}ly")).has(WordClass::COMMON)
            && antonyms()
                .iter()
                .any(|(one, two)| *one == word || *two == word)
    };
    !noun && (ENDINGS.iter().any(long) || compared() || opposed())
}

fn both_colours(words: &[String], own: &str) -> bool {
    let colour = |word: &str| stance().has("colour_word", word);
    words.last().is_some_and(|word| colour(word)) && colour(own)
}

fn quoted(text: &str) -> bool {
    text.contains(['"', '“', '”', '«'])
}

fn folded(word: &str) -> String {
    let mut out = String::new();
    fold(word, &mut out);
    out
}
