//! What a thing has one of at a time, where a statement says "is".

use crate::lexicon::coherence::coherence;
use crate::lexicon::contrast::contrast;
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::predicates::predicates;
use crate::types::QuantityKind;

use super::said::Said;
use super::statement::SCHEDULED;

/// What a statement with "is" gives that a thing has one of at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// An amount ("is 20 euros").
    Amount,
    /// A colour, or a state that has an opposite ("is open").
    Quality,
    /// Who fills a place ("the director is …").
    Holder,
}

impl Said {
    /// The words of the value, folded, without articles.
    pub fn qualities(&self) -> impl Iterator<Item = String> {
        let words = self.value.split(|c: char| !c.is_alphanumeric());
        words
            .filter(|word| !word.is_empty() && !matches!(*word, "the" | "a" | "an"))
            .map(str::to_lowercase)
    }

    /// The words of the value outside its numbers and dates, folded and sorted, without what the
    /// attribute itself is called.
    #[must_use]
    pub fn beside(&self) -> Vec<String> {
        let mut rest = self.value.to_string();
        for quantity in &self.quantities {
            let place = quantity.span.start.checked_sub(self.at.start);
            let end = quantity.span.end.saturating_sub(self.at.start);
            if let Some(start) = place.filter(|start| rest.get(*start..end).is_some()) {
                rest.replace_range(start..end, &" ".repeat(end - start));
            }
        }
        let own = |word: &str| {
            predicates()
                .named(word)
                .is_some_and(|p| *p.name == *self.predicate)
        };
        let words = rest.split(|c: char| !c.is_alphanumeric() && c != '-');
        let mut words: Vec<String> = words
            .map(str::to_lowercase)
            .filter(|word| word.starts_with(char::is_alphabetic))
            .filter(|word| !cue(word).is(Cue::FUNCTION) && !own(word))
            .filter(|word| !contrast().is_light(word))
            .collect();
        words.sort_unstable();
        words
    }

    /// Whether its value is a time that comes back every week ("Thursdays at 6").
    #[must_use]
    pub fn is_weekly(&self) -> bool {
        let scheduled = &*self.predicate == SCHEDULED;
        scheduled && self.qualities().any(|word| word.ends_with("days"))
    }

    /// What it gives that its subject has one of at a time, where it says "is".
    #[must_use]
    pub fn state(&self) -> Option<State> {
        if &*self.predicate != "is" || self.subject == 0 || self.several {
            return None;
        }
        if let [quantity] = &self.quantities[..] {
            let exact = !matches!(quantity.kind, QuantityKind::Label | QuantityKind::Year);
            return (exact && !quantity.approximate).then_some(State::Amount);
        }
        let single =
            |word: &str| coherence().is_colour(word) || !contrast().opposites(word).is_empty();
        if self.quantities.is_empty() && self.qualities().any(|word| single(&word)) {
            return Some(State::Quality);
        }
        let head = self.concept.split(" of ").next().unwrap_or("");
        let post = head.rsplit(' ').next().unwrap_or("");
        let mut names = self
            .value
            .split(' ')
            .filter(|word| !word.is_empty())
            .peekable();
        let named = names.peek().is_some()
            && names.all(|word| word.starts_with(|c: char| c.is_uppercase()));
        (named && contrast().is_post(post)).then_some(State::Holder)
    }
}
