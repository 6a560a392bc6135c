//! What a thing has one of at a time, where a statement says "is".

use crate::lexicon::coherence::coherence;
use crate::lexicon::contrast::contrast;
use crate::types::QuantityKind;

use super::said::Said;

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
