//! A text as its reader sees it.
//!
//! What shows nothing is left out (zero-width characters, control characters, soft hyphens, marks of
//! direction, variation selectors), and a character that HTML writes by its name or number, or a string of JSON by its
//! number, is read as itself. Where a mark that shows nothing parts words or shapes letters and
//! emoji, in scripts that need it, it stays.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::strings::{Escape, Strings, escape};

/// Bytes of a character reference, at most; HTML's longest name has 31.
const MOST: usize = 34;

/// HTML's names of characters.
static NAMES: LazyLock<FxHashMap<&'static str, char>> = LazyLock::new(|| {
    table!("references.tsv")
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .filter_map(|(code, names)| {
            let c = char::from_u32(u32::from_str_radix(code, 16).ok()?)?;
            Some(names.split(';').map(move |name| (name, c)))
        })
        .flatten()
        .collect()
});

/// A place where the text as read is not simply the text as sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seam {
    /// From where in the text as read; with `read_end` the same, something is left out.
    pub read: usize,
    /// To where.
    pub read_end: usize,
    /// From where in the text as sent.
    pub sent: usize,
    /// To where.
    pub sent_end: usize,
    /// Bytes as sent after which it was certain how this is read.
    pub known: usize,
}

impl Seam {
    /// Whether what is read there is what was sent.
    #[must_use]
    pub const fn is_same(&self) -> bool {
        self.sent_end - self.sent == self.read_end - self.read
    }
}

/// Follows a text; keeps its place between pieces of it.
#[derive(Debug, Clone, Default)]
pub struct Visible {
    /// What may become a character reference, from "&" on, or an escape, from "\\" on.
    held: String,
    strings: Strings,
    /// The last character that was read.
    last: Option<char>,
    read: usize,
    sent: usize,
}

impl Visible {
    /// Bytes that wait for what follows.
    #[must_use]
    pub fn pending(&self) -> usize {
        self.held.len()
    }

    /// Bytes on the heap.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        self.held.capacity()
    }

    /// Reads more text: adds to `out` what is seen of it, and to `seams` where that differs.
    pub fn push(&mut self, text: &str, out: &mut String, seams: &mut Vec<Seam>) {
        let special = |b: u8| matches!(b, b'&' | b'{' | b'[' | 0..=8 | 0x0E..=0x1F | 0x7F);
        let mut rest = text;
        // Looked at once: each of many marks would look through all that follows it.
        let mut plainly = self.held.is_empty() && text.is_ascii() && !text.bytes().any(special);
        loop {
            if self.held.is_empty() {
                let plain = self.plain(rest, std::mem::take(&mut plainly));
                let (seen, behind) = rest.split_at(plain);
                self.show(seen, out);
                rest = behind;
            }
            let Some(c) = rest.chars().next() else { return };
            rest = &rest[c.len_utf8()..];
            self.step(c, out, seams);
        }
    }

    /// Ends the text: what waits is no reference.
    pub fn finish(&mut self, out: &mut String) {
        let held = std::mem::take(&mut self.held);
        self.show(&held, out);
    }

    /// Bytes at the start of `text` that are seen as they are, which are then followed; `plainly` says
    /// that outside of strings of JSON all are.
    fn plain(&mut self, text: &str, plainly: bool) -> usize {
        if plainly && !self.strings.in_json() {
            return text.len();
        }
        let mut last = self.last;
        for (at, c) in text.char_indices() {
            if self.is_special(c, last) {
                return at;
            }
            self.strings.see(c);
            last = Some(c);
        }
        text.len()
    }

    /// Whether `c` behind `last` shows nothing, or may begin what is read as another character.
    fn is_special(&self, c: char, last: Option<char>) -> bool {
        match c {
            '&' => true,
            '\\' => self.strings.inside(),
            _ => shows_nothing(c) && !kept(c, last),
        }
    }

    fn show(&mut self, text: &str, out: &mut String) {
        out.push_str(text);
        self.last = text.chars().next_back().or(self.last);
        self.read += text.len();
        self.sent += text.len();
    }

    /// Reads `c`, which may begin or go on a reference or an escape, or shows nothing.
    fn step(&mut self, c: char, out: &mut String, seams: &mut Vec<Seam>) {
        if self.held.is_empty() {
            if matches!(c, '&' | '\\') {
                self.held.push(c);
            } else {
                self.replace(None, c.len_utf8(), out, seams);
            }
            return;
        }
        if self.held.starts_with('&') {
            let numbered = self.held.len() == 1 && c == '#';
            if (c.is_ascii_alphanumeric() || numbered) && self.held.len() < MOST {
                return self.held.push(c);
            }
            match meant(&self.held[1..], self.last).filter(|_| c == ';') {
                Some(meant) => {
                    self.held.push(c);
                    self.mean(meant, out, seams);
                }
                None => self.no(c, out, seams),
            }
            return;
        }
        self.held.push(c);
        match escape(&self.held) {
            Escape::Open => {}
            Escape::Means(meant) => self.mean(meant, out, seams),
            Escape::Plain => self.release(0, out, seams),
            Escape::No => {
                self.held.pop();
                self.no(c, out, seams);
            }
        }
    }

    /// What is held means this character.
    fn mean(&mut self, meant: char, out: &mut String, seams: &mut Vec<Seam>) {
        let size = self.held.len();
        self.held.clear();
        let seen = (!shows_nothing(meant) || kept(meant, self.last)).then_some(meant);
        self.replace(seen, size, out, seams);
    }

    /// What is held is what it is, and `c` is read for itself.
    fn no(&mut self, c: char, out: &mut String, seams: &mut Vec<Seam>) {
        self.release(c.len_utf8(), out, seams);
        if self.is_special(c, self.last) {
            return self.step(c, out, seams);
        }
        self.strings.see(c);
        let mut buffer = [0; 4];
        self.show(c.encode_utf8(&mut buffer), out);
    }

    /// Shows what is held as it is, which `behind` more bytes told.
    fn release(&mut self, behind: usize, out: &mut String, seams: &mut Vec<Seam>) {
        let mut held = std::mem::take(&mut self.held);
        let (read, sent) = (self.read, self.sent);
        self.show(&held, out);
        seams.push(Seam {
            read,
            read_end: self.read,
            sent,
            sent_end: self.sent,
            known: self.sent + behind,
        });
        held.clear();
        self.held = held;
    }

    /// Reads `seen` in place of the next `size` bytes.
    fn replace(
        &mut self,
        seen: Option<char>,
        size: usize,
        out: &mut String,
        seams: &mut Vec<Seam>,
    ) {
        let (read, sent) = (self.read, self.sent);
        if let Some(c) = seen {
            out.push(c);
            self.last = seen;
            self.read += c.len_utf8();
        }
        self.sent += size;
        match seams.last_mut() {
            Some(last) if seen.is_none() && last.read == read && last.sent_end == sent => {
                last.sent_end = self.sent;
                last.known = self.sent;
            }
            _ => seams.push(Seam {
                read,
                read_end: self.read,
                sent,
                sent_end: self.sent,
                known: self.sent,
            }),
        }
    }
}

/// Whether a character is not seen by itself.
fn shows_nothing(c: char) -> bool {
    // Apart, since nearly all characters lie outside of its ranges.
    #[inline(never)]
    fn listed(c: char) -> bool {
        matches!(c,
            '\u{34F}' | '\u{61C}' | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}'
            | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FE00}'..='\u{FE0F}'
            | '\u{FEFF}' | '\u{E0000}'..='\u{E0FFF}')
    }
    // Control characters but those that part words or lines.
    let control = matches!(c, '\0'..='\u{8}' | '\u{E}'..='\u{1F}' | '\u{7F}'..='\u{84}'
        | '\u{86}'..='\u{9F}');
    control || c == '\u{AD}' || c >= '\u{34F}' && listed(c)
}

/// Whether a character that shows nothing stays for what it does behind `last`.
fn kept(c: char, last: Option<char>) -> bool {
    let Some(last) = last else { return false };
    // An emoji or another sign.
    let sign = !last.is_ascii() && !last.is_alphanumeric() && !last.is_whitespace();
    match c {
        // Words of scripts that have no space between them.
        '\u{200B}' => matches!(last,
            '\u{E00}'..='\u{EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
            | '\u{1950}'..='\u{19FF}' | '\u{1A20}'..='\u{1AAF}' | '\u{A9E0}'..='\u{A9FF}'
            | '\u{AA60}'..='\u{AADF}'),
        '\u{200C}' | '\u{200D}' => {
            let shaped = matches!(last,
                '\u{600}'..='\u{1CFF}' | '\u{A800}'..='\u{ABFF}' | '\u{FB50}'..='\u{FDFF}'
                | '\u{FE70}'..='\u{FEFC}' | '\u{10A00}'..='\u{11FFF}' | '\u{1E900}'..='\u{1E95F}');
            shaped && !last.is_numeric() || sign && last >= '\u{2190}'
        }
        '\u{180B}'..='\u{180F}' => matches!(last, '\u{1800}'..='\u{18AF}'),
        '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}' => sign,
        // Flags of parts of countries.
        '\u{E0020}'..='\u{E007F}' => matches!(last, '\u{1F3F4}' | '\u{E0020}'..='\u{E007E}'),
        _ => false,
    }
}

/// The character that a reference means, without "&" and ";"; none where it writes a mark that would
/// be read as markup or as the end of a string, which it is not.
fn meant(name: &str, last: Option<char>) -> Option<char> {
    let c = match name.strip_prefix('#') {
        None => *NAMES.get(name)?,
        Some(number) => {
            let hex = number.strip_prefix(['x', 'X']);
            let digits = hex.unwrap_or(number);
            let radix = if hex.is_some() { 16 } else { 10 };
            let code = u32::from_str_radix(digits, radix)
                .ok()
                .filter(|code| *code > 0);
            char::from_u32(code?)?
        }
    };
    match c {
        '\t' | '\n' | '\r' => Some(' '),
        '<' | '>' | '\\' | '{' | '}' | '[' | ']' | '|' | '`' | '*' | '_' | '#' => None,
        '"' if last.is_none_or(|last| !last.is_alphanumeric() && !",.!?".contains(last)) => {
            Some('“')
        }
        '"' => Some('”'),
        c if c.is_control() && !shows_nothing(c) => None,
        c => Some(c),
    }
}

/// Both sides of each place: from a text as it is read to the text as it was sent, and back.
#[derive(Debug, Clone, Default)]
pub struct Places {
    seams: std::collections::VecDeque<Seam>,
    /// A place before all seams.
    read: usize,
    sent: usize,
    /// Something was, or is, read otherwise than it was sent, or later.
    shifted: bool,
}

impl Places {
    /// Adds what follows.
    pub fn extend(&mut self, seams: &[Seam]) {
        self.shifted |= !seams.is_empty();
        self.seams.extend(seams);
    }

    /// Bytes on the heap.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        self.seams.capacity() * size_of::<Seam>()
    }

    fn behind(&self, at: usize, seams: usize) -> usize {
        let last = seams.checked_sub(1).map(|i| self.seams[i]);
        let (read, sent) = last.map_or((self.read, self.sent), |s| (s.read_end, s.sent_end));
        sent + at.saturating_sub(read)
    }

    /// Where the character was sent that is read at byte `at`: behind what is left out before it.
    #[must_use]
    pub fn start(&self, at: usize) -> usize {
        self.behind(at, self.seams.partition_point(|s| s.read_end <= at))
    }

    /// Where the character before byte `at` ended as it was sent: before what is left out there.
    #[must_use]
    pub fn end(&self, at: usize) -> usize {
        let before = |s: &Seam| s.read < at && s.read_end <= at;
        self.behind(at, self.seams.partition_point(before))
    }

    /// Bytes as sent that had to be there for the text up to byte `at` to be read.
    #[must_use]
    pub fn known(&self, at: usize) -> usize {
        let i = self.seams.partition_point(|s| s.read_end < at);
        let end = self.end(at);
        match self.seams.get(i) {
            Some(s) if s.read < at => end.max(s.known),
            _ => end,
        }
    }

    /// Where what was sent from byte `at` on is read; within a reference, where that is.
    #[must_use]
    pub fn read(&self, at: usize) -> usize {
        let i = self.seams.partition_point(|s| s.sent <= at);
        let Some(last) = i.checked_sub(1).map(|i| self.seams[i]) else {
            return self.read + at.saturating_sub(self.sent);
        };
        if at >= last.sent_end {
            last.read_end + (at - last.sent_end)
        } else if last.is_same() {
            last.read + (at - last.sent)
        } else {
            last.read
        }
    }

    /// Forgets what came behind byte `read` as it is read and byte `sent` as it was sent; what waited
    /// there had been sent and not read.
    pub fn truncate(&mut self, read: usize, sent: usize) {
        let behind = |s: &Seam| s.sent_end > sent || s.read_end > read;
        while self.seams.back().is_some_and(behind) {
            self.seams.pop_back();
        }
    }

    /// Forgets what lies before the character that is read at byte `read`.
    pub fn drop_before(&mut self, read: usize) {
        let sent = self.start(read);
        while self.seams.front().is_some_and(|s| s.read_end <= read) {
            self.seams.pop_front();
        }
        (self.read, self.sent) = (read, sent);
    }

    /// Whether nothing was read otherwise than it was sent, or waited for what followed.
    #[must_use]
    pub const fn is_plain(&self) -> bool {
        !self.shifted
    }
}

/// A whole text as it is seen, with what it was.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    text: String,
    /// As it was given, where that is another.
    given: Option<Box<str>>,
    places: Places,
}

impl Seen {
    /// Reads a text.
    #[must_use]
    pub fn of(given: &str) -> Self {
        let (seen, places) = visible(given);
        let text = seen.into_owned();
        let given = (text != given).then(|| given.into());
        Self {
            text,
            given,
            places,
        }
    }

    /// The text as it was given.
    #[must_use]
    pub fn given(&self) -> &str {
        self.given.as_deref().unwrap_or(&self.text)
    }

    /// Where in that stands what is read from byte `start` to `end`.
    #[must_use]
    pub fn place(&self, start: usize, end: usize) -> (usize, usize) {
        (self.places.start(start), self.places.end(end))
    }
}

impl std::ops::Deref for Seen {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

/// A whole text as it is seen, and the places in it.
#[must_use]
pub fn visible(text: &str) -> (std::borrow::Cow<'_, str>, Places) {
    if Visible::default().plain(text, false) == text.len() {
        return (text.into(), Places::default());
    }
    let mut reader = Visible::default();
    let (mut out, mut seams) = (String::with_capacity(text.len()), Vec::new());
    reader.push(text, &mut out, &mut seams);
    reader.finish(&mut out);
    let mut places = Places::default();
    places.extend(&seams);
    (out.into(), places)
}
