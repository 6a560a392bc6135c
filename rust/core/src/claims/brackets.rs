//! What stands in brackets behind a name or a value: what narrows it ("(256 GB)", "(part-time)"), or
//! what only explains it ("(a hotel in Leeds)", "(about €45)").

use std::ops::Range;

use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::names::{NameCue, name_cue};
use crate::lexicon::tables::{narrowing, stance};
use crate::lexicon::units::unit;
use crate::types::{Claim, LexFlags, Quantity, QuantityKind, Span};

use super::attribute::{AttributeNoun, ValueKind, year_at};
use super::view::SentenceView;

/// Words between an amount and brackets behind it, at most ("per user per month").
const REACH: usize = 6;
/// Most lexemes between brackets that are read as a qualification.
const ASIDE: usize = 10;

/// What stands in brackets that open at lexeme `at`: places of its lexemes.
#[must_use]
pub fn in_brackets(view: &SentenceView<'_>, at: usize) -> Option<Range<usize>> {
    let mark = |i: usize| (i < view.lexemes.len()).then(|| view.word(i));
    let close = match mark(at)? {
        "(" => ")",
        "[" => "]",
        _ => return None,
    };
    let end = (at + 1..at + 2 + ASIDE).find(|i| mark(*i) == Some(close))?;
    (end > at + 1).then_some(at + 1..end)
}

/// Brackets of a sentence that only explain, each with its marks.
#[must_use]
pub fn explanations(view: &SentenceView<'_>) -> Vec<Range<usize>> {
    let open = (0..view.lexemes.len()).filter(|i| matches!(view.word(*i), "(" | "["));
    open.filter_map(|at| in_brackets(view, at))
        .filter(|inner| explains(view, inner, ""))
        .map(|inner| inner.start - 1..inner.end + 1)
        .collect()
}

/// Whether what stands in brackets behind `name` only explains or cites it, as far as its own words
/// tell: "(a hotel in Leeds)", "(born 1970)", "(HH)", "(see below)", "[3]".
#[must_use]
pub fn explains(view: &SentenceView<'_>, inner: &Range<usize>, name: &str) -> bool {
    let Some((first, last)) = inner
        .clone()
        .next()
        .zip(inner.clone().next_back())
        .map(|(first, last)| (&view.lexemes[first], &view.lexemes[last]))
    else {
        return true;
    };
    let text = view.at(Span::new(first.span.start, last.span.end));
    let lower = text.to_lowercase();
    let word = lower
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | ':' | ';'))
        .next()
        .unwrap_or("")
        .trim_end_matches('.');
    let digits = text.chars().all(|c| !c.is_alphabetic());
    let years = inner
        .clone()
        .any(|i| year_at(view, view.lexemes[i].span).is_some());
    let own = [
        "a", "an", "my", "our", "your", "his", "her", "its", "their", "this", "that",
    ];
    // "(Norway's largest start-up)", not "(gardener's cottage)".
    let owned =
        (word.ends_with("'s") || word.ends_with("’s")) && first.flags.has(LexFlags::CAPITALIZED);
    let address = text.contains('@') || text.contains("://") || text.contains("www.");
    let marked = text.contains(':') && first.flags.has(LexFlags::ALL_CAPS);
    own.contains(&word)
        || owned
        || noun_phrase(view, inner)
        || dated_participle(view, inner)
        || address
        || marked
        || narrowing().has("explains", word)
        || narrowing().has("pronouns", &lower)
        || digits && !(years && inner.len() == 1)
        || inner.len() == 1 && abbreviates(text, name)
}

/// "(renovated in 2015)", "(designed by Ann Lee)".
fn dated_participle(view: &SentenceView<'_>, inner: &Range<usize>) -> bool {
    let word = |i: usize| view.word(inner.start + i).to_lowercase();
    let year = |i: usize| year_at(view, view.lexemes[inner.start + i].span).is_some();
    inner.len() > 2
        && word(0).ends_with("ed")
        && (word(1) == "by" || word(1) == "in" && (2..inner.len()).any(year))
}

/// "(the company)", "(the city's oldest hotel)": a noun of a kind, behind "the".
#[must_use]
pub fn noun_phrase(view: &SentenceView<'_>, inner: &Range<usize>) -> bool {
    let folded = |i: usize| view.word(i).to_lowercase();
    let end = inner
        .clone()
        .find(|i| cue(&folded(*i)).is(Cue::PREPOSITION))
        .unwrap_or(inner.end);
    folded(inner.start) == "the" && end > inner.start + 1 && kind_noun(&folded(end - 1))
}

/// "HH" for "Harbour Hotel", "BLT" for "Bolt": capitals that the name has in that order, from its
/// first letter.
fn abbreviates(short: &str, name: &str) -> bool {
    let name = name
        .strip_prefix("The ")
        .or_else(|| name.strip_prefix("the "))
        .unwrap_or(name);
    let capitals = short.len() > 1 && short.chars().all(|c| c.is_ascii_uppercase() || c == '.');
    let mut letters = name.chars().flat_map(char::to_lowercase);
    let mut own = short
        .chars()
        .filter(|c| *c != '.')
        .flat_map(char::to_lowercase);
    let first = own.next().is_some_and(|c| letters.next() == Some(c));
    capitals && first && own.all(|c| letters.any(|other| other == c))
}

/// Whether the folded word is a noun that a name stands behind or is taken up by ("the company",
/// "the startup Bolt").
#[must_use]
pub fn kind_noun(word: &str) -> bool {
    let kinds = NameCue::IS_PERSON
        .or(NameCue::IS_ORG)
        .or(NameCue::IS_PLACE)
        .or(NameCue::IS_WORK)
        .or(NameCue::IS_PRODUCT);
    name_cue(word).is(kinds) || narrowing().has("noun_led", word)
}

/// What narrows the value at `object` in brackets behind it: "£80 (low season)", "24 months
/// (part-time)", "Ben Fry (acting)", not "£39 (about €45)" nor "20 people (see section 3)".
#[must_use]
pub fn value_narrowed(view: &SentenceView<'_>, object: Span) -> Option<Range<usize>> {
    let said = view.quantities.iter().find(|q| {
        let counts = !matches!(q.kind, QuantityKind::Year | QuantityKind::Label);
        counts && q.span.overlaps(object)
    });
    let from = view.lexemes_in(said.map_or(object, |q| q.span)).end;
    let open = (from..from + REACH)
        .take_while(|i| {
            let inside = view
                .lexemes
                .get(*i)
                .is_some_and(|l| l.span.overlaps(object));
            inside || view.is_term(*i) || matches!(view.word(*i), "(" | "[" | "/" | "%")
        })
        .find(|i| matches!(view.word(*i), "(" | "["));
    let inner = in_brackets(view, open?)?;
    let words: Vec<String> = inner
        .clone()
        .filter(|i| view.is_term(*i))
        .map(|i| view.word(i).to_lowercase())
        .collect();
    let first = words.first()?.trim_end_matches('.');
    let table = stance();
    let narrows = |word: &String| {
        ["other_role", "narrow_role", "narrowing", "part", "edition"]
            .iter()
            .any(|class| table.has(class, word))
    };
    let Some(said) = said else {
        return words.iter().any(narrows).then_some(inner);
    };
    let unit_of = |q: &Quantity| q.unit.map(|id| unit(id).dimension);
    let again = view.quantities.iter().any(|q| {
        let inside = inner.clone().any(|i| view.lexemes[i].span.overlaps(q.span));
        inside
            && (q.kind == QuantityKind::Percent
                || q.kind == said.kind && unit_of(q) == unit_of(said))
    });
    let led =
        cue(first).is(Cue::PREPOSITION) && !matches!(first, "about" | "around" | "as" | "per");
    let cites = view.at(Span::new(
        view.lexemes[inner.start].span.start,
        view.lexemes[inner.end - 1].span.end,
    ));
    let bare = cites.chars().all(|c| !c.is_alphabetic()) || cites.contains("://");
    let restated = again || bare || narrowing().has("restates", first);
    (led || !restated).then_some(inner)
}

/// Stems of the words that make the attribute, the thing or the value of a claim another one than
/// without them: "the cleaning fee", "the Zed Phone (256 GB)", "24 months (part-time)".
#[must_use]
pub fn told_apart(view: &SentenceView<'_>, claim: &Claim) -> Vec<u64> {
    let (Some(object), Some(predicate)) = (claim.object_span, claim.predicate.as_deref()) else {
        return Vec::new();
    };
    let folded = view.folded();
    let mut words: Vec<usize> = Vec::new();
    let mut brackets = |at: usize, name: &str| {
        let inner = in_brackets(view, at).filter(|inner| !explains(view, inner, name));
        words.extend(inner.into_iter().flatten());
    };
    if let Some(subject) = claim.subject_span {
        brackets(view.lexemes_in(subject).end, view.at(subject));
    }
    let phrase = AttributeNoun {
        view,
        folded: &folded,
        clauses: view.clauses(),
        subject: claim.subject_span,
        object,
    };
    let named = !matches!(predicate, "is" | "has");
    let predicates = view.attributes.predicates();
    if let Some(noun) = named
        .then(|| phrase.find(predicates, predicate, &[]))
        .flatten()
    {
        brackets(noun.end, "");
        let mut amounts = view.quantities.iter();
        let kind = if amounts.any(|q| q.span.overlaps(object)) {
            ValueKind::Amount
        } else {
            phrase.kind(predicates, predicate, ValueKind::Text)
        };
        words.extend(phrase.modifiers(&noun, kind, &|_| false).words);
    }
    words.extend(value_narrowed(view, object).into_iter().flatten());
    let words = words.into_iter().filter_map(|i| view.content(i));
    words.map(|word| word.stem).collect()
}
