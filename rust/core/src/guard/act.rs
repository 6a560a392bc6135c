//! From a finding to what happens to the text.

use std::cmp::Reverse;

use super::label::{opens_with_label, opens_with_rule, statement_behind_label};
use super::wording;
use super::{Directive, Fixed, Guard, Intervention, Mark, StopReason};
use crate::policy::{AfterInterrupt, Annotation, Release};
use crate::tier::contradicted;
use crate::types::{Action, Finding, Modality, Sentence, SentenceKind, Span, Tier};

/// Corrections of one claim before it is interrupted instead.
pub(super) const MAX_CORRECTIONS: u32 = 3;
/// Bytes before a claim in which a quotation that holds it may open.
pub(super) const QUOTATION_REACH: usize = 2048;

impl Guard {
    /// A sentence has closed: what was found in it is acted upon. True if text was rewritten
    /// or the answer ended, so that nothing after it counts.
    pub(super) fn close(&mut self, sentence: Sentence, out: &mut Vec<Directive>) -> bool {
        self.units.push(sentence);
        self.closed_to = self.closed_to.max(sentence.span.end);
        self.call_in(sentence);
        let over = self.settle_unsourced(out)
            || self.settle_lead(sentence, out)
            || self.settle_begun(sentence, out)
            || self.judge(sentence, out)
            || self.settle_late(sentence, out);
        if !over {
            self.earlier = self.previous;
            self.previous = Some(sentence.span.start);
        }
        over
    }

    /// The same for a sentence that was closed before an answer about it came in.
    pub(super) fn close_again(&mut self, sentence: Sentence, out: &mut Vec<Directive>) -> bool {
        self.judge(sentence, out)
    }

    /// A finding that cannot wait, or about text the reader has.
    pub(super) fn act_on(&mut self, finding: Finding, out: &mut Vec<Directive>) -> bool {
        let at = finding
            .span
            .map_or(self.session.text_end(), |span| span.start);
        let (span, kind) = self
            .session
            .sentences_from(at)
            .find(|s| s.span.start <= at && at < s.span.end)
            .map(|s| (s.span, s.kind))
            .unwrap_or_else(|| {
                let open = self.session.open_sentence().unwrap_or(at);
                let kind = self.session.open_kind().unwrap_or(SentenceKind::Prose);
                (Span::new(open, self.session.text_end()), kind)
            });
        self.pending.push(finding);
        let sentence = Sentence {
            index: u32::MAX,
            span,
            kind,
            terminator: None,
            capped: false,
            decided_at: self.session.text_end(),
        };
        self.judge(sentence, out)
    }

    fn judge(&mut self, sentence: Sentence, out: &mut Vec<Directive>) -> bool {
        let span = sentence.span;
        let (mut found, rest): (Vec<Finding>, Vec<Finding>) = std::mem::take(&mut self.pending)
            .into_iter()
            .partition(|f| {
                f.span
                    .is_none_or(|s| s.start < span.end.max(span.start + 1))
                    && !self.waits_elsewhere(f, span)
            });
        self.pending = rest;
        found.retain(|f| f.tier >= Tier::Low);
        let Some(tier) = found.iter().map(|f| f.tier).max() else {
            return false;
        };
        let fix = found
            .iter()
            .filter(|f| {
                f.tier >= Tier::Medium
                    && f.replacement.is_some()
                    && contradicted(f)
                    && f.p_hallucinated >= self.policy.auto_correct
            })
            .filter_map(|f| f.span.map(|s| (s.start, f)))
            .min_by_key(|(start, _)| *start)
            .map(|(_, f)| f.clone());
        let worst = found
            .iter()
            .filter(|f| f.tier == tier)
            .min_by_key(|f| first_of(f))
            .cloned();
        let Some(worst) = worst else { return false };
        let action = match (&fix, self.policy.action(tier)) {
            (Some(_), Action::Interrupt | Action::Discard | Action::Hedge | Action::Correct) => {
                Action::Correct
            }
            (None, Action::Correct) => Action::Interrupt,
            (_, action) => action,
        };
        let action = if action == Action::Correct && self.judged(span.start) >= MAX_CORRECTIONS {
            Action::Interrupt
        } else {
            action
        };
        let action = match action {
            // Nobody says the claim anew behind the hedge.
            Action::Hedge if self.fixed != Fixed::No => Action::Annotate,
            Action::Hedge | Action::Interrupt if self.only_lacks(sentence, tier, &found) => {
                Action::Annotate
            }
            action => action,
        };
        let focus = if action == Action::Correct {
            fix.unwrap_or(worst)
        } else {
            worst
        };
        let sent = self.has_left(span);
        let case = Case {
            sentence,
            tier,
            found,
        };
        let stops = action == Action::Interrupt
            && (self.policy.after_interrupt == AfterInterrupt::Stop || self.fixed != Fixed::No);
        let rewrites = !matches!(action, Action::Accept | Action::Annotate | Action::Discard);
        let spent = self.rewrites >= self.policy.max_interventions
            || action == Action::Interrupt && self.says_again(span);
        let fixed = self.fixed == Fixed::Whole && action != Action::Remove;
        if rewrites
            && (stops || fixed || spent)
            && self.held_from().is_some_and(|from| from < span.start)
        {
            // The answer ends here, but what stands before it may still turn out wrong.
            // Answers come in any order, and the first sentence is settled first.
            let at = (self.deferred).partition_point(|c| c.sentence.span.start <= span.start);
            self.deferred.insert(at, case);
            return false;
        }
        let acts = !matches!(action, Action::Accept | Action::Correct);
        if acts && !sent && self.may_be_unsourced(&case) {
            return false;
        }
        match action {
            Action::Accept => false,
            Action::Discard => self.discard(&case, &focus, out),
            _ if sent && self.judged(span.start) >= MAX_CORRECTIONS => self.annotate(&case, &focus),
            // Of a claim of which the beginning has left, a wrong value may still be held.
            Action::Correct
                if focus.span.is_some_and(|s| s.start >= self.released_to)
                    && self.rewrites < self.policy.max_interventions =>
            {
                self.correct(&case, &focus, out)
            }
            Action::Annotate => self.annotate(&case, &focus),
            _ if spent => self.exhaust(&case, &focus, out),
            _ if sent => self.append(&case, &focus, action, out),
            Action::Correct => self.correct(&case, &focus, out),
            Action::Hedge => self.hedge(&case, &focus, out),
            Action::Remove if self.was_begun(span) => self.take_back(&case, &focus, out),
            Action::Remove => self.remove(&case, &focus),
            _ => self.interrupt(&case, &focus, out),
        }
    }

    /// Whether a question, an instruction or a quotation has something that no source has: it says
    /// nothing that could be hedged or taken back for that.
    fn only_lacks(&self, sentence: Sentence, tier: Tier, found: &[Finding]) -> bool {
        let stated = |said| matches!(said, Modality::Asserted | Modality::Hedged);
        let said = self.modality.filter(|(index, _)| *index == sentence.index);
        // "You can return it within 60 days" tells a rule.
        let rule = || opens_with_rule(self.session.slice(sentence.span));
        let put = said
            .is_some_and(|(_, said)| !(stated(said) || said == Modality::Instruction && rule()))
            || sentence.terminator == Some('?');
        put && tier <= Tier::Medium && !found.iter().any(contradicted)
    }

    /// Whether the sentence at `span`, right behind a statement, is the one that the statement is in
    /// place of: a model that wrote it twice will go on so.
    fn says_again(&self, span: Span) -> bool {
        let interrupted = |done: &&Intervention| done.action == Action::Interrupt;
        let Some(last) = self.interventions.as_slice().iter().rfind(interrupted) else {
            return false;
        };
        let before = self.session.before(span.start, QUOTATION_REACH);
        let claim = self.session.slice(span).trim();
        !claim.is_empty()
            && before.trim_end().ends_with(&last.inserted)
            && last.retracted.trim_start().starts_with(claim)
    }

    fn judged(&self, start: usize) -> u32 {
        self.attempts.get(&start).copied().unwrap_or(0)
    }

    fn hedge(&mut self, case: &Case, focus: &Finding, out: &mut Vec<Directive>) -> bool {
        let sentence = case.sentence;
        let start = sentence.span.start;
        let text = self.session.slice(sentence.span);
        // The claim may have closed a while ago.
        let previous = if self.previous == Some(start) {
            self.earlier
        } else {
            self.previous
        };
        let in_a_row =
            self.hedged.is_some() && (self.hedged == Some(start) || self.hedged == previous);
        let hedged_already = self
            .modality
            .is_some_and(|(index, said)| index == sentence.index && said == Modality::Hedged)
            || crate::lexicon::phrases::phrases().opens_with_lead_in(text);
        let unfit = sentence.kind != SentenceKind::Prose && sentence.kind != SentenceKind::ListItem;
        // A quotation may have been opened sentences before.
        let before = self.session.before(start, QUOTATION_REACH);
        let quoted = wording::inside_quotation(before, text, 0)
            || focus.span.is_some_and(|span| {
                wording::inside_quotation(before, text, span.start.saturating_sub(start))
            });
        let behind = statement_behind_label(before, text);
        let labelled = behind == 0 && opens_with_label(before, text)
            || wording::opens_with_order(&text[behind..])
            || wording::opens_with_form(text);
        if in_a_row || hedged_already || unfit || quoted || labelled {
            return self.annotate(case, focus);
        }
        if self.was_begun(sentence.span) {
            return self.take_back(case, focus, out);
        }
        let lead = wording::lead_in(&text[behind..], self.rewrites);
        self.hedged = Some(start);
        let at = start + behind + lead.after;
        let over = self.rewrite(case, Action::Hedge, at, &lead.text, out);
        if over {
            self.leads_in(at, case, focus);
        }
        over
    }

    pub(super) fn interrupt(
        &mut self,
        case: &Case,
        focus: &Finding,
        out: &mut Vec<Directive>,
    ) -> bool {
        if self.policy.after_interrupt == AfterInterrupt::Continue {
            return self.take_back(case, focus, out);
        }
        let start = self.place_of(case);
        let said = self.unverified_at(start, case, focus);
        self.settle_at(case, Action::Interrupt, start, &said, out);
        self.end(StopReason::Interrupted, out);
        true
    }

    /// Leaves the text and marks it as the policy says.
    pub(super) fn annotate(&mut self, case: &Case, focus: &Finding) -> bool {
        let span = case.span();
        if case.sentence.index == u32::MAX && self.closed_to <= span.start {
            // Nothing hurries: its mark stands behind the whole claim.
            self.pending.extend(case.found.iter().cloned());
            return false;
        }
        let end = span.end;
        // A mark may still stand behind the space that followed its claim.
        let between = Span::new(end, self.released_to.max(end));
        let near =
            end >= self.session.text_start() && self.session.slice(between).trim().is_empty();
        // A mark would be part of the code; behind a footnote it would note the note.
        let noted = self.session.slice(span).starts_with("[^");
        if near && case.sentence.kind != SentenceKind::Code && !noted {
            let at = self.mark_at(case, between.end);
            // The space that has left stands before the mark, so that another is needed behind it.
            let space = self.session.slice(between).to_owned();
            match self.policy.annotation {
                Annotation::Inline => {
                    let mark = wording::inline_mark(focus);
                    let mark = if space.is_empty() {
                        format!(" {mark}")
                    } else {
                        format!("{mark}{space}")
                    };
                    let marks = self.marks.entry(at).or_default();
                    if !marks.iter().any(|other| other.says(&mark)) {
                        marks.push(Mark::Text(mark));
                    }
                }
                Annotation::Footnote => {
                    let note = wording::footnote(focus);
                    let mark = Mark::Footnote { note, space };
                    self.marks.entry(at).or_default().push(mark);
                }
                Annotation::Metadata => {}
            }
        }
        self.record(case, Action::Annotate, case.sentence.span, "", "");
        false
    }

    /// Leaves the text as it is, with an entry in the report.
    pub(super) fn leave(&mut self, case: &Case) -> bool {
        self.record(case, Action::Annotate, case.span(), "", "");
        false
    }

    /// Takes back everything from byte `at` on and has `text` forced there.
    pub(super) fn rewrite(
        &mut self,
        case: &Case,
        action: Action,
        at: usize,
        text: &str,
        out: &mut Vec<Directive>,
    ) -> bool {
        let in_place = self.fixed == Fixed::InPlace && action == Action::Correct;
        if self.fixed != Fixed::No && !in_place {
            return self.end_at_claim(case, out);
        }
        // What else was found in the claim, before the place of a correction in it, still waits for
        // the claim's end, and is no reason for this correction; what the session forgets, it will
        // find again. A note behind the claim settles all of it.
        let inside = action == Action::Correct && at < case.sentence.span.end;
        let kept_to = self.session.pushes_before(at).map(|(_, kept_to)| kept_to);
        let stays = |f: &&Finding| inside && f.span.is_some_and(|s| s.end <= at);
        let (mut waits, found): (Vec<&Finding>, Vec<&Finding>) = case.found.iter().partition(stays);
        let own = Case {
            sentence: case.sentence,
            tier: case.tier,
            found: found.into_iter().cloned().collect(),
        };
        if !self.put(&own, Some(action), at, text, out) {
            return self.annotate(case, &case.found[0]);
        }
        waits.retain(|f| kept_to.is_some_and(|to| f.decided_at <= to));
        self.pending.extend(waits.into_iter().cloned());
        true
    }

    /// The rewind itself; false where it cannot be had. Without an action it is no intervention.
    pub(super) fn put(
        &mut self,
        case: &Case,
        action: Option<Action>,
        at: usize,
        text: &str,
        out: &mut Vec<Directive>,
    ) -> bool {
        let Some((keep, kept_to)) = self.session.pushes_before(at) else {
            return false;
        };
        let forced = format!("{}{text}", self.session.slice(Span::new(kept_to, at)));
        let span = Span::new(at, self.session.text_end());
        let retracted = self.session.slice(span).to_owned();
        if self.session.reopen_at(keep).is_err() {
            return false;
        }
        if let Some(action) = action {
            self.record(case, action, span, &retracted, text);
            self.rewrites += 1;
        }
        self.forget_after(kept_to, at);
        self.own_to = at;
        // A claim leaves as a whole: what stands before a correction waits for the rest.
        let unit = case.sentence.span;
        let intact = if unit.end <= at { at } else { unit.start };
        if self.policy.release != Release::Response {
            // What the claim was a source for waits again, as does what it had closed.
            let source = self.session.unsourced_from().unwrap_or(intact);
            let open = self.session.open_sentence().unwrap_or(intact);
            let to = intact.min(kept_to).min(source).min(open);
            self.release_to(self.answered_to(to), out);
        }
        let keep = keep.saturating_sub(self.first);
        out.push(Directive::Rewind { keep, text: forced });
        true
    }

    pub(super) fn record(
        &mut self,
        case: &Case,
        action: Action,
        span: Span,
        retracted: &str,
        inserted: &str,
    ) {
        let claim = case.span();
        let end = |f: &Finding| f.span.map_or(claim.end, |s| s.end);
        for finding in &case.found {
            self.acted.push((finding.id.as_str().into(), end(finding)));
        }
        self.interventions.push(Intervention {
            action,
            tier: case.tier,
            at_push: self.seen_pushes,
            span,
            retracted: retracted.to_owned(),
            inserted: inserted.to_owned(),
            already_sent: self.has_left(claim) || self.notes_behind(claim, span),
            findings: case.found.as_slice().into(),
        });
    }
}

/// Which of several findings comes first, whatever the order in which they came: the one that begins
/// first, then the one that was certain first, then the longer one.
fn first_of(finding: &Finding) -> (usize, usize, Reverse<usize>, &str) {
    let (start, end) = finding.span.map_or((usize::MAX, 0), |s| (s.start, s.end));
    (start, finding.decided_at, Reverse(end), &finding.id)
}

/// One claim and what was found in it.
#[derive(Debug, Clone)]
pub(super) struct Case {
    pub(super) sentence: Sentence,
    pub(super) tier: Tier,
    pub(super) found: Vec<Finding>,
}

impl Case {
    /// Where the claim stands.
    pub(super) fn span(&self) -> Span {
        self.sentence.span
    }
}
