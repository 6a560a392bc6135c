//! From features to the probability that a sentence is not supported.

use std::sync::OnceLock;

use crate::error::{Error, Result};

use super::features::{Features, NAMES};

/// One feature's part of the score: straight lines between points.
#[derive(Debug, Clone, PartialEq)]
struct Term {
    feature: usize,
    points: Vec<(f64, f64)>,
}

impl Term {
    fn at(&self, x: f64) -> f64 {
        let mut last: Option<(f64, f64)> = None;
        for &(knot, value) in &self.points {
            if x <= knot {
                return match last {
                    Some((from, base)) if knot > from => {
                        base + (value - base) * (x - from) / (knot - from)
                    }
                    _ => value,
                };
            }
            last = Some((knot, value));
        }
        last.map_or(0.0, |(_, value)| value)
    }
}

/// A sum of one broken line a feature, monotone by how it was fitted, and a logistic link.
///
/// The weights, how they came about and their licence stand in `data/en/support.tsv` and
/// `data/en/support.md`.
#[derive(Debug, Clone, PartialEq)]
pub struct Scorer {
    bias: f64,
    slope: f64,
    shift: f64,
    terms: Vec<Term>,
}

impl Scorer {
    /// Reads a weights file: lines of fields parted by tabs, `bias W`, `calibration SLOPE SHIFT`,
    /// `feature NAME KNOT:VALUE…` with ascending knots; `#` opens a remark.
    ///
    /// # Errors
    /// `Format` that names the line.
    pub fn parse(table: &str) -> Result<Self> {
        let mut scorer = Self {
            bias: 0.0,
            slope: 1.0,
            shift: 0.0,
            terms: Vec::new(),
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
        let mut fields = line.split('\t');
        let number = |text: &str| text.parse::<f64>().ok().filter(|v| v.is_finite());
        match fields.next()? {
            "bias" => self.bias = number(fields.next()?)?,
            "calibration" => {
                self.slope = number(fields.next()?)?;
                self.shift = number(fields.next()?)?;
            }
            "feature" => {
                let name = fields.next()?;
                let feature = NAMES.iter().position(|own| *own == name)?;
                let mut points: Vec<(f64, f64)> = Vec::new();
                for field in fields {
                    let (knot, value) = field.split_once(':')?;
                    let knot = number(knot)?;
                    if points.last().is_some_and(|(last, _)| *last >= knot) {
                        return None;
                    }
                    points.push((knot, number(value)?));
                }
                if points.is_empty() || self.terms.iter().any(|t| t.feature == feature) {
                    return None;
                }
                self.terms.push(Term { feature, points });
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
        static SCORER: OnceLock<Scorer> = OnceLock::new();
        SCORER.get_or_init(|| Self::parse(table!("support.tsv")).expect("support.tsv is valid"))
    }

    /// The score in nats: the bias and each feature's part, added in the order of the file.
    #[must_use]
    pub fn score(&self, features: &Features) -> f64 {
        self.terms.iter().fold(self.bias, |sum, term| {
            sum + term.at(features.0[term.feature])
        })
    }

    /// Probability that the sentence is not supported, 0..=1.
    #[must_use]
    pub fn p_unsupported(&self, features: &Features) -> f64 {
        1.0 / (1.0 + (-(self.slope * self.score(features) + self.shift)).exp())
    }

    /// The score and its parts other than 0 with the numbers of their features, the strongest first.
    pub(crate) fn parts(&self, features: &Features) -> (f64, Vec<(usize, f64)>) {
        let mut score = self.bias;
        let mut parts = Vec::with_capacity(self.terms.len());
        for term in &self.terms {
            let part = term.at(features.0[term.feature]);
            score += part;
            if part != 0.0 {
                parts.push((term.feature, part));
            }
        }
        parts.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        (score, parts)
    }
}
