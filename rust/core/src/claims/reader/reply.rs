//! Answers of a few words: "1931.", "In Oslo.", "About 120 rooms." behind a question for one value of one thing.

use std::ops::Range;
use std::sync::Arc;

use super::super::extract::{Said, phrase_claims};
use super::super::view::SentenceView;
use super::{Lead, Reader, span, words};
use crate::lexicon::cues::Cue;
use crate::lexicon::persons::persons;
use crate::lexicon::tables::{circumstance, forms, frames, kinds, stance};
use crate::lexicon::words::{WordClass, class};
use crate::types::{Claim, LexFlags, LexKind, NameType, QuantityKind, Resolution, SentenceKind};

/// Most words and marks of such an answer.
const LENGTH: usize = 10;
/// Words before its value.
const LED: usize = 5;

/// Words of a name that no list has, at most.
const CALLED: usize = 2;

/// Words and marks before the answer itself, at most.
const OPENING: usize = 8;

/// What kind of value a question wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A number.
    Number,
    /// A date or a year.
    Date,
    /// A time of day.
    Time,
    /// A name.
    Name,
    /// Where something is.
    Place,
    /// Any of these.
    Any,
}

/// What the first words of an answer give the value of.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) lead: Lead,
    shape: Shape,
}

impl Reader {
    /// The one entity of the knowledge base that the question names.
    pub fn asks_about(&mut self, name: &str, entity: u32, kind: NameType) {
        self.asked = Some(Arc::new(Lead::asked(name, entity, kind)));
    }

    /// What was read since the last turn is the question that is answered; its turn ends.
    pub fn question_ends(&mut self, turn: u32) {
        self.references.is_asked();
        self.turn_ends(turn);
    }

    /// The one attribute of it that the question asks for: the answer may say no more than its value.
    pub fn asks_for(&mut self, attribute: &str, shape: Shape) {
        if let Some(asked) = self.asked.as_deref() {
            self.reply = Some(Arc::new(Reply::new(asked, attribute, shape)));
        }
    }
}

impl Reply {
    pub(super) fn new(asked: &Lead, attribute: &str, shape: Shape) -> Self {
        let lead = Lead {
            subject: asked.subject.clone(),
            predicate: Some(attribute.to_owned()),
            negative: false,
            referent: asked.referent.clone(),
        };
        Self { lead, shape }
    }

    /// Whether a sentence opens as an answer does ("The answer is 42.").
    pub(super) fn is_told_in(view: &SentenceView<'_>) -> bool {
        let body = words(view, 0..view.lexemes.len());
        behind_opening(view, &body) > body.start
    }

    pub(super) fn claims(&self, view: &SentenceView<'_>) -> Option<Vec<Claim>> {
        let (value, predicate) = (self.value(view)?, self.lead.predicate.clone()?);
        let subject = Said::Before(&self.lead.subject);
        phrase_claims(view, vec![(subject, predicate, value, false)])
    }

    /// Words of the sentence that are such a value, where it says nothing else.
    fn value(&self, view: &SentenceView<'_>) -> Option<Range<usize>> {
        let plain = matches!(
            view.sentence.kind,
            SentenceKind::Prose | SentenceKind::ListItem
        );
        let mut body = words(view, 0..view.lexemes.len());
        let open = view.text.trim_end().ends_with(['?', ':', ',', ';']);
        if !plain || body.len() > LENGTH || open {
            return None;
        }
        let folded = view.folded();
        body.start = behind_opening(view, &body);
        // "On time."
        if self.shape == Shape::Any && is_listed(view, &body) {
            return Some(body);
        }
        let most = body.start + LED;
        let asked = self.lead.predicate.as_deref().unwrap_or("");
        // "Gate B14", of a gate
        let named = |i: usize| {
            let coded = view
                .lexemes
                .get(i + 1)
                .is_some_and(|next| next.flags.has(LexFlags::HAS_DIGIT));
            coded && asked.rsplit('_').next() == Some(folded.get(i))
        };
        while body.start < body.end.min(most)
            && (view.is_mark(body.start)
                || circumstance().has("reply_led", folded.get(body.start))
                || named(body.start))
        {
            body.start += 1;
        }
        // "Ada Holt, since 2019", "Oslo (Norway)"
        let stops = |i: &usize| matches!(view.word(*i), "," | "(" | ";" | "–" | "—");
        let end = body.clone().find(stops).unwrap_or(body.end);
        let value = body.start..end;
        let says_more = |i: usize| {
            let open = Cue::COPULA
                .or(Cue::AUXILIARY)
                .or(Cue::NEGATION)
                .or(Cue::CONJUNCTION)
                .or(Cue::QUESTION)
                .or(Cue::PRONOUN_PERSON)
                .or(Cue::PRONOUN_THING);
            // "8:42"
            let at = view.lexemes[i].span;
            let inside = || view.dates.iter().any(|date| date.span.overlaps(at));
            folded.cue(i).is(open)
                || matches!(view.word(i), "/" | "?" | "\"")
                || view.word(i) == ":" && !inside()
        };
        if value.is_empty() || body.clone().any(says_more) {
            return None;
        }
        self.fits(view, &value).then_some(value)
    }

    fn fits(&self, view: &SentenceView<'_>, value: &Range<usize>) -> bool {
        let Some(place) = span(view, value) else {
            return false;
        };
        let mut quantities = view.quantities.iter().filter(|q| place.overlaps(q.span));
        let number = quantities.clone().count() == 1 && is_amount(view, value);
        // "After 1920" and "In June" leave it open.
        let first = view.lexemes[value.start].span;
        let mut dates = view.dates.iter().filter(|date| place.overlaps(date.span));
        let hour = self.shape == Shape::Time;
        let date = dates.any(|date| {
            let told = date.year.is_some() || date.day.is_some();
            let told = if hour { date.minutes.is_some() } else { told };
            date.span.overlaps(first) && told
        }) || !hour
            && quantities.any(|q| q.kind == QuantityKind::Year && q.span.overlaps(first));
        match self.shape {
            Shape::Number => number,
            Shape::Date | Shape::Time => date && !self.goes_on(view, value),
            Shape::Name => {
                // "UPS", "FedEx"
                let flags = view.lexemes[value.start].flags;
                let firm = flags.has(LexFlags::ALL_CAPS) || flags.has(LexFlags::MIXED_CASE);
                let firm = || firm && value.len() == 1 && is_called(view, value);
                !number && !date && (is_name(view, value) || firm())
            }
            Shape::Place => {
                !number && !date && (is_place(view, value) || self.is_unit(view, value))
            }
            Shape::Any => {
                let listed = || {
                    is_listed(view, value)
                        || self.is_of_kind(view, value)
                        || self.is_unit(view, value)
                        || is_called(view, value)
                        || is_place(view, value)
                };
                number || date || is_name(view, value) || listed()
            }
        }
    }

    /// "16:00 for groups", "24 March for the resit": told of another case.
    fn goes_on(&self, view: &SentenceView<'_>, value: &Range<usize>) -> bool {
        let dated = |i: usize| {
            let at = view.lexemes[i].span;
            view.dates.iter().any(|date| date.span.overlaps(at))
        };
        let mut rest = value.start + 1..value.end;
        rest.any(|i| {
            view.folded().cue(i).is(Cue::PREPOSITION)
                && !dated(i)
                && !(i + 1 < value.end && dated(i + 1))
        })
    }

    /// "Graphite.", "Python." where a colour or a language to write programs in is asked for.
    fn is_of_kind(&self, view: &SentenceView<'_>, value: &Range<usize>) -> bool {
        let names = view.attributes.predicates();
        let asked = self.lead.predicate.as_deref().unwrap_or("");
        let word = view.folded().get(value.start);
        let tongue = names.same(asked, "programming_language") && frames().has("tongue", word);
        let colour = || names.same(asked, "colour") && kinds().of("colour_", word).is_some();
        value.len() == 1 && (tongue || colour())
    }

    /// "Sales." where a department is asked for.
    fn is_unit(&self, view: &SentenceView<'_>, value: &Range<usize>) -> bool {
        let names = view.attributes.predicates();
        let asked = self.lead.predicate.as_deref().unwrap_or("");
        value.len() == 1
            && names.same(asked, "department")
            && view.lexemes[value.start].flags.has(LexFlags::CAPITALIZED)
            && persons().is_unit(view.folded().get(value.start))
    }
}

/// Where the answer itself begins: "It's Oslo.", "The answer is 42.", "**Answer:** 1931".
fn behind_opening(view: &SentenceView<'_>, body: &Range<usize>) -> usize {
    let mut said = String::new();
    for i in body.clone().take(OPENING) {
        if view.is_mark(i) {
            continue;
        }
        if !said.is_empty() {
            said.push(' ');
        }
        said.push_str(&view.word(i).to_lowercase());
        let mut next = (i + 1..body.end).skip_while(|i| matches!(view.word(*i), "*" | "**" | "_"));
        let colon = next.next().filter(|i| view.word(*i) == ":");
        if let Some(colon) = colon {
            let label = circumstance().has("reply_label", &said);
            return if label { colon + 1 } else { body.start };
        }
        if circumstance().has("reply_opens", &said) {
            return i + 1;
        }
    }
    body.start
}

/// "FedEx.", "Apache 2.0", "C++": a name of which no word is one of the language.
fn is_called(view: &SentenceView<'_>, value: &Range<usize>) -> bool {
    let folded = view.folded();
    let own = |i: usize| {
        let text = folded.get(i);
        let flags = view.lexemes[i].flags;
        // "UPS"
        let short = flags.has(LexFlags::ALL_CAPS) && value.len() == 1;
        let listed = class(text).any(WordClass::COMMON.with(WordClass::STOPWORD));
        let named = flags.has(LexFlags::CAPITALIZED) && (short || !listed);
        // "C++"
        let sign = i > value.start && matches!(view.word(i), "+" | "#" | "++");
        named || sign || view.kind(i) == Some(LexKind::Number)
    };
    let other = ["hail", "remark", "addressed"];
    let first = folded.get(value.start);
    value.clone().filter(|i| view.is_term(*i)).count() <= CALLED
        && view.lexemes[value.start].flags.has(LexFlags::CAPITALIZED)
        && value.clone().all(own)
        && !other.iter().any(|class| frames().has(class, first))
        && !circumstance().has("reply_title", first)
        && !forms().has("blank", first)
}

/// "Pending.", "In progress": a value that enumerations have.
fn is_listed(view: &SentenceView<'_>, value: &Range<usize>) -> bool {
    let folded = view.folded();
    let spoken: Vec<&str> = value.clone().map(|i| folded.get(i)).collect();
    stance().of("listed_", &spoken.join(" ")).is_some()
}

/// "About 120 rooms", not "Source 2", "120 in summer", "10 mg twice a day".
fn is_amount(view: &SentenceView<'_>, value: &Range<usize>) -> bool {
    let folded = view.folded();
    let counted = |i: usize| {
        let span = view.lexemes[i].span;
        view.quantities.iter().any(|q| q.span.overlaps(span))
    };
    let Some(first) = value.clone().find(|i| counted(*i)) else {
        return false;
    };
    let led = |i: usize| circumstance().has("reply_amount", folded.get(i));
    let mut behind = (first..value.end).filter(|i| !counted(*i));
    let noun = |i: usize| {
        let light = Cue::FUNCTION.or(Cue::PREPOSITION).or(Cue::ADVERB);
        view.lexemes[i].kind == LexKind::Word
            && !folded.cue(i).is(light)
            && !view.word(i).contains('.')
    };
    (value.start..first).all(led) && behind.next().is_none_or(noun) && behind.next().is_none()
}

/// "Oslo", "Harbour Museum", not "Norway" or "Upstairs", which may be where the other place is.
fn is_place(view: &SentenceView<'_>, value: &Range<usize>) -> bool {
    let Some(place) = span(view, value) else {
        return false;
    };
    let mut folded = String::new();
    crate::normal::fold(view.at(place), &mut folded);
    let known = view
        .mentions
        .iter()
        .any(|mention| mention.span == place && matches!(mention.resolution, Resolution::Known(_)));
    let capital = view.lexemes[value.start].flags.has(LexFlags::CAPITALIZED);
    let mapped = class(&folded);
    capital && (known || mapped.has(WordClass::CITY) && !mapped.has(WordClass::COUNTRY))
}

/// "Ada Holt", "University of Oslo", not "Unknown", "Ask Ada Holt", "Staff List" or "Herr Holt".
fn is_name(view: &SentenceView<'_>, value: &Range<usize>) -> bool {
    let folded = view.folded();
    let capital = |i: usize| view.lexemes[i].flags.has(LexFlags::CAPITALIZED);
    let word = |i: usize| view.lexemes[i].kind == LexKind::Word;
    let common = |i: usize| class(folded.get(i)).has(WordClass::COMMON);
    let first = value.start;
    let given = class(folded.get(first)).has(WordClass::GIVEN_NAME);
    let asks = folded.known(first).verb == Some(folded.get(first)) && !given;
    let no_name = ["hail", "remark", "addressed"];
    let linked = ["](", "://", "@"]
        .iter()
        .any(|mark| view.text.contains(mark));
    // "Ada Holt, The Times"
    let sourced = view.word(value.end) == ","
        && view
            .lexemes
            .get(value.end + 1)
            .is_some_and(|next| next.flags.has(LexFlags::CAPITALIZED));
    let last = value.end - 1;
    let headed = class(folded.get(last)).has(WordClass::NAME_HEAD);
    let named = view.mentions.iter().any(|mention| {
        span(view, value).is_some_and(|place| place.overlaps(mention.span))
            && !matches!(mention.resolution, Resolution::Common)
    });
    capital(first)
        && !asks
        && !linked
        && !sourced
        && (given || named || headed)
        && !circumstance().has("reply_title", folded.get(first))
        && !no_name
            .iter()
            .any(|class| frames().has(class, folded.get(first)))
        && value
            .clone()
            .all(|i| word(i) && (capital(i) || circumstance().has("reply_joins", folded.get(i))))
        && capital(last)
        && !value
            .clone()
            .any(|i| folded.cue(i).is(Cue::PREPOSITION) && capital(i))
        && !value.clone().any(|i| forms().has("blank", folded.get(i)))
        && !value.clone().all(|i| common(i) && !given)
}
