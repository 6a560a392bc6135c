//! What keys of a form say by themselves.

use crate::kb::predicate_key;
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::tables::{forms, stance};
use crate::lexicon::words::{WordClass, class};
use crate::normal::stem;
use crate::types::Claim;

/// Whether a key is that of a thing beside which another is only mentioned ("order", "order_id").
pub(super) fn is_other(key: &str) -> bool {
    let thing = ["_id", "_name", "_number", "_title"];
    let thing = thing.iter().find_map(|end| key.strip_suffix(end));
    let key = thing.unwrap_or(key);
    let one = key.strip_suffix('s').unwrap_or(key);
    forms().has("other", key) || forms().has("other", one)
}

/// A name that a key has in one word: "Kestrel Bridge" of `kestrel_bridge` and `kestrelBridge`.
pub(super) fn spelled(key: &str) -> Option<String> {
    let folded = predicate_key(key);
    let joined = !key.contains(' ') && folded.contains('_');
    let capital = |word: &str| {
        let mut rest = word.chars();
        let first = rest.next().map(|c| c.to_uppercase().to_string());
        first.unwrap_or_default() + rest.as_str()
    };
    joined.then(|| folded.split('_').map(capital).collect::<Vec<_>>().join(" "))
}

/// Whether a key tells what its value is of, rather than the value itself: "second_bridge" of "The
/// bridge …", "other" of "It …".
pub(super) fn told_apart(keys: &[String], claim: &Claim) -> bool {
    let subject = claim.subject.as_deref().unwrap_or("");
    // A name is whose it is under any key.
    let mut words = subject.split_whitespace();
    let article = matches!(words.clone().next(), Some("The" | "the"));
    let capital = |word: &str| word.starts_with(char::is_uppercase);
    if words.clone().skip(usize::from(article)).any(capital) && !is_pronoun(subject) {
        return false;
    }
    let subject: Vec<String> = words.by_ref().map(str::to_lowercase).collect();
    let apart = Cue::DETERMINER.or(Cue::ADJECTIVE).or(Cue::PRONOUN_OTHER);
    keys.iter().any(|key| {
        let proper = |word: &&str| capital(word) && word.contains(char::is_lowercase);
        let known = |word: &str| class(&word.to_lowercase()).has(WordClass::COMMON);
        let words = key.split(|c: char| !c.is_alphanumeric()).filter(proper);
        let named = words.clone().count() > 1 || words.clone().any(|word| !known(word));
        let folded = predicate_key(key);
        let mut parts = folded.split('_').filter(|part| !part.is_empty());
        named
            || parts.any(|part| {
                matches!(part, "other" | "others" | "another" | "rest")
                    || cue(part).is(apart)
                    || stance().has("edition", part)
                    || forms().has("other", part)
                    || subject.iter().any(|word| stem(word) == stem(part))
            })
    })
}

fn is_pronoun(subject: &str) -> bool {
    let pronoun = Cue::PRONOUN_PERSON
        .or(Cue::PRONOUN_THING)
        .or(Cue::PRONOUN_GROUP)
        .or(Cue::PRONOUN_OTHER);
    cue(&subject.to_lowercase()).is(pronoun)
}

/// Whether nobody puts forward what is said behind a key ("quote", "wrong_answers").
pub(super) fn is_voiced(key: &str) -> bool {
    let says = |part: &str| {
        let classes = ["voiced", "doubtful", "misstated"];
        forms().has("voiced", part) || classes.iter().any(|class| stance().has(class, part))
    };
    !key.is_empty() && (forms().has("voiced", key) || key.split('_').any(says))
}
