//! A number or date for which the evidence says another value, when the sentence closes.

mod asides;
mod beyond;
mod left_open;
mod moved;
mod other_subject;
mod other_year;
mod siblings;

use serde_json::json;

use crate::claims::{
    Bounds, Clause, ContentWord, Folded, SentenceView, attributed, bounds, decade_holds, is_share,
    quantity_context, says_share, unasserted,
};
use crate::evidence::{Conflict, Context, End, EvidenceSet};
use crate::kb::same_sides;
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::otherwise;
use crate::segment::{self, together};
use crate::types::{
    Claim, DateExpr, Finding, Message, Modality, Quantity, QuantityKind, Span, Status,
};

use super::apart::Reader;
use super::case::{is_example_beside, other_limit, said_limit};
use super::circumstance::elsewhere;
use super::draft::draft;
use super::hours::at_a_moment;
use super::notated::in_score;
use super::replacement::converted::{widen, with_conversion};
use super::replacement::formed::scored_alike;
use super::replacement::grammar::with_noun;
use super::replacement::told_value::{
    about_then, as_date, as_decade, as_estimated, in_form, like, with_onward,
};
use super::supposed::supposed;
use super::time_of_day::comparable;
use super::variant::{offered_besides, with_added};
use asides::{asides, opens_stretch, summed};
use beyond::{goes_beyond, right_beside};
use left_open::left_open;
use moved::moved;
use other_subject::other_subject;
use other_year::{no_longer, of_compared_year, told};
use siblings::of_sibling;

/// Same unit, same noun, same company of words, other value, and the value stands nowhere in the
/// evidence. Chosen so that a number is put right and a date is doubted: dates of other events
/// stand in the same company more often. Set by hand; the labelled cases it was checked against
/// are few, and it is no calibrated probability.
const P_NUMBER: f64 = 0.85;
/// See [`P_NUMBER`].
const P_DATE: f64 = 0.70;
/// Share of a sentence's words up to which a sentence of the evidence is of something else.
const APART: f64 = 0.0;

/// `stream.quantity_conflict`: a number with the unit and head noun (a year or weekday with the
/// event) of one in the evidence, in a sentence about the same thing, with another value. Another
/// name, another one of the kind ("another bridge") and one told apart by a word that the evidence
/// lacks ("the nearest bridge") are other things.
#[must_use]
pub fn quantity_conflicts(
    view: &SentenceView<'_>,
    claim: &Claim,
    evidence: &EvidenceSet,
) -> Vec<Finding> {
    if evidence.is_empty() || claim.modality == Modality::Question {
        return Vec::new();
    }
    if view.quantities.is_empty() && view.dates.is_empty() {
        return Vec::new();
    }
    let bounding = |word: &ContentWord| otherwise().has_written("bounding", view.at(word.span));
    // "1941 (83 years ago)" says no more than the year.
    let again: Vec<Span> = (view.quantities.iter())
        .map(|q| Span::new(q.span.end, with_conversion(view, q.span).end))
        .collect();
    let told = |word: &ContentWord| again.iter().any(|span| span.overlaps(word.span));
    let words: Vec<ContentWord> = (view.content_words())
        .filter(|word| !bounding(word) && !told(word))
        .collect();
    let folded = view.folded();
    let asides = asides(view, &folded);
    let aside = |span: Span| asides.iter().any(|aside| aside.overlaps(span));
    let main: Vec<ContentWord> = (words.iter().copied())
        .filter(|word| !aside(word.span))
        .collect();
    let held = Held {
        view,
        claim,
        evidence,
        words: &words,
        main: &main,
        asides: &asides,
        folded: &folded,
        parts: view.clauses(),
        around: Reader::new(view, &folded),
    };
    let mut found = Vec::new();
    for quantity in view.quantities {
        held.number(quantity, &mut found);
    }
    let days = together(view.dates, |span| view.at(span));
    for (at, date) in view.dates.iter().enumerate() {
        let stretch = (days.iter()).find(|days| days.ranged && (days.from..days.to).contains(&at));
        let end = stretch.map(|days| match at == days.from {
            true => End::First,
            false => End::Last,
        });
        held.date(date, end, &mut found);
    }
    widen(view, evidence, &mut found);
    found
}

/// A sentence that is held against the evidence's numbers.
struct Held<'a> {
    view: &'a SentenceView<'a>,
    claim: &'a Claim,
    evidence: &'a EvidenceSet,
    words: &'a [ContentWord],
    /// Those of its main clause.
    main: &'a [ContentWord],
    asides: &'a [Span],
    folded: &'a Folded<'a>,
    parts: &'a [Clause],
    around: Reader<'a>,
}

impl Held<'_> {
    fn context(&self, span: Span) -> Context<'_> {
        let aside = self.asides.iter().any(|aside| aside.overlaps(span));
        Context {
            words: if aside { self.words } else { self.main },
            around: quantity_context(self.view.lexemes, span, |span| self.view.at(span)),
            limited: false,
        }
    }

    /// "It was not founded in 1990" is at odds with no other year.
    fn denied(&self, span: Span) -> bool {
        let at = self.view.lexemes_in(span).start;
        let own = (self.parts.iter()).find(|clause| clause.range.contains(&at));
        let stop = own.map_or(0, |clause| clause.group.start);
        own.is_some_and(|clause| clause.negative) || no_longer(self.folded, stop..at)
    }

    /// "A company like Acme", "a wall 2 m high": of something that the evidence does not tell of.
    fn of_other(&self, span: Span, conflict: &Conflict) -> bool {
        let passage = self.evidence.passages().get(conflict.passage);
        let told = passage.map_or("", |passage| told(conflict, passage.text()));
        let of_part = (self.around.measured_part(span))
            .is_some_and(|part| !told.to_lowercase().contains(&part));
        of_part
            || self.around.apart(self.claim.subject_span, span)
            || self.around.of_several(self.claim.subject_span, span)
    }

    /// What a third source is said to state is only held against evidence that speaks of it too.
    fn by_another(&self, span: Span, text: &str) -> bool {
        let text = text.to_lowercase();
        let source = attributed(self.view, self.folded, span).map(|source| {
            let mut words = source.filter(|i| !self.folded.cue(*i).is(Cue::FUNCTION));
            words.all(|i| text.contains(self.folded.get(i)))
        });
        source == Some(false)
    }

    /// Whether the evidence's value is of another thing, place or time than the one said.
    fn elsewhere(&self, span: Span, conflict: &Conflict) -> bool {
        let (view, folded) = (self.view, self.folded);
        let passage = self.evidence.passages().get(conflict.passage);
        passage.is_some_and(|p| {
            let added = with_added(view, folded);
            let text = p.text().to_lowercase();
            added.iter().any(|word| !text.contains(word))
                || offered_besides(view, folded, span)
                || self.by_another(span, p.text())
                || of_compared_year(view, conflict, p.text())
                || same_sides(view.text, told(conflict, p.text()))
                || other_subject(view, folded, self.parts, span, conflict, p.data())
                || of_sibling(view, span, conflict, p.data())
                || elsewhere(
                    view,
                    folded,
                    self.parts,
                    span,
                    conflict,
                    (p.data(), self.called()),
                )
        })
    }

    /// The name of what a pronoun stands for.
    fn called(&self) -> Option<&str> {
        self.claim.referent.as_ref().map(|what| &*what.name)
    }

    /// The evidence's own number, where that is another one.
    fn number(&self, quantity: &Quantity, found: &mut Vec<Finding>) {
        let (view, claim, evidence, folded) = (self.view, self.claim, self.evidence, self.folded);
        // A value the evidence has for something else is more often told of that.
        let limited = said_limit(view, quantity);
        let beside = Context {
            limited: limited.is_some(),
            ..self.context(quantity.span)
        };
        let held = evidence.has_quantity(quantity);
        let mut close = true;
        // "Rose by 7 %", where the source has "-7 %", is told nowhere.
        let turned = moved(view, claim, evidence, quantity, &beside, folded);
        if !held && turned.is_some() {
            found.extend(turned);
            return;
        }
        if held {
            found.extend(turned);
            // Unless it is of something that the sentence does not speak of at all.
            let measured = quantity.unit.is_some() || quantity.kind == QuantityKind::Percent;
            close = measured && evidence.shared_with_number(quantity, &beside) <= APART;
        }
        if let Some(conflict) = evidence.conflicting_quantity(quantity, &beside) {
            let whole = || evidence.shared_with(&conflict, quantity.span, &beside) >= 1.0;
            let another = || (close || evidence.counts_others(quantity, &beside)) && whole();
            if held && !another() && !of_others(view, claim, evidence, quantity, &conflict, &beside)
            {
                return;
            }
            let place = (conflict.passage, conflict.span);
            // "2–2" is told as a whole.
            if in_score(view, quantity.span) || scored_alike(quantity, &conflict.text) {
                return;
            }
            if is_example_beside(view, quantity.span, evidence, place) {
                return;
            }
            // "over 400", where the evidence has 450, and the other way round.
            let bounds = bounds(view, folded, quantity);
            let limit = evidence.limit_in(conflict.passage, conflict.span);
            let (conflict, open) = left_open(conflict, evidence);
            let (conflict, open) = as_estimated(view, quantity, conflict, open);
            let said = bounds.unwrap_or_else(|| Bounds::exactly(quantity));
            let onward = with_onward(conflict.clone(), evidence);
            let onward = (open.is_none() && onward != conflict).then_some(onward);
            let allowed = match open {
                // "Twelve or more" holds fifteen, and is not "ten or more".
                None if onward.is_some() && limit.is_some() => {
                    let own = limit.as_ref().map(|own| (own.low, own.high));
                    match bounds {
                        Some(bounds) => own == Some((bounds.low, bounds.high)),
                        None => limit.as_ref().is_some_and(|own| own.holds(quantity.value)),
                    }
                }
                Some(own) => {
                    let limits = limited.as_ref().zip(limit.as_ref());
                    let other = limits.is_some_and(|(said, own)| other_limit(said, own));
                    own.bounds.meets(&said) == Some(true)
                        && !other
                        && !goes_beyond(&said, &own.bounds)
                }
                None => bounds.is_some_and(|bounds| {
                    let own = segment::quantities(&conflict.text);
                    own.iter()
                        .any(|own| bounds.hold(own.value, own.unit) == Some(true))
                }),
            };
            let span = bounds.map_or(quantity.span, |bounds| bounds.span);
            let told = (found.iter()).any(|f: &Finding| f.span.is_some_and(|s| s.overlaps(span)));
            // "no less than 55" denies nothing.
            let limit = bounds.is_some_and(|bounds| {
                let first = folded.get(view.lexemes_in(bounds.span).start);
                matches!(first, "no" | "not")
            });
            let open = self.denied(quantity.span) && !limit
                || unasserted(view, folded, quantity.span)
                || supposed(view, quantity.span)
                || self.of_other(quantity.span, &conflict)
                || self.then(quantity, &conflict);
            let beside = || right_beside(view, folded, quantity, &conflict);
            // "A third of the staff" is at odds with another share, with no number of people.
            let share = || is_share(view, folded, quantity) && !says_share(&conflict.text);
            if allowed
                || told
                || open
                || beside()
                || share()
                || self.elsewhere(quantity.span, &conflict)
            {
                return;
            }
            let conflict = onward.unwrap_or(conflict);
            let mut finding = finding(view, claim, evidence, span, &conflict, P_NUMBER);
            if decade_holds(quantity, quantity.value).is_some() {
                finding.replacement = as_decade(&conflict.text);
            } else if quantity.kind == QuantityKind::Year {
                // "in 2019" becomes "in 2020", though the evidence has the day.
                let own = segment::dates(&conflict.text);
                let year = own.first().and_then(|date| date.year);
                finding.replacement = year.map(|year| year.to_string()).or(finding.replacement);
            } else if span == quantity.span
                && let Some(text) = in_form(view, quantity, &conflict.text)
            {
                finding.replacement = Some(text);
            } else if quantity.unit.is_none()
                && span == quantity.span
                && let [own] = segment::quantities(&conflict.text).as_slice()
                && own.unit.is_none()
            {
                let text = finding.replacement.take().unwrap_or_default();
                let (place, text) = with_noun(view, quantity, own.value, text);
                finding.span = Some(place);
                finding.replacement = text;
            }
            let summed = summed(view, self.asides, quantity, span);
            finding.replacement = finding.replacement.filter(|_| !summed);
            found.push(finding);
        }
    }

    /// The evidence's own day, where that is another one; `end` says which end of a stretch is said.
    fn date(&self, date: &DateExpr, end: Option<End>, found: &mut Vec<Finding>) {
        let (view, claim, evidence) = (self.view, self.claim, self.evidence);
        let said = found
            .iter()
            .any(|f: &Finding| f.span.is_some_and(|span| span.overlaps(date.span)));
        if said || evidence.has_date(date) {
            return;
        }
        if let Some(conflict) = evidence.conflicting_date(date, end, &self.context(date.span)) {
            let open = self.denied(date.span)
                || unasserted(view, self.folded, date.span)
                || self.around.apart(claim.subject_span, date.span);
            if open
                || end.is_none() && opens_stretch(evidence, date, &conflict)
                || self.elsewhere(date.span, &conflict)
                || date.minutes.is_some()
                    && (!comparable(view, date.span, &conflict.text)
                        || at_a_moment(self.folded, view.lexemes_in(date.span).start))
                || about_then(view, date, &conflict.text)
            {
                return;
            }
            let mut finding = finding(view, claim, evidence, date.span, &conflict, P_DATE);
            if let [own] = segment::dates(&conflict.text).as_slice() {
                let (place, text) = as_date(view, date, own, &conflict.text);
                finding.span = Some(place);
                finding.replacement = text;
            } else {
                // "22" of "from 22 to 26 December" becomes "24", and no date a list of them.
                let bare = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
                let alike = bare(&conflict.text) && bare(view.at(date.span));
                finding.replacement = finding.replacement.filter(|_| alike);
            }
            found.push(finding);
        }
    }
}

/// Words behind a number that go with it ("business days").
const COMPANY: usize = 2;

/// Whether the evidence tells the number of other things only, and has another for the subject of
/// the claim.
fn of_others(
    view: &SentenceView<'_>,
    claim: &Claim,
    evidence: &EvidenceSet,
    quantity: &Quantity,
    conflict: &Conflict,
    context: &Context<'_>,
) -> bool {
    let Some(subject) = claim
        .subject_span
        .filter(|own| own.end <= quantity.span.start)
    else {
        return false;
    };
    let subject: Vec<u64> = (view.content_words_in(view.lexemes_in(subject)))
        .map(|word| word.stem)
        .collect();
    let at = view.lexemes_in(quantity.span);
    let behind = (at.end..(at.end + COMPANY).min(view.lexemes.len())).map(|i| view.lexemes[i].span);
    let before = (context.words.iter()).filter(|word| word.stem == context.around.before);
    let company: Vec<Span> = behind.chain(before.map(|word| word.span)).collect();
    evidence.told_of_others(quantity, conflict, &subject, &company, context)
}

fn finding(
    view: &SentenceView<'_>,
    claim: &Claim,
    evidence: &EvidenceSet,
    span: Span,
    conflict: &Conflict,
    p: f64,
) -> Finding {
    let text = view.at(span);
    let mut finding = draft(
        "stream.quantity_conflict",
        "quantity_conflict",
        Some(span),
        text,
        view.sentence.decided_at,
    );
    finding.claim_id = Some(claim.id.clone());
    finding.p_hallucinated = p;
    finding.status = Status::Contradicted;
    finding.message = Message::new("The evidence says {expected}, not {said}")
        .sensitive("expected", &*conflict.text)
        .sensitive("said", text);
    finding.replacement = Some(like(text, &conflict.text));
    finding.detected = json!(text);
    finding.expected = json!(conflict.text);
    if let Some(passage) = evidence.passages().get(conflict.passage) {
        let cited = passage.cited(conflict.sentence, conflict.span);
        finding.evidence.push(cited);
    }
    finding.extra.insert("absence".into(), json!(false));
    finding
}
