//! Which values a sentence puts together.

use crate::kb::{Rows, Slot};
use crate::lexicon::cues::{Cue, known};
use crate::lexicon::rows::words;
use crate::lexicon::words::{WordClass, class};
use crate::normal::fold_name;

use super::bound::Joined;

/// Slots in text order, a new group where a column gets a second value. Left out are values that
/// the sentence does not say of what stands before them, that say something of another noun ("a
/// cheap lunch menu"), and lists of two columns, whose members belong together in a way that the
/// words do not tell ("A and B serve Thai and Greek food").
pub(super) fn groups<'s>(joined: &Joined<'_>, known: &[&'s Slot]) -> Vec<Vec<&'s Slot>> {
    let (text, rows) = (joined.text, joined.rows);
    let mut all: Vec<Vec<&Slot>> = Vec::new();
    let second = |group: &[&Slot], slot: &Slot| group.iter().any(|other| rivals(other, slot));
    let keyed = known.iter().any(|slot| rows.names_row(slot));
    // The slot that the next one may be joined to, and whether its clause follows a broken one.
    let mut last: Option<(&Slot, bool)> = None;
    for (at, slot) in apart_from_lists(text, known).into_iter().enumerate() {
        let key = rows.names_row(slot);
        let follows = last.is_some_and(|(of, anew)| {
            let named_anew = anew && rows.names_row(of);
            joined.bound(of, slot) && (!named_anew || joined.says(of.span.end, slot.span.start))
        });
        let opens = !follows && (at == 0 || key || !keyed) && joined.opens(slot, at > 0);
        let aside = of_another(text, rows, known, slot) || beside(text, rows, known, slot);
        if aside || !follows && !opens {
            last = None;
            continue;
        }
        let before = last.map(|(of, _)| of);
        last = Some((
            slot,
            if follows {
                last.is_some_and(|l| l.1)
            } else {
                at > 0
            },
        ));
        // What stands before the name is said of it where a verb comes before the name too.
        let told = !key || before.is_some_and(|of| joined.before_name(of, slot));
        match all.last_mut() {
            Some(group) if follows && told && !second(group, slot) => group.push(slot),
            _ => all.push(vec![slot]),
        }
    }
    all
}

/// Whether a value is told of another thing than the row that is named before it, or only as a
/// view: "stands by an expensive hotel", "'s chef is Italian", "also has Italian dishes", "cheap
/// for its size". Of keys, numbers and texts of several words that is not asked.
fn beside(text: &str, rows: &Rows, slots: &[&Slot], slot: &Slot) -> bool {
    if rows.names_row(slot) || !slot.words.chars().all(char::is_alphabetic) {
        return false;
    }
    let (before, after) = (&text[..slot.span.start], &text[slot.span.end..]);
    if words().views(text) || relative_to(after) {
        return true;
    }
    let key = slots
        .iter()
        .rev()
        .find(|key| rows.names_row(key) && key.span.end <= slot.span.start);
    let Some(between) = key.and_then(|key| text.get(key.span.end..slot.span.start)) else {
        return false;
    };
    let described = after.strip_prefix(' ').is_some_and(|after| {
        let next = after.split(|c: char| !c.is_alphanumeric()).next();
        next.is_some_and(|word| !word.is_empty() && !function(word))
    });
    let indefinite = ["a", "an", "another", "some"]
        .iter()
        .find_map(|article| before.trim_end().strip_suffix(article))
        .filter(|rest| rest.ends_with(' '));
    if described && indefinite.is_some_and(|before| words().places_beside(before)) {
        return true;
    }
    if words().adds(between)
        && between
            .split_whitespace()
            .any(|word| words().has_thing(word))
    {
        return true;
    }
    // What is owned is what the value is told of, where it is no column of the table.
    let owned = ["'s ", "’s ", "' ", "’ "]
        .iter()
        .find_map(|mark| between.strip_prefix(mark));
    owned.is_some_and(|rest| {
        let noun = rest
            .split(|c: char| !c.is_alphanumeric())
            .take_while(|word| !function(&word.to_lowercase()) && !words().has_thing(word))
            .last();
        noun.is_some_and(|noun| {
            !noun.is_empty() && !words().is_topic(noun) && !in_columns(rows, &noun.to_lowercase())
        })
    })
}

/// "cheap for its size", "expensive for a café".
fn relative_to(after: &str) -> bool {
    let mut words = after.split_whitespace();
    words.next() == Some("for")
        && matches!(words.next(), Some("its" | "their" | "a" | "an" | "such"))
}

/// Whether two slots are different values of one column.
fn rivals(one: &Slot, other: &Slot) -> bool {
    one.value != other.value && one.columns.iter().any(|c| other.columns.contains(c))
}

/// The slots, without the members of lists where there are lists of more than one column.
fn apart_from_lists<'s>(text: &str, known: &[&'s Slot]) -> Vec<&'s Slot> {
    let listed = |pair: &[&Slot]| {
        let between = text
            .get(pair[0].span.end..pair[1].span.start)
            .unwrap_or(".");
        let mut words = between.split(|c: char| !c.is_alphanumeric());
        rivals(pair[0], pair[1])
            && words.all(|word| matches!(&*word.to_lowercase(), "" | "and" | "or" | "the"))
    };
    let mut lists: Vec<(usize, usize)> = Vec::new();
    for at in 1..known.len() {
        if listed(&known[at - 1..=at]) {
            match lists.last_mut() {
                Some((_, end)) if *end == at => *end = at + 1,
                _ => lists.push((at - 1, at + 1)),
            }
        }
    }
    let several = lists.len() > 1;
    let inside = |at: usize| {
        lists
            .iter()
            .any(|(start, end)| (*start..*end).contains(&at))
    };
    let kept = known.iter().enumerate();
    kept.filter(|(at, _)| !several || !inside(*at))
        .map(|(_, slot)| *slot)
        .collect()
}

/// Whether a one-word value stands before a noun of its own: "from the south gate", "serves Indian
/// beer". Nouns for what rows are about ("an Indian restaurant") and words of the table do not count.
fn of_another(text: &str, rows: &Rows, slots: &[&Slot], slot: &Slot) -> bool {
    if rows.names_row(slot) || !slot.words.chars().all(char::is_alphabetic) {
        return false;
    }
    let (before, after) = (&text[..slot.span.start], &text[slot.span.end..]);
    let Some(after) = after.strip_prefix(' ') else {
        return false;
    };
    let next = after
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .next()
        .unwrap_or("");
    let start = slot.span.end + 1;
    if next.is_empty()
        || !next.chars().all(|c| c.is_lowercase())
        || slots.iter().any(|s| s.span.start == start)
        || function(next)
        || words().is_topic(next)
        || in_columns(rows, next)
    {
        return false;
    }
    let last = before.split_whitespace().next_back().unwrap_or("");
    let word = known(&last.to_lowercase());
    // A determiner or a full verb before it makes it the noun's.
    word.cue.is(Cue::DETERMINER) || words().has_thing(last)
}

/// Whether a word is no noun that a value could describe.
pub(super) fn function(word: &str) -> bool {
    let cues = Cue::PREPOSITION
        .or(Cue::COPULA)
        .or(Cue::AUXILIARY)
        .or(Cue::DETERMINER);
    class(word).has(WordClass::STOPWORD) || known(word).cue.is(cues)
}

/// Whether a column is called by the word, in singular or plural.
pub(super) fn in_columns(rows: &Rows, word: &str) -> bool {
    let one = word.strip_suffix('s').unwrap_or(word);
    rows.columns().iter().any(|column| {
        fold_name(column)
            .split([' ', '_'])
            .any(|own| own.strip_suffix('s').unwrap_or(own) == one)
    })
}
