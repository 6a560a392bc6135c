//! Expressions of time in a closed sentence, resolved against a reference day (S0-018, S0-053).

use jiff::civil::Date;

use crate::lexicon::cues::Cue;
use crate::lexicon::tables::{Marks, Table, time};
use crate::types::{DateExpr, QuantityKind, Span};

use super::clauses::{Clause, Tense};
use super::view::{Folded, SentenceView};
use calendar::{Days, quarter_days, season_days, whole_month, whole_years};

/// How something stands to a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeRelation {
    /// Earlier than the target.
    Before,
    /// Later than the target.
    After,
    /// Within it.
    During,
    /// From it on.
    Since,
    /// Up to it.
    Until,
}

impl TimeRelation {
    /// Its name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::After => "after",
            Self::During => "during",
            Self::Since => "since",
            Self::Until => "until",
        }
    }
}

/// The time that a relation points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeTarget {
    /// Where it stands.
    pub span: Span,
    /// Its first day.
    pub first: Option<Date>,
    /// Its last day.
    pub last: Option<Date>,
}

/// One expression of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Temporal {
    /// Where it stands.
    pub span: Span,
    /// The day it resolves to: the first it covers; the middle of "two years ago".
    pub resolved: Option<Date>,
    /// First day it may cover.
    pub first: Option<Date>,
    /// Last day it may cover.
    pub last: Option<Date>,
    /// The year, where one is written or follows.
    pub year: Option<i32>,
    /// Weekday 1 (Monday) ..= 7, if written beside a date.
    pub weekday: Option<u8>,
    /// Tense of its clause.
    pub tense: Tense,
    /// How its clause stands to it, or it to its target.
    pub relation: Option<TimeRelation>,
    /// What comes after "before" or "after": its own, not every later date.
    pub target: Option<TimeTarget>,
    /// Number of its clause.
    pub clause: Option<usize>,
    /// Counts from the reference day ("last year").
    pub relative: bool,
    /// Says when the clause's event is: "in 1990", not "the 1990 cup".
    pub adjunct: bool,
    /// Spoken of as a prospect ("the plan for 2040").
    pub prospect: bool,
    /// A day the calendar does not have ("30 February").
    pub impossible: bool,
}

/// Most expressions of one sentence.
const CAP: usize = 16;

/// The expressions of time of a sentence, in the order in which they stand.
#[must_use]
pub fn temporals(
    view: &SentenceView<'_>,
    folded: &Folded,
    clauses: &[Clause],
    reference: Option<Date>,
) -> Vec<Temporal> {
    let reader = Reader {
        view,
        folded,
        clauses,
        reference,
        words: time(),
    };
    reader.read()
}

struct Reader<'a> {
    view: &'a SentenceView<'a>,
    folded: &'a Folded<'a>,
    clauses: &'a [Clause],
    reference: Option<Date>,
    words: &'static Table,
}

impl Reader<'_> {
    fn text(&self, i: usize) -> &str {
        self.folded.get(i)
    }

    fn back(&self, i: usize, by: usize) -> &str {
        i.checked_sub(by).map_or("", |i| self.folded.get(i))
    }

    fn at(&self, i: usize) -> Marks<'static> {
        self.view.time(i)
    }

    fn has(&self, class: &str, word: &str) -> bool {
        self.words.has(class, word)
    }

    fn read(&self) -> Vec<Temporal> {
        let mut found = self.relative();
        for date in self.view.dates {
            let spoken =
                date.year.or(date.month.map(i32::from)).is_some() || date.weekday.is_some();
            let taken = found.iter().any(|t| t.span.overlaps(date.span));
            if spoken && !taken {
                found.push(self.absolute(date));
            }
        }
        for quantity in self.view.quantities {
            let text = self.view.at(quantity.span);
            let taken = found.iter().any(|t| t.span.overlaps(quantity.span));
            let at = self.view.lexemes_in(quantity.span).start;
            // "the year 3000"
            let far = quantity.kind == QuantityKind::Cardinal
                && quantity.unit.is_none()
                && text.len() == 4
                && text.bytes().all(|b| b.is_ascii_digit())
                && self.back(at, 1) == "year";
            if far && !taken {
                let year = quantity.value as i32;
                found.push(self.placed(quantity.span, whole_years(year, year), Some(year), false));
            } else if quantity.kind == QuantityKind::Year && text.ends_with('s') && !taken {
                let year = quantity.value as i32;
                let days = whole_years(year, year + 9);
                found.push(self.placed(quantity.span, days, Some(year), false));
            }
        }
        found.sort_by_key(|t| t.span.start);
        found.truncate(CAP);
        self.relate(&mut found);
        found
    }

    /// A written date, with the season or quarter before it.
    fn absolute(&self, date: &DateExpr) -> Temporal {
        let at = self.view.lexemes_in(date.span);
        let mut span = date.span;
        let mut impossible = false;
        let mut days = None;
        if let Some(year) = date.year {
            days = match (date.month, date.day) {
                (Some(month), Some(day)) => {
                    let date = Date::new(year as i16, month as i8, day as i8).ok();
                    impossible = date.is_none();
                    date.map(|date| (date, date))
                }
                (Some(month), None) => whole_month(year, month),
                _ => whole_years(year, year),
            };
            if date.month.is_none() {
                let of = usize::from(self.back(at.start, 1) == "of");
                let one = at.start.checked_sub(1 + of);
                let two = at.start.checked_sub(2 + of);
                let season = one.filter(|i| self.has("season", self.text(*i)));
                let quarter = one.and_then(|i| self.quarter(i, two));
                if let Some(i) = season {
                    span.start = self.view.lexemes[i].span.start;
                    days = season_days(self.text(i), year).or(days);
                } else if let Some((quarter, from)) = quarter {
                    span.start = self.view.lexemes[from].span.start;
                    days = quarter_days(year, quarter).or(days);
                }
            }
        } else if let (Some(month), Some(day)) = (date.month, date.day) {
            // A leap year has every day there is.
            impossible = Date::new(2000, month as i8, day as i8).is_err();
        }
        let era = self.has("era", self.text(at.end));
        let mut temporal = self.placed(span, days.filter(|_| !era), date.year, false);
        if era {
            temporal.year = None;
        }
        temporal.weekday = date.weekday.filter(|_| date.day.is_some());
        temporal.impossible = impossible && !era;
        temporal
    }

    fn quarter(&self, one: usize, two: Option<usize>) -> Option<(u8, usize)> {
        let number = |words: &str| {
            let class = self.words.of("quarter_", words)?;
            class.parse::<u8>().ok()
        };
        if let Some(quarter) = number(self.text(one)) {
            return Some((quarter, one));
        }
        let two = two.filter(|_| self.text(one) == "quarter")?;
        let words = format!("{} {}", self.text(two), self.text(one));
        Some((number(&words)?, two))
    }

    /// With its clause, tense and place in the sentence.
    fn placed(
        &self,
        span: Span,
        days: Option<Days>,
        year: Option<i32>,
        relative: bool,
    ) -> Temporal {
        let at = self.view.lexemes_in(span);
        let clause = self
            .clauses
            .iter()
            .position(|clause| clause.range.contains(&at.start));
        let mut before = at.start;
        before -= usize::from(self.back(before, 1) == "year");
        while before > 0
            && (self.has("article", self.back(before, 1))
                || self.has("part", self.back(before, 1))
                || self.back(before, 1) == "of")
        {
            before -= 1;
        }
        let word = before.checked_sub(1).unwrap_or(usize::MAX);
        let word = self.view.time(word);
        let starts = before == 0 || !self.word_before(before);
        let direct = word.has("at_time");
        let outlook = word.has("outlook");
        let adjunct = if relative {
            !outlook
        } else {
            (direct || starts && at.start == before) && !self.noun_after(at.end)
        };
        let relation = if word.has("since") {
            Some(TimeRelation::Since)
        } else if word.has("until") {
            Some(TimeRelation::Until)
        } else if word.has("during") {
            Some(TimeRelation::During)
        } else if word.has("before") {
            Some(TimeRelation::Before)
        } else if word.has("after") {
            Some(TimeRelation::After)
        } else {
            None
        };
        let target = relation
            .filter(|r| matches!(r, TimeRelation::Before | TimeRelation::After))
            .map(|_| TimeTarget {
                span,
                first: days.map(|d| d.0),
                last: days.map(|d| d.1),
            });
        let own = clause.map(|i| &self.clauses[i]);
        let mut tense = own.map_or(Tense::Unknown, |clause| clause.tense);
        let mut prospect = outlook || own.is_some_and(|clause| clause.modal);
        if let Some(clause) = own {
            let infinitive = (clause.group.end..at.start)
                .any(|i| self.text(i) == "to" && self.folded.known(i + 1).verb.is_some());
            if infinitive && tense != Tense::Future {
                tense = Tense::Unknown;
            }
            let about = clause.group.start..at.start.max(clause.group.end);
            prospect |= about.clone().any(|i| self.view.time(i).has("prospect"))
                || (clause.group.end..at.start).any(|i| self.view.time(i).has("prospect_noun"))
                || clause
                    .range
                    .clone()
                    .any(|i| self.view.time(i).has("long_term"));
            // "Norway will ban petrol cars in 2040": somebody means to do something.
            let object = clause.rest.start;
            let acts = clause.verb.is_some() && !clause.copula && object < at.start;
            prospect |= tense == Tense::Future
                && acts
                && self.view.lexemes[object].kind == crate::types::LexKind::Word
                && !self
                    .folded
                    .cue(object)
                    .is(Cue::PREPOSITION.or(Cue::ADVERB).or(Cue::CONJUNCTION));
        }
        Temporal {
            span,
            resolved: days.map(|d| d.0),
            first: days.map(|d| d.0),
            last: days.map(|d| d.1),
            year,
            weekday: None,
            tense,
            relation,
            target,
            clause,
            relative,
            adjunct,
            prospect,
            impossible: false,
        }
    }

    fn word_before(&self, i: usize) -> bool {
        i.checked_sub(1).is_some_and(|i| {
            let kind = self.view.lexemes[i].kind;
            kind == crate::types::LexKind::Word && !self.folded.cue(i).is(Cue::CONJUNCTION)
        })
    }

    /// "in 2034 terms": the date only describes a noun.
    fn noun_after(&self, i: usize) -> bool {
        let Some(lexeme) = self.view.lexemes.get(i) else {
            return false;
        };
        if lexeme.kind != crate::types::LexKind::Word {
            return false;
        }
        let closed = Cue::PREPOSITION
            .or(Cue::CONJUNCTION)
            .or(Cue::BREAK)
            .or(Cue::DETERMINER)
            .or(Cue::COPULA)
            .or(Cue::AUXILIARY)
            .or(Cue::ADVERB)
            .or(Cue::FUNCTION);
        !self.folded.cue(i).is(closed)
            && self.folded.known(i).verb.is_none()
            && !lexeme.flags.has(crate::types::LexFlags::CAPITALIZED)
    }

    /// Gives each date what "before" or "after" says it stands to: the next date alone.
    fn relate(&self, found: &mut [Temporal]) {
        for j in 1..found.len() {
            let (to, from) = (found[j], found[j - 1]);
            let between = self
                .view
                .lexemes_in(Span::new(from.span.end, to.span.start));
            let Some(at) = between
                .clone()
                .find(|i| self.at(*i).has("before") || self.at(*i).has("after"))
            else {
                self.leading(found, j);
                continue;
            };
            // Only light words may stand between the date and the relation.
            let joined = (between.start..at).all(|i| {
                self.view.word(i) == "," || self.at(i).has("light") || self.count(i).is_some()
            });
            let apart = (at + 1..between.end).any(|i| self.view.word(i) == ",");
            let apart = apart || self.of_next_verb(at + 1..between.end);
            if joined && !apart {
                let before = self.at(at).has("before");
                self.point(&mut found[j - 1], &to, before);
            }
        }
    }

    /// Whether the date behind these words is of a verb that is joined to the one before them
    /// ("after a fire and reopened in 1990").
    fn of_next_verb(&self, words: std::ops::Range<usize>) -> bool {
        let joint = |i: &usize| matches!(self.text(*i), "and" | "but" | "then" | "or" | "yet");
        let Some(at) = words.clone().rfind(joint) else {
            return false;
        };
        let helps = Cue::AUXILIARY.or(Cue::COPULA);
        let mut behind = (at + 1..words.end).filter(|i| !self.folded.cue(*i).is(Cue::ADVERB));
        let verb = behind.next().is_some_and(|i| {
            let known = self.folded.known(i).verb.is_some();
            self.folded.cue(i).is(helps) || known || self.text(i).ends_with("ed")
        });
        let own = |clause: &Clause| (at + 1..words.end).contains(&clause.group.start);
        verb || self.clauses.iter().any(own)
    }

    /// "Before it closed in 2010, it was renovated in 2012".
    fn leading(&self, found: &mut [Temporal], j: usize) {
        let first = (0..self.view.lexemes.len()).find(|i| !self.text(*i).is_empty());
        let Some(first) = first.filter(|_| j == 1) else {
            return;
        };
        let before = self.at(first).has("before");
        if !before && !self.at(first).has("after") {
            return;
        }
        let between = self
            .view
            .lexemes_in(Span::new(found[0].span.end, found[1].span.start));
        let comma = between.clone().find(|i| self.view.word(*i) == ",");
        let plain = comma.is_some_and(|comma| {
            comma == between.start
                && !(comma..between.end).any(|i| self.text(i) == "that" || self.view.word(i) == ";")
        });
        if plain && found[1].clause != found[0].clause {
            let target = found[0];
            self.point(&mut found[1], &target, before);
        }
    }

    fn point(&self, from: &mut Temporal, to: &Temporal, before: bool) {
        from.relation = Some(if before {
            TimeRelation::Before
        } else {
            TimeRelation::After
        });
        from.target = Some(TimeTarget {
            span: to.span,
            first: to.first,
            last: to.last,
        });
    }
}

mod calendar;
mod relative;
