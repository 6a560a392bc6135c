//! The rules that come with groundwire.

use std::sync::OnceLock;

use super::Ruleset;
use super::signals::signal_rules;
use super::spec::parse_toml;

impl Ruleset {
    /// The rules that come with groundwire: marks of invented content and malformed
    /// identifiers (`data/en/rules.toml`), and the wording signals (`data/en/signals.toml`).
    ///
    /// # Panics
    /// Never: a test compiles the shipped data.
    #[must_use]
    pub fn builtin() -> &'static Self {
        static RULES: OnceLock<Ruleset> = OnceLock::new();
        RULES.get_or_init(|| {
            let mut rules = parse_toml(table!("rules.toml")).expect("shipped rules");
            rules.extend(signal_rules());
            Self::new(rules).expect("shipped rules compile")
        })
    }
}
