//! Sentences in capitals, read as if they were written in small letters.

use crate::lexicon::cues::known;
use crate::lexicon::persons::persons;
use crate::lexicon::words::{WordClass, class};
use crate::normal::{fold, stem};
use crate::types::{LexFlags, LexKind, Lexeme, SentenceKind};

use super::names::is_unit_noun;
use super::view::SentenceView;

/// Fewer words in capitals are an acronym or a sign.
const FEW: usize = 4;

/// Words that have a capital wherever they stand.
const NAMES: WordClass = WordClass::MONTH
    .with(WordClass::WEEKDAY)
    .with(WordClass::LANGUAGE)
    .with(WordClass::COUNTRY)
    .with(WordClass::DEMONYM)
    .with(WordClass::CITY)
    .with(WordClass::GIVEN_NAME)
    .with(WordClass::PROPER);
/// Words that are mostly written in small letters.
const ORDINARY: WordClass = WordClass::COMMON.with(WordClass::STOPWORD);

/// The lexemes of a sentence that is written in capitals throughout, flagged as they would be if
/// it were not: names (mentions, dates, and words that are in no list or in one of names) keep
/// their first capital, other words have none. `None` for any other sentence.
///
/// Runs of capitals without a function word are headings and acronyms and stay what they are.
#[must_use]
pub fn as_spoken(view: &SentenceView<'_>) -> Option<Vec<Lexeme>> {
    if !is_shouted(view) {
        return None;
    }
    let folded = view.folded();
    let mut lexemes = view.lexemes.to_vec();
    for (i, lexeme) in lexemes.iter_mut().enumerate() {
        let technical = lexeme.flags.has(LexFlags::CODE) || lexeme.flags.has(LexFlags::TECHNICAL);
        if lexeme.kind != LexKind::Word || technical {
            continue;
        }
        let word = folded.get(i);
        let word = word.strip_suffix("'s").unwrap_or(word);
        let within = view.mentions.iter().any(|m| m.span.overlaps(lexeme.span))
            || view.dates.iter().any(|d| d.span.overlaps(lexeme.span));
        let opens = lexeme.flags.has(LexFlags::SENTENCE_START);
        let unit = persons().is_unit(word) && is_unit_noun(folded.get(i + 1));
        let named = (within && !class(word).has(WordClass::STOPWORD)) || is_name(word);
        let capital = opens || unit || named;
        let mut flags = lexeme.flags.0 & !(LexFlags::ALL_CAPS.0 | LexFlags::CAPITALIZED.0);
        if capital {
            flags |= LexFlags::CAPITALIZED.0;
        }
        lexeme.flags = LexFlags(flags);
    }
    Some(lexemes)
}

fn is_shouted(view: &SentenceView<'_>) -> bool {
    if !matches!(
        view.sentence.kind,
        SentenceKind::Prose | SentenceKind::ListItem
    ) || view.text.chars().any(char::is_lowercase)
    {
        return false;
    }
    let (mut all, mut function) = (0, false);
    let mut folded = String::new();
    for lexeme in view.lexemes.iter().filter(|l| l.kind == LexKind::Word) {
        folded.clear();
        fold(view.at(lexeme.span), &mut folded);
        all += 1;
        function |= class(&folded).has(WordClass::STOPWORD);
    }
    all >= FEW && function
}

/// Whether the folded word is a name wherever it stands: one of a list of names alone, or neither
/// in a list nor an inflection of a listed word or verb.
fn is_name(word: &str) -> bool {
    let listed = class(word);
    if listed.is_known() {
        return listed.any(NAMES) && !listed.any(ORDINARY);
    }
    let root = stem(word);
    known(word).verb.is_none() && !class(&root).is_known() && !class(&format!("{root}e")).is_known()
}
