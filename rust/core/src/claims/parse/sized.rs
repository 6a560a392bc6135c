//! What an amount says of the name beside it, without a verb: "X, 380 metres long, …", "the 380 m long
//! X", "At $599, X …", "the $599 X".

use std::ops::Range;

use crate::lexicon::cues::Cue;
use crate::lexicon::tables::stance;
use crate::types::{LexKind, QuantityKind};

use super::Parser;

/// Most words of a name.
const NAME: usize = 6;
/// Words behind the verb among which "the longest" begins.
const NEAR: usize = 3;

impl Parser<'_> {
    /// Reads amounts that stand beside a name.
    pub(super) fn sized(&mut self) {
        for at in 0..self.view.quantities.len() {
            let quantity = self.view.quantities[at];
            let place = self.view.lexemes_in(quantity.span);
            let measured = match quantity.kind {
                QuantityKind::Money => true,
                QuantityKind::Measure => quantity.unit.is_some(),
                _ => false,
            };
            if !measured || place.is_empty() || self.opaque_at(place.start) {
                continue;
            }
            let money = quantity.kind == QuantityKind::Money;
            let (attribute, end) = if money {
                ("price", place.end)
            } else {
                (self.text(place.end), place.end + 1)
            };
            let word = money || self.word(place.end);
            let attribute = self
                .attribute(attribute)
                .filter(|name| word && self.view.attributes.has(name));
            let Some(attribute) = attribute else {
                self.most_of_all(&place);
                continue;
            };
            let around = self
                .set_off(&place, end, money)
                .or_else(|| self.at_the_front(&place, end))
                .or_else(|| self.in_front_of(&place, end))
                .or_else(|| self.standing(&place));
            if let Some(head) = around.filter(|head| head.len() <= NAME) {
                self.push(head, attribute, place, false);
            }
        }
    }

    /// "At 380 metres, X is the longest …": what the superlative is of.
    fn most_of_all(&mut self, place: &Range<usize>) {
        let Some(head) = self.at_the_front(place, place.end) else {
            return;
        };
        let from = head.end + 1;
        let the = (from..self.view.lexemes.len().min(from + NEAR)).find(|i| self.text(*i) == "the");
        let attribute = the
            .filter(|_| self.is(head.end, Cue::COPULA))
            .and_then(|the| {
                let most = self.text(the + 1).strip_suffix("est")?;
                self.attribute(most)
                    .filter(|name| self.view.attributes.has(name))
            });
        if let Some(attribute) = attribute.filter(|_| head.len() <= NAME) {
            self.push(head, attribute, place.clone(), false);
        }
    }

    /// ", 380 metres long,", "– 380 metres long –" or ", at $599," behind a name.
    fn set_off(&self, place: &Range<usize>, end: usize, money: bool) -> Option<Range<usize>> {
        let at = place.start.checked_sub(1)?;
        let led = self.text(at) == "at";
        let comma = if led { at.checked_sub(1)? } else { at };
        let dash = |i: usize| matches!(self.view.word(i), "–" | "—");
        let dashed = dash(comma);
        let marks = |i: usize| if dashed { dash(i) } else { self.comma(i) };
        let closes = end < self.view.lexemes.len() && marks(end);
        if !marks(comma) || !closes || money != led {
            return None;
        }
        let head = self.noun_before(comma);
        let name = !head.is_empty() && head.end == comma && self.capital(comma.checked_sub(1)?);
        name.then(|| self.capitals_before(comma))
    }

    /// "At $599, the X …", "Standing 380 m tall, the X …" at the beginning of a sentence.
    fn at_the_front(&self, place: &Range<usize>, end: usize) -> Option<Range<usize>> {
        if place.start != 1
            || !(self.text(0) == "at" || stance().has("measuring", self.text(0)))
            || end >= self.view.lexemes.len()
            || !self.comma(end)
        {
            return None;
        }
        let from = end + 1 + usize::from(self.is(end + 1, Cue::DETERMINER));
        self.name_at(from)
    }

    /// "X stands 380 m tall".
    fn standing(&self, place: &Range<usize>) -> Option<Range<usize>> {
        let verb = place.start.checked_sub(1)?;
        let name = verb > 0 && self.capital(verb - 1);
        let stands = matches!(self.text(verb), "stands" | "rises");
        (name && stands).then(|| self.capitals_before(verb))
    }

    /// "The 380 m long X", "the $599 X".
    fn in_front_of(&self, place: &Range<usize>, end: usize) -> Option<Range<usize>> {
        let the = place.start.checked_sub(1)?;
        self.name_at(end).filter(|_| self.text(the) == "the")
    }

    /// The name that begins there, where a verb follows it.
    fn name_at(&self, from: usize) -> Option<Range<usize>> {
        let named = |i: &usize| {
            let number = self.view.lexemes[*i].kind == LexKind::Number && *i > from;
            self.word(*i) && self.capital(*i) || number
        };
        let end = (from..self.view.lexemes.len()).find(|i| !named(i))?;
        let name = end > from && self.finite(end, from, true);
        name.then_some(from..end)
    }

    fn capitals_before(&self, end: usize) -> Range<usize> {
        let first = (0..end).rev().take_while(|i| self.capital(*i)).last();
        first.unwrap_or(end)..end
    }
}
