//! Values under circumstances that the base does not tell of are doubted at most.

use groundwire_core::types::{Finding, Tier};
use serde_json::Value as Json;

use crate::qualified::{FACTS, findings, over};
use crate::reading::texts;

fn vectors() -> Json {
    serde_json::from_str(include_str!("../vectors/framed.json")).expect("vectors")
}

fn conflicts(text: &str, vectors: &Json) -> Vec<Finding> {
    let monitor = over(vectors["base"].as_array().expect("records"));
    let whole = findings(&monitor, &[], text, text.len());
    assert_eq!(whole, findings(&monitor, &[], text, 1), "{text}");
    let mut found = whole;
    found.retain(|finding| FACTS.contains(&finding.kind.as_str()));
    found
}

// req: S0-007 S0-062
#[test]
fn a_value_under_a_circumstance_is_put_right_by_nothing() {
    let vectors = vectors();
    for text in texts(&vectors["at_most_doubted"]) {
        let found = conflicts(text, &vectors);
        let doubted = |one: &Finding| one.tier <= Tier::Medium && one.replacement.is_none();
        assert!(found.iter().all(doubted), "{text}: {found:?}");
    }
}

// req: S0-007 S0-062
#[test]
fn a_frame_that_changes_nothing_hides_no_wrong_value() {
    let vectors = vectors();
    for case in vectors["contradicted"].as_array().expect("cases") {
        let (text, wanted) = (case[0].as_str().expect("text"), case[1].as_str());
        let found = conflicts(text, &vectors);
        assert!(
            found.iter().any(|one| one.replacement.as_deref() == wanted),
            "{text}: {found:?}"
        );
    }
}
