//! Given names that are written like other words: "Will Carver", "An Nguyen", "Even Dahl".

use crate::claims::SentenceView;
use crate::lexicon::tables::stance;
use crate::types::{LexFlags, LexKind, Span};

/// The place and text of a name that takes the place of another: with the given name in front where
/// that was read as a word of the sentence, and none where it may be either.
pub(in crate::detect) fn with_given_name(
    view: &SentenceView<'_>,
    span: Span,
    text: String,
) -> (Span, Option<String>) {
    let capital = |text: &str| text.starts_with(char::is_uppercase);
    let at = view.lexemes_in(span).start;
    // "An Nguyen" was read as a noun with its article.
    let surname = view.at(span).strip_prefix("An ").is_some_and(capital);
    let bare = text.strip_prefix("A ").or(text.strip_prefix("An "));
    if let Some(bare) = bare.filter(|bare| surname && capital(bare)) {
        let opens = view.lexemes[at].flags.has(LexFlags::SENTENCE_START);
        return (span, (!opens).then(|| bare.to_owned()));
    }
    let before = at.checked_sub(1).map(|i| view.lexemes[i]);
    let Some(before) = before.filter(|_| capital(view.at(span)) && capital(&text)) else {
        return (span, Some(text));
    };
    let word = view.at(before.span);
    let joined = before.kind == LexKind::Word
        && before.flags.has(LexFlags::CAPITALIZED)
        && stance().has("given_too", &word.to_lowercase())
        && view.at(Span::new(before.span.end, span.start)) == " ";
    // "An Oslo-based firm".
    let compound = view
        .at(Span::new(span.end, view.sentence.span.end))
        .starts_with('-');
    if !joined || compound {
        return (span, Some(text));
    }
    if before.flags.has(LexFlags::SENTENCE_START) {
        return (span, None);
    }
    (Span::new(before.span.start, span.end), Some(text))
}
