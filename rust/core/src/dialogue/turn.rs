//! A turn read like an answer: its statements and the names in it.

use crate::claims::{self, Attributes, Kinds, ReadCache, SentenceView, as_told, extract};
use crate::entities::{MentionScanner, Names};
use crate::lexicon::cues::Cue;
use crate::segment::{SegEvent, Segmenter};
use crate::types::{
    Claim, DateExpr, Lexeme, Mention, MentionKind, Quantity, Resolution, Sentence, Span,
};

use super::Role;
use super::change::{Change, change};
use super::follow_up::Brings;
use super::said::{Said, Spoken, said};
use super::slip::admits;
use super::statement::{Statement, statements};
use super::subject::{Subject, entity_head};
use super::titles::Titles;

/// Bytes of a turn that are read; a tool's result may be long.
const READ: usize = 32 * 1024;
/// Statements of one turn that are kept.
const STATEMENTS: usize = 512;
/// Names of one turn that are kept.
const NAMES: usize = 128;

/// What a turn established.
#[derive(Debug, Clone, Default)]
pub(super) struct Read {
    pub(super) statements: Vec<Statement>,
    /// What later statements are held against.
    pub(super) said: Vec<Said>,
    /// What it had made otherwise.
    pub(super) changes: Vec<Change>,
    /// Whether it names something, with an article or a capital.
    nouns: bool,
    /// Stems of its content words.
    words: Vec<u64>,
    /// Proper names as written.
    pub(super) names: Vec<String>,
    /// Known entities in the order of their first mention.
    pub(super) entities: Vec<u32>,
    /// What it asks about.
    pub(super) brings: Brings,
    /// Entities for which nothing but its pronouns and descriptions stands, with these.
    pub(super) meant: Vec<(Span, u32)>,
}

impl Read {
    /// What a pronoun after the turn stands for: the one thing that it states something of; else
    /// what was spoken of before it, where it names that again or nothing at all.
    pub(super) fn spoken_of(&self, before: Option<Subject>) -> Option<Subject> {
        let mut subjects = self.statements.iter().filter_map(|s| s.subject.as_ref());
        if let Some(first) = subjects.next() {
            let one = subjects.all(|subject| subject.head == first.head);
            return one.then(|| first.clone());
        }
        before.filter(|subject| {
            let named = self.words.contains(&subject.head)
                || self
                    .entities
                    .iter()
                    .any(|id| entity_head(*id) == subject.head);
            named || !self.nouns
        })
    }

    /// What is read of a sentence beside its statements.
    fn rest(
        &mut self,
        view: &SentenceView<'_>,
        claims: &[Claim],
        role: Role,
        (spoken, admitted): (&mut Option<Spoken>, &mut bool),
    ) {
        let mut said = said(view, claims, spoken);
        *admitted |= admits(view);
        if *admitted {
            said.iter_mut().for_each(|one| one.corrects = true);
        }
        self.said.extend(said);
        self.said.truncate(STATEMENTS);
        self.changes.extend(change(view, role));
        self.note(view);
    }

    /// Notes what a sentence names.
    fn note(&mut self, view: &SentenceView<'_>) {
        let folded = view.folded();
        for i in 0..view.lexemes.len() {
            let word = view.content(i);
            let article = folded.cue(i).is(Cue::DETERMINER.or(Cue::POSSESSIVE));
            self.nouns |= article || word.is_some_and(|word| word.name);
            if self.words.len() < NAMES {
                self.words.extend(word.map(|word| word.stem));
            }
        }
    }
}

/// Reads a turn with the extractor that answers are read with.
pub(super) fn read(
    text: &str,
    role: Role,
    known: Known<'_>,
    references: &mut claims::Reader,
) -> Read {
    read_parts(text, role, known, references, Parts::All)
}

/// What of a turn is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Parts {
    All,
    Statements,
}

fn read_parts(
    text: &str,
    role: Role,
    known: Known<'_>,
    references: &mut claims::Reader,
    parts: Parts,
) -> Read {
    let mut cut = text.len().min(READ);
    while !text.is_char_boundary(cut) {
        cut -= 1;
    }
    let text = &text[..cut];
    let mut reader = TurnReader {
        text,
        known,
        references,
        role,
        parts,
        scanner: MentionScanner::new(),
        last: None,
        spoken: None,
        titles: Titles::default(),
        lexemes: Vec::new(),
        quantities: Vec::new(),
        dates: Vec::new(),
        mentions: Vec::new(),
        admitted: false,
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

/// What a question speaks of.
#[derive(Debug)]
pub struct SpokenOf {
    /// Known entities that it names, the last first.
    pub named: Vec<u32>,
    /// Where pronouns and descriptions stand, and the known entities that they mean.
    pub meant: Vec<(Span, u32)>,
}

/// What a question speaks of; `references` notes what it names.
#[must_use]
pub fn spoken_of(text: &str, known: Known<'_>, references: &mut claims::Reader) -> SpokenOf {
    let mut read = read(text, Role::User, known, references);
    read.entities.reverse();
    SpokenOf {
        named: read.entities,
        meant: read.meant,
    }
}

/// What a text says, in the form in which it is held against other texts; of a text of any length,
/// the beginning.
#[must_use]
pub fn said_in(text: &str, known: Known<'_>) -> Vec<Said> {
    read(text, Role::Assistant, known, &mut claims::Reader::default()).said
}

/// What a user's turn brings in and states.
pub(super) fn brought_in(text: &str, known: Known<'_>) -> (Brings, Vec<Statement>) {
    let mut references = claims::Reader::default();
    let read = read_parts(text, Role::User, known, &mut references, Parts::Statements);
    (read.brings, read.statements)
}

/// What a sentence of a source states, in the form in which statements are compared.
#[must_use]
pub fn stated_in(text: &str, known: Known<'_>) -> Vec<Statement> {
    let mut references = claims::Reader::default();
    read_parts(text, Role::Tool, known, &mut references, Parts::Statements).statements
}

/// What is known where turns are read.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// Names of the knowledge base.
    pub names: &'a Names,
    /// Its attributes, and the lexicon.
    pub attributes: &'a Attributes,
    /// What an entity of the knowledge base is.
    pub kinds: &'a dyn Kinds,
}

impl Known<'_> {
    /// Whether there is nothing beside the shipped lexicon.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.names.is_empty() && self.attributes.is_plain()
    }
}

struct TurnReader<'a> {
    text: &'a str,
    known: Known<'a>,
    references: &'a mut claims::Reader,
    role: Role,
    parts: Parts,
    scanner: MentionScanner,
    last: Option<Subject>,
    spoken: Option<Spoken>,
    titles: Titles,
    lexemes: Vec<Lexeme>,
    quantities: Vec<Quantity>,
    dates: Vec<DateExpr>,
    mentions: Vec<Mention>,
    /// The turn says that what was said before is wrong.
    admitted: bool,
    out: Read,
}

impl<'a> TurnReader<'a> {
    fn at(&self, span: Span) -> &'a str {
        self.text.get(span.start..span.end).unwrap_or("")
    }

    fn lexeme(&mut self, lexeme: Lexeme) {
        let text = self.text.get(lexeme.span.start..lexeme.span.end);
        let mentions = &mut self.mentions;
        self.scanner.push(
            self.known.names,
            &lexeme,
            text.unwrap_or(""),
            &mut |mention| {
                mentions.push(mention);
            },
        );
        self.lexemes.push(lexeme);
    }

    fn sentence(&mut self, sentence: &Sentence) {
        let mentions = &mut self.mentions;
        self.scanner
            .sentence_end(self.known.names, sentence.decided_at, &mut |mention| {
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
        let view = SentenceView {
            text: self.at(sentence.span),
            sentence,
            lexemes: &self.lexemes,
            words: &[],
            quantities: &self.quantities,
            dates: &self.dates,
            mentions: &self.mentions,
            signals: &[],
            antecedents: &[],
            attributes: self.known.attributes,
            cache: &ReadCache::default(),
        };
        let all = self.parts == Parts::All;
        self.titles.note(&view);
        if self.role == Role::User {
            self.out.brings.note(&view);
        }
        if all {
            let references = self.references.note(&view, self.known.kinds);
            for one in references.iter().filter(|one| !one.contested) {
                let entities = one.referent.as_ref().map(|known| &*known.entities);
                if let Some([entity]) = entities
                    && is_plain(self.at(one.span))
                {
                    self.out.meant.push((one.span, *entity));
                }
            }
        }
        if self.out.statements.len() < STATEMENTS {
            let told = as_told(&view);
            let retold = ReadCache::default();
            let view = match &told {
                Some(lexemes) => view.with_lexemes(lexemes, &retold),
                None => view,
            };
            let claims = extract(&view);
            let mut found = statements(&view, &claims, self.role, &mut self.last);
            self.titles.mark(&view, &mut found);
            self.out.statements.extend(found);
            self.out.statements.truncate(STATEMENTS);
            if all {
                let kept = (&mut self.spoken, &mut self.admitted);
                let from = self.out.said.len();
                self.out.rest(&view, &claims, self.role, kept);
                let said = self.out.said.get_mut(from..).unwrap_or_default();
                self.titles.mark_said(&view, said);
            }
        }
        self.lexemes.clear();
        self.quantities.clear();
        self.dates.clear();
        self.mentions.clear();
    }
}

/// "it", "the museum", and no "the neighbouring museum".
fn is_plain(phrase: &str) -> bool {
    phrase.split_whitespace().count() <= 2
}
