//! What a sentence asserts.

use serde::{Deserialize, Serialize};

use super::signal::LinguisticSignal;
use super::text::{DateExpr, Quantity, Span};

/// A claim's id: stable for the same text at the same place ("c" and hex digits).
pub type ClaimId = String;

/// Whether the claim affirms or denies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Polarity {
    /// "X is Y".
    Positive,
    /// "X is not Y".
    Negative,
}

/// In which way the sentence is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Modality {
    /// Stated as a fact.
    Asserted,
    /// Stated with reserve.
    Hedged,
    /// A question.
    Question,
    /// An instruction to the reader.
    Instruction,
    /// Somebody's quoted words.
    Quoted,
}

/// A reference mark in the text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Citation {
    /// As written.
    pub raw: String,
    /// Where it stands.
    pub span: Span,
    /// Its key ("1", "smith2020", "REF-012").
    pub key: Option<String>,
    /// Author names, as far as written.
    pub authors: Vec<String>,
    /// Year, as far as written.
    pub year: Option<i32>,
    /// DOI, as far as written.
    pub doi: Option<String>,
    /// Index of the evidence it points to.
    pub evidence_ref: Option<u32>,
}

/// What a name is the name of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NameType {
    /// A human being.
    Person,
    /// A company, institution, authority, team or part of one.
    Organization,
    /// A place on the map, natural or built.
    Place,
    /// A book, film, picture, piece of music.
    Work,
    /// A product, program or format.
    Product,
    /// Something that happens once or every so often ("the Battle of …", "the … Cup").
    Event,
    /// An act, treaty or other rule.
    Law,
    /// Nothing tells.
    #[default]
    Unknown,
}

/// What an expression stands for: something the text, the dialogue or the base has named before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Referent {
    /// Its name, as first written.
    pub name: String,
    /// Where it was named: in the answer, or in the text of the turn.
    pub span: Span,
    /// Number of the turn that named it, from 1, the question after the last turn; none where the
    /// answer itself did.
    #[serde(default)]
    pub turn: Option<u32>,
    /// What it is.
    pub kind: NameType,
    /// Entities of the knowledge base that have the name.
    pub entities: Vec<u32>,
}

/// What the evidence gave the tokens of a claim, where rows without it came in beside the others.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ClaimBits {
    /// Tokens counted.
    pub tokens: u32,
    /// Those of them that `p0` and `p1` are made of: no marks, no function words.
    pub content_tokens: u32,
    /// Sum of KL(row ‖ row without evidence), bits; 0 or more.
    pub kl_bits: f64,
    /// Sum of log2 p(token | evidence) − log2 p(token | none), bits; below 0 where the evidence
    /// speaks against the wording.
    pub lift_bits: f64,
    /// Geometric mean of the content tokens' probabilities without evidence, 0..1.
    pub p0: Option<f64>,
    /// The same with the evidence.
    pub p1: Option<f64>,
}

/// One assertion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// Content-derived id.
    pub id: ClaimId,
    /// The words of the claim.
    pub content: String,
    /// Where it stands.
    pub span: Span,
    /// Number of the sentence it belongs to.
    pub sentence: u32,
    /// What it is about, as written.
    pub subject: Option<String>,
    /// Span of the subject.
    pub subject_span: Option<Span>,
    /// Normalised predicate ("founded", "department").
    pub predicate: Option<String>,
    /// What is said, as written.
    pub object: Option<String>,
    /// Span of the object.
    pub object_span: Option<Span>,
    /// The coordinated phrase of which the object is one part ("French and German").
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coordinated: Option<Span>,
    /// What a pronoun or description in the subject stands for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub referent: Option<Referent>,
    /// What a pronoun that is the object stands for, where the text before leaves no choice. Known
    /// to the session that read the claim alone.
    #[serde(skip)]
    pub object_referent: Option<Referent>,
    /// Whether the text before leaves open whom the subject means: a pronoun or description with
    /// two things that fit, one word of a name that nobody introduced.
    #[serde(default, skip_serializing_if = "super::text::is_false")]
    pub contested: bool,
    /// Affirmed or denied.
    pub polarity: Polarity,
    /// In which way it is said.
    pub modality: Modality,
    /// Numbers in it.
    pub quantities: Vec<Quantity>,
    /// Dates in it.
    pub dates: Vec<DateExpr>,
    /// Stated confidence, 0..1 (1 − strongest hedge; 1 where none).
    pub stated_confidence: f64,
    /// Reference marks in it.
    pub citations: Vec<Citation>,
    /// Wording signals in it.
    pub signals: Vec<LinguisticSignal>,
    /// Bytes of text after which nothing can change it.
    pub decided_at: usize,
    /// What the evidence gave the tokens of the text at `span`, those behind its last word that had
    /// not come when it closed apart. Claims with one span have the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bits: Option<ClaimBits>,
}
