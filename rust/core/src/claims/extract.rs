//! Claims of a closed sentence.

use crate::types::{Claim, LexKind, Modality, Polarity, SentenceKind, Span, clip_text};

use super::citations::citations;
use super::content::word_hash;
use super::modality::{hedge_strength, modality};
use super::parse::{Parser, Relation};
use super::view::{Folded, SentenceView};

/// The claims of a closed sentence: one a thing that is said in a shape the parser knows, else
/// one for the sentence as a whole. Code, headings and sentences without a word claim nothing.
///
/// Subject and object are the words as written; `predicate` is the attribute spoken of, in the
/// lexicon's or the knowledge base's name for it ("founded"), else the verb.
#[must_use]
pub fn extract(sentence: &SentenceView<'_>) -> Vec<Claim> {
    let kind = sentence.sentence.kind;
    if matches!(kind, SentenceKind::Code | SentenceKind::Heading)
        || !sentence
            .lexemes
            .iter()
            .any(|lexeme| lexeme.kind == LexKind::Word)
    {
        return Vec::new();
    }
    let folded = sentence.folded();
    let modality = modality(sentence, &folded);
    let marks = citations(sentence.text, sentence.sentence.span.start);
    let whole = base_claim(sentence, &folded, modality);
    let relations = if matches!(modality, Modality::Question | Modality::Instruction) {
        Vec::new()
    } else {
        let opaque = marks.iter().map(|mark| mark.span).collect();
        Parser::new(sentence, &folded, opaque).relations()
    };
    let whole = Claim {
        citations: marks,
        ..whole
    };
    if relations.is_empty() {
        return vec![with_id(whole)];
    }
    relations
        .iter()
        .map(|relation| with_id(fill(whole.clone(), sentence, relation)))
        .collect()
}

fn base_claim(view: &SentenceView<'_>, folded: &Folded, modality: Modality) -> Claim {
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
        polarity: Polarity::Positive,
        modality,
        quantities: view.quantities.to_vec(),
        dates: view.dates.to_vec(),
        stated_confidence: 1.0 - hedge_strength(view, folded),
        citations: Vec::new(),
        signals: view.signals.to_vec(),
        decided_at: view.sentence.decided_at,
    }
}

fn fill(mut claim: Claim, view: &SentenceView<'_>, relation: &Relation) -> Claim {
    let span = |range: &std::ops::Range<usize>| {
        let first = view.lexemes.get(range.start)?;
        let last = view.lexemes.get(range.end.checked_sub(1)?)?;
        Some(Span::new(first.span.start, last.span.end))
    };
    claim.subject_span = span(&relation.subject).map(|span| without_possessive(view, span));
    claim.subject = claim.subject_span.map(|span| view.at(span).to_owned());
    claim.object_span = span(&relation.object);
    claim.object = claim.object_span.map(|span| view.at(span).to_owned());
    claim.predicate = Some(relation.predicate.clone());
    claim.polarity = if relation.negative {
        Polarity::Negative
    } else {
        Polarity::Positive
    };
    claim
}

fn without_possessive(view: &SentenceView<'_>, span: Span) -> Span {
    let text = view.at(span);
    let bare = ["'s", "’s"].iter().find_map(|end| text.strip_suffix(end));
    let bare = bare
        .or_else(|| text.strip_suffix(['\'', '’']))
        .unwrap_or(text);
    Span::new(span.start, span.start + bare.len())
}

/// The id follows from place and words alone.
fn with_id(mut claim: Claim) -> Claim {
    let mut key = format!("{}\u{1f}{}", claim.span.start, claim.content);
    for part in [&claim.subject, &claim.predicate, &claim.object] {
        key.push('\u{1f}');
        key.push_str(part.as_deref().unwrap_or(""));
    }
    claim.id = format!("c{:016x}", word_hash(&key));
    claim
}
