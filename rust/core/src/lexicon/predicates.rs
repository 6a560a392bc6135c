//! Which attribute a phrase speaks of, and which names mean one attribute.

use std::borrow::Cow;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::columns::{bare_names, spells};

type Text = Cow<'static, str>;

/// One attribute.
#[derive(Debug, Clone)]
pub struct Predicate {
    /// Its name.
    pub name: Text,
    /// Other names of the same attribute.
    pub synonyms: Vec<Text>,
    /// Phrases that say it.
    pub phrases: Vec<Text>,
    /// What a number behind a bare verb counts for it: nouns, and dimensions after `=`. Where there
    /// are any, a phrase says nothing of the attribute without such a number.
    pub counts: Vec<Text>,
    /// Whether its values are dates, by which "born in 1987" and "born in Utrecht" part.
    pub dated: bool,
}

/// What the value beside a phrase has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beside {
    /// Anything.
    Any,
    /// A name.
    Name,
    /// A time of day.
    Time,
}

/// The lexicon of predicates.
#[derive(Debug, Clone, Default)]
pub struct Predicates {
    all: Vec<Predicate>,
    names: FxHashMap<Text, Vec<u16>>,
    phrases: FxHashMap<Text, Vec<u16>>,
    /// Phrases of an attribute that say it of some values only.
    only: FxHashMap<(u16, Text), Beside>,
}

/// Attributes of the shipped lexicon whose values are dates.
const DATED: [&str; 19] = [
    "founded",
    "opened",
    "built",
    "born",
    "died",
    "published",
    "launched",
    "joined",
    "ended",
    "acquired",
    "closed_in",
    "shipped",
    "delivered",
    "approved",
    "starts_on",
    "fought",
    "signed",
    "in_force",
    "first_release",
];

/// The stored form of an attribute name: lower case, words joined by `_`
/// ("Opening hours", "opening-hours" and "openingHours" give "opening_hours").
#[must_use]
pub fn predicate_key(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 2);
    for word in name
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
    {
        if !out.is_empty() {
            out.push('_');
        }
        let mut small = false;
        for c in word.chars() {
            if small && c.is_ascii_uppercase() {
                out.push('_');
            }
            small = c.is_ascii_lowercase();
            out.extend(c.to_lowercase());
        }
    }
    out
}

/// The shipped lexicon.
#[must_use]
pub fn predicates() -> &'static Predicates {
    static TABLE: OnceLock<Predicates> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Predicates::default();
        for line in table!("predicates.tsv").lines() {
            let mut columns = line.split('\t');
            let (Some(name), Some(synonyms)) = (columns.next(), columns.next()) else {
                continue;
            };
            if name.starts_with('#') {
                continue;
            }
            let at = table.add(Cow::Borrowed(name));
            for synonym in synonyms.split(';').filter(|s| !s.is_empty()) {
                table.name(at, Cow::Borrowed(synonym));
            }
            let phrases = columns.next().unwrap_or("").split(';');
            for phrase in phrases.filter(|p| !p.is_empty()) {
                let (phrase, beside) = match (phrase.strip_suffix('+'), phrase.strip_suffix('@')) {
                    (Some(phrase), _) => (phrase, Beside::Name),
                    (_, Some(phrase)) => (phrase, Beside::Time),
                    _ => (phrase, Beside::Any),
                };
                if beside != Beside::Any {
                    table.only.insert((at, Cow::Borrowed(phrase)), beside);
                }
                let known = table.phrases.entry(Cow::Borrowed(phrase)).or_default();
                known.push(at);
                table.all[usize::from(at)]
                    .phrases
                    .push(Cow::Borrowed(phrase));
            }
            let counts = columns.next().unwrap_or("").split(';');
            let predicate = &mut table.all[usize::from(at)];
            predicate.counts = counts
                .filter(|c| !c.is_empty())
                .map(Cow::Borrowed)
                .collect();
            predicate.dated = DATED.contains(&name);
        }
        table
    })
}

impl Predicate {
    /// Base forms of the verbs that say it.
    pub fn verbs(&self) -> impl Iterator<Item = &str> {
        self.phrases
            .iter()
            .filter_map(|phrase| phrase.split(' ').next())
    }
}

impl Predicates {
    fn add(&mut self, name: Text) -> u16 {
        let at = self.all.len() as u16;
        self.names.entry(name.clone()).or_default().push(at);
        self.all.push(Predicate {
            name,
            synonyms: Vec::new(),
            phrases: Vec::new(),
            counts: Vec::new(),
            dated: false,
        });
        at
    }

    fn name(&mut self, at: u16, synonym: Text) {
        let places = self.names.entry(synonym.clone()).or_default();
        if !places.contains(&at) {
            places.push(at);
            self.all[usize::from(at)].synonyms.push(synonym);
        }
    }

    /// Adds to the attribute of that name, which may be new. Its phrases come before those that
    /// other attributes have for the same words.
    pub(super) fn extend(
        &mut self,
        name: &str,
        synonyms: Vec<String>,
        phrases: Vec<String>,
        dated: Option<bool>,
    ) {
        let own = self.all.iter().position(|p| p.name == name);
        let at = own.map_or_else(|| self.add(Cow::Owned(name.to_owned())), |at| at as u16);
        for synonym in synonyms {
            self.name(at, Cow::Owned(synonym));
        }
        for phrase in phrases {
            let own = &mut self.all[usize::from(at)].phrases;
            if !own.iter().any(|other| *other == phrase) {
                own.push(Cow::Owned(phrase.clone()));
            }
            let known = self.phrases.entry(Cow::Owned(phrase)).or_default();
            known.retain(|other| *other != at);
            known.insert(0, at);
        }
        if let Some(dated) = dated {
            self.all[usize::from(at)].dated = dated;
        }
    }

    /// Number of attributes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Attributes of that name; of one that no attribute has, those it has without what a column's
    /// name adds ("num_employees", "weight_kg").
    fn meant(&self, name: &str) -> Option<&Vec<u16>> {
        let bare = || bare_names(name).find_map(|bare| self.names.get(bare));
        self.names.get(name).or_else(bare)
    }

    /// Attributes that a verb phrase ("found by") speaks of, the first the most likely.
    pub fn of_phrase(&self, phrase: &str) -> impl Iterator<Item = &Predicate> {
        self.phrases
            .get(phrase)
            .into_iter()
            .flatten()
            .map(|at| &self.all[usize::from(*at)])
    }

    /// The same, each with what the value beside the phrase has to be.
    pub fn of_phrase_beside(&self, phrase: &str) -> impl Iterator<Item = (&Predicate, Beside)> {
        let (known, all) = self
            .phrases
            .get_key_value(phrase)
            .map_or((None, &[][..]), |(key, all)| (Some(key), all.as_slice()));
        all.iter().map(move |at| {
            let key = known.map(|phrase| (*at, phrase.clone()));
            let beside = key.and_then(|key| self.only.get(&key)).copied();
            (&self.all[usize::from(*at)], beside.unwrap_or(Beside::Any))
        })
    }

    /// The attribute of that name or synonym, its own name first.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&Predicate> {
        let found = self.meant(name)?;
        let own = found
            .iter()
            .find(|at| self.all[usize::from(**at)].name == name);
        own.or_else(|| found.first())
            .map(|at| &self.all[usize::from(*at)])
    }

    /// All names that can mean the attribute of that name, itself left out.
    #[must_use]
    pub fn names_of(&self, name: &str) -> Vec<&str> {
        let mut out = Vec::new();
        self.add_names(name, |_| true, &mut out);
        out
    }

    /// Adds those of them that fit.
    pub fn add_names<'a>(
        &'a self,
        name: &str,
        fits: impl Fn(&str) -> bool,
        out: &mut Vec<&'a str>,
    ) {
        let from = out.len();
        for at in self.meant(name).into_iter().flatten() {
            let predicate = &self.all[usize::from(*at)];
            for other in std::iter::once(&predicate.name).chain(&predicate.synonyms) {
                if fits(other) && other != name && !out[from..].contains(&&**other) {
                    out.push(other);
                }
            }
        }
    }

    /// Whether two attribute names can mean the same.
    #[must_use]
    pub fn same(&self, a: &str, b: &str) -> bool {
        a == b
            || spells(a, b)
            || self
                .meant(a)
                .zip(self.meant(b))
                .is_some_and(|(a, b)| a.iter().any(|at| b.contains(at)))
    }
}
