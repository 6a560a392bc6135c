//! Published scores that are made of a handful of probabilities.
//!
//! Natural logarithms. Sources: DeepConf (arXiv 2508.15260), uqlm's white-box scorers,
//! lm-polygraph's estimators, BoostedProb (EMNLP 2025, main 166), FLARE (EMNLP 2023), semantic
//! entropy (Nature 2024).

use crate::error::{Error, Result};

fn nonempty(values: &[f64]) -> Result<()> {
    if values.is_empty() {
        return Err(Error::argument(
            "the list is empty; give at least one value",
        ));
    }
    Ok(())
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// DeepConf token confidence: −mean of the top logprobs; high is sure.
///
/// # Errors
/// `Argument` if there is none.
pub fn confidence(top_logprobs: &[f64]) -> Result<f64> {
    nonempty(top_logprobs)?;
    Ok(-mean(top_logprobs))
}

/// The value below which `percent` of the sorted values lie, interpolated between neighbours.
/// DeepConf's stopping bar is the 10th percentile of the warm-up traces' least group confidence.
///
/// # Errors
/// `Argument` if there is no value, one is NaN, or `percent` is not in [0, 100].
pub fn percentile(values: &[f64], percent: f64) -> Result<f64> {
    nonempty(values)?;
    if !(0.0..=100.0).contains(&percent) || values.iter().any(|v| v.is_nan()) {
        return Err(Error::argument("percent is 0 to 100 and no value is NaN"));
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = percent / 100.0 * (sorted.len() - 1) as f64;
    let low = at.floor() as usize;
    let high = (low + 1).min(sorted.len() - 1);
    Ok(sorted[low] + (sorted[high] - sorted[low]) * (at - at.floor()))
}

/// −Σ exp(lp) lp of the listed logprobs as they are, without what is not listed.
#[must_use]
pub fn listed_entropy(logprobs: &[f64]) -> f64 {
    logprobs
        .iter()
        .filter(|lp| lp.is_finite())
        .map(|lp| -lp.exp() * lp)
        .sum()
}

/// Entropy of the listed tokens' probabilities, scaled to sum to 1.
#[must_use]
pub fn renormalised_entropy(logprobs: &[f64]) -> f64 {
    let total: f64 = logprobs.iter().map(|lp| lp.exp()).sum();
    if total > 0.0 {
        listed_entropy(logprobs) / total + total.ln()
    } else {
        0.0
    }
}

/// 1 − H / ln K of the renormalised top K: 1 is sure, 0 is uniform; 1 for a single token.
///
/// # Errors
/// `Argument` if there is none.
pub fn negentropy(logprobs: &[f64]) -> Result<f64> {
    nonempty(logprobs)?;
    let most = (logprobs.len() as f64).ln();
    Ok(if most > 0.0 {
        1.0 - renormalised_entropy(logprobs) / most
    } else {
        1.0
    })
}

/// Difference of the two highest probabilities, of the logprobs most likely first.
///
/// # Errors
/// `Argument` if there is none.
pub fn margin(logprobs: &[f64]) -> Result<f64> {
    nonempty(logprobs)?;
    Ok(logprobs[0].exp() - logprobs.get(1).map_or(0.0, |lp| lp.exp()))
}

/// Geometric mean of the tokens' probabilities.
///
/// # Errors
/// `Argument` if there is none.
pub fn sequence_probability(logprobs: &[f64]) -> Result<f64> {
    nonempty(logprobs)?;
    Ok(mean(logprobs).exp())
}

/// The least of the tokens' probabilities.
///
/// # Errors
/// `Argument` if there is none.
pub fn least_probability(logprobs: &[f64]) -> Result<f64> {
    nonempty(logprobs)?;
    Ok(logprobs.iter().copied().fold(f64::INFINITY, f64::min).exp())
}

/// Entropy and varentropy of a distribution given as probabilities.
#[must_use]
pub fn entropy_varentropy(p: &[f64]) -> (f64, f64) {
    let seen = || p.iter().copied().filter(|&p| p > 0.0);
    let entropy: f64 = seen().map(|p| -p * p.ln()).sum();
    (
        entropy,
        seen().map(|p| p * (p.ln() + entropy).powi(2)).sum(),
    )
}

/// BoostedProb: a token of the dominant group scores the group's whole probability, any other
/// its own. The group ends at the last fall by at least `jump` of a probability that is itself
/// at least `least` (published values 0.3 and 0.005).
///
/// # Errors
/// `Argument` if `token` is beyond the list.
pub fn boosted_probability(p: &[f64], token: usize, jump: f64, least: f64) -> Result<f64> {
    let Some(&own) = p.get(token) else {
        return Err(Error::argument(format!(
            "token {token} is beyond the {} given",
            p.len()
        )));
    };
    let mut sorted = p.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let falls = |w: &[f64]| w[0] >= least && w[0] - w[1] >= jump * w[0];
    let Some(end) = sorted.windows(2).rposition(falls) else {
        return Ok(own);
    };
    let dominant = own >= sorted[end];
    Ok(if dominant {
        sorted[..=end].iter().sum()
    } else {
        own
    })
}

/// FLARE: whether to retrieve (a token at or below `trigger`, published 0.8), and which tokens to
/// leave out of the query (at or below `mask`, published 0.4).
#[must_use]
pub fn flare(p: &[f64], trigger: f64, mask: f64) -> (bool, Vec<bool>) {
    (
        p.iter().any(|&p| p <= trigger),
        p.iter().map(|&p| p <= mask).collect(),
    )
}

/// Discrete semantic entropy: answers that mean the same share an id in `classes`; their shares
/// are counted, or weighted by each answer's mean logprob where `weights` are given.
///
/// # Errors
/// `Argument` if there is no answer or the lists differ in length.
pub fn semantic_entropy(classes: &[u32], weights: Option<&[f64]>) -> Result<f64> {
    if classes.is_empty() || weights.is_some_and(|w| w.len() != classes.len()) {
        return Err(Error::argument(
            "give at least one answer, and a weight for each or none",
        ));
    }
    let top = weights.map_or(0.0, |w| w.iter().copied().fold(f64::NEG_INFINITY, f64::max));
    let mut mass = std::collections::BTreeMap::<u32, f64>::new();
    for (i, class) in classes.iter().enumerate() {
        *mass.entry(*class).or_default() += weights.map_or(1.0, |w| (w[i] - top).exp());
    }
    let total: f64 = mass.values().sum();
    Ok(mass
        .values()
        .filter(|m| **m > 0.0)
        .map(|m| -(m / total) * (m / total).ln())
        .sum())
}
