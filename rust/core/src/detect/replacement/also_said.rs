//! What else a sentence says of a name that is wrong: with the right name in its place, that would be
//! said of somebody else ("Tom Ashworth, the founder of X, was born in 1980").

use std::ops::Range;

use crate::claims::{Folded, SentenceView};
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::tables::frames;
use crate::lexicon::words::{WordClass, class};
use crate::normal::fold_name;
use crate::types::{LexFlags, LexKind, Span};

/// Words of an apposition, at most.
const APPOSED: usize = 14;

/// What becomes of the name that takes a wrong one's place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::detect) enum AlsoSaid {
    /// The sentence says no more of the wrong one.
    Nothing,
    /// It does.
    More,
    /// It does, and what is wrong is an apposition that can be left out: the words that stay, in
    /// the place of these.
    Apposed(Span, String),
}

/// What the sentence says of the name at `place` beside what it is to the one at `of`.
pub(in crate::detect) fn also_said(view: &SentenceView<'_>, of: Span, place: Span) -> AlsoSaid {
    let folded = view.folded();
    let reader = Reader {
        view,
        folded,
        name: touched(view, place),
        of: touched(view, of),
    };
    if reader.name.is_empty() || reader.of.is_empty() || place.overlaps(of) {
        return AlsoSaid::Nothing;
    }
    if reader.goes_on() {
        return AlsoSaid::More;
    }
    if reader.of.end <= reader.name.start {
        reader.behind()
    } else {
        reader.before()
    }
}

/// The lexemes that a span touches: "NorthPeak's" of "NorthPeak".
fn touched(view: &SentenceView<'_>, span: Span) -> Range<usize> {
    let start = view
        .lexemes
        .partition_point(|own| own.span.end <= span.start);
    let end = view
        .lexemes
        .partition_point(|own| own.span.start < span.end);
    start..end.max(start)
}

/// Whether a text is a name: capitals, and no figures.
pub(in crate::detect) fn named(text: &str) -> bool {
    let mut words = text.split(' ');
    let capital = |word: &str| word.starts_with(char::is_uppercase);
    !text.contains(|c: char| c.is_ascii_digit())
        && words.next().is_some_and(capital)
        && text.split(' ').filter(|word| capital(word)).count() * 2 > text.split(' ').count()
}

/// Whether a name begins as those of people do.
pub(in crate::detect) fn of_person(text: &str) -> bool {
    let first = fold_name(text.split(' ').next().unwrap_or(""));
    text.contains(' ') && class(&first).has(WordClass::GIVEN_NAME)
}

struct Reader<'v, 'a> {
    view: &'v SentenceView<'a>,
    folded: Folded<'a>,
    name: Range<usize>,
    of: Range<usize>,
}

impl Reader<'_, '_> {
    fn is(&self, i: usize, class: Cue) -> bool {
        self.folded.cue(i).is(class)
    }

    fn len(&self) -> usize {
        self.view.lexemes.len()
    }

    fn mark(&self, i: usize) -> &str {
        if i < self.len() {
            self.view.word(i)
        } else {
            ""
        }
    }

    fn relates(&self, i: usize) -> bool {
        i < self.len() && frames().has("relates", self.folded.get(i))
    }

    /// Whether a verb, or a participle with "by", stands among the words.
    fn told(&self, range: Range<usize>) -> bool {
        let verb = self
            .view
            .clauses()
            .iter()
            .any(|clause| clause.group.clone().any(|i| range.contains(&i)));
        verb || range
            .clone()
            .any(|i| self.folded.get(i) == "by" || self.is(i, Cue::COPULA))
    }

    /// Whether anything is told outside of the words.
    fn told_outside(&self, range: Range<usize>) -> bool {
        self.told(0..range.start) || self.told(range.end..self.len())
    }

    /// Whether the sentence goes on with a pronoun for a person.
    fn goes_on(&self) -> bool {
        if !of_person(self.view.at(self.span(self.name.clone()))) {
            return false;
        }
        // "her" is whose it is, too.
        let personal =
            |i: usize| self.is(i, Cue::PRONOUN_PERSON) || frames().has("his", self.folded.get(i));
        let another = |i: usize| {
            let lexeme = &self.view.lexemes[i];
            let inside = self.of.contains(&i) || self.name.contains(&i);
            !inside
                && lexeme.flags.has(LexFlags::CAPITALIZED)
                && class(self.folded.get(i)).has(WordClass::GIVEN_NAME)
        };
        let found = (self.name.end..self.len()).find(|i| personal(*i));
        found.is_some_and(|at| !(0..at).any(another))
    }

    fn span(&self, range: Range<usize>) -> Span {
        let (first, last) = (range.start, range.end.max(range.start + 1) - 1);
        Span::new(
            self.view.lexemes[first].span.start,
            self.view.lexemes[last].span.end,
        )
    }

    /// A remark about the name right behind it: ", who …", ", a Canadian", "(born 1980)".
    fn remarked(&self) -> bool {
        let at = self.name.end;
        if self.relates(at) {
            return true;
        }
        let inside = match self.mark(at) {
            "," | "—" | "–" => at + 1,
            "(" if at + 1 < self.len() => {
                let end = (at + 1..self.len()).find(|i| self.mark(*i) == ")");
                let span = self.span(at + 1..end.unwrap_or(self.len()));
                let counted = self.view.quantities.iter().any(|q| q.span.overlaps(span));
                return counted || self.view.dates.iter().any(|d| d.span.overlaps(span));
            }
            _ => return false,
        };
        if self.relates(inside) {
            return true;
        }
        // "…, the CFO is Ann": a statement of its own.
        let mut clauses = self.view.clauses().iter().filter(|own| !own.inherited);
        if clauses.any(|own| own.subject.start == inside || own.range.start == inside) {
            return false;
        }
        frames().has("remarks", self.folded.get(inside))
            || self.is(inside, Cue::DETERMINER) && !self.is(inside + 1, Cue::PREPOSITION)
    }

    /// Whether what it is said to be something to only tells whose the name is: "X's founder, P", "the
    /// founder of X, P".
    fn owned(&self) -> bool {
        let last = self.mark(self.of.end - 1);
        let own = ["'s", "’s", "s'", "s’"]
            .iter()
            .any(|end| last.ends_with(end));
        let next = self.mark(self.of.end);
        let before = self.of.start.checked_sub(1);
        own || matches!(next, "'" | "’" | "'s" | "’s")
            || before.is_some_and(|i| self.is(i, Cue::PREPOSITION))
            || before.and_then(|i| i.checked_sub(1)).is_some_and(|i| {
                self.is(i, Cue::PREPOSITION) && self.is(self.of.start - 1, Cue::DETERMINER)
            })
    }

    /// The name behind what it is said to be something to.
    fn behind(&self) -> AlsoSaid {
        let between = self.of.end..self.name.start;
        if self.remarked() && (self.owned() || self.told(between.clone())) {
            return AlsoSaid::More;
        }
        let colon = between.clone().any(|i| self.mark(i) == ":");
        // "Owen Pryce, Head of Sales, will join": the rest is told of whose it is.
        if colon || self.told(between.clone()) || !self.owned() {
            return AlsoSaid::Nothing;
        }
        let first = (0..self.of.start)
            .find(|i| self.view.lexemes[*i].kind == LexKind::Word)
            .unwrap_or(self.of.start);
        if !self.told_outside(first..self.name.end) {
            return AlsoSaid::Nothing;
        }
        // "The founder of X, Tom Ashworth, was born": the sentence begins with the apposition.
        let plain = (first..self.name.start - 1)
            .all(|i| !self.is_mark(i) || self.joins(i) || self.of.contains(&i));
        let opened = self.mark(self.name.start - 1) == ",";
        let closed = self.mark(self.name.end) == ",";
        let noun = self.is(first, Cue::DETERMINER) || first == self.of.start;
        let joined = opened && closed || !opened && !closed && first == self.of.start;
        if self.told(first..self.name.start) || !plain || !noun || !joined {
            return AlsoSaid::More;
        }
        let end = if closed {
            self.name.end + 1
        } else {
            self.name.end
        };
        AlsoSaid::Apposed(self.span(first..end), self.said())
    }

    /// The name in front of it.
    fn before(&self) -> AlsoSaid {
        let between = self.name.end..self.of.start;
        let cleft = self.name.start > 0
            && self.relates(self.name.end)
            && (0..self.name.start).any(|i| self.folded.get(i) == "it")
            && self.is(self.name.start - 1, Cue::COPULA);
        if cleft {
            return AlsoSaid::Nothing;
        }
        let aside = matches!(self.mark(self.name.end), "," | "(" | "—" | "–");
        if self.told(between.clone()) {
            // "…, which was founded by P": told of what stands right before it.
            let next = self.of.end + usize::from(self.mark(self.of.end) == ",");
            let own = !self.relates(next)
                && self.view.clauses().iter().any(|clause| {
                    let told = clause.group.start..clause.rest.end.max(clause.group.end);
                    let subject = clause.subject.start < self.name.end
                        && self.name.start < clause.subject.end;
                    !clause.group.is_empty() && subject && told.start >= self.of.end
                });
            let listed = self.mark(self.name.end) == "," && self.lists();
            return if own || aside && !listed || self.relates(self.name.end) {
                AlsoSaid::More
            } else {
                AlsoSaid::Nothing
            };
        }
        if !aside || self.mark(self.name.end).starts_with(['—', '–']) {
            return AlsoSaid::Nothing;
        }
        let closing = if self.mark(self.name.end) == "(" {
            ")"
        } else {
            ","
        };
        let most = self.len().min(self.of.end + APPOSED);
        let end = (self.of.end..most).find(|i| self.is_mark(*i) && !self.joins(*i));
        let end = end.unwrap_or(self.len());
        let whole = self.name.start..end;
        if !self.told_outside(whole.clone()) {
            return AlsoSaid::Nothing;
        }
        let last = self.mark(end);
        let closes =
            last == closing || closing == "," && matches!(last, "" | "." | "!" | "?" | ";");
        let joined = (self.of.end..end).any(|i| self.is(i, Cue::CONJUNCTION));
        if !closes || joined || self.told(self.name.end..end) {
            return AlsoSaid::More;
        }
        let end = if last == closing { end + 1 } else { end };
        AlsoSaid::Apposed(self.span(self.name.start..end), self.said())
    }

    /// "Tom, Ann and Ida founded X": one of several.
    fn lists(&self) -> bool {
        let next = self.view.lexemes.get(self.name.end + 1);
        next.is_some_and(|lexeme| lexeme.flags.has(LexFlags::CAPITALIZED))
            && !cue(self.folded.get(self.name.end + 1)).is(Cue::DETERMINER)
    }

    fn is_mark(&self, i: usize) -> bool {
        self.view.is_mark(i)
    }

    /// Marks inside words.
    fn joins(&self, i: usize) -> bool {
        matches!(self.mark(i), "'" | "’" | "-" | "&" | "/")
    }

    fn said(&self) -> String {
        self.view.at(self.span(self.name.clone())).to_owned()
    }
}
