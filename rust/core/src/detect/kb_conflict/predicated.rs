//! What stands behind "X's rooms are", "X's room is": the attribute's value, or something that is told of
//! the things themselves. "Restaurants are open until 11" counts no restaurants, "the seat is by the
//! window" numbers no seat, "the location is 40 km from Oslo" names no place.

use std::ops::Range;

use crate::claims::{Folded, SentenceView, unit_named};
use crate::kb::{Fact, Value, period, tells_time, weekday_text};
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::values;
use crate::normal::stem;
use crate::segment::{self, clocks};
use crate::types::{Claim, LexFlags, LexKind, Quantity, QuantityKind};

use crate::detect::object::Object;

/// Words behind a number among which it is said to be how many there are, or more than another.
const BEHIND: usize = 3;
/// Bytes of a text that can number a thing.
const LABEL: usize = 12;

/// A sentence whose subject is the noun of an attribute.
struct Predicated<'a> {
    view: &'a SentenceView<'a>,
    folded: &'a Folded<'a>,
    /// The noun.
    noun: usize,
    /// The form of "be" behind it.
    copula: usize,
    /// What follows, as far as it is the claim's object.
    told: Range<usize>,
}

/// Whether what follows the attribute's noun and a form of "be" is no value as the fact's is.
pub(super) fn told_of_the_thing(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    claim: &Claim,
    object: &Object<'_>,
    fact: &Fact,
) -> bool {
    if multiplied(view, object) {
        return true;
    }
    let Some(said) = Predicated::of(view, folded, claim, object) else {
        return false;
    };
    match &fact.value {
        Value::Number { unit, .. } => {
            let measured = unit
                .as_deref()
                .is_some_and(|of| of == "%" || unit_named(of).is_some());
            said.is_no_amount(object, !measured)
        }
        Value::Text(own) | Value::Enum(own) | Value::Entity(own) => {
            let timed = weekday_text(own).is_some()
                || !clocks(own).is_empty()
                || period(own).is_some()
                || tells_time(own)
                || own.contains('@');
            let amounts = segment::quantities(own);
            match amounts.iter().find(|q| q.kind != QuantityKind::Label) {
                _ if timed => false,
                _ if is_label(own) => said.is_no_label(own),
                Some(amount) => said.is_no_amount(object, amount.unit.is_none()),
                None => said.is_no_name(object) || said.is_where_a_place_is(claim),
            }
        }
        Value::Date(_) | Value::Bool(_) | Value::Email(_) => false,
    }
}

/// "3.3 × 10": a number of which a power that is not read stands behind it.
fn multiplied(view: &SentenceView<'_>, object: &Object<'_>) -> bool {
    object.quantities.first().is_some_and(|q| {
        let from = q.span.end.saturating_sub(view.sentence.span.start);
        let rest = view.text.get(from..).unwrap_or("").trim_start();
        let times = rest.strip_prefix(['×', '·', '⋅', '*', 'x']);
        times.is_some_and(|rest| rest.trim_start().starts_with("10"))
    })
}

impl<'a> Predicated<'a> {
    fn of(
        view: &'a SentenceView<'a>,
        folded: &'a Folded<'a>,
        claim: &Claim,
        object: &Object<'_>,
    ) -> Option<Self> {
        let place = view.lexemes_in(object.span());
        let subject = view.lexemes_in(claim.subject_span?);
        let copula = (subject.end..place.start)
            .rev()
            .find(|i| folded.cue(*i).is(Cue::COPULA))?;
        let name = claim.predicate.as_deref()?;
        let names = view.attributes.predicates();
        let last = |name: &str| stem(name.rsplit('_').next().unwrap_or(name)).into_owned();
        let mut nouns = vec![last(name)];
        nouns.extend(names.names_of(name).into_iter().map(last));
        let apart = |i: &usize| !matches!(view.word(*i), "," | ";" | ":" | "(" | ")");
        let noun = (0..copula)
            .rev()
            .take_while(apart)
            // "Founded in" is a name too, and "in" no noun.
            .filter(|i| !folded.cue(*i).is(Cue::FUNCTION.or(Cue::PREPOSITION)))
            .find(|i| nouns.contains(&stem(folded.get(*i)).into_owned()))?;
        // "was founded in 1987 The museum was": a verb of another statement.
        let verb = noun > 0 && folded.cue(noun - 1).is(Cue::COPULA.or(Cue::AUXILIARY));
        if verb {
            return None;
        }
        Some(Self {
            view,
            folded,
            noun,
            copula,
            told: copula + 1..place.end,
        })
    }

    fn text(&self, i: usize) -> &str {
        self.folded.get(i)
    }

    fn quantity(&self, i: usize) -> Option<&Quantity> {
        let span = self.view.lexemes.get(i)?.span;
        self.view.quantities.iter().find(|q| q.span.overlaps(span))
    }

    /// "are": said of each of several things.
    fn of_several(&self) -> bool {
        matches!(
            self.text(self.copula),
            "are" | "were" | "aren't" | "weren't"
        )
    }

    /// Whether the number behind the verb is not how many or how much the attribute comes to.
    fn is_no_amount(&self, object: &Object<'_>, counts: bool) -> bool {
        let place = self.view.lexemes_in(object.span());
        let Some(at) = self.told.clone().find(|i| self.quantity(*i).is_some()) else {
            return false;
        };
        let end = self
            .quantity(at)
            .map_or(at + 1, |q| self.view.lexemes_in(q.span).end);
        let behind = end..self.folded.len().min(end + BEHIND);
        let mut near = behind.clone().take_while(|i| self.view.word(*i) != ",");
        if near.any(|i| self.text(i) == "than") || values().has("set_off", self.text(end)) {
            return true;
        }
        let blocks = |i: usize| {
            let word = self.text(i);
            values().has("told_by", word) && !(word == "up" && self.text(i + 1) == "to")
        };
        // "is listed at $599", not "is readable at 2 m"
        let at_it = at.checked_sub(1).filter(|i| self.text(*i) == "at");
        let stands = |i: usize| {
            let word = self.text(i);
            i == self.copula
                || word.ends_with("ed")
                || values().has("stands_at", word)
                || self.folded.cue(i).is(Cue::ADVERB)
        };
        let told_at = at_it.is_some_and(|i| !stands(i - 1));
        if told_at || (self.told.start..at).any(blocks) || at >= place.end {
            return true;
        }
        if !counts || !self.of_several() || values().has("amounting", self.text(self.noun)) {
            return false;
        }
        // "are 40 in number", "are 40 strong"
        let summed = |i: usize| {
            let link = self.text(i) == "in" && values().has("summed", self.text(i + 1));
            link || values().has("strong", self.text(i))
        };
        !behind.clone().take(1).any(summed)
    }

    /// The first word that is no adverb or article, where it is a preposition.
    fn led(&self) -> Option<usize> {
        let light = |i: &usize| {
            let cue = self.folded.cue(*i);
            cue.is(Cue::ADVERB) && !cue.is(Cue::PREPOSITION) || cue.is(Cue::NEGATION)
        };
        let first = self.told.clone().find(|i| !light(i))?;
        self.folded.cue(first).is(Cue::PREPOSITION).then_some(first)
    }

    /// Whether what is said numbers no thing as the label does: "14C", "Room 4".
    fn is_no_label(&self, own: &str) -> bool {
        let last = own.rsplit(' ').next().unwrap_or(own);
        let alike = |i: usize| shape(self.view.word(i)) == shape(last);
        let number = self.told.clone().find(|i| alike(*i));
        if let Some(at) = number {
            let named = || own.to_lowercase().starts_with(self.text(at - 1));
            let lettered = last.contains(char::is_alphabetic);
            let measured = self.quantity(at).is_some_and(|q| q.unit.is_some());
            return measured || self.led().is_some() && !lettered && !named();
        }
        if self.led().is_some() {
            return true;
        }
        let named = self.told.clone().any(|i| {
            let lexeme = &self.view.lexemes[i];
            let digit = lexeme.flags.has(LexFlags::HAS_DIGIT) || lexeme.kind == LexKind::Number;
            let measured = || {
                self.quantity(i).is_some_and(|q| {
                    !matches!(q.kind, QuantityKind::Cardinal | QuantityKind::Label)
                })
            };
            let last = i + 1 == self.told.end;
            digit && last && !measured() || lexeme.flags.has(LexFlags::CAPITALIZED)
        });
        !named
    }

    /// Whether a measure or a preposition that says where something lies stands in place of a name.
    fn is_no_name(&self, object: &Object<'_>) -> bool {
        let beside = |i: usize| values().has("beside_place", self.text(i));
        if self.led().is_some_and(beside) {
            return true;
        }
        let capital = |i: &usize| self.view.lexemes[*i].flags.has(LexFlags::CAPITALIZED);
        let first = self.told.clone().find(capital).unwrap_or(self.told.end);
        object.quantities.iter().any(|q| {
            let amount = matches!(
                q.kind,
                QuantityKind::Measure | QuantityKind::Percent | QuantityKind::Cardinal
            );
            amount && self.view.lexemes_in(q.span).start < first
        })
    }

    /// "X's stadium is in Hull": where the place is that the fact names.
    fn is_where_a_place_is(&self, claim: &Claim) -> bool {
        let names = self.view.attributes.predicates();
        let name = claim.predicate.as_deref().unwrap_or("");
        let places = [
            "location",
            "headquarters",
            "birthplace",
            "residence",
            "deathplace",
        ];
        let last = name.rsplit('_').next().unwrap_or(name);
        let site = values().has("placed", last) || places.iter().any(|own| names.same(own, name));
        self.led().is_some() && !site
    }
}

/// Whether a text numbers a thing: "B12", "14C", "Room 4".
fn is_label(text: &str) -> bool {
    text.len() <= LABEL
        && text.split(' ').count() <= 2
        && text.rsplit(' ').next().is_some_and(|last| {
            last.contains(|c: char| c.is_ascii_digit())
                && last.chars().all(|c| c.is_alphanumeric() || c == '-')
        })
        && segment::quantities(text).iter().all(|q| q.unit.is_none())
}

/// Letters and digits of a label, each run of them as one.
fn shape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        let class = match c {
            '0'..='9' => '9',
            _ if c.is_alphabetic() => 'A',
            other => other,
        };
        if !out.ends_with(class) {
            out.push(class);
        }
    }
    out
}
