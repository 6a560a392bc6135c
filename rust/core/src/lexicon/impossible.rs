//! Properties that nothing can have, from `data/en/impossible.toml` and users' files.

use std::sync::OnceLock;

use serde::Deserialize;

use crate::error::{Category, Error, Result};

/// What a rule tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Test {
    /// A number is `least` or more.
    AtLeast,
    /// A number lies in `least..=most`.
    Between,
    /// A number is whole.
    Whole,
    /// The dates of `first` are not after those of `then`.
    Order,
    /// A date is in the calendar.
    Date,
    /// A part is not more than its whole.
    Part,
}

/// One impossibility.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Its name.
    pub id: String,
    /// What it tests.
    pub test: Test,
    /// Attributes whose values it tests.
    #[serde(default)]
    pub attributes: Vec<String>,
    /// Type of subject it holds for; any where it is missing.
    #[serde(default)]
    pub subject: Option<String>,
    /// Least value, included.
    #[serde(default)]
    pub least: Option<f64>,
    /// Greatest value, included.
    #[serde(default)]
    pub most: Option<f64>,
    /// Unit the bounds are in; numbers of other units are not tested.
    #[serde(default)]
    pub unit: Option<String>,
    /// Attributes that come first (`order`).
    #[serde(default)]
    pub first: Vec<String>,
    /// Attributes that come then (`order`).
    #[serde(default)]
    pub then: Vec<String>,
    /// What is wrong, with `{value}`, `{attribute}`, `{first}`, `{then}`, `{part}`, `{whole}`.
    pub explanation: String,
    /// How sure, 0..=1.
    pub confidence: f64,
}

impl Rule {
    /// Whether a number of that attribute cannot be. `attribute` and `unit` are compared as they
    /// are; `same` says whether two attribute names mean the same.
    #[must_use]
    pub fn forbids(
        &self,
        attribute: &str,
        value: f64,
        unit: Option<&str>,
        same: impl Fn(&str, &str) -> bool,
    ) -> bool {
        if !self.attributes.iter().any(|own| same(own, attribute)) {
            return false;
        }
        if self.unit.is_some() && self.unit.as_deref() != unit {
            return false;
        }
        match self.test {
            Test::Whole => unit.is_none() && value.fract() != 0.0,
            Test::AtLeast | Test::Between => {
                self.least.is_some_and(|least| value < least)
                    || self.most.is_some_and(|most| value > most)
            }
            Test::Order | Test::Date | Test::Part => false,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    rule: Vec<Rule>,
}

/// The rules of a file in the form of `impossible.toml`.
///
/// # Errors
/// `Format` for what is not of that form, a confidence outside 0..1, or a rule that lacks what its
/// test compares; it names the rule.
pub fn read(text: &str) -> Result<Vec<Rule>> {
    let wrong =
        |what: String| Error::new(Category::Format, format!("impossible properties: {what}"));
    let file: File = toml::from_str(text).map_err(|error| wrong(error.to_string()))?;
    for rule in &file.rule {
        let lacks = |what: &str| Err(wrong(format!("the rule '{}' {what}", rule.id)));
        if !(0.0..=1.0).contains(&rule.confidence) {
            return lacks("has a confidence outside 0..1");
        }
        match rule.test {
            Test::AtLeast if rule.least.is_none() => return lacks("needs 'least'"),
            Test::Between if rule.least.is_none() || rule.most.is_none() => {
                return lacks("needs 'least' and 'most'");
            }
            Test::Order if rule.first.is_empty() || rule.then.is_empty() => {
                return lacks("needs 'first' and 'then'");
            }
            Test::AtLeast | Test::Between | Test::Whole if rule.attributes.is_empty() => {
                return lacks("needs 'attributes'");
            }
            _ => {}
        }
    }
    Ok(file.rule)
}

/// The shipped rules.
#[must_use]
pub fn rules() -> &'static [Rule] {
    static RULES: OnceLock<Vec<Rule>> = OnceLock::new();
    RULES.get_or_init(|| {
        let read = read(include_str!("../../data/en/impossible.toml"));
        debug_assert!(read.is_ok(), "{read:?}");
        read.unwrap_or_default()
    })
}
