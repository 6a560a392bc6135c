//! A word of a sentence that the evidence says otherwise, or of something else.

use std::cell::OnceCell;

use serde_json::{Map, json};

use crate::claims::SentenceView;
use crate::evidence::{Against, Class, DetailScorer, EvidenceSet, Tracker, ends_in_minus};
use crate::segment::{Clock, clocks};
use crate::types::{Claim, Finding, Message, Modality, SentenceKind, Span};

use super::draft::{Absence, draft, nearest};
use super::known_parts::{has_person, is_spelled_out, may_be_spelled_out};
use super::number::listed;
use super::ratio::in_percent;
use super::sides::Sided;
use super::spoken::{is_honorific, spoken_first};
use super::supposed::supposes;

/// Probability of a wrong detail from which a sentence is reported.
pub const DETAIL_THRESHOLD: f64 = 0.7;
/// Sentences of fewer content words say too little to be compared.
const FEW_WORDS: u32 = 3;
/// Parts of the score that a finding names.
const NAMED: usize = 6;

/// `stream.altered_detail`: a word of a closed sentence that does not stand in the evidence where
/// the sentence has it (a name in another's place, another number, an opposite; none of the writer's
/// own), where that is so with a probability of `threshold` or more without its pronouns, which say no
/// detail that the evidence could have otherwise: they add to the probability, and are never the reason
/// for a report. Words that `excused` holds for have another source. The span is the word that brings
/// most of it, the evidence the sentence nearest to this one.
#[must_use]
pub fn altered_detail(
    view: &SentenceView<'_>,
    claims: &[Claim],
    tracker: &Tracker,
    against: &Against<'_>,
    excused: &dyn Fn(Span) -> bool,
    threshold: f64,
    sided: &Sided,
) -> Option<Finding> {
    let judged = matches!(
        view.sentence.kind,
        SentenceKind::Prose | SentenceKind::ListItem | SentenceKind::TableRow
    );
    if !judged || tracker.words() < FEW_WORDS || tracker.asks() {
        return None;
    }
    let mut details = tracker.details(against);
    let opening = spoken_first(view);
    // What stands before the statement says no detail of it.
    let start = view.lexemes.first().map_or(0, |lexeme| lexeme.span.start);
    let told = OnceCell::new();
    // Nor does the mark of a reference.
    let bracketed = view.text.contains('[');
    let marked = |span: Span| bracketed && view.lexemes_in(span).is_empty();
    details.retain(|detail| {
        detail.span.start >= start
            && !marked(detail.span)
            && !excused(detail.span)
            && !opening.iter().any(|own| own.overlaps(detail.span))
            && !is_letter_of(view, detail.span)
            && !is_honorific(view.at(detail.span))
            && !written_otherwise(view, detail.span, against.evidence, &told)
            && !named_otherwise(view, detail.span, against.evidence)
    });
    let scorer = DetailScorer::english();
    let own = || {
        let all = details.iter();
        all.filter(|detail| detail.class != Class::Pronoun)
    };
    let p = scorer.p(&details)?;
    let others = own().count() < details.len();
    if p < threshold || others && scorer.p(own()).unwrap_or(0.0) < threshold {
        return None;
    }
    let doubt = scorer.doubt(own()).or_else(|| scorer.doubt(&details))?;
    if sided.says_so(view, against.evidence) || supposes(view) {
        return None;
    }
    let claim = claims
        .iter()
        .find(|claim| claim.span.overlaps(doubt.span))
        .or_else(|| claims.first())?;
    if !matches!(claim.modality, Modality::Asserted | Modality::Hedged) {
        return None;
    }
    let text = view.at(doubt.span);
    let mut finding = draft(
        "stream.altered_detail",
        "detail",
        Some(doubt.span),
        text,
        view.sentence.decided_at,
    );
    finding.p_hallucinated = p;
    finding.claim_id = Some(claim.id.clone());
    Absence {
        closed: false,
        evidence: true,
    }
    .note(&mut finding);
    finding.message = Message::new("The evidence does not have \u{201c}{word}\u{201d} here")
        .sensitive("word", text);
    let mut parts = Map::new();
    for (name, part) in doubt.parts.iter().take(NAMED) {
        parts.insert((*name).to_owned(), json!(part));
    }
    finding.detected = json!({
        "class": doubt.class,
        "share": doubt.share,
        "score": doubt.score,
        "parts": parts,
    });
    finding.evidence.extend(nearest(tracker, against));
    Some(finding)
}

/// Whether it is a letter of an abbreviation or before a hyphen ("N.B.", "U-bend"): no word by itself.
fn is_letter_of(view: &SentenceView<'_>, word: Span) -> bool {
    let mut letters = view.at(word).chars();
    let behind = Span::new(word.end, view.sentence.span.end.max(word.end));
    letters.next().is_some() && letters.next().is_none() && view.at(behind).starts_with(['.', '-'])
}

/// Whether the word belongs to a number whose value the evidence has in other words ("1 million"
/// for "1,000,000", "7:30 pm" for "19:30"): that it lacks the words tells nothing then.
/// `told` keeps the sentence's times of day.
fn written_otherwise(
    view: &SentenceView<'_>,
    word: Span,
    evidence: &EvidenceSet,
    told: &OnceCell<Vec<Clock>>,
) -> bool {
    let text = view.at(word);
    if evidence
        .passages()
        .iter()
        .any(|p| !p.data().clocks.is_empty())
    {
        let base = view.sentence.span.start;
        let own = Span::new(
            word.start.saturating_sub(base),
            word.end.saturating_sub(base),
        );
        let mut told = told.get_or_init(|| clocks(view.text)).iter();
        if told.any(|clock| clock.span.overlaps(own) && evidence.has_clock(clock)) {
            return true;
        }
    }
    // "25 December", where it has "24–26 December".
    let mut days = view.dates.iter().filter(|date| date.span.overlaps(word));
    let mut all = evidence.passages().iter();
    if days.any(|date| evidence.has_date(date)) && !all.any(|p| has_whole(p.text(), text)) {
        return true;
    }
    let mut numbers = view.quantities.iter().filter(|q| q.span.overlaps(word));
    numbers.any(|q| {
        let mut passages = evidence.passages().iter();
        let minus = ends_in_minus(view.at(Span::new(view.sentence.span.start, q.span.start)));
        let share = in_percent(q, view);
        evidence.has_otherwise(q, minus)
            || share.is_some_and(|share| evidence.has_quantity(&share))
            || listed(q, view.at(q.span), |part, _| evidence.has_quantity(part))
            || evidence.has_quantity(q) && !passages.any(|p| has_whole(p.text(), text))
    })
}

/// Whether the word is a short form of what the evidence has ("GDP"), or belongs to a person whom it
/// calls by another form of the given names.
fn named_otherwise(view: &SentenceView<'_>, word: Span, evidence: &EvidenceSet) -> bool {
    let text = view.at(word);
    let mut names = view
        .mentions
        .iter()
        .filter(|m| m.span.overlaps(word))
        .peekable();
    // Most words are neither.
    if names.peek().is_none() && !may_be_spelled_out(text) || evidence.has_name(text) {
        return false;
    }
    is_spelled_out(text, evidence) || names.any(|m| has_person(view.at(m.span), evidence))
}

/// Whether `text` has the figure as it is written, and not as the beginning of a longer one.
fn has_whole(text: &str, figure: &str) -> bool {
    text.match_indices(figure).any(|(at, _)| {
        let more = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let mut behind = text[at + figure.len()..].chars();
        let next = behind.next();
        let goes_on = matches!(next, Some('.' | ',')) && more(behind.next());
        !more(text[..at].chars().next_back()) && !more(next) && !goes_on
    })
}
