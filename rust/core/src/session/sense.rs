//! What a sentence says by itself and beside the earlier ones: times and logic.

use std::sync::Arc;

use super::Session;
use crate::claims::{Discourse, SentenceView, clauses, propositions, temporals};
use crate::detect::{
    self, Propositions, Specifics, TimeView, Timeline, Told, logical_inconsistencies, subject_keys,
    temporal_errors,
};
use crate::dialogue::{Spoken, admits};
use crate::types::{Claim, Finding};

/// What was said so far, as far as later sentences may contradict it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Narrative {
    discourse: Discourse,
    timeline: Timeline,
    propositions: Propositions,
    pub(super) told: Told,
    pub(super) specifics: Specifics,
    /// What the last sentence was about, for the pronouns of the next.
    pub(super) spoken: Option<Spoken>,
}

impl Narrative {
    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        size_of::<Self>()
            + self.discourse.heap_bytes()
            + self.timeline.heap_bytes()
            + self.propositions.heap_bytes()
            + self.told.heap_bytes()
            + self.specifics.heap_bytes()
    }
}

impl Session {
    /// Where the sentence says that what was said before is wrong, what follows replaces that.
    pub(super) fn take_back(&mut self, view: &SentenceView<'_>) {
        if admits(view) {
            self.state.admitted = true;
            Arc::make_mut(&mut self.state.narrative).propositions = Propositions::default();
        }
    }

    /// Forgets the statements that came since `before`.
    pub(super) fn unsay(&mut self, before: &Narrative) {
        Arc::make_mut(&mut self.state.narrative).propositions = before.propositions.clone();
    }

    /// Temporal errors and inconsistencies of a closed sentence, which then counts as said.
    pub(super) fn judge_sense(
        &mut self,
        view: &SentenceView<'_>,
        claims: &[Claim],
    ) -> Vec<Finding> {
        let Some(first) = claims.first() else {
            return Vec::new();
        };
        let folded = view.folded();
        let clauses = clauses(view);
        let context = Arc::clone(&self.context);
        let reference = context.reference;
        let temporals = temporals(view, &folded, &clauses, reference);
        if clauses.is_empty() && temporals.is_empty() && view.quantities.is_empty() {
            return Vec::new();
        }
        let narrative = Arc::make_mut(&mut self.state.narrative);
        let subjects = subject_keys(view, &folded, &clauses, &mut narrative.discourse);
        let times = TimeView {
            view,
            folded: &folded,
            clauses: &clauses,
            subjects: &subjects,
            temporals: &temporals,
            reference,
            kb: context.kb.as_ref(),
            max_future_years: self.monitor.settings().max_future_years,
        };
        let mut found = temporal_errors(&times, first, &mut narrative.timeline);
        let said = propositions(view, &folded, &clauses, &temporals, first.modality);
        found.extend(logical_inconsistencies(
            &times,
            &said,
            first,
            &mut narrative.propositions,
        ));
        found.extend(detect::beyond_limits(view, claims));
        found.retain_mut(|finding| {
            finding.decided_at = view.sentence.decided_at;
            detect::note_topic(finding, view, first);
            !self.excluded(finding, first.modality)
        });
        found
    }
}

/// Whether a source says otherwise than the finding's words.
pub(super) fn refuted_by_source(finding: &Finding) -> bool {
    matches!(
        finding.kind.as_str(),
        "dialogue.contradicts_fact"
            | "dialogue.wrong_attribute"
            | "stream.quantity_conflict"
            | "stream.contradicts_evidence"
    )
}
