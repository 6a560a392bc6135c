//! Who held a place once, and what a sentence tells beside the attribute that the base has.

use groundwire_core::types::{Finding, Tier};
use serde_json::Value as Json;

use crate::qualified::{conflicts, findings, over};
use crate::reading::texts;

fn vectors() -> Json {
    serde_json::from_str(include_str!("../vectors/held.json")).expect("vectors")
}

// req: S0-007 S0-062
#[test]
fn a_holder_of_the_past_is_doubted_and_not_put_right() {
    for text in texts(&vectors()["doubted"]) {
        let found = conflicts(&vectors()["base"], text);
        assert!(
            matches!(&found[..], [one] if one.tier == Tier::Medium && one.replacement.is_none()),
            "{text}: {found:?}"
        );
    }
}

// req: S0-007 S0-062
#[test]
fn what_stands_beside_the_attribute_hides_no_wrong_value() {
    for case in vectors()["put_right"].as_array().expect("cases") {
        let (text, wanted) = (case[0].as_str().expect("text"), case[1].as_str());
        let found = conflicts(&vectors()["base"], text);
        assert!(
            matches!(&found[..], [one] if one.replacement.as_deref() == wanted),
            "{text}: {found:?}"
        );
    }
}

// req: S0-007 S0-062
#[test]
fn what_may_stand_beside_the_fact_contradicts_nothing() {
    for text in texts(&vectors()["silent"]) {
        let found = conflicts(&vectors()["base"], text);
        assert!(found.is_empty(), "{text}: {found:?}");
    }
}

// req: S0-005 S0-042
#[test]
fn a_post_that_the_base_has_at_its_place_is_no_fabrication() {
    let vectors = vectors();
    let monitor = over(vectors["base"].as_array().expect("records"));
    for (text, fires) in [
        ("Jon Pell is the head of the Marsh Observatory.", false),
        (
            "Jon Pell, head of the Marsh Observatory, was born in 1970.",
            false,
        ),
        ("Jon Pell works as a treasurer.", true),
    ] {
        let found = findings(&monitor, &[], text, text.len());
        let made_up = |finding: &Finding| finding.kind == "dialogue.fabricated_fact";
        assert_eq!(found.iter().any(made_up), fires, "{text}: {found:?}");
    }
}
