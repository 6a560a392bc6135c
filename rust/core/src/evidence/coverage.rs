//! Which sentences of the evidence hold the words so far, kept up word by word.

use rustc_hash::FxHashMap;

/// A word in more sentences than this says nothing about which of them it comes from.
pub(super) const FREQUENT: usize = 64;

/// A sentence of the evidence: its passage and its number there.
pub(super) type Place = (u32, u32);

/// Weight of the words each sentence holds, and the best of them.
#[derive(Debug, Clone, Default)]
pub(super) struct Coverage {
    held: FxHashMap<Place, (f64, f64)>,
    everywhere: f64,
    best: f64,
    second: f64,
    window: f64,
    place: Option<Place>,
}

impl Coverage {
    pub(super) fn clear(&mut self) {
        self.held.clear();
        self.everywhere = 0.0;
        self.best = 0.0;
        self.second = 0.0;
        self.window = 0.0;
        self.place = None;
    }

    /// Adds a word that stands in `count` sentences; `held` are those of each passage.
    pub(super) fn add(&mut self, held: &[&[u32]], count: usize, weight: f64) {
        if count > FREQUENT {
            self.everywhere += weight;
            return;
        }
        for (passage, sentences) in (0_u32..).zip(held) {
            let mut last = None;
            for &sentence in *sentences {
                // In the window that starts here, and in the one before.
                if let Some(before) = sentence.checked_sub(1).filter(|b| last != Some(*b)) {
                    let wide = &mut self.held.entry((passage, before)).or_default().1;
                    *wide += weight;
                    self.window = self.window.max(*wide);
                }
                self.own((passage, sentence), weight);
                last = Some(sentence);
            }
        }
    }

    fn own(&mut self, place: Place, weight: f64) {
        let (held, wide) = self.held.entry(place).or_default();
        *held += weight;
        *wide += weight;
        self.window = self.window.max(*wide);
        if self.place == Some(place) {
            self.best = *held;
        } else if *held > self.best {
            self.second = self.best;
            self.best = *held;
            self.place = Some(place);
        } else if *held > self.second {
            self.second = *held;
        }
    }

    /// Weight in the best sentence.
    pub(super) fn best(&self) -> f64 {
        self.best + self.everywhere
    }

    /// Weight by which the best sentence is ahead of the next.
    pub(super) fn margin(&self) -> f64 {
        self.best - self.second
    }

    /// Weight in the best two neighbouring sentences.
    pub(super) fn window(&self) -> f64 {
        self.window + self.everywhere
    }

    /// The best sentence, the first among equals.
    pub(super) fn place(&self) -> Option<Place> {
        self.place
    }

    pub(super) fn memory(&self) -> usize {
        self.held.capacity() * size_of::<(Place, (f64, f64))>()
    }
}
