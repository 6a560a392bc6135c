//! What a replacement changes in the words beside it: the article before it, and whether the noun
//! behind a number is one or many.

use std::borrow::Cow;

use crate::claims::SentenceView;
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::tables::regions;
use crate::lexicon::units::{Role, number_word};
use crate::normal::fold_name;
use crate::types::{LexFlags, LexKind, Lexeme, Quantity, Span};

/// Beginnings that are spelled with a vowel and spoken without, and the other way round.
const CONSONANT: [&str; 19] = [
    "uni", "one", "once", "eu", "use", "usa", "usu", "uti", "uto", "ute", "utr", "ura", "ure",
    "uri", "uro", "uru", "ubi", "uga", "uk",
];
const VOWEL: [&str; 5] = ["hour", "honest", "honour", "honor", "heir"];
/// Beginnings in "uni" that are spoken with a vowel.
const UN_I: [&str; 5] = ["unim", "unin", "unint", "unid", "unill"];
/// Nouns whose plural follows no rule.
const IRREGULAR: [(&str, &str); 6] = [
    ("person", "people"),
    ("man", "men"),
    ("woman", "women"),
    ("child", "children"),
    ("foot", "feet"),
    ("staff", "staff"),
];

/// Verbs of one and of many.
const AGREEING: [(&str, &str); 6] = [
    ("is", "are"),
    ("was", "were"),
    ("has", "have"),
    ("does", "do"),
    ("isn't", "aren't"),
    ("wasn't", "weren't"),
];
/// Words from the verb of "there have been about 45" up to the number, at most.
const THERE: usize = 3;
/// Words behind a number up to the noun that it counts ("three large toll booths").
const PHRASE: usize = 3;
/// Words that no such phrase has.
const BARE: Cue = Cue::FUNCTION.or(Cue::PREPOSITION).or(Cue::COPULA);

/// Whether "an" stands before the words; `None` where their letters do not tell.
pub(in crate::detect) fn vowel(text: &str) -> Option<bool> {
    let lower = text.to_lowercase();
    let first = lower.chars().next()?;
    if first.is_ascii_digit() {
        let digits: String = lower
            .chars()
            .take_while(|c| c.is_ascii_digit() || *c == ',')
            .filter(|c| *c != ',')
            .collect();
        // "eight", "eleven", "eighteen", "eleven thousand".
        let led = matches!(digits.len() % 3, 2) && digits.starts_with(['1']);
        return Some(
            digits.starts_with('8')
                || led && (digits.starts_with("11") || digits.starts_with("18")),
        );
    }
    let word = text
        .split(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or("");
    if !first.is_alphabetic() {
        return None;
    }
    if word.len() > 1 && word.chars().all(char::is_uppercase) {
        // "a NATO base", said as a word.
        let said = word.len() > 3 && !spelled_out(word);
        let letter = |list: &str| list.contains(first.to_ascii_uppercase());
        return match spelled_out(word) {
            true => Some(letter("AEFHILMNORSX")),
            false => said.then(|| letter("AEIO")),
        };
    }
    let starts = |list: &[&str]| list.iter().any(|own| lower.starts_with(own));
    if starts(&VOWEL) {
        return Some(true);
    }
    if starts(&CONSONANT) && !starts(&UN_I) {
        return Some(false);
    }
    Some(matches!(first, 'a' | 'e' | 'i' | 'o' | 'u'))
}

/// Whether a word in capitals is surely spoken letter by letter: "an FBI agent" and "a UX designer"; of
/// "MIT" and "LAN" their letters do not tell.
fn spelled_out(word: &str) -> bool {
    let vowels: Vec<bool> = word.chars().map(|c| "AEIOU".contains(c)).collect();
    let none = vowels.iter().all(|own| !own);
    none || word.len() < 3 || word.len() == 3 && !matches!(vowels[..], [false, true, false])
}

/// The replacement with the article that stands before its place, where that changes.
pub(in crate::detect) fn with_article(
    view: &SentenceView<'_>,
    span: Span,
    replacement: String,
) -> (Span, String) {
    let at = view
        .lexemes
        .partition_point(|lexeme| lexeme.span.end <= span.start);
    let Some(lexeme) = at.checked_sub(1).map(|i| &view.lexemes[i]) else {
        return (span, replacement);
    };
    let article = view.at(lexeme.span);
    let own = match article {
        "a" | "A" => false,
        "an" | "An" => true,
        _ => return (span, replacement),
    };
    let between = view.at(Span::new(lexeme.span.end, span.start));
    let capital = lexeme.flags.has(LexFlags::CAPITALIZED);
    match vowel(&replacement) {
        Some(wanted) if wanted != own && between.chars().all(char::is_whitespace) => {
            let article = match (wanted, capital) {
                (true, true) => "An",
                (true, false) => "an",
                (false, true) => "A",
                (false, false) => "a",
            };
            (
                Span::new(lexeme.span.start, span.end),
                format!("{article}{between}{replacement}"),
            )
        }
        _ => (span, replacement),
    }
}

/// The name of a country or region in a sentence, with "the" where it takes one and none stands there,
/// and without that of the name it replaces ("in the Netherlands").
pub(in crate::detect) fn with_definite(
    view: &SentenceView<'_>,
    span: Span,
    text: String,
) -> (Span, String) {
    let listed = |name: &str| regions().has("definite", &fold_name(name));
    let at = view
        .lexemes
        .partition_point(|lexeme| lexeme.span.end <= span.start);
    let Some(before) = at.checked_sub(1).map(|i| &view.lexemes[i]) else {
        return (span, text);
    };
    let word = view.at(before.span).to_lowercase();
    let article = word == "the";
    let own = text.starts_with("the ");
    // "works for the Orvane Institute"
    let headed = || {
        let name = fold_name(&text);
        let mut words = name.rsplit(' ');
        let head = words
            .next()
            .is_some_and(|head| regions().has("article_head", head));
        head && words.next().is_some()
            && text.starts_with(char::is_uppercase)
            && !text.contains('\'')
    };
    if !own && !article && (listed(&text) || headed()) {
        let led = cue(&word).is(Cue::PREPOSITION.or(Cue::COPULA));
        return (span, if led { format!("the {text}") } else { text });
    }
    let proper = text.starts_with(char::is_uppercase) && !listed(&text);
    if article && listed(view.at(span)) && (own || proper) {
        return (Span::new(before.span.start, span.end), text);
    }
    (span, text)
}

/// The noun behind a number of one as one of many, or the other way round; `None` where it stays.
pub(super) fn numbered(noun: &str, many: bool) -> Option<Cow<'_, str>> {
    let irregular = |from: &str| {
        IRREGULAR
            .iter()
            .find(|(one, more)| if many { *one == from } else { *more == from })
            .map(|(one, more)| if many { *more } else { *one })
    };
    if let Some(form) = irregular(noun) {
        return (form != noun).then_some(Cow::Borrowed(form));
    }
    if !noun.chars().all(|c| c.is_ascii_lowercase()) || noun.len() < 3 {
        return None;
    }
    let hissing = |word: &str| {
        ["s", "x", "z", "ch", "sh"]
            .iter()
            .any(|end| word.ends_with(end))
    };
    let spoken = |word: &str| {
        let mut last = word.bytes().rev().skip(1);
        last.next()
            .is_some_and(|b| !matches!(b, b'a' | b'e' | b'i' | b'o' | b'u'))
    };
    if many {
        return Some(match noun.strip_suffix('y') {
            _ if hissing(noun) => Cow::Owned(format!("{noun}es")),
            Some(stem) if spoken(noun) => Cow::Owned(format!("{stem}ies")),
            _ => Cow::Owned(format!("{noun}s")),
        });
    }
    if let Some(stem) = noun.strip_suffix("ies") {
        return Some(Cow::Owned(format!("{stem}y")));
    }
    if let Some(stem) = noun.strip_suffix("es").filter(|stem| hissing(stem)) {
        return Some(Cow::Borrowed(stem));
    }
    noun.strip_suffix('s')
        .filter(|stem| !stem.ends_with('s'))
        .map(Cow::Borrowed)
}

/// The word for one of what a noun names many of ("child", "order"); the noun itself where it is of one.
pub(in crate::detect) fn one_of(noun: &str) -> Cow<'_, str> {
    numbered(noun, false).unwrap_or(Cow::Borrowed(noun))
}

/// The replacement of a plain number with the noun that it counts, where one thing becomes many
/// or many become one: "one room" as "12 rooms". The verb goes with it ("there are 12 rooms"); `None`
/// where it cannot be told whether one does.
pub(in crate::detect) fn with_noun(
    view: &SentenceView<'_>,
    said: &Quantity,
    value: f64,
    replacement: String,
) -> (Span, Option<String>) {
    let span = said.span;
    let many = value != 1.0;
    if (said.value != 1.0) == many || said.unit.is_some() {
        return (span, Some(replacement));
    }
    let at = view.lexemes_in(span);
    let word = |i: usize| {
        let lexeme = view.lexemes.get(i);
        let apart = i > 0
            && view.lexemes.get(i).is_some_and(|own| {
                view.at(Span::new(view.lexemes[i - 1].span.end, own.span.start)) == " "
            });
        lexeme.filter(|lexeme| lexeme.kind == LexKind::Word && apart)
    };
    let capital = |lexeme: &Lexeme| lexeme.flags.has(LexFlags::CAPITALIZED);
    // "two Michelin stars"
    let named =
        word(at.end).is_some_and(capital) && word(at.end + 1).is_some_and(|next| !capital(next));
    // "three toll booths", "three large rooms": of one, the first word that is of many.
    let says = |i: usize| word(i).is_some_and(|own| !cue(&fold_name(view.at(own.span))).is(BARE));
    // "two bus stops"
    let headed = |i: &usize| {
        let word = view.word(*i);
        !word.ends_with("us") && !word.ends_with("is") && numbered(word, false).is_some()
    };
    let mut reach = (at.end..at.end + PHRASE).take_while(|i| says(*i));
    let head = reach.find(headed).filter(|_| !many && !named);
    let at_noun = head.unwrap_or(at.end + usize::from(named));
    let noun = word(at_noun).filter(|_| says(at_noun));
    let form = noun.and_then(|noun| Some((noun, numbered(view.at(noun.span), many)?)));
    let Some((noun, form)) = form else {
        return (span, Some(replacement));
    };
    let between = view.at(Span::new(span.end, noun.span.start));
    let text = format!("{replacement}{between}{form}");
    let mut place = Span::new(span.start, noun.span.end);
    let Some((verb, turned)) = verb_of(view, at.start, at_noun + 1, many) else {
        return (
            place,
            stands_alone(view, at.start, at_noun + 1).then_some(text),
        );
    };
    let verb = view.lexemes[verb].span;
    if verb.end <= place.start {
        let text = format!(
            "{turned}{}{text}",
            view.at(Span::new(verb.end, place.start))
        );
        place.start = verb.start;
        return (place, Some(text));
    }
    let text = format!(
        "{text}{}{turned}",
        view.at(Span::new(place.end, verb.start))
    );
    place.end = verb.end;
    (place, Some(text))
}

/// The verb whose number is that of the things from lexeme `start` on up to `end`, and its form for the
/// other number: "are" of "there are 45 rooms" and of "45 rooms are let".
fn verb_of(
    view: &SentenceView<'_>,
    start: usize,
    end: usize,
    many: bool,
) -> Option<(usize, &'static str)> {
    let other = |i: usize| {
        let word = view.lexemes.get(i).map(|_| view.word(i))?;
        AGREEING.iter().find_map(|(one, more)| {
            let (own, other) = if many { (one, more) } else { (more, one) };
            (word == *own).then_some(*other)
        })
    };
    let there = |i: usize| view.word(i).eq_ignore_ascii_case("there");
    let inverted = (1..=THERE).find_map(|back| {
        let verb = start.checked_sub(back)?;
        verb.checked_sub(1).filter(|i| there(*i))?;
        Some((verb, other(verb)?))
    });
    inverted.or_else(|| {
        let turned = other(end).filter(|_| opens_clause(view, start))?;
        Some((end, turned))
    })
}

/// Whether no verb is seen to have the number of the things from lexeme `start` on up to `end`.
fn stands_alone(view: &SentenceView<'_>, start: usize, end: usize) -> bool {
    let short = |i: usize| {
        let word = view.word(i).to_lowercase();
        word.starts_with("there") && word.contains(['\'', '’'])
    };
    if start.checked_sub(1).is_some_and(short) {
        return false;
    }
    let verb = view.lexemes.get(end).is_some_and(|lexeme| {
        let word = view.word(end).to_lowercase();
        lexeme.kind == LexKind::Word && !cue(&word).is(Cue::FUNCTION) && !word.ends_with("ed")
    });
    !(verb && opens_clause(view, start))
}

/// Whether what begins at a lexeme is the subject of its clause.
fn opens_clause(view: &SentenceView<'_>, start: usize) -> bool {
    let word = |i: usize| view.word(i).to_lowercase();
    let lead = |i: &usize| matches!(&*word(*i), "the" | "all" | "its" | "their" | "our" | "only");
    let at = start.checked_sub(1).filter(lead).unwrap_or(start);
    at.checked_sub(1).is_none_or(|i| {
        let joint = matches!(
            &*word(i),
            "and" | "but" | "while" | "because" | "that" | "where"
        );
        joint || view.is_mark(i) || view.kind(i) == Some(LexKind::Newline)
    })
}

/// Whether a word says a number: "three", "twenty-five".
pub(in crate::detect) fn number_in_words(word: &str) -> bool {
    let of_number = |part: &str| {
        matches!(
            number_word(&part.to_lowercase()).role,
            Role::Ones | Role::Ten | Role::Hundred | Role::Magnitude
        )
    };
    word.split('-').all(of_number)
}
