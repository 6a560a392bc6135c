//! What was judged wrong or risky, and what is to be done about it.

use serde::{Deserialize, Serialize};

use super::text::Span;

/// Bytes of a finding's text that are kept.
const TEXT_CAP: usize = 512;

/// The first 512 bytes of `text`, cut at a character.
#[must_use]
pub fn clip_text(text: &str) -> &str {
    if text.len() <= TEXT_CAP {
        return text;
    }
    let mut end = TEXT_CAP;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

macro_rules! ordinal {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$vdoc])* $variant),+ }

        impl $name {
            /// All values in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Its name in configuration, JSON and Python.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// The value of that name.
            #[must_use]
            pub fn parse(name: &str) -> Option<Self> {
                match name { $($text => Some(Self::$variant),)+ _ => None }
            }
        }
    };
}

ordinal!(
    /// How bad a finding of this type is in itself (U-3).
    Severity {
        /// For information.
        Info = "info",
        /// Minor.
        Low = "low",
        /// Worth a hedge.
        Medium = "medium",
        /// Wrong or invented.
        High = "high",
        /// Must not reach the reader.
        Critical = "critical",
    }
);

ordinal!(
    /// How risky a finding is here, after scoring.
    Tier {
        /// Nothing to do.
        None = "none",
        /// Annotate.
        Low = "low",
        /// Hedge.
        Medium = "medium",
        /// Interrupt and reformulate.
        High = "high",
        /// Discard.
        Critical = "critical",
    }
);

ordinal!(
    /// What is to be done.
    Action {
        /// Leave as it is.
        Accept = "accept",
        /// Mark confidence and source.
        Annotate = "annotate",
        /// Put the sourced value in place.
        Correct = "correct",
        /// Re-open the claim with an epistemic phrase.
        Hedge = "hedge",
        /// Take the text out.
        Remove = "remove",
        /// Roll back, reformulate, continue or stop.
        Interrupt = "interrupt",
        /// Start the answer again with guidance.
        Regenerate = "regenerate",
        /// Refuse the answer to the caller.
        Reject = "reject",
        /// Release nothing further; give a limitation statement.
        Discard = "discard",
        /// Ask a person.
        Escalate = "escalate",
    }
);

ordinal!(
    /// How a claim stands to what is known (U-4).
    Status {
        /// A source carries it.
        Supported = "supported",
        /// Excluded from checking by the profile.
        Excluded = "excluded",
        /// Too vague or out of reach.
        Unverifiable = "unverifiable",
        /// What is known does not say so.
        NotInContext = "not_in_context",
        /// A source says otherwise.
        Contradicted = "contradicted",
    }
);

ordinal!(
    /// What a piece of evidence is.
    EvidenceKind {
        /// A passage given with the request.
        Passage = "passage",
        /// A fact of the knowledge base.
        KbFact = "kb_fact",
        /// An earlier turn.
        PriorTurn = "prior_turn",
        /// A tool's result.
        ToolResult = "tool_result",
        /// A record the text was made from.
        SourceRecord = "source_record",
        /// A rule that matched.
        Rule = "rule",
        /// A number about the stream.
        Signal = "signal",
    }
);

/// One parameter of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Param {
    /// Name in the template.
    pub name: String,
    /// Value.
    pub value: String,
    /// Whether a sink masks it by default.
    pub sensitive: bool,
}

/// A template with its parameters, rendered late so that every sink can mask.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Message {
    /// Text with `{name}` places.
    pub template: String,
    /// Values for them.
    pub params: Vec<Param>,
}

impl Message {
    /// A message without parameters.
    pub fn new(template: impl Into<String>) -> Self {
        Self {
            template: template.into(),
            params: Vec::new(),
        }
    }

    /// Adds a parameter that quotes the stream or a source, on one line: masked in logs.
    #[must_use]
    pub fn sensitive(mut self, name: &str, value: impl Into<String>) -> Self {
        self.params.push(Param {
            name: name.into(),
            value: on_one_line(value.into()),
            sensitive: true,
        });
        self
    }

    /// Adds a parameter that may stand in any log.
    #[must_use]
    pub fn plain(mut self, name: &str, value: impl Into<String>) -> Self {
        self.params.push(Param {
            name: name.into(),
            value: value.into(),
            sensitive: false,
        });
        self
    }

    /// The message as text; with `mask`, sensitive values show as `[masked]`.
    #[must_use]
    pub fn render(&self, mask: bool) -> String {
        let mut out = String::with_capacity(self.template.len() + 32);
        let mut rest = self.template.as_str();
        while let Some(open) = rest.find('{') {
            out.push_str(&rest[..open]);
            let tail = &rest[open + 1..];
            let param = tail.find('}').and_then(|close| {
                Some((close, self.params.iter().find(|p| p.name == tail[..close])?))
            });
            if let Some((close, param)) = param {
                out.push_str(if mask && param.sensitive {
                    "[masked]"
                } else {
                    &param.value
                });
                rest = &tail[close + 1..];
            } else {
                out.push('{');
                rest = tail;
            }
        }
        out.push_str(rest);
        out
    }
}

/// Why something is judged so: a passage, a fact, a turn, a rule, a number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// What it is.
    pub kind: EvidenceKind,
    /// Where it comes from (document id, fact id, rule id).
    pub source: Option<String>,
    /// Path, line, column, JSON pointer or passage offset inside the source.
    pub locator: Option<String>,
    /// Its words.
    pub text: String,
    /// How good it is, 0..1.
    pub quality: f64,
    /// Anything else.
    pub data: serde_json::Value,
}

/// Key in [`Finding::extra`] under which a detector names the highest tier that a finding may have.
pub const MAX_TIER: &str = "max_tier";

/// One thing judged wrong or risky.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Derived from system, type, rule and span; never random.
    pub id: String,
    /// Which system found it: stream, dialogue, budget …
    pub system: String,
    /// Namespaced type of the registry.
    #[serde(rename = "type")]
    pub kind: String,
    /// Rule or detector that made it.
    pub rule: String,
    /// Where, if anywhere.
    pub span: Option<Span>,
    /// Both sides of a pair.
    pub spans: Vec<Span>,
    /// The source text at `span`, its first 512 bytes.
    pub text: String,
    /// Source id, path, line: for document profiles.
    pub locator: Option<String>,
    /// The claim it belongs to.
    pub claim_id: Option<String>,
    /// Bytes of text after which nothing could remove or change it.
    pub decided_at: usize,
    /// Probability that this is a hallucination, 0..1, high is worse.
    pub p_hallucinated: f64,
    /// On the common scale.
    pub severity: Severity,
    /// The system's own label.
    pub native_severity: String,
    /// Base severity times evidence factors (S0-066), 0..1.
    pub score: f64,
    /// `score × p_hallucinated`.
    pub risk: f64,
    /// What the profile makes of it.
    pub tier: Tier,
    /// How the text stands to what is known.
    pub status: Status,
    /// The system's display string.
    pub content: String,
    /// What to tell people.
    pub message: Message,
    /// Advice to people.
    pub suggestion: Option<String>,
    /// Only ever text fit to stand in the answer.
    pub replacement: Option<String>,
    /// Why.
    pub evidence: Vec<Evidence>,
    /// What was found, as data.
    pub detected: serde_json::Value,
    /// What was expected, as data.
    pub expected: serde_json::Value,
    /// Anything else.
    pub extra: serde_json::Map<String, serde_json::Value>,
}

/// What a verifier says of a claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// How the claim stands.
    pub status: Status,
    /// P(true | without evidence), bounds.
    pub p0: Option<super::Interval>,
    /// P(true | with evidence), bounds.
    pub p1: Option<super::Interval>,
    /// Why.
    pub reason: String,
}

fn on_one_line(text: String) -> String {
    if text.contains('\n') {
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    } else {
        text
    }
}
