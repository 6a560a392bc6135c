//! What turns said of a table's columns.

use crate::dialogue::Role;
use crate::kb::{Rows, Slot};
use crate::lexicon::rows::words;

/// The columns' values that earlier turns named.
#[derive(Debug, Clone, Default)]
pub struct SaidOfRows {
    pub(super) turns: Vec<SaidTurn>,
}

#[derive(Debug, Clone)]
pub(super) struct SaidTurn {
    pub(super) number: u32,
    role: Role,
    pub(super) text: String,
    pub(super) slots: Vec<Slot>,
}

impl SaidTurn {
    /// The sentence in which a value stands, with the mark that ends it.
    fn sentence(&self, slot: &Slot) -> &str {
        let ends = |at: usize| {
            let mut rest = self.text[at..].chars();
            let mark = rest
                .next()
                .is_some_and(|c| matches!(c, '.' | '!' | '?' | '\n'));
            mark && rest.next().is_none_or(char::is_whitespace)
        };
        let before = self.text.get(..slot.span.start).unwrap_or("");
        let after = self.text.get(slot.span.end..).unwrap_or("");
        let start = before.char_indices().rfind(|(i, _)| ends(*i));
        let start = start.map(|(i, _)| i);
        let mut behind = after.char_indices().map(|(i, _)| slot.span.end + i);
        let end = behind.find(|i| ends(*i));
        let start = start.map_or(0, |i| i + 1);
        let end = end.map_or(self.text.len(), |i| i + 1);
        self.text.get(start..end).unwrap_or("")
    }

    /// Whether a value only bounds what is meant, or is turned down: "under $140", "no blue lamps".
    fn bounds(&self, slot: &Slot) -> bool {
        let sentence = self.sentence(slot);
        words().bounds(sentence) || words().denies(sentence)
    }
}

impl SaidOfRows {
    /// Reads the turns, oldest first; the last one is the question that is being answered.
    #[must_use]
    pub fn new<'a>(rows: &Rows, turns: impl Iterator<Item = (u32, Role, &'a str)>) -> Self {
        let turns = turns
            .map(|(number, role, text)| SaidTurn {
                number,
                role,
                text: text.to_owned(),
                slots: rows.read(text),
            })
            .collect();
        Self { turns }
    }

    pub(super) fn question(&self) -> Option<&SaidTurn> {
        self.turns.last()
    }

    pub(super) fn earlier(&self) -> &[SaidTurn] {
        self.turns.split_last().map_or(&[], |(_, rest)| rest)
    }

    /// The rows that the last turn which names a row speaks of; none where it names several.
    pub(super) fn topic<'r>(&self, rows: &'r Rows) -> Option<(&'r [u32], &SaidTurn)> {
        for turn in self.turns.iter().rev() {
            let meant =
                |slot: &&Slot| rows.is_key(slot) && (rows.names_row(slot) || !turn.bounds(slot));
            let mut keys = turn.slots.iter().filter(meant);
            if let Some(first) = keys.next() {
                let of = rows.rows_of(first);
                return keys
                    .all(|other| rows.rows_of(other) == of)
                    .then_some((of, turn));
            }
        }
        None
    }

    /// Whether the turn is a user's who says outright that the value is wanted, and has not gone
    /// on to another one, another row or a question since.
    pub(super) fn wished(&self, rows: &Rows, turn: &SaidTurn, slot: &Slot, column: u16) -> bool {
        let sentence = turn.sentence(slot);
        let told = turn.role == Role::User
            && !sentence.trim_end().ends_with('?')
            && words().wishes(sentence)
            && !turn.bounds(slot);
        let since = self.turns.iter().filter(|other| other.number > turn.number);
        told && since.filter(|other| other.role == Role::User).all(|other| {
            let moves = |own: &Slot| rows.names_row(own) || own.columns.contains(&column);
            let asks = other.text.contains('?') || words().asks_for_other(&other.text);
            !asks && !other.slots.iter().any(moves)
        })
    }
}
