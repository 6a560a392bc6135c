//! Names in a sentence and what they are the names of.

use std::ops::Range;

use crate::lexicon::abbreviations::{self, Abbreviation};
use crate::lexicon::cues::Cue;
use crate::lexicon::names::{NameCue, name_cue};
use crate::lexicon::persons::persons;
use crate::lexicon::words::{WordClass, class};
use crate::types::{LexFlags, LexKind, NameType, Span};

use super::view::{Folded, SentenceView};

/// A proper name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Name {
    /// Where it stands.
    pub span: Span,
    /// What it names, as far as its words and their surroundings tell.
    pub kind: NameType,
}

/// Most words of a quoted title.
const TITLE_WORDS: usize = 8;

/// Proper names of a closed sentence, in the order of the text: runs of capitalised words, which
/// "of" and the like may join, and quoted titles. Dates, amounts and words that only open the
/// sentence are none.
#[must_use]
pub fn names(view: &SentenceView<'_>) -> Vec<Name> {
    let folded = view.folded();
    Finder {
        view,
        folded: &folded,
    }
    .all()
}

/// The same with the folded words at hand.
pub(super) fn names_in(view: &SentenceView<'_>, folded: &Folded) -> Vec<Name> {
    Finder { view, folded }.all()
}

/// Whether the folded word names a part of an organisation ("the Payroll team").
pub(super) fn is_unit_noun(word: &str) -> bool {
    matches!(word, "team" | "department" | "division" | "group" | "unit")
}

/// Whether a name goes on behind the abbreviation: "Dr. Moe", "Univ. Press", "J. Moe".
fn goes_on(word: &str) -> bool {
    matches!(
        abbreviations::class(word),
        Some(Abbreviation::Title | Abbreviation::Doubtful)
    )
}

struct Finder<'a> {
    view: &'a SentenceView<'a>,
    folded: &'a Folded<'a>,
}

impl Finder<'_> {
    fn all(&self) -> Vec<Name> {
        let len = self.view.lexemes.len();
        let mut found = Vec::new();
        let mut i = 0;
        while i < len {
            if let Some(end) = self.title(i) {
                found.extend(self.name(i..end, NameType::Work));
                i = end;
                continue;
            }
            if !self.opens(i) {
                i += 1;
                continue;
            }
            let end = self.run(i);
            let kind = self.kind(i..end);
            found.extend(self.name(i..end, kind));
            i = end;
        }
        found
    }

    fn name(&self, range: Range<usize>, kind: NameType) -> Option<Name> {
        let lexemes = self.view.lexemes.get(range)?;
        let span = Span::new(lexemes.first()?.span.start, lexemes.last()?.span.end);
        let text = self.view.at(span);
        let bare = ["'s", "’s"]
            .iter()
            .find_map(|end| text.strip_suffix(end))
            .unwrap_or(text);
        let span = Span::new(span.start, span.start + bare.len());
        Some(Name { span, kind })
    }

    fn has(&self, i: usize, flag: LexFlags) -> bool {
        self.view.lexemes.get(i).is_some_and(|l| l.flags.has(flag))
    }

    fn word(&self, i: usize) -> bool {
        self.view
            .lexemes
            .get(i)
            .is_some_and(|l| l.kind == LexKind::Word)
    }

    fn text(&self, i: usize) -> &str {
        let word = self.folded.in_name(i);
        word.strip_suffix("'s").unwrap_or(word)
    }

    fn cue(&self, i: usize) -> NameCue {
        name_cue(self.text(i))
    }

    /// In a date or an amount.
    fn taken(&self, i: usize) -> bool {
        let span = self.view.lexemes[i].span;
        self.view.dates.iter().any(|date| date.span.overlaps(span))
            || self
                .view
                .quantities
                .iter()
                .any(|q| q.span.overlaps(span) && q.span.len() > span.len())
    }

    /// Whether a name can start here.
    fn opens(&self, i: usize) -> bool {
        if !self.word(i)
            || !(self.has(i, LexFlags::CAPITALIZED) || self.has(i, LexFlags::MIXED_CASE))
            || self.taken(i)
            || self.has(i, LexFlags::CODE)
        {
            return false;
        }
        let words = class(self.text(i));
        let calendar = WordClass::MONTH.with(WordClass::WEEKDAY);
        let singular = self.text(i).strip_suffix('s').map_or(words, class);
        if singular.any(calendar)
            || words.any(calendar)
                && !((words.any(WordClass::GIVEN_NAME) || self.sexed(i) && self.named_on(i + 1))
                    && self.continues(i + 1))
        {
            return false;
        }
        let named = self.continues(i + 1);
        if words.any(WordClass::DEMONYM.with(WordClass::LANGUAGE))
            && !named
            && !words.any(WordClass::GIVEN_NAME.with(WordClass::CITY))
        {
            return false;
        }
        if !self.first(i) {
            return self.text(i) != "i";
        }
        let function = Cue::FUNCTION
            .or(Cue::ADVERB)
            .or(Cue::PREPOSITION)
            .or(Cue::BREAK)
            .or(Cue::CONDITION)
            .or(Cue::DETERMINER)
            .or(Cue::QUESTION)
            .or(Cue::NEGATION)
            .or(Cue::INSTRUCT)
            .or(Cue::POSSESSIVE);
        let given = words.any(
            WordClass::GIVEN_NAME
                .with(WordClass::CITY)
                .with(WordClass::COUNTRY),
        );
        if self.folded.cue(i).is(function) || (self.folded.cue(i).is(Cue::IMPERATIVE) && !given) {
            return false;
        }
        if self.folded.known(i).verb.is_some() && !given && self.folded.get(i).ends_with("ed") {
            return false;
        }
        let genitive = self.folded.get(i).ends_with("'s");
        named || genitive || !words.has(WordClass::COMMON) || words.any(WordClass::PROPER) || given
    }

    /// First word of its sentence, item or cell, where a capital says nothing.
    fn first(&self, i: usize) -> bool {
        self.has(i, LexFlags::SENTENCE_START) || !(0..i).any(|n| self.word(n))
    }

    /// Whether the word here goes on with a name.
    fn continues(&self, i: usize) -> bool {
        self.word(i)
            && (self.has(i, LexFlags::CAPITALIZED) || self.has(i, LexFlags::MIXED_CASE))
            && !self.taken(i)
            && !class(self.text(i)).any(WordClass::MONTH.with(WordClass::WEEKDAY))
    }

    /// One past the last lexeme of the name that starts here.
    fn run(&self, start: usize) -> usize {
        let mut end = start + 1;
        loop {
            if self.view.word(end - 1).ends_with("'s") || self.view.word(end - 1).ends_with("’s")
            {
                return end;
            }
            let mark = self.view.word(end);
            let abbreviated = self.view.abbreviates(end) && goes_on(self.view.word(end - 1));
            let ampersand = mark == "&";
            let version = self
                .view
                .lexemes
                .get(end)
                .is_some_and(|l| l.kind == LexKind::Number)
                && !self.taken_as_year(end)
                && end == start + 1
                && !self.first_common(start);
            let joint = matches!(
                self.folded.get(end),
                "of" | "de" | "van" | "von" | "der" | "la" | "del" | "di"
            );
            let suffix = matches!(self.folded.get(end), "plc" | "gmbh" | "inc" | "ltd");
            if suffix {
                return end + 1;
            }
            if self.continues(end) && self.folded.get(end) != "i" {
                end += 1;
            } else if (abbreviated || ampersand || joint) && self.continues(end + 1) {
                end += 2;
            } else if joint && self.folded.get(end + 1) == "the" && self.continues(end + 2) {
                end += 3;
            } else if version {
                return end + 1;
            } else {
                return end;
            }
        }
    }

    fn first_common(&self, i: usize) -> bool {
        self.first(i)
            && class(self.text(i)).has(WordClass::COMMON)
            && !self.cue(i).is(NameCue::PRODUCT)
    }

    fn taken_as_year(&self, i: usize) -> bool {
        let span = self.view.lexemes[i].span;
        self.view.dates.iter().any(|date| date.span.overlaps(span))
            || self.view.quantities.iter().any(|q| {
                q.span.overlaps(span)
                    && (q.kind == crate::types::QuantityKind::Year || q.span.len() > span.len())
            })
    }

    /// One past a quoted title that starts here: capitalised, introduced as a work or not the
    /// whole of the sentence.
    fn title(&self, start: usize) -> Option<usize> {
        let quoted = |i: usize| self.word(i) && self.has(i, LexFlags::QUOTED);
        if !quoted(start)
            || (start > 0 && quoted(start - 1))
            || !self.has(start, LexFlags::CAPITALIZED)
        {
            return None;
        }
        let end = (start..self.view.lexemes.len()).find(|i| !quoted(*i))?;
        let before = (0..start).rev().filter(|i| self.word(*i)).take(2);
        let work = before.into_iter().any(|i| self.cue(i).is(NameCue::WORK));
        let small = Cue::FUNCTION;
        let titled = (start..end)
            .all(|i| self.has(i, LexFlags::CAPITALIZED) || self.folded.cue(i).is(small));
        (end - start <= TITLE_WORDS && titled && (work || end - start > 1 && start > 0))
            .then_some(end)
    }

    fn kind(&self, range: Range<usize>) -> NameType {
        let first = range.start;
        let words: Vec<usize> = range.clone().filter(|i| self.word(*i)).collect();
        let last = *words.last().unwrap_or(&first);
        let many = words.len() > 1;
        let whole: Vec<&str> = words.iter().map(|i| self.text(*i)).collect();
        let whole = class(&whole.join(" "));
        let org = |i: usize| self.cue(i).is(NameCue::ORG);
        if many && self.cue(first).is(NameCue::TITLE) && !org(last) {
            return NameType::Person;
        }
        if many && self.cue(first).is(NameCue::EVENT_FIRST) && self.folded.get(first + 1) == "of" {
            return NameType::Event;
        }
        if many && self.cue(first).is(NameCue::LAW_FIRST) && self.folded.get(first + 1) == "of" {
            return NameType::Law;
        }
        if many && self.cue(last).is(NameCue::LAW) {
            return NameType::Law;
        }
        if many && self.cue(last).is(NameCue::EVENT) {
            return NameType::Event;
        }
        if many && (org(last) || org(first) && self.folded.get(first + 1) == "of")
            || self.text(last) == "parliament"
            || range.clone().any(|i| self.view.word(i) == "&")
        {
            return NameType::Organization;
        }
        if many && (self.cue(first).is(NameCue::PLACE_FIRST) || self.cue(last).is(NameCue::PLACE)) {
            return NameType::Place;
        }
        if self.cue(first).is(NameCue::PRODUCT) && !self.person_like(first, &words)
            || self.view.lexemes[range.end - 1].kind == LexKind::Number
        {
            return NameType::Product;
        }
        if whole.any(WordClass::COUNTRY.with(WordClass::CITY))
            && !(many && whole.any(WordClass::GIVEN_NAME))
        {
            let given = class(self.text(first)).has(WordClass::GIVEN_NAME)
                && !whole.has(WordClass::COUNTRY);
            if !given || self.placed(first) {
                return NameType::Place;
            }
        }
        if self.unit(range.end)
            || (self.placed(first) || self.folded.cue(first.saturating_sub(1)).is(Cue::COPULA))
                && !many
                && persons().is_unit(self.text(first))
        {
            return NameType::Organization;
        }
        if many && self.org_context(first) {
            return NameType::Organization;
        }
        let person = class(self.text(first)).has(WordClass::GIVEN_NAME) || self.sexed(first);
        if person
            || many
                && words.len() <= 3
                && words
                    .iter()
                    .all(|i| !class(self.text(*i)).has(WordClass::COMMON))
        {
            return NameType::Person;
        }
        // "in Ely": where nothing else tells, what things are in is a place.
        let located = first > 1
            && matches!(self.folded.get(first - 1), "in" | "near")
            && !matches!(
                self.folded.known(first - 2).verb,
                Some("work" | "write" | "believe" | "invest" | "implement" | "code" | "develop")
            );
        if !many
            && located
            && !persons().is_unit(self.text(first))
            && !self.has(first, LexFlags::ALL_CAPS)
        {
            return NameType::Place;
        }
        if persons().is_unit(self.text(first)) && !many {
            return NameType::Organization;
        }
        NameType::Unknown
    }

    fn person_like(&self, first: usize, words: &[usize]) -> bool {
        words.len() > 1 && class(self.text(first)).has(WordClass::GIVEN_NAME)
    }

    fn sexed(&self, i: usize) -> bool {
        self.cue(i).is(NameCue::FEMALE) || self.cue(i).is(NameCue::MALE)
    }

    /// "Jan Kohl", not "in Jan Oslo had".
    fn named_on(&self, i: usize) -> bool {
        !class(self.text(i)).any(WordClass::CITY.with(WordClass::COUNTRY))
    }

    /// "in Graz".
    fn placed(&self, first: usize) -> bool {
        first > 0
            && matches!(
                self.folded.get(first - 1),
                "in" | "at" | "from" | "near" | "to"
            )
    }

    /// "the Payroll team".
    fn unit(&self, end: usize) -> bool {
        is_unit_noun(self.folded.get(end))
    }

    fn org_context(&self, first: usize) -> bool {
        first > 1
            && self.folded.get(first - 1) == "for"
            && self.folded.known(first - 2).verb == Some("work")
    }
}
