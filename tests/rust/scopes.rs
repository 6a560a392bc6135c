//! What the words around a statement leave open: another time, edition or condition than a
//! fact's, a correction of the person asked, a place inside a place.

use groundwire_core::monitor::Monitor;
use groundwire_core::profile::Profile;
use groundwire_core::session::Context;
use groundwire_core::types::Finding;
use serde_json::Value as Json;

use crate::qualified::hold;
use crate::reading::in_pieces;

const SENSE: [&str; 2] = ["dialogue.logical_inconsistency", "dialogue.temporal_error"];

fn vectors() -> Json {
    serde_json::from_str(include_str!("../vectors/scopes.json")).expect("vectors")
}

fn findings(turns: &[(String, String)], text: &str, step: usize) -> Vec<Finding> {
    let monitor = Monitor::builder()
        .profiles(vec![Profile::dialogue()])
        .build()
        .expect("monitor");
    let today = "2026-11-22".parse().expect("date");
    let context = Context::new(&monitor, &[], turns, None).on(Some(today));
    in_pieces(&monitor, context, text, step).findings
}

// req: S0-007 S0-008 S0-019
#[test]
fn a_claim_of_another_scope_is_not_held_against_the_fact() {
    hold(&vectors());
}

// req: S0-009 S0-047
#[test]
fn who_is_set_right_is_not_contradicted_and_never_put_in_place() {
    for (which, fires) in [("silent", false), ("found", true)] {
        for case in vectors()["history"][which].as_array().expect("cases") {
            let text = |i: usize| case[i].as_str().expect("text").to_owned();
            let turns = [(text(0), text(1))];
            let mut found = findings(&turns, &text(2), usize::MAX);
            assert_eq!(found, findings(&turns, &text(2), 2), "{case}");
            found.retain(|f| f.kind == "dialogue.contradicts_prior");
            assert_eq!(!found.is_empty(), fires, "{case}");
            let user = text(0) == "user";
            let taken = found.iter().any(|f| f.replacement.is_some());
            assert!(!(user && taken), "{case}");
        }
    }
}

// req: S0-019 S0-050 S0-051 S0-056 S0-057 S0-059
#[test]
fn conditions_degrees_and_tales_contradict_nothing() {
    for (which, fires) in [("silent", false), ("found", true)] {
        for text in vectors()["sense"][which].as_array().expect("texts") {
            let text = text.as_str().expect("text");
            let mut found = findings(&[], text, usize::MAX);
            assert_eq!(found, findings(&[], text, 2), "{text}");
            found.retain(|f| SENSE.contains(&f.kind.as_str()));
            assert_eq!(!found.is_empty(), fires, "{text}: {found:#?}");
        }
    }
}
