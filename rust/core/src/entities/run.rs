//! Runs of capitalised words that match no name of the index.

use super::MAX_NAME_WORDS;
use super::judge::judge;
use super::names::Names;
use super::scanner::{Gap, Word, push_word};
use crate::lexicon::abbreviations::within_names;
use crate::lexicon::words::{WordClass, class};
use crate::types::{LexFlags, Mention, MentionKind, Span};

/// Lower-case words that names hold inside.
const CONNECTORS: [&str; 24] = [
    "of", "the", "de", "da", "do", "dos", "das", "du", "del", "della", "der", "den", "des", "di",
    "la", "le", "van", "von", "zu", "al", "el", "bin", "ibn", "y",
];
/// Connectors that may follow each other ("of the", "van der").
const MAX_CONNECTORS: usize = 2;

/// The run being gathered: capitalised words with connectors between them.
#[derive(Debug, Clone, Default)]
pub(super) struct Run {
    words: Vec<Word>,
    text: String,
    /// Words of `words` up to the last capitalised one; connectors behind it wait.
    solid: usize,
}

/// Whether a name goes on over a full stop behind the folded word: an initial, a title or another
/// abbreviation that stands inside of names.
pub(super) fn in_a_name(folded: &str) -> bool {
    folded.chars().count() <= 2 || class(folded).has(WordClass::TITLE) || within_names(folded)
}

impl Run {
    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub(super) fn memory(&self) -> usize {
        self.words.capacity() * std::mem::size_of::<Word>() + self.text.capacity()
    }

    /// Whether no connector waits at its end for another name.
    pub(super) fn is_solid(&self) -> bool {
        self.solid == self.words.len()
    }

    /// Folded form of the last word, if it is a capitalised one.
    pub(super) fn last_word(&self) -> Option<&str> {
        let word = self.words.last()?;
        (self.solid == self.words.len()).then(|| word.folded(&self.text))
    }

    /// Takes a word that belongs to no indexed name; `text` holds its folded form.
    pub(super) fn take(
        &mut self,
        names: &Names,
        word: Word,
        text: &str,
        at: usize,
        sink: &mut dyn FnMut(Mention),
    ) {
        let parted = match word.gap {
            Gap::Space | Gap::Joined => false,
            Gap::Dot => !self.last_word().is_some_and(in_a_name),
            Gap::Comma => true,
        };
        if parted || word.flags.has(LexFlags::SENTENCE_START) || self.words.len() >= MAX_NAME_WORDS
        {
            self.close(names, at, sink);
        }
        if word.is_capital() {
            push_word(&mut self.words, word.moved(text, &mut self.text));
            self.solid = self.words.len();
        } else if !self.is_empty() {
            let folded = word.folded(text);
            let waiting = self.words.len() - self.solid;
            let ampersand = folded == "and" && word.end - word.start == 1;
            let connects = waiting < MAX_CONNECTORS && (CONNECTORS.contains(&folded) || ampersand);
            if connects {
                push_word(&mut self.words, word.moved(text, &mut self.text));
            } else {
                self.close(names, at, sink);
            }
        }
    }

    /// Judges the run and starts a new one.
    pub(super) fn close(&mut self, names: &Names, at: usize, sink: &mut dyn FnMut(Mention)) {
        if self.is_empty() {
            return;
        }
        self.words.truncate(self.solid);
        if let Some(judged) = judge(names, &self.words, &self.text) {
            let words = &self.words[judged.first..=judged.last];
            sink(Mention {
                span: Span::new(words[0].start, words[words.len() - 1].end),
                kind: MentionKind::ProperName,
                resolution: judged.resolution,
                decided_at: at,
                partial: judged.partial,
            });
        }
        self.words.clear();
        self.text.clear();
        self.solid = 0;
    }
}
