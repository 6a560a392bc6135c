//! The words of a text with where they stand, for what is read of a few texts word by word.

use rustc_hash::FxHashSet;

use crate::claims::Runs;
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
        self.may_stand_among(text, &Runs::of(text))
    }

    /// The same of a text whose runs of letters are known.
    pub(super) fn may_stand_among(&self, text: &str, runs: &Runs) -> bool {
        let bytes = text.as_bytes();
        // What is folded to other letters may be any word.
        let Some(all) = runs.all() else { return true };
        all.iter().any(|(at, len)| {
            let own = &bytes[*at as usize..(*at + *len) as usize];
            let may = self
                .lengths
                .may_begin(own[0].to_ascii_lowercase(), own.len());
            may && self.has(own)
        })
    }

    fn has(&self, own: &[u8]) -> bool {
        let mut lower = [0; LONGEST];
        let Some(lower) = lower.get_mut(..own.len()) else {
            return false;
        };
        lower.copy_from_slice(own);
        lower.make_ascii_lowercase();
        std::str::from_utf8(lower).is_ok_and(|own| self.words.contains(own))
    }
}
