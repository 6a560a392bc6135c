//! Rules as they are written, and what makes them valid.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::check::Check;
use crate::error::{Category, Error, Result};
use crate::types::{LinguisticKind, Severity, Tier};

/// Longest match in bytes where a rule does not say.
pub const DEFAULT_MAX_LEN: usize = 256;
/// Longest match in bytes a rule may ask for.
pub const MAX_MAX_LEN: usize = 1024;
/// Shortest cap a rule may ask for.
const MIN_MAX_LEN: usize = 16;

/// What wording a rule stands for and how strong it is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignalSpec {
    /// Which of the five kinds.
    pub kind: LinguisticKind,
    /// 0..1.
    pub strength: f64,
}

/// One rule. A match is the leftmost-longest text that one of the literals or the regex
/// describes, at most `max_len` bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleSpec {
    /// Its name, unique in the set.
    pub id: String,
    /// Texts to find as they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub literals: Vec<String>,
    /// A regular expression (Rust's syntax; `\b`, `\w`, `\s` and `\d` as in Python's `re`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regex: Option<String>,
    /// What a match stands for, a free word ("unsourced_authority").
    #[serde(default = "default_kind")]
    pub kind: String,
    /// How sure a match makes, 0..1.
    #[serde(default = "default_confidence")]
    pub confidence: f64,
    /// What to say of a match; `{text}` stands for it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// Advice to people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
    /// Tier a match has at least.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tier: Option<Tier>,
    /// How bad a match is in itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub severity: Option<Severity>,
    /// Match under Unicode simple case folding.
    #[serde(default, skip_serializing_if = "is_false")]
    pub ignore_case: bool,
    /// Whole words: the characters before and after a match are no word characters.
    #[serde(default, skip_serializing_if = "is_false")]
    pub word: bool,
    /// Most bytes of a match, 16..=1,024; 256 if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_len: Option<usize>,
    /// A match counts only where the identifier it holds is malformed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<Check>,
    /// A match counts only if none of these regexes is found in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unless: Vec<String>,
    /// A match does not count in a sentence that carries a citation; the session decides this
    /// when the sentence has closed.
    #[serde(default, skip_serializing_if = "is_false")]
    pub unless_cited: bool,
    /// The wording signal a match is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<SignalSpec>,
}

fn default_kind() -> String {
    "pattern".to_owned()
}

fn default_confidence() -> f64 {
    0.5
}

fn is_false(value: &bool) -> bool {
    !value
}

const KEYS: [&str; 16] = [
    "id",
    "literals",
    "regex",
    "kind",
    "confidence",
    "message",
    "suggestion",
    "tier",
    "severity",
    "ignore_case",
    "word",
    "max_len",
    "check",
    "unless",
    "unless_cited",
    "signal",
];

/// An error that names the rule.
pub(crate) fn rule_error(id: &str, message: impl std::fmt::Display) -> Error {
    Error::new(Category::Rule, format!("rule '{id}': {message}"))
}

impl RuleSpec {
    /// A rule of that id for `literals`, everything else as by default.
    pub fn of_literals(id: impl Into<String>, literals: &[&str]) -> Self {
        let literals = literals.iter().map(|&l| l.to_owned()).collect();
        Self {
            literals,
            ..Self::empty(id.into())
        }
    }

    /// A rule of that id for `regex`, everything else as by default.
    pub fn of_regex(id: impl Into<String>, regex: impl Into<String>) -> Self {
        Self {
            regex: Some(regex.into()),
            ..Self::empty(id.into())
        }
    }

    fn empty(id: String) -> Self {
        Self {
            id,
            literals: Vec::new(),
            regex: None,
            kind: default_kind(),
            confidence: default_confidence(),
            message: String::new(),
            suggestion: None,
            tier: None,
            severity: None,
            ignore_case: false,
            word: false,
            max_len: None,
            check: None,
            unless: Vec::new(),
            unless_cited: false,
            signal: None,
        }
    }

    /// Most bytes of a match.
    #[must_use]
    pub fn cap(&self) -> usize {
        self.max_len.unwrap_or(DEFAULT_MAX_LEN)
    }

    /// Reads one rule, the `index`-th of its file (from 0).
    ///
    /// # Errors
    /// [`Category::Rule`], naming the rule and what is wrong with it.
    pub fn from_value(index: usize, value: &Value) -> Result<Self> {
        let name = value.get("id").and_then(Value::as_str);
        let name = name.map_or_else(|| format!("#{}", index + 1), str::to_owned);
        let Some(table) = value.as_object() else {
            return Err(rule_error(&name, "is not a table of keys and values"));
        };
        for key in table.keys() {
            if !KEYS.contains(&key.as_str()) {
                return Err(rule_error(
                    &name,
                    meant(key).map_or_else(
                        || format!("unknown key '{key}'; there are {}", KEYS.join(", ")),
                        |near| format!("unknown key '{key}'; did you mean '{near}'?"),
                    ),
                ));
            }
        }
        for (key, texts) in [
            (
                "tier",
                Tier::ALL.iter().map(|t| t.as_str()).collect::<Vec<_>>(),
            ),
            (
                "severity",
                Severity::ALL.iter().map(|s| s.as_str()).collect(),
            ),
            ("check", Check::ALL.iter().map(|c| c.as_str()).collect()),
        ] {
            match table.get(key) {
                None | Some(Value::Null) => {}
                Some(Value::String(text)) if texts.contains(&text.as_str()) => {}
                Some(other) => {
                    let text = other
                        .as_str()
                        .map_or_else(|| other.to_string(), str::to_owned);
                    let near = nearest(&text, &texts);
                    return Err(rule_error(
                        &name,
                        format!(
                            "{key} '{text}' is not one of {}; did you mean '{near}'?",
                            texts.join(", ")
                        ),
                    ));
                }
            }
        }
        let spec: Self =
            serde_json::from_value(value.clone()).map_err(|error| rule_error(&name, error))?;
        spec.validate()?;
        Ok(spec)
    }

    /// Says what is wrong with the rule, if anything; whether it compiles is found when a
    /// [`super::Ruleset`] is made.
    ///
    /// # Errors
    /// [`Category::Rule`], naming the rule and what is wrong with it.
    pub fn validate(&self) -> Result<()> {
        let fail = |message: String| Err(rule_error(&self.id, message));
        if self.id.trim().is_empty() {
            return fail("id must not be empty".to_owned());
        }
        if self.literals.is_empty() && self.regex.is_none() {
            return fail("give literals or a regex".to_owned());
        }
        if !(0.0..=1.0).contains(&self.confidence) {
            return fail(format!("confidence {} is not in 0..1", self.confidence));
        }
        if !(MIN_MAX_LEN..=MAX_MAX_LEN).contains(&self.cap()) {
            return fail(format!(
                "max_len {} is not in {MIN_MAX_LEN}..={MAX_MAX_LEN}",
                self.cap()
            ));
        }
        if let Some(signal) = self.signal
            && !(0.0..=1.0).contains(&signal.strength)
        {
            return fail(format!(
                "signal strength {} is not in 0..1",
                signal.strength
            ));
        }
        for (i, literal) in self.literals.iter().enumerate() {
            if literal.is_empty() {
                return fail(format!("literal {} is empty", i + 1));
            }
            if literal.len() > self.cap() {
                return fail(format!(
                    "literal {} has {} bytes, more than max_len {}",
                    i + 1,
                    literal.len(),
                    self.cap()
                ));
            }
        }
        Ok(())
    }
}

/// Reads the rules of a TOML file: tables `[[rules]]`.
pub(crate) fn parse_toml(text: &str) -> Result<Vec<RuleSpec>> {
    let table: toml::Table = toml::from_str(text)
        .map_err(|error| Error::new(Category::Rule, format!("not valid TOML: {error}")))?;
    if let Some(rules) = table.get("rules").and_then(toml::Value::as_array) {
        for (i, rule) in rules.iter().enumerate() {
            finite(i, rule)?;
        }
    }
    let value = serde_json::to_value(table)
        .map_err(|error| Error::new(Category::Rule, format!("rules: {error}")))?;
    parse_value(&value)
}

/// Refuses numbers that JSON, which rules are read through, has no form for.
fn finite(i: usize, rule: &toml::Value) -> Result<()> {
    fn bad(value: &toml::Value) -> Option<f64> {
        match value {
            toml::Value::Float(number) => Some(*number).filter(|number| !number.is_finite()),
            toml::Value::Array(items) => items.iter().find_map(bad),
            toml::Value::Table(table) => table.values().find_map(bad),
            _ => None,
        }
    }
    let Some(table) = rule.as_table() else {
        return Ok(());
    };
    let id = table.get("id").and_then(toml::Value::as_str);
    let name = id.map_or_else(|| format!("#{}", i + 1), str::to_owned);
    let found = table
        .iter()
        .find_map(|(key, value)| Some((key, bad(value)?)));
    found.map_or(Ok(()), |(key, number)| {
        Err(rule_error(
            &name,
            format!("{key} is {number}, not a finite number"),
        ))
    })
}

/// Reads rules from `{"rules": […]}` or a plain list.
pub(crate) fn parse_value(value: &Value) -> Result<Vec<RuleSpec>> {
    let rules = if let Some(table) = value.as_object() {
        if let Some(key) = table.keys().find(|key| key.as_str() != "rules") {
            return Err(Error::new(
                Category::Rule,
                format!("unknown key '{key}' beside the rules; rules are tables [[rules]]"),
            ));
        }
        table.get("rules").unwrap_or(&Value::Null)
    } else {
        value
    };
    match rules {
        Value::Array(rules) => rules
            .iter()
            .enumerate()
            .map(|(i, rule)| RuleSpec::from_value(i, rule))
            .collect(),
        Value::Null => Ok(Vec::new()),
        _ => Err(Error::new(
            Category::Rule,
            "'rules' must be a list of rules",
        )),
    }
}

/// The candidate with the smallest edit distance to `word`.
/// What other programs call a rule's keys, without case and separators.
const OTHERWISE: [(&str, &[&str]); 9] = [
    ("id", &["name", "identifier", "ruleid", "key"]),
    (
        "literals",
        &["words", "strings", "phrases", "terms", "keywords", "texts"],
    ),
    ("regex", &["pattern", "expression", "re", "regexpattern"]),
    ("kind", &["type", "category", "label"]),
    (
        "confidence",
        &["probability", "score", "weight", "certainty"],
    ),
    ("message", &["msg", "description", "text", "reason"]),
    ("suggestion", &["advice", "hint", "fix", "help"]),
    (
        "ignore_case",
        &["caseinsensitive", "icase", "casesensitive", "nocase"],
    ),
    ("unless", &["except", "exclude", "exceptions", "unlessnear"]),
];

/// The key that an unknown one stands for: by another name of it, or but a few letters from it.
fn meant(key: &str) -> Option<&'static str> {
    let plain: String = key
        .chars()
        .take(64)
        .filter(|c| c.is_alphanumeric())
        .collect();
    let plain = plain.to_lowercase();
    let named = OTHERWISE
        .iter()
        .find(|(_, names)| names.contains(&plain.as_str()));
    if let Some((name, _)) = named {
        return Some(name);
    }
    let near = nearest(key, &KEYS);
    let least = key.chars().count().min(near.len());
    (distance(key, near) * 3 <= least).then_some(near)
}

fn nearest<'a>(word: &str, candidates: &[&'a str]) -> &'a str {
    candidates
        .iter()
        .copied()
        .min_by_key(|c| distance(word, c))
        .unwrap_or_default()
}

fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=a.len()).collect();
    for (i, cb) in b.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &ca) in a.iter().enumerate() {
            let up = row[j + 1];
            row[j + 1] = (diagonal + usize::from(ca != cb))
                .min(up + 1)
                .min(row[j] + 1);
            diagonal = up;
        }
    }
    row[a.len()]
}
