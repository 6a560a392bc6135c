//! What is reported of a schedule, and what takes its place.

use serde_json::json;

use crate::claims::SentenceView;
use crate::kb::Snapshot;
use crate::lexicon::columns::shown;
use crate::segment::week::{Days, Form, Statement};
use crate::types::{Claim, Evidence, EvidenceKind, Finding, Message, Span, Status};

use super::known::{Known, Source};
use crate::detect::clash::expected_text;
use crate::detect::draft::draft;
use crate::detect::replacement::amount::SPELLED;
use crate::detect::replacement::wording::WEEKDAYS;

/// How sure a schedule of the evidence is that was read against the sentence's. Set by hand.
const P_EVIDENCE: f64 = 0.85;

/// `stream.contradicts_evidence` for a schedule of a passage.
pub(super) fn of_evidence(
    view: &SentenceView<'_>,
    claim: &Claim,
    said: &Statement,
    known: &Known<'_>,
    days: Days,
) -> Finding {
    let mut finding = plain(
        view,
        claim,
        said,
        known,
        days,
        "stream.contradicts_evidence",
    );
    finding.p_hallucinated = P_EVIDENCE;
    let mut expected = Vec::new();
    for source in told(known, days) {
        let Source::Passage(passage, sentence) = source else {
            continue;
        };
        let mut cited = passage.cited(*sentence, *sentence);
        cited.data = json!({"contradiction": "schedule"});
        expected.push(cited.text.clone());
        finding.evidence.push(cited);
    }
    let expected = expected.join(" ");
    finding.message =
        Message::new("The evidence says otherwise: '{expected}'").sensitive("expected", &*expected);
    finding.expected = json!(expected);
    finding
}

/// `dialogue.contradicts_fact` for a schedule of an entity.
pub(super) fn of_base(
    view: &SentenceView<'_>,
    claim: &Claim,
    said: &Statement,
    known: &Known<'_>,
    kb: Option<&Snapshot>,
    days: Days,
) -> Finding {
    let mut finding = plain(view, claim, said, known, days, "dialogue.contradicts_fact");
    let (mut expected, mut attributes, mut entity) = (Vec::new(), Vec::new(), String::new());
    for source in told(known, days) {
        let (Source::Fact(id, fact), Some(kb)) = (source, kb) else {
            continue;
        };
        let value = expected_text(kb, &fact.value);
        kb.name(*id).unwrap_or("").clone_into(&mut entity);
        if expected.is_empty() {
            finding.p_hallucinated = fact.confidence;
            finding.extra.insert("entity".into(), json!(id));
            finding
                .extra
                .insert("predicate".into(), json!(fact.predicate));
        }
        finding.evidence.push(Evidence {
            kind: EvidenceKind::KbFact,
            source: fact.source.clone(),
            locator: kb
                .entity(*id)
                .map(|entity| format!("{}/{}", entity.key, fact.predicate)),
            text: format!("{entity}: {} = {value}", fact.predicate),
            quality: fact.confidence,
            data: json!({"entity": id, "predicate": fact.predicate, "contradicts": true}),
        });
        attributes.push(shown(&fact.predicate));
        expected.push(value);
    }
    let (attribute, expected) = (attributes.join(", "), expected.join("; "));
    let text = finding.text.clone();
    finding.content = format!("{entity}: {attribute} {text}");
    finding.suggestion = Some(format!("'{attribute}' of '{entity}' is '{expected}'"));
    finding.message =
        Message::new("The knowledge base has {name}, {attribute}: {expected}, not {said}")
            .sensitive("name", &*entity)
            .plain("attribute", attribute)
            .sensitive("expected", &*expected)
            .sensitive("said", text);
    finding.expected = json!(expected);
    finding
}

/// Where the days at odds are told, else all that is.
fn told<'a>(known: &'a Known<'_>, days: Days) -> Vec<&'a Source<'a>> {
    let own: Vec<&Source<'_>> = known
        .sources
        .iter()
        .filter(|(_, of)| !of.and(days).is_empty())
        .map(|(source, _)| source)
        .collect();
    if own.is_empty() {
        known.sources.iter().map(|(source, _)| source).collect()
    } else {
        own
    }
}

fn plain(
    view: &SentenceView<'_>,
    claim: &Claim,
    said: &Statement,
    known: &Known<'_>,
    days: Days,
    kind: &str,
) -> Finding {
    let start = view.sentence.span.start;
    let moved = |span: Span| Span::new(span.start + start, span.end + start);
    let right = replacement(view, said, known);
    let place = right
        .as_ref()
        .map_or_else(|| place(said, days), |(place, _)| *place);
    let span = moved(place);
    let text = view.at(span);
    let mut finding = draft(kind, "schedule", Some(span), text, claim.decided_at);
    finding.claim_id = Some(claim.id.clone());
    finding.status = Status::Contradicted;
    finding.detected = json!(text);
    finding.replacement = right.map(|(_, text)| text);
    finding.extra.insert("absence".into(), json!(false));
    if finding.replacement.is_none() {
        finding.extra.insert("no_substitute".into(), json!(true));
    }
    finding
}

/// The words that are at odds.
fn place(said: &Statement, days: Days) -> Span {
    let mut own = said
        .week
        .phrases
        .iter()
        .filter(|p| !p.days.and(days).is_empty() || days.is_empty());
    let whole = || {
        let mut spans = said.week.phrases.iter().map(|p| p.span);
        let first = spans.next();
        let last = spans.next_back().or(first);
        first
            .zip(last)
            .map(|(first, last)| Span::new(first.start, last.end))
    };
    if days.is_empty()
        && let Some((_, span)) = said.week.count
    {
        return span;
    }
    let first = own.next().map(|p| p.span);
    match (first, own.next_back()) {
        (Some(first), Some(last)) => Span::new(first.start, last.span.end),
        (Some(first), None) => first,
        (None, _) => whole().unwrap_or(said.state),
    }
}

/// The right words where the sentence has one phrase of days, of the same kind: a range for a range
/// or for "daily", a number for a number, the closed day for another.
fn replacement(
    view: &SentenceView<'_>,
    said: &Statement,
    known: &Known<'_>,
) -> Option<(Span, String)> {
    let week = &said.week;
    let start = view.sentence.span.start;
    let text = |span: Span| view.at(Span::new(span.start + start, span.end + start));
    if let Some((_, span)) = week.count {
        let open = known.days_open().filter(|open| (2..=7).contains(open))?;
        let denied = week.phrases.iter().any(|phrase| !phrase.open);
        return (week.phrases.is_empty() && !denied).then(|| (span, like_number(text(span), open)));
    }
    let [phrase] = week.phrases.as_slice() else {
        return None;
    };
    let own = text(phrase.span);
    if !phrase.open {
        // The one closed day for another, written as it is.
        let mut days = known.shut.iter();
        let day = days
            .next()
            .filter(|_| days.next().is_none() && phrase.days.len() == 1)?;
        let many = own.ends_with('s');
        let name = WEEKDAYS[day];
        let spelled = own.to_lowercase();
        let full = WEEKDAYS
            .iter()
            .any(|day| spelled.trim_end_matches('s') == day.to_lowercase());
        return (full && phrase.form != Form::Range).then(|| {
            (
                phrase.span,
                format!("{name}{}", if many { "s" } else { "" }),
            )
        });
    }
    let timed = week.parts.iter().any(|part| !part.clocks.is_empty());
    // Hours that are not those of all days would be told of the wrong ones.
    let mut clocks = known
        .parts
        .iter()
        .map(|part| &part.clocks)
        .filter(|clocks| !clocks.is_empty());
    let first = clocks.next();
    let uniform = clocks.all(|other| Some(other) == first);
    if !known.whole() || week.only || timed && !uniform {
        return None;
    }
    if !week.closed.is_empty() {
        return None;
    }
    match phrase.form {
        Form::Range | Form::All => {
            if known.open == Days::ALL {
                return (phrase.form == Form::Range && !timed)
                    .then(|| (led(view, said, phrase.span), "every day".to_owned()));
            }
            let (from, to) = known.open.stretch()?;
            let joint = [" through ", " – ", "–", " - "]
                .into_iter()
                .find(|joint| own.contains(joint));
            let joint = joint.unwrap_or(" to ");
            let names = |day: usize| {
                let short = own
                    .split(['-', '–', ' '])
                    .next()
                    .is_some_and(|word| word.trim_end_matches('.').len() == 3);
                let name = WEEKDAYS[day];
                if short && phrase.form == Form::Range {
                    &name[..3]
                } else {
                    name
                }
            };
            let many = own.to_lowercase().ends_with("days") && phrase.form == Form::Range;
            let plural = if many { "s" } else { "" };
            Some((
                phrase.span,
                format!("{}{plural}{joint}{}{plural}", names(from), names(to)),
            ))
        }
        _ => None,
    }
}

/// The place with "from" before it, which "every day" does without.
fn led(view: &SentenceView<'_>, said: &Statement, span: Span) -> Span {
    let start = view.sentence.span.start;
    let before = view.at(Span::new(said.state.start + start, span.start + start));
    let lead = ["from ", "on "]
        .iter()
        .find(|lead| before.ends_with(**lead));
    Span::new(span.start - lead.map_or(0, |lead| lead.len()), span.end)
}

/// A number up to twelve, in words or digits as another is.
fn like_number(said: &str, number: usize) -> String {
    if said.starts_with(|c: char| c.is_ascii_digit()) {
        return number.to_string();
    }
    let word = SPELLED[number];
    if said.starts_with(char::is_uppercase) {
        format!("{}{}", word[..1].to_uppercase(), &word[1..])
    } else {
        word.to_owned()
    }
}
