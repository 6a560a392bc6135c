//! Stretches of time as they stand in a sentence.

use super::read::year;
use super::{Form, YEAR, period, words};

/// A stretch of time as it stands in a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Prose {
    /// The preposition before it, where it has one of its own ("between 1701 and 1705").
    pub(crate) lead: &'static str,
    /// Whether it can only stand behind its own preposition, or none.
    pub(crate) bound: bool,
    /// The words.
    pub(crate) text: String,
}

/// A value that is a stretch of time, as it stands in a sentence; `None` for any other, and for what
/// is only about then.
pub(crate) fn prose(value: &str) -> Option<Prose> {
    let period = period(value)?;
    if period.about {
        return None;
    }
    let bare = value.trim().trim_end_matches('.');
    let bare = ["in ", "In ", "the ", "The "]
        .iter()
        .fold(bare, |text, lead| text.strip_prefix(lead).unwrap_or(text));
    let all = words(bare);
    let plain = |lead: &'static str, text: String| Prose {
        lead,
        bound: false,
        text,
    };
    let lower = || {
        let mut letters = bare.chars();
        let first = letters.next().map(|c| c.to_lowercase().to_string());
        first.unwrap_or_default() + letters.as_str()
    };
    Some(match period.form {
        Form::Date => return None,
        Form::Named => {
            let text = lower();
            let text = match text.rsplit_once(' ') {
                // "third quarter 2025"
                Some((part, last))
                    if year(last).is_some() && part.contains(' ') && !part.ends_with(" of") =>
                {
                    format!("{part} of {last}")
                }
                _ => text,
            };
            // "early 2025" and "mid-July 2025" have no article.
            let dated = all.last().is_some_and(|word| year(word).is_some());
            if dated && !text.contains(" of ") {
                plain("in", text)
            } else {
                plain("in", format!("the {text}"))
            }
        }
        Form::Short => {
            let year = all.iter().find(|word| year(word).is_some())?;
            let part = all.iter().find(|word| word.starts_with(['q', 'h']))?;
            plain("in", format!("{} {year}", part.to_uppercase()))
        }
        Form::Season if bare.contains(" of ") => plain("in", format!("the {}", lower())),
        Form::Season => plain("in", lower()),
        Form::Range => {
            let years: Vec<&String> = all.iter().filter(|word| year(word).is_some()).collect();
            let [from, until] = years.as_slice() else {
                return None;
            };
            let spare = all.len() - 2;
            // One of two is no stretch.
            let either = all.iter().any(|word| word == "or");
            if either || spare > 2 || period.core.1 - period.core.0 < YEAR {
                return None;
            }
            Prose {
                lead: "between",
                bound: true,
                text: format!("{from} and {until}"),
            }
        }
        Form::Open => {
            let (lead, text) = match all.as_slice() {
                [lead, at] if lead == "before" => ("before", at),
                [lead, at] if lead == "after" => ("after", at),
                _ => return None,
            };
            Prose {
                lead,
                bound: true,
                text: text.clone(),
            }
        }
    })
}
