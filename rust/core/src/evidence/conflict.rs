//! Another number, year or weekday for the same thing.

use crate::claims::{
    ContentWord, Led, QuantityContext, Reached, decade_holds, numbers_agree, rounded_to,
};
use crate::lexicon::movement::movement;
use crate::lexicon::tables::otherwise;
use crate::lexicon::units::{comparable, same_name};
use crate::types::{DateExpr, Quantity, QuantityKind, Span};

use super::alike::{overlap, same_thing};
use super::days::{End, both_close, dates_agree};
use super::passage::PassageIndex;
use super::set::{EvidenceSet, is_year, year_of};

/// What stands around a number in the sentence that says it.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// Content words of the sentence.
    pub words: &'a [ContentWord],
    /// The words around the number.
    pub around: QuantityContext,
    /// Whether it is told as a limit ("over 30").
    pub limited: bool,
}

/// The evidence's own value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// As the evidence writes it.
    pub text: String,
    /// The passage.
    pub passage: usize,
    /// Where it stands in the passage.
    pub span: Span,
    /// The sentence it stands in.
    pub sentence: Span,
}

/// Share of the sentence's other content words that the evidence's sentence must hold.
const OVERLAP: f64 = 0.6;

struct Candidate {
    overlap: f64,
    passage: usize,
    span: Span,
    sentence: u32,
}

impl EvidenceSet {
    /// The evidence's number for the same noun (or, without one, the same preceding word), in a
    /// unit of the same dimension and a sentence about the same thing, where it differs from what
    /// is said. `None` where any such number agrees, or where several different ones compete.
    #[must_use]
    pub fn conflicting_quantity(&self, said: &Quantity, context: &Context<'_>) -> Option<Conflict> {
        if matches!(said.kind, QuantityKind::Label | QuantityKind::Ordinal) {
            return None;
        }
        let mut found = Vec::new();
        // "5 dollars here and 9 euros there": of which currency it is goes by what it is of.
        let several = self.tells_money_in(said);
        for (passage, own) in self.all_quantities() {
            // "You can return items within 60 days", "items may be returned within 30 days".
            let bounds = || {
                let both =
                    context.around.led == Some(Led::Within) && own.context.led == Some(Led::Within);
                let apart = context.around.days.apart(own.context.days);
                let data = self.passages()[passage].data();
                both && !apart && overlap(data, own.sentence, said.span, context) >= 1.0
            };
            if own.quantity.kind != said.kind
                || !same_thing(&context.around, &own.context, is_year(said)) && !bounds()
                || moves(&context.around, said) != moves(&own.context, &own.quantity)
                || own.reached == Reached::Unclear
            {
                continue;
            }
            let figure = (own.quantity.value, own.quantity.unit);
            match numbers_agree(said, figure.0, figure.1) {
                Some(true) => return None,
                // "$35.2 million" is no other amount than the "$35 million" of a source.
                Some(false) if rounded_to(said, figure.0, figure.1) => return None,
                // "The 1980s" leaves open whether it was 1987.
                Some(false) if decade_holds(&own.quantity, said.value) == Some(true) => {
                    return None;
                }
                Some(false) => {
                    found.push(self.candidate(
                        passage,
                        own.quantity.span,
                        own.sentence,
                        said.span,
                        context,
                    ));
                }
                None => {
                    if !several && other_currency(said, &own.quantity) {
                        let (span, sentence) = (own.quantity.span, own.sentence);
                        found.push(self.candidate(passage, span, sentence, said.span, context));
                    }
                }
            }
        }
        if is_year(said) {
            for (passage, own) in self.all_dates() {
                let Some(year) = year_of(&own.date) else {
                    continue;
                };
                if decade_holds(said, year) == Some(true) {
                    return None;
                }
                if !same_thing(&context.around, &own.context, true) {
                    continue;
                }
                if numbers_agree(said, year, None) == Some(true) {
                    return None;
                }
                found.push(self.candidate(
                    passage,
                    own.date.span,
                    own.sentence,
                    said.span,
                    context,
                ));
            }
        }
        // "Rose to 290", where the evidence has "from 200 to 260".
        let led = |c: &Candidate| {
            let own = self.passages()[c.passage].data().quantities.iter();
            let mut own = own.filter(|own| own.quantity.span == c.span);
            own.any(|own| own.context.led == context.around.led)
        };
        if context.around.led.is_some() && found.iter().any(led) {
            found.retain(led);
        }
        self.best(found, context.limited)
    }

    /// Whether the evidence has an amount of money in the currency of this one.
    fn tells_money_in(&self, said: &Quantity) -> bool {
        let money = |quantity: &Quantity| quantity.kind == QuantityKind::Money;
        money(said)
            && self.all_quantities().any(|(_, own)| {
                let units = said.unit.zip(own.quantity.unit);
                money(&own.quantity) && units.is_some_and(|(a, b)| comparable(a, b))
            })
    }

    /// Share of the sentence's other content words that the conflict's sentence holds.
    #[must_use]
    pub fn shared_with(&self, conflict: &Conflict, said: Span, context: &Context<'_>) -> f64 {
        let Some(passage) = self.passages().get(conflict.passage) else {
            return 0.0;
        };
        let data = passage.data();
        let at = data
            .sentences()
            .iter()
            .position(|s| *s == conflict.sentence);
        at.map_or(0.0, |at| overlap(data, at as u32, said, context))
    }

    /// The same for the sentence that holds most of them of those with the number itself.
    #[must_use]
    pub fn shared_with_number(&self, said: &Quantity, context: &Context<'_>) -> f64 {
        let own = self.all_quantities().filter(|(_, own)| {
            let own = &own.quantity;
            (own.value - said.value).abs() <= 1e-9 * said.value.abs()
                || numbers_agree(said, own.value, own.unit) == Some(true)
        });
        own.map(|(passage, own)| {
            let data = self.passages()[passage].data();
            overlap(data, own.sentence, said.span, context)
        })
        .fold(0.0, f64::max)
    }

    /// Whether the number is told only in other passages than the conflict's, in sentences about
    /// other things: they hold no content word of this one but those that go with the number, while
    /// the conflict's has all of `subject`, of which there has to be one.
    #[must_use]
    pub fn told_of_others(
        &self,
        said: &Quantity,
        conflict: &Conflict,
        subject: &[u64],
        company: &[Span],
        context: &Context<'_>,
    ) -> bool {
        let Some(data) = self.passages().get(conflict.passage).map(|p| p.data()) else {
            return false;
        };
        let at = (data.sentences().iter()).position(|s| *s == conflict.sentence);
        let about = |at: usize| subject.iter().all(|stem| data.is_about(at as u32, *stem));
        if subject.is_empty() || !at.is_some_and(about) {
            return false;
        }
        let words: Vec<u64> = (context.words.iter())
            .filter(|word| {
                let near = company.iter().any(|span| span.overlaps(word.span));
                !near && !word.number && !word.span.overlaps(said.span)
            })
            .map(|word| word.stem)
            .collect();
        self.all_quantities()
            .filter(|(_, own)| {
                numbers_agree(said, own.quantity.value, own.quantity.unit) != Some(false)
            })
            .all(|(passage, own)| {
                let data = self.passages()[passage].data();
                let same = numbers_agree(said, own.quantity.value, own.quantity.unit);
                let bare = (own.quantity.value - said.value).abs() <= 1e-9 * said.value.abs();
                same.is_none() && !bare
                    || passage != conflict.passage
                        && !words.iter().any(|stem| data.is_about(own.sentence, *stem))
            })
    }

    /// The evidence's words for the same amount of a movement the other way: it has "fell 5 %"
    /// where "grew 5 %" is said. All other content words of the sentence, and all of `years`, have
    /// to stand in the evidence's sentence; `None` where any such number moves the same way, or it
    /// is not told which way. The span runs from the word to the number, or back.
    #[must_use]
    pub fn opposite_movement(
        &self,
        said: &Quantity,
        context: &Context<'_>,
        years: &[f64],
    ) -> Option<Conflict> {
        let turn = context.around.turn?;
        let mut found = None;
        for (passage, own) in self.all_quantities() {
            let data = self.passages()[passage].data();
            let signed = sign(data, own).filter(|_| own.context.turn.is_none());
            let value = signed.map_or(own.quantity.value, |_| own.quantity.value.abs());
            if own.quantity.kind != said.kind
                || numbers_agree(said, value, own.quantity.unit) != Some(true)
                || overlap(data, own.sentence, said.span, context) < 1.0
            {
                continue;
            }
            let (up, place) = match (own.context.turn, signed) {
                (Some(same), _) => (same.up, same.span),
                // "-7 %" is how far it moved, and "fell to 7 %" is not.
                (None, Some(up)) if moves(&context.around, said) => (up, own.quantity.span),
                _ => return None,
            };
            if up == turn.up {
                return None;
            }
            let dated = years.iter().all(|year| {
                let other = data.quantities.iter().any(|other| {
                    other.sentence == own.sentence && (other.quantity.value - year).abs() < 0.5
                });
                let dates = data.dates.iter();
                other
                    || dates
                        .filter(|date| date.sentence == own.sentence)
                        .any(|date| year_of(&date.date) == Some(*year))
            });
            if !dated || data.is_negated(own.sentence) {
                return None;
            }
            let number = own.quantity.span;
            let span = Span::new(number.start.min(place.start), number.end.max(place.end));
            found.get_or_insert((passage, span, own.sentence));
        }
        let (passage, span, sentence) = found?;
        let data = self.passages()[passage].data();
        Some(Conflict {
            text: self.passages()[passage]
                .text()
                .get(span.start..span.end)?
                .to_owned(),
            passage,
            span,
            sentence: data.sentences().get(sentence as usize).copied()?,
        })
    }

    /// The evidence's weekday or day of the year for the same thing, where it differs. Days that are
    /// told together ("24–26 December") are one; `end` says which end of such a stretch is said.
    #[must_use]
    pub fn conflicting_date(
        &self,
        said: &DateExpr,
        end: Option<End>,
        context: &Context<'_>,
    ) -> Option<Conflict> {
        let mut found = Vec::new();
        for (passage, own) in self.all_dates() {
            let Some(same) = dates_agree(said, &own.date) else {
                continue;
            };
            if !same_thing(&context.around, &own.context, true)
                && !both_close(said, &context.around, own)
            {
                continue;
            }
            let beside = self.passages()[passage].data().beside(own, said, end);
            let (place, held) = beside.unwrap_or((own.date.span, false));
            if same || held {
                return None;
            }
            found.push(self.candidate(passage, place, own.sentence, said.span, context));
        }
        if let (Some(year), None) = (said.year, said.month) {
            for (passage, own) in self
                .all_quantities()
                .filter(|(_, own)| is_year(&own.quantity))
            {
                if !same_thing(&context.around, &own.context, true) {
                    continue;
                }
                if (own.quantity.value - f64::from(year)).abs() < 0.5 {
                    return None;
                }
                found.push(self.candidate(
                    passage,
                    own.quantity.span,
                    own.sentence,
                    said.span,
                    context,
                ));
            }
        }
        self.best(found, false)
    }

    pub(super) fn all_quantities(&self) -> impl Iterator<Item = (usize, &super::Counted)> {
        let passages = self.passages().iter().enumerate();
        passages
            .flat_map(|(at, passage)| passage.data().quantities.iter().map(move |own| (at, own)))
    }

    pub(super) fn all_dates(&self) -> impl Iterator<Item = (usize, &super::Dated)> {
        let passages = self.passages().iter().enumerate();
        passages.flat_map(|(at, passage)| passage.data().dates.iter().map(move |own| (at, own)))
    }

    fn candidate(
        &self,
        passage: usize,
        span: Span,
        sentence: u32,
        said: Span,
        context: &Context<'_>,
    ) -> Candidate {
        let data = self.passages()[passage].data();
        Candidate {
            overlap: overlap(data, sentence, said, context),
            passage,
            span,
            sentence,
        }
    }

    fn best(&self, mut found: Vec<Candidate>, limited: bool) -> Option<Conflict> {
        // What the evidence denies of another value says nothing of this one.
        let denied = |c: &Candidate| {
            let data = self.passages()[c.passage].data();
            data.is_denied(c.sentence, c.span)
        };
        found.retain(|candidate| candidate.overlap >= OVERLAP && !denied(candidate));
        // "Free for orders over 50": of the amounts of "costs 3, free for orders over 30" the limit.
        let limits = |c: &Candidate| self.limit_in(c.passage, c.span).is_some();
        if limited && found.len() > 1 && found.iter().any(limits) {
            found.retain(limits);
        }
        let text = |c: &Candidate| {
            let text = self.passages()[c.passage].text();
            text.get(c.span.start..c.span.end).unwrap_or("").to_owned()
        };
        let best = found
            .iter()
            .fold(None::<&Candidate>, |best, candidate| match best {
                Some(best) if best.overlap >= candidate.overlap => Some(best),
                _ => Some(candidate),
            })?;
        let value = text(best);
        // Two values for the same thing: the evidence itself does not decide.
        let rival = found
            .iter()
            .any(|c| c.overlap >= best.overlap && text(c) != value);
        (!rival && !value.is_empty()).then(|| Conflict {
            text: value,
            passage: best.passage,
            span: best.span,
            sentence: self.passages()[best.passage]
                .data()
                .sentences()
                .get(best.sentence as usize)
                .copied()
                .unwrap_or_default(),
        })
    }
}

/// The same amount in another currency. Currencies of one name ("dollar") may be the same one,
/// told more or less closely, and of another amount it may be what it comes to.
fn other_currency(said: &Quantity, own: &Quantity) -> bool {
    let (Some(a), Some(b)) = (said.unit, own.unit) else {
        return false;
    };
    let money = said.kind == QuantityKind::Money && own.kind == QuantityKind::Money;
    let bare = Quantity {
        unit: None,
        ..*said
    };
    money
        && !comparable(a, b)
        && !same_name(a, b)
        && numbers_agree(&bare, own.value, None) == Some(true)
}

/// Which way a number's sign says that something moved ("Revenue: +7 %"); none without a sign, or where
/// its sentence has a word for a movement ("decline: -7 %").
fn sign(data: &PassageIndex, own: &super::Counted) -> Option<bool> {
    let sentence = data.sentences().get(own.sentence as usize)?;
    let span = own.quantity.span;
    let share = own.quantity.kind == QuantityKind::Percent;
    let before = data.text().get(sentence.start..span.start)?;
    let written = data.text().get(span.start..span.end)?;
    let up = written.starts_with('+') || before.ends_with('+');
    let words = data.text().get(sentence.start..sentence.end)?;
    let mut words = words.split(|c: char| !c.is_alphabetic());
    let told = words.any(|word| {
        let word = word.to_lowercase();
        let table = otherwise();
        movement(&word).is_some() || table.has("lowered", &word) || table.has("raised", &word)
    });
    (share && !told && (up || own.quantity.value < 0.0)).then_some(up)
}

/// Whether a number is how far something moved: "rose by 5" is at odds with no "rose to 12".
fn moves(context: &QuantityContext, quantity: &Quantity) -> bool {
    !is_year(quantity) && context.difference.of(quantity.kind)
}
