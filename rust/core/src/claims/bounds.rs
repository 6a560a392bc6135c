//! What a written number leaves open: "over 400", "at least 400", "400+", "between 400 and 500".

use crate::lexicon::readings::conversions;
use crate::lexicon::tables::stance;
use crate::types::{LexKind, Quantity, QuantityKind, Span, UnitId};

use super::difference::{Reached, has_own_unit, reached};
use super::numbers::{interval, numbers_agree, quantity_context};
use super::view::{Folded, SentenceView};

/// The numbers that a number with "over", "up to" and the like speaks of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// From the first of those words through the last.
    pub span: Span,
    /// Least value; minus infinity where there is none.
    pub low: f64,
    /// Greatest value; infinity where there is none.
    pub high: f64,
    /// Whether the limits themselves are left out ("over", "fewer than").
    pub open: bool,
    /// Unit of the limits, if any.
    pub unit: Option<UnitId>,
}

/// How far a converted limit may be off.
const CONVERTED: f64 = 0.01;

impl Bounds {
    /// From one value to another, both among them, wherever that is written.
    #[must_use]
    pub fn between(low: f64, high: f64, unit: Option<UnitId>) -> Self {
        Self {
            span: Span::default(),
            low,
            high,
            open: false,
            unit,
        }
    }

    /// What a written number says, as precisely as it is written.
    #[must_use]
    pub fn exactly(quantity: &Quantity) -> Self {
        let (low, high) = interval(quantity);
        Self {
            span: quantity.span,
            ..Self::between(low, high, quantity.unit)
        }
    }

    /// The same with room on both sides.
    #[must_use]
    pub fn wider(self, by: f64) -> Self {
        Self {
            low: self.low - by,
            high: self.high + by,
            ..self
        }
    }

    /// Whether some value lies within both; a limit that is only approached counts as reached, since
    /// people who say "three hours" also say "over three hours". `None` where the units cannot be
    /// compared.
    #[must_use]
    pub fn meets(&self, other: &Self) -> Option<bool> {
        let meets = |(low, high): (f64, f64), slack: f64| {
            let room = |value: f64| {
                if value.is_finite() {
                    value.abs() * (slack + 1e-9)
                } else {
                    0.0
                }
            };
            low - room(low) <= self.high && high + room(high) >= self.low
        };
        match (self.unit, other.unit) {
            (None, None) => Some(meets((other.low, other.high), 0.0)),
            (Some(a), Some(b)) if a == b => Some(meets((other.low, other.high), 0.0)),
            (Some(a), Some(b)) => {
                let limits = conversions(other.low, b, a).zip(conversions(other.high, b, a));
                let mut limits = limits.peekable();
                limits.peek()?;
                Some(limits.any(|limits| meets(limits, CONVERTED)))
            }
            _ => None,
        }
    }

    /// Whether a value of unit `of` lies within. `None` where the units cannot be compared.
    #[must_use]
    pub fn hold(&self, value: f64, of: Option<UnitId>) -> Option<bool> {
        match (self.unit, of) {
            (None, None) => Some(self.holds(value, 0.0)),
            (Some(a), Some(b)) if a == b => Some(self.holds(value, 0.0)),
            (Some(a), Some(b)) => {
                let mut all = conversions(value, b, a).peekable();
                all.peek()?;
                Some(all.any(|value| self.holds(value, CONVERTED)))
            }
            _ => None,
        }
    }

    /// The same of a value in its own unit, which may be off by that share.
    fn holds(&self, value: f64, slack: f64) -> bool {
        let slack = value.abs() * (slack + 1e-9);
        if self.open {
            // Decimal fractions are not exact in binary, so a limit reached is tested first.
            let reached = |limit: f64| (value - limit).abs() <= value.abs() * 1e-9;
            !reached(self.low)
                && !reached(self.high)
                && value > self.low - slack
                && value < self.high + slack
        } else {
            value >= self.low - slack && value <= self.high + slack
        }
    }
}

/// Whether two written amounts can be one: as precisely as each is written, and as far as "over",
/// "up to", "2 to 4" and the like leave them open. `None` where they cannot be compared.
#[must_use]
pub fn amounts_agree(
    (one, of_one): (&Quantity, Option<&Bounds>),
    (other, of_other): (&Quantity, Option<&Bounds>),
) -> Option<bool> {
    if of_one.is_none() && of_other.is_none() {
        let agree = numbers_agree(one, other.value, other.unit)?;
        // What was said in round figures is not at odds with the exact one.
        return Some(agree || numbers_agree(other, one.value, one.unit) == Some(true));
    }
    let whole = |quantity: &Quantity, bounds: Option<&Bounds>| {
        bounds.copied().unwrap_or_else(|| Bounds::exactly(quantity))
    };
    whole(one, of_one).meets(&whole(other, of_other))
}

/// The bounds that the words around a number make of it; `None` where it stands for itself.
#[must_use]
pub fn bounds(view: &SentenceView<'_>, folded: &Folded<'_>, quantity: &Quantity) -> Option<Bounds> {
    if matches!(quantity.kind, QuantityKind::Label | QuantityKind::Ordinal) {
        return None;
    }
    let at = view.lexemes_in(quantity.span);
    let mut phrase = String::new();
    let mut joined = |from: usize, to: usize| {
        phrase.clear();
        for i in from..to {
            if i > from {
                phrase.push(' ');
            }
            phrase.push_str(symbol(view, folded, i));
        }
        stance().marks(&phrase)
    };
    if let Some(range) = range(view, folded, quantity) {
        return Some(range);
    }
    let value = quantity.value;
    let make = |span: Span, above: bool, open: bool| Bounds {
        span,
        low: if above { value } else { f64::NEG_INFINITY },
        high: if above { f64::INFINITY } else { value },
        open,
        unit: quantity.unit,
    };
    for length in (1..=3).rev() {
        let Some(from) = at.start.checked_sub(length) else {
            continue;
        };
        let marks = joined(from, at.start);
        if marks.is_empty() {
            continue;
        }
        let classes = [
            ("at_least", true, false),
            ("at_most", false, false),
            ("above", true, true),
            ("below", false, true),
        ];
        let class = classes.iter().find(|(class, ..)| marks.has(class));
        if let Some((_, above, open)) = class {
            let span = Span::new(view.lexemes[from].span.start, quantity.span.end);
            return Some(make(span, *above, *open));
        }
    }
    // "400+", "400 or more", "400 employees or more".
    for skip in 0..=1 {
        for length in 1..=2 {
            let (from, to) = (at.end + skip, at.end + skip + length);
            if to > view.lexemes.len() {
                break;
            }
            // "€140 plus tax": what is paid besides.
            let besides = quantity.kind == QuantityKind::Money
                && folded.get(from) == "plus"
                && view.kind(to) == Some(LexKind::Word);
            if besides {
                continue;
            }
            let marks = joined(from, to);
            let above = marks.has("or_more") && (skip == 0 || length == 2);
            if above || marks.has("or_less") {
                let span = Span::new(quantity.span.start, view.lexemes[to - 1].span.end);
                let span = if skip == 0 { span } else { quantity.span };
                return Some(make(span, above, false));
            }
        }
    }
    None
}

fn symbol<'a>(view: &SentenceView<'a>, folded: &'a Folded<'_>, i: usize) -> &'a str {
    let punct = view
        .lexemes
        .get(i)
        .is_some_and(|lexeme| lexeme.kind == LexKind::Punct);
    if punct { view.word(i) } else { folded.get(i) }
}

/// "between 400 and 500", "400 to 500", "400–500".
fn range(view: &SentenceView<'_>, folded: &Folded<'_>, quantity: &Quantity) -> Option<Bounds> {
    let place = view
        .quantities
        .iter()
        .position(|q| q.span == quantity.span)?;
    let pairs = [
        (place.checked_sub(1), Some(place)),
        (Some(place), Some(place + 1)),
    ];
    pairs.into_iter().find_map(|(one, two)| {
        let (one, two) = (view.quantities.get(one?)?, view.quantities.get(two?)?);
        let (first, second) = (view.lexemes_in(one.span), view.lexemes_in(two.span));
        // "400-500" may be told in one lexeme.
        let before = first.start.checked_sub(1).map_or("", |i| folded.get(i));
        let joint = (second.start == first.end + 1).then(|| symbol(view, folded, first.end));
        let ranged = match joint {
            Some("and") => before == "between",
            Some("to" | "-" | "–") => before != "from",
            _ => false,
        };
        let differs = || {
            let around = quantity_context(view.lexemes, one.span, |span| view.at(span));
            around.difference.of(one.kind)
        };
        if joint == Some("to")
            && reached(one, two, differs(), has_own_unit(view.at(one.span))) != Reached::Range
        {
            return None;
        }
        let units = one.unit.is_none() || two.unit.is_none() || one.unit == two.unit;
        if !ranged || !units || one.value > two.value || one.kind == QuantityKind::Label {
            return None;
        }
        let start = if before == "between" {
            view.lexemes[first.start - 1].span.start
        } else {
            one.span.start
        };
        Some(Bounds {
            span: Span::new(start, two.span.end),
            low: one.value,
            high: two.value,
            open: false,
            unit: two.unit.or(one.unit),
        })
    })
}
