//! Plain sentences against a base that has the obvious attribute.

use groundwire_core::types::Finding;
use serde_json::Value as Json;

use crate::qualified::{FACTS, findings, over};
use crate::reading::texts;

fn vectors() -> Json {
    serde_json::from_str(include_str!("../vectors/plain_facts.json")).expect("vectors")
}

/// The conflicts with the base, the same by whole text and by byte.
fn conflicts(text: &str) -> Vec<Finding> {
    let vectors = vectors();
    let monitor = over(vectors["base"].as_array().expect("records"));
    let whole = findings(&monitor, &[], text, text.len());
    assert_eq!(whole, findings(&monitor, &[], text, 1), "{text}");
    let mut found = whole;
    found.retain(|finding| FACTS.contains(&finding.kind.as_str()));
    found
}

// req: S0-007 S0-062
#[test]
fn a_plain_sentence_is_held_against_the_attribute_it_speaks_of() {
    let mut missed = Vec::new();
    for case in vectors()["put_right"].as_array().expect("cases") {
        let (text, wanted) = (case[0].as_str().expect("text"), case[1].as_str());
        let found = conflicts(text);
        if !matches!(&found[..], [one] if one.replacement.as_deref() == wanted) {
            let told = found.first().map(|one| one.replacement.clone());
            missed.push(format!("{text}: {told:?}"));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

// req: S0-007 S0-062
#[test]
fn what_is_of_a_part_or_another_time_contradicts_no_attribute() {
    let mut alarms = Vec::new();
    for text in texts(&vectors()["silent"]) {
        if let Some(one) = conflicts(text).first() {
            alarms.push(format!("{text}: {} {:?}", one.text, one.replacement));
        }
    }
    assert!(alarms.is_empty(), "{alarms:#?}");
}
