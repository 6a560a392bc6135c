//! Whether words that appeal to research or experts do so where they stand.

use std::ops::Range;

use crate::claims::{Folded, SentenceView};
use crate::lexicon::contrast::contrast;
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::sources;
use crate::lexicon::words::{WordClass, class};
use crate::types::{LexFlags, LexKind, Modality, Span};

use super::sourced::{is_name, names_source, reports};

/// Words before research within which it is said to be known, or to be any.
const BEFORE: usize = 4;
/// Words of a source's name after "according to".
const REACH: usize = 8;

/// Whether the words at `span` assert that there is such research or such experts: not where the
/// sentence asks ("Do studies show …?"), supposes ("If studies show …") or denies it ("No studies
/// show …"), nor where they are no noun ("He studies …"), somebody's own ("our experts", "sales
/// data") or what the text spoke of ("the study"), nor where the sentence names its source.
#[must_use]
pub fn appeals(view: &SentenceView<'_>, span: Span, modality: Modality) -> bool {
    if modality == Modality::Question {
        return false;
    }
    let folded = view.folded();
    let at = view.lexemes_in(span).start;
    let direct = (0..at).rev().take_while(|i| view.word(*i) != ",").take(2);
    let person = Cue::PRONOUN_PERSON.or(Cue::POSSESSIVE);
    for (n, i) in direct.enumerate() {
        if contrast().is_denied(folded.get(i)) || folded.get(i).ends_with("n't") {
            return false;
        }
        if n == 0 && folded.cue(i).is(person) {
            return false;
        }
    }
    // A clause goes back to its mark.
    let mark = |i: &usize| matches!(view.word(*i), "," | ";" | ":" | "—" | "(" | "\"" | "“");
    let mut clause = (0..at).rev().take_while(|i| !mark(i));
    !clause.any(|i| contrast().is_supposed(folded.get(i)))
        && !points_back(view, &folded, view.lexemes_in(span))
        && !shows_itself(view, &folded, view.lexemes_in(span))
        && !told_of_both(view, &folded, view.lexemes_in(span))
        && !told_by(view, &folded, at)
        && !names_source(view, span)
}

/// Whether somebody in particular says what begins at `at`: "the prosecutor said that there is …",
/// "according to the minister, there is …".
fn told_by(view: &SentenceView<'_>, folded: &Folded<'_>, at: usize) -> bool {
    let Some(last) = at.checked_sub(1) else {
        return false;
    };
    if view.word(last) == "," {
        let opens = (0..last).rev().take(REACH).find(|i| folded.get(*i) == "to");
        let according = opens.and_then(|to| to.checked_sub(1));
        return according.is_some_and(|i| folded.get(i) == "according")
            && opens.is_some_and(|to| is_somebody(view, folded, to + 1..last));
    }
    let verb = if folded.get(last) == "that" {
        last.checked_sub(1)
    } else {
        Some(last)
    };
    let Some(verb) = verb.filter(|i| reports(folded, *i)) else {
        return false;
    };
    // "has also said"
    let helps = |i: &usize| folded.cue(*i).is(Cue::AUXILIARY.or(Cue::ADVERB));
    let end = (0..verb).rev().find(|i| !helps(i)).map_or(0, |i| i + 1);
    let stops = Cue::PREPOSITION.or(Cue::CONJUNCTION);
    let phrase = |i: &usize| view.is_term(*i) && !folded.cue(*i).is(stops);
    let start = (0..end).rev().take_while(phrase).take(REACH).last();
    start.is_some_and(|start| is_somebody(view, folded, start..end))
}

/// Whether a noun phrase means somebody in particular, or a few: not "some people", "experts".
fn is_somebody(view: &SentenceView<'_>, folded: &Folded<'_>, phrase: Range<usize>) -> bool {
    let table = sources();
    let (Some(head), false) = (phrase.clone().last(), phrase.is_empty()) else {
        return false;
    };
    if table.has("he_says", folded.get(head)) {
        return true;
    }
    if phrase.clone().any(|i| table.has("anyone", folded.get(i))) {
        return false;
    }
    let marks = table.marks(folded.get(head));
    let own = |i: usize| {
        table.has("definite", folded.get(i))
            || folded.cue(i).is(Cue::POSSESSIVE)
            || is_name(view, folded, i)
    };
    !(marks.has("research") || marks.has("people")) || phrase.clone().any(own)
}

/// "Research shows promise": of the research itself.
fn shows_itself(view: &SentenceView<'_>, folded: &Folded<'_>, at: Range<usize>) -> bool {
    let table = sources();
    let research = at.clone().any(|i| table.has("research", folded.get(i)));
    let outcome = |i: usize| {
        let next = i + 1;
        let ends = !view.is_term(next)
            || folded
                .cue(next)
                .is(Cue::PREPOSITION.or(Cue::CONJUNCTION).or(Cue::ADVERB));
        table.has("outcome", folded.get(i)) && ends
    };
    research
        && table.has("shows", folded.get(at.end.saturating_sub(1)))
        && (outcome(at.end) || view.is_term(at.end) && outcome(at.end + 1))
}

/// "Some studies show a benefit, others do not": what is said is that they differ.
fn told_of_both(view: &SentenceView<'_>, folded: &Folded<'_>, at: Range<usize>) -> bool {
    let table = sources();
    let some = |i: usize| table.has("partly", folded.get(i));
    let partly = at.clone().any(some) || at.start.checked_sub(1).is_some_and(some);
    let opens = |i: usize| {
        let before = folded.get(i - 1);
        matches!(view.word(i - 1), "," | ";" | "—" | "–") || table.has("weighs", before)
    };
    partly
        && (at.end + 1..view.lexemes.len()).any(|i| {
            let others = table.has("rest", folded.get(i)) && opens(i);
            // "though not all do"
            others || folded.get(i) == "not" && folded.get(i + 1) == "all" && opens(i)
        })
}

/// Whether the words at `span` begin with people who may be those of the sentence before
/// ("Researchers found that").
#[must_use]
pub fn resumes(view: &SentenceView<'_>, span: Span) -> bool {
    let first = view.lexemes_in(span).start;
    sources().has("resumed", view.folded().get(first))
}

/// Whether what is appealed to was spoken of, or is somebody's own: "the researchers", "its 2019
/// survey", "sales data".
fn points_back(view: &SentenceView<'_>, folded: &Folded<'_>, at: Range<usize>) -> bool {
    let table = sources();
    let known = |i: &usize| {
        let marks = table.marks(folded.get(*i));
        marks.has("research") || marks.has("people")
    };
    let Some(noun) = at.clone().find(known) else {
        return false;
    };
    // "According to a study", "it is known from studies": read from its first word.
    let determined = |i: usize| table.has("indefinite", folded.get(i));
    if table.has("opens", folded.get(at.start)) || determined(at.start) {
        return false;
    }
    let stops = Cue::PREPOSITION.or(Cue::CONJUNCTION);
    let modifies = |i: &usize| view.is_term(*i) && !folded.cue(*i).is(stops);
    let before = || {
        (0..noun)
            .rev()
            .take_while(|i| at.contains(i) || modifies(i))
            .take(BEFORE)
    };
    if before().any(|i| table.has("vaguely", folded.get(i))) {
        return false;
    }
    let own = |i: usize| {
        let word = folded.get(i);
        table.has("definite", word)
            || folded.cue(i).is(Cue::POSSESSIVE)
            || word.ends_with("'s")
            || word.ends_with("s'")
    };
    if before().any(own) {
        return true;
    }
    if table.has("single", folded.get(noun)) {
        return !before().any(determined);
    }
    table.has("matter", folded.get(noun))
        && at.start.checked_sub(1).filter(modifies).is_some_and(|i| {
            let word = folded.get(i);
            !class(word).has(WordClass::STOPWORD)
                && !table.has("loosely", word)
                && !folded.cue(i).is(Cue::FUNCTION.or(Cue::ADVERB))
        })
}

/// Whether the sentence names the source of what it says: "according to the WHO", "the WHO reports
/// that".
#[must_use]
pub(super) fn attributed(view: &SentenceView<'_>) -> bool {
    let folded = view.folded();
    let named = |i: usize| {
        view.lexemes.get(i).is_some_and(|lexeme| {
            // "Summary: Studies show that": a word of research begins a sentence there.
            let table = sources();
            let research =
                table.has("research", folded.get(i)) || table.has("people", folded.get(i));
            let capital = lexeme.flags.has(LexFlags::CAPITALIZED)
                && !lexeme.flags.has(LexFlags::SENTENCE_START);
            lexeme.kind == LexKind::Word
                && !(research && opens_there(view, i))
                && (capital || view.mentions.iter().any(|m| m.span.overlaps(lexeme.span)))
        })
    };
    let according = (0..view.lexemes.len()).any(|i| {
        let end = (i + 2 + REACH).min(view.lexemes.len());
        folded.get(i) == "according"
            && folded.get(i + 1) == "to"
            && (i + 2..end).take_while(|i| view.word(*i) != ",").any(named)
    });
    // "The WHO found that".
    let reported = (1..view.lexemes.len()).any(|i| {
        let base = folded.known(i).verb.unwrap_or_default();
        let says = contrast().reports(base) || contrast().reports(folded.get(i));
        says && folded.get(i + 1) == "that" && named(i - 1)
    });
    according || reported
}

/// Whether nothing, or a mark that opens a sentence of its own, stands before a lexeme.
fn opens_there(view: &SentenceView<'_>, i: usize) -> bool {
    i.checked_sub(1).is_none_or(|before| {
        matches!(
            view.word(before),
            ":" | "**" | "*" | "\"" | "“" | "—" | "–" | "-" | "(" | ")"
        )
    })
}
