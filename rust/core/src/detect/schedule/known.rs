//! What the sources say of a week, put together.

use crate::claims::SentenceView;
use crate::evidence::{EvidenceSet, Passage};
use crate::kb::{Fact, Snapshot, Value};
use crate::lexicon::predicates::Predicates;
use crate::lexicon::tables::schedule;
use crate::normal::fold_name;
use crate::segment::clocks;
use crate::segment::week::{Days, Part, Subject, Week, may_be_day, week};
use crate::types::Span;

/// Facts of an entity that are looked through.
const FACTS: usize = 256;

/// Where a schedule was read.
#[derive(Debug, Clone)]
pub(super) enum Source<'a> {
    /// A sentence of a passage.
    Passage(&'a Passage, Span),
    /// A fact of an entity.
    Fact(u32, Box<Fact>),
}

/// One source's schedules: a passage's, an entity's.
#[derive(Debug, Default)]
struct Group {
    open: Days,
    closed: Days,
    complete: bool,
}

/// What is known of a week: a day in neither set is not.
#[derive(Debug, Default)]
pub(super) struct Known<'a> {
    pub(super) open: Days,
    pub(super) closed: Days,
    /// Days said closed in so many words.
    pub(super) shut: Days,
    /// How many days are open, where only that is said.
    pub(super) count: Option<usize>,
    /// Times and their days.
    pub(super) parts: Vec<Part>,
    /// Where it was read, with the days that each speaks of.
    pub(super) sources: Vec<(Source<'a>, Days)>,
}

impl Known<'_> {
    /// Whether every day is known.
    pub(super) fn whole(&self) -> bool {
        self.open.or(self.closed) == Days::ALL
    }

    /// How many days are open, where that is known.
    pub(super) fn days_open(&self) -> Option<usize> {
        if self.whole() {
            Some(self.open.len())
        } else {
            self.count
        }
    }
}

/// What the passages say of the subject that `is_of` tells; `None` where they say nothing.
pub(super) fn of_evidence<'a>(
    evidence: &'a EvidenceSet,
    is_of: &dyn Fn(&Subject, &Passage) -> bool,
) -> Option<Known<'a>> {
    let mut known = Known::default();
    let (mut groups, mut counts) = (Vec::new(), Vec::new());
    let (mut unclear, mut mentioned) = (Days::NONE, Days::NONE);
    let mut once: Vec<Week> = Vec::new();
    for passage in evidence.passages() {
        let all = passage.data().schedules();
        unclear = unclear.or(all.unclear);
        mentioned = mentioned.or(all.mentioned);
        let mut group = Group::default();
        for told in &all.told {
            let subject = told.statement.subject.as_ref();
            if !subject.is_some_and(|subject| is_of(subject, passage)) {
                continue;
            }
            let week = &told.statement.week;
            if week.once {
                once.push(week.clone());
                continue;
            }
            group.take(week);
            group.complete |= week.complete;
            counts.extend(week.count.map(|(count, _)| count));
            known.parts.extend(week.parts.iter().cloned());
            let days = if week.complete {
                Days::ALL
            } else {
                week.open.or(week.closed)
            };
            known
                .sources
                .push((Source::Passage(passage, told.sentence), days));
        }
        group.complete &= !all.open_ended;
        groups.push(group);
    }
    if known.sources.is_empty() {
        return None;
    }
    known.join(&groups, unclear, mentioned);
    // What is said of one date may be otherwise.
    for week in once {
        let against = week.open.and(known.closed).or(week.closed.and(known.open));
        known.open = known.open.without(against);
        known.closed = known.closed.without(against);
    }
    known.counted(&counts);
    Some(known)
}

/// What the base says of an entity.
pub(super) fn of_base<'a>(view: &SentenceView<'_>, kb: &Snapshot, id: u32) -> Option<Known<'a>> {
    let names = view.attributes.predicates();
    let mut known = Known::default();
    let mut group = Group::default();
    let (mut counts, mut open_ended) = (Vec::new(), false);
    for fact in kb.few_facts(id, FACTS, &|_| true)? {
        let Some(open) = states(names, &fact.predicate) else {
            let other = |word: &str| schedule().has("attribute_other", word);
            open_ended |= fact.predicate.split('_').any(other);
            continue;
        };
        let plain =
            fact.valid_from.is_none() && fact.valid_to.is_none() && fact.qualifiers.is_empty();
        let text = match &fact.value {
            Value::Text(text) | Value::Enum(text) if plain && fact.is_told() => text,
            _ => {
                open_ended = true;
                continue;
            }
        };
        if let Some(week) = week(text, open) {
            group.take(&week);
            group.complete |= week.complete;
            counts.extend(week.count.map(|(count, _)| count));
            known.parts.extend(week.parts);
            let days = if week.complete {
                Days::ALL
            } else {
                week.open.or(week.closed)
            };
            known.sources.push((Source::Fact(id, Box::new(fact)), days));
        } else if text.split(|c: char| !c.is_alphanumeric()).any(may_be_day) {
            return None;
        } else {
            known.parts.push(Part {
                days: Days::ALL,
                clocks: clocks(text),
            });
        }
    }
    if known.sources.is_empty() {
        return None;
    }
    group.complete &= !open_ended;
    known.join(&[group], Days::NONE, Days::NONE);
    known.counted(&counts);
    Some(known)
}

/// Whether an attribute lists days that are open, or closed ones.
fn states(names: &Predicates, predicate: &str) -> Option<bool> {
    let shut = schedule().has("attribute_shut", predicate) || names.same(predicate, "closed_on");
    let open = schedule().has("attribute", predicate) || names.same(predicate, "opening_hours");
    (shut || open).then_some(!shut)
}

/// Whether a text of the entity's facts has the word, stemmed.
pub(super) fn told_of(kb: &Snapshot, id: u32, stem: &str) -> bool {
    let facts = kb.few_facts(id, FACTS, &|_| true).unwrap_or_default();
    facts.iter().any(|fact| {
        let text = fold_name(&fact.value.to_string());
        text.split(|c: char| !c.is_alphanumeric())
            .any(|word| crate::normal::stem(word) == stem)
    })
}

impl Group {
    fn take(&mut self, week: &Week) {
        self.open = self.open.or(week.open);
        self.closed = self.closed.or(week.closed);
    }

    /// Days closed because the list is complete.
    fn implied(&self) -> Days {
        if self.complete {
            Days::ALL.without(self.open).without(self.closed)
        } else {
            Days::NONE
        }
    }
}

impl Known<'_> {
    fn join(&mut self, groups: &[Group], unclear: Days, mentioned: Days) {
        let (mut open, mut closed, mut implied) = (Days::NONE, Days::NONE, Days::NONE);
        for group in groups {
            open = open.or(group.open);
            closed = closed.or(group.closed);
            implied = implied.or(group.implied());
        }
        // Where sources disagree nothing is known.
        let unknown = open.and(closed).or(open.and(implied)).or(unclear);
        self.open = open.without(unknown);
        self.shut = closed.without(unknown);
        self.closed = self.shut.or(implied.without(mentioned).without(unknown));
    }

    fn counted(&mut self, counts: &[usize]) {
        let Some(first) = counts.first() else { return };
        let one = counts.iter().all(|count| count == first);
        let fits = !self.whole() || self.open.len() == *first;
        if one && fits {
            self.count = Some(*first);
        } else {
            // The days and their number do not go together.
            self.open = Days::NONE;
            self.closed = Days::NONE;
            self.shut = Days::NONE;
        }
    }
}
