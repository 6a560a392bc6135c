//! Another town than a source's as the seat of one organisation: "is headquartered in York" of whose
//! "headquarters are in Leeds".

use std::sync::OnceLock;

use crate::claims::{SentenceView, unasserted};
use crate::evidence::EvidenceSet;
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::tables::{otherwise, regions};
use crate::lexicon::words::{WordClass, class};
use crate::normal::fold_name;
use crate::types::Span;

use crate::detect::how_often::Otherwise;
use crate::detect::place::may_contain;
use crate::detect::words_at::{Parts, words_at};

/// Words of a town's name at most.
const TOWN: usize = 3;

/// A sentence that says in which town an organisation has its seat.
struct Seat<'a> {
    /// Words of its name; none where a pronoun or "the company" stands for it.
    names: Vec<String>,
    town: &'a str,
    /// Where the town stands in the text.
    at: usize,
}

/// The town that the sources have as the seat of what the sentence gives another town. Nothing where
/// they speak of that town too, or of several seats, or where it is not sure whose it is: the
/// sentence names it, or opens the answer about the one that the sources have.
pub(super) fn seated<'a>(
    view: &SentenceView<'_>,
    evidence: &'a EvidenceSet,
) -> Option<Otherwise<'a>> {
    if !seats().may_stand_among(view.text, view.runs()) {
        debug_assert!(Seat::read(view.text).is_none(), "{}", view.text);
        return None;
    }
    let said = Seat::read(view.text)?;
    if view.text.trim_end().ends_with('?') {
        return None;
    }
    let mut found: Option<Otherwise<'a>> = None;
    for passage in evidence.passages() {
        let data = passage.data();
        if has_words(passage.text(), said.town) {
            return None;
        }
        let mut before = "";
        for sentence in data.sentences() {
            let text = passage.text().get(sentence.start..sentence.end)?;
            let last = std::mem::replace(&mut before, text);
            if !speaks_of_seat(text) {
                continue;
            }
            // Of whose seat it tells otherwise is not read.
            let own = Seat::read(text)?;
            let same = if own.names.is_empty() {
                said.names.is_empty() || opens_with(last, &said.names)
            } else if said.names.is_empty() {
                view.sentence.index == 0
            } else {
                let within = |a: &[String], b: &[String]| a.iter().all(|name| b.contains(name));
                // A longer name is a sister's.
                within(&own.names, &said.names) && within(&said.names, &own.names)
            };
            if found.is_some() {
                return None;
            }
            let comparable = !may_contain(own.town, said.town) && !view.text.contains(own.town);
            if !same || !comparable || said.names.is_empty() && view.sentence.index > 0 {
                return None;
            }
            let at = view.sentence.span.start + said.at;
            found = Some(Otherwise {
                span: Span::new(at, at + said.town.len()),
                text: own.town.to_owned(),
                fits: true,
                passage,
                sentence: *sentence,
            });
        }
    }
    found.filter(|found| !unasserted(view, &view.folded(), found.span))
}

/// What words for a seat begin with.
fn seats() -> &'static Parts {
    static PARTS: OnceLock<Parts> = OnceLock::new();
    let listed = || otherwise().listed("seat").iter().copied();
    PARTS.get_or_init(|| Parts::of(listed()))
}

fn speaks_of_seat(text: &str) -> bool {
    seats().may_stand_in(text) && words_at(text).any(|(_, _, word)| otherwise().has("seat", &word))
}

fn has_words(text: &str, phrase: &str) -> bool {
    text.to_lowercase().contains(&phrase.to_lowercase())
}

/// Whether a sentence begins with the name.
fn opens_with(text: &str, names: &[String]) -> bool {
    let mut words = words_at(text).map(|(_, _, word)| word).peekable();
    words.next_if(|word| word == "the");
    let first: Vec<String> = words.take(names.len()).collect();
    first == names
}

impl<'a> Seat<'a> {
    /// `None` where it says no such thing, or says more of whose or which seat it is.
    fn read(text: &'a str) -> Option<Self> {
        let words: Vec<(usize, usize, String)> = words_at(text).collect();
        let seat = words
            .iter()
            .position(|(_, _, w)| otherwise().has("seat", w))?;
        let within = (seat + 1..words.len()).find(|i| words[*i].2 == "in")?;
        let mut names = Vec::new();
        for (i, (start, end, word)) in words[..within].iter().enumerate() {
            let raw = &text[*start..*end];
            let light = otherwise().has("seat_light", word) || otherwise().has("seat", word);
            let pronoun = Cue::PRONOUN_THING.or(Cue::POSSESSIVE);
            if light || cue(word).is(pronoun) {
                continue;
            }
            // Of what clauses and marks part, only the whole is sure.
            let gap = words.get(i + 1).map_or("", |next| &text[*end..next.0]);
            let capital = raw.starts_with(char::is_uppercase);
            let bare = word.strip_suffix("'s").or_else(|| word.strip_suffix('\''));
            // "Its European headquarters", "the UK headquarters".
            let places = WordClass::DEMONYM
                .with(WordClass::COUNTRY)
                .with(WordClass::CITY);
            let part = i + 1 == seat
                && bare.is_none()
                && (class(word).any(places)
                    || regions().has("region", word)
                    || !raw.contains(char::is_lowercase));
            // "Acme, based in Leeds, makes …", "Acme, whose headquarters are in Leeds, …".
            let next = words.get(i + 1).map_or("", |(_, _, word)| word);
            let gap = match gap {
                ", " if i + 1 == seat || next == "whose" => "",
                gap => gap.trim(),
            };
            if part || !capital || gap.contains([',', ';', ':', '"', '(', '—', '–']) {
                return None;
            }
            names.push(bare.unwrap_or(word).to_owned());
        }
        let (start, mut end) = (words.get(within + 1)?.0, 0);
        let mut last = within;
        for (at, to, _) in words.iter().skip(within + 1).take(TOWN) {
            let gap = &text[words[last].1..*at];
            if !text[*at..*to].starts_with(char::is_uppercase) || last > within && gap != " " {
                break;
            }
            end = *to;
            last += 1;
        }
        let town = text.get(start..end)?;
        let plain = |c: char| c.is_whitespace() || matches!(c, '.' | ',' | ';' | '!' | ')');
        let known = class(&fold_name(town)).has(WordClass::CITY);
        let rest = words.get(last + 1..)?;
        // "in Leeds and York", "in York until 2010".
        let more = rest
            .iter()
            .any(|(_, _, word)| otherwise().has("seat_bound", word));
        let parts = text[end..].starts_with(plain) || end == text.len();
        (known && parts && !more).then_some(Self {
            names,
            town,
            at: start,
        })
    }
}
