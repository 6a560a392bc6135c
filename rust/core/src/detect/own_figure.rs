//! What the user said of himself: "I have 12 guests" is at odds with no rule for "up to 10 guests".

use crate::claims::{Folded, SentenceView, clauses};
use crate::dialogue::{Dialogue, Role};
use crate::evidence::EvidenceSet;
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::frames;
use crate::types::{Quantity, Span};

/// Words between "your" and a number of the user's ("your total budget of £200").
const BETWEEN: usize = 4;

/// Whether the number at `span` is one that the user told of himself, told to him: the question or a turn
/// of his has it, and its clause is about him or what is his. What he may do is a rule's.
#[must_use]
pub fn of_the_user(
    view: &SentenceView<'_>,
    span: Span,
    question: Option<&EvidenceSet>,
    dialogue: Option<&Dialogue>,
) -> bool {
    let Some(said) = view.quantities.iter().find(|q| q.span.overlaps(span)) else {
        return false;
    };
    if !told_by_user(said, question, dialogue) {
        return false;
    }
    let folded = view.folded();
    let at = view.lexemes_in(said.span).start;
    let limited = at.checked_sub(1).is_some_and(|i| {
        let pair = i
            .checked_sub(1)
            .map(|j| format!("{} {}", folded.get(j), folded.get(i)));
        let bound = |text: &str| {
            ["side_size_a", "side_size_b"]
                .iter()
                .any(|class| frames().has(class, text))
        };
        bound(folded.get(i)) || pair.is_some_and(|pair| bound(&pair))
    });
    if limited {
        return false;
    }
    let clause = clauses(view)
        .into_iter()
        .find(|clause| clause.range.contains(&at));
    let (rule, subject) = clause.as_ref().map_or((false, 0..0), |clause| {
        let mut group = clause.group.clone();
        let rule = group.any(|i| frames().has("allows", folded.get(i)));
        (rule, clause.subject.clone())
    });
    let told = subject.clone().any(|i| is_user(&folded, i)) && !rule;
    told || possessed(&folded, view, at)
}

/// Whether "your" or "my" stands before the number, in its noun phrase.
fn possessed(folded: &Folded<'_>, view: &SentenceView<'_>, at: usize) -> bool {
    (at.saturating_sub(BETWEEN)..at)
        .rev()
        .take_while(|i| {
            let verbal = Cue::COPULA.or(Cue::AUXILIARY).or(Cue::CONJUNCTION);
            !view.is_mark(*i) && !folded.cue(*i).is(verbal)
        })
        .any(|i| matches!(folded.get(i), "your" | "my" | "our"))
}

fn is_user(folded: &Folded<'_>, i: usize) -> bool {
    matches!(folded.get(i), "you" | "your" | "i" | "my" | "we" | "our")
}

fn told_by_user(
    said: &Quantity,
    question: Option<&EvidenceSet>,
    dialogue: Option<&Dialogue>,
) -> bool {
    let asked = question.is_some_and(|set| set.has_quantity(said));
    let mut turns = dialogue.into_iter().flat_map(Dialogue::turns);
    asked
        || turns.any(|turn| {
            let same = |own: &Quantity| {
                let unit = own.unit == said.unit || own.unit.is_none() || said.unit.is_none();
                unit && (own.value - said.value).abs() <= 1e-9 * said.value.abs()
            };
            let mut all = turn.passage.data().quantities.iter();
            turn.role == Role::User && all.any(|own| same(&own.quantity))
        })
}
