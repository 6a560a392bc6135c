//! A replacement fitted to the sentence that it is put into: the words that leave a number open
//! stand once, the capital is that of its place, and what the value says of an address or a place
//! does not stand behind it once more.

use serde_json::json;

use crate::claims::SentenceView;
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::{frames, regions, stance};
use crate::lexicon::words::{WordClass, class};
use crate::normal::fold_name;
use crate::segment;
use crate::types::{Claim, Finding, LexFlags, LexKind, Span, Status};

use super::also_said::{AlsoSaid, also_said, named, of_person};
use super::behind::told_behind;
use super::grammar::{number_in_words, with_definite};
use super::restated::with_restated;
use super::seam::seamed;

/// Words of a phrase that leaves a number open, at most.
const PHRASE: usize = 3;
/// Parts of an address behind its street, at most.
const PARTS: usize = 4;
/// Most bytes of the number of a house.
const HOUSE: usize = 5;
/// Words of such a part, at most.
const PART_WORDS: usize = 4;

/// Fits the finding's replacement to its sentence. Where it cannot be made to fit it is left out,
/// with `no_substitute`.
pub fn fit(view: &SentenceView<'_>, claims: &[Claim], finding: &mut Finding) {
    let (Some(span), Some(text)) = (finding.span, finding.replacement.take()) else {
        return;
    };
    let sentence = view.sentence.span;
    if span.start < sentence.start || span.end > sentence.end {
        finding.replacement = Some(text);
        return;
    }
    if segment::has_tag(view.at(span)) || in_digits(view, span) {
        finding.extra.insert("no_substitute".into(), json!(true));
        return;
    }
    match more_said(view, claims, finding, span, &text) {
        AlsoSaid::Nothing => {}
        AlsoSaid::More => {
            finding.extra.insert("no_substitute".into(), json!(true));
            return;
        }
        AlsoSaid::Apposed(place, said) => {
            view.at(place).clone_into(&mut finding.text);
            finding.span = Some(place);
            finding.replacement = Some(said);
            return;
        }
    }
    if finding.status == Status::Contradicted && told_behind(view, said_of(claims, finding), span) {
        finding.extra.insert("no_substitute".into(), json!(true));
        return;
    }
    let valued = finding.kind == "stream.quantity_conflict";
    let whole = with_stop(view, span, &text);
    let text = without_stop(view, whole, text);
    let fitted = if valued {
        Some((once(view, whole, &text), text))
    } else {
        placed(view, whole, text)
    };
    let fitted = fitted.and_then(|(place, text)| seamed(view, place, text));
    let fitted = fitted.filter(|(place, text)| view.at(*place) != text);
    let Some((place, text)) = fitted else {
        finding.extra.insert("no_substitute".into(), json!(true));
        return;
    };
    let (place, text) = if valued {
        (place, in_case(view, place, text))
    } else {
        with_definite(view, place, text)
    };
    let (place, text) = with_restated(view, place, text);
    if place != span {
        if finding.detected == json!(view.at(span)) {
            finding.detected = json!(view.at(place));
        }
        view.at(place).clone_into(&mut finding.text);
        finding.span = Some(place);
    }
    finding.replacement = Some(text);
}

/// Whether a place begins or ends inside of digits with separators: a part of a number is not replaced.
fn in_digits(view: &SentenceView<'_>, span: Span) -> bool {
    let sentence = view.sentence.span;
    let (before, own, behind) = (
        view.at(Span::new(sentence.start, span.start)),
        view.at(span),
        view.at(Span::new(span.end, sentence.end)),
    );
    let digit = |c: char| c.is_ascii_digit();
    let mark = |c: char| matches!(c, '.' | ',' | '\'' | '’');
    let ends = |text: &str| {
        text.ends_with(digit)
            || text.trim_end_matches(mark).ends_with(digit) && text.ends_with(mark)
    };
    let cut = |one: &str, other: &str| {
        (one.ends_with(digit)
            && (other.starts_with(digit)
                || other
                    .strip_prefix(mark)
                    .is_some_and(|rest| rest.starts_with(digit))))
            || (ends(one) && other.starts_with(digit))
    };
    cut(before, own) || cut(own, behind)
}

/// The subject of the claim that a finding is about.
fn said_of(claims: &[Claim], finding: &Finding) -> Option<Span> {
    let claim = finding.claim_id.as_deref()?;
    let claim = claims.iter().find(|own| own.id == claim)?;
    claim.subject_span
}

/// What the sentence says of a wrong name beside what is wrong of it. A name of a person is noted, since
/// what follows may speak of it.
fn more_said(
    view: &SentenceView<'_>,
    claims: &[Claim],
    finding: &mut Finding,
    place: Span,
    text: &str,
) -> AlsoSaid {
    let said = view.at(place);
    let of = said_of(claims, finding);
    let wrong = finding.status == Status::Contradicted && named(said) && named(text);
    let Some(of) = of.filter(|_| wrong) else {
        return AlsoSaid::Nothing;
    };
    if of_person(said) {
        finding.extra.insert("person".into(), json!(true));
    }
    also_said(view, of, place)
}

/// The place with the full stop behind it that belongs to the abbreviation it ends with: all of
/// "Acme Inc." makes room in "Acme Inc., based in York". The sentence's own stop stays, and so does
/// that of a word which the replacement ends with too.
fn with_stop(view: &SentenceView<'_>, span: Span, text: &str) -> Span {
    let stop = view.lexemes_in(span).end;
    let last = |text: &str| text.rsplit(' ').next().map(fold_name);
    if !view.abbreviates(stop) || last(text) == last(view.at(span)) && !text.ends_with('.') {
        return span;
    }
    Span::new(span.start, view.lexemes[stop].span.end)
}

/// The replacement without a full stop that stands behind its place already.
fn without_stop(view: &SentenceView<'_>, place: Span, mut text: String) -> String {
    let tail = view.at(Span::new(place.end, view.sentence.span.end.max(place.end)));
    if text.ends_with('.') && tail.starts_with('.') {
        text.pop();
    }
    text
}

/// Whether the folded words leave a number open.
fn leaves_open(phrase: &str) -> bool {
    let classes = ["above", "below", "at_least", "at_most"];
    frames().has("loose", phrase) || classes.iter().any(|class| stance().has(class, phrase))
}

/// The place with the words before it that leave the number open, where the replacement has such
/// words of its own: "about 15" for "up to 12".
fn once(view: &SentenceView<'_>, span: Span, text: &str) -> Span {
    let words: Vec<String> = text
        .split_whitespace()
        .take(PHRASE)
        .map(str::to_lowercase)
        .collect();
    let opens = (1..=words.len()).any(|length| leaves_open(&words[..length].join(" ")));
    if !opens {
        return span;
    }
    let folded = view.folded();
    let mut at = view.lexemes_in(span).start;
    let mut start = span.start;
    while let Some(length) = (1..=PHRASE.min(at)).rev().find(|length| {
        let words: Vec<&str> = (at - length..at).map(|i| folded.get(i)).collect();
        leaves_open(&words.join(" "))
    }) {
        at -= length;
        start = view.lexemes[at].span.start;
    }
    Span::new(start, span.end)
}

/// A number in words, or a word before one, with the capital that its place has.
fn in_case(view: &SentenceView<'_>, place: Span, text: String) -> String {
    let first = view.lexemes.iter().find(|lexeme| {
        let marks = lexeme.kind == LexKind::Punct || lexeme.kind == LexKind::Newline;
        !marks || lexeme.span.start >= place.start
    });
    let opens = first.is_some_and(|lexeme| lexeme.span.start >= place.start);
    let said = view.at(place);
    let word = text.split(' ').next().unwrap_or("");
    let lower = word.to_lowercase();
    let plain = number_in_words(&lower) || leaves_open(&lower) || {
        let two: Vec<&str> = text.split(' ').take(2).collect();
        leaves_open(&two.join(" ").to_lowercase())
    };
    if !plain || word.is_empty() {
        return text;
    }
    let rest = &text[word.len()..];
    if !opens {
        return format!("{lower}{rest}");
    }
    if said.starts_with(char::is_lowercase) {
        return text;
    }
    let mut letters = lower.chars();
    let capital = letters.next().map(|c| c.to_uppercase().to_string());
    format!("{}{}{rest}", capital.unwrap_or_default(), letters.as_str())
}

/// A place or an address in its place: parts that stand behind it belong to it, and go with it.
/// `None` where what stands there cannot be told.
fn placed(view: &SentenceView<'_>, span: Span, text: String) -> Option<(Span, String)> {
    let tail = view.at(Span::new(span.end, view.sentence.span.end.max(span.end)));
    let address = is_address(&text) || is_housed_street(&text);
    let (span, text) = housed(view, span, text);
    let parts: Vec<&str> = text.split(", ").collect();
    let proper = address || text.starts_with(char::is_uppercase);
    let said = view.at(span);
    let figures = said.ends_with(|c: char| c.is_ascii_digit()) && !address;
    let joints: &[&str] = if address { &[", ", " in "] } else { &[", "] };
    if !joints.iter().any(|joint| tail.starts_with(joint)) || !proper || figures {
        return Some((span, text));
    }
    // What stands there already is not said again.
    for i in 1..parts.len() {
        let own = parts[i..].join(", ");
        let rest = joints.iter().find_map(|joint| {
            let rest = tail.strip_prefix(joint)?;
            rest.strip_prefix(own.as_str())
        });
        if rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric())) {
            return Some((span, parts[..i].join(", ")));
        }
    }
    // "Unit 7, Mill Park in York": of the address some stands there, and not as its end.
    let own_part = |part: &&str| {
        let mut rest = joints.iter().filter_map(|joint| tail.strip_prefix(joint));
        rest.any(|rest| {
            let rest = rest.strip_prefix(*part);
            rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
        })
    };
    if address && parts[1..].iter().any(own_part) {
        return None;
    }
    // "Via Milano 12 in Milan" is no place for "Via Roma 12, Como".
    if !tail.starts_with(", ") {
        let named = tail[" in ".len()..].starts_with(char::is_uppercase);
        return (!named || parts.len() < 2).then_some((span, text));
    }
    let town = |name: &str| !is_region(name) && name.split(' ').count() <= PART_WORDS;
    let place = parts.len() <= 2 && town(parts[0]) && town(said);
    if !(address || place) {
        return Some((span, text));
    }
    let folded = view.folded();
    let mut end = view.lexemes_in(span).end;
    let mut place = span;
    let most = if address { PARTS } else { 1 };
    for _ in 0..most {
        let Some((next, closed)) = part_behind(view, end) else {
            break;
        };
        let part = Span::new(view.lexemes[end].span.end, view.lexemes[next - 1].span.end);
        // "Boston, New York and Denver": a list.
        let on = |i: usize| view.lexemes.get(i).map(|_| view.word(i));
        let listed = match on(next) {
            Some("and" | "or" | "&") => true,
            Some(",") => {
                matches!(on(next + 1), Some("and" | "or"))
                    && view
                        .lexemes
                        .get(next + 2)
                        .is_some_and(|lexeme| lexeme.flags.has(LexFlags::CAPITALIZED))
            }
            _ => false,
        };
        if listed {
            break;
        }
        let goes_on = next < view.lexemes.len() && folded.cue(next).is(Cue::FUNCTION);
        let known = is_region(view.at(part).trim()) && (closed || goes_on);
        if !(known || address && closed) {
            // "Boston, Lincolnshire." is neither known to go nor to stay.
            let unclear = !address && parts.len() == 2 && closed;
            if unclear && !is_town(view.at(part).trim()) {
                return None;
            }
            break;
        }
        place.end = part.end;
        end = next;
    }
    Some((place, text))
}

/// "12 Harbour Street, Bergen".
fn is_address(text: &str) -> bool {
    let house = text.split([' ', ',']).next().unwrap_or("");
    let street = text[house.len()..].trim_start_matches([' ', ',']);
    house.starts_with(|c: char| c.is_ascii_digit())
        && house.len() <= HOUSE
        && street.starts_with(char::is_uppercase)
        && street.contains([' ', ','])
}

/// "Via Roma 12, Como", "Unit 4, Mill Park, York": a part with its number behind it in front of
/// another, which is no date.
fn is_housed_street(text: &str) -> bool {
    let Some((street, rest)) = text.split_once(", ") else {
        return false;
    };
    let Some((name, number)) = street.rsplit_once(' ') else {
        return false;
    };
    let digits = number.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let house = (1..=HOUSE).contains(&number.len())
        && digits.len() + 1 >= number.len()
        && !digits.is_empty()
        && digits
            .bytes()
            .all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'/'));
    house
        && name.starts_with(char::is_uppercase)
        && rest.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
        && segment::dates(street).is_empty()
}

/// "On Mill Road" as "at 12 Mill Road, Bergen".
fn housed(view: &SentenceView<'_>, span: Span, text: String) -> (Span, String) {
    let inside = ["on ", "in ", "at "];
    if is_address(&text) && inside.iter().any(|lead| view.at(span).starts_with(lead)) {
        return (span, format!("at {text}"));
    }
    let before = view.lexemes_in(span).start.checked_sub(1);
    let lead = before
        .filter(|_| is_address(&text))
        .map(|i| &view.lexemes[i]);
    let numbered = view.at(span).starts_with(|c: char| c.is_ascii_digit());
    let at = match lead.map(|lexeme| view.at(lexeme.span)) {
        Some("on" | "in") if !numbered && text.contains(", ") => "at",
        Some("On" | "In") if !numbered && text.contains(", ") => "At",
        _ => return (span, text),
    };
    let start = lead.map_or(span.start, |lexeme| lexeme.span.start);
    (Span::new(start, span.end), format!("{at} {text}"))
}

/// A comma at lexeme `at` and the name or code behind it: where that ends, and whether a mark
/// follows.
fn part_behind(view: &SentenceView<'_>, at: usize) -> Option<(usize, bool)> {
    if at >= view.lexemes.len() || view.word(at) != "," {
        return None;
    }
    let named = |i: &usize| {
        view.lexemes.get(*i).is_some_and(|lexeme| {
            lexeme.flags.has(LexFlags::CAPITALIZED) && lexeme.kind == LexKind::Word
                || lexeme.kind == LexKind::Number
                || view.word(*i).chars().all(|c| c.is_ascii_digit())
        })
    };
    let mut end = at + 1 + (at + 1..).take_while(named).take(PART_WORDS).count();
    // "U.S. senator": the stop is the abbreviation's.
    if end > at + 1 && view.abbreviates(end) {
        end += 1;
    }
    let closed = end >= view.lexemes.len()
        || view.is_mark(end) && !matches!(view.word(end), "'" | "’" | "-" | "&");
    (end > at + 1).then_some((end, closed))
}

/// "Texas", "TX", "MA 02110", "France".
fn is_region(name: &str) -> bool {
    let folded = fold_name(name);
    let code = name
        .split(' ')
        .next()
        .is_some_and(|code| code.len() == 2 && code.bytes().all(|b| b.is_ascii_uppercase()));
    code || class(&folded).has(WordClass::COUNTRY)
        || ["region", "district", "country"]
            .iter()
            .any(|class| regions().has(class, &folded))
}

fn is_town(name: &str) -> bool {
    class(&fold_name(name)).has(WordClass::CITY)
}
