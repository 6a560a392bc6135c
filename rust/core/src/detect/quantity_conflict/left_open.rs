//! What the words beside a number of the evidence leave open.

use crate::claims::{Led, Reached};
use crate::evidence::{Conflict, EvidenceSet};
use crate::kb::{Loose, loose};
use crate::segment;
use crate::types::{QuantityKind, Span};

/// Words before a number that may leave it open, at most.
const BEFORE: usize = 3;

/// The conflict with the words that leave the evidence's number open ("over 250", "2 to 4 hours"),
/// and what they leave open, if any do.
pub(super) fn left_open(
    mut conflict: Conflict,
    evidence: &EvidenceSet,
) -> (Conflict, Option<Loose>) {
    let passage = evidence.passages().get(conflict.passage);
    let text = passage.map_or("", |passage| passage.text());
    let before = text.get(conflict.sentence.start..conflict.span.start);
    let mut starts: Vec<usize> = Vec::new();
    let mut after_space = true;
    for (at, c) in before.unwrap_or("").char_indices() {
        if after_space && !c.is_whitespace() {
            starts.push(conflict.sentence.start + at);
        }
        after_space = c.is_whitespace();
    }
    let mut starts = &starts[starts.len().saturating_sub(BEFORE)..];
    // "by 12 to 214", "from 200 to 260": 12 and 200 are no ends of what is left open.
    let level = passage.is_some_and(|passage| {
        let all = &passage.data().quantities;
        let at = all
            .iter()
            .position(|own| own.quantity.span == conflict.span);
        let led = |at: usize| all.get(at).and_then(|own| own.context.led);
        let pair = |at: usize| led(at) == Some(Led::From) && led(at + 1) == Some(Led::To);
        at.is_some_and(|at| all[at].reached != Reached::Range || pair(at) || at > 0 && pair(at - 1))
    });
    if level {
        starts = &[];
    }
    // "3 to 5 working days": an adjective leaves the lower end by itself.
    if let Some(end) = upper_end(text, conflict.span).filter(|_| !level) {
        conflict.span.end = end;
        text.get(conflict.span.start..end)
            .unwrap_or("")
            .clone_into(&mut conflict.text);
    }
    let phrase = |start: &usize| {
        let span = Span::new(*start, conflict.span.end);
        let words = text.get(span.start..span.end)?;
        Some((span, words.to_owned(), loose(words)?))
    };
    let whole = [conflict.span.start];
    let found = starts.iter().chain(&whole).find_map(phrase);
    let Some((span, words, open)) = found else {
        return (conflict, None);
    };
    conflict.span = span;
    conflict.text = words;
    (conflict, Some(open))
}

/// Where the number ends to which that at `low` is the lower end ("3 to 5"), if it is one.
fn upper_end(text: &str, low: Span) -> Option<usize> {
    let behind = text.get(low.end..)?;
    let joints = [" to ", " or ", "–", "-", " – ", " - "];
    let rest = joints.iter().find_map(|joint| behind.strip_prefix(joint))?;
    let at = text.len() - rest.len();
    let own = segment::quantities(rest.get(..rest.len().min(UPPER)).unwrap_or(rest));
    let number = own.first().filter(|q| q.span.start == 0)?;
    let plain = matches!(number.kind, QuantityKind::Cardinal | QuantityKind::Measure);
    let end = at + number.span.end;
    (plain && loose(text.get(low.start..end)?).is_some()).then_some(end)
}

/// Bytes in which the upper end of a range stands.
const UPPER: usize = 24;
