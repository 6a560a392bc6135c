//! A slow, obvious splitter for plain text, beside the streaming one.

use groundwire_core::segment;
use groundwire_core::types::LexKind;
use proptest::prelude::*;

/// Words, numbers and marks of text made of small letters, digits, spaces and `.!?'`.
fn lexemes(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut out: Vec<String> = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        if chars[i] == ' ' {
            i += 1;
            continue;
        }
        let start = i;
        i += 1;
        if chars[start].is_ascii_alphabetic() {
            loop {
                if i < chars.len() && chars[i].is_ascii_alphabetic() {
                    i += 1;
                } else if i + 1 < chars.len()
                    && chars[i] == '\''
                    && chars[i + 1].is_ascii_alphabetic()
                {
                    i += 2;
                } else {
                    break;
                }
            }
        }
        out.push(chars[start..i].iter().collect());
    }
    out
}

/// Sentences of text of capitalised or long small words with single spaces: a run of marks
/// ends one, unless a small letter follows anything but a lone full stop.
fn sentences(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut open = String::new();
    for word in text.split(' ') {
        let stem = open.trim_end_matches(['.', '!', '?']);
        let marks = &open[stem.len()..];
        let small = word.starts_with(|c: char| c.is_lowercase());
        if !marks.is_empty() && (!small || marks == ".") {
            out.push(std::mem::take(&mut open));
        }
        if !open.is_empty() {
            open.push(' ');
        }
        open.push_str(word);
    }
    if !open.is_empty() {
        out.push(open);
    }
    out
}

proptest! {
    #[test]
    fn words_are_those_of_the_oracle(text in "[a-dA-D '!?]{0,60}") {
        let actual: Vec<String> = segment::words(&text)
            .into_iter()
            .filter(|(lexeme, _)| lexeme.kind != LexKind::Newline)
            .map(|(_, word)| word)
            .collect();
        prop_assert_eq!(actual, lexemes(&text));
    }

    #[test]
    fn sentences_are_those_of_the_oracle(
        words in prop::collection::vec("(Monks|River|walking|stone)(\\.|!|\\?|\\?!|\\.\\.\\.|)", 1..20)
    ) {
        let text = words.join(" ");
        let actual: Vec<&str> = segment::sentences(&text)
            .iter()
            .map(|s| &text[s.span.start..s.span.end])
            .collect();
        prop_assert_eq!(actual, sentences(&text));
    }
}
