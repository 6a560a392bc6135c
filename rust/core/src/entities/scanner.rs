//! Streaming longest match of names over lexemes.
//!
//! Two stages. The first walks the tries of base and overlay from the leftmost pending word and
//! holds words back only while some name continues; it yields the longest name, or gives the
//! word up. Words given up go to the second stage ([`super::run`]), which gathers runs of
//! capitalised words and judges each as a whole.

use std::cell::Cell;

use super::MAX_NAME_WORDS;
use super::build::is_name_suffix;
use super::index::NONE;
use super::names::{LAYERS, Names};
use super::run::{Run, in_a_name};
use crate::lexicon::words::{WordClass, class};
use crate::normal::{Subword, subwords};
use crate::types::{LexFlags, LexKind, Lexeme, Mention, MentionKind, Resolution, Span};

/// What stands between a word and the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gap {
    /// Nothing but space.
    Space,
    /// A hyphen or slash, or both words lie in one lexeme.
    Joined,
    /// A full stop.
    Dot,
    /// A comma.
    Comma,
}

/// One word of the text; its folded form lies in the owner's buffer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) flags: LexFlags,
    pub(super) gap: Gap,
    /// Ids in the base and the overlay.
    ids: [u32; LAYERS],
}

impl Word {
    pub(super) fn folded<'a>(&self, text: &'a str) -> &'a str {
        &text[self.from as usize..self.to as usize]
    }

    /// The word with its folded form moved to another buffer.
    pub(super) fn moved(self, text: &str, to: &mut String) -> Self {
        let from = to.len() as u32;
        to.push_str(self.folded(text));
        Self {
            from,
            to: to.len() as u32,
            ..self
        }
    }

    pub(super) fn is_capital(&self) -> bool {
        self.flags.has(LexFlags::CAPITALIZED)
    }
}

/// Words that room is made for at once: most names have no more.
const ROOM: usize = 2;

pub(super) fn push_word(words: &mut Vec<Word>, word: Word) {
    if words.len() == words.capacity() {
        words.reserve_exact(ROOM);
    }
    words.push(word);
}

/// The longest name found on the current walk.
#[derive(Debug, Clone)]
struct Best {
    words: usize,
    entities: Vec<u32>,
}

/// Finds mentions in a stream of lexemes. The same lexemes give the same mentions, in the same
/// order; state is bounded by [`MAX_NAME_WORDS`] words.
#[derive(Debug, Clone)]
pub struct MentionScanner {
    pending: Vec<Word>,
    text: String,
    nodes: [u32; LAYERS],
    best: Option<Best>,
    gap: Gap,
    /// Whether a line has ended behind the last word.
    line: bool,
    run: Run,
}

thread_local! {
    /// Room for the sub-words of the lexeme in hand, which the streams of a thread share.
    static PARTS: Cell<(String, Vec<Subword>)> = const { Cell::new((String::new(), Vec::new())) };
}

/// Classes of ordinary words that a name which was begun on the line before may go on with.
const ON_NEXT_LINE: WordClass = WordClass::NAME_HEAD
    .with(WordClass::TITLE)
    .with(WordClass::PROPER)
    .with(WordClass::GIVEN_NAME);

impl Default for MentionScanner {
    fn default() -> Self {
        Self {
            pending: Vec::new(),
            text: String::new(),
            nodes: [NONE; LAYERS],
            best: None,
            gap: Gap::Space,
            line: false,
            run: Run::default(),
        }
    }
}

impl MentionScanner {
    /// A scanner at the start of a stream.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Bytes of state, buffers included.
    #[must_use]
    pub fn memory(&self) -> usize {
        std::mem::size_of::<Self>()
            + self.pending.capacity() * std::mem::size_of::<Word>()
            + self.text.capacity()
            + self.run.memory()
    }

    /// Takes the next lexeme with its text; mentions it decides go to `sink`.
    pub fn push(
        &mut self,
        names: &Names,
        lexeme: &Lexeme,
        text: &str,
        sink: &mut dyn FnMut(Mention),
    ) {
        let at = lexeme.decided_at;
        match lexeme.kind {
            LexKind::Newline => self.line = true,
            LexKind::Punct => match text {
                "&" => self.words(names, lexeme, text, sink),
                "." if !self.idle() && self.gap == Gap::Space => self.gap = Gap::Dot,
                "," if !self.idle() => self.gap = Gap::Comma,
                "-" | "\u{2010}" | "\u{2011}" | "'" | "\u{2019}" | "/"
                    if !self.idle() && !lexeme.flags.has(LexFlags::SPACE_BEFORE) =>
                {
                    self.gap = Gap::Joined;
                }
                _ => self.flush(names, at, sink),
            },
            LexKind::Word | LexKind::Number => {
                let flags = lexeme.flags;
                if flags.has(LexFlags::CODE)
                    || flags.has(LexFlags::TECHNICAL)
                    || flags.has(LexFlags::OVERLONG)
                {
                    self.flush(names, at, sink);
                } else {
                    self.words(names, lexeme, text, sink);
                }
            }
        }
    }

    /// A sentence has ended: no name continues over its end.
    pub fn sentence_end(
        &mut self,
        names: &Names,
        decided_at: usize,
        sink: &mut dyn FnMut(Mention),
    ) {
        self.flush(names, decided_at, sink);
    }

    /// The stream has ended after `length` bytes.
    pub fn finish(&mut self, names: &Names, length: usize, sink: &mut dyn FnMut(Mention)) {
        self.flush(names, length, sink);
    }

    fn idle(&self) -> bool {
        self.pending.is_empty() && self.run.is_empty()
    }

    fn words(&mut self, names: &Names, lexeme: &Lexeme, text: &str, sink: &mut dyn FnMut(Mention)) {
        // Most words of most texts are in no name.
        let lower = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
        let nowhere = |layer: usize| {
            let index = names.layer(layer);
            index.is_none_or(|index| index.word(text) == NONE)
        };
        if self.idle() && text.bytes().all(lower) && (0..LAYERS).all(nowhere) {
            self.gap = Gap::Space;
            self.line = false;
            return;
        }
        let (mut folded, mut subs) = PARTS.take();
        folded.clear();
        subs.clear();
        subwords(text, &mut folded, &mut |sub| subs.push(sub));
        let line = std::mem::take(&mut self.line);
        if line && !self.idle() && self.run.is_solid() && !self.walking(names) {
            // "Zelda Quorn" and "Call me", each on a line of its own.
            let first = subs.first().map_or("", |sub| &folded[sub.from..sub.to]);
            let known = class(first);
            if known.has(WordClass::COMMON) && !known.any(ON_NEXT_LINE) {
                self.flush(names, lexeme.decided_at, sink);
            }
        }
        let mut gap = std::mem::replace(&mut self.gap, Gap::Space);
        let mut flags = lexeme.flags;
        for sub in &subs {
            let piece = &text[sub.start..sub.end];
            let piece = Piece {
                start: lexeme.span.start + sub.start,
                end: lexeme.span.start + sub.start + bare_length(piece),
                folded: &folded[sub.from..sub.to],
                flags: piece_flags(piece, flags),
                gap,
            };
            self.take(names, &piece, lexeme.decided_at, sink);
            gap = Gap::Joined;
            flags = LexFlags(flags.0 & !(LexFlags::SENTENCE_START.0 | LexFlags::AFTER_OPENER.0));
        }
        PARTS.set((folded, subs));
    }

    fn take(&mut self, names: &Names, piece: &Piece<'_>, at: usize, sink: &mut dyn FnMut(Mention)) {
        let parted = match piece.gap {
            Gap::Space | Gap::Joined => piece.flags.has(LexFlags::AFTER_OPENER),
            Gap::Dot => !self.ends_abbreviated(),
            Gap::Comma => !is_name_suffix(piece.folded),
        };
        if parted || piece.flags.has(LexFlags::SENTENCE_START) {
            self.flush(names, at, sink);
        }
        let mut ids = [NONE; LAYERS];
        for (layer, id) in ids.iter_mut().enumerate() {
            if let Some(index) = names.layer(layer) {
                *id = index.word(piece.folded);
            }
        }
        if self.idle() && !piece.flags.has(LexFlags::CAPITALIZED) && ids == [NONE; LAYERS] {
            return;
        }
        let from = self.text.len() as u32;
        self.text.push_str(piece.folded);
        let word = Word {
            start: piece.start,
            end: piece.end,
            from,
            to: self.text.len() as u32,
            flags: piece.flags,
            gap: piece.gap,
            ids,
        };
        push_word(&mut self.pending, word);
        self.step(names, self.pending.len() - 1);
        self.drain(names, at, false, sink);
    }

    /// Whether a full stop after the last word can belong to it: an initial or an abbreviation.
    fn ends_abbreviated(&self) -> bool {
        let last = match self.pending.last() {
            Some(word) => word.folded(&self.text),
            None => match self.run.last_word() {
                Some(word) => word,
                None => return false,
            },
        };
        in_a_name(last) || is_name_suffix(last)
    }

    /// Walks on with pending word `i`.
    fn step(&mut self, names: &Names, i: usize) {
        let word = self.pending[i];
        for (layer, node) in self.nodes.iter_mut().enumerate() {
            let Some(index) = names.layer(layer) else {
                continue;
            };
            *node = if i == 0 {
                index.root(word.ids[layer])
            } else {
                index.child(*node, word.ids[layer])
            };
        }
        if self.nodes != [NONE; LAYERS] {
            self.record(names, i + 1);
        }
        if i + 1 >= MAX_NAME_WORDS {
            self.nodes = [NONE; LAYERS];
        }
    }

    /// Notes the name that ends with the first `words` pending words, if one does.
    fn record(&mut self, names: &Names, words: usize) {
        let mut entities = Vec::new();
        let mut lower = false;
        for (layer, &node) in self.nodes.iter().enumerate() {
            let Some(index) = names.layer(layer) else {
                continue;
            };
            if let Some(name) = index.name_at(node) {
                names.collect(layer, name, &mut entities);
                lower |= index.is_lower(name);
            }
        }
        if entities.is_empty() || !self.reads_as_name(words, lower) {
            return;
        }
        entities.sort_unstable();
        entities.dedup();
        self.best = Some(Best { words, entities });
    }

    /// A name of one ordinary word ("Will", "Target") is only meant where it is written as one.
    fn reads_as_name(&self, words: usize, lower: bool) -> bool {
        let [word] = self.pending[..words] else {
            return true;
        };
        let known = class(word.folded(&self.text));
        if known.has(WordClass::STOPWORD) {
            let flags = word.flags;
            return flags.has(LexFlags::ALL_CAPS)
                || (word.is_capital()
                    && !flags.has(LexFlags::SENTENCE_START)
                    && !flags.has(LexFlags::AFTER_OPENER));
        }
        lower || word.is_capital() || !known.has(WordClass::COMMON)
    }

    /// Whether some name continues the pending words.
    fn walking(&self, names: &Names) -> bool {
        (0..LAYERS).any(|layer| {
            names
                .layer(layer)
                .is_some_and(|index| index.goes_on(self.nodes[layer]))
        })
    }

    /// Decides pending words from the left until a name may continue.
    fn drain(&mut self, names: &Names, at: usize, all: bool, sink: &mut dyn FnMut(Mention)) {
        while !self.pending.is_empty() && (all || !self.walking(names)) {
            let taken = if let Some(best) = self.best.take() {
                self.run.close(names, at, sink);
                let span = Span::new(self.pending[0].start, self.pending[best.words - 1].end);
                sink(Mention {
                    span,
                    kind: MentionKind::ProperName,
                    resolution: Resolution::Known(best.entities),
                    decided_at: at,
                    partial: false,
                });
                best.words
            } else {
                self.run.take(names, self.pending[0], &self.text, at, sink);
                1
            };
            self.pending.drain(..taken);
            self.restart(names);
        }
    }

    /// Walks the remaining pending words from the first.
    fn restart(&mut self, names: &Names) {
        self.nodes = [NONE; LAYERS];
        if self.pending.is_empty() {
            self.text.clear();
            return;
        }
        for i in 0..self.pending.len() {
            self.step(names, i);
            if self.nodes == [NONE; LAYERS] {
                break;
            }
        }
    }

    fn flush(&mut self, names: &Names, at: usize, sink: &mut dyn FnMut(Mention)) {
        self.drain(names, at, true, sink);
        self.run.close(names, at, sink);
        self.gap = Gap::Space;
    }
}

/// A sub-word on its way into the scanner.
struct Piece<'a> {
    start: usize,
    end: usize,
    folded: &'a str,
    flags: LexFlags,
    gap: Gap,
}

/// Length of a word without its possessive ending.
fn bare_length(piece: &str) -> usize {
    let without_s = piece.strip_suffix(['s', 'S']).unwrap_or(piece);
    let bare = without_s
        .strip_suffix(['\'', '\u{2019}', '\u{2bc}'])
        .unwrap_or(piece);
    if bare.is_empty() {
        piece.len()
    } else {
        bare.len()
    }
}

/// Flags of a part of a lexeme: case is its own, the rest the lexeme's.
fn piece_flags(piece: &str, lexeme: LexFlags) -> LexFlags {
    let capital = piece.chars().next().is_some_and(char::is_uppercase);
    let own = if capital {
        lexeme.0 | LexFlags::CAPITALIZED.0
    } else {
        lexeme.0 & !LexFlags::CAPITALIZED.0
    };
    LexFlags(own)
}
