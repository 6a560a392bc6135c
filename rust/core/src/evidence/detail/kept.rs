//! A word of the open sentence in as little room as it takes.

use super::super::sequence::{Class, Form, Said};
use crate::types::Span;

/// [`Said`], its place counted from the first word of the sentence.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kept {
    stem: u64,
    root: u64,
    start: u32,
    len: u16,
    pub(super) class: Class,
    flags: Flags,
}

/// What a word is by itself (bits 0 to 3), and what its form tells (bits 4 and 5).
#[derive(Debug, Clone, Copy)]
struct Flags(u8);

const FORMS: [Form; 4] = [Form::None, Form::Past, Form::Either, Form::BeforeNoun];

impl Kept {
    /// `None` for a word that stands farther from `from` than any sentence reaches.
    pub(super) fn of(word: &Said, from: usize) -> Option<Self> {
        let flags = [word.opens, word.begins, word.imperative, word.capital];
        let flags = (0..).zip(flags).map(|(bit, flag)| u8::from(flag) << bit);
        Some(Self {
            stem: word.stem,
            root: word.root,
            start: u32::try_from(word.span.start.checked_sub(from)?).ok()?,
            len: u16::try_from(word.span.len()).ok()?,
            class: word.class,
            flags: Flags(flags.sum::<u8>() | (word.form as u8) << 4),
        })
    }

    pub(super) fn said(self, from: usize) -> Said {
        let start = from + self.start as usize;
        let flag = |bit: u8| self.flags.0 >> bit & 1 == 1;
        Said {
            stem: self.stem,
            root: self.root,
            class: self.class,
            span: Span::new(start, start + usize::from(self.len)),
            opens: flag(0),
            begins: flag(1),
            imperative: flag(2),
            capital: self.capital(),
            form: FORMS[usize::from(self.flags.0 >> 4)],
        }
    }

    pub(super) fn capital(self) -> bool {
        self.flags.0 >> 3 & 1 == 1
    }
}
