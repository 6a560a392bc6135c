//! The words of a claim that are compared with values.

use std::borrow::Cow;

use crate::claims::{Bounds, SentenceView, bounds, unit_named};
use crate::kb::pounds::as_paid;
use crate::kb::{Agreement, Said, Snapshot, Value, loose, rated_amount};
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::tables::stance;
use crate::lexicon::words::{WordClass, class};
use crate::normal::{fold_name, stem};
use crate::segment::{has_tag, unpadded, untagged};
use crate::types::{Claim, DateExpr, LexFlags, Quantity, QuantityKind, Resolution, Span};

use super::based::told_of_seat;

const PRONOUN: Cue = Cue::PRONOUN_PERSON
    .or(Cue::PRONOUN_THING)
    .or(Cue::PRONOUN_GROUP)
    .or(Cue::PRONOUN_OTHER);

/// Words before the most that something can be.
const UP_TO: &str = "up to ";

/// The object of a claim as the base compares it.
pub(super) struct Object<'a> {
    /// As written, but for a pronoun the name that it stands for.
    pub(super) text: Cow<'a, str>,
    span: Span,
    pub(super) quantities: Vec<Quantity>,
    pub(super) dates: Vec<DateExpr>,
    entities: Vec<u32>,
    /// A noun that has its capital from the beginning of the sentence ("Volunteers founded …").
    pub(super) common: bool,
    /// What its numbers leave open ("over 400").
    pub(super) bounds: Vec<Bounds>,
    /// Whether they are the most that there can be ("up to 400").
    pub(super) up_to: bool,
    /// What its number was multiplied by, where a header gives its magnitude.
    pub(super) factor: f64,
}

/// Hours without what is had beside them, and when: "open from 7 with the kitchen open from 11 to 8".
fn hours_alone(view: &SentenceView<'_>, claim: &Claim, object: Span) -> Span {
    let names = view.attributes.predicates();
    let timed = |name: &str| {
        ["opening_hours", "closing_time"]
            .iter()
            .any(|own| names.same(own, name))
    };
    let place = view.lexemes_in(object);
    let with = (place.start + 1..place.end).find(|i| view.word(*i) == "with");
    match with.filter(|_| claim.predicate.as_deref().is_some_and(timed)) {
        Some(with) => Span::new(object.start, view.lexemes[with - 1].span.end),
        None => object,
    }
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
        // "its first buyers $999": the amount is what is said.
        let money = quantities.iter().any(|q| q.kind == QuantityKind::Money);
        let quantities: Vec<Quantity> = quantities
            .into_iter()
            .filter(|q| !money || q.kind != QuantityKind::Ordinal)
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
        let most = |bounds: &Bounds| {
            let words = view.at(bounds.span);
            let start = words.get(..UP_TO.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(UP_TO))
        };
        Self {
            text: if has_tag(view.at(span)) {
                Cow::Owned(untagged(view.at(span)).into_owned())
            } else {
                unpadded(view.at(span))
            },
            span,
            common: false,
            quantities,
            up_to: bounds.iter().any(most),
            bounds,
            factor: 1.0,
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

    /// The object of a claim; none where it is a pronoun of which the text before leaves open what
    /// it stands for, or that stands for nobody in particular.
    pub(super) fn of(view: &SentenceView<'a>, claim: &'a Claim) -> Option<Self> {
        let span = hours_alone(view, claim, claim.object_span?);
        let mut object = Self::new(view, span);
        if let [own] = object.quantities.as_mut_slice()
            && let Some(told) = claim
                .quantities
                .iter()
                .find(|q| q.span == own.span && **q != *own)
        {
            object.factor = told.value / own.value;
            *own = *told;
        }
        let predicate = claim.predicate.as_deref().unwrap_or("");
        for said in &mut object.quantities {
            as_paid(said, predicate);
        }
        let place = view.lexemes_in(span);
        let folded = view.folded();
        let stands_in = |i: usize| {
            let word = folded.get(i);
            let word = word.split(['\'', '’']).next().unwrap_or(word);
            cue(word).is(PRONOUN) || stance().has("nobody_particular", word)
        };
        if place.len() == 1 && stands_in(place.start) {
            // "They" may be more than the one that is named.
            let one = !folded.cue(place.start).is(Cue::PRONOUN_GROUP);
            let own = |name: &str| {
                let first = fold_name(name.split(' ').next().unwrap_or(name));
                name.starts_with(char::is_uppercase)
                    && !cue(&first).is(Cue::DETERMINER.or(Cue::POSSESSIVE))
            };
            let meant = claim.object_referent.as_ref();
            let meant = meant.filter(|meant| one && own(&meant.name))?;
            object.text = Cow::Borrowed(&meant.name);
            object.entities.clone_from(&meant.entities);
            return Some(object);
        }
        let named = |i: usize| {
            let lexeme = &view.lexemes[i];
            let known = class(folded.get(i)).with(class(&stem(folded.get(i))));
            let names = WordClass::GIVEN_NAME
                .with(WordClass::CITY)
                .with(WordClass::COUNTRY);
            !lexeme.flags.has(LexFlags::SENTENCE_START)
                || !known.has(WordClass::COMMON)
                || known.any(names)
                || view.mentions.iter().any(|m| m.span.overlaps(lexeme.span))
        };
        let capital = |i: &usize| view.lexemes[*i].flags.has(LexFlags::CAPITALIZED);
        let seat = told_of_seat(view, span);
        if !seat && place.clone().any(|i| capital(&i)) && !place.clone().filter(capital).any(named)
        {
            object.common = true;
        }
        // "by two students of Delft", "by former employees of Nokia": who they are is not said.
        let of = place.clone().find(|i| folded.get(*i) == "of");
        if let Some(of) = of.filter(|of| *of > place.start)
            && folded.get(of - 1).ends_with('s')
            && !(place.start..of).any(|i| capital(&i))
        {
            object.common = true;
        }
        Some(object)
    }

    /// Whether it is a pronoun that stands for a name.
    pub(super) fn stands_for(&self, view: &SentenceView<'_>) -> bool {
        matches!(self.text, Cow::Borrowed(text) if text != view.at(self.span))
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
        if let Value::Text(text) = value
            && let [bounds] = self.bounds.as_slice()
            && let Some(own) = rated_amount(text)
        {
            return match bounds.hold(own.value, own.unit) {
                Some(true) => Agreement::Same,
                Some(false) if plain != Agreement::Incomparable => Agreement::Different,
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
        // "over two million", where the base has 2,000,000: a figure as round as that is a round one there too.
        let reached = |bounds: &Bounds| {
            bounds.open && bounds.low.to_bits() == value.to_bits() && is_round(*value)
        };
        match held {
            Some(true) => Agreement::Same,
            Some(false) if self.bounds.iter().any(reached) => Agreement::Same,
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
            text: self.text.clone(),
            span: self.span,
            common: self.common,
            quantities: self.quantities.iter().map(plain).collect(),
            dates: self.dates.clone(),
            entities: self.entities.clone(),
            up_to: self.up_to,
            factor: self.factor,
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

    /// The same with its numbers taken as exact.
    pub(super) fn exactly(&self) -> Self {
        Self {
            bounds: Vec::new(),
            ..self.without_unit(&|_| false)
        }
    }

    pub(super) fn span(&self) -> Span {
        self.span
    }

    pub(super) fn said(&self) -> Said<'_> {
        Said {
            text: &self.text,
            quantities: &self.quantities,
            dates: &self.dates,
            entities: &self.entities,
        }
    }
}

/// A thousand or more, of which only the first two figures count.
fn is_round(value: f64) -> bool {
    let step = 10_f64.powf(value.abs().log10().floor() - 1.0);
    value.abs() >= 1000.0 && (value / step).fract() == 0.0
}
