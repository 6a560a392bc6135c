//! Plain sentences against a base that has the obvious attribute.

use serde_json::Value as Json;

use crate::qualified::conflicts;
use crate::reading::texts;

fn vectors() -> Json {
    serde_json::from_str(include_str!("../vectors/plain_facts.json")).expect("vectors")
}

// req: S0-007 S0-062
#[test]
fn a_plain_sentence_is_held_against_the_attribute_it_speaks_of() {
    let mut missed = Vec::new();
    for case in vectors()["put_right"].as_array().expect("cases") {
        let (text, wanted) = (case[0].as_str().expect("text"), case[1].as_str());
        let found = conflicts(&vectors()["base"], text);
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
        if let Some(one) = conflicts(&vectors()["base"], text).first() {
            alarms.push(format!("{text}: {} {:?}", one.text, one.replacement));
        }
    }
    assert!(alarms.is_empty(), "{alarms:#?}");
}
