//! What a run of capitalised words is: part of a known name, a word any text holds, nearly a
//! name, or a name nobody knows.

use super::names::Names;
use super::scanner::{Gap, Word};
use crate::lexicon::tables::frames;
use crate::lexicon::words::{WordClass, class, longest_phrase};
use crate::normal::stem;
use crate::types::{LexFlags, Resolution};

/// Classes of words that stand for something by themselves.
const PROPER: WordClass = WordClass::MONTH
    .with(WordClass::WEEKDAY)
    .with(WordClass::LANGUAGE)
    .with(WordClass::COUNTRY)
    .with(WordClass::DEMONYM)
    .with(WordClass::CURRENCY)
    .with(WordClass::CITY)
    .with(WordClass::GIVEN_NAME)
    .with(WordClass::PROPER)
    .with(WordClass::WELL_KNOWN);
/// Classes whose words after a given name do not make it a person's full name.
const PLACE_OR_TIME: WordClass = WordClass::MONTH
    .with(WordClass::WEEKDAY)
    .with(WordClass::LANGUAGE)
    .with(WordClass::COUNTRY)
    .with(WordClass::DEMONYM);
/// Classes whose words make a familiar name with a head noun ("London Bridge").
const FAMILIAR: WordClass = PLACE_OR_TIME
    .with(WordClass::CITY)
    .with(WordClass::CURRENCY)
    .with(WordClass::WELL_KNOWN);
/// Classes of words that also stand in text with a small letter.
const ORDINARY: WordClass = WordClass::COMMON
    .with(WordClass::NAME_HEAD)
    .with(WordClass::TITLE);
/// Classes of words that may be somebody's name.
const PERSONAL: WordClass = WordClass::PROPER.with(WordClass::GIVEN_NAME);
/// Longest word in capitals that is taken for an abbreviation.
const MAX_ACRONYM: usize = 6;

/// The mention in a run: its first and last word, and what they resolve to.
pub(super) struct Judged {
    pub(super) first: usize,
    pub(super) last: usize,
    pub(super) resolution: Resolution,
    /// A word of a known name, and no more.
    pub(super) partial: bool,
}

struct Item<'a> {
    folded: &'a str,
    class: WordClass,
    flags: LexFlags,
    joined: bool,
}

impl Item<'_> {
    fn is_initial(&self) -> bool {
        self.folded.chars().count() == 1
    }

    fn is_acronym(&self) -> bool {
        self.flags.has(LexFlags::ALL_CAPS) && self.folded.len() <= MAX_ACRONYM
    }

    /// In no list, and not an inflection of a listed word.
    fn is_foreign(&self) -> bool {
        !self.class.is_known() && !self.is_initial() && !is_derived(self.folded)
    }

    fn opens(&self) -> bool {
        self.flags.has(LexFlags::SENTENCE_START) || self.flags.has(LexFlags::AFTER_OPENER)
    }
}

/// Endings and beginnings by which listed words make unlisted ones.
const SUFFIXES: [&str; 13] = [
    "s", "ly", "ness", "less", "able", "wise", "like", "er", "ers", "or", "ors", "ist", "ism",
];
const PREFIXES: [&str; 12] = [
    "un", "non", "re", "pre", "post", "anti", "multi", "sub", "super", "over", "micro", "co",
];

/// Whether a word that is in no list is made regularly from one that is.
fn is_derived(word: &str) -> bool {
    if !word.is_ascii() || word.len() < 4 {
        return false;
    }
    let listed = |w: &str| class(w).is_known() || class(&format!("{w}e")).is_known();
    let root_is_listed = |root: &str| root.len() > 3 && listed(root);
    let stemmed = stem(word);
    (stemmed != word && listed(&stemmed))
        || SUFFIXES
            .iter()
            .filter_map(|s| word.strip_suffix(s))
            .any(root_is_listed)
        || PREFIXES
            .iter()
            .filter_map(|p| word.strip_prefix(p))
            .any(|root| root_is_listed(root) || root_is_listed(&stem(root)))
}

/// Letters from which a word may be put together of two, and each of them.
const COMPOUND: usize = 6;
/// See [`COMPOUND`].
const PART: usize = 2;

/// Whether a word that is in no list is put together of two that are, in a way in which nouns are made
/// ("uptime", "headcount", "rollouts", "carpooling") and names seldom.
fn is_compound(word: &str) -> bool {
    if !word.is_ascii() || word.len() < COMPOUND {
        return false;
    }
    let listed = |part: &str| {
        let plain = |one: &str| class(one).has(WordClass::COMMON);
        plain(part) || plain(&stem(part)) || plain(&format!("{}e", stem(part)))
    };
    (PART..=word.len() - PART - 1).any(|at| {
        let (head, tail) = word.split_at(at);
        let one = tail.strip_suffix('s').unwrap_or(tail);
        let ends = frames().has("compound_tail", tail) || frames().has("compound_tail", one);
        let acts = tail.len() > 5 && tail.ends_with("ing");
        frames().has("compound_head", head) && tail.len() > 2 && listed(tail)
            || (ends || acts && listed(tail)) && head.len() > 2 && listed(head)
    })
}

/// Judges a run; none where it is ordinary wording.
pub(super) fn judge(names: &Names, words: &[Word], text: &str) -> Option<Judged> {
    let items: Vec<Item<'_>> = words
        .iter()
        .map(|word| {
            let folded = word.folded(text);
            Item {
                folded,
                class: class(folded),
                flags: word.flags,
                joined: word.gap == Gap::Joined,
            }
        })
        .collect();
    let first = leading(&items);
    let items = &items[first..];
    let resolution = match items {
        [] => return None,
        [one] => single(names, one)?,
        many => several(names, many)?,
    };
    let partial = items.len() == 1 && matches!(resolution, Resolution::Known(_));
    Some(Judged {
        first,
        last: words.len() - 1,
        resolution,
        partial,
    })
}

/// Number of words before the name proper: function words, titles, and the ordinary word that
/// is capitalised only because it opens the sentence.
fn leading(items: &[Item<'_>]) -> usize {
    let ends_as_name = items
        .last()
        .is_some_and(|item| item.class.has(WordClass::NAME_HEAD));
    let mut first = 0;
    while let Some(item) = items.get(first) {
        let next = items.get(first + 1);
        let names_person = item.class.has(WordClass::GIVEN_NAME)
            && next.is_some_and(|next| {
                next.flags.has(LexFlags::CAPITALIZED) && !next.class.has(WordClass::STOPWORD)
            });
        let lower = !item.flags.has(LexFlags::CAPITALIZED);
        let function = item.class.has(WordClass::STOPWORD) && !names_person;
        let title = item.class.has(WordClass::TITLE) && next.is_some() && !names_person;
        let opener = first == 0
            && item.opens()
            && next.is_some()
            && !ends_as_name
            && item.class.has(WordClass::COMMON)
            && !item.class.any(PROPER);
        // "On Monday Harbour Ltd opens": the day is when, and the company's name has two words.
        let told = first.checked_sub(1).and_then(|before| items.get(before));
        let when = item.class.has(WordClass::WEEKDAY)
            || item.class.has(WordClass::MONTH) && told.is_some_and(|item| item.folded == "in");
        let day = when && items.len() > first + 2 && !item.joined;
        if !(lower || function || title || opener || day) || phrase(&items[first..]) > 1 {
            return first;
        }
        first += 1;
    }
    first
}

/// Words of the longest listed phrase at the start of `items`; 1 where only the word itself
/// stands for something, 0 where not even that.
fn phrase(items: &[Item<'_>]) -> usize {
    let Some(head) = items.first() else { return 0 };
    let longest = longest_phrase().min(items.len());
    let joined: Vec<&str> = items[..longest].iter().map(|item| item.folded).collect();
    (2..=longest)
        .rev()
        .find(|&n| class(&joined[..n].join(" ")).any(PROPER))
        .unwrap_or(usize::from(head.class.any(PROPER)))
}

/// How much of the run listed phrases and proper words cover.
fn cover(items: &[Item<'_>]) -> Vec<bool> {
    let mut covered = vec![false; items.len()];
    let mut at = 0;
    while at < items.len() {
        let n = phrase(&items[at..]);
        covered[at..at + n].fill(true);
        at += n.max(1);
    }
    covered
}

fn near(names: &Names, folded: &str) -> Option<Resolution> {
    let candidates = names.fuzzy(folded);
    (!candidates.is_empty()).then_some(Resolution::NearMiss(candidates))
}

fn single(names: &Names, item: &Item<'_>) -> Option<Resolution> {
    if item.is_initial() || item.class.has(WordClass::STOPWORD) {
        return None;
    }
    // "Smith" is a trade and a name: inside a sentence the capital letter decides.
    let ordinary = item.class.any(ORDINARY) && (item.opens() || !item.class.any(PERSONAL));
    if !ordinary {
        let part_of = names.with_word(item.folded);
        if !part_of.is_empty() {
            return Some(Resolution::Known(part_of));
        }
    }
    if item.class.is_known() {
        return item.class.any(PROPER).then_some(Resolution::Common);
    }
    // Shouting, abbreviations and their plurals ("GPUs"), identifiers: too common to be news.
    let plural = item.flags.has(LexFlags::MIXED_CASE)
        && item.folded.len() <= MAX_ACRONYM
        && item.folded.ends_with('s');
    let sign = item.flags.has(LexFlags::HAS_DIGIT) || item.flags.has(LexFlags::ALL_CAPS) || plural;
    let made = is_derived(item.folded) || item.opens() && is_compound(item.folded);
    if sign || item.folded.chars().count() < 3 || made {
        return None;
    }
    Some(near(names, item.folded).unwrap_or(Resolution::Unknown))
}

fn several(names: &Names, items: &[Item<'_>]) -> Option<Resolution> {
    if items
        .iter()
        .all(|item| item.flags.has(LexFlags::ALL_CAPS) || item.is_initial())
    {
        return None;
    }
    // "X-Ray", "S-Bahn": a letter before a hyphen makes a noun.
    if let [letter, noun] = items
        && letter.is_initial()
        && noun.joined
        && !noun.is_initial()
    {
        return None;
    }
    let folded: Vec<&str> = items.iter().map(|item| item.folded).collect();
    let joined = folded.join(" ");
    let known = without_initials(names, items);
    if !known.is_empty() {
        return Some(Resolution::Known(known));
    }
    if phrase(items) == items.len() {
        return Some(Resolution::Common);
    }
    if let Some(candidates) = near(names, &joined) {
        return Some(candidates);
    }
    let covered = cover(items);
    let foreign = items
        .iter()
        .any(|item| item.is_foreign() && !item.is_acronym());
    let person = items[0].class.has(WordClass::GIVEN_NAME)
        && items[1..]
            .iter()
            .any(|item| item.class.any(PROPER) && !item.class.any(PLACE_OR_TIME));
    let headed = items[items.len() - 1].class.has(WordClass::NAME_HEAD)
        && items
            .iter()
            .zip(&covered)
            .take(items.len() - 1)
            .any(|(item, covered)| {
                !covered || (item.class.any(PERSONAL) && !item.class.any(FAMILIAR))
            });
    let initials = items[..items.len() - 1].iter().all(Item::is_initial)
        && items[items.len() - 1].class.any(PERSONAL);
    if foreign || person || headed || initials || is_surnamed(items) {
        return Some(Resolution::Unknown);
    }
    covered.contains(&true).then_some(Resolution::Common)
}

/// "Bob Quill", "Petra Vane": somebody whose surname is a word of the language, where the first name is none
/// and nothing else. Inflected words ("Bob Wins") and heads of other names ("Clara Street") are no surnames.
fn is_surnamed(items: &[Item<'_>]) -> bool {
    let [first, last] = items else { return false };
    let plain = !first.class.any(ORDINARY.with(FAMILIAR));
    let given =
        first.class.has(WordClass::GIVEN_NAME) && plain || frames().has("first_name", first.folded);
    let inflected = ["s", "ed", "ing", "ly"]
        .iter()
        .any(|end| last.folded.ends_with(end));
    let word = last.class.has(WordClass::COMMON)
        && !last.class.any(WordClass::NAME_HEAD.with(WordClass::TITLE))
        && !last.class.any(PLACE_OR_TIME);
    given && word && !inflected && !last.joined && !last.flags.has(LexFlags::ALL_CAPS)
}

/// Entities of the run without the initials inside it ("John Q. Smith" where the index has
/// "John Smith").
fn without_initials(names: &Names, items: &[Item<'_>]) -> Vec<u32> {
    let last = items.len() - 1;
    let kept: Vec<&str> = items
        .iter()
        .enumerate()
        .filter(|(i, item)| *i == 0 || *i == last || !item.is_initial())
        .map(|(_, item)| item.folded)
        .collect();
    if kept.len() < 2 || kept.len() == items.len() {
        Vec::new()
    } else {
        names.find(&kept.join(" "))
    }
}
