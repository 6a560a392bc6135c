//! Verbs that are written together with the word before them: "it's", "she's been", "they're".

use crate::lexicon::cues::{Cue, verb as verb_of};
use crate::lexicon::tables::frames;
use crate::types::{LexFlags, LexKind, Lexeme, Quantity, QuantityKind, Span};

use super::view::SentenceView;

/// What joins such a verb to its word.
pub(super) const MARKS: [char; 2] = ['\'', '’'];

/// The lexemes with the verbs as lexemes of their own, where `lexemes` has such.
pub(super) fn apart(view: &SentenceView<'_>, lexemes: &[Lexeme]) -> Option<Vec<Lexeme>> {
    if !view.text.contains(MARKS) {
        return None;
    }
    let first = view.lexemes.len() - lexemes.len();
    let mut out = Vec::new();
    for (i, lexeme) in lexemes.iter().enumerate() {
        let Some(at) = joined(view, first + i) else {
            if !out.is_empty() {
                out.push(*lexeme);
            }
            continue;
        };
        if out.is_empty() {
            out.reserve(lexemes.len() + 2);
            out.extend_from_slice(&lexemes[..i]);
        }
        let cut = lexeme.span.start + at;
        out.push(Lexeme {
            span: Span::new(lexeme.span.start, cut),
            ..*lexeme
        });
        out.push(Lexeme {
            span: Span::new(cut, lexeme.span.end),
            flags: LexFlags::default(),
            ..*lexeme
        });
    }
    (!out.is_empty()).then_some(out)
}

/// Where in a word such a verb begins.
fn joined(view: &SentenceView<'_>, at: usize) -> Option<usize> {
    if view.kind(at) != Some(LexKind::Word) {
        return None;
    }
    let (host, verb) = uncontracted(view.word(at))?;
    let mark = host.len();
    let host = host.to_lowercase();
    let folded = view.folded();
    let next = folded.get(at + 1);
    if frames().has("contracts", &host) {
        // "It's capacity is 500.", of its capacity
        let slip =
            host == "it" && folded.cue(at + 2).is(Cue::COPULA) && !folded.cue(at + 1).is(LEADS);
        return (!slip).then_some(mark);
    }
    // "Ada's the director", where "Ada's director" owns one.
    let told = frames().has("contracted", next) || predicates(view, at + 1);
    (verb == "is" && told && !named(view, at)).then_some(mark)
}

/// Whether what follows a name's "'s" owns nothing: "in London.", "written in Java", "delayed.", "€5 a month"; not
/// "Lloyd's of London pays", "Acme's written policy".
fn predicates(view: &SentenceView<'_>, at: usize) -> bool {
    let folded = view.folded();
    let stop = |i: usize| view.kind(i).is_none_or(|kind| kind == LexKind::Punct);
    let (word, next) = (folded.get(at), folded.cue(at + 1));
    let end = (at..view.lexemes.len())
        .find(|i| stop(*i))
        .unwrap_or(view.lexemes.len());
    let verbless = || {
        !(at + 1..end).any(|i| {
            let cue = folded.cue(i);
            cue.is(Cue::COPULA.or(Cue::AUXILIARY)) || verb_of(folded.get(i)).is_some()
        })
    };
    if folded.cue(at).is(Cue::PREPOSITION) {
        return frames().has("contracted_at", word) && verbless();
    }
    let participle = verb_of(word).is_some_and(|base| base != word)
        && !word.ends_with('s')
        && !word.ends_with("ing");
    let here = view.lexemes.get(at).map(|lexeme| lexeme.span.start);
    let sum = |q: &&Quantity| q.kind == QuantityKind::Money && Some(q.span.start) == here;
    if let Some(sum) = view.quantities.iter().find(sum) {
        let behind = view.lexemes_in(sum.span).end;
        return stop(behind) || matches!(folded.get(behind), "a" | "per" | "each" | "and");
    }
    participle && (stop(at + 1) || next.is(Cue::PREPOSITION) && verbless())
}

/// Whether a known name has the "'s" in it: "McDonald's".
fn named(view: &SentenceView<'_>, at: usize) -> bool {
    let span = view.lexemes[at].span;
    view.mentions
        .iter()
        .any(|mention| mention.span.contains(span))
}

/// Words behind "it's" that are no noun of its own.
const LEADS: Cue = Cue::DETERMINER
    .or(Cue::PREPOSITION)
    .or(Cue::ADVERB)
    .or(Cue::NEGATION)
    .or(Cue::PRONOUN_OTHER);

/// Such a word in its parts: "who's" is "who" and "is".
#[must_use]
pub fn uncontracted(word: &str) -> Option<(&str, &'static str)> {
    let (host, end) = word.split_at(word.rfind(MARKS)?);
    Some((host, verb(end, "")?)).filter(|(host, _)| !host.is_empty())
}

/// The verb that a lexeme which begins with an apostrophe stands for; `next` is the word behind it.
pub(super) fn verb(end: &str, next: &str) -> Option<&'static str> {
    let end = end.strip_prefix(MARKS)?;
    Some(match &*end.to_lowercase() {
        "s" if frames().has("had_been", &next.to_lowercase()) => "has",
        "s" => "is",
        "re" => "are",
        "m" => "am",
        "ve" => "have",
        "ll" => "will",
        _ => return None,
    })
}
