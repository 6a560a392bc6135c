//! What is reported of a value that the knowledge base contradicts, and what takes its place.

use serde_json::json;

use crate::claims::{Bounds, SentenceView};
use crate::kb::{Value, loose_year};
use crate::lexicon::columns::shown;
use crate::normal::stem;
use crate::segment::clocks;
use crate::types::{
    Evidence, EvidenceKind, Finding, LexFlags, MAX_TIER, Message, Span, Status, Tier,
};

use super::set_right::denied_beside;
use super::then::PERHAPS;
use super::{Conflict, Perhaps};
use crate::detect::based::told_of_seat;
use crate::detect::clash::expected_text;
use crate::detect::draft::draft;
use crate::detect::magnitude::in_magnitude;
use crate::detect::noted_time::noted;
use crate::detect::period::in_part;
use crate::detect::replacement::amount::{Thousands, grouped_at};
use crate::detect::replacement::converted::with_conversion;
use crate::detect::replacement::fitted_time::stretched;
use crate::detect::replacement::given::with_given_name;
use crate::detect::replacement::grammar::with_article;
use crate::detect::replacement::style::{in_words, thousands, with_capital};
use crate::detect::replacement::wording::{listed_year, wording};

impl Conflict<'_> {
    /// The finding of that type; confidence is the fact's (D-2).
    pub(in super::super) fn finding(&self, kind: &str, rule: &str) -> Finding {
        let (view, claim, kb, fact) = (self.view, self.claim, self.kb, &self.clash.fact);
        let denied = self.denied();
        let listed = self.clash.values.len() > 1;
        let joint = if self.clash.open { "or" } else { "and" };
        let expected = listing(&self.clash.values, joint);
        // A year does not take a decade's place word for word. "Twenty thirty" may be a time, and
        // "fifteen hundred" a number.
        let dated = match &fact.value {
            Value::Text(time) => clocks(time).is_empty(),
            Value::Number { value, unit } => unit.is_none() && (1000.0..2200.0).contains(value),
            _ => true,
        };
        let told = view.at(self.object.span());
        let loose = dated && (loose_year(told).is_some() || told.contains("century"));
        let place = self.whole.unwrap_or(self.object.span());
        // "on Thursdays and on Saturdays": the joint is no part of the value.
        let said = view.at(place);
        let joint = [" and", " or"]
            .iter()
            .find_map(|joint| said.strip_suffix(joint));
        let place = joint.map_or(place, |said| {
            Span::new(place.start, place.start + said.len())
        });
        let wordy = matches!(
            fact.value,
            Value::Text(_) | Value::Entity(_) | Value::Enum(_)
        );
        let timed = (wordy && !denied && !listed && !self.clash.open && self.whole.is_none())
            .then(|| stretched(view, &self.object, &expected))
            .flatten();
        let exact = self.clash.exact.clone().filter(|_| self.perhaps.is_none());
        let exact = exact.map(|(span, right)| {
            let right = right.map(|right| figured(view, span, right));
            (span, right)
        });
        let (span, replacement) = if let Some(exact) = exact {
            exact
        } else if let Some(timed) = timed {
            timed
        } else if loose
            && listed_year(&expected)
            && opens_with_the(view.at(place))
            && !denied
            && !self.clash.open
        {
            // "in the 1950s": the year takes the place of the decade with its article.
            let one = !told.contains("century")
                || told
                    .split(' ')
                    .all(|word| !matches!(word, "of" | "or" | "and" | "to"));
            // "late in the 18th century"
            let at = view.lexemes_in(place).start;
            let word = |by: usize| at.checked_sub(by).map_or("", |i| view.word(i));
            let part = matches!(word(1), "in") && matches!(word(2), "late" | "early");
            (place, (one && !part).then(|| expected.clone()))
        } else if denied || loose || self.clash.open || self.perhaps.is_some() {
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
                &fact.predicate,
            )
        };
        let factor = self.object.factor;
        let replacement = match replacement {
            Some(text) if factor != 1.0 => in_magnitude(view.at(span), &text, factor),
            other => other,
        };
        let replacement =
            replacement.filter(|_| !denied_beside(view, &view.folded(), span, (kb, fact)));
        // "1972 or 1973": one of two values is no value to put right.
        let replacement = replacement.filter(|_| !one_of_two(view, span));
        // "He's": the name would take the place of its verb too.
        let meant = self.object.stands_for(view);
        let replacement = replacement.filter(|_| !meant || !view.at(span).contains(['\'', '’']));
        // The month put in the place of that of "early March" need not be early.
        let replacement = replacement.filter(|_| !in_part(view, span) && !noted(view, span));
        // "an 8x magnification" stays one.
        let replacement =
            replacement.map(|text| with_own_noun(view.at(span), text, &fact.predicate));
        // "`pending`" and "on_hold" are written as the base writes; in running text, no "in_transit" is.
        let coded = view.at(span).contains('_')
            || (view.lexemes_in(span)).any(|i| view.lexemes[i].flags.has(LexFlags::CODE));
        let replacement = replacement.map(|text| match &fact.value {
            Value::Text(own) | Value::Enum(own) if !coded && *own == text => in_words(&text),
            _ => text,
        });
        // "**Status:** Pending" begins with a capital.
        let begins = |i: usize| {
            let flags = view.lexemes[i].flags;
            flags.has(LexFlags::SENTENCE_START) || flags.has(LexFlags::AFTER_OPENER)
        };
        let opens = (view.lexemes_in(span)).next().is_some_and(begins)
            && view.at(span).starts_with(char::is_uppercase)
            && !coded;
        let replacement = replacement.map(|text| match &fact.value {
            Value::Enum(_) if opens => with_capital(&text),
            _ => text,
        });
        // "a Leeds-based firm" takes no "Leeds, England" or "12 Mill Street".
        let led = told_of_seat(view, span);
        let bare = |text: &String| {
            text.chars()
                .all(|c| c.is_alphabetic() || c == ' ' || c == '-')
        };
        let replacement = replacement.filter(|text| !led || bare(text));
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
            Some(text) => match with_given_name(view, span, text) {
                (whole, Some(text)) if whole == span => {
                    let (span, text) = with_article(view, span, text);
                    (span, Some(text))
                }
                given => given,
            },
            None => (span, None),
        };
        let whole = with_conversion(view, span);
        let converted = replacement.is_some() && whole != span;
        let span = if converted { whole } else { span };
        let text = view.at(span);
        let said = if meant { &*self.object.text } else { text };
        let name = kb.name(self.id).unwrap_or("").to_owned();
        let attribute = shown(&fact.predicate);
        let mut finding = draft(kind, rule, Some(span), text, claim.decided_at);
        finding.claim_id = Some(claim.id.clone());
        finding.p_hallucinated = fact.confidence;
        // The base says nothing of that case.
        let framed = self.perhaps == Some(Perhaps::Framed);
        finding.status = if framed {
            Status::Unverifiable
        } else {
            Status::Contradicted
        };
        finding.content = format!("{name}: {attribute} {said}");
        let template = if denied {
            "The knowledge base has {name}, {attribute}: {expected}"
        } else {
            match self.perhaps {
                Some(Perhaps::Then) => {
                    "The knowledge base has {name}, {attribute}: {expected}; {said} may be of another time"
                }
                Some(Perhaps::Framed) => {
                    "The knowledge base has {name}, {attribute}: {expected}; {said} may be of another case"
                }
                Some(Perhaps::Within) => {
                    "The knowledge base has {name}, {attribute}: {expected}; that may lie in {said}"
                }
                None => "The knowledge base has {name}, {attribute}: {expected}, not {said}",
            }
        };
        finding.suggestion = Some(format!("'{attribute}' of '{name}' is '{expected}'"));
        finding.message = Message::new(template)
            .sensitive("name", &*name)
            .plain("attribute", attribute)
            .sensitive("expected", &*expected)
            .sensitive("said", said);
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
                data: json!({"entity": self.id, "predicate": one.predicate, "contradicts": !framed}),
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
        if self.perhaps.is_some() {
            finding.p_hallucinated *= PERHAPS;
            extra.insert(MAX_TIER.into(), json!(Tier::Medium.as_str()));
        }
        if framed {
            extra.insert("min_tier".into(), json!(Tier::Medium.as_str()));
        }
        // What is told twice is wrong once.
        if converted {
            extra.insert(MAX_TIER.into(), json!(Tier::High.as_str()));
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

/// Whether a number or date at the place is one of two that "or" joins.
fn one_of_two(view: &SentenceView<'_>, place: Span) -> bool {
    let at = view.lexemes_in(place);
    let folded = view.folded();
    let valued = |i: usize| {
        let span = view.lexemes.get(i).map(|lexeme| lexeme.span);
        span.is_some_and(|span| {
            view.quantities.iter().any(|q| q.span.overlaps(span))
                || view.dates.iter().any(|date| date.span.overlaps(span))
        })
    };
    let joined = |or: usize| or < folded.len() && folded.get(or) == "or";
    let behind = joined(at.end) && (at.end + 1..at.end + 3).any(valued);
    let before = at
        .start
        .checked_sub(1)
        .is_some_and(|or| joined(or) && (or.saturating_sub(2)..or).any(valued));
    behind || before
}

/// The replacement with the attribute's noun, where what was said ends with it behind a number.
fn with_own_noun(said: &str, text: String, predicate: &str) -> String {
    let noun = predicate.replace('_', " ");
    let number = |text: &str| text.contains(|c: char| c.is_ascii_digit());
    // "1 member" has it already.
    let last = |text: &str| {
        text.rsplit(' ')
            .next()
            .map(|word| stem(&word.to_lowercase()).into_owned())
    };
    if text.contains(' ') && last(&text) == last(&noun) {
        return text;
    }
    let at = said.len().checked_sub(noun.len());
    let parts = at.and_then(|at| Some((said.get(..at)?, said.get(at..)?)));
    match parts {
        Some((before, own))
            if own.eq_ignore_ascii_case(&noun)
                && before.ends_with(' ')
                && number(before)
                && number(&text)
                && !text.to_lowercase().contains(&noun) =>
        {
            format!("{text} {own}")
        }
        _ => text,
    }
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

/// A bare figure with its thousands set apart where the sentence has them so.
fn figured(view: &SentenceView<'_>, span: Span, right: String) -> String {
    let said = view.quantities.iter().find(|q| q.span.overlaps(span));
    let bare = right.len() > 3 && right.bytes().all(|b| b.is_ascii_digit());
    match said.filter(|_| bare) {
        Some(said) if thousands(view, Some(said), "") == Thousands::Apart => {
            grouped_at(&right, true)
        }
        _ => right,
    }
}
