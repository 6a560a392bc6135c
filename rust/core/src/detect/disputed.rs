//! Values about which the knowledge base and the evidence disagree. Neither is put in the place of
//! the other: which of them is right, a person decides (S0-079).

use serde_json::json;

use crate::claims::{SentenceView, numbers_agree};
use crate::evidence::{EvidenceSet, Passage};
use crate::kb::Snapshot;
use crate::normal::fold_name;
use crate::segment;
use crate::types::{Claim, Evidence, EvidenceKind, Finding, MAX_TIER, Span, Tier};

use super::standing::base_has;

/// Notes on the findings of one sentence where sources disagree: `disputed`, without a replacement,
/// and held below high (`max_tier`) where one of the sources has what is said.
/// `carried` says whether the evidence carries the sentence.
pub fn sources_disagree(
    view: &SentenceView<'_>,
    claims: &[Claim],
    kb: Option<&Snapshot>,
    evidence: &EvidenceSet,
    carried: bool,
    found: &mut [Finding],
) {
    let Some(kb) = kb.filter(|_| !evidence.is_empty()) else {
        return;
    };
    for i in 0..found.len() {
        if !of_base(&found[i]) || found[i].extra.contains_key("denied") {
            continue;
        }
        let against =
            (0..found.len()).find(|j| of_evidence(&found[*j]) && meet(&found[i], &found[*j]));
        if let Some(j) = against {
            let (own, other) = (expected(&found[i]), expected(&found[j]));
            if !agree(&own, &other) {
                let told = found[j].evidence.clone();
                dispute(&mut found[i], &other, told, false);
                let told = found[i].evidence[..1].to_vec();
                dispute(&mut found[j], &own, told, false);
            }
        } else if carried && let Some(told) = says(kb, evidence, &found[i]) {
            let said = found[i].text.clone();
            dispute(&mut found[i], &said, vec![told], true);
        }
    }
    for finding in found.iter_mut() {
        if !of_evidence(finding) || finding.extra.contains_key("disputed") {
            continue;
        }
        let Some(span) = finding.span else { continue };
        let fact = claims
            .iter()
            .filter(|claim| claim.object_span.is_some_and(|own| own.overlaps(span)))
            .find_map(|claim| base_has(view, claim, kb));
        if let Some((name, fact)) = fact {
            let said = finding.text.clone();
            let told = Evidence {
                kind: EvidenceKind::KbFact,
                source: fact.source.clone(),
                locator: None,
                text: format!("{name}: {} = {}", fact.predicate, fact.value),
                quality: fact.confidence,
                data: json!({"predicate": fact.predicate, "contradicts": false}),
            };
            dispute(finding, &said, vec![told], true);
        }
    }
}

fn of_base(finding: &Finding) -> bool {
    matches!(
        finding.kind.as_str(),
        "dialogue.wrong_attribute" | "dialogue.contradicts_fact"
    )
}

fn of_evidence(finding: &Finding) -> bool {
    matches!(
        finding.kind.as_str(),
        "stream.quantity_conflict" | "stream.contradicts_evidence"
    )
}

fn meet(one: &Finding, other: &Finding) -> bool {
    matches!((one.span, other.span), (Some(a), Some(b)) if a.overlaps(b))
}

fn expected(finding: &Finding) -> String {
    finding.expected.as_str().unwrap_or("").to_owned()
}

/// Whether two sources have the same value, or one the words of the other.
fn agree(one: &str, other: &str) -> bool {
    let (a, b) = (fold_name(one), fold_name(other));
    if held(&a, &b) || held(&b, &a) {
        return true;
    }
    let others = segment::quantities(other);
    segment::quantities(one).iter().any(|own| {
        let same = |q: &crate::types::Quantity| numbers_agree(own, q.value, q.unit) == Some(true);
        others.iter().any(same)
    })
}

/// Whether `words` stand in `text` as whole words.
fn held(text: &str, words: &str) -> bool {
    let bare = |text: &str| {
        let mut out = String::from(" ");
        let mut words = text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '$' | '€' | '£'));
        for word in words.by_ref().filter(|word| !word.is_empty()) {
            out.push_str(word);
            out.push(' ');
        }
        out
    };
    let words = bare(words);
    words.len() > 1 && bare(text).contains(&words)
}

/// The evidence's sentence that says of the entity what the finding's text says, if one does: it
/// names the entity, or goes on about it from the sentence before.
fn says(kb: &Snapshot, evidence: &EvidenceSet, finding: &Finding) -> Option<Evidence> {
    let id = finding.extra.get("entity")?.as_u64()?;
    let id = u32::try_from(id).ok()?;
    let names: Vec<String> = kb.names_of(id).into_iter().map(fold_name).collect();
    let said = fold_name(&finding.text);
    let tells = |passage: &Passage| {
        let text = passage.text();
        let at = |span: &Span| fold_name(text.get(span.start..span.end).unwrap_or(""));
        let mut about = false;
        for span in passage.data().sentences() {
            let sentence = at(span);
            let named = names.iter().any(|name| held(&sentence, name));
            let goes_on = sentence
                .split(' ')
                .next()
                .is_some_and(|word| matches!(word, "it" | "he" | "she" | "they" | "its"));
            if (named || about && goes_on) && held(&sentence, &said) {
                return Some(*span);
            }
            about = named || about && goes_on;
        }
        None
    };
    evidence.passages().iter().find_map(|passage| {
        let span = tells(passage)?;
        Some(passage.cited(span, span))
    })
}

fn dispute(finding: &mut Finding, other: &str, told: Vec<Evidence>, backed: bool) {
    let own = expected(finding);
    finding.replacement = None;
    finding.expected = json!(format!("{own} or {other}"));
    finding.evidence.extend(told);
    finding.extra.insert("disputed".into(), json!(true));
    finding.extra.insert("no_substitute".into(), json!(true));
    if backed {
        finding
            .extra
            .insert(MAX_TIER.into(), json!(Tier::Medium.as_str()));
    }
}
