//! Where in a match of a rule the identifier stands that its check is about.

use std::ops::Range;

use super::check::{Check, iban_length};

/// Fewest digits of what may be meant as a book's or journal's number.
const LEAST: usize = 5;

impl Check {
    /// The identifier in `text` that is malformed: with its label, where nothing but words, a space
    /// or a colon stand between them, and without marks behind it. None if all are well formed.
    #[must_use]
    pub fn fault(self, text: &str) -> Option<Range<usize>> {
        let whole = match self {
            Self::Doi => 0..linked_end(text),
            _ => 0..text.len(),
        };
        let broken = |range: &Range<usize>| !self.is_one(&text[range.clone()]);
        if self == Self::IbanBare {
            return bare_account(text).filter(broken);
        }
        let numbers = match self {
            Self::Isbn => books(text),
            _ => Vec::new(),
        };
        let found = if numbers.is_empty() {
            Some(whole).filter(broken)?
        } else {
            numbers.into_iter().find(broken)?
        };
        let start = self.begins(text, &found);
        Some(start..found.end)
    }

    /// Where the span of a malformed identifier begins.
    fn begins(self, text: &str, found: &Range<usize>) -> usize {
        let at = match self {
            Self::Isbn => found.start,
            Self::Iban => label_end(text, "iban")
                .map_or(0, |from| from + account(&text[from..]).unwrap_or_default()),
            Self::Issn => digit_after(text, "issn"),
            Self::Doi => digit_after(text, "doi"),
            Self::Arxiv => digit_after(text, "arxiv"),
            Self::Orcid => digit_after(text, "orcid"),
            Self::Luhn | Self::IbanBare => 0,
        };
        let before = &text[..at];
        let marks = |c: char| matches!(c, '*' | '_' | '`' | '"' | '\'' | '|' | '=' | '#' | '\n');
        let other = before.bytes().filter(u8::is_ascii_digit).count() >= LEAST;
        if other || before.contains(marks) || before.contains("](") {
            at
        } else {
            0
        }
    }
}

/// Where the label ends, if the text has it.
pub(super) fn label_end(text: &str, label: &str) -> Option<usize> {
    let at = text.to_ascii_lowercase().find(label)?;
    Some(at + label.len())
}

/// The first digit behind the label; the start if there is none.
fn digit_after(text: &str, label: &str) -> usize {
    let from = label_end(text, label).unwrap_or_default();
    let digit = text[from..].find(|c: char| c.is_ascii_digit());
    digit.map_or(0, |at| from + at)
}

/// Where an account number begins: two letters and two digits.
pub(super) fn account(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    bytes.windows(4).position(|four| {
        four[..2].iter().all(u8::is_ascii_alphabetic) && four[2..].iter().all(u8::is_ascii_digit)
    })
}

/// The last account number of a text, where it is as long as its country's are.
fn bare_account(text: &str) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let begins = |at: &usize| {
        let apart = at
            .checked_sub(1)
            .is_none_or(|before| !bytes[before].is_ascii_alphanumeric());
        apart
            && text
                .get(*at..*at + 4)
                .is_some_and(|head| account(head) == Some(0))
    };
    let start = (0..bytes.len().saturating_sub(3)).rev().find(begins)?;
    let mut left = iban_length(&text[start..])?;
    let mut space = false;
    for (at, c) in text[start..].char_indices() {
        let end = start + at;
        match c {
            _ if c.is_ascii_alphanumeric() && left > 0 => (left, space) = (left - 1, false),
            _ if left == 0 => return (!c.is_ascii_alphanumeric()).then_some(start..end),
            ' ' | '\u{a0}' if !space => space = true,
            _ => return None,
        }
    }
    (left == 0).then_some(start..text.len())
}

/// The end of a link's text without the marks of the sentence around it.
fn linked_end(text: &str) -> usize {
    let mut end = text.len();
    while let Some(last) = text[..end].chars().next_back() {
        let open = match last {
            ')' => '(',
            ']' => '[',
            '}' => '{',
            '.' | ',' | ';' | ':' | '!' | '?' | '*' | '_' | '`' | '|' | '"' | '\'' | '”' | '’' =>
            {
                end -= last.len_utf8();
                continue;
            }
            _ => break,
        };
        let count = |c: char| text[..end].matches(c).count();
        if count(last) <= count(open) {
            break;
        }
        end -= 1;
    }
    end
}

const fn is_joint(c: char) -> bool {
    matches!(
        c,
        ' ' | '\u{a0}' | '-' | '\u{ad}' | '\u{2010}'..='\u{2015}' | '\u{2212}'
    )
}

/// Numbers behind the label that may be meant as a book's; all of the first's length, of the others
/// only those that are as long as one.
fn books(text: &str) -> Vec<Range<usize>> {
    let from = label_end(text, "isbn").unwrap_or_default();
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut at = from;
    while let Some(offset) = text[at..].find(|c: char| c.is_ascii_digit()) {
        let start = at + offset;
        let end = run_end(text, start);
        at = end;
        let run = book(text, start..end);
        let digits = count(&text[run.clone()]);
        if digits >= LEAST && (found.is_empty() || matches!(digits, 10 | 13)) {
            found.push(run);
        }
    }
    found
}

/// The end of a run of digits with single spaces and hyphens between them.
fn run_end(text: &str, start: usize) -> usize {
    let mut end = start;
    let mut joint = false;
    for (at, c) in text[start..].char_indices() {
        if c.is_ascii_digit() || matches!(c, 'x' | 'X') {
            end = start + at + 1;
            joint = false;
        } else if is_joint(c) && !joint {
            joint = true;
        } else {
            break;
        }
    }
    end
}

fn count(text: &str) -> usize {
    let digit = |c: &char| c.is_ascii_digit() || matches!(c, 'x' | 'X');
    text.chars().filter(digit).count()
}

/// The number in a run: without the kind of number before it, and without another number behind it.
fn book(text: &str, run: Range<usize>) -> Range<usize> {
    let mut start = run.start;
    for tag in ["10", "13"] {
        let rest = text[run.clone()].strip_prefix(tag);
        let rest = rest.and_then(|rest| rest.strip_prefix([' ', '\u{a0}']));
        if let Some(rest) = rest.filter(|rest| count(rest) > LEAST) {
            start = run.end - rest.len();
        }
    }
    let number = &text[start..run.end];
    if Check::Isbn.is_one(number) {
        return start..run.end;
    }
    let ends = number.match_indices(' ').map(|(at, _)| at);
    let cut = ends.clone().find(|at| Check::Isbn.is_one(&number[..*at]));
    // "0-306-40615-3 350 pages", "9783161484101 12".
    let apart = || {
        let first = ends.clone().next()?;
        let joined = number[..first].contains(|c: char| is_joint(c));
        (joined || matches!(count(&number[..first]), 10 | 13)).then_some(first)
    };
    let end = cut.or_else(apart).map_or(run.end, |at| start + at);
    start..end
}
