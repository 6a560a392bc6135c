//! What "is" and "has" say of attributes that they do not name: "has no wifi", "is private", "a
//! 3-star hotel", "is a vice president", "a Danish architect".

use crate::claims::SentenceView;
use crate::kb::{Fact, Value};
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::names::{NameCue, name_cue};
use crate::lexicon::persons::persons;
use crate::lexicon::predicates::Predicates;
use crate::lexicon::tables::{roles, stance};
use crate::lexicon::words::{WordClass, class};
use crate::normal::{fold, fold_name, stem};
use crate::segment;
use crate::types::{Claim, Polarity, Span};

use super::replacement::amount::SPELLED;
use super::replacement::style::in_words;
use super::yes_no::against;

/// From which stage on an order is no longer with who sends it.
const SENT: u8 = 3;
/// Levels of positions that one person may well hold together: a director of the board and a
/// chief executive.
const BOARD: [u8; 2] = [3, 5];

/// A fact that a description contradicts.
pub(super) struct Described<'a> {
    pub(super) fact: &'a Fact,
    /// The words at fault inside the object, and what stands right in their place.
    pub(super) exact: Option<(Span, Option<String>)>,
    /// It stands beside the name, without a verb of its own.
    pub(super) aside: bool,
}

/// The fact that a claim with "is", "has" or "allows" contradicts.
pub(super) fn described<'a>(
    view: &SentenceView<'_>,
    claim: &Claim,
    predicate: &str,
    facts: &'a [Fact],
) -> Option<Described<'a>> {
    let object = claim.object_span?;
    let words = folded(view.at(object));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    // The noun phrase and whether more follows it.
    let end = words
        .iter()
        .position(|word| cue(word).is(Cue::PREPOSITION))
        .unwrap_or(words.len());
    let start = words[..end]
        .iter()
        .position(|word| !cue(word).is(Cue::DETERMINER.or(Cue::ADVERB)))
        .unwrap_or(end);
    let noun = &words[start..end];
    let qualified = end < words.len();
    let names = view.attributes.predicates();
    let positive = claim.polarity == Polarity::Positive;
    let whole = |fact| Described {
        fact,
        exact: None,
        aside: false,
    };
    if noun.is_empty() {
        // "is on leave"
        if predicate != "is" {
            return None;
        }
        let said = words.join(" ");
        let held = |fact: &&Fact| {
            let status = fact.valid_to.is_none() && names.same(&fact.predicate, "status");
            status && fold_name(&fact.value.to_string()) == said
        };
        return match positive {
            true => facts
                .iter()
                .find_map(|fact| staged(view, claim, fact, names)),
            false => facts.iter().find(held).map(whole),
        };
    }
    if predicate == "is"
        && positive
        && !qualified
        && !facts.iter().any(|fact| holds(noun, fact, names))
    {
        // "is the director", where somebody was.
        let was = facts.iter().find(|fact| {
            let mut now = (*fact).clone();
            now.valid_to = None;
            fact.valid_to.is_some() && holds(noun, &now, names)
        });
        if was.is_some() {
            return was.map(whole);
        }
    }
    let mut current = facts.iter().filter(|fact| fact.valid_to.is_none());
    if predicate != "is" {
        let found = current.find(|fact| against(predicate, noun, qualified, positive, fact));
        // A word for yes or no takes the place of no noun.
        return found.map(|fact| Described {
            fact,
            exact: matches!(fact.value, Value::Text(_)).then_some((object, None)),
            aside: false,
        });
    }
    let rated = current.clone().find_map(|fact| {
        let (said, right) = compound(noun, fact, names, positive)?;
        let exact = right.and_then(|right| {
            let (span, right) = replaced(view, object, &said, right)?;
            let number = said.find(['-', ' ']).unwrap_or(said.len());
            Some((Span::new(span.start, span.start + number), right))
        });
        Some(Described {
            fact,
            exact,
            aside: false,
        })
    });
    if rated.is_some() {
        return rated;
    }
    if let Some((fact, said)) = origin(noun, qualified, positive, facts, names) {
        let right = fact.value.to_string();
        let article = start
            .checked_sub(1)
            .is_some_and(|i| matches!(words[i], "a" | "an"));
        let exact = match positive {
            // "is a German": "is Irish".
            true if article && noun.len() == 1 => Some((object, Some(right))),
            true => replaced(view, object, said, right),
            false => None,
        };
        return Some(Described {
            fact,
            exact,
            aside: false,
        });
    }
    if positive
        && let Some(found) = facts
            .iter()
            .find_map(|fact| staged(view, claim, fact, names))
    {
        return Some(found);
    }
    let titles = (facts.iter().filter(|fact| fact.valid_to.is_none()))
        .filter(|fact| names.same(&fact.predicate, "title"))
        .count();
    current
        .find(|fact| {
            against(predicate, noun, qualified, positive, fact)
                || positive && titles < 2 && !qualified && position(noun, fact, names)
        })
        .map(whole)
}

fn folded(text: &str) -> Vec<String> {
    // "5,200" is one number.
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let parts = |(at, c): (usize, char)| {
        let comma = c == ',' && !(at > 0 && digit(at - 1) && digit(at + 1));
        (c.is_whitespace() || c == '"' || comma).then_some((at, c.len_utf8()))
    };
    let mut from = 0;
    let ends = text.char_indices().filter_map(parts);
    ends.chain([(text.len(), 0)])
        .map(|(at, length)| &text[std::mem::replace(&mut from, at + length)..at])
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .map(|word| {
            let mut out = String::new();
            fold(word, &mut out);
            out
        })
        .collect()
}

/// Where the folded words stand in the object, and the right ones.
fn replaced(
    view: &SentenceView<'_>,
    object: Span,
    said: &str,
    right: String,
) -> Option<(Span, Option<String>)> {
    let text = view.at(object);
    let at = text.to_lowercase().find(said)?;
    let said = text.get(at..at + said.len())?;
    let start = object.start + at;
    Some((Span::new(start, start + said.len()), Some(right)))
}

/// "a 3-star hotel", "a three star hotel", where the base counts four stars: the words, and the
/// right number where it is not denied.
fn compound(
    noun: &[&str],
    fact: &Fact,
    names: &Predicates,
    positive: bool,
) -> Option<(String, Option<String>)> {
    let Value::Number { value, unit } = &fact.value else {
        return None;
    };
    let named = |counted: &str| {
        let plural = format!("{counted}s");
        let own = |name: &str| names.same(&fact.predicate, name) || fact.predicate == name;
        let rating = format!("{counted}_rating");
        (own(counted) || own(&plural) || fact.predicate == rating)
            && unit.as_ref().is_none_or(|unit| stem(unit) == stem(counted))
    };
    (0..noun.len()).find_map(|at| {
        let (number, counted, mark) = match noun[at].split_once('-') {
            Some((number, counted)) => (number, counted, '-'),
            // "a three star hotel", not "has three stars".
            None => (
                noun[at],
                *noun.get(at + 1).filter(|_| at + 2 < noun.len())?,
                ' ',
            ),
        };
        let [said] = segment::quantities(number)[..] else {
            return None;
        };
        if !named(counted) || ((said.value - value).abs() > f64::EPSILON) != positive {
            return None;
        }
        let digits = number.starts_with(|c: char| c.is_ascii_digit());
        let small = value.fract() == 0.0 && (0.0..SPELLED.len() as f64).contains(value);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let right = match (digits, small) {
            (false, true) => SPELLED[*value as usize].to_owned(),
            _ => Value::Number {
                value: *value,
                unit: None,
            }
            .to_string(),
        };
        Some((
            format!("{number}{mark}{counted}"),
            positive.then_some(right),
        ))
    })
}

/// "is Swedish", "a Swedish architect", where the base has another nationality; the word at fault.
fn origin<'a, 'b>(
    noun: &[&'b str],
    qualified: bool,
    positive: bool,
    facts: &'a [Fact],
    names: &Predicates,
) -> Option<(&'a Fact, &'b str)> {
    let said = *noun.first()?;
    let does = |word: &str| {
        facts.iter().any(|fact| match &fact.value {
            Value::Text(own) if names.same(&fact.predicate, "title") => {
                fold_name(own).split(' ').any(|own| own == word)
            }
            _ => false,
        })
    };
    let person = |word: &str| {
        (name_cue(word).is(NameCue::IS_PERSON) || does(word))
            && !stance().has("subject_matter", word)
    };
    let told = match noun {
        [_] => !qualified,
        [_, one] => person(one),
        _ => false,
    };
    let from = |word: &str| class(word).has(WordClass::DEMONYM);
    if !told || !from(said) {
        return None;
    }
    let mut own = facts
        .iter()
        .filter(|fact| fact.valid_to.is_none() && names.same(&fact.predicate, "nationality"));
    let (first, more) = (own.next()?, own.next());
    let Value::Text(text) = &first.value else {
        return None;
    };
    let held = fold_name(text);
    let differs = held != said;
    (more.is_none() && from(&held) && differs == positive && (positive || noun.len() == 1))
        .then_some((first, said))
}

/// "has been delivered", where the status is "shipped": what comes later, or cannot be beside it.
fn staged<'a>(
    view: &SentenceView<'_>,
    claim: &Claim,
    fact: &'a Fact,
    names: &Predicates,
) -> Option<Described<'a>> {
    let (own, listed) = match &fact.value {
        Value::Text(own) => {
            let listed = stance().of("listed_", &own.to_lowercase()).is_some();
            (own.clone(), listed)
        }
        Value::Enum(own) => (in_words(own), true),
        _ => return None,
    };
    if fact.valid_to.is_some() || !names.same(&fact.predicate, "status") {
        return None;
    }
    let place = claim.object_span?;
    let at = view.lexemes_in(place).start;
    let word = |i: usize| fold_name(view.word(i));
    let before = (0..at).rev().find(|i| !cue(&word(*i)).is(Cue::ADVERB))?;
    let verb = word(before);
    // "is usually on time"
    if (before + 1..at).any(|i| stance().has("habit", &word(i))) {
        return None;
    }
    // "is delivered by courier" says how.
    let done = matches!(verb.as_str(), "been" | "was" | "were");
    let next = view.lexemes_in(place).end;
    let behind = view.lexemes.get(next).map_or("", |_| view.word(next));
    let closed = !behind.starts_with(char::is_alphanumeric);
    // "is set to pending", "is marked as closed"
    let put = matches!(verb.as_str(), "to" | "as");
    // "was delivered to the carrier"
    if behind == "to"
        || !(done || closed && (put || matches!(verb.as_str(), "is" | "are" | "has" | "have")))
    {
        return None;
    }
    let said = view.at(place).to_lowercase();
    let held = own.to_lowercase();
    // "had been closed" may have been opened again.
    let lasting = before.checked_sub(1).map(word);
    let lasting = lasting.is_some_and(|has| matches!(has.as_str(), "has" | "have"));
    let described = |right: Option<String>| Described {
        fact,
        exact: Some((place, right)),
        aside: false,
    };
    if listed && closed && (!done || verb == "been" && lasting) && apart(&said, &held) {
        return Some(described(Some(held)));
    }
    let stage = |text: &str| roles().of("stage_", text);
    let (said, stood) = (stage(&said)?, stage(&held)?);
    let later = match (said.parse::<u8>(), stood.parse::<u8>()) {
        (Ok(said), Ok(held)) => said > held && said >= SENT,
        (Ok(said), Err(_)) => said >= SENT && stood == "off",
        (Err(_), Ok(_)) => said == "off",
        // "is completed", where the base has "in progress"
        (Err(_), Err(_)) => !done && said != stood && said != "planned" && said != "running",
    };
    // What stands behind it would be told of the other.
    let order = stood.parse::<u8>().is_ok();
    let alike = closed
        && stood.parse::<u8>().map_or(true, |held| held >= SENT)
        && (!order || !own.contains(' '));
    later.then(|| described(alike.then_some(held)))
}

/// Whether nothing is in both states at once: "active" and "closed", not "active" and "open".
fn apart(said: &str, own: &str) -> bool {
    let sides = |text: &str| {
        let classes: Vec<&str> = roles().classes(text).collect();
        let sides = classes
            .into_iter()
            .filter_map(|class| class.strip_prefix("state_"));
        sides.filter_map(|side| side.rsplit_once('_'))
    };
    sides(said).any(|(axis, side)| sides(own).any(|(other, held)| axis == other && side != held))
}

/// "is Staff Engineer", where the title is a director's.
pub(super) fn other_post(names: &Predicates, fact: &Fact, said: &str) -> bool {
    let Value::Text(own) = &fact.value else {
        return false;
    };
    let post = |text: &str| {
        let words = folded(text);
        let end = words.iter().position(|word| cue(word).is(Cue::PREPOSITION));
        let head = words[..end.unwrap_or(words.len())].last()?.clone();
        let plain = !words
            .iter()
            .any(|word| matches!(word.as_str(), "and" | "or"));
        roles()
            .of("post_", &head)
            .filter(|_| plain && !text.contains([',', '/', '&']))
    };
    names.same(&fact.predicate, "title") && post(said).zip(post(own)).is_some_and(|(a, b)| a != b)
}

/// "is a vice president", where the title is another position.
fn position(noun: &[&str], fact: &Fact, names: &Predicates) -> bool {
    if let (Some(said), Value::Text(own)) = (chief_of(noun), &fact.value)
        && names.same(&fact.predicate, "title")
    {
        let own = folded(own);
        let own: Vec<&str> = own.iter().map(String::as_str).collect();
        return chief_of(&own).is_some_and(|own| own != said);
    }
    match (persons().rank(noun), title(fact, names)) {
        (Some((_, a)), Some((_, b))) => a != b && !(BOARD.contains(&a) && BOARD.contains(&b)),
        _ => false,
    }
}

/// What a chief officer is chief of, by its first letter: "chief technology officer" and "CTO" are
/// one. None of a title that says anything beside it ("co-founder and CTO").
fn chief_of(title: &[&str]) -> Option<char> {
    match title {
        ["chief", what, "officer"] => what.chars().next(),
        [short] if short.len() == 3 && short.starts_with('c') && short.ends_with('o') => {
            short.chars().nth(1).filter(|_| persons().is_chief(short))
        }
        _ => None,
    }
}

/// Whether the position is the title that the fact gives now.
fn holds(noun: &[&str], fact: &Fact, names: &Predicates) -> bool {
    fact.valid_to.is_none()
        && title(fact, names)
            .is_some_and(|(own, _)| persons().rank(noun).is_some_and(|(n, _)| n == own))
}

/// The position that a fact gives as a title, with its level.
fn title(fact: &Fact, names: &Predicates) -> Option<(String, u8)> {
    let Value::Text(own) = &fact.value else {
        return None;
    };
    let words = folded(own);
    let words: Vec<&str> = words
        .iter()
        .map(String::as_str)
        .take_while(|word| !cue(word).is(Cue::PREPOSITION))
        .collect();
    persons()
        .rank(&words)
        .filter(|_| names.same(&fact.predicate, "title"))
}
