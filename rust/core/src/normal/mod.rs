//! Normalisation of names, words and case.

/// Folded form of one word.
pub fn fold(word: &str, out: &mut String) {
    out.extend(word.chars().flat_map(char::to_lowercase));
}

/// Light stem.
#[must_use]
pub fn stem(word: &str) -> &str {
    word.strip_suffix('s').filter(|w| w.len() > 2).unwrap_or(word)
}

/// Folded name: words joined by one space.
#[must_use]
pub fn fold_name(name: &str) -> String {
    let mut out = String::new();
    for word in name.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        fold(word, &mut out);
    }
    out
}
