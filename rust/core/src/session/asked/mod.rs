//! What a question asks, and which statements of the answer it leaves open: those that may be of another thing
//! than the one that it names, or of a case that only the question tells.

use std::sync::Arc;

use crate::claims::{Attributes, SentenceView, Shape, uncontracted};
use crate::detect;
use crate::kb::{Snapshot, Value};
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::tables::circumstance;
use crate::lexicon::words::{WordClass, class};
use crate::normal::{fold, stem};
use crate::segment::{clocks, dates};
use crate::types::{Claim, Resolution};

use about::About;
use asking::Asking;
pub(super) use first_name::with_surnames;
pub(super) use follow_up::asked_again;
use frame::Frame;
pub(super) use polar::Polar;

mod about;
mod asking;
mod first_name;
mod follow_up;
mod frame;
mod gives;
mod pattern;
mod polar;
mod thing;
mod value;
mod verbal;

/// Stands for the name of a thing; no text that is read has it.
const NAME: &str = "\u{e000}";
/// Facts whose attributes' names are looked through.
const FACTS: usize = 64;
/// Things of a question for yes or no that it may be about.
const NAMED: usize = 3;
/// Words that end a noun phrase.
const LINKS: Cue = Cue::PREPOSITION
    .or(Cue::AUXILIARY)
    .or(Cue::COPULA)
    .or(Cue::QUESTION);

/// What the question of a stream asks of the knowledge base.
#[derive(Debug, Clone, Default)]
pub(super) struct Asked {
    /// The thing that it names and does not ask about.
    mentioned: Option<u32>,
    /// The cases of what it asks.
    frames: Arc<[Frame]>,
    /// The one thing that it asks about, and the attributes that it names.
    about: Option<Arc<About>>,
    /// What a "yes" or "no" says of it.
    polar: Option<Arc<Polar>>,
}

impl Asked {
    /// Reads a question; `named` are the things of the base that it names.
    pub(super) fn read(
        question: &str,
        named: &[u32],
        kb: &Snapshot,
        attributes: &Attributes,
    ) -> Self {
        let things = Things::of(named, kb, attributes);
        let one = match named {
            [thing] => Some(*thing),
            _ => None,
        };
        // "How long does the lamp's battery last?" asks for its battery life.
        let patterned = || {
            let marked = things.marked(question);
            Asking::new(&marked, &things).asked_by_pattern().is_some()
        };
        let another = |thing: &u32| thing::asks_of_another(question, *thing, &things);
        let mentioned = one.filter(|thing| another(thing) && !patterned());
        let about = one.filter(|_| mentioned.is_none());
        let about = about.and_then(|thing| About::read(question, thing, &things));
        // "Is Ada's manager Hanna Lind?" names two.
        let polar = named.iter().take(NAMED).find_map(|thing| {
            let one = Things::of(std::slice::from_ref(thing), kb, attributes);
            Polar::of(question, *thing, &one)
        });
        Self {
            mentioned,
            about: about.map(Arc::new),
            polar: polar.map(Arc::new),
            frames: Frame::of(question, &things).into(),
        }
    }

    /// The thing that the question only mentions.
    pub(super) fn only_mentions(&self) -> Option<u32> {
        self.mentioned
    }

    /// What "yes" and "no" say in answer to it.
    pub(super) fn polar(&self) -> Option<&Arc<Polar>> {
        self.polar.as_ref()
    }

    /// The one attribute that it asks for, and what kind of value that has.
    pub(super) fn value(&self) -> Option<(&str, Shape)> {
        let (attribute, shape) = self.about.as_deref()?.value.as_ref()?;
        Some((attribute, *shape))
    }

    /// Whether the base's value may be of another thing or case than the claim's.
    pub(super) fn leaves_open(
        &self,
        view: &SentenceView<'_>,
        claim: &Claim,
        kb: &Snapshot,
    ) -> bool {
        let framed = || self.frames.iter().any(|frame| frame.covers(view, claim));
        // What the question asks about may be so described.
        let taken_up = || {
            let named = |id: &u32| view.antecedents.contains(id);
            self.mentioned.is_some()
                && !is_named(view, claim)
                && !detect::claim_entities(view, claim, kb).iter().any(named)
        };
        framed() || taken_up()
    }

    /// "The CEO is Ada Holt.", behind "Who is the CEO of Lindtek?", is told of Lindtek.
    pub(super) fn completes(&self, view: &SentenceView<'_>, claim: &mut Claim) {
        if let Some(about) = &self.about {
            about.completes(view, claim);
        }
    }
}

/// Whether the claim's subject holds a known name.
fn is_named(view: &SentenceView<'_>, claim: &Claim) -> bool {
    let known = |span| {
        view.mentions.iter().any(|mention| {
            mention.span.overlaps(span) && matches!(mention.resolution, Resolution::Known(_))
        })
    };
    claim.subject_span.is_some_and(known)
}

/// The sentences and lines of a question.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    // "Dr. Chen"
    let titled = |at: usize| {
        let word = text[..at].rsplit(|c: char| !c.is_alphanumeric()).next();
        word.is_some_and(|word| circumstance().has("reply_title", &word.to_lowercase()))
    };
    let mut parts = Vec::new();
    let mut from = 0;
    for (at, c) in text.char_indices() {
        if matches!(c, '?' | '!' | '\n') || c == '.' && !titled(at) {
            parts.push(&text[from..=at]);
            from = at + 1;
        }
    }
    parts.push(&text[from..]);
    parts
        .into_iter()
        .map(str::trim)
        .filter(|part| part.chars().any(char::is_alphanumeric))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|word| !word.is_empty())
}

/// The things that a question names, and what the base has of them.
struct Things<'a> {
    ids: &'a [u32],
    kb: &'a Snapshot,
    attributes: &'a Attributes,
    /// Their names as questions write them, folded and without an article, the longest first.
    names: Vec<String>,
    own: Own,
}

impl<'a> Things<'a> {
    fn of(ids: &'a [u32], kb: &'a Snapshot, attributes: &'a Attributes) -> Self {
        let mut names = Vec::new();
        for name in ids.iter().flat_map(|id| kb.names_of(*id)) {
            let mut folded = String::new();
            fold(name, &mut folded);
            let bare = folded.strip_prefix("the ").unwrap_or(&folded);
            if !bare.is_empty() {
                names.push(bare.to_owned());
            }
            // "HX-4471", of "Order HX-4471"
            let code = bare.rsplit_once(' ').map(|(_, last)| last);
            let coded = |code: &&str| code.len() > 3 && code.bytes().any(|b| b.is_ascii_digit());
            names.extend(code.filter(coded).map(str::to_owned));
            // "What about Sarah?", "Dr. Chen"
            let (title, own) = match bare.split_once(' ') {
                Some((first, rest))
                    if circumstance().has("reply_title", first.trim_end_matches('.')) =>
                {
                    (Some(first), rest)
                }
                _ => (None, bare),
            };
            if let Some((given, rest)) = own.split_once(' ')
                && class(given).has(WordClass::GIVEN_NAME)
            {
                let last = rest.rsplit(' ').next().unwrap_or(rest);
                names.extend(title.map(|title| [title, " ", last].concat()));
                names.extend([given.to_owned(), last.to_owned()]);
            }
        }
        names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        Self {
            ids,
            kb,
            attributes,
            names,
            own: Own::of(ids, kb),
        }
    }

    /// A text, folded, with [`NAME`] in the place of the names and "what's" in full.
    fn marked(&self, text: &str) -> String {
        let mut folded = String::new();
        fold(text, &mut folded);
        let mut marked = without_contractions(&folded);
        for name in &self.names {
            marked = without_name(&marked, name);
        }
        marked
    }

    /// Where the name of one of them ends with which a text begins.
    fn named_first(&self, text: &str) -> Option<usize> {
        let from = usize::from(text.to_lowercase().starts_with("the ")) * 4;
        let inside = |c: char| c.is_alphanumeric();
        let ends = self.names.iter().map(|name| from + name.len());
        ends.zip(&self.names).find_map(|(end, name)| {
            let mut folded = String::new();
            fold(text.get(from..end)?, &mut folded);
            (folded == *name && !text[end..].starts_with(inside)).then_some(end)
        })
    }

    /// Whether the base tells a word of one of them.
    fn tell(&self, word: &str) -> bool {
        (self.ids.iter()).any(|id| detect::told_of(self.kb, *id, word))
    }
}

/// A folded text with the question words' contractions in full: "who's" as "who is".
fn without_contractions(text: &str) -> String {
    let mut full = String::with_capacity(text.len());
    for part in text.split_inclusive(' ') {
        let word = part.trim_end_matches(' ');
        match uncontracted(word) {
            Some((host, verb)) if cue(host).is(Cue::QUESTION) => {
                full.extend([host, " ", verb, &part[word.len()..]]);
            }
            _ => full.push_str(part),
        }
    }
    full
}

/// A text with [`NAME`] in the place of a name, where that stands as whole words.
fn without_name(text: &str, name: &str) -> String {
    let inside = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for (at, _) in text.match_indices(name) {
        let end = at + name.len();
        if inside(text[..at].chars().next_back()) || inside(text[end..].chars().next()) {
            continue;
        }
        out.push_str(&text[from..at]);
        out.push_str(NAME);
        from = end;
    }
    out.push_str(&text[from..]);
    out
}

/// The attributes that the base has of the things.
#[derive(Debug, Default)]
struct Own {
    /// Their names.
    names: Vec<String>,
    /// Stems of the words in these.
    words: Vec<String>,
    /// Stems of the last of them: "life" of "battery life".
    heads: Vec<String>,
    /// Those whose values are dates or times of day.
    timed: Vec<String>,
    /// Those whose values are times of day.
    clocked: Vec<String>,
}

impl Own {
    fn of(things: &[u32], kb: &Snapshot) -> Self {
        let facts = |id: &u32| kb.few_facts(*id, FACTS, &|_| true).unwrap_or_default();
        let mut own = Self::default();
        for fact in things.iter().flat_map(facts) {
            let words = fact
                .predicate
                .split('_')
                .map(|word| stem(word).into_owned());
            let words: Vec<String> = words.collect();
            own.heads.extend(words.last().cloned());
            own.words.extend(words);
            let text = fact.value.to_string();
            let clocked = !clocks(&text).is_empty();
            if clocked {
                own.clocked.push(fact.predicate.to_string());
            }
            let timed = matches!(fact.value, Value::Date(_)) || clocked;
            if timed || dates(&text).iter().any(|date| date.day.is_some()) {
                own.timed.push(fact.predicate.to_string());
            }
            own.names.push(fact.predicate.to_string());
        }
        own
    }

    fn has_word(&self, word: &str) -> bool {
        self.words.iter().any(|own| *own == *stem(word))
    }

    /// "exam", of which it has the date; "contract", of which it has the length.
    fn measures(&self, word: &str, asked: &[&str]) -> bool {
        let by = |class: &str| {
            let word = class.strip_prefix("implied_");
            word.is_some_and(|word| asked.contains(&word))
        };
        let told = |name: &String| {
            let head = name
                .strip_prefix(word)
                .and_then(|rest| rest.strip_prefix('_'));
            head.is_some_and(|head| circumstance().classes(head).any(by))
        };
        self.names.iter().any(told)
    }

    fn has_head(&self, word: &str) -> bool {
        self.heads.iter().any(|own| *own == *stem(word))
    }
}
