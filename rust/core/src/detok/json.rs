//! The parts of a `tokenizers` JSON file that say what a token's text is.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use crate::error::{Error, Result};
use crate::types::TokenId;

/// A token of the `added_tokens` list.
#[derive(Debug, Deserialize)]
pub(super) struct Added {
    pub(super) id: TokenId,
    pub(super) content: String,
    #[serde(default)]
    pub(super) special: bool,
}

/// Kinds of model whose pieces are read.
const KINDS: [&str; 4] = ["BPE", "Unigram", "WordPiece", "WordLevel"];

/// What is read of the file.
#[derive(Debug, Deserialize)]
pub(super) struct File {
    #[serde(default)]
    pub(super) added_tokens: Option<Vec<Added>>,
    #[serde(default)]
    pub(super) decoder: Option<Value>,
    pub(super) model: Model,
}

/// What is read of the model; every family keeps its pieces under `vocab`.
#[derive(Debug, Deserialize)]
pub(super) struct Model {
    /// Files of old versions have none.
    #[serde(default, rename = "type")]
    kind: Option<String>,
    pub(super) vocab: Pieces,
}

/// Pieces and their ids: a map (BPE, WordPiece, WordLevel) or a list of piece and score (Unigram).
#[derive(Debug)]
pub(super) struct Pieces(pub(super) Vec<(String, TokenId)>);

impl<'de> Deserialize<'de> for Pieces {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Reader;

        impl<'de> Visitor<'de> for Reader {
            type Value = Pieces;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map of token to id, or a list of [token, score]")
            }

            fn visit_map<A: MapAccess<'de>>(
                self,
                mut map: A,
            ) -> std::result::Result<Pieces, A::Error> {
                let mut pieces = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    pieces.push(entry);
                }
                Ok(Pieces(pieces))
            }

            fn visit_seq<A: SeqAccess<'de>>(
                self,
                mut seq: A,
            ) -> std::result::Result<Pieces, A::Error> {
                let mut pieces = Vec::new();
                while let Some((piece, _)) = seq.next_element::<(String, IgnoredAny)>()? {
                    let id = TokenId::try_from(pieces.len()).unwrap_or(TokenId::MAX);
                    pieces.push((piece, id));
                }
                Ok(Pieces(pieces))
            }
        }

        deserializer.deserialize_any(Reader)
    }
}

/// Reads the file.
pub(super) fn read(json: &[u8]) -> Result<File> {
    let file: File = serde_json::from_slice(json).map_err(|error| {
        Error::format(format!(
            "not a `tokenizers` JSON file: {error}; pass the content of a tokenizer.json"
        ))
    })?;
    match &file.model.kind {
        Some(kind) if !KINDS.contains(&kind.as_str()) => Err(Error::format(format!(
            "a tokenizer's model is one of {}, not '{kind}'",
            KINDS.join(", ")
        ))),
        _ => Ok(file),
    }
}
