//! What narrows an attribute where it is named: "European revenue", "the 2019 revenue", "shipping
//! weight", "the acting chair", "20 sea-view rooms". A fact that does not carry the same says
//! nothing of it.

use std::ops::Range;

use crate::claims::{Clause, Folded, SentenceView, clauses};
use crate::kb::{Fact, Value};
use crate::lexicon::cues::Cue;
use crate::lexicon::predicates::Predicates;
use crate::lexicon::tables::stance;
use crate::lexicon::words::{WordClass, class};
use crate::normal::{fold_name, stem};
use crate::types::{Claim, LexFlags, LexKind, Mention, QuantityKind, Resolution, Span};

use super::clash::paid;

/// Words that a restriction behind the noun is made of at most ("revenue from South East Asia").
const BEHIND: usize = 4;
/// Letters by which a word and the adjective of it are the same ("Europe", "European").
const SHARED: usize = 4;

/// What the values of an attribute are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Words.
    Text,
    /// An amount of something.
    Amount,
    /// How many there are.
    Counted,
}

impl Kind {
    fn of(facts: &[Fact], names: &Predicates) -> Self {
        let number = |fact: &Fact| match &fact.value {
            Value::Number { unit, .. } => {
                let plain = unit.is_none() && !paid(names, &fact.predicate);
                Some(if plain { Self::Counted } else { Self::Amount })
            }
            _ => None,
        };
        // "private email", "mobile phone": people have several.
        let contact = |fact: &Fact| {
            ["email", "phone"]
                .iter()
                .any(|name| names.same(name, &fact.predicate))
        };
        let plain = if facts.iter().any(contact) {
            Self::Amount
        } else {
            Self::Text
        };
        facts.iter().find_map(number).unwrap_or(plain)
    }
}

/// What a claim's attribute, or the thing that it is of, is narrowed by.
#[derive(Debug, Default)]
pub(super) struct Narrowing {
    /// Folded words, years left out.
    words: Vec<String>,
    /// A year beside the attribute ("its 2019 revenue").
    pub(super) year: Option<i32>,
    /// Another one of the thing itself is spoken of ("the previous fair", "a used watch").
    pub(super) other: bool,
}

impl Narrowing {
    /// Reads the words around the attribute's name in the claim's sentence. Before a number every
    /// word narrows but those known to add nothing ("total", "impressive"); before other values
    /// only words that are known to.
    pub(super) fn of(
        view: &SentenceView<'_>,
        folded: &Folded<'_>,
        claim: &Claim,
        facts: &[Fact],
    ) -> Self {
        let mut out = Self::default();
        if facts.is_empty() {
            return out;
        }
        out.other = another(view, folded, claim);
        let (Some(object), Some(predicate)) = (claim.object_span, claim.predicate.as_deref())
        else {
            return out;
        };
        if matches!(predicate, "is" | "has") {
            return out;
        }
        let kind = Kind::of(facts, view.attributes.predicates());
        let clauses = clauses(view);
        let Some(noun) = named(view, folded, &clauses, (object, predicate), facts) else {
            return out;
        };
        out.before((view, folded, &clauses), claim, noun.start, kind);
        // A part of a count is judged by whether it can be one.
        let part = kind == Kind::Counted && view.lexemes_in(object).contains(&noun.start);
        if !part {
            out.behind(view, folded, claim, object, noun.end);
        }
        out
    }

    fn before(
        &mut self,
        (view, folded, clauses): (&SentenceView<'_>, &Folded<'_>, &[Clause]),
        claim: &Claim,
        noun: usize,
        kind: Kind,
    ) {
        let table = stance();
        for i in (0..noun).rev() {
            let lexeme = &view.lexemes[i];
            let inside = |span: Option<Span>| span.is_some_and(|span| span.overlaps(lexeme.span));
            if let Some(year) = year_at(view, lexeme.span) {
                self.year = Some(year);
                continue;
            }
            let known = |mention: &Mention| matches!(mention.resolution, Resolution::Known(_));
            let owner = inside(claim.subject_span)
                || view
                    .mentions
                    .iter()
                    .any(|mention| known(mention) && mention.span.overlaps(lexeme.span));
            if lexeme.kind != LexKind::Word || owner {
                return;
            }
            let (word, written) = (folded.get(i), view.word(i));
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
            let possessive = genitive(written) || word == "s";
            // "its forecast revenue": no verb behind what only opens a noun phrase.
            let opened = i > 0
                && (genitive(view.word(i - 1))
                    || folded.get(i - 1) == "s"
                    || folded.cue(i - 1).is(Cue::DETERMINER.or(Cue::POSSESSIVE)));
            let acts = !opened && verb(folded, clauses, i);
            let manner = word.ends_with("ly")
                && !folded.cue(i).is(Cue::FALSE_ADVERB)
                && !table.has("period", word);
            let light = manner
                || table.has("plain", word)
                || kind != Kind::Counted && table.has("plain_amount", word);
            if possessive || acts || folded.cue(i).is(ends) && !folded.cue(i).is(Cue::ADVERB) {
                return;
            }
            let quantity = view
                .quantities
                .iter()
                .any(|q| q.span.overlaps(lexeme.span) && q.kind != QuantityKind::Ordinal);
            if quantity {
                return;
            }
            let role = table.has("other_role", word) || table.has("narrow_role", word);
            let time = folded.cue(i).is(Cue::ADVERB) && !table.has("period", word);
            if role && !light
                || place_word(word)
                || block(written)
                || kind != Kind::Text && !light && !time
            {
                self.words.push(word.to_owned());
            }
        }
    }

    /// "revenue from Asia", "headquarters in Spain", where neither is what the claim says.
    fn behind(
        &mut self,
        view: &SentenceView<'_>,
        folded: &Folded<'_>,
        claim: &Claim,
        object: Span,
        from: usize,
    ) {
        let table = stance();
        if from >= view.lexemes.len() || !table.has("light_link", folded.get(from)) {
            return;
        }
        let first = from + 1;
        let last = (first..view.lexemes.len().min(first + BEHIND))
            .take_while(|i| {
                view.lexemes[*i].kind == LexKind::Word
                    && !folded.cue(*i).is(Cue::COPULA.or(Cue::AUXILIARY))
            })
            .last();
        let Some(last) = last else {
            return;
        };
        let span = Span::new(view.lexemes[first].span.start, view.lexemes[last].span.end);
        let own = span.overlaps(object) || claim.subject_span.is_some_and(|s| s.overlaps(span));
        if own || table.has("whole", folded.get(first)) {
            return;
        }
        for i in first..=last {
            if !folded.cue(i).is(Cue::FUNCTION) {
                self.words.push(folded.get(i).to_owned());
            }
        }
    }

    /// Whether nothing narrows it but perhaps a year.
    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty() && !self.other
    }

    /// Whether a fact is narrowed in the same way: by its qualifiers or in its name.
    pub(super) fn carried_by(&self, fact: &Fact) -> bool {
        if self.other {
            return false;
        }
        let mut held: Vec<String> = fact.predicate.split('_').map(str::to_owned).collect();
        for qualifier in &fact.qualifiers {
            held.extend(qualifier.name.split('_').map(str::to_owned));
            let value = fold_name(&qualifier.value.to_string());
            held.extend(value.split(' ').map(str::to_owned));
        }
        let parts = |word: &String| word.split('-').map(str::to_owned).collect::<Vec<String>>();
        self.words
            .iter()
            .flat_map(parts)
            .all(|word| held.iter().any(|own| related(own, &word)))
    }
}

/// Whether a claim is narrowed in a way that the fact is not.
pub(super) fn narrowed(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    claim: &Claim,
    fact: &Fact,
) -> bool {
    let own = Narrowing::of(view, folded, claim, std::slice::from_ref(fact));
    !own.is_empty() && !own.carried_by(fact)
}

fn related(a: &str, b: &str) -> bool {
    let common = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    stem(a) == stem(b) || common >= SHARED
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

/// The year that is written there.
fn year_at(view: &SentenceView<'_>, span: Span) -> Option<i32> {
    #[allow(clippy::cast_possible_truncation)]
    view.quantities
        .iter()
        .find(|q| q.kind == QuantityKind::Year && q.span.overlaps(span))
        .map(|q| q.value as i32)
}

/// Whether a verb of a clause stands there.
fn verb(folded: &Folded<'_>, clauses: &[Clause], at: usize) -> bool {
    folded.known(at).verb.is_some() && clauses.iter().any(|clause| clause.group.contains(&at))
}

/// "A company founded in 1987": a participle, which no word before it narrows.
fn told(folded: &Folded<'_>, at: usize) -> bool {
    let word = folded.get(at);
    let past = folded.known(at).verb.is_some_and(|base| base != word) && word.ends_with("ed");
    past && folded.cue(at + 1).is(Cue::PREPOSITION)
        && at
            .checked_sub(1)
            .is_some_and(|i| !folded.cue(i).is(Cue::DETERMINER.or(Cue::POSSESSIVE)))
}

/// Where the attribute is named: the longest of its names nearest to the object, verbs left out.
fn named(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    clauses: &[Clause],
    (object, predicate): (Span, &str),
    facts: &[Fact],
) -> Option<Range<usize>> {
    let lexicon = view.attributes.predicates();
    let mut names: Vec<&str> = vec![predicate];
    names.extend(facts.iter().map(|fact| fact.predicate.as_str()));
    let more: Vec<&str> = names.iter().flat_map(|n| lexicon.names_of(n)).collect();
    names.extend(more);
    names.sort_unstable_by_key(|name| std::cmp::Reverse(name.len()));
    names.dedup();
    let place = view.lexemes_in(object);
    let mut best: Option<(usize, Range<usize>)> = None;
    for name in names {
        let words: Vec<&str> = name.split('_').collect();
        for at in 0..view.lexemes.len().saturating_sub(words.len() - 1) {
            let range = at..at + words.len();
            let same = words.iter().zip(range.clone()).all(|(word, i)| {
                let said = folded.get(i);
                word.as_bytes().first() == said.as_bytes().first() && stem(word) == stem(said)
            });
            // "profits are", "the price of": a noun, whatever verb is written so.
            let noun = folded.cue(range.end).is(Cue::COPULA.or(Cue::AUXILIARY))
                || folded.get(range.end) == "of";
            let acts = verb(folded, clauses, at);
            if !same || !acts && told(folded, at) || words.len() == 1 && !noun && acts {
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

/// "The previous fair", "the 2025 fair", "fair 2025", "a used watch": another one than the base's.
fn another(view: &SentenceView<'_>, folded: &Folded<'_>, claim: &Claim) -> bool {
    let Some(subject) = claim.subject_span else {
        return false;
    };
    let range = view.lexemes_in(subject);
    let Some(mention) = view.mentions.iter().find(|mention| {
        matches!(mention.resolution, Resolution::Known(_)) && mention.span.overlaps(subject)
    }) else {
        return false;
    };
    let table = stance();
    let after = view.lexemes_in(mention.span).end;
    let behind = view
        .lexemes
        .get(after)
        .is_some_and(|lexeme| year_at(view, lexeme.span).is_some());
    behind
        && claim
            .object_span
            .is_none_or(|object| !object.contains(view.lexemes[after].span))
        || range
            .filter(|i| view.lexemes[*i].span.end <= mention.span.start)
            .any(|i| {
                let word = folded.get(i);
                let capital = view.lexemes[i].flags.has(LexFlags::CAPITALIZED) && i > 0;
                !capital && (table.has("edition", word) || table.has("narrowing", word))
                    || year_at(view, view.lexemes[i].span).is_some()
            })
}
