//! Which words of a sentence are verbs, and which are one name together.

use super::super::sequence::{Class, Form};
use super::fit::{Fit, Found, PLACES};

impl Fit<'_> {
    /// Tells verbs and names from other words, and joins the words of a name.
    pub(super) fn mentions(&mut self) {
        for order in 0..self.content.len() {
            let word = self.content[order];
            if word.said.class != Class::Word {
                continue;
            }
            if word.said.begins && word.said.capital && self.opens_name(order) {
                self.content[order].said.class = Class::Name;
            } else if self.is_verb(&word) {
                self.content[order].said.class = Class::Verb;
            }
        }
        let mut first = 0;
        for order in 0..self.content.len() {
            let joined = order > 0 && {
                let (a, b) = (&self.content[order - 1], &self.content[order]);
                a.said.class == Class::Name && b.said.class == Class::Name && beside(a, b)
            };
            if !joined {
                first = order;
            }
            for own in first..=order {
                self.content[own].mention = (first, order);
            }
        }
    }

    /// Whether its form is a verb's, and the word before it none that a noun follows.
    fn is_verb(&self, word: &Found) -> bool {
        let before = word.at.checked_sub(1).map(|at| self.words[at]);
        match word.said.form {
            Form::Past => true,
            Form::Either => before.is_none_or(|b| {
                b.form != Form::BeforeNoun && !matches!(b.class, Class::Word | Class::Number)
            }),
            _ => false,
        }
    }

    /// Whether a first word that may be a common one belongs to the name that follows it ("open"
    /// does not, in "Open Print Manager"), or the evidence has it with a capital within its
    /// sentences.
    fn opens_name(&self, order: usize) -> bool {
        let own = &self.content[order];
        let next = self.content.get(order + 1);
        let named = |n: &Found| n.said.class == Class::Name && beside(own, n);
        !own.said.imperative && next.is_some_and(named) || self.is_name(order)
    }

    /// Whether the evidence has it as a name, wherever it has it.
    fn is_name(&self, order: usize) -> bool {
        let mut any = false;
        for (passage, index) in self.passages.iter().enumerate() {
            for place in self.places(order, passage).iter().take(PLACES) {
                if index.sequence().class(*place) != Some(Class::Name) {
                    return false;
                }
                any = true;
            }
        }
        any
    }
}

/// Whether only a space or a hyphen stands between the two words.
fn beside(a: &Found, b: &Found) -> bool {
    b.at == a.at + 1 && b.said.span.start <= a.said.span.end + 1
}
