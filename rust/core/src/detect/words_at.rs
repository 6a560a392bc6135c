//! The words of a text with where they stand, for what is read of a few texts word by word.

use rustc_hash::FxHashSet;

use crate::lexicon::listed::Lengths;
use crate::normal::fold;

/// Bytes of the longest part that is looked for.
const LONGEST: usize = 24;

/// Words of a text in lower case, without the marks around them, with where they stand.
pub(super) fn words_at(text: &str) -> impl Iterator<Item = (usize, usize, String)> + '_ {
    let mut at = 0;
    text.split_inclusive(char::is_whitespace)
        .filter_map(move |piece| {
            let from = at;
            at += piece.len();
            let mark = |c: char| !c.is_alphanumeric();
            let open = piece.trim_start_matches(mark);
            let bare = open.trim_end_matches(mark);
            if bare.is_empty() {
                return None;
            }
            let start = from + piece.len() - open.len();
            let mut word = String::with_capacity(bare.len());
            fold(bare, &mut word);
            Some((start, start + bare.len(), word))
        })
}

/// The letters and digits that a word of one of the tables begins with.
fn first_part(word: &str) -> &str {
    let end = word.find(|c: char| !c.is_alphanumeric());
    &word[..end.unwrap_or(word.len())]
}

/// What words that are looked for begin with.
pub(super) struct Parts {
    words: FxHashSet<&'static str>,
    lengths: Lengths,
}

impl Parts {
    /// Of words of a table.
    pub(super) fn of(words: impl Iterator<Item = &'static str>) -> Self {
        let words: FxHashSet<&str> = words.map(first_part).collect();
        debug_assert!(words.iter().all(|word| word.len() <= LONGEST), "{LONGEST}");
        let mut lengths = Lengths::default();
        words.iter().for_each(|word| lengths.add(word));
        Self { words, lengths }
    }

    /// Whether [`words_at`] may have a word that begins so: `false` is certain. It tells most texts
    /// apart without a copy of each of their words.
    pub(super) fn may_stand_in(&self, text: &str) -> bool {
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            if !byte.is_ascii() {
                // What is folded to other letters may be any word.
                let Some(mark) = text[at..].chars().next().filter(|c| parts_words(*c)) else {
                    return true;
                };
                at += mark.len_utf8();
                continue;
            }
            let own = bytes[at..].iter().take_while(|b| b.is_ascii_alphanumeric());
            let len = own.count();
            let may = len <= LONGEST && self.lengths.may_begin(byte.to_ascii_lowercase(), len);
            if len > 0 && may {
                let mut lower = [0; LONGEST];
                lower[..len].copy_from_slice(&bytes[at..at + len]);
                lower.make_ascii_lowercase();
                if std::str::from_utf8(&lower[..len]).is_ok_and(|own| self.words.contains(own)) {
                    return true;
                }
            }
            at += len.max(1);
        }
        false
    }
}

/// Whether folding leaves a mark where the character stands, or a space.
fn parts_words(c: char) -> bool {
    matches!(c, '\u{a0}' | '\u{2010}'..='\u{2015}' | '\u{2018}'..='\u{201f}' | '•' | '…')
}
