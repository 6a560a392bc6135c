//! Characters to lexemes.

use super::brackets::is_transparent;
use super::chars::{
    is_group_mark, is_ideograph, is_newline, is_space, is_terminator, is_url_char,
    is_vulgar_fraction, is_word_char,
};
use super::lexing::{MAX_QUOTE, Mode, Prev, TRAILING, word_flags};
use super::{MAX_LEXEME, MAX_WORD_TEXT, SegEvent, Segmenter, Sink};
use crate::lexicon::units::digit;
use crate::types::{LexFlags, LexKind, Lexeme, SentenceKind, Span};

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
        let begun = !self.sent.bare_item();
        begun && !self.lex.at_line_start() && !self.hold.has_verdict() && self.sent.runs(at)
    }

    fn begin(&mut self, c: char, at: usize, sink: &mut Sink<'_>) {
        let mut fresh = false;
        let space;
        if self.goes_on(at) {
            space = std::mem::take(&mut self.lex.space);
            self.lex.cr = false;
        } else {
            if self.start_hold(c, at, sink) {
                return;
            }
            fresh = self.sentence_start(c, at, sink);
            space = self.lex.space;
            self.flush_space(at, sink);
        }
        let code = self.sent.kind == SentenceKind::Code;
        let lex = &mut self.lex;
        // A grave accent before a space opened no code.
        let stray = space && lex.prev == Prev::Punct('`');
        lex.inline_code &= !stray && at - lex.code_at < MAX_QUOTE;
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
            lex.gap = true;
        }
        if code || lex.inline_code {
            flags = flags.with(LexFlags::CODE);
        }
        if lex.quoted(at) {
            flags = flags.with(LexFlags::QUOTED);
        }
        if lex.form.inside {
            flags = flags.with(LexFlags::FORM);
        }
        lex.flags = flags;
        let free = space || fresh || lex.after_opener;
        if digit(c).is_some() || is_vulgar_fraction(c) {
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
            _ if lex.npend > 2 && lex.lakh(c) => return,
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
            (0, _)
                if is_group_mark(c)
                    && room
                    && (lex.groups() || c == ',' && lex.takes_decimals()) =>
            {
                lex.pend[0] = c;
                lex.npend = 1;
                return;
            }
            (1, '.') if c.is_ascii_digit() => {
                lex.append('.');
                lex.dots = lex.dots.saturating_add(1);
                lex.npend = 0;
                return lex.append(c);
            }
            (2 | 3, ',') if matches!(c, ',' | '.') && usize::from(lex.npend) == lex.decimals() => {
                lex.pend[lex.npend as usize] = c;
                lex.npend += 1;
                return;
            }
            (3 | 4, ',')
                if matches!(lex.pend[lex.npend as usize - 1], ',' | '.') && c.is_ascii_digit() => {}
            (_, ',') if !c.is_ascii_digit() && lex.decimals() > 0 => {
                self.decimal_comma(at, sink);
                return self.step(c, at, sink);
            }
            (1..=3, mark)
                if mark != '.' && c.is_ascii_digit() && (lex.npend < 3 || lex.groups()) =>
            {
                lex.pend[lex.npend as usize] = c;
                lex.npend += 1;
                return;
            }
            _ if lex.whole_groups() && !c.is_ascii_digit() => {
                lex.join_group();
                return self.step(c, at, sink);
            }
            _ => {}
        }
        self.flush(sink);
        self.step(c, at, sink);
    }

    /// Takes a decimal comma and the digits behind it, of a number that ends before `at`.
    pub(super) fn decimal_comma(&mut self, at: usize, sink: &mut Sink<'_>) {
        let pending = &self.lex.pend[..self.lex.npend as usize];
        let behind = pending.get(self.lex.decimals()).copied();
        self.lex.npend = self.lex.decimals() as u8;
        self.lex.join_group();
        self.lex.dots = self.lex.dots.saturating_add(1);
        if let Some(mark) = behind {
            self.flush(sink);
            self.step(mark, at - 1, sink);
        }
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
            if (lex.npend as usize) < TRAILING {
                lex.pend[lex.npend as usize] = c;
                lex.npend += 1;
                return;
            }
        }
        self.flush(sink);
        self.step(c, at, sink);
    }

    /// Ends the lexeme; what was pending is read again on its own.
    pub(super) fn flush(&mut self, sink: &mut Sink<'_>) {
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
        self.close_before(kind, count == 0 || matches!(pend[0], '.' | ':'), sink);
        for &c in &pend[..count] {
            self.step(c, at, sink);
            at += c.len_utf8();
        }
    }

    fn mark(&mut self, c: char, sink: &mut Sink<'_>) {
        self.lex.append(c);
        self.mark_done(c, sink);
    }

    pub(super) fn mark_done(&mut self, c: char, sink: &mut Sink<'_>) {
        let start = self.lex.start;
        let space = self.lex.flags.has(LexFlags::SPACE_BEFORE);
        // Behind a word it opens no code: "caf` is".
        let opens_code = space || self.lex.prev != Prev::Word;
        if c == '`' && self.sent.kind != SentenceKind::Code && (self.lex.inline_code || opens_code)
        {
            self.lex.inline_code = !self.lex.inline_code;
            self.lex.code_at = start;
        }
        let free = space || self.lex.after_opener || !self.sent.worded;
        let opens = self.lex.quote(c, start, free);
        self.lex.form.mark(c, opens);
        let adjacent = !space && self.lex.prev == Prev::Word;
        self.close_lexeme(LexKind::Punct, sink);
        self.lex.prev = Prev::Punct(c);
        self.lex.after_opener = opens;
        if !is_transparent(c) {
            (self.lex.behind, self.lex.gap) = (Some(c), false);
        }
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

    /// Reports the lexeme; `kept` if it may be the last word of a line or before a full stop or a colon.
    fn close_before(&mut self, kind: LexKind, kept: bool, sink: &mut Sink<'_>) {
        let text = std::mem::take(&mut self.lex.text);
        let lex = &mut self.lex;
        lex.mode = Mode::Idle;
        let span = Span::new(lex.start, lex.start + lex.len);
        let mut flags = lex.flags;
        if matches!(kind, LexKind::Word | LexKind::Number) {
            lex.form.word();
        }
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
            if kept && text.len() <= lex.last_word.len() {
                lex.last_word[..text.len()].copy_from_slice(text.as_bytes());
                lex.last_len = text.len() as u8;
            }
            lex.prev = Prev::Word;
            lex.after_opener = false;
            (lex.behind, lex.gap) = (None, false);
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
        if text == "[" && kind == LexKind::Punct {
            self.scan.lead = self.lex.lead(self.sent.worded);
        }
        self.scan.lexeme(&lexeme, text, label, self.pos, sink);
        if kind != LexKind::Newline {
            self.sent.last_end = span.end;
            self.sent.lexemes += 1;
            self.sent.line.lexeme(kind, flags, text);
        }
    }
}
