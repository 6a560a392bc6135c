//! Sentences against passages that say much in each sentence.

use groundwire_core::monitor::Monitor;
use groundwire_core::session::Context;
use groundwire_core::types::{Finding, Status};
use serde_json::Value as Json;

use crate::reading::{in_pieces, passages, texts};

/// Sentences of the vectors that are put right, at least: a floor, to be
/// raised with what the reader of passages learns.
const RIGHT: usize = 30;

fn contradicted(case: &Json, text: &str, step: usize) -> Vec<Finding> {
    let monitor = Monitor::builder().build().expect("monitor");
    let context = Context::new(&monitor, &passages(&case["evidence"]), &[], None);
    let mut found = in_pieces(&monitor, context, text, step).findings;
    found.retain(|f| f.status == Status::Contradicted);
    found
}

#[test]
fn numbers_of_dense_prose() {
    // req: S0-005, S4-020
    let vectors: Json =
        serde_json::from_str(include_str!("../vectors/dense.json")).expect("vectors");
    let (mut right, mut wrong) = (0, Vec::new());
    for case in vectors["cases"].as_array().expect("cases") {
        for pair in case["wrong"].as_array().expect("pairs") {
            let (text, value) = (pair[0].as_str().expect("text"), pair[1].as_str());
            let value = value.expect("value");
            let found = contradicted(case, text, usize::MAX);
            assert_eq!(found, contradicted(case, text, 3), "cuts matter: {text}");
            let told = |f: &Finding| f.replacement.as_ref().is_some_and(|r| r.contains(value));
            right += usize::from(found.iter().any(told));
            let other = |f: &&Finding| f.replacement.is_some() && !told(f);
            wrong.extend(found.iter().filter(other).map(|f| format!("{text}: {f:?}")));
        }
        for text in texts(&case["true"]) {
            let found = contradicted(case, text, 4);
            wrong.extend(
                found
                    .iter()
                    .map(|f| format!("true {text}: {:?}", f.replacement)),
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(right >= RIGHT, "{right} put right");
}

#[test]
fn a_day_follows_from_a_length_that_belongs_to_it() {
    // req: S0-005
    let follows = |evidence: &str, text: &str| {
        let monitor = Monitor::builder().build().expect("monitor");
        let case = serde_json::json!({ "evidence": [evidence] });
        let context = Context::new(&monitor, &passages(&case["evidence"]), &[], None);
        let found = in_pieces(&monitor, context, text, 4).findings;
        found.iter().any(|f| f.extra.contains_key("follows_from"))
    };
    let apart = "Tenants give notice of two months. The garden belongs to everyone. The deposit \
                 is paid back by 30 June.";
    assert!(!follows(apart, "The deposit is paid back by 30 August."));
    let beside = "The course begins on 5 May and lasts two weeks. Lunch is included.";
    assert!(follows(beside, "The course ends on 19 May."));
    let after = "The course begins on 5 May. The course lasts two weeks.";
    assert!(follows(after, "The course ends on 19 May."));
}
