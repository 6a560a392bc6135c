//! What comes of a rule's match in the stream.

use std::sync::Arc;

use super::Session;
use super::state::{is_at, push_tight};
use crate::detect;
use crate::patterns::RuleMatch;
use crate::types::Finding;

impl Session {
    pub(super) fn on_match(&mut self, found: RuleMatch) {
        let rule = self.monitor.rules().rule(found.rule);
        if rule.signal.is_some() {
            push_tight(&mut self.state.open.wording, found);
        } else if rule.unless_cited {
            push_tight(&mut self.state.open.waiting, found);
        } else {
            self.rule_matched(found);
        }
    }

    pub(super) fn rule_matched(&mut self, found: RuleMatch) {
        let rule = self.monitor.rules().rule(found.rule);
        let text = self.text.get(found.span);
        if !self.context.evidence.is_empty()
            && self
                .context
                .evidence
                .passages()
                .iter()
                .any(|p| p.text().contains(text))
        {
            // The evidence says just that.
            return;
        }
        if self.is_meant(rule, &found) {
            return;
        }
        let mut finding = detect::rule_finding(rule, &found, text);
        // An identifier that is known with its label and without.
        let recent = &self.state.recent;
        let span = finding.span.map(|span| self.text.span(span));
        let known = |known: &Arc<Finding>| is_at(known, &finding.kind, span);
        if rule.check.is_some() && recent.iter().any(known) {
            return;
        }
        finding
            .extra
            .insert("pattern".into(), rule.id.clone().into());
        let tail = self.tail(found.decided_at);
        finding.extra.insert("segment".into(), tail.into());
        let label = rule.kind == "invented_citation";
        let finding = if label {
            self.label_waits(finding)
        } else {
            Some(finding)
        };
        if let Some(finding) = finding {
            self.emit(finding);
        }
    }

    /// The last 100 characters before byte `end` (S4-015).
    fn tail(&self, end: usize) -> String {
        let text = self.text.before(end, 400);
        let skip = text.chars().count().saturating_sub(100);
        text.chars().skip(skip).collect()
    }
}
