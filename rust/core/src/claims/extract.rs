//! Claims of a closed sentence.

use std::ops::Range;

use crate::types::{
    Claim, LexKind, Lexeme, Modality, Polarity, Quantity, QuantityKind, SentenceKind, Span,
    clip_text,
};

use super::citations::citations;
use super::content::{hash_on, word_hash};
use super::hedges::Hedges;
use super::modality::{hedge_strength, modality};
use super::parse::{Parser, Relation};
use super::view::SentenceView;

/// Most signs that a name ends in.
const SIGNS: usize = 2;

/// The claims of a closed sentence: one a thing that is said in a shape the parser knows, else
/// one for the sentence as a whole. Code, headings without a number and
/// sentences without a word claim nothing.
///
/// Subject and object are the words as written; `predicate` is the attribute spoken of, in the
/// lexicon's or the knowledge base's name for it ("founded"), else the verb.
#[must_use]
pub fn extract(sentence: &SentenceView<'_>) -> Vec<Claim> {
    let kind = sentence.sentence.kind;
    // A heading says no more than its numbers ("Founded in 1992").
    let counts =
        |quantity: &Quantity| !matches!(quantity.kind, QuantityKind::Label | QuantityKind::Ordinal);
    let heading = kind == SentenceKind::Heading;
    if kind == SentenceKind::Code
        || heading && !sentence.quantities.iter().any(counts)
        || !sentence
            .lexemes
            .iter()
            .any(|lexeme| lexeme.kind == LexKind::Word)
    {
        return Vec::new();
    }
    let folded = sentence.folded();
    let hedges = Hedges::read(sentence, &folded);
    let hedge = hedges.sentence();
    let modality = modality(sentence, &folded, hedge);
    let marks = citations(sentence.text, sentence.sentence.span.start);
    let whole = base_claim(sentence, modality, hedge);
    let opaque = marks.iter().map(|mark| mark.span).collect();
    let parser = Parser::new(sentence, &folded, opaque);
    let relations = match modality {
        _ if heading => Vec::new(),
        Modality::Question | Modality::Quoted => Vec::new(),
        // "Contact NAME from the Sales team" says where NAME works.
        Modality::Instruction => parser.memberships(),
        Modality::Asserted | Modality::Hedged => parser.relations(),
    };
    let whole = Claim {
        citations: marks,
        ..whole
    };
    let key = key(&whole);
    let Some((last, others)) = relations.split_last() else {
        return vec![with_id(whole, key)];
    };
    let mut claims = Vec::with_capacity(relations.len());
    // What one clause may hold back, another says outright.
    let own = |mut whole: Claim, relation: &Relation| {
        if matches!(modality, Modality::Asserted | Modality::Hedged) {
            let place = [&relation.object, &relation.subject];
            let place = place.into_iter().find(|range| !range.is_empty());
            let hedge = place.map_or(hedge, |range| hedges.at(sentence, range.start));
            whole.modality = put(hedge);
            whole.stated_confidence = 1.0 - hedge;
        }
        with_id(fill(whole, sentence, relation), key)
    };
    for relation in others {
        claims.push(own(whole.clone(), relation));
    }
    claims.push(own(whole, last));
    claims
}

/// How something is said that is hedged so strongly.
fn put(hedge: f64) -> Modality {
    if hedge > 0.0 {
        Modality::Hedged
    } else {
        Modality::Asserted
    }
}

/// A subject: words of this sentence, or of one before it.
pub(super) enum Said<'a> {
    Here(Range<usize>),
    Before(&'a str),
}

/// Claims of a list item or table row: subject, predicate, object and whether it is denied.
pub(super) fn phrase_claims(
    view: &SentenceView<'_>,
    said: Vec<(Said<'_>, String, Range<usize>, bool)>,
) -> Option<Vec<Claim>> {
    if said.is_empty() {
        return None;
    }
    let folded = view.folded();
    let hedge = hedge_strength(view, &folded);
    let mut whole = base_claim(view, put(hedge), hedge);
    whole.citations = citations(view.text, view.sentence.span.start);
    let key = key(&whole);
    let claims = said
        .into_iter()
        .map(|(subject, predicate, object, negative)| {
            let (range, before) = match subject {
                Said::Here(range) => (range, None),
                Said::Before(text) => (0..0, Some(text.to_owned())),
            };
            let relation = Relation {
                subject: range,
                predicate,
                object,
                negative,
                coordinated: None,
            };
            let mut claim = fill(whole.clone(), view, &relation);
            if before.is_some() {
                claim.subject = before;
            }
            with_id(claim, key)
        });
    Some(claims.collect())
}

/// The claim of the sentence as a whole.
pub(super) fn whole_claim(view: &SentenceView<'_>, modality: Modality) -> Claim {
    let whole = base_claim(view, modality, 0.0);
    let key = key(&whole);
    with_id(whole, key)
}

fn base_claim(view: &SentenceView<'_>, modality: Modality, hedge: f64) -> Claim {
    Claim {
        id: String::new(),
        content: clip_text(view.text).to_owned(),
        span: view.sentence.span,
        sentence: view.sentence.index,
        subject: None,
        subject_span: None,
        predicate: None,
        object: None,
        object_span: None,
        coordinated: None,
        referent: None,
        object_referent: None,
        contested: false,
        polarity: Polarity::Positive,
        modality,
        quantities: view.quantities.to_vec(),
        dates: view.dates.to_vec(),
        stated_confidence: 1.0 - hedge,
        citations: Vec::new(),
        signals: view.signals.to_vec(),
        decided_at: view.sentence.decided_at,
        bits: None,
    }
}

/// The end of a word with the signs that belong to its name ("C++", "F#", "Disney+").
fn with_signs(view: &SentenceView<'_>, word: &Lexeme) -> usize {
    let end = word.span.end;
    let behind = view.at(Span::new(end, view.sentence.span.end));
    let signs = behind.len() - behind.trim_start_matches(['+', '#']).len();
    let more = |c: char| c.is_alphanumeric() || c == '_';
    let named = word.kind == LexKind::Word && signs <= SIGNS;
    if named && !behind[signs..].starts_with(more) {
        return end + signs;
    }
    end
}

fn fill(mut claim: Claim, view: &SentenceView<'_>, relation: &Relation) -> Claim {
    let span = |range: &std::ops::Range<usize>| {
        let first = view.lexemes.get(range.start)?;
        let last = view.lexemes.get(range.end.checked_sub(1)?)?;
        Some(Span::new(first.span.start, with_signs(view, last))).filter(|span| !span.is_empty())
    };
    claim.subject_span = span(&relation.subject)
        .map(|span| without_possessive(view, span))
        .filter(|span| !span.is_empty());
    claim.subject = claim.subject_span.map(|span| view.at(span).to_owned());
    // "Nora Brandt's novel Glass Orchard": who wrote it, not "McDonald's".
    let owns = relation.object.end < relation.subject.start && view.is_term(relation.object.end);
    claim.object_span = span(&relation.object).map(|span| {
        if owns {
            without_possessive(view, span)
        } else {
            span
        }
    });
    claim.object = claim.object_span.map(|span| view.at(span).to_owned());
    claim.coordinated = relation.coordinated.as_ref().and_then(&span);
    claim.predicate = Some(relation.predicate.clone());
    if claim.modality == Modality::Instruction {
        claim.modality = Modality::Asserted;
    }
    claim.polarity = if relation.negative {
        Polarity::Negative
    } else {
        Polarity::Positive
    };
    claim
}

/// The span without the ending of a genitive.
pub(super) fn without_possessive(view: &SentenceView<'_>, span: Span) -> Span {
    let text = view.at(span);
    let bare = ["'s", "’s"].iter().find_map(|end| text.strip_suffix(end));
    let bare = bare
        .or_else(|| text.strip_suffix(['\'', '’']))
        .unwrap_or(text);
    Span::new(span.start, span.start + bare.len())
}

/// A letter and sixteen digits.
fn tagged_hex(tag: char, hash: u64) -> String {
    let mut id = String::with_capacity(17);
    id.push(tag);
    for place in (0..16).rev() {
        let digit = (hash >> (4 * place)) as u32 & 15;
        id.push(char::from_digit(digit, 16).unwrap_or('0'));
    }
    id
}

/// The hash of a sentence's place and words.
fn key(whole: &Claim) -> u64 {
    let place = word_hash(&whole.span.start.to_string());
    hash_on(hash_on(place, "\u{1f}"), &whole.content)
}

/// The id follows from place and words alone, of which `key` is the hash, and what is said.
fn with_id(mut claim: Claim, key: u64) -> Claim {
    let mut hash = key;
    for part in [&claim.subject, &claim.predicate, &claim.object] {
        hash = hash_on(hash, "\u{1f}");
        hash = hash_on(hash, part.as_deref().unwrap_or(""));
    }
    claim.id = tagged_hex('c', hash);
    claim
}
