//! What the evidence does not carry: a stretch at its last word, a sentence when it closes.

use serde_json::{Map, Value};

use crate::claims::SentenceView;
use crate::evidence::{Against, Features, NAMES, Scorer, Tracker, feature};
use crate::types::{Claim, Finding, Message, Modality, SentenceKind, Span};

use super::draft::{Absence, draft, nearest};
use super::supposed::supposes;

/// Probability of being supported below which a sentence is reported.
pub const SUPPORT_THRESHOLD: f64 = 0.6;
/// The same for a stretch of an open sentence.
pub const WORD_SUPPORT_THRESHOLD: f64 = 0.6;
/// Sentences of fewer content words say too little to be judged.
pub const FEW_WORDS: u32 = 4;
/// Stretches are judged from this many content words of their sentence on.
pub const FIRST_WORDS: u32 = 3;
/// How bad it is where a source lacks an instruction.
const ADVICE: f64 = 0.25;
/// Parts of the score that a finding names.
const NAMED: usize = 6;

/// How far the evidence supports the open sentence, as the scorer sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grounding {
    /// What the scorer looked at.
    pub features: Features,
    /// Probability that the evidence does not support it, 0..=1.
    pub p_unsupported: f64,
    /// Content words looked at.
    pub words: u32,
}

impl Grounding {
    /// The open sentence of `tracker`.
    #[must_use]
    pub fn of(tracker: &Tracker, against: &Against<'_>) -> Self {
        let features = tracker.features(against);
        Self {
            features,
            p_unsupported: Scorer::english().p_unsupported(&features),
            words: tracker.words(),
        }
    }

    /// Probability that the evidence supports it, 0..=1.
    #[must_use]
    pub fn support(&self) -> f64 {
        1.0 - self.p_unsupported
    }

    /// Share of the weight of the sentence's words that is nowhere in the evidence, 0..=1. A sentence
    /// of common words alone ("that it works") may score well beside evidence of anything.
    #[must_use]
    pub fn novelty(&self) -> f64 {
        self.features.0[feature::novelty]
    }

    /// What the score is made of: the strongest parts in nats and the features behind them.
    fn detected(&self) -> Value {
        let (score, parts) = Scorer::english().parts(&self.features);
        let mut features = Map::new();
        let mut because = Map::new();
        for (feature, part) in parts.iter().take(NAMED) {
            let name = NAMES[*feature];
            because.insert(name.to_owned(), (*part).into());
            features.insert(name.to_owned(), self.features.0[*feature].into());
        }
        let mut all = Map::new();
        all.insert("support".to_owned(), self.support().into());
        all.insert("score".to_owned(), score.into());
        all.insert("parts".to_owned(), because.into());
        all.insert("features".to_owned(), features.into());
        all.into()
    }
}

fn finding(
    kind: &str,
    grounding: &Grounding,
    span: Span,
    text: &str,
    decided_at: usize,
) -> Finding {
    let mut finding = draft(kind, "support", Some(span), text, decided_at);
    finding.p_hallucinated = grounding.p_unsupported;
    Absence {
        closed: false,
        evidence: true,
    }
    .note(&mut finding);
    finding.detected = grounding.detected();
    finding
}

/// `stream.unsupported_span`: a stretch of an open sentence, where the sentence up to there is
/// supported with a probability below `threshold`.
#[must_use]
pub fn unsupported_span(
    grounding: &Grounding,
    span: Span,
    text: &str,
    decided_at: usize,
    threshold: f64,
) -> Option<Finding> {
    if grounding.words < FIRST_WORDS || grounding.support() >= threshold {
        return None;
    }
    Some(finding(
        "stream.unsupported_span",
        grounding,
        span,
        text,
        decided_at,
    ))
}

/// `stream.unsupported_sentence`: a statement or an instruction supported with a probability
/// below `threshold`. Its evidence is the sentence nearest to it.
#[must_use]
pub fn unsupported_sentence(
    view: &SentenceView<'_>,
    claim: &Claim,
    grounding: &Grounding,
    tracker: &Tracker,
    against: &Against<'_>,
    threshold: f64,
) -> Option<Finding> {
    let judged = matches!(
        view.sentence.kind,
        SentenceKind::Prose | SentenceKind::ListItem | SentenceKind::TableRow
    ) && matches!(
        claim.modality,
        Modality::Asserted | Modality::Hedged | Modality::Instruction
    );
    let weak = grounding.words >= FEW_WORDS && grounding.support() < threshold;
    if !judged || !weak || supposes(view) {
        return None;
    }
    let mut finding = finding(
        "stream.unsupported_sentence",
        grounding,
        view.sentence.span,
        view.text,
        view.sentence.decided_at,
    );
    finding.claim_id = Some(claim.id.clone());
    if claim.modality == Modality::Instruction {
        // Advice that no source gives is noted, but it claims nothing that could be hedged.
        finding.extra.insert("base_severity".into(), ADVICE.into());
    }
    let percent = format!("{:.0}", grounding.support() * 100.0);
    finding.message = Message::new("The evidence supports this with a probability of {percent} %")
        .plain("percent", percent);
    finding.evidence.extend(nearest(tracker, against));
    Some(finding)
}
