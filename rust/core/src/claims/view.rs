//! A closed sentence with everything the scanners found in it.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::lexicon::Lexicon;
use crate::lexicon::abbreviations;
use crate::lexicon::columns::{bare_name, counted, spelled_out};
use crate::lexicon::logic::logic;
use crate::lexicon::predicates::Predicates;
use crate::lexicon::tables::{Marks, time, turns};
use crate::types::{
    DateExpr, LexKind, Lexeme, LinguisticSignal, Mention, Quantity, Sentence, Span,
};

use super::acts::Acts;
use super::clauses::{Clause, read_clauses};
use super::content::{ContentWord, content_word};
use super::contraction;
pub use super::folded::Folded;
use super::folded::Words;
use super::parse::times_of_day;
use super::runs::Runs;
use super::stance::StanceWord;

/// What words mean where a text is read: the lexicon, and attribute names that count as predicates
/// beside it: those of the knowledge base, lower case with `_` between words.
#[derive(Debug, Clone)]
pub struct Attributes {
    names: FxHashSet<String>,
    acts: Acts,
    longest: usize,
    /// First words of those of several words.
    first: FxHashSet<String>,
    lexicon: Arc<Lexicon>,
}

impl Default for Attributes {
    fn default() -> Self {
        Self::new([])
    }
}

impl Attributes {
    /// The set of those names, and of what texts call them where columns are named.
    pub fn new(names: impl IntoIterator<Item = String>) -> Self {
        let mut names: FxHashSet<String> = names.into_iter().collect();
        let bare = names.iter().map(|name| bare_name(name).to_owned());
        let bare = bare.chain(names.iter().filter_map(|name| spelled_out(name)));
        let bare = bare.chain(names.iter().filter_map(|name| counted(name)));
        let bare: Vec<String> = bare.collect();
        names.extend(bare);
        let longest = names
            .iter()
            .map(|n| n.split('_').count())
            .max()
            .unwrap_or(0);
        let first = names.iter().filter_map(|name| name.split_once('_'));
        let first = first.map(|(word, _)| word.to_owned()).collect();
        Self {
            acts: Acts::of(&names),
            names,
            longest,
            first,
            lexicon: Arc::clone(Lexicon::builtin()),
        }
    }

    /// The same names with another lexicon than the shipped one.
    #[must_use]
    pub fn with_lexicon(mut self, lexicon: Arc<Lexicon>) -> Self {
        self.lexicon = lexicon;
        self
    }

    /// The lexicon.
    #[must_use]
    pub fn lexicon(&self) -> &Arc<Lexicon> {
        &self.lexicon
    }

    /// The lexicon's attributes.
    #[must_use]
    pub fn predicates(&self) -> &Predicates {
        self.lexicon.predicates()
    }

    /// Whether the name is one of them.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Whether a word may be one of them in short rather than the attribute that the lexicon has for it: the lead
    /// of a film with a `lead_actor` is no director.
    #[must_use]
    pub fn shortens(&self, word: &str, attribute: &str) -> bool {
        self.first.contains(word) && !attribute.starts_with(word)
    }

    /// Whether the name of those two words is one of them.
    #[must_use]
    pub fn has_both(&self, one: &str, other: &str) -> bool {
        !self.names.is_empty() && self.has(&[one, "_", other].concat())
    }

    /// The one of them that a verb phrase says of its own ("coach by", of the coach); `^` and a verb where the
    /// subject is the value.
    pub(super) fn said_by(&self, phrase: &str) -> Option<&str> {
        self.acts.get(phrase)
    }

    /// Whether some are said by verb phrases of their own.
    pub(super) fn says_any(&self) -> bool {
        !self.acts.is_empty()
    }

    /// Whether there are no names, and the lexicon is the shipped one.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.names.is_empty() && Arc::ptr_eq(&self.lexicon, Lexicon::builtin())
    }

    /// Words of the longest name.
    #[must_use]
    pub fn longest(&self) -> usize {
        self.longest
    }
}

/// A closed sentence with everything the scanners found in it. All spans count from the start
/// of the stream.
#[derive(Debug, Clone, Copy)]
pub struct SentenceView<'a> {
    /// Text of the sentence.
    pub text: &'a str,
    /// The sentence.
    pub sentence: &'a Sentence,
    /// Its lexemes.
    pub lexemes: &'a [Lexeme],
    /// Their texts, as [`words_of`] cuts them out; or nothing, and they are cut out where asked for.
    pub words: &'a [&'a str],
    /// Its numbers.
    pub quantities: &'a [Quantity],
    /// Its dates.
    pub dates: &'a [DateExpr],
    /// Its names.
    pub mentions: &'a [Mention],
    /// Its wording signals.
    pub signals: &'a [LinguisticSignal],
    /// Entities mentioned before it, the latest first.
    pub antecedents: &'a [u32],
    /// The lexicon, and attribute names of the knowledge base.
    pub attributes: &'a Attributes,
    /// What was read of these lexemes already; other lexemes need another one.
    pub cache: &'a ReadCache,
}

/// What is read of a sentence once, however many ask for it.
#[derive(Debug, Default)]
pub struct ReadCache {
    words: OnceCell<Words>,
    content: OnceCell<Vec<Option<ContentWord>>>,
    stems: OnceCell<Vec<u64>>,
    runs: OnceCell<Runs>,
    clocks: OnceCell<Vec<Span>>,
    stance: OnceCell<Vec<StanceWord>>,
    time: OnceCell<Vec<Marks<'static>>>,
    logic: OnceCell<Vec<Marks<'static>>>,
    turns: OnceCell<Vec<Marks<'static>>>,
    clauses: OnceCell<Vec<Clause>>,
    supposes: OnceCell<bool>,
}

impl<'a> SentenceView<'a> {
    /// Text at a span, as far as it lies in the sentence.
    #[must_use]
    #[inline]
    pub fn at(&self, span: Span) -> &'a str {
        cut(self.text, self.sentence.span.start, span)
    }

    /// Text of a lexeme; of the "'s" of "it's", which is one of its own, "is".
    #[must_use]
    #[inline]
    pub fn word(&self, lexeme: usize) -> &'a str {
        match self.words.get(lexeme) {
            Some(word) => word,
            None => self.cut(lexeme),
        }
    }

    /// The same, of a lexeme that was not cut out before.
    fn cut(&self, lexeme: usize) -> &'a str {
        if lexeme < self.lexemes.len() && self.words.is_empty() {
            cut_word(self.text, self.sentence.span.start, self.lexemes, lexeme)
        } else {
            ""
        }
    }

    /// What kind a lexeme is; `None` past the end.
    #[must_use]
    #[inline]
    pub fn kind(&self, lexeme: usize) -> Option<LexKind> {
        self.lexemes.get(lexeme).map(|lexeme| lexeme.kind)
    }

    /// Whether a lexeme is a word or number.
    #[must_use]
    #[inline]
    pub fn is_term(&self, lexeme: usize) -> bool {
        matches!(self.kind(lexeme), Some(LexKind::Word | LexKind::Number))
    }

    /// Whether a lexeme is a mark or a break of lines.
    #[must_use]
    #[inline]
    pub fn is_mark(&self, lexeme: usize) -> bool {
        matches!(self.kind(lexeme), Some(LexKind::Punct | LexKind::Newline))
    }

    /// Whether a lexeme is the full stop of an abbreviation behind which the sentence goes on: where
    /// it does not, the stop is the sentence's.
    #[must_use]
    pub fn abbreviates(&self, lexeme: usize) -> bool {
        let Some(before) = lexeme.checked_sub(1).filter(|_| self.word(lexeme) == ".") else {
            return false;
        };
        self.kind(before) == Some(LexKind::Word)
            && self.lexemes[before].span.end == self.lexemes[lexeme].span.start
            && (lexeme + 1..self.lexemes.len()).any(|i| self.is_term(i))
            && abbreviations::class(self.word(before)).is_some()
    }

    /// The words of a form's key, whose colon stands at `colon`: `"said": "…"`. It is written in
    /// quotation marks of its own, and says nothing of anybody.
    #[must_use]
    pub fn key(&self, colon: usize) -> Option<Range<usize>> {
        let quote = |i: usize| matches!(self.word(i), "\"" | "'" | "“" | "”" | "‘" | "’");
        let end = colon
            .checked_sub(1)
            .filter(|i| self.word(colon) == ":" && quote(*i))?;
        // "\"said\": \"…": a form inside a string of another.
        let end = end - usize::from(end > 0 && self.word(end - 1) == "\\");
        let start = (0..end)
            .rev()
            .find(|i| self.is_mark(*i))
            .filter(|i| quote(*i))?
            + 1;
        (start < end).then_some(start..end)
    }

    /// The same sentence of other lexemes, with a cache for them; what was found before the first
    /// of them is left out.
    #[must_use]
    pub fn with_lexemes(self, lexemes: &'a [Lexeme], cache: &'a ReadCache) -> Self {
        let start = lexemes.first().map_or(0, |lexeme| lexeme.span.start);
        let before = |span: &Span| span.start < start;
        let dates = self.dates.iter().map(|date| date.span).take_while(before);
        let amounts = self.quantities.iter().map(|amount| amount.span);
        let names = self.mentions.iter().map(|mention| mention.span);
        let (dates, amounts) = (dates.count(), amounts.take_while(before).count());
        let names = names.take_while(before).count();
        Self {
            lexemes,
            words: &[],
            cache,
            dates: &self.dates[dates..],
            quantities: &self.quantities[amounts..],
            mentions: &self.mentions[names..],
            ..self
        }
    }

    /// The same with the texts of its lexemes.
    #[must_use]
    pub fn with_words(self, words: &'a [&'a str]) -> Self {
        debug_assert_eq!(words.len(), self.lexemes.len(), "words of other lexemes");
        Self { words, ..self }
    }

    /// Folded forms of all lexemes.
    #[must_use]
    #[inline]
    pub fn folded(&self) -> Folded<'a> {
        let words = self.cache.words.get_or_init(|| Words::read(self));
        let folded = Folded::new(words, self.attributes.lexicon());
        debug_assert_eq!(folded.len(), self.lexemes.len(), "a cache of other lexemes");
        folded
    }

    /// The content word of a lexeme; `None` for punctuation and function words, and past the end.
    #[must_use]
    #[inline]
    pub fn content(&self, lexeme: usize) -> Option<ContentWord> {
        let words = self.cache.content.get_or_init(|| {
            let folded = self.folded();
            let one = |(i, lexeme)| content_word(lexeme, folded.in_name(i), folded.cue(i));
            self.lexemes.iter().enumerate().map(one).collect()
        });
        words.get(lexeme).copied().flatten()
    }

    /// The content words of all lexemes.
    pub fn content_words(&self) -> impl Iterator<Item = ContentWord> + use<'a> {
        self.content_words_in(0..self.lexemes.len())
    }

    /// The content words of some lexemes.
    pub fn content_words_in(
        &self,
        lexemes: Range<usize>,
    ) -> impl Iterator<Item = ContentWord> + use<'a> {
        let view = *self;
        lexemes.filter_map(move |i| view.content(i))
    }

    /// Whether the sentence supposes an amount, which `read` tells where nobody has asked yet.
    pub fn once_supposes(&self, read: impl FnOnce() -> bool) -> bool {
        *self.cache.supposes.get_or_init(read)
    }

    /// The stems of the content words, in rising order and each once: what sentences of the evidence
    /// are looked up by.
    #[must_use]
    pub fn content_stems(&self) -> &'a [u64] {
        let cache = self.cache;
        cache.stems.get_or_init(|| {
            let mut stems: Vec<u64> = self.content_words().map(|word| word.stem).collect();
            stems.sort_unstable();
            stems.dedup();
            stems
        })
    }

    /// The runs of letters and digits of the sentence's text.
    pub(crate) fn runs(&self) -> &'a Runs {
        let cache = self.cache;
        cache.runs.get_or_init(|| Runs::of(self.text))
    }

    /// The times of day of the sentence, in its order.
    pub(super) fn times_of_day(&self) -> &'a [Span] {
        let cache = self.cache;
        cache.clocks.get_or_init(|| times_of_day(self))
    }

    /// The clauses of the sentence.
    #[must_use]
    #[inline]
    pub fn clauses(&self) -> &'a [Clause] {
        let cache = self.cache;
        cache.clauses.get_or_init(|| read_clauses(self))
    }

    /// What the table of times has of a lexeme's word; nothing past the end.
    #[must_use]
    #[inline]
    pub fn time(&self, lexeme: usize) -> Marks<'static> {
        let marks = self.cache.time.get_or_init(|| {
            let folded = self.folded();
            let words = 0..folded.len();
            words.map(|i| time().marks(folded.get(i))).collect()
        });
        marks.get(lexeme).copied().unwrap_or_else(|| time().none())
    }

    /// What the table of logical form has of a lexeme's word; nothing past the end.
    #[must_use]
    #[inline]
    pub fn logic(&self, lexeme: usize) -> Marks<'static> {
        let marks = self.cache.logic.get_or_init(|| {
            let folded = self.folded();
            let words = 0..folded.len();
            words.map(|i| logic().marks(folded.get(i))).collect()
        });
        marks.get(lexeme).copied().unwrap_or_else(|| logic().none())
    }

    /// What the table of turns has of a lexeme's word; nothing past the end.
    #[must_use]
    #[inline]
    pub fn turn(&self, lexeme: usize) -> Marks<'static> {
        let marks = self.cache.turns.get_or_init(|| {
            let folded = self.folded();
            let words = 0..folded.len();
            words.map(|i| turns().marks(folded.get(i))).collect()
        });
        marks.get(lexeme).copied().unwrap_or_else(|| turns().none())
    }

    /// What the table of stances has of each word.
    pub(super) fn stance(&self) -> &'a [StanceWord] {
        let cache = self.cache;
        cache.stance.get_or_init(|| StanceWord::all(self.folded()))
    }

    /// Whether a lexeme is a number by itself.
    pub(super) fn counts(&self, lexeme: usize) -> bool {
        let span = self.lexemes[lexeme].span;
        self.quantities.iter().any(|quantity| quantity.span == span)
    }

    /// The lexemes that lie in a span.
    #[must_use]
    pub fn lexemes_in(&self, span: Span) -> Range<usize> {
        let start = self
            .lexemes
            .partition_point(|lexeme| lexeme.span.start < span.start);
        let inside = |lexeme: &&Lexeme| lexeme.span.end <= span.end;
        let count = self.lexemes[start..].iter().take_while(inside).count();
        start..start + count
    }
}

/// The texts of lexemes of the sentence at `text`, which begins at byte `start` of the stream.
#[must_use]
pub fn words_of<'a>(text: &'a str, start: usize, lexemes: &[Lexeme]) -> Vec<&'a str> {
    let one = |i: usize| cut_word(text, start, lexemes, i);
    (0..lexemes.len()).map(one).collect()
}

/// The text of a lexeme; the whole verb where it is what an apostrophe leaves of one ("it" and "is").
#[inline]
fn cut_word<'a>(text: &'a str, start: usize, lexemes: &[Lexeme], i: usize) -> &'a str {
    let word = cut(text, start, lexemes[i].span);
    if lexemes[i].kind == LexKind::Word && word.starts_with(contraction::MARKS) {
        let next = lexemes.get(i + 1);
        let next = next.map_or("", |next| cut(text, start, next.span));
        return contraction::verb(word, next).unwrap_or(word);
    }
    word
}

#[inline]
fn cut(text: &str, base: usize, span: Span) -> &str {
    let start = span.start.saturating_sub(base);
    let end = span.end.saturating_sub(base).min(text.len());
    text.get(start..end).unwrap_or("")
}
