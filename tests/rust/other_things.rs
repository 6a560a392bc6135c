//! What "it", "she" and a question speak of, where another thing than the named one was brought in.

use serde_json::Value as Json;

use crate::qualified::conflicts;
use crate::reading::texts;

fn vectors() -> Json {
    serde_json::from_str(include_str!("../vectors/other_things.json")).expect("vectors")
}

// req: S0-007 S0-062
#[test]
fn a_pronoun_behind_the_named_thing_means_it() {
    let vectors = vectors();
    let mut missed = Vec::new();
    for case in vectors["put_right"].as_array().expect("cases") {
        let (text, wanted) = (case[0].as_str().expect("text"), case[1].as_str());
        let found = conflicts(&vectors["base"], text);
        if !matches!(&found[..], [one] if one.replacement.as_deref() == wanted) {
            missed.push(text.to_owned());
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

// req: S0-007 S0-062 X-12
#[test]
fn a_pronoun_behind_another_thing_does_not() {
    let vectors = vectors();
    let alarms: Vec<&str> = texts(&vectors["silent"])
        .into_iter()
        .filter(|text| !conflicts(&vectors["base"], text).is_empty())
        .collect();
    assert!(alarms.is_empty(), "{alarms:#?}");
}
