//! Verb phrases that say an attribute of the knowledge base which the lexicon does not list: "P conducts X" of its
//! conductor, "was passed on" of when it was passed. "Was conducted by P" is told where claim and base are compared.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::lexicon::cues::verb;
use crate::lexicon::tables::roles;

/// Phrases (base form and preposition; `^` and the verb, where the subject is the value) and their attributes.
#[derive(Debug, Clone, Default)]
pub(super) struct Acts(FxHashMap<String, String>);

impl Acts {
    pub(super) fn of(names: &FxHashSet<String>) -> Self {
        let mut acts = Self::default();
        let told = roles().under("told_").collect::<Vec<_>>();
        for name in names {
            // "flies to P", of its destination
            let own = told.iter().filter(|(attribute, _)| attribute == name);
            for phrase in own.flat_map(|(_, phrases)| *phrases) {
                acts.put((*phrase).to_owned(), name);
            }
            if let Some(base) = agent_verb(name).filter(|_| !roles().has("many", name)) {
                acts.put(format!("^{base}"), name);
            }
            if let Some(base) = participle(of_date(name)) {
                acts.put(format!("{base} in"), name);
                acts.put(format!("{base} on"), name);
            }
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

    /// Of several attributes the first by name, whatever order they come in.
    fn put(&mut self, phrase: String, name: &str) {
        let own = self.0.entry(phrase).or_insert_with(|| name.to_owned());
        if name < own.as_str() {
            name.clone_into(own);
        }
    }
}

/// "passed" of "passed_on", "passed_date" and "date_passed".
fn of_date(name: &str) -> &str {
    let behind = ["_in", "_on", "_date", "_year"];
    let before = ["date_", "year_"];
    let bare = behind.iter().find_map(|end| name.strip_suffix(end));
    let bare = bare.or_else(|| before.iter().find_map(|lead| name.strip_prefix(lead)));
    bare.unwrap_or(name)
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
