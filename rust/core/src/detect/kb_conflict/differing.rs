//! "X takes 12 minutes longer than Y", "weighs 3 kg more than Y", where the base has both amounts.

use serde_json::json;

use crate::claims::{Folded, SentenceView, unasserted};
use crate::kb::{Fact, Snapshot, Value};
use crate::lexicon::columns::shown;
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::stance;
use crate::lexicon::units::{convert, unit};
use crate::types::{
    Claim, Evidence, EvidenceKind, Finding, Message, Modality, Quantity, QuantityKind, Resolution,
    Span, Status, UnitId,
};

use crate::detect::clash::expected_text;
use crate::detect::draft::draft;
use crate::detect::replacement::amount::amount;
use crate::detect::replacement::price::amount_of;
use crate::detect::replacement::style::thousands;

/// Facts of an entity that are looked through.
const FACTS: usize = 256;

/// Two things and how much more of something one is said to have.
struct Compared<'a> {
    view: &'a SentenceView<'a>,
    folded: Folded<'a>,
    said: Quantity,
    unit: UnitId,
    /// The comparative.
    word: usize,
    one: u32,
    other: u32,
}

/// An amount that the base has of both, in the unit that is said.
struct Held {
    one: (Fact, f64),
    other: (Fact, f64),
}

/// A difference that the base's amounts do not have.
pub(super) fn differing(
    view: &SentenceView<'_>,
    claims: &[Claim],
    kb: &Snapshot,
) -> Option<Finding> {
    let told = Compared::of(view)?;
    let claim = (claims.iter()).find(|claim| claim.span.overlaps(told.said.span))?;
    if claim.modality != Modality::Asserted || unasserted(view, &told.folded, told.said.span) {
        return None;
    }
    let held = told.held(kb)?;
    let more = stance().has("greater", told.folded.get(told.word));
    let apart = held.one.1 - held.other.1;
    let apart = if more { apart } else { -apart };
    let rounded = 0.5 * 10f64.powi(-i32::from(told.said.decimals));
    if (apart - told.said.value).abs() < rounded {
        return None;
    }
    Some(told.found(claim, kb, &held, apart))
}

impl<'a> Compared<'a> {
    /// `None` where the sentence says more or less than that.
    fn of(view: &'a SentenceView<'a>) -> Option<Self> {
        let mut units = view.quantities.iter().filter(|q| q.unit.is_some());
        let said = *units.next().filter(|_| units.next().is_none())?;
        let unit = said.unit?;
        let measured = matches!(said.kind, QuantityKind::Measure | QuantityKind::Money);
        if !measured || said.approximate {
            return None;
        }
        let folded = view.folded();
        let place = view.lexemes_in(said.span);
        let word = place.end;
        let classes = ["greater", "smaller"];
        let compares = classes
            .iter()
            .any(|class| stance().has(class, folded.get(word)));
        if !compares || folded.get(word + 1) != "than" {
            return None;
        }
        let mentions = view.mentions.iter();
        let mut known = mentions.filter_map(|mention| match &mention.resolution {
            Resolution::Known(ids) if ids.len() == 1 => Some((mention.span, ids[0])),
            _ => None,
        });
        let (first, second) = (known.next()?, known.next()?);
        if known.next().is_some() {
            return None;
        }
        let (one, other) = (view.lexemes_in(first.0), view.lexemes_in(second.0));
        let article = |i: usize| folded.cue(i).is(Cue::DETERMINER);
        let verb = |i: usize| {
            let base = folded.known(i).verb;
            folded.cue(i).is(Cue::COPULA) || base.is_some_and(|base| base != folded.get(i))
        };
        let plain = (0..one.start).all(article)
            && one.end + 1 == place.start
            && verb(one.end)
            && (word + 2..other.start).all(article)
            && other.start >= word + 2
            && (other.end..folded.len()).all(|i| matches!(view.word(i), "." | "!"));
        plain.then_some(Self {
            view,
            folded,
            said,
            unit,
            word,
            one: first.1,
            other: second.1,
        })
    }

    /// What the comparative is said of: "taller" of what is tall.
    fn named(&self) -> Option<String> {
        let bare = self.folded.get(self.word).strip_suffix("er")?;
        let forms = [bare.to_owned(), format!("{bare}e")];
        let names = self.view.attributes.predicates();
        forms
            .iter()
            .find_map(|form| Some(names.named(form)?.name.to_string()))
    }

    /// The one amount that the base has of both and that is measured so.
    fn held(&self, kb: &Snapshot) -> Option<Held> {
        let names = self.view.attributes.predicates();
        let dimension = unit(self.unit).dimension;
        let word = self.folded.get(self.word);
        let fits = match word {
            "more" | "less" => true,
            _ => stance().has(&format!("compares_{dimension}"), word),
        };
        let named = self.named();
        let amounts = |id: u32| {
            let facts = kb.few_facts(id, FACTS, &|_| true).unwrap_or_default();
            let own = facts.into_iter().filter_map(|fact| {
                let plain = fact.is_told()
                    && fact.valid_from.is_none()
                    && fact.valid_to.is_none()
                    && fact.qualifiers.is_empty()
                    && !matches!(fact.value, Value::Text(_));
                let (value, of) = amount_of(&fact.value).filter(|_| plain)?;
                let value = convert(value, of?, self.unit)?;
                Some((fact, value))
            });
            own.collect::<Vec<_>>()
        };
        let (ones, others) = (amounts(self.one), amounts(self.other));
        let of =
            |fact: &Fact| (named.as_ref()).is_none_or(|named| names.same(named, &fact.predicate));
        let mut pairs = ones.iter().flat_map(|one| {
            others
                .iter()
                .filter(move |other| one.0.predicate == other.0.predicate && of(&one.0))
                .map(move |other| (one, other))
        });
        let (one, other) = pairs.next().filter(|_| fits && pairs.next().is_none())?;
        Some(Held {
            one: one.clone(),
            other: other.clone(),
        })
    }

    fn found(&self, claim: &Claim, kb: &Snapshot, held: &Held, apart: f64) -> Finding {
        let view = self.view;
        let whole = Span::new(self.said.span.start, view.lexemes[self.word].span.end);
        // The other one has more: no amount puts that right.
        let turned = apart <= 0.0;
        let span = if turned { whole } else { self.said.span };
        let text = view.at(span);
        let kind = "dialogue.wrong_attribute";
        let mut finding = draft(kind, "difference", Some(span), text, claim.decided_at);
        finding.claim_id = Some(claim.id.clone());
        finding.status = Status::Contradicted;
        finding.p_hallucinated = held.one.0.confidence.min(held.other.0.confidence);
        finding.detected = json!(text);
        finding.extra.insert("absence".into(), json!(false));
        let mut expected = Vec::new();
        for (id, (fact, _)) in [(self.one, &held.one), (self.other, &held.other)] {
            let name = kb.name(id).unwrap_or("");
            let value = expected_text(kb, &fact.value);
            expected.push(format!("{name}: {value}"));
            finding.evidence.push(Evidence {
                kind: EvidenceKind::KbFact,
                source: fact.source.clone(),
                locator: kb
                    .entity(id)
                    .map(|own| format!("{}/{}", own.key, fact.predicate)),
                text: format!("{name}: {} = {value}", fact.predicate),
                quality: fact.confidence,
                data: json!({"entity": id, "predicate": fact.predicate, "contradicts": true}),
            });
        }
        let attribute = shown(&held.one.0.predicate);
        let expected = expected.join(", ");
        finding.suggestion = Some(format!("'{attribute}': {expected}"));
        finding.message =
            Message::new("The knowledge base has {attribute}: {expected}, not {said}")
                .plain("attribute", attribute)
                .sensitive("expected", &*expected)
                .sensitive("said", text);
        finding.expected = json!(expected);
        let style = thousands(view, Some(&self.said), &held.one.0.predicate);
        let right = amount(text, (apart * 1e6).round() / 1e6, Some(self.unit), style);
        finding.replacement = Some(right).filter(|_| !turned);
        if turned {
            finding.extra.insert("no_substitute".into(), json!(true));
        }
        finding
    }
}
