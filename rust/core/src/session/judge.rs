//! When which detector is asked: at the word, at the sentence, at the token, at an answer.

use std::cell::OnceCell;
use std::sync::Arc;

use super::facts::Closed;
use super::form::FormRead;
use super::kinds::BaseKinds;
use super::state::push_tight;
use super::{Entry, Session};
use crate::claims::{ReadCache, SentenceView, as_told, told_numbers, without_links, words_of};
use crate::detect::{self, Grounding};
use crate::segment::week::may_be_day;
use crate::types::{
    Claim, Finding, LexKind, Lexeme, Mention, Modality, Quantity, QuantityKind, Resolution,
    Sentence, SentenceKind, Span,
};

/// Bytes before a number that may say how it is meant ("half past seven", "minus five").
const LEAD: usize = 24;
/// What stands right before a number that is raised.
const RAISED: &str = "<sup>";

/// Bytes before a sentence in which a "Yes" may stand.
const OPENER: usize = 8;

/// Bytes before a name in which a closing that it signs may stand.
const ABOVE: usize = 64;

/// Share of the weight of a sentence's words that the evidence may lack ("studies show" among them)
/// and still be the source that the sentence appeals to.
const APPEAL_NEW: f64 = 0.65;

impl Session {
    pub(super) fn on_lexeme(&mut self, lexeme: Lexeme) {
        let mut mentions = Vec::new();
        let text = self.text.get(lexeme.span);
        self.state
            .scanner
            .push(&self.context.names, &lexeme, text, &mut |m| {
                mentions.push(m);
            });
        for mention in mentions {
            self.on_mention(mention);
        }
        let word = lexeme.kind == LexKind::Word;
        self.state.counts.words += u64::from(word);
        self.state.open.weekly |= word && may_be_day(self.text.get(lexeme.span));
        self.state.open.lexemes.push(lexeme);
        self.appeal_hears(lexeme);
        self.labels_hear(lexeme);
        self.follow_word(lexeme);
    }

    pub(super) fn flush_mentions(&mut self, decided_at: usize) {
        let mut mentions = Vec::new();
        self.state
            .scanner
            .sentence_end(&self.context.names, decided_at, &mut |m| mentions.push(m));
        for mention in mentions {
            self.on_mention(mention);
        }
    }

    fn on_mention(&mut self, mention: Mention) {
        self.state.counts.mentions += 1;
        match &mention.resolution {
            Resolution::Known(ids) => {
                if let Some(&first) = ids.first() {
                    self.state.remember_entity(first);
                }
            }
            Resolution::Unknown | Resolution::NearMiss(_) => self.state.counts.unknown += 1,
            Resolution::Common => {}
        }
        let text = self.text.get(mention.span);
        let grounds = self.context.grounds();
        let first = self.state.open.lexemes.start();
        let start = first.map_or(mention.span.start, |start| start.min(mention.span.start));
        let before = self.text.get(Span::new(start, mention.span.start));
        let finding = detect::unknown_entity(&mention, text, &grounds)
            .or_else(|| detect::unknown_given_name(&mention, text, before, None, &grounds))
            .filter(|_| {
                let end = mention.decided_at.max(mention.span.end);
                let after = self.text.get(Span::new(mention.span.end, end));
                // "Caf\u00e9": a letter that is written by its number is part of the word.
                let numbered = after.starts_with('\\') || ends_in_escape(before);
                let above = self.text.before(mention.span.start, ABOVE);
                !numbered && !detect::hailed(text, before, after) && !detect::signed(above, after)
            });
        let finding = self.named(finding, &mention);
        push_tight(&mut self.state.open.mentions, mention);
        if let Some(finding) = finding {
            self.emit(finding);
        }
    }

    pub(super) fn on_quantity(&mut self, mut quantity: Quantity) {
        self.state.counts.quantities += 1;
        // The number of a note, or a power: "45<sup>1</sup> employees" are no one employee.
        if self.text.before(quantity.span.start, RAISED.len()) == RAISED {
            quantity.kind = QuantityKind::Label;
        }
        push_tight(&mut self.state.open.quantities, quantity);
        self.follow_number(quantity);
        let Span { start, end } = quantity.span;
        // "Falcon 9": a part of a name that is known.
        let named = self.state.open.mentions.iter().rev().any(|mention| {
            mention.span.overlaps(quantity.span)
                && matches!(mention.resolution, crate::types::Resolution::Known(_))
        });
        if named {
            return;
        }
        let (text, before) = (self.text.get(quantity.span), self.text.before(start, LEAD));
        if detect::is_phoned(before, text, &self.context.grounds()) {
            return;
        }
        let said = detect::Numbered {
            quantity: &quantity,
            text,
            before,
            after: self.text.get(Span::new(end, quantity.decided_at.max(end))),
            today: self.context.reference,
        };
        let finding =
            detect::unsupported_number(&said, &self.context.grounds(), &self.state.antecedents);
        if let Some(finding) = finding {
            let finding = self.unless_supposed(finding);
            self.emit_number(&quantity, finding);
        }
    }

    pub(super) fn on_date(&mut self, date: crate::types::DateExpr) {
        push_tight(&mut self.state.open.dates, date);
        let text = self.text.get(date.span);
        let before = self.text.before(date.span.start, LEAD);
        let finding = detect::unsupported_date(
            &date,
            (before, text),
            &self.context.grounds(),
            &self.state.antecedents,
        );
        if let Some(finding) = finding {
            let finding = self.unless_supposed(finding);
            self.emit_or_wait(finding);
        }
    }

    /// The finding, to wait for the end of a sentence that may only suppose what it says.
    fn unless_supposed(&self, mut finding: Finding) -> Finding {
        let first = self.state.open.lexemes.start();
        if let (Some(first), Some(span)) = (first, finding.span)
            && detect::may_be_supposed(self.text.get(Span::new(first.min(span.start), span.start)))
        {
            let waits = finding.extra.entry(detect::FOLLOWS.to_owned());
            waits.or_insert_with(|| "".into());
        }
        finding
    }

    pub(super) fn on_sentence(&mut self, sentence: Sentence) {
        self.flush_mentions(sentence.decided_at);
        self.flush_stretch(sentence.decided_at);
        self.state.counts.sentences += 1;
        let code = sentence.kind == SentenceKind::Code;
        let fence = code && {
            let line = self.text.get(sentence.span).trim_start();
            line.starts_with("```") || line.starts_with("~~~")
        };
        self.state.in_code = code && (self.state.in_code != fence);
        let mut open = std::mem::take(&mut self.state.open);
        // A line of prose that was wrapped reads on as if it were not.
        let wraps = |lexeme: &Lexeme| {
            sentence.kind == SentenceKind::Prose && lexeme.kind == LexKind::Newline
        };
        let lexemes = open.lexemes.iter().filter(|lexeme| !wraps(lexeme));
        let lexemes: Vec<Lexeme> = lexemes.collect();
        let signals = self.monitor.rules().signals(&open.wording);
        let antecedents = std::mem::take(&mut self.state.antecedents);
        let attributes = self.context.attributes.clone();
        let text = self.text.get(sentence.span).to_owned();
        let linked = without_links(&lexemes, |span| self.text.get(span));
        let lexemes = linked.as_deref().unwrap_or(&lexemes);
        let told = |own: &[Lexeme]| told_numbers(&open.quantities, own);
        let numbers = linked.as_deref().map(told);
        let words = words_of(&text, sentence.span.start, lexemes);
        let view = SentenceView {
            text: &text,
            sentence: &sentence,
            lexemes,
            words: &words,
            quantities: numbers.as_deref().unwrap_or(&open.quantities),
            dates: &open.dates,
            mentions: &open.mentions,
            signals: &signals,
            antecedents: &antecedents,
            attributes: &attributes,
            cache: &ReadCache::default(),
        };
        let polar = self.polar_reply(&view);
        let told = as_told(&view);
        let retold = ReadCache::default();
        let words = told
            .as_deref()
            .map(|l| words_of(&text, sentence.span.start, l));
        let view = match told.as_deref().zip(words.as_deref()) {
            Some((lexemes, words)) => view.with_lexemes(lexemes, &retold).with_words(words),
            None => view,
        };
        let form = self.read_form(&view, fence);
        let mut claims = if let Some(form) = &form {
            form.claims(&view)
        } else {
            let kb = self.context.kb.as_ref();
            let kinds = BaseKinds(kb);
            self.state.reader.read(&view, &kinds).claims
        };
        if let Some(kb) = &self.context.kb {
            for claim in &mut claims {
                self.context.asks.completes(&view, claim);
                claim.contested |= self.context.asks.leaves_open(&view, claim, kb);
            }
        }
        let scheduled = self.scheduled(&view, &claims, open.weekly && form.is_none());
        let (vouched, grounding) = self.beside(&view, &claims, &mut open.doubts);
        // What the evidence carries has its source, though no mark says so.
        let carried = grounding
            .as_ref()
            .is_some_and(|g| g.support() >= self.monitor.settings().support_threshold);
        let speaks = |own: &Grounding| own.novelty() <= APPEAL_NEW;
        let sourced = carried && grounding.as_ref().is_some_and(speaks);
        let cited =
            sourced || vouched.whole() || claims.iter().any(|claim| !claim.citations.is_empty());
        self.state.open.wording.clone_from(&open.wording);
        self.keep_appeals(&view, claims.first(), &mut open.waiting);
        self.judge_needed(&view, sourced || vouched.whole(), &mut open.waiting);
        if !cited {
            for mut found in self.appeals_wait(sentence.span, &open.waiting, &open.wording) {
                found.decided_at = sentence.decided_at;
                self.rule_matched(found);
            }
        }
        if !self.state.is_forced(sentence.span) {
            for finding in self.given_names(&view) {
                self.emit(finding);
            }
            self.judge_rows(&view, &claims);
            open.doubts.retain(|doubt| !scheduled.settles(doubt));
            self.settle(&view, std::mem::take(&mut open.doubts), &vouched);
            if !scheduled.whole() {
                self.judge_rest(&open, &sentence, grounding.as_ref());
            }
            let closed = Closed {
                carried,
                cited,
                authority: self.appeals(&open.waiting),
                vouched,
                scheduled,
                formed: false,
            };
            let from = self.log.end();
            self.judge_sentence(&view, claims, grounding.as_ref(), &closed, form.as_ref());
            let polar = polar.and_then(|reply| self.judge_polar(&view, &reply, from));
            if let Some(finding) = polar {
                self.emit(finding);
            }
        }
        self.state.titles.note(&view);
        self.state.antecedents = antecedents;
        self.text.mark(sentence.span.end);
        let placed = self.text.place_sentence(sentence);
        self.log.push(Entry::Sentence { sentence: placed });
        self.state.tracker.sentence();
        self.state.open = open;
        self.state.sentence_done(sentence.span);
    }

    pub(super) fn judge_sentence(
        &mut self,
        view: &SentenceView<'_>,
        claims: Vec<Claim>,
        grounding: Option<&Grounding>,
        closed: &Closed,
        form: Option<&FormRead>,
    ) {
        let most = self.monitor.settings().max_claims as u64;
        let within = self.state.counts.claims + claims.len() as u64 <= most;
        let found = match form {
            _ if !within => Vec::new(),
            None => self.judge_said(view, &claims, grounding, closed),
            Some(form) => self.judge_form(view, &claims, grounding, closed, form),
        };
        let held = OnceCell::new();
        for mut claim in claims {
            self.state.counts.claims += 1;
            if self.state.counts.claims > most {
                self.state.counts.claims_beyond += 1;
                continue;
            }
            let own = form.and_then(|form| form.piece(&claim));
            let own = own.map(|piece| piece.view(view.antecedents, view.attributes));
            let standing = (closed.scheduled.standing(&claim))
                .unwrap_or_else(|| self.standing(own.as_ref().unwrap_or(view), &claim, &held));
            self.text.place_claim(&mut claim);
            claim.bits = self.bits_at(claim.span);
            let char_span = self.text.sent().char_span(claim.span);
            self.log.push(Entry::Claim {
                claim: Arc::new(claim),
                char_span,
                standing,
            });
        }
        for finding in found {
            self.emit(finding);
        }
    }

    /// Drafts of what is wrong with a sentence by itself and beside the earlier ones.
    pub(super) fn judge_said(
        &mut self,
        view: &SentenceView<'_>,
        claims: &[Claim],
        grounding: Option<&Grounding>,
        closed: &Closed,
    ) -> Vec<Finding> {
        self.take_back(view);
        let mut found = self.judge_claims(view, claims, grounding, closed);
        // What a source refutes is not held against what is said later.
        let refuted = found.iter().any(super::sense::refuted_by_source);
        let before = refuted.then(|| Arc::clone(&self.state.narrative));
        found.extend(self.judge_sense(view, claims));
        if let Some(before) = before {
            self.unsay(&before);
        }
        self.judge_coherence(view, claims, closed.carried, &mut found);
        found.extend(self.judge_specificity(view, claims));
        let question = self.context.question.passages().first();
        let question = question.map(|passage| passage.text());
        let before = match self.is_turned() {
            true => "",
            false => self.text.before(view.sentence.span.start, OPENER),
        };
        for finding in &mut found {
            detect::fit(view, claims, finding);
            detect::answer_right(view, question, before, finding);
        }
        found
    }

    /// Drafts of what is wrong with the claims of one sentence.
    pub(super) fn judge_claims(
        &mut self,
        view: &SentenceView<'_>,
        claims: &[Claim],
        grounding: Option<&Grounding>,
        closed: &Closed,
    ) -> Vec<Finding> {
        let Some(first) = claims.first() else {
            return Vec::new();
        };
        let mut found = self.judge_facts(view, claims, closed);
        found.extend(self.judge_history(view, claims, closed));
        found.extend(self.judge_source(view, first, closed));
        let conflicts = self.judge_quantities(view, first, closed);
        let sided = detect::Sided::default();
        // Whose value is wrong need not be told once more.
        if conflicts.is_empty() {
            found.extend(self.judge_evidence(view, claims, &sided));
        }
        found.extend(conflicts);
        self.note_disputes(view, claims, closed, &mut found);
        if let Some(grounding) = grounding {
            found.extend(detect::unsupported_sentence(
                view,
                first,
                grounding,
                &self.state.tracker,
                &self.context.against(),
                self.monitor.settings().support_threshold,
            ));
        }
        if grounding.is_some() && self.monitor.wants("stream.altered_detail") {
            found.extend(detect::altered_detail(
                view,
                claims,
                &self.state.tracker,
                &self.context.against(),
                &|span| closed.vouched.has(span),
                self.monitor.settings().detail_threshold,
                &sided,
            ));
        }
        let mentioned = &self.state.antecedents;
        let unknown = detect::unknown_addresses(view, claims, &self.context.grounds(), mentioned);
        found.extend(unknown);
        found.extend(self.claim_budget_finding(view.sentence.span, view.text, Some(first)));
        found.retain(|finding| !closed.scheduled.settles(finding));
        found.extend(closed.scheduled.found.iter().cloned());
        found.retain_mut(|finding| {
            finding.decided_at = view.sentence.decided_at;
            let claim = claims
                .iter()
                .find(|c| finding.claim_id.as_deref() == Some(c.id.as_str()))
                .unwrap_or(first);
            detect::note_topic(finding, view, claim);
            // An instruction claims nothing, but the evidence may lack what it says, or have it
            // with another number, or how often it is to be done.
            let judged = [
                "stream.unsupported_sentence",
                "stream.quantity_conflict",
                "stream.contradicts_evidence",
            ];
            let told = ["unknown_address", "unsupported_phone"].contains(&finding.rule.as_str());
            let advice = (told || judged.contains(&finding.kind.as_str()))
                && claim.modality == Modality::Instruction;
            advice || !self.excluded(finding, claim.modality)
        });
        found
    }

    pub(super) fn excluded(&self, finding: &Finding, modality: Modality) -> bool {
        self.monitor
            .owner(finding)
            .is_none_or(|profile| profile.excludes(modality))
    }
}

/// Whether a text ends in an escape of four digits ("\u00c9").
fn ends_in_escape(text: &str) -> bool {
    let tail = text.len().checked_sub(6).and_then(|at| text.get(at..));
    let digits = tail.and_then(|tail| tail.strip_prefix("\\u"));
    digits.is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))
}
