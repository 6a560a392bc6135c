//! The lexeme being read.

use super::MAX_WORD_TEXT;
use super::brackets::Lead;
use super::chars::is_opener;
use crate::types::LexFlags;

/// Which lexeme is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Mode {
    /// Between lexemes.
    #[default]
    Idle,
    /// Letters, or digits with letters after them.
    Word,
    /// Digits with separators.
    Number,
    /// A URL or path, to the next white space.
    Tech,
    /// A sign, point or slash that may belong to what follows.
    Lead,
}

/// What the lexeme before this one was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Prev {
    /// None yet.
    #[default]
    None,
    /// A word or number.
    Word,
    /// This mark.
    Punct(char),
}

pub(super) const PEND: usize = 16;
/// Marks that may stand behind an address and not belong to it.
pub(super) const TRAILING: usize = 6;

/// The lexeme being read and the white space before it.
#[derive(Debug, Clone, Default)]
pub(super) struct Lexing {
    pub mode: Mode,
    pub text: String,
    pub start: usize,
    /// Bytes of the lexeme, also those past its kept text.
    pub len: usize,
    /// Characters that belong to the lexeme only if the right one follows.
    pub pend: [char; PEND],
    pub npend: u8,
    pub numeric: bool,
    pub tech: bool,
    pub dots: u8,
    pub grouped: bool,
    pub flags: LexFlags,
    /// White space has been read since the last lexeme.
    pub space: bool,
    pub space_start: usize,
    pub newlines: u8,
    pub cr: bool,
    /// Some lexeme has been read.
    pub seen: bool,
    pub prev: Prev,
    pub after_opener: bool,
    /// The last mark behind the last word that says something of a bracket, and whether white space stands
    /// behind both.
    pub behind: Option<char>,
    pub gap: bool,
    pub last_word: [u8; 16],
    pub last_len: u8,
    pub straight: bool,
    pub curly: u8,
    pub single: bool,
    pub quote_at: usize,
    pub form: Form,
    pub inline_code: bool,
    pub code_at: usize,
}

/// Where in a form (`"key": "value"`, `"key": ["value", "value"]`) the text is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Form {
    /// Inside a string that is a value.
    pub inside: bool,
    last: Part,
}

/// What of a form was read last.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Part {
    #[default]
    None,
    /// A string that may be a key.
    Closed,
    /// The colon behind it, or what opens or goes on a list of values.
    Awaits,
    /// A value.
    Value,
}

impl Form {
    /// Follows a mark; `opens` says that it is a quotation mark that opens.
    pub(super) fn mark(&mut self, c: char, opens: bool) {
        match c {
            '"' if opens => {
                self.inside = self.last == Part::Awaits;
                self.last = Part::None;
            }
            '"' => {
                self.last = if self.inside {
                    Part::Value
                } else {
                    Part::Closed
                };
                self.inside = false;
            }
            '\\' => {}
            _ if self.inside => {}
            ':' if matches!(self.last, Part::Closed | Part::Value) => self.last = Part::Awaits,
            '[' if self.last == Part::Awaits => {}
            ',' if self.last == Part::Value => self.last = Part::Awaits,
            _ => self.last = Part::None,
        }
    }

    /// Follows a word or number.
    pub(super) fn word(&mut self) {
        if !self.inside {
            self.last = Part::None;
        }
    }
}

/// Bytes after which an unclosed quotation mark or back-tick counts for nothing.
pub(super) const MAX_QUOTE: usize = 1000;

/// Digits of a year.
const YEAR: usize = 4;

impl Lexing {
    /// Whether the next character is the first of its line.
    pub const fn at_line_start(&self) -> bool {
        self.newlines > 0 || !self.seen
    }

    /// The word right before this place, if it was short.
    pub fn last_word(&self) -> &str {
        std::str::from_utf8(&self.last_word[..self.last_len as usize]).unwrap_or("")
    }

    /// What stands before a bracket that opens here; `worded` says that its sentence or cell has a word so far.
    pub fn lead(&self, worded: bool) -> Lead {
        if worded || self.behind == Some('!') && !self.gap {
            Lead::of(self.last_word(), self.behind, self.gap)
        } else {
            Lead::Start
        }
    }

    pub fn append(&mut self, c: char) {
        if self.text.len() == self.len && self.len + c.len_utf8() <= MAX_WORD_TEXT {
            self.text.push(c);
        }
        self.len += c.len_utf8();
    }

    /// Closes every quotation; a paragraph has ended.
    pub fn reset_quotes(&mut self) {
        self.straight = false;
        self.curly = 0;
        self.single = false;
        self.form = Form::default();
    }

    pub fn quoted(&self, at: usize) -> bool {
        (self.straight || self.curly > 0 || self.single) && at - self.quote_at < MAX_QUOTE
    }

    /// Follows quotation marks; says whether the mark opens something.
    pub fn quote(&mut self, c: char, at: usize, space: bool) -> bool {
        if at - self.quote_at >= MAX_QUOTE {
            self.reset_quotes();
        }
        let was = self.straight || self.curly > 0 || self.single;
        let opens = match c {
            '"' => {
                self.straight = space || !self.straight;
                self.straight
            }
            '“' | '„' | '«' | '「' | '『' => {
                self.curly = self.curly.saturating_add(1);
                true
            }
            '”' | '»' | '」' | '』' => {
                self.curly = self.curly.saturating_sub(1);
                false
            }
            '‘' => {
                self.single = true;
                true
            }
            '’' => {
                self.single = false;
                false
            }
            _ => return is_opener(c),
        };
        if opens && !was {
            self.quote_at = at;
        }
        opens
    }
}

fn commas(pend: &[char]) -> usize {
    pend.iter().filter(|&&c| c == ',').count()
}

/// Digits behind the last mark.
fn open_digits(pend: &[char]) -> usize {
    let digits = pend.iter().rev().take_while(|c| c.is_ascii_digit());
    digits.count()
}

impl Lexing {
    pub fn join_group(&mut self) {
        for i in 0..self.npend {
            self.append(self.pend[i as usize]);
        }
        self.npend = 0;
        self.grouped = true;
    }

    /// Whether groups of three digits may follow the digits of the number.
    pub fn groups(&self) -> bool {
        let digits = self.text.trim_start_matches(['-', '−', '+']).len();
        self.dots == 0 && self.text.len() == self.len && (self.grouped || digits <= 3)
    }

    /// Takes `c` in among the pending characters where they may become groups of two digits with
    /// three at the end ("12,34,567").
    pub fn lakh(&mut self, c: char) -> bool {
        let pend = &self.pend[..self.npend as usize];
        let (groups, open) = (commas(pend), open_digits(pend));
        let goes_on = match c {
            ',' => open == 2,
            _ => c.is_ascii_digit() && groups > 1 && open < 3,
        };
        let first = self.text.trim_start_matches(['-', '−', '+']).len();
        let fits = goes_on && groups > 0 && pend.first() == Some(&',') && pend.len() < PEND;
        let fits = fits && first <= 2 && self.dots == 0 && self.takes_decimals();
        if fits {
            self.pend[self.npend as usize] = c;
            self.npend += 1;
        }
        fits
    }

    /// Whether the pending characters are whole groups of digits if no digit follows.
    pub fn whole_groups(&self) -> bool {
        let pend = &self.pend[..self.npend as usize];
        pend.len() == 4 || commas(pend) > 1 && open_digits(pend) == 3
    }

    /// Whether a decimal comma may follow the digits of the number; in a list without spaces
    /// ("1,2,3", "[1,2]") and behind a year none does.
    pub fn takes_decimals(&self) -> bool {
        let space = self.flags.has(LexFlags::SPACE_BEFORE);
        let listed = !space && matches!(self.prev, Prev::Punct(',' | '['));
        self.text.len() == self.len && self.len != YEAR && !listed && !self.text.contains(',')
    }

    /// Pending characters that are a decimal comma with its digits, 0 where they are none.
    pub fn decimals(&self) -> usize {
        let pend = &self.pend[..self.npend as usize];
        let pend = match pend {
            [rest @ .., ',' | '.'] if !rest.is_empty() => rest,
            _ => pend,
        };
        match pend {
            [',', digits @ ..]
                if (1..=2).contains(&digits.len())
                    && digits.iter().all(char::is_ascii_digit)
                    && self.takes_decimals() =>
            {
                pend.len()
            }
            _ => 0,
        }
    }

    /// Whether the pending marks and `c` continue the word; some make it technical.
    pub fn joins(&mut self, c: char) -> bool {
        let tail = &self.text[self.text.rfind('.').map_or(0, |i| i + 1)..];
        match &self.pend[..self.npend as usize] {
            // "The mid-1950s": a year, and what part of its decade.
            ['-' | '\u{2010}' | '\u{2011}'] if matches!(c, '1' | '2') => {
                let part = |own: &&str| self.text.eq_ignore_ascii_case(own);
                !["mid", "early", "late"].iter().any(part)
            }
            ['\'' | '’' | '-' | '\u{2010}' | '\u{2011}'] => true,
            ['&'] => tail.len() <= 3 && c.is_uppercase(),
            ['.'] if c.is_ascii_digit() => {
                self.text.len() == self.len && tail.ends_with(|last: char| last.is_ascii_digit())
            }
            ['.'] if self.numeric => false,
            ['.'] => {
                let single = tail.chars().count() == 1 && tail.chars().all(char::is_alphabetic);
                let dotted = single && self.text.split('.').all(|part| part.chars().count() == 1);
                if dotted || (self.text == "Ph" && c == 'D') {
                    return true;
                }
                self.tech |= c.is_ascii_lowercase();
                c.is_ascii_lowercase()
            }
            ['_' | '@'] | [':', ':'] => {
                self.tech = true;
                true
            }
            [':', '/', '/'] => {
                self.mode = Mode::Tech;
                true
            }
            _ => false,
        }
    }
}

pub(super) fn word_flags(text: &str) -> LexFlags {
    let bytes = text.as_bytes();
    if let Some((first, rest)) = bytes.split_first()
        && first.is_ascii_alphabetic()
        && rest.iter().all(u8::is_ascii_lowercase)
    {
        let capital = if first.is_ascii_uppercase() {
            LexFlags::CAPITALIZED.0
        } else {
            0
        };
        return LexFlags(capital);
    }
    let (mut letters, mut uppers, mut inner, mut digits) = (0u32, 0u32, false, false);
    let mut first_upper = false;
    let mut after_letter = false;
    for c in text.chars() {
        let upper = if c.is_ascii() {
            c.is_ascii_uppercase()
        } else {
            c.is_uppercase()
        };
        let letter = if c.is_ascii() {
            c.is_ascii_alphabetic()
        } else {
            c.is_alphabetic()
        };
        if letter {
            first_upper |= letters == 0 && upper;
            letters += 1;
            uppers += u32::from(upper);
            inner |= upper && after_letter;
        } else {
            digits |= c.is_numeric();
        }
        after_letter = letter;
    }
    let all = letters > 1 && uppers == letters;
    let mut flags = LexFlags::default();
    for (on, flag) in [
        (first_upper, LexFlags::CAPITALIZED),
        (all, LexFlags::ALL_CAPS),
        (inner && !all, LexFlags::MIXED_CASE),
        (digits, LexFlags::HAS_DIGIT),
        (!text.is_ascii(), LexFlags::NON_ASCII),
    ] {
        if on {
            flags = flags.with(flag);
        }
    }
    flags
}
