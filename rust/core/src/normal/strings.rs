//! Where the strings of JSON stand in a text, and what they write by number.

/// Bytes of a character by its number, and of one that takes a pair of them.
const ONE: usize = 6;
const PAIR: usize = 12;

/// Follows a text: whether it is in a string of JSON. What opens a list or an object and goes on
/// with a string, or with more of them, is JSON.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Strings {
    depth: u32,
    /// Nothing but what opens has come, so that it may be no JSON.
    opened: bool,
    inside: bool,
}

impl Strings {
    /// Whether what follows stands in JSON, or may.
    pub(super) const fn in_json(self) -> bool {
        self.depth > 0
    }

    /// Whether what follows stands in a string.
    pub(super) const fn inside(self) -> bool {
        self.inside
    }

    /// Reads `c`, which no "\" escapes.
    pub(super) fn see(&mut self, c: char) {
        match c {
            _ if self.inside => self.inside = c != '"',
            '{' | '[' => {
                self.opened |= self.depth == 0;
                self.depth += 1;
            }
            '"' if self.depth > 0 => (self.inside, self.opened) = (true, false),
            _ if self.opened && !c.is_whitespace() => *self = Self::default(),
            '}' | ']' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }
}

/// How an escape stands that was read up to some character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Escape {
    /// It may go on.
    Open,
    /// It writes this character.
    Means(char),
    /// It is read as it stands, and whatever follows for itself.
    Plain,
    /// None ends so: the last character is read for itself.
    No,
}

/// How `text`, which begins with "\", stands.
pub(super) fn escape(text: &str) -> Escape {
    let bytes = text.as_bytes();
    let at = text.len() - 1;
    let last = text.chars().next_back().unwrap_or('\\');
    match at % ONE {
        0 if at < PAIR && last == '\\' => Escape::Open,
        1 if last == 'u' => Escape::Open,
        1 => Escape::Plain,
        2..=5 if last.is_ascii_hexdigit() => {
            let unit = |at: usize| {
                let digits = text.get(at + 2..at + ONE)?;
                u16::from_str_radix(digits, 16).ok()
            };
            let Some(first) = unit(0) else {
                return Escape::Open;
            };
            let pair = (0xD800..0xDC00).contains(&first);
            let units = [first, unit(ONE).unwrap_or(0)];
            match (pair, bytes.len()) {
                (true, ONE..PAIR) => return Escape::Open,
                (true, _) => {}
                (false, _) => return meant(char::from_u32(u32::from(first))),
            }
            meant(char::decode_utf16(units).next().and_then(Result::ok))
        }
        _ => Escape::No,
    }
}

/// What ends a string, or begins a tag or a reference, stays written by its number.
fn meant(c: Option<char>) -> Escape {
    let stands = |c: &char| !c.is_control() && !matches!(c, '"' | '\\' | '<' | '>' | '&');
    c.filter(stands).map_or(Escape::Plain, Escape::Means)
}
