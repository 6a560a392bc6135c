//! A sentence as its words, for what is compared word by word.

use crate::detect::words_at::words_at;
use crate::lexicon::cues::{Cue, cue, verb};
use crate::lexicon::denials::side;
use crate::lexicon::tables::denials;
use crate::normal::stem;

/// A word of a sentence.
pub(super) struct Word {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) folded: String,
    /// It says something of its own, and is no number.
    pub(super) content: bool,
    /// A comma or another mark parts it from the word before.
    pub(super) parted: bool,
}

impl Word {
    pub(super) fn stem(&self) -> String {
        stem(&self.folded).into_owned()
    }

    pub(super) fn denies(&self) -> bool {
        let word = &*self.folded;
        cue(word).is(Cue::NEGATION) || word == "no" || word.ends_with("n't")
    }

    /// A form of "be" or another verb that helps.
    pub(super) fn helps(&self) -> bool {
        cue(&self.folded).is(Cue::COPULA.or(Cue::AUXILIARY)) || denials().has("be", &self.folded)
    }
}

pub(super) fn words(text: &str) -> Vec<Word> {
    each_word(text).collect()
}

/// The same one by one, where the first of them may tell enough.
pub(super) fn each_word(text: &str) -> impl Iterator<Item = Word> + '_ {
    let mut last = 0;
    let one = move |(start, end, folded): (usize, usize, String)| {
        let between = text.get(last..start).unwrap_or("");
        let parted = last > 0 && between.contains([',', ';', ':', '(', ')', '—', '–']);
        last = end;
        let digits = folded.contains(|c: char| c.is_ascii_digit());
        let content = !digits && !cue(&folded).is(Cue::FUNCTION.or(Cue::NEGATION));
        Word {
            start,
            end,
            folded,
            content,
            parted,
        }
    };
    words_at(text).map(one)
}

/// A word by its verb, where it is one, else by its stem.
pub(super) fn base(word: &Word) -> String {
    verb(&word.folded).map_or_else(|| word.stem(), str::to_owned)
}

pub(super) fn number(word: &Word) -> bool {
    word.folded.contains(|c: char| c.is_ascii_digit())
}

/// Whether all words of the first are among those of the second.
pub(super) fn within(a: &[String], b: &[String]) -> bool {
    a.iter().all(|word| b.contains(word))
}

pub(super) fn same_words(a: &[String], b: &[String]) -> bool {
    within(a, b) && within(b, a)
}

/// Whether a sentence leaves open what it says, or gives it as somebody's words.
pub(super) fn leaves_open(text: &str, words: &[Word]) -> bool {
    text.contains(['?', '"', '“', '”'])
        || words.iter().enumerate().any(|(i, word)| {
            // "In May" is a month.
            let month = i > 0 && text.get(word.start..word.end) == Some("May");
            let modal = matches!(&*word.folded, "would" | "should" | "when");
            !month && (modal || cue(&word.folded).is(Cue::CONDITION.or(Cue::HEDGE)))
        })
}

/// What the words say and whether it is denied: a word that denies stands for what it denies. `None`
/// where it is denied twice.
pub(super) fn sided<'a>(words: impl Iterator<Item = &'a Word>) -> Option<(Vec<String>, bool)> {
    let (mut said, mut denied, mut state) = (Vec::new(), 0, false);
    let mut named = false;
    for word in words {
        // "Unless they have a permit."
        let noun = std::mem::replace(&mut named, cue(&word.folded).is(Cue::DETERMINER));
        if word.denies() {
            denied += 1;
            continue;
        }
        if word.helps() {
            state = true;
        }
        match side(&word.folded, state).filter(|side| side.listed && !noun) {
            Some(side) => {
                denied += usize::from(side.denies);
                said.push(format!("={}", side.of));
            }
            None if word.content && !denials().has("of_all", &word.folded) => {
                said.push(word.stem());
            }
            None => {}
        }
    }
    (denied < 2).then_some((said, denied == 1))
}
