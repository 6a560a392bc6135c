//! Values under a circumstance that the base does not tell of: in front of the sentence ("Within the
//! old walls, X has 8,000 inhabitants") or behind the value ("seats 90 with the terrace"). What the
//! base says casts a doubt on such a value, and takes no place of it.

use std::ops::Range;

use crate::claims::{Folded, SentenceView};
use crate::kb::{Fact, Snapshot, Value};
use crate::lexicon::cues::{Cue, verb};
use crate::lexicon::tables::{narrowing, stance};
use crate::types::{Claim, LexFlags, LexKind, QuantityKind, Span};

use crate::detect::binding::told_of;

/// Words behind a number among which its circumstance begins ("90 hours of play on standby").
const REACH: usize = 6;

/// Whether a circumstance stands beside the claim's value that may make it another than the fact's.
pub(super) fn framed(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    claim: &Claim,
    (kb, id): (&Snapshot, u32),
    fact: &Fact,
) -> bool {
    let (Some(subject), Some(object)) = (claim.subject_span, claim.object_span) else {
        return false;
    };
    let year = view
        .quantities
        .iter()
        .any(|q| q.kind == QuantityKind::Year && q.span.overlaps(object));
    let own = Reader { view, folded };
    let known = |i: usize| told_of(kb, id, folded.get(i));
    let dated = year || view.dates.iter().any(|date| date.span.overlaps(object));
    if dated && again_elsewhere(&own, claim, fact, &known) {
        return true;
    }
    // "After years of planning, X opened in 1904": an event was once, whatever led to it. "For the
    // press, X starts on 13 May" is of some.
    if year || matches!(fact.value, Value::Date(_)) && folded.get(0) != "for" {
        return false;
    }
    own.in_front(subject, object, &known) || own.behind(object)
}

/// "was approved in Japan in 2012", "was licensed for children in 2012": what may come to pass anew in
/// each place, for each group and by each actor. A thing is founded once, wherever that was.
fn again_elsewhere(
    own: &Reader<'_>,
    claim: &Claim,
    fact: &Fact,
    known: &dyn Fn(usize) -> bool,
) -> bool {
    let Some(object) = claim.object_span else {
        return false;
    };
    let (view, folded) = (own.view, own.folded);
    let names = view.attributes.predicates();
    let once = |name: &str| {
        let named = names.named(name).map_or(name, |known| &*known.name);
        stance().has("lasting", named) || stance().has("happens_once", named)
    };
    // "takes place on 16 October at noon": a day, of whatever it is.
    let event = verb(&fact.predicate).is_some_and(|base| base != fact.predicate);
    let happened = event
        || claim
            .predicate
            .as_deref()
            .is_some_and(|name| verb(name).is_some());
    if happened && own.otherwise(object) {
        return true;
    }
    if !event || once(&fact.predicate) || claim.predicate.as_deref().is_some_and(once) {
        return false;
    }
    let at = view.lexemes_in(object);
    let clauses = view.clauses();
    let Some(clause) = clauses.iter().find(|c| c.range.contains(&at.start)) else {
        return false;
    };
    let timed = |i: usize| {
        let span = view.lexemes[i].span;
        view.dates.iter().any(|date| date.span.overlaps(span))
            || view.quantities.iter().any(|q| q.span.overlaps(span))
    };
    let light = Cue::DETERMINER.or(Cue::POSSESSIVE);
    (clause.group.end..clause.range.end.min(view.lexemes.len()))
        .filter(|i| !at.contains(i) && own.has("apart", *i))
        .any(|i| {
            let noun = i + 1 + usize::from(folded.cue(i + 1).is(light));
            own.word(noun) && !timed(noun) && !known(noun) && !own.has("framing_all", noun)
        })
}

struct Reader<'a> {
    view: &'a SentenceView<'a>,
    folded: &'a Folded<'a>,
}

impl Reader<'_> {
    fn word(&self, i: usize) -> bool {
        self.view.kind(i) == Some(LexKind::Word)
    }

    fn has(&self, class: &str, i: usize) -> bool {
        narrowing().has(class, self.folded.get(i))
    }

    /// "was published online in 2005", "opened under the name of Grand Hotel in 1996": another happening of the
    /// same kind.
    fn otherwise(&self, object: Span) -> bool {
        let view = self.view;
        let at = view.lexemes_in(object).start;
        let clauses = view.clauses();
        let Some(clause) = clauses.iter().find(|own| own.range.contains(&at)) else {
            return false;
        };
        (clause.group.end.min(at)..at).any(|i| {
            let two = || format!("{} {}", self.folded.get(i), self.folded.get(i + 1));
            self.has("apart_itself", i) || narrowing().has("apart_two", &two())
        })
    }

    /// "During the strike, X …", "In fact, for concerts, X …".
    fn in_front(&self, subject: Span, object: Span, known: &dyn Fn(usize) -> bool) -> bool {
        let end = self.view.lexemes_in(subject).start;
        if object.start < subject.start {
            return false;
        }
        let mut from = 0;
        (0..=end)
            .filter(|i| *i == end || self.view.word(*i) == ",")
            .any(|to| {
                let part = from..to;
                from = to + 1;
                self.frames(part, known)
            })
    }

    fn frames(&self, part: Range<usize>, known: &dyn Fn(usize) -> bool) -> bool {
        let word = |i: &usize| self.word(*i) && self.folded.get(*i) != "even";
        let Some(first) = part.clone().find(word) else {
            return false;
        };
        if self.led_by_state(first, part.end) {
            return true;
        }
        if !self.has("framing", first) {
            return false;
        }
        if scenic(self.folded, first, part.end) {
            return true;
        }
        let two = format!("{} {}", self.folded.get(first), self.folded.get(first + 1));
        if narrowing().has("unframed", &two) {
            // "As a new product, X cost …"
            return two.starts_with("as ") && part.clone().any(|i| self.has("early", i));
        }
        let mut rest = first + 1..part.end;
        // "In the heart of the old town", "On the Ossle", "With 300 employees".
        let placed = matches!(self.folded.get(first), "in" | "at" | "on" | "near" | "with");
        let counted = placed || self.folded.get(first) == "across";
        let name = |i: usize| self.view.lexemes[i].flags.has(LexFlags::CAPITALIZED);
        let number = |i: usize| self.view.kind(i) == Some(LexKind::Number);
        if placed && rest.clone().any(|i| name(i) || self.has("whereabouts", i))
            || counted && rest.clone().any(number)
        {
            return false;
        }
        let light = Cue::DETERMINER
            .or(Cue::FUNCTION)
            .or(Cue::PREPOSITION)
            .or(Cue::POSSESSIVE);
        !rest.all(|i| !self.word(i) && !number(i) || self.folded.cue(i).is(light) || known(i))
    }

    /// "Fully booked, X seats 70", "Standing, X holds 90", not "Located in Leeds, X …".
    fn led_by_state(&self, first: usize, end: usize) -> bool {
        let adverb = self.folded.get(first).ends_with("ly") && first + 1 < end;
        let word = self.folded.get(first + usize::from(adverb));
        let shaped = word.len() > 5 && (word.ends_with("ing") || word.ends_with("ed"));
        (shaped || narrowing().has("state", word))
            && !self.has("framing", first)
            && !self.has("stateless", first + usize::from(adverb))
    }

    /// "for meetings", not "for its guests".
    fn for_some(&self, i: usize) -> bool {
        let light = Cue::DETERMINER.or(Cue::POSSESSIVE).or(Cue::FUNCTION);
        self.folded.get(i) == "for"
            && self.word(i + 1)
            && !self.folded.cue(i + 1).is(light)
            && !self.has("payer", i + 1)
            && !self.has("framing_all", i + 1)
            && !stance().has("admitted", self.folded.get(i + 1))
    }

    /// "seats 90 with the terrace", "opens at 7 am for meetings", "in a good year".
    fn behind(&self, object: Span) -> bool {
        let range = self.view.lexemes_in(object);
        let number = |i: &usize| self.view.kind(*i) == Some(LexKind::Number);
        let Some(at) = range.clone().find(number) else {
            return false;
        };
        for i in at + 1..self.view.lexemes.len().min(at + 1 + REACH) {
            if !self.word(i) {
                if number(&i) || matches!(self.view.word(i), "%" | "-") {
                    continue;
                }
                return false;
            }
            if self.folded.cue(i).is(Cue::CONJUNCTION) || self.has("framing_end", i) {
                return false;
            }
            if self.has("framing_behind", i) || self.for_some(i) {
                return true;
            }
            let two = format!("{} {}", self.folded.get(i), self.folded.get(i + 1));
            // "with the kitchen open from 11" tells of the kitchen.
            let goes_on = self.folded.get(i) == "with" && self.word(i + 3);
            let plain = goes_on || self.has("framing_plain", i + 2);
            if narrowing().has("framing_two", &two) && !plain {
                return true;
            }
        }
        false
    }
}

/// "On the harbour, …", "With its friendly staff, …": circumstances that mostly describe, and may now
/// and then set a part apart.
pub(in crate::detect) fn scenic(folded: &Folded<'_>, first: usize, end: usize) -> bool {
    let class = match folded.get(first) {
        "in" | "on" | "at" | "near" | "by" => "setting",
        "with" => "features",
        _ => return false,
    };
    let opened = |class: Cue| folded.cue(first + 1).is(class);
    // "At its edge"
    let part = class == "setting" && opened(Cue::POSSESSIVE);
    let of = |i: usize| narrowing().has(class, folded.get(i));
    let led = opened(Cue::DETERMINER.or(Cue::POSSESSIVE)) && !part;
    led && (first + 2..end).any(of)
}
