//! What is pending where the text ends or is cut.

use super::lexing::Mode;
use super::{Segmenter, Sink};

impl Segmenter {
    /// Forgets the word that is being read, for text that was cut off within it. Its sentence then
    /// has one word less, and ends where the text does. The only word of a sentence stays.
    pub fn drop_open_word(&mut self) {
        let first = !self.sent.open || self.sent.lexemes == 0 || self.sent.start >= self.lex.start;
        let held = self.hold.active() || self.in_tag();
        if self.lex.mode != Mode::Word || self.lex.numeric || held || first {
            return;
        }
        self.sent.last_end = self.pos;
        self.lex.mode = Mode::Idle;
        self.lex.text.clear();
        (self.lex.len, self.lex.npend) = (0, 0);
    }

    /// The end of input, as one more symbol.
    pub(super) fn end_of_input(&mut self, sink: &mut Sink<'_>) {
        self.no_tag(sink);
        self.settle(sink);
        self.close_sentence(false, sink);
        self.flush_space(self.pos, sink);
    }

    /// Reads what is pending as if nothing followed it.
    pub(super) fn settle(&mut self, sink: &mut Sink<'_>) {
        self.hold_end(sink);
        while self.lex.mode != Mode::Idle {
            match self.lex.mode {
                Mode::Lead => {
                    let mark = self.lex.text.chars().next().unwrap_or('-');
                    self.mark_done(mark, sink);
                }
                Mode::Number if self.lex.decimals() > 0 => self.decimal_comma(self.pos, sink),
                Mode::Number if self.lex.whole_groups() => self.lex.join_group(),
                _ => self.flush(sink),
            }
            self.hold_end(sink);
        }
    }
}
