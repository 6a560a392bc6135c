//! Posts that a word makes others: "is the deputy director" denies nothing of "is not the director".

use crate::lexicon::contrast::contrast;
use crate::lexicon::cues::{Cue, cue, verb};
use crate::lexicon::tables::{kinds, narrowing, stance};

/// Words before the noun of a post that belong to it, at most.
const BEFORE: usize = 3;
/// Words that keep a post what it is, besides those that do so of any attribute.
const SAME: [&str; 3] = ["new", "newly", "proud"];

/// The noun of a post in a text, with the words that tell which one it is.
struct Post<'a> {
    noun: &'a str,
    marks: Vec<&'a str>,
    /// It stands with "a" or "an": one of many.
    any: bool,
}

/// Whether one of two texts, of which one denies, speaks of another post of the same noun: a deputy's, a
/// former one's, an honorary one's, or, of a post that one person fills, one with another word before it.
pub(in crate::detect) fn other_post(one: &str, other: &str) -> bool {
    let (one, other) = (words(one), words(other));
    let held = posts(&one, &other);
    let denied = posts(&other, &one);
    held.iter().any(|a| {
        let mut same = denied.iter().filter(|b| b.noun == a.noun).peekable();
        same.peek().is_some()
            && same.all(|b| {
                let mut apart = a.marks.iter().filter(|word| !b.marks.contains(word));
                let mut others = b.marks.iter().filter(|word| !a.marks.contains(word));
                let told = |word: &&str| turns(word);
                apart.any(told) || others.any(told) || !(a.any && b.any) && a.marks != b.marks
            })
    })
}

/// Whether the word makes a post another one.
fn turns(word: &str) -> bool {
    ["other_role", "narrow_role"]
        .iter()
        .any(|class| stance().has(class, word))
}

/// Posts of a text with the words of theirs that are no name's and keep them not what they are;
/// `beside` are the words of the other text.
fn posts<'a>(words: &'a [String], beside: &[String]) -> Vec<Post<'a>> {
    let noun = |i: usize| {
        let word = words.get(i).map(String::as_str)?;
        (contrast().is_post(word) || kinds().has("post", word)).then_some(word)
    };
    let mut found = Vec::new();
    for i in 0..words.len() {
        // "the assistant manager": one post.
        let Some(own) = noun(i).filter(|_| noun(i + 1).is_none()) else {
            continue;
        };
        let mut post = Post {
            noun: own,
            marks: Vec::new(),
            any: false,
        };
        let start = i.saturating_sub(BEFORE);
        for at in (start..i).rev() {
            let word = words[at].as_str();
            post.any |= matches!(word, "a" | "an");
            let closed = Cue::FUNCTION
                .or(Cue::COPULA)
                .or(Cue::AUXILIARY)
                .or(Cue::NEGATION)
                .or(Cue::PREPOSITION);
            // "appointed manager": what both have before the noun says nothing.
            // "did not become captain"
            let before = at.checked_sub(1).map_or("", |i| words[i].as_str());
            let acts = verb(word).is_some_and(|base| {
                base != word || cue(before).is(Cue::AUXILIARY.or(Cue::NEGATION))
            });
            let shared =
                acts && !turns(word) || beside.iter().any(|own| own == word) && noun(at).is_none();
            if (cue(word).is(closed) || shared) && !turns(word) {
                break;
            }
            let light = kinds().has("light", word)
                || narrowing().has("light", word)
                || stance().has("plain", word)
                || SAME.contains(&word);
            if !light || turns(word) {
                post.marks.push(word);
            }
        }
        let behind = words.get(i + 1).map(String::as_str);
        post.marks.extend(behind.filter(|word| turns(word)));
        found.push(post);
    }
    found
}

fn words(text: &str) -> Vec<String> {
    let edge = |c: char| !c.is_alphanumeric();
    text.split(|c: char| c.is_whitespace() || matches!(c, '-' | '‑' | ','))
        .map(|word| word.trim_matches(edge).replace('’', "'").to_lowercase())
        .filter(|word| !word.is_empty())
        .collect()
}
