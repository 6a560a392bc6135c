//! Numbers with a note behind them: the time they are of ("1,240 (2023)", "1,240, as of 2023"), the
//! same in another unit ("312 km (194 mi)"), a source's number ("1,240 [3]"). The value is the number.

use crate::claims::unit_named;
use crate::lexicon::contrast::contrast;
use crate::lexicon::readings::conversions;
use crate::lexicon::tables::otherwise;
use crate::lexicon::units::unit;

use super::loose::loose;
use super::model::{Fact, Qualifier};
use super::value::{Date, Value};

/// Name of the qualifier under which a fact has the year that its number is of.
const AS_OF: &str = "as_of";
/// How far the same in another unit may be off: it is rounded.
const CONVERTED: f64 = 0.02;
/// Years that a note may name.
const YEARS: std::ops::RangeInclusive<i32> = 1800..=2100;
/// Numbers that may as well be a year.
const LIKE_YEARS: std::ops::RangeInclusive<i32> = 1500..=2100;
/// Digits of a source's number.
const CITED: usize = 3;
/// Notes of one value.
const NOTES: usize = 3;
/// How a note of time begins that stands in no bracket.
const LINKS: [&str; 6] = ["in ", "as of ", "as at ", "at ", "for ", "fy"];

/// What a text with a note says.
struct Noted {
    value: Value,
    /// The year that it is of, where there is one.
    year: Option<i32>,
    /// The same in another currency.
    also: Option<Value>,
}

/// What a note says.
enum Note {
    /// Nothing of the value.
    Nothing,
    /// Of what time it is, and whether it is a rough one.
    Time(Option<i32>, bool),
    /// The amount in another currency.
    Also(Value),
}

impl Fact {
    /// The year that a noted number is of.
    pub(crate) fn as_of(&self) -> Option<i32> {
        let named = self.qualifiers.iter().find(|q| q.name == AS_OF)?;
        match named.value {
            Value::Date(date) => Some(date.year),
            _ => None,
        }
    }
}

/// The facts with each noted number as what it is; other facts as they are.
pub(super) fn read_notes(facts: Vec<Fact>) -> Vec<Fact> {
    let noted = |fact: &Fact| matches!(&fact.value, Value::Text(text) if may_be_noted(text));
    if !facts.iter().any(noted) {
        return facts;
    }
    let mut out = Vec::with_capacity(facts.len() + 1);
    for fact in facts {
        let read = match &fact.value {
            Value::Text(text) if may_be_noted(text) => noted_value(text, &fact.predicate),
            _ => None,
        };
        let Some(read) = read else {
            out.push(fact);
            continue;
        };
        let also = read.also.map(|value| Fact {
            value,
            ..fact.clone()
        });
        let mut fact = Fact {
            value: read.value,
            ..fact
        };
        if let Some(year) = read.year {
            fact.qualifiers.push(Qualifier {
                name: AS_OF.to_owned(),
                value: Value::Date(Date {
                    year,
                    month: None,
                    day: None,
                }),
            });
        }
        out.push(fact);
        out.extend(also);
    }
    out
}

/// A first look, for texts are many.
fn may_be_noted(text: &str) -> bool {
    text.len() <= 80
        && text.bytes().any(|b| b.is_ascii_digit())
        && text
            .bytes()
            .any(|b| matches!(b, b'(' | b'[' | b',' | b' ' | b':'))
}

fn noted_value(text: &str, predicate: &str) -> Option<Noted> {
    let mut rest = text.trim();
    let mut year = None;
    let mut rough = false;
    let mut also = None;
    let mut notes = 0;
    while let Some((head, note, square)) = bracketed(rest) {
        notes += 1;
        let last = amount(head, predicate);
        match note_of(note, square, last.as_ref())? {
            Note::Nothing => {}
            Note::Time(of, guessed) => {
                year = of.or(year);
                rough |= guessed;
            }
            Note::Also(value) => also = Some(value),
        }
        rest = head;
        if notes > NOTES {
            return None;
        }
    }
    let (value, head) = match amount(rest, predicate) {
        Some(value) if notes > 0 => (value, rest),
        Some(_) => return None,
        None => {
            let (head, of, guessed) = beside(rest)?;
            year = of.or(year);
            rough |= guessed;
            (amount(head, predicate)?, head)
        }
    };
    let value = match value {
        Value::Number { .. } if rough => {
            let text = format!("about {head}");
            loose(&text).map(|_| Value::Text(text))?
        }
        value => value,
    };
    Some(Noted { value, year, also })
}

/// The text before its last bracket, what stands in that, and whether it is a square one.
fn bracketed(text: &str) -> Option<(&str, &str, bool)> {
    let (open, square) = match text.chars().next_back()? {
        ')' => ('(', false),
        ']' => ('[', true),
        _ => return None,
    };
    let at = text.rfind(open)?;
    let head = text[..at].trim_end();
    let note = text[at + 1..text.len() - 1].trim();
    (!head.is_empty() && !note.is_empty()).then_some((head, note, square))
}

fn note_of(note: &str, square: bool, value: Option<&Value>) -> Option<Note> {
    let cited = note.len() <= CITED && note.bytes().all(|b| b.is_ascii_digit());
    if square && (cited || note.eq_ignore_ascii_case("citation needed")) {
        return Some(Note::Nothing);
    }
    if let Some((year, rough)) = time_note(note) {
        return Some(Note::Time(year, rough));
    }
    let same = note.trim_start_matches(['≈', '~', '=', '≙', ' ']);
    let (
        Value::Number {
            value: own,
            unit: of,
        },
        Value::Number { value, unit: said },
    ) = (value?, Value::infer(same))
    else {
        return None;
    };
    let (of, said_id) = (unit_named(of.as_deref()?)?, unit_named(said.as_deref()?)?);
    let money = |id| unit(id).dimension == "currency";
    if money(of) && money(said_id) && of != said_id {
        return Some(Note::Also(Value::Number { value, unit: said }));
    }
    let same = |other: f64| (other - own).abs() <= CONVERTED * own.abs();
    (conversions(value, said_id, of).any(same)).then_some(Note::Nothing)
}

/// "1,240, 2023", "1,240 in 2023", "2023: 1,240": the number, its year, and whether it is a rough one.
fn beside(text: &str) -> Option<(&str, Option<i32>, bool)> {
    if let Some((note, rest)) = text.split_once(':')
        && let Some((year, rough)) = time_note(note.trim())
    {
        return Some((rest.trim(), year, rough));
    }
    let ends = text.match_indices([' ', ',', ';']).map(|(at, _)| at);
    ends.filter(|at| *at > 0).find_map(|at| {
        let note = text[at..].trim_start_matches([' ', ',', ';']);
        // "555 2023" may be anything.
        let linked = LINKS.iter().any(|link| {
            let head = note.get(..link.len()).unwrap_or("");
            head.eq_ignore_ascii_case(link)
        });
        let marked = text[at..].starts_with([',', ';']);
        let dated = marked && note.starts_with(|c: char| c.is_ascii_digit());
        if !(linked || dated) {
            return None;
        }
        let (year, rough) = time_note(note)?;
        Some((text[..at].trim_end_matches([' ', ',', ';']), year, rough))
    })
}

/// The number, or the rough one, that a whole text is; a bare year is none but of an attribute that
/// counts.
fn amount(text: &str, predicate: &str) -> Option<Value> {
    match Value::infer(text) {
        Value::Number { value, unit: None }
            if text.len() == 4
                && text.bytes().all(|b| b.is_ascii_digit())
                && LIKE_YEARS.contains(&(value as i32)) =>
        {
            counts(predicate).then_some(Value::Number { value, unit: None })
        }
        number @ Value::Number { .. } => Some(number),
        Value::Text(own) if loose(&own).is_some() => Some(Value::Text(own)),
        _ => None,
    }
}

/// Whether the attribute is known as one of a number of things.
fn counts(predicate: &str) -> bool {
    let words = otherwise();
    !contrast().is_dated(predicate) && predicate.split('_').any(|word| words.has("counted", word))
}

/// The year of a note of time, where it names one alone, and whether it says that the value is a
/// rough one; `None` for any other note.
fn time_note(note: &str) -> Option<(Option<i32>, bool)> {
    let words = otherwise();
    let (mut years, mut rough, mut months) = (Vec::new(), false, false);
    let mut days = 0;
    for piece in note.split(|c: char| c.is_whitespace() || ",;/-–.'’".contains(c)) {
        if piece.is_empty() {
            continue;
        }
        let word = piece.to_lowercase();
        let digits = word.trim_start_matches("fy");
        if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
            let number: i32 = digits.parse().ok()?;
            let fiscal = digits.len() < word.len();
            match digits.len() {
                4 if YEARS.contains(&number) => years.push(number),
                2 if fiscal => years.push(2000 + number),
                // "2022/23", "31 December 2023".
                2 if years.last().is_some_and(|year| year % 100 + 1 == number) => {
                    years.push(0);
                }
                1 | 2 if (1..=31).contains(&number) => days += 1,
                _ => return None,
            }
        } else if words.has("guessed", &word) {
            rough = true;
        } else if words.has("noted", &word) {
            months |= word.len() > 2;
        } else {
            return None;
        }
    }
    if years.is_empty() && !rough || days > 0 && !months || days > 2 {
        return None;
    }
    let year = match years.as_slice() {
        [year] => Some(*year),
        _ => None,
    };
    Some((year, rough))
}
