//! What the numbers of a statement count, and its hours.

use crate::claims::{bounds, quantity_context, word_hash};
use crate::lexicon::cues::Cue;
use crate::normal::stem;
use crate::types::{DateExpr, LexFlags, LexKind, Quantity, QuantityKind, Span};

use super::statement::{Statement, StatementReader, Valued};

/// What a place is on the days on which it is not closed.
const OPEN: &str = "open";
/// The attribute whose values are the days on which a place is not open.
const CLOSED_ON: &str = "closed_on";

impl StatementReader<'_> {
    /// "3 From the menu choose …": the number of an item.
    fn numbers_item(&self, span: Span) -> bool {
        let at = self.view.lexemes_in(span);
        let next = self.view.lexemes.get(at.end);
        at.start == 0
            && next.is_some_and(|next| {
                next.kind == LexKind::Word && next.flags.has(LexFlags::CAPITALIZED)
            })
    }

    /// The numbers of a value. "2 to 4 hours" is one, told by its last.
    pub(super) fn amounts(&self, span: Span, dates: &[Valued<DateExpr>]) -> Vec<Valued<Quantity>> {
        let view = self.view;
        let own = view.quantities.iter().filter(|q| {
            span.overlaps(q.span)
                && q.kind != QuantityKind::Label
                && !self.numbers_item(q.span)
                && !dates.iter().any(|date| date.value.span.overlaps(q.span))
        });
        let mut out: Vec<Valued<Quantity>> = Vec::new();
        for quantity in own {
            let bounds = bounds(view, &self.folded, quantity);
            if let Some(bounds) = bounds
                && out
                    .iter()
                    .any(|q| q.bounds.is_some_and(|b| b.span == bounds.span))
            {
                continue;
            }
            let last = bounds.and_then(|bounds| {
                let within = |q: &&Quantity| bounds.span.contains(q.span);
                view.quantities.iter().rfind(within)
            });
            let value = *last.unwrap_or(quantity);
            let place = bounds.map_or(value.span, |bounds| bounds.span);
            out.push(Valued {
                value,
                text: view.at(place).to_owned(),
                noun: self.counted(value.span),
                per: self.per(value.span),
                bounds,
            });
        }
        out
    }

    /// Stem of what a number counts or measures: "12 rooms", "200 g of sugar", "2 cups of rice"; 0
    /// where nothing is said.
    pub(super) fn counted(&self, span: Span) -> u64 {
        let end = self.view.lexemes_in(span).end;
        let of = (end..end + 2).find(|i| self.folded.get(*i) == "of");
        let Some(of) = of else {
            return quantity_context(self.view.lexemes, span, |span| self.view.at(span)).noun;
        };
        let closes = Cue::PREPOSITION.or(Cue::CONJUNCTION).or(Cue::BREAK);
        let words: Vec<String> = (of + 1..self.view.lexemes.len())
            .take_while(|i| {
                self.view.lexemes[*i].kind == LexKind::Word && !self.folded.cue(*i).is(closes)
            })
            .map(|i| stem(self.folded.get(i)).to_string())
            .collect();
        word_hash(&words.join(" "))
    }

    /// "from 9 to 5", "between 9 am and 5 pm".
    pub(super) fn hours(&self, span: Span) -> Option<(i32, i32)> {
        let at = self.view.lexemes_in(span);
        // "open between" may be read as the verb.
        let mut all = at.start.saturating_sub(1)..at.end;
        let opens = all.find(|i| matches!(self.folded.get(*i), "from" | "between"))?;
        let time = |i: usize| {
            let start = self.view.lexemes.get(i)?.span.start;
            let mut dates = self.view.dates.iter();
            if let Some(date) = dates.find(|date| date.span.start == start) {
                let end = self.view.lexemes_in(date.span).end;
                return date.minutes.map(|minutes| (i32::from(minutes), end));
            }
            let hour: i32 = self.folded.get(i).parse().ok()?;
            (0..=24).contains(&hour).then_some((hour * 60, i + 1))
        };
        let (first, next) = time(opens + 1)?;
        let joined = matches!(self.folded.get(next), "to" | "until" | "till" | "and");
        let (last, end) = time(next + 1)?;
        // "from 3 to 5 euros" is no time.
        let more = at.contains(&end)
            && self.number(next + 1)
            && self
                .view
                .quantities
                .iter()
                .any(|q| q.unit.is_some() && q.span.overlaps(self.view.lexemes[end - 1].span));
        (joined && !more).then_some((first, last))
    }

    /// "is open on Sundays" as a denial that it is closed then, which is how that is told.
    pub(super) fn opens(&self, told: &Statement) -> Option<Statement> {
        let weekly = |date: &DateExpr| date.weekday.is_some() && date.day.is_none();
        let days = !told.dates.is_empty() && told.dates.iter().all(|date| weekly(&date.value));
        let (first, rest) = told.said.split_first()?;
        let only = rest.len() == told.dates.len() && told.quantities.is_empty();
        (told.predicate == "is" && first == OPEN && days && only).then(|| Statement {
            predicate: CLOSED_ON.to_owned(),
            said: rest.to_vec(),
            negative: !told.negative,
            ..told.clone()
        })
    }

    /// "$10 per month", "5 euros a day": what the value is told for each of.
    pub(super) fn per(&self, span: Span) -> u64 {
        let end = self.view.lexemes_in(span).end;
        let each = matches!(
            self.folded.get(end),
            "per" | "a" | "an" | "every" | "each" | "/"
        );
        if !each {
            return 0;
        }
        word_hash(&stem(self.folded.get(end + 1)))
    }
}
