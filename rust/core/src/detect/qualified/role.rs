//! Roles that are not the one the base tells of.

use crate::claims::Clause;

use super::{Qualifiers, ROLE_WORDS};

impl Qualifiers<'_> {
    /// "the former CEO", "the deputy director".
    pub(super) fn other_role(&self, predicate: &str, clauses: &[Clause]) -> bool {
        let len = self.folded.len();
        // "was first released"
        let done = |i: &usize| {
            let mut groups = clauses.iter().map(|clause| &clause.group);
            groups.any(|group| group.contains(i) && *i + 1 < group.end && *i > group.start)
        };
        let mut words = (0..len).filter(|i| self.has("other_role", *i) && !done(i));
        words.any(|i| {
            let mut name = String::new();
            (i + 1..(i + 1 + ROLE_WORDS).min(len)).any(|j| {
                if !name.is_empty() {
                    name.push('_');
                }
                name.push_str(self.text(j));
                name == predicate
                    || name == self.fact.predicate
                    || self.view.attributes.predicates().named(&name).is_some()
                        && self
                            .view
                            .attributes
                            .predicates()
                            .same(&name, &self.fact.predicate)
            })
        })
    }
}
