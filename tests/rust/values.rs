//! Numbers beside an attribute that are no values of it: years, shares, amounts for another period,
//! and what is said of another product of the family.

use groundwire_core::monitor::Monitor;
use groundwire_core::session::Context;
use groundwire_core::types::{Finding, Status};
use serde_json::Value as Json;

use crate::qualified::hold;
use crate::reading::{in_pieces, texts};

fn vectors() -> Json {
    serde_json::from_str(include_str!("../vectors/values.json")).expect("vectors")
}

// req: S0-007 S0-008 S0-019
#[test]
fn what_is_no_value_of_the_attribute_is_not_held_against_it() {
    hold(&vectors());
}

fn findings(passage: Option<&str>, turns: &[(String, String)], text: &str) -> Vec<Finding> {
    let monitor = Monitor::builder().build().expect("monitor");
    let evidence: Vec<(String, String)> = passage
        .map(|text| ("p".to_owned(), text.to_owned()))
        .into_iter()
        .collect();
    let context = || Context::new(&monitor, &evidence, turns, None);
    let whole = in_pieces(&monitor, context(), text, usize::MAX).findings;
    assert_eq!(
        whole,
        in_pieces(&monitor, context(), text, 1).findings,
        "{text}"
    );
    whole
}

// req: S0-005 S0-009
#[test]
fn a_share_is_at_odds_with_no_number() {
    let vectors = vectors();
    for (which, fires) in [("silent", false), ("found", true)] {
        for case in vectors["history"][which].as_array().expect("cases") {
            let text = |i: usize| case[i].as_str().expect("text").to_owned();
            let found = findings(None, &[(text(0), text(1))], &text(2));
            let contradicts = |f: &Finding| f.kind == "dialogue.contradicts_prior";
            assert_eq!(found.iter().any(contradicts), fires, "{case}");
        }
        let passage = vectors["evidence"]["passage"].as_str();
        for text in texts(&vectors["evidence"][which]) {
            let found = findings(passage, &[], text);
            let contradicts = |f: &Finding| f.status == Status::Contradicted;
            assert_eq!(found.iter().any(contradicts), fires, "{text}");
        }
    }
}
