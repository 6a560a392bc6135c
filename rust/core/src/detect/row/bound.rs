//! Whether a sentence says a value of what stands before it: the words between the two, and those
//! right behind it, are all ones that join a value to its row. What other words do is not known, so
//! they part the two.

use crate::kb::{Rows, Slot, predicate_key};
use crate::lexicon::predicates::Predicates;
use crate::lexicon::rows::words;

use super::together::{function, in_columns};

/// Marks and words at which another clause may start.
const BREAKS: [char; 12] = ['.', ',', ';', ':', '!', '?', '(', ')', '\n', '|', '—', '–'];

/// The words of a stretch, lower-case; "'s" is one of its own.
fn split(text: &str) -> Vec<String> {
    let folded = text.to_lowercase().replace('’', "'");
    let parts = folded.split(|c: char| !(c.is_alphanumeric() || c == '\''));
    parts
        .filter(|word| word.chars().any(char::is_alphanumeric))
        .map(str::to_owned)
        .collect()
}

fn owns(text: &str) -> bool {
    ["'s", "’s", "'", "’"].iter().any(|mark| {
        text.strip_prefix(mark)
            .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    })
}

/// Whether a word joins by the one before it, or the one behind it.
fn paired(gap: &[String], at: usize) -> bool {
    let next = gap.get(at + 1);
    at > 0 && words().pairs(&gap[at - 1], &gap[at])
        || next.is_some_and(|next| words().pairs(&gap[at], next))
}

/// A slot that is nothing but a number.
fn plain_number(slot: &Slot) -> bool {
    slot.words.chars().all(|c| c.is_ascii_digit() || c == ' ')
}

/// A sentence and what it names of a table.
#[derive(Clone, Copy)]
pub(super) struct Joined<'a> {
    pub(super) text: &'a str,
    pub(super) rows: &'a Rows,
    pub(super) names: &'a Predicates,
    /// All that was read, with what only has the form of a value.
    pub(super) slots: &'a [Slot],
}

impl Joined<'_> {
    /// The words of a stretch, without those of slots in it.
    fn stretch(&self, start: usize, end: usize) -> Vec<String> {
        let mut at = start;
        let mut out = Vec::new();
        for slot in self.slots {
            if slot.span.start >= at && slot.span.end <= end {
                out.extend(split(self.text.get(at..slot.span.start).unwrap_or("")));
                at = slot.span.end;
            }
        }
        out.extend(split(self.text.get(at..end).unwrap_or("")));
        out
    }

    fn thing(&self, word: &str) -> bool {
        words().is_topic(word) || in_columns(self.rows, word)
    }

    /// Whether all words join a value of these columns to what stands before.
    fn links(&self, gap: &[String], columns: &[u16], ahead: bool) -> bool {
        let whole = |(at, word): (usize, &String)| {
            let with_other = word == "with" && at > 0 && words().pairs(&gap[at - 1], "as");
            (words().links(word) && !with_other)
                || self.thing(word)
                || paired(gap, at)
                || ahead && words().tells_ahead(word)
                || self.speaks_of(word, columns)
        };
        gap.iter().enumerate().all(whole)
    }

    /// Whether a word is a verb or noun for one of the columns ("costs": price).
    fn speaks_of(&self, word: &str, columns: &[u16]) -> bool {
        columns.iter().any(|column| {
            let name = predicate_key(self.rows.column(*column));
            let mut parts = name.split('_');
            words().alike(word, &name)
                || parts.any(|part| words().alike(word, part))
                || self.names.same(&name, word)
        })
    }

    /// Where the clause starts that holds a byte.
    fn clause(&self, at: usize) -> usize {
        let before = self.text.get(..at).unwrap_or("");
        // What is in a slot ends no clause.
        let free = |i: usize| {
            !self
                .slots
                .iter()
                .any(|s| s.span.start <= i && i < s.span.end)
        };
        let mut marks = before.rmatch_indices(BREAKS).filter(|(i, _)| free(*i));
        let mark = marks.next().map_or(0, |(i, mark)| i + mark.len());
        let word = words()
            .clause_words()
            .filter_map(|word| {
                before
                    .rfind(&format!(" {word} "))
                    .map(|i| i + word.len() + 2)
            })
            .max();
        mark.max(word.unwrap_or(0))
    }

    /// Where the clause starts that holds a slot.
    pub(super) fn clause_of(&self, slot: &Slot) -> usize {
        self.clause(slot.span.start)
    }

    fn leads(&self, start: usize, end: usize) -> bool {
        let before = self.stretch(start, end);
        // Of the weather a place may be told that no row has.
        let ahead = |pair: &[String]| pair[0] == "it" && pair[1] == "will";
        let weather =
            before.iter().any(|word| words().forecasts(word)) || before.windows(2).any(ahead);
        let place = |at: usize| weather && at > 0 && matches!(&*before[at - 1], "in" | "for");
        before.iter().enumerate().all(|(at, word)| {
            words().leads(word)
                || place(at)
                || words().links(word)
                || self.thing(word)
                || paired(&before, at)
                || word.chars().all(|c| c.is_ascii_digit())
        })
    }

    /// Whether a slot may open what is said: nothing before it in the sentence, or its clause,
    /// turns it into something else.
    pub(super) fn opens(&self, slot: &Slot, anew: bool) -> bool {
        let start = if anew {
            self.clause(slot.span.start)
        } else {
            0
        };
        if !self.leads(start, slot.span.start) || !self.ends_well(slot, true) {
            return false;
        }
        let last = self.stretch(start, slot.span.start).pop();
        !(self.rows.names_row(slot) && last.is_some_and(|word| words().beside_of(&word)))
    }

    /// Whether the stretch has a verb that joins.
    pub(super) fn says(&self, start: usize, end: usize) -> bool {
        self.stretch(start, end)
            .iter()
            .any(|word| words().joins(word))
    }

    /// What stands right behind a slot is nothing that it describes.
    fn ends_well(&self, slot: &Slot, opening: bool) -> bool {
        let after = self.text.get(slot.span.end..).unwrap_or("");
        let before = self.text.get(..slot.span.start).unwrap_or("");
        if before.ends_with('-') && before.len() > 1 && !before.ends_with(" -") {
            return false;
        }
        if opening && self.rows.names_row(slot) {
            return !after.starts_with('-');
        }
        if after.starts_with('-') || owns(after) {
            return false;
        }
        let Some(rest) = after.strip_prefix(' ') else {
            return true;
        };
        let next = rest
            .split(|c: char| !(c.is_alphanumeric() || c == '\'' || c == '’'))
            .next()
            .unwrap_or("");
        let folded = next.to_lowercase();
        let slotted = self
            .slots
            .iter()
            .any(|own| own.span.start == slot.span.end + 1);
        if next.starts_with(char::is_uppercase) && !slotted && !function(&folded) {
            return false;
        }
        next.is_empty()
            || slotted
            || words().links(&folded)
            || words().leads(&folded)
            || self.thing(&folded)
            || function(&folded)
    }

    /// Whether a value is said of what stands at `from`..., `of` being the slot before it.
    pub(super) fn bound(&self, of: &Slot, slot: &Slot) -> bool {
        let gap_text = self.text.get(of.span.end..slot.span.start).unwrap_or("");
        let gap = self.stretch(of.span.end, slot.span.start);
        let owned = owns(gap_text);
        let gap: &[String] = match gap.first() {
            Some(first) if owned && (first == "'s" || first == "s") => &gap[1..],
            _ => &gap,
        };
        let start = self.stretch(self.clause_of(of), of.span.start);
        // "In Oslo it will be windy": the weather is told ahead as other things are told of now.
        let dummy = gap.first().is_some_and(|word| word == "it")
            && gap_text
                .trim_start()
                .to_lowercase()
                .starts_with("it will be");
        let told_ahead = start.iter().chain(gap).any(|word| words().forecasts(word));
        if !self.links(gap, &slot.columns, dummy || told_ahead) || !self.ends_well(slot, false) {
            return false;
        }
        let last = gap.last().map_or("", |word| word);
        if self.rows.names_row(slot) {
            let far = last == "from" && gap.len() > 1 && paired(gap, gap.len() - 1);
            let way = last == "to";
            return far || way || !words().beside_of(last) && last != "of" && last != "with";
        }
        let key = self.rows.names_row(of);
        let first = gap.first().map_or("", |word| word);
        let called = key && !of.words.contains(|c: char| c.is_ascii_digit());
        if called && matches!(first, "and" | "or" | "with" | "to") {
            return false;
        }
        let after = self.text.get(slot.span.end..).unwrap_or("").trim_start();
        let next = split(after).into_iter().next().unwrap_or_default();
        let described = after.starts_with(|c: char| c.is_alphanumeric()) && self.thing(&next);
        if owned && gap.is_empty() {
            return described;
        }
        let of_row = key && start.last().is_some_and(|word| word == "of");
        if owned && self.of_other_column(gap, slot) || of_row && self.of_other_column(&start, slot)
        {
            return false;
        }
        if !slot.words.chars().any(char::is_alphabetic) {
            return self.counts(gap, gap_text, slot, &next);
        }
        let alphabetic = slot.words.chars().all(|c| c.is_alphabetic() || c == ' ');
        let article = matches!(last, "a" | "an");
        let has = gap
            .iter()
            .any(|word| matches!(&**word, "has" | "have" | "having"));
        if alphabetic && article && has && !described {
            return false;
        }
        // "north of the river" is no part of town.
        if next == "of" && alphabetic && !matches!(last, "the" | "a" | "an") {
            return false;
        }
        // Where somebody is for a time is not where he belongs.
        let place = matches!(last, "in" | "at") || last == "the" && gap.len() > 1;
        let before = self.stretch(0, slot.span.start);
        let passing = words().passing(&next) || before.iter().any(|word| words().of_today(word));
        !(alphabetic && place && passing && self.says(of.span.end, slot.span.start))
    }

    /// Whether what stands before a name may be said of it: a verb joins them, or the name goes on
    /// with one and what stands before is no mere place or time ("In Leeds, Ann is …").
    pub(super) fn before_name(&self, of: &Slot, name: &Slot) -> bool {
        if self.says(self.clause_of(name), name.span.start) {
            return true;
        }
        let lead = self.stretch(self.clause_of(of), of.span.start);
        let after = split(self.text.get(name.span.end..).unwrap_or(""));
        lead.last().is_some_and(|word| word == "the")
            && after.first().is_some_and(|word| words().joins(word))
    }

    /// "Ann's department is in York": a column that is owned has the value, not the row.
    fn of_other_column(&self, gap: &[String], slot: &Slot) -> bool {
        gap.iter().any(|word| {
            in_columns(self.rows, word)
                && !words().is_topic(word)
                && !slot.columns.iter().any(|c| self.column_has(*c, word))
        })
    }

    fn column_has(&self, column: u16, word: &str) -> bool {
        let one = |word: &str| word.strip_suffix('s').unwrap_or(word).to_owned();
        let name = predicate_key(self.rows.column(column));
        name.split('_').any(|part| one(part) == one(word))
    }

    /// A bare number counts what its column is called, or is said of that column; a sum of money
    /// only of a column of prices.
    fn counts(&self, gap: &[String], gap_text: &str, slot: &Slot, next: &str) -> bool {
        let own = |word: &str| {
            slot.columns.iter().any(|c| self.column_has(*c, word))
                || self.speaks_of(word, &slot.columns)
        };
        if gap_text.trim_end().ends_with(['$', '€', '£', '¥']) {
            return slot
                .columns
                .iter()
                .any(|c| words().alike("costs", &predicate_key(self.rows.column(*c))))
                && gap.iter().any(|word| own(word));
        }
        if !plain_number(slot) {
            return true;
        }
        let clock = self
            .text
            .get(slot.span.start..slot.span.end)
            .is_some_and(|text| text.contains(':'));
        let bare = gap.is_empty();
        bare || own(next)
            || (clock || next.is_empty() || function(next)) && gap.iter().any(|w| own(w))
    }
}
