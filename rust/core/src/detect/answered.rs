//! A right value behind "Yes" or "No": what opened the answer has to fit it as well. "Yes, it is 420 m long"
//! answers a question for 420 m, to which the answer with the right value is "No".

use crate::claims::SentenceView;
use crate::normal::fold_name;
use crate::types::{Finding, Span};

/// Words of a question that ask for more than a value.
const COMPARING: [&str; 8] = [
    "than", "least", "most", "over", "under", "before", "after", "between",
];

/// Puts right the "Yes" or "No" that opens the finding's sentence, or else leaves nothing to put in.
/// `before` is the text right before the sentence.
pub fn answer_right(
    view: &SentenceView<'_>,
    question: Option<&str>,
    before: &str,
    finding: &mut Finding,
) {
    // Without a question nobody knows what a "yes" says.
    let (Some(span), Some(right), Some(asked)) =
        (finding.span, finding.replacement.as_deref(), question)
    else {
        return;
    };
    let Some((opener, yes)) = opened(view) else {
        // "Yes. It is 420 m long.": that has left already, and must fit what is put in.
        let last = before.trim_end().trim_end_matches(['.', '!', ',']);
        let word = last
            .rsplit(|c: char| !c.is_alphabetic())
            .next()
            .unwrap_or("");
        let fits = match affirms(word).filter(|_| last.len() == word.len()) {
            Some(true) => asks(asked, right),
            Some(false) => asks(asked, view.at(span)) && !asks(asked, right),
            None => true,
        };
        if !fits {
            drop_replacement(finding);
        }
        return;
    };
    if span.start < opener.end {
        return;
    }
    let said = view.at(span);
    let turned = if yes && asks(asked, said) {
        Some(true)
    } else if asks(asked, right) {
        Some(!yes)
    } else {
        // "No, it is 420 m long" where neither is asked for.
        (!compares(asked)).then_some(false)
    };
    match turned {
        Some(false) => {}
        Some(true) => {
            let word = turn(view.at(opener), yes);
            let between = view.at(Span::new(opener.end, span.start));
            finding.replacement = Some(format!("{word}{between}{right}"));
            finding.span = Some(Span::new(opener.start, span.end));
        }
        None => drop_replacement(finding),
    }
}

fn drop_replacement(finding: &mut Finding) {
    finding.replacement = None;
    finding.extra.insert("no_substitute".into(), true.into());
}

/// "Yes" or "No" before a mark at the beginning of the sentence.
fn opened(view: &SentenceView<'_>) -> Option<(Span, bool)> {
    let end = view.text.find(|c: char| !c.is_alphabetic())?;
    let yes = affirms(view.text.get(..end)?)?;
    let mark = view.text[end..]
        .trim_start()
        .starts_with([',', '—', '–', '-', ':', '!', '.', ';']);
    let start = view.sentence.span.start;
    mark.then_some((Span::new(start, start + end), yes))
}

fn affirms(word: &str) -> Option<bool> {
    match word.to_ascii_lowercase().as_str() {
        "yes" | "yeah" | "yep" => Some(true),
        "no" | "nope" => Some(false),
        _ => None,
    }
}

/// Whether the question has the words of a value.
fn asks(question: &str, value: &str) -> bool {
    let plain = |text: &str| -> Vec<String> {
        fold_name(text)
            .split(|c: char| c.is_whitespace() || matches!(c, '?' | ',' | '.' | '!'))
            .filter(|word| !word.is_empty() && !matches!(*word, "the" | "a" | "an"))
            .map(str::to_owned)
            .collect()
    };
    let (question, value) = (plain(question), plain(value));
    !value.is_empty() && question.windows(value.len()).any(|own| own == value)
}

/// Whether the question asks how a number compares, or for another number.
fn compares(question: &str) -> bool {
    let lower = question.to_lowercase();
    lower.contains(|c: char| c.is_ascii_digit())
        || lower
            .split_whitespace()
            .any(|word| COMPARING.contains(&word))
}

fn turn(word: &str, yes: bool) -> &'static str {
    let capital = word.starts_with(char::is_uppercase);
    match (yes, capital) {
        (true, true) => "No",
        (true, false) => "no",
        (false, true) => "Yes",
        (false, false) => "yes",
    }
}
