//! The words of a claim that are compared with values.

use crate::claims::{Bounds, SentenceView, bounds, unit_named};
use crate::kb::{Agreement, Said, Snapshot, Value, loose};
use crate::types::{DateExpr, Quantity, QuantityKind, Resolution, Span};

/// The object of a claim as the base compares it.
pub(super) struct Object<'a> {
    pub(super) text: &'a str,
    span: Span,
    pub(super) quantities: Vec<Quantity>,
    pub(super) dates: Vec<DateExpr>,
    entities: Vec<u32>,
    /// What its numbers leave open ("over 400").
    pub(super) bounds: Vec<Bounds>,
}

impl<'a> Object<'a> {
    pub(super) fn new(view: &SentenceView<'a>, span: Span) -> Self {
        let known = view
            .mentions
            .iter()
            .filter(|mention| span.overlaps(mention.span));
        let quantities: Vec<Quantity> = view
            .quantities
            .iter()
            .filter(|q| span.overlaps(q.span))
            .copied()
            .collect();
        let bounds = if quantities.is_empty() {
            Vec::new()
        } else {
            let folded = view.folded();
            let of = |quantity| bounds(view, &folded, quantity);
            // "1910–1979", of which each year is said by itself, is no range of what is said.
            let ranged = |bounds: &Bounds| bounds.low.is_finite() && bounds.high.is_finite();
            let alone = quantities.len() == 1 && quantities[0].kind == QuantityKind::Year;
            let all = quantities.iter().filter_map(of);
            all.filter(|bounds| !alone || !ranged(bounds)).collect()
        };
        Self {
            text: view.at(span),
            span,
            quantities,
            bounds,
            dates: view
                .dates
                .iter()
                .filter(|d| span.overlaps(d.span))
                .copied()
                .collect(),
            entities: known
                .flat_map(|mention| match &mention.resolution {
                    Resolution::Known(ids) => ids.clone(),
                    _ => Vec::new(),
                })
                .collect(),
        }
    }

    /// How it stands to a value; a number that leaves something open agrees with all it allows.
    pub(super) fn agrees(&self, kb: &Snapshot, value: &Value) -> Agreement {
        let plain = kb.agrees(value, &self.said());
        if let Value::Text(text) = value
            && !self.bounds.is_empty()
            && let Some(own) = loose(text)
        {
            let met = |bounds: &Bounds| bounds.meets(&own.bounds);
            return match self.bounds.iter().find_map(met) {
                Some(true) => Agreement::Same,
                _ => plain,
            };
        }
        let Value::Number { value, unit } = value else {
            return plain;
        };
        if plain == Agreement::Incomparable || self.bounds.is_empty() {
            return plain;
        }
        let of = unit.as_deref().and_then(unit_named);
        let held = self
            .bounds
            .iter()
            .find_map(|bounds| bounds.hold(*value, of));
        match held {
            Some(true) => Agreement::Same,
            Some(false) => Agreement::Different,
            None => plain,
        }
    }

    /// The same with numbers taken as plain ones where `drop` says so.
    pub(super) fn without_unit(&self, drop: &dyn Fn(&Quantity) -> bool) -> Self {
        let plain = |quantity: &Quantity| Quantity {
            unit: quantity.unit.filter(|_| !drop(quantity)),
            ..*quantity
        };
        let dropped = self.quantities.iter().any(drop);
        Self {
            text: self.text,
            span: self.span,
            quantities: self.quantities.iter().map(plain).collect(),
            dates: self.dates.clone(),
            entities: self.entities.clone(),
            bounds: self
                .bounds
                .iter()
                .map(|bounds| Bounds {
                    unit: bounds.unit.filter(|_| !dropped),
                    ..*bounds
                })
                .collect(),
        }
    }

    pub(super) fn span(&self) -> Span {
        self.span
    }

    pub(super) fn said(&self) -> Said<'_> {
        Said {
            text: self.text,
            quantities: &self.quantities,
            dates: &self.dates,
            entities: &self.entities,
        }
    }
}
