//! JSON in a text: its strings, numbers and members, as they are read.

use std::borrow::Cow;

use crate::types::Span;

/// Objects and lists within each other that are followed; deeper ones end the form.
pub const MAX_DEPTH: usize = 32;
/// Most bytes of a key that are kept, escapes and all.
const MAX_KEY: usize = 192;
/// Marks of two and three bytes that are no part of a word.
const PADS: [char; 2] = ['\u{34f}', '\u{fe00}'];

/// What stands in a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FormEvent {
    /// An object or a list begins.
    Open {
        /// Whether it is a list.
        list: bool,
    },
    /// The innermost object or list is over.
    Close,
    /// The key of the member that follows, without escapes.
    Key(String),
    /// Bytes of a string that is a value.
    Text {
        /// Where they stand, without the quotation marks.
        span: Span,
        /// The string begins with them.
        opens: bool,
        /// The string ends with them.
        closes: bool,
    },
    /// A number, `true`, `false` or `null`.
    Scalar(Span),
    /// Text around the form.
    Prose(Span),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum At {
    /// In no form.
    #[default]
    Out,
    /// Behind what may open one.
    Opened,
    /// In what may be its first key.
    First,
    /// Behind that.
    Colon,
    /// In a form, between its parts.
    Between,
    Key,
    Text,
    Scalar,
}

/// Follows the text of an answer; what begins as an object with a key does is a form. Keeps its
/// place between texts.
#[derive(Debug, Clone, Default)]
pub struct FormScanner {
    at: At,
    /// Lists and objects that are open: whether each is a list.
    open: Vec<bool>,
    key: String,
    escaped: bool,
    /// A value comes next, no key.
    valued: bool,
    /// Nothing of the string was read yet.
    fresh: bool,
    /// The text is that of a block of its own.
    block: bool,
}

impl FormScanner {
    /// The same for a block that holds nothing else, where a list of strings is a form too.
    #[must_use]
    pub fn in_block() -> Self {
        Self {
            block: true,
            ..Self::default()
        }
    }

    /// Whether a form is open.
    #[must_use]
    pub fn inside(&self) -> bool {
        matches!(self.at, At::Between | At::Key | At::Text | At::Scalar)
    }

    /// Whether nothing is open.
    #[must_use]
    pub fn idle(&self) -> bool {
        self.at == At::Out
    }

    /// Bytes on the heap.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        self.open.capacity() + self.key.capacity()
    }

    /// Reads more text, which stands at byte `base`.
    pub fn push(&mut self, text: &str, base: usize, sink: &mut dyn FnMut(FormEvent)) {
        // Where a string, a scalar or text around the form began, and where what may be a form did.
        let (mut from, mut tried) = (0, 0);
        let place = |from: usize, to: usize| Span::new(base + from, base + to);
        for (i, c) in text.char_indices() {
            if self.at == At::Scalar && !is_scalar(c) {
                sink(FormEvent::Scalar(place(from, i)));
                self.at = At::Between;
                self.valued = false;
            }
            match self.at {
                At::Out | At::Opened => {
                    if matches!(c, '{' | '[') && self.open.len() < MAX_DEPTH {
                        if self.at == At::Out {
                            tried = i;
                        }
                        self.at = At::Opened;
                        self.open.push(c == '[');
                    } else if self.at == At::Opened && c == '"' {
                        self.key.clear();
                        let alone = self.block || base == 0 && text[..tried].trim().is_empty();
                        if self.open.last() == Some(&true) && alone {
                            self.confirm(sink);
                            self.at = At::Text;
                            (from, self.fresh) = (i + 1, true);
                        } else {
                            self.at = At::First;
                        }
                    } else if self.at == At::Opened && !c.is_whitespace() {
                        self.leave();
                    }
                }
                At::First => match c {
                    _ if self.escape(c) => self.keep(c),
                    '"' => self.at = At::Colon,
                    '\n' => self.leave(),
                    _ => self.keep(c),
                },
                At::Colon if c == ':' && self.open.last() == Some(&false) => {
                    if text[..tried].contains(char::is_alphanumeric) {
                        sink(FormEvent::Prose(place(from, tried)));
                    }
                    self.confirm(sink);
                    sink(FormEvent::Key(plain(&std::mem::take(&mut self.key))));
                    (self.at, self.valued) = (At::Between, true);
                }
                At::Colon => {
                    if !c.is_whitespace() {
                        self.leave();
                    }
                }
                At::Between => {
                    match c {
                        '"' if self.valued => {
                            self.at = At::Text;
                            (from, self.fresh) = (i + 1, true);
                        }
                        '"' => {
                            self.key.clear();
                            self.at = At::Key;
                        }
                        '{' | '[' if self.open.len() < MAX_DEPTH => {
                            self.open.push(c == '[');
                            self.valued = c == '[';
                            sink(FormEvent::Open { list: c == '[' });
                        }
                        '}' | ']' => {
                            self.open.pop();
                            sink(FormEvent::Close);
                            if self.open.is_empty() {
                                self.at = At::Out;
                                from = i + 1;
                                tried = i + 1;
                            }
                            self.valued = false;
                        }
                        ',' => self.valued = self.open.last() == Some(&true),
                        ':' => {
                            sink(FormEvent::Key(plain(&std::mem::take(&mut self.key))));
                            self.valued = true;
                        }
                        _ if c.is_whitespace() => {}
                        _ if self.valued && is_scalar(c) => {
                            self.at = At::Scalar;
                            from = i;
                        }
                        // No form goes on like this.
                        _ => {
                            for _ in 0..self.open.len() {
                                sink(FormEvent::Close);
                            }
                            self.leave();
                            (from, tried) = (i, i);
                        }
                    }
                }
                At::Key => match c {
                    _ if self.escape(c) => self.keep(c),
                    '"' => self.at = At::Between,
                    _ => self.keep(c),
                },
                At::Text => {
                    if !self.escape(c) && c == '"' {
                        let (span, closes) = (place(from, i), true);
                        let opens = std::mem::take(&mut self.fresh);
                        sink(FormEvent::Text {
                            span,
                            opens,
                            closes,
                        });
                        (self.at, self.valued) = (At::Between, false);
                    }
                }
                At::Scalar => {}
            }
        }
        match self.at {
            At::Text if from < text.len() => sink(FormEvent::Text {
                span: place(from, text.len()),
                opens: std::mem::take(&mut self.fresh),
                closes: false,
            }),
            At::Scalar => {
                sink(FormEvent::Scalar(place(from, text.len())));
                (self.at, self.valued) = (At::Between, false);
            }
            At::Out if from > 0 && text[from..].contains(char::is_alphanumeric) => {
                sink(FormEvent::Prose(place(from, text.len())));
            }
            _ => {}
        }
    }

    /// Ends what is open.
    pub fn finish(&mut self, sink: &mut dyn FnMut(FormEvent)) {
        if self.inside() {
            for _ in 0..self.open.len() {
                sink(FormEvent::Close);
            }
        }
        self.leave();
    }

    fn confirm(&mut self, sink: &mut dyn FnMut(FormEvent)) {
        for list in &self.open {
            sink(FormEvent::Open { list: *list });
        }
        self.valued = self.open.last() == Some(&true);
    }

    fn leave(&mut self) {
        *self = Self {
            block: self.block,
            ..Self::default()
        };
    }

    /// Whether the character is escaped, or the mark that escapes the next.
    fn escape(&mut self, c: char) -> bool {
        let was = std::mem::take(&mut self.escaped);
        self.escaped = !was && c == '\\';
        was || self.escaped
    }

    fn keep(&mut self, c: char) {
        if self.key.len() < MAX_KEY {
            self.key.push(c);
        }
    }
}

const fn is_scalar(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.')
}

/// The text of a string's bytes, in as many bytes: a break of lines where one is meant, quotation
/// marks of two bytes where they are escaped, and marks that are no part of a word behind a letter
/// that is written by its number.
#[must_use]
pub fn unescaped(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    let mut open = false;
    while let Some(c) = rest.chars().next() {
        if c == '\\' {
            if let Some((own, length)) = numbered(rest) {
                push_padded(&mut out, own, length);
                rest = &rest[length..];
                continue;
            }
            if let Some(next @ ('n' | 'r' | 't' | '"' | '\\' | '/')) = rest[1..].chars().next() {
                out.push_str(match next {
                    'n' | 'r' => " \n",
                    '"' => {
                        open = !open;
                        if open { "«" } else { "»" }
                    }
                    '/' => " /",
                    _ => "  ",
                });
                rest = &rest[2..];
                continue;
            }
        }
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    out
}

/// A text without the marks that [`unescaped`] puts in.
#[must_use]
pub fn unpadded(text: &str) -> Cow<'_, str> {
    if text.contains(PADS) {
        Cow::Owned(text.replace(PADS, ""))
    } else {
        Cow::Borrowed(text)
    }
}

/// A key without its escapes.
fn plain(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(c) = rest.chars().next() {
        let (own, length) = match numbered(rest) {
            Some(found) => found,
            None if c == '\\' => {
                rest = &rest[1..];
                let Some(next) = rest.chars().next() else {
                    break;
                };
                (next, next.len_utf8())
            }
            None => (c, c.len_utf8()),
        };
        out.push(own);
        rest = &rest[length..];
    }
    out
}

/// The character that a text begins with by its number, in one escape or the two of a pair, and the
/// bytes of it.
fn numbered(text: &str) -> Option<(char, usize)> {
    let unit = |at: usize| {
        let digits = text.get(at..)?.strip_prefix("\\u")?.get(..4)?;
        let hex = digits.bytes().all(|b| b.is_ascii_hexdigit());
        u16::from_str_radix(digits, 16).ok().filter(|_| hex)
    };
    let first = unit(0)?;
    if let Some(one) = char::from_u32(u32::from(first)) {
        return Some((one, 6));
    }
    let pair = [first, unit(6)?];
    let one = char::decode_utf16(pair).next()?.ok()?;
    Some((one, 12))
}

/// Adds a character in `length` bytes: with marks behind a letter or digit, and before anything else
/// with such where a word ends, or else with blanks.
fn push_padded(out: &mut String, c: char, length: usize) {
    let c = if c.is_control() && c != '\n' { ' ' } else { c };
    let mut missing = length - c.len_utf8();
    let letter = c.is_alphanumeric();
    let worded = out.ends_with(|c: char| c.is_alphanumeric() || PADS.contains(&c));
    let marks = letter || worded && c != '\n';
    if letter {
        out.push(c);
    }
    while missing > 0 {
        let pad = match missing {
            _ if !marks => ' ',
            3 => PADS[1],
            1 => ' ',
            _ => PADS[0],
        };
        out.push(pad);
        missing -= pad.len_utf8();
    }
    if !letter {
        out.push(c);
    }
}
