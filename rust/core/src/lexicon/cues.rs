//! Closed classes that claims are read by, and the forms of verbs.

use std::borrow::Cow;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

/// Classes a word belongs to, as bit flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cue(pub u32);

macro_rules! classes {
    ($($(#[$doc:meta])* $name:ident = $bit:literal, $text:literal;)+) => {
        impl Cue {
            $($(#[$doc])* pub const $name: Self = Self(1 << $bit);)+

            fn class(name: &str) -> Option<Self> {
                match name { $($text => Some(Self::$name),)+ _ => None }
            }
        }
    };
}

classes! {
    /// "who", "how".
    QUESTION = 0, "question";
    /// "not", "never".
    NEGATION = 1, "negation";
    /// "said", "wrote".
    QUOTATIVE = 2, "quotative";
    /// "he", "she".
    PRONOUN_PERSON = 3, "pronoun_person";
    /// "it", "this".
    PRONOUN_THING = 4, "pronoun_thing";
    /// "they".
    PRONOUN_GROUP = 5, "pronoun_group";
    /// "you", "someone".
    PRONOUN_OTHER = 6, "pronoun_other";
    /// "its", "his".
    POSSESSIVE = 7, "possessive";
    /// "is", "were".
    COPULA = 8, "copula";
    /// "has", "did", "will".
    AUXILIARY = 9, "auxiliary";
    /// "might", "perhaps".
    HEDGE = 10, "hedge";
    /// Verbs that open an instruction.
    IMPERATIVE = 11, "imperative";
    /// "you should", "please".
    INSTRUCT = 12, "instruct";
    /// Adverbs that may stand inside a verb group.
    ADVERB = 13, "adverb";
    /// "in", "by".
    PREPOSITION = 14, "preposition";
    /// Words that open a subordinate clause.
    BREAK = 15, "break";
    /// "and", "but".
    CONJUNCTION = 16, "conjunction";
    /// "the", "a".
    DETERMINER = 17, "determiner";
    /// Words that say nothing of the subject matter.
    FUNCTION = 18, "function";
    /// Base forms of verbs.
    VERB = 19, "verb";
    /// Words of answers about the answer.
    META = 20, "meta";
    /// Words that make one verb with the verb before them ("burn down").
    PARTICLE = 21, "particle";
    /// Adverbs and nouns of time that end a noun phrase ("twice a day", "last year").
    TEMPORAL = 22, "temporal";
    /// Openers whose clause is not said to be so ("if").
    CONDITION = 23, "condition";
    /// Adjectives that no ending tells.
    ADJECTIVE = 24, "adjective";
    /// Verbs that report what somebody says or holds.
    REPORT = 25, "report";
    /// Verbs whose passive names its subject ("is called").
    NAMING = 26, "naming";
    /// Past or passive forms that look like the base form ("cost", "spread").
    UNCHANGED = 27, "unchanged";
    /// Nouns that look like adverbs ("family").
    FALSE_ADVERB = 28, "false_adverb";
    /// Nouns that only carry what stands after "of" ("the end of").
    PARTITIVE = 29, "partitive";
}

impl Cue {
    /// Whether it is in any class of `other`.
    #[must_use]
    #[inline]
    pub const fn is(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Without the classes of `other`.
    #[must_use]
    #[inline]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Both sets.
    #[must_use]
    #[inline]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// What the lexicon knows of a folded word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Known<'a> {
    /// Its classes.
    pub cue: Cue,
    /// Base form, if it is a form of a verb.
    pub verb: Option<&'a str>,
    /// Whether a phrase of several words starts with it.
    pub opens_phrase: bool,
}

/// Endings of regular verb forms, the likelier first, with what the base has in their place.
const ENDINGS: [(&str, &str); 10] = [
    ("", ""),
    ("s", ""),
    ("es", ""),
    ("es", "e"),
    ("ed", ""),
    ("d", ""),
    ("ies", "y"),
    ("ied", "y"),
    ("ing", ""),
    ("ing", "e"),
];

/// All regular forms of a verb, itself first.
pub(super) fn forms(base: &str) -> Vec<String> {
    let mut forms: Vec<String> = ENDINGS
        .iter()
        .filter_map(|(ending, put)| Some(format!("{}{ending}", base.strip_suffix(put)?)))
        .collect();
    if doubles(base) {
        let last = &base[base.len() - 1..];
        forms.extend(["ed", "ing"].map(|ending| format!("{base}{last}{ending}")));
    }
    forms
}

/// Whether the verb may double its last letter ("plan" → "planned", "rebel" → "rebelled").
fn doubles(base: &str) -> bool {
    let mut last = base.bytes().rev();
    let vowel = |b: u8| matches!(b, b'a' | b'e' | b'i' | b'o' | b'u');
    matches!((last.next(), last.next(), last.next()), (Some(c), Some(v), Some(b))
        if !vowel(c) && !matches!(c, b'w' | b'x' | b'y') && vowel(v) && !vowel(b))
}

#[derive(Default)]
struct Tables {
    words: FxHashMap<Cow<'static, str>, Known<'static>>,
    phrases: FxHashMap<&'static str, Vec<(Vec<&'static str>, Cue)>>,
}

impl Tables {
    /// Adds all forms of all verbs, so that a verb is found by one look-up.
    fn conjugate(&mut self, irregular: &[(&'static str, &'static str)]) {
        let bases: Vec<&'static str> = self
            .words
            .iter()
            .filter(|(_, known)| known.cue.is(Cue::VERB))
            .filter_map(|(word, _)| match word {
                Cow::Borrowed(word) => Some(*word),
                Cow::Owned(_) => None,
            })
            .collect();
        for (form, base) in irregular {
            self.words.entry(Cow::Borrowed(form)).or_default().verb = Some(base);
        }
        for (ending, put) in ENDINGS {
            for base in &bases {
                let Some(stem) = base.strip_suffix(put) else {
                    continue;
                };
                let form = if ending.is_empty() {
                    Cow::Borrowed(*base)
                } else {
                    Cow::Owned(format!("{stem}{ending}"))
                };
                self.words.entry(form).or_default().verb.get_or_insert(base);
            }
        }
        for base in bases.iter().filter(|base| doubles(base)) {
            for ending in ["ed", "ing"] {
                let form = Cow::Owned(format!("{base}{}{ending}", &base[base.len() - 1..]));
                self.words.entry(form).or_default().verb.get_or_insert(base);
            }
        }
        for word in self.phrases.keys() {
            self.words
                .entry(Cow::Borrowed(word))
                .or_default()
                .opens_phrase = true;
        }
    }
}

fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| {
        let mut tables = Tables::default();
        let mut irregular = Vec::new();
        let files = [table!("cues.tsv"), table!("verbs.tsv")];
        for line in files.iter().flat_map(|file| file.lines()) {
            let Some((class, list)) = line.split_once('\t').filter(|_| !line.starts_with('#'))
            else {
                continue;
            };
            for item in list.split(';') {
                if let Some((form, base)) = item.split_once('=') {
                    irregular.push((form, base));
                    continue;
                }
                let Some(cue) = Cue::class(class) else {
                    continue;
                };
                if item.contains(' ') {
                    let words: Vec<&str> = item.split(' ').collect();
                    tables
                        .phrases
                        .entry(words[0])
                        .or_default()
                        .push((words, cue));
                } else {
                    let known = tables.words.entry(Cow::Borrowed(item)).or_default();
                    known.cue = known.cue.or(cue);
                }
            }
        }
        tables.conjugate(&irregular);
        tables
    })
}

/// All that is known of a folded word.
#[must_use]
pub fn known(folded: &str) -> Known<'static> {
    tables().words.get(folded).copied().unwrap_or_default()
}

/// The word as the lexicon lists it, if it does, and what is known of it. A mark of one character
/// counts as listed.
#[must_use]
pub fn listed(folded: &str) -> (Option<&'static str>, Known<'static>) {
    const MARKS: &str = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
    match tables().words.get_key_value(folded) {
        Some((word, known)) => (Some(word), *known),
        None if folded.len() == 1 => {
            let mark = MARKS.find(folded).map(|at| &MARKS[at..=at]);
            (mark, Known::default())
        }
        None => (None, Known::default()),
    }
}

/// Classes of a folded word.
#[must_use]
pub fn cue(folded: &str) -> Cue {
    known(folded).cue
}

/// Classes of the longest phrase that the words start with, and its length.
#[must_use]
pub fn phrase<'a>(words: impl Iterator<Item = &'a str> + Clone) -> Option<(Cue, usize)> {
    let starts = |phrase: &[&str]| {
        let mut words = words.clone();
        phrase.iter().all(|word| words.next() == Some(*word))
    };
    tables()
        .phrases
        .get(words.clone().next()?)?
        .iter()
        .filter(|(phrase, _)| starts(phrase))
        .max_by_key(|(phrase, _)| phrase.len())
        .map(|(phrase, cue)| (*cue, phrase.len()))
}

/// Base form of a folded verb form, if the lexicon knows the verb ("founded" → "found").
#[must_use]
pub fn verb(folded: &str) -> Option<&'static str> {
    known(folded).verb
}
