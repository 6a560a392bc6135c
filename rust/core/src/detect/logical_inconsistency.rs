//! What contradicts itself within one answer: `dialogue.logical_inconsistency` (S0-055..061).

use std::collections::VecDeque;
use std::sync::Arc;

use crate::claims::{Frequency, Proposition, Quantifier, SentenceView, Tense, Value, denies_part};
use crate::lexicon::logic::{Kinds, logic, opposite};
use crate::normal::stem;
use crate::types::{Claim, Finding, Message, Span, clip_text};

use beside::{compared, never_but_once, once, one_of_all};

use super::draft::{because, draft, note_contradiction};
use super::impossible::impossible_properties;
use super::temporal_error::TimeView;

/// S0-056.
const P_NEGATION: f64 = 0.95;
/// S0-057.
const P_OBJECTS: f64 = 0.85;
/// S0-058.
const P_KINDS: f64 = 0.80;
/// S0-060.
const P_QUANTIFIERS: f64 = 0.85;
/// "All were shipped, except for the 3 that weren't" says nothing false, only less than "all":
/// the taxonomy counts it (S0-013), and the number is set so that it stays a remark.
const P_EXCEPTION: f64 = 0.60;
/// Propositions kept of a stream.
const KEPT: usize = 48;
/// Bytes of a statement that are kept.
const SURFACE: usize = 120;

/// A statement as later ones are compared with it.
#[derive(Debug, Clone, PartialEq)]
struct Said {
    /// Key of its subject, or of what its quantifier counts.
    key: u64,
    statement: Proposition,
    surface: Box<str>,
}

impl Eq for Said {}

/// Propositions of a stream, the latest last; cheap to copy.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Propositions {
    said: VecDeque<(u64, Arc<Said>)>,
}

impl Propositions {
    /// Bytes on the heap.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        let one = |(_, said): &(u64, Arc<Said>)| {
            let s = &said.statement;
            size_of::<Said>()
                + said.surface.len()
                + s.subject.capacity()
                + s.predicate.capacity()
                + s.object.capacity()
                + s.scope.capacity()
                + s.category.as_ref().map_or(0, String::capacity)
                + s.comparison.as_ref().map_or(0, |pair| {
                    size_of::<(String, String)>() + pair.0.capacity() + pair.1.capacity()
                })
        };
        self.said.capacity() * size_of::<(u64, Arc<Said>)>()
            + self.said.iter().map(one).sum::<usize>()
    }

    /// A statement of another subject that contradicts this one, and by what.
    fn beside(&self, statement: &Proposition) -> Option<(&Arc<Said>, Clash)> {
        let latest = self.said.iter().rev();
        if let Some((_, last)) = self.said.back()
            && let Some(clash) = once(&last.statement, statement)
        {
            // Only what was spoken of right before is surely what "it" means.
            return Some((last, clash));
        }
        latest
            .filter_map(|(_, other)| {
                let (a, b) = (&other.statement, statement);
                let clash = one_of_all(a, b).or_else(|| one_of_all(b, a));
                Some((other, clash.or_else(|| compared(a, b))?))
            })
            .next()
    }

    /// Keeps a statement, unless the same was said before.
    fn note(&mut self, said: Said) {
        let same = |(key, other): &(u64, Arc<Said>)| {
            *key == said.key && other.surface == said.surface && {
                let (a, b) = (&other.statement, &said.statement);
                a.predicate == b.predicate
                    && a.object_key == b.object_key
                    && a.negative == b.negative
                    && a.quantifier == b.quantifier
                    && a.scope == b.scope
                    && a.tense == b.tense
            }
        };
        if self.said.iter().any(same) {
            return;
        }
        if self.said.len() == KEPT {
            self.said.pop_front();
        }
        self.said.push_back((said.key, Arc::new(said)));
    }
}

/// What two statements are wrong by.
struct Clash {
    rule: &'static str,
    p: f64,
    /// S0-055's evidence; none for quantifiers (S0-060).
    explains: Option<String>,
}

impl Clash {
    fn negation() -> Self {
        Self {
            rule: "direct_negation",
            p: P_NEGATION,
            explains: Some("Direct logical negation".to_owned()),
        }
    }
}

/// `dialogue.logical_inconsistency`: statements of the sentence that contradict each other or an
/// earlier one, and properties nothing can have. A statement has at most one finding.
///
/// Only statements said outright are compared, those of one subject (S0-058 ignores it, X-16),
/// one tense and one set of circumstances: what changed, is elsewhere, conditional, reported or
/// an alternative contradicts nothing. A pair stands in text order (S0-060's loop turns some
/// around), and its quantifiers count the same noun under the same circumstances.
#[must_use]
pub fn logical_inconsistencies(
    times: &TimeView<'_>,
    statements: &[Proposition],
    claim: &Claim,
    said: &mut Propositions,
) -> Vec<Finding> {
    let view = times.view;
    let mut found = impossible_properties(times, claim);
    found.extend(exception(times, statements, claim));
    let kinds = times.folded.lexicon().kinds();
    for statement in statements.iter().filter(|s| s.plain) {
        let subject = times.subjects.get(statement.clause).copied().flatten();
        let key = match statement.quantifier {
            Some(_) => Some(statement.noun),
            None => subject.filter(|_| statement.definite),
        };
        let Some(key) = key else { continue };
        let surface = surface(view, statement.span);
        let clash = said
            .said
            .iter()
            .rev()
            .filter(|(other, _)| *other == key)
            .find_map(|(_, other)| {
                let found = clash(&other.statement, statement, kinds);
                let (first, last): (&str, &str) = (&other.surface, &surface);
                let denied = other.statement.negative != statement.negative;
                if found.is_some()
                    && denied
                    && (denies_part(first, last) || denies_part(last, first))
                {
                    return None;
                }
                let denied = || {
                    let (a, b) = (&other.statement, statement);
                    never_but_once(a, b, &other.surface) || never_but_once(b, a, &surface)
                };
                Some((other, found.or_else(|| denied().then(Clash::negation))?))
            })
            .or_else(|| said.beside(statement));
        if let Some((other, clash)) = clash {
            found.push(pair(view, claim, other, statement, &surface, clash));
        }
        said.note(Said {
            key,
            statement: statement.clone(),
            surface,
        });
    }
    found
}

fn surface(view: &SentenceView<'_>, span: Span) -> Box<str> {
    let text = view.at(span);
    let mut end = text.len().min(SURFACE);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].into()
}

fn pair(
    view: &SentenceView<'_>,
    claim: &Claim,
    earlier: &Said,
    later: &Proposition,
    surface: &str,
    clash: Clash,
) -> Finding {
    let quantified = clash.explains.is_none();
    let says = if quantified {
        "Universal and existential claims conflict"
    } else {
        "These statements contradict each other"
    };
    let content = if quantified {
        format!("{} vs {surface}", earlier.surface)
    } else {
        format!("'{}' vs '{surface}'", earlier.surface)
    };
    let mut finding = base(view, claim, clash.rule, later.span, clash.p);
    // The pair lies in one sentence, or the later one alone can still be put right.
    if earlier.statement.span.start >= view.sentence.span.start {
        finding.span = Some(Span::new(
            earlier.statement.span.start,
            later.span.end.max(earlier.statement.span.end),
        ));
    }
    finding.spans = vec![earlier.statement.span, later.span];
    finding.content = clip_text(&content).to_owned();
    finding.message = Message::new(says);
    finding.suggestion = Some(says.to_owned());
    finding
        .extra
        .insert("earlier".into(), earlier.surface.to_string().into());
    if let Some(explains) = clash.explains {
        finding.evidence.push(because(explains));
    }
    finding
}

/// A finding of this type at a place of the sentence.
pub(super) fn base(
    view: &SentenceView<'_>,
    claim: &Claim,
    rule: &str,
    span: Span,
    p: f64,
) -> Finding {
    let text = view.at(span);
    let mut finding = draft(
        "dialogue.logical_inconsistency",
        rule,
        Some(span),
        text,
        view.sentence.decided_at,
    );
    note_contradiction(&mut finding, claim, p);
    finding
}

/// "…, except for the 3 that weren't": an exception that only says that it is one.
fn exception(times: &TimeView<'_>, statements: &[Proposition], claim: &Claim) -> Option<Finding> {
    let view = times.view;
    let all = statements
        .iter()
        .find(|s| matches!(s.quantifier, Some(Quantifier::All | Quantifier::No)))?;
    let word = |i: usize| times.folded.get(i);
    let at = (0..view.lexemes.len()).find(|i| {
        logic().has("except", word(*i)) || (word(*i) == "apart" && word(*i + 1) == "from")
    })?;
    let last = times.clauses.last().filter(|c| c.group.start > at)?;
    let mark = |i: usize| !view.word(i).chars().any(char::is_alphanumeric);
    let bare = last.verb.is_none() && last.rest.clone().all(mark);
    let denies = all.quantifier == Some(Quantifier::All);
    if !bare || (last.negative != denies) || all.negative {
        return None;
    }
    let end = view.lexemes[last.group.end.saturating_sub(1)].span.end;
    let start = all.span.start;
    let stated = Span::new(start, view.lexemes[at].span.start.max(start));
    let whole = surface(view, stated);
    let first = whole.trim_end_matches([',', ' ', '(', '—', '–']);
    let rest = view.at(Span::new(view.lexemes[at].span.start, end));
    let span = Span::new(all.span.start, end);
    let mut finding = base(view, claim, "empty_exception", span, P_EXCEPTION);
    finding.content = clip_text(&format!("'{first}' vs '{rest}'")).to_owned();
    let says = "These statements contradict each other";
    finding.message = Message::new(says);
    finding.suggestion = Some(says.to_owned());
    let why = because("The exception denies what is said of all");
    finding.evidence.push(why);
    Some(finding)
}

/// What two statements of one subject are wrong by.
fn clash(a: &Proposition, b: &Proposition, kinds: &Kinds) -> Option<Clash> {
    if a.scope != b.scope || a.tense != b.tense || a.tense == Tense::Unknown {
        return None;
    }
    if let (Some(one), Some(other)) = (a.quantifier, b.quantifier) {
        let same = alike(a, b) && a.object_key == b.object_key;
        return (same && quantifiers(one, a.negative, other, b.negative)).then_some(Clash {
            rule: "quantifier_conflict",
            p: P_QUANTIFIERS,
            explains: None,
        });
    }
    if a.quantifier.is_some() || b.quantifier.is_some() {
        return None;
    }
    let same = alike(a, b);
    let often = |s: &Proposition| s.frequency.is_some_and(|f| f != Frequency::Never);
    if often(a) || often(b) {
        let clash = same && a.object_key == b.object_key && frequencies(a, b);
        return clash.then(Clash::negation);
    }
    // "It is and it isn't" says nothing.
    let empty = a.object.is_empty() && matches!(a.predicate.as_str(), "be" | "have");
    let denied = same && !empty && a.object_key == b.object_key && a.negative != b.negative;
    if denied && a.state && b.state {
        return Some(Clash::negation());
    }
    if a.negative || b.negative {
        return None;
    }
    if same && incompatible(a, b) {
        return Some(Clash {
            rule: "incompatible_objects",
            p: P_OBJECTS,
            explains: Some(format!(
                "{} cannot be both {} and {}",
                a.subject, a.object, b.object
            )),
        });
    }
    let (one, other) = (a.category.as_deref()?, b.category.as_deref()?);
    kinds.exclude(one, other).then(|| Clash {
        rule: "exclusive_categories",
        p: P_KINDS,
        explains: Some(format!(
            "{one} and {other} are mutually exclusive categories"
        )),
    })
}

/// How often two statements of one thing say that something is so.
fn frequencies(a: &Proposition, b: &Proposition) -> bool {
    use Frequency::{Always, Never, Sometimes};
    // "never" denies its clause already.
    let at = |statement: &Proposition| match statement.frequency {
        Some(Never) => Some((Never, false)),
        Some(other) => Some((other, statement.negative)),
        None => None,
    };
    let (Some(one), Some(other)) = (at(a), at(b)) else {
        return false;
    };
    let excludes = |x, y| {
        matches!(
            (x, y),
            ((Never, false), (Sometimes | Always, false)) | ((Always, false), (Sometimes, true))
        )
    };
    excludes(one, other) || excludes(other, one)
}

/// Whether both say the same verb.
fn alike(a: &Proposition, b: &Proposition) -> bool {
    a.predicate == b.predicate || stem(&a.predicate) == stem(&b.predicate)
}

/// Values of one type that differ, or states that shut each other out. Everything else is
/// compatible: most predicates take several objects.
fn incompatible(a: &Proposition, b: &Proposition) -> bool {
    match (a.value, b.value) {
        (
            Some(Value::Number { value, unit, of }),
            Some(Value::Number {
                value: other,
                unit: unit_b,
                of: of_b,
            }),
        ) => {
            let apart = (value - other).abs() > 0.005 * value.abs().max(other.abs());
            return unit == unit_b && of == of_b && apart;
        }
        (Some(Value::Weekday(one)), Some(Value::Weekday(other))) => return one != other,
        (Some(Value::Name(one)), Some(Value::Name(other))) => return one != other,
        _ => {}
    }
    a.predicate == "be" && opposite(&a.object.to_lowercase(), &b.object.to_lowercase())
}

/// Whether what is said of so many contradicts what is said of so many others (S0-060).
fn quantifiers(a: Quantifier, a_negative: bool, b: Quantifier, b_negative: bool) -> bool {
    use Quantifier::{All, Exactly, Most, No, NotAll, Number, Some};
    let level = |quantifier, negative| match (quantifier, negative) {
        (All, false) | (No, true) => Share::All,
        (No, false) | (All, true) => Share::None,
        (Some, false) => Share::Some,
        (Some, true) | (NotAll, false) => Share::NotAll,
        (Most, false) => Share::Most,
        (Most, true) => Share::Few,
        (NotAll, true) => Share::Some,
        (Exactly(count), false) => Share::Count(count),
        (Exactly(_), true) => Share::Open,
        (Number(_), false) => Share::Some,
        (Number(_), true) => Share::NotAll,
    };
    let (one, other) = (level(a, a_negative), level(b, b_negative));
    one.excludes(other) || other.excludes(one)
}

/// How many of a noun something holds for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Share {
    All,
    Most,
    Some,
    NotAll,
    Few,
    None,
    Count(u32),
    Open,
}

impl Share {
    fn excludes(self, other: Self) -> bool {
        match self {
            Self::All => matches!(other, Self::None | Self::NotAll | Self::Few),
            Self::None => match other {
                Self::Some | Self::Most => true,
                Self::Count(count) => count > 0,
                _ => false,
            },
            Self::Most => other == Self::Few,
            Self::Count(one) => matches!(other, Self::Count(count) if count != one),
            _ => false,
        }
    }
}

mod beside;
