//! The decoder of a `tokenizers` file, compiled: what each token gives, and what remains to be
//! done on the joined text.

use std::collections::HashMap;

use serde_json::Value;

use super::steps::{MAX_PATTERN, MAX_STEPS, Step};
use crate::error::{Error, Result};

/// A step that sees one token and whether it is the first or the last of the sequence.
#[derive(Debug)]
enum TokenStep {
    Replace {
        from: String,
        to: String,
    },
    Strip {
        content: char,
        start: usize,
        stop: usize,
    },
    Metaspace {
        mark: char,
        drop_first: bool,
    },
    WordPiece {
        prefix: String,
        cleanup: bool,
    },
    Suffix {
        suffix: String,
    },
    ByteFallback,
    /// No decoder at all: tokens are joined by a space.
    Join,
}

/// The compiled decoder.
#[derive(Debug, Default)]
pub(super) struct Chain {
    tokens: Vec<TokenStep>,
    byte_level: Option<HashMap<char, u8>>,
    /// Steps over the joined text.
    pub(super) joined: Vec<Step>,
    fused: bool,
    fallback: bool,
}

impl Chain {
    /// Compiles the `decoder` of a file (`None` where it has none).
    pub(super) fn compile(decoder: Option<&Value>) -> Result<Self> {
        let mut chain = Self::default();
        match decoder {
            None | Some(Value::Null) => chain.tokens.push(TokenStep::Join),
            Some(decoder) => chain.add(decoder)?,
        }
        Ok(chain)
    }

    fn add(&mut self, decoder: &Value) -> Result<()> {
        let kind = text(decoder, "type")?;
        match kind {
            "Sequence" => {
                let Some(list) = decoder.get("decoders").and_then(Value::as_array) else {
                    return Err(malformed("Sequence", "decoders"));
                };
                list.iter().try_for_each(|one| self.add(one))
            }
            "Fuse" => {
                self.fused = true;
                Ok(())
            }
            "ByteLevel" => {
                self.only_before_join(kind)?;
                self.byte_level = Some(byte_alphabet());
                self.fused = true;
                Ok(())
            }
            "ByteFallback" => {
                self.only_before_join(kind)?;
                self.fallback = true;
                self.tokens.push(TokenStep::ByteFallback);
                Ok(())
            }
            "Replace" => {
                let pattern = decoder.get("pattern").unwrap_or(&Value::Null);
                let Some(from) = pattern.get("String").and_then(Value::as_str) else {
                    return Err(Error::argument(
                        "the tokenizer's decoder Replace has no plain text pattern (\"String\"); \
                         regular expressions are not supported in decoders",
                    ));
                };
                let to = text(decoder, "content")?;
                self.replace(from, to)
            }
            "Strip" => self.strip(decoder),
            "Metaspace" => {
                let mark = character(decoder, "replacement")?;
                let scheme = decoder.get("prepend_scheme").and_then(Value::as_str);
                let prefixed = decoder.get("add_prefix_space").and_then(Value::as_bool);
                let drop_first = match scheme {
                    Some(scheme) => scheme != "never",
                    None => prefixed != Some(false),
                };
                if self.fused {
                    // The joined text is one item, and that item is the first.
                    let to = if drop_first { "" } else { " " };
                    return self.replace(&mark.to_string(), to);
                }
                self.tokens.push(TokenStep::Metaspace { mark, drop_first });
                Ok(())
            }
            "WordPiece" => {
                self.only_before_join(kind)?;
                let prefix = text(decoder, "prefix")?.to_owned();
                let cleanup = decoder
                    .get("cleanup")
                    .and_then(Value::as_bool)
                    .unwrap_or(true);
                self.tokens.push(TokenStep::WordPiece { prefix, cleanup });
                Ok(())
            }
            "BPEDecoder" => {
                let suffix = text(decoder, "suffix")?.to_owned();
                if self.fused {
                    return self.replace(&suffix, "");
                }
                self.only_before_join(kind)?;
                self.tokens.push(TokenStep::Suffix { suffix });
                Ok(())
            }
            other => Err(Error::argument(format!(
                "the tokenizer's decoder \"{other}\" is not supported; supported are BPEDecoder, \
                 ByteFallback, ByteLevel, Fuse, Metaspace, Replace, Sequence, Strip and WordPiece. \
                 Build the table with from_entries instead"
            ))),
        }
    }

    /// Refuses a step whose view of single tokens is gone.
    fn only_before_join(&self, kind: &str) -> Result<()> {
        if self.fused || self.fallback || self.byte_level.is_some() {
            return Err(Error::argument(format!(
                "the tokenizer's decoder runs \"{kind}\" after its tokens were joined, which is \
                 not supported; build the table with from_entries instead"
            )));
        }
        Ok(())
    }

    fn replace(&mut self, from: &str, to: &str) -> Result<()> {
        if from.is_empty() || from.len() > MAX_PATTERN {
            return Err(Error::argument(format!(
                "the pattern of the tokenizer's decoder must have 1 to {MAX_PATTERN} bytes, not {}",
                from.len()
            )));
        }
        if self.fused {
            return self.join(Step::replace(from, to));
        }
        self.tokens.push(TokenStep::Replace {
            from: from.to_owned(),
            to: to.to_owned(),
        });
        Ok(())
    }

    fn strip(&mut self, decoder: &Value) -> Result<()> {
        let content = character(decoder, "content")?;
        let (start, stop) = (count(decoder, "start")?, count(decoder, "stop")?);
        if !self.fused {
            self.only_before_join("Strip")?;
            let (start, stop) = (usize::from(start), usize::from(stop));
            self.tokens.push(TokenStep::Strip {
                content,
                start,
                stop,
            });
            return Ok(());
        }
        let content = content.to_string().into_bytes();
        if start > 0 {
            self.join(Step::StripStart {
                content: content.clone(),
                count: start,
            })?;
        }
        if stop > 0 {
            self.join(Step::StripStop {
                content,
                count: stop,
            })?;
        }
        Ok(())
    }

    fn join(&mut self, step: Step) -> Result<()> {
        if self.joined.len() == MAX_STEPS {
            return Err(Error::argument(format!(
                "the tokenizer's decoder has more than {MAX_STEPS} steps over the joined text"
            )));
        }
        self.joined.push(step);
        Ok(())
    }

    /// Whether a token gives other bytes at the start of a sequence than later.
    pub(super) fn first_differs(&self) -> bool {
        self.tokens.iter().any(|step| {
            matches!(
                step,
                TokenStep::Metaspace {
                    drop_first: true,
                    ..
                } | TokenStep::WordPiece { .. }
                    | TokenStep::Join
            )
        })
    }

    /// Whether a token gives other bytes at the end of a sequence than before it.
    pub(super) fn last_differs(&self) -> bool {
        self.tokens
            .iter()
            .any(|step| matches!(step, TokenStep::Suffix { .. }))
    }

    /// The bytes `token` gives as the first, the last or any other token of a sequence.
    pub(super) fn render(&self, token: &str, first: bool, last: bool) -> Vec<u8> {
        let mut token = token.to_owned();
        for step in &self.tokens {
            match step {
                TokenStep::Replace { from, to } => token = token.replace(from, to),
                TokenStep::Strip {
                    content,
                    start,
                    stop,
                } => {
                    token = strip(&token, *content, *start, *stop).to_owned();
                }
                TokenStep::Metaspace { mark, drop_first } => {
                    let to = if first && *drop_first { "" } else { " " };
                    token = token.replace(*mark, to);
                }
                TokenStep::WordPiece { prefix, cleanup } => {
                    if !first {
                        token = match token.strip_prefix(prefix.as_str()) {
                            Some(rest) => rest.to_owned(),
                            None => format!(" {token}"),
                        };
                    }
                    if *cleanup {
                        for (from, to) in CLEANUP {
                            token = token.replace(from, to);
                        }
                    }
                }
                TokenStep::Suffix { suffix } => {
                    token = token.replace(suffix, if last { "" } else { " " });
                }
                TokenStep::ByteFallback => {
                    if let Some(byte) = fallback_byte(&token) {
                        if byte >= 0x80 {
                            return vec![byte];
                        }
                        token = char::from(byte).to_string();
                    }
                }
                TokenStep::Join => {
                    if !first {
                        token.insert(0, ' ');
                    }
                }
            }
        }
        match &self.byte_level {
            // A token with any character outside the alphabet stands for its own text.
            Some(alphabet) => token
                .chars()
                .map(|c| alphabet.get(&c).copied())
                .collect::<Option<Vec<u8>>>()
                .unwrap_or_else(|| token.into_bytes()),
            None => token.into_bytes(),
        }
    }
}

/// What the WordPiece decoder's clean-up rewrites, in its order.
const CLEANUP: [(&str, &str); 11] = [
    (" .", "."),
    (" ?", "?"),
    (" !", "!"),
    (" ,", ","),
    (" ' ", "'"),
    (" n't", "n't"),
    (" 'm", "'m"),
    (" do not", " don't"),
    (" 's", "'s"),
    (" 've", "'ve"),
    (" 're", "'re"),
];

fn strip(token: &str, content: char, start: usize, stop: usize) -> &str {
    let mut token = token;
    for _ in 0..start {
        match token.strip_prefix(content) {
            Some(rest) => token = rest,
            None => break,
        }
    }
    for _ in 0..stop {
        match token.strip_suffix(content) {
            Some(rest) => token = rest,
            None => break,
        }
    }
    token
}

/// The byte that a token like `<0x0A>` stands for.
fn fallback_byte(token: &str) -> Option<u8> {
    let digits = token.strip_prefix("<0x")?.strip_suffix('>')?;
    if digits.len() == 2 {
        u8::from_str_radix(digits, 16).ok()
    } else {
        None
    }
}

/// The printable stand-ins of byte-level BPE: printable Latin-1 stands for itself, the other
/// bytes for the characters from U+0100 on, in order.
fn byte_alphabet() -> HashMap<char, u8> {
    let mut alphabet = HashMap::with_capacity(256);
    let mut next = 0x100u32;
    for byte in 0..=u8::MAX {
        let stands_for_itself = matches!(byte, 0x21..=0x7E | 0xA1..=0xAC | 0xAE..=0xFF);
        let stand_in = if stands_for_itself {
            Some(char::from(byte))
        } else {
            next += 1;
            char::from_u32(next - 1)
        };
        alphabet.extend(stand_in.map(|c| (c, byte)));
    }
    alphabet
}

fn malformed(kind: &str, field: &str) -> Error {
    Error::format(format!(
        "the tokenizer's decoder {kind} has no valid \"{field}\""
    ))
}

fn text<'a>(decoder: &'a Value, field: &str) -> Result<&'a str> {
    decoder
        .get(field)
        .and_then(Value::as_str)
        .ok_or_else(|| malformed(name(decoder), field))
}

fn character(decoder: &Value, field: &str) -> Result<char> {
    let mut chars = text(decoder, field)?.chars();
    match (chars.next(), chars.next()) {
        (Some(only), None) => Ok(only),
        _ => Err(malformed(name(decoder), field)),
    }
}

fn count(decoder: &Value, field: &str) -> Result<u16> {
    decoder
        .get(field)
        .and_then(Value::as_u64)
        .and_then(|n| u16::try_from(n).ok())
        .filter(|&n| usize::from(n) <= MAX_PATTERN)
        .ok_or_else(|| malformed(name(decoder), field))
}

fn name(decoder: &Value) -> &str {
    decoder
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or("(without type)")
}
