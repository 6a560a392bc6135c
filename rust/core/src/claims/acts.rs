//! Verb phrases that say an attribute of the knowledge base which the lexicon does not list: "was coached by" of
//! its coach, "was passed on" of when it was passed.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::lexicon::cues::verb;
use crate::lexicon::tables::roles;

/// Phrases (base form and preposition; `^` and the verb, where the subject is the value) and their attributes.
#[derive(Debug, Clone, Default)]
pub(super) struct Acts(FxHashMap<String, String>);

impl Acts {
    pub(super) fn of(names: &FxHashSet<String>) -> Self {
        let mut acts = Self::default();
        for name in names {
            acts.note(name);
        }
        acts
    }

    /// The attribute that the phrase says.
    pub(super) fn get(&self, phrase: &str) -> Option<&str> {
        self.0.get(phrase).map(String::as_str)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn put(&mut self, phrase: String, name: &str) {
        self.0.entry(phrase).or_insert_with(|| name.to_owned());
    }

    fn note(&mut self, name: &str) {
        if roles().has("many", name) {
            return;
        }
        let (first, bare) = match name.strip_prefix("first_") {
            Some(bare) => ("first ", bare),
            None => ("", name),
        };
        if let Some(base) = agent_verb(bare) {
            self.put(format!("{first}{base} by"), name);
            if first.is_empty() {
                self.put(format!("^{base}"), name);
            }
        }
        for base in roles().listed(&format!("by_{name}")) {
            if !matches!(
                *base,
                "bear"
                    | "die"
                    | "live"
                    | "reside"
                    | "base"
                    | "headquarter"
                    | "situate"
                    | "graduate"
            ) {
                self.put(format!("{base} by"), name);
            }
        }
        if let Some(base) = bare.strip_suffix("_by").and_then(participle) {
            self.put(format!("{first}{base} by"), name);
        }
        let date = ["_in", "_on", "_date", "_year"];
        let when = date.iter().find_map(|end| bare.strip_suffix(end));
        let when = when.or_else(|| {
            let led = ["date_", "year_"];
            led.iter().find_map(|lead| bare.strip_prefix(lead))
        });
        if let Some(base) = participle(when.unwrap_or(bare)).filter(|_| first.is_empty()) {
            self.put(format!("{base} in"), name);
            self.put(format!("{base} on"), name);
        }
    }
}

/// "pass" of "passed".
fn participle(word: &str) -> Option<&'static str> {
    verb(word).filter(|base| *base != word && !word.ends_with("ing") && !word.ends_with('s'))
}

/// "conduct" of "conductor", "win" of "winner", "coach" of "coach".
fn agent_verb(noun: &str) -> Option<&'static str> {
    let base = |word: &str| verb(word).filter(|base| *base == word);
    if roles().has("acts", noun) {
        return base(noun);
    }
    let root = noun
        .strip_suffix("er")
        .or_else(|| noun.strip_suffix("or"))?;
    let doubled = || {
        let mut ends = root.chars().rev();
        let (last, before) = (ends.next()?, ends.next()?);
        (last == before).then(|| &root[..root.len() - last.len_utf8()])
    };
    base(root)
        .or_else(|| base(&format!("{root}e")))
        .or_else(|| base(doubled()?))
}
