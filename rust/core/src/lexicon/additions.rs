//! What callers add to the tables of the language.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

use super::cues::{Cue, Known, cue, forms, known, verb};
use super::logic::{Impossible, Kinds, impossible, kinds};
use super::predicates::{Predicates, predicate_key, predicates};
use super::tables::{Courses, Stage, courses};

/// Most words of a phrase: a verb, a particle and prepositions.
const PHRASE: usize = 4;
/// Most words of the name of a kind.
const KIND: usize = 2;
/// Most attributes and courses of a lexicon, those shipped among them.
const ATTRIBUTES: usize = 10_000;
const COURSES: usize = 200;

/// An attribute: other names of it, and the phrases that say it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Attribute {
    /// Other names ("team").
    pub names: Vec<String>,
    /// Verb phrases ("works in"); with `^`, the verb's object has the attribute and its subject is
    /// the value ("^manages": "P manages X").
    pub phrases: Vec<String>,
    /// Whether its values are dates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dated: Option<bool>,
}

/// The least and the most that a number can be.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limit {
    /// The least.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// The most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    /// The unit of both; numbers of other units are converted, those that cannot be are not
    /// compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
}

/// Words of properties that nothing can have (S0-059), and limits of attributes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Impossibilities {
    /// What is counted: cannot be fewer than none, nor a part more than the whole.
    pub countable: Vec<String>,
    /// What shares are taken of.
    pub whole: Vec<String>,
    /// How likely something is.
    pub likelihood: Vec<String>,
    /// What makes a number a change.
    pub change: Vec<String>,
    /// Limits of attributes, by name.
    pub limits: BTreeMap<String, Limit>,
}

/// What is added to the shipped tables.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Additions {
    /// Attributes by name.
    pub predicates: BTreeMap<String, Attribute>,
    /// Groups of kinds that exclude each other, by name; each kind with all its names.
    pub exclusive: BTreeMap<String, Vec<Vec<String>>>,
    /// Impossible properties.
    pub impossible: Impossibilities,
    /// Courses by name: the verbs of each stage, the earliest first.
    pub courses: BTreeMap<String, Vec<Vec<String>>>,
}

impl Additions {
    /// Both; of limits of one attribute those of `more` count.
    #[must_use]
    pub fn with(&self, more: &Self) -> Self {
        let mut all = self.clone();
        for (name, own) in &more.predicates {
            let at = all.predicates.entry(name.clone()).or_default();
            at.names.extend(own.names.iter().cloned());
            at.phrases.extend(own.phrases.iter().cloned());
            at.dated = own.dated.or(at.dated);
        }
        for (name, kinds) in &more.exclusive {
            let at = all.exclusive.entry(name.clone()).or_default();
            at.extend(kinds.iter().cloned());
        }
        let (to, from) = (&mut all.impossible, &more.impossible);
        to.countable.extend(from.countable.iter().cloned());
        to.whole.extend(from.whole.iter().cloned());
        to.likelihood.extend(from.likelihood.iter().cloned());
        to.change.extend(from.change.iter().cloned());
        to.limits.extend(from.limits.clone());
        all.courses.extend(more.courses.clone());
        all
    }

    /// Whether nothing is added.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The tables of the language that callers extend, with what was added.
#[derive(Debug, Clone)]
pub struct Lexicon {
    predicates: Predicates,
    kinds: Kinds,
    impossible: Impossible,
    courses: Courses,
    limits: BTreeMap<String, Limit>,
    /// Forms of verbs that the shipped tables lack, with the base form.
    verbs: FxHashMap<String, String>,
    additions: Additions,
}

impl Lexicon {
    /// The shipped tables alone.
    #[must_use]
    pub fn builtin() -> &'static Arc<Self> {
        static LEXICON: OnceLock<Arc<Lexicon>> = OnceLock::new();
        LEXICON.get_or_init(|| {
            Arc::new(Self {
                predicates: predicates().clone(),
                kinds: kinds().clone(),
                impossible: impossible().clone(),
                courses: courses().clone(),
                limits: BTreeMap::new(),
                verbs: FxHashMap::default(),
                additions: Additions::default(),
            })
        })
    }

    /// The shipped tables with `additions`.
    ///
    /// # Errors
    /// `Argument` naming the entry that is not valid and what to write instead.
    pub fn with(additions: Additions) -> Result<Self> {
        let mut lexicon = Self::clone(Self::builtin());
        if lexicon.predicates.len() + additions.predicates.len() > ATTRIBUTES {
            return Err(Error::argument(format!(
                "predicates: at most {ATTRIBUTES} attributes, those built in among them"
            )));
        }
        for (name, attribute) in &additions.predicates {
            lexicon.attribute(name, attribute)?;
        }
        for (group, kinds) in &additions.exclusive {
            lexicon.group(group, kinds)?;
        }
        lexicon.impossible(&additions.impossible)?;
        if lexicon.courses.len() + additions.courses.len() > COURSES {
            return Err(Error::argument(format!(
                "courses: at most {COURSES} courses, those built in among them"
            )));
        }
        for (name, stages) in &additions.courses {
            lexicon.course(name, stages)?;
        }
        lexicon.additions = additions;
        Ok(lexicon)
    }

    /// What was added to the shipped tables.
    #[must_use]
    pub fn additions(&self) -> &Additions {
        &self.additions
    }

    /// Attributes, their names and phrases.
    #[must_use]
    pub fn predicates(&self) -> &Predicates {
        &self.predicates
    }

    /// Kinds that exclude each other.
    #[must_use]
    pub fn kinds(&self) -> &Kinds {
        &self.kinds
    }

    /// Words of impossible properties.
    #[must_use]
    pub fn impossibilities(&self) -> &Impossible {
        &self.impossible
    }

    /// The limit of an attribute that can mean the named one.
    #[must_use]
    pub fn limit(&self, attribute: &str) -> Option<&Limit> {
        self.limits
            .iter()
            .find(|(name, _)| self.predicates.same(name, attribute))
            .map(|(_, limit)| limit)
    }

    /// The stage of a verb's base form, if it belongs to a course.
    #[must_use]
    pub fn stage(&self, base: &str) -> Option<Stage> {
        self.courses.stage(base)
    }

    /// All that is known of a folded word.
    #[must_use]
    pub fn known(&self, folded: &str) -> Known<'_> {
        self.with_added_verb(known(folded), || folded)
    }

    /// What the shipped tables know of a folded word, with the verb that was added.
    #[must_use]
    #[inline]
    pub fn with_added_verb<'w>(
        &self,
        shipped: Known<'static>,
        folded: impl FnOnce() -> &'w str,
    ) -> Known<'_> {
        if shipped.verb.is_some() || self.verbs.is_empty() {
            return shipped;
        }
        Known {
            verb: self.verbs.get(folded()).map(String::as_str),
            ..shipped
        }
    }

    fn attribute(&mut self, name: &str, attribute: &Attribute) -> Result<()> {
        let place = format!("predicates.{name}");
        let key = key(&place, name)?;
        let mut synonyms = Vec::new();
        for synonym in &attribute.names {
            synonyms.push(self::key(&format!("{place}.names"), synonym)?);
        }
        synonyms.retain(|synonym| *synonym != key);
        let mut phrases = Vec::new();
        for phrase in &attribute.phrases {
            phrases.push(self.phrase(&format!("{place}.phrases"), phrase)?);
        }
        self.predicates
            .extend(&key, synonyms, phrases, attribute.dated);
        Ok(())
    }

    /// "works in" as it is looked up: "work in".
    fn phrase(&mut self, place: &str, phrase: &str) -> Result<String> {
        let lower = phrase.trim().to_lowercase();
        let (mark, rest) = match lower.strip_prefix('^') {
            Some(rest) => ("^", rest),
            None => ("", &*lower),
        };
        let all: Vec<&str> = rest.split_whitespace().collect();
        let helping = |word: &str| {
            let cue = cue(word);
            cue.is(Cue::COPULA.or(Cue::AUXILIARY)) || (cue.is(Cue::ADVERB) && verb(word).is_none())
        };
        let from = all.iter().take_while(|word| helping(word)).count();
        let words = &all[from.min(all.len())..];
        let spelled = |word: &&str| word.chars().all(|c| c.is_alphabetic() || c == '-');
        if words.is_empty() || words.len() > PHRASE || !words.iter().all(spelled) {
            return Err(Error::argument(format!(
                "{place}: '{phrase}' is no verb phrase; write a verb, or a verb and its \
                 preposition ('works in')"
            )));
        }
        if mark == "^" && words.len() > 1 {
            return Err(Error::argument(format!(
                "{place}: '{phrase}' goes from object to subject, so it is one verb ('^manages')"
            )));
        }
        let base = self.verb(place, words[0])?;
        Ok(std::iter::once(&*base)
            .chain(words[1..].iter().copied())
            .fold(mark.to_owned(), |mut out, word| {
                if out.len() > mark.len() {
                    out.push(' ');
                }
                out.push_str(word);
                out
            }))
    }

    /// The base form of a verb; one that no table has is learned with its regular forms.
    fn verb(&mut self, place: &str, form: &str) -> Result<String> {
        if let Some(base) = self.known(form).verb {
            return Ok(base.to_owned());
        }
        let function = Cue::PREPOSITION
            .or(Cue::DETERMINER)
            .or(Cue::CONJUNCTION)
            .or(Cue::PRONOUN_PERSON);
        if cue(form).is(function) {
            return Err(Error::argument(format!(
                "{place}: '{form}' is no verb; a phrase begins with its verb"
            )));
        }
        let past = form.len() > 4 && (form.ends_with("ed") || form.ends_with("ing"));
        if past {
            return Err(Error::argument(format!(
                "{place}: '{form}' is no form of a verb that is known; write its base form"
            )));
        }
        let base = third_person(form);
        for form in forms(&base) {
            self.verbs.entry(form).or_insert_with(|| base.clone());
        }
        Ok(base)
    }

    fn group(&mut self, group: &str, kinds: &[Vec<String>]) -> Result<()> {
        let place = format!("exclusive.{group}");
        let mut seen = BTreeSet::new();
        let mut all = Vec::new();
        for names in kinds {
            let mut own: Vec<Cow<'static, str>> = Vec::new();
            for name in names {
                let folded = name.trim().to_lowercase();
                let words = folded.split_whitespace().count();
                if words == 0 || words > KIND {
                    return Err(Error::argument(format!(
                        "{place}: '{name}' is no kind; write one or two words ('contractor')"
                    )));
                }
                if !seen.insert(folded.clone()) {
                    return Err(Error::argument(format!(
                        "{place}: '{name}' is there twice; other names of one kind stand in one \
                         list"
                    )));
                }
                own.push(Cow::Owned(folded));
            }
            if own.is_empty() {
                return Err(Error::argument(format!("{place}: a kind has no name")));
            }
            all.push(own);
        }
        let shipped = super::logic::kinds().has_group(group);
        if all.is_empty() || (all.len() < 2 && !shipped) {
            return Err(Error::argument(format!(
                "{place}: one kind excludes nothing; write two or more"
            )));
        }
        self.kinds
            .extend(Cow::Owned(group.to_owned()), all.into_iter());
        Ok(())
    }

    fn impossible(&mut self, more: &Impossibilities) -> Result<()> {
        let own = &mut self.impossible;
        for (list, words, to) in [
            ("countable", &more.countable, &mut own.countable),
            ("whole", &more.whole, &mut own.whole),
            ("likelihood", &more.likelihood, &mut own.likelihood),
            ("change", &more.change, &mut own.change),
        ] {
            for word in words {
                let folded = word.trim().to_lowercase();
                if folded.is_empty() || folded.contains(char::is_whitespace) {
                    return Err(Error::argument(format!(
                        "impossible.{list}: '{word}' is not one word"
                    )));
                }
                to.insert(folded);
            }
        }
        for (name, limit) in &more.limits {
            let place = format!("impossible.limits.{name}");
            let key = key(&place, name)?;
            let ends = [limit.min, limit.max];
            if ends == [None, None] {
                return Err(Error::argument(format!(
                    "{place}: there is neither min nor max"
                )));
            }
            let finite = ends.iter().flatten().all(|end| end.is_finite());
            let ordered = limit.min.zip(limit.max).is_none_or(|(min, max)| min <= max);
            if !finite || !ordered {
                return Err(Error::argument(format!(
                    "{place}: min and max are finite numbers, min at most max"
                )));
            }
            if let Some(unit) = &limit.unit
                && super::units::by_name(unit).is_none()
            {
                return Err(Error::argument(format!(
                    "{place}: '{unit}' is no unit; leave it out for plain numbers"
                )));
            }
            // What is limited is spoken of by its name.
            self.predicates.extend(&key, Vec::new(), Vec::new(), None);
            self.limits.insert(key, limit.clone());
        }
        Ok(())
    }

    fn course(&mut self, name: &str, stages: &[Vec<String>]) -> Result<()> {
        let place = format!("courses.{name}");
        if stages.len() < 2 || stages.len() > 32 {
            return Err(Error::argument(format!(
                "{place}: a course has 2 to 32 stages, each a list of verbs, the earliest first"
            )));
        }
        let mut all = Vec::new();
        for verbs in stages {
            let mut stage = Vec::new();
            for form in verbs {
                let lower = form.trim().to_lowercase();
                if lower.is_empty() || lower.contains(char::is_whitespace) {
                    return Err(Error::argument(format!(
                        "{place}: '{form}' is not one verb"
                    )));
                }
                stage.push(Cow::Owned(self.verb(&place, &lower)?));
            }
            if stage.is_empty() {
                return Err(Error::argument(format!("{place}: a stage has no verb")));
            }
            all.push(stage);
        }
        self.courses
            .add(Cow::Owned(name.to_owned()), false, false, all.into_iter());
        Ok(())
    }
}

fn key(place: &str, name: &str) -> Result<String> {
    let key = predicate_key(name);
    if key.is_empty() {
        return Err(Error::argument(format!(
            "{place}: '{name}' is no attribute name; use letters and digits"
        )));
    }
    Ok(key)
}

/// The base form of an unknown verb, which may stand in the third person.
fn third_person(form: &str) -> String {
    let sibilant = ["sses", "shes", "ches", "xes", "zes"];
    if let Some(stem) = form.strip_suffix("ies").filter(|stem| stem.len() > 1) {
        format!("{stem}y")
    } else if sibilant.iter().any(|end| form.ends_with(end)) {
        form[..form.len() - 2].to_owned()
    } else if form.len() > 2
        && form.ends_with('s')
        && !["ss", "us", "is"].iter().any(|end| form.ends_with(end))
    {
        form[..form.len() - 1].to_owned()
    } else {
        form.to_owned()
    }
}
