//! Everything a stream may be judged by.

use crate::claims::{SentenceView, numbers_agree, unit_named};
use crate::dialogue::Dialogue;
use crate::evidence::EvidenceSet;
use crate::kb::{Said, Snapshot, Value};
use crate::segment::{Clock, quantities};
use crate::types::{DateExpr, Quantity, QuantityKind, Span};

use super::draft::Absence;
use super::row::GivenTable;

/// Entities of a base whose values are all looked through for words of no known entity.
const FEW: usize = 2000;

/// Entities of a base that are all looked through for a number.
const SMALL: usize = 200;

/// Everything a stream may be judged by; what was not given is `None`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Grounds<'a> {
    /// The knowledge base.
    pub kb: Option<&'a Snapshot>,
    /// Passages given with the request.
    pub evidence: Option<&'a EvidenceSet>,
    /// Earlier turns.
    pub dialogue: Option<&'a Dialogue>,
    /// The question, as a set of one passage.
    pub question: Option<&'a EvidenceSet>,
    /// Tables of the knowledge base or of the request.
    pub tables: &'a [GivenTable],
}

impl<'a> Grounds<'a> {
    pub(super) fn sets(&self) -> impl Iterator<Item = &'a EvidenceSet> {
        let dialogue = self.dialogue.map(Dialogue::as_evidence);
        [self.evidence, dialogue, self.question]
            .into_iter()
            .flatten()
    }

    /// Whether evidence, dialogue or question hold a content word of that stem.
    #[must_use]
    pub fn holds(&self, stem: u64) -> bool {
        self.sets().any(|set| {
            let mut passages = set.passages().iter();
            passages.any(|passage| !passage.data().sentences_with(stem).is_empty())
        })
    }

    /// Whether evidence was supplied.
    #[must_use]
    pub fn has_evidence(&self) -> bool {
        self.evidence.is_some_and(|set| !set.is_empty())
    }

    /// What is missing from, for one predicate or the base as a whole.
    #[must_use]
    pub fn absence(&self, predicate: Option<&str>) -> Absence {
        Absence {
            closed: self.kb.is_some_and(|kb| kb.is_closed(predicate)),
            evidence: self.has_evidence(),
        }
    }

    /// Whether evidence, dialogue, question, a table's cell or the knowledge base hold the name;
    /// the base as an entity's, or in the value of a fact.
    #[must_use]
    pub fn knows_name(&self, name: &str) -> bool {
        self.sets().any(|set| set.has_name(name))
            || self.tables.iter().any(|table| table.rows.names(name))
            || self
                .kb
                .is_some_and(|kb| !kb.find(name).is_empty() || kb.holds_name(name))
    }

    /// Whether a passage, turn or the question holds all content words at `span`.
    #[must_use]
    pub fn says(&self, view: &SentenceView<'_>, span: Span) -> bool {
        let words: Vec<u64> = view
            .content_words_in(view.lexemes_in(span))
            .map(|word| word.stem)
            .collect();
        let holds = |set: &EvidenceSet| {
            set.passages().iter().any(|passage| {
                let data = passage.data();
                words
                    .iter()
                    .all(|word| !data.sentences_with(*word).is_empty())
            })
        };
        !words.is_empty() && self.sets().any(holds)
    }

    /// Whether evidence, dialogue or question hold the number, or the knowledge base does in a
    /// fact of an entity that was mentioned.
    #[must_use]
    pub fn knows_quantity(&self, quantity: &Quantity, text: &str, mentioned: &[u32]) -> bool {
        self.sets().any(|set| set.has_quantity(quantity))
            || self.in_facts(mentioned, |value| says_quantity(value, quantity, text))
    }

    /// Whether the knowledge base has the number of an entity that may be named yet; of a base with
    /// many entities nothing is told.
    #[must_use]
    pub fn may_know_quantity(&self, quantity: &Quantity, text: &str) -> bool {
        let few = self.kb.filter(|kb| kb.len() <= SMALL);
        let ids: Vec<u32> = few.map(|kb| kb.ids().collect()).unwrap_or_default();
        self.in_facts(&ids, |value| says_quantity(value, quantity, text))
    }

    /// Whether evidence, dialogue or question have a share in percent.
    #[must_use]
    pub fn has_percent(&self) -> bool {
        self.percents(|_| true)
    }

    /// Whether one of the shares in percent that they have is within `by` of `value`.
    #[must_use]
    pub fn has_share(&self, value: f64, by: f64) -> bool {
        self.percents(|own| (own - value).abs() <= by)
    }

    fn percents(&self, fits: impl Fn(f64) -> bool) -> bool {
        self.sets().any(|set| {
            let mut numbers = set.passages().iter().flat_map(|p| &p.data().quantities);
            numbers
                .any(|own| own.quantity.kind == QuantityKind::Percent && fits(own.quantity.value))
        })
    }

    /// Whether evidence, dialogue or question tell that time of day.
    #[must_use]
    pub fn has_clock(&self, clock: &Clock) -> bool {
        self.sets().any(|set| set.has_clock(clock))
    }

    /// Whether evidence, dialogue or question have the amount in another form; `minus` says that the
    /// word stands before it.
    #[must_use]
    pub fn has_otherwise(&self, quantity: &Quantity, minus: bool) -> bool {
        self.sets().any(|set| set.has_otherwise(quantity, minus))
    }

    /// Whether evidence, dialogue or question hold the date, or the knowledge base does in a
    /// fact of an entity that was mentioned.
    #[must_use]
    pub fn knows_date(&self, date: &DateExpr, text: &str, mentioned: &[u32]) -> bool {
        self.sets().any(|set| set.has_date(date))
            || self.kb.is_some_and(|kb| {
                self.in_facts(mentioned, |value| {
                    let dates = [*date];
                    let said = Said {
                        text,
                        dates: &dates,
                        ..Said::default()
                    };
                    match value {
                        Value::Date(_) | Value::Number { .. } => {
                            kb.agrees(value, &said) == crate::kb::Agreement::Same
                        }
                        Value::Text(own) | Value::Enum(own) => holds_word(own, text),
                        _ => false,
                    }
                })
            })
    }

    /// Whether evidence, dialogue or question hold these very words, or the knowledge base does in
    /// a name or a value: of an entity that was mentioned, or of any where there are few.
    #[must_use]
    pub fn holds_words(&self, text: &str, mentioned: &[u32]) -> bool {
        let told = |set: &EvidenceSet| set.passages().iter().any(|p| p.text().contains(text));
        let holds = |value: &Value| match value {
            Value::Text(own) | Value::Enum(own) | Value::Email(own) | Value::Entity(own) => {
                holds_word(own, text)
            }
            _ => false,
        };
        let any = |kb: &Snapshot| {
            let few = kb.len() <= FEW;
            !kb.find(text).is_empty()
                || (few
                    && kb
                        .ids()
                        .any(|id| kb.facts(id, None).iter().any(|f| holds(&f.value))))
        };
        self.sets().any(told) || self.in_facts(mentioned, holds) || self.kb.is_some_and(any)
    }

    /// Whether a fact of an entity that was mentioned has such a value.
    #[must_use]
    pub fn holds_value(&self, mentioned: &[u32], holds: impl Fn(&Value) -> bool) -> bool {
        self.in_facts(mentioned, holds)
    }

    fn in_facts(&self, mentioned: &[u32], holds: impl Fn(&Value) -> bool) -> bool {
        let Some(kb) = self.kb else { return false };
        mentioned.iter().any(|id| {
            // Of what has too many facts to look at, any of them may.
            kb.comparable(*id).is_none_or(|facts| {
                facts.iter().any(|fact| {
                    let mut days = fact.valid_from.into_iter().chain(fact.valid_to);
                    holds(&fact.value)
                        || fact.qualifiers.iter().any(|q| holds(&q.value))
                        || days.any(|day| holds(&Value::Date(day)))
                })
            })
        })
    }
}

/// Whether a value of the base has the number.
fn says_quantity(value: &Value, quantity: &Quantity, text: &str) -> bool {
    match value {
        Value::Number { value, unit } => {
            let of = unit.as_deref().and_then(unit_named);
            let plain = Quantity {
                unit: None,
                ..*quantity
            };
            // A share may stand as a part of one.
            let share = quantity.kind == QuantityKind::Percent
                && unit.is_none()
                && (0.0..1.0).contains(value)
                && (value * 100.0 - quantity.value).abs() < 1e-9;
            share
                || numbers_agree(quantity, *value, of) == Some(true)
                || numbers_agree(&plain, *value, None) == Some(true)
        }
        Value::Date(date) => {
            (quantity.value - f64::from(date.year)).abs() < 0.5
                || date
                    .day
                    .is_some_and(|day| (quantity.value - f64::from(day)).abs() < 0.5)
        }
        Value::Text(own) | Value::Enum(own) => holds_word(own, text) || holds_share(own, quantity),
        _ => false,
    }
}

/// "10 % off" for "10%".
fn holds_share(text: &str, quantity: &Quantity) -> bool {
    let percent = |q: &Quantity| q.kind == QuantityKind::Percent;
    percent(quantity)
        && text.contains(|c: char| c.is_ascii_digit())
        && (quantities(text).iter()).any(|own| percent(own) && own.value == quantity.value)
}

/// Whether a text holds another between word boundaries.
fn holds_word(text: &str, word: &str) -> bool {
    let word = word.trim();
    !word.is_empty()
        && text.match_indices(word).any(|(at, _)| {
            let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
            edge(text[..at].chars().next_back()) && edge(text[at + word.len()..].chars().next())
        })
}
