//! How often something is, at odds with a source: "appears twice a year" of what "appears quarterly".

use crate::claims::{SentenceView, unasserted};
use crate::evidence::{EvidenceSet, Passage};
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::tables::otherwise;
use crate::lexicon::units::{Role, number_word};
use crate::lexicon::words::{WordClass, class};
use crate::normal::{fold, stem};
use crate::types::Span;

/// What a source says otherwise, word for word.
pub(super) struct Otherwise<'a> {
    /// The words at fault.
    pub(super) span: Span,
    /// The source's in their place.
    pub(super) text: String,
    /// Whether they fit there.
    pub(super) fits: bool,
    pub(super) passage: &'a Passage,
    /// Its sentence.
    pub(super) sentence: Span,
}

/// How many times as long the one time between has to be.
const APART: f64 = 1.3;
/// Seconds of a month and a year, where they are held against days and weeks.
const MONTH: f64 = 30.44 * 86_400.0;
/// Most words of a phrase.
const PHRASE: usize = 4;

/// A sentence that says once how often something is.
struct Told {
    /// Where it says so.
    at: (usize, usize),
    /// Seconds from one time to the next.
    every: f64,
    /// Said with "every" and a number, which is compared as such.
    every_said: bool,
    /// An adjective, which stands in no adverb's place.
    adjective: bool,
    /// Stems of its other content words, those in front first; whether each is part of a name.
    front: Vec<(String, bool)>,
    back: Vec<String>,
    /// Words that bind it: of a time, of some only, of a rough number.
    bound: Vec<String>,
    /// Which of the verbs for what recurs it has.
    verbs: Vec<&'static str>,
}

/// How often a source says that what the sentence tells is, where it is another time between by far.
/// The sentence's other words have to be the source's. Nothing where either says so of a time, of
/// some, or roughly, or where the source has it twice.
pub(super) fn how_often<'a>(
    view: &SentenceView<'_>,
    evidence: &'a EvidenceSet,
) -> Option<Otherwise<'a>> {
    let said = Told::read(view.text).ok()?;
    let folded = view.folded();
    let denied = (0..folded.len()).any(|i| folded.cue(i).is(Cue::NEGATION));
    if denied || said.front.is_empty() || view.text.trim_end().ends_with('?') {
        return None;
    }
    let mut found: Option<(Otherwise<'a>, f64)> = None;
    for passage in evidence.passages() {
        for sentence in passage.data().sentences() {
            let text = passage.text().get(sentence.start..sentence.end)?;
            let own = match Told::read(text) {
                Ok(own) => own,
                // It tells of the same under conditions that are not read.
                Err(true) if said.holds(text) => return None,
                Err(_) => continue,
            };
            if !said.of_the_same(&own) {
                if said.near(&own) && said.holds(text) {
                    return None;
                }
                continue;
            }
            let other = found
                .as_ref()
                .is_some_and(|(_, every)| apart(*every, own.every));
            if other || said.near(&own) || said.every_said && own.every_said {
                return None;
            }
            let base = view.sentence.span.start;
            let span = Span::new(base + said.at.0, base + said.at.1);
            let told = Otherwise {
                span,
                text: text.get(own.at.0..own.at.1)?.to_owned(),
                fits: !said.adjective && !own.adjective,
                passage,
                sentence: *sentence,
            };
            found.get_or_insert((told, own.every));
        }
    }
    let (found, _) = found?;
    (!unasserted(view, &view.folded(), found.span)).then_some(found)
}

fn apart(a: f64, b: f64) -> bool {
    a.max(b) > a.min(b) * APART
}

impl Told {
    fn near(&self, other: &Self) -> bool {
        !apart(self.every, other.every)
    }

    /// Whether a text has all content words of this one.
    fn holds(&self, text: &str) -> bool {
        let own: Vec<String> = words_at(text)
            .map(|(_, _, word)| stem(&word).into_owned())
            .collect();
        self.front.iter().all(|(word, _)| own.contains(word))
    }

    /// Whether all that this one says besides stands in the other, which adds nothing that could
    /// tell its subject from this one's.
    fn of_the_same(&self, other: &Self) -> bool {
        let held = |word: &String| {
            other.back.contains(word) || other.front.iter().any(|(own, _)| own == word)
        };
        let mine = |word: &String| {
            self.back.contains(word) || self.front.iter().any(|(own, _)| own == word)
        };
        let verbs = self.verbs.is_empty()
            || other.verbs.is_empty()
            || self.verbs.iter().any(|verb| other.verbs.contains(verb));
        let front = other.front.iter().all(|(word, named)| *named || mine(word));
        verbs
            && front
            && self.bound == other.bound
            && self.front.iter().all(|(word, _)| held(word))
            && self.back.iter().all(held)
    }

    /// `Err(false)` where a sentence says nothing of the kind; `Err(true)` where it says so twice or of
    /// a thing ("a monthly fee"), leaves it open ("at least twice a week", "biweekly") or denies it.
    fn read(text: &str) -> Result<Self, bool> {
        let words: Vec<(usize, usize, String)> = words_at(text).collect();
        let mut found: Option<(std::ops::Range<usize>, f64)> = None;
        let mut i = 0;
        while i < words.len() {
            match recurrence(&words, i, text) {
                Some((_, None)) => return Err(true),
                Some((length, Some(every))) => {
                    if found.is_some() {
                        return Err(true);
                    }
                    found = Some((i..i + length, every));
                    i += length;
                }
                None => i += 1,
            }
        }
        let (range, every) = found.ok_or(false)?;
        let at = (words[range.start].0, words[range.end - 1].1);
        if text[at.1..].starts_with(['-', '/', '–']) || text[..at.0].ends_with(['-', '/', '–'])
        {
            return Err(true);
        }
        // "a monthly fee": of the fee and not of how often it is due.
        let next = words.get(range.end).map(|(_, _, word)| word.as_str());
        let function = |word: &str| {
            cue(word).is(Cue::PREPOSITION.or(Cue::CONJUNCTION)) || cue(word).is(Cue::COPULA)
        };
        let joined = text[at.1..].starts_with([',', ';', '.', '!', ')', ':']);
        if next.is_some_and(|word| !joined && !function(word)) {
            return Err(true);
        }
        let mut told = Self {
            at,
            every,
            every_said: range.len() == 3
                && matches!(words[range.start].2.as_str(), "every" | "each")
                && counted(&words[range.start + 1].2).is_some(),
            adjective: otherwise().has("recurs_adjective", &text[at.0..at.1].to_lowercase()),
            front: Vec::new(),
            back: Vec::new(),
            bound: Vec::new(),
            verbs: Vec::new(),
        };
        let mut opens = true;
        for (i, (start, end, word)) in words.iter().enumerate() {
            let first = std::mem::take(&mut opens);
            if range.contains(&i) {
                continue;
            }
            if cue(word).is(Cue::NEGATION) || word.ends_with("n't") || word == "no" {
                return Err(true);
            }
            if otherwise().has("recurs_open", word) {
                return Err(true);
            }
            if otherwise().has("recurs_bound", word) || word.contains(|c: char| c.is_ascii_digit())
            {
                told.bound.push(word.clone());
                continue;
            }
            let verb = otherwise().of("recurs_verb_", word);
            told.verbs.extend(verb);
            let plain = cue(word).is(Cue::FUNCTION.or(Cue::COPULA).or(Cue::AUXILIARY))
                || class(word).has(WordClass::STOPWORD);
            if plain || verb.is_some() {
                continue;
            }
            let named = !first && text[*start..*end].starts_with(char::is_uppercase);
            if i < range.start {
                told.front.push((stem(word).into_owned(), named));
            } else {
                told.back.push(stem(word).into_owned());
            }
        }
        told.bound.sort_unstable();
        told.bound.dedup();
        Ok(told)
    }
}

/// The words from here on that say how often something is: how many, and the seconds between, none
/// where two readings differ.
fn recurrence(
    words: &[(usize, usize, String)],
    at: usize,
    text: &str,
) -> Option<(usize, Option<f64>)> {
    for length in (1..=PHRASE).rev() {
        let Some(own) = words.get(at..at + length) else {
            continue;
        };
        let phrase: Vec<&str> = own.iter().map(|(_, _, word)| word.as_str()).collect();
        // Marks between the words part them.
        let joined = own.windows(2).all(|pair| {
            let gap = &text[pair[0].1..pair[1].0];
            matches!(gap, " " | "-" | "\u{a0}")
        });
        if !joined {
            continue;
        }
        let phrase = phrase.join(" ");
        if otherwise().has("recurs_doubtful", &phrase) {
            return Some((length, None));
        }
        if let Some(name) = otherwise().of("period_", &phrase) {
            let (name, count) = name.split_once('_')?;
            let every = count.parse::<f64>().ok()? * seconds(name)?;
            return Some((length, Some(every)));
        }
        if let Some(every) = spelled(own) {
            return Some((length, Some(every)));
        }
    }
    None
}

/// "Four times a year", "twice monthly", "every three weeks", "once per quarter".
fn spelled(words: &[(usize, usize, String)]) -> Option<f64> {
    let word = |i: usize| words.get(i).map_or("", |(_, _, word)| word.as_str());
    if matches!(word(0), "every" | "each") {
        let number = counted(word(1)).filter(|_| words.len() == 3)?;
        return Some(number * seconds(word(2))?);
    }
    let (times, rest) = match word(0) {
        "once" => (1.0, 1),
        "twice" => (2.0, 1),
        "thrice" => (3.0, 1),
        own if matches!(word(1), "times" | "x") => (counted(own)?, 2),
        _ => return None,
    };
    let unit = match (words.len() - rest, word(rest)) {
        (1, "daily") => "day",
        (1, "weekly") => "week",
        (1, "monthly") => "month",
        (1, "quarterly") => "quarter",
        (1, "yearly" | "annually") => "year",
        (2, "a" | "an" | "per" | "each" | "every") => word(rest + 1),
        _ => return None,
    };
    Some(seconds(unit)? / times)
}

/// Seconds of a unit of time, by its name in either number.
fn seconds(name: &str) -> Option<f64> {
    let name = name.strip_suffix('s').unwrap_or(name);
    match name {
        "month" => Some(MONTH),
        "quarter" => Some(3.0 * MONTH),
        "year" => Some(12.0 * MONTH),
        "day" => Some(86_400.0),
        "week" => Some(7.0 * 86_400.0),
        "fortnight" => Some(14.0 * 86_400.0),
        "hour" => Some(3_600.0),
        "minute" => Some(60.0),
        "decade" => Some(120.0 * MONTH),
        _ => None,
    }
}

/// A whole number in digits or one word.
fn counted(word: &str) -> Option<f64> {
    if let Ok(number) = word.parse::<u16>() {
        return Some(f64::from(number)).filter(|number| *number > 0.0);
    }
    let known = number_word(word);
    matches!(known.role, Role::Ones | Role::Ten | Role::Hundred).then_some(known.value)
}

/// Words of a text in lower case, without the marks around them, with where they stand.
pub(super) fn words_at(text: &str) -> impl Iterator<Item = (usize, usize, String)> + '_ {
    let mut at = 0;
    text.split_inclusive(char::is_whitespace)
        .filter_map(move |piece| {
            let from = at;
            at += piece.len();
            let bare = piece.trim_matches(|c: char| !c.is_alphanumeric());
            let start = from + piece.find(bare).filter(|_| !bare.is_empty())?;
            let mut word = String::new();
            fold(bare, &mut word);
            Some((start, start + bare.len(), word))
        })
}
