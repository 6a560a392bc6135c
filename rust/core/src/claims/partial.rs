//! Denials that leave what they deny as it is: "is not only open on Sundays", "does not cost more than
//! €12", "is not fully encrypted", "is not the owner but the manager".

use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::tables::denials;
use crate::normal::fold;

/// A word of a text.
struct Term<'a> {
    written: &'a str,
    folded: String,
    /// What stands right behind it.
    mark: char,
}

/// Whether a denial is one of a part: of what is so for all, always, alone, to the full, in that manner
/// or by more than so much, where `held` says nothing of the kind; or one that a "but" takes over to
/// another thing. It does not stand against what it speaks of.
#[must_use]
pub fn denies_part(denied: &str, held: &str) -> bool {
    let words = terms(denied);
    let Some(not) = words.iter().position(|word| denies(&word.folded)) else {
        return false;
    };
    let told = terms(held);
    let at = |i: usize| words.get(i).map_or("", |word| word.folded.as_str());
    let mut over = false;
    let compared = words[not..].iter().filter(|w| w.folded == "as").count() > 1;
    for i in not..words.len() {
        let word = at(i);
        let before = i.checked_sub(1).map_or("", at);
        let mark = i.checked_sub(1).map_or(' ', |i| words[i].mark);
        if i > not && matches!(mark, ';' | '—' | '–') {
            break;
        }
        over |= i > not && mark == ',';
        if word == "but" {
            return !(mark == ',' && acts(&words[i + 1..]));
        }
        // "is not open on Sundays, only on Mondays"
        if over {
            continue;
        }
        // "not yet 40 and already the manager": what is joined so is no more denied.
        let joined = word == "and" && denials().has("joined", at(i + 1));
        // "no longer", "not any more"
        let past = matches!(word, "longer" | "more") && matches!(before, "no" | "any");
        let ended = past && at(i + 1) != "than";
        let narrows = denials().has("partly", word) && !ended
            || compared && word == "as"
            || is_manner(&words[i]);
        if joined || narrows && !told.iter().any(|own| own.folded == word) {
            return true;
        }
    }
    false
}

/// Whether a denial is one of all or of always: "is not closed every Monday".
#[must_use]
pub fn denies_every(text: &str) -> bool {
    let words = terms(text);
    let not = words.iter().position(|word| denies(&word.folded));
    not.is_some_and(|not| {
        let mut behind = words[not..].iter();
        behind.any(|word| denials().has("of_all", &word.folded))
    })
}

fn denies(word: &str) -> bool {
    cue(word).is(Cue::NEGATION) || word == "no" || word.ends_with("n't")
}

/// "officially", "overnight": how or when something is done, and not how sure or sorry who says so is.
fn is_manner(word: &Term<'_>) -> bool {
    let own = word.folded.rsplit('-').next().unwrap_or("");
    let ending = own.len() > 4 && own.ends_with("ly");
    ending
        && !word.written.starts_with(char::is_uppercase)
        && !cue(own).is(Cue::FALSE_ADVERB)
        && !denials().has("no_manner", own)
}

/// Whether a verb stands among the words: "but the sauna is".
fn acts(words: &[Term<'_>]) -> bool {
    let verbal = Cue::COPULA.or(Cue::AUXILIARY);
    words.iter().any(|word| cue(&word.folded).is(verbal))
}

fn terms(text: &str) -> Vec<Term<'_>> {
    let mark = |c: char| matches!(c, ',' | ';' | '—' | '–' | '.' | ':' | '(' | ')');
    text.split_whitespace()
        .filter_map(|piece| {
            let written = piece.trim_matches(|c: char| !c.is_alphanumeric());
            let last = piece.chars().last().filter(|c| mark(*c));
            let mut folded = String::new();
            fold(written, &mut folded);
            (!folded.is_empty()).then_some(Term {
                written,
                folded,
                mark: last.unwrap_or(' '),
            })
        })
        .collect()
}
