//! A figure or an appeal to research without a source (S0-010, S0-064, D-2).

use serde_json::json;

use crate::claims::SentenceView;
use crate::lexicon::contrast::contrast;
use crate::types::{
    Claim, Evidence, EvidenceKind, Finding, LexKind, Message, Modality, Quantity, QuantityKind,
    SentenceKind,
};

use super::draft::draft;
use super::grounds::Grounds;
use super::sourced::is_sourced;

/// Words that make a sentence a supposition or a sum rather than a report.
const SUPPOSED: [&str; 16] = [
    "if",
    "suppose",
    "imagine",
    "example",
    "say",
    "assume",
    "assuming",
    "hypothetical",
    "equals",
    "would",
    "could",
    "discount",
    "off",
    "goal",
    "target",
    "aim",
];
/// Words by which a sentence speaks of one's own or the reader's things.
const OURS: [&str; 6] = ["i", "we", "you", "my", "our", "your"];
/// Words behind a figure within which those of whom it is told are named.
const REACH: usize = 4;

/// `dialogue.unsupported_claim`, with `confidence` (D-2: 0.6): the sentence appeals to research or
/// experts (`authority`: a rule says so), or gives a statistic that claims an effect, a trend or a
/// share of people, and no named source, citation, evidence, dialogue, question or fact carries it. The caller
/// asks for sentences that are neither cited nor carried by the evidence.
#[must_use]
pub fn unsupported_claim(
    view: &SentenceView<'_>,
    claim: &Claim,
    authority: bool,
    grounds: &Grounds<'_>,
    confidence: f64,
) -> Option<Finding> {
    let prose = matches!(
        view.sentence.kind,
        SentenceKind::Prose | SentenceKind::ListItem
    );
    let told = matches!(claim.modality, Modality::Asserted | Modality::Hedged);
    if !prose || !told || !claim.citations.is_empty() {
        return None;
    }
    let figure = statistic(view, grounds).filter(|_| !is_sourced(view));
    if !authority && figure.is_none() {
        return None;
    }
    let mut finding = draft(
        "dialogue.unsupported_claim",
        "unsupported_claim",
        Some(view.sentence.span),
        &claim.content,
        view.sentence.decided_at,
    );
    finding.claim_id = Some(claim.id.clone());
    finding.p_hallucinated = confidence;
    grounds.absence(None).note(&mut finding);
    let figure = figure.map(|quantity| view.at(quantity.span));
    finding.message = match figure {
        Some(figure) => {
            Message::new("No source is given for '{figure}'").sensitive("figure", figure)
        }
        None => Message::new("The research or experts it appeals to are not named"),
    };
    finding.suggestion = Some("Could not find a source for this claim".to_owned());
    finding.detected = json!({"statistic": figure, "authority": authority});
    finding.evidence.push(Evidence {
        kind: EvidenceKind::Rule,
        source: Some("unsupported_claim".to_owned()),
        locator: None,
        text: "No source is cited, and nothing given supports it".to_owned(),
        quality: 1.0,
        data: serde_json::Value::Null,
    });
    Some(finding)
}

/// The figure of a sentence that reports a statistic which nothing given holds.
fn statistic(view: &SentenceView<'_>, grounds: &Grounds<'_>) -> Option<Quantity> {
    let folded = view.folded();
    let shared = |quantity: &Quantity| {
        quantity.kind == QuantityKind::Percent
            || quantity.kind == QuantityKind::Cardinal && {
                let after = view.lexemes_in(quantity.span).end;
                matches!(folded.get(after), "times" | "fold")
            }
    };
    // Few sentences have such a number: the others need not be read for what it is of.
    if !view.quantities.iter().any(shared) {
        return None;
    }
    let words: Vec<&str> = (0..folded.len())
        .map(|i| match view.kind(i) {
            Some(LexKind::Punct) => "",
            _ => folded.get(i),
        })
        .collect();
    // What is said of one's own or the reader's things, or only supposed, is no statistic.
    let ours = |word: &&str| OURS.contains(word) || SUPPOSED.contains(word);
    if words.iter().any(ours) {
        return None;
    }
    let effect = words.iter().any(|word| contrast().is_effect(word));
    let mut figures = view.quantities.iter().filter(|quantity| {
        let told = || {
            let after = view.lexemes_in(quantity.span).end;
            let mut next = words.iter().skip(after).take(REACH);
            effect || next.any(|word| contrast().is_crowd(word))
        };
        shared(quantity)
            && told()
            && !grounds.knows_quantity(quantity, view.at(quantity.span), view.antecedents)
    });
    figures.next().copied()
}
