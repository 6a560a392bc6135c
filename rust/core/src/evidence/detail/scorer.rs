//! From the words' features to the probability that a detail was changed.

use std::sync::OnceLock;

use crate::error::{Error, Result};
use crate::types::Span;

use super::super::sequence::Class;
use super::{DETAIL_COUNT, DETAIL_NAMES, Detail};

/// Judges the words of a sentence one by one: a word's score is linear in its features, its hazard
/// `exp(score)` the expected number of wrong details it brings, and a sentence has one with
/// probability `1 - exp(-sum of hazards)`.
///
/// The weights, how they came about and their licence stand in `data/en/details.tsv` and
/// `data/en/details.md`.
#[derive(Debug, Clone, PartialEq)]
pub struct DetailScorer {
    shift: f64,
    weights: [[f64; DETAIL_COUNT]; Class::JUDGED.len()],
}

/// What the scorer makes of a sentence.
#[derive(Debug, Clone, PartialEq)]
pub struct Doubt {
    /// Probability that a detail of the sentence is not the evidence's, 0..=1.
    pub p: f64,
    /// The word that brings most of it.
    pub span: Span,
    /// Its share of the sentence's hazard, 0..=1.
    pub share: f64,
    /// What it is: "name", "number", "verb", "word", "pronoun" or "negation".
    pub class: &'static str,
    /// Its score in nats.
    pub score: f64,
    /// What each of its features adds to the score in nats, the strongest first.
    pub parts: Vec<(&'static str, f64)>,
}

impl DetailScorer {
    /// Reads a weights file: lines of fields parted by tabs, `shift W` and `weight CLASS FEATURE W`;
    /// `#` opens a remark.
    ///
    /// # Errors
    /// `Argument` that names the line.
    pub fn parse(table: &str) -> Result<Self> {
        let mut scorer = Self {
            shift: 0.0,
            weights: [[0.0; DETAIL_COUNT]; Class::JUDGED.len()],
        };
        for (at, line) in (1..).zip(table.lines()) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            scorer
                .line(line)
                .ok_or_else(|| Error::argument(format!("line {at} of the weights: {line:?}")))?;
        }
        Ok(scorer)
    }

    fn line(&mut self, line: &str) -> Option<()> {
        let fields: Vec<&str> = line.split('\t').collect();
        let number = |text: &str| text.parse::<f64>().ok().filter(|v| v.is_finite());
        match fields[..] {
            ["shift", value] => self.shift = number(value)?,
            ["weight", class, feature, value] => {
                let class = Class::JUDGED.iter().position(|(_, name)| *name == class)?;
                let feature = DETAIL_NAMES.iter().position(|name| *name == feature)?;
                self.weights[class][feature] = number(value)?;
            }
            _ => return None,
        }
        Some(())
    }

    /// The shipped weights for English.
    ///
    /// # Panics
    /// Never: the data file is compiled in and a test reads it.
    #[must_use]
    pub fn english() -> &'static Self {
        static SCORER: OnceLock<DetailScorer> = OnceLock::new();
        SCORER.get_or_init(|| Self::parse(table!("details.tsv")).expect("details.tsv is valid"))
    }

    fn row(&self, class: Class) -> Option<(&'static str, &[f64; DETAIL_COUNT])> {
        let at = Class::JUDGED.iter().position(|(own, _)| *own == class)?;
        Some((Class::JUDGED[at].1, &self.weights[at]))
    }

    /// Score of a word in nats; `None` for a class that is not judged.
    #[must_use]
    pub fn score(&self, detail: &Detail) -> Option<f64> {
        let (_, weights) = self.row(detail.class)?;
        let parts = weights.iter().zip(&detail.values);
        Some(parts.fold(self.shift, |sum, (w, x)| sum + w * x))
    }

    /// Probability that one of the words is wrong; `None` where none is judged.
    #[must_use]
    pub fn p<'a>(&self, details: impl IntoIterator<Item = &'a Detail>) -> Option<f64> {
        let mut scores = details
            .into_iter()
            .filter_map(|detail| self.score(detail))
            .peekable();
        scores.peek()?;
        Some(probability(
            scores.fold(0.0, |sum, score| sum + score.exp()),
        ))
    }

    /// What the words together come to; `None` where none is judged.
    #[must_use]
    pub fn doubt<'a>(&self, details: impl IntoIterator<Item = &'a Detail>) -> Option<Doubt> {
        let mut hazard = 0.0;
        let mut worst: Option<(f64, &Detail)> = None;
        for detail in details {
            let Some(score) = self.score(detail) else {
                continue;
            };
            hazard += score.exp();
            if worst.is_none_or(|(own, _)| score > own) {
                worst = Some((score, detail));
            }
        }
        let (score, detail) = worst?;
        let (class, weights) = self.row(detail.class)?;
        let mut parts: Vec<_> = DETAIL_NAMES
            .iter()
            .zip(weights.iter().zip(&detail.values))
            .map(|(name, (w, x))| (*name, w * x))
            .filter(|(name, part)| *part != 0.0 && *name != "base")
            .collect();
        parts.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        Some(Doubt {
            p: probability(hazard),
            span: detail.span,
            share: score.exp() / hazard,
            class,
            score,
            parts,
        })
    }
}

fn probability(hazard: f64) -> f64 {
    -(-hazard).exp_m1()
}
