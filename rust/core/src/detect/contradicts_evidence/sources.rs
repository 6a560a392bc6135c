//! The sentences of the sources, each as a detector reads it.

use std::ops::Deref;
use std::sync::Arc;

use crate::claims::SentenceView;
use crate::detect::how_often::Otherwise;
use crate::evidence::{EvidenceSet, Passage, Readings};
use crate::types::Span;

/// A sentence of a source.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) passage: &'a Passage,
    pub(super) span: Span,
    text: &'a str,
}

impl<'a> Source<'a> {
    /// Its words at `own` in place of the sentence's at `said`; both are counted from where their sentences begin.
    pub(super) fn instead(
        &self,
        view: &SentenceView<'_>,
        said: Span,
        own: Span,
    ) -> Option<Otherwise<'a>> {
        let base = view.sentence.span.start;
        Some(Otherwise {
            span: Span::new(base + said.start, base + said.end),
            text: self.text.get(own.start..own.end)?.to_owned(),
            fits: true,
            passage: self.passage,
            sentence: self.span,
        })
    }

    /// Where it stands.
    pub(super) fn place(&self) -> (&'a Passage, Span) {
        (self.passage, self.span)
    }
}

/// What is read of a sentence of a source.
pub(super) struct Told<T> {
    all: Arc<Readings<T>>,
    at: usize,
}

impl<T> Deref for Told<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.all.0[self.at].1
    }
}

/// The sentences of which something is read, with that: each is read once a passage.
pub(super) fn sources<'a, T, R>(
    evidence: &'a EvidenceSet,
    read: R,
) -> impl Iterator<Item = (Source<'a>, Told<T>)>
where
    T: Send + Sync + 'static,
    R: Fn(&str) -> Option<T> + Copy + 'a,
{
    evidence.passages().iter().flat_map(move |passage| {
        let all = passage.data().readings(read);
        (0..all.0.len()).filter_map(move |at| {
            let (span, text) = passage.data().sentence(all.0[at].0)?;
            let source = Source {
                passage,
                span,
                text,
            };
            let all = Arc::clone(&all);
            Some((source, Told { all, at }))
        })
    })
}
