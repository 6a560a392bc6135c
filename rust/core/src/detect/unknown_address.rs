//! An e-mail address, a web address or a phone number that no source has.

use crate::claims::SentenceView;
use crate::evidence::{Address, AddressKind, addresses, is_called, is_grouped};
use crate::types::{Claim, Finding, Message, Modality, Span};

use super::draft::draft;
use super::grounds::Grounds;

/// Whoever was given sources and writes another address made it up; set by hand so that it stays
/// below what a source contradicts, as all that is only missing does.
const P: f64 = 0.65;

/// `stream.unknown_entity` (rule `unknown_address`) for an e-mail or web address and
/// `stream.unsupported_number` (rule `unsupported_phone`) for a phone number that evidence, question,
/// dialogue and the facts of the entities mentioned so far all lack; an instruction is judged too,
/// a question and a quotation are not. Nothing is said where no evidence was given, and of a number
/// that nothing calls one to be phoned.
#[must_use]
pub fn unknown_addresses(
    view: &SentenceView<'_>,
    claims: &[Claim],
    grounds: &Grounds<'_>,
    mentioned: &[u32],
) -> Vec<Finding> {
    let Some(first) = claims.first() else {
        return Vec::new();
    };
    let judged = matches!(
        first.modality,
        Modality::Asserted | Modality::Hedged | Modality::Instruction
    );
    if !grounds.has_evidence() || !judged {
        return Vec::new();
    }
    let missing = |said: &Address| {
        let text = &view.text[said.span.start..said.span.end];
        let called = said.kind != AddressKind::Phone || said.called;
        called && !knows(said, grounds) && !grounds.holds_words(text, mentioned)
    };
    addresses(view.text)
        .into_iter()
        .filter(missing)
        .map(|said| finding(&said, view, first, grounds))
        .collect()
}

fn knows(said: &Address, grounds: &Grounds<'_>) -> bool {
    grounds.sets().any(|set| {
        let mut passages = set.passages().iter();
        passages.any(|passage| passage.data().has_address(said))
    })
}

fn finding(
    said: &Address,
    view: &SentenceView<'_>,
    claim: &Claim,
    grounds: &Grounds<'_>,
) -> Finding {
    let start = view.sentence.span.start;
    let span = Span::new(start + said.span.start, start + said.span.end);
    let text = view.at(span);
    let phone = said.kind == AddressKind::Phone;
    let (kind, rule) = if phone {
        ("stream.unsupported_number", "unsupported_phone")
    } else {
        ("stream.unknown_entity", "unknown_address")
    };
    let mut finding = draft(kind, rule, Some(span), text, view.sentence.decided_at);
    finding.p_hallucinated = P;
    finding.claim_id = Some(claim.id.clone());
    grounds.absence(None).note(&mut finding);
    finding.message = if phone {
        Message::new("No source given here says '{number}'").sensitive("number", text)
    } else {
        Message::new("No source given here knows '{name}'").sensitive("name", text)
    };
    finding.detected = serde_json::json!(text);
    finding
}

/// Digits from which a number in groups behind "call" is no count of people or things.
const MANY: usize = 5;

/// Whether a number is part of one that is called one to be phoned: it is judged as a whole once
/// its sentence has closed. Nothing is where no evidence was given.
#[must_use]
pub fn is_phoned(before: &str, text: &str, grounds: &Grounds<'_>) -> bool {
    if !grounds.has_evidence() {
        return false;
    }
    let own = |c: char| c.is_ascii_digit() || " -./()+".contains(c);
    if !text.chars().all(own) {
        return false;
    }
    let line = before.rsplit('\n').next().unwrap_or(before);
    let lead = line.trim_end_matches(own);
    let run = format!("{}{text}", &line[lead.len()..]);
    let run = run.trim_start_matches(|c: char| !c.is_ascii_digit() && c != '+');
    let digits = run.bytes().filter(u8::is_ascii_digit).count();
    let groups = run.split(|c: char| !c.is_ascii_digit());
    let several = groups.filter(|group| !group.is_empty()).count() > 1;
    let part = || {
        let own: String = text.chars().filter(char::is_ascii_digit).collect();
        grounds.sets().any(|set| {
            let mut passages = set.passages().iter();
            passages.any(|passage| passage.data().has_in_phone(&own))
        })
    };
    let counts = run.split_whitespace().count() > 1 && is_grouped(run);
    run.starts_with('+') || !counts && is_called(lead) && (several && digits >= MANY || part())
}
