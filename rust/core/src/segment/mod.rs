//! Words, numbers, dates, sentences and regions as they close.
//!
//! [`Segmenter`] is a transducer over characters: the same text gives the same events in the
//! same order, however it was cut into chunks. An event comes out with the very character that
//! settles it, and `decided_at` is the end of that character.

pub mod brackets;
mod chars;
mod clock;
mod dates;
mod days;
mod ending;
mod form;
mod hold;
mod item;
mod label;
mod lexer;
mod lexing;
mod marks;
mod money;
mod number;
mod parse;
mod power;
mod quantity;
mod scan;
mod sentence;
mod sign;
mod tags;
pub mod week;
mod years;

use crate::types::{DateExpr, Lexeme, Quantity, Sentence, SentenceKind};

pub use clock::{Clock, FIVES, clocks, clocks_both, told_clocks, told_hours};
pub use days::{Together, together, together_with};
pub use form::{FormEvent, FormScanner, unescaped, unpadded};
pub use tags::{has_tag, untagged};

/// Bytes of a lexeme that are kept as its text.
pub const MAX_WORD_TEXT: usize = 256;
/// Bytes after which a lexeme is cut, so that no text makes one endless word.
pub const MAX_LEXEME: usize = 1024;
/// Bytes after which a sentence is closed as `capped`.
pub const MAX_SENTENCE: usize = 2048;
/// Lexemes after which a sentence is closed as `capped`.
pub const MAX_LEXEMES: u32 = 256;

/// What a [`Segmenter`] reports.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SegEvent {
    /// A word, number, mark or line break.
    Lexeme(Lexeme),
    /// A number with its unit.
    Quantity(Quantity),
    /// A date or a time of day.
    Date(DateExpr),
    /// A sentence, after everything in it.
    Sentence(Sentence),
}

impl SegEvent {
    /// Bytes of text after which nothing can change the event.
    #[must_use]
    pub const fn decided_at(&self) -> usize {
        match self {
            Self::Lexeme(item) => item.decided_at,
            Self::Quantity(item) => item.decided_at,
            Self::Date(item) => item.decided_at,
            Self::Sentence(item) => item.decided_at,
        }
    }
}

/// Where events go: the event, and the text of a lexeme ("" for the rest).
pub(crate) type Sink<'a> = dyn FnMut(SegEvent, &str) + 'a;

/// Splits a stream of text into words, numbers, dates and sentences.
#[derive(Debug, Clone)]
pub struct Segmenter {
    /// Bytes read.
    pos: usize,
    lex: lexing::Lexing,
    hold: hold::Held,
    sent: sentence::Sentencing,
    scan: scan::Scanner,
    tag: tags::Tag,
    /// The text ended in a code fence.
    ended_in_fence: bool,
}

impl Default for Segmenter {
    fn default() -> Self {
        Self::new()
    }
}

impl Segmenter {
    /// A segmenter at the start of a stream.
    #[must_use]
    pub fn new() -> Self {
        Self {
            pos: 0,
            lex: lexing::Lexing::default(),
            hold: hold::Held::default(),
            sent: sentence::Sentencing::default(),
            scan: scan::Scanner::default(),
            tag: tags::Tag::default(),
            ended_in_fence: false,
        }
    }

    /// Bytes read so far.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.pos
    }

    /// Start of the sentence that is open, if one is.
    #[must_use]
    pub fn open_sentence(&self) -> Option<usize> {
        self.sent.open.then_some(self.sent.start)
    }

    /// What the open sentence is part of, if one is open.
    #[must_use]
    pub fn open_kind(&self) -> Option<SentenceKind> {
        self.sent.open.then_some(self.sent.kind)
    }

    /// Whether what comes next stands in a code fence; behind the end, whether the text ended in one.
    #[must_use]
    pub const fn in_fence(&self) -> bool {
        self.ended_in_fence || self.sent.in_fence()
    }

    /// Bytes on the heap: the text of the word or tag being read, and what may be a number.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        self.lex.text.capacity() + self.tag.text.capacity() + self.scan.heap_bytes()
    }

    /// Reads more text.
    pub fn push(&mut self, text: &str, sink: &mut dyn FnMut(SegEvent, &str)) {
        let bytes = text.as_bytes();
        let mut i = 0;
        while i < bytes.len() {
            if self.in_plain_word() && !self.in_tag() {
                let room = MAX_LEXEME - self.lex.len;
                let limit = bytes.len().min(i + room);
                let mut j = i;
                while j < limit && chars::ALNUM[bytes[j] as usize] {
                    j += 1;
                }
                if j > i {
                    self.append_run(&text[i..j]);
                    self.pos += j - i;
                    i = j;
                    continue;
                }
            }
            let byte = bytes[i];
            let c = if byte < 128 {
                byte as char
            } else {
                text[i..].chars().next().unwrap_or('\u{FFFD}')
            };
            let at = self.pos;
            i += c.len_utf8();
            self.pos += c.len_utf8();
            if c == '<' || self.in_tag() {
                self.markup(c, at, sink);
            } else {
                self.step(c, at, sink);
            }
        }
    }

    /// Ends the stream: everything pending comes out. The segmenter is then as new, but that it knows
    /// whether the text ended in a code fence.
    pub fn finish(&mut self, sink: &mut dyn FnMut(SegEvent, &str)) {
        self.end_of_input(sink);
        let ended_in_fence = self.sent.in_fence();
        *self = Self::new();
        self.ended_in_fence = ended_in_fence;
    }
}

/// All events of `text`, each with its lexeme's text.
#[must_use]
pub fn collect(text: &str) -> Vec<(SegEvent, String)> {
    let mut out = Vec::new();
    let mut segmenter = Segmenter::new();
    let mut sink = |event: SegEvent, text: &str| out.push((event, text.to_owned()));
    segmenter.push(text, &mut sink);
    segmenter.finish(&mut sink);
    out
}

fn select<T>(text: &str, mut pick: impl FnMut(SegEvent, &str) -> Option<T>) -> Vec<T> {
    let mut out = Vec::new();
    let mut segmenter = Segmenter::new();
    let mut sink = |event: SegEvent, text: &str| out.extend(pick(event, text));
    segmenter.push(text, &mut sink);
    segmenter.finish(&mut sink);
    out
}

/// The sentences of `text`.
#[must_use]
pub fn sentences(text: &str) -> Vec<Sentence> {
    select(text, |event, _| match event {
        SegEvent::Sentence(sentence) => Some(sentence),
        _ => None,
    })
}

/// The lexemes of `text` with their text.
#[must_use]
pub fn words(text: &str) -> Vec<(Lexeme, String)> {
    select(text, |event, text| match event {
        SegEvent::Lexeme(lexeme) => Some((lexeme, text.to_owned())),
        _ => None,
    })
}

/// The quantities of `text`.
#[must_use]
pub fn quantities(text: &str) -> Vec<Quantity> {
    select(text, |event, _| match event {
        SegEvent::Quantity(quantity) => Some(quantity),
        _ => None,
    })
}

/// The dates of `text`.
#[must_use]
pub fn dates(text: &str) -> Vec<DateExpr> {
    select(text, |event, _| match event {
        SegEvent::Date(date) => Some(date),
        _ => None,
    })
}

/// The dates and the quantities of `text`, read at once.
#[must_use]
pub fn dates_and_quantities(text: &str) -> (Vec<DateExpr>, Vec<Quantity>) {
    let mut dates = Vec::new();
    let quantities = select(text, |event, _| match event {
        SegEvent::Quantity(quantity) => Some(quantity),
        SegEvent::Date(date) => {
            dates.push(date);
            None
        }
        _ => None,
    });
    (dates, quantities)
}
