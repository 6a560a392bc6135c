//! Where sentences start and end.

use super::chars::{is_closer, is_hard_terminator, is_ideograph, is_terminator};
use super::hold::Verdict;
use super::label::Line;
use super::lexing::Prev;
use super::{MAX_LEXEMES, MAX_SENTENCE, SegEvent, Segmenter, Sink};
use crate::lexicon::abbreviations::{self, Abbreviation};
use crate::lexicon::cues::{Cue, cue, verb};
use crate::lexicon::tables::stance;
use crate::normal::fold;
use crate::types::{Sentence, SentenceKind, Span};

/// A terminator has been read and the sentence may be over.
#[derive(Debug, Clone, Copy)]
struct Ending {
    mark: char,
    hard: bool,
    closers: bool,
    abbreviation: Option<Abbreviation>,
    /// The word before was of three or more small letters.
    plain_word: bool,
    /// It stands right behind a number, or a word that is no abbreviation.
    whole: bool,
}

/// What the character after a terminator says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decision {
    /// No terminator stands before it.
    None,
    /// It belongs to the end of the sentence.
    Attach,
    /// The sentence is over.
    End,
    /// The sentence goes on.
    Continue,
    /// It may open a citation mark.
    AskCitation,
    /// The word it starts decides.
    AskStarter,
}

/// The open sentence and the block it stands in.
#[derive(Debug, Clone)]
pub(super) struct Sentencing {
    pub open: bool,
    pub start: usize,
    pub kind: SentenceKind,
    pub last_end: usize,
    pub lexemes: u32,
    /// Its first word has been read.
    pub worded: bool,
    pub marker_end: usize,
    pub citation_end: usize,
    /// The mark of the code fence that is open.
    pub fence: Option<char>,
    fence_closes: bool,
    pub line: Line,
    /// Where the line began.
    line_at: usize,
    block: SentenceKind,
    ending: Option<Ending>,
    index: u32,
}

impl Default for Sentencing {
    fn default() -> Self {
        Self {
            open: false,
            start: 0,
            kind: SentenceKind::Prose,
            last_end: 0,
            lexemes: 0,
            worded: false,
            marker_end: 0,
            citation_end: 0,
            fence: None,
            fence_closes: false,
            line: Line::default(),
            line_at: 0,
            block: SentenceKind::Prose,
            ending: None,
            index: 0,
        }
    }
}

impl Sentencing {
    /// Whether a code fence is open, and its last line is not being read.
    pub const fn in_fence(&self) -> bool {
        self.fence.is_some() && !self.fence_closes
    }

    /// Whether the mark of a list is open, and no word behind it.
    pub const fn bare_item(&self) -> bool {
        self.open && !self.worded && matches!(self.kind, SentenceKind::ListItem)
    }

    /// Whether a sentence is open that neither a terminator nor the cap may end at `at`.
    pub const fn runs(&self, at: usize) -> bool {
        self.open
            && self.ending.is_none()
            && at - self.start < MAX_SENTENCE
            && self.lexemes < MAX_LEXEMES
    }
}

/// Whether a word at the end of a line is followed by another of its sentence.
fn leads_on(word: &str) -> bool {
    let mut folded = String::new();
    fold(word, &mut folded);
    let links = Cue::PREPOSITION
        .or(Cue::DETERMINER)
        .or(Cue::CONJUNCTION)
        .or(Cue::COPULA)
        .or(Cue::AUXILIARY)
        .or(Cue::POSSESSIVE)
        .or(Cue::REPORT)
        .or(Cue::BREAK)
        .or(Cue::QUESTION);
    let base = verb(&folded).is_some_and(|base| cue(base).is(Cue::REPORT));
    base || cue(&folded).is(links) || stance().has("belief", &folded)
}

const fn is_line(kind: SentenceKind) -> bool {
    matches!(
        kind,
        SentenceKind::Heading | SentenceKind::TableRow | SentenceKind::Code
    )
}

impl Segmenter {
    /// What `c`, the first of a lexeme, says about the terminator before it.
    pub(super) fn decide(&self, c: char) -> Decision {
        let Some(ending) = &self.sent.ending else {
            return self.broken(c);
        };
        let space = self.lex.space;
        // Code that is never closed ends where a sentence plainly does.
        if self.lex.inline_code && c != '`' {
            return if space && c.is_uppercase() {
                Decision::AskStarter
            } else {
                Decision::Continue
            };
        }
        if (is_terminator(c) && (!space || (c == '.' && ending.mark == '.'))) || is_closer(c, space)
        {
            return Decision::Attach;
        }
        if c == '[' {
            return Decision::AskCitation;
        }
        if ending.hard {
            return Decision::End;
        }
        let upper = c.is_uppercase();
        if !space {
            // "on Mondays.The", "in 1992.It": a space was left out.
            if upper && ending.mark == '.' && ending.whole && !ending.closers {
                return Decision::AskStarter;
            }
            let ends = is_ideograph(c)
                || upper && (ending.mark != '.' || ending.closers || ending.plain_word);
            return if ends {
                Decision::End
            } else {
                Decision::Continue
            };
        }
        if matches!(c, ',' | ';' | ':') {
            return Decision::Continue;
        }
        let abbreviation = if ending.closers {
            None
        } else {
            ending.abbreviation
        };
        if c.is_lowercase() || matches!(c, '—' | '–') {
            let ends = ending.mark == '.' && !ending.closers && abbreviation.is_none();
            return if ends {
                Decision::End
            } else {
                Decision::Continue
            };
        }
        match abbreviation {
            Some(Abbreviation::Title | Abbreviation::Inner) => Decision::Continue,
            Some(Abbreviation::Numeric) if c.is_ascii_digit() => Decision::Continue,
            Some(Abbreviation::Unknown) if !upper => Decision::Continue,
            Some(Abbreviation::Doubtful | Abbreviation::Closing) if upper => Decision::AskStarter,
            Some(Abbreviation::Doubtful | Abbreviation::Closing) if c == '(' => Decision::Continue,
            _ => Decision::End,
        }
    }

    /// What a line break without a mark before it says ("It is in Oslo\nIt has 60 rooms"): the next word
    /// decides, unless the line is of those that another goes on with ("In 1980", "You wrote").
    fn broken(&self, c: char) -> Decision {
        let running = matches!(self.sent.kind, SentenceKind::Prose | SentenceKind::ListItem);
        let lines = self.lex.newlines > 0 && self.sent.open && running;
        if !lines || !c.is_uppercase() || self.lex.inline_code {
            return Decision::None;
        }
        let whole = match self.lex.prev {
            Prev::Word => !leads_on(self.lex.last_word()),
            Prev::Punct(mark) => is_closer(mark, false) || matches!(mark, ':' | '%' | '*' | '_'),
            Prev::None => false,
        };
        if whole && !self.sent.line.leads() {
            Decision::AskStarter
        } else {
            Decision::None
        }
    }

    /// What becomes of the open sentence before `c`, which starts no marker or row.
    pub(super) fn over(&self, c: char, at: usize, verdict: Option<Verdict>) -> Decision {
        if self.lex.at_line_start() && self.sent.line.whole() && !c.is_lowercase() {
            return Decision::End;
        }
        if at < self.sent.citation_end {
            return Decision::Attach;
        }
        match verdict {
            Some(Verdict::Citation) => Decision::Attach,
            Some(Verdict::Bracket | Verdict::Starter(true)) => Decision::End,
            Some(Verdict::Starter(false)) => Decision::Continue,
            _ => self.decide(c),
        }
    }

    /// Closes and opens sentences before the lexeme that starts with `c`; says whether a
    /// sentence was opened.
    pub(super) fn sentence_start(&mut self, c: char, at: usize, sink: &mut Sink<'_>) -> bool {
        let verdict = self.hold.take_verdict();
        let line_start = self.lex.at_line_start();
        let marker = matches!(
            verdict,
            Some(Verdict::List | Verdict::Heading | Verdict::Fence)
        );
        let row = line_start && c == '|' && self.sent.fence.is_none();
        if self.sent.open {
            let decision = if marker || row {
                Decision::End
            } else {
                self.over(c, at, verdict)
            };
            match decision {
                Decision::End => self.close_sentence(false, sink),
                Decision::Attach => {
                    if let Some(ending) = &mut self.sent.ending {
                        ending.closers |= !is_terminator(c);
                    }
                }
                _ => self.sent.ending = None,
            }
            let sent = &self.sent;
            if sent.open && (at - sent.start >= MAX_SENTENCE || sent.lexemes >= MAX_LEXEMES) {
                self.close_sentence(true, sink);
            }
        }
        if self.sent.open {
            if line_start {
                self.sent.line = Line::default();
                self.sent.line_at = at;
            }
            return false;
        }
        match verdict {
            Some(Verdict::List) => self.sent.block = SentenceKind::ListItem,
            Some(Verdict::Heading) => self.sent.block = SentenceKind::Heading,
            Some(Verdict::Fence) => {
                self.sent.fence_closes = self.sent.fence.is_some();
                self.sent.fence = Some(c);
            }
            _ if row => self.sent.block = SentenceKind::TableRow,
            _ => {}
        }
        let sent = &mut self.sent;
        sent.open = true;
        sent.start = at;
        if line_start {
            sent.line_at = at;
        }
        sent.kind = if sent.fence.is_some() {
            SentenceKind::Code
        } else {
            sent.block
        };
        sent.worded = false;
        sent.lexemes = 0;
        sent.ending = None;
        sent.line = Line::begin(line_start && sent.kind == SentenceKind::Prose);
        true
    }

    /// A terminator was read; `adjacent` if a word stands right before it.
    pub(super) fn terminator(&mut self, c: char, at: usize, adjacent: bool) {
        if at < self.sent.marker_end
            || matches!(self.sent.kind, SentenceKind::Code | SentenceKind::TableRow)
        {
            return;
        }
        let hard = is_hard_terminator(c);
        if let Some(ending) = &mut self.sent.ending {
            ending.hard |= hard;
            ending.abbreviation = None;
            (ending.plain_word, ending.whole) = (false, false);
            ending.mark = match (ending.mark, c) {
                ('.' | '…', '.') => '…',
                (mark @ ('?' | '？'), _) => mark,
                (mark, '.' | '…') => mark,
                (_, c) => c,
            };
            return;
        }
        let word = if adjacent && c == '.' {
            self.lex.last_word()
        } else {
            ""
        };
        let plain_word = word.len() >= 3 && word.bytes().all(|b| b.is_ascii_lowercase());
        let abbreviation = abbreviations::class(word);
        let number = word.len() > 1 && word.bytes().all(|b| b.is_ascii_digit());
        let long = word.is_empty() || number || word.chars().count() >= 3;
        let whole = adjacent && c == '.' && !plain_word && abbreviation.is_none() && long;
        self.sent.ending = Some(Ending {
            mark: c,
            hard,
            closers: false,
            abbreviation,
            plain_word,
            whole,
        });
    }

    /// A line has ended.
    pub(super) fn line_end(&mut self, sink: &mut Sink<'_>) {
        if self.sent.open && (is_line(self.sent.kind) || self.lex.newlines >= 2) {
            self.close_sentence(false, sink);
        }
        if is_line(self.sent.block) || self.lex.newlines >= 2 {
            self.sent.block = SentenceKind::Prose;
        }
        if std::mem::take(&mut self.sent.fence_closes) {
            self.sent.fence = None;
        }
        if self.lex.newlines >= 2 {
            self.lex.reset_quotes();
        }
    }

    /// Reports the open sentence.
    pub(super) fn close_sentence(&mut self, capped: bool, sink: &mut Sink<'_>) {
        if !self.sent.open {
            return;
        }
        self.scan.flush(self.pos, sink);
        let sent = &mut self.sent;
        sent.open = false;
        let ending = sent.ending.take();
        let sentence = Sentence {
            index: sent.index,
            span: Span::new(sent.start, sent.last_end),
            kind: sent.kind,
            terminator: ending.filter(|_| !capped).map(|ending| ending.mark),
            capped,
            decided_at: self.pos,
        };
        sent.index = sent.index.saturating_add(1);
        self.lex.inline_code = false;
        sink(SegEvent::Sentence(sentence), "");
    }
}
