//! Sums over the words of a sentence or a clause.

use super::super::coverage::Coverage;

/// Sums over the words of the open sentence or clause.
#[derive(Debug, Clone, Default)]
pub(super) struct Sums {
    pub(super) words: u32,
    pub(super) total: f64,
    pub(super) novel: f64,
    pub(super) soft: f64,
    /// As `novel` and `soft`, with rare words weighing more than common ones.
    pub(super) mass: f64,
    pub(super) soft_mass: f64,
    pub(super) coverage: Coverage,
}

impl Sums {
    pub(super) fn clear(&mut self) {
        self.words = 0;
        self.total = 0.0;
        self.novel = 0.0;
        self.soft = 0.0;
        self.mass = 0.0;
        self.soft_mass = 0.0;
        self.coverage.clear();
    }

    pub(super) fn novelty(&self) -> f64 {
        share(self.novel, self.total)
    }
}

pub(super) fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 {
        (part / whole).clamp(0.0, 1.0)
    } else {
        0.0
    }
}

/// The worst clause that has closed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Worst {
    pub(super) novelty: f64,
    pub(super) mass: f64,
    pub(super) coverage: f64,
}

pub(super) const FINE: Worst = Worst {
    novelty: 0.0,
    mass: 0.0,
    coverage: 1.0,
};

impl Worst {
    pub(super) fn and(self, clause: &Sums) -> Self {
        let whole = clause.words >= 2;
        Self {
            novelty: if whole {
                self.novelty.max(clause.novelty())
            } else {
                self.novelty
            },
            mass: self.mass.max(clause.mass),
            coverage: if whole {
                self.coverage
                    .min(share(clause.coverage.best(), clause.total))
            } else {
                self.coverage
            },
        }
    }
}
