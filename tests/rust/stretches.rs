//! Days that share a month, changes and levels, the two sides of a rule, others of a kind, and limits
//! behind a value: beside evidence or an earlier turn.

use groundwire_core::monitor::Monitor;
use groundwire_core::session::Context;
use groundwire_core::types::{Finding, Status, Tier};
use serde_json::Value as Json;

use crate::reading::{in_pieces, passages, texts};

/// Findings of `text` beside the case's passages and turns, pushed in pieces of `step` characters.
fn findings(monitor: &Monitor, case: &Json, text: &str, step: usize) -> Vec<Finding> {
    let evidence = passages(&case["evidence"]);
    let turns = texts(&case["history"]).into_iter();
    let turns: Vec<_> = turns
        .map(|turn| ("assistant".to_owned(), turn.to_owned()))
        .collect();
    let today = case["today"].as_str();
    let today = today.map(|day| day.parse().expect("a day"));
    let context = Context::new(monitor, &evidence, &turns, None).on(today);
    in_pieces(monitor, context, text, step).findings
}

fn shown(found: &[Finding]) -> Vec<String> {
    let show = |f: &Finding| format!("{} {:?} {:?}", f.kind, f.text, f.replacement);
    found.iter().map(show).collect()
}

/// The text with the replacement of its surest contradiction, if that has one.
fn mended(text: &str, found: &[Finding]) -> Option<String> {
    let own = found.iter().find(|f| f.status == Status::Contradicted)?;
    let (span, value) = own.span.zip(own.replacement.as_deref())?;
    Some(format!(
        "{}{value}{}",
        &text[..span.start],
        &text[span.end..]
    ))
}

// req: S0-005 S0-009 S0-050 S4-020
#[test]
fn what_is_wrong_and_its_true_look_alikes() {
    let all: Json = serde_json::from_str(include_str!("../vectors/stretches.json")).expect("json");
    let monitor = Monitor::builder().build().expect("monitor");
    let mut wrong = Vec::new();
    let odd = |f: &Finding| f.status == Status::Contradicted && f.tier > Tier::Low;
    for case in all["cases"].as_array().expect("cases") {
        for pair in case["wrong"].as_array().into_iter().flatten() {
            let text = pair[0].as_str().expect("text");
            let found = findings(&monitor, case, text, usize::MAX);
            if shown(&found) != shown(&findings(&monitor, case, text, 3)) {
                wrong.push(format!("cuts matter: {text:?}"));
            }
            let right = pair[1].as_str();
            let held = right.is_none() || mended(text, &found).as_deref() == right;
            if !found.iter().any(odd) || !held {
                wrong.push(format!("wrong {text:?}: {:?}", shown(&found)));
            }
        }
        for text in texts(&case["unopposed"]) {
            let found = findings(&monitor, case, text, 4);
            if found.iter().any(odd) {
                wrong.push(format!("unopposed {text:?}: {:?}", shown(&found)));
            }
        }
        for text in texts(&case["silent"]) {
            let found = findings(&monitor, case, text, 4);
            if found.iter().any(|f| f.tier > Tier::Low) {
                wrong.push(format!("silent {text:?}: {:?}", shown(&found)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
