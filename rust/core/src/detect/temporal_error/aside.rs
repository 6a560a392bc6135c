//! Dates that say nothing of when the verb beside them happened.

use crate::claims::Temporal;
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::{frames, stance};
use crate::types::LexKind;

use super::Judge;

impl Judge<'_> {
    /// "The concert next Saturday has been cancelled": told of the arrangement, which is past.
    pub(super) fn arranged(&self, clause: usize, temporal: &Temporal) -> bool {
        let clause = &self.times.clauses[clause];
        let date = self.times.view.lexemes_in(temporal.span);
        let subject = clause.subject.contains(&date.start);
        let beside = date.end == clause.group.start && date.start > clause.range.start + 1;
        if !subject && !beside {
            return false;
        }
        let passive = clause.copula || clause.group.len() > 1;
        let words = clause.group.start..(clause.group.end + 1).min(self.times.folded.len());
        passive
            && words
                .rev()
                .take(3)
                .any(|i| frames().has("arranged", self.word(i)))
    }

    /// Whether another clause stands between the verb and the date: "in 2030 the mayor, who was elected
    /// in 2022, will retire", "Harrow play next Sunday; they have not won since".
    pub(super) fn of_another_event(&self, clause: usize, temporal: &Temporal) -> bool {
        let view = self.times.view;
        let (group, date) = (
            &self.times.clauses[clause].group,
            view.lexemes_in(temporal.span),
        );
        let mark = |i: usize, marks: &[&str]| marks.contains(&view.word(i));
        let opens = |i: usize| frames().has("aside_opener", self.word(i));
        if date.end <= group.start {
            (date.end..group.start).any(|i| opens(i) || mark(i, &[";", ":", "–", "—"]))
        } else {
            let aside = (0..group.start).rev().find(|i| opens(*i));
            let behind = aside.is_some_and(|i| i > 0 && mark(i - 1, &[","]))
                && (group.end..date.start).any(|i| mark(i, &[","]));
            behind || (group.end..date.start).any(|i| mark(i, &[";"]))
        }
    }

    /// "set in 2145", "In the Year 2525" beside a song.
    pub(super) fn imagined(&self, temporal: &Temporal) -> bool {
        let at = self.times.view.lexemes_in(temporal.span).start;
        let mut words = 0..self.times.view.lexemes.len();
        // "a film about a war in 2087", not "a film of about 40 minutes in 2087"
        let number = |i: usize| self.times.view.kind(i) == Some(LexKind::Number);
        let topic = |i: usize| self.word(i) == "about" && !number(i + 1);
        let named = at > 0 && self.word(at - 1) == "year";
        let about = (0..at.saturating_sub(1)).any(topic);
        let tale = (named || about) && words.any(|i| stance().has("tale", self.word(i)));
        if tale {
            return true;
        }
        (at.saturating_sub(2)..at)
            .any(|i| self.word(i) == "set" && !self.times.folded.cue(i + 1).is(Cue::DETERMINER))
    }
}
