//! Whether a claim speaks of another time, another role or a part, of which a fact says nothing.

use crate::claims::{Clause, Folded, SentenceView, Tense, clauses, numbers_agree, unit_named};
use crate::kb::{Fact, Snapshot, Value};
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::{Table, stance, time};
use crate::lexicon::units::unit;
use crate::normal::fold_name;
use crate::types::{Claim, LexKind, Quantity, QuantityKind, Span};

use super::occasion::{is_occasion, on_occasion};
use super::scope::Scope;
use super::tried::filled;

/// Words before a role's name among which its qualification stands.
const ROLE_WORDS: usize = 2;

/// Words behind a number among which "a day" stands.
const RATE_WORDS: usize = 4;

/// A claim beside the fact that it seems to contradict.
pub(super) struct Qualifiers<'a> {
    view: &'a SentenceView<'a>,
    folded: &'a Folded<'a>,
    claim: &'a Claim,
    fact: &'a Fact,
    object: Span,
    words: &'static Table,
}

/// Whether the claim is of another time ("had 200 employees in 1995", "previously worked in"),
/// another role ("the former CEO") or a part ("40 employees in Denver", "opened its spa in 2010").
pub(super) fn qualified(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    claim: &Claim,
    kb: &Snapshot,
    id: u32,
    fact: &Fact,
) -> bool {
    let (Some(object), Some(predicate)) = (claim.object_span, claim.predicate.as_deref()) else {
        return false;
    };
    let own = Qualifiers {
        view,
        folded,
        claim,
        fact,
        object,
        words: stance(),
    };
    let found = clauses(view);
    let at = view.lexemes_in(object).start;
    let clause = found.iter().position(|clause| clause.range.contains(&at));
    let event = kb
        .kind(id)
        .is_some_and(|kind| fold_name(kind).split(' ').any(|word| word == "event"));
    let varies = !own.named("lasting", predicate);
    let scope = Scope {
        view,
        folded,
        clauses: &found,
        claim,
        fact,
        object,
        varies: varies && !event,
    };
    own.other_role(predicate)
        || own.beside(clause.map(|i| &found[i]))
        || own.part(clause.map(|i| &found[i]))
        || scope.apart()
        || varies && (own.of_first() || own.occasional())
        || match clause {
            Some(i) => {
                own.thing_of_its_own(&found[i], predicate)
                    || varies && own.other_time(&found, i, predicate, event)
                    || varies && own.before_that(&found, i, predicate, event)
            }
            // Verbs whose past looks like the present ("cost").
            None => {
                varies
                    && !event
                    && !own.named("schedule", predicate)
                    && own.dated(0..view.lexemes.len(), false)
            }
        }
}

impl Qualifiers<'_> {
    fn text(&self, i: usize) -> &str {
        self.folded.get(i)
    }

    fn has(&self, class: &str, i: usize) -> bool {
        self.words.has(class, self.text(i))
    }

    /// Whether the claim's attribute is one of the class, by itself or by another name.
    fn named(&self, class: &str, predicate: &str) -> bool {
        [predicate, &self.fact.predicate].iter().any(|name| {
            self.words.has(class, name)
                || self
                    .view
                    .attributes
                    .predicates()
                    .named(name)
                    .is_some_and(|known| self.words.has(class, &known.name))
        }) || class == "lasting"
            && (matches!(self.fact.value, Value::Date(_))
                || self
                    .view
                    .attributes
                    .predicates()
                    .named(predicate)
                    .is_some_and(|p| p.dated))
    }

    /// "the former CEO", "the deputy director".
    fn other_role(&self, predicate: &str) -> bool {
        let len = self.folded.len();
        (0..len).filter(|i| self.has("other_role", *i)).any(|i| {
            let mut name = String::new();
            (i + 1..(i + 1 + ROLE_WORDS).min(len)).any(|j| {
                if !name.is_empty() {
                    name.push('_');
                }
                name.push_str(self.text(j));
                name == predicate
                    || name == self.fact.predicate
                    || self.view.attributes.predicates().named(&name).is_some()
                        && self
                            .view
                            .attributes
                            .predicates()
                            .same(&name, &self.fact.predicate)
            })
        })
    }

    /// A written time outside the claim's object and subject.
    fn dated(&self, range: std::ops::Range<usize>, months: bool) -> bool {
        let outside = |span: Span| {
            let own = span.overlaps(self.object) && !self.counted_before(span)
                || self.claim.subject_span.is_some_and(|s| s.overlaps(span));
            let at = self.view.lexemes_in(span).start;
            // "since 2010" goes on.
            let since = at > 0 && self.text(at - 1) == "since";
            !own && !since && range.contains(&at)
        };
        let years = self.view.quantities.iter();
        self.view
            .dates
            .iter()
            .any(|d| (d.year.is_some() || months && d.month.is_some()) && outside(d.span))
            || years
                .filter(|q| q.kind == QuantityKind::Year)
                .any(|q| outside(q.span))
    }

    /// "900 million in 2019", read as one object: whether the number stands before.
    fn counted_before(&self, span: Span) -> bool {
        matches!(self.fact.value, Value::Number { .. })
            && self.view.quantities.iter().any(|q| {
                let inside = self.object.overlaps(q.span) && q.span.end < span.start;
                inside && q.kind != QuantityKind::Year
            })
    }

    /// Words of the clause outside the object.
    fn words_of(&self, clause: &Clause) -> impl Iterator<Item = usize> {
        let object = self.view.lexemes_in(self.object);
        let range = clause.range.clone();
        range.filter(move |i| !object.contains(i))
    }

    /// "originally cost", "at first", "at launch": verbs whose past looks like the present too.
    fn of_first(&self) -> bool {
        (0..self.folded.len()).any(|i| {
            self.has("past_state", i)
                || self.text(i) == "once" && self.folded.cue(i + 1).is(Cue::UNCHANGED)
                || self.text(i) == "at"
                    && matches!(self.text(i + 1), "first" | "launch" | "release")
        })
    }

    /// "on Christmas Eve", "during the summer", and for a schedule "on Sundays".
    fn occasional(&self) -> bool {
        let weekly = self.named("by_the_day", &self.fact.predicate);
        on_occasion(self.view, self.folded, self.fact, self.object, weekly)
            || self.named("closing_day", &self.fact.predicate)
                && is_occasion(self.view, self.folded, self.fact, self.object)
    }

    fn other_time(&self, clauses: &[Clause], at: usize, predicate: &str, event: bool) -> bool {
        let clause = &clauses[at];
        let first = self.text(clause.group.start);
        let perfect = matches!(first, "has" | "have") && clause.verb.is_some();
        // "last week", which may be read as part of the object: "on Monday last week".
        let unit = |i: usize| {
            time()
                .classes(self.text(i))
                .any(|class| class.starts_with("unit_"))
        };
        let last = |i: usize| self.text(i) == "last" && unit(i + 1);
        let then =
            || self.words_of(clause).any(|i| self.has("then", i)) || clause.range.clone().any(last);
        if perfect {
            return then();
        }
        let range = clause.range.clone();
        match clause.tense {
            Tense::Past => {
                let pluperfect = first == "had" && clause.verb.is_some();
                let next = clauses
                    .get(at + 1)
                    .and_then(|next| next.opener)
                    .is_some_and(|i| self.has("when", i));
                pluperfect || next || then() || self.dated(range, true) || self.lasted(clause)
            }
            _ if event => false,
            Tense::Future => {
                if self.named("held", predicate) {
                    return true;
                }
                let later = || self.words_of(clause).any(|i| self.has("later", i));
                let months = !self.named("tariff", predicate);
                // "will cost $9 from May": a change that is announced.
                let from = || {
                    range.clone().any(|i| {
                        matches!(
                            self.text(i),
                            "from" | "starting" | "effective" | "beginning"
                        ) && self.dated(i + 1..range.end, true)
                    })
                };
                later() || from() || !self.named("schedule", predicate) && self.dated(range, months)
            }
            Tense::Present | Tense::Unknown => {
                !self.named("schedule", predicate) && self.dated(range, false)
            }
        }
    }

    /// "X followed Y, who led it until 2015": a value in front of the clause that tells of the past.
    fn before_that(&self, clauses: &[Clause], at: usize, predicate: &str, event: bool) -> bool {
        let Some(subject) = self
            .claim
            .subject_span
            .filter(|s| s.start > self.object.start)
        else {
            return false;
        };
        let place = self.view.lexemes_in(subject).start;
        let own = clauses.iter().position(|c| c.range.contains(&place));
        let later = own.filter(|own| *own != at);
        let followed = (0..self.folded.len()).any(|i| self.has("succession", i));
        later.is_some_and(|own| {
            clauses[own].tense == Tense::Past
                && (followed && self.named("office", &self.fact.predicate)
                    || self.other_time(clauses, own, predicate, event))
        })
    }

    /// "for ten years".
    fn lasted(&self, clause: &Clause) -> bool {
        self.view.quantities.iter().any(|quantity| {
            let at = self.view.lexemes_in(quantity.span).start;
            let time = quantity.unit.is_some_and(|id| unit(id).dimension == "time");
            time && clause.range.contains(&at)
                && at > 0
                && self.text(at - 1) == "for"
                && !quantity.span.overlaps(self.object)
        })
    }

    /// "also runs on Y", "runs on Y, too": a value beside the one that is known.
    fn beside(&self, clause: Option<&Clause>) -> bool {
        let wordy = matches!(
            self.fact.value,
            Value::Text(_) | Value::Entity(_) | Value::Enum(_)
        );
        let object = self.view.lexemes_in(self.object);
        let also = clause.is_some_and(|clause| {
            let mut ahead = clause.range.start..object.start.max(clause.range.start);
            ahead.any(|i| self.text(i) == "also")
        });
        let next = object.end + usize::from(self.view.word(object.end) == ",");
        let too =
            self.text(next) == "too" || self.text(next) == "as" && self.text(next + 1) == "well";
        wordy && (also || too)
    }

    /// "800 visitors a day": of a shorter time than the figures of a year.
    fn rated(&self, from: usize) -> bool {
        (from..self.folded.len().min(from + RATE_WORDS)).any(|i| {
            matches!(self.text(i), "a" | "an" | "per" | "each" | "every")
                && (matches!(self.text(i + 1), "hour" | "minute")
                    || ["unit_day", "unit_week", "unit_month", "unit_weekend"]
                        .iter()
                        .any(|class| time().has(class, self.text(i + 1))))
        })
    }

    /// "40 employees in Denver", "12 rooms with a balcony", "8 euros for children".
    fn part(&self, clause: Option<&Clause>) -> bool {
        let Value::Number { value, unit: of } = &self.fact.value else {
            return false;
        };
        let of = of.as_deref().and_then(unit_named);
        let differs = |q: &&Quantity| {
            q.span.overlaps(self.object)
                && numbers_agree(q, *value, of)
                    .or_else(|| numbers_agree(&Quantity { unit: None, ..**q }, *value, None))
                    == Some(false)
        };
        let Some(said) = self.view.quantities.iter().find(differs) else {
            return false;
        };
        let object = self.view.lexemes_in(self.object);
        let after = object.end;
        let word = |i: usize| self.view.kind(i) == Some(LexKind::Word);
        let whole = |i: usize| {
            // "in its shop" is a part of it, "on its payroll" is not.
            let owned = self.folded.cue(i).is(Cue::POSSESSIVE);
            !owned && self.has("whole", i)
                || owned && (self.has("whole", i + 1) || self.has("own_whole", i + 1))
                || self.text(i) == "the" && matches!(self.text(i + 1), "moment")
        };
        let behind = self.view.lexemes_in(said.span).end;
        let linked = |i: usize| {
            let its = self.folded.cue(i + 1).is(Cue::POSSESSIVE);
            let own = self.claim.subject_span;
            let thing = own.is_some_and(|own| {
                let next = i + 1 + usize::from(self.folded.cue(i + 1).is(Cue::DETERMINER));
                let next = self.view.lexemes.get(next);
                next.is_some_and(|next| own.start > self.object.start && own.overlaps(next.span))
            });
            word(i)
                && self.has("priced_for", i)
                && (its || !whole(i + 1))
                && !thing
                && !filled(self.folded, i + 1)
        };
        if said.kind == QuantityKind::Money {
            let state =
                |i: usize| word(i) && (self.has("narrowing", i) || self.has("difference", i));
            // "to ship", "at launch"
            let doing = |i: usize| {
                word(i) && self.text(i) == "to" && self.folded.known(i + 1).verb.is_some()
                    || matches!(self.text(i), "at" | "in") && word(i + 1) && {
                        let noun = i + 1 + usize::from(self.text(i + 1) == "the");
                        !whole(i + 1) && !self.has("whole", noun)
                    }
            };
            return [after, behind]
                .into_iter()
                .any(|i| linked(i) || state(i) || doing(i));
        }
        if said.kind == QuantityKind::Measure {
            return linked(after) || linked(behind);
        }
        let count = said.unit.is_none() && said.kind == QuantityKind::Cardinal;
        if !count || said.value > *value {
            return false;
        }
        let noun = self.view.lexemes_in(said.span).end;
        if self.rated(noun) {
            return true;
        }
        // "20,000 children's books"
        let of_some = |i: usize| {
            let written = self.view.word(i);
            i + 1 < object.end
                && ["'s", "’s", "s'", "s’"]
                    .iter()
                    .any(|end| written.ends_with(end))
        };
        if (noun..object.end).any(|i| self.has("part", i) || of_some(i)) {
            return true;
        }
        let next = word(after)
            && (self.has("relative", after) || self.has("restrict", after) && !whole(after + 1));
        // "In Denver, Acme has 40 employees".
        let leading = clause.is_some_and(|clause| {
            let start = clause.range.start;
            let comma = (start..clause.group.start).find(|i| self.view.word(*i) == ",");
            self.has("restrict", start) && comma.is_some() && !whole(start + 1)
        });
        next || leading
    }

    /// "opened its spa in 2010" dates the spa.
    fn thing_of_its_own(&self, clause: &Clause, predicate: &str) -> bool {
        if clause.copula || predicate == "joined" || !self.named("lasting", predicate) {
            return false;
        }
        let Some(verb) = clause.verb else {
            return false;
        };
        let dates = self.view.dates.iter().map(|date| date.span);
        let years = self.view.quantities.iter().map(|quantity| quantity.span);
        if !dates.chain(years).any(|span| span.overlaps(self.object)) {
            return false;
        }
        let ahead = self
            .claim
            .subject_span
            .is_some_and(|subject| subject.end <= self.view.lexemes[verb].span.start);
        let object = self.view.lexemes_in(self.object).start;
        let mut rest = clause.group.end..object;
        let first = rest.next();
        ahead
            && first.is_some_and(|i| {
                let kind = self.view.lexemes[i].kind;
                let light = Cue::PREPOSITION.or(Cue::ADVERB).or(Cue::CONJUNCTION);
                // "came out", "took place".
                let verbal = i == clause.group.end
                    && (self.folded.cue(i).is(Cue::PARTICLE) || self.text(i) == "place");
                let word = kind == LexKind::Word && !self.folded.cue(i).is(light) && !verbal;
                word && !rest.is_empty() && !(i..object).any(|j| self.has("itself", j))
            })
    }
}
