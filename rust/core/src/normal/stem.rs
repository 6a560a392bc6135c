//! A light stemmer for English.

use std::borrow::Cow;

fn has_vowel(word: &[u8]) -> bool {
    word.iter()
        .any(|b| matches!(b, b'a' | b'e' | b'i' | b'o' | b'u' | b'y'))
}

fn is_consonant(b: u8) -> bool {
    b.is_ascii_lowercase() && !matches!(b, b'a' | b'e' | b'i' | b'o' | b'u')
}

/// The stem of a folded word: plural and third-person `-s`, `-ed` and `-ing` taken off, and the
/// silent `e` and the `y`/`i` change levelled, so that inflections of one word meet
/// ("studies", "studied", "study"). Stems need not be words. Words of three letters or fewer,
/// and words with anything but ASCII letters, stay as they are.
#[must_use]
pub fn stem(word: &str) -> Cow<'_, str> {
    let bytes = word.as_bytes();
    if bytes.len() <= 3 || !bytes.iter().all(u8::is_ascii_lowercase) {
        return Cow::Borrowed(word);
    }
    level(strip_suffix(strip_plural(word)))
}

fn strip_plural(word: &str) -> &str {
    let b = word.as_bytes();
    match b {
        [.., b's', b's'] | [.., b'u', b's'] | [.., b'i', b's'] => word,
        [.., b's', b's', b'e', b's'] | [.., b'x', b'e', b's'] => &word[..b.len() - 2],
        [.., b'c' | b's', b'h', b'e', b's'] => &word[..b.len() - 2],
        [.., b's'] => &word[..b.len() - 1],
        _ => word,
    }
}

fn strip_suffix(word: &str) -> &str {
    for suffix in ["ing", "ed"] {
        let Some(root) = word.strip_suffix(suffix) else {
            continue;
        };
        if root.len() < 3 || !has_vowel(root.as_bytes()) || root.ends_with('e') {
            continue;
        }
        return match root.as_bytes() {
            // "stopped" → "stop", but "called" → "call".
            [.., a, b] if a == b && is_consonant(*a) && !matches!(a, b'l' | b's' | b'z') => {
                &root[..root.len() - 1]
            }
            _ => root,
        };
    }
    word
}

fn level(word: &str) -> Cow<'_, str> {
    match word.as_bytes() {
        [.., b'i', b'e'] if word.len() > 3 => Cow::Borrowed(&word[..word.len() - 1]),
        [head @ .., b'e'] if head.len() >= 3 => Cow::Borrowed(&word[..word.len() - 1]),
        [head @ .., c, b'y'] if head.len() >= 2 && is_consonant(*c) => {
            Cow::Owned(format!("{}i", &word[..word.len() - 1]))
        }
        _ => Cow::Borrowed(word),
    }
}
