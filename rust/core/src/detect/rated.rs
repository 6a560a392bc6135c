//! Amounts that are for another time or for more of those that pay than the one in the base: "$144 a
//! year" where it has "$12 per month", "$80 for two" where it has "$40 per person".

use crate::claims::{Folded, SentenceView, unit_named};
use crate::kb::{Fact, Value};
use crate::lexicon::tables::{time, values};
use crate::lexicon::units::unit;
use crate::normal::{fold_name, stem};
use crate::segment;
use crate::types::{Quantity, QuantityKind, Resolution, Span};

use super::object::Object;

/// Words behind an amount among which what it is for stands.
const REACH: usize = 7;
/// Words before a period among which what leads to it stands.
const LED: usize = 3;

/// What an amount is for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Per {
    /// The class of its period ("month"), and whether several of them are meant.
    period: Option<(&'static str, bool)>,
    /// Who or what pays ("person"), stemmed; "each" for any.
    bearer: Option<String>,
    /// For several of those.
    several: bool,
}

impl Per {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether an amount for this one compares with an amount for the other as it is.
    fn alike(&self, said: &Self) -> bool {
        let who = match (&self.bearer, &said.bearer) {
            (Some(own), Some(said)) => own == said || own == "each" || said == "each",
            (own, said) => own == said,
        };
        !said.several && who && self.period == said.period
    }
}

fn period(word: &str) -> Option<&'static str> {
    values()
        .of("period_", word)
        .filter(|class| *class != "link")
}

/// An adjective or adverb of a period ("monthly", "annual"), which needs nothing before it.
fn adjective(word: &str) -> bool {
    word.ends_with("ly") || matches!(word, "annual" | "annum" | "pa" | "p.a")
}

/// "an ounce", "per litre": what something is measured in.
fn measure(word: &str) -> bool {
    unit_named(word)
        .is_some_and(|id| matches!(unit(id).dimension, "mass" | "volume" | "length" | "area"))
}

/// What the words say of it, and where they stand: a period needs a word that leads to it, and who
/// pays a "per", "each" or "for".
fn per<'a>(words: &[&'a str], number: &dyn Fn(usize) -> bool) -> Per {
    let mut found = Per::default();
    let led = |i: usize, by: &dyn Fn(&'a str) -> bool| {
        (i.saturating_sub(LED)..i).rev().any(|j| by(words[j]))
    };
    for (i, word) in words.iter().enumerate() {
        let one = |word: &str| matches!(word, "a" | "an" | "per" | "/" | "each" | "every");
        let right_before = i.checked_sub(1).map(|j| words[j]);
        if let Some(class) = period(word) {
            let several =
                i > 0 && number(i - 1) && right_before.is_some_and(|w| !one(w) && w != "one")
                    || led(i, &|w| w == "half")
                    || words.get(i + 1..i + 4) == Some(&["and", "a", "half"][..]);
            let linked = right_before.is_some_and(one) || several;
            let linked = linked || led(i, &|w| values().has("period_link", w));
            if found.period.is_none() && (adjective(word) || linked) {
                found.period = Some((class, several));
            }
            continue;
        }
        if matches!(*word, "each" | "apiece")
            && words.get(i + 1).is_none_or(|w| period(w).is_none())
        {
            found.bearer.get_or_insert_with(|| "each".to_owned());
            continue;
        }
        let paying = values().has("bearer", word) || measure(word) && right_before != Some("one");
        if paying && right_before.is_some_and(|w| one(w) || w == "one") {
            let plain = measure(word);
            let head = values().has("heads", word);
            found.bearer = Some(if head {
                "person".to_owned()
            } else if plain {
                (*word).to_owned()
            } else {
                stem(word).into_owned()
            });
        } else if led(i, &|w| w == "for")
            && (number(i) && words.get(i + 1).is_none_or(|w| period(w).is_none())
                || values().has("grouped", word))
        {
            found.several = true;
        }
    }
    found
}

/// Whether the claim's amount is for something else than the base's.
pub(super) fn other_period(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    object: &Object<'_>,
    fact: &Fact,
) -> bool {
    let own = match &fact.value {
        Value::Text(text) => {
            let found = segment::quantities(text);
            let Some(amount) = found.first().filter(|q| q.unit.is_some()) else {
                return false;
            };
            let behind = text.get(amount.span.end..).unwrap_or("").to_lowercase();
            let ahead = fact.predicate.to_lowercase();
            written(&format!("{} {behind}", ahead.replace('_', " ")))
        }
        Value::Number { .. } => written(&fact.predicate.to_lowercase().replace('_', " ")),
        _ => return false,
    };
    let amount = |q: &&Quantity| {
        matches!(
            q.kind,
            QuantityKind::Money | QuantityKind::Measure | QuantityKind::Cardinal
        )
    };
    let Some(at) = object.quantities.iter().find(amount) else {
        return false;
    };
    let end = view.lexemes_in(at.span).end;
    let counts = |i: usize| {
        let span = view.lexemes.get(i).map(|lexeme| lexeme.span);
        span.is_some_and(|span| {
            let mut numbers = view.quantities.iter();
            numbers.any(|q| q.span != at.span && q.span.start == span.start)
        })
    };
    let said_in = |from: usize, to: usize| {
        let words: Vec<&str> = (from..to).map(|i| word(view, folded, i)).collect();
        per(&words, &|i| counts(from + i))
    };
    let stop = (end..view.lexemes.len().min(end + REACH))
        .find(|i| matches!(view.word(*i), "." | ";" | "," | "(" | "or"))
        .unwrap_or(view.lexemes.len().min(end + REACH));
    let behind = said_in(end, stop);
    // "Per person, it weighs", "an ounce" of what is sold as a whole; what is paid is paid by one.
    let shared = |said: &Per| {
        let one = said.bearer.as_deref().filter(|one| *one != "each");
        one.is_some_and(|one| at.kind != QuantityKind::Money || measure(one))
    };
    if own.is_empty() && !behind.is_empty() {
        return shared(&behind);
    }
    if !behind.is_empty() {
        return !own.alike(&behind);
    }
    // "Over a year, it costs", "the annual price": anywhere but in a name.
    let named = |i: usize| {
        let span = view.lexemes[i].span;
        view.mentions.iter().any(|mention| {
            matches!(mention.resolution, Resolution::Known(_)) && mention.span.overlaps(span)
        })
    };
    let start = view
        .lexemes_in(Span::new(at.span.start, at.span.start))
        .start;
    let plain = |i: usize| {
        if named(i) { "" } else { word(view, folded, i) }
    };
    let words: Vec<&str> = (0..start).map(plain).collect();
    let ahead = per(&words, &counts);
    if own.is_empty() {
        return shared(&ahead);
    }
    !ahead.is_empty() && (ahead.several || ahead.period.is_some() && ahead.period != own.period)
}

/// A word of the sentence; a slash stands for itself.
fn word<'a>(view: &SentenceView<'a>, folded: &Folded<'a>, i: usize) -> &'a str {
    if view.word(i) == "/" {
        "/"
    } else {
        folded.get(i)
    }
}

/// What a value's own words and its attribute's name say.
fn written(text: &str) -> Per {
    let spaced = text.replace('/', " / ");
    let words: Vec<&str> = spaced
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric() && c != '/'))
        .filter(|word| !word.is_empty())
        .collect();
    let number = |i: usize| words[i].starts_with(|c: char| c.is_ascii_digit());
    per(&words, &number)
}

/// "$4,000 a month" where the base has "$52,000 a year".
pub(super) fn other_rate(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    fact: &Fact,
    object: Span,
) -> bool {
    let Value::Text(own) = &fact.value else {
        return false;
    };
    let of = |word: &str| time().of("unit_", word);
    let text = fold_name(own);
    let mut words = text.split(' ').rev();
    let (Some(last), Some("a" | "an" | "per" | "each" | "every")) = (words.next(), words.next())
    else {
        return false;
    };
    let Some(own) = of(last) else {
        return false;
    };
    let object = view.lexemes_in(object);
    (object.start..folded.len().min(object.end + 2)).any(|i| {
        matches!(folded.get(i), "a" | "an" | "per" | "each" | "every")
            && of(folded.get(i + 1)).is_some_and(|said| said != own)
    })
}
