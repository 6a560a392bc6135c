//! Words of a claim's sentence that put it beside the fact instead of against it: another time,
//! edition or market, a condition, a share, or something else than the attribute's kind of value.

use std::ops::Range;

use crate::claims::{Clause, Folded, SentenceView, Tense, tells_difference};
use crate::kb::{Fact, Value};
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::{Table, narrowing, stance, time};
use crate::lexicon::words::{WordClass, class};
use crate::types::{Claim, LexFlags, LexKind, QuantityKind, Resolution, Span};

mod elsewhere;
mod once;
mod paid;

use super::kb_conflict::scenic;
use super::period::part_at;
use super::rated::other_rate;
use super::tried::filled;

/// Words behind a preposition among which a date makes it one of time.
const DATE_REACH: usize = 4;

/// Words behind "when" among which its verb stands.
const WHEN_REACH: usize = 6;

/// A claim with the words around it.
pub(super) struct Scope<'a> {
    /// The sentence.
    pub(super) view: &'a SentenceView<'a>,
    /// Its folded words.
    pub(super) folded: &'a Folded<'a>,
    /// Its clauses.
    pub(super) clauses: &'a [Clause],
    /// What it says.
    pub(super) claim: &'a Claim,
    /// What the base says.
    pub(super) fact: &'a Fact,
    /// Where the value stands.
    pub(super) object: Span,
    /// Whether the attribute can have another value at another time.
    pub(super) varies: bool,
}

impl Scope<'_> {
    /// Whether the words around the claim leave the fact untouched.
    pub(super) fn apart(&self) -> bool {
        let number = matches!(self.fact.value, Value::Number { .. });
        let wordy = matches!(
            self.fact.value,
            Value::Text(_) | Value::Entity(_) | Value::Enum(_)
        );
        self.several()
            || self.once_more()
            || self.half_done()
            || self.elsewhere()
            || other_rate(self.view, self.folded, self.fact, self.object)
            || self.varies
                && (self.of_the_past()
                    || self.changed_since()
                    || self.to_come()
                    || wordy && (self.held_then() && !self.held_since() || self.left_since()))
            || self.of_one_edition()
            || self.conditional()
            || number && (self.measured_so() || self.priced_so() || self.averaged())
            || tells_difference(self.view, self.object, &self.fact.predicate)
            || (number || wordy && self.varies) && self.under_a_heading()
            || wordy && (self.partly() || self.no_department() || self.beside_work())
    }

    fn words(&self) -> &'static Table {
        stance()
    }

    fn text(&self, i: usize) -> &str {
        self.folded.get(i)
    }

    fn has(&self, class: &str, i: usize) -> bool {
        self.words().has(class, self.text(i))
    }

    fn word(&self, i: usize) -> bool {
        self.view.kind(i) == Some(LexKind::Word)
    }

    fn len(&self) -> usize {
        self.view.lexemes.len()
    }

    /// Whether the claim's attribute is one of the class, by this or another name.
    fn named(&self, class: &str) -> bool {
        let said = self.claim.predicate.as_deref().unwrap_or("");
        let names = self.view.attributes.predicates();
        [said, &self.fact.predicate].iter().any(|name| {
            self.words().has(class, name)
                || names
                    .named(name)
                    .is_some_and(|known| self.words().has(class, &known.name))
        })
    }

    /// Clauses of the value and of the thing, which a relative clause sets apart.
    fn own(&self) -> impl Iterator<Item = &Clause> {
        let at = self.view.lexemes_in(self.object).start;
        let subject = self
            .claim
            .subject_span
            .map_or(at, |span| self.view.lexemes_in(span).start);
        self.clauses
            .iter()
            .filter(move |clause| clause.range.contains(&at) || clause.range.contains(&subject))
    }

    /// A date or year that stands at one of the next words.
    fn dated(&self, from: usize) -> bool {
        (from..self.len().min(from + DATE_REACH))
            .take_while(|i| {
                let of = self.text(*i) == "of";
                self.word(*i) && (of || !self.folded.cue(*i).is(Cue::PREPOSITION))
                    || self.view.lexemes[*i].kind == LexKind::Number
            })
            .any(|i| {
                let span = self.view.lexemes[i].span;
                let years = self.view.quantities.iter();
                self.view.dates.iter().any(|d| d.span.overlaps(span))
                    || years
                        .filter(|q| q.kind == QuantityKind::Year)
                        .any(|q| q.span.overlaps(span))
            })
            || part_at(self.view, from)
    }

    /// "Ten Vegas cost …", "The new Vega …".
    fn several(&self) -> bool {
        let Some(subject) = self.claim.subject_span else {
            return false;
        };
        let known = self.view.mentions.iter().find(|mention| {
            matches!(mention.resolution, Resolution::Known(_)) && mention.span.overlaps(subject)
        });
        let Some(at) = known.map(|mention| self.view.lexemes_in(mention.span).start) else {
            return false;
        };
        let Some(before) = at.checked_sub(1) else {
            return false;
        };
        let span = self.view.lexemes[before].span;
        let many = self.view.quantities.iter().any(|q| {
            let counts = q.unit.is_none() && q.kind == QuantityKind::Cardinal && q.value > 1.0;
            counts && q.span.end == span.end
        });
        let capital = self.view.lexemes[before].flags.has(LexFlags::CAPITALIZED) && before > 0;
        let variant = self.has("remade", before)
            || matches!(self.fact.value, Value::Number { .. })
                && (self.has("variant", before) || self.has("colour_word", before));
        // "The documentary Kestrel Bridge", which opened where no bridge does.
        let work = self.has("work", before) && self.named("of_a_site");
        many || (variant || work) && !capital
    }

    /// "during the war", "At the time", "When I was a child, …", "who had been CEO".
    fn of_the_past(&self) -> bool {
        // "cost $149 when it was released", "While X directed it, …".
        let first = (0..self.len()).find(|i| self.word(*i)).unwrap_or(0);
        let past = |i: usize| {
            let verb = self.folded.known(i).verb;
            matches!(self.text(i), "was" | "were" | "had")
                || verb.is_some_and(|base| {
                    let word = self.text(i);
                    base != word && !word.ends_with('s') && !word.ends_with("ing")
                })
        };
        let then = (first..self.len()).any(|i| {
            let opens =
                self.text(i) == "when" || matches!(self.text(i), "while" | "whilst") && i == first;
            opens
                && (i + 1..self.len().min(i + WHEN_REACH))
                    .take_while(|j| self.view.word(*j) != ",")
                    .any(past)
        });
        if then {
            return true;
        }
        if !self.own().any(|clause| clause.tense == Tense::Past) {
            return false;
        }
        let object = self.view.lexemes_in(self.object);
        let at = matches!(
            self.text(first),
            "in" | "by" | "around" | "during" | "until" | "before"
        );
        if at && self.dated(first + 1) && !object.contains(&(first + 1)) {
            return true;
        }
        let before = self.own().any(|clause| {
            self.text(clause.group.start) == "had" && (clause.verb.is_some() || clause.copula)
        });
        let when = self
            .clauses
            .iter()
            .filter_map(|clause| clause.opener)
            .any(|i| self.text(i) == "when");
        before
            || when
            || (0..self.len()).any(|i| {
                let that = matches!(self.text(i + 1), "the" | "that" | "this");
                self.has("within", i)
                    || self.text(i) == "at" && that && self.text(i + 2) == "time"
                    || self.text(i) == "in" && self.text(i + 1) == "those"
            })
    }

    /// "will have 90 rooms after the rebuild".
    fn to_come(&self) -> bool {
        let future = self.own().any(|clause| clause.tense == Tense::Future);
        future && (0..self.len()).any(|i| self.has("upon", i) && !self.dated(i + 1))
    }

    /// "X was CEO of Y": whoever fills the place now. "The CEO of Y was X" names its holder.
    fn held_then(&self) -> bool {
        let ahead = |subject: Span| self.object.start < subject.start;
        self.claim.subject_span.is_some_and(ahead)
            && self.named("office")
            && self
                .own()
                .any(|clause| clause.tense == Tense::Past && clause.copula && clause.verb.is_none())
    }

    /// "X worked at Y", "was married to Y": of a state that one leaves, the past says nothing of now.
    fn left_since(&self) -> bool {
        let at = self.view.lexemes_in(self.object).start;
        self.named("left")
            && self.clauses.iter().any(|clause| {
                let lasts = self.lasts(clause.group.start, clause.group.end);
                clause.range.contains(&at) && clause.tense == Tense::Past && !lasts
            })
    }

    /// "published in English in 1950", "opened to cyclists in 1980".
    fn of_one_edition(&self) -> bool {
        let edition = self.named("issued") || self.named("issuer");
        if !edition && !self.named("opening") {
            return false;
        }
        let object = self.view.lexemes_in(self.object);
        self.own().any(|clause| {
            let end = clause.range.end.max(object.end).min(self.len());
            let outside = (clause.group.end..end).filter(|i| !object.contains(i) || edition);
            outside.into_iter().any(|i| {
                let link = matches!(self.text(i), "to" | "for")
                    || edition && matches!(self.text(i), "in" | "on" | "as" | "at");
                let general = (i + 1..i + 3).any(|j| self.has("open_to", j));
                link && self.word(i + 1) && !self.dated(i + 1) && !general && !self.whole(i + 1)
            })
        })
    }

    fn whole(&self, i: usize) -> bool {
        self.has("whole", i) || self.text(i) == "the" && self.has("whole", i + 1)
    }

    /// "45 dollars each if you buy two".
    fn conditional(&self) -> bool {
        self.clauses
            .iter()
            .filter_map(|clause| clause.opener)
            .any(|i| matches!(self.text(i), "if" | "unless"))
    }

    /// What stands behind the claim's number, or its unit and noun.
    fn behind(&self) -> impl Iterator<Item = usize> {
        let object = self.view.lexemes_in(self.object);
        let quantities = self.view.quantities.iter();
        quantities
            .filter(|q| q.span.overlaps(self.object))
            .map(|q| self.view.lexemes_in(q.span).end)
            .chain([object.end])
    }

    /// "On average, X is 31 m deep", of what no average is told.
    fn averaged(&self) -> bool {
        let object = self.view.lexemes_in(self.object);
        let mean = |word: &str| matches!(word, "average" | "mean");
        let own = self.fact.predicate.split('_').any(mean);
        let mut words = (1..self.len()).filter(|i| !object.contains(i));
        !own && words.any(|i| mean(self.text(i)) && self.text(i - 1) == "on")
    }

    /// "6 hours in cold weather", "0.3 kg less than Vega".
    fn measured_so(&self) -> bool {
        let than = |i: usize| {
            let longer = self.text(i).ends_with("er") && self.text(i) != "rather";
            (self.has("difference", i) || longer) && self.text(i + 1) == "than"
        };
        let state = |i: usize| {
            let plain = self.word(i + 1)
                && !self.view.lexemes[i + 1].flags.has(LexFlags::CAPITALIZED)
                && !self.folded.cue(i + 1).is(Cue::POSSESSIVE);
            self.has("state_link", i)
                && plain
                && !self.whole(i + 1)
                && !self.dated(i + 1)
                && !filled(self.folded, i + 1)
        };
        let measure = self
            .view
            .quantities
            .iter()
            .any(|q| q.span.overlaps(self.object) && matches!(q.kind, QuantityKind::Measure));
        // "200 g less", "10 cm taller": a difference, whatever it is from. "1 kg or more" is a bound.
        let differs = |i: usize| {
            self.has("compared", i) && self.text(i + 1) != "or" && self.text(i + 1) != "than"
        };
        self.behind().any(|i| {
            // "450 people, more than any other": the number itself.
            let apart = self.view.lexemes.get(i).is_some() && self.view.word(i) == ",";
            than(i) || !apart && than(i + 1) || differs(i) || measure && state(i)
        })
    }

    /// "4.99 dollars a month", "54 dollars including shipping", "45 dollars each".
    fn priced_so(&self) -> bool {
        let money = |q: &crate::types::Quantity| {
            q.kind == QuantityKind::Money && q.span.overlaps(self.object)
        };
        if !self.view.quantities.iter().any(money) {
            return false;
        }
        let unit = |i: usize| {
            let word = self.text(i);
            // "per kilo", "a night"
            let timed = time().of("unit_", word).is_some();
            let other = i > 0 && self.word(i) && self.text(i - 1) != "an" && word.len() > 2;
            // What is earned or paid is meant for a year, where nothing else is said.
            let yearly = matches!(word, "year" | "annum" | "years");
            let priced = self.named("price_like");
            // "£24/month" is compared with what is said of a month.
            let told = |own: &str| own.to_lowercase().contains(word);
            let known = matches!(&self.fact.value, Value::Text(own) if timed && told(own))
                || narrowing().has("one_whole", word);
            !known
                && !self.fact.predicate.contains(word)
                && (timed && !yearly || (timed || other) && priced)
        };
        if self.paid_for_other() || self.reduced() {
            return true;
        }
        self.behind().any(|i| {
            self.has("price_with", i)
                || matches!(self.text(i), "a" | "an" | "per" | "each" | "every") && unit(i + 1)
                || self.view.word(i) == "/" && unit(i + 1)
                || self.text(i).ends_with("ly")
                    && time()
                        .of("unit_", self.text(i).trim_end_matches("ly"))
                        .is_some()
        })
    }

    /// "For children, the dose is …", "In Japan, …".
    fn under_a_heading(&self) -> bool {
        let Some(subject) = self.claim.subject_span else {
            return false;
        };
        let first = (0..self.len()).find(|i| self.word(*i)).unwrap_or(0);
        let start = self.view.lexemes_in(subject).start;
        let end = start.min(self.view.lexemes_in(self.object).start);
        let Some(comma) = (first..end).find(|i| self.view.word(*i) == ",") else {
            return false;
        };
        self.has("heading", first)
            && !scenic(self.folded, first, comma)
            && !self.now_after(first, comma)
            && (first..comma).all(|i| {
                // "In its lecture room": a noun, whatever verb is written so.
                let opened = self
                    .folded
                    .cue(first + 1)
                    .is(Cue::DETERMINER.or(Cue::POSSESSIVE));
                let noun = self.folded.cue(i.saturating_sub(1)).is(Cue::DETERMINER);
                let verb = self.folded.known(i).verb;
                // "Before tax", "with cover": no verb stands so behind a preposition.
                let bare = opened || i == first + 1 && self.text(first) != "to";
                verb.is_none_or(|base| bare && base == self.text(i)) || i == first || noun
            })
            && (!self.whole(first + 1) || self.of_its(first + 1))
            && (!self.dated(first + 1) || self.weekly(first + 1) || self.timed_at(first + 1))
            && !self.has("aside", first + 1)
    }

    /// "After a decade of growth, X now has".
    fn now_after(&self, first: usize, comma: usize) -> bool {
        let now = |i: usize| matches!(self.text(i), "now" | "today" | "currently" | "presently");
        self.text(first) == "after" && (comma..self.len()).any(now)
    }

    /// "After 6 pm", of what is told as no hour itself.
    fn timed_at(&self, i: usize) -> bool {
        let hours = self.view.dates.iter().filter(|date| date.minutes.is_some());
        let hour = |span: Span| hours.clone().any(|date| date.span.overlaps(span));
        hour(self.view.lexemes[i].span) && !hour(self.object)
    }

    /// "At its outlet", not "in its entirety".
    fn of_its(&self, i: usize) -> bool {
        matches!(self.text(i), "its" | "their")
            && !self.has("whole", i + 1)
            && !matches!(self.text(i + 1), "entirety" | "history" | "own")
    }

    /// "Sundays", "Monday mornings".
    fn weekly(&self, i: usize) -> bool {
        let word = self.text(i);
        class(word.strip_suffix('s').unwrap_or(word)).has(WordClass::WEEKDAY)
    }

    /// "partly owned by", "co-directed by", "nearly designed".
    fn partly(&self) -> bool {
        let Some(subject) = self.claim.subject_span else {
            return false;
        };
        let between: Range<usize> = if subject.end <= self.object.start {
            self.view
                .lexemes_in(Span::new(subject.end, self.object.start))
        } else {
            self.view
                .lexemes_in(Span::new(self.object.end, subject.start))
        };
        between.into_iter().any(|i| {
            self.has("share", i) || self.has("missed", i) || self.text(i).starts_with("co-")
        })
    }

    /// "sits in Room 14", "works in the Oslo office": a place, or a body, and no department.
    fn no_department(&self) -> bool {
        let object = self.view.lexemes_in(self.object);
        let front = object.start.saturating_sub(3)..object.start;
        let in_it = front
            .clone()
            .any(|i| matches!(self.text(i), "in" | "on" | "at"))
            && self.named("staffed")
            && self.own().any(|clause| clause.verb.is_some());
        if !in_it {
            return false;
        }
        let through = front.start..self.len().min(object.end + 2);
        let called = through.clone().any(|i| self.has("staff_part", i));
        let article = front
            .chain(object.clone())
            .any(|i| self.folded.cue(i).is(Cue::DETERMINER.or(Cue::POSSESSIVE)));
        let place = object
            .clone()
            .any(|i| self.has("workplace", i) || self.view.lexemes[i].kind == LexKind::Number);
        !called && (article || place)
    }

    /// "works as a volunteer at weekends".
    fn beside_work(&self) -> bool {
        let end = self.view.lexemes_in(self.object);
        let work = self.named("occupied");
        work && (end.start..self.len().min(end.end + DATE_REACH)).any(|i| self.has("off_hours", i))
    }
}
