//! Of another time: "up 12% from 2022" tells nothing of 2022 itself, "no longer cost €10" nothing of now.

use std::ops::Range;

use crate::claims::{Clause, Folded, SentenceView, Tense};
use crate::evidence::Conflict;
use crate::lexicon::tables::{narrowing, stance};
use crate::types::{Quantity, QuantityKind};

use super::Held;
use crate::detect::qualified::at_first;

/// Words that lead to what something is compared with.
const COMPARED: [&str; 9] = [
    "from", "than", "with", "to", "over", "against", "versus", "vs", "on",
];
/// Words between such a word and the year.
const LIGHT: [&str; 6] = ["in", "the", "year", "level", "that", "of"];

/// Whether the sentence is of a year that the conflict's sentence names only to compare with it.
pub(super) fn of_compared_year(view: &SentenceView<'_>, conflict: &Conflict, text: &str) -> bool {
    let told = told(conflict, text);
    let mut years = view.quantities.iter();
    years.any(|year| {
        let said = view.at(year.span);
        year.kind == QuantityKind::Year && said.len() == 4 && compared(told, said)
    })
}

/// The sentence of the evidence.
pub(super) fn told<'a>(conflict: &Conflict, text: &'a str) -> &'a str {
    let span = conflict.sentence;
    text.get(span.start..span.end).unwrap_or("")
}

/// Whether the year stands in the text, and each time behind such a word.
fn compared(told: &str, year: &str) -> bool {
    let mut places = told.match_indices(year).peekable();
    places.peek().is_some()
        && places.all(|(at, _)| {
            let mut before = told[..at].split_whitespace().rev();
            let lead = before.find(|word| !LIGHT.contains(word));
            lead.is_some_and(|word| COMPARED.contains(&word))
        })
}

/// "no longer cost €10": a denial whose verb, a plural's, opens no clause.
pub(super) fn no_longer(folded: &Folded<'_>, mut words: Range<usize>) -> bool {
    words.any(|i| folded.get(i) == "no" && folded.get(i + 1) == "longer")
}

/// "At launch, it cost £1,149", "was only 190 km long in 1904": of a time of which the sentence of the
/// evidence says nothing, where that tells of now.
fn back_then(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    clause: Option<&Clause>,
    told: &str,
) -> bool {
    if (0..folded.len()).any(|i| at_first(folded, i) || stance().has("past_state", folded.get(i))) {
        let mut words = told.split(|c: char| !c.is_alphanumeric());
        return !words.any(|word| narrowing().has("beginning", &word.to_lowercase()));
    }
    let past = clause.is_some_and(|clause| clause.tense == Tense::Past);
    past && !has_year(told)
        && view.quantities.iter().any(|q| {
            q.kind == QuantityKind::Year && {
                let at = view.lexemes_in(q.span).start;
                at > 0 && folded.get(at - 1) == "in"
            }
        })
}

/// Whether a text has a year in digits.
fn has_year(told: &str) -> bool {
    let mut words = told.split(|c: char| !c.is_ascii_digit());
    words.any(|word| word.len() == 4 && matches!(&word[..2], "17" | "18" | "19" | "20"))
}

impl Held<'_> {
    /// Whether the number is of a time of which the evidence's sentence says nothing.
    pub(super) fn then(&self, said: &Quantity, conflict: &Conflict) -> bool {
        let at = self.view.lexemes_in(said.span).start;
        let clause = (self.parts.iter()).find(|clause| clause.range.contains(&at));
        let passage = self.evidence.passages().get(conflict.passage);
        said.kind != QuantityKind::Year
            && passage.is_some_and(|p| {
                back_then(self.view, self.folded, clause, told(conflict, p.text()))
            })
    }
}
