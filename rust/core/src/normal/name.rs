//! Names as sequences of folded sub-words.

use unicode_normalization::char::is_combining_mark;

use super::fold::fold;

/// One run of letters and digits inside a word, with the place of its folded form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Subword {
    /// First byte in the unfolded word.
    pub start: usize,
    /// One past its last byte in the unfolded word.
    pub end: usize,
    /// First byte of its folded form in the output.
    pub from: usize,
    /// One past the last byte of its folded form in the output.
    pub to: usize,
}

fn is_apostrophe(c: char) -> bool {
    matches!(
        c,
        '\'' | '\u{2018}' | '\u{2019}' | '\u{02bc}' | '`' | '\u{00b4}'
    )
}

/// Bytes of the run of letters, digits, marks and inner apostrophes that `rest` starts with.
fn run_length(rest: &str) -> usize {
    let mut end = 0;
    let mut chars = rest.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let inner = is_apostrophe(c)
            && at > 0
            && chars.peek().is_some_and(|(_, next)| next.is_alphanumeric());
        if c.is_alphanumeric() || is_combining_mark(c) || c == '\u{ad}' || inner {
            end = at + c.len_utf8();
        } else {
            break;
        }
    }
    end
}

/// Splits `word` into its sub-words and appends their folded forms to `out`, calling `sink` for
/// each in order. A sub-word is a maximal run of letters, digits and inner apostrophes; the
/// apostrophes are dropped ("O'Brien" → `obrien`), with a possessive ending ("Acme's" → `acme`).
/// Hyphens, dots and slashes part sub-words ("Jean-Luc" → `jean`, `luc`); `&` reads `and`.
pub fn subwords(word: &str, out: &mut String, sink: &mut dyn FnMut(Subword)) {
    // Most words of most texts.
    if !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric()) {
        let from = out.len();
        out.push_str(word);
        out[from..].make_ascii_lowercase();
        return sink(Subword {
            start: 0,
            end: word.len(),
            from,
            to: out.len(),
        });
    }
    let mut at = 0;
    while let Some(offset) = word[at..].find(|c: char| c.is_alphanumeric() || c == '&') {
        let start = at + offset;
        let from = out.len();
        let end = if word.as_bytes()[start] == b'&' {
            out.push_str("and");
            start + 1
        } else {
            let end = start + run_length(&word[start..]);
            fold(&word[start..end], out);
            drop_marks(from, out);
            end
        };
        if out.len() > from {
            sink(Subword {
                start,
                end,
                from,
                to: out.len(),
            });
        }
        at = end;
    }
}

/// Compatibility forms can bring signs in ("℀" is "a/c"): only letters and digits stay.
fn drop_marks(from: usize, out: &mut String) {
    if out.as_bytes()[from..].iter().all(u8::is_ascii_alphanumeric) {
        return;
    }
    let kept: String = out[from..]
        .chars()
        .filter(|c| c.is_alphanumeric())
        .collect();
    out.truncate(from);
    out.push_str(&kept);
}

/// The normalised form of a name: its folded sub-words joined by single spaces.
/// Empty where the name holds no letter and no digit.
#[must_use]
pub fn fold_name(name: &str) -> String {
    // Most names: words and single spaces, which part sub-words and nothing else.
    let mut apart = true;
    let plain = |b: u8| {
        let before = std::mem::replace(&mut apart, b == b' ');
        b.is_ascii_alphanumeric() || b == b' ' && !before
    };
    if name.bytes().all(plain) && !apart {
        return name.to_ascii_lowercase();
    }
    let mut flat = String::with_capacity(name.len());
    let mut cuts = Vec::new();
    subwords(name, &mut flat, &mut |sub| cuts.push(sub.to));
    let mut out = String::with_capacity(flat.len() + cuts.len());
    let mut from = 0;
    for to in cuts {
        if from > 0 {
            out.push(' ');
        }
        out.push_str(&flat[from..to]);
        from = to;
    }
    out
}
