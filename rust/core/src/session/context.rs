//! What a stream may rest on: evidence, question, dialogue and knowledge base.

use std::sync::Arc;

use jiff::civil::Date;
use rustc_hash::FxHashSet;

use crate::claims::{Attributes, Reader};
use crate::detect::{GivenTable, Grounds, SaidOfRows};
use crate::dialogue::{Dialogue, Known, Role, SpokenOf, spoken_of};
use crate::entities::Names;
use crate::error::{Error, Result};
use crate::evidence::{Against, EvidenceSet};
use crate::kb::{Rows, Snapshot};
use crate::monitor::Monitor;
use crate::normal::visible;
use crate::types::{EvidenceKind, clip_text};

use super::asked::{Asked, asked_again, with_surnames};
use super::kinds::BaseKinds;

/// What a stream may rest on. Cheap to clone; a running session keeps the knowledge base as it
/// was when the session began.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// Passages given with the request.
    pub evidence: EvidenceSet,
    /// The question, as a set of one passage or none.
    pub question: EvidenceSet,
    /// Earlier turns.
    pub dialogue: Dialogue,
    /// The knowledge base.
    pub kb: Option<Snapshot>,
    /// Its names.
    pub names: Names,
    /// Its attribute names.
    pub attributes: Arc<Attributes>,
    /// Known entities of question and dialogue, the latest first: what the answer's first
    /// pronouns can stand for.
    pub antecedents: Vec<u32>,
    /// What question and dialogue named and the answer can refer to.
    pub reader: Reader,
    /// What the question asks of the knowledge base.
    pub(super) asks: Asked,
    /// Stems of the question and the dialogue.
    pub known: Arc<FxHashSet<u64>>,
    /// The day that counts as today (S0-053); without one nothing is judged against it.
    pub reference: Option<Date>,
    /// Tables whose values stand together a row at a time: the knowledge base's, then the
    /// request's.
    pub tables: Vec<GivenTable>,
}

impl Context {
    /// A context of the monitor's knowledge base and what is given.
    #[must_use]
    pub fn new(
        monitor: &Monitor,
        evidence: &[(String, String)],
        history: &[(String, String)],
        question: Option<&str>,
    ) -> Self {
        let cache = monitor.passages();
        let mut context = Self {
            kb: monitor.kb(),
            names: monitor.names(),
            attributes: monitor.attributes(),
            dialogue: Dialogue::new(monitor.settings().history_turns),
            ..Self::default()
        };
        for (id, text) in evidence {
            context
                .evidence
                .add(cache.passage(id, EvidenceKind::Passage, text));
        }
        for (role, text) in history {
            // A role of another name still is somebody's turn.
            context
                .dialogue
                .add(Role::parse(role).unwrap_or(Role::User), &visible(text).0);
        }
        let Self {
            dialogue,
            names,
            attributes,
            reader,
            kb,
            ..
        } = &mut context;
        let kb = kb.as_ref();
        let known = Known {
            names,
            attributes,
            kinds: &BaseKinds(kb),
        };
        dialogue.read(known, &monitor.settings().history_roles, reader);
        let question = question.map(|text| visible(text).0);
        let question = question.as_deref();
        let mut asks = Asked::default();
        let told = question.map(|text| match kb {
            Some(kb) => with_surnames(text, (evidence, history), known, kb),
            None => text.into(),
        });
        let mut antecedents = told.as_deref().map_or_else(Vec::new, |text| {
            let before = reader.clone();
            let spoken = spoken_of(text, known, reader);
            let meant = kb.and_then(|kb| in_full(text, &spoken, kb));
            let asked = meant
                .as_ref()
                .map_or(spoken.named, |(_, entity)| vec![*entity]);
            reader.question_ends(dialogue.next_number());
            dialogue.ask(text, known);
            if let Some(kb) = kb {
                let again = match asked[..] {
                    [thing] => asked_again(text, thing, history, known, kb),
                    _ => None,
                };
                let text = meant.as_ref().map_or(text, |(text, _)| text);
                asks = Asked::read(again.as_deref().unwrap_or(text), &asked, kb, attributes);
            }
            if asks.only_mentions().is_some() {
                // What it only mentions is not what the answer speaks of.
                *reader = before;
                reader.turn_ends(dialogue.next_number());
                return Vec::new();
            }
            if let [entity] = asked[..]
                && let Some(name) = kb.and_then(|kb| kb.name(entity))
            {
                reader.asks_about(name, entity, known.kinds.of(entity));
                if let Some((attribute, shape)) = asks.value() {
                    reader.asks_for(attribute, shape);
                }
            }
            asked
        });
        for id in dialogue.entities() {
            if !antecedents.contains(id) && asks.only_mentions() != Some(*id) {
                antecedents.push(*id);
            }
        }
        context.asks = asks;
        context.antecedents = antecedents;
        if let Some(question) = question {
            context
                .question
                .add(cache.passage("question", EvidenceKind::PriorTurn, question));
        }
        let mut known = FxHashSet::default();
        for set in [&context.question, context.dialogue.as_evidence()] {
            for passage in set.passages() {
                known.extend(passage.data().stems());
            }
        }
        context.known = Arc::new(known);
        if let Some(kb) = context.kb.clone() {
            for (name, table) in kb
                .tables()
                .iter()
                .filter(|(_, table)| !table.rows().is_empty())
            {
                let columns = table.rows().columns().iter();
                let closed = columns.map(|column| kb.is_closed(Some(column))).collect();
                context.take_table(Arc::clone(table.rows()), Some(name.as_str().into()), closed);
            }
        }
        context
    }

    /// The same with a table; the question is read after the dialogue, and where there is none, the
    /// dialogue's last turn is what is being answered.
    #[must_use]
    pub fn with_rows(mut self, rows: Arc<Rows>) -> Self {
        self.take_table(rows, None, Arc::from([]));
        self
    }

    fn take_table(&mut self, rows: Arc<Rows>, name: Option<Arc<str>>, closed: Arc<[bool]>) {
        let turns = self.dialogue.turns();
        let said = turns.map(|turn| (turn.number, turn.role, turn.passage.text()));
        let last = self.dialogue.turns().next_back().map_or(0, |t| t.number);
        let asked = self
            .question
            .passages()
            .iter()
            .map(|p| (last + 1, Role::User, p.text()));
        let said = Arc::new(SaidOfRows::new(&rows, said.chain(asked)));
        self.tables.push(GivenTable {
            rows,
            said,
            name,
            closed,
        });
    }

    /// What the text is compared with, word by word.
    #[must_use]
    pub fn against(&self) -> Against<'_> {
        Against {
            evidence: &self.evidence,
            known: &self.known,
        }
    }

    /// The same context on that day: what "last year" and "in the future" count from (S0-053).
    #[must_use]
    pub fn on(mut self, reference: Option<Date>) -> Self {
        self.reference = reference;
        self
    }

    /// The same context on the day that is written so.
    ///
    /// # Errors
    /// `Argument` unless it is a day of the calendar, as YYYY-MM-DD.
    pub fn on_day(self, day: &str) -> Result<Self> {
        let date = day
            .parse::<Date>()
            .ok()
            .filter(|date| date.to_string() == day);
        let date = date.ok_or_else(|| {
            Error::argument(format!(
                "reference_date is a day of the calendar as YYYY-MM-DD, not '{}'",
                clip_text(day)
            ))
        })?;
        Ok(self.on(Some(date)))
    }

    /// What detectors look at.
    #[must_use]
    pub fn grounds(&self) -> Grounds<'_> {
        Grounds {
            kb: self.kb.as_ref(),
            evidence: (!self.evidence.is_empty()).then_some(&self.evidence),
            dialogue: (!self.dialogue.is_empty()).then_some(&self.dialogue),
            question: (!self.question.is_empty()).then_some(&self.question),
            tables: &self.tables,
        }
    }
}

/// "When was it opened?" with the name of the one thing that it can mean, where the question names none.
fn in_full(question: &str, spoken: &SpokenOf, kb: &Snapshot) -> Option<(String, u32)> {
    let (_, entity) = *spoken.meant.first()?;
    let one = spoken.meant.iter().all(|(_, other)| *other == entity);
    if !spoken.named.is_empty() || !one {
        return None;
    }
    let name = kb.name(entity)?;
    let mut full = String::with_capacity(question.len() + name.len());
    let mut from = 0;
    for (span, _) in &spoken.meant {
        let said = question.get(span.start..span.end)?;
        full.push_str(question.get(from..span.start)?);
        full.push_str(name);
        let next = question[span.end..].trim_start();
        let owns = matches!(said.to_lowercase().as_str(), "its" | "his" | "their")
            || said.eq_ignore_ascii_case("her") && next.starts_with(char::is_alphabetic);
        full.push_str(if owns { "'s" } else { "" });
        from = span.end;
    }
    full.push_str(&question[from..]);
    Some((full, entity))
}
