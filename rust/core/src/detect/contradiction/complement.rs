//! The two sides of a rule: "Bags over 23 kg are not accepted", "Bags under 23 kg are accepted".

use crate::dialogue::Statement;
use crate::lexicon::contrast::contrast;
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::tables::{Table, frames};

/// Sides of one name in the table.
const SIDES: [&str; 2] = ["_a", "_b"];
/// What a word begins with that means the rest is not so.
const DENYING: [&str; 7] = ["non-", "non", "un", "in", "im", "dis", "ir"];
/// Letters from which a word may have such a beginning.
const LONG: usize = 4;

/// Whether one of two statements, of which one denies, speaks of what the other leaves out: on the other
/// side of a limit or of a time, with what the other is without, of the opposite kind, or of those of
/// whom a clause denies it ("users who are not registered").
pub(super) fn complement(said: &Statement, prior: &Statement) -> bool {
    let (a, b) = (words(&said.content), words(&prior.content));
    // "Closed" denies "open" by itself: no word does.
    match denials(&a).abs_diff(denials(&b)) {
        0 => return false,
        1 => {}
        _ => return true,
    }
    let only = |one: &[String], other: &[String]| -> Vec<String> {
        let own = one.iter().filter(|word| !other.contains(word));
        own.cloned().collect()
    };
    let (own, others) = (only(&a, &b), only(&b, &a));
    let opposite = |one: &str, other: &str| {
        let negated = |long: &str, short: &str| {
            let rest = DENYING.iter().filter_map(|lead| long.strip_prefix(lead));
            short.len() >= LONG && rest.into_iter().any(|rest| rest == short)
        };
        contrast().opposites(one).contains(&other) || negated(one, other) || negated(other, one)
    };
    let kinds = own
        .iter()
        .any(|one| others.iter().any(|other| opposite(one, other)));
    kinds || on_other_side(&a.join(" "), &b.join(" "))
}

/// Whether one of two statements has a denial more than the other, wherever it stands.
pub(super) fn denied_once(said: &Statement, prior: &Statement) -> bool {
    let odd = |statement: &Statement| denials(&words(&statement.content)) % 2;
    odd(said) != odd(prior)
}

/// How many words deny; "no" as an answer does not.
fn denials(words: &[String]) -> usize {
    let own = words.iter().enumerate();
    own.filter(|(at, word)| denies(word) && (*at > 0 || *word != "no"))
        .count()
}

/// Whether the two texts have words of one side each of the same name.
fn on_other_side(one: &str, other: &str) -> bool {
    let (one, other) = (sides(frames(), one), sides(frames(), other));
    let alone = |all: &[(&str, usize)], name: &str, side: usize| {
        all.contains(&(name, side)) && !all.contains(&(name, 1 - side))
    };
    let apart = |name: &str, side: usize| alone(&other, name, 1 - side);
    one.iter()
        .any(|(name, side)| alone(&one, name, *side) && apart(name, *side))
}

/// Names of sides of which a text has words; the longest phrase counts where it stands.
fn sides(table: &'static Table, text: &str) -> Vec<(&'static str, usize)> {
    let mut phrases: Vec<(&str, &str, usize)> = (table.under("side_"))
        .filter_map(|(name, phrases)| {
            let side = SIDES.iter().position(|end| name.ends_with(end))?;
            Some((&name[..name.len() - 2], phrases, side))
        })
        .flat_map(|(name, phrases, side)| phrases.iter().map(move |own| (*own, name, side)))
        .collect();
    phrases.sort_by_key(|(phrase, ..)| std::cmp::Reverse(phrase.len()));
    let mut text = format!(" {text} ").replace(' ', "  ");
    let mut found = Vec::new();
    for (phrase, name, side) in phrases {
        let phrase = format!(" {} ", phrase.replace(' ', "  "));
        if text.contains(&phrase) {
            text = text.replace(&phrase, " ");
            found.push((name, side));
        }
    }
    found
}

fn denies(word: &str) -> bool {
    cue(word).is(Cue::NEGATION) || word == "no" || word.ends_with("n't") || word == "cannot"
}

fn words(text: &str) -> Vec<String> {
    let edge = |c: char| !c.is_alphanumeric() && c != '%';
    text.split_whitespace()
        .map(|word| word.trim_matches(edge).replace('’', "'").to_lowercase())
        .filter(|word| !word.is_empty())
        .collect()
}
