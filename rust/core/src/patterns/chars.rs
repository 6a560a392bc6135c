//! What the automata need to know of a character: its kind for look-arounds, its case fold.

use std::sync::OnceLock;

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind, Look};
use rustc_hash::FxHashMap;

/// What stands beside a boundary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(crate) enum Kind {
    /// Start or end of the text.
    Edge = 0,
    /// `\n`.
    Lf = 1,
    /// `\r`.
    Cr = 2,
    /// `[A-Za-z0-9_]`.
    AsciiWord = 3,
    /// A word character outside ASCII.
    WideWord = 4,
    /// Anything else.
    Other = 5,
}

/// Number of kinds.
pub(crate) const KINDS: usize = 6;

impl Kind {
    /// All kinds in the order of their numbers.
    pub(crate) const ALL: [Self; KINDS] = [
        Self::Edge,
        Self::Lf,
        Self::Cr,
        Self::AsciiWord,
        Self::WideWord,
        Self::Other,
    ];

    /// The kind of `c`.
    #[inline]
    pub(crate) fn of(c: char) -> Self {
        let code = c as u32;
        if code < 128 {
            ASCII_KINDS[code as usize]
        } else {
            Self::wide(code)
        }
    }

    #[cold]
    fn wide(code: u32) -> Self {
        let ranges = word_ranges();
        let at = ranges.partition_point(|&(lo, _)| lo <= code);
        if at > 0 && code <= ranges[at - 1].1 {
            Self::WideWord
        } else {
            Self::Other
        }
    }

    /// Whether it is a word character.
    #[inline]
    pub(crate) fn is_word(self) -> bool {
        matches!(self, Self::AsciiWord | Self::WideWord)
    }
}

const ASCII_KINDS: [Kind; 128] = {
    let mut table = [Kind::Other; 128];
    let mut i = 0;
    while i < 128 {
        let b = i as u8;
        if b.is_ascii_alphanumeric() || b == b'_' {
            table[i] = Kind::AsciiWord;
        } else if b == b'\n' {
            table[i] = Kind::Lf;
        } else if b == b'\r' {
            table[i] = Kind::Cr;
        }
        i += 1;
    }
    table
};

/// Word characters as Python's `re` has them: `str.isalnum()` (letters and numbers) and `_`.
/// Rust's `\w` would add marks, joiners and other connectors.
pub(crate) fn word_ranges() -> &'static [(u32, u32)] {
    static RANGES: OnceLock<Vec<(u32, u32)>> = OnceLock::new();
    RANGES.get_or_init(|| {
        let hir = regex_syntax::parse(WORD_CLASS).expect("a constant class");
        match hir.kind() {
            HirKind::Class(Class::Unicode(class)) => class
                .iter()
                .map(|r| (r.start() as u32, r.end() as u32))
                .collect(),
            _ => unreachable!("a constant class parses to a class"),
        }
    })
}

/// The class that [`word_ranges`] holds, as a pattern.
pub(crate) const WORD_CLASS: &str = r"[\p{L}\p{N}_]";

/// Whether `look` holds between a character of kind `prev` and one of kind `next`.
pub(crate) fn holds(look: Look, prev: Kind, next: Kind) -> bool {
    use Kind::{AsciiWord, Cr, Edge, Lf};
    let (pa, na) = (prev == AsciiWord, next == AsciiWord);
    let (pw, nw) = (prev.is_word(), next.is_word());
    match look {
        Look::Start => prev == Edge,
        Look::End => next == Edge,
        Look::StartLF => prev == Edge || prev == Lf,
        Look::EndLF => next == Edge || next == Lf,
        Look::StartCRLF => prev == Edge || prev == Lf || (prev == Cr && next != Lf),
        Look::EndCRLF => next == Edge || next == Cr || (next == Lf && prev != Cr),
        Look::WordAscii => pa != na,
        Look::WordAsciiNegate => pa == na,
        Look::WordUnicode => pw != nw,
        Look::WordUnicodeNegate => pw == nw,
        Look::WordStartAscii => !pa && na,
        Look::WordEndAscii => pa && !na,
        Look::WordStartUnicode => !pw && nw,
        Look::WordEndUnicode => pw && !nw,
        Look::WordStartHalfAscii => !pa,
        Look::WordEndHalfAscii => !na,
        Look::WordStartHalfUnicode => !pw,
        Look::WordEndHalfUnicode => !nw,
    }
}

/// The representative of `c` under Unicode simple case folding: one character for one
/// character, lower-case ASCII where the class holds an ASCII letter, else its lowest member.
#[inline]
pub(crate) fn fold(c: char) -> char {
    if c.is_ascii() {
        c.to_ascii_lowercase()
    } else {
        folds().get(&c).copied().unwrap_or(c)
    }
}

fn folds() -> &'static FxHashMap<char, char> {
    static FOLDS: OnceLock<FxHashMap<char, char>> = OnceLock::new();
    FOLDS.get_or_init(|| {
        ('\u{80}'..='\u{1FFFF}')
            .filter(|&c| !c.to_lowercase().eq([c]) || !c.to_uppercase().eq([c]))
            .filter_map(|c| {
                let mut class = ClassUnicode::new([ClassUnicodeRange::new(c, c)]);
                class.case_fold_simple();
                let members = || class.iter().flat_map(|r| r.start()..=r.end());
                let ascii = members().find(char::is_ascii_lowercase);
                let to = ascii.or_else(|| members().next()).unwrap_or(c);
                (to != c).then_some((c, to))
            })
            .collect()
    })
}
