//! The id → bytes table of a tokenizer and the walk over it.

use std::sync::Arc;

use super::chain::Chain;
use super::json;
use super::steps::{self, MAX_STEPS, Step, StepState};
use super::table::{Arena, BLOCK, Entry, Table, Tail, check_id};
use super::utf8::Utf8State;
use crate::error::{Category, Error, Result};
use crate::types::TokenId;

/// What each token id of a model gives as bytes. Immutable and shared: cloning is one count.
///
/// Tokens that depend on their neighbours (a leading space that is stripped at the start, a space
/// that only stands between words) are read through [`Vocab::push`] with a [`DetokState`].
#[derive(Debug, Clone)]
pub struct Vocab(pub(super) Arc<Inner>);

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Inner {
    pub(super) arena: Box<[u8]>,
    pub(super) rest: Table,
    /// What the first token of a sequence gives, where that differs.
    pub(super) first: Option<Table>,
    pub(super) tails: Vec<Tail>,
    pub(super) steps: Vec<Step>,
    pub(super) known: usize,
}

/// What a stream remembers between two tokens of one [`Vocab`]; never mix tables in a stream.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DetokState {
    /// Every later token is a plain copy, unless its entry says otherwise.
    settled: bool,
    started: bool,
    /// 1 + the tail that waits for the next token, 0 for none.
    tail: u32,
    steps: [StepState; MAX_STEPS],
}

impl Vocab {
    /// The table of a `tokenizers` JSON file (the content of a `tokenizer.json`).
    ///
    /// Model pieces and added tokens are read by id; the decoder (ByteLevel, Metaspace,
    /// ByteFallback, Fuse, Strip, Replace, WordPiece, BPEDecoder, Sequence, or none) is compiled
    /// into the table. A run of fallback bytes gives those bytes; what is not UTF-8 in it is
    /// replaced by [`Utf8State`] as Python's `decode` would.
    ///
    /// # Errors
    /// `Format` if the JSON is broken or no tokenizer; `Argument` if its decoder is not supported
    /// (named) or an id is above [`MAX_TOKEN_ID`](super::MAX_TOKEN_ID).
    pub fn from_tokenizer_json(json: impl AsRef<[u8]>) -> Result<Self> {
        let file = json::read(json.as_ref())?;
        let chain = Chain::compile(file.decoder.as_ref())?;
        let added = file.added_tokens.unwrap_or_default();
        let pieces = file.model.vocab.0;
        let ids = pieces
            .iter()
            .map(|(_, id)| *id)
            .chain(added.iter().map(|token| token.id));
        let mut len = 0;
        for id in ids {
            len = len.max(check_id(id)? + 1);
        }
        let mut tokens: Vec<Option<(&str, bool)>> = vec![None; len];
        for (piece, id) in &pieces {
            tokens[*id as usize] = Some((piece, false));
        }
        for token in &added {
            tokens[token.id as usize] = Some((&token.content, token.special));
        }

        let mut arena = Arena::default();
        let ends = chain.last_differs();
        let mut rest = Table::with_len(len, ends);
        let mut first = chain.first_differs().then(|| Table::with_len(len, ends));
        for (id, token) in tokens.iter().enumerate() {
            let Some((content, special)) = *token else {
                continue;
            };
            if special {
                let entry = arena.special(content.as_bytes())?;
                rest.entries[id] = entry;
                if let Some(first) = &mut first {
                    first.entries[id] = entry;
                }
                continue;
            }
            for (table, is_first) in [(Some(&mut rest), false), (first.as_mut(), true)] {
                let Some(table) = table else { continue };
                let followed = chain.render(content, is_first, false);
                if !ends {
                    table.entries[id] = arena.store(&followed)?;
                    continue;
                }
                let last = chain.render(content, is_first, true);
                (table.entries[id], table.tail_of[id]) = arena.fork(&followed, &last)?;
            }
        }
        let known = tokens.iter().flatten().count();
        let (arena, tails) = arena.finish();
        Ok(Self(Arc::new(Inner {
            arena,
            rest,
            first,
            tails,
            steps: chain.joined,
            known,
        })))
    }

    /// A table of plain entries: id, bytes, whether the token is special (gives no bytes).
    /// Ids may come in any order and leave holes.
    ///
    /// # Errors
    /// `Argument` if an id comes twice or is above [`MAX_TOKEN_ID`](super::MAX_TOKEN_ID).
    pub fn from_entries(entries: Vec<(TokenId, Vec<u8>, bool)>) -> Result<Self> {
        let mut len = 0;
        for (id, ..) in &entries {
            len = len.max(check_id(*id)? + 1);
        }
        let mut arena = Arena::default();
        let mut rest = Table::with_len(len, false);
        for (id, bytes, special) in &entries {
            let entry = &mut rest.entries[*id as usize];
            if !entry.is_hole() {
                return Err(Error::argument(format!("token id {id} is given twice")));
            }
            *entry = if *special {
                arena.special(bytes)?
            } else {
                arena.store(bytes)?
            };
        }
        let (arena, tails) = arena.finish();
        let known = entries.len();
        let inner = Inner {
            arena,
            rest,
            first: None,
            tails,
            steps: Vec::new(),
            known,
        };
        Ok(Self(Arc::new(inner)))
    }

    /// One more than the highest id.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.rest.entries.len()
    }

    /// Whether the table has no token.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.rest.entries.is_empty()
    }

    /// Tokens the table has; ids below [`Vocab::len`] without a token are not counted.
    #[must_use]
    pub fn known(&self) -> usize {
        self.0.known
    }

    /// The bytes a token gives within a sequence, neither first nor last; empty for a special one.
    ///
    /// # Errors
    /// `UnknownToken` if the table has no token of that id.
    pub fn bytes(&self, id: TokenId) -> Result<&[u8]> {
        let entry = self.entry(id)?;
        Ok(if entry.is_special() {
            &[]
        } else {
            self.0.slice(entry)
        })
    }

    /// The content of a special token (`<|im_end|>`), `None` for any other.
    ///
    /// # Errors
    /// `UnknownToken` if the table has no token of that id.
    pub fn special_content(&self, id: TokenId) -> Result<Option<&[u8]>> {
        let entry = self.entry(id)?;
        Ok(entry.is_special().then(|| self.0.slice(entry)))
    }

    /// Whether the token is special and so gives no bytes; `false` for an unknown id.
    #[must_use]
    pub fn is_special(&self, id: TokenId) -> bool {
        self.entry(id).is_ok_and(Entry::is_special)
    }

    /// Whether the table has a token of that id.
    #[must_use]
    pub fn contains(&self, id: TokenId) -> bool {
        self.entry(id).is_ok()
    }

    /// Appends the bytes of the next token to `out`.
    ///
    /// # Errors
    /// `UnknownToken` if the table has no token of that id; `state` and `out` are unchanged.
    #[inline]
    pub fn push(&self, state: &mut DetokState, id: TokenId, out: &mut Vec<u8>) -> Result<()> {
        let inner = &*self.0;
        match inner.rest.entries.get(id as usize) {
            Some(entry) if entry.is_plain() && (state.settled || inner.is_plain()) => {
                inner.copy(*entry, out);
                Ok(())
            }
            _ => self.push_slow(state, id, out),
        }
    }

    /// Appends the bytes of several tokens, all or none.
    ///
    /// # Errors
    /// `UnknownToken` if the table lacks one of the ids; `state` and `out` are unchanged.
    pub fn push_all(
        &self,
        state: &mut DetokState,
        ids: &[TokenId],
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let (before, len) = (state.clone(), out.len());
        for &id in ids {
            if let Err(error) = self.push(state, id, out) {
                *state = before;
                out.truncate(len);
                return Err(error);
            }
        }
        Ok(())
    }

    /// Ends the sequence: appends what only the end decides. The state is fresh again.
    pub fn finish(&self, state: &mut DetokState, out: &mut Vec<u8>) {
        let inner = &*self.0;
        if let Some(tail) = inner.tail(state.tail) {
            steps::feed(&inner.steps, &mut state.steps, &tail.last, out);
        }
        steps::flush(&inner.steps, &mut state.steps, true, out);
        *state = DetokState::default();
    }

    /// Tells the state that bytes follow which do not come from tokens: appends what waits, and
    /// nothing at the start of later tokens is stripped any more.
    pub fn interrupt(&self, state: &mut DetokState, out: &mut Vec<u8>) {
        let inner = &*self.0;
        inner.release_tail(state, out);
        steps::flush(&inner.steps, &mut state.steps, false, out);
        state.started = true;
        state.settled = steps::inert(&inner.steps, &state.steps);
    }

    /// The text of a whole sequence, replacement characters included.
    ///
    /// # Errors
    /// `UnknownToken` if the table lacks one of the ids.
    pub fn decode(&self, ids: &[TokenId]) -> Result<String> {
        let (mut state, mut bytes) = (DetokState::default(), Vec::with_capacity(ids.len() * 4));
        self.push_all(&mut state, ids, &mut bytes)?;
        self.finish(&mut state, &mut bytes);
        Ok(String::from_utf8(bytes).unwrap_or_else(|error| {
            let (mut utf8, mut text) = (Utf8State::default(), String::new());
            utf8.push(error.as_bytes(), &mut text);
            utf8.finish(&mut text);
            text
        }))
    }

    fn entry(&self, id: TokenId) -> Result<Entry> {
        match self.0.rest.entries.get(id as usize) {
            Some(entry) if !entry.is_hole() => Ok(*entry),
            _ => Err(unknown(id, self.len())),
        }
    }

    #[cold]
    #[inline(never)]
    fn push_slow(&self, state: &mut DetokState, id: TokenId, out: &mut Vec<u8>) -> Result<()> {
        let inner = &*self.0;
        if self.entry(id)?.is_special() {
            return Ok(());
        }
        inner.release_tail(state, out);
        let table = inner
            .first
            .as_ref()
            .filter(|_| !state.started)
            .unwrap_or(&inner.rest);
        let bytes = inner.slice(table.entries[id as usize]);
        steps::feed(&inner.steps, &mut state.steps, bytes, out);
        state.tail = table.tail_of.get(id as usize).copied().unwrap_or(0);
        state.started = true;
        state.settled = state.tail == 0 && steps::inert(&inner.steps, &state.steps);
        Ok(())
    }
}

impl Inner {
    /// Whether no token depends on another one.
    #[inline]
    fn is_plain(&self) -> bool {
        self.first.is_none() && self.tails.is_empty() && self.steps.is_empty()
    }

    fn slice(&self, entry: Entry) -> &[u8] {
        let start = entry.start as usize;
        self.arena
            .get(start..start + entry.len())
            .unwrap_or_default()
    }

    /// Copies a block of fixed size for short tokens (no call to `memcpy`) and cuts it.
    #[inline]
    fn copy(&self, entry: Entry, out: &mut Vec<u8>) {
        let (start, len) = (entry.start as usize, entry.len());
        if len <= BLOCK
            && let Some(block) = self
                .arena
                .get(start..)
                .and_then(|from| from.first_chunk::<BLOCK>())
        {
            let end = out.len() + len;
            out.extend_from_slice(block);
            out.truncate(end);
        } else {
            out.extend_from_slice(self.slice(entry));
        }
    }

    fn tail(&self, number: u32) -> Option<&Tail> {
        self.tails.get((number as usize).checked_sub(1)?)
    }

    fn release_tail(&self, state: &mut DetokState, out: &mut Vec<u8>) {
        if let Some(tail) = self.tail(state.tail) {
            steps::feed(&self.steps, &mut state.steps, &tail.followed, out);
        }
        state.tail = 0;
    }
}

#[cold]
fn unknown(id: TokenId, len: usize) -> Error {
    Error::new(
        Category::UnknownToken,
        format!(
            "token id {id} is not in the vocabulary (ids below {len}); use the tokenizer of the \
             model that generates"
        ),
    )
}
