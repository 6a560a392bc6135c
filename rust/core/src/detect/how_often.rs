//! How often something is, at odds with a source: "appears twice a year" of what "appears quarterly".

use crate::claims::{SentenceView, unasserted};
use crate::evidence::{EvidenceSet, Passage};
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::tables::otherwise;
use crate::lexicon::units::{Role, number_word};
use crate::lexicon::words::{WordClass, class};
use crate::normal::stem;
use crate::types::Span;

use super::words_at::words_at;
use phrase::{PHRASE, counted, recurrences, recurring};

mod phrase;

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

/// A sentence that says once how often something is.
struct Told {
    /// Where it says so.
    at: (usize, usize),
    /// Seconds from one time to the next.
    every: f64,
    /// Said with "every" and a number, which is compared as such.
    every_said: bool,
    /// It tells somebody to do so.
    order: bool,
    /// An adjective, which stands in no adverb's place.
    adjective: bool,
    /// Stems of its other content words, those in front first; whether each is part of a name.
    front: Vec<(String, bool)>,
    back: Vec<String>,
    /// Words of the sentence before, where this is a part of one that leaves them out.
    left_out: Vec<String>,
    /// Words that bind it: of a time, of some only, of a rough number.
    bound: Vec<String>,
    /// How much of what it counts ("one tablet", "half a tablet").
    amounts: Vec<u64>,
    /// Which of the verbs for what recurs it has.
    verbs: Vec<&'static str>,
}

/// How often a source says that what the sentence tells is, where it is another time between by far.
/// The sentence's other words have to be the source's. Nothing where either says so of a time, of
/// some, or roughly, or where the source has it twice. `order` says that it tells somebody to do so.
pub(super) fn how_often<'a>(
    view: &SentenceView<'_>,
    evidence: &'a EvidenceSet,
    order: bool,
) -> Option<Otherwise<'a>> {
    if !recurring().may_stand_among(view.text, view.runs()) {
        debug_assert!(matches!(Told::read(view.text), Err(false)), "{}", view.text);
        return None;
    }
    let mut said = Told::read(view.text).ok()?;
    said.order |= order;
    let folded = view.folded();
    let denied = (0..folded.len()).any(|i| folded.cue(i).is(Cue::NEGATION));
    if denied || said.front.is_empty() || view.text.trim_end().ends_with('?') {
        return None;
    }
    let mut found: Option<(Otherwise<'a>, f64)> = None;
    for passage in evidence.passages() {
        for sentence in passage.data().sentences() {
            let text = passage.text().get(sentence.start..sentence.end)?;
            let all = match Told::read_each(text) {
                Ok(all) => all,
                // It tells of the same under conditions that are not read.
                Err(true) if said.holds(text) => return None,
                Err(_) => continue,
            };
            for (own, part) in all {
                if !said.of_the_same(&own) {
                    if said.near(&own) && said.holds(part) {
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
                    text: part.get(own.at.0..own.at.1)?.to_owned(),
                    fits: !said.adjective && !own.adjective,
                    passage,
                    sentence: *sentence,
                };
                found.get_or_insert((told, own.every));
            }
        }
    }
    let (found, _) = found?;
    (order || said.order || !unasserted(view, &folded, found.span)).then_some(found)
}

fn apart(a: f64, b: f64) -> bool {
    a.max(b) > a.min(b) * APART
}

/// Whether what a text says of how often something is stands in another one too; so it does where it
/// says nothing of it, and does not where it is read in two ways or the other tells it of two things.
pub(super) fn as_often(text: &str, other: &str) -> bool {
    let (said, own) = (intervals(text), intervals(other));
    let one = said.is_empty() || own.len() == 1;
    one && said.iter().all(|a| {
        let near = |b: &Option<f64>| a.zip(*b).is_some_and(|(a, b)| !apart(a, b));
        own.iter().any(near)
    })
}

/// Seconds between, for each phrase that tells how often something is.
fn intervals(text: &str) -> Vec<Option<f64>> {
    let words: Vec<(usize, usize, String)> = words_at(text).collect();
    recurrences(&words, text).map(|(_, every)| every).collect()
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
        let numbers: Vec<u64> = own.iter().filter_map(|word| amount(word)).collect();
        self.front.iter().all(|(word, _)| own.contains(word))
            && self.amounts.iter().all(|own| numbers.contains(own))
    }

    /// Whether all that this one says besides stands in the other, which adds nothing that could
    /// tell its subject from this one's.
    fn of_the_same(&self, other: &Self) -> bool {
        let held = |word: &String| {
            other.back.contains(word)
                || other.left_out.contains(word)
                || other.front.iter().any(|(own, _)| own == word)
        };
        let mine = |word: &String| {
            self.back.contains(word) || self.front.iter().any(|(own, _)| own == word)
        };
        let verbs = self.verbs.is_empty()
            || other.verbs.is_empty()
            || self.verbs.iter().any(|verb| other.verbs.contains(verb));
        let addressed = |word: &String| self.order && otherwise().has("recurs_addressed", word);
        let front = other.front.iter();
        let front = front
            .clone()
            .all(|(word, named)| *named || mine(word) || addressed(word));
        verbs
            && front
            && self.bound == other.bound
            && self.amounts == other.amounts
            && self.front.iter().all(|(word, _)| held(word))
            && self.back.iter().all(held)
    }

    /// The parts of a sentence that says so of several things in turn ("the fern weekly and the cactus
    /// monthly"), each with its text; of one thing, the whole.
    fn read_each(text: &str) -> Result<Vec<(Self, &str)>, bool> {
        let words: Vec<(usize, usize, String)> = words_at(text).collect();
        let mut cuts = Vec::new();
        for (range, _) in recurrences(&words, text) {
            // Each of them ends its part.
            let Some((start, _, next)) = words.get(range.end) else {
                break;
            };
            let joint = matches!(next.as_str(), "and" | "but" | "while" | "whereas");
            let marked = text[words[range.end - 1].1..*start].starts_with([',', ';']);
            if joint || marked {
                cuts.push(*start);
            }
        }
        if cuts.is_empty() {
            return Ok(vec![(Self::read(text)?, text)]);
        }
        let ends = cuts.iter().copied().chain([text.len()]);
        let mut parts: Vec<(Self, &str)> = Vec::new();
        let mut from = 0;
        for end in ends {
            let part = &text[from..end];
            from = end;
            let mut own = match Self::read(part) {
                Ok(own) => own,
                // What follows the last one says more of it.
                Err(false) => return Ok(vec![(Self::read(text)?, text)]),
                Err(true) => return Err(true),
            };
            if let Some((first, _)) = parts.first() {
                own.left_out = first.front.iter().map(|(word, _)| word.clone()).collect();
            }
            parts.push((own, part));
        }
        Ok(parts)
    }

    /// `Err(false)` where a sentence says nothing of the kind; `Err(true)` where it says so twice or of
    /// a thing ("a monthly fee"), leaves it open ("at least twice a week", "biweekly") or denies it.
    fn read(text: &str) -> Result<Self, bool> {
        let words: Vec<(usize, usize, String)> = words_at(text).collect();
        let mut found: Option<(std::ops::Range<usize>, f64)> = None;
        for (range, every) in recurrences(&words, text) {
            if every.is_none() || found.is_some() {
                return Err(true);
            }
            found = every.map(|every| (range, every));
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
            order: false,
            front: Vec::new(),
            back: Vec::new(),
            left_out: Vec::new(),
            bound: Vec::new(),
            amounts: Vec::new(),
            verbs: Vec::new(),
        };
        let lead = orders(&words[..range.start]);
        told.order = lead > 0;
        let mut opens = true;
        for (i, (start, end, word)) in words.iter().enumerate().skip(lead) {
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
            if let Some(amount) = amount(word) {
                told.amounts.push(amount);
                continue;
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

/// How many words a text opens with that only tell somebody to do what follows ("please", "you should").
fn orders(words: &[(usize, usize, String)]) -> usize {
    let mut lead = 0;
    'more: while lead < words.len() {
        for length in (1..=PHRASE.min(words.len() - lead)).rev() {
            let own = words[lead..lead + length]
                .iter()
                .map(|(_, _, word)| word.as_str());
            let phrase = own.collect::<Vec<_>>().join(" ");
            if otherwise().has("recurs_order", &phrase) {
                lead += length;
                continue 'more;
            }
        }
        break;
    }
    lead
}

/// An amount in one word, in hundredths.
fn amount(word: &str) -> Option<u64> {
    let known = number_word(word);
    let whole = || counted(word);
    let value = match known.role {
        Role::Half => 0.5,
        Role::Quarter => 0.25,
        _ => whole()?,
    };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    Some((value * 100.0) as u64)
}
