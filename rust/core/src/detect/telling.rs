//! When something is said to hold, and what a description can be the value of.

use jiff::civil::Date;

use crate::claims::SentenceView;
use crate::kb::{self, Fact, Snapshot, Value};
use crate::lexicon::cues::{Cue, cue, known};
use crate::lexicon::predicates::Predicates;
use crate::lexicon::tables::stance;
use crate::lexicon::words::{WordClass, class};
use crate::normal::{fold, fold_name};
use crate::segment::clocks;
use crate::types::{Claim, LexKind, NameType, QuantityKind, Span};

use super::clash::described_only;
use super::hours::inside;
use super::likeness::{Likeness, is_given, likeness_of};
use super::remark::remark;

/// Attributes whose values are people or organisations, called by their names.
const NAMED: [&str; 11] = [
    "founder",
    "architect",
    "builder",
    "manager",
    "head",
    "chair",
    "owner",
    "author",
    "publisher",
    "spouse",
    "acquired_by",
];

/// Words between what is said and the year in which it is said to hold.
const NEAR: usize = 4;

/// Words of a sentence's beginning, before the year that it opens with ("At the end of 2021, …").
const OPENING: usize = 5;

/// When a claim says that something holds.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Telling {
    /// In the present tense, and which day is today.
    pub(super) now: Option<Date>,
    /// "in 2015", beside what is said.
    pub(super) year: Option<i32>,
}

impl Telling {
    /// Without knowing today's date, nothing is judged by it (S0-053).
    pub(super) fn of(view: &SentenceView<'_>, claim: &Claim, today: Option<Date>) -> Self {
        let Some(object) = claim.object_span else {
            return Self::default();
        };
        let year = year_beside(view, object);
        Self {
            now: today.filter(|_| year.is_none() && present(view, claim, object)),
            year,
        }
    }

    /// Whether a fact held then; `None` where it is not said when.
    pub(super) fn within(self, fact: &Fact) -> Option<bool> {
        if let Some(year) = self.year {
            let after = fact.valid_from.is_none_or(|from| from.year <= year);
            let before = fact.valid_to.is_none_or(|to| year <= to.year);
            return Some(after && before);
        }
        let today = self.now?;
        let began = fact.valid_from.is_none_or(|from| first_day(from) <= today);
        let lasts = fact.valid_to.is_none_or(|to| today <= last_day(to));
        Some(began && lasts)
    }
}

fn first_day(date: kb::Date) -> Date {
    day(date.year, date.month.unwrap_or(1), date.day.unwrap_or(1)).unwrap_or(Date::MIN)
}

fn last_day(date: kb::Date) -> Date {
    let month = date.month.unwrap_or(12);
    let last = date.day.map_or_else(
        || day(date.year, month, 1).map(Date::last_of_month),
        |of_month| day(date.year, month, of_month),
    );
    last.unwrap_or(Date::MAX)
}

fn day(year: i32, month: u8, day: u8) -> Option<Date> {
    let (month, day) = (i8::try_from(month).ok()?, i8::try_from(day).ok()?);
    Date::new(i16::try_from(year).ok()?, month, day).ok()
}

/// "worked for Acme in 2015".
fn year_beside(view: &SentenceView<'_>, object: Span) -> Option<i32> {
    let years = view
        .quantities
        .iter()
        .filter(|q| q.kind == QuantityKind::Year)
        .map(|q| (q.span, q.value));
    let dates = view
        .dates
        .iter()
        .filter_map(|date| Some((date.span, f64::from(date.year?))));
    // "900 million in 2019": behind the number that is said.
    let counted = |span: Span| {
        view.quantities.iter().any(|q| {
            q.kind != QuantityKind::Year && object.overlaps(q.span) && q.span.end < span.start
        })
    };
    let mut found = dates
        .chain(years)
        .filter(|(span, _)| !span.overlaps(object) || counted(*span));
    let (span, year) = found.next()?;
    if found.any(|(other, _)| !other.overlaps(span)) {
        return None;
    }
    let at = view.lexemes_in(span).start;
    let opens = matches!(word(view, at.checked_sub(1)?).as_str(), "in" | "during");
    let near = object.overlaps(span)
        || span.start >= object.end && at.saturating_sub(view.lexemes_in(object).end) <= NEAR
        || at <= 1;
    #[allow(clippy::cast_possible_truncation)]
    (opens && near).then_some(year as i32)
}

/// Whether a year beside what is said is another than `year`: in its clause, or before it at the
/// sentence's beginning.
pub(super) fn of_other_year(view: &SentenceView<'_>, object: Span, year: i32) -> bool {
    let years = view.quantities.iter();
    let years = years.filter(|q| q.kind == QuantityKind::Year);
    #[allow(clippy::cast_possible_truncation)]
    let years = years.map(|q| (q.span, q.value as i32));
    let dates = view
        .dates
        .iter()
        .filter_map(|date| Some((date.span, date.year?)));
    let beside = |span: Span| {
        let between = if span.end <= object.start {
            Span::new(span.end, object.start)
        } else {
            Span::new(object.end.min(span.start), span.start)
        };
        let parts = |text: &str| text.contains([',', ';', '(', ')']) || text.contains(" and ");
        !parts(view.at(between)) || view.lexemes_in(span).start <= OPENING
    };
    dates
        .chain(years)
        .any(|(span, own)| own != year && beside(span))
}

fn word(view: &SentenceView<'_>, lexeme: usize) -> String {
    let mut out = String::new();
    fold(view.word(lexeme), &mut out);
    out
}

/// Whether the verb of the claim stands in the present tense: the first one between subject and
/// object.
fn present(view: &SentenceView<'_>, claim: &Claim, object: Span) -> bool {
    let Some(subject) = claim.subject_span else {
        return false;
    };
    let (from, to) = if subject.end <= object.start {
        (subject.end, object.start)
    } else {
        (object.end, subject.start)
    };
    let between = view.lexemes_in(Span::new(from, to.max(from)));
    for i in between {
        if view.lexemes[i].kind != LexKind::Word {
            continue;
        }
        let text = word(view, i);
        if cue(&text).is(Cue::COPULA.or(Cue::AUXILIARY)) {
            return matches!(text.as_str(), "is" | "are" | "am" | "isn't" | "aren't");
        }
        if let Some(base) = known(&text).verb
            && !text.ends_with("ing")
        {
            return text == base || text.ends_with('s') && !text.ends_with("ss");
        }
    }
    false
}

/// Whether a text can be a value of that kind at all: nobody is founded by "two brothers" rather
/// than by Wile Coyote, and a year is no title.
pub(super) fn can_be(kb: &Snapshot, fact: &Fact, view: &SentenceView<'_>, said: Span) -> bool {
    let own = match &fact.value {
        Value::Text(own) | Value::Enum(own) | Value::Entity(own) => own,
        _ => return true,
    };
    let text = view.at(said);
    let letters = |text: &str| text.chars().any(char::is_alphabetic);
    let digits = |text: &str| text.chars().any(|c| c.is_ascii_digit());
    let years = view
        .quantities
        .iter()
        .any(|q| q.kind == QuantityKind::Year && said.overlaps(q.span));
    if letters(own) && !digits(own) && (years || !letters(text)) {
        return false;
    }
    if counted_part(text, own) {
        return false;
    }
    if matches!(fact.value, Value::Enum(_)) && is_listed(view, said, own) {
        return true;
    }
    let names = view.attributes.predicates();
    match likeness_of(view, names, fact, said) {
        Likeness::Excluded => {}
        Likeness::Beside => return false,
        Likeness::Unruled => {
            let listed = described_only(names, &fact.predicate);
            if remark(view, said, own, listed) {
                return false;
            }
        }
    }
    // Hours of one day need not be those of the others.
    let weekday = || {
        view.lexemes.iter().any(|lexeme| {
            let word = fold_name(view.at(lexeme.span));
            class(word.strip_suffix('s').unwrap_or(&word)).has(WordClass::WEEKDAY)
        })
    };
    if !clocks(own).is_empty() && kb::moment(own).is_none() && weekday() {
        return false;
    }
    if inside(view, said, own) {
        return false;
    }
    !called_by_name(kb, view.attributes.predicates(), fact, own)
        || named(view, said) && !body(view, fact, said)
}

/// Whether words are a value of the kind of `own` that enumerations have, told of now and as a whole: "is
/// pending", no "is visible", "will be closed" or "has been pending".
fn is_listed(view: &SentenceView<'_>, said: Span, own: &str) -> bool {
    let folded = fold_name(view.at(said));
    let at = view.lexemes_in(said).start;
    let mut before = (0..at).rev().map(|i| fold_name(view.word(i)));
    let open = |word: &String| word.is_empty() || cue(word).is(Cue::ADVERB);
    let told = before.find(|word| !open(word)).unwrap_or_default();
    let other = ["be", "been", "being", "was", "were", "become", "becomes"];
    let kinds = |word: &str| {
        let classes: Vec<&str> = stance().classes(word).collect();
        classes
            .into_iter()
            .filter(|class| class.starts_with("listed_"))
    };
    let own = fold_name(&own.replace('_', " "));
    let alike = || kinds(&own).any(|kind| kinds(&folded).any(|other| other == kind));
    !other.contains(&told.as_str()) && alike()
}

/// "an 8-core processor" tells more of what is called "Ryzen 7", and nothing else.
fn counted_part(said: &str, own: &str) -> bool {
    let measured = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_digit()) && word.contains(char::is_alphabetic)
    };
    let capital = |word: &str| word.starts_with(char::is_uppercase);
    own.starts_with(char::is_uppercase)
        && clocks(own).is_empty()
        && kb::period(own).is_none()
        && !own.split(' ').any(measured)
        && said.split(' ').any(measured)
        && !said.split(' ').any(capital)
}

/// Whether a body is said to run what the base has somebody in charge of: both can be so.
fn body(view: &SentenceView<'_>, fact: &Fact, said: Span) -> bool {
    let names = view.attributes.predicates();
    let office = |name: &str| stance().has("office", name) && name != "owner";
    let held = office(&fact.predicate)
        || names
            .named(&fact.predicate)
            .is_some_and(|known| office(&known.name));
    if !held {
        return false;
    }
    let found = crate::claims::names(view);
    let name = found.iter().find(|name| name.span.overlaps(said));
    name.is_none_or(|name| {
        // "Tom Hill" is no hill.
        let first = view.at(name.span).split(' ').next().unwrap_or("");
        let given = class(&fold_name(first)).has(WordClass::GIVEN_NAME);
        !given
            && matches!(
                name.kind,
                NameType::Organization | NameType::Place | NameType::Event | NameType::Product
            )
    })
}

/// Whether the values of the fact's attribute are people or organisations, called by their names.
pub(super) fn is_somebody(names: &Predicates, fact: &Fact) -> bool {
    is_post(names, &fact.predicate)
}

/// Whether the words are such an attribute ("CEO").
pub(super) fn is_post(names: &Predicates, words: &str) -> bool {
    NAMED.iter().any(|name| names.same(name, words))
}

/// Whether the value is somebody's name.
fn called_by_name(kb: &Snapshot, names: &Predicates, fact: &Fact, own: &str) -> bool {
    let listed = is_somebody(names, fact);
    let person = || {
        let mut words = own.split_whitespace();
        let first = words.next().unwrap_or("");
        words.next().is_some()
            && own
                .split_whitespace()
                .all(|w| w.starts_with(char::is_uppercase))
            && class(&fold_name(first)).has(WordClass::GIVEN_NAME)
    };
    let entity = || {
        matches!(fact.value, Value::Entity(_))
            && kb
                .resolve(own)
                .first()
                .and_then(|id| kb.kind(*id))
                .is_some_and(|kind| fold_name(kind) == "person")
    };
    own.starts_with(char::is_uppercase) && (listed || person() || entity())
}

/// Whether the head of the phrase is a name: its last word before any preposition is written with
/// a capital, and is no description by somebody else's name ("Ann Lee's uncle").
fn named(view: &SentenceView<'_>, said: Span) -> bool {
    let range = view.lexemes_in(said);
    let words: Vec<usize> = range
        .filter(|i| matches!(view.lexemes[*i].kind, LexKind::Word | LexKind::Number))
        .collect();
    let given = |at: usize| {
        let next = words.get(at + 1).map_or("", |i| view.word(*i));
        is_given(view.word(words[at]), next)
    };
    let opens = |at: &usize| {
        let i = words[*at];
        cue(&word(view, i)).is(Cue::PREPOSITION) && view.word(i) != "of" && !given(*at)
    };
    let end = (0..words.len()).find(opens).unwrap_or(words.len());
    let Some(head) = words[..end].last() else {
        return false;
    };
    let text = view.word(*head);
    // "is Norwegian" tells where somebody comes from.
    if class(&fold_name(view.at(said))).has(WordClass::DEMONYM) {
        return false;
    }
    let genitive = text.ends_with("'s") || text.ends_with("’s");
    text.starts_with(char::is_uppercase) && !genitive
}
