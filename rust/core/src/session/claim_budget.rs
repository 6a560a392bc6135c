//! The open claim's budget of information, and what trips it.

use super::Session;
use super::record::{Item, PushRecord};
use crate::budget::{ClaimBudget, budget};
use crate::detect;
use crate::types::{Claim, ClaimBits, Finding, Interval, Span, Status};

impl Session {
    /// The open claim's budget, once enough of its tokens are known; at the token that trips it.
    pub(super) fn judge_budget(&mut self, end: usize) {
        let least = self.monitor.settings().budget_min_tokens;
        if self.state.budget_reported
            || self.state.claim_budget.content_tokens() < least
            || !self.monitor.judges("budget")
        {
            return;
        }
        let Some(start) = self.state.open_sentence() else {
            return;
        };
        let span = Span::new(start, end);
        let text = self.text.get(span).to_owned();
        if let Some(mut finding) = self.claim_budget_finding(span, &text, None) {
            finding.decided_at = end;
            self.state.budget_reported = true;
            self.emit(finding);
        }
    }

    /// A finding for the open claim's token budget. The probabilities are those of its wording:
    /// low alone says little, so only evidence that speaks against it counts as contradiction.
    pub(super) fn claim_budget_finding(
        &self,
        span: Span,
        text: &str,
        claim: Option<&Claim>,
    ) -> Option<Finding> {
        let tokens = &self.state.claim_budget;
        if self.state.budget_reported
            || tokens.content_tokens() < self.monitor.settings().budget_min_tokens
            || !self.monitor.judges("budget")
        {
            return None;
        }
        let (p0, p1) = (tokens.p0()?, tokens.p1()?);
        let params = self.monitor.budget_params();
        let (i0, i1) = (Interval::exact(p0), Interval::exact(p1));
        let mut judged = budget(i0, i1, &params).ok()?;
        if judged.status == Status::Contradicted && !(p0 > 0.5 && p1 < 0.3) {
            judged.status = Status::NotInContext;
        }
        let id = claim.map(|c| c.id.as_str());
        let mut finding = detect::budget_finding(&judged, i0, i1, span, text, id, span.end)?;
        let extra = &mut finding.extra;
        extra.insert("gap_bits".into(), judged.gap.lo.into());
        extra.insert("kl_bits".into(), tokens.kl_bits().into());
        extra.insert("lift_bits".into(), tokens.lift_bits().into());
        Some(finding)
    }

    /// What the evidence gave the tokens at `span`; none where no rows without it came in.
    pub(super) fn bits_at(&self, span: Span) -> Option<ClaimBits> {
        if self.state.stream_budget.tokens() == 0 {
            return None;
        }
        let mut tokens: Vec<&PushRecord> = Vec::new();
        let mut start = 0;
        for item in self.items.iter().rev() {
            let Item::Push(record) = item else { continue };
            if record.text_end <= span.start {
                start = record.text_end;
                break;
            }
            tokens.push(record);
        }
        let mut budget = ClaimBudget::new();
        for record in tokens.into_iter().rev() {
            let own = Span::new(start, record.text_end);
            start = own.end;
            if own.start >= span.end {
                break;
            }
            if let Some(signals) = record.signals.as_deref()
                && let (Some(with), Some(without)) = (signals.logprob, signals.prior_logprob)
            {
                let kl = signals.kl_bits.unwrap_or(0.0);
                budget.push(with, without, kl, self.is_content(self.text.read_span(own)));
            }
        }
        (budget.tokens() > 0).then(|| ClaimBits {
            tokens: budget.tokens(),
            content_tokens: budget.content_tokens(),
            kl_bits: budget.kl_bits(),
            lift_bits: budget.lift_bits(),
            p0: budget.p0(),
            p1: budget.p1(),
        })
    }
}
