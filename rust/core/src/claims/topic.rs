//! What a claim is about, in words that can stand in a statement of their own.

use std::ops::Range;

use crate::lexicon::cues::Cue;
use crate::lexicon::tables::{frames, stance};
use crate::lexicon::words::{WordClass, class};
use crate::types::{Claim, LexFlags, LexKind, Lexeme, Span};

use super::view::{Folded, SentenceView};

/// Most words of a thing without a name.
const WORDS: usize = 6;
/// Most words of a greeting or remark before the comma.
const REMARK: usize = 3;

/// The thing that a claim is about: the entity its pronoun stands for, the name that is its
/// subject, else the noun phrase ("our support team", "refunds") in small letters. None where the
/// subject is no thing: a remark, a greeting, a pronoun, a word that only determines a noun.
#[must_use]
pub fn topic(view: &SentenceView<'_>, claim: &Claim) -> Option<String> {
    let Some(span) = claim.subject_span else {
        return claim.subject.clone();
    };
    let folded = &view.folded();
    let mut range = view.lexemes_in(span);
    // "The Tarn Bridge's" ends within its last word.
    let cut = |lexeme: &Lexeme| lexeme.span.start < span.end;
    range.end += usize::from(view.lexemes.get(range.end).is_some_and(cut));
    if range.is_empty() {
        return None;
    }
    if folded.cue(range.start).is(pronoun()) && range.len() == 1 {
        let known = claim.referent.as_ref().filter(|r| !r.entities.is_empty());
        return known.map(|r| r.name.clone());
    }
    if greets(view, folded, &range) {
        range = behind_remark(view, range.end)?;
    }
    // "our" of "our support team": the clause's subject is the whole.
    let around = view.clauses().iter().map(|clause| clause.subject.clone());
    let determines = Cue::POSSESSIVE.or(Cue::DETERMINER);
    if range.clone().all(|i| folded.cue(i).is(determines)) {
        range = around.clone().find(|own| {
            own.start <= range.start && range.end < own.end && own.end <= view.lexemes.len()
        })?;
    }
    let named = range.clone().any(|i| name_like(view, folded, i));
    if named {
        // The article of "the Acme CEO" is the CEO's.
        let goes_on = view.kind(range.end) == Some(LexKind::Word)
            && !folded
                .cue(range.end)
                .is(Cue::PREPOSITION.or(Cue::CONJUNCTION))
            && !ends_owned(view.word(range.end - 1))
            && around
                .clone()
                .any(|own| own.contains(&range.end) && own.contains(&range.start));
        if goes_on && folded.get(range.start) == "the" && range.len() > 1 {
            range.start += 1;
        }
        let text = view.at(whole(view, &range)?);
        let bare = OWNED.iter().find_map(|end| text.strip_suffix(end));
        return Some(bare.unwrap_or(text).to_owned());
    }
    thing(view, folded, range)
}

/// Ends of whose something is.
const OWNED: [&str; 2] = ["'s", "’s"];

fn ends_owned(word: &str) -> bool {
    OWNED.iter().any(|end| word.ends_with(end))
}

fn pronoun() -> Cue {
    Cue::PRONOUN_PERSON
        .or(Cue::PRONOUN_THING)
        .or(Cue::PRONOUN_GROUP)
        .or(Cue::PRONOUN_OTHER)
}

/// "Yes," "Hi Anna," "Good news,": words before a comma that are no subject.
fn greets(view: &SentenceView<'_>, folded: &Folded<'_>, range: &Range<usize>) -> bool {
    let first = folded.get(range.start);
    let opens = ["remark", "hail", "polite"]
        .iter()
        .any(|class| frames().has(class, first));
    let words = range
        .clone()
        .filter(|i| view.kind(*i) == Some(LexKind::Word))
        .count();
    opens && words <= REMARK && matches!(view.word(range.end), "," | "!" | ":" | "-" | "–" | "—")
}

/// The words from the last comma before the next clause's verb to that verb.
fn behind_remark(view: &SentenceView<'_>, from: usize) -> Option<Range<usize>> {
    let mut groups = view.clauses().iter().map(|clause| clause.group.start);
    let verb = groups.find(|at| *at > from)?;
    let start = (from..verb)
        .rev()
        .find(|i| view.kind(*i) == Some(LexKind::Punct))?
        + 1;
    (start < verb).then_some(start..verb)
}

/// Whether a word is part of a name rather than the first of its sentence.
fn name_like(view: &SentenceView<'_>, folded: &Folded<'_>, i: usize) -> bool {
    let lexeme = &view.lexemes[i];
    let flags = lexeme.flags;
    let mentioned = || {
        view.mentions
            .iter()
            .any(|mention| mention.span.contains(lexeme.span))
    };
    let capital = flags.has(LexFlags::CAPITALIZED) || flags.has(LexFlags::MIXED_CASE);
    let opens = flags.has(LexFlags::SENTENCE_START) || flags.has(LexFlags::AFTER_OPENER);
    lexeme.kind == LexKind::Word
        && capital
        && !folded
            .cue(i)
            .is(Cue::FUNCTION.or(Cue::DETERMINER).or(Cue::POSSESSIVE))
        && (!opens || mentioned() || !class(folded.get(i)).has(WordClass::COMMON))
}

fn whole(view: &SentenceView<'_>, range: &Range<usize>) -> Option<Span> {
    let first = view.lexemes.get(range.start)?.span.start;
    let last = view.lexemes.get(range.end.checked_sub(1)?)?.span.end;
    Some(Span::new(first, last))
}

/// A noun phrase without a name: as far as it goes without a preposition, a number or a mark.
fn thing(view: &SentenceView<'_>, folded: &Folded<'_>, range: Range<usize>) -> Option<String> {
    let cue = |i: usize| folded.cue(i);
    let mut start = range.start;
    let owned = |i: usize| folded.get(i) == "the" || cue(i).is(Cue::POSSESSIVE);
    while start < range.end
        && !owned(start)
        && cue(start).is(Cue::NEGATION.or(Cue::CONJUNCTION).or(Cue::BREAK))
    {
        start += 1;
    }
    let apart = pronoun()
        .or(Cue::PREPOSITION)
        .or(Cue::QUESTION)
        .or(Cue::ADVERB)
        .or(Cue::NEGATION)
        .or(Cue::AUXILIARY)
        .or(Cue::COPULA)
        .or(Cue::BREAK);
    let ends = |i: &usize| {
        let flags = view.lexemes[*i].flags;
        view.kind(*i) != Some(LexKind::Word)
            || flags.has(LexFlags::HAS_DIGIT)
            || flags.has(LexFlags::TECHNICAL)
            || cue(*i).is(apart) && !owned(*i) && !(*i == start && cue(*i).is(Cue::DETERMINER))
            || stance().has("pointing", folded.get(*i))
    };
    let end = (start..range.end).find(ends).unwrap_or(range.end);
    let determines = |i: usize| owned(i) || cue(i).is(Cue::DETERMINER);
    let nouns = (start..end).filter(|i| !determines(*i)).count();
    if nouns == 0 || end - start > WORDS || frames().has("remark", folded.get(start)) {
        return None;
    }
    let words = (start..end).map(|i| {
        let word = view.word(i);
        let first = i == start && !view.lexemes[i].flags.has(LexFlags::ALL_CAPS);
        if first {
            word.to_lowercase()
        } else {
            word.to_owned()
        }
    });
    Some(words.collect::<Vec<_>>().join(" "))
}
