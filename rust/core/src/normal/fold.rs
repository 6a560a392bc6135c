//! The folded form of a word.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Appends the folded form of `word` to `out`: NFKD, marks stripped, lower case, letters that
/// do not decompose spelt out (ß → ss, ø → o), quotes and dashes unified, a possessive ending
/// (`'s`, or the apostrophe of `s'`) dropped. `fold` of a folded word is the same word.
pub fn fold(word: &str, out: &mut String) {
    let start = out.len();
    // Most words: nothing but their case may change.
    if word.bytes().all(|b| b.is_ascii_alphanumeric()) {
        out.push_str(word);
        return out[start..].make_ascii_lowercase();
    }
    if word.is_ascii() {
        out.push_str(word);
        out[start..].make_ascii_lowercase();
        if word.contains('`') {
            let quoted = out.split_off(start).replace('`', "'");
            out.push_str(&quoted);
        }
    } else {
        for c in word.nfkd() {
            for low in c.to_lowercase() {
                push_folded(low, out);
            }
        }
    }
    strip_possessive(start, out);
}

/// A lower-case character may itself decompose (`ǆ`), so that marks are looked for once more.
fn push_folded(c: char, out: &mut String) {
    for part in std::iter::once(c).nfkd() {
        match part {
            'ß' => out.push_str("ss"),
            'æ' => out.push_str("ae"),
            'œ' => out.push_str("oe"),
            'ø' => out.push('o'),
            'ł' => out.push('l'),
            'đ' | 'ð' => out.push('d'),
            'þ' => out.push_str("th"),
            'ħ' => out.push('h'),
            'ı' => out.push('i'),
            'ŧ' => out.push('t'),
            'ς' => out.push('σ'),
            '\u{2018}' | '\u{2019}' | '\u{201b}' | '\u{2032}' | '\u{02bc}' | '\u{00b4}' | '`' => {
                out.push('\'');
            }
            '\u{2010}'..='\u{2015}' | '\u{2212}' => out.push('-'),
            '\u{201c}'..='\u{201f}' | '\u{2033}' | '«' | '»' => out.push('"'),
            // Soft hyphen and zero-width characters are not part of a word.
            '\u{00ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' => {}
            mark if is_combining_mark(mark) => {}
            other => out.push(other),
        }
    }
}

fn strip_possessive(start: usize, out: &mut String) {
    loop {
        let word = &out.as_bytes()[start..];
        let keep = match word {
            [.., _, b'\'', b's'] => word.len() - 2,
            [.., b's', b'\''] => word.len() - 1,
            _ => return,
        };
        out.truncate(start + keep);
    }
}
