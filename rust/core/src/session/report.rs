//! The session's last word: the log folded, counted and judged.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::{Entry, Session};
use crate::profile::ProfileVerdict;
use crate::score::{consistency_factor, related};
use crate::types::{Claim, Finding, Span, Status, Tier};

/// Related findings beyond which the factor of S0-070 grows no more.
const RELATED_MOST: usize = 3;
/// Version of the report's form.
pub const SCHEMA_VERSION: &str = "1.0";

/// Why a finding of the log looks otherwise, or is missing, in the report.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum Change {
    /// The same thing was found twice; the stronger finding stays (D-1).
    Duplicate {
        /// The finding that left.
        id: String,
        /// The finding that stays.
        kept: String,
    },
    /// Related findings changed its score (S0-070).
    Rescored {
        /// The finding.
        id: String,
        /// Score in the log.
        from: f64,
        /// Score in the report.
        to: f64,
    },
    /// A verifier revised it.
    Revised {
        /// The finding.
        id: String,
        /// Its status now.
        status: Status,
    },
}

/// What was counted.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Stats {
    /// Sentences, list items, headings, rows and lines of code.
    pub segments: u64,
    /// Claims.
    pub claims: u64,
    /// Claims beyond `max_claims`, which count as unverifiable.
    pub claims_unverifiable: u64,
    /// Names.
    pub entities: u64,
    /// Names nothing knows.
    pub entities_unknown: u64,
    /// Numbers.
    pub quantities: u64,
    /// Words.
    pub words: u64,
    /// Pushes that were not empty.
    pub tokens: u64,
    /// Those of them that the guard forced.
    pub forced: u64,
    /// Rows of logits that held no usable numbers.
    pub invalid_rows: u64,
    /// Findings.
    pub findings: u64,
    /// Findings by type.
    pub by_type: BTreeMap<String, u64>,
    /// Findings by severity.
    pub by_severity: BTreeMap<String, u64>,
    /// Findings by status.
    pub by_status: BTreeMap<String, u64>,
    /// Findings by tier.
    pub by_tier: BTreeMap<String, u64>,
    /// Bits the evidence moved the stream's tokens by, where prior rows came in.
    pub kl_bits: f64,
    /// Bits of evidence lift of the stream's tokens, where prior rows came in.
    pub lift_bits: f64,
}

/// What a finished session says.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Version of this form.
    pub schema_version: &'static str,
    /// The surviving text, as far as it is retained.
    pub text: String,
    /// Byte offset of its beginning; above 0 only where `truncated`.
    pub text_start: usize,
    /// Code point offset of its beginning.
    pub text_start_chars: usize,
    /// Findings in the order of the text; of a stream that outgrew `max_retained` those among the last
    /// `max_entries` entries of the log and, before these, as many of the highest tiers.
    pub findings: Vec<Finding>,
    /// Their spans in code points, in the same order.
    pub char_spans: Vec<Option<Span>>,
    /// Claims in the order of the text.
    pub claims: Vec<Claim>,
    /// Their spans in code points, in the same order.
    pub claim_char_spans: Vec<Span>,
    /// Status of each claim, by id.
    pub claim_status: BTreeMap<String, Status>,
    /// What the fold changed.
    pub changes: Vec<Change>,
    /// What was counted.
    pub stats: Stats,
    /// Highest tier.
    pub tier: Tier,
    /// Each profile's verdict, by name.
    pub verdicts: BTreeMap<String, ProfileVerdict>,
    /// Name of the profile whose verdict acts: the one with the highest tier, first on a tie.
    pub acting: String,
    /// Part of the text or of the log is no longer retained.
    pub truncated: bool,
    /// The stream was closed.
    pub finished: bool,
    /// Why monitoring stopped, if it did; the text after that is unverified.
    pub latched: Option<String>,
}

impl Session {
    /// The log folded into a report; on an open session, of what has come so far.
    #[must_use]
    pub fn report(&self) -> Report {
        let mut changes = Vec::new();
        let mut status = BTreeMap::new();
        let (mut findings, mut claims) = (Vec::new(), Vec::new());
        let mut standings = Vec::new();
        let outgrown = self.outgrown(self.text_end(), self.log.weight());
        let most = outgrown.then(|| self.monitor.settings().max_entries);
        let (early, entries) = self.log.told(most);
        for (finding, char_span) in early {
            findings.push((finding.clone(), char_span));
        }
        for entry in entries {
            match entry {
                Entry::Finding { finding, char_span } => {
                    findings.push(((**finding).clone(), *char_span));
                }
                Entry::Claim {
                    claim,
                    char_span,
                    standing,
                } => {
                    claims.push(((**claim).clone(), *char_span));
                    standings.push(*standing);
                }
                Entry::Revision {
                    claim_id,
                    status: now,
                    ..
                } => {
                    status.insert(claim_id.clone(), *now);
                }
                Entry::Sentence { .. } | Entry::Mention { .. } => {}
            }
        }
        attach(&mut findings, &claims);
        revise(&mut findings, &status, &mut changes);
        dedup(&mut findings, &mut changes);
        supersede(&mut findings, &mut changes);
        self.rescore(&mut findings, &mut changes);
        findings.sort_by_key(|(f, _)| {
            (
                f.span
                    .map_or((usize::MAX, usize::MAX), |s| (s.start, s.end)),
                f.decided_at,
            )
        });
        for ((claim, _), standing) in claims.iter().zip(standings) {
            status
                .entry(claim.id.clone())
                .or_insert_with(|| claim_status(claim, standing, &findings));
        }
        let (findings, char_spans): (Vec<_>, Vec<_>) = findings.into_iter().unzip();
        let (claims, claim_char_spans) = claims.into_iter().unzip();
        let mut verdicts: BTreeMap<String, ProfileVerdict> = self
            .monitor
            .profiles()
            .iter()
            .map(|p| {
                (
                    p.name.clone(),
                    p.verdict(&findings, |tier| self.monitor.policy().action(tier)),
                )
            })
            .collect();
        let beyond = self.state.counts.claims_beyond;
        if beyond > 0 {
            for verdict in verdicts.values_mut() {
                verdict.unread(beyond);
            }
        }
        let mut acting = String::new();
        let mut tier = None;
        for profile in self.monitor.profiles() {
            let of = verdicts.get(&profile.name).map(|v| v.tier);
            if tier.is_none() || of > tier {
                tier = of;
                acting.clone_from(&profile.name);
            }
        }
        Report {
            schema_version: SCHEMA_VERSION,
            text: self.text().to_owned(),
            text_start: self.text_start(),
            text_start_chars: self.text.sent().chars_at(self.text_start()),
            stats: self.stats(&findings),
            findings,
            char_spans,
            claims,
            claim_char_spans,
            claim_status: status,
            changes,
            tier: tier.unwrap_or(Tier::None),
            verdicts,
            acting,
            truncated: self.truncated || outgrown,
            finished: self.finished,
            latched: self.latched.clone(),
        }
    }

    /// Consistency over all findings instead of those before it (S0-070).
    fn rescore(&self, findings: &mut [(Finding, Option<Span>)], changes: &mut Vec<Change>) {
        let counts = related_counts(findings);
        for ((finding, _), count) in findings.iter_mut().zip(counts) {
            let Some(profile) = self.monitor.owner(finding) else {
                continue;
            };
            let weight = profile.weights.consistency;
            let blend = |factor: f64| weight * factor + (1.0 - weight);
            let had = finding
                .extra
                .get("consistency_factor")
                .and_then(serde_json::Value::as_f64)
                .unwrap_or(1.0);
            let now = consistency_factor(count);
            if (had - now).abs() < f64::EPSILON {
                continue;
            }
            let raw = finding
                .extra
                .get("unclamped_score")
                .and_then(serde_json::Value::as_f64)
                .unwrap_or(finding.score);
            let from = finding.score;
            let raw = raw / blend(had) * blend(now);
            finding.score = raw.clamp(0.0, 1.0);
            finding.risk = profile.risk(finding);
            finding
                .extra
                .insert("consistency_factor".into(), now.into());
            finding.extra.insert("unclamped_score".into(), raw.into());
            finding.tier = self.monitor.tier(finding);
            if (finding.score - from).abs() > 1e-12 {
                changes.push(Change::Rescored {
                    id: finding.id.clone(),
                    from,
                    to: finding.score,
                });
            }
        }
    }

    fn stats(&self, findings: &[Finding]) -> Stats {
        let counts = self.state.counts;
        let mut stats = Stats {
            segments: counts.sentences,
            claims: counts.claims,
            claims_unverifiable: counts.claims_beyond,
            entities: counts.mentions,
            entities_unknown: counts.unknown,
            quantities: counts.quantities,
            words: counts.words,
            tokens: counts.tokens,
            forced: counts.forced,
            invalid_rows: counts.invalid_rows,
            findings: findings.len() as u64,
            kl_bits: self.state.stream_budget.kl_bits(),
            lift_bits: self.state.stream_budget.lift_bits(),
            ..Stats::default()
        };
        for finding in findings {
            let count = |map: &mut BTreeMap<String, u64>, key: &str| {
                *map.entry(key.to_owned()).or_insert(0) += 1;
            };
            count(&mut stats.by_type, &finding.kind);
            count(&mut stats.by_severity, finding.severity.as_str());
            count(&mut stats.by_status, finding.status.as_str());
            count(&mut stats.by_tier, finding.tier.as_str());
        }
        stats
    }
}

/// Findings made at a word get the claim that closed over them.
fn attach(findings: &mut [(Finding, Option<Span>)], claims: &[(Claim, Span)]) {
    for (finding, _) in findings.iter_mut().filter(|(f, _)| f.claim_id.is_none()) {
        let Some(span) = finding.span else { continue };
        finding.claim_id = claims
            .iter()
            .find(|(claim, _)| claim.span.contains(span))
            .map(|(claim, _)| claim.id.clone());
    }
}

/// A verifier that supports a claim takes the doubt from findings of absence in it.
fn revise(
    findings: &mut [(Finding, Option<Span>)],
    status: &BTreeMap<String, Status>,
    changes: &mut Vec<Change>,
) {
    for (finding, _) in findings.iter_mut() {
        let Some(now) = finding.claim_id.as_ref().and_then(|id| status.get(id)) else {
            continue;
        };
        if *now == Status::Supported && finding.status != Status::Contradicted {
            finding.status = Status::Supported;
            finding.tier = Tier::None;
            changes.push(Change::Revised {
                id: finding.id.clone(),
                status: *now,
            });
        }
    }
}

/// Bytes of text whose findings are compared with each other.
const CELL: usize = 1024;

/// Same type and overlapping span: the higher risk stays (D-1).
fn dedup(findings: &mut Vec<(Finding, Option<Span>)>, changes: &mut Vec<Change>) {
    let mut kept: Vec<(Finding, Option<Span>)> = Vec::with_capacity(findings.len());
    // Kept findings by type and the cells of text they touch; `usize::MAX` for those without a
    // place.
    let mut cells: FxHashMap<(String, usize), Vec<usize>> = FxHashMap::default();
    for (finding, chars) in findings.drain(..) {
        let touched = match finding.span {
            Some(span) => span.start / CELL..=span.end / CELL,
            None => usize::MAX..=usize::MAX,
        };
        let same = |other: &Finding| match (other.span, finding.span) {
            (Some(a), Some(b)) => a.overlaps(b) || a == b,
            (None, None) => other.id == finding.id,
            _ => false,
        };
        let twin = touched
            .clone()
            .filter_map(|cell| cells.get(&(finding.kind.clone(), cell)))
            .flatten()
            .copied()
            .filter(|&at| same(&kept[at].0))
            .min();
        let at = match twin {
            None => {
                kept.push((finding, chars));
                kept.len() - 1
            }
            Some(at) => {
                let twin = &mut kept[at];
                let (lost, won) = if finding.risk > twin.0.risk {
                    (twin.0.id.clone(), finding.id.clone())
                } else {
                    (finding.id.clone(), twin.0.id.clone())
                };
                if lost != won {
                    changes.push(Change::Duplicate {
                        id: lost,
                        kept: won.clone(),
                    });
                }
                if twin.0.id == won {
                    continue;
                }
                *twin = (finding, chars);
                at
            }
        };
        for cell in touched {
            cells
                .entry((kept[at].0.kind.clone(), cell))
                .or_default()
                .push(at);
        }
    }
    *findings = kept;
}

/// A fact made up about a name that nothing knows says so of the name already (D-1, X-15).
fn supersede(findings: &mut Vec<(Finding, Option<Span>)>, changes: &mut Vec<Change>) {
    let mut subjects: Vec<(Span, String)> = findings
        .iter()
        .filter(|(f, _)| f.kind == "dialogue.fabricated_fact")
        .flat_map(|(f, _)| f.spans.iter().map(|span| (*span, f.id.clone())))
        .collect();
    if subjects.is_empty() {
        return;
    }
    subjects.sort_by_key(|(span, _)| (span.start, span.end));
    findings.retain(|(finding, _)| {
        let Some(span) = finding
            .span
            .filter(|_| finding.kind == "dialogue.nonexistent_entity")
        else {
            return true;
        };
        // Subjects of different sentences do not overlap, so the last that starts before ends it.
        let at = subjects.partition_point(|(subject, _)| subject.start < span.end);
        let Some((_, kept)) = at
            .checked_sub(1)
            .map(|at| &subjects[at])
            .filter(|(subject, _)| subject.overlaps(span))
        else {
            return true;
        };
        changes.push(Change::Duplicate {
            id: finding.id.clone(),
            kept: kept.clone(),
        });
        false
    });
}

/// For each finding, how many others are related to it, up to the number that counts.
fn related_counts(findings: &[(Finding, Option<Span>)]) -> Vec<Option<usize>> {
    let mut of_kind: FxHashMap<&str, usize> = FxHashMap::default();
    for (finding, _) in findings {
        *of_kind.entry(&finding.kind).or_default() += 1;
    }
    let count = |i: usize, finding: &Finding| {
        let same = of_kind[finding.kind.as_str()] - 1;
        if same >= RELATED_MOST {
            return RELATED_MOST;
        }
        findings
            .iter()
            .enumerate()
            .filter(|(j, (other, _))| *j != i && related(finding, other))
            .take(RELATED_MOST)
            .count()
    };
    (0..findings.len())
        .map(|i| (findings.len() > 1).then(|| count(i, &findings[i].0)))
        .collect()
}

/// The worst that the claim's findings say; where there are none, how it stands by itself.
fn claim_status(
    claim: &Claim,
    standing: Option<Status>,
    findings: &[(Finding, Option<Span>)],
) -> Status {
    findings
        .iter()
        .filter(|(f, _)| f.claim_id.as_deref() == Some(claim.id.as_str()))
        .map(|(f, _)| f.status)
        .max()
        .or(standing)
        .unwrap_or(Status::Unverifiable)
}
