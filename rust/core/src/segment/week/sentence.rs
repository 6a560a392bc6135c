//! Sentences that tell a schedule.

use crate::lexicon::cues::{Cue, cue, known};
use crate::lexicon::tables::{frames, stance};
use crate::types::Span;

use super::phrase::{Said, phrase};
use super::predicate::Predicate;
use super::subject::{self, Subject};
use super::words::Words;
use super::{Days, Form, Week, may_be_day};

/// What a sentence says is open or closed, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// Of what; none where that is left out ("Open daily", "Opening hours: …").
    pub subject: Option<Subject>,
    /// The word that tells the state.
    pub state: Span,
    /// The schedule.
    pub week: Week,
    /// Subject and all that was read.
    pub span: Span,
    /// Whether nothing follows it in the sentence.
    pub ended: bool,
}

/// What is read of one sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Weeks {
    /// No schedule; it names these days.
    Nothing(Days),
    /// Something of a schedule that cannot be told, on these days.
    Unclear(Days),
    /// Schedules.
    Told(Vec<Statement>),
}

/// Reads a sentence.
#[must_use]
pub fn weeks(sentence: &str) -> Weeks {
    if !may_tell_days(sentence) {
        return Weeks::Nothing(Days::NONE);
    }
    let words = Words::read(sentence, false);
    let mut named = Days::NONE;
    let mut phrases: Vec<usize> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let Some((said, next)) = phrase(&words, at) else {
            at += 1;
            continue;
        };
        if let Said::Days(days, form) = said
            && form != Form::All
        {
            named = named.or(days);
        }
        phrases.push(at);
        at = next;
    }
    if phrases.is_empty() {
        return Weeks::Nothing(Days::NONE);
    }
    let reader = Reader { words: &words };
    let states = (0..words.len()).filter(|i| reader.is_state(*i)).count();
    let apart = (0..words.len()).any(|i| words.is(i, "elsewhere"));
    let told = if states == 0 {
        reader.list()
    } else {
        reader.statements(&phrases)
    };
    match told {
        Some(told) if !apart && !told.is_empty() => Weeks::Told(told),
        _ if states == 0 => Weeks::Nothing(named),
        _ => Weeks::Unclear(named),
    }
}

/// Whether a phrase of days may stand there: each has a day, a day's class, "day", "week" or "24/7".
fn may_tell_days(sentence: &str) -> bool {
    let mut words = sentence.split(|c: char| !c.is_alphanumeric());
    words.any(|word| word == "24" || may_be_day(word))
}

struct Reader<'a> {
    words: &'a Words,
}

/// What stands to the left of a state.
struct Left {
    /// First word behind the subject.
    end: usize,
    denied: bool,
    only: bool,
    too: bool,
}

impl Reader<'_> {
    fn is_state(&self, i: usize) -> bool {
        let words = self.words;
        let hyphen = |at: usize| words.is_mark(at, "-") && words.get(at).is_some_and(|w| w.joined);
        let compound = hyphen(i + 1) && words.get(i + 2).is_some_and(|w| w.joined && !w.timed)
            || i > 1 && hyphen(i - 1) && words.get(i).is_some_and(|w| w.joined);
        let marks = words.marks(i);
        let state = ["open", "opens", "shut", "shuts"]
            .iter()
            .any(|class| marks.has(class));
        !compound && (state && !self.labels(i) || self.is_label(i))
    }

    /// "opening hours", "Hours:".
    fn is_label(&self, i: usize) -> bool {
        let words = self.words;
        if !words.is(i, "hours") || words.timed(i) {
            return false;
        }
        let led = i > 0 && words.is(i - 1, "opening");
        led || words.text(i) == "hours" && words.is_mark(i + 1, ":")
    }

    /// "open hours": the word of a label.
    fn labels(&self, i: usize) -> bool {
        self.words.is(i, "opening") && self.words.is(i + 1, "hours")
    }

    /// "Mon–Fri: 9–17" and no more, under a heading or none.
    fn list(&self) -> Option<Vec<Statement>> {
        let words = self.words;
        let first = self.listed()?;
        let (week, end) = Predicate::listed(words, true).read(first)?;
        let told = !week.closed.is_empty() || week.parts.iter().any(|part| !part.clocks.is_empty());
        (told && end == words.len()).then(|| {
            vec![Statement {
                subject: subject::read(words, 0, first.saturating_sub(1)),
                state: words.span(first, first + 1),
                week,
                span: words.span(0, end),
                ended: true,
            }]
        })
    }

    /// Where a list of days begins that come before their states and times: with the text, or in
    /// the line behind a heading.
    fn listed(&self) -> Option<usize> {
        let words = self.words;
        let heads = (0..words.len()).filter(|i| *i == 0 || words.is_mark(*i - 1, ";"));
        let first = heads.into_iter().find(|i| phrase(words, *i).is_some())?;
        let (_, next) = phrase(words, first)?;
        let mark = words.is_mark(next, ":") || words.is_mark(next, "-") || words.timed(next);
        let plain = (0..first).all(|i| !self.is_state(i) && !words.is(i, "be"));
        (plain && (mark || self.is_state(next))).then_some(first)
    }

    fn statements(&self, phrases: &[usize]) -> Option<Vec<Statement>> {
        let words = self.words;
        let mut out: Vec<Statement> = Vec::new();
        let mut used: Vec<(usize, usize)> = Vec::new();
        let (mut from, ahead) = self.ahead();
        let mut ahead = ahead;
        // "Monday: closed"
        if self.listed().is_some() {
            return self.list();
        }
        let mut i = from;
        while i < words.len() {
            if !self.is_state(i) || words.timed(i) {
                i += 1;
                continue;
            }
            let label = self.is_label(i);
            let (subject, left) = if label {
                self.of_label(from, i)?
            } else {
                self.left(from, i)?
            };
            let open = words.is(i, "open") || words.is(i, "opens") || label;
            let verb = words.is(i, "opens") || words.is(i, "shuts");
            if left.denied && left.only {
                return None;
            }
            let mut next = i + 1;
            if label {
                next = self.behind_label(i)?.1;
            }
            let start = if label {
                Predicate::listed(words, true)
            } else {
                Predicate::stated(words, open != left.denied)
            };
            let mut start = start.with(left.only, left.too);
            if let Some((days, form, span)) = ahead.take() {
                start = start.of_days(days, form, span);
            }
            let (mut week, end) = start.read(next)?;
            let any = !week.phrases.is_empty() || week.count.is_some();
            if any {
                let timed = week.parts.iter().any(|part| !part.clocks.is_empty());
                // "opens on Sunday", "opens at nine on Mondays", "From Monday to Friday it is open from 9 to 5".
                let named = week.phrases.iter().any(|phrase| phrase.form == Form::Name);
                if verb && (named || timed && !open) {
                    return None;
                }
                let led = week
                    .phrases
                    .first()
                    .is_some_and(|first| first.span.start < words.all[i].span.start);
                week.complete &= week.only || !(timed && (verb || led));
                week.once &= !label;
                out.push(Statement {
                    subject,
                    state: words.span(i, i + 1),
                    week,
                    span: words.span(from, end),
                    ended: end >= words.len(),
                });
                used.push((i, end));
            } else if end == next {
                // "open to ideas", "open-plan": nothing of hours.
                i = next;
                continue;
            }
            if end < words.len() {
                let mark = words
                    .get(end - 1)
                    .is_some_and(|w| w.mark && matches!(&*w.text, "," | ";" | "(" | "-" | ")"));
                if any && !(mark || words.is(end, "turn")) {
                    return None;
                }
            }
            from = end;
            while words.is(from, "turn") || words.get(from).is_some_and(|word| word.mark) {
                from += 1;
            }
            i = from.max(next);
        }
        // Days that nobody has read.
        let ahead = self.ahead().0;
        let read =
            |at: &usize| *at < ahead || used.iter().any(|(from, to)| (*from..*to).contains(at));
        (phrases.iter().all(read) && !out.is_empty()).then_some(out)
    }

    /// "On Sundays, …", "Yes, …": where the subject begins, and the days before it.
    fn ahead(&self) -> (usize, Option<(Days, Form, Span)>) {
        let words = self.words;
        let mut at = 0;
        while words.get(at).is_some_and(|w| w.mark) {
            at += 1;
        }
        while words.is(at, "skip") && words.text(at) != "the" && words.text(at) != "both" {
            at += 1;
        }
        if let Some((Said::Days(days, form), next)) = phrase(words, at) {
            let mark = usize::from(words.is_mark(next, ","));
            if mark == 1 || !self.is_state(next) && !words.get(next).is_some_and(|w| w.mark) {
                return (next + mark, Some((days, form, words.span(at, next))));
            }
            return (0, None);
        }
        let remark = |i: usize| frames().has("remark", words.text(i));
        let mut end = 0;
        while remark(end) {
            end += 1;
        }
        let opened = end > 0 && words.get(end).is_some_and(|w| w.mark);
        (if opened { end + 1 } else { 0 }, None)
    }

    /// What stands before a state that is no label.
    fn left(&self, from: usize, state: usize) -> Option<(Option<Subject>, Left)> {
        let words = self.words;
        let mut left = Left {
            end: state,
            denied: false,
            only: false,
            too: false,
        };
        let mut at = state;
        while at > from
            && (words.is(at - 1, "adverb") || words.is(at - 1, "only") || words.is(at - 1, "too"))
        {
            at -= 1;
            left.denied ^= words.is(at, "not");
            left.only |= words.is(at, "only");
            left.too |= words.is(at, "too");
        }
        let be = at > from && (words.is(at - 1, "be") || words.is(at - 1, "be_not"));
        let does = at > from && (words.is(at - 1, "do") || words.is(at - 1, "be_not"));
        let verb = words.is(state, "opens") || words.is(state, "shuts");
        if be || does {
            at -= 1;
            left.denied ^= words.is(at, "be_not");
            left.end = at;
            let subject = subject::read(words, from, at)?;
            return (!verb).then_some((Some(subject), left));
        }
        left.end = at;
        // "Open daily."
        if at == from || words.is_mark(at - 1, ":") || words.is_mark(at - 1, ";") {
            let end = at.saturating_sub(usize::from(at > from));
            return Some((subject::read(words, from, end), left));
        }
        let subject = subject::read(words, from, at)?;
        let many = subject.pronoun.as_deref().is_some_and(|p| p != "it");
        (verb || words.is(state, "open") && many).then_some((Some(subject), left))
    }

    /// Words behind a label that tell whose hours they are, and where the list begins.
    fn behind_label(&self, label: usize) -> Option<(Option<Subject>, usize)> {
        let words = self.words;
        let mut at = label + 1;
        let mut of = None;
        if words.text(at) == "of" || words.text(at) == "for" || words.text(at) == "at" {
            let from = at + 1;
            let ends = |i: &usize| words.is_mark(*i, ":") || words.is(*i, "be");
            let end = (from..words.len()).find(ends)?;
            of = subject::read(words, from, end);
            of.as_ref()?;
            at = end;
        }
        if words.is(at, "be") || words.is_mark(at, ":") || words.is_mark(at, "-") {
            at += 1;
        }
        Some((of, at))
    }

    fn of_label(&self, from: usize, label: usize) -> Option<(Option<Subject>, Left)> {
        let words = self.words;
        let left = Left {
            end: label,
            denied: false,
            only: false,
            too: false,
        };
        let of = self.behind_label(label)?.0;
        if of.is_some() {
            return Some((of, left));
        }
        let mut at = if words.is(label - usize::from(label > 0), "opening") {
            label - usize::from(label > 0)
        } else {
            label
        };
        if at > from && (words.text(at - 1) == "'s" || words.is_mark(at - 1, "'")) {
            at -= 1;
            let subject = subject::read(words, from, at)?;
            return Some((Some(subject), left));
        }
        // "Harbour Museum", and its hours in the next line.
        if at > from && words.is_mark(at - 1, ";") {
            let subject = subject::read(words, from, at - 1)?;
            return Some((Some(subject), left));
        }
        // "The opening hours are", "Our hours:"
        let plain = (from..at).all(|i| words.is(i, "skip"));
        plain.then_some((None, left))
    }
}

/// The subject of a sentence that tells no schedule: what stands before its verb, or all of a
/// heading.
#[must_use]
pub fn topic(sentence: &str) -> Option<Subject> {
    let words = Words::read(sentence, false);
    let verb = (0..words.len()).find(|i| {
        let word = &words.all[*i];
        let text = &word.text;
        let copula = cue(text).is(Cue::COPULA.or(Cue::AUXILIARY)) || words.is(*i, "be");
        // A noun may be a verb too; one in the third person is none.
        let finite =
            known(text).verb.is_some_and(|base| base != text) && !word.capital && text != "'s";
        *i > 0 && (copula || finite)
    });
    // "The museum has a café. It is …": which of them is not told.
    let having = |i: usize| {
        let base = known(words.text(i)).verb.unwrap_or("");
        base == "have" || stance().has("having", base)
    };
    let another = |i: &usize| matches!(words.text(*i), "a" | "an") && (0..*i).any(having);
    if (0..words.len()).any(|i| another(&i)) {
        return None;
    }
    let end = match verb {
        Some(end) => end,
        None if words.len() <= 6 => words.len(),
        None => return None,
    };
    let end = (0..end).find(|i| words.is_mark(*i, ",")).unwrap_or(end);
    subject::read(&words, 0, end)
}
