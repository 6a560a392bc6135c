//! Sentences by which a speaker takes back what he said.

use crate::claims::SentenceView;
use crate::lexicon::coherence::coherence;
use crate::types::LexKind;

/// Whether the sentence says that what its speaker said before was wrong ("I misspoke."), so that
/// what it says, and what follows it, replaces that.
#[must_use]
pub fn admits(view: &SentenceView<'_>) -> bool {
    let folded = view.folded();
    let words: Vec<&str> = (0..view.lexemes.len())
        .filter(|i| matches!(view.lexemes[*i].kind, LexKind::Word | LexKind::Number))
        .map(|i| folded.get(i))
        .collect();
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
