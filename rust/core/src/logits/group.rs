//! Confidence over a window of tokens.

use crate::error::{Error, Result};

/// Values are kept as multiples of 2⁻²⁰, so that their sum never drifts.
const SCALE: f64 = (1_u32 << 20) as f64;
/// Window of the published method.
const WINDOW: usize = 2048;
/// Longest window.
const WINDOW_MAX: usize = 1 << 20;

/// DeepConf's group confidence (arXiv 2508.15260): the mean of the last tokens' confidence
/// (−mean ln p of the 20 most likely), given only once the window is full. O(1) a token, the
/// same after any number of tokens; 4 bytes for each token of the window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupConfidence {
    window: usize,
    next: usize,
    sum: u64,
    values: Vec<u32>,
}

impl Default for GroupConfidence {
    fn default() -> Self {
        Self {
            window: WINDOW,
            next: 0,
            sum: 0,
            values: Vec::new(),
        }
    }
}

impl GroupConfidence {
    /// A window of so many tokens.
    ///
    /// # Errors
    /// `Argument` if `window` is 0 or above 2²⁰.
    pub fn new(window: usize) -> Result<Self> {
        if window == 0 || window > WINDOW_MAX {
            let text = format!("a confidence window has 1 to {WINDOW_MAX} tokens, not {window}");
            return Err(Error::argument(text));
        }
        Ok(Self {
            window,
            ..Self::default()
        })
    }

    /// Takes in one token's confidence (0 to 4,095 nats; beyond is cut off, NaN is passed over)
    /// and gives the mean if the window is full.
    pub fn push(&mut self, confidence: f64) -> Option<f64> {
        if confidence.is_nan() {
            return self.mean();
        }
        // The cast saturates at both ends.
        let value = (confidence * SCALE).round() as u32;
        self.sum += u64::from(value);
        if self.values.len() < self.window {
            self.values.push(value);
        } else {
            let old = std::mem::replace(&mut self.values[self.next], value);
            self.sum -= u64::from(old);
            self.next = (self.next + 1) % self.window;
        }
        self.mean()
    }

    /// Mean of the window, once it is full.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        let full = self.values.len() == self.window;
        full.then(|| self.sum as f64 / SCALE / self.window as f64)
    }

    /// Bytes on the heap.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        self.values.capacity() * size_of::<u32>()
    }

    /// Tokens a full window has.
    #[must_use]
    pub fn window(&self) -> usize {
        self.window
    }
}
