//! A few characters held back where the next ones decide whether a new sentence starts:
//! list and heading markers, citation marks, and the word after a doubtful abbreviation.

use super::sentence::Decision;
use super::{Segmenter, Sink};
use crate::lexicon::abbreviations::is_starter;

const HOLD: usize = 16;

/// What the held characters may turn out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Wait {
    #[default]
    Marker,
    Citation,
    Starter,
}

/// What held characters turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// No marker; the line goes on.
    Plain,
    /// A list marker of so many bytes.
    List,
    /// A heading marker.
    Heading,
    /// A code fence.
    Fence,
    /// A citation mark that belongs to the sentence before.
    Citation,
    /// A bracket, but no citation.
    Bracket,
    /// The next word does, or does not, start a sentence.
    Starter(bool),
}

/// Characters held back.
#[derive(Debug, Clone, Default)]
pub(super) struct Held {
    wait: Wait,
    chars: [char; HOLD],
    count: u8,
    at: usize,
    verdict: Option<Verdict>,
}

impl Held {
    pub const fn active(&self) -> bool {
        self.count > 0
    }

    pub const fn has_verdict(&self) -> bool {
        self.verdict.is_some()
    }

    pub const fn take_verdict(&mut self) -> Option<Verdict> {
        self.verdict.take()
    }

    fn text(&self) -> &[char] {
        &self.chars[..self.count as usize]
    }
}

fn is_blank(c: Option<char>) -> bool {
    c.is_none_or(char::is_whitespace)
}

impl Segmenter {
    /// Whether `c` has to wait for what follows it; it is then held. A sentence that is over whatever
    /// follows does not wait with it.
    pub(super) fn start_hold(&mut self, c: char, at: usize, sink: &mut Sink<'_>) -> bool {
        let known = self.hold.verdict;
        let marks = self.lex.at_line_start() && self.may_mark(c) || self.opens_in_item(c);
        let wait = if known.is_none() && marks {
            if self.sent.open && self.over(c, at, None) == Decision::End {
                self.close_sentence(false, sink);
            }
            Wait::Marker
        } else if matches!(known, None | Some(Verdict::Plain)) && self.sent.open {
            match self.decide(c) {
                Decision::AskCitation => Wait::Citation,
                Decision::AskStarter => Wait::Starter,
                _ => return false,
            }
        } else {
            return false;
        };
        self.hold = Held {
            wait,
            chars: ['\0'; HOLD],
            count: 1,
            at,
            verdict: None,
        };
        self.hold.chars[0] = c;
        true
    }

    /// A code fence may stand right behind the mark of a list: "- ```python".
    fn opens_in_item(&self, c: char) -> bool {
        matches!(c, '`' | '~') && self.sent.fence.is_none() && self.sent.bare_item()
    }

    fn may_mark(&self, c: char) -> bool {
        if self.sent.fence.is_some() {
            return self.sent.fence == Some(c);
        }
        c.is_ascii_alphanumeric() || matches!(c, '-' | '*' | '+' | '–' | '•' | '#' | '`' | '~')
    }

    /// Reads one more character behind the held ones.
    pub(super) fn hold_step(&mut self, c: char, at: usize, sink: &mut Sink<'_>) {
        match self.resolve(Some(c)) {
            None => {
                self.hold.chars[self.hold.count as usize] = c;
                self.hold.count += 1;
            }
            Some(verdict) => {
                self.release(verdict, sink);
                self.step(c, at, sink);
            }
        }
    }

    /// Nothing more follows the held characters.
    pub(super) fn hold_end(&mut self, sink: &mut Sink<'_>) {
        while self.hold.active() {
            let verdict = self.resolve(None).unwrap_or(Verdict::Plain);
            self.release(verdict, sink);
        }
    }

    fn release(&mut self, verdict: Verdict, sink: &mut Sink<'_>) {
        let held = std::mem::take(&mut self.hold);
        self.hold.verdict = Some(verdict);
        let length: usize = held.text().iter().map(|c| c.len_utf8()).sum();
        match verdict {
            Verdict::List => self.sent.marker_end = held.at + length,
            Verdict::Citation => self.sent.citation_end = held.at + length,
            _ => {}
        }
        let mut at = held.at;
        for &c in held.text() {
            self.step(c, at, sink);
            at += c.len_utf8();
        }
    }

    /// The verdict once `next` (or the end of input) is known; `None` to hold `next` too.
    fn resolve(&self, next: Option<char>) -> Option<Verdict> {
        let held = self.hold.text();
        match self.hold.wait {
            // "46." alone is an answer.
            Wait::Marker if !self.lex.seen && next.is_none() && is_number(held) => {
                Some(Verdict::Plain)
            }
            Wait::Marker => resolve_marker(held, next),
            Wait::Citation => resolve_citation(held, next),
            Wait::Starter => {
                let more = |c: char| c.is_alphabetic() || matches!(c, '\'' | '’');
                if held.len() < HOLD - 1 && next.is_some_and(more) {
                    return None;
                }
                let word: String = held.iter().collect();
                Some(Verdict::Starter(is_starter(&word)))
            }
        }
    }
}

/// Whether characters are digits and a full stop.
fn is_number(held: &[char]) -> bool {
    matches!(held, [digits @ .., '.'] if digits.iter().all(char::is_ascii_digit))
}

fn resolve_marker(held: &[char], next: Option<char>) -> Option<Verdict> {
    let first = held[0];
    let last = held[held.len() - 1];
    let verdict = match first {
        '•' => Verdict::List,
        '-' | '*' | '+' | '–' if is_blank(next) && next.is_some() => Verdict::List,
        '#' if next == Some('#') && held.len() < 6 => return None,
        '#' if is_blank(next) => Verdict::Heading,
        '`' | '~' if held.len() == 3 => Verdict::Fence,
        '`' | '~' if next == Some(first) => return None,
        '0'..='9' | 'a'..='z' | 'A'..='Z' if matches!(last, '.' | ')') => {
            if is_blank(next) {
                Verdict::List
            } else {
                Verdict::Plain
            }
        }
        '0'..='9' => match next {
            Some('0'..='9') if held.len() < 3 => return None,
            Some('.' | ')') => return None,
            _ => Verdict::Plain,
        },
        'a'..='z' | 'A'..='Z' if held.len() == 1 && next == Some(')') => return None,
        _ => Verdict::Plain,
    };
    Some(verdict)
}

fn resolve_citation(held: &[char], next: Option<char>) -> Option<Verdict> {
    let last = held[held.len() - 1];
    if last == ']' {
        let cites = held.iter().any(char::is_ascii_digit);
        return Some(if cites {
            Verdict::Citation
        } else {
            Verdict::Bracket
        });
    }
    match next {
        Some('0'..='9' | ',' | '-' | '–' | ';' | '^' | ']') if held.len() < HOLD - 1 => None,
        Some(' ') if held.len() > 1 && held.len() < HOLD - 1 => None,
        _ => Some(Verdict::Bracket),
    }
}
