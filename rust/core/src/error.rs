//! The one error of the core: an opaque struct over a private kind.

use std::fmt;

/// Result of the core's fallible calls.
pub type Result<T> = std::result::Result<T, Error>;

/// What went wrong. The category decides which Python exception a caller sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Category {
    /// An argument is out of range, of the wrong shape or not valid here. State is unchanged.
    Argument,
    /// A token id the vocabulary does not know.
    UnknownToken,
    /// A rule file or a rule is not valid; the message names the rule.
    Rule,
    /// A configuration key or value is not valid; the message names it.
    Config,
    /// Serialised data (knowledge base, index, vocabulary) is damaged or of another version.
    Format,
    /// A rollback reaches further back than what is retained.
    RollbackTooFar,
    /// The session has latched after an internal fault, or was finished.
    Latched,
    /// Something named (claim, entity, profile, mark) does not exist.
    NotFound,
}

/// Error of the core.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Kind {
    category: Category,
    message: String,
}

impl Error {
    /// An error of `category`; the message says what was wrong and what to do.
    pub fn new(category: Category, message: impl Into<String>) -> Self {
        Self {
            kind: Kind {
                category,
                message: message.into(),
            },
        }
    }

    /// Shorthand for [`Category::Argument`].
    pub fn argument(message: impl Into<String>) -> Self {
        Self::new(Category::Argument, message)
    }

    /// Shorthand for [`Category::Format`].
    pub fn format(message: impl Into<String>) -> Self {
        Self::new(Category::Format, message)
    }

    /// What kind of failure this is.
    #[must_use]
    pub fn category(&self) -> Category {
        self.kind.category
    }

    /// What was wrong and what to do.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.kind.message
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.kind.message)
    }
}

impl std::error::Error for Error {}
