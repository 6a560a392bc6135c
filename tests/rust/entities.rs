//! Tests of `entities`.

mod fuzzy;
mod index;
mod mentions;

use groundwire_core::entities::{MentionScanner, Names};
use groundwire_core::types::{LexFlags, LexKind, Lexeme, Mention, Span};

/// A small lexer, independent of the segmenter: words with inner apostrophes and hyphens,
/// numbers, single marks, line breaks. A sentence ends at `.`, `!` or `?` before space or end.
pub fn lexemes(text: &str) -> Vec<(Lexeme, &str, bool)> {
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let at = |i: usize| chars.get(i).map_or(text.len(), |c| c.0);
    let mut out = Vec::new();
    let (mut i, mut start, mut opener, mut space) = (0, true, false, false);
    while i < chars.len() {
        let c = chars[i].1;
        let from = i;
        if c.is_whitespace() {
            space = true;
            i += 1;
            continue;
        }
        let mut flags = LexFlags(0);
        let mut ends = false;
        let kind = if c.is_alphanumeric() {
            i += 1;
            while i < chars.len()
                && (chars[i].1.is_alphanumeric()
                    || (matches!(chars[i].1, '\'' | '’' | '-')
                        && chars.get(i + 1).is_some_and(|n| n.1.is_alphanumeric())))
            {
                i += 1;
            }
            let word: Vec<char> = chars[from..i].iter().map(|c| c.1).collect();
            if c.is_uppercase() {
                flags = flags.with(LexFlags::CAPITALIZED);
            }
            if word.len() > 1 && word.iter().all(|c| c.is_uppercase()) {
                flags = flags.with(LexFlags::ALL_CAPS);
            }
            if word.iter().any(char::is_ascii_digit) {
                flags = flags.with(LexFlags::HAS_DIGIT);
            }
            if start {
                flags = flags.with(LexFlags::SENTENCE_START);
            }
            if opener {
                flags = flags.with(LexFlags::AFTER_OPENER);
            }
            (start, opener) = (false, false);
            if c.is_ascii_digit() {
                LexKind::Number
            } else {
                LexKind::Word
            }
        } else {
            i += 1;
            let last = chars.get(from.wrapping_sub(1)).map(|c| c.1);
            let initial = last.is_some_and(char::is_uppercase)
                && from
                    .checked_sub(2)
                    .and_then(|p| chars.get(p))
                    .is_none_or(|c| !c.1.is_alphanumeric());
            let title = text[..at(from)].ends_with("Dr") || text[..at(from)].ends_with("Inc");
            ends = matches!(c, '.' | '!' | '?')
                && chars.get(i).is_none_or(|c| c.1.is_whitespace())
                && !(c == '.' && (initial || title));
            opener = matches!(c, ':' | '"' | '“' | '(' | '—');
            LexKind::Punct
        };
        if space {
            flags = flags.with(LexFlags::SPACE_BEFORE);
        }
        space = false;
        let span = Span::new(at(from), at(i));
        let decided_at = if kind == LexKind::Punct {
            span.end
        } else {
            at((i + 1).min(chars.len()))
        };
        out.push((
            Lexeme {
                kind,
                flags,
                span,
                decided_at,
            },
            &text[span.start..span.end],
            ends,
        ));
        start = ends || (start && kind == LexKind::Punct);
    }
    out
}

/// Mentions of a whole text.
pub fn mentions(names: &Names, text: &str) -> Vec<Mention> {
    let mut scanner = MentionScanner::new();
    let mut out = Vec::new();
    for (lexeme, word, ends) in lexemes(text) {
        scanner.push(names, &lexeme, word, &mut |m| out.push(m));
        if ends {
            scanner.sentence_end(names, lexeme.decided_at, &mut |m| out.push(m));
        }
    }
    scanner.finish(names, text.len(), &mut |m| out.push(m));
    out
}
