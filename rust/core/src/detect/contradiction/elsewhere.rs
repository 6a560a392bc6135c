//! A thing told apart from another by where it is.

use crate::dialogue::Statement;
use crate::lexicon::cues::{Cue, cue};

/// "The flat above": another one, by a word behind the noun that only one of the two has.
pub(super) fn lies_elsewhere(said: &Statement, prior: &Statement) -> bool {
    let has = |statement: &Statement, place: &str| {
        let mut words = statement.content.split_whitespace().peekable();
        while let Some(word) = words.next() {
            let next = words.peek().map_or("", |next| next.trim_end_matches(','));
            let verbal = Cue::COPULA.or(Cue::AUXILIARY);
            if word == place && cue(next).is(verbal) {
                return true;
            }
        }
        false
    };
    let places = [
        "above",
        "below",
        "opposite",
        "upstairs",
        "downstairs",
        "behind",
        "beyond",
    ];
    places
        .iter()
        .any(|place| has(said, place) != has(prior, place))
}
