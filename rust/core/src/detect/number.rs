//! A number or date that nothing says, at the word that completes it.

use serde_json::json;

use crate::types::{DateExpr, Finding, Message, Quantity, QuantityKind, Span};

use super::draft::draft;
use super::grounds::Grounds;

/// Evidence was supplied and does not hold it. Set by hand so that it stays below what a source
/// contradicts; where labelled sets were looked at, cases were few. Not a calibrated rate.
const P_EVIDENCE: f64 = 0.65;
/// A base without evidence seldom holds every number worth saying. Set by hand as well.
const P_BASE: f64 = 0.40;
/// Plain counts up to this are said in passing ("two options").
const SMALL: f64 = 3.0;
/// Ranks up to this are dates, floors, list places.
const SMALL_RANK: f64 = 31.0;

/// Whether the number is no statement: a label, a small count or rank, "100 %".
fn trivial(quantity: &Quantity) -> bool {
    match quantity.kind {
        QuantityKind::Label => true,
        QuantityKind::Ordinal => quantity.value <= SMALL_RANK,
        QuantityKind::Cardinal => quantity.unit.is_none() && quantity.value.abs() <= SMALL,
        QuantityKind::Percent => quantity.value == 100.0,
        _ => false,
    }
}

/// `stream.unsupported_number`: a number that evidence, question, dialogue and the facts of the
/// entities mentioned so far all lack. Nothing is said where neither evidence nor facts were given.
#[must_use]
pub fn unsupported_number(
    quantity: &Quantity,
    text: &str,
    grounds: &Grounds<'_>,
    mentioned: &[u32],
) -> Option<Finding> {
    if trivial(quantity)
        || !applies(grounds, mentioned)
        || grounds.knows_quantity(quantity, text, mentioned)
    {
        return None;
    }
    let mut finding = missing(
        quantity.span,
        text,
        quantity.decided_at,
        grounds,
        "unsupported_number",
    );
    finding.detected = json!({"value": quantity.value, "text": text});
    Some(finding)
}

/// The same for a date with a day or a month and year; a year alone is a number.
#[must_use]
pub fn unsupported_date(
    date: &DateExpr,
    text: &str,
    grounds: &Grounds<'_>,
    mentioned: &[u32],
) -> Option<Finding> {
    let told = date.day.is_some() || (date.year.is_some() && date.month.is_some());
    if !told || !applies(grounds, mentioned) || grounds.knows_date(date, text, mentioned) {
        return None;
    }
    let mut finding = missing(
        date.span,
        text,
        date.decided_at,
        grounds,
        "unsupported_date",
    );
    finding.detected =
        json!({"year": date.year, "month": date.month, "day": date.day, "text": text});
    Some(finding)
}

/// With a base alone, only once one of its entities is what the text is about.
fn applies(grounds: &Grounds<'_>, mentioned: &[u32]) -> bool {
    grounds.has_evidence() || (grounds.kb.is_some() && !mentioned.is_empty())
}

fn missing(
    span: Span,
    text: &str,
    decided_at: usize,
    grounds: &Grounds<'_>,
    rule: &str,
) -> Finding {
    let mut finding = draft(
        "stream.unsupported_number",
        rule,
        Some(span),
        text,
        decided_at,
    );
    finding.p_hallucinated = if grounds.has_evidence() {
        P_EVIDENCE
    } else {
        P_BASE
    };
    grounds.absence(None).note(&mut finding);
    finding.message =
        Message::new("No source given here says '{number}'").sensitive("number", text);
    finding
}
