//! What a sentence puts together against a table's rows, and against what was said of its columns
//! earlier in the conversation.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::json;

use crate::claims::{SentenceView, unasserted};
use crate::kb::{Rows, Slot};
use crate::lexicon::predicates::Predicates;
use crate::lexicon::rows::words;
use crate::types::{Evidence, EvidenceKind, Finding, Message, Span, Status};

use super::draft::{Absence, draft, hold_low};

/// How sure the row check is; precisions of the rules on the training part of CI-ToD stand in
/// `benches/results/kb.md`.
const TOGETHER: f64 = 0.9;
const NEW_VALUE: f64 = 0.85;
const OF_TOPIC: f64 = 0.8;
const EARLIER: f64 = 0.8;

/// A table that a stream is checked with.
#[derive(Debug, Clone)]
pub struct GivenTable {
    /// Its rows.
    pub rows: Arc<Rows>,
    /// What question and dialogue said of its columns.
    pub said: Arc<SaidOfRows>,
    /// Its name in the knowledge base; none where it came with the request.
    pub name: Option<Arc<str>>,
    /// Columns that the knowledge base declares complete.
    pub closed: Arc<[bool]>,
}

impl GivenTable {
    /// What a value says that no row has: less than a contradiction, as the table may lack it.
    fn absence(&self, columns: &[u16]) -> Absence {
        let closed = |column: &u16| self.closed.get(usize::from(*column)) == Some(&true);
        Absence {
            closed: !columns.is_empty() && columns.iter().all(closed),
            evidence: self.name.is_none(),
        }
    }

    fn locator(&self, row: u32) -> String {
        match &self.name {
            Some(name) => format!("{name}/row {row}"),
            None => format!("row {row}"),
        }
    }
}

/// A sentence as the row check reads it.
#[derive(Debug, Clone, Copy)]
pub struct RowText<'a> {
    /// Its text.
    pub text: &'a str,
    /// Byte of the stream where it starts.
    pub start: usize,
    /// Byte that decided it.
    pub decided_at: usize,
    /// What it says outright of what.
    pub told: &'a [RowClaim<'a>],
    /// Which names mean one attribute.
    pub names: &'a Predicates,
    /// The sentence as it was read.
    pub view: &'a SentenceView<'a>,
}

impl RowText<'_> {
    /// Whether the words at a span are put forward as so.
    fn says(&self, span: Span) -> bool {
        let place = Span::new(self.start + span.start, self.start + span.end);
        !unasserted(self.view, &self.view.folded(), place)
    }

    fn draft(&self, kind: &str, rule: &str, span: Span) -> Finding {
        let text = self.text.get(span.start..span.end).unwrap_or("");
        let whole = Span::new(self.start + span.start, self.start + span.end);
        draft(kind, rule, Some(whole), text, self.decided_at)
    }
}

/// Whether a row of the table has all that the sentence says of the row that it names.
#[must_use]
pub fn row_carries(text: &str, rows: &Rows) -> bool {
    let slots = rows.read(text);
    let known: Vec<&Slot> = slots.iter().filter(|slot| slot.value.is_some()).collect();
    let whole = known.len() == slots.len() && known.len() > 1;
    let named = known.iter().any(|slot| rows.names_row(slot));
    whole && named && !words().denies(text) && !rows.together(&known).is_empty()
}

/// Findings of a sentence over a table:
///
/// - `dialogue.contradicts_fact`, rule `row`: values of the table that stand in no row together
///   (or not in the row the conversation is about); not where the sentence denies something.
/// - `dialogue.contradicts_fact`, rule `row_value`: a value in the form of a column's that no row
///   has, or one that the sentence gives a row for a column where the row has another. The table may
///   lack it, so it is an absence.
/// - `dialogue.contradicts_prior`, rule `row_prior`: another value than earlier turns gave to the
///   column; rule `row_question`: another than the question names; rule `row_topic`: another row
///   than the one spoken of, where the question asks for no other. They are held at low, unless the
///   user stated that value as a wish and the sentence has a row without it.
///
/// A question or an offer ("Would you like cheap food?") states nothing.
#[must_use]
pub fn row_conflicts(sentence: &RowText<'_>, table: &GivenTable) -> Vec<Finding> {
    let (rows, said) = (&*table.rows, &*table.said);
    let slots = rows.read(sentence.text);
    if slots.is_empty() || words().asks(sentence.text) {
        return Vec::new();
    }
    let mut found = Vec::new();
    // What is only now put down stands in no row yet.
    let booked = words().books(sentence.text);
    if !booked {
        let unknown = slots.iter().filter(|slot| slot.value.is_none()).cloned();
        for slot in unknown.chain(told_values(sentence, rows, &slots)) {
            found.push(new_value(sentence, table, &slot));
        }
    }
    let known: Vec<&Slot> = slots.iter().filter(|slot| slot.value.is_some()).collect();
    if !booked && !words().denies(sentence.text) {
        let keyed = known.iter().any(|slot| rows.is_key(slot));
        let topic = said.topic(rows).filter(|_| !keyed);
        let joined = Joined {
            text: sentence.text,
            rows,
            names: sentence.names,
            slots: &slots,
        };
        let asserted = known.iter().filter(|slot| sentence.says(slot.span));
        let asserted: Vec<&Slot> = asserted.copied().collect();
        for group in groups(&joined, &asserted) {
            let standing = rows.together(&group);
            if standing.is_empty() {
                let mut finding = apart(sentence, table, &group);
                if let Some((slot, cell)) = one_wrong(rows, &slots, &group) {
                    put_right(&mut finding, sentence, slot, cell);
                }
                found.push(finding);
            } else if let Some((of, turn)) = topic
                && !standing.iter().any(|row| of.binary_search(row).is_ok())
            {
                found.push(off_topic(sentence, table, &group, of, turn));
            }
        }
    }
    for slot in &slots {
        found.extend(against(sentence, rows, slot, &slots, said));
    }
    found.extend(other_row(sentence, rows, &known, said));
    note_rules(&mut found, said.earlier().len());
    found
}

/// Notes in every finding the rules of all that overlap with it: of findings of one type and place
/// a report keeps one (D-1), which then speaks for the others.
fn note_rules(found: &mut [Finding], earlier_turns: usize) {
    found.sort_by_key(|finding| {
        let span = finding.span.unwrap_or_default();
        (finding.kind.clone(), span.start, span.end)
    });
    let mut at = 0;
    while at < found.len() {
        let reach = |finding: &Finding| finding.span.unwrap_or_default().end;
        let (mut end, mut last) = (at + 1, reach(&found[at]));
        while end < found.len()
            && found[end].kind == found[at].kind
            && found[end].span.unwrap_or_default().start < last
        {
            last = last.max(reach(&found[end]));
            end += 1;
        }
        let rules: BTreeSet<String> = found[at..end].iter().map(|f| f.rule.clone()).collect();
        for finding in &mut found[at..end] {
            let extra = &mut finding.extra;
            extra.insert("rules".into(), json!(rules));
            extra.insert("earlier_turns".into(), json!(earlier_turns));
        }
        at = end;
    }
}

fn row_text(rows: &Rows, row: u32) -> String {
    let cells: Vec<String> = rows.row(row).map(|(c, v)| format!("{c}: {v}")).collect();
    cells.join("; ")
}

fn span_of(group: &[&Slot]) -> Span {
    let start = group.first().map_or(0, |slot| slot.span.start);
    Span::new(start, group.last().map_or(start, |slot| slot.span.end))
}

fn list(group: &[&Slot]) -> String {
    let words: Vec<&str> = group.iter().map(|slot| &*slot.words).collect();
    words.join(", ")
}

fn row_evidence(table: &GivenTable, row: u32, quality: f64) -> Evidence {
    Evidence {
        kind: EvidenceKind::KbFact,
        source: table.name.as_deref().map(str::to_owned),
        locator: Some(table.locator(row)),
        text: row_text(&table.rows, row),
        quality,
        data: json!({"row": row, "contradicts": true}),
    }
}

fn apart(sentence: &RowText<'_>, table: &GivenTable, group: &[&Slot]) -> Finding {
    let rows = &*table.rows;
    let mut finding = sentence.draft("dialogue.contradicts_fact", "row", span_of(group));
    finding.p_hallucinated = TOGETHER;
    finding.status = Status::Contradicted;
    finding.content = list(group);
    finding.message = Message::new("No row of the table has these values together: {values}")
        .sensitive("values", list(group));
    if let Some(row) = rows.nearest(group) {
        finding.expected = json!(row_text(rows, row));
        finding.suggestion = Some(format!("The nearest row has {}", row_text(rows, row)));
        finding.evidence.push(row_evidence(table, row, 1.0));
    }
    finding.detected = json!(list(group));
    finding.extra.insert("absence".into(), json!(false));
    if table.name.is_some() && !group.iter().any(|slot| rows.names_row(slot)) {
        // Of a row that nobody named, which the base may lack.
        let columns: Vec<u16> = group
            .iter()
            .flat_map(|s| s.columns.iter().copied())
            .collect();
        table.absence(&columns).note(&mut finding);
    }
    finding
}

fn off_topic(
    sentence: &RowText<'_>,
    table: &GivenTable,
    group: &[&Slot],
    of: &[u32],
    turn: &SaidTurn,
) -> Finding {
    let rows = &*table.rows;
    let mut finding = apart(sentence, table, group);
    "row_of_topic".clone_into(&mut finding.rule);
    finding.p_hallucinated = OF_TOPIC;
    finding.message = Message::new(
        "What turn {turn} speaks of does not have these values in the table: {values}",
    )
    .plain("turn", turn.number.to_string())
    .sensitive("values", list(group));
    finding.evidence.clear();
    finding.suggestion = None;
    if let Some(row) = of.first() {
        finding.expected = json!(row_text(rows, *row));
        finding.suggestion = Some(format!("The table has {}", row_text(rows, *row)));
        finding.evidence.push(row_evidence(table, *row, 1.0));
    }
    finding
}

fn new_value(sentence: &RowText<'_>, table: &GivenTable, slot: &Slot) -> Finding {
    let rows = &*table.rows;
    let mut finding = sentence.draft("dialogue.contradicts_fact", "row_value", slot.span);
    finding.p_hallucinated = NEW_VALUE;
    finding.content = slot.words.clone();
    finding.message = match slot.columns.first() {
        Some(column) => Message::new("No row of the table has {column} {value}")
            .plain("column", rows.column(*column))
            .sensitive("value", &*slot.words),
        None => Message::new("No row of the table has {value}").sensitive("value", &*slot.words),
    };
    finding.detected = json!(slot.words);
    table.absence(&slot.columns).note(&mut finding);
    finding
}

/// Another value than a turn gave to one of the slot's columns; not where the sentence has the
/// turn's value too, and adds to it.
fn against(
    sentence: &RowText<'_>,
    rows: &Rows,
    slot: &Slot,
    slots: &[Slot],
    said: &SaidOfRows,
) -> Vec<Finding> {
    let mut found = Vec::new();
    let parts = [
        ("row_prior", said.earlier()),
        (
            "row_question",
            said.turns.get(said.earlier().len()..).unwrap_or(&[]),
        ),
    ];
    for (rule, turns) in parts {
        let other = slot.columns.iter().find_map(|column| {
            let named = || {
                turns.iter().flat_map(|turn| {
                    let of = turn.slots.iter().filter(|s| s.columns.contains(column));
                    of.map(move |said| (turn, said))
                })
            };
            let last = named().last()?;
            let repeated = |(_, said): (_, &Slot)| slots.iter().any(|own| own.words == said.words);
            (!named().any(repeated)).then_some((*column, last))
        });
        if let Some((column, (turn, before))) = other {
            let firm = said.wished(rows, turn, before, column)
                && !words().denies(sentence.text)
                && lacks(rows, slots, before);
            let mut finding = sentence.draft("dialogue.contradicts_prior", rule, slot.span);
            prior(
                &mut finding,
                turn,
                rows.column(column),
                &before.words,
                &slot.words,
            );
            if !firm {
                hold_low(&mut finding);
            }
            found.push(finding);
        }
    }
    found
}

/// Whether the sentence names a row, and none that has the value.
fn lacks(rows: &Rows, slots: &[Slot], value: &Slot) -> bool {
    let mut named = slots.iter().filter(|slot| rows.names_row(slot)).peekable();
    let has = |slot: &Slot| {
        let of = rows.rows_of(value);
        rows.rows_of(slot).iter().any(|row| of.contains(row))
    };
    named.peek().is_some() && !named.any(has)
}

/// Another row than the one that was spoken of.
fn other_row(
    sentence: &RowText<'_>,
    rows: &Rows,
    known: &[&Slot],
    said: &SaidOfRows,
) -> Option<Finding> {
    let question = said.question()?;
    let (of, turn) = said.topic(rows)?;
    let keys: Vec<&&Slot> = known.iter().filter(|slot| rows.is_key(slot)).collect();
    let first = keys.first()?;
    let meant = |slot: &&&Slot| {
        rows.rows_of(slot)
            .iter()
            .any(|r| of.binary_search(r).is_ok())
    };
    if keys.iter().any(meant) || words().asks_for_other(&question.text) {
        return None;
    }
    let mut finding = sentence.draft("dialogue.contradicts_prior", "row_topic", first.span);
    let column = first.columns.first().map_or("", |c| rows.column(*c));
    let before = turn.slots.iter().find(|slot| rows.is_key(slot))?;
    prior(&mut finding, turn, column, &before.words, &first.words);
    hold_low(&mut finding);
    Some(finding)
}

fn prior(finding: &mut Finding, turn: &SaidTurn, column: &str, before: &str, now: &str) {
    finding.p_hallucinated = EARLIER;
    finding.status = Status::Contradicted;
    finding.content = format!("{column}: {now}");
    finding.message = Message::new("Turn {turn} has {column} {before}, not {now}")
        .plain("turn", turn.number.to_string())
        .plain("column", column)
        .sensitive("before", before)
        .sensitive("now", now);
    finding.detected = json!(now);
    finding.expected = json!(before);
    finding.evidence.push(Evidence {
        kind: EvidenceKind::PriorTurn,
        source: Some(format!("turn-{}", turn.number)),
        locator: None,
        text: format!("Earlier: '{}' (Turn {})", turn.text, turn.number),
        quality: EARLIER,
        data: json!({"turn": turn.number, "contradicts": true}),
    });
    finding.extra.insert("absence".into(), json!(false));
}

mod bound;
mod right;
mod said;
mod together;
mod told;

use bound::Joined;
use right::{one_wrong, put_right};
pub use said::SaidOfRows;
use said::SaidTurn;
use together::groups;
pub use told::RowClaim;
use told::told_values;
