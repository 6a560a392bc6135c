//! In which way a sentence is said.

use crate::lexicon::cues::{Cue, phrase};
use crate::lexicon::tables::{denials, stance};
use crate::normal::fold_name;
use crate::types::{LexFlags, LexKind, Modality};

use super::hedges::Hedges;
use super::view::{Folded, SentenceView};

/// Share of words inside quotation marks from which a sentence is somebody's words.
const QUOTED_SHARE: f64 = 0.6;

/// Bytes of a label before what it denies, at most.
const LABEL: usize = 32;

/// How strongly the sentence is hedged, 0..1: 0 where a clause of it is put forward as so.
#[must_use]
pub fn hedge_strength(view: &SentenceView<'_>, folded: &Folded) -> f64 {
    Hedges::read(view, folded).sentence()
}

/// The way the sentence is said, from its words and marks and how strongly it is hedged.
#[must_use]
pub fn modality(view: &SentenceView<'_>, folded: &Folded, hedge: f64) -> Modality {
    let words: Vec<usize> = (0..view.lexemes.len())
        .filter(|i| view.lexemes[*i].kind == LexKind::Word)
        .collect();
    let quoted = words.iter().filter(|i| laid_down(view, **i)).count();
    if !words.is_empty() && quoted as f64 >= QUOTED_SHARE * words.len() as f64 {
        return Modality::Quoted;
    }
    if opens_quoted(view, folded, &words) || view.text.starts_with('>') || is_refuted(view) {
        return Modality::Quoted;
    }
    if is_question(view, folded, &words) {
        return Modality::Question;
    }
    if is_instruction(view, folded, &words) {
        return Modality::Instruction;
    }
    if hedge > 0.0 {
        Modality::Hedged
    } else {
        Modality::Asserted
    }
}

/// Whether a word is in quotation marks that lay it in somebody's mouth: a form's string is
/// nobody's words, unless its key says so ("quote", "wrong_answers").
fn laid_down(view: &SentenceView<'_>, i: usize) -> bool {
    let flags = view.lexemes[i].flags;
    let voiced = || {
        let keys = (0..i).filter_map(|colon| view.key(colon));
        keys.flatten().any(|word| {
            let word = view.word(word).to_lowercase();
            let says = |part| {
                let classes = ["voiced", "doubtful", "misstated"];
                classes.iter().any(|class| stance().has(class, part))
            };
            word.split(['_', '-']).any(says)
        })
    };
    flags.has(LexFlags::QUOTED) && (!flags.has(LexFlags::FORM) || voiced())
}

/// "**Myth:** X opened in 1980.", "❌ X opened in 1980", "~~X opened in 1980~~": what is put there to be denied.
fn is_refuted(view: &SentenceView<'_>) -> bool {
    let text = view
        .text
        .trim_start_matches(['-', '*', '•', '+', ' ', '_', '#']);
    if text.starts_with(['❌', '✗', '✘', '✖']) || text.starts_with("~~") {
        return true;
    }
    let label = text.split_once(':').map_or("", |(label, _)| label);
    let label = label.trim_end_matches(['*', '_', ' ']);
    label.len() <= LABEL && denials().has("refuted", &fold_name(label))
}

/// "“…,” said the coach": the quotation opens the sentence and somebody is named for it.
fn opens_quoted(view: &SentenceView<'_>, folded: &Folded, words: &[usize]) -> bool {
    let quoted = |i: &usize| laid_down(view, *i);
    words.first().is_some_and(quoted)
        && words
            .iter()
            .skip_while(|i| quoted(i))
            .take(3)
            .any(|i| folded.cue(*i).is(Cue::QUOTATIVE))
}

fn is_question(view: &SentenceView<'_>, folded: &Folded, words: &[usize]) -> bool {
    match view.sentence.terminator {
        Some('?' | '？' | '؟') => true,
        // A sentence that is cut off or ends a line may lack its mark: "What is", "Does it".
        None => {
            let mut cues = words.iter().map(|i| folded.cue(*i));
            let verb = Cue::COPULA.or(Cue::AUXILIARY);
            let (first, second) = (
                cues.next().unwrap_or_default(),
                cues.next().unwrap_or_default(),
            );
            (first.is(Cue::QUESTION) && second.is(verb))
                || (first.is(verb)
                    && second.is(Cue::PRONOUN_PERSON
                        .or(Cue::PRONOUN_THING)
                        .or(Cue::PRONOUN_GROUP)
                        .or(Cue::PRONOUN_OTHER)))
        }
        Some(_) => false,
    }
}

fn is_instruction(view: &SentenceView<'_>, folded: &Folded, words: &[usize]) -> bool {
    let Some(first) = words.first() else {
        return false;
    };
    let cue = |at: usize| words.get(at).map_or(Cue::default(), |i| folded.cue(*i));
    let instruct = |at: usize| {
        let known = folded.known(words[at]);
        known.cue.is(Cue::INSTRUCT)
            || (known.opens_phrase && {
                let rest = words[at..].iter().map(|i| folded.get(*i));
                phrase(rest).is_some_and(|(cue, _)| cue.is(Cue::INSTRUCT))
            })
    };
    // "First, mix …", "If it leaks, call …": the verb may open the clause after the comma.
    let after = folded
        .cue(*first)
        .is(Cue::ADVERB.or(Cue::BREAK).or(Cue::PREPOSITION))
        .then(|| {
            let comma = view
                .lexemes
                .iter()
                .position(|l| l.kind == LexKind::Punct && view.at(l.span) == ",")?;
            words.iter().position(|i| *i > comma)
        })
        .flatten();
    // "Then wait 5 minutes", "Now turn the key".
    let told = |at: usize| {
        let Some(verb) = words.get(at) else {
            return false;
        };
        let number = view
            .lexemes
            .get(verb + 1)
            .is_some_and(|lexeme| lexeme.kind == LexKind::Number);
        number || cue(at + 1).is(Cue::DETERMINER.or(Cue::POSSESSIVE).or(Cue::PRONOUN_THING))
    };
    let led = (after.is_none() && folded.cue(*first).is(Cue::ADVERB) && told(1)).then_some(1);
    [Some(0), after, led].into_iter().flatten().any(|at| {
        if instruct(at) {
            return true;
        }
        // "Contact us", "Store it in a dry place", not "Contact is …" or "Open hours are …".
        let flags = view.lexemes[words[at]].flags;
        let opens = at > 0 || flags.has(LexFlags::SENTENCE_START) || words[at] == 0;
        let verbal = Cue::COPULA.or(Cue::AUXILIARY);
        // "Back in 1980, X was founded."
        let ago = folded.get(words[at]) == "back"
            && matches!(
                words.get(at + 1).map(|i| folded.get(*i)),
                Some("in" | "then" | "when")
            );
        if !opens
            || ago
            || words.len() < 2
            || !cue(at).is(Cue::IMPERATIVE)
            || cue(at).is(verbal.or(Cue::PRONOUN_THING))
        {
            return false;
        }
        let next = cue(at + 1);
        let object = Cue::DETERMINER
            .or(Cue::PREPOSITION)
            .or(Cue::PRONOUN_THING)
            .or(Cue::PRONOUN_GROUP)
            .or(Cue::PRONOUN_OTHER)
            .or(Cue::POSSESSIVE)
            .or(Cue::ADVERB)
            .or(Cue::QUESTION);
        let later = || {
            words[at + 1..]
                .iter()
                .any(|i| folded.cue(*i).is(Cue::COPULA))
        };
        !next.is(verbal)
            && !words.get(at + 1).is_some_and(|i| finite(folded, *i))
            && (next.is(object) || !later())
    })
}

/// A form that only a finite verb has ("Research shows").
fn finite(folded: &Folded, at: usize) -> bool {
    let word = folded.get(at);
    !word.ends_with("ing") && folded.known(at).verb.is_some_and(|base| base != word)
}
