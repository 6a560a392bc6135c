//! Words by which writers speak of themselves or to the reader: they tell no detail of the subject.

use std::sync::OnceLock;

use crate::claims::{Folded, SentenceView};
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::tables::frames;
use crate::lexicon::words::{WordClass, class};
use crate::normal::fold_name;
use crate::types::{LexFlags, LexKind, Span};

/// Forms of the first person that a clause has as its subject.
const FIRST: [&str; 2] = ["i", "we"];
/// What is written together with a pronoun ("I'm", "they've").
const JOINED: [&str; 7] = ["m", "ve", "ll", "d", "re", "s", "t"];
/// Words of a name that is spoken to, and the mark behind it, at most.
const ADDRESSED: usize = 4;
/// Words from the first person to what ends its clause, at most.
const CLAUSE: usize = 14;

/// Whether the word is a form of address ("Mr", "Ms.") that says nothing of whom it stands before.
#[must_use]
pub(super) fn is_honorific(word: &str) -> bool {
    frames().has_written("honorific", word.trim_end_matches('.'))
}

/// Where such words stand: openings ("OK,", "TL;DR:"), short forms of pronouns ("it's"), and "I'm
/// afraid", "we couldn't find"; up to a colon, "that" or "but", all that writers say of themselves.
#[must_use]
pub(super) fn spoken_first(view: &SentenceView<'_>) -> Vec<Span> {
    let folded = view.folded();
    let word = |at: usize| view.lexemes[at].kind == LexKind::Word;
    let mut spans = Vec::new();
    let mut last = 0;
    for at in 0..folded.len() {
        if word(at) && !frames().has("remark", folded.get(at)) {
            break;
        }
        if !word(at) {
            last = at;
        }
    }
    last = last.max(addressed(view, &folded));
    spans.extend(view.lexemes[..last].iter().map(|lexeme| lexeme.span));
    let mut at = 0;
    while at < folded.len() {
        let (base, short) = parted(folded.get(at));
        if word(at) && short && cue(base).is(Cue::FUNCTION) {
            spans.push(view.lexemes[at].span);
        }
        if !word(at) || !FIRST.contains(&base) {
            at += 1;
            continue;
        }
        let start = at;
        at += 1;
        // "have not yet", "couldn't really"
        let helps = Cue::AUXILIARY
            .or(Cue::COPULA)
            .or(Cue::NEGATION)
            .or(Cue::ADVERB);
        while at < folded.len() && word(at) && {
            let own = folded.get(at);
            folded.cue(at).is(helps) || own.ends_with("n't") || own.ends_with("ly")
        } {
            at += 1;
        }
        // What they do or are, and of what, where that is told apart.
        at = (at + 1).min(folded.len());
        let ends = |i: usize| {
            matches!(folded.get(i), "that" | "but") || view.at(view.lexemes[i].span) == ":"
        };
        let rest = (at..folded.len()).take(CLAUSE);
        if let Some(end) = rest.clone().find(|i| ends(*i)) {
            at = end;
        }
        let own = view.lexemes[start..at].iter();
        spans.extend(own.filter(|l| l.kind == LexKind::Word).map(|l| l.span));
    }
    spans
}

/// Whether a name is that of whom the answer speaks to ("Hello Sam", "Thanks, Sam!", "Dear Ms. Hart and
/// Mr. Lee"). `before` and `after` are the text of its sentence on both sides, as far as it is known.
/// Behind a mark only a single word is: in "Yes, Sam Lee, who …" somebody else is meant.
#[must_use]
pub fn hailed(name: &str, before: &str, after: &str) -> bool {
    let (mut hails, mut polite) = (false, false);
    for piece in before.split_whitespace() {
        let word = fold_name(piece);
        let known = frames().marks(&word);
        let parted = piece.ends_with([',', '!', ';', ':']);
        if known.has("hail") {
            hails = true;
        } else if known.has("polite") {
            polite = true;
        } else if !word.is_empty()
            && !known.has("honorific")
            && !class(&word).has(WordClass::TITLE)
            && (!hails || parted || !(may_be_addressed(piece) || is_capital(piece)))
        {
            return false;
        }
        hails &= !parted;
        polite |= known.has("hail");
    }
    hails || polite && !name.contains(' ') && after.starts_with([',', '!', '.', '?'])
}

/// Whether a name signs a letter ("Best regards, Sam Lee"): `before` ends in a closing and its mark or
/// line, and `after`, as far as it is known, does not go on with a word.
#[must_use]
pub fn signed(before: &str, after: &str) -> bool {
    if after
        .trim_start_matches([' ', '\t'])
        .starts_with(char::is_alphanumeric)
    {
        return false;
    }
    let line = before.trim_end();
    let broken = before[line.len()..].contains('\n');
    let bare = line.trim_end_matches([',', '!', '—', '–', '-', ' ']);
    if bare.len() == line.len() && !broken {
        return false;
    }
    let own = bare.rsplit(['\n', '.', '!', '?']).next().unwrap_or(bare);
    frames().has("closing", &fold_name(own))
}

/// Whether a word greets whom it stands before; with `true` where that may be anybody ("Dear customer").
#[must_use]
pub fn greets(word: &str) -> Option<bool> {
    let folded = fold_name(word);
    (frames().has("hail", &folded) && folded != "welcome").then(|| folded == "dear")
}

/// Whether a word with a small letter may stand between a greeting and its mark.
#[must_use]
pub fn may_be_addressed(word: &str) -> bool {
    frames().has("addressed", &fold_name(word)) || word == "&"
}

/// Whether a word with a small letter may stand in a signature.
#[must_use]
pub fn is_joint(word: &str) -> bool {
    matches!(word, "and" | "of" | "the" | "at" | "from" | "&" | "your")
}

/// Of the closings of a letter whose bits are in `which`, and whose first `n` words were read, those that
/// go on with `word`; without one those that end there.
#[must_use]
pub fn closing_words(n: u8, which: u32, word: Option<&str>) -> u32 {
    static CLOSINGS: OnceLock<Vec<Vec<&'static str>>> = OnceLock::new();
    let closings = CLOSINGS.get_or_init(|| {
        let listed = frames().listed("closing").iter().take(32);
        listed.map(|closing| closing.split(' ').collect()).collect()
    });
    let word = word.map(fold_name);
    let mut left = 0;
    for (at, closing) in closings.iter().enumerate() {
        let own = closing.get(usize::from(n)).copied();
        if which & (1 << at) != 0 && own == word.as_deref() {
            left |= 1 << at;
        }
    }
    left
}

fn is_capital(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
}

/// Where "Hello Sam," or a bare "OK" before the sentence ends, in lexemes.
fn addressed(view: &SentenceView<'_>, folded: &Folded<'_>) -> usize {
    let first = (0..folded.len()).find(|i| view.kind(*i) == Some(LexKind::Word));
    let Some(first) = first else { return 0 };
    if frames().has("hail", folded.get(first)) {
        let named = (first + 1..folded.len())
            .take(ADDRESSED)
            .find(|i| matches!(view.word(*i), "," | "!"));
        let capital = |i: usize| view.lexemes[i].flags.has(LexFlags::CAPITALIZED);
        return named
            .filter(|end| (first + 1..*end).all(capital))
            .unwrap_or(first + 1);
    }
    if matches!(folded.get(first), "ok" | "okay") {
        return first + 1;
    }
    0
}

/// The word before the sign of a short form, and whether it is one.
fn parted(word: &str) -> (&str, bool) {
    match word.split_once(['\'', '’']) {
        Some((base, end)) if JOINED.contains(&end) => (base, true),
        _ => (word, false),
    }
}
