//! Another town or country than a source's for what happens in one place: "died in Paris" of who "died in Rome".

use std::sync::OnceLock;

use crate::claims::SentenceView;
use crate::detect::how_often::Otherwise;
use crate::detect::place::is_part;
use crate::detect::words_at::Parts;
use crate::evidence::EvidenceSet;
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::tables::facing;
use crate::lexicon::words::{WordClass, class};
use crate::normal::fold_name;
use crate::types::Span;

use super::plain::{Word, base, leaves_open, number, within, words};
use super::sources::sources;

/// Words between the verb and its place ("died on 4 May 1902 in Rome").
const BETWEEN: usize = 5;
/// Words of a place's name.
const NAME: usize = 3;

/// A sentence that says where something was done.
struct Placed {
    at: Span,
    country: bool,
    verb: String,
    /// Stems of what it is said of; none where that is a pronoun.
    subject: Vec<String>,
    /// Stems of its other words.
    rest: Vec<String>,
}

/// The place that a source has for what the sentence says was elsewhere, where no source has a word of that.
pub(super) fn placed<'a>(
    view: &SentenceView<'_>,
    evidence: &'a EvidenceSet,
) -> Option<Otherwise<'a>> {
    if !placing().may_stand_among(view.text, view.runs()) {
        return None;
    }
    let said = Placed::read(view.text)?;
    let name = view.text.get(said.at.start..said.at.end)?;
    let mut passages = evidence.passages().iter();
    if passages.any(|passage| passage.text().contains(name)) {
        return None;
    }
    let mut found: Option<Otherwise<'a>> = None;
    for (source, own) in sources(evidence, Placed::read) {
        if own.verb != said.verb {
            continue;
        }
        // "It was founded in Zurich": of what the sentences before name.
        let about = if own.subject.is_empty() {
            let text = source.passage.text().to_lowercase();
            said.subject.iter().all(|stem| text.contains(stem.as_str()))
        } else {
            within(&said.subject, &own.subject)
        };
        if own.country != said.country || !about || !within(&said.rest, &own.rest) {
            continue;
        }
        // Of two the sentence may mean either.
        if found.is_some() {
            return None;
        }
        found = source.instead(view, said.at, own.at);
    }
    found
}

/// What the verbs begin with.
fn placing() -> &'static Parts {
    static PARTS: OnceLock<Parts> = OnceLock::new();
    let listed = || facing().listed("placed").iter().copied();
    PARTS.get_or_init(|| Parts::of(listed()))
}

impl Placed {
    fn read(text: &str) -> Option<Self> {
        if text.contains([';', ':', '(']) || !placing().may_stand_in(text) {
            return None;
        }
        let all = words(text);
        if leaves_open(text, &all) || all.iter().any(Word::denies) {
            return None;
        }
        let done = |i: &usize| facing().has("placed", &all[*i].folded);
        let mut verbs = (0..all.len()).filter(done);
        let (at, None) = (verbs.next()?, verbs.next()) else {
            return None;
        };
        let led = (at + 1..all.len().min(at + 1 + BETWEEN)).find(|i| {
            let next = all
                .get(i + 1)
                .and_then(|word| text[word.start..].chars().next());
            all[*i].folded == "in" && next.is_some_and(char::is_uppercase)
        })?;
        let capital = |word: &Word| text[word.start..].starts_with(char::is_uppercase);
        let name = all[led + 1..].iter().take(NAME);
        let name = name
            .enumerate()
            .take_while(|(i, word)| capital(word) && (*i == 0 || !word.parted))
            .count();
        let end = led + 1 + name;
        let span = Span::new(all[led + 1].start, all[end - 1].end);
        let folded = fold_name(text.get(span.start..span.end)?);
        let kind = class(&folded);
        let (city, country) = (kind.has(WordClass::CITY), kind.has(WordClass::COUNTRY));
        // "In Rome and Paris", "in Rome, Georgia".
        let more = all.get(end).is_some_and(|word| {
            matches!(&*word.folded, "and" | "or" | "but") || word.parted && capital(word)
        });
        if is_part(&folded) || city == country || more {
            return None;
        }
        let counts = |word: &&Word| word.content && !word.helps();
        let subject: Vec<String> = all[..at].iter().filter(counts).map(base).collect();
        let dates = all[..at].iter().filter(|word| number(word)).map(base);
        let rest = all[at + 1..led].iter().chain(&all[end..]);
        let rest = rest.filter(|word| counts(word) && !number(word)).map(base);
        let thing = Cue::PRONOUN_PERSON.or(Cue::PRONOUN_THING);
        let pronoun =
            subject.is_empty() && all[..at].iter().any(|word| cue(&word.folded).is(thing));
        (pronoun || !subject.is_empty()).then(|| Self {
            at: span,
            country,
            verb: all[at].stem(),
            rest: rest.chain(dates).collect(),
            subject,
        })
    }
}
