//! From rows of logits to numbers, and from numbers to the budgets.

use super::record::Item;
use super::{Push, Session};
use crate::detect;
use crate::error::{Error, Result};
use crate::logits::{CONFIDENCE_TOP, Query, Row};
use crate::types::{Signals, Span, TokenId};

/// A row that was seen before its token is known: its own copy, since the engine reuses it.
#[derive(Debug, Clone)]
pub(super) struct Observed {
    row: Copied,
    prior: Option<Copied>,
}

#[derive(Debug, Clone)]
enum Copied {
    F32(Vec<f32>),
    F16(Vec<u16>),
    Bf16(Vec<u16>),
}

impl Copied {
    fn of(row: Row<'_>) -> Self {
        match row {
            Row::F32(x) => Self::F32(x.to_vec()),
            Row::F16(x) => Self::F16(x.to_vec()),
            Row::Bf16(x) => Self::Bf16(x.to_vec()),
        }
    }

    fn row(&self) -> Row<'_> {
        match self {
            Self::F32(x) => Row::F32(x),
            Self::F16(x) => Row::F16(x),
            Self::Bf16(x) => Row::Bf16(x),
        }
    }
}

impl Observed {
    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        let bytes = |row: &Copied| match row {
            Copied::F32(x) => x.capacity() * size_of::<f32>(),
            Copied::F16(x) | Copied::Bf16(x) => x.capacity() * size_of::<u16>(),
        };
        bytes(&self.row) + self.prior.as_ref().map_or(0, bytes)
    }

    pub(super) fn of(row: Row<'_>, prior: Option<Row<'_>>) -> Self {
        Self {
            row: Copied::of(row),
            prior: prior.map(Copied::of),
        }
    }
}

impl Session {
    /// The numbers of a push: from its rows, from the observed row, or as given. Forced text
    /// carries none.
    pub(super) fn reduce(
        &mut self,
        id: Option<TokenId>,
        with: Push<'_>,
    ) -> Result<Option<Box<Signals>>> {
        let given = with.logits.is_some() || with.prior_logits.is_some() || with.signals.is_some();
        if !given && self.observed.is_none() {
            return Ok(None);
        }
        let observed = self.observed.take();
        if with.forced {
            return Ok(None);
        }
        let held = observed.as_ref();
        let row = with.logits.or_else(|| held.map(|o| o.row.row()));
        let prior = with.prior_logits.or_else(|| {
            held.filter(|_| with.logits.is_none())
                .and_then(|o| o.prior.as_ref())
                .map(Copied::row)
        });
        let result = match (row, with.signals) {
            (Some(row), _) => {
                let query = Query {
                    row,
                    prior,
                    sampled: id,
                };
                query
                    .stats(CONFIDENCE_TOP)
                    .map(|stats| Some(stats.signals()))
            }
            (None, _) if prior.is_some() => Err(Error::argument(
                "prior_logits says what the evidence changed, so it needs logits beside it",
            )),
            (None, signals) => Ok(signals),
        };
        if result.is_err() {
            // A refused push changes nothing, the observed row included.
            self.observed = observed;
        }
        Ok(result?.map(Box::new))
    }

    /// Adds a token's numbers to the open claim and the stream.
    pub(super) fn account(&mut self, signals: Option<&Signals>, text: Span) {
        let Some(mut signals) = signals.copied() else {
            self.last_signals = None;
            return;
        };
        if signals.invalid {
            self.state.counts.invalid_rows += 1;
        }
        if let Some(confidence) = signals.confidence {
            signals.group_confidence = self.group.push(confidence);
        }
        if let (Some(logprob), Some(prior)) = (signals.logprob, signals.prior_logprob) {
            let kl = signals.kl_bits.unwrap_or(0.0);
            let content = self.is_content(text);
            self.state.claim_budget.push(logprob, prior, kl, content);
            self.state.stream_budget.push(logprob, prior, kl);
        }
        match &mut self.last_signals {
            Some(last) => **last = signals,
            none => *none = Some(Box::new(signals)),
        }
        self.judge_confidence(&signals, text.end);
    }

    /// A finding when group confidence falls below the bar, once each time it falls.
    fn judge_confidence(&mut self, signals: &Signals, end: usize) {
        let bar = self.monitor.settings().group_confidence_bar;
        let (Some(bar), Some(mean)) = (bar, signals.group_confidence) else {
            return;
        };
        let low = mean < bar;
        if low && !self.state.confidence_low {
            let start = self.state.open_sentence().unwrap_or(end);
            let span = Span::new(start.min(end), end);
            let text = self.text.get(span).to_owned();
            self.emit(detect::low_confidence(mean, bar, span, &text, end));
        }
        self.state.confidence_low = low;
    }

    /// Whether a token carries content: a letter or digit, and not only a function word.
    pub(super) fn is_content(&self, text: Span) -> bool {
        let word = self.text.get(text).trim();
        if !word.chars().any(char::is_alphanumeric) {
            return false;
        }
        let mut folded = String::with_capacity(word.len());
        crate::normal::fold(word, &mut folded);
        !crate::lexicon::words::class(&folded).has(crate::lexicon::words::WordClass::STOPWORD)
    }

    /// The confidence window after a rollback, from the pushes that are left.
    pub(super) fn rebuild_group(&mut self) {
        self.group = self.monitor.new_group();
        let window = self.group.window();
        let recent: Vec<f64> = self
            .items
            .iter()
            .rev()
            .filter_map(|item| match item {
                Item::Push(record) => record.signals.as_ref()?.confidence,
                Item::Other(_) => None,
            })
            .take(window)
            .collect();
        for confidence in recent.into_iter().rev() {
            self.group.push(confidence);
        }
    }
}
