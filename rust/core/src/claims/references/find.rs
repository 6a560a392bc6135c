//! The candidate that a pronoun or a description stands for.

use std::sync::Arc;

use crate::types::{NameType, Referent, Span};

use super::fits::{describes, is_another, same_thing, sort_hash};
use super::{Candidate, Gender, References, Wanted};

impl References {
    /// The nearest that fits what is wanted, as seen from the sentence of that number.
    pub(super) fn find(&self, wanted: Wanted<'_>, sentence: i64) -> Option<Referent> {
        self.find_beside(wanted, sentence, None)
    }

    /// The nearest but the one at `itself`: "Hanna Lind is her manager." tells of somebody else.
    pub(super) fn find_beside(
        &self,
        wanted: Wanted<'_>,
        sentence: i64,
        itself: Option<Span>,
    ) -> Option<Referent> {
        let other = |c: &Candidate| itself.is_none_or(|own| !own.overlaps(c.referent.span));
        let fits = |c: &Candidate| {
            other(c)
                && match wanted {
                    Wanted::Person(gender) => {
                        (c.referent.kind == NameType::Person
                            || c.gender != Gender::Unknown && c.referent.kind == NameType::Unknown)
                            && (c.gender == gender || c.gender == Gender::Unknown)
                    }
                    Wanted::Thing => c.referent.kind != NameType::Person && !c.plural,
                    Wanted::Group => c.plural || c.referent.kind == NameType::Organization,
                    // "the twin town", "the parent company"
                    Wanted::Noun(_, apart) if !c.described && is_another(apart) => false,
                    Wanted::Noun(noun, apart) => {
                        !c.described
                            && (describes(noun, c) || apart.is_empty() && sort_hash(noun) == c.own)
                            || c.described && same_thing(noun, apart, &c.referent.name)
                    }
                }
        };
        // The nearest sentence that has one.
        let nearest = self.candidates.iter().rev().find(|c| fits(c))?.sentence;
        let mut there: Vec<&Arc<Candidate>> = self
            .candidates
            .iter()
            .filter(|c| c.sentence == nearest && fits(c))
            .collect();
        // "Where is X?" "X is in Y." tells of X.
        if there.first()?.referent.turn.is_some() && there.iter().any(|c| !c.standing.aside()) {
            there.retain(|c| !c.standing.aside());
        }
        let first = there.first()?;
        if first.paragraph != self.paragraph {
            let choice = there.iter().any(|c| c.referent.name != first.referent.name);
            if choice || (nearest + 1 != sentence && first.referent.turn.is_none()) {
                return None;
            }
        }
        if let Wanted::Person(gender) = wanted
            && there.iter().any(|c| c.gender == gender)
        {
            there.retain(|c| c.gender == gender);
        }
        // "Ada wrote to her mother. She …": either; the one nobody knows is never judged wrongly.
        let kin = |c: &&Arc<Candidate>| c.described && c.referent.kind == NameType::Person;
        if matches!(wanted, Wanted::Person(_)) && there.iter().any(kin) {
            there.retain(|c| kin(c));
        }
        if matches!(wanted, Wanted::Group) && there.iter().any(|c| c.plural) {
            there.retain(|c| c.plural);
        }
        there.first().map(|c| c.referent.clone())
    }
}
