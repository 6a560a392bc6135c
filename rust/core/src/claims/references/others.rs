//! People who are only described, and may be somebody else than the one who was named.

use std::sync::Arc;

use super::standing::Standing;
use super::{Candidate, KEPT, References, rivals::Rivals};
use crate::claims::content::word_hash;
use crate::claims::view::{Folded, SentenceView};
use crate::lexicon::coherence::coherence;
use crate::lexicon::cues::Cue;
use crate::lexicon::names::{NameCue, noun_is};
use crate::lexicon::tables::frames;
use crate::normal::fold_name;
use crate::types::{Mention, Referent, Resolution};

use super::phrases::noun_phrase;

/// Whether a description is of a person ("the previous head", "the intern").
pub(super) fn is_somebody(description: &str) -> bool {
    let noun = fold_name(description.rsplit(' ').next().unwrap_or(""));
    let kin = NameCue::KIN_FEMALE.or(NameCue::KIN_MALE).or(NameCue::KIN);
    noun_is(&noun, kin.or(NameCue::IS_PERSON))
        || coherence().is_human(&noun)
        || frames().has("somebody", &noun)
}

impl Rivals {
    /// Notes what somebody is said to be, from lexeme `first` on: "is an engineer".
    pub(super) fn note_role(&mut self, view: &SentenceView<'_>, folded: &Folded, first: usize) {
        if let Some(end) = noun_phrase(view, folded, first) {
            self.learned(word_hash(folded.get(end - 1)));
        }
    }
}

impl References {
    /// What a sentence speaks of first stays what the next one can speak of: "It stands by the sea. It was …".
    pub(super) fn goes_on(&mut self, referent: &Referent, sentence: i64) {
        let mut candidates = self.candidates.iter().rev();
        let opened = candidates.clone().any(|c| c.sentence == sentence);
        let Some(known) = candidates.find(|c| c.referent == *referent) else {
            return;
        };
        if opened || referent.entities.is_empty() {
            return;
        }
        let again = Candidate {
            standing: Standing::default(),
            sentence,
            paragraph: self.paragraph,
            ..Candidate::clone(known)
        };
        if self.candidates.len() == KEPT {
            self.candidates.pop_front();
        }
        self.candidates.push_back(Arc::new(again));
    }

    /// "The student joined last year" behind somebody of whom nobody said so: it may be another one, who is
    /// remembered.
    pub(super) fn may_be_another(
        &mut self,
        view: &SentenceView<'_>,
        folded: &Folded,
        end: usize,
        taken: Option<&Referent>,
    ) -> bool {
        let head = folded.get(end - 1);
        let named =
            taken.is_some_and(|taken| fold_name(&taken.name).split(' ').any(|word| word == head));
        let attribute = view.attributes.predicates().named(head).is_some();
        let told = named
            || attribute
            || self.rivals.is_told(word_hash(head))
            || matches!(head, "person" | "woman" | "man");
        if !told {
            self.bring(view, folded, end);
        }
        !told
    }

    /// "X replaced the old hall, which opened in 1921", "X is near the hall": nothing does so to itself, so that a
    /// description behind a verb or such a preposition is not what its own sentence names before.
    pub(super) fn is_beside_itself(
        &self,
        folded: &Folded,
        at: usize,
        taken: Option<&Referent>,
        sentence: i64,
    ) -> bool {
        let Some(before) = at.checked_sub(1) else {
            return false;
        };
        let word = folded.get(before);
        let acts = folded.known(before).verb.is_some()
            && !folded.cue(before).is(Cue::COPULA.or(Cue::AUXILIARY));
        let beside =
            folded.cue(before).is(Cue::PREPOSITION) && !frames().has("within_itself", word);
        let named = |own: &Referent| {
            let mut here = self.candidates.iter();
            here.any(|c| c.sentence == sentence && !c.described && c.referent.name == own.name)
        };
        (acts || beside) && taken.is_some_and(named)
    }
}

/// "Wexley, the town where Wexley University is": whether the whole name of one of them stands behind a word of
/// it, which then is something else.
pub(super) fn is_named_behind(view: &SentenceView<'_>, part: &Mention, ids: &[u32]) -> bool {
    view.mentions.iter().any(|other| match &other.resolution {
        Resolution::Known(own) => {
            !other.partial
                && other.span.start >= part.span.end
                && own.iter().any(|id| ids.contains(id))
        }
        _ => false,
    })
}
