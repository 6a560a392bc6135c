//! What the guard says: lead-ins, replacements for certainty, limitation statements.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;
use serde::Deserialize;

/// The phrases of one language.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phrases {
    /// Epistemic openings.
    pub lead_ins: Vec<String>,
    /// Other openings of that kind, which answers are read by and the guard does not write.
    pub openings: Vec<String>,
    /// Openings of what somebody is permitted or has to do (lower case).
    pub permissions: Vec<String>,
    /// What is missing where a source may speak of `{what}`, but not say what was said of it.
    pub statement: String,
    /// The same where a value of its `{attribute}` was said.
    pub attribute: String,
    /// The same of an attribute that counts.
    pub attribute_count: String,
    /// Sentences in place of an unverified claim, with `{what}`.
    pub unverified: Vec<String>,
    /// The same of what a source gives otherwise; `{what}` is a thing or a value of it.
    pub disputed: Vec<String>,
    /// The same where nothing can be named.
    pub disputed_plain: String,
    /// The same right behind that.
    pub disputed_next: String,
    /// An unverified claim of which nothing can be named.
    pub unverified_plain: String,
    /// The same right behind that.
    pub unverified_next: String,
    /// The same for a reference to studies that nobody named.
    pub unverified_authority: String,
    /// The same for a blank that was left to be filled in.
    pub unverified_blank: String,
    /// Appended to a doubtful claim that was already sent.
    pub sent_unverified: String,
    /// The same where other text stands between, with `{what}`.
    pub sent_unverified_apart: String,
    /// Appended to a claim that was already sent and that a source gives otherwise.
    pub sent_disputed: String,
    /// The same where other text stands between, with `{what}`.
    pub sent_disputed_apart: String,
    /// The same where other text stands between and nothing can be named.
    pub late_disputed_plain: String,
    /// Appended to a wrong claim that was already sent, with `{right}` and `{wrong}`.
    pub sent_corrected: String,
    /// The same where words are left out, with `{attribute}`, `{name}` and `{right}`.
    pub sent_corrected_fact: String,
    /// The doubt where other sentences were sent in between, with `{what}`.
    pub late_unverified: String,
    /// The same where nothing can be named.
    pub late_unverified_plain: String,
    /// Limitation statement, with `{missing}` and `{help}`.
    pub limitation: String,
    /// What is missing: sources say otherwise about `{what}`.
    pub limitation_contradicted: String,
    /// What is missing: nothing supports `{what}`.
    pub limitation_missing: String,
    /// What is missing, unnamed.
    pub limitation_plain: String,
    /// The same for a claim that sources contradict.
    pub limitation_contradicted_plain: String,
    /// What is missing: studies that nobody named.
    pub limitation_authority: String,
    /// What is missing: what a blank stood for.
    pub limitation_blank: String,
    /// What would help.
    pub limitation_help: String,
    /// The same where a source disagrees.
    pub limitation_help_contradicted: String,
    /// Words of the reasons that speak of a claim that was held back.
    pub limitation_held: String,
    /// What takes their place where the reader has the claim.
    pub limitation_sent: String,
    /// Ends an answer after too many rewrites.
    pub exhausted: String,
    /// What sort of value is missing, by sort.
    pub missing_value: BTreeMap<String, String>,
    /// Inline mark of an unverified claim.
    pub inline_unverified: String,
    /// Inline mark with `{source}`.
    pub inline_source: String,
    /// Inline mark with `{confidence}`.
    pub inline_confidence: String,
    /// Openings that claim certainty (lower case), and what takes their place.
    pub certainty: BTreeMap<String, String>,
    #[serde(skip)]
    beginnings: Openings,
}

/// All openings, read when they are first asked for.
#[derive(Debug, Clone, Default)]
struct Openings(OnceLock<Beginnings>);

/// It follows from the phrases.
impl PartialEq for Openings {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// An opening in its own case.
#[derive(Debug, Clone)]
struct Opening {
    words: String,
    /// Whether it may go on with "that".
    may_go_on: bool,
}

/// Openings by their first bytes, and those that are too short for it.
#[derive(Debug, Clone, Default)]
struct Beginnings {
    by_head: FxHashMap<[u8; HEAD], Vec<Opening>>,
    short: Vec<Opening>,
}

/// Bytes by which most openings are told apart.
const HEAD: usize = 4;

/// The first bytes of a text in lower case; spaces where it is shorter.
fn head(text: &str) -> [u8; HEAD] {
    let mut head = [b' '; HEAD];
    for (own, byte) in head.iter_mut().zip(text.bytes()) {
        *own = byte.to_ascii_lowercase();
    }
    head
}

/// Behind an opening that may go on with "that".
const THAT: &str = " [that]";

/// English phrases.
///
/// # Panics
/// Never: the data file is compiled in and a test reads it.
#[must_use]
pub fn phrases() -> &'static Phrases {
    static PHRASES: OnceLock<Phrases> = OnceLock::new();
    PHRASES.get_or_init(|| toml::from_str(table!("phrases.toml")).expect("phrases.toml is valid"))
}

/// `template` with `{name}` replaced by `value`.
#[must_use]
pub fn fill(template: &str, name: &str, value: &str) -> String {
    template.replace(&format!("{{{name}}}"), value)
}

impl Phrases {
    /// The opening of `text` that claims certainty, as (its length in bytes, what takes its
    /// place): the longest one that ends at a word boundary.
    #[must_use]
    pub fn certainty_opening<'a>(&'a self, text: &str) -> Option<(usize, &'a str)> {
        self.certainty
            .iter()
            .filter(|(marker, _)| {
                text.get(..marker.len())
                    .is_some_and(|head| head.eq_ignore_ascii_case(marker))
                    && !text[marker.len()..].starts_with(char::is_alphanumeric)
            })
            .max_by_key(|(marker, _)| marker.len())
            .map(|(marker, phrase)| (marker.len(), phrase.as_str()))
    }

    /// Bytes of the opening of `text` that says how sure the writer is and nothing else.
    #[must_use]
    pub fn opening_length(&self, text: &str) -> Option<usize> {
        let known = self.beginnings.0.get_or_init(|| self.beginnings());
        let opens = |text: &str, phrase: &str| {
            text.get(..phrase.len())
                .is_some_and(|head| head.eq_ignore_ascii_case(phrase))
                && !text[phrase.len()..].starts_with(char::is_alphanumeric)
        };
        let length = |opening: &Opening| {
            let bare = opening.words.as_str();
            let rest = text.get(bare.len()..).filter(|_| opens(text, bare))?;
            let may = opening.may_go_on;
            // "I think about it" and "I guess so" say nothing of how sure the writer is of more.
            if may
                && [" about", " of", " so"]
                    .iter()
                    .any(|word| opens(rest, word))
            {
                return None;
            }
            let that = may && opens(rest, " that");
            Some(bare.len() + if that { " that".len() } else { 0 })
        };
        let alike = known.by_head.get(&head(text)).into_iter().flatten();
        alike.chain(&known.short).filter_map(length).max()
    }

    fn beginnings(&self) -> Beginnings {
        let certain = self.certainty.iter().flat_map(|(a, b)| [a, b]);
        let written = self.lead_ins.iter().chain(certain);
        let written = written.map(|phrase| (phrase.as_str(), false));
        let read = self.openings.iter().map(|phrase| {
            let bare = phrase.strip_suffix(THAT);
            (bare.unwrap_or(phrase), bare.is_some())
        });
        let mut known = Beginnings::default();
        for (words, may_go_on) in written.chain(read).filter(|(words, _)| !words.is_empty()) {
            let opening = Opening {
                words: words.to_owned(),
                may_go_on,
            };
            if words.len() < HEAD {
                known.short.push(opening);
            } else {
                known.by_head.entry(head(words)).or_default().push(opening);
            }
        }
        known
    }

    /// Whether `text` opens with one of the guard's own lead-ins or replacements.
    #[must_use]
    pub fn opens_with_lead_in(&self, text: &str) -> bool {
        let starts = |phrase: &str| {
            text.get(..phrase.len())
                .is_some_and(|head| head.eq_ignore_ascii_case(phrase))
        };
        self.lead_ins
            .iter()
            .chain(self.certainty.values())
            .any(|phrase| starts(phrase))
    }
}
