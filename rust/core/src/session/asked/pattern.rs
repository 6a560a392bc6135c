//! Questions that ask for an attribute without naming it: "What does Ada do?", "How urgent is the ticket?".

use std::collections::BTreeSet;

use crate::lexicon::tables::{circumstance, questions};
use crate::normal::fold_name;

use super::NAME;
use super::asking::Asking;

/// Words before a question, at most.
const OPENING: usize = 6;

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
        let wanted: Vec<&str> = questions().classes(&question).collect();
        let own: BTreeSet<&String> = self.things.own.names.iter().collect();
        let alike = |wanted: &dyn Fn(&str) -> bool| -> Vec<&String> {
            own.iter().copied().filter(|name| wanted(name)).collect()
        };
        let mut found = alike(&|name| wanted.contains(&name));
        if found.is_empty() {
            found = alike(&|name| wanted.iter().any(|wanted| names.same(wanted, name)));
        }
        match found[..] {
            [one] => Some(one.clone()),
            _ => None,
        }
    }
}
