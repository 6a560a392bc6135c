//! What the built-in rules find, and sentences that only look like it.

use groundwire_core::monitor::Monitor;
use groundwire_core::session::Context;
use groundwire_core::types::Tier;
use serde_json::Value as Json;

use crate::reading::{in_pieces, texts};

#[test]
fn rules_and_their_look_alikes() {
    // req: S4-018
    let all: Json =
        serde_json::from_str(include_str!("../vectors/rule_readings.json")).expect("vectors");
    let monitor = Monitor::builder().build().expect("monitor");
    let read = |text: &str, step| in_pieces(&monitor, Context::default(), text, step).findings;
    let mut wrong = Vec::new();
    for (kind, group) in all["groups"].as_object().expect("groups") {
        for (part, wanted) in [("found", true), ("silent", false)] {
            for text in texts(&group[part]) {
                let whole = read(text, usize::MAX);
                let found = whole.iter().any(|f| f.kind == *kind && f.tier >= Tier::Low);
                if found != wanted {
                    wrong.push(format!("{kind} {part}: {text:?}"));
                }
                for step in [1, 4] {
                    assert_eq!(read(text, step), whole, "{text:?} in pieces of {step}");
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
