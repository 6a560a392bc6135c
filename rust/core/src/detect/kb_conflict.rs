//! What is said of a known entity against what the knowledge base says of it: common to wrong
//! attributes and contradicted facts, which part here and nowhere else.

use serde_json::json;

use crate::claims::{Bounds, SentenceView, bounds, unasserted, unit_named};
use crate::kb::{Agreement, Fact, Said, Snapshot, Value, loose_year};
use crate::lexicon::contrast::contrast;
use crate::lexicon::predicates::Predicates;
use crate::lexicon::words::{WordClass, class};
use crate::normal::fold_name;
use crate::types::{
    Claim, DateExpr, Evidence, EvidenceKind, Finding, Message, Modality, Polarity, Quantity,
    Resolution, Span, Status,
};

use super::contradicts_fact::contradicts_fact;
use super::draft::draft;
use super::qualified::qualified;
use super::subject::claim_entities;
use super::wording::wording;
use super::wrong_attribute::wrong_attribute;

/// Attributes that are schedules: a conflict with them contradicts a fact (S0-008) rather than
/// getting an attribute wrong (S0-007).
const SCHEDULES: [&str; 6] = [
    "opening_hours",
    "closed_on",
    "closing_time",
    "deadline",
    "scheduled_for",
    "duration",
];

/// Parts of a department: membership in one says nothing of a department's name, and the other
/// way round.
const SUBUNITS: [&str; 4] = ["team", "unit", "group", "section"];

/// The object of a claim as the base compares it.
pub(super) struct Object<'a> {
    text: &'a str,
    span: Span,
    quantities: Vec<Quantity>,
    dates: Vec<DateExpr>,
    entities: Vec<u32>,
    /// What its numbers leave open ("over 400").
    bounds: Vec<Bounds>,
}

impl<'a> Object<'a> {
    pub(super) fn new(view: &SentenceView<'a>, span: Span) -> Self {
        let known = view
            .mentions
            .iter()
            .filter(|mention| span.overlaps(mention.span));
        let quantities: Vec<Quantity> = view
            .quantities
            .iter()
            .filter(|q| span.overlaps(q.span))
            .copied()
            .collect();
        let bounds = if quantities.is_empty() {
            Vec::new()
        } else {
            let folded = view.folded();
            let of = |quantity| bounds(view, &folded, quantity);
            quantities.iter().filter_map(of).collect()
        };
        Self {
            text: view.at(span),
            span,
            quantities,
            bounds,
            dates: view
                .dates
                .iter()
                .filter(|d| span.overlaps(d.span))
                .copied()
                .collect(),
            entities: known
                .flat_map(|mention| match &mention.resolution {
                    Resolution::Known(ids) => ids.clone(),
                    _ => Vec::new(),
                })
                .collect(),
        }
    }

    /// How it stands to a value; a number that leaves something open agrees with all it allows.
    pub(super) fn agrees(&self, kb: &Snapshot, value: &Value) -> Agreement {
        let plain = kb.agrees(value, &self.said());
        let Value::Number { value, unit } = value else {
            return plain;
        };
        if plain == Agreement::Incomparable || self.bounds.is_empty() {
            return plain;
        }
        let of = unit.as_deref().and_then(unit_named);
        let held = self
            .bounds
            .iter()
            .find_map(|bounds| bounds.hold(*value, of));
        match held {
            Some(true) => Agreement::Same,
            Some(false) => Agreement::Different,
            None => plain,
        }
    }

    pub(super) fn span(&self) -> Span {
        self.span
    }

    pub(super) fn said(&self) -> Said<'_> {
        Said {
            text: self.text,
            quantities: &self.quantities,
            dates: &self.dates,
            entities: &self.entities,
        }
    }
}

/// A claim and the fact that it contradicts.
pub(super) struct Conflict<'a> {
    view: &'a SentenceView<'a>,
    claim: &'a Claim,
    kb: &'a Snapshot,
    id: u32,
    fact: Fact,
    /// What other sources of the base have instead of `fact`, where they disagree.
    others: Vec<Fact>,
    object: Object<'a>,
}

/// The claim's attribute of a known entity has a typed value in the base, and the claim says
/// another. Several values of one attribute contradict only where the base is closed in it, or
/// where an attribute of one value has another from each source; a name of several entities only
/// where all of them disagree.
pub(super) fn kb_conflict<'a>(
    view: &'a SentenceView<'a>,
    claim: &'a Claim,
    kb: &'a Snapshot,
) -> Option<Conflict<'a>> {
    if matches!(claim.modality, Modality::Question | Modality::Instruction) {
        return None;
    }
    let predicate = claim.predicate.as_deref()?;
    let object = Object::new(view, claim.object_span?);
    let subjects = claim_entities(view, claim, kb);
    let names = view.attributes.predicates();
    let mut first = None;
    for id in &subjects {
        // One namesake of whom it is true, or of whom nothing is known, silences the rest.
        let fact = conflict(kb, *id, predicate, &object, claim.polarity, names)?;
        first.get_or_insert((*id, fact));
    }
    let (id, (fact, others)) = first?;
    // "French and German", where the base has one of them: it may lack the other.
    if let Some(whole) = claim.coordinated
        && claim.polarity == Polarity::Positive
        && fold_name(view.at(whole)).contains(&fold_name(&expected_text(kb, &fact.value)))
    {
        return None;
    }
    let folded = view.folded();
    let place = claim.object_span?;
    // "Wile Coyote would have founded it": what is said stands in front.
    let told = claim.subject_span.filter(|span| span.start > place.start);
    if unasserted(view, &folded, told.unwrap_or(place))
        || qualified(view, &folded, claim, kb, id, &fact)
    {
        return None;
    }
    Some(Conflict {
        view,
        claim,
        kb,
        id,
        fact,
        others,
        object,
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
    let conflict = kb_conflict(view, claim, kb)?;
    Some(if conflict.is_statement() {
        contradicts_fact(&conflict)
    } else {
        wrong_attribute(&conflict)
    })
}

/// The fact that the claim contradicts, with those that other sources have in its place.
fn conflict(
    kb: &Snapshot,
    id: u32,
    predicate: &str,
    object: &Object<'_>,
    polarity: Polarity,
    names: &Predicates,
) -> Option<(Fact, Vec<Fact>)> {
    let all = kb.comparable(id)?;
    let same = |fact: &Fact| object.agrees(kb, &fact.value) == Agreement::Same;
    let facts: Vec<&Fact> = all
        .iter()
        .filter(|fact| {
            names.same(&fact.predicate, predicate)
                && (fact.predicate == predicate || !SUBUNITS.contains(&predicate))
        })
        .collect();
    if polarity == Polarity::Negative {
        if !object.bounds.is_empty() {
            // "does not have over 400": nothing exact is denied.
            return None;
        }
        let current = facts
            .into_iter()
            .find(|fact| fact.valid_to.is_none() && same(fact));
        return current
            .filter(|fact| predicate != "is" || fact.confidence > 0.0)
            .map(|fact| (fact.clone(), Vec::new()));
    }
    // True of another attribute of the same entity: "works in Utrecht", where it is located.
    let wordy = |fact: &&Fact| {
        matches!(
            fact.value,
            Value::Text(_) | Value::Entity(_) | Value::Enum(_)
        )
    };
    if facts.is_empty() || (facts.iter().any(wordy) && all.iter().any(same)) {
        return None;
    }
    if facts
        .iter()
        .any(|fact| object.agrees(kb, &fact.value) != Agreement::Different)
    {
        return None;
    }
    let current: Vec<&&Fact> = facts
        .iter()
        .filter(|fact| fact.valid_to.is_none())
        .collect();
    // The attribute itself before others of the same meaning.
    let exact: Vec<&&Fact> = current
        .iter()
        .filter(|fact| fact.predicate == predicate)
        .copied()
        .collect();
    let current = if exact.is_empty() { current } else { exact };
    let (fact, others) = match current.as_slice() {
        [] => return None,
        [fact] => (**fact, Vec::new()),
        [first, rest @ ..] if disputed(first, rest) => {
            let others = rest.iter().map(|fact| (**fact).clone());
            (**first, others.collect())
        }
        [first, ..] if kb.is_closed(Some(&first.predicate)) => (**first, Vec::new()),
        _ => return None,
    };
    comparable(kb, fact, object).then(|| (fact.clone(), others))
}

/// Whether each source of the base gives an attribute of one value another one.
fn disputed(first: &Fact, rest: &[&&Fact]) -> bool {
    let name = first.predicate.as_str();
    let single = matches!(first.value, Value::Number { .. } | Value::Date(_))
        || contrast().is_single(name)
        || contrast().is_dated(name);
    let apart = |other: &&&Fact| other.source.is_some() && other.source != first.source;
    single
        && first.source.is_some()
        && rest.iter().all(apart)
        && rest.iter().any(|other| other.value != first.value)
}

/// Whether a different text is a different value, and not a value of another kind: a place is no
/// department.
fn comparable(kb: &Snapshot, fact: &Fact, object: &Object<'_>) -> bool {
    let Value::Text(own) = &fact.value else {
        return true;
    };
    let place = |text: &str| {
        let folded = fold_name(text);
        class(&folded).any(WordClass::CITY.with(WordClass::COUNTRY))
            || kb.find(text).iter().any(|id| {
                let kind = fold_name(kb.kind(*id).unwrap_or(""));
                matches!(
                    kind.as_str(),
                    "city" | "country" | "place" | "town" | "region"
                )
            })
    };
    place(own) == place(object.text)
}

impl Conflict<'_> {
    /// Whether it is a statement, schedule or denial rather than a named entity's attribute.
    fn is_statement(&self) -> bool {
        let schedule = SCHEDULES.iter().any(|name| {
            let names = self.view.attributes.predicates();
            names.same(name, &self.fact.predicate)
        });
        let named = self
            .kb
            .name(self.id)
            .is_some_and(|name| name.chars().any(char::is_uppercase));
        let yes_or_no = matches!(self.fact.value, Value::Bool(_));
        self.denied() || schedule || yes_or_no || !named
    }

    fn denied(&self) -> bool {
        self.claim.polarity == Polarity::Negative
    }

    /// The finding of that type; confidence is the fact's (D-2).
    pub(super) fn finding(&self, kind: &str, rule: &str) -> Finding {
        let (view, claim, kb, fact) = (self.view, self.claim, self.kb, &self.fact);
        let denied = self.denied();
        let disputed = !self.others.is_empty();
        let expected = self.expected();
        // A year does not take a decade's place word for word.
        let loose = loose_year(view.at(self.object.span)).is_some();
        let (span, replacement) = if denied || loose || disputed {
            (self.object.span, None)
        } else {
            wording(
                view,
                self.object.span,
                &self.object.quantities,
                &self.object.dates,
                &fact.value,
                &expected,
            )
        };
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
        finding.evidence = std::iter::once(fact)
            .chain(&self.others)
            .map(|fact| self.evidence(fact, &name))
            .collect();
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
        finding
    }

    /// The value as people read it; of sources that disagree each one's.
    fn expected(&self) -> String {
        let own = expected_text(self.kb, &self.fact.value);
        if self.others.is_empty() {
            return own;
        }
        let said = |fact: &Fact| {
            let value = expected_text(self.kb, &fact.value);
            format!("{value} ({})", fact.source.as_deref().unwrap_or_default())
        };
        let all: Vec<String> = std::iter::once(&self.fact)
            .chain(&self.others)
            .map(said)
            .collect();
        all.join(" or ")
    }

    fn evidence(&self, fact: &Fact, name: &str) -> Evidence {
        let expected = expected_text(self.kb, &fact.value);
        Evidence {
            kind: EvidenceKind::KbFact,
            source: fact.source.clone(),
            locator: self
                .kb
                .entity(self.id)
                .map(|entity| format!("{}/{}", entity.key, fact.predicate)),
            text: format!("{name}: {} = {expected}", fact.predicate),
            quality: fact.confidence,
            data: json!({"entity": self.id, "predicate": fact.predicate, "contradicts": true}),
        }
    }
}

/// A value as people read it; an entity by its name rather than its key.
fn expected_text(kb: &Snapshot, value: &Value) -> String {
    if let Value::Entity(reference) = value {
        let named = kb.resolve(reference).first().and_then(|id| kb.name(*id));
        return named.unwrap_or(reference).to_owned();
    }
    value.to_string()
}
