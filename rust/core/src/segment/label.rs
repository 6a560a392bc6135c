//! Lines that are whole though no mark ends them: "Price: €140", "**Hotel Aurora**".

use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::tables::stance;
use crate::normal::fold;
use crate::types::{LexFlags, LexKind};

/// Words of the name before the colon, at most.
const KEY: u8 = 4;
/// Words and numbers behind it, at most.
const VALUE: u8 = 12;
/// Words of a line in bold letters, at most.
const BOLD: u8 = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    /// Nothing but marks stood yet.
    Fresh,
    Key,
    Value,
    /// A line like others.
    #[default]
    Plain,
}

/// What the line has been so far on which the sentence began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Line {
    state: State,
    count: u8,
    /// It began with the mark of bold letters, and nothing but its name has stood since.
    bold: bool,
    /// It ended with that mark.
    closed: bool,
    /// Its first word is one that a clause depends on, or tells that what follows is not so.
    leads: bool,
    /// No word of the sentence stood yet.
    unworded: bool,
}

impl Line {
    /// A line on which a sentence begins, or the rest of one.
    pub fn begin(whole: bool) -> Self {
        Self {
            state: if whole { State::Fresh } else { State::Plain },
            unworded: true,
            ..Self::default()
        }
    }

    pub fn lexeme(&mut self, kind: LexKind, flags: LexFlags, text: &str) {
        let term = matches!(kind, LexKind::Word | LexKind::Number);
        if kind == LexKind::Word && std::mem::take(&mut self.unworded) {
            self.leads = leads(text);
        }
        let mark = matches!(text, "*" | "**" | "_" | "__");
        self.closed = self.bold && mark && self.count > 0 && self.count <= BOLD;
        match self.state {
            State::Fresh if mark => self.bold = true,
            State::Fresh if kind == LexKind::Word && flags.has(LexFlags::CAPITALIZED) => {
                (self.state, self.count) = (State::Key, 1);
            }
            State::Key if term => self.count = self.count.saturating_add(1),
            State::Key if text == ":" && self.count <= KEY => {
                (self.state, self.count, self.bold) = (State::Value, 0, false);
            }
            State::Key if mark || matches!(text, "-" | "–" | "/" | "(" | ")" | "&" | "'" | "’") =>
                {}
            State::Key if self.bold && self.count <= BOLD && text != "." => {}
            State::Value => {
                self.count = self.count.saturating_add(u8::from(term));
                if self.count > VALUE {
                    self.state = State::Plain;
                }
            }
            _ => {
                (self.state, self.bold, self.closed) = (State::Plain, false, false);
            }
        }
    }

    /// Whether another line may go on with what it says.
    pub const fn leads(self) -> bool {
        self.leads
    }

    /// Whether the sentence ends with the line, where the next does not go on in small letters.
    pub fn whole(self) -> bool {
        self.closed || self.state == State::Value && self.count > 0
    }
}

/// Words that open what the next line goes on with: "In 1980", "If", "Formerly", "Myth".
fn leads(word: &str) -> bool {
    let mut folded = String::new();
    fold(word, &mut folded);
    let links = Cue::PREPOSITION
        .or(Cue::CONJUNCTION)
        .or(Cue::BREAK)
        .or(Cue::ADVERB)
        .or(Cue::QUESTION);
    cue(&folded).is(links)
        || ["suppose", "belief", "wrongly", "unsaid"]
            .iter()
            .any(|class| stance().has(class, &folded))
}
