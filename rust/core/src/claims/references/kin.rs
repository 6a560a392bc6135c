//! Whom a possessive brings in: "his sister", "Bo Ek's younger brother".

use std::sync::Arc;

use super::{Candidate, Gender, References, Wanted};
use crate::claims::view::{Folded, SentenceView};
use crate::lexicon::cues::Cue;
use crate::lexicon::names::{NameCue, name_cue};
use crate::types::{LexKind, NameType, Referent, Span};

impl References {
    /// "his" tells that whom it stands for is a man, as far as only one person can be meant.
    pub(super) fn learn(&mut self, wanted: Wanted<'_>, referent: Option<&Referent>) {
        let (Wanted::Person(gender), Some(referent)) = (wanted, referent) else {
            return;
        };
        for candidate in &mut self.candidates {
            let told = candidate.gender == Gender::Unknown
                && candidate.referent.kind == NameType::Person
                && candidate.referent.name == referent.name;
            if told {
                *candidate = Arc::new(Candidate {
                    gender,
                    ..Candidate::clone(candidate)
                });
            }
        }
    }

    /// "his sister", "Bo Ek's younger brother": somebody whom later words may mean. The possessive
    /// stands at lexeme `at`, the phrase begins at byte `start`.
    pub(super) fn kin(
        &mut self,
        view: &SentenceView<'_>,
        folded: &Folded,
        at: usize,
        start: usize,
    ) {
        let kin = NameCue::KIN_FEMALE.or(NameCue::KIN_MALE).or(NameCue::KIN);
        let noun = (at + 1..at + 4).find(|i| name_cue(folded.get(*i)).is(kin));
        let Some(noun) = noun.filter(|noun| {
            (at + 1..*noun).all(|i| {
                view.lexemes[i].kind == LexKind::Word
                    && !folded.cue(i).is(Cue::FUNCTION.or(Cue::PREPOSITION))
            })
        }) else {
            return;
        };
        let cue = name_cue(folded.get(noun));
        let gender = if cue.is(NameCue::KIN_FEMALE) {
            Gender::Female
        } else if cue.is(NameCue::KIN_MALE) {
            Gender::Male
        } else {
            Gender::Unknown
        };
        let span = Span::new(start, view.lexemes[noun].span.end);
        self.keep(
            view,
            folded,
            (span, NameType::Person, Vec::new()),
            true,
            false,
        );
        if let Some(kept) = self.candidates.back_mut()
            && kept.referent.span == span
        {
            *kept = Arc::new(Candidate {
                gender,
                ..Candidate::clone(kept)
            });
        }
    }
}
