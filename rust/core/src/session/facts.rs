//! The dialogue's detectors that look at facts, in the order of S0-034.

use std::cell::OnceCell;
use std::sync::Arc;

use super::Session;
use super::kinds::BaseKinds;
use crate::claims::{SentenceView, attributed};
use crate::detect::{self, HistoryBars, Scheduled, Vouched};
use crate::dialogue::{Known, Prior, Role, change, corrects, denies, statements};
use crate::evidence::Passage;
use crate::lexicon::tables::frames;
use crate::lexicon::units::unit;
use crate::patterns::RuleMatch;
use crate::types::{
    Claim, Finding, Mention, Modality, NameType, Quantity, Referent, Resolution, Span, Status,
};

/// What else is known of a sentence that has closed.
#[derive(Debug, Clone)]
pub(super) struct Closed {
    /// The evidence carries it.
    pub(super) carried: bool,
    /// It carries a reference mark.
    pub(super) cited: bool,
    /// A rule found an appeal to research or experts in it.
    pub(super) authority: bool,
    /// What the knowledge base accounts for in it.
    pub(super) vouched: Vouched,
    /// What sources say of its days of the week.
    pub(super) scheduled: Scheduled,
    /// It is part of a form, whose sentences and members were judged by themselves.
    pub(super) formed: bool,
}

impl Session {
    /// Bare given names whom the words behind them place ("Sarah from the Analytics team").
    pub(super) fn given_names(&self, view: &SentenceView<'_>) -> Vec<Finding> {
        let (span, grounds) = (view.sentence.span, self.context.grounds());
        let judge = |mention: &Mention| {
            let before = view.at(Span::new(span.start, mention.span.start));
            let after = view.at(Span::new(mention.span.end, span.end));
            let text = view.at(mention.span);
            let mut finding =
                detect::unknown_given_name(mention, text, before, Some(after), &grounds)?;
            finding.decided_at = view.sentence.decided_at;
            self.named(Some(finding), mention)
        };
        view.mentions.iter().filter_map(judge).collect()
    }

    /// Where a knowledge base was given, an unknown name is the dialogue's finding.
    pub(super) fn named(&self, found: Option<Finding>, mention: &Mention) -> Option<Finding> {
        let found = found?;
        let based = self.context.kb.as_ref().is_some_and(|kb| !kb.is_empty());
        if !based || !self.monitor.wants("dialogue.nonexistent_entity") {
            return Some(found);
        }
        let text = self.text.get(mention.span);
        detect::nonexistent_entity(&found, mention, text, &self.context.grounds())
    }

    /// Whether one of the matches appeals to research or experts.
    pub(super) fn appeals(&self, matches: &[RuleMatch]) -> bool {
        matches
            .iter()
            .any(|found| self.monitor.rules().rule(found.rule).kind == "unsourced_authority")
    }

    /// Settles the appeals of the last sentence, and leaves out of this one's what looks like one
    /// and is none where it stands.
    pub(super) fn keep_appeals(
        &mut self,
        view: &SentenceView<'_>,
        claim: Option<&Claim>,
        matches: &mut Vec<RuleMatch>,
    ) {
        self.appeal_settles(view);
        let modality = claim.map_or(Modality::Asserted, |claim| claim.modality);
        matches.retain(|found| {
            let kind = &self.monitor.rules().rule(found.rule).kind;
            let resumed = || {
                detect::resumes(view, found.span)
                    && detect::told_source(self.text.get(self.state.previous))
            };
            kind != "unsourced_authority"
                || detect::appeals(view, found.span, modality) && !resumed()
        });
    }

    /// Whether the open sentence says before a placeholder that it is one ("Replace [your name] …").
    pub(super) fn explains(&self, at: Span) -> bool {
        let start = self.state.open.lexemes.start().unwrap_or(at.start);
        let before = self.text.get(Span::new(start.min(at.start), at.start));
        before.split(|c: char| !c.is_alphabetic()).any(|word| {
            frames().listed("placed").iter().any(|part| {
                word.get(..part.len())
                    .is_some_and(|head| head.eq_ignore_ascii_case(part))
            })
        })
    }

    /// Whether what was given holds these very words.
    pub(super) fn holds_words(&self, text: &str) -> bool {
        let mut mentioned = self.state.antecedents.clone();
        for mention in &self.state.open.mentions {
            if let Resolution::Known(ids) = &mention.resolution {
                mentioned.extend(ids);
            }
        }
        self.context.grounds().holds_words(text, &mentioned)
    }

    /// Reports a number that no source has; days that a schedule may account for once the sentence
    /// has closed wait for that.
    pub(super) fn emit_number(&mut self, quantity: &Quantity, finding: Finding) {
        let days = quantity.unit.is_some_and(|id| unit(id).name == "day");
        let based = || self.context.kb.as_ref().is_some_and(|kb| !kb.is_empty());
        let week = days && (1.0..=7.0).contains(&quantity.value);
        if week && (based() || self.told_schedules()) {
            self.state.open.doubts.push(finding);
        } else {
            self.emit_or_wait(finding);
        }
    }

    /// Whether the evidence tells a weekly schedule.
    pub(super) fn told_schedules(&self) -> bool {
        let told = |passage: &Arc<Passage>| !passage.data().schedules().told.is_empty();
        self.context.evidence.passages().iter().any(told)
    }

    /// What the sources say of the days of the week in a closed sentence.
    pub(super) fn scheduled(
        &self,
        view: &SentenceView<'_>,
        claims: &[Claim],
        weekly: bool,
    ) -> Scheduled {
        let kb = self.context.kb.as_ref().filter(|kb| !kb.is_empty());
        let evidence = &self.context.evidence;
        if !weekly || kb.is_none() && evidence.is_empty() {
            return Scheduled::default();
        }
        let mut found = detect::schedules(view, claims, kb, evidence);
        found
            .found
            .retain(|finding| self.monitor.wants(&finding.kind));
        found
    }

    /// Facts made up, and facts and attributes that the knowledge base contradicts.
    pub(super) fn judge_facts(
        &self,
        view: &SentenceView<'_>,
        claims: &[Claim],
        closed: &Closed,
    ) -> Vec<Finding> {
        let Some(kb) = self.context.kb.as_ref().filter(|_| !closed.formed) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        if !closed.carried && self.monitor.wants("dialogue.fabricated_fact") {
            let grounds = self.context.grounds();
            let made_up = claims
                .iter()
                .filter_map(|claim| detect::fabricated_fact(view, claim, kb, &grounds));
            // All of one sentence stand at one place: the surest counts, the first among equals.
            found.extend(made_up.reduce(|best, next| {
                if next.p_hallucinated > best.p_hallucinated {
                    next
                } else {
                    best
                }
            }));
        }
        found.extend(detect::sentence_conflicts(
            view,
            claims,
            kb,
            self.context.reference,
        ));
        found
    }

    /// Findings about which knowledge base and evidence disagree are noted as such.
    pub(super) fn note_disputes(
        &self,
        view: &SentenceView<'_>,
        claims: &[Claim],
        closed: &Closed,
        found: &mut [Finding],
    ) {
        let (kb, evidence) = (self.context.kb.as_ref(), &self.context.evidence);
        detect::sources_disagree(view, claims, kb, evidence, closed.carried, found);
    }

    /// How a claim stands by itself; `held` keeps whether the evidence has its sentence's words.
    pub(super) fn standing(
        &self,
        view: &SentenceView<'_>,
        claim: &Claim,
        held: &OnceCell<bool>,
    ) -> Option<Status> {
        let carried = || {
            !self.context.evidence.is_empty()
                && *held.get_or_init(|| {
                    detect::in_evidence(view, &self.state.tracker, &self.context.against())
                })
        };
        detect::standing(view, claim, self.context.kb.as_ref(), carried)
    }

    /// Numbers for which the evidence has others, and from which they do not follow.
    pub(super) fn judge_quantities(
        &self,
        view: &SentenceView<'_>,
        claim: &Claim,
        closed: &Closed,
    ) -> Vec<Finding> {
        let mut found = detect::quantity_conflicts(view, claim, &self.context.evidence);
        let grounds = self.context.grounds();
        let (question, turns) = (grounds.question, grounds.dialogue);
        found.retain(|conflict| {
            let own = |span| detect::of_the_user(view, span, question, turns);
            !closed.vouched.follows(conflict.span) && !conflict.span.is_some_and(own)
        });
        found
    }

    /// A sentence that denies what the evidence says, or says its opposite.
    pub(super) fn judge_evidence(
        &self,
        view: &SentenceView<'_>,
        claims: &[Claim],
        sided: &detect::Sided,
    ) -> Option<Finding> {
        let evidence = &self.context.evidence;
        if evidence.is_empty() || !self.monitor.wants("stream.contradicts_evidence") {
            return None;
        }
        let settings = self.monitor.settings();
        let bars = HistoryBars {
            similarity: settings.history_similarity,
            confidence: settings.contradiction_confidence,
        };
        let mut last = self.state.spoken_of.clone();
        let said = || statements(view, claims, Role::Assistant, &mut last);
        let kb = self.context.kb.as_ref();
        let known = Known {
            names: &self.context.names,
            attributes: &self.context.attributes,
            kinds: &BaseKinds(kb),
        };
        detect::contradicts_evidence(view, claims, said, evidence, known, bars, sided)
    }

    /// Whether the knowledge base says a claim, by its facts or in a row of a table.
    pub(super) fn is_based(&self, view: &SentenceView<'_>, claim: &Claim) -> bool {
        let Some(kb) = &self.context.kb else {
            return false;
        };
        let tables = self.context.tables.iter();
        let mut tables = tables.filter(|table| table.name.is_some());
        detect::based(view, claim, kb)
            || tables.any(|table| detect::row_carries(view.text, &table.rows))
    }

    /// Statements that earlier turns contradict. What the evidence carries, and what the knowledge
    /// base says, stands against them.
    pub(super) fn judge_history(
        &mut self,
        view: &SentenceView<'_>,
        claims: &[Claim],
        closed: &Closed,
    ) -> Vec<Finding> {
        let established = self.context.dialogue.established();
        if established.is_empty()
            || closed.carried
            || closed.formed
            || !self.monitor.wants("dialogue.contradicts_prior")
        {
            return Vec::new();
        }
        let settings = self.monitor.settings();
        let bars = HistoryBars {
            similarity: settings.history_similarity,
            confidence: settings.contradiction_confidence,
        };
        if self.state.counts.sentences <= 1 && self.state.spoken_of.is_none() {
            self.state.spoken_of = established.last().cloned();
        }
        let mut said = statements(view, claims, Role::Assistant, &mut self.state.spoken_of);
        self.state.titles.mark(view, &mut said);
        self.state.corrects |= corrects(view);
        if self.state.admitted {
            return Vec::new();
        }
        if let Some(change) = change(view, Role::Assistant) {
            self.state.changed.push(change);
        }
        let Some(first) = claims.first() else {
            return Vec::new();
        };
        let mut found: Vec<Finding> = Vec::new();
        let mut barred = false;
        let folded = view.folded();
        let of_others = |place: Span| attributed(view, &folded, place).is_some();
        for statement in &said {
            let place = match statement.subject {
                Some(_) => statement.span,
                None => first.object_span.unwrap_or(statement.span),
            };
            if of_others(place)
                || detect::offered_besides(view, &folded, place)
                || detect::of_several(view, &folded, first)
            {
                continue;
            }
            // The sentence as a whole is compared where none of its parts told anything, or would
            // have with a lower bar: a higher one makes nothing surer.
            if statement.subject.is_none() && (barred || !found.is_empty()) {
                continue;
            }
            let mut related = established.related(statement, 0.0).into_iter();
            barred |= statement.subject.is_some()
                && related.any(|related| related.similarity < bars.similarity);
            let claim = claims
                .iter()
                .find(|claim| claim.object_span == Some(statement.span))
                .unwrap_or(first);
            // "And her sister?" "She was born in 1971."
            let kb = self.context.kb.as_ref();
            let open = kb.is_some_and(|kb| self.context.asks.leaves_open(view, claim, kb));
            // "Is there a cheaper one?" "Yes, it costs $249."
            let open = open || claim.contested && is_pronoun(view, claim);
            if self
                .state
                .changed
                .iter()
                .any(|change| change.touches(statement))
                || open
                || self.is_based(view, claim)
            {
                continue;
            }
            let added = detect::with_added(view, &folded);
            let right = |prior: &Prior| {
                let told = prior.statement.content.to_lowercase();
                added.iter().any(|word| !told.contains(word))
                    || statement.subject.is_none() && detect::of_a_belonging(view.text, &told)
                    || denies(view, &prior.statement)
                    || claim
                        .referent
                        .as_ref()
                        .is_some_and(|own| is_another(own, &told))
                    || self.state.corrects && prior.role == Role::User
            };
            let finding = detect::contradicts_prior(claim, statement, established, bars, right);
            let new = |other: &Finding| !found.iter().any(|f| f.span == other.span);
            found.extend(finding.filter(new));
        }
        found
    }

    /// A figure or an appeal to research without a source, unless the stream's own rule or number
    /// finding says so already.
    pub(super) fn judge_source(
        &self,
        view: &SentenceView<'_>,
        claim: &Claim,
        closed: &Closed,
    ) -> Option<Finding> {
        let grounds = self.context.grounds();
        let told = (closed.authority && self.monitor.wants("stream.unsourced_authority"))
            || (grounds.has_evidence() && self.monitor.wants("stream.unsupported_number"));
        if closed.cited || told || !self.monitor.wants("dialogue.unsupported_claim") {
            return None;
        }
        let confidence = self.monitor.settings().unsupported_confidence;
        detect::unsupported_claim(view, claim, closed.authority, &grounds, confidence)
    }
}

/// "Her husband", of whom an earlier statement has no word.
fn is_another(known: &Referent, told: &str) -> bool {
    let small = known.kind == NameType::Person || !known.name.starts_with(char::is_uppercase);
    let described = known.entities.is_empty() && small;
    let noun = known.name.rsplit(' ').next().unwrap_or("").to_lowercase();
    described && known.name.contains(' ') && !told.contains(&noun)
}

fn is_pronoun(view: &SentenceView<'_>, claim: &Claim) -> bool {
    let subject = claim.subject_span.map(|span| view.at(span).to_lowercase());
    subject.is_some_and(|word| matches!(word.as_str(), "it" | "he" | "she" | "they"))
}
