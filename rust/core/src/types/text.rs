//! Places in a stream and what the scanners find there.

use serde::{Deserialize, Serialize};

/// A token id of the model's vocabulary.
pub type TokenId = u32;

/// A half-open range of bytes in the stream's decoded text. Offsets count from the stream's
/// first byte and keep counting past the retention cap.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// A span from `start` to `end`.
    #[must_use]
    #[inline]
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// Length in bytes.
    #[must_use]
    pub const fn len(self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Whether the span covers no byte.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// Whether the two spans share a byte.
    #[must_use]
    #[inline]
    pub const fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// Whether `other` lies inside this span.
    #[must_use]
    #[inline]
    pub const fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}

/// What a lexeme is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum LexKind {
    /// Letters, with inner apostrophes, hyphens and digits ("o'clock", "state-of-the-art", "B2B").
    Word,
    /// Digits with separators, decimal point, sign attached by the segmenter ("1,250.5", "3rd").
    Number,
    /// One punctuation mark or symbol.
    Punct,
    /// One or more line breaks; `span` covers the white space run.
    Newline,
}

/// Properties of a lexeme as bit flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct LexFlags(pub u16);

impl LexFlags {
    /// First letter is upper case.
    pub const CAPITALIZED: Self = Self(1);
    /// More than one letter, all upper case.
    pub const ALL_CAPS: Self = Self(1 << 1);
    /// Holds a digit.
    pub const HAS_DIGIT: Self = Self(1 << 2);
    /// White space stands before it.
    pub const SPACE_BEFORE: Self = Self(1 << 3);
    /// First word of a sentence, list item, heading or cell.
    pub const SENTENCE_START: Self = Self(1 << 4);
    /// Stands inside quotation marks.
    pub const QUOTED: Self = Self(1 << 5);
    /// Stands inside code (fence or back-ticks).
    pub const CODE: Self = Self(1 << 6);
    /// Longer than the word buffer; its text is the first bytes only.
    pub const OVERLONG: Self = Self(1 << 7);
    /// Capital letters after the first ("iPhone", "McDonald").
    pub const MIXED_CASE: Self = Self(1 << 8);
    /// Holds a character outside ASCII.
    pub const NON_ASCII: Self = Self(1 << 9);
    /// Part of a URL, e-mail address, path or identifier.
    pub const TECHNICAL: Self = Self(1 << 10);
    /// First word after a colon, opening quotation mark, dash or bracket.
    pub const AFTER_OPENER: Self = Self(1 << 11);
    /// Stands in a string that is the value of a form's key (`"answer": "…"`), as nobody's words.
    pub const FORM: Self = Self(1 << 12);

    /// Whether all bits of `other` are set.
    #[must_use]
    #[inline]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both sets of bits.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// A closed word, number or mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lexeme {
    /// What it is.
    pub kind: LexKind,
    /// Its properties.
    pub flags: LexFlags,
    /// Where it stands.
    pub span: Span,
    /// Bytes of text after which nothing can change it.
    pub decided_at: usize,
}

/// Index into the lexicon's table of units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct UnitId(pub u16);

/// What a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum QuantityKind {
    /// A plain count ("12", "three", "a dozen").
    Cardinal,
    /// A rank ("third", "21st").
    Ordinal,
    /// Per cent; `value` 40 is "40 %".
    Percent,
    /// Money; `unit` is the currency.
    Money,
    /// A measure; `unit` says which.
    Measure,
    /// A four-digit number that reads as a year.
    Year,
    /// A label, not an amount: list number, version, phone, section, identifier.
    Label,
}

/// A number with its magnitude and unit ("$5M", "5 million dollars", "3.2 km").
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Quantity {
    /// From the first sign or digit through the unit.
    pub span: Span,
    /// Value in `unit`, magnitude words applied (5e6 for "$5M").
    pub value: f64,
    /// What it counts.
    pub kind: QuantityKind,
    /// Unit or currency, if any.
    pub unit: Option<UnitId>,
    /// Significant decimals as written.
    pub decimals: u8,
    /// Marked as approximate ("about", "nearly", "~").
    pub approximate: bool,
    /// Bytes of text after which nothing can change it.
    pub decided_at: usize,
}

/// A date as far as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DateExpr {
    /// Where it stands.
    pub span: Span,
    /// Year, if written.
    pub year: Option<i32>,
    /// Month 1..=12, if written.
    pub month: Option<u8>,
    /// Day 1..=31, if written.
    pub day: Option<u8>,
    /// Weekday 1 (Monday) ..= 7 (Sunday), if written.
    pub weekday: Option<u8>,
    /// Minutes since midnight, if a time of day is written.
    pub minutes: Option<u16>,
    /// Bytes of text after which nothing can change it.
    pub decided_at: usize,
}

/// What a sentence is part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum SentenceKind {
    /// Running text.
    Prose,
    /// One item of a list.
    ListItem,
    /// A heading.
    Heading,
    /// One row of a table.
    TableRow,
    /// A line of code.
    Code,
}

/// A closed sentence, list item, heading, table row or line of code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sentence {
    /// Running number in the stream, from 0.
    pub index: u32,
    /// From its first non-space byte through its terminator, closers and citation marks.
    pub span: Span,
    /// What it is part of.
    pub kind: SentenceKind,
    /// The mark that ended it: `.`, `!`, `?`, `…`, or none (line break, end, length cap).
    pub terminator: Option<char>,
    /// Closed by the length cap rather than by a boundary.
    pub capped: bool,
    /// Bytes of text after which nothing can change it.
    pub decided_at: usize,
}

/// How a name appears.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum MentionKind {
    /// A proper name.
    ProperName,
    /// "the museum", "this company".
    DefiniteDesc,
    /// "it", "they".
    Pronoun,
    /// "someone", "a person", "the team".
    Generic,
}

/// What a mention resolved to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Resolution {
    /// Entities of that name, in id order.
    Known(Vec<u32>),
    /// A name of the shipped lexicon (country, month, common word): known, but no entity.
    Common,
    /// Nearly a name: candidates as (entity, edit distance), nearest first.
    NearMiss(Vec<(u32, u8)>),
    /// No such name.
    Unknown,
}

#[allow(clippy::trivially_copy_pass_by_ref)]
pub(super) fn is_false(flag: &bool) -> bool {
    !*flag
}

/// A name in the text and what it resolved to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mention {
    /// Where it stands.
    pub span: Span,
    /// How it appears.
    pub kind: MentionKind,
    /// What it resolved to.
    pub resolution: Resolution,
    /// Bytes of text after which nothing can change it.
    pub decided_at: usize,
    /// One word of a known name alone ("Lind"), rather than a name of it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub partial: bool,
}
