//! A bracket that may be a link's label: `[source]` is one where a line `[source]: …` says what it
//! stands for, and that line comes behind it. Until then nothing is said of it, as far as `REACH`.

use super::Session;
use crate::types::{Finding, LexKind, Lexeme};

/// Longest label that is looked at, bytes.
const LABEL: usize = 64;
/// Bytes behind a bracket within which such a line may begin: as long is its sentence held back.
const REACH: usize = 480;
/// Labels that are remembered, and brackets that wait; of more nothing is said.
const MOST: usize = 32;

/// Labels of one text.
#[derive(Debug, Clone, Default)]
pub(super) struct Labels {
    defined: Vec<Box<str>>,
    waiting: Vec<(Box<str>, Finding)>,
}

impl Labels {
    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        let defined = self.defined.iter().map(|label| label.len());
        let waiting = self.waiting.iter();
        let waiting =
            waiting.map(|(label, found)| label.len() + super::memory::finding_heap(found));
        size_of::<Self>()
            + self.defined.capacity() * size_of::<Box<str>>()
            + self.waiting.capacity() * size_of::<(Box<str>, Finding)>()
            + defined.chain(waiting).sum::<usize>()
    }
}

impl Session {
    /// Keeps what was found at a bracket until a line may have defined it; gives it back where it
    /// is no label.
    pub(super) fn label_waits(&mut self, finding: Finding) -> Option<Finding> {
        // What was forced is known by its sentence's end alone.
        if finding.span.is_some_and(|span| self.state.is_forced(span)) {
            return None;
        }
        let label = finding.text.strip_prefix('[');
        let label = label.and_then(|text| text.strip_suffix(']'));
        let Some(label) = label.filter(|text| !text.contains([' ', '[']) && text.len() <= LABEL)
        else {
            return Some(finding);
        };
        let label: Box<str> = label.to_lowercase().into();
        let labels = self.state.labels.get_or_insert_default();
        if !labels.defined.contains(&label) && labels.waiting.len() < MOST {
            labels.waiting.push((label, finding));
        }
        None
    }

    /// Start of the first bracket that waits for what it stands for.
    pub(super) fn open_label(&self) -> Option<usize> {
        let (_, finding) = self.state.labels.as_ref()?.waiting.first()?;
        finding.span.map(|span| span.start)
    }

    /// A lexeme came: brackets too far before it stand for nothing.
    pub(super) fn labels_hear(&mut self, lexeme: Lexeme) {
        let far = |from: usize| lexeme.span.start > from + REACH;
        if self.open_label().is_some_and(far) {
            let labels = self.state.labels.get_or_insert_default();
            let waits = |(_, finding): &(Box<str>, Finding)| {
                !finding.span.is_some_and(|span| far(span.start))
            };
            let waiting = std::mem::take(&mut labels.waiting);
            let (rest, over) = waiting.into_iter().partition(waits);
            labels.waiting = rest;
            self.stand_for_nothing(over, lexeme.decided_at);
        }
        self.label_defined(lexeme);
    }

    fn stand_for_nothing(&mut self, labels: Vec<(Box<str>, Finding)>, decided_at: usize) {
        for (_, mut finding) in labels {
            finding.decided_at = decided_at;
            self.emit(finding);
        }
    }

    /// A colon behind a bracket that begins a line says what the bracket stands for.
    fn label_defined(&mut self, lexeme: Lexeme) {
        if lexeme.kind != LexKind::Punct || self.text.get(lexeme.span) != ":" {
            return;
        }
        let before = self.text.before(lexeme.span.start, LABEL + 8);
        let line = before.rsplit('\n').next().unwrap_or(before);
        let line = line.trim_start_matches([' ', '>', '-', '*']);
        let label = line.strip_prefix('[');
        let label = label.and_then(|text| text.strip_suffix(']'));
        let Some(label) = label.filter(|text| !text.is_empty() && !text.contains([' ', '[', ']']))
        else {
            return;
        };
        let label: Box<str> = label.to_lowercase().into();
        let labels = self.state.labels.get_or_insert_default();
        labels.waiting.retain(|(own, _)| *own != label);
        if labels.defined.len() < MOST && !labels.defined.contains(&label) {
            labels.defined.push(label);
        }
    }

    /// The text has ended: what was not defined stands for nothing.
    pub(super) fn labels_stand(&mut self, decided_at: usize) {
        let Some(labels) = self.state.labels.take() else {
            return;
        };
        self.stand_for_nothing(labels.waiting, decided_at);
    }
}
