//! What "it", "she" and a question speak of, where another thing than the named one was brought in.

use serde_json::Value as Json;

use crate::qualified::conflicts;
use crate::reading::texts;

fn vectors() -> [Json; 9] {
    let other = include_str!("../vectors/other_things.json");
    let alike = include_str!("../vectors/another_of_kind.json");
    let own = include_str!("../vectors/own_attributes.json");
    let columns = include_str!("../vectors/column_names.json");
    let whose = include_str!("../vectors/whose_attribute.json");
    let frames = include_str!("../vectors/value_frames.json");
    let typed = include_str!("../vectors/typed_values.json");
    let labels = include_str!("../vectors/labels_and_lists.json");
    let replies = include_str!("../vectors/replies.json");
    [
        other, alike, own, columns, whose, frames, typed, labels, replies,
    ]
    .map(|text| serde_json::from_str(text).expect("vectors"))
}

// req: S0-007 S0-062
#[test]
fn a_pronoun_behind_the_named_thing_means_it() {
    let mut missed = Vec::new();
    for vectors in vectors() {
        for case in vectors["put_right"].as_array().expect("cases") {
            let (text, wanted) = (case[0].as_str().expect("text"), case[1].as_str());
            let found = conflicts(&vectors["base"], text);
            if !matches!(&found[..], [one] if one.replacement.as_deref() == wanted) {
                missed.push(text.to_owned());
            }
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

// req: S0-007 S0-062 X-12
#[test]
fn a_pronoun_behind_another_thing_does_not() {
    let mut alarms = Vec::new();
    for vectors in vectors() {
        let found = |text: &&str| !conflicts(&vectors["base"], text).is_empty();
        let silent = texts(&vectors["silent"]).into_iter();
        alarms.extend(silent.filter(found).map(str::to_owned));
    }
    assert!(alarms.is_empty(), "{alarms:#?}");
}
