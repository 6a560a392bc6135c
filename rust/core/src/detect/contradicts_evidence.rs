//! A sentence that denies what the evidence says, says what the evidence denies, or has the
//! opposite of one of its words.

mod allowed;
mod charged;
mod contrasted;
mod denied_outright;
mod excepted;
mod faced;
mod instead;
mod limited;
mod misplaced;
mod ordered;
mod other_name;
mod placed;
mod plain;
mod reversed;
mod season;
mod seated;
mod sources;
mod turned;

use std::cell::LazyCell;

use serde_json::json;

use crate::claims::{Folded, SentenceView, unasserted};
use crate::dialogue::{Established, Known, Prior, Role, Statement, stated_in};
use crate::evidence::{EvidenceSet, Passage, PassageIndex};
use crate::lexicon::contrast::contrast;
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::denials;
use crate::types::{Claim, Finding, LexKind, Message, Modality, Span, Status};

use super::contradiction::{ContradictionType, contradiction};
use super::contradicts_prior::HistoryBars;
use super::draft::draft;
use super::how_often::{Otherwise, how_often};
use super::notated::noted_otherwise;
use super::sides::Sided;
use allowed::allowed;
use charged::charged;
use contrasted::{denied_of_another, denies_too};
use denied_outright::denied_outright;
use excepted::excepted;
use faced::{bound_apart, faced};
use instead::instead;
use limited::limited;
use misplaced::misplaced;
use ordered::ordered;
use other_name::{has_unknown_name, other_name};
use placed::placed;
use reversed::reversed;
use season::in_season;
use seated::seated;
use turned::turned;

/// Sentences of one passage, and of all, that a sentence is compared with.
const MOST: usize = 6;
/// Similarity from which sentences that differ in an opposite are compared: that word is missing in
/// both, and they may be short.
const OPPOSED: f64 = 0.35;

/// What a source denies outright: set by hand, as the confidence of a denial of the same words.
const P_DENIED: f64 = 0.95;
/// What a source says with a word that denies it: set by hand, as that of opposites.
const P_OPPOSED: f64 = 0.9;
/// What is denied of all, where a source says it of a part: the answer may mean another one. Set by hand, to be
/// doubted and not taken back.
const P_NARROWER: f64 = 0.7;
/// A value of which a source of the same words has another: set by hand, as that of two values.
const P_OTHERWISE: f64 = 0.85;

/// `stream.contradicts_evidence`: `said` gives what the sentence states. It is compared with the
/// evidence's sentences that have all of its content words but at most one. Nothing is said where
/// one of them agrees.
#[must_use]
pub fn contradicts_evidence(
    view: &SentenceView<'_>,
    claims: &[Claim],
    said: impl FnOnce() -> Vec<Statement>,
    evidence: &EvidenceSet,
    known: Known<'_>,
    bars: HistoryBars,
    sided: &Sided,
) -> Option<Finding> {
    let first = claims.first()?;
    let asserted = |place| !unasserted(view, &view.folded(), place);
    // "Appears twice a year" is read as reserve: what leaves it open is looked at there.
    let stated = matches!(first.modality, Modality::Asserted | Modality::Hedged);
    let order = first.modality == Modality::Instruction;
    if stated || order {
        let told = how_often(view, evidence, order);
        let told = told.or_else(|| noted_otherwise(view, evidence).filter(|_| stated));
        if let Some(told) = told.or_else(|| seated(view, evidence).filter(|_| stated)) {
            return Some(replaced(view, first, &told));
        }
        let other = || limited(view, evidence).or_else(|| in_season(view, evidence));
        if stated && let Some(told) = other().filter(|told| asserted(told.span)) {
            return Some(replaced(view, first, &told));
        }
    }
    let quoted = matches!(first.modality, Modality::Question | Modality::Quoted);
    let told = faced(view, evidence).or_else(|| placed(view, evidence).filter(|_| !order));
    let told = told.or_else(|| misplaced(view, evidence).filter(|_| !order));
    if let Some(told) = told.filter(|told| !quoted && asserted(told.span)) {
        return Some(replaced(view, first, &told));
    }
    let bounds = |passage: &Passage, at: Span| {
        let told = passage.text().get(at.start..at.end);
        told.is_some_and(|told| bound_apart(view.text, told))
    };
    let told = ordered(view, evidence).filter(|(passage, at)| !quoted && !bounds(passage, *at));
    if let Some((passage, sentence)) = told {
        let kind = ContradictionType::DirectNegation;
        return Some(finding(first, P_DENIED, passage, sentence, kind));
    }
    let folded = view.folded();
    let ruled = allowed(view, &folded, evidence).filter(|_| !quoted);
    if let Some((passage, sentence, sure)) = ruled {
        let kind = ContradictionType::DirectNegation;
        let p = if sure { P_OPPOSED } else { P_NARROWER };
        return Some(finding(first, p, passage, sentence, kind));
    }
    if first.modality != Modality::Asserted {
        return None;
    }
    let told = turned(view, evidence).or_else(|| excepted(view, evidence));
    let told = told.or_else(|| charged(view, evidence));
    let told = told.or_else(|| reversed(view, evidence));
    let told = told.filter(|(passage, at)| !leaves_out(passage, *at, view));
    if let Some((passage, sentence)) = told.filter(|_| !unasserted(view, &folded, first.span)) {
        let kind = ContradictionType::DirectNegation;
        return Some(finding(first, P_OPPOSED, passage, sentence, kind));
    }
    if let Some(told) = sided.against(view, evidence).ok()?
        && let Some((passage, sentence)) = told.place(evidence)
        && !leaves_out(passage, sentence, view)
        && (told.single || claims.iter().all(|claim| claim.span == first.span))
        && !unasserted(view, &folded, first.span)
    {
        let kind = ContradictionType::DirectNegation;
        return Some(finding(first, P_OPPOSED, passage, sentence, kind));
    }
    let denied = denied_outright(view, &folded, evidence);
    let denied = denied.or_else(|| instead(view, &folded, evidence));
    if let Some((passage, sentence)) =
        denied.filter(|(passage, sentence)| !leaves_out(passage, *sentence, view))
    {
        let kind = ContradictionType::DirectNegation;
        return Some(finding(first, P_DENIED, passage, sentence, kind));
    }
    let said = LazyCell::new(said);
    if has_unknown_name(view, evidence) {
        let told = other_name(view, &said, evidence, known, bars.similarity);
        let asserted = |span| !unasserted(view, &folded, span);
        if let Some((told, sure)) = told.filter(|(told, _)| asserted(told.span)) {
            let mut finding = replaced(view, first, &told);
            finding.p_hallucinated = sure;
            return Some(finding);
        }
    }
    let places = alike(view, &folded, evidence);
    // A source is read where there is something to hold against it.
    if places.is_empty() || said.is_empty() {
        return None;
    }
    let mut priors = Vec::new();
    for (turn, (passage, at, span)) in (0..).zip(&places) {
        let text = passage.text().get(span.start..span.end).unwrap_or("");
        priors.extend(priors_of(passage.data(), *at, text, known, turn));
    }
    if priors.is_empty() {
        return None;
    }
    let established = Established::new(priors, known.attributes.lexicon().clone());
    let names = established.lexicon().predicates();
    let mut best: Option<(f64, &Statement, &Prior, ContradictionType)> = None;
    for statement in said.iter() {
        for related in established.related(statement, OPPOSED.min(bars.similarity)) {
            let prior = &related.prior.statement;
            match contradiction(statement, prior, related.same_attribute, names) {
                Err(true) => return None,
                Err(false) => {}
                Ok(found) => {
                    let (least, similarity) = match found.kind {
                        ContradictionType::DirectNegation => (bars.similarity, related.similarity),
                        ContradictionType::LogicalImpossibility => (OPPOSED, 1.0),
                        // Values are compared by what they are of.
                        _ => continue,
                    };
                    let confidence = found.confidence * similarity;
                    let better = best.is_none_or(|(most, ..)| confidence > most);
                    if related.similarity >= least && found.confidence >= bars.confidence && better
                    {
                        best = Some((confidence, statement, related.prior, found.kind));
                    }
                }
            }
        }
    }
    let (confidence, statement, prior, kind) = best?;
    let claim = claims
        .iter()
        .find(|claim| claim.object_span == Some(statement.span))
        .unwrap_or(first);
    if unasserted(view, &folded, claim.object_span.unwrap_or(claim.span)) {
        return None;
    }
    let (passage, _, sentence) = places.get(prior.turn as usize)?;
    let told = passage.text().get(sentence.start..sentence.end);
    if of_another(view, &folded, passage, *sentence) || leaves_out(passage, *sentence, view) {
        return None;
    }
    let denied = kind == ContradictionType::DirectNegation && !statement.negative;
    let of_part = |told| denied_of_another(view.text, told) || denies_too(view.text, told);
    let bound = kind == ContradictionType::DirectNegation && bounds(passage, *sentence);
    if bound || denied && told.is_some_and(of_part) {
        return None;
    }
    Some(finding(claim, confidence, passage, *sentence, kind))
}

/// Whether the source denies it for a case that the sentence is about: "not allowed without a lead" leaves open
/// what is so on a lead, "does not stop between Ulm and Munich" what is so in Ulm.
fn leaves_out(passage: &Passage, sentence: Span, view: &SentenceView<'_>) -> bool {
    let told = passage
        .text()
        .get(sentence.start..sentence.end)
        .unwrap_or("");
    let words = plain::words(told);
    let opens = |word: &plain::Word| denials().has("leaves_out", &word.folded);
    let Some(at) = words.iter().position(opens) else {
        return false;
    };
    let said = plain::words(view.text);
    let has =
        |part: &[plain::Word], word: &plain::Word| part.iter().any(|own| own.stem() == word.stem());
    !said.iter().any(opens)
        && said
            .iter()
            .any(|word| word.content && has(&words[at..], word) && !has(&words[..at], word))
}

/// "The patient's brother is not", where the source tells of the patient: what is owned stands
/// before the verb, and not in the sentence of the source.
fn of_another(view: &SentenceView<'_>, folded: &Folded<'_>, passage: &Passage, told: Span) -> bool {
    let data = passage.data();
    let Some(at) = data.sentences().iter().position(|span| *span == told) else {
        return false;
    };
    let verbal = Cue::COPULA.or(Cue::AUXILIARY);
    let end = (0..folded.len()).find(|i| folded.cue(*i).is(verbal));
    let end = end.unwrap_or(folded.len());
    let owner = (0..end).rfind(|i| view.word(*i).ends_with("'s") || view.word(*i).ends_with("’s"));
    owner.is_some_and(|owner| {
        let mut owned = view.content_words_in(owner + 1..end);
        owned.any(|word| !data.is_about(at as u32, word.stem))
    })
}

fn finding(
    claim: &Claim,
    confidence: f64,
    passage: &Passage,
    sentence: Span,
    kind: ContradictionType,
) -> Finding {
    let mut finding = draft(
        "stream.contradicts_evidence",
        "evidence",
        Some(claim.span),
        &claim.content,
        claim.decided_at,
    );
    let mut told = passage.cited(sentence, sentence);
    told.data = json!({"contradiction": kind.as_str()});
    finding.claim_id = Some(claim.id.clone());
    finding.p_hallucinated = confidence;
    finding.status = Status::Contradicted;
    finding.message = Message::new("The evidence says otherwise: '{expected}'")
        .sensitive("expected", &*told.text);
    finding.expected = json!(told.text);
    finding.evidence.push(told);
    finding.extra.insert("absence".into(), json!(false));
    finding
}

/// One of a sentence's values, for which the evidence has another.
fn replaced(view: &SentenceView<'_>, claim: &Claim, told: &Otherwise<'_>) -> Finding {
    let kind = ContradictionType::IncompatibleValues;
    let mut finding = finding(claim, P_OTHERWISE, told.passage, told.sentence, kind);
    let said = view.at(told.span);
    finding.span = Some(told.span);
    said.clone_into(&mut finding.text);
    finding.decided_at = view.sentence.decided_at;
    finding.detected = json!(said);
    finding.expected = json!(told.text);
    finding.replacement = told.fits.then(|| told.text.clone());
    finding
}

/// What sentence `at` of a passage states. The statements' turn is the number of its place.
fn priors_of(
    data: &PassageIndex,
    at: u32,
    text: &str,
    known: Known<'_>,
    turn: u32,
) -> impl Iterator<Item = Prior> + use<> {
    let read = if known.is_plain() {
        let stated = || Stated(stated_in(text, known));
        data.reading(at, stated).0.clone()
    } else {
        stated_in(text, known)
    };
    read.into_iter().map(move |statement| Prior {
        turn,
        role: Role::Tool,
        statement,
        disputed: false,
    })
}

/// What a sentence of the evidence states where no names and attributes are known.
struct Stated(Vec<Statement>);

/// The evidence's sentences that may be at odds with this one, with their numbers in their passages:
/// those of its words that are denied where it is not, or the other way round, and, where it has a
/// word with an opposite, all of its words.
fn alike<'a>(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    evidence: &'a EvidenceSet,
) -> Vec<(&'a Passage, u32, Span)> {
    let mut places: Vec<(&Passage, u32, Span)> = Vec::new();
    let words = (0..folded.len()).filter(|i| view.lexemes[*i].kind == LexKind::Word);
    let denied = words.clone().any(|i| {
        let word = folded.get(i);
        folded.cue(i).is(Cue::NEGATION) || word == "no" || word.ends_with("n't")
    });
    let sided = words
        .clone()
        .any(|i| !contrast().opposites(folded.get(i)).is_empty());
    let stems = view.content_stems();
    for passage in evidence.passages() {
        let data = passage.data();
        for at in data.sentences_like(stems, MOST) {
            let Some((span, _)) = data.sentence(at) else {
                continue;
            };
            let other = data.is_negated(at) != denied;
            if places.len() == MOST || !(other || sided) {
                continue;
            }
            places.push((&**passage, at, span));
        }
    }
    places
}
