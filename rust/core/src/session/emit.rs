//! From a detector's draft to a finding in the log.

use std::sync::Arc;

use serde_json::Value;

use super::state::same_place;
use super::{Entry, Session};
use crate::detect::Registry;
use crate::kb::is_plain_line;
use crate::monitor::Monitor;
use crate::profile::Profile;
use crate::score::{HistoryEvidence, Inputs, KbEvidence, MOST_RELATED, score};
use crate::types::{EvidenceKind, Finding, LinguisticSignal, Status, clip_text};

impl Session {
    /// Scores a draft, gives it its id and tier, and logs it; unless no profile judges it or
    /// its text was forced.
    pub(super) fn emit(&mut self, mut finding: Finding) {
        if let Some(span) = finding.span {
            // Of words that were not written to their end nothing is known.
            if self.state.cut_from.is_some_and(|from| span.end > from) {
                return;
            }
            // How much the evidence carries of words that are partly the guard's says nothing.
            let support = finding.rule == "support";
            if (support && self.state.was_forced_in(span)) || self.state.is_forced(span) {
                return;
            }
        }
        self.text.place(&mut finding);
        self.keep(finding);
    }

    /// The same for one from outside, of a place in what was sent.
    pub(super) fn emit_placed(&mut self, mut finding: Finding) {
        if let Some(span) = finding.span {
            let read = self.text.read_span(span);
            let cut = self.state.cut_from.is_some_and(|from| read.end > from);
            if cut || self.state.is_forced(read) {
                return;
            }
            // An answer may come when its claim's text has left: then its words are the claim's.
            if span.start >= self.text_start() {
                clip_text(self.slice(span)).clone_into(&mut finding.text);
            }
        }
        self.keep(finding);
    }

    fn keep(&mut self, mut finding: Finding) {
        // What takes a place in the answer is one line of plain words.
        if finding
            .replacement
            .as_deref()
            .is_some_and(|text| !is_plain_line(text))
        {
            finding.replacement = None;
            finding.extra.insert("no_substitute".into(), true.into());
        }
        let monitor = self.monitor.clone();
        let Some(profile) = monitor.owner(&finding) else {
            return;
        };
        if !profile.reports(&finding) {
            return;
        }
        let signals = self.open_signals();
        self.score(&mut finding, profile, &signals);
        finding.tier = self.monitor.tier(&finding);
        finding.id = identity(&finding);
        let char_span = finding
            .span
            .filter(|span| span.start >= self.text_start())
            .map(|span| self.text.sent().char_span(span));
        let finding = Arc::new(finding);
        self.state.remember_finding(&finding);
        self.log.push(Entry::Finding { finding, char_span });
    }

    /// Wording of the open sentence so far.
    pub(super) fn open_signals(&self) -> Vec<LinguisticSignal> {
        if self.state.open.wording.is_empty() {
            return Vec::new();
        }
        self.monitor.rules().signals(&self.state.open.wording)
    }

    fn score(&self, finding: &mut Finding, profile: &Profile, signals: &[LinguisticSignal]) {
        // What the report will fold into one (D-1) is no second finding.
        let recent = &self.state.recent;
        let others = recent.iter().any(|other| !same_place(other, finding));
        let related = others.then(|| {
            recent
                .iter()
                .filter(|other| !same_place(other, finding))
                .filter(|other| {
                    other.kind == finding.kind
                        || holds(&other.content, &finding.content)
                        || holds(&finding.content, &other.content)
                })
                .take(MOST_RELATED)
                .count()
        });
        appraise(finding, profile, signals, related);
    }
}

impl Monitor {
    /// Gives findings that were made outside a session what they lack: a score, as a session gives
    /// it to the first finding of a stream, the risk of a score, and the tier.
    pub fn appraise(&self, findings: &mut [Finding]) {
        for finding in findings {
            if let Some(profile) = self.owner(finding) {
                if finding.score == 0.0 {
                    appraise(finding, profile, &[], None);
                } else if finding.risk == 0.0 {
                    finding.risk = profile.risk(finding);
                }
            }
            finding.tier = self.tier(finding);
        }
    }
}

/// Score and risk of a finding, and what they are made of.
fn appraise(
    finding: &mut Finding,
    profile: &Profile,
    signals: &[LinguisticSignal],
    related: Option<usize>,
) {
    let base = profile
        .base_severity
        .get(&finding.kind)
        .copied()
        .or_else(|| finding.extra.get("base_severity").and_then(Value::as_f64))
        .unwrap_or_else(|| Registry::builtin().base_severity(&finding.kind));
    let source = |kind: EvidenceKind| finding.evidence.iter().find(|e| e.kind == kind);
    let contradicts = finding.status == Status::Contradicted;
    let kb = source(EvidenceKind::KbFact).map(|e| KbEvidence {
        contradicts,
        unverifiable: finding.status != Status::Supported,
        confidence: e.quality,
    });
    let history = source(EvidenceKind::PriorTurn)
        .filter(|_| contradicts || finding.status == Status::Supported)
        .map(|e| HistoryEvidence {
            contradicts,
            confidence: e.quality,
        });
    let inputs = Inputs {
        base,
        kb,
        history,
        signals,
        related,
    };
    let parts = score(&inputs, &profile.weights);
    finding.score = parts.score;
    finding.risk = profile.risk(finding);
    let extra = &mut finding.extra;
    extra.insert("base_severity".into(), parts.base.into());
    if let Some(factor) = parts.kb_factor {
        extra.insert("kb_factor".into(), factor.into());
    }
    if let Some(factor) = parts.history_factor {
        extra.insert("history_factor".into(), factor.into());
    }
    extra.insert("linguistic_factor".into(), parts.linguistic_factor.into());
    extra.insert("consistency_factor".into(), parts.consistency_factor.into());
    extra.insert("unclamped_score".into(), unclamped(&parts, profile).into());
    extra.insert("profile".into(), profile.name.clone().into());
}

/// The product before clamping: the report divides one factor out of it and puts another in.
fn unclamped(parts: &crate::score::Breakdown, profile: &Profile) -> f64 {
    let weights = &profile.weights;
    let blend = |weight: f64, factor: f64| weight * factor + (1.0 - weight);
    parts.base
        * parts.kb_factor.map_or(1.0, |f| blend(weights.kb, f))
        * parts
            .history_factor
            .map_or(1.0, |f| blend(weights.history, f))
        * blend(weights.linguistic, parts.linguistic_factor)
        * blend(weights.consistency, parts.consistency_factor)
}

/// A finding's id: FNV-1a over what it says and where, so that the same text gives the same id.
fn identity(finding: &Finding) -> String {
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let span = finding.span.unwrap_or_default();
    let mut digits = [0; 2 * DIGITS + 1];
    let mut from = put_decimal(&mut digits, span.end);
    from -= 1;
    digits[from] = b':';
    from = put_decimal(&mut digits[..from], span.start);
    let parts = [
        finding.kind.as_bytes(),
        finding.rule.as_bytes(),
        &digits[from..],
        finding.text.as_bytes(),
        finding.content.as_bytes(),
    ];
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for part in parts {
        for &byte in part {
            hash = (hash ^ u64::from(byte)).wrapping_mul(PRIME);
        }
        // The byte 0 ends a part.
        hash = hash.wrapping_mul(PRIME);
    }
    let mut id = String::with_capacity(17);
    id.push('f');
    let places = (0..16).rev().map(|at| (hash >> (4 * at)) as usize & 15);
    id.extend(places.map(|place| char::from(HEX[place])));
    id
}

/// Digits of the greatest number.
const DIGITS: usize = 20;

/// Writes a number's digits at the end of `into` and returns where they begin.
fn put_decimal(into: &mut [u8], mut number: usize) -> usize {
    let mut at = into.len();
    loop {
        at -= 1;
        into[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            return at;
        }
    }
}

/// Whether `text` has `part` in it. A long part is sought by its beginning first, for which the search need
/// not be made ready.
fn holds(text: &str, part: &str) -> bool {
    const SHORT: usize = 32;
    if part.len() > text.len() {
        return false;
    }
    let begins = part.len() <= SHORT || {
        let mut end = SHORT;
        while !part.is_char_boundary(end) {
            end -= 1;
        }
        text.contains(&part[..end])
    };
    begins && text.contains(part)
}
