//! Of another time: "up 12% from 2022" tells nothing of 2022 itself, "no longer cost €10" nothing of now.

use std::ops::Range;

use crate::claims::{Folded, SentenceView};
use crate::evidence::Conflict;
use crate::types::QuantityKind;

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
