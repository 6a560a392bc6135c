//! "is a logistics company" of what the base has as a software company.

use crate::claims::SentenceView;
use crate::lexicon::tables::kinds;
use crate::lexicon::words::{WordClass, class};
use crate::types::Span;

use super::{as_said, folded, groups, span_of, words};
use crate::detect::replacement::grammar::one_of;

/// What the company is said to be in and what stands right there, where all of it is known and nothing
/// of it is what the base has.
pub(super) fn other(
    view: &SentenceView<'_>,
    object: Span,
    own: &str,
) -> Option<(Span, Option<String>)> {
    let place = view.lexemes_in(object);
    let word = |i: usize| folded(view.word(i));
    if !matches!(&*word(place.start), "a" | "an") {
        return None;
    }
    let Some(end) = (place.start + 1..place.end).find(|i| firm(&word(*i))) else {
        return trader(view, &place, own).map(|span| (span, None));
    };
    let next = view.lexemes.get(end + 1).map(|_| word(end + 1));
    // "a software company acquisition"
    if end + 1 < place.end && next.is_some_and(|next| !opens(&next)) {
        return None;
    }
    let first = (place.start + 1..end).find(|i| !light(&word(*i)))?;
    let said: Vec<String> = (first..end).map(word).collect();
    if said.iter().any(|word| ambient(word)) {
        return None;
    }
    let mut held = words(own);
    let called = held.last().is_some_and(|last| firm(last));
    if called {
        held.pop();
    }
    held.retain(|word| !light(word));
    let (said, held) = (trades(&said)?, trades(&held)?);
    if said.iter().any(|group| held.contains(group)) {
        return None;
    }
    let span = span_of(view, &(first..if called { end + 1 } else { end }))?;
    let short = !own.contains([',', '/', '&', '(', ';']) && own.split(' ').count() <= 3;
    let right = short.then(|| as_said(view.at(span), own));
    let right = right.and_then(|right| {
        if called {
            Some(right)
        } else {
            before_noun(&right)
        }
    });
    Some((span, right))
}

/// The trade as it stands before "company": "semiconductor" of semiconductors, "logistics" as it is.
fn before_noun(trade: &str) -> Option<String> {
    let (front, last) = trade.rsplit_once(' ').map_or(("", trade), |(a, b)| (a, b));
    let many = last.ends_with('s') && !last.ends_with("ss") && !kinds().has("uncounted", last);
    if !many {
        return Some(trade.to_owned());
    }
    let one = one_of(last);
    let known = !groups("trade_", &one).is_empty();
    known.then(|| format!("{front}{}{one}", if front.is_empty() { "" } else { " " }))
}

/// "is a bank" of what the base has in freight: the noun, where it alone is said.
fn trader(view: &SentenceView<'_>, place: &std::ops::Range<usize>, own: &str) -> Option<Span> {
    let word = |i: usize| folded(view.word(i));
    let first = (place.start + 1..place.end).find(|i| !light(&word(*i)))?;
    let said = groups("trader_", &word(first));
    let next = view.lexemes.get(first + 1).map(|_| word(first + 1));
    let ends = next.is_none_or(|next| {
        matches!(&*next, "." | "," | ";" | "!" | ")") || first + 1 < place.end && opens(&next)
    });
    let mut held = words(own);
    held.retain(|word| !light(word) && !firm(word));
    let held = trades(&held)?;
    let apart = !said.is_empty() && !said.iter().any(|group| held.contains(group));
    span_of(view, &(first..first + 1)).filter(|_| ends && apart)
}

/// Whether two texts name trades that are all known, and none in common.
pub(super) fn apart(said: &str, own: &str) -> bool {
    let read = |text: &str| {
        let mut all = words(text);
        all.retain(|word| !light(word) && !firm(word) && !matches!(&**word, "industry" | "sector"));
        if all.iter().any(|word| ambient(word)) {
            return None;
        }
        trades(&all)
    };
    let (Some(said), Some(own)) = (read(said), read(own)) else {
        return false;
    };
    !said.iter().any(|group| own.contains(group))
}

fn firm(word: &str) -> bool {
    kinds().has("firm", word)
}

/// Whether companies of any trade may be called so too: who sells machines sells software.
fn ambient(word: &str) -> bool {
    let part = |part: &str| kinds().has("ambient", part);
    part(word) || word.split(['-', '/', ',']).any(part)
}

/// What may stand behind the company's noun.
fn opens(word: &str) -> bool {
    use crate::lexicon::cues::{Cue, cue};
    cue(word).is(Cue::PREPOSITION)
        || matches!(word, "that" | "which" | "and")
        || word.ends_with("ed")
}

/// Whether the word says nothing of what a company is in.
fn light(word: &str) -> bool {
    kinds().has("light", word) || class(word).has(WordClass::DEMONYM)
}

/// Groups of trades that the words name, where they name nothing else.
fn trades(said: &[String]) -> Option<Vec<&'static str>> {
    let whole = groups("trade_", &said.join(" "));
    if !whole.is_empty() {
        return Some(whole);
    }
    let mut found = Vec::new();
    for word in said {
        for part in word.split(['-', '/', ',']) {
            let own = groups("trade_", part);
            if own.is_empty() && !matches!(part, "and" | "&" | "") {
                return None;
            }
            found.extend(own);
        }
    }
    (!found.is_empty()).then_some(found)
}
