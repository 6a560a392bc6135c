//! The noun phrase by which a claim names its attribute: "the cleaning fee", "its goalkeeping
//! coach". A word before the noun makes it another attribute, unless it is known to add nothing.

use std::ops::Range;

use crate::lexicon::columns::{bare_name, spelled_out};
use crate::lexicon::cues::Cue;
use crate::lexicon::predicates::Predicates;
use crate::lexicon::tables::{narrowing, stance};
use crate::lexicon::words::{WordClass, class};
use crate::normal::stem;
use crate::types::{LexKind, Mention, QuantityKind, Resolution, Span};

use super::clauses::Clause;
use super::view::{Folded, SentenceView};

/// A sentence in which an attribute is named.
#[derive(Clone, Copy)]
pub struct AttributeNoun<'a> {
    /// The sentence.
    pub view: &'a SentenceView<'a>,
    /// Its words, folded.
    pub folded: &'a Folded<'a>,
    /// Its clauses.
    pub clauses: &'a [Clause],
    /// The claim's subject, where it stands in the sentence.
    pub subject: Option<Span>,
    /// The claim's object.
    pub object: Span,
}

/// What stands before the noun of an attribute and is not known to leave it the same.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Modifiers {
    /// Places of the words, years left out.
    pub words: Vec<usize>,
    /// A year ("its 2019 revenue").
    pub year: Option<i32>,
}

/// What the attribute's values are, by which some words before its noun add nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    /// Words.
    Text,
    /// Words behind a verb that speaks of the attribute, where a noun beside them describes them
    /// ("was directed by the horror director Ann Lee").
    Told,
    /// An amount of something.
    Amount,
    /// How many there are.
    Counted,
}

impl AttributeNoun<'_> {
    /// Where the attribute is named: the longest of its names nearest to the object, verbs left
    /// out. `more` are names besides the predicate, each taken with those that mean the same.
    #[must_use]
    pub fn find(&self, predicates: &Predicates, own: &str, more: &[&str]) -> Option<Range<usize>> {
        let (view, folded) = (self.view, self.folded);
        let first = |text: &str| text.as_bytes().first().copied();
        // Most names begin as no word of the sentence does.
        let mut begun = [false; 256];
        let mut nothing = false;
        for i in 0..folded.len() {
            match first(folded.get(i)) {
                Some(byte) => begun[usize::from(byte)] = true,
                None => nothing = true,
            }
        }
        let begins = |name: &str| {
            let first = first(name).filter(|b| *b != b'_');
            first.map_or(nothing, |byte| begun[usize::from(byte)])
        };
        let given = || std::iter::once(own).chain(more.iter().copied());
        let bare = |name| Some(bare_name(name)).filter(|bare| *bare != name);
        let spelled: Vec<String> = given().filter_map(spelled_out).collect();
        let spelled = || spelled.iter().map(String::as_str);
        let asked = || given().chain(given().filter_map(bare)).chain(spelled());
        let mut names: Vec<&str> = asked().filter(|name| begins(name)).collect();
        for name in asked() {
            predicates.add_names(name, begins, &mut names);
        }
        if names.is_empty() {
            return None;
        }
        let firsts: Vec<Option<u8>> = (0..folded.len()).map(|i| first(folded.get(i))).collect();
        names.sort_unstable_by_key(|name| std::cmp::Reverse(name.len()));
        names.dedup();
        let place = view.lexemes_in(self.object);
        let mut best: Option<(usize, Range<usize>)> = None;
        for name in names {
            let words: Vec<&str> = name.split('_').collect();
            let begins = first(words[0]);
            for at in 0..view.lexemes.len().saturating_sub(words.len() - 1) {
                if firsts[at] != begins {
                    continue;
                }
                let range = at..at + words.len();
                let mut pairs = words.iter().zip(range.clone());
                if !pairs
                    .all(|(word, i)| firsts[i] == first(word) && same_stem(word, folded.get(i)))
                {
                    continue;
                }
                // "profits are", "the price of": a noun, whatever verb is written so.
                let noun = folded.cue(range.end).is(Cue::COPULA.or(Cue::AUXILIARY))
                    || folded.get(range.end) == "of";
                let acts = self.verb(at);
                if !acts && self.participle(at) || words.len() == 1 && !noun && acts {
                    continue;
                }
                let far = if at >= place.end {
                    at - place.end
                } else {
                    place.start.saturating_sub(range.end)
                };
                let closer = best.as_ref().is_none_or(|(distance, known)| {
                    let inside = known.start <= range.start && range.end <= known.end;
                    !inside && far < *distance
                });
                if closer {
                    best = Some((far, range));
                }
            }
        }
        best.map(|(_, range)| range)
    }

    /// "A company founded in 1987": a participle, which no word before it narrows.
    fn participle(&self, at: usize) -> bool {
        let (folded, word) = (self.folded, self.folded.get(at));
        let past = folded.known(at).verb.is_some_and(|base| base != word) && word.ends_with("ed");
        past && folded.cue(at + 1).is(Cue::PREPOSITION)
            && at
                .checked_sub(1)
                .is_some_and(|i| !folded.cue(i).is(Cue::DETERMINER.or(Cue::POSSESSIVE)))
    }

    /// The kind of the attribute's values in this sentence: words are told where a verb of its own
    /// speaks of it.
    #[must_use]
    pub fn kind(&self, predicates: &Predicates, own: &str, kind: ValueKind) -> ValueKind {
        let says = |base: &str| {
            let named = predicates.named(own);
            named.is_some_and(|predicate| {
                predicate
                    .verbs()
                    .any(|verb| verb.trim_start_matches('^') == base)
            })
        };
        let mut groups = self.clauses.iter().flat_map(|clause| clause.group.clone());
        let mut verbal = || groups.any(|i| self.folded.known(i).verb.is_some_and(says));
        if kind == ValueKind::Text && verbal() {
            ValueKind::Told
        } else {
            kind
        }
    }

    /// What stands before the noun at `noun` and may make it another attribute; `told` says of
    /// which folded words that is known otherwise.
    #[must_use]
    pub fn modifiers(
        &self,
        noun: &Range<usize>,
        kind: ValueKind,
        told: &dyn Fn(&str) -> bool,
    ) -> Modifiers {
        let mut out = Modifiers::default();
        let (view, folded) = (self.view, self.folded);
        let table = stance();
        let head = folded.get(noun.end - 1);
        for i in (0..noun.start).rev() {
            let span = view.lexemes[i].span;
            if let Some(year) = year_at(view, span) {
                out.year = Some(year);
                continue;
            }
            // "the check in fee": a verb and its particle, written apart.
            let particle = i + 1 == noun.start && i > 0 && self.of_verb(i);
            if particle {
                out.words.push(i);
                continue;
            }
            if self.ends(i, noun.start, kind) {
                break;
            }
            let (word, written) = (folded.get(i), view.word(i));
            let manner = word.ends_with("ly")
                && !folded.cue(i).is(Cue::FALSE_ADVERB)
                && !table.has("period", word);
            let counted = kind == ValueKind::Counted;
            let wordy = matches!(kind, ValueKind::Text | ValueKind::Told);
            let paired =
                i + 1 == noun.start && narrowing().has("whole_role", &format!("{word} {head}"));
            let light = manner
                || paired
                || table.has("plain", word)
                || kind == ValueKind::Amount && table.has("plain_amount", word)
                || wordy && table.has("period", word)
                || !counted && ["light", "body"].iter().any(|c| narrowing().has(c, word))
                || told(word);
            let role = table.has("other_role", word) || table.has("narrow_role", word);
            let time = folded.cue(i).is(Cue::ADVERB) && !table.has("period", word);
            if place_word(word)
                || block(written)
                || !light && (role || !time && kind != ValueKind::Told)
            {
                out.words.push(i);
            }
        }
        out
    }

    /// Whether a particle stands behind a verb that opens the noun phrase.
    fn of_verb(&self, i: usize) -> bool {
        let folded = self.folded;
        let particle = matches!(folded.get(i), "in" | "up" | "out" | "off" | "on" | "down");
        particle && folded.known(i - 1).verb == Some(folded.get(i - 1)) && self.opened(i - 1)
    }

    /// Whether what stands before the word at `i` can only open a noun phrase.
    fn opened(&self, i: usize) -> bool {
        let (view, folded) = (self.view, self.folded);
        let genitive = |text: &str| text.ends_with("'s") || text.ends_with("’s");
        i > 0
            && (genitive(view.word(i - 1))
                || folded.get(i - 1) == "s"
                || folded.cue(i - 1).is(Cue::DETERMINER.or(Cue::POSSESSIVE)))
    }

    /// Whether the noun phrase of the noun at `noun` begins behind the word at `i`.
    fn ends(&self, i: usize, noun: usize, kind: ValueKind) -> bool {
        let (view, folded) = (self.view, self.folded);
        let lexeme = &view.lexemes[i];
        let inside = |span: Option<Span>| span.is_some_and(|span| span.overlaps(lexeme.span));
        let known = |mention: &Mention| matches!(mention.resolution, Resolution::Known(_));
        let mut mentions = view.mentions.iter();
        let owner = inside(self.subject)
            || mentions.any(|mention| known(mention) && mention.span.overlaps(lexeme.span));
        // "named Ben Fry director", "in the Marketing team": the value is no part of the phrase, but
        // for an amount's ("20 sea-view rooms", "a cleaning fee of £40").
        let amount = matches!(kind, ValueKind::Amount | ValueKind::Counted);
        let within = amount && inside_of(view, self.object, noun);
        let apart = inside(Some(self.object)) && !within;
        if lexeme.kind != LexKind::Word || owner || apart {
            return true;
        }
        let ends = Cue::DETERMINER
            .or(Cue::POSSESSIVE)
            .or(Cue::PREPOSITION)
            .or(Cue::COPULA)
            .or(Cue::AUXILIARY)
            .or(Cue::CONJUNCTION)
            .or(Cue::NEGATION)
            .or(Cue::BREAK);
        let genitive = |text: &str| text.ends_with("'s") || text.ends_with("’s");
        // Behind a number, "'s" stands alone ("Vega 9's battery").
        let possessive = genitive(view.word(i)) || folded.get(i) == "s";
        // "its forecast revenue": no verb behind what only opens a noun phrase.
        let acts = !self.opened(i) && self.verb(i);
        let quantity = view
            .quantities
            .iter()
            .any(|q| q.span.overlaps(lexeme.span) && q.kind != QuantityKind::Ordinal);
        let whose = folded.get(i) == "whose";
        possessive
            || whose
            || acts
            || quantity
            || folded.cue(i).is(ends) && !folded.cue(i).is(Cue::ADVERB)
    }

    /// Whether a verb of a clause stands there.
    fn verb(&self, at: usize) -> bool {
        let known = self.folded.known(at).verb.is_some();
        known && self.clauses.iter().any(|clause| clause.group.contains(&at))
    }
}

fn same_stem(one: &str, other: &str) -> bool {
    // No ending begins with a word's second letter.
    one == other || one.as_bytes().get(1) == other.as_bytes().get(1) && stem(one) == stem(other)
}

fn inside_of(view: &SentenceView<'_>, span: Span, at: usize) -> bool {
    (view.lexemes.get(at)).is_some_and(|lexeme| lexeme.span.overlaps(span))
}

/// The year that is written there.
#[must_use]
pub fn year_at(view: &SentenceView<'_>, span: Span) -> Option<i32> {
    #[allow(clippy::cast_possible_truncation)]
    view.quantities
        .iter()
        .find(|q| q.kind == QuantityKind::Year && q.span.overlaps(span))
        .map(|q| q.value as i32)
}

/// "European", "Spain", "northern".
fn place_word(word: &str) -> bool {
    let places = WordClass::DEMONYM
        .with(WordClass::COUNTRY)
        .with(WordClass::CITY);
    let sides = ["north", "south", "east", "west"];
    class(word).any(places) && !class(word).has(WordClass::STOPWORD)
        || sides.iter().any(|side| {
            word.strip_prefix(side)
                .is_some_and(|rest| matches!(rest, "" | "ern"))
        })
}

/// "US", "U.K.": written like the words "us" and "uk", and a place all the same.
fn block(written: &str) -> bool {
    matches!(
        written,
        "US" | "U.S" | "U.S." | "UK" | "U.K" | "U.K." | "EU" | "E.U." | "USA" | "UAE"
    )
}
