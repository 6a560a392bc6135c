//! A turn read like an answer: its statements and the names in it.

use crate::claims::{Attributes, SentenceView, extract};
use crate::entities::{MentionScanner, Names};
use crate::segment::{SegEvent, Segmenter};
use crate::types::{DateExpr, Lexeme, Mention, MentionKind, Quantity, Resolution, Sentence, Span};

use super::Role;
use super::said::{Said, Spoken, said};
use super::statement::{Statement, statements};

/// Bytes of a turn that are read; a tool's result may be long.
const READ: usize = 32 * 1024;
/// Statements of one turn that are kept.
const STATEMENTS: usize = 64;
/// Names of one turn that are kept.
const NAMES: usize = 128;

/// What a turn established.
#[derive(Debug, Clone, Default)]
pub(super) struct Read {
    pub(super) statements: Vec<Statement>,
    /// What later statements are held against.
    pub(super) said: Vec<Said>,
    /// Proper names as written.
    pub(super) names: Vec<String>,
    /// Known entities in the order of their first mention.
    pub(super) entities: Vec<u32>,
}

/// Reads a turn with the extractor that answers are read with.
pub(super) fn read(text: &str, role: Role, names: &Names, attributes: &Attributes) -> Read {
    let mut cut = text.len().min(READ);
    while !text.is_char_boundary(cut) {
        cut -= 1;
    }
    let text = &text[..cut];
    let mut reader = Reader {
        text,
        names,
        attributes,
        role,
        scanner: MentionScanner::new(),
        last: None,
        spoken: None,
        lexemes: Vec::new(),
        quantities: Vec::new(),
        dates: Vec::new(),
        mentions: Vec::new(),
        out: Read::default(),
    };
    let mut segmenter = Segmenter::new();
    let mut sink = |event: SegEvent, _: &str| match event {
        SegEvent::Lexeme(lexeme) => reader.lexeme(lexeme),
        SegEvent::Quantity(quantity) => reader.quantities.push(quantity),
        SegEvent::Date(date) => reader.dates.push(date),
        SegEvent::Sentence(sentence) => reader.sentence(&sentence),
    };
    segmenter.push(text, &mut sink);
    segmenter.finish(&mut sink);
    reader.out
}

/// Known entities that a text names, the last first.
#[must_use]
pub fn known_entities(text: &str, names: &Names) -> Vec<u32> {
    if names.is_empty() {
        return Vec::new();
    }
    let mut read = read(text, Role::User, names, &Attributes::default());
    read.entities.reverse();
    read.entities
}

/// What a text says, in the form in which it is held against other texts; of a text of any length,
/// the beginning.
#[must_use]
pub fn said_in(text: &str, names: &Names, attributes: &Attributes) -> Vec<Said> {
    read(text, Role::Assistant, names, attributes).said
}

struct Reader<'a> {
    text: &'a str,
    names: &'a Names,
    attributes: &'a Attributes,
    role: Role,
    scanner: MentionScanner,
    last: Option<super::statement::Subject>,
    spoken: Option<Spoken>,
    lexemes: Vec<Lexeme>,
    quantities: Vec<Quantity>,
    dates: Vec<DateExpr>,
    mentions: Vec<Mention>,
    out: Read,
}

impl<'a> Reader<'a> {
    fn at(&self, span: Span) -> &'a str {
        self.text.get(span.start..span.end).unwrap_or("")
    }

    fn lexeme(&mut self, lexeme: Lexeme) {
        let text = self.text.get(lexeme.span.start..lexeme.span.end);
        let mentions = &mut self.mentions;
        self.scanner
            .push(self.names, &lexeme, text.unwrap_or(""), &mut |mention| {
                mentions.push(mention);
            });
        self.lexemes.push(lexeme);
    }

    fn sentence(&mut self, sentence: &Sentence) {
        let mentions = &mut self.mentions;
        self.scanner
            .sentence_end(self.names, sentence.decided_at, &mut |mention| {
                mentions.push(mention);
            });
        for mention in &self.mentions {
            if let Resolution::Known(ids) = &mention.resolution
                && let Some(&id) = ids.first()
                && !self.out.entities.contains(&id)
                && self.out.entities.len() < NAMES
            {
                self.out.entities.push(id);
            }
            if mention.kind == MentionKind::ProperName && self.out.names.len() < NAMES {
                let name = self.at(mention.span).to_owned();
                if !self.out.names.contains(&name) {
                    self.out.names.push(name);
                }
            }
        }
        if self.out.statements.len() < STATEMENTS {
            let view = SentenceView {
                text: self.at(sentence.span),
                sentence,
                lexemes: &self.lexemes,
                quantities: &self.quantities,
                dates: &self.dates,
                mentions: &self.mentions,
                signals: &[],
                antecedents: &[],
                attributes: self.attributes,
            };
            let claims = extract(&view);
            let found = statements(&view, &claims, self.role, &mut self.last);
            self.out.statements.extend(found);
            self.out.statements.truncate(STATEMENTS);
            let said = said(&view, &claims, &mut self.spoken);
            self.out.said.extend(said);
            self.out.said.truncate(STATEMENTS);
        }
        self.lexemes.clear();
        self.quantities.clear();
        self.dates.clear();
        self.mentions.clear();
    }
}
