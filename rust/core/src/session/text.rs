//! The stream's text as far as it is retained, and the way from bytes to code points.

use std::collections::VecDeque;

use super::cut::open_from;
use crate::types::Span;

/// Bytes after which a place is marked in any case.
const STRIDE: usize = 1024;

/// Decoded text with a base offset; what lies before the base has been dropped.
#[derive(Debug, Clone, Default)]
pub(super) struct Retained {
    text: String,
    base: usize,
    base_chars: usize,
    /// (byte, code point) offsets at sentence starts, rising; all once they differ, few before.
    marks: VecDeque<(usize, usize)>,
}

impl Retained {
    pub(super) fn end(&self) -> usize {
        self.base + self.text.len()
    }

    pub(super) fn base(&self) -> usize {
        self.base
    }

    pub(super) fn push_str(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// The retained text.
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// The text at `span`, as far as it is retained.
    pub(super) fn get(&self, span: Span) -> &str {
        let start = span.start.max(self.base) - self.base;
        let end = span.end.max(self.base) - self.base;
        self.text
            .get(start.min(self.text.len())..end.min(self.text.len()))
            .unwrap_or("")
    }

    /// Up to `reach` bytes before byte `at`, from a whole character on.
    pub(super) fn before(&self, at: usize, reach: usize) -> &str {
        let mut from = at.saturating_sub(reach).max(self.base);
        while from < at && self.get(Span::new(from, at)).is_empty() {
            from += 1;
        }
        self.get(Span::new(from, at))
    }

    /// Where the text that its end leaves open begins, as [`open_from`] has it.
    pub(super) fn open_word(&self) -> usize {
        self.base + open_from(&self.text)
    }

    /// Whether `span` is retained and made of whole characters.
    pub(super) fn is_whole(&self, span: Span) -> bool {
        let fits = |byte: usize| {
            byte.checked_sub(self.base)
                .is_some_and(|at| self.text.is_char_boundary(at))
        };
        fits(span.start) && fits(span.end)
    }

    /// Notes a place whose code point offset will be asked for.
    pub(super) fn mark(&mut self, byte: usize) {
        let chars = self.chars_at(byte);
        let last = self.marks.back().map_or(self.base, |&(last, _)| last);
        // Where bytes and code points are the same, a mark now and then keeps the way short.
        if last < byte && (chars != byte || byte - last >= STRIDE) {
            self.marks.push_back((byte, chars));
        }
    }

    /// Code points before byte offset `byte` of the stream.
    pub(super) fn chars_at(&self, byte: usize) -> usize {
        let byte = byte.clamp(self.base, self.end());
        let at = self.marks.partition_point(|&(mark, _)| mark <= byte);
        let (from, chars) = match at.checked_sub(1).and_then(|i| self.marks.get(i)) {
            Some(&mark) if mark.0 >= self.base => mark,
            _ => (self.base, self.base_chars),
        };
        let slice = &self.text[from - self.base..byte - self.base];
        chars + count_chars(slice)
    }

    /// The span in code points.
    pub(super) fn char_span(&self, span: Span) -> Span {
        let start = self.chars_at(span.start);
        Span::new(start, start + count_chars(self.get(span)))
    }

    /// Cuts the text back to `end` bytes of the stream.
    pub(super) fn truncate(&mut self, end: usize) {
        self.text.truncate(end.saturating_sub(self.base));
        while self.marks.back().is_some_and(|&(mark, _)| mark > end) {
            self.marks.pop_back();
        }
    }

    /// Drops what lies before `start`, as far as that is whole characters.
    pub(super) fn drop_before(&mut self, mut start: usize) {
        if start <= self.base {
            return;
        }
        while !self.text.is_char_boundary(start - self.base) {
            start -= 1;
        }
        self.base_chars = self.chars_at(start);
        self.text.drain(..start - self.base);
        self.base = start;
        while self.marks.front().is_some_and(|&(mark, _)| mark < start) {
            self.marks.pop_front();
        }
    }

    pub(super) fn bytes_used(&self) -> usize {
        self.text.capacity() + self.marks.capacity() * size_of::<(usize, usize)>()
    }
}

fn count_chars(text: &str) -> usize {
    if text.is_ascii() {
        text.len()
    } else {
        text.chars().count()
    }
}
