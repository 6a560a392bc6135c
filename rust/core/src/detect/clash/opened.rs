//! Hours of a base that has when something opens and when it closes, each by itself.

use crate::detect::object::Object;
use crate::kb::{Fact, Snapshot, Value};
use crate::lexicon::predicates::Predicates;
use crate::segment::{clocks, told_hours};
use crate::types::Polarity;

use super::VALUES;

/// "from 11:30 to 22:00", of a base that has when it opens and when it closes: both together are its
/// hours. Of the one alone a range says no other, nor does a `moment` at which it is open.
pub(super) fn opened_and_closed(
    (kb, id): (&Snapshot, u32),
    names: &Predicates,
    facts: &mut Vec<Fact>,
    object: &Object<'_>,
    moment: bool,
) {
    let time = |fact: &Fact| match &fact.value {
        Value::Text(text) if clocks(text).len() == 1 => Some(text.clone()),
        _ => None,
    };
    if !moment && told_hours(&object.text).len() != 2
        || facts.iter().all(|fact| time(fact).is_none())
    {
        return;
    }
    let closing = kb.few_facts(id, VALUES, &|name| names.same(name, "closing_time"));
    let until = match closing.as_deref() {
        Some([one]) => time(one),
        _ => None,
    };
    match (facts.as_mut_slice(), until) {
        ([fact], Some(until)) => {
            let from = time(fact).unwrap_or_default();
            fact.value = Value::Text(format!("{from}–{until}"));
        }
        _ => facts.retain(|fact| time(fact).is_none()),
    }
}

/// "is open until 22:00", of a base that has when it opens: that is when it closes. "Does not open until
/// eight" tells neither.
pub(super) fn until_closed(
    (kb, id): (&Snapshot, u32),
    names: &Predicates,
    facts: &mut Vec<Fact>,
    polarity: Polarity,
) {
    let one = |fact: &Fact| matches!(&fact.value, Value::Text(text) if clocks(text).len() == 1);
    if !facts.iter().all(one) {
        return;
    }
    let closing = kb.few_facts(id, VALUES, &|name| names.same(name, "closing_time"));
    *facts = closing
        .filter(|_| polarity == Polarity::Positive)
        .unwrap_or_default();
}
