//! Claims in code, tables and lists: where a statement in their place stands and what it wears, so
//! that the text around it keeps its form.

use super::Guard;
use super::act::{Case, QUOTATION_REACH};
use super::label::list_mark;
use crate::types::SentenceKind;

/// What opens and closes code where its opening line is no longer known.
const FENCE: &str = "```";

/// The marks of a line that opens or closes code, with what it is set in by.
pub(super) fn fence(line: &str) -> Option<&str> {
    let text = line.trim_start();
    let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let marks = text.len() - text.trim_start_matches(mark).len();
    (marks >= FENCE.len()).then(|| &line[..line.len() - text.len() + marks])
}

impl Guard {
    /// Where what is said in place of a claim begins: code is left before its line, whatever that is
    /// set in by.
    pub(super) fn place_of(&self, case: &Case) -> usize {
        let start = self.own_from(case.span());
        if case.sentence.kind != SentenceKind::Code || start != case.span().start {
            return start;
        }
        let before = self.session.before(start, QUOTATION_REACH);
        let set_in = before.len() - before.trim_end_matches([' ', '\t']).len();
        (start - set_in).max(self.released_to.min(start))
    }

    /// What is said in place of a claim from byte `at` on, in the form of the text around it: an item
    /// of a list stays one, as does a row of a table, and code ends before it.
    pub(super) fn laid_out(&self, at: usize, case: &Case, said: &str) -> String {
        let claim = self.session.slice(case.span());
        match case.sentence.kind {
            SentenceKind::Code if at <= case.span().start => {
                format!("{}{said}", self.out_of_code(at, case))
            }
            _ if at != case.span().start => said.to_owned(),
            SentenceKind::ListItem => format!("{}{said}", &claim[..list_mark(claim)]),
            SentenceKind::TableRow => format!("| {said} |"),
            _ => said.to_owned(),
        }
    }

    /// What ends the code that byte `at` of a claim stands in; nothing elsewhere.
    pub(super) fn out_of_code(&self, at: usize, case: &Case) -> String {
        let opens = fence(self.session.slice(case.span())).is_some();
        if case.sentence.kind != SentenceKind::Code || opens {
            return String::new();
        }
        self.close_fence(at)
    }

    /// The line that closes the code open before byte `at`, and an empty one.
    pub(super) fn close_fence(&self, at: usize) -> String {
        let before = self.session.before(at, QUOTATION_REACH);
        let close = before.lines().rev().find_map(fence).unwrap_or(FENCE);
        let line = if before.ends_with('\n') || before.is_empty() {
            ""
        } else {
            "\n"
        };
        format!("{line}{close}\n\n")
    }

    /// Where a mark behind the claim stands: in a row of a table, in its last cell.
    pub(super) fn mark_at(&self, case: &Case, at: usize) -> usize {
        let span = case.span();
        if case.sentence.kind != SentenceKind::TableRow || at != span.end {
            return at;
        }
        let row = self.session.slice(span);
        let Some(cells) = row.trim_end().strip_suffix('|').map(str::trim_end) else {
            return at;
        };
        let inside = span.start + cells.len();
        if cells.ends_with(['|', '\\']) || inside < self.released_to {
            at
        } else {
            inside
        }
    }
}
