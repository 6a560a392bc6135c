//! Values under circumstances that the base does not tell of are doubted at most.

use groundwire_core::types::{Finding, Status, Tier};
use serde_json::Value as Json;

use crate::qualified::conflicts;
use crate::reading::texts;

fn vectors() -> Json {
    serde_json::from_str(include_str!("../vectors/framed.json")).expect("vectors")
}

// req: S0-007 S0-062
#[test]
fn a_value_under_a_circumstance_is_doubted_and_not_put_right() {
    let vectors = vectors();
    for text in texts(&vectors["doubted"]) {
        let found = conflicts(&vectors["base"], text);
        let doubted = |one: &Finding| {
            let open = one.status == Status::Unverifiable && one.replacement.is_none();
            one.tier == Tier::Medium && open
        };
        assert!(
            !found.is_empty() && found.iter().all(doubted),
            "{text}: {found:?}"
        );
    }
}

// req: S0-007 S0-062
#[test]
fn a_circumstance_that_is_known_leaves_the_fact_untouched() {
    let vectors = vectors();
    for text in texts(&vectors["silent"]) {
        let found = conflicts(&vectors["base"], text);
        assert!(found.is_empty(), "{text}: {found:?}");
    }
}

// req: S0-007 S0-062
#[test]
fn a_frame_that_changes_nothing_hides_no_wrong_value() {
    let vectors = vectors();
    for case in vectors["contradicted"].as_array().expect("cases") {
        let (text, wanted) = (case[0].as_str().expect("text"), case[1].as_str());
        let found = conflicts(&vectors["base"], text);
        assert!(
            found.iter().any(|one| one.replacement.as_deref() == wanted),
            "{text}: {found:?}"
        );
    }
}
