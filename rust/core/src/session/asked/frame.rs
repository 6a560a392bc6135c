//! The case that only a question tells: "How many visitors did it have in 2015?", "When does it open on
//! Sundays?", "How much is it for children?". What the answer gives for it is not what the base has.

use crate::claims::SentenceView;
use crate::lexicon::words::{WordClass, class};
use crate::normal::{fold, stem};
use crate::types::{Claim, QuantityKind, Span};

use super::asking::{Asking, is_hour, is_weekday, is_year};
use super::{Things, sentences, words};

/// What kind of value a question wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Wanted {
    /// "how many", "how tall", "what does it cost".
    Amount,
    /// "when", "what time".
    Time,
    /// "who".
    Name,
    /// "where".
    Place,
    /// Values of these attributes.
    Of(Vec<String>),
    /// What was asked before ("And on Sundays?").
    Same,
}

/// A question's case.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    pub(super) wanted: Wanted,
    /// Stems of the words that tell it.
    pub(super) told: Vec<String>,
    /// It is a year or the like.
    pub(super) dated: bool,
}

impl Frame {
    /// The cases of a question's sentences.
    pub(super) fn of(question: &str, things: &Things<'_>) -> Vec<Self> {
        sentences(question)
            .filter_map(|text| Asking::new(&things.marked(text), things).frame())
            .collect()
    }

    /// Whether a claim gives such a value, and not the case itself ("Was it founded in 1920?").
    pub(super) fn covers(&self, view: &SentenceView<'_>, claim: &Claim) -> bool {
        let Some(object) = claim.object_span else {
            return false;
        };
        let mut text = String::new();
        fold(view.at(object), &mut text);
        let said: Vec<String> = words(&text).map(|word| stem(word).into_owned()).collect();
        let month = words(&text).any(|word| class(word).has(WordClass::MONTH));
        let whole = self.wanted == Wanted::Time && self.dated && month;
        if !whole && self.told.iter().all(|word| said.contains(word)) {
            return false;
        }
        let within = |span: Span| span.overlaps(object);
        let dated = month
            || words(&text).any(is_year)
            || (claim.quantities.iter()).any(|q| q.kind == QuantityKind::Year && within(q.span));
        let hours = words(&text).any(|word| is_weekday(word) || is_hour(word));
        let counted = text.bytes().any(|b| b.is_ascii_digit())
            || claim.quantities.iter().any(|q| within(q.span));
        match &self.wanted {
            Wanted::Amount => counted && !dated,
            // "on 5 October 2019" is no other year's day.
            Wanted::Time if self.dated => (hours || counted) && (!dated || month),
            Wanted::Time => dated || hours || counted,
            Wanted::Same => true,
            // "Jan Kohl" is no month.
            Wanted::Name | Wanted::Place => {
                !counted && !claim.dates.iter().any(|date| within(date.span))
            }
            Wanted::Of(names) => {
                let predicate = claim.predicate.as_deref().unwrap_or("");
                let same = |name: &String| view.attributes.predicates().same(name, predicate);
                // "It is €540.", of the yearly price
                names.iter().any(same) || predicate == "is"
            }
        }
    }
}
