//! Denials of a part leave the rest open; those of the whole contradict it.

use groundwire_core::monitor::Monitor;
use groundwire_core::session::Context;
use groundwire_core::types::Status;
use serde_json::Value as Json;

use crate::qualified::over;
use crate::reading::{in_pieces, passages};

fn vectors() -> Json {
    serde_json::from_str(include_str!("../vectors/denied_parts.json")).expect("vectors")
}

/// The texts of which more or less is found than there should be.
fn wrong(cases: &Json, context: impl Fn(&Json) -> Context, monitor: &Monitor) -> Vec<String> {
    let mut wrong = Vec::new();
    for case in cases.as_array().expect("cases") {
        let text = case["text"].as_str().expect("text");
        let found = |step| in_pieces(monitor, context(case), text, step).findings;
        let whole = found(usize::MAX);
        assert_eq!(whole, found(3), "{text}");
        let odd = whole.iter().any(|f| f.status == Status::Contradicted);
        if case["wrong"].as_bool() != Some(odd) {
            wrong.push(text.to_owned());
        }
    }
    wrong
}

// req: S0-008 S0-063 X-12
#[test]
fn against_the_base() {
    let vectors = vectors();
    let monitor = over(vectors["kb"].as_array().expect("records"));
    let context = |_: &Json| Context::new(&monitor, &[], &[], None);
    let found = wrong(&vectors["base"], context, &monitor);
    assert!(found.is_empty(), "{found:?}");
}

// req: S0-009 S0-056 S4-021
#[test]
fn against_the_evidence() {
    let vectors = vectors();
    let monitor = Monitor::builder().build().expect("monitor");
    let context = |case: &Json| {
        let given = passages(&Json::Array(vec![case["source"].clone()]));
        Context::new(&monitor, &given, &[], None)
    };
    let found = wrong(&vectors["sources"], context, &monitor);
    assert!(found.is_empty(), "{found:?}");
}
