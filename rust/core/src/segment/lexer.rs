//! Characters to lexemes.

use super::chars::{
    is_ideograph, is_newline, is_opener, is_terminator, is_vulgar_fraction, is_word_char,
};
use super::{MAX_LEXEME, MAX_WORD_TEXT, SegEvent, Segmenter, Sink};
use crate::types::{LexFlags, LexKind, Lexeme, SentenceKind, Span};

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

const PEND: usize = 6;

/// The lexeme being read and the white space before it.
#[derive(Debug, Clone, Default)]
pub(super) struct Lexing {
    pub mode: Mode,
    text: String,
    start: usize,
    /// Bytes of the lexeme, also those past its kept text.
    pub len: usize,
    /// Characters that belong to the lexeme only if the right one follows.
    pend: [char; PEND],
    npend: u8,
    numeric: bool,
    tech: bool,
    dots: u8,
    grouped: bool,
    flags: LexFlags,
    /// White space has been read since the last lexeme.
    pub space: bool,
    space_start: usize,
    pub newlines: u8,
    cr: bool,
    /// Some lexeme has been read.
    pub seen: bool,
    pub prev: Prev,
    after_opener: bool,
    last_word: [u8; 16],
    last_len: u8,
    straight: bool,
    curly: u8,
    single: bool,
    quote_at: usize,
    pub inline_code: bool,
    code_at: usize,
}

/// Bytes after which an unclosed quotation mark or back-tick counts for nothing.
const MAX_QUOTE: usize = 1000;

impl Lexing {
    /// Whether the next character is the first of its line.
    pub const fn at_line_start(&self) -> bool {
        self.newlines > 0 || !self.seen
    }

    /// The word right before this place, if it was short.
    pub fn last_word(&self) -> &str {
        std::str::from_utf8(&self.last_word[..self.last_len as usize]).unwrap_or("")
    }

    fn append(&mut self, c: char) {
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
    }

    fn quoted(&self, at: usize) -> bool {
        (self.straight || self.curly > 0 || self.single) && at - self.quote_at < MAX_QUOTE
    }

    /// Follows quotation marks; says whether the mark opens something.
    fn quote(&mut self, c: char, at: usize, space: bool) -> bool {
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

fn is_space(c: char) -> bool {
    match c {
        ' ' | '\t'..='\r' => true,
        _ if c.is_ascii() => false,
        '\u{FEFF}' | '\u{200B}' | '\u{AD}' => true,
        _ => c.is_whitespace(),
    }
}

fn is_url_char(c: char) -> bool {
    !is_space(c) && !matches!(c, '<' | '>' | '"' | '`' | '“' | '”' | '«' | '»') && !is_ideograph(c)
}

fn is_group_mark(c: char) -> bool {
    matches!(c, ',' | '\u{A0}' | '\u{202F}' | '\u{2009}')
}

impl Segmenter {
    pub(super) fn in_plain_word(&self) -> bool {
        self.lex.mode == Mode::Word && self.lex.npend == 0 && self.lex.len < MAX_LEXEME
    }

    /// Adds ASCII letters and digits to the word.
    pub(super) fn append_run(&mut self, run: &str) {
        let lex = &mut self.lex;
        if lex.text.len() == lex.len {
            let room = MAX_WORD_TEXT - lex.text.len();
            lex.text.push_str(&run[..run.len().min(room)]);
        }
        lex.len += run.len();
    }

    /// Reads `c`, which stands at byte `at`.
    pub(super) fn step(&mut self, c: char, at: usize, sink: &mut Sink<'_>) {
        if self.hold.active() {
            self.hold_step(c, at, sink);
            return;
        }
        match self.lex.mode {
            Mode::Idle => self.idle(c, at, sink),
            Mode::Word => self.word(c, at, sink),
            Mode::Number => self.number(c, at, sink),
            Mode::Tech => self.technical(c, at, sink),
            Mode::Lead => self.lead(c, at, sink),
        }
    }

    fn idle(&mut self, c: char, at: usize, sink: &mut Sink<'_>) {
        if !is_space(c) {
            self.begin(c, at, sink);
            return;
        }
        let lex = &mut self.lex;
        if !lex.space {
            lex.space = true;
            lex.space_start = at;
        }
        if is_newline(c) {
            let again = c == '\n' && std::mem::take(&mut lex.cr);
            lex.cr = c == '\r';
            if !again {
                let lines = if c == '\u{2029}' { 2 } else { 1 };
                lex.newlines = lex.newlines.saturating_add(lines);
                lex.inline_code = false;
                self.line_end(sink);
            }
        } else {
            lex.cr = false;
        }
    }

    /// The line breaks before the lexeme that starts at `at`.
    pub(super) fn flush_space(&mut self, at: usize, sink: &mut Sink<'_>) {
        if self.lex.newlines > 0 {
            let span = Span::new(self.lex.space_start, at);
            self.report(LexKind::Newline, LexFlags::default(), span, "\n", sink);
        }
        self.lex.newlines = 0;
        self.lex.space = false;
        self.lex.cr = false;
    }

    /// Whether nothing at `at` can start or end a sentence.
    const fn goes_on(&self, at: usize) -> bool {
        !self.lex.at_line_start() && !self.hold.has_verdict() && self.sent.runs(at)
    }

    fn begin(&mut self, c: char, at: usize, sink: &mut Sink<'_>) {
        let mut fresh = false;
        let space;
        if self.goes_on(at) {
            space = std::mem::take(&mut self.lex.space);
            self.lex.cr = false;
        } else {
            if self.start_hold(c, at) {
                return;
            }
            fresh = self.sentence_start(c, at, sink);
            space = self.lex.space;
            self.flush_space(at, sink);
        }
        let code = self.sent.kind == SentenceKind::Code;
        let lex = &mut self.lex;
        if lex.inline_code && at - lex.code_at >= MAX_QUOTE {
            lex.inline_code = false;
        }
        lex.seen = true;
        lex.start = at;
        lex.len = 0;
        lex.text.clear();
        lex.npend = 0;
        (lex.numeric, lex.tech, lex.grouped) = (false, false, false);
        lex.dots = 0;
        let mut flags = LexFlags::default();
        if space {
            flags = flags.with(LexFlags::SPACE_BEFORE);
        }
        if code || lex.inline_code {
            flags = flags.with(LexFlags::CODE);
        }
        if lex.quoted(at) {
            flags = flags.with(LexFlags::QUOTED);
        }
        lex.flags = flags;
        let free = space || fresh || lex.after_opener;
        if c.is_ascii_digit() || is_vulgar_fraction(c) {
            lex.mode = if c.is_ascii() {
                Mode::Number
            } else {
                Mode::Word
            };
            lex.numeric = true;
            lex.append(c);
        } else if is_word_char(c) {
            lex.append(c);
            if is_ideograph(c) {
                self.close_lexeme(LexKind::Word, sink);
            } else {
                lex.mode = Mode::Word;
            }
        } else if free && matches!(c, '-' | '−' | '+' | '.' | '/') {
            lex.mode = Mode::Lead;
            lex.append(c);
        } else {
            self.mark(c, sink);
        }
    }

    /// A sign or point: part of a number if a digit follows; a slash: of a path.
    fn lead(&mut self, c: char, at: usize, sink: &mut Sink<'_>) {
        let mark = self.lex.text.chars().next().unwrap_or('-');
        if mark != '/' && c.is_ascii_digit() {
            self.lex.mode = Mode::Number;
            self.lex.numeric = true;
            self.lex.dots = u8::from(mark == '.');
            self.lex.append(c);
        } else if mark == '/' && c.is_ascii_alphabetic() {
            self.lex.mode = Mode::Tech;
            self.lex.append(c);
        } else {
            self.mark_done(mark, sink);
            self.step(c, at, sink);
        }
    }

    fn word(&mut self, c: char, at: usize, sink: &mut Sink<'_>) {
        if c == ' ' && self.lex.npend == 0 {
            self.flush(sink);
            self.lex.space = true;
            self.lex.space_start = at;
            return;
        }
        let lex = &mut self.lex;
        let part = is_word_char(c) && !is_ideograph(c);
        if part && lex.len < MAX_LEXEME && (lex.npend == 0 || lex.joins(c)) {
            for i in 0..lex.npend {
                lex.append(lex.pend[i as usize]);
            }
            lex.npend = 0;
            lex.append(c);
            return;
        }
        let pend = &lex.pend[..lex.npend as usize];
        if !part && lex.len < MAX_LEXEME {
            let waits = match pend {
                [] => matches!(
                    c,
                    '\'' | '’' | '-' | '\u{2010}' | '\u{2011}' | '.' | '_' | '@' | ':' | '&'
                ),
                [':'] => matches!(c, ':' | '/'),
                [':', '/'] => c == '/',
                _ => false,
            };
            if waits && !(lex.numeric && c != '.') {
                lex.pend[lex.npend as usize] = c;
                lex.npend += 1;
                return;
            }
        }
        self.flush(sink);
        self.step(c, at, sink);
    }

    fn number(&mut self, c: char, at: usize, sink: &mut Sink<'_>) {
        let lex = &mut self.lex;
        let room = lex.len < MAX_LEXEME;
        match (lex.npend, lex.pend[0]) {
            (0, _) if c.is_ascii_digit() && room => return lex.append(c),
            (0, _) if is_word_char(c) && !is_ideograph(c) && room => {
                lex.mode = Mode::Word;
                return lex.append(c);
            }
            (0, _) if c == '.' && room => {
                lex.pend[0] = c;
                lex.npend = 1;
                return;
            }
            (0, _) if is_group_mark(c) && lex.dots == 0 && room => {
                let digits = lex.text.trim_start_matches(['-', '−', '+']).len();
                if lex.text.len() == lex.len && (lex.grouped || digits <= 3) {
                    lex.pend[0] = c;
                    lex.npend = 1;
                    return;
                }
            }
            (1, '.') if c.is_ascii_digit() => {
                lex.append('.');
                lex.dots = lex.dots.saturating_add(1);
                lex.npend = 0;
                return lex.append(c);
            }
            (1..=3, mark) if mark != '.' && c.is_ascii_digit() => {
                lex.pend[lex.npend as usize] = c;
                lex.npend += 1;
                return;
            }
            (4, _) if !c.is_ascii_digit() => {
                lex.join_group();
                return self.step(c, at, sink);
            }
            _ => {}
        }
        self.flush(sink);
        self.step(c, at, sink);
    }

    fn technical(&mut self, c: char, at: usize, sink: &mut Sink<'_>) {
        let lex = &mut self.lex;
        if is_url_char(c) && lex.len < MAX_LEXEME {
            let trailing = matches!(
                c,
                '.' | ',' | ';' | ':' | '!' | '?' | '\'' | '*' | ')' | ']' | '}'
            );
            if !trailing {
                for i in 0..lex.npend {
                    lex.append(lex.pend[i as usize]);
                }
                lex.npend = 0;
                return lex.append(c);
            }
            if (lex.npend as usize) < PEND {
                lex.pend[lex.npend as usize] = c;
                lex.npend += 1;
                return;
            }
        }
        self.flush(sink);
        self.step(c, at, sink);
    }

    /// Ends the lexeme; what was pending is read again on its own.
    fn flush(&mut self, sink: &mut Sink<'_>) {
        let (pend, count) = (self.lex.pend, self.lex.npend as usize);
        self.lex.npend = 0;
        let mut at = self.lex.start + self.lex.len;
        let kind = match self.lex.mode {
            Mode::Number => LexKind::Number,
            Mode::Word
                if self.lex.numeric && crate::lexicon::units::number_suffix(&self.lex.text) =>
            {
                LexKind::Number
            }
            _ => LexKind::Word,
        };
        if self.lex.mode == Mode::Tech {
            self.lex.tech = true;
        }
        self.close_before(kind, count > 0 && pend[0] == '.', sink);
        for &c in &pend[..count] {
            self.step(c, at, sink);
            at += c.len_utf8();
        }
    }

    fn mark(&mut self, c: char, sink: &mut Sink<'_>) {
        self.lex.append(c);
        self.mark_done(c, sink);
    }

    fn mark_done(&mut self, c: char, sink: &mut Sink<'_>) {
        let start = self.lex.start;
        let space = self.lex.flags.has(LexFlags::SPACE_BEFORE);
        if c == '`' && self.sent.kind != SentenceKind::Code {
            self.lex.inline_code = !self.lex.inline_code;
            self.lex.code_at = start;
        }
        let free = space || self.lex.after_opener || !self.sent.worded;
        let opens = self.lex.quote(c, start, free);
        let adjacent = !space && self.lex.prev == Prev::Word;
        self.close_lexeme(LexKind::Punct, sink);
        self.lex.prev = Prev::Punct(c);
        self.lex.after_opener = opens;
        if is_terminator(c) {
            self.terminator(c, start, adjacent);
        }
        if c == '|' && self.sent.kind == SentenceKind::TableRow {
            self.sent.worded = false;
        }
    }

    fn close_lexeme(&mut self, kind: LexKind, sink: &mut Sink<'_>) {
        self.close_before(kind, false, sink);
    }

    /// Reports the lexeme; `at_stop` if a full stop stands right after it.
    fn close_before(&mut self, kind: LexKind, at_stop: bool, sink: &mut Sink<'_>) {
        let text = std::mem::take(&mut self.lex.text);
        let lex = &mut self.lex;
        lex.mode = Mode::Idle;
        let span = Span::new(lex.start, lex.start + lex.len);
        let mut flags = lex.flags;
        if kind == LexKind::Punct {
            if !text.is_ascii() {
                flags = flags.with(LexFlags::NON_ASCII);
            }
        } else {
            flags = flags.with(word_flags(&text));
            if lex.tech {
                flags = flags.with(LexFlags::TECHNICAL);
            }
            if text.len() < lex.len {
                flags = flags.with(LexFlags::OVERLONG);
            }
            if lex.after_opener {
                flags = flags.with(LexFlags::AFTER_OPENER);
            }
            if span.start >= self.sent.marker_end && !std::mem::replace(&mut self.sent.worded, true)
            {
                flags = flags.with(LexFlags::SENTENCE_START);
            }
            lex.last_len = 0;
            if at_stop && kind == LexKind::Word && text.len() <= lex.last_word.len() {
                lex.last_word[..text.len()].copy_from_slice(text.as_bytes());
                lex.last_len = text.len() as u8;
            }
            lex.prev = Prev::Word;
            lex.after_opener = false;
        }
        self.report(kind, flags, span, &text, sink);
        self.lex.text = text;
    }

    fn report(
        &mut self,
        kind: LexKind,
        flags: LexFlags,
        span: Span,
        text: &str,
        sink: &mut Sink<'_>,
    ) {
        let lexeme = Lexeme {
            kind,
            flags,
            span,
            decided_at: self.pos,
        };
        sink(SegEvent::Lexeme(lexeme), text);
        let label = span.start < self.sent.marker_end;
        self.scan.lexeme(&lexeme, text, label, self.pos, sink);
        if kind != LexKind::Newline {
            self.sent.last_end = span.end;
            self.sent.lexemes += 1;
        }
    }

    /// The end of input, as one more symbol.
    pub(super) fn end_of_input(&mut self, sink: &mut Sink<'_>) {
        self.hold_end(sink);
        while self.lex.mode != Mode::Idle {
            match self.lex.mode {
                Mode::Lead => {
                    let mark = self.lex.text.chars().next().unwrap_or('-');
                    self.mark_done(mark, sink);
                }
                Mode::Number if self.lex.npend == 4 => self.lex.join_group(),
                _ => self.flush(sink),
            }
            self.hold_end(sink);
        }
        self.close_sentence(false, sink);
        self.flush_space(self.pos, sink);
    }
}

impl Lexing {
    fn join_group(&mut self) {
        for i in 0..self.npend {
            self.append(self.pend[i as usize]);
        }
        self.npend = 0;
        self.grouped = true;
    }

    /// Whether the pending marks and `c` continue the word; some make it technical.
    fn joins(&mut self, c: char) -> bool {
        let tail = &self.text[self.text.rfind('.').map_or(0, |i| i + 1)..];
        match &self.pend[..self.npend as usize] {
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

fn word_flags(text: &str) -> LexFlags {
    let bytes = text.as_bytes();
    if let Some((first, rest)) = bytes.split_first() {
        if first.is_ascii_alphabetic() && rest.iter().all(u8::is_ascii_lowercase) {
            let capital = if first.is_ascii_uppercase() {
                LexFlags::CAPITALIZED.0
            } else {
                0
            };
            return LexFlags(capital);
        }
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
