//! What a stream takes up, part by part.

use serde_json::{Map, Value};

use super::record::{Event, Input, Item};
use super::{Checkpoint, Entry, Session, State};
use crate::types::{Claim, Finding, Resolution, Signals};

/// Bytes a stream holds, its heap included; what streams share (rules, names, evidence, the
/// context) is not counted. Allocated, not only used: what a vector has room for counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Memory {
    /// The retained text, and the way from its bytes to code points.
    pub text: usize,
    /// What is kept of each push and of what came between pushes.
    pub pushes: usize,
    /// The window of the group confidence and a row that waits for its token.
    pub signals: usize,
    /// Places a rollback restores.
    pub checkpoints: usize,
    /// Findings, claims, sentences and mentions.
    pub log: usize,
    /// Everything else: the scanners, the open sentence, totals and buffers.
    pub state: usize,
}

impl Memory {
    /// All of it.
    #[must_use]
    pub const fn total(&self) -> usize {
        self.text + self.pushes + self.signals + self.checkpoints + self.log + self.state
    }
}

impl Session {
    /// Bytes this stream holds.
    #[must_use]
    pub fn memory(&self) -> Memory {
        let items = self.items.iter().map(item_heap).sum::<usize>();
        let points = self
            .checkpoints
            .iter()
            .map(|point| size_of::<State>() + point.state.heap_bytes())
            .sum::<usize>();
        Memory {
            text: self.text.bytes_used(),
            pushes: self.items.capacity() * size_of::<Item>() + items,
            signals: self.group.heap_bytes()
                + self.observed.as_ref().map_or(0, |seen| seen.heap_bytes()),
            checkpoints: self.checkpoints.capacity() * size_of::<Checkpoint>() + points,
            log: self.log.heap_bytes(),
            state: size_of::<Self>()
                + self.state.heap_bytes()
                + self.state.recent_bytes(&self.log)
                + self
                    .last_signals
                    .as_ref()
                    .map_or(0, |_| size_of::<Signals>()),
        }
    }
}

fn item_heap(item: &Item) -> usize {
    match item {
        Item::Push(record) => {
            let bytes = match &record.input {
                Input::Long(_) => {
                    record.input.bytes().map_or(0, <[u8]>::len) + size_of::<usize>() * 2
                }
                _ => 0,
            };
            bytes + record.signals.as_ref().map_or(0, |_| size_of::<Signals>())
        }
        Item::Other(event) => size_of::<Event>() + event_heap(event),
    }
}

fn event_heap(event: &Event) -> usize {
    match event {
        Event::Bytes { bytes, .. } => bytes.capacity(),
        Event::Evidence { id, text } => id.capacity() + text.capacity(),
        Event::Expect { claim_id } => claim_id.capacity(),
        Event::Resolve { claim_id, verdict } => claim_id.capacity() + verdict.reason.capacity(),
        Event::Report { claim_id, findings } => {
            optional(claim_id.as_ref())
                + findings.capacity() * size_of::<Finding>()
                + findings.iter().map(finding_heap).sum::<usize>()
        }
        Event::Opened { digest, .. } => digest.capacity(),
        Event::Reference { .. } | Event::Token { .. } | Event::Cut | Event::Finish => 0,
    }
}

/// Heap of one entry of the log.
pub(super) fn entry_heap(entry: &Entry) -> usize {
    match entry {
        Entry::Finding { finding, .. } => size_of::<Finding>() + finding_heap(finding),
        Entry::Claim { claim, .. } => size_of::<Claim>() + claim_heap(claim),
        Entry::Sentence { .. } => 0,
        Entry::Mention { mention } => match &mention.resolution {
            Resolution::Known(ids) => ids.capacity() * size_of::<u32>(),
            Resolution::NearMiss(near) => near.capacity() * size_of::<(u32, u8)>(),
            Resolution::Common | Resolution::Unknown => 0,
        },
        Entry::Revision {
            claim_id, reason, ..
        } => claim_id.capacity() + reason.capacity(),
    }
}

fn optional(text: Option<&String>) -> usize {
    text.map_or(0, String::capacity)
}

fn claim_heap(claim: &Claim) -> usize {
    let citations: usize = claim
        .citations
        .iter()
        .map(|mark| {
            mark.raw.capacity()
                + optional(mark.key.as_ref())
                + optional(mark.doi.as_ref())
                + mark
                    .authors
                    .iter()
                    .map(|author| size_of::<String>() + author.capacity())
                    .sum::<usize>()
        })
        .sum();
    let texts = [&claim.subject, &claim.predicate, &claim.object];
    let referents = claim.referent.iter().chain(&claim.object_referent);
    claim.id.capacity()
        + claim.content.capacity()
        + referents
            .map(|r| r.name.capacity() + size_of_val(r.entities.as_slice()))
            .sum::<usize>()
        + texts
            .map(|text| optional(text.as_ref()))
            .iter()
            .sum::<usize>()
        + size_of_val(claim.quantities.as_slice())
        + size_of_val(claim.dates.as_slice())
        + size_of_val(claim.signals.as_slice())
        + size_of_val(claim.citations.as_slice())
        + citations
}

pub(super) fn finding_heap(finding: &Finding) -> usize {
    let texts = [
        &finding.id,
        &finding.system,
        &finding.kind,
        &finding.rule,
        &finding.text,
        &finding.native_severity,
        &finding.content,
        &finding.message.template,
    ];
    let options = [
        &finding.locator,
        &finding.claim_id,
        &finding.suggestion,
        &finding.replacement,
    ];
    let params: usize = finding
        .message
        .params
        .iter()
        .map(|param| size_of_val(param) + param.name.capacity() + param.value.capacity())
        .sum();
    let evidence: usize = finding
        .evidence
        .iter()
        .map(|piece| {
            size_of_val(piece)
                + optional(piece.source.as_ref())
                + optional(piece.locator.as_ref())
                + piece.text.capacity()
                + value_heap(&piece.data)
        })
        .sum();
    texts.map(String::capacity).iter().sum::<usize>()
        + options
            .map(|text| optional(text.as_ref()))
            .iter()
            .sum::<usize>()
        + size_of_val(finding.spans.as_slice())
        + params
        + evidence
        + value_heap(&finding.detected)
        + value_heap(&finding.expected)
        + map_heap(&finding.extra)
}

fn map_heap(map: &Map<String, Value>) -> usize {
    map.iter()
        .map(|(key, value)| {
            size_of::<String>() + size_of::<Value>() + key.capacity() + value_heap(value)
        })
        .sum()
}

fn value_heap(value: &Value) -> usize {
    match value {
        Value::String(text) => text.capacity(),
        Value::Array(list) => {
            list.capacity() * size_of::<Value>() + list.iter().map(value_heap).sum::<usize>()
        }
        Value::Object(map) => map_heap(map),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}
