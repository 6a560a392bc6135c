//! The words every room shares: spans, lexemes, signals, findings, claims.

mod claim;
mod finding;
mod signal;
mod text;

pub use claim::{Citation, Claim, ClaimId, Modality, NameType, Polarity, Referent};
pub use finding::{
    Action, Evidence, EvidenceKind, Finding, MAX_TIER, Message, Param, Severity, Status, Tier,
    Verdict, clip_text,
};
pub use signal::{Interval, LinguisticKind, LinguisticSignal, Signals};
pub use text::{
    DateExpr, LexFlags, LexKind, Lexeme, Mention, MentionKind, Quantity, QuantityKind, Resolution,
    Sentence, SentenceKind, Span, TokenId, UnitId,
};
