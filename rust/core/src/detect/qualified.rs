//! Whether a claim speaks of another time, another role or a part, of which a fact says nothing.

mod beside_it;
mod first;
mod part;
mod role;
mod spell;

use crate::claims::{Clause, Folded, SentenceView, Tense, clauses, explanations};
use crate::kb::{Fact, Snapshot, Value};
use crate::lexicon::contrast::contrast;
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::{Table, circumstance, frames, kinds, narrowing, stance, time};
use crate::lexicon::units::unit;
use crate::normal::fold_name;
use crate::types::{Claim, LexKind, QuantityKind, SentenceKind, Span, UnitId};

pub(super) use first::at_first;

use super::occasion::{is_occasion, on_occasion};
use super::replacement::price::amount_of;
use super::scope::Scope;

/// Words before a role's name among which its qualification stands.
const ROLE_WORDS: usize = 2;
/// Most dated facts of a thing that a year in its row is looked for among.
const DATED: usize = 64;

/// A claim beside the fact that it seems to contradict.
pub(super) struct Qualifiers<'a> {
    view: &'a SentenceView<'a>,
    folded: &'a Folded<'a>,
    claim: &'a Claim,
    fact: &'a Fact,
    object: Span,
    words: &'static Table,
    /// Brackets that only explain: of no time.
    asides: Vec<std::ops::Range<usize>>,
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
        asides: explanations(view),
    };
    let found = clauses(view);
    let at = view.lexemes_in(object).start;
    let clause = found.iter().position(|clause| clause.range.contains(&at));
    let is_kind = |of: &dyn Fn(&str) -> bool| {
        kb.kind(id)
            .is_some_and(|kind| fold_name(kind).split(' ').any(of))
    };
    let event = is_kind(&|word| word == "event");
    let again = || event || is_kind(&|word| frames().has("comes_again", word));
    let varies = !own.named("lasting", predicate);
    let kind = view.sentence.kind;
    let listed = matches!(kind, SentenceKind::TableRow | SentenceKind::ListItem);
    let scope = Scope {
        view,
        folded,
        clauses: &found,
        claim,
        fact,
        object,
        varies: varies && !event,
    };
    if own.titled_now() {
        return own.other_role(predicate, &found);
    }
    own.other_role(predicate, &found)
        || own.beside(clause.map(|i| &found[i]))
        || own.part(clause.map(|i| &found[i]))
        || own.of_what_is_beside(clause.map(|i| &found[i]))
        || scope.apart()
        || varies && (own.of_first() || own.occasional())
        || clause.is_some_and(|i| own.of_a_day(&found[i])) && again()
        || !event && own.for_a_while(&found, clause)
        || match clause {
            Some(i) => {
                own.thing_of_its_own(&found[i], predicate)
                    || varies && !own.set_off() && own.other_time(&found, i, predicate, event)
                    || varies && !own.set_off() && own.before_that(&found, i, predicate, event)
            }
            // Verbs whose past looks like the present ("cost").
            None => {
                varies
                    && !event
                    && !own.named("schedule", predicate)
                    && (own.ended() || {
                        let other = |at: usize| !listed || !own.of_another_fact((kb, id), at);
                        own.dated_where(0..view.lexemes.len(), false, &other)
                    })
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

    /// "On Monday, X CEO Tom Vance met …": a title right before a name says who that is, whatever day
    /// the sentence is of; a year or a time gone by may have had another.
    fn titled_now(&self) -> bool {
        let at = self.view.lexemes_in(self.object).start;
        let names = self.view.attributes.predicates();
        let post = at.checked_sub(1).is_some_and(|i| {
            let word = self.text(i);
            let agent = word.ends_with("er") || word.ends_with("or");
            let name = self.view.at(self.object).starts_with(char::is_uppercase);
            name && (contrast().is_post(word) || kinds().has("post", word) || agent)
        });
        let titled = post
            && (1..=ROLE_WORDS.min(at)).any(|length| {
                let words: Vec<&str> = (at - length..at).map(|i| self.text(i)).collect();
                let name = words.join("_");
                let owner = at - length;
                let owned = self.claim.subject_span.is_some_and(|span| {
                    let end = self.view.lexemes_in(span).end;
                    (end..end + 2).contains(&owner)
                });
                owned && (name == self.fact.predicate || names.same(&name, &self.fact.predicate))
            });
        let then = |i: usize| {
            self.has("then", i)
                || matches!(
                    self.text(i),
                    "when" | "while" | "ago" | "during" | "until" | "before" | "once"
                )
        };
        titled
            && self
                .view
                .dates
                .iter()
                .all(|date| date.year.is_none() && date.month.is_none())
            && !self
                .view
                .quantities
                .iter()
                .any(|q| q.kind == QuantityKind::Year)
            && !(0..self.folded.len()).any(then)
    }

    /// A written time outside the claim's object and subject.
    fn dated(&self, range: std::ops::Range<usize>, months: bool) -> bool {
        self.dated_where(range, months, &|_| true)
    }

    /// "| X | 1974 | Ann Lee |": whether the base dates something else of the thing by the year there.
    fn of_another_fact(&self, (kb, id): (&Snapshot, u32), at: usize) -> bool {
        let names = self.view.attributes.predicates();
        let dated = |name: &str| names.named(name).is_some_and(|known| known.dated);
        let facts = kb.few_facts(id, DATED, &dated).unwrap_or_default();
        let told = self.view.word(at);
        facts.iter().any(|fact| {
            let value = fact.value.to_string();
            value
                .split(|c: char| !c.is_ascii_digit())
                .any(|year| year == told)
        })
    }

    /// "Founded in 1974, X has …", "X, founded in 1974, has …": the year dates what is told beside.
    fn of_an_event(&self, at: usize, clause: &Clause) -> bool {
        let link = Cue::PREPOSITION.or(Cue::DETERMINER);
        let mut before = (0..at).rev();
        let Some(verb) = before.find(|i| !self.folded.cue(*i).is(link)) else {
            return false;
        };
        let participle = self.folded.known(verb).verb.is_some_and(|base| {
            let word = self.text(verb);
            base != word && !word.ends_with('s') && !word.ends_with("ing")
        });
        let opens = before.next().is_none_or(|i| self.view.word(i) == ",");
        participle && opens && !clause.group.contains(&verb)
    }

    /// "X is a 2012 film directed by P": the year is the film's.
    fn of_a_work(&self, at: usize) -> bool {
        let article = at > 0 && matches!(self.text(at - 1), "a" | "an");
        article && circumstance().has("of_work", self.text(at + 1))
    }

    fn dated_where(
        &self,
        range: std::ops::Range<usize>,
        months: bool,
        counts: &dyn Fn(usize) -> bool,
    ) -> bool {
        let outside = |span: Span| {
            let own = span.overlaps(self.object) && !self.counted_before(span)
                || self.claim.subject_span.is_some_and(|s| s.overlaps(span));
            let at = self.view.lexemes_in(span).start;
            // "since 2010" goes on.
            let since = at > 0 && self.text(at - 1) == "since";
            !own && !since && range.contains(&at) && !self.aside(at) && counts(at)
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
        self.amount().is_some()
            && self.view.quantities.iter().any(|q| {
                let inside = self.object.overlaps(q.span) && q.span.end < span.start;
                inside && q.kind != QuantityKind::Year
            })
    }

    /// Whether it stands in brackets that only explain.
    fn aside(&self, i: usize) -> bool {
        self.asides.iter().any(|aside| aside.contains(&i))
    }

    fn amount(&self) -> Option<(f64, Option<UnitId>)> {
        amount_of(&self.fact.value)
    }

    /// The words of the value: of an amount those up to its end, without "until 2023".
    fn valued(&self) -> std::ops::Range<usize> {
        let object = self.view.lexemes_in(self.object);
        let mut amounts = self.view.quantities.iter();
        let said = amounts.find(|q| q.span.overlaps(self.object) && q.kind != QuantityKind::Year);
        match said.filter(|_| self.amount().is_some()) {
            Some(said) => object.start..self.view.lexemes_in(said.span).end.max(object.start),
            None => object,
        }
    }

    /// "cost £39 until last year": a value that held up to some time that has passed.
    fn ended(&self) -> bool {
        let value = self.valued();
        let outside = |i: &usize| !value.contains(i) && !self.aside(*i);
        (0..self.folded.len())
            .filter(outside)
            .any(|i| narrowing().has("ended", self.text(i)))
    }

    /// Words of the clause outside the value.
    fn words_of(&self, clause: &Clause) -> impl Iterator<Item = usize> {
        let object = self.valued();
        let range = clause.range.clone();
        range.filter(move |i| !object.contains(i) && !self.aside(*i))
    }

    /// "originally cost", "at first", "at launch": verbs whose past looks like the present too.
    fn of_first(&self) -> bool {
        let mut words = (0..self.folded.len()).filter(|i| !self.aside(*i));
        words.any(|i| {
            self.has("past_state", i)
                || self.text(i) == "once" && self.folded.cue(i + 1).is(Cue::UNCHANGED)
                || at_first(self.folded, i)
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
                // "will have 140 rooms"
                let counted = matches!(self.fact.value, Value::Number { .. });
                let held = clause.group.clone().any(|i| self.text(i) == "have");
                later()
                    || from()
                    || counted && held
                    || !self.named("schedule", predicate) && self.dated(range, months)
            }
            Tense::Present | Tense::Unknown => {
                !self.named("schedule", predicate)
                    && self.dated_where(range, false, &|at| {
                        !self.of_an_event(at, clause) && !self.of_a_work(at)
                    })
            }
        }
    }

    /// "took place on 5 October 2024 and drew 11,000 people": of what is held anew.
    fn of_a_day(&self, clause: &Clause) -> bool {
        clause.tense == Tense::Past && clause.inherited && self.dated(0..clause.range.end, true)
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
