//! People who are only described, and may be somebody else than the one who was named.

use std::sync::Arc;

use super::aside::Standing;
use super::{Candidate, KEPT, References, rivals::Rivals};
use crate::claims::content::word_hash;
use crate::claims::view::{Folded, SentenceView};
use crate::lexicon::coherence::coherence;
use crate::lexicon::cues::Cue;
use crate::lexicon::names::{NameCue, noun_is};
use crate::lexicon::tables::frames;
use crate::normal::fold_name;
use crate::types::{LexKind, Referent};

use super::phrases::noun_phrase;

/// Nouns behind "a" that stand for no thing.
pub(super) const NO_THING: [&str; 22] = [
    "lot", "few", "bit", "number", "variety", "range", "total", "result", "way", "part", "while",
    "idea", "clue", "question", "minute", "moment", "chance", "little", "couple", "dozen", "third",
    "quarter",
];

/// Whether a description is of a person ("the previous head", "the intern").
pub(super) fn is_somebody(description: &str) -> bool {
    let noun = fold_name(description.rsplit(' ').next().unwrap_or(""));
    let kin = NameCue::KIN_FEMALE.or(NameCue::KIN_MALE).or(NameCue::KIN);
    noun_is(&noun, kin.or(NameCue::IS_PERSON))
        || coherence().is_human(&noun)
        || frames().has("somebody", &noun)
}

/// Whether the sentence asks whether there is something: "Is there a …?", "Do you have a …?".
pub(super) fn seeks(view: &SentenceView<'_>, folded: &Folded) -> bool {
    let mut words = (0..view.lexemes.len()).filter(|i| view.lexemes[*i].kind == LexKind::Word);
    let Some(first) = words.next() else {
        return false;
    };
    if !folded.cue(first).is(Cue::COPULA.or(Cue::AUXILIARY)) {
        return false;
    }
    let next = folded.get(first + 1);
    let offered = |i: usize| {
        matches!(
            folded.get(i),
            "have" | "got" | "offer" | "sell" | "make" | "stock" | "include" | "provide"
        )
    };
    matches!(next, "there" | "a" | "an" | "any") || words.any(offered)
}

/// End of the description at `i` without the verb of the question: "When does the café open?"
pub(super) fn without_verb(
    view: &SentenceView<'_>,
    folded: &Folded,
    i: usize,
    end: usize,
) -> usize {
    let asks = view.text.trim_end().ends_with('?')
        && (0..i).any(|n| matches!(folded.get(n), "do" | "does" | "did" | "can" | "will"));
    let verb = folded.known(end - 1).verb == Some(folded.get(end - 1));
    if asks && verb && end - i > 2 {
        end - 1
    } else {
        end
    }
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
}
