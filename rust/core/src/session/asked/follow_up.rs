//! A question of a name alone ("And Velden?", "What about Sarah?"), which asks what was asked before of
//! something else.

use crate::claims::{Attributes, Reader};
use crate::dialogue::{Known, Role, spoken_of};
use crate::kb::Snapshot;
use crate::lexicon::tables::circumstance;

use super::{NAME, Things, sentences, words};

/// The user's turns that are looked at, the latest first.
const TURNS: usize = 4;

/// The earlier question in full, with the name of what is asked about now.
pub(in crate::session) fn asked_again(
    question: &str,
    thing: u32,
    turns: &[(String, String)],
    known: Known<'_>,
    kb: &Snapshot,
) -> Option<String> {
    let name = kb.name(thing)?;
    if !is_name_alone(question, thing, kb, known.attributes) {
        return None;
    }
    let own = turns.iter().rev();
    let own = own.filter(|(role, _)| Role::parse(role).is_none_or(|role| role == Role::User));
    for (_, text) in own.take(TURNS) {
        let named = spoken_of(text, known, &mut Reader::default()).named;
        let [before] = named[..] else {
            return None;
        };
        if is_name_alone(text, before, kb, known.attributes) {
            continue;
        }
        let ids = [before];
        let things = Things::of(&ids, kb, known.attributes);
        let mut asks = sentences(text).filter(|part| part.ends_with('?'));
        let marked = things.marked(asks.next()?);
        let one = asks.next().is_none() && marked.contains(NAME);
        return one.then(|| marked.replace(NAME, name));
    }
    None
}

/// Whether a question has no more than a name and how one goes on to it.
fn is_name_alone(question: &str, thing: u32, kb: &Snapshot, attributes: &Attributes) -> bool {
    let ids = [thing];
    let things = Things::of(&ids, kb, attributes);
    let marked = things.marked(question);
    let parts: Vec<&str> = marked.split(NAME).collect();
    let [before, behind] = parts[..] else {
        return false;
    };
    let light = |word: &str| circumstance().has("goes_on", word);
    words(before).chain(words(behind)).all(light)
}
