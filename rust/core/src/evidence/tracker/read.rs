//! The features, read off a tracker.

use crate::lexicon::grounding::Phrase;

use super::super::features::{Features, feature as f};
use super::super::set::EvidenceSet;
use super::sums::share;
use super::{Against, Tracker};

impl Tracker {
    /// The features of the open sentence so far.
    #[must_use]
    pub fn features(&self, against: &Against<'_>) -> Features {
        let mut out = Features::default();
        let x = &mut out.0;
        let open = self.open();
        let sums = &open.sums;
        let few = |n: u32| f64::from(n.min(3));
        let flag = f64::from;
        x[f::words] = f64::from(open.content).ln_1p();
        x[f::novelty] = sums.novelty();
        x[f::soft_novelty] = share(sums.soft, sums.total);
        x[f::novel_mass] = sums.mass;
        x[f::soft_mass] = sums.soft_mass;
        x[f::pairs] = if open.pairs > 0 {
            f64::from(open.pairs_met) / f64::from(open.pairs)
        } else {
            1.0 - sums.novelty()
        };
        x[f::pairs_missing] = f64::from(open.pairs - open.pairs_met).ln_1p();
        let covered = |held: f64, whole: f64| {
            if whole > 0.0 { share(held, whole) } else { 1.0 }
        };
        let coverage = covered(sums.coverage.best(), sums.total);
        x[f::coverage] = coverage;
        x[f::window] = covered(sums.coverage.window(), sums.total);
        x[f::margin] = share(sums.coverage.margin(), sums.total);
        let worst = open.worst.and(&open.clause);
        x[f::clause_novelty] = worst.novelty;
        x[f::clause_mass] = worst.mass;
        x[f::clause_coverage] = worst.coverage;
        x[f::novel_numbers] = few(open.numbers);
        x[f::novel_names] = few(open.names);
        let (numbers, names) = self.moved(against.evidence);
        x[f::moved_numbers] = few(numbers);
        x[f::moved_names] = few(names);
        if self.lines.list {
            x[f::list] = 1.0;
            x[f::item] = self.lines.item.ln_1p();
        }
        for (at, class) in [
            (f::source, Phrase::SOURCE),
            (f::absent, Phrase::ABSENT),
            (f::closing, Phrase::CLOSING),
            (f::summary, Phrase::SUMMARY),
            (f::advice, Phrase::ADVICE),
            (f::example, Phrase::EXAMPLE),
            (f::intro, Phrase::INTRO),
            (f::hedge, Phrase::HEDGE),
        ] {
            x[at] = flag(open.phrases.is(class));
        }
        x[f::negated] = flag(open.negated);
        x[f::example_mass] = open.example_mass;
        x[f::position] = f64::from(self.sentences).ln_1p();
        let words: usize = against
            .evidence
            .passages()
            .iter()
            .map(|p| p.data().len())
            .sum();
        x[f::evidence_words] = (words as f64).ln_1p();
        x[f::question] = share(f64::from(open.asked), f64::from(open.content));
        x[f::copied] = share(f64::from(open.copied), f64::from(open.neighbours));
        x[f::copied_run] = f64::from(open.longest_run).ln_1p();
        x[f::before] = self.before;
        x[f::answer] = share(self.novel, self.total);
        let best = sums
            .coverage
            .place()
            .and_then(|(p, s)| Some((against.evidence.passages().get(p as usize)?, s)));
        if let Some((passage, sentence)) = best
            && passage.data().is_negated(sentence) != open.negated
        {
            x[f::negation] = coverage;
        }
        x[f::recent] = open.recent;
        x[f::colon] = flag(open.colon);
        x[f::reader] = flag(open.reader);
        x[f::imperative] = flag(open.imperative);
        let clause = &open.clause;
        x[f::open_novelty] = clause.novelty();
        x[f::open_coverage] = covered(clause.coverage.best(), clause.total);
        x[f::scattered] = (1.0 - x[f::novelty] - x[f::window]).clamp(0.0, 1.0);
        out
    }

    /// Numbers and names of the evidence that stand elsewhere than around the best sentence.
    fn moved(&self, evidence: &EvidenceSet) -> (u32, u32) {
        let Some((passage, sentence)) = self.open().sums.coverage.place() else {
            return (0, 0);
        };
        let Some(passage) = evidence.passages().get(passage as usize) else {
            return (0, 0);
        };
        let near = sentence.saturating_sub(1)..=sentence + 1;
        let (mut numbers, mut names) = (0, 0);
        for (stem, number) in &self.open().movable {
            let held = passage.data().sentences_with(*stem);
            if !held.iter().any(|own| near.contains(own)) {
                if *number {
                    numbers += 1;
                } else {
                    names += 1;
                }
            }
        }
        (numbers, names)
    }
}
