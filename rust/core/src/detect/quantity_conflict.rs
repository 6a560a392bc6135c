//! A number or date for which the evidence says another value, when the sentence closes.

use serde_json::json;

use crate::claims::{Content, ContentWord, SentenceView, bounds, quantity_context, unasserted};
use crate::evidence::{Conflict, Context, EvidenceSet};
use crate::segment;
use crate::types::{Claim, Evidence, Finding, Message, Modality, Span, Status};

use super::draft::draft;

/// Same unit, same noun, same company of words, other value, and the value stands nowhere in the
/// evidence. Chosen so that a number is put right and a date is doubted: dates of other events
/// stand in the same company more often. Set by hand; the labelled cases it was checked against
/// are few, and it is no calibrated probability.
const P_NUMBER: f64 = 0.85;
/// See [`P_NUMBER`].
const P_DATE: f64 = 0.70;

/// `stream.quantity_conflict`: a number with the unit and head noun (a year or weekday with the
/// event) of one in the evidence, in a sentence about the same thing, with another value.
#[must_use]
pub fn quantity_conflicts(
    view: &SentenceView<'_>,
    claim: &Claim,
    evidence: &EvidenceSet,
) -> Vec<Finding> {
    if evidence.is_empty() || matches!(claim.modality, Modality::Question | Modality::Instruction) {
        return Vec::new();
    }
    if view.quantities.is_empty() && view.dates.is_empty() {
        return Vec::new();
    }
    let mut content = Content::default();
    let words: Vec<ContentWord> = view
        .lexemes
        .iter()
        .filter_map(|lexeme| content.word(lexeme, view.at(lexeme.span)))
        .collect();
    let context = |span: Span| Context {
        words: &words,
        around: quantity_context(view.lexemes, span, |span| view.at(span)),
    };
    let folded = view.folded();
    let mut found = Vec::new();
    for quantity in view.quantities {
        // A value the evidence has for something else is more often told of that.
        if evidence.has_quantity(quantity) {
            continue;
        }
        if let Some(conflict) = evidence.conflicting_quantity(quantity, &context(quantity.span)) {
            // "over 400", where the evidence has 450.
            let bounds = bounds(view, &folded, quantity);
            let allowed = bounds.is_some_and(|bounds| {
                let own = segment::quantities(&conflict.text);
                own.iter()
                    .any(|own| bounds.hold(own.value, own.unit) == Some(true))
            });
            let span = bounds.map_or(quantity.span, |bounds| bounds.span);
            let told = (found.iter()).any(|f: &Finding| f.span.is_some_and(|s| s.overlaps(span)));
            if allowed || told || unasserted(view, &folded, quantity.span) {
                continue;
            }
            found.push(finding(view, claim, evidence, span, &conflict, P_NUMBER));
        }
    }
    for date in view.dates {
        let said = found
            .iter()
            .any(|f: &Finding| f.span.is_some_and(|span| span.overlaps(date.span)));
        if said || evidence.has_date(date) {
            continue;
        }
        if let Some(conflict) = evidence.conflicting_date(date, &context(date.span)) {
            if unasserted(view, &folded, date.span) {
                continue;
            }
            found.push(finding(view, claim, evidence, date.span, &conflict, P_DATE));
        }
    }
    found
}

fn finding(
    view: &SentenceView<'_>,
    claim: &Claim,
    evidence: &EvidenceSet,
    span: Span,
    conflict: &Conflict,
    p: f64,
) -> Finding {
    let text = view.at(span);
    let mut finding = draft(
        "stream.quantity_conflict",
        "quantity_conflict",
        Some(span),
        text,
        view.sentence.decided_at,
    );
    finding.claim_id = Some(claim.id.clone());
    finding.p_hallucinated = p;
    finding.status = Status::Contradicted;
    finding.message = Message::new("The evidence says {expected}, not {said}")
        .sensitive("expected", &*conflict.text)
        .sensitive("said", text);
    finding.replacement = Some(like(text, &conflict.text));
    finding.detected = json!(text);
    finding.expected = json!(conflict.text);
    if let Some(passage) = evidence.passages().get(conflict.passage) {
        let sentence = conflict.sentence;
        finding.evidence.push(Evidence {
            kind: passage.kind,
            source: Some(passage.id.clone()),
            locator: Some(format!(
                "bytes {}..{}",
                conflict.span.start, conflict.span.end
            )),
            text: passage
                .text()
                .get(sentence.start..sentence.end)
                .unwrap_or("")
                .to_owned(),
            quality: 1.0,
            data: serde_json::Value::Null,
        });
    }
    finding.extra.insert("absence".into(), json!(false));
    finding
}

/// The evidence's value with the plural or capital of the text it replaces ("Mondays").
fn like(said: &str, value: &str) -> String {
    let (plural, single) = ("days", "day");
    if said.ends_with(plural) && value.ends_with(single) {
        return format!("{value}s");
    }
    if said.ends_with(single) && value.ends_with(plural) {
        return value[..value.len() - 1].to_owned();
    }
    value.to_owned()
}
