//! What may, must or need not be done, against a source that has it the other way in other words: "guests may
//! bring pets" of "pets are not permitted", "you do not need a visa" of "visitors need a visa".

use std::borrow::Cow;
use std::sync::OnceLock;

use crate::claims::{Folded, SentenceView};
use crate::detect::words_at::Parts;
use crate::evidence::{EvidenceSet, Passage};
use crate::lexicon::cues::{Cue, cue, verb};
use crate::lexicon::names::{NameCue, noun_is};
use crate::lexicon::tables::{self, denials};
use crate::normal::stem;
use crate::types::Span;

use super::plain::{Word, words};

/// Sentences of a stem that are looked at, at most.
const HELD: usize = 64;
/// Words of a rule, at most: a longer sentence says more than one thing.
const LONGEST: usize = 28;

/// Classes of words that mark a rule, and words of no such class.
const MARKS: [&str; 7] = [
    "rule_permits_state",
    "rule_forbids_state",
    "rule_requires_state",
    "rule_waives_state",
    "rule_permits",
    "rule_forbids",
    "rule_requires",
];
const MARKING: [&str; 15] = [
    "need", "needs", "needn't", "have", "has", "must", "mustn't", "can", "can't", "cannot", "may",
    "do", "don't", "never", "without",
];

/// What a rule says of its matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// It may be done, or it is fit for it.
    Allows,
    /// It has to be done, or there.
    Requires,
}

/// A rule: its kind, whether it holds or is denied, and the words that say of what.
#[derive(Debug)]
struct Rule {
    kind: Kind,
    holds: bool,
    past: bool,
    /// "Everywhere", "at any time".
    always: bool,
    /// Sorted; without whom it is for, where that is anybody.
    matter: Vec<String>,
    /// Who allows it or asks for it: "the hotel".
    by: Vec<String>,
}

/// How a rule is at odds with another.
enum Odds {
    Agrees,
    /// The other says it of a part of what this one denies of all.
    Narrower,
    Differs,
    /// So for all of what the other says of a part: the words that the part is told by.
    OfPart(Vec<String>),
    Apart,
}

/// The sentence of the sources that has it the other way, and whether for as much as the answer says; nothing
/// where another one agrees, or speaks of what the answer narrows it by.
pub(super) fn allowed<'a>(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    evidence: &'a EvidenceSet,
) -> Option<(&'a Passage, Span, bool)> {
    if !marks().may_stand_among(view.text, view.runs()) {
        return None;
    }
    let marked = (0..folded.len()).any(|i| {
        let word = folded.get(i);
        denials().of("rule_", word).is_some() || matches!(word, "do" | "don't" | "never")
    });
    let own = marked.then(|| Rule::read(view.text)).flatten()?;
    let stems = view.content_stems();
    let mut found: Option<(&Passage, Span, Vec<String>, bool)> = None;
    for passage in evidence.passages() {
        let data = passage.data();
        let held = |stem: &u64| data.sentences_with(*stem).iter().take(HELD).copied();
        let mut near: Vec<u32> = stems.iter().flat_map(held).collect();
        near.sort_unstable();
        near.dedup();
        for at in near {
            let Some((span, text)) = data.sentence(at) else {
                continue;
            };
            let told = data.reading(at, || Rule::read(text));
            let Some(told) = &*told else {
                continue;
            };
            match own.odds(told) {
                Odds::Agrees => return None,
                Odds::Apart => {}
                Odds::Differs => found = Some((passage, span, Vec::new(), true)),
                Odds::Narrower => {
                    found.get_or_insert((passage, span, Vec::new(), false));
                }
                Odds::OfPart(part) => {
                    found.get_or_insert((passage, span, part, true));
                }
            }
        }
    }
    let (passage, span, part, sure) = found?;
    // "Pets are not allowed. In the garden they are welcome."
    let spoken = |text: &str| {
        words(text)
            .iter()
            .any(|word| part.contains(&said(word).unwrap_or_default()))
    };
    let elsewhere = evidence.passages().iter().any(|other| {
        let mut sentences = (0_u32..).map_while(|at| other.data().sentence(at));
        !part.is_empty() && sentences.any(|(_, text)| spoken(text))
    });
    (!elsewhere).then_some((passage, span, sure))
}

/// What a word adds to the matter, by its verb where it is one.
fn said(word: &Word) -> Option<String> {
    let folded = &*word.folded;
    if denials().has("bounds_rule", folded)
        || cue(folded).is(Cue::PRONOUN_PERSON) && !denials().has("rule_light", folded)
        || folded.contains(|c: char| c.is_ascii_digit())
    {
        return Some(format!("~{folded}"));
    }
    let light = word.helps()
        || word.denies()
        || ["directed", "of_all", "rule_light", "rule_all"]
            .iter()
            .any(|class| denials().has(class, folded));
    let counts = word.content && !light && !cue(folded).is(Cue::PREPOSITION);
    counts.then(|| verb(folded).map_or_else(|| word.stem(), str::to_owned))
}

/// Each of them once, sorted.
fn sorted(words: impl Iterator<Item = String>) -> Vec<String> {
    let mut all: Vec<String> = words.collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// What marks a rule, where, and with how many words.
struct Mark {
    at: usize,
    length: usize,
    kind: Kind,
    holds: bool,
    /// Its subject gives the rule rather than being what it is about.
    authority: bool,
}

impl Rule {
    fn read(text: &str) -> Option<Self> {
        if text.contains(['?', '"', '“', '”', ';', ':', '(']) {
            return None;
        }
        if !marks().may_stand_in(text) {
            return None;
        }
        let all = words(text);
        let words = head(&all)?;
        if words.len() > LONGEST {
            return None;
        }
        let without = |word: &Word| word.folded == "without";
        let mark = marked(words)?;
        let open = words.iter().enumerate().any(|(i, word)| {
            denials().has("rule_open", &word.folded)
                || without(word) && !(mark.at == i && mark.length == 1)
        });
        let denials = words.iter().filter(|word| word.denies()).count();
        // "Not all rooms", "not always", "not just".
        let partly = |word: &Word| {
            ["rule_partly", "of_all"]
                .iter()
                .any(|class| tables::denials().has(class, &word.folded))
        };
        if open || denials > 1 || denials == 1 && words.iter().any(partly) {
            return None;
        }
        let (front, rest) = (&words[..mark.at], &words[mark.at + mark.length..]);
        // "Masks are mandatory for patients" is no rule for visitors.
        let people = |word: &&Word| {
            let behind = word.start > words[mark.at].start;
            behind && word.content && tables::denials().has("directed", &word.folded)
        };
        let people = words.iter().filter(people).map(|word| word.stem());
        // "The app works without a connection" requires none.
        let works = words[mark.at].folded == "without";
        let idle = |word: &&Word| !(works && tables::denials().has("rule_works", &word.folded));
        let front = front.iter().filter(idle).filter_map(said);
        let (by, front): (Vec<String>, Vec<String>) = match mark.authority {
            true => (sorted(front), Vec::new()),
            false => (Vec::new(), front.collect()),
        };
        let matter = front.into_iter().chain(rest.iter().filter_map(said));
        let matter = sorted(matter.chain(people));
        let past = |word: &Word| tables::denials().has("past", &word.folded);
        let every = |i: usize| {
            let any = i > 0 && words[i - 1].folded == "any" && words[i].folded == "time";
            any || tables::denials().has("rule_all", &words[i].folded)
        };
        (!matter.is_empty()).then(|| Self {
            kind: mark.kind,
            holds: mark.holds != (denials == 1),
            past: words.iter().any(past),
            always: (0..words.len()).any(every),
            matter,
            by,
        })
    }

    /// How it stands to what a source says.
    fn odds(&self, told: &Self) -> Odds {
        if self.kind != told.kind || self.past != told.past {
            return Odds::Apart;
        }
        let whole = |rule: &Self| sorted(rule.matter.iter().chain(&rule.by).cloned());
        let (own, other) = (whole(self), whole(told));
        let named = !self.by.is_empty() && !told.by.is_empty();
        let same = own == other || self.matter == told.matter && (!named || self.by == told.by);
        let within = |one: &[String], other: &[String]| one.iter().all(|word| other.contains(word));
        if self.holds == told.holds {
            let near = within(&self.matter, &other) || within(&told.matter, &own);
            return if near { Odds::Agrees } else { Odds::Apart };
        }
        if same {
            return Odds::Differs;
        }
        let extra = |one: &[String], other: &[String]| {
            one.iter()
                .filter(|word| !other.contains(word))
                .cloned()
                .collect::<Vec<_>>()
        };
        // What is denied of all is denied of a part, and what is so of all is so of it.
        if within(&told.matter, &own) && (!told.holds || told.always) {
            // "The premium rate includes it" of "it is not included", which may be of another rate.
            let by_other = self.by.iter().any(|word| !other.contains(word));
            let part = extra(&own, &other);
            // "Staff may use it" of "guests may not use it".
            // "Outside the building" of "not allowed in the building".
            let apart = |word: &String| person(word) || word == "~outside";
            return match by_other || part.iter().any(apart) {
                true => Odds::Apart,
                false => Odds::OfPart(part),
            };
        }
        // "Pets are allowed." of "not allowed in the hotel".
        let named = |own: &&'static str| verb(own).map_or_else(|| stem(own), Cow::Borrowed);
        let listed = denials().listed("rule_house");
        let whole = |word: &String| listed.iter().any(|own| *named(own) == **word);
        if within(&self.matter, &other) && extra(&other, &own).iter().all(whole) {
            return Odds::Differs;
        }
        let people = || extra(&other, &own).iter().any(|word| person(word));
        if within(&self.matter, &other) && (!self.holds || self.always) && !people() {
            return Odds::Narrower;
        }
        Odds::Apart
    }
}

/// Whether a word is for people of some sort: "employee", "members".
fn person(word: &str) -> bool {
    noun_is(word, NameCue::IS_PERSON)
}

/// The words up to what another clause adds ("…, and whoever smokes pays"); `None` where it may take
/// something back ("…, but in the garden they are").
fn head(words: &[Word]) -> Option<&[Word]> {
    let from = match words.iter().skip(1).position(|word| word.parted) {
        None => return Some(words),
        Some(at) => at + 1,
    };
    // "Unfortunately, …", "Yes, …".
    let first = &*words[0].folded;
    if from == 1 && (denials().has("no_manner", first) || matches!(first, "yes" | "no")) {
        let (_, rest) = words.split_first()?;
        let parted = rest.iter().skip(1).any(|word| word.parted);
        return (!parted).then_some(rest);
    }
    let next = &*words[from].folded;
    matches!(next, "and" | "so" | "as" | "because").then(|| &words[..from])
}

/// What the words begin with that mark a rule, with more behind some: most texts have none of them.
fn marks() -> &'static Parts {
    static PARTS: OnceLock<Parts> = OnceLock::new();
    PARTS.get_or_init(|| {
        let listed = MARKS.iter().flat_map(|class| denials().listed(class));
        Parts::of(listed.copied().chain(MARKING))
    })
}

/// The one mark of a rule among the words.
fn marked(words: &[Word]) -> Option<Mark> {
    let class = |i: usize, class: &str| {
        words
            .get(i)
            .is_some_and(|word| denials().has(class, &word.folded))
    };
    let is = |i: usize, text: &str| words.get(i).is_some_and(|word| word.folded == text);
    let mark = |at, length, kind, holds, authority| Mark {
        at,
        length,
        kind,
        holds,
        authority,
    };
    let bid = usize::from(is(0, "please"));
    let mut found = None;
    let mut i = 0;
    while i < words.len() {
        let word = &words[i];
        let own = denials().marks(&word.folded);
        let be = || {
            words[..i].iter().rev().take(3).any(Word::helps)
                || i > 0 && words[..i].iter().any(Word::denies) && is(0, "no")
        };
        let agent = || {
            let first = || words[..i].iter().all(|word| said(word).is_none());
            i > 0 && (person(&words[i - 1].folded) || first())
        };
        let passive = || (i + 1..i + 4).any(|at| is(at, "be"));
        let one = if own.has("rule_permits_state") && be() {
            Some(mark(i, 1, Kind::Allows, true, false))
        } else if own.has("rule_forbids_state") && be() {
            Some(mark(i, 1, Kind::Allows, false, false))
        } else if own.has("rule_requires_state") && be() {
            Some(mark(i, 1, Kind::Requires, true, false))
        } else if own.has("rule_waives_state") && be() {
            Some(mark(i, 1, Kind::Requires, false, false))
        } else if own.has("rule_permits") && i > 0 {
            Some(mark(i, 1, Kind::Allows, true, true))
        } else if own.has("rule_forbids") && i > 0 {
            Some(mark(i, 1, Kind::Allows, false, true))
        } else if matches!(&*word.folded, "need" | "needs" | "have" | "has") && is(i + 1, "to")
            || word.folded == "must" && !class(i + 1, "rule_not")
            || word.folded == "needn't"
        {
            let length = if is(i + 1, "to") { 2 } else { 1 };
            Some(mark(i, length, Kind::Requires, true, false))
        } else if own.has("rule_requires") && i > 0 {
            Some(mark(i, 1, Kind::Requires, true, false))
        } else if matches!(
            &*word.folded,
            "can" | "can't" | "cannot" | "must" | "mustn't"
        ) || word.folded == "may" && (passive() || agent())
        {
            let holds = !matches!(&*word.folded, "must" | "mustn't") || class(i + 1, "rule_not");
            Some(mark(i, 1, Kind::Allows, holds, false))
        } else if i == bid
            && (word.folded == "do" && is(i + 1, "not")
                || matches!(&*word.folded, "don't" | "never"))
        {
            Some(mark(i, 1, Kind::Allows, true, false))
        } else if word.folded == "without"
            && words[..i]
                .iter()
                .any(|word| denials().has("rule_works", &word.folded))
        {
            Some(mark(i, 1, Kind::Requires, false, false))
        } else {
            None
        };
        if let Some(one) = one {
            if found.is_some() {
                return None;
            }
            i += one.length;
            found = Some(one);
        } else {
            i += 1;
        }
    }
    found
}
