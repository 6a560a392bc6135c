//! Sentences against evidence: denials, directions, currencies, ways to write a value.

use groundwire_core::monitor::Monitor;
use groundwire_core::session::Context;
use groundwire_core::types::{Finding, Status};
use serde_json::Value as Json;

use crate::reading::{in_pieces, passages, texts};

fn vectors() -> Json {
    serde_json::from_str(include_str!("../vectors/against_evidence.json")).expect("vectors")
}

/// Findings of `text`, pushed in pieces of `step` characters.
fn findings(case: &Json, text: &str, step: usize) -> Vec<Finding> {
    let monitor = Monitor::builder().build().expect("monitor");
    let evidence = passages(&case["evidence"]);
    let today = case["today"]
        .as_str()
        .map(|day| day.parse().expect("a day"));
    let context = Context::new(&monitor, &evidence, &[], None).on(today);
    in_pieces(&monitor, context, text, step).findings
}

fn shown(found: &[Finding]) -> Vec<String> {
    let show = |f: &Finding| format!("{} {:?} {:?}", f.kind, f.text, f.replacement);
    found.iter().map(show).collect()
}

#[test]
fn conflicts_and_their_look_alikes() {
    // req: S0-005, S4-020, S0-053
    let mut wrong = Vec::new();
    for case in vectors()["cases"].as_array().expect("cases") {
        let numbers = texts(&case["number"]);
        let conflicts = case["conflict"].as_array().expect("pairs");
        for pair in conflicts {
            let text = pair[0].as_str().expect("text");
            let whole = findings(case, text, usize::MAX);
            let found = whole.iter().find(|f| f.status == Status::Contradicted);
            let right = found.map(|f| f.replacement.as_deref());
            if right != Some(pair[1].as_str()) {
                wrong.push(format!("conflict {text:?}: {:?}", shown(&whole)));
            }
            for step in [1, 5] {
                if shown(&findings(case, text, step)) != shown(&whole) {
                    wrong.push(format!("cuts of {step} matter: {text:?}"));
                }
            }
        }
        for text in texts(&case["silent"]) {
            let whole = findings(case, text, usize::MAX);
            let loud = |f: &Finding| {
                f.status == Status::Contradicted || f.kind == "stream.unsupported_number"
            };
            if whole.iter().any(loud) {
                wrong.push(format!("silent {text:?}: {:?}", shown(&whole)));
            }
        }
        for text in texts(&case["unopposed"]) {
            let found = findings(case, text, 4);
            if found.iter().any(|f| f.status == Status::Contradicted) {
                wrong.push(format!("unopposed {text:?}: {:?}", shown(&found)));
            }
        }
        for text in &numbers {
            let found = findings(case, text, 3);
            if !found.iter().any(|f| f.kind == "stream.unsupported_number") {
                wrong.push(format!("number {text:?}: {:?}", shown(&found)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What stands in the evidence word for word is a known name and no changed detail.
#[test]
fn the_evidences_own_words() {
    // req: S0-013, S0-053
    let names = [
        "Harris & Harris",
        "Stone & Webster",
        "Barnes & Noble",
        "Dent & Co.",
        "Poe & Sons",
        "Ann & Mary's",
    ];
    for name in names {
        let text = format!("{name} has 75 employees.");
        let case = serde_json::json!({"evidence": [text]});
        let found = findings(&case, &text, usize::MAX);
        assert!(found.is_empty(), "{text}: {:?}", shown(&found));
    }
    let other = serde_json::json!({"evidence": ["The mill has 75 employees."]});
    let found = findings(&other, "Harris & Harris has 75 employees.", usize::MAX);
    let unknown = |f: &Finding| f.kind == "stream.unknown_entity";
    assert!(found.iter().any(unknown), "{:?}", shown(&found));
    let case = serde_json::json!({"evidence": [
        "The Marlow Tunnel was opened in 1932. It is 412 metres long. It closed from May 2011 to March 2012."
    ]});
    let text = "It is 412 metres long.";
    let found = findings(&case, text, usize::MAX);
    assert!(found.is_empty(), "{:?}", shown(&found));
}
