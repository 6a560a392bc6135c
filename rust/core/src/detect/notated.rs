//! A score, a rank, a ratio, a share in words, pence, a Roman number or "half past" in a sentence of which
//! a source has all other words: values that no number of the sentence is read as.

use std::sync::OnceLock;

use crate::claims::{SentenceView, unasserted};
use crate::evidence::EvidenceSet;
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::tables::frames;
use crate::lexicon::units::{Role, number_word, words_of};
use crate::normal::stem;
use crate::types::Span;

use super::how_often::Otherwise;
use super::supposed::supposed;
use super::words_at::Parts;

/// Sentences of a passage that are read.
const MOST: usize = 6;
/// Words that a source's sentence may have more.
const MORE: usize = 2;
/// Words of a sentence from which on the source's may have more.
const ENOUGH: usize = 3;

/// What form a value is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Score,
    Ratio,
    Pence,
    Rank,
    Share,
    Roman,
    Past,
}

/// A value in one of these forms.
#[derive(Debug, Clone)]
struct Noted {
    form: Form,
    /// The value; two forms of the same value are equal.
    value: (f64, f64),
    /// Bytes of it in its text.
    span: Span,
    /// Numbers of its first word and of that behind its last.
    words: (usize, usize),
}

struct Word<'a> {
    text: String,
    raw: &'a str,
    span: Span,
}

/// The value that a source of the same words has otherwise.
pub(super) fn noted_otherwise<'a>(
    view: &SentenceView<'_>,
    evidence: &'a EvidenceSet,
) -> Option<Otherwise<'a>> {
    if !may_hold(view) {
        debug_assert!(!may_note(view.text), "{}", view.text);
        return None;
    }
    if !may_note(view.text) {
        return None;
    }
    let own = words(view.text);
    let said = noted(&own);
    let [one] = &said[..] else { return None };
    let base = view.sentence.span.start;
    let place = Span::new(base + one.span.start, base + one.span.end);
    if turned(&own, one) || denied(&own) || view.text.contains('?') {
        return None;
    }
    let rest = content(&own, one);
    let stems = view.content_stems();
    let mut found = None;
    for passage in evidence.passages() {
        let data = passage.data();
        let mut like = data.sentences_like(stems, MOST);
        if like.is_empty() {
            // Of the two words one is the value.
            let short = stems.iter().flat_map(|stem| data.sentences_with(*stem));
            like = short.take(MOST).copied().collect();
        }
        for at in like {
            let Some((span, text)) = data.sentence(at) else {
                continue;
            };
            let told = data.reading(at, || Told(told(text)));
            let Some((other, theirs, open)) = &told.0 else {
                continue;
            };
            let within = rest.iter().all(|word| theirs.contains(word));
            let enough = rest.len() == theirs.len()
                || rest.len() >= ENOUGH && theirs.len() <= rest.len() + MORE;
            if other.form == one.form && within && enough && !rest.is_empty() && !open {
                let value = &text[other.span.start..other.span.end];
                found.get_or_insert(Otherwise {
                    span: place,
                    text: in_case(view.at(place), value),
                    fits: true,
                    passage,
                    sentence: span,
                });
            }
        }
    }
    let folded = view.folded();
    let found = found.filter(|_| !unasserted(view, &folded, place) && !supposed(view, place))?;
    // Told of something there: it may be of this as well.
    let told = |text: &str| noted(&words(text)).iter().any(|other| same(other, one));
    let held = evidence
        .passages()
        .iter()
        .any(|passage| told(passage.text()));
    (!held).then_some(found)
}

/// The one value of a sentence of a source, what else says something there, and whether it is left
/// open.
struct Told(Option<(Noted, Vec<String>, bool)>);

fn told(text: &str) -> Option<(Noted, Vec<String>, bool)> {
    if !may_note(text) {
        return None;
    }
    let words = words(text);
    let [one] = <[Noted; 1]>::try_from(noted(&words)).ok()?;
    let open = turned(&words, &one) || denied(&words);
    let beside = content(&words, &one);
    Some((one, beside, open))
}

/// Whether the word before the value leads to another.
fn turned(words: &[Word<'_>], one: &Noted) -> bool {
    let at = one.words.0;
    at > 0 && frames().has("turning", &words[at - 1].text)
}

/// Whether the place is part of a score or a ratio.
pub(super) fn in_score(view: &SentenceView<'_>, place: Span) -> bool {
    let base = view.sentence.span.start;
    let text = view.at(Span::new(
        base.min(place.start),
        view.sentence.span.end.max(place.end),
    ));
    if !text.contains([':', '–', '-', '—']) {
        return false;
    }
    noted(&words(text)).iter().any(|own| {
        let span = Span::new(base + own.span.start, base + own.span.end);
        matches!(own.form, Form::Score | Form::Ratio) && span.overlaps(place)
    })
}

/// With the capital of what it replaces.
fn in_case(said: &str, value: &str) -> String {
    let mut letters = value.chars();
    match letters.next() {
        Some(first) if said.starts_with(char::is_uppercase) && first.is_lowercase() => {
            first.to_uppercase().chain(letters).collect()
        }
        Some(first)
            if said.starts_with(char::is_lowercase)
                && first.is_uppercase()
                && letters.clone().any(char::is_lowercase) =>
        {
            first.to_lowercase().chain(letters).collect()
        }
        _ => value.to_owned(),
    }
}

fn same(one: &Noted, other: &Noted) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
    one.form == other.form && near(one.value.0, other.value.0) && near(one.value.1, other.value.1)
}

fn words(text: &str) -> Vec<Word<'_>> {
    let edge = |c: char| !c.is_alphanumeric();
    let mut out = Vec::new();
    let mut at = 0;
    for piece in text.split(|c: char| c.is_whitespace()) {
        let start = at + (piece.len() - piece.trim_start_matches(edge).len());
        let raw = piece.trim_matches(edge);
        if !raw.is_empty() {
            out.push(Word {
                text: raw.replace('’', "'").to_lowercase(),
                raw,
                span: Span::new(start, start + raw.len()),
            });
        }
        at += piece.len()
            + text[at + piece.len()..]
                .chars()
                .next()
                .map_or(0, char::len_utf8);
    }
    out
}

/// Stems of the words that say something, without the value.
fn content(words: &[Word<'_>], noted: &Noted) -> Vec<String> {
    let outside = |i: &usize| !(noted.words.0..noted.words.1).contains(i);
    let mut out: Vec<String> = (0..words.len())
        .filter(outside)
        .map(|i| &*words[i].text)
        .filter(|word| !cue(word).is(Cue::FUNCTION) && !matches!(*word, "s" | "pence"))
        .map(|word| stem(word.strip_suffix("'s").unwrap_or(word)).into_owned())
        .collect();
    out.sort_unstable();
    out.dedup();
    out
}

fn denied(words: &[Word<'_>]) -> bool {
    words.iter().any(|word| {
        cue(&word.text).is(Cue::NEGATION) || word.text == "no" || word.text.ends_with("n't")
    })
}

/// Whether a sentence may have such a value, told by how its words begin.
fn may_hold(view: &SentenceView<'_>) -> bool {
    static PARTS: OnceLock<Parts> = OnceLock::new();
    let parts = PARTS.get_or_init(|| Parts::of(words_of(is_part).chain(["pence"])));
    let bytes = view.text.as_bytes();
    let marked = |run: &(u32, u32)| {
        let own = &bytes[run.0 as usize..(run.0 + run.1) as usize];
        own.iter().all(|b| b"IVXL".contains(b)) || own.iter().any(u8::is_ascii_digit)
    };
    let runs = view.runs();
    parts.may_stand_among(view.text, runs) || runs.all().is_none_or(|all| all.iter().any(marked))
}

/// Whether a number's word is part of such a value.
fn is_part(role: Role) -> bool {
    matches!(
        role,
        Role::Half | Role::Quarter | Role::Parts | Role::Ordinal
    )
}

/// Whether a text may have such a value, told without a copy of its words.
fn may_note(text: &str) -> bool {
    let part = |part: &str| is_part(number_word(part).role);
    // A number alone is none of them, but for "70 pence".
    let joined = |raw: &str| {
        let digit = raw.bytes().any(|b| b.is_ascii_digit());
        digit
            && raw.contains(|c: char| c.is_ascii_alphabetic() || matches!(c, ':' | '–' | '-' | '—'))
    };
    let note = |piece: &str| {
        if piece.bytes().all(|b| b.is_ascii_lowercase()) {
            return piece == "pence" || part(piece);
        }
        let raw = piece.trim_matches(|c: char| !c.is_alphanumeric());
        let roman = || !raw.is_empty() && raw.bytes().all(|b| b"IVXL".contains(&b));
        let pence = || raw.eq_ignore_ascii_case("pence");
        joined(raw) || roman() || pence() || raw.split('-').any(part)
    };
    if !text.is_ascii() {
        return text.split(char::is_whitespace).any(note);
    }
    let mut rest = text;
    while let Some(end) = rest.bytes().position(|b| matches!(b, b'\t'..=b'\r' | b' ')) {
        if note(&rest[..end]) {
            return true;
        }
        rest = &rest[end + 1..];
    }
    note(rest)
}

/// The values of a text.
fn noted(words: &[Word<'_>]) -> Vec<Noted> {
    let mut out: Vec<Noted> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let found = share(words, at)
            .or_else(|| past(words, at))
            .or_else(|| single(words, at));
        at = found.as_ref().map_or(at + 1, |noted| noted.words.1);
        out.extend(found);
    }
    out
}

fn text<'a>(words: &'a [Word<'_>], at: usize) -> &'a str {
    words.get(at).map_or("", |word| &word.text)
}

fn spanning(words: &[Word<'_>], from: usize, to: usize, form: Form, value: (f64, f64)) -> Noted {
    Noted {
        form,
        value,
        span: Span::new(words[from].span.start, words[to - 1].span.end),
        words: (from, to),
    }
}

/// "Two thirds", "a quarter of", "half".
fn share(words: &[Word<'_>], at: usize) -> Option<Noted> {
    let joined = text(words, at).split_once('-');
    let (first, part, end) = match joined {
        Some((first, part)) => (first, part, at + 1),
        None => (text(words, at), text(words, at + 1), at + 2),
    };
    let role = |word: &str| number_word(word);
    if role(first).role == Role::Half && joined.is_none() {
        let of = matches!(text(words, at + 1), "of" | "a" | "an" | "the");
        return of.then(|| spanning(words, at, at + 1, Form::Share, (0.5, 0.0)));
    }
    let count = match first {
        "a" | "an" => 1.0,
        _ if role(first).role == Role::Ones => role(first).value,
        _ => return None,
    };
    let known = role(part);
    let parts = match known.role {
        Role::Parts => known.value,
        Role::Half => 2.0,
        Role::Quarter => 4.0,
        // "a third of the staff"
        Role::Ordinal if count == 1.0 && known.value > 2.0 => known.value,
        _ => return None,
    };
    let of = text(words, end) == "of" && parts > 0.0;
    of.then(|| spanning(words, at, end, Form::Share, (count / parts, 0.0)))
}

/// "Half past six", "quarter to ten".
fn past(words: &[Word<'_>], at: usize) -> Option<Noted> {
    let part = match text(words, at) {
        "half" => 30.0,
        "quarter" => 15.0,
        _ => return None,
    };
    let after = match text(words, at + 1) {
        "past" => part,
        "to" if part < 30.0 => -part,
        _ => return None,
    };
    let hour = text(words, at + 2);
    let known = number_word(hour);
    let hour = match known.role {
        Role::Ones => known.value,
        _ => hour.parse().ok()?,
    };
    (1.0..=12.0)
        .contains(&hour)
        .then(|| spanning(words, at, at + 3, Form::Past, (hour * 60.0 + after, 0.0)))
}

fn single(words: &[Word<'_>], at: usize) -> Option<Noted> {
    let word = &words[at];
    let number = |text: &str| -> Option<f64> {
        let plain = text.replace(',', "");
        let digits = !plain.is_empty() && plain.bytes().all(|b| b.is_ascii_digit());
        plain.parse().ok().filter(|_| digits)
    };
    let one = |form, value| Some(spanning(words, at, at + 1, form, value));
    if let Some((a, b)) = word.raw.split_once([':', '–', '-', '—'])
        && let (Some(x), Some(y)) = (number(a), number(b))
    {
        let mark = word.raw[a.len()..].chars().next();
        if mark == Some(':') {
            let clock = b.len() == 2 && y < 60.0 && x <= 24.0;
            return if clock {
                None
            } else {
                one(Form::Ratio, (x, y))
            };
        }
        let played = frames().has("played", text(words, at.wrapping_sub(1)))
            || frames().has("played", text(words, at + 1));
        return if played && a.len() <= 2 && b.len() <= 2 {
            one(Form::Score, (x, y))
        } else {
            None
        };
    }
    if let Some(pence) = word.raw.strip_suffix('p').and_then(number) {
        return one(Form::Pence, (pence, 0.0));
    }
    if text(words, at + 1) == "pence"
        && let Some(pence) = number(word.raw)
    {
        return Some(spanning(words, at, at + 2, Form::Pence, (pence, 0.0)));
    }
    rank(words, at).or_else(|| roman(words, at))
}

/// "Third", "3rd", of no date.
fn rank(words: &[Word<'_>], at: usize) -> Option<Noted> {
    let own = text(words, at);
    let digits = own.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let suffixed = matches!(&own[digits.len()..], "st" | "nd" | "rd" | "th");
    let value = if suffixed {
        digits.parse().ok()?
    } else {
        let known = number_word(own);
        (known.role == Role::Ordinal).then_some(known.value)?
    };
    let month = |word: &str| {
        matches!(
            number_word(word).role,
            Role::Month | Role::MonthDoubtful | Role::MonthShort
        )
    };
    let dated = month(text(words, at + 1))
        || text(words, at + 1) == "of" && month(text(words, at + 2))
        || at > 0 && (month(text(words, at - 1)) || month(text(words, at.saturating_sub(2))));
    // "First, …", "at first": no rank.
    let ranked = frames().has("ranked", text(words, at + 1))
        || at > 0 && frames().has("ranks", text(words, at - 1));
    (!dated && ranked).then(|| spanning(words, at, at + 1, Form::Rank, (value, 0.0)))
}

/// "Chapter VII".
fn roman(words: &[Word<'_>], at: usize) -> Option<Noted> {
    let raw = words[at].raw;
    let digit = |c: char| match c {
        'I' => Some(1.0),
        'V' => Some(5.0),
        'X' => Some(10.0),
        'L' => Some(50.0),
        _ => None,
    };
    let led = at > 0 && number_word(text(words, at - 1)).role == Role::Label;
    let digits: Option<Vec<f64>> = raw.chars().map(digit).collect();
    let digits = digits.filter(|_| led)?;
    let mut sum = 0.0;
    for (i, own) in digits.iter().enumerate() {
        let next = digits.get(i + 1).copied().unwrap_or(0.0);
        sum += if *own < next { -own } else { *own };
    }
    Some(spanning(words, at, at + 1, Form::Roman, (sum, 0.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_note_rules_out_has_no_value() {
        let texts = [
            "Two thirds of them left.",
            "Half of it, a quarter of the rest and two-thirds of all.",
            "A third of the staff came at half past six, others at Quarter to ten.",
            "They won 3–2 at odds of 5:1 and paid 80p or 70 pence.",
            "It came third; Ada was ranked SECOND in class, Chapter VII.",
            "An eighth of it, “one fifth” of that.",
            "The museum is open and shows old ships.",
            "Of 1,200 guests 300 paid 70 Pence, 15 in cash; 1,200–1,300 came 2nd in 1990.",
        ];
        let mut ruled_out = 0;
        for text in texts {
            let pieces: Vec<&str> = text.split_inclusive(' ').collect();
            for from in 0..pieces.len() {
                for to in from + 1..=pieces.len() {
                    let part = pieces[from..to].concat();
                    if !may_note(&part) {
                        ruled_out += 1;
                        assert!(noted(&words(&part)).is_empty(), "{part}");
                    }
                }
            }
        }
        assert!(ruled_out > 20);
    }
}
