//! Whether a sentence has the right value besides the one at fault: "I thought it was 1991, but it was 1987",
//! "made by Foxconn for Kestrel". What its writer sets right himself is corrected by nobody.

use crate::claims::{Folded, SentenceView};
use crate::kb::{Agreement, Fact, Snapshot, Value};
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::stance;
use crate::normal::fold_name;
use crate::types::{LexKind, Span};

use crate::detect::clash::agrees;
use crate::detect::object::Object;

/// Words behind the value among which "for" stands.
const NEAR: usize = 3;
/// Words behind "although" among which others say it.
const OTHERS: usize = 5;

/// Whether the fact's own value stands behind what is said at `place`, set against it or as whom it is
/// done for.
pub(super) fn set_right(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    place: Span,
    (kb, fact): (&Snapshot, &Fact),
) -> bool {
    let len = view.lexemes.len();
    let behind = view.lexemes_in(place).end;
    let against = (behind..len).find(|i| {
        // "rather than 1987": what it is not.
        let also = matches!(folded.get(*i), "while" | "really") || folded.get(*i + 1) == "than";
        !also && stance().has("setting_right", folded.get(*i)) && !others_say(folded, *i)
    });
    let holds = |from: usize| {
        let span = Span::new(
            view.lexemes[from].span.start,
            view.lexemes[len - 1].span.end,
        );
        says(view, span, (kb, fact))
    };
    if against.is_some_and(holds) {
        return true;
    }
    let wordy = matches!(
        fact.value,
        Value::Text(_) | Value::Entity(_) | Value::Enum(_)
    );
    let whose = (behind..len.min(behind + NEAR))
        .take_while(|i| view.kind(*i) == Some(LexKind::Word))
        .find(|i| matches!(folded.get(*i), "for" | "behalf" | "license" | "licence"));
    wordy && whose.is_some_and(|i| i + 1 < len && holds(i + 1))
}

/// "although many say 1987": what others say sets nothing right.
fn others_say(folded: &Folded<'_>, i: usize) -> bool {
    let say = |j: usize| {
        let verb = folded.known(j).verb.unwrap_or(folded.get(j));
        stance().has("telling", verb)
    };
    stance().has("concession", folded.get(i)) && (i + 1..folded.len().min(i + OTHERS)).any(say)
}

/// Whether the fact's own value stands beside what is said at `place` as what it is not: "in 1992, not in
/// 1987", "1987 is wrong: it was 1992". In the place of the other it would be said and denied.
pub(super) fn denied_beside(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    place: Span,
    own: (&Snapshot, &Fact),
) -> bool {
    let whole = view.sentence.span;
    let denies = |i: usize| {
        folded.cue(i).is(Cue::NEGATION)
            || matches!(folded.get(i), "rather" | "instead")
            || stance().has("doubtful", folded.get(i))
            || stance().has("concession", folded.get(i))
    };
    (0..folded.len()).any(denies)
        && (says(view, Span::new(whole.start, place.start), own)
            || says(view, Span::new(place.end, whole.end), own))
}

/// Whether the value is said in the stretch.
fn says(view: &SentenceView<'_>, stretch: Span, (kb, fact): (&Snapshot, &Fact)) -> bool {
    let names = view.attributes.predicates();
    let same = |span: Span| {
        stretch.contains(span)
            && agrees(kb, names, fact, &Object::new(view, span)) == Agreement::Same
    };
    let text = || {
        let (Value::Text(own) | Value::Entity(own) | Value::Enum(own)) = &fact.value else {
            return false;
        };
        let said = format!(" {} ", fold_name(view.at(stretch)));
        let held = |own: &str| said.contains(&format!(" {} ", fold_name(own)));
        let of_it = kb.resolve(own);
        held(own)
            || of_it
                .iter()
                .any(|id| kb.names_of(*id).iter().any(|name| held(name)))
    };
    view.quantities.iter().any(|q| same(q.span))
        || view.dates.iter().any(|date| same(date.span))
        || text()
}
