//! Whose attribute a description is that says nothing of it: "Zedra Hall is a hall. The capacity is 17."

use std::ops::Range;

use crate::claims::kinds::Kinds;
use crate::claims::view::{Folded, SentenceView};
use crate::lexicon::cues::Cue;
use crate::lexicon::predicates::predicate_key;
use crate::types::Referent;

use super::phrases::description;
use super::{References, Wanted};

impl References {
    /// What has the attribute that the words name, and the attribute: the one thing that was spoken of, where
    /// the knowledge base has such a value of it. What "it" could not mean has none.
    pub(super) fn owner(
        &self,
        view: &SentenceView<'_>,
        folded: &Folded,
        words: Range<usize>,
        kinds: &dyn Kinds,
    ) -> Option<(Referent, String)> {
        let before = words.start.checked_sub(1).map_or("", |i| folded.get(i));
        let opens = (0..words.start).all(|i| view.is_mark(i) || folded.cue(i).is(Cue::ADVERB));
        let leads = opens || matches!(before, "and" | "while" | "but");
        if folded.get(words.start) != "the" || !leads || !folded.cue(words.end).is(Cue::COPULA) {
            return None;
        }
        let noun: Vec<&str> = (words.start + 1..words.end)
            .map(|i| folded.get(i))
            .collect();
        let attribute = predicate_key(&noun.join(" "));
        let names = view.attributes.predicates();
        let has = |id: u32| kinds.has(id, &attribute, names);
        let referent = self.find(Wanted::Thing, i64::from(view.sentence.index))?;
        // What a question names, it may ask of another time or part of.
        let here = referent.turn.is_none();
        let [id] = *referent.entities else {
            return None;
        };
        let sure = here
            && has(id)
            && !self.open(Wanted::Thing, Some(&referent))
            && !(view.antecedents.iter()).any(|other| *other != id && has(*other));
        sure.then_some((referent, attribute))
    }

    /// The last word of "the hall's", before a noun, and what it stands for where nothing else can be meant.
    pub(super) fn owner_described(
        &self,
        view: &SentenceView<'_>,
        folded: &Folded,
        first: usize,
    ) -> Option<(usize, Referent)> {
        let end = description(view, folded, first)?;
        let genitive = |i: &usize| ["'s", "’s"].iter().any(|own| view.word(*i).ends_with(own));
        let last = (first + 1..end - 1).find(genitive)?;
        let apart: Vec<&str> = (first + 1..last).map(|i| folded.get(i)).collect();
        let wanted = Wanted::Noun(folded.get(last), &apart);
        let referent = self.find(wanted, i64::from(view.sentence.index))?;
        (!self.open(wanted, Some(&referent))).then_some((last, referent))
    }
}
