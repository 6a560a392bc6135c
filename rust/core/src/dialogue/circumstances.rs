//! Under what circumstances a statement holds: when, of how many, where and for whom.

use crate::claims::{Clause, Folded, SentenceView, Tense, word_hash};
use crate::lexicon::contrast::contrast;
use crate::lexicon::cues::Cue;
use crate::lexicon::logic::logic;
use crate::lexicon::tables::time;
use crate::normal::stem;
use crate::types::{LexFlags, LexKind, QuantityKind, Span};

use super::subject::is_label;

/// Of how many of its kind something is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Extent {
    /// Of one thing, or nothing is said.
    #[default]
    Plain,
    /// Of some ("some rooms", "three rooms").
    Part,
    /// Of all or none ("every room").
    Whole,
}

/// Circumstances of a statement. Two statements are at odds only where theirs agree.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Circumstances {
    /// Said of the past.
    pub past: bool,
    /// An event that stands, whatever tense it is told in ("is scheduled for", "booked for").
    pub settled: bool,
    /// Of how many.
    pub extent: Extent,
    /// Dates and words of time beside the value, hashed, sorted.
    pub times: Vec<u64>,
    /// Words that tell one of a kind from others of it, in a sentence that is read as a whole.
    pub which: Vec<u64>,
    /// Stems of what the value is said for, by, in or at ("for children", "by bus"), sorted.
    pub rest: Vec<u64>,
    /// Those of them that only add to it: names behind "by", of who did it. Sorted.
    pub by: Vec<u64>,
    /// Names behind "in" and "at", of where it was. Sorted.
    pub at: Vec<u64>,
    /// Stems of what it is said together with ("with children"), sorted.
    pub with: Vec<u64>,
    /// Stems of what the clause's event is of ("released Revolver"), sorted.
    pub of: Vec<u64>,
    /// Whether the event comes again by nature ("won", "was rebuilt").
    pub repeats: bool,
    /// Stems of the condition it is told on ("when streaming"), sorted.
    pub when: Vec<u64>,
    /// Stems of the titles above it, sorted; empty where it names what it is of.
    pub under: Vec<u64>,
}

/// What [`Circumstances::within`] saw of the value itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct Value {
    /// A word that describes stands in it before its date ("open on Monday").
    pub(super) describes: bool,
    /// It follows a form of "be" alone.
    pub(super) copula: bool,
}

impl Circumstances {
    /// Those of a sentence as a whole whose value stands at `value`.
    pub(super) fn read(
        view: &SentenceView<'_>,
        folded: &Folded,
        clauses: &[Clause],
        value: Span,
    ) -> Self {
        let clause = clause_at(view, clauses, value);
        let mut own = Self {
            past: clause.is_some_and(|clause| clause.tense == Tense::Past),
            extent: extent(view, folded, clauses.first()),
            ..Self::default()
        };
        own.times(view, folded, 0..view.lexemes.len(), value);
        own.condition(view, folded);
        if let Some(clause) = clause {
            own.event(view, folded, clause);
        }
        let dated = |i: usize| {
            let span = view.lexemes[i].span;
            view.dates.iter().any(|date| date.span.overlaps(span))
        };
        let words = (0..view.lexemes.len())
            .filter(|i| !dated(*i))
            .map(|i| folded.get(i));
        own.which = words
            .filter(|word| contrast().selects(word))
            .map(word_hash)
            .collect();
        // "highway 4", "Henry IV": one of several that are called alike.
        let labels = view
            .quantities
            .iter()
            .filter(|q| q.kind == QuantityKind::Label);
        own.which
            .extend(labels.map(|q| word_hash(&format!("#{}", q.value))));
        let roman = (1..view.lexemes.len()).filter(|i| is_label(view.word(*i)));
        own.which.extend(roman.map(|i| word_hash(folded.get(i))));
        own.which.sort_unstable();
        let verb = |i: usize| clauses.iter().any(|clause| clause.group.contains(&i));
        own.portions(view, folded, 0..view.lexemes.len(), value);
        own.qualify(view, folded, 0..view.lexemes.len(), verb);
        own
    }

    /// Narrows them to the clause of the value.
    pub(super) fn within(
        &mut self,
        view: &SentenceView<'_>,
        folded: &Folded,
        clauses: &[Clause],
        value: Span,
        subject: Option<Span>,
    ) -> Value {
        let mut seen = Value {
            describes: false,
            copula: false,
        };
        let Some(clause) = clause_at(view, clauses, value) else {
            return seen;
        };
        seen.copula = clause.copula && clause.verb.is_none();
        self.extent = extent(view, folded, Some(clause));
        self.event(view, folded, clause);
        let inner = view.lexemes_in(value);
        let range = clause.range.start..clause.range.end.max(inner.end);
        self.times.clear();
        self.which.clear();
        self.times(view, folded, range.clone(), value);
        let date = view.dates.iter().find(|date| value.overlaps(date.span));
        let own = |i: usize| {
            let span = view.lexemes[i].span;
            clause.group.contains(&i) || subject.is_some_and(|subject| subject.contains(span))
        };
        seen.describes = date.is_some_and(|date| {
            inner.clone().any(|i| {
                view.lexemes[i].span.end <= date.span.start && !own(i) && counts(view, folded, i)
            })
        });
        self.rest.clear();
        (self.by, self.at, self.with) = Default::default();
        self.portions(view, folded, range.clone(), value);
        self.qualify(view, folded, range, own);
        seen
    }

    /// Notes what prepositions put beside the value; `skip` says what belongs to the statement.
    fn qualify(
        &mut self,
        view: &SentenceView<'_>,
        folded: &Folded,
        range: std::ops::Range<usize>,
        skip: impl Fn(usize) -> bool,
    ) {
        let mut qualified = false;
        let mut link = "";
        let mut company = false;
        for i in range {
            if folded.cue(i).is(Cue::PREPOSITION) {
                link = folded.get(i);
                company = matches!(link, "with" | "without") || company && link == "of";
                // "20 rooms with a view" are not all of them.
                let counted = folded.get(i) == "with"
                    && view
                        .quantities
                        .iter()
                        .any(|q| i > 0 && view.lexemes_in(q.span).end == i - 1);
                qualified = counted || !contrast().is_loose(folded.get(i));
            } else if folded.cue(i).is(Cue::CONJUNCTION.or(Cue::BREAK)) {
                (qualified, company) = (false, false);
            }
            let told = !skip(i) && counts(view, folded, i);
            let word = || word_hash(&stem(folded.get(i)));
            if company && told {
                self.with.push(word());
            }
            if qualified && told {
                self.rest.push(word());
                let name = view.lexemes[i].flags.has(LexFlags::CAPITALIZED);
                match link {
                    "by" if name => self.by.push(word()),
                    "in" | "at" if name => self.at.push(word()),
                    _ => {}
                }
            }
        }
        for words in [&mut self.rest, &mut self.by, &mut self.at, &mut self.with] {
            words.sort_unstable();
            words.dedup();
        }
    }

    /// Whether both say the same beside the value, but for who did it and, where `placed`, where it
    /// was: that, one of them may leave out.
    #[must_use]
    pub fn alike(&self, other: &Self, placed: bool) -> bool {
        let bare = |one: &Self| -> Vec<u64> {
            let added = |word: &u64| one.by.contains(word) || placed && one.at.contains(word);
            let rest = one.rest.iter().copied();
            rest.filter(|word| !added(word)).collect()
        };
        let either = |a: &[u64], b: &[u64]| a == b || a.is_empty() || b.is_empty();
        bare(self) == bare(other)
            && either(&self.by, &other.by)
            && either(&self.with, &other.with)
            && (!placed || either(&self.at, &other.at))
    }

    /// Notes for how many the value is told: "for six people", "per two litres".
    fn portions(
        &mut self,
        view: &SentenceView<'_>,
        folded: &Folded,
        range: std::ops::Range<usize>,
        value: Span,
    ) {
        let told = view.quantities.iter().filter(|q| {
            let at = view.lexemes_in(q.span).start;
            let link =
                at > 0 && matches!(folded.get(at - 1), "for" | "per" | "of" | "from" | "every");
            let counts = !matches!(q.kind, QuantityKind::Year | QuantityKind::Label);
            // "to 50 % in half an hour"
            let share = at > 0 && q.kind == QuantityKind::Percent && folded.get(at - 1) == "to";
            (link || share) && counts && range.contains(&at) && !value.overlaps(q.span)
        });
        let found: Vec<u64> = told.map(|q| word_hash(&format!("#{}", q.value))).collect();
        self.rest.extend(found);
    }

    fn times(
        &mut self,
        view: &SentenceView<'_>,
        folded: &Folded,
        range: std::ops::Range<usize>,
        value: Span,
    ) {
        for date in view.dates.iter().filter(|date| !value.overlaps(date.span)) {
            if range.contains(&view.lexemes_in(date.span).start) {
                self.times
                    .push(word_hash(&view.at(date.span).to_lowercase()));
            }
        }
        for i in range {
            let word = folded.get(i);
            let dated = view
                .dates
                .iter()
                .any(|d| d.span.contains(view.lexemes[i].span));
            // "last year", "this summer"
            let unit = folded.get(i + 1);
            let marks = view.time(i);
            let counted = ["previous", "following", "current"]
                .iter()
                .any(|class| marks.has(class))
                && (time().of("unit_", unit).is_some() || time().has("season", unit));
            if counted {
                self.times.push(word_hash(&format!("{word} {unit}")));
            } else if !dated && contrast().is_when(word) {
                self.times.push(word_hash(word));
            }
        }
        self.times.sort_unstable();
        self.times.dedup();
    }

    /// Whether both are of the same time, and none of a part that says nothing of the other's.
    #[must_use]
    pub fn agree(&self, other: &Self) -> bool {
        let tense = self.past == other.past || self.settled || other.settled;
        let parts = match (self.extent, other.extent) {
            (Extent::Part, Extent::Whole) | (Extent::Whole, Extent::Part) => true,
            (one, two) => one != Extent::Part && two != Extent::Part,
        };
        tense && parts && self.times == other.times && self.which == other.which
    }
}

/// The clause in which a value stands; the first where none has it.
fn clause_at<'a>(
    view: &SentenceView<'_>,
    clauses: &'a [Clause],
    value: Span,
) -> Option<&'a Clause> {
    let at = view.lexemes_in(value).start;
    let mut own = clauses
        .iter()
        .filter(|c| c.range.contains(&at) || c.group.end == at);
    own.next().or(clauses.first())
}

/// Whether a word says something by itself: no closed class, no date, no number.
fn counts(view: &SentenceView<'_>, folded: &Folded, i: usize) -> bool {
    let lexeme = &view.lexemes[i];
    let closed = Cue::DETERMINER
        .or(Cue::PREPOSITION)
        .or(Cue::CONJUNCTION)
        .or(Cue::BREAK)
        .or(Cue::COPULA)
        .or(Cue::AUXILIARY)
        .or(Cue::ADVERB)
        .or(Cue::NEGATION)
        .or(Cue::PRONOUN_PERSON)
        .or(Cue::PRONOUN_THING)
        .or(Cue::POSSESSIVE);
    let word = folded.get(i);
    // "611_ames_ave" goes on with a value.
    let valued = view.dates.iter().any(|d| d.span.overlaps(lexeme.span))
        || view.quantities.iter().any(|q| {
            q.kind != QuantityKind::Label
                && (q.span.overlaps(lexeme.span) || q.span.end == lexeme.span.start)
        });
    lexeme.kind == LexKind::Word
        && !valued
        && !folded.cue(i).is(closed)
        && !contrast().is_light(word)
        && !contrast().is_when(word)
}

/// Of how many a clause speaks.
fn extent(view: &SentenceView<'_>, folded: &Folded, clause: Option<&Clause>) -> Extent {
    let Some(clause) = clause else {
        return Extent::Plain;
    };
    let mut words = clause.subject.clone();
    let Some(first) = words.next() else {
        return Extent::Plain;
    };
    let word = folded.get(first);
    let logic = logic();
    let few = matches!(word, "a" | "the") && contrast().is_part(folded.get(first + 1));
    let number = view.lexemes[first].kind == LexKind::Number && clause.subject.len() > 1;
    let classes = ["all", "no", "all_people", "no_people"];
    if contrast().is_part(word) || (few && word == "a") || number {
        Extent::Part
    } else if classes.iter().any(|class| logic.has(class, word)) {
        Extent::Whole
    } else {
        Extent::Plain
    }
}
