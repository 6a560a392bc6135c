//! The words every room shares: spans, lexemes, signals, findings, claims.

mod claim;
mod finding;
mod json;
mod signal;
mod text;

pub use claim::{Citation, Claim, ClaimBits, ClaimId, Modality, NameType, Polarity, Referent};
pub use finding::{
    Action, Evidence, EvidenceKind, Finding, MAX_TIER, Message, Param, Severity, Status, Tier,
    Verdict, clip_text,
};
pub use json::key_twice;
pub(crate) use json::read_json;
pub use signal::{Interval, LinguisticKind, LinguisticSignal, Signals};
pub use text::{
    DateExpr, LexFlags, LexKind, Lexeme, Mention, MentionKind, Quantity, QuantityKind, Resolution,
    Sentence, SentenceKind, Span, TokenId, UnitId,
};
