//! What is said of a known entity against what the knowledge base says of it: common to wrong
//! attributes and contradicted facts, which part here and nowhere else.

use jiff::civil::Date;
use serde_json::json;

use crate::claims::{Bounds, SentenceView, unasserted};
use crate::kb::{Snapshot, Value, loose_year};
use crate::normal::fold_name;
use crate::types::{
    Claim, Evidence, EvidenceKind, Finding, Message, Modality, Polarity, QuantityKind, Span, Status,
};

use super::apart::{apart, of_several, summed};
use super::attached::{counts_names, of_another, paired};
use super::beside::{said_too, stands_beside};
use super::clash::{Clash, VALUES, conflict, expected_text};
use super::contradicts_fact::contradicts_fact;
use super::draft::draft;
use super::grammar::with_article;
use super::object::Object;
use super::period::{in_that_winter, period};
use super::qualified::qualified;
use super::subject::claim_entities;
use super::wording::wording;
use super::wrong_attribute::wrong_attribute;
use super::yes_no::allowed_there;

/// Attributes that are schedules: a conflict with them contradicts a fact (S0-008) rather than
/// getting an attribute wrong (S0-007).
const SCHEDULES: [&str; 7] = [
    "opening_hours",
    "closed_on",
    "closing_time",
    "deadline",
    "scheduled_for",
    "duration",
    "time",
];

/// A claim and the fact that it contradicts.
pub(super) struct Conflict<'a> {
    view: &'a SentenceView<'a>,
    claim: &'a Claim,
    kb: &'a Snapshot,
    id: u32,
    clash: Clash,
    object: Object<'a>,
    /// The phrase of which the object is one part, where it is wrong as a whole.
    whole: Option<Span>,
}

/// Most entities that one name may belong to before it says nothing.
pub(super) const NAMESAKES: usize = 32;

/// The claim's attribute of a known entity has a typed value in the base, and the claim says
/// another. Several values of one attribute contradict only where the base is closed in it; a name
/// of several entities only where all of them disagree.
pub(super) fn kb_conflict<'a>(
    view: &'a SentenceView<'a>,
    claim: &'a Claim,
    kb: &'a Snapshot,
    today: Option<Date>,
) -> Option<Conflict<'a>> {
    if matches!(claim.modality, Modality::Question | Modality::Instruction) {
        return None;
    }
    let predicate = claim.predicate.as_deref()?;
    let object = Object::new(view, claim.object_span?);
    if let Some((id, fact)) = allowed_there(view, claim, kb) {
        let told = claim.subject_span?;
        return (!unasserted(view, &view.folded(), told)).then(|| Conflict {
            view,
            claim,
            kb,
            id,
            clash: Clash::of(kb, &fact),
            object,
            whole: None,
        });
    }
    let subjects = claim_entities(view, claim, kb);
    if subjects.len() > NAMESAKES {
        return None;
    }
    if subjects.is_empty() {
        return None;
    }
    let folded = view.folded();
    let mut first: Option<(u32, Clash)> = None;
    for id in &subjects {
        // One namesake of whom it is true, or of whom nothing is known, silences the rest.
        let clash = conflict((view, &folded, claim, today), kb, *id, predicate, &object)?;
        match &mut first {
            None => first = Some((*id, clash)),
            Some((_, known)) => {
                for value in clash.values {
                    if !known.values.contains(&value) {
                        known.values.push(value);
                        // Which of them is meant is not said.
                        known.open = true;
                    }
                }
            }
        }
    }
    let (id, clash) = first?;
    // "French and German", where the base has one of them: it may lack the other.
    let mut whole = None;
    if let Some(span) = claim.coordinated
        && claim.polarity == Polarity::Positive
    {
        let said = fold_name(view.at(span));
        if clash.values.iter().any(|v| said.contains(&fold_name(v))) {
            if !kb.is_closed(Some(&clash.fact.predicate)) {
                return None;
            }
            whole = Some(span);
        }
    }
    let place = claim.object_span?;
    // "X (Marketing) will call": what stands in brackets is of no time.
    let aside = view.at(Span::new(place.start.saturating_sub(1), place.start)) == "(";
    // "Wile Coyote would have founded it": what is said stands in front.
    let told = claim.subject_span.filter(|span| span.start > place.start);
    // A value in front of its subject is of no clause between them.
    // Nor is a year a sum of those of several.
    let mut years = (view.quantities.iter()).filter(|q| q.kind == QuantityKind::Year);
    let counts = !years.any(|q| q.span.overlaps(place))
        && !view.dates.iter().any(|date| date.span.overlaps(place));
    let several =
        || counts && summed(&clash.fact) && of_several(view, &folded, claim.subject_span, place);
    if unasserted(view, &folded, told.unwrap_or(place))
        || told.is_none() && apart(view, &folded, claim.subject_span, place)
        || several()
        || of_another(view, &folded, claim)
        || stands_beside(view, &folded, claim, kb, &clash)
        || counts_names(view, &object, &clash.fact.value)
        || claim.polarity == Polarity::Positive && in_that_winter(view, place, &clash.fact.value)
        || !clash.lapsed && !aside && qualified(view, &folded, claim, kb, id, &clash.fact)
    {
        return None;
    }
    Some(Conflict {
        view,
        claim,
        kb,
        id,
        clash,
        object,
        whole,
    })
}

/// `dialogue.wrong_attribute` or `dialogue.contradicts_fact`, never both: the first for a
/// descriptive attribute of a named entity, the second for a statement about a thing without a
/// name ("the meeting"), a schedule, or a denial (S0-062, S0-063).
#[must_use]
pub fn attribute_conflicts(
    view: &SentenceView<'_>,
    claim: &Claim,
    kb: &Snapshot,
) -> Option<Finding> {
    kb_conflict(view, claim, kb, None).map(|conflict| conflict.found())
}

/// The same for all claims of a sentence, where one clash is found once: "Tom Hill, the CEO of
/// Acme" says one thing of both, and "Henry Ford and Tom Hill" is wrong as a whole. What is said
/// in the present tense is also judged by when facts hold, where `today` is known.
#[must_use]
pub fn sentence_conflicts(
    view: &SentenceView<'_>,
    claims: &[Claim],
    kb: &Snapshot,
    today: Option<Date>,
) -> Vec<Finding> {
    let mut found: Vec<Conflict<'_>> = Vec::new();
    for claim in claims {
        let Some(mut conflict) = kb_conflict(view, claim, kb, today) else {
            continue;
        };
        if told_of_both(view, claim, claims, kb)
            || said_too(view, claim, claims, &conflict.clash)
            || paired(view, &view.folded(), claim, claims)
        {
            continue;
        }
        if let Some(span) = claim.coordinated
            && claim.polarity == Polarity::Positive
        {
            let together = |other: &Claim| {
                other.coordinated == Some(span) && other.predicate == claim.predicate
            };
            if found
                .iter()
                .any(|c| c.whole == Some(span) && together(c.claim))
            {
                continue;
            }
            let all = claims.iter().filter(|other| together(other));
            if all.clone().count() > 1
                && all
                    .clone()
                    .all(|other| kb_conflict(view, other, kb, today).is_some())
            {
                conflict.whole = Some(span);
            }
        }
        found.push(conflict);
    }
    found.iter().map(Conflict::found).collect()
}

/// "X is the CEO of Acme" names both X's title and Acme's CEO; what the base says of Acme decides.
/// Of a thing without a name ("the chess club") X may be anything besides.
fn told_of_both(view: &SentenceView<'_>, claim: &Claim, all: &[Claim], kb: &Snapshot) -> bool {
    let (Some(subject), Some(object)) = (claim.subject_span, claim.object_span) else {
        return false;
    };
    let known = |owner: &Claim| {
        let predicate = owner.predicate.as_deref().unwrap_or("");
        let same = |name: &str| view.attributes.predicates().same(name, predicate);
        let ids = claim_entities(view, owner, kb);
        ids.into_iter().take(NAMESAKES).any(|id| {
            kb.few_facts(id, VALUES, &same)
                .is_some_and(|facts| !facts.is_empty())
        })
    };
    all.iter().any(|other| {
        other.object_span == Some(subject)
            && other.subject_span.is_some_and(|span| {
                object.contains(span)
                    && (!view.at(span).chars().any(char::is_uppercase) || known(other))
            })
    })
}

impl Conflict<'_> {
    fn found(&self) -> Finding {
        if self.is_statement() {
            contradicts_fact(self)
        } else {
            wrong_attribute(self)
        }
    }

    /// Whether it is a statement, schedule or denial rather than a named entity's attribute.
    fn is_statement(&self) -> bool {
        let names = self.view.attributes.predicates();
        let schedule = SCHEDULES
            .iter()
            .any(|name| names.same(name, &self.clash.fact.predicate));
        let named = self
            .kb
            .name(self.id)
            .is_some_and(|name| name.chars().any(char::is_uppercase));
        let yes_or_no = matches!(self.clash.fact.value, Value::Bool(_));
        self.denied() || schedule || yes_or_no || !named
    }

    fn denied(&self) -> bool {
        self.claim.polarity == Polarity::Negative
    }

    /// The finding of that type; confidence is the fact's (D-2).
    pub(super) fn finding(&self, kind: &str, rule: &str) -> Finding {
        let (view, claim, kb, fact) = (self.view, self.claim, self.kb, &self.clash.fact);
        let denied = self.denied();
        let listed = self.clash.values.len() > 1;
        let joint = if self.clash.open { "or" } else { "and" };
        let expected = listing(&self.clash.values, joint);
        // A year does not take a decade's place word for word.
        let loose = loose_year(view.at(self.object.span())).is_some();
        let place = self.whole.unwrap_or(self.object.span());
        let wordy = matches!(
            fact.value,
            Value::Text(_) | Value::Entity(_) | Value::Enum(_)
        );
        let (span, replacement) = if let Some(exact) = self.clash.exact.clone() {
            exact
        } else if loose
            && listed_year(&expected)
            && opens_with_the(view.at(place))
            && !denied
            && !self.clash.open
        {
            // "in the 1950s": the year takes the place of the decade with its article.
            (place, Some(expected.clone()))
        } else if denied || loose || self.clash.open {
            (place, None)
        } else if listed || self.whole.is_some() {
            (place, wordy.then(|| expected.clone()))
        } else {
            wording(
                view,
                self.object.span(),
                &self.object.quantities,
                &self.object.dates,
                &fact.value,
                &expected,
            )
        };
        // The month put in the place of that of "early March" need not be early.
        let replacement = replacement.filter(|_| period(view, span).is_none());
        // "over 450" is put right as a whole.
        let bounded = |bounds: &&Bounds| replacement.is_some() && bounds.span.overlaps(span);
        let span = self
            .object
            .bounds
            .iter()
            .find(bounded)
            .map_or(span, |bounds| {
                Span::new(
                    span.start.min(bounds.span.start),
                    span.end.max(bounds.span.end),
                )
            });
        let (span, replacement) = match replacement {
            Some(text) => {
                let (span, text) = with_article(view, span, text);
                (span, Some(text))
            }
            None => (span, None),
        };
        let text = view.at(span);
        let name = kb.name(self.id).unwrap_or("").to_owned();
        let attribute = fact.predicate.replace('_', " ");
        let mut finding = draft(kind, rule, Some(span), text, claim.decided_at);
        finding.claim_id = Some(claim.id.clone());
        finding.p_hallucinated = fact.confidence;
        finding.status = Status::Contradicted;
        finding.content = format!("{name}: {attribute} {text}");
        let template = if denied {
            "The knowledge base has {name}, {attribute}: {expected}"
        } else {
            "The knowledge base has {name}, {attribute}: {expected}, not {said}"
        };
        finding.suggestion = Some(format!("'{attribute}' of '{name}' is '{expected}'"));
        finding.message = Message::new(template)
            .sensitive("name", &*name)
            .plain("attribute", attribute)
            .sensitive("expected", &*expected)
            .sensitive("said", text);
        finding.replacement = replacement;
        finding.detected = json!(text);
        finding.expected = json!(expected);
        let disputed = !self.clash.others.is_empty();
        for one in std::iter::once(fact).chain(&self.clash.others) {
            let own = disputed.then(|| expected_text(kb, &one.value));
            let value = own.as_deref().unwrap_or(&expected);
            finding.evidence.push(Evidence {
                kind: EvidenceKind::KbFact,
                source: one.source.clone(),
                locator: kb
                    .entity(self.id)
                    .map(|entity| format!("{}/{}", entity.key, one.predicate)),
                text: format!("{name}: {} = {value}", one.predicate),
                quality: one.confidence,
                data: json!({"entity": self.id, "predicate": one.predicate, "contradicts": true}),
            });
        }
        let extra = &mut finding.extra;
        extra.insert("absence".into(), json!(false));
        if denied {
            extra.insert("denied".into(), json!(true));
        }
        if disputed {
            extra.insert("disputed".into(), json!(true));
        }
        extra.insert("entity".into(), json!(self.id));
        extra.insert("predicate".into(), json!(fact.predicate));
        // The base's value, put in the place of what was said, would not say the right thing.
        if finding.replacement.is_none() {
            extra.insert("no_substitute".into(), json!(true));
        }
        finding
    }
}

/// Whether it is a year by itself.
fn listed_year(text: &str) -> bool {
    text.len() == 4 && text.bytes().all(|b| b.is_ascii_digit())
}

fn opens_with_the(text: &str) -> bool {
    text.get(..4)
        .is_some_and(|start| start.eq_ignore_ascii_case("the "))
}

/// "a, b and c".
fn listing(values: &[String], joint: &str) -> String {
    match values {
        [rest @ .., last] if !rest.is_empty() => format!("{} {joint} {last}", rest.join(", ")),
        _ => values.concat(),
    }
}
