//! Questions that ask for an attribute without naming it: "What does Ada do?", "How urgent is the ticket?".

use std::collections::BTreeSet;

use crate::lexicon::tables::{circumstance, questions};
use crate::normal::fold_name;

use super::NAME;
use super::asking::Asking;

impl Asking<'_> {
    /// The one attribute of the base that such a question asks for.
    pub(super) fn asked_by_pattern(&self) -> Option<String> {
        let names = self.things.attributes.predicates();
        let kind = self
            .things
            .ids
            .first()
            .and_then(|id| self.things.kb.kind(*id));
        let kind = fold_name(kind.unwrap_or(""));
        let named = self.words.iter().position(|word| *word == NAME)?;
        let kept = self.words.iter().enumerate().filter(|(i, word)| {
            let before = i + 1 == named && kind.split(' ').any(|own| own == **word);
            !(matches!(**word, "the" | "a" | "an") || before)
        });
        let kept: Vec<&str> = kept
            .map(|(_, word)| if *word == NAME { "x" } else { *word })
            .collect();
        // "Can you tell me what Ada does?" is another question.
        let opens = |i: &usize| circumstance().has("asks_first", &kept[..*i].join(" "));
        let start = (1..kept.len().min(OPENING)).rev().find(opens).unwrap_or(0);
        let question = kept[start..].join(" ");
        let own: BTreeSet<&String> = self.things.own.names.iter().collect();
        let wanted: Vec<&str> = questions().classes(&question).collect();
        let mut fitting = own
            .into_iter()
            .filter(|name| wanted.contains(&name.as_str()));
        let exact = (fitting.next(), fitting.next());
        let mut alike = self
            .things
            .own
            .names
            .iter()
            .collect::<BTreeSet<_>>()
            .into_iter()
            .filter(|name| wanted.iter().any(|wanted| names.same(wanted, name)));
        match exact {
            (Some(one), None) => Some(one.clone()),
            (Some(_), Some(_)) => None,
            (None, _) => match (alike.next(), alike.next()) {
                (Some(one), None) => Some(one.clone()),
                _ => None,
            },
        }
    }
}

/// Words before a question, at most.
const OPENING: usize = 6;
