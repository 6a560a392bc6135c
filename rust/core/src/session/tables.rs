//! A closed sentence against the rows of tables.

use super::Session;
use crate::claims::SentenceView;
use crate::detect;
use crate::types::Claim;

impl Session {
    /// What the sentence puts together against the tables' rows.
    pub(super) fn judge_rows(&mut self, view: &SentenceView<'_>, claims: &[Claim]) {
        if self.context.tables.is_empty() {
            return;
        }
        let context = self.context.clone();
        let told = detect::RowClaim::of(view, claims);
        let sentence = detect::RowText {
            text: view.text,
            start: view.sentence.span.start,
            decided_at: view.sentence.decided_at,
            told: &told,
            names: view.attributes.predicates(),
            view,
        };
        for table in &context.tables {
            for finding in detect::row_conflicts(&sentence, table) {
                // What one table lacks another may have.
                let words = finding.detected.as_str().unwrap_or("");
                let others = context.tables.iter();
                let told = finding.rule == "row_value" && others.clone().any(|t| t.rows.has(words));
                if !told {
                    self.emit(finding);
                }
            }
        }
    }
}
