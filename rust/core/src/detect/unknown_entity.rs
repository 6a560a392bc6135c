//! A name that nothing knows, at the word that completes it.

use serde_json::json;

use crate::lexicon::tables::frames;
use crate::normal::fold_name;
use crate::types::{Finding, Mention, MentionKind, Message, Resolution};

use super::draft::draft;
use super::grounds::Grounds;
use super::known_parts::known_in_parts;

/// A name with an edit or two from a known one is more often a slip than a stranger. This and the
/// two below are set by hand by the tier they should lead to; labelled cases are few, and none is
/// calibrated.
const P_NEAR_MISS: f64 = 0.75;
/// Evidence or a closed base should have named it.
const P_MISSING: f64 = 0.65;
/// An open base alone knows few of the world's names; and of a name that everybody knows there is no doubt
/// but of what it has to do with the sources.
const P_OPEN: f64 = 0.45;

/// Letters of a word by which nobody is known.
const SHORT: usize = 3;

/// Most names that a message offers.
const SHOWN: usize = 3;

/// `stream.unknown_entity`: a proper name that evidence, question, dialogue and knowledge base
/// all lack. A near miss carries its candidates, and a replacement where the only candidate is
/// one edit away. A name is known too where its parts are ("Nordvik's CEO"), and a person under another
/// form of the given names. Nothing is said where neither evidence nor a knowledge base was given.
#[must_use]
pub fn unknown_entity(mention: &Mention, text: &str, grounds: &Grounds<'_>) -> Option<Finding> {
    let famous = matches!(mention.resolution, Resolution::Common)
        && frames().has("everybody_knows", &fold_name(text));
    let candidates = match &mention.resolution {
        Resolution::Common if famous => &[],
        Resolution::Known(_) | Resolution::Common => return None,
        Resolution::NearMiss(candidates) => candidates.as_slice(),
        Resolution::Unknown => &[],
    };
    let based = grounds.kb.is_some_and(|kb| !kb.is_empty());
    if mention.kind != MentionKind::ProperName
        || !(based || grounds.has_evidence())
        || grounds.knows_name(text)
        || known_in_parts(text, grounds)
        || frames().has("remark", &fold_name(text))
    {
        return None;
    }
    let absence = grounds.absence(None);
    let expected = absence.closed || absence.evidence;
    // An open base has no reason to know who is known everywhere.
    let partly = || (text.split(' ')).any(|word| word.len() > SHORT && grounds.knows_name(word));
    if famous && (!expected || partly()) {
        return None;
    }
    let mut finding = draft(
        "stream.unknown_entity",
        "unknown_entity",
        Some(mention.span),
        text,
        mention.decided_at,
    );
    finding.p_hallucinated = if !candidates.is_empty() {
        P_NEAR_MISS
    } else if expected && !famous {
        P_MISSING
    } else {
        P_OPEN
    };
    absence.note(&mut finding);
    finding.message = Message::new("No source given here knows '{name}'").sensitive("name", text);
    finding.detected = json!(text);
    let names: Vec<(&str, u8)> = candidates
        .iter()
        .filter_map(|(id, distance)| Some((grounds.kb?.name(*id)?, *distance)))
        .collect();
    if let Some((nearest, distance)) = names.first() {
        finding.suggestion = Some(format!("Did you mean '{nearest}'?"));
        finding.message = or_meant(finding.message, &names);
        finding.expected = json!(names.iter().map(|(name, _)| *name).collect::<Vec<_>>());
        // "X2" is another model than "X1", and no slip of the pen.
        let numbered = digits(text).ne(digits(nearest));
        if *distance == 1 && candidates.len() == 1 && !numbered {
            finding.replacement = Some((*nearest).to_owned());
        }
    }
    Some(finding)
}

fn digits(name: &str) -> impl Iterator<Item = char> + '_ {
    name.chars().filter(char::is_ascii_digit)
}

/// The message with the nearest names that may be meant.
fn or_meant(message: Message, names: &[(&str, u8)]) -> Message {
    let mut near: Vec<&str> = Vec::new();
    for (name, _) in names {
        if near.len() < SHOWN && !near.contains(name) {
            near.push(name);
        }
    }
    let slots: Vec<String> = (1..=near.len()).map(|n| format!("'{{near{n}}}'")).collect();
    let said = match slots.as_slice() {
        [rest @ .., last] if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => slots.concat(),
    };
    let mut message = Message {
        template: format!("{}; did you mean {said}?", message.template),
        ..message
    };
    for (n, name) in near.into_iter().enumerate() {
        message = message.sensitive(&format!("near{}", n + 1), name);
    }
    message
}
