//! Sentences by which speakers take back what they said, or set right what they were told.

use std::ops::Range;

use crate::claims::{Folded, SentenceView};
use crate::lexicon::coherence::coherence;
use crate::types::LexKind;

use super::statement::Statement;

/// Whether the sentence says that what its speaker said before was wrong ("I misspoke."), so that
/// what it says, and what follows it, replaces that.
#[must_use]
pub fn admits(view: &SentenceView<'_>) -> bool {
    let folded = view.folded();
    let mut words: Vec<&str> = Vec::with_capacity(view.lexemes.len());
    let terms = (0..view.lexemes.len()).filter(|i| view.is_term(*i));
    words.extend(terms.map(|i| folded.get(i)));
    // "not in 1931 as I said"
    let not = words.iter().position(|word| *word == "not");
    let taken = not.is_some_and(|at| {
        let mut said = words[at..].windows(3);
        said.any(|w| {
            w[0] == "as" && w[1] == "i" && matches!(w[2], "said" | "wrote" | "told" | "stated")
        })
    });
    taken || coherence().admits(&words)
}

/// Openings that say that what one was told is wrong.
const NO: [&[&str]; 8] = [
    &["no"],
    &["nope"],
    &["wrong"],
    &["incorrect"],
    &["false"],
    &["untrue"],
    &["not", "quite"],
    &["not", "exactly"],
];

/// Whether the sentence begins as an answer that sets right what its speaker was told ("No, …",
/// "Not quite: …", "Wrong."), and not as "No room is free".
#[must_use]
pub fn corrects(view: &SentenceView<'_>) -> bool {
    let folded = view.folded();
    let first = (0..view.lexemes.len()).find(|i| view.lexemes[*i].kind == LexKind::Word);
    let Some(first) = first else { return false };
    NO.iter().any(|words| {
        let end = first + words.len();
        let same = words
            .iter()
            .zip(first..)
            .all(|(word, i)| folded.get(i) == *word);
        same && (end >= view.lexemes.len() || view.lexemes[end].kind != LexKind::Word)
            && view
                .lexemes
                .get(end)
                .is_none_or(|l| l.kind != LexKind::Number)
    })
}

/// Whether what the sentence denies is set apart from what it says: "Rome, not Milan", "not Milan
/// but Rome", "it isn't Milan, it's Rome".
#[must_use]
pub fn sets_apart(view: &SentenceView<'_>) -> bool {
    let folded = view.folded();
    let len = view.lexemes.len();
    let not = |i: usize| folded.get(i) == "not" || folded.get(i).ends_with("n't");
    let beside = (1..len).any(|i| apart_at(view, &folded, i));
    let denied = (0..len).find(|i| not(*i));
    let turned = denied.is_some_and(|i| turns_to(view, i + 1..len));
    beside || turned
}

/// Whether words behind a denial turn to what is so: "… but Rome", "…, it's Rome".
pub(super) fn turns_to(view: &SentenceView<'_>, words: Range<usize>) -> bool {
    let folded = view.folded();
    let said_again = |i: usize| {
        let word = folded.get(i).split(['\'', '’']).next().unwrap_or("");
        let joined = word.len() < folded.get(i).len();
        let pronoun = matches!(word, "it" | "they" | "he" | "she" | "that" | "this");
        let told = joined || matches!(folded.get(i + 1), "is" | "was" | "are" | "were");
        let next = folded.get(i + 1);
        let denied = next == "not" || next.ends_with("n't");
        pronoun && told && !denied && i > 0 && view.lexemes[i - 1].kind == LexKind::Punct
    };
    let mut words = words;
    words.any(|i| folded.get(i) == "but" || said_again(i))
}

/// Whether "not" stands there and denies what follows it alone.
fn apart_at(view: &SentenceView<'_>, folded: &Folded<'_>, i: usize) -> bool {
    // "is not included" denies the same; ", not Milan" sets another apart.
    let beside = i > 0
        && (view.lexemes[i - 1].kind == LexKind::Punct
            || matches!(folded.get(i - 1), "and" | "but"));
    folded.get(i) == "not" && beside
}

/// Whether the sentence denies the statement's value beside its own: "Rome, not Milan".
#[must_use]
pub fn denies(view: &SentenceView<'_>, told: &Statement) -> bool {
    let folded = view.folded();
    let len = view.lexemes.len();
    (0..len).any(|i| {
        let apart = apart_at(view, &folded, i)
            || folded.get(i) == "rather" && folded.get(i + 1) == "than"
            || folded.get(i) == "instead" && folded.get(i + 1) == "of";
        apart
            && (i + 1..len)
                .take_while(|j| !matches!(view.word(*j), "," | ";" | "." | ":"))
                .any(|j| {
                    let word = folded.get(j);
                    let number = view
                        .quantities
                        .iter()
                        .find(|q| q.span.overlaps(view.lexemes[j].span));
                    #[allow(clippy::float_cmp)]
                    let same = number.is_some_and(|number| {
                        told.quantities
                            .iter()
                            .any(|q| q.value.value == number.value)
                    });
                    let day = view.dates.iter().any(|date| {
                        date.span.overlaps(view.lexemes[j].span)
                            && told.dates.iter().any(|d| {
                                let (a, b) = (&d.value, date);
                                (a.weekday, a.year, a.month, a.day, a.minutes)
                                    == (b.weekday, b.year, b.month, b.day, b.minutes)
                            })
                    });
                    same || day || told.said.iter().any(|own| own == word)
                })
    })
}
