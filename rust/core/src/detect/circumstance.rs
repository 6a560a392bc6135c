//! Under what circumstances a sentence gives a value: when, for whom, where, of how much of it. Two
//! values contradict each other only where these are the same.

use std::ops::Range;

use crate::claims::{
    Attributes, Clause, Content, Days, Folded, ReadCache, SentenceView, Tense, days, unasserted,
};
use crate::evidence::{Conflict, PassageIndex};
use crate::lexicon::contrast::contrast;
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::time;
use crate::lexicon::words::{WordClass, class};
use crate::segment::{SegEvent, Segmenter, together_with};
use crate::types::{LexKind, Quantity, QuantityKind, Span};

use super::apart;
use super::replacement::converted::with_conversion;
use about::named_stem;
use event::{Case, Told};
use part::Sides;

mod about;
mod added;
mod event;
mod part;
mod whole;

/// Words between a number and the end of its noun.
const NOUN: usize = 3;
/// Words by which it is not told of now, or of another time of it ("used to" apart).
const MARKED: [&str; 4] = ["would", "could", "might", "again"];
/// Words behind which it is told of what it is not so.
const EXCEPT: [&str; 3] = ["except", "excluding", "bar"];

/// What stands beside a value; words as hashes of their stems.
#[derive(Debug, Default)]
struct Circumstance {
    /// Years, dates and words of time, sorted.
    when: Vec<String>,
    /// The days of its part of the sentence.
    days: Days,
    /// Told of the future.
    to_come: bool,
    /// What happened, or how it is.
    told: Told,
    /// The clause of its time or case.
    case: Option<Case>,
    /// "a night", "per person".
    rate: Option<u64>,
    /// Nouns that the clause is about, without what prepositions add; none where it opens with a
    /// pronoun.
    heads: Vec<u64>,
    /// Common nouns of the whole subject.
    subject: Vec<u64>,
    /// All words of the subject.
    called: Vec<u64>,
    /// Words of contrary sense that the sentence has.
    contrary: Vec<(bool, bool)>,
    /// Which words stand with the value.
    sides: Option<Sides>,
    /// Words of its head that are a name.
    names: Vec<u64>,
    /// What the subject is led to by words of `leads`, and by which: "exports to → Spain".
    led: Vec<(String, u64)>,
    /// Behind prepositions before the subject and behind the value.
    beside: Vec<u64>,
    /// Between the number and its noun ("double" rooms).
    narrowed: Vec<u64>,
    /// Counted with the noun ("rooms and suites").
    joined: Vec<u64>,
    /// All words of the sentence.
    words: Vec<u64>,
    /// Of a group, or not asserted.
    open: bool,
    /// The other numbers of the clause.
    others: Vec<Quantity>,
}

/// Whether the value at `said` is given under other circumstances than the evidence's value, or
/// may be: of another time, for or in something that the other sentence does not have, at another
/// rate, of a part or a sum of it.
pub(super) fn elsewhere(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    parts: &[Clause],
    said: Span,
    conflict: &Conflict,
    (data, called): (&PassageIndex, Option<&str>),
) -> bool {
    let own = Reader::new(view, folded, parts, said).read();
    let sentence = conflict.sentence;
    let at = data.sentences().iter().position(|s| *s == sentence);
    let number = at.unwrap_or(0) as u32;
    let text = data.text().get(sentence.start..sentence.end).unwrap_or("");
    let place = Span::new(
        conflict.span.start.saturating_sub(sentence.start),
        conflict.span.end.saturating_sub(sentence.start),
    );
    let Some(told) = told(text, place, view.attributes) else {
        return false;
    };
    let event = view
        .dates
        .iter()
        .map(|date| date.span)
        .chain(years(view).map(|q| q.span))
        .any(|span| span.overlaps(said));
    if told.open
        || own.when != told.when
        || !own.days.within(told.days)
        || own.to_come != told.to_come
    {
        return true;
    }
    // "It", which is the museum, where the source's sentence tells of the Tower.
    let another = called.is_some_and(|name| {
        let words: Vec<u64> = name.split_whitespace().filter_map(named_stem).collect();
        let proper = !told.names.is_empty() && !words.is_empty();
        own.heads.is_empty() && proper && !told.names.iter().any(|name| words.contains(name))
    });
    if another {
        return true;
    }
    let about = |stem: &u64| data.is_about(number, *stem);
    let own_case = own.case.as_ref();
    let cased = own_case.is_some_and(|case| case.narrows(text, |stem| data.is_about(number, stem)))
        || (told.case.as_ref())
            .is_some_and(|case| case.narrows(view.text, |stem| own.words.contains(&stem)));
    if !event && (cased || own.told.differs(told.told)) {
        return true;
    }
    let apart = !own.heads.is_empty()
        && !told.heads.is_empty()
        && !own.heads.iter().any(|head| told.heads.contains(head));
    let other = |stem: &u64| told.sides.as_ref().is_some_and(|sides| sides.parts(*stem));
    let parted = own.called.iter().chain(&own.beside).any(other)
        || told.sides.as_ref().is_some_and(|sides| {
            sides.of_part(&own.called, &own.words) || sides.is_contrary(&own.contrary)
        });
    let led = |(by, to): &(String, u64)| {
        own.words.contains(to)
            && !own
                .led
                .iter()
                .any(|(other, same)| same == to && other != by)
    };
    let parted = parted || !told.led.iter().all(led);
    if apart || parted || !own.subject.iter().all(about) {
        return true;
    }
    if event {
        // Of two values that differ, it is open which one is wrong.
        return own.others.iter().any(|q| !has(data, number, q));
    }
    own.rate != told.rate
        || own.joined != told.joined
        || !own.beside.iter().chain(&own.narrowed).all(about)
        || !(told.beside.iter().chain(&told.narrowed)).all(|stem| own.words.contains(stem))
}

/// Whether the evidence's sentence has the amount.
fn has(data: &PassageIndex, sentence: u32, said: &Quantity) -> bool {
    data.quantities.iter().any(|own| {
        let own_value = own.quantity.value;
        own.sentence == sentence && (own_value - said.value).abs() <= 1e-9 * own_value.abs()
    })
}

fn years<'a>(view: &'a SentenceView<'_>) -> impl Iterator<Item = &'a Quantity> {
    (view.quantities.iter()).filter(|q| q.kind == QuantityKind::Year)
}

/// Reads a sentence of the evidence.
fn told(text: &str, value: Span, attributes: &Attributes) -> Option<Circumstance> {
    let (mut lexemes, mut quantities, mut dates) = (Vec::new(), Vec::new(), Vec::new());
    let mut sentence = None;
    {
        let mut sink = |event: SegEvent, _: &str| match event {
            SegEvent::Lexeme(lexeme) => lexemes.push(lexeme),
            SegEvent::Quantity(quantity) => quantities.push(quantity),
            SegEvent::Date(date) => dates.push(date),
            SegEvent::Sentence(own) => {
                sentence.get_or_insert(own);
            }
        };
        let mut segmenter = Segmenter::new();
        segmenter.push(text, &mut sink);
        segmenter.finish(&mut sink);
    }
    let mut sentence = sentence?;
    sentence.span = Span::new(0, text.len());
    let view = SentenceView {
        text,
        sentence: &sentence,
        lexemes: &lexemes,
        words: &[],
        quantities: &quantities,
        dates: &dates,
        mentions: &[],
        signals: &[],
        antecedents: &[],
        attributes,
        cache: &ReadCache::default(),
    };
    let folded = view.folded();
    let reader = Reader::new(&view, &folded, view.clauses(), value);
    let mut own = reader.read();
    let subject = reader.subject();
    let subject = (!subject.is_empty()).then(|| {
        let last = &view.lexemes[subject.end - 1];
        Span::new(view.lexemes[subject.start].span.start, last.span.end)
    });
    own.sides = reader.sides();
    own.open = reader.is_whole()
        || unasserted(&view, &folded, value)
        || apart::Reader::new(&view, &folded).of_several(subject, value);
    Some(own)
}

struct Reader<'a> {
    view: &'a SentenceView<'a>,
    folded: &'a Folded<'a>,
    parts: &'a [Clause],
    value: Span,
    /// The value with what tells it once more ("512 m (1,680 ft)").
    whole: Span,
    /// Where the clause of the value stands, and its verb.
    range: Range<usize>,
    group: Range<usize>,
    /// For which days it is told.
    days: Days,
}

impl<'a> Reader<'a> {
    fn new(
        view: &'a SentenceView<'a>,
        folded: &'a Folded<'a>,
        parts: &'a [Clause],
        value: Span,
    ) -> Self {
        let at = view.lexemes_in(value).start;
        let own = parts.iter().find(|clause| clause.range.contains(&at));
        let whole = 0..view.lexemes.len();
        let place = with_conversion(view, value);
        Self {
            view,
            folded,
            parts,
            value,
            whole: place,
            days: days(view.lexemes, place, |span| view.at(span)),
            range: own.map_or(whole, |clause| clause.range.clone()),
            group: own.map_or(0..0, |clause| clause.group.clone()),
        }
    }

    fn clause(&self) -> Option<&'a Clause> {
        let at = self.view.lexemes_in(self.value).start;
        self.parts.iter().find(|clause| clause.range.contains(&at))
    }

    fn subject(&self) -> Range<usize> {
        self.clause().map_or(0..0, |clause| clause.subject.clone())
    }

    fn word(&self, i: usize) -> bool {
        self.view.lexemes.get(i).map(|l| l.kind) == Some(LexKind::Word)
    }

    /// The stem of a word that says something by itself, and is no part of a number or date.
    fn stem(&self, i: usize) -> Option<u64> {
        let lexeme = self.view.lexemes.get(i)?;
        let counted = (self.view.quantities.iter().map(|q| q.span))
            .chain(self.view.dates.iter().map(|d| d.span))
            .any(|span| span.overlaps(lexeme.span));
        let light = Cue::ADVERB.or(Cue::NEGATION);
        let day = || !self.days.is_empty() && Days::has(self.folded.get(i));
        if !self.word(i) || counted || self.folded.cue(i).is(light) || day() {
            return None;
        }
        let word = Content::default().word(lexeme, self.view.word(i));
        word.map(|word| word.stem)
    }

    fn read(&self) -> Circumstance {
        let mut own = Circumstance::default();
        let subject = self.subject();
        own.words = (0..self.view.lexemes.len())
            .filter_map(|i| {
                let lexeme = &self.view.lexemes[i];
                Content::default().word(lexeme, self.view.word(i))
            })
            .map(|word| word.stem)
            .collect();
        own.days = self.days;
        own.when = self.when(&subject);
        own.to_come = self
            .clause()
            .is_some_and(|clause| clause.tense == Tense::Future);
        own.told = self.told();
        own.case = self.case();
        self.about(&subject, &mut own);
        own.led = self.led(&subject);
        own.called = self.called(subject.clone());
        own.contrary = self.contrary();
        let noun = self.noun(&mut own);
        let end = self.view.lexemes_in(self.whole).end;
        own.rate = self.rate(end).or_else(|| self.rate(noun));
        self.joins(noun, &mut own);
        self.placed(&subject, noun, &mut own);
        own.others = (self.view.quantities.iter())
            .filter(|q| {
                let at = self.view.lexemes_in(q.span).start;
                let counts = !matches!(
                    q.kind,
                    QuantityKind::Year | QuantityKind::Label | QuantityKind::Ordinal
                );
                counts && self.range.contains(&at) && !q.span.overlaps(self.whole)
            })
            .copied()
            .collect();
        own
    }

    /// Whether it stands between commas before the verb: what is said there of the subject is no
    /// circumstance of the value.
    fn aside(&self, i: usize, subject: &Range<usize>) -> bool {
        let comma = |i: &usize| self.view.word(*i) == ",";
        !subject.is_empty()
            && subject.start < i
            && i < self.group.start
            && (subject.start..i).any(|j| comma(&j))
            && (i..self.group.start).any(|j| comma(&j))
    }

    /// Where what stands in front of the clause begins.
    fn front(&self, subject: &Range<usize>) -> usize {
        // "In its harbour shop, …", whatever verb the heading seems to have.
        let headed = self.folded.cue(0).is(Cue::PREPOSITION)
            && (0..subject.start)
                .filter(|i| self.view.word(*i) == ",")
                .count()
                == 1;
        let ends = self.parts.iter().map(|clause| clause.range.end);
        let before = ends.filter(|end| *end <= self.range.start).max();
        before.filter(|_| !headed).unwrap_or(0)
    }

    /// Years, dates and words of time outside the value; but days where those of its part are known.
    fn when(&self, subject: &Range<usize>) -> Vec<String> {
        let known = !self.days.is_empty();
        let view = self.view;
        let outside = |span: Span| {
            let at = view.lexemes_in(span).start;
            let inside =
                self.range.contains(&at) || at >= self.front(subject) && at < self.range.start;
            let but = |by: usize| at >= by && EXCEPT.contains(&self.folded.get(at - by));
            let excepted = but(1) || but(2) && self.folded.cue(at - 1).is(Cue::PREPOSITION);
            inside && !span.overlaps(self.whole) && !self.aside(at, subject) && !excepted
        };
        let mut found: Vec<String> = Vec::new();
        // The other end of a stretch of days belongs to the value.
        let whole = together_with(view.dates, |span| view.at(span), self.value);
        for date in view.dates.iter().map(|date| date.span) {
            if !outside(date) || whole.is_some_and(|days| days.overlaps(date)) {
                continue;
            }
            let text = view.at(date).to_lowercase();
            if known && Days::has(&text) {
                continue;
            }
            let single = text.strip_suffix("days").map(|day| format!("{day}day"));
            found.push(single.unwrap_or(text));
        }
        let dated = |span: Span| view.dates.iter().any(|date| date.span.overlaps(span));
        let years = years(view).filter(|q| outside(q.span) && !dated(q.span));
        found.extend(years.map(|q| q.value.to_string()));
        // "breakfast for two"
        let portions = view.quantities.iter().filter(|q| {
            let at = view.lexemes_in(q.span).start;
            let links = at > 0 && matches!(self.folded.get(at - 1), "for" | "per" | "every");
            q.kind != QuantityKind::Year && links && outside(q.span)
        });
        found.extend(portions.map(|q| format!("#{}", q.value)));
        for i in 0..view.lexemes.len() {
            let span = view.lexemes[i].span;
            let word = self.folded.get(i);
            if !self.word(i) || !outside(span) || dated(span) || known && Days::has(word) {
                continue;
            }
            let next = self.folded.get(i + 1);
            let unit = time().of("unit_", next).is_some() || time().has("season", next);
            let counted = unit
                && ["previous", "following", "current"]
                    .iter()
                    .any(|class| time().has(class, word));
            let opens = self.parts.iter().any(|clause| clause.opener == Some(i));
            let cased = (i == 0 || span.start >= self.whole.end) && self.case_opens(i).is_some();
            let supposed = opens && contrast().is_supposed(word) && !cased;
            let marked = word == "used" && next == "to" || MARKED.contains(&word);
            if counted {
                found.push(format!("{word} {next}"));
            } else if contrast().is_when(word) && !cased
                || time().has("season", word) && !self.folded.cue(i).is(Cue::AUXILIARY)
                || class(word.strip_suffix('s').unwrap_or(word)).has(WordClass::WEEKDAY)
                || supposed
                || marked
            {
                found.push(word.to_owned());
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}
