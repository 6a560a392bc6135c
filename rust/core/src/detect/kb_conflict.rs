//! What is said of a known entity against what the knowledge base says of it: common to wrong
//! attributes and contradicted facts, which part here and nowhere else.

mod ahead;
mod attached;
mod beside;
mod denied;
mod denied_whole;
mod differing;
mod finding;
mod framed;
mod one_off;
mod perhaps_another;
mod predicated;
mod relative;
mod sense;
mod set_right;
mod shared;
mod stated;
mod then;
mod work;

use jiff::civil::Date;

use crate::claims::{Folded, SentenceView, attributed, unasserted, unit_named, value_narrowed};
use crate::kb::{Snapshot, Value};
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::stance;
use crate::lexicon::units::unit;
use crate::normal::fold_name;
use crate::types::{Claim, Finding, LexFlags, Modality, Polarity, QuantityKind, Span};

use super::apart::{Reader, summed};
use super::based::told_of_seat;
use super::binding::{Binding, binding};
use super::clash::{Clash, VALUES, conflict};
use super::contradicts_fact::contradicts_fact;
use super::magnitude::of_another_magnitude;
use super::mirrored::mirrored;
use super::object::Object;
use super::period::in_that_winter;
use super::place::{beside_a_town, perhaps_within, told_abroad};
use super::qualified::qualified;
use super::rated::other_period;
use super::reread::reread;
use super::subject::claim_entities;
use super::tried::tried;
use super::variant::{is_name, offered_besides, priced_elsewhere, shifted};
use super::wrong_attribute::wrong_attribute;
use super::yes_no::allowed_there;
use ahead::{not_yet, to_come};
use attached::{counts_names, of_another, paired};
use beside::{said_too, stands_beside};
use denied::denied_in_part;
use denied_whole::{denied_whole, denies};
use differing::differing;
use framed::framed;
pub(super) use framed::scenic;
use one_off::{beside_the_true, closed_then, one_off};
use perhaps_another::perhaps_another;
use predicated::told_of_the_thing;
use relative::told_in_passing;
use sense::other_sense;
use set_right::set_right;
use shared::leave_open_what_is_shared;
use stated::not_its_value;
use then::held_perhaps;

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
    pub(super) view: &'a SentenceView<'a>,
    pub(super) claim: &'a Claim,
    pub(super) kb: &'a Snapshot,
    pub(super) id: u32,
    pub(super) clash: Clash,
    pub(super) object: Object<'a>,
    /// The phrase of which the object is one part, where it is wrong as a whole.
    pub(super) whole: Option<Span>,
    /// What else the value may be of, where it may be right all the same.
    pub(super) perhaps: Option<Perhaps>,
}

/// What makes it doubtful that a value and a fact are of the same case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Perhaps {
    /// It may have been so at another time.
    Then,
    /// It may be so under the circumstances that stand beside it.
    Framed,
    /// What the base has may be a part of it.
    Within,
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
    let object = Object::of(view, claim)?;
    if let Some((id, fact)) = allowed_there(view, claim, kb) {
        let told = claim.subject_span?;
        return (!unasserted(view, &view.folded(), told)).then(|| Conflict {
            view,
            claim,
            kb,
            id,
            clash: Clash {
                // What is allowed takes no place of where it is.
                exact: Some((object.span(), None)),
                ..Clash::of(kb, &fact)
            },
            object,
            whole: None,
            perhaps: None,
        });
    }
    let subjects = claim_entities(view, claim, kb);
    if subjects.len() > NAMESAKES {
        return None;
    }
    if subjects.is_empty() {
        return None;
    }
    if binding(view, claim, kb, &subjects) == Binding::Weak
        || perhaps_another(view, claim, kb, &subjects, &object)
    {
        return None;
    }
    let folded = view.folded();
    let around = Reader::new(view, &folded);
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
    // "X, a Boston-based firm, was founded in 1990": nor is that.
    let apposed = claim.subject_span.is_some_and(|subject| {
        let comma = view.at(Span::new(subject.end, subject.end + 1)) == ",";
        told_of_seat(view, place) && (comma || subject.start > place.start)
    });
    let aside = apposed
        || clash.aside
        || told_in_passing(view, claim.subject_span, place)
        || view.at(Span::new(place.start.saturating_sub(1), place.start)) == "(";
    // "Wile Coyote would have founded it": what is said stands in front.
    let told = claim.subject_span.filter(|span| span.start > place.start);
    // A value in front of its subject is of no clause between them.
    // Nor is a year a sum of those of several.
    let mut years = (view.quantities.iter()).filter(|q| q.kind == QuantityKind::Year);
    let counts = !years.any(|q| q.span.overlaps(place))
        && !view.dates.iter().any(|date| date.span.overlaps(place));
    let several = || counts && summed(&clash.fact) && around.of_several(claim.subject_span, place);
    let outright = claim.polarity == Polarity::Negative && denies(view, claim);
    if !outright && unasserted(view, &folded, told.unwrap_or(place))
        || attributed(view, &folded, told.unwrap_or(place))
            .is_some_and(|source| !in_no_name(&folded, source))
        || told.is_none() && around.apart(claim.subject_span, place)
        || told.is_some_and(|subject| apposed_apart(&folded, view, place, subject))
        || several()
        || object.common && is_name(&clash.fact.value)
        || offered_besides(view, &folded, place)
        || beside_a_town(view, &folded, place, &clash.fact)
        || shifted(&folded, &clash.fact)
        || priced_elsewhere(view, &folded, place, (kb, id))
        || of_another(view, &folded, claim)
        || stands_beside(view, &folded, claim, kb, &clash)
        || counts_names(view, &object, &clash.fact.value)
        || value_narrowed(view, place).is_some()
        || not_its_value(view, &folded, &object, &clash.fact)
        || told_of_the_thing(view, &folded, claim, &object, &clash.fact)
        || denied_in_part(view, &folded, claim, &object, (kb, &clash.fact))
        || other_period(view, &folded, &object, &clash.fact)
        || of_another_magnitude(view, &object, &clash.fact)
        || one_off(view, &folded, claim, &clash.fact)
        || not_yet(view, &folded, claim)
        || to_come(view, &folded, claim, &clash.fact)
        || closed_then(view, &folded, claim, (kb, id))
        || tried(view, &folded, place, &clash.fact)
        || set_right(view, &folded, place, (kb, &clash.fact))
        || other_sense(view, &folded, claim, (kb, id), &clash.fact)
        || claim.polarity == Polarity::Positive && in_that_winter(view, place, &clash.fact.value)
        || !clash.lapsed && !aside && qualified(view, &folded, claim, kb, id, &clash.fact)
    {
        return None;
    }
    let positive = claim.polarity == Polarity::Positive;
    let perhaps = if positive && held_perhaps(view, &folded, claim, (kb, id), &clash.fact) {
        Some(Perhaps::Then)
    } else if positive && !aside && framed(view, &folded, claim, (kb, id), &clash.fact) {
        Some(Perhaps::Framed)
    } else if positive
        && perhaps_within(kb, &clash.fact, &object)
        && !told_abroad(&clash.fact.value, &object.text)
    {
        Some(Perhaps::Within)
    } else {
        None
    };
    Some(Conflict {
        view,
        claim,
        kb,
        id,
        clash,
        object,
        whole,
        perhaps,
    })
}

/// `dialogue.wrong_attribute` or `dialogue.contradicts_fact` for the claims of a sentence, never both
/// for one: the first for a descriptive attribute of a named entity, the second for a statement about
/// a thing without a name ("the meeting"), a schedule, or a denial (S0-062, S0-063). One clash is
/// found once: "Tom Hill, the CEO of Acme" says one thing of both, and "Henry Ford and Tom Hill" is
/// wrong as a whole. What is said in the present tense is also judged by when facts hold, where
/// `today` is known.
#[must_use]
pub fn sentence_conflicts(
    view: &SentenceView<'_>,
    claims: &[Claim],
    kb: &Snapshot,
    today: Option<Date>,
) -> Vec<Finding> {
    let again = reread(view, claims, kb);
    let claims = again.as_deref().unwrap_or(claims);
    let denied = denied_whole(view, claims);
    let claims = denied.as_deref().unwrap_or(claims);
    let mut found: Vec<Conflict<'_>> = Vec::new();
    for claim in claims {
        let Some(mut conflict) = kb_conflict(view, claim, kb, today) else {
            continue;
        };
        if told_of_both(view, claim, claims, kb)
            || said_too(view, claim, claims, &conflict.clash, kb)
            || paired(view, &view.folded(), claim, claims)
            || beside_the_true(view, claim, claims, kb, &conflict.clash.fact)
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
    for at in 1..found.len() {
        let (before, after) = found.split_at_mut(at);
        let (Some(last), Some(next)) = (before.last_mut(), after.first_mut()) else {
            continue;
        };
        // "on Thursdays and on Saturdays": one value does not take the place of two.
        if last.whole.is_none() && next.whole.is_none() && last.listed_with(next) {
            last.clash.open = true;
            next.clash.open = true;
        }
    }
    for conflict in &mut found {
        conflict.clash.open |= conflict.whole.is_none() && joined_to_name(view, conflict.place());
    }
    leave_open_what_is_shared(view, claims, kb, &mut found);
    let others = mirrored(view, claims, kb, &mut found);
    let all = found.iter().chain(&others).map(Conflict::found);
    all.chain(differing(view, claims, kb)).collect()
}

/// "Maurice Koechlin and Émile Nouguier": another name is joined to this one, which no clause begins with.
fn joined_to_name(view: &SentenceView<'_>, name: Span) -> bool {
    let capital = |i: usize| {
        let lexeme = view.lexemes.get(i);
        lexeme.is_some_and(|lexeme| lexeme.flags.has(LexFlags::CAPITALIZED))
    };
    let range = view.lexemes_in(name);
    let first = range.end + 1;
    let joins = matches!(view.word(range.end), "and" | "or") && capital(range.start);
    let end = first + (first..).take_while(|i| capital(*i)).count();
    joins
        && end > first
        && (end >= view.lexemes.len() || matches!(view.word(end), "." | "," | ";" | "!"))
}

/// "a study", "recent research", "experts": sources without a name, whose word is the answer's own.
fn in_no_name(folded: &Folded<'_>, source: std::ops::Range<usize>) -> bool {
    let mut words = source.map(|i| folded.get(i)).filter(|word| *word != ",");
    words
        .next_back()
        .is_some_and(|head| stance().has("unnamed_head", head))
        && words.all(|word| stance().has("unnamed_light", word))
}

/// "P, not the director of X, wrote", "P, long the director of X, …": an apposition of another time,
/// or denied.
fn apposed_apart(
    folded: &Folded<'_>,
    view: &SentenceView<'_>,
    object: Span,
    subject: Span,
) -> bool {
    let from = view.lexemes_in(object).end;
    let to = view.lexemes_in(subject).start;
    if !matches!(view.word(from), "," | "(" | "—" | "–") {
        return false;
    }
    let determiner = |i: &usize| folded.cue(*i).is(Cue::DETERMINER);
    let end = (from + 1..to).find(determiner).unwrap_or(to);
    (from + 1..end).any(|i| {
        let word = folded.get(i);
        folded.cue(i).is(Cue::NEGATION) || word == "long" || stance().has("then", word)
    })
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
    /// Whether another conflict is with the same fact and its value is listed right behind.
    fn listed_with(&self, other: &Self) -> bool {
        let (own, next) = (self.object.span(), other.object.span());
        let same = self.id == other.id && self.clash.fact.predicate == other.clash.fact.predicate;
        if !same || own.end > next.start {
            return false;
        }
        let between = self.view.at(Span::new(own.end, next.start));
        between.contains(|c: char| c.is_alphabetic() || c == ',')
            && between.split(|c: char| !c.is_alphabetic()).all(|word| {
                matches!(
                    word,
                    "" | "and" | "or" | "on" | "in" | "at" | "the" | "from"
                )
            })
    }

    /// Where what is wrong stands.
    pub(super) fn place(&self) -> Span {
        self.whole.unwrap_or(self.object.span())
    }

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
        // "length" is how long something takes or how far it reaches.
        let measured = match &self.clash.fact.value {
            Value::Number { unit: Some(of), .. } => {
                unit_named(of).is_some_and(|id| unit(id).dimension != "time")
            }
            _ => false,
        };
        let schedule = !measured
            && SCHEDULES
                .iter()
                .any(|name| names.same(name, &self.clash.fact.predicate));
        let named = self
            .kb
            .name(self.id)
            .is_some_and(|name| name.chars().any(char::is_uppercase));
        let yes_or_no = self.clash.fact.value.as_yes_no().is_some();
        self.denied() || schedule || yes_or_no || !named
    }

    fn denied(&self) -> bool {
        self.claim.polarity == Polarity::Negative
    }
}
