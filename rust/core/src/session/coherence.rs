//! A text held against earlier ones (S4-020..024), and the stream's own part of it.

use std::sync::{Arc, OnceLock};

use serde_json::{Value, json};

use super::{Context, Push, Session};
use crate::claims::{Attributes, NoKinds, SentenceView};
use crate::detect::{self, moved};
use crate::dialogue::{
    ClashKind, Known, Said, clash, drift, exclusivity, said, said_in, same_attribute, standing,
};
use crate::entities::Names;
use crate::monitor::Monitor;
use crate::profile::Profile;
use crate::types::{Claim, Finding};

impl Session {
    /// A text that grows more specific without a source.
    pub(super) fn judge_specificity(
        &mut self,
        view: &SentenceView<'_>,
        claims: &[Claim],
    ) -> Option<Finding> {
        if !self.monitor.wants("stream.specificity_drift") {
            return None;
        }
        let first = claims.first()?;
        let narrative = Arc::make_mut(&mut self.state.narrative);
        let grounds = self.context.grounds();
        let found = detect::specificity_drift(view, first, &grounds, &mut narrative.specifics)?;
        let mut finding = found;
        finding.decided_at = view.sentence.decided_at;
        detect::note_topic(&mut finding, view, first);
        (!self.excluded(&finding, first.modality)).then_some(finding)
    }

    /// Values, quantifiers and concepts that moved. What another detector says of the same words
    /// (`found`) is not said again; it is marked as a goalpost that moved.
    pub(super) fn judge_coherence(
        &mut self,
        view: &SentenceView<'_>,
        claims: &[Claim],
        carried: bool,
        found: &mut Vec<Finding>,
    ) {
        let wanted = |kind| self.monitor.wants(kind);
        if !wanted("stream.goalpost") && !wanted("stream.concept_drift") {
            return;
        }
        let turns = self.context.dialogue.said().clone();
        let narrative = Arc::make_mut(&mut self.state.narrative);
        let mut said = said(view, claims, &mut narrative.spoken);
        self.state.titles.mark_said(view, &mut said);
        if self.state.admitted {
            said.iter_mut().for_each(|one| one.corrects = true);
        }
        if said.is_empty() {
            return;
        }
        for mut finding in moved(said, claims, &turns, &mut narrative.told) {
            // What is known, and what speaks of another thing, is held to no turn.
            let turn = finding
                .evidence
                .iter()
                .find_map(|e| e.data["turn"].as_u64());
            let of = |claim: &&Claim| finding.claim_id.as_ref() == Some(&claim.id);
            let claim = claims.iter().find(of);
            if let (Some(turn), Some(claim)) = (turn, claim)
                && (carried || self.passed(view, claim, turn) || self.is_based(view, claim))
            {
                continue;
            }
            finding.decided_at = view.sentence.decided_at;
            let same = |other: &Finding| {
                other
                    .span
                    .zip(finding.span)
                    .is_some_and(|(a, b)| a.overlaps(b))
            };
            if let Some(other) = found.iter_mut().find(|other| at_odds(other) && same(other)) {
                if finding.kind == "stream.goalpost" {
                    other.extra.insert("goalpost".into(), true.into());
                }
                continue;
            }
            if let Some(claim) = claim {
                detect::note_topic(&mut finding, view, claim);
            }
            found.push(finding);
        }
    }

    /// Whether a claim's bare subject is another thing than the turn's.
    fn passed(&self, view: &SentenceView<'_>, claim: &Claim, turn: u64) -> bool {
        let established = self.context.dialogue.established();
        let counts = claim.quantities.is_empty();
        claim
            .subject_span
            .is_some_and(|span| established.passes(view, span, !counts, turn))
    }
}

/// Whether a finding says that its words contradict something.
fn at_odds(finding: &Finding) -> bool {
    matches!(
        finding.kind.as_str(),
        "dialogue.contradicts_prior"
            | "dialogue.contradicts_fact"
            | "dialogue.wrong_attribute"
            | "dialogue.logical_inconsistency"
            | "dialogue.temporal_error"
            | "stream.quantity_conflict"
            | "stream.contradicts_evidence"
    )
}

/// What the detector of contradicted turns finds in an answer of these words.
fn against_turns(text: &str, turns: &[&str]) -> Vec<Finding> {
    static MONITOR: OnceLock<Option<Monitor>> = OnceLock::new();
    let built = || {
        Monitor::builder()
            .profiles(vec![Profile::dialogue()])
            .build()
            .ok()
    };
    let Some(monitor) = MONITOR.get_or_init(built) else {
        return Vec::new();
    };
    let turn = |text: &&str| ("assistant".to_owned(), (*text).to_owned());
    let turns: Vec<(String, String)> = turns.iter().map(turn).collect();
    let mut session = Session::new(monitor, Context::new(monitor, &[], &turns, None));
    let read = session
        .push_text(text, Push::default())
        .and_then(|_| session.finish());
    if read.is_err() {
        return Vec::new();
    }
    let mut found = session.report().findings;
    found.retain(|finding| finding.kind == "dialogue.contradicts_prior");
    found
}

/// A finding about a turn as a contradiction: its claim, what it contradicts, and all of it as
/// JSON. Where the attribute has no exclusivity, the comparison says how sure it is.
fn beyond(found: &Finding, new: &[Said], facts: &[Said]) -> Option<(String, String, Value)> {
    let evidence = found.evidence.first()?;
    let told = evidence.data["earlier"].as_str()?;
    let claim = found.content.clone();
    let fact = |one: &&Said| &*one.content == told;
    let own = |one: &&Said| *one.content == *claim;
    let confidence = facts.iter().find(fact).map_or(1.0, |one| one.confidence);
    let pairs = new.iter().filter(own).flat_map(|one| {
        let same = facts
            .iter()
            .filter(fact)
            .filter(|fact| same_attribute(one, fact));
        same.map(|fact| exclusivity(&fact.predicate))
    });
    let weight = pairs.fold(0.0, f64::max);
    let weight = if weight > 0.0 {
        weight
    } else {
        evidence.quality
    };
    let negated = evidence.data["contradiction"] == "direct_negation";
    let kind = if negated {
        ClashKind::Negation
    } else {
        ClashKind::Value
    };
    let json = json!({
        "claim": claim,
        "contradicts": told,
        "severity": weight * confidence,
        "kind": kind.as_str(),
    });
    Some((claim.clone(), told.to_owned(), json))
}

/// Every statement of `text` against every one of `turns`, oldest first (S4-020), as JSON:
/// `contradictions` (`claim`, `contradicts`, `severity`, `kind`: "value", "negation",
/// "quantifier"; what `dialogue.contradicts_prior` finds is among them), in the order of the text; `drifts` (`concept`, `first`, `now`, `drift`,
/// `drifted`) of every concept that both speak of; `corrections`, the claims that say openly that
/// they take something back. What a later turn has taken back counts no more.
#[must_use]
pub fn coherence(text: &str, turns: &[&str]) -> Value {
    let (names, attributes) = (Names::default(), Attributes::default());
    let known = Known {
        names: &names,
        attributes: &attributes,
        kinds: &NoKinds,
    };
    let read = |text: &str| said_in(text, known);
    let all: Vec<Said> = turns.iter().flat_map(|turn| read(turn)).collect();
    let facts = standing(all);
    let new = read(text);
    let (mut contradictions, mut corrections) = (Vec::<Value>::new(), Vec::<&str>::new());
    for one in &new {
        for fact in &facts {
            let Some(found) = clash(one, fact) else {
                continue;
            };
            if one.corrects {
                if !corrections.contains(&&*one.content) {
                    corrections.push(&one.content);
                }
                continue;
            }
            let found = json!({
                "claim": one.content,
                "contradicts": fact.content,
                "severity": found.severity,
                "kind": found.kind.as_str(),
            });
            if !contradictions.contains(&found) {
                contradictions.push(found);
            }
        }
    }
    for found in against_turns(text, turns) {
        let Some((claim, told, found)) = beyond(&found, &new, &facts) else {
            continue;
        };
        let same = |one: &Value, key: &str, text: &str| {
            let own = one[key].as_str().unwrap_or("");
            own.contains(text) || text.contains(own)
        };
        let known = |one: &Value| same(one, "claim", &claim) && same(one, "contradicts", &told);
        if !contradictions.iter().any(known) {
            contradictions.push(found);
        }
    }
    // In the order of the text.
    contradictions.sort_by_key(|one| text.find(one["claim"].as_str().unwrap_or("")));
    let mut concepts: Vec<u64> = Vec::new();
    for one in new.iter().filter(|one| one.subject != 0) {
        if !concepts.contains(&one.subject) {
            concepts.push(one.subject);
        }
    }
    let drifts: Vec<Value> = concepts
        .iter()
        .filter_map(|concept| {
            let now: Vec<&Said> = new.iter().filter(|one| one.subject == *concept).collect();
            let of_it = facts.iter().filter(|one| one.subject == *concept);
            let first: Vec<&Said> = of_it.collect();
            let found = drift(&now, &first)?;
            Some(json!({
                "concept": found.concept,
                "first": found.first,
                "now": found.now,
                "drift": found.drift,
                "drifted": found.drifted,
            }))
        })
        .collect();
    json!({
        "contradictions": contradictions,
        "drifts": drifts,
        "corrections": corrections,
    })
}
