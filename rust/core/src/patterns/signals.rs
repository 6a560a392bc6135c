//! Wording that changes how sure a sentence sounds (S0-026, S0-072).

use std::sync::OnceLock;

use serde::Deserialize;

use super::spec::{RuleSpec, SignalSpec};
use super::{RuleMatch, Ruleset};
use crate::types::{LinguisticKind, LinguisticSignal};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lexicon {
    signals: Vec<Entry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    kind: LinguisticKind,
    strength: f64,
    phrases: Vec<String>,
    /// Upper and lower case differ ("may", but not the month).
    #[serde(default)]
    exact: bool,
}

/// The shipped lexicon as rules of whole words.
pub(crate) fn signal_rules() -> Vec<RuleSpec> {
    let lexicon: Lexicon = toml::from_str(table!("signals.toml")).expect("shipped lexicon");
    lexicon
        .signals
        .into_iter()
        .enumerate()
        .map(|(i, entry)| {
            let name = match entry.kind {
                LinguisticKind::Hedging => "hedging",
                LinguisticKind::Overconfidence => "overconfidence",
                LinguisticKind::Vagueness => "vagueness",
                LinguisticKind::SelfCorrection => "self_correction",
                LinguisticKind::Certainty => "certainty",
            };
            RuleSpec {
                literals: entry.phrases,
                kind: format!("signal.{name}"),
                confidence: entry.strength,
                ignore_case: !entry.exact,
                word: true,
                max_len: Some(96),
                signal: Some(SignalSpec {
                    kind: entry.kind,
                    strength: entry.strength,
                }),
                ..RuleSpec::of_literals(format!("signal.{name}.{}", i + 1), &[])
            }
        })
        .collect()
}

impl Ruleset {
    /// The wording signals among `matches` (any order), in order of their start. A signal
    /// inside a longer one is part of it ("certain" in "not certain"); of equal spans the
    /// strongest stays.
    #[must_use]
    pub fn signals(&self, matches: &[RuleMatch]) -> Vec<LinguisticSignal> {
        let mut signals: Vec<LinguisticSignal> = matches
            .iter()
            .filter_map(|found| {
                let signal = self.rule(found.rule).signal?;
                Some(LinguisticSignal {
                    kind: signal.kind,
                    strength: signal.strength,
                    span: found.span,
                })
            })
            .collect();
        signals.sort_by(|a, b| {
            (a.span.start, b.span.end)
                .cmp(&(b.span.start, a.span.end))
                .then(b.strength.total_cmp(&a.strength))
        });
        let mut end = 0;
        signals.retain(|signal| {
            let kept = signal.span.end > end;
            end = end.max(signal.span.end);
            kept
        });
        signals
    }
}

/// The wording signals of a text, in order of their start (S0-072).
#[must_use]
pub fn linguistic_signals(text: &str) -> Vec<LinguisticSignal> {
    static RULES: OnceLock<Ruleset> = OnceLock::new();
    let rules =
        RULES.get_or_init(|| Ruleset::new(signal_rules()).expect("shipped lexicon compiles"));
    rules.signals(&rules.scan(text))
}
