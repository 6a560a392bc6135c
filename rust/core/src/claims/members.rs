//! What members of a form (JSON) claim.

use crate::types::{Claim, Modality, Referent};

use super::extract::{Said, phrase_claims, whole_claim};
use super::kinds::Kinds;
use super::parse::Parser;
use super::reader::heading;
use super::view::SentenceView;

/// The entity of which a value is the name and nothing else.
#[must_use]
pub fn named_by(view: &SentenceView<'_>, kinds: &dyn Kinds) -> Option<Referent> {
    heading(view, kinds)?.referent.clone()
}

/// The attribute that a key is called by, as the lexicon and the knowledge base call it.
#[must_use]
pub fn attribute_of_key(view: &SentenceView<'_>, key: &str) -> String {
    Parser::attribute_named(view, key)
}

/// What a value says of the entity of its object: it is the entity's `attribute`.
#[must_use]
pub fn member_claims(view: &SentenceView<'_>, subject: &Referent, attribute: &str) -> Vec<Claim> {
    let value = 0..view.lexemes.len();
    let said = (
        Said::Before(subject.name.as_str()),
        attribute.to_owned(),
        value,
        false,
    );
    let mut claims = phrase_claims(view, vec![said]).unwrap_or_default();
    for claim in &mut claims {
        claim.referent = Some(subject.clone());
    }
    claims
}

/// The claim of a text that tells nothing more precise.
#[must_use]
pub fn whole(view: &SentenceView<'_>) -> Claim {
    whole_claim(view, Modality::Asserted)
}
