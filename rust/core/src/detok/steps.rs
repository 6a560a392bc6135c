//! Decoder steps that see the joined text instead of single tokens, as byte transducers.
//!
//! A `tokenizers` decoder may fuse all tokens and then replace or strip; on a stream each such
//! step holds back only the bytes that could still belong to its pattern.

use serde::{Deserialize, Serialize};

/// Most steps a stream can carry.
pub(super) const MAX_STEPS: usize = 4;
/// Longest pattern and highest strip count, so that a step's state stays two small numbers.
pub(super) const MAX_PATTERN: usize = 1024;

/// One step over the joined text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Step {
    /// Drops up to `count` occurrences of `content` from the front.
    StripStart { content: Vec<u8>, count: u16 },
    /// Drops up to `count` occurrences of `content` from the end.
    StripStop { content: Vec<u8>, count: u16 },
    /// Leftmost, non-overlapping replacement of `from`.
    Replace {
        from: Vec<u8>,
        to: Vec<u8>,
        fail: Vec<u16>,
    },
}

/// Where a stream stands in one step: bytes of the pattern seen, occurrences counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct StepState {
    seen: u16,
    count: u16,
}

const DONE: u16 = u16::MAX;

type Emit<'a> = &'a mut dyn FnMut(&[u8]);

impl Step {
    /// A replacement step with its failure table (Knuth, Morris and Pratt).
    pub(super) fn replace(from: &str, to: &str) -> Self {
        let pattern = from.as_bytes();
        let mut fail = vec![0u16; pattern.len()];
        let mut k = 0usize;
        for i in 1..pattern.len() {
            while k > 0 && pattern[k] != pattern[i] {
                k = fail[k - 1] as usize;
            }
            if pattern[k] == pattern[i] {
                k += 1;
            }
            fail[i] = k as u16;
        }
        Self::Replace {
            from: pattern.to_vec(),
            to: to.as_bytes().to_vec(),
            fail,
        }
    }

    /// Whether the step is within its limits; read data must be checked before it runs.
    pub(super) fn is_sound(&self) -> bool {
        match self {
            Self::StripStart { content, count } | Self::StripStop { content, count } => {
                !content.is_empty() && content.len() <= 4 && *count as usize <= MAX_PATTERN
            }
            Self::Replace { from, fail, .. } => {
                !from.is_empty()
                    && from.len() <= MAX_PATTERN
                    && fail.len() == from.len()
                    && fail.iter().enumerate().all(|(i, &f)| f as usize <= i)
            }
        }
    }

    /// Whether the step will copy everything from now on.
    fn is_inert(&self, state: StepState) -> bool {
        match self {
            Self::StripStart { count, .. } => state.count >= *count,
            Self::StripStop { count, .. } => *count == 0,
            Self::Replace { .. } => false,
        }
    }

    fn push(&self, state: &mut StepState, bytes: &[u8], emit: Emit<'_>) {
        match self {
            Self::StripStart { content, count } => {
                for (i, &byte) in bytes.iter().enumerate() {
                    if state.count >= *count {
                        state.count = DONE;
                        return emit(&bytes[i..]);
                    }
                    if byte == content[state.seen as usize] {
                        state.seen += 1;
                        if state.seen as usize == content.len() {
                            *state = StepState {
                                seen: 0,
                                count: state.count + 1,
                            };
                        }
                    } else {
                        emit(&content[..state.seen as usize]);
                        *state = StepState {
                            seen: 0,
                            count: DONE,
                        };
                        return emit(&bytes[i..]);
                    }
                }
            }
            Self::StripStop { content, count } => {
                for &byte in bytes {
                    if byte == content[state.seen as usize] {
                        state.seen += 1;
                        if state.seen as usize == content.len() {
                            state.seen = 0;
                            if state.count == *count {
                                emit(content);
                            } else {
                                state.count += 1;
                            }
                        }
                    } else {
                        self.release(state, emit);
                        if byte == content[0] && content.len() > 1 {
                            state.seen = 1;
                        } else {
                            emit(&[byte]);
                        }
                    }
                }
            }
            Self::Replace { from, to, fail } => {
                for &byte in bytes {
                    while state.seen > 0 && from[state.seen as usize] != byte {
                        let next = fail[state.seen as usize - 1];
                        emit(&from[..(state.seen - next) as usize]);
                        state.seen = next;
                    }
                    if from[state.seen as usize] != byte {
                        emit(&[byte]);
                        continue;
                    }
                    state.seen += 1;
                    if state.seen as usize == from.len() {
                        emit(to);
                        state.seen = 0;
                    }
                }
            }
        }
    }

    /// Gives out what is held, as if a byte followed that continues nothing.
    fn release(&self, state: &mut StepState, emit: Emit<'_>) {
        match self {
            Self::StripStart { content, .. } => {
                emit(&content[..state.seen as usize]);
                *state = StepState {
                    seen: 0,
                    count: DONE,
                };
            }
            Self::StripStop { content, .. } => {
                for _ in 0..state.count {
                    emit(content);
                }
                emit(&content[..state.seen as usize]);
                *state = StepState::default();
            }
            Self::Replace { from, .. } => {
                emit(&from[..state.seen as usize]);
                state.seen = 0;
            }
        }
    }

    /// Ends the text: what is held and not stripped is given out.
    fn finish(&self, state: &mut StepState, emit: Emit<'_>) {
        if let Self::StripStop { .. } = self {
            state.count = 0;
        }
        self.release(state, emit);
    }
}

/// Whether every step copies everything from now on.
pub(super) fn inert(steps: &[Step], states: &[StepState]) -> bool {
    steps
        .iter()
        .zip(states)
        .all(|(step, state)| step.is_inert(*state))
}

/// Runs `bytes` through the steps and appends what comes out.
pub(super) fn feed(steps: &[Step], states: &mut [StepState], bytes: &[u8], out: &mut Vec<u8>) {
    match (steps.split_first(), states.split_first_mut()) {
        (Some((step, steps)), Some((state, states))) => {
            step.push(state, bytes, &mut |piece| feed(steps, states, piece, out));
        }
        _ => out.extend_from_slice(bytes),
    }
}

/// Gives out what the steps hold: at the end of the text, or (`last` false) because bytes follow
/// that bypass the steps.
pub(super) fn flush(steps: &[Step], states: &mut [StepState], last: bool, out: &mut Vec<u8>) {
    let (mut steps, mut states) = (steps, states);
    while let (Some((step, later)), Some((state, later_states))) =
        (steps.split_first(), states.split_first_mut())
    {
        let emit: Emit<'_> = &mut |piece| feed(later, later_states, piece, out);
        if last {
            step.finish(state, emit);
        } else {
            step.release(state, emit);
        }
        (steps, states) = (later, later_states);
    }
}
