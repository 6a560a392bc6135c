//! Letters against evidence: salutations and signatures, and names that are unknown all the same.

use groundwire_core::monitor::Monitor;
use groundwire_core::session::Context;
use groundwire_core::types::{Finding, Tier};
use serde_json::Value as Json;

use crate::reading::{in_pieces, passages, texts};

fn vectors() -> Json {
    serde_json::from_str(include_str!("../vectors/letters.json")).expect("vectors")
}

/// Findings of `text` from low on; in pieces of any size they are the same.
fn findings(all: &Json, text: &str) -> Vec<Finding> {
    let monitor = Monitor::builder().build().expect("monitor");
    let evidence = passages(&all["evidence"]);
    let read = |step| {
        let context = Context::new(&monitor, &evidence, &[], None);
        in_pieces(&monitor, context, text, step).findings
    };
    let whole = read(usize::MAX);
    for step in [1, 3, 7] {
        assert_eq!(read(step), whole, "{text:?} in pieces of {step}");
    }
    whole
        .into_iter()
        .filter(|f| f.tier >= Tier::Medium)
        .collect()
}

#[test]
fn addresses_and_signatures_are_no_news() {
    // req: S4-020
    let all = vectors();
    let mut wrong = Vec::new();
    for text in texts(&all["quiet"]) {
        for found in findings(&all, text) {
            wrong.push(format!("{text:?}: {} {:?}", found.kind, found.text));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn whoever_else_is_unknown_is_found() {
    let all = vectors();
    for pair in all["unknown"].as_array().expect("pairs") {
        let text = pair[0].as_str().expect("text");
        let found = findings(&all, text);
        let named = |f: &&Finding| f.kind == "stream.unknown_entity" && f.text == pair[1];
        assert!(found.iter().any(|f| named(&f)), "{text:?}: {found:?}");
    }
}
