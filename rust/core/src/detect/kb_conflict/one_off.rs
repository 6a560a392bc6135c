//! What was or will be on one occasion, against what is so as a rule.

use crate::claims::{Folded, SentenceView, Tense};
use crate::kb::{Agreement, Fact, Snapshot};
use crate::lexicon::contrast::contrast;
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::frames;
use crate::segment::{clocks, dates, told_clocks};
use crate::types::{Claim, DateExpr, LexFlags, LexKind, Polarity, Quantity, QuantityKind, Span};

use crate::detect::clash::{VALUES, agrees};
use crate::detect::object::Object;
use crate::detect::subject::claim_entities;

/// Attributes that say what is so week after week.
const REGULAR: [&str; 4] = ["opening_hours", "closed_on", "closing_time", "open_on"];
/// Attributes of a timetable.
const RUNS: [&str; 2] = ["departure", "arrival"];
/// Attributes that date one occasion.
const ONCE: [&str; 4] = ["day", "date", "time", "scheduled_for"];
/// Attributes that date one edition of what comes again.
const EDITIONS: [&str; 2] = ["starts_on", "ended"];
/// Attributes that count all there are, of which a part or those of some time are counted as well.
const TOTALS: [&str; 2] = ["fleet_size", "titles"];
/// Words of what is mostly so.
const MOSTLY: [&str; 9] = [
    "usually",
    "normally",
    "generally",
    "typically",
    "often",
    "mostly",
    "sometimes",
    "regularly",
    "traditionally",
];
/// Words that take a regular thing out of one day.
const THIS_ONCE: [&str; 7] = [
    "today",
    "tomorrow",
    "yesterday",
    "tonight",
    "exceptionally",
    "temporarily",
    "early",
];

/// Whether the claim tells of one occasion ("was closed on Friday because of a storm", "will open at
/// nine on that day") and the fact of every week, or the other way round.
pub(super) fn one_off(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    claim: &Claim,
    fact: &Fact,
) -> bool {
    let names = view.attributes.predicates();
    let of = |list: &[&str]| list.iter().any(|name| names.same(name, &fact.predicate));
    let says = |list: &[&str]| (0..folded.len()).any(|i| list.contains(&folded.get(i)));
    if of(&ONCE) && says(&MOSTLY)
        || of(&EDITIONS) && of_another_year(view, claim, fact)
        || of(&ONCE) && another_edition(view, folded, claim, fact)
        || of(&["titles"]) && told_as_past(view, claim) && !says(&["has", "have"])
        || of(&TOTALS) && of_some(view, folded, claim)
        || names.named(&fact.predicate).is_some_and(|own| own.dated)
            && claim
                .object_span
                .is_some_and(|place| of_another_event(view, place))
    {
        return true;
    }
    let Some(place) = claim.object_span.filter(|_| of(&REGULAR) || of(&RUNS)) else {
        return false;
    };
    if of(&RUNS) && at_another_stop(view, claim, place) {
        return true;
    }
    if every(view, place) {
        return false;
    }
    let tense = tense(view, claim);
    let once = says(&THIS_ONCE) || that_day(view, folded) || on_a_date(view, fact);
    matches!(tense, Some(Tense::Past | Tense::Future)) || once
}

/// "leaves Lissa at 9:20", "arrives in Orm at 9:48": of a stop, of which there may be others.
fn at_another_stop(view: &SentenceView<'_>, claim: &Claim, place: Span) -> bool {
    let at = view.lexemes_in(place).start;
    let ahead = claim.subject_span.filter(|own| own.end <= place.start);
    let Some(from) = ahead.map(|own| view.lexemes_in(own).end) else {
        return false;
    };
    let subject = |i: usize| {
        let span = view.lexemes[i].span;
        claim.subject_span.is_some_and(|own| own.overlaps(span)) || place.overlaps(span)
    };
    let stop = |i: usize| {
        let lexeme = &view.lexemes[i];
        lexeme.kind == LexKind::Word
            && lexeme.flags.has(LexFlags::CAPITALIZED)
            && !subject(i)
            && !view
                .dates
                .iter()
                .any(|date| date.span.overlaps(lexeme.span))
    };
    (from..at.min(view.lexemes.len())).any(stop)
}

/// The tense of the clause that the object stands in.
fn tense(view: &SentenceView<'_>, claim: &Claim) -> Option<Tense> {
    let at = view.lexemes_in(claim.object_span?).start;
    let own = view.clauses();
    own.iter()
        .find(|clause| clause.range.contains(&at))
        .map(|clause| clause.tense)
}

/// "won two titles", whenever that was.
fn told_as_past(view: &SentenceView<'_>, claim: &Claim) -> bool {
    tense(view, claim) == Some(Tense::Past)
}

/// "12 aircraft for a partner", "two titles since 1990", "will operate 60 aircraft": what stands behind
/// the counted noun may tell which of all; only a sum ends there.
fn of_some(view: &SentenceView<'_>, folded: &Folded<'_>, claim: &Claim) -> bool {
    let number = claim
        .object_span
        .and_then(|place| view.quantities.iter().find(|q| place.overlaps(q.span)));
    let Some(number) = number else { return false };
    let behind = view.lexemes_in(number.span).end + 1;
    let word = folded.get(behind);
    let summed = word == "in" && folded.get(behind + 1) == "total";
    let ends = !view.is_term(behind) && view.kind(behind) != Some(LexKind::Word)
        || matches!(word, "and" | "but" | "altogether" | "overall")
        || summed;
    tense(view, claim) == Some(Tense::Future) || !ends
}

/// "In 2019 it started on 14 June", "started on 14 June": of an edition that the fact, which names
/// another year or none, need not be of.
fn of_another_year(view: &SentenceView<'_>, claim: &Claim, fact: &Fact) -> bool {
    let own = dates(&fact.value.to_string());
    let own = own.first().filter(|date| date.day.is_some());
    let Some(own) = own else { return false };
    let number =
        |quantity: &Quantity| (quantity.kind == QuantityKind::Year).then_some(quantity.value);
    let dated = view.dates.iter().filter_map(|date| date.year);
    let mut said = view
        .quantities
        .iter()
        .filter_map(number)
        .chain(dated.map(f64::from));
    // A date with its year is compared as it is.
    let bare = |date: &DateExpr| date.year.is_none() && date.day.is_some();
    if !view.dates.iter().any(bare) {
        return false;
    }
    match own.year {
        None => said.next().is_some() || told_as_past(view, claim),
        Some(year) => said.any(|said| said != f64::from(year)),
    }
}

/// "The Harvest Festival took place on 5 October 2024", where the base has that of 2025.
fn another_edition(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    claim: &Claim,
    fact: &Fact,
) -> bool {
    let own = dates(&fact.value.to_string());
    let Some(own) = own.first().and_then(|date| date.year) else {
        return false;
    };
    let comes_again = claim.subject_span.is_some_and(|subject| {
        let mut words = view.lexemes_in(subject);
        words.any(|i| frames().has("comes_again", folded.in_name(i)))
    });
    let years = (view.quantities.iter())
        .filter(|q| q.kind == QuantityKind::Year)
        .map(|q| q.value);
    let mut said = years
        .chain(
            view.dates
                .iter()
                .filter_map(|date| date.year.map(f64::from)),
        )
        .peekable();
    let earlier = said.peek().is_some() && said.all(|year| year < f64::from(own));
    comes_again && earlier && told_as_past(view, claim)
}

/// "in the wake of the 1999 festival": the year tells which festival.
fn of_another_event(view: &SentenceView<'_>, place: Span) -> bool {
    let mut years = view
        .quantities
        .iter()
        .filter(|q| q.kind == QuantityKind::Year && place.contains(q.span))
        .peekable();
    years.peek().is_some()
        && years.all(|year| {
            let at = view.lexemes_in(year.span);
            let next = view.lexemes.get(at.end);
            let noun = next.is_some_and(|next| {
                place.contains(next.span)
                    && next.kind == LexKind::Word
                    && view.at(next.span) != "and"
            });
            noun && at.start > 0 && view.word(at.start - 1).eq_ignore_ascii_case("the")
        })
}

/// "is closed at 3:00", of what opens at eight: it is, then.
pub(super) fn closed_then(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    claim: &Claim,
    (kb, id): (&Snapshot, u32),
) -> bool {
    let names = view.attributes.predicates();
    let Some(place) = claim.object_span else {
        return false;
    };
    let at = view.lexemes_in(place).start;
    let before = |by: usize| at.checked_sub(by).unwrap_or(folded.len());
    let state = folded.get(before(2)) == "closed"
        && matches!(folded.get(before(1)), "at" | "by" | "before" | "after")
        && folded.cue(before(3)).is(Cue::COPULA);
    let closing = claim
        .predicate
        .as_deref()
        .is_some_and(|name| names.same(name, "closing_time"));
    if !state || !closing {
        return false;
    }
    let times = |name: &str| {
        let facts = kb.few_facts(id, VALUES, &|own| names.same(own, name));
        let texts = facts
            .unwrap_or_default()
            .into_iter()
            .map(|fact| fact.value.to_string());
        let found: Vec<u16> = texts
            .flat_map(|text| clocks(&text))
            .map(|c| c.minutes)
            .collect();
        found
    };
    let (opens, closes) = (times("opening_hours"), times("closing_time"));
    let (Some(from), Some(to)) = (opens.first(), closes.last().or(opens.get(1))) else {
        return true;
    };
    let said = told_clocks(view.at(place));
    !said
        .iter()
        .all(|time| from < to && time.half && (*from..*to).contains(&time.minutes))
}

/// "from 9:00 to 13:00 on 24 December", where the fact is of no date.
fn on_a_date(view: &SentenceView<'_>, fact: &Fact) -> bool {
    let day = |date: &DateExpr| date.day.is_some() && date.month.is_some();
    view.dates.iter().any(day) && !dates(&fact.value.to_string()).iter().any(day)
}

/// "on Fridays", "every Friday", "weekdays".
fn every(view: &SentenceView<'_>, place: Span) -> bool {
    let text = view.at(place).to_lowercase();
    text.split(|c: char| !c.is_alphanumeric()).any(|word| {
        word.ends_with("days") || matches!(word, "every" | "each" | "daily" | "weekends")
    })
}

/// "on that day", "this Friday", "next week".
fn that_day(view: &SentenceView<'_>, folded: &Folded<'_>) -> bool {
    (1..folded.len()).any(|i| {
        let day = view
            .dates
            .iter()
            .any(|date| date.weekday.is_some() && date.span.overlaps(view.lexemes[i].span));
        matches!(folded.get(i - 1), "that" | "this" | "next" | "last")
            && (day
                || matches!(
                    folded.get(i),
                    "day" | "week" | "morning" | "evening" | "month"
                ))
    })
}

/// Whether another claim of the sentence gives the subject a value of that attribute that it does
/// have ("on Mondays and on Christmas Day"): what is told besides it may be missing from the base.
pub(super) fn beside_the_true(
    view: &SentenceView<'_>,
    claim: &Claim,
    all: &[Claim],
    kb: &Snapshot,
    fact: &Fact,
) -> bool {
    let Some(predicate) = claim.predicate.as_deref() else {
        return false;
    };
    let single = contrast().is_single(predicate) || contrast().is_dated(predicate);
    if single || kb.is_closed(Some(&fact.predicate)) || claim.polarity == Polarity::Negative {
        return false;
    }
    let names = view.attributes.predicates();
    let others = all.iter().filter(|other| {
        other.id != claim.id
            && other.subject_span == claim.subject_span
            && other.polarity == Polarity::Positive
            && other
                .predicate
                .as_deref()
                .is_some_and(|own| names.same(own, predicate))
    });
    let objects: Vec<Object<'_>> = others
        .filter_map(|other| Some(Object::new(view, other.object_span?)))
        .collect();
    if objects.is_empty() {
        return false;
    }
    claim_entities(view, claim, kb).into_iter().any(|id| {
        let facts = kb.few_facts(id, VALUES, &|name| names.same(name, predicate));
        facts.unwrap_or_default().iter().any(|fact| {
            let same = |object: &Object<'_>| agrees(kb, names, fact, object) == Agreement::Same;
            objects.iter().any(same)
        })
    })
}
