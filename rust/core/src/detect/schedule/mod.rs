//! On which days of the week something is open: what a sentence says of it against the evidence's
//! and the knowledge base's schedules.

mod finding;
mod known;

use crate::claims::{SentenceView, denies_every, unasserted};
use crate::evidence::EvidenceSet;
use crate::kb::Snapshot;
use crate::segment::week::{Days, Form, Statement, Subject, Weeks, weeks};
use crate::types::{Claim, Finding, Mention, Modality, Resolution, SentenceKind, Span, Status};

use super::binding::{Binding, binding};
use super::subject::{claim_entities, subject_entities};
use known::{Known, of_base, of_evidence, told_of};

/// What was found of the schedules in a sentence.
#[derive(Debug, Clone, Default)]
pub struct Scheduled {
    /// What a source has otherwise.
    pub found: Vec<Finding>,
    /// What a source says, or what follows from it.
    held: Vec<Span>,
    /// Whether that is the whole sentence.
    whole: bool,
}

/// How a statement stands to what is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// It says what a source says.
    Held,
    /// It says these days otherwise, or another number of them.
    Against(Days),
    /// Neither.
    Open,
}

impl Scheduled {
    /// Whether sources say what stands at the place.
    #[must_use]
    pub fn holds(&self, span: Span) -> bool {
        self.held.iter().any(|held| held.contains(span))
    }

    /// Whether sources say all of the sentence.
    #[must_use]
    pub fn whole(&self) -> bool {
        self.whole
    }

    /// Whether a doubt or conflict about those words is settled by what was found here.
    #[must_use]
    pub fn settles(&self, finding: &Finding) -> bool {
        let Some(span) = finding.span else {
            return false;
        };
        let told = |own: &Finding| own.span.is_some_and(|own| own.overlaps(span));
        let against = self.found.iter().any(told);
        match finding.kind.as_str() {
            "stream.unsupported_sentence" => self.whole,
            "stream.unsupported_number"
            | "stream.unsupported_span"
            | "stream.altered_detail"
            | "stream.quantity_conflict"
            | "stream.contradicts_evidence"
            | "dialogue.contradicts_fact"
            | "dialogue.wrong_attribute"
            | "dialogue.fabricated_fact" => self.whole || self.holds(span) || against,
            _ => false,
        }
    }

    /// How a claim stands by what was found here; `None` where it is not of a schedule.
    #[must_use]
    pub fn standing(&self, claim: &Claim) -> Option<Option<Status>> {
        let meets = |span: Option<Span>| span.is_some_and(|span| span.overlaps(claim.span));
        if self.found.iter().any(|found| meets(found.span)) {
            return Some(None);
        }
        (self.whole || self.holds(claim.span)).then_some(Some(Status::Supported))
    }
}

/// Findings about schedules (rule `schedule`): `dialogue.contradicts_fact` where the knowledge base
/// has the days otherwise, `stream.contradicts_evidence` where only the evidence has, and what
/// sources say. Nothing is told where sources disagree, nor of a question, a condition, another
/// time, or of anything that is not surely the same.
#[must_use]
pub fn schedules(
    view: &SentenceView<'_>,
    claims: &[Claim],
    kb: Option<&Snapshot>,
    evidence: &EvidenceSet,
) -> Scheduled {
    let mut out = Scheduled::default();
    let Some(first) = claims.first() else {
        return out;
    };
    let told = first.modality == Modality::Asserted && !view.text.contains('?');
    if !told || view.sentence.kind == SentenceKind::Code {
        return out;
    }
    let Weeks::Told(statements) = weeks(view.text) else {
        return out;
    };
    // "is not closed every Monday": on some it is.
    if denies_every(view.text) {
        return out;
    }
    let folded = view.folded();
    let start = view.sentence.span.start;
    let moved = |span: Span| Span::new(span.start + start, span.end + start);
    let mut all = statements.len();
    for statement in &statements {
        let Some(subject) = &statement.subject else {
            continue;
        };
        if unasserted(view, &folded, moved(statement.state)) {
            continue;
        }
        let claim = of_subject(claims, moved(subject.span));
        if claim.is_some_and(|claim| claim.contested || claim.modality != Modality::Asserted) {
            continue;
        }
        let asked = Asked {
            view,
            subject,
            span: moved(subject.span),
            claim,
        };
        let base = kb.and_then(|kb| asked.base(kb));
        let given = asked.evidence(evidence);
        let stand = |known: &Option<Known<'_>>| {
            known
                .as_ref()
                .map_or(Standing::Open, |known| standing(statement, known))
        };
        let (by_base, by_given) = (stand(&base), stand(&given));
        let against = |own: Standing| matches!(own, Standing::Against(_));
        // Sources that disagree leave it open.
        if against(by_base) && by_given == Standing::Held
            || against(by_given) && by_base == Standing::Held
        {
            continue;
        }
        let claim = claim.unwrap_or(first);
        if let (Standing::Against(days), Some(known)) = (by_base, &base) {
            out.found
                .push(finding::of_base(view, claim, statement, known, kb, days));
        } else if let (Standing::Against(days), Some(known)) = (by_given, &given) {
            out.found
                .push(finding::of_evidence(view, claim, statement, known, days));
        } else if by_base == Standing::Held || by_given == Standing::Held {
            out.held.push(moved(statement.span));
            all -= usize::from(statement.ended || statements.len() > 1);
        }
    }
    let ended = statements.last().is_some_and(|last| last.ended);
    out.whole = all == 0 && ended;
    out
}

/// The claim of that subject.
fn of_subject(claims: &[Claim], subject: Span) -> Option<&Claim> {
    let own = |claim: &&Claim| {
        claim
            .subject_span
            .is_some_and(|span| span.overlaps(subject))
    };
    claims.iter().find(own)
}

/// Of whom a statement is asked.
struct Asked<'a> {
    view: &'a SentenceView<'a>,
    subject: &'a Subject,
    span: Span,
    claim: Option<&'a Claim>,
}

impl Asked<'_> {
    fn base<'k>(&self, kb: &Snapshot) -> Option<Known<'k>> {
        let mut ids = match self.claim {
            Some(claim) => claim_entities(self.view, claim, kb),
            None => subject_entities(self.view, self.span, kb),
        };
        if let Some(claim) = self.claim
            && !ids.is_empty()
            && binding(self.view, claim, kb, &ids) == Binding::Weak
        {
            return None;
        }
        // "The Harbour Museum in Bergen": what stands behind the name is looked up below.
        if ids.is_empty() && !self.subject.behind.is_empty() {
            let own = |mention: &&Mention| mention.span.overlaps(self.span);
            let mentions = self.view.mentions.iter().filter(own);
            let known = mentions.filter_map(|mention| match &mention.resolution {
                Resolution::Known(ids) => Some(ids),
                _ => None,
            });
            ids = known.flatten().copied().collect();
            ids.retain(|id| {
                let named = |name: &str| self.subject.is_of(&Subject::of_name(name), &|_| true);
                kb.names_of(*id).into_iter().any(named)
            });
        }
        let [id] = ids.as_slice() else {
            return None;
        };
        let around = |stem: &str| told_of(kb, *id, stem);
        let kind = Subject::of_name(kb.kind(*id).unwrap_or(""));
        let named = |name: &str| {
            let mut name = Subject::of_name(name);
            let own = self.subject.is_of(&name, &around);
            // "the museum", of the kind rather than the name.
            name.words.extend(kind.words.iter().cloned());
            own || self.subject.is_of(&name, &around)
        };
        let spoken = self.subject.pronoun.is_some();
        (spoken || kb.names_of(*id).into_iter().any(named))
            .then(|| of_base(self.view, kb, *id))
            .flatten()
    }

    fn evidence<'e>(&self, evidence: &'e EvidenceSet) -> Option<Known<'e>> {
        if evidence.is_empty() {
            return None;
        }
        let referent = self.claim.and_then(|claim| claim.referent.as_ref());
        let meant = referent.map(|referent| Subject::of_name(&referent.name));
        let spoken = self.subject.pronoun.as_deref();
        if meant.is_none() && spoken.is_some() && !self.alone(evidence) {
            return None;
        }
        // Whose "we" it is only a source that says "we" tells.
        let ours = spoken == Some("we");
        let is_of = |source: &Subject, passage: &crate::evidence::Passage| {
            if let Some(own) = source.pronoun.as_deref() {
                return spoken == Some(own);
            }
            let around = |stem: &str| {
                let text = passage.text();
                let words = text.split(|c: char| !c.is_alphanumeric());
                words
                    .map(crate::normal::fold_name)
                    .any(|word| crate::normal::stem(&word) == stem)
            };
            if ours {
                return false;
            }
            let named = spoken.is_some() || self.subject.is_of(source, &around);
            named
                && meant
                    .as_ref()
                    .is_none_or(|meant| meant.is_of(source, &around))
        };
        of_evidence(evidence, &is_of)
    }

    /// Whether a pronoun that stands for nothing said before can mean one thing only: it opens the
    /// answer, and the evidence tells schedules of one thing.
    fn alone(&self, evidence: &EvidenceSet) -> bool {
        let passages = evidence.passages().iter();
        let told = passages.flat_map(|passage| &passage.data().schedules().told);
        let mut subjects = told.map(|told| told.statement.subject.as_ref());
        let first = subjects.next();
        self.view.sentence.index == 0 && first.is_some() && subjects.all(|own| Some(own) == first)
    }
}

/// How a statement stands to what is known.
fn standing(said: &Statement, known: &Known<'_>) -> Standing {
    let week = &said.week;
    let mut wrong = week.open.and(known.closed).or(week.closed.and(known.open));
    let timed = week.parts.iter().any(|part| !part.clocks.is_empty());
    // "open Monday to Thursday" leaves out Friday; "open Monday to Thursday from 9 to 5" may not.
    let ranged =
        week.phrases.iter().any(|p| p.form == Form::Range && p.open) && said.ended && !timed;
    let rest = Days::ALL.without(week.open).without(week.closed);
    let whole = known.whole() && (week.only || ranged && week.complete);
    if whole {
        wrong = wrong.or(rest.and(known.open));
    }
    if !wrong.is_empty() {
        return Standing::Against(wrong);
    }
    let open = known.days_open();
    if let (Some((said, _)), Some(open)) = (week.count, open)
        && said != open
    {
        return Standing::Against(Days::NONE);
    }
    let more = known.count.is_some_and(|count| week.open.len() > count);
    if more {
        return Standing::Against(Days::NONE);
    }
    let days = known.open.holds(week.open) && known.closed.holds(week.closed);
    let counted = week.count.is_none_or(|(count, _)| open == Some(count));
    let complete = !week.only || known.whole() && known.open == week.open;
    let clocked = week
        .parts
        .iter()
        .all(|part| part.clocks.is_empty() || hours_told(part, known, week.open));
    if days && counted && complete && clocked {
        Standing::Held
    } else {
        Standing::Open
    }
}

/// Whether the sources tell the part's times of each of its days.
fn hours_told(part: &crate::segment::week::Part, known: &Known<'_>, open: Days) -> bool {
    let days = if part.days == Days::ALL && !open.is_empty() {
        open
    } else {
        part.days
    };
    days.iter().all(|day| {
        let own = known
            .parts
            .iter()
            .filter(|own| own.days.holds(Days::of(day)));
        let told: Vec<_> = own.flat_map(|own| &own.clocks).collect();
        (part.clocks.iter()).all(|said| {
            told.iter().any(|own| {
                let (early, late) = if own.half { (said, *own) } else { (*own, said) };
                early.near(late.minutes, 0)
            })
        })
    })
}
